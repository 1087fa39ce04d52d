//! Text.

use std::ffi::{CStr, c_char};

use pyo3::exceptions::{PyUnicodeEncodeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

use crate::errors::ArgumentContext;

/// Text that C may read as long as `object` lives.
pub struct Text<'py> {
    /// Its address. A NUL follows the text.
    pub address: *const u8,
    /// Its length without the NUL.
    pub length: usize,
    /// The object that owns it.
    pub object: Bound<'py, PyAny>,
}

/// Text from `str` (as UTF-8), `bytes` or a path; `None` for what is none of these.
pub fn text<'py>(
    context: ArgumentContext<'_>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Option<Text<'py>>> {
    let py = value.py();
    let found = if let Ok(string) = value.cast::<PyString>() {
        utf8(context, string)?
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        of_bytes(bytes.clone())
    } else if value.get_type().hasattr(pyo3::intern!(py, "__fspath__"))? {
        // SAFETY: a live object; the result is a new reference or null with an exception.
        let path = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyOS_FSPath(value.as_ptr())) }?;
        match path.cast_into::<PyString>() {
            // SAFETY: `path` is a live str; the result is a new reference or null with an exception.
            Ok(path) => unsafe {
                of_bytes(
                    Bound::from_owned_ptr_or_err(
                        py,
                        ffi::PyUnicode_EncodeFSDefault(path.as_ptr()),
                    )?
                    .cast_into()?,
                )
            },
            Err(other) => of_bytes(other.into_inner().cast_into()?),
        }
    } else {
        return Ok(None);
    };
    // SAFETY: as many bytes as that.
    let bytes = unsafe { std::slice::from_raw_parts(found.address, found.length) };
    if let Some(at) = bytes.iter().position(|byte| *byte == 0) {
        return Err(PyValueError::new_err(format!(
            "{context} has a NUL at index {at}: C would take the text to end there"
        )));
    }
    Ok(Some(found))
}
fn of_bytes(bytes: Bound<'_, PyBytes>) -> Text<'_> {
    Text {
        address: bytes.as_bytes().as_ptr(),
        length: bytes.as_bytes().len(),
        object: bytes.into_any(),
    }
}

/// The UTF-8 of a `str`, which may have NULs in it.
pub fn utf8<'py>(
    context: ArgumentContext<'_>,
    string: &Bound<'py, PyString>,
) -> PyResult<Text<'py>> {
    let py = string.py();
    let mut length = 0;
    // SAFETY: a str, which keeps its UTF-8 as long as it lives; with a NUL behind.
    let address = unsafe { ffi::PyUnicode_AsUTF8AndSize(string.as_ptr(), &mut length) };
    if !address.is_null() {
        return Ok(Text {
            address: address.cast(),
            length: length as usize,
            object: string.clone().into_any(),
        });
    }
    let error = PyErr::fetch(py);
    if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
        return Err(error);
    }
    // Bytes that were not UTF-8 came as lone surrogates (`to_python`); they go back as they were.
    // SAFETY: a str and constant names.
    let encoded = unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyUnicode_AsEncodedString(
                string.as_ptr(),
                c"utf-8".as_ptr(),
                c"surrogateescape".as_ptr(),
            ),
        )
    };
    match encoded {
        Ok(bytes) => Ok(of_bytes(bytes.cast_into()?)),
        Err(_) => Err(PyValueError::new_err(format!(
            "{context} cannot be written as UTF-8: it has a lone surrogate"
        ))),
    }
}

/// The NUL-terminated text at `address` as `str`. Bytes that are not UTF-8 become lone surrogates, as in Python's file
/// names.
///
/// # Safety
/// NUL-terminated text lies at the address.
pub unsafe fn to_python<'py>(
    py: Python<'py>,
    address: *const c_char,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: `address` points at NUL-terminated text (`# Safety`), which is copied before anything else runs.
    let bytes = unsafe { CStr::from_ptr(address) }.to_bytes();
    decode(py, bytes)
}

/// Bytes as `str`, as [`to_python`].
pub fn decode<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: as many bytes as that; a constant name; a new reference or null with an exception.
    unsafe {
        Bound::from_owned_ptr_or_err(
            py,
            ffi::PyUnicode_DecodeUTF8(
                bytes.as_ptr().cast(),
                bytes.len() as isize,
                c"surrogateescape".as_ptr(),
            ),
        )
    }
}
