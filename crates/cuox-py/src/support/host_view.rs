//! Host memory by the buffer protocol.

use std::ffi::{CStr, c_int};

use cuox_interpreter::gate;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;

use super::names::type_name;

/// True if the elements of an array, for whose type there is no format, have references to Python objects in them.
fn dtype_has_objects(object: &Bound<'_, PyAny>) -> bool {
    let dtype = object.getattr("dtype");
    let has = dtype.and_then(|dtype| dtype.getattr("hasobject"));
    has.and_then(|has| has.is_truthy()).unwrap_or(false)
}

/// True if an array is one of `numpy.ma` with a mask that is set somewhere.
fn hides_elements(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live class. Arrays of NumPy itself, and all that is built in, are of no heap type.
    let own = unsafe { ffi::PyType_GetFlags(object.get_type_ptr()) } & ffi::Py_TPFLAGS_HEAPTYPE;
    if own == 0 {
        return false;
    }
    let py = object.py();
    let Ok(Some(_)) = object.getattr_opt(intern!(py, "fill_value")) else {
        return false;
    };
    let mask = object.getattr_opt(intern!(py, "mask")).ok().flatten();
    let any = mask.and_then(|mask| mask.call_method0(intern!(py, "any")).ok());
    any.is_some_and(|any| any.is_truthy().unwrap_or(false))
}

/// Raises TypeError for an array whose mask hides elements.
fn check_mask(object: &Bound<'_, PyAny>) -> PyResult<()> {
    if hides_elements(object) {
        return Err(PyTypeError::new_err(format!(
            "{} whose mask hides elements: the mask is not copied, and the hidden values would be; pass array.filled(value), or array.data",
            type_name(object)
        )));
    }
    Ok(())
}

/// An object's host memory, held for as long as this lives.
pub struct HostView {
    view: ffi::Py_buffer,
}

// SAFETY: a Py_buffer may move between threads; the release takes the GIL.
unsafe impl Send for HostView {}

impl HostView {
    /// The contiguous memory of `object`; writable, or an exception, if asked for. References to Python's objects are
    /// no bytes that another place could have.
    pub fn new(object: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        let write = if writable { ffi::PyBUF_WRITABLE } else { 0 };
        let flags = ffi::PyBUF_ANY_CONTIGUOUS | write;
        let (view, has_objects) = match Self::with(object, flags | ffi::PyBUF_FORMAT) {
            Ok(view) => {
                let has_objects = view.has_objects();
                (view, has_objects)
            }
            // There is no format for some of NumPy's types, such as dates.
            Err(_) => (Self::with(object, flags)?, dtype_has_objects(object)),
        };
        if !writable {
            check_mask(object)?;
        }
        if has_objects {
            return Err(PyTypeError::new_err(format!(
                "expected an array of numbers, got {} of Python objects, whose memory is references",
                type_name(object)
            )));
        }
        Ok(view)
    }

    /// The contiguous memory of an object that is known to have no references in it, to be read. To be asked for the
    /// format takes NumPy as long as all else.
    pub fn of_numbers(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let view = Self::with(object, ffi::PyBUF_ANY_CONTIGUOUS)?;
        check_mask(object)?;
        Ok(view)
    }

    fn with(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        // `shape` may point into the structure itself, which moves; it is never read here.
        let mut view = ffi::Py_buffer::new();
        // SAFETY: a live object and a buffer to fill; -1 with an exception set is the error return.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut view, flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        Ok(Self { view })
    }

    /// True if an element is, or has in it, a reference to a Python object (`O` in the format).
    fn has_objects(&self) -> bool {
        if self.view.format.is_null() {
            return false;
        }
        // SAFETY: the exporter's text, which lives as long as the view.
        let format = unsafe { CStr::from_ptr(self.view.format) }.to_bytes();
        // Between colons are the names of fields.
        let types = format.split(|&c| c == b':').step_by(2);
        types.flatten().any(|&c| c == b'O')
    }

    /// The reason for which an object does not give its memory contiguous, or writable; None if it is another one.
    pub fn refusal(object: &Bound<'_, PyAny>, writable: bool) -> Option<String> {
        let view = Self::with(object, ffi::PyBUF_FULL_RO).ok()?;
        let name = type_name(object);
        // SAFETY: a view with its shape and strides.
        let contiguous = unsafe { ffi::PyBuffer_IsContiguous(&raw const view.view, b'A' as _) };
        if contiguous == 0 {
            return Some(format!(
                "the elements of {name} are not contiguous in memory; pass a contiguous copy"
            ));
        }
        let read_only = writable && view.view.readonly != 0;
        read_only.then(|| format!("{name} is read-only"))
    }

    pub fn address(&self) -> *mut u8 {
        self.view.buf.cast()
    }

    pub fn len(&self) -> usize {
        self.view.len.max(0) as usize
    }

    pub fn bytes(&self) -> &[u8] {
        if self.len() == 0 {
            return &[];
        }
        // SAFETY: the exporter vouches for `len` bytes at `buf` until the view is released.
        unsafe { std::slice::from_raw_parts(self.address(), self.len()) }
    }
}

impl Drop for HostView {
    fn drop(&mut self) {
        // SAFETY: filled by PyObject_GetBuffer, released once, under the GIL. After the interpreter's end there is
        // nobody to give it back to.
        let _ = gate::visit(|_| unsafe { ffi::PyBuffer_Release(&raw mut self.view) });
    }
}
