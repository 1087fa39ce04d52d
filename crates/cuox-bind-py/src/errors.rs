//! Errors of headers, rules and interface files, as `BindError`.

use std::path::Path;

use cuox_bind::clang::{Input, ParseError, Severity};
use cuox_bind::decl::Header;
use cuox_bind::plan::PlanError;
use cuox_bind::rules::{RuleError, RulePlace};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// A `BindError`.
#[cold]
pub fn bind_error(py: Python<'_>, message: &str, file: &str, line: u32) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let line = (line > 0).then_some(line);
    let made = CLASS
        .import(py, "cuox_bind._internal.errors", "BindError")
        .and_then(|class| class.call1((message, file, line)));
    made.map_or_else(|error| error, PyErr::from_value)
}

pub fn rule_error(py: Python<'_>, error: &RuleError) -> PyErr {
    bind_error(py, &error.to_string(), &error.at.file, error.at.line)
}

/// The place of the declaration that cannot be planned.
pub fn declared_at(header: &Header, inputs: &[Input], error: &PlanError) -> Option<(String, u32)> {
    let name = error.function.as_ref()?;
    let function = header.functions.iter().find(|it| it.name == *name)?;
    let file = header.files.get(function.place.file as usize)?;
    // A header that was asked for by its path is named by it, as the compiler does.
    let mut paths = inputs.iter().filter_map(|input| match input {
        Input::File(path) => Some(path),
        Input::Text { .. } => None,
    });
    let path = paths.find(|path| Path::new(path).ends_with(file));
    let file = path.unwrap_or(file).clone();
    Some((file, function.place.line))
}

/// The place is the rule's if it has a line, else the declaration's.
pub fn plan_error(py: Python<'_>, error: &PlanError, declared: Option<(String, u32)>) -> PyErr {
    let place = error.place.as_deref().unwrap_or("");
    let mut parts = place.split(':');
    let file = parts.next().unwrap_or("");
    let line: Option<u32> = parts.next().and_then(|line| line.parse().ok());
    match (line, declared) {
        (None, Some((file, line))) => {
            let text = format!("{error} (declared at {file}:{line})");
            bind_error(py, &text, &file, line)
        }
        (line, _) => bind_error(py, &error.to_string(), file, line.unwrap_or(0)),
    }
}

/// `places` are those where an interface file names headers.
pub fn parse_error<'a>(
    py: Python<'_>,
    error: &'a ParseError,
    places: &[(String, RulePlace)],
) -> PyErr {
    let (file, line) = match error {
        ParseError::Compile { diagnostics, .. } => {
            let first = diagnostics.iter().find(|it| it.severity >= Severity::Error);
            // A header that is not there has no place but its name.
            let lacking = |message: &'a str| {
                let name = message.strip_suffix("' file not found")?;
                name.strip_prefix('\'')
            };
            first.map_or(("", 0), |first| match lacking(&first.message) {
                Some(name) if first.file.is_empty() => (name, 0),
                _ => (first.file.as_str(), first.line),
            })
        }
        _ => ("", 0),
    };
    // A header that is not there was asked for by a line of the interface file.
    if line == 0
        && let Some((_, at)) = places.iter().find(|(name, _)| name == file)
    {
        let text = format!("{}: {error}", at.line());
        return bind_error(py, &text, &at.file, at.line);
    }
    bind_error(py, &error.to_string(), file, line)
}
