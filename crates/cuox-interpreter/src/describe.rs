//! Values in the texts of errors.

use pyo3::prelude::*;

/// A value in an error: its type and, if that is short, what it is.
pub fn describe(value: &Bound<'_, PyAny>) -> String {
    if value.is_none() {
        return "None".into();
    }
    let class = type_name(value);
    match value.repr().map(|text| text.to_string()) {
        Ok(text) if text.len() <= 40 && !text.starts_with('<') => format!("{class} {text}"),
        _ => class,
    }
}

/// A value's type, with its module unless that is `builtins`.
pub fn type_name(value: &Bound<'_, PyAny>) -> String {
    value
        .get_type()
        .fully_qualified_name()
        .map_or_else(|_| "an object".into(), |name| name.to_string())
}
