//! Buffers of Python objects.

use std::ffi::{CStr, c_int};
use std::mem::MaybeUninit;

use pyo3::ffi;
use pyo3::prelude::*;

/// A buffer, held until this is dropped.
pub struct BufferView(pub(super) Box<ffi::Py_buffer>);

impl BufferView {
    /// The buffer of an object.
    pub fn of(value: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut view = Box::new(MaybeUninit::<ffi::Py_buffer>::uninit());
        // SAFETY: filled unless the result is -1.
        unsafe {
            if ffi::PyObject_GetBuffer(value.as_ptr(), view.as_mut_ptr(), flags) != 0 {
                return Err(PyErr::fetch(value.py()));
            }
            Ok(Self(view.assume_init()))
        }
    }

    /// Its address.
    pub fn address(&self) -> usize {
        self.0.buf as usize
    }

    /// The number of bytes.
    pub fn bytes(&self) -> usize {
        self.0.len as usize
    }

    /// True if it may only be read.
    pub fn read_only(&self) -> bool {
        self.0.readonly != 0
    }

    /// Its elements' size.
    pub fn item(&self) -> usize {
        self.0.itemsize as usize
    }

    /// Its elements' format.
    pub fn format(&self) -> &str {
        if self.0.format.is_null() {
            return "B";
        }
        // SAFETY: a C string as long as the buffer is held.
        unsafe { CStr::from_ptr(self.0.format) }
            .to_str()
            .unwrap_or("O")
    }
}

impl Drop for BufferView {
    fn drop(&mut self) {
        // SAFETY: got by `of`; the GIL is held, since a view is used only where it was made.
        unsafe { ffi::PyBuffer_Release(&mut *self.0) };
    }
}
