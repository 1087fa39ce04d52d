//! Methods and properties of classes made at run time.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The arguments of a method: those named first may be given by position; what was left out is `None`.
///
/// # Safety
/// `arguments` is a tuple, `keywords` a dict or null.
pub unsafe fn read<'py, const N: usize>(
    py: Python<'py>,
    method: &str,
    names: [&str; N],
    required: usize,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> PyResult<[Option<Bound<'py, PyAny>>; N]> {
    let mut read = [const { None }; N];
    // SAFETY: `arguments` is a tuple, `keywords` a dict or null (`# Safety`); references are borrowed from the tuple
    // and the dict, and counted here.
    unsafe {
        let count = ffi::PyTuple_Size(arguments) as usize;
        if count > N {
            let plural = if count == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "{method}() got {count} argument{plural}: {method}({})",
                names.join(", ")
            )));
        }
        for (i, place) in read.iter_mut().enumerate().take(count) {
            let value = ffi::PyTuple_GetItem(arguments, i as ffi::Py_ssize_t);
            *place = Some(Bound::from_borrowed_ptr(py, value));
        }
        if !keywords.is_null() {
            let mut position = 0;
            let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            while ffi::PyDict_Next(keywords, &mut position, &mut key, &mut value) != 0 {
                let name: String = Bound::from_borrowed_ptr(py, key).extract()?;
                let Some(place) = names.iter().position(|known| *known == name) else {
                    return Err(PyTypeError::new_err(format!(
                        "{method}() got an unexpected keyword argument '{name}'"
                    )));
                };
                let value = Bound::from_borrowed_ptr(py, value);
                if read[place].replace(value).is_some() {
                    return Err(PyTypeError::new_err(format!(
                        "{method}() got multiple values for argument '{name}'"
                    )));
                }
            }
        }
    }
    for (name, place) in names.iter().zip(&read).take(required) {
        if place.is_none() {
            return Err(PyTypeError::new_err(format!(
                "{method}() missing required argument: '{name}'"
            )));
        }
    }
    Ok(read)
}

/// A `PyMethodDef`: name, flags, parameters, number of required ones, function, docstring.
macro_rules! method {
    ($name:literal, [$($parameter:literal),*], $required:literal, $body:expr, $doc:literal) => {
        $crate::interpreter::methods::method!($name, 0, [$($parameter),*], $required, $body, $doc)
    };
    ($name:literal, $flags:expr, [$($parameter:literal),*], $required:literal, $body:expr, $doc:literal) => {{
        unsafe extern "C" fn call(
            this: *mut pyo3::ffi::PyObject,
            arguments: *mut pyo3::ffi::PyObject,
            keywords: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            const COUNT: usize = <[&str]>::len(&[$($parameter),*]);
            const NAMES: [&str; COUNT] = [$($parameter),*];
            // SAFETY: the interpreter calls this as a method.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    let name = stringify!($name).trim_start_matches("c\"").trim_end_matches('"');
                    let read = $crate::interpreter::methods::read(py, name, NAMES, $required, arguments, keywords)?;
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    $body(&this, read)
                })
            }
        }
        pyo3::ffi::PyMethodDef {
            ml_name: std::ffi::CStr::as_ptr($name),
            ml_meth: pyo3::ffi::PyMethodDefPointer {
                PyCFunctionWithKeywords: call,
            },
            ml_flags: pyo3::ffi::METH_VARARGS | pyo3::ffi::METH_KEYWORDS | $flags,
            ml_doc: std::ffi::CStr::as_ptr($doc),
        }
    }};
}

pub(crate) use method;

/// A `PyGetSetDef` that is read only.
macro_rules! property {
    ($name:literal, $body:expr, $doc:literal) => {{
        unsafe extern "C" fn get(
            this: *mut pyo3::ffi::PyObject,
            _: *mut std::ffi::c_void,
        ) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls this as a property.
            unsafe {
                $crate::interpreter::guard::object(|py| {
                    $body(&pyo3::Bound::from_borrowed_ptr(py, this))
                })
            }
        }
        pyo3::ffi::PyGetSetDef {
            name: std::ffi::CStr::as_ptr($name),
            get: Some(get),
            set: None,
            doc: std::ffi::CStr::as_ptr($doc),
            closure: std::ptr::null_mut(),
        }
    }};
}

pub(crate) use property;

/// `__enter__`.
pub fn itself<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(this.clone())
}
