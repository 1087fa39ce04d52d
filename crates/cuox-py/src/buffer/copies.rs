//! Copies between buffers.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use cuox_interpreter::gate;

use super::Buffer;
use crate::stream::stream_or_default;
use crate::support::names;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// Copies from one buffer to another one of the same size.
pub fn copy(
    user: &str,
    from: &Bound<'_, PyAny>,
    to: &Bound<'_, Buffer>,
    stream: Option<&Bound<'_, PyAny>>,
    options: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let py = to.py();
    let Ok(source) = from.cast::<Buffer>() else {
        return Err(PyTypeError::new_err(format!(
            "{user}: expected a cuox.Buffer, got {} (copy_from_host takes host memory)",
            names::type_name(from)
        )));
    };
    let (source, this) = (source.get(), to.get());
    if source.size != this.size {
        return Err(PyValueError::new_err(format!(
            "{user}: the source has {} bytes, the destination {}",
            source.size, this.size
        )));
    }
    if let Some(options) = given(options) {
        let copies = py.import(intern!(py, "cuox._internal.memory.copies"))?;
        let copy = copies.getattr(intern!(py, "copy_with_options"))?;
        return copy.call1((user, from, to, stream, options)).map(drop);
    }
    let (to, from) = (this.as_device(py)?, source.as_device(py)?);
    let stream = match this.stream_argument(py, stream)? {
        None => to.stream().cloned(),
        given => given,
    };
    this.submit(py, &format!("buffer.{user}()"), stream.as_ref(), || {
        to.copy_from(&from, stream.as_ref())
    })
}

/// The buffer that one is copied to: the one given, else a new one of the same resource.
pub fn destination<'py>(
    this: &Bound<'py, Buffer>,
    dst: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Buffer>> {
    let (py, buffer) = (this.py(), this.get());
    let wrong = |what: &str, object: &Bound<'py, PyAny>| {
        plain_args::wrong_kind(what, "a cuox.Buffer or None", object)
    };
    if let Some(dst) = given(dst) {
        return match dst.cast::<Buffer>() {
            Ok(buffer) => Ok(buffer.clone()),
            Err(_) => Err(wrong("copy_to: dst", dst)),
        };
    }
    if let Some(resource) = &buffer.resource {
        let options = PyDict::new(py);
        options.set_item(intern!(py, "stream"), stream)?;
        let allocate = gate::getattr(resource.bind(py), intern!(py, "allocate"))?;
        let size = (buffer.size,).into_pyobject(py)?;
        let made = gate::call(&allocate, &size, Some(&options))?;
        return made
            .cast_into::<Buffer>()
            .map_err(|error| wrong("copy_to: the resource's allocate()", &error.into_inner()));
    }
    let order = stream_or_default(py, stream, buffer.device)?;
    Bound::new(
        py,
        Buffer::allocate(py, buffer.device, buffer.size, Some(order.into()))?,
    )
}
