//! Options objects of users: dataclasses, mappings or None.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use super::names::type_name;

/// A field of an options object, which is a dataclass, a mapping or None.
pub fn option<'py, T>(options: Option<&Bound<'py, PyAny>>, name: &str, default: T) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    let Some(options) = options else {
        return Ok(default);
    };
    let value = match options.cast::<PyDict>() {
        Ok(dict) => match dict.get_item(name)? {
            Some(value) => value,
            None => return Ok(default),
        },
        Err(_) => options.getattr(name).map_err(|_| {
            PyTypeError::new_err(format!(
                "options: {} has no {name}; pass StreamOptions, EventOptions, a dict or None",
                type_name(options)
            ))
        })?,
    };
    if value.is_none() {
        return Ok(default);
    }
    value.extract().map_err(|error: PyErr| {
        PyTypeError::new_err(format!("options: {name}: {}", error.value(value.py())))
    })
}

/// Refuses keys of a dict that are no options.
pub fn check_keys(options: Option<&Bound<'_, PyAny>>, known: &[&str]) -> PyResult<()> {
    let Some(Ok(dict)) = options.map(|options| options.cast::<PyDict>()) else {
        return Ok(());
    };
    for key in dict.keys() {
        let is_known = key
            .cast::<PyString>()
            .is_ok_and(|key| known.iter().any(|name| *key == **name));
        if !is_known {
            return Err(PyTypeError::new_err(format!(
                "options: unknown key {}; the keys are {}",
                key.repr()?,
                known.join(", ")
            )));
        }
    }
    Ok(())
}
