//! The buffer protocol of arrays that C owns.

use std::ffi::{CString, c_int, c_void};

use pyo3::exceptions::PyBufferError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The format and the dimensions of an exported buffer, which live as long as it is held.
struct ExportedShape {
    format: CString,
    numbers: Vec<ffi::Py_ssize_t>,
}

/// An array in C order, for a buffer.
pub struct ExportedArray<'a> {
    /// Its address.
    pub address: usize,
    /// Its dimensions.
    pub shape: &'a [u64],
    /// Its elements' format.
    pub format: &'a str,
    /// Their size.
    pub item: usize,
    /// True if it must not be written.
    pub read_only: bool,
}

/// A buffer of an array.
///
/// # Safety
/// `view` is what the interpreter asks to be filled, for this object.
pub unsafe fn export(
    view: *mut ffi::Py_buffer,
    object: &Bound<'_, PyAny>,
    array: &ExportedArray<'_>,
    flags: c_int,
) -> PyResult<()> {
    let ExportedArray {
        address,
        shape,
        format,
        item,
        read_only,
    } = *array;
    if flags & ffi::PyBUF_WRITABLE != 0 && read_only {
        return Err(PyBufferError::new_err(
            "this memory is read-only: ask for a buffer that is not written",
        ));
    }
    let rank = shape.len();
    let mut numbers: Vec<ffi::Py_ssize_t> = shape.iter().map(|n| *n as ffi::Py_ssize_t).collect();
    let mut stride = item as ffi::Py_ssize_t;
    let mut strides = vec![0; rank];
    for (place, extent) in strides.iter_mut().zip(shape).rev() {
        *place = stride;
        stride = stride.saturating_mul(*extent as ffi::Py_ssize_t);
    }
    numbers.extend(strides);
    let exported = Box::new(ExportedShape {
        format: CString::new(format)?,
        numbers,
    });
    let wants = |flag: c_int| flags & flag == flag;
    // SAFETY: `view` is the interpreter's, to be filled (`# Safety`); `exported`, which it points into, lives until the
    // buffer is released.
    unsafe {
        let numbers = exported.numbers.as_ptr().cast_mut();
        (*view).buf = address as *mut c_void;
        (*view).len = stride;
        (*view).itemsize = item as ffi::Py_ssize_t;
        (*view).readonly = read_only.into();
        // A consumer that asks for no shape gets none: for it the buffer is bytes in a row.
        (*view).ndim = if wants(ffi::PyBUF_ND) {
            rank as c_int
        } else {
            1
        };
        (*view).format = if wants(ffi::PyBUF_FORMAT) {
            exported.format.as_ptr().cast_mut()
        } else {
            std::ptr::null_mut()
        };
        (*view).shape = if wants(ffi::PyBUF_ND) {
            numbers
        } else {
            std::ptr::null_mut()
        };
        (*view).strides = if wants(ffi::PyBUF_STRIDES) {
            numbers.add(rank)
        } else {
            std::ptr::null_mut()
        };
        (*view).suboffsets = std::ptr::null_mut();
        (*view).internal = Box::into_raw(exported).cast();
        (*view).obj = object.clone().into_ptr();
    }
    Ok(())
}

/// Frees what [`export`] has made.
///
/// # Safety
/// Called by the interpreter for such a buffer, once.
pub unsafe extern "C" fn release_buffer(_: *mut ffi::PyObject, view: *mut ffi::Py_buffer) {
    // SAFETY: the interpreter releases each buffer once (`# Safety`), and `internal` is null or the box that `export`
    // leaked.
    unsafe {
        let exported = std::mem::replace(&mut (*view).internal, std::ptr::null_mut());
        if !exported.is_null() {
            drop(Box::from_raw(exported.cast::<ExportedShape>()));
        }
    }
}
