//! Arguments of plain kinds, with errors that name the function and the parameter.

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use super::names::type_name;

/// An optional argument; None is as good as none.
#[inline]
pub fn given<'a, 'py>(argument: Option<&'a Bound<'py, PyAny>>) -> Option<&'a Bound<'py, PyAny>> {
    argument.filter(|argument| !argument.is_none())
}

/// The TypeError for an argument of another kind than `what` takes: `get_global: name: expected a str, got int`.
#[cold]
pub fn wrong_kind(what: &str, expected: &str, given: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{what}: expected {expected}, got {}",
        type_name(given)
    ))
}

/// A text.
pub fn text(what: &str, given: &Bound<'_, PyAny>) -> PyResult<String> {
    given
        .extract()
        .map_err(|_| wrong_kind(what, "a str", given))
}

/// A text that may be left out.
pub fn text_or_none(what: &str, argument: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
    match given(argument) {
        Some(text) => text
            .extract()
            .map(Some)
            .map_err(|_| wrong_kind(what, "a str or None", text)),
        None => Ok(None),
    }
}

/// A truth value; 0 and 1 are as good.
pub fn truth(what: &str, given: &Bound<'_, PyAny>) -> PyResult<bool> {
    if let Ok(value) = given.cast::<PyBool>() {
        return Ok(value.is_true());
    }
    match given.extract::<i64>() {
        Ok(number @ (0 | 1)) => Ok(number == 1),
        // NumPy's truth values are no integers.
        _ => given
            .extract::<bool>()
            .map_err(|_| wrong_kind(what, "a bool", given)),
    }
}

/// A number that is not negative and fits `T`.
pub fn count<T>(what: &str, given: &Bound<'_, PyAny>) -> PyResult<T>
where
    T: TryFrom<u64>,
{
    let py = given.py();
    let out_of_range = || PyOverflowError::new_err(format!("{what}: {given} is out of its range"));
    match given.extract::<u64>() {
        Ok(value) => T::try_from(value).map_err(|_| out_of_range()),
        Err(error) if error.is_instance_of::<PyOverflowError>(py) => Err(out_of_range()),
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            Err(wrong_kind(what, "an int", given))
        }
        // An exception of `__index__`.
        Err(error) => Err(error),
    }
}
