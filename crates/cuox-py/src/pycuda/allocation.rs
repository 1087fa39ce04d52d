//! Buffers as objects of subclasses that are written in Python: `DeviceAllocation` and its like.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::buffer::Buffer;
use crate::support::fastcall::Arguments;
use crate::support::names;

/// Move the memory of a buffer into a new object of a subclass of `Buffer`; the buffer itself is closed by that.
///
/// Raises TypeError for another class, ClosedError.
#[pyfunction]
pub fn _buffer_as<'py>(
    class: &Bound<'py, PyType>,
    buffer: &Bound<'py, Buffer>,
) -> PyResult<Bound<'py, Buffer>> {
    if !class.is_subclass_of::<Buffer>()? {
        return Err(PyTypeError::new_err(format!(
            "_buffer_as: class: expected a subclass of cuox.Buffer, got {}",
            class.name()?
        )));
    }
    let moved = buffer.get().take_over(class.py())?;
    Buffer::make_subclass(class, moved)
}

impl Buffer {
    /// `_free`, as `methods` lists it.
    #[inline]
    pub fn free_method<'py>(
        this: &Bound<'py, Self>,
        []: Arguments<'_, 'py, 0>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !this.get().held.is_open(this.py()) {
            return Err(freed_before(this));
        }
        Self::close_method(this, [None])
    }
}

#[cold]
fn freed_before(this: &Bound<'_, Buffer>) -> PyErr {
    let py = this.py();
    let raised = py
        .import("cuox.pycuda._driver.errors")
        .and_then(|errors| errors.getattr("LogicError"))
        .and_then(|class| {
            let name = names::type_name(this.as_any());
            class.call1((format!("{name}.free: the memory was freed before"),))
        });
    raised.map_or_else(|failure| failure, PyErr::from_value)
}
