//! Buffers as objects of subclasses that are written in Python: `DeviceAllocation` and its like.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::buffer::Buffer;

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
