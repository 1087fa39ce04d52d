//! The names of classes, for messages.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The name of an object's class as users write it: `numpy.ndarray`, `float`.
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    if object.is_none() {
        return "None".into();
    }
    class_name(&object.get_type())
}

/// A class's name as users write it.
pub fn class_name(class: &Bound<'_, PyType>) -> String {
    let name = class
        .qualname()
        .map_or_else(|_| "?".into(), |name| name.to_string());
    match class.module() {
        Ok(module) if module != "builtins" => format!("{module}.{name}"),
        _ => name,
    }
}

/// The error of a class that is called though cuox alone makes its objects. `how` says what gives them.
pub fn not_by_hand(what: &str, how: &str) -> PyErr {
    PyRuntimeError::new_err(format!("{what} cannot be instantiated directly. {how}."))
}
