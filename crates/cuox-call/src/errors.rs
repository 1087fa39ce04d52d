//! Texts of errors: the argument or value they are about, the type that was given, and the exception for a C function
//! that has failed.

use std::fmt;

use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

pub use cuox_interpreter::describe::{describe, type_name};

/// The parameter or argument that an error is about.
#[derive(Clone, Copy)]
pub struct ArgumentContext<'a> {
    /// The function, such as `scale()`.
    pub whole: &'a str,
    /// The noun for it, such as `parameter`.
    pub what: &'static str,
    /// Its name.
    pub name: &'a str,
    /// Its type in C.
    pub c_type: &'a str,
    /// True if a float is taken for the integer that it is without its fraction.
    pub cuts_floats: bool,
}

impl fmt::Display for ArgumentContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            whole,
            what,
            name,
            c_type,
            ..
        } = self;
        write!(f, "{whole}: {what} '{name}'")?;
        if !c_type.is_empty() {
            write!(f, " (C '{c_type}')")?;
        }
        Ok(())
    }
}

impl ArgumentContext<'_> {
    /// The exception with this context before its text.
    #[cold]
    pub fn inside(&self, py: Python<'_>, error: PyErr) -> PyErr {
        let text = format!("{self}: {}", error.value(py));
        let class = error.get_type(py);
        // Exceptions of other classes may need other arguments than a text.
        let plain = [
            py.get_type::<PyTypeError>(),
            py.get_type::<PyValueError>(),
            py.get_type::<PyOverflowError>(),
        ];
        match plain.iter().any(|known| class.is(known)) {
            true => PyErr::from_type(class, text),
            false => error,
        }
    }

    /// A `TypeError` that says what is taken and what was given.
    #[cold]
    pub fn wrong_type(&self, takes: &str, got: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!("{self} takes {takes}, got {}", describe(got)))
    }
}

static CALL_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Says which class [`call_error`] makes: it is called with the message, the function's name and its code. The first
/// one stays.
pub fn set_call_error(py: Python<'_>, class: Py<PyType>) {
    let _ = CALL_ERROR.set(py, class);
}

/// The exception for a C function that has failed: its name, its code if it has one, and what happened.
#[cold]
pub fn call_error(py: Python<'_>, function: &str, code: Option<i64>, text: &str) -> PyErr {
    let message = format!("{function}() {text}");
    match CALL_ERROR.get(py) {
        Some(class) => class
            .bind(py)
            .call1((message, function, code))
            .map_or_else(|error| error, PyErr::from_value),
        None => PyRuntimeError::new_err(message),
    }
}

/// The value that an error is about: `Point.x`, and its C type.
#[derive(Clone, Copy)]
pub struct ValueContext<'a> {
    /// Its name, which is made when there is an error.
    pub what: &'a dyn Fn() -> String,
    /// The C type.
    pub c_type: &'a str,
}

impl ValueContext<'_> {
    /// A value of the wrong type.
    #[cold]
    pub fn refuse(&self, wanted: &str, given: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!(
            "{} (C '{}') takes {wanted}, got {}",
            (self.what)(),
            self.c_type,
            describe(given)
        ))
    }

    /// A value that does not fit.
    #[cold]
    pub fn overflow(&self, given: &Bound<'_, PyAny>, least: i128, most: u128) -> PyErr {
        let given = given.str().map_or_else(
            |_| "such an int".to_owned(),
            |text| text.to_string_lossy().into_owned(),
        );
        PyOverflowError::new_err(format!(
            "{} (C '{}') cannot hold {given} ({least} to {most})",
            (self.what)(),
            self.c_type
        ))
    }

    /// An invalid value; the reason follows the value's name.
    #[cold]
    pub fn wrong(&self, reason: std::fmt::Arguments<'_>) -> PyErr {
        pyo3::exceptions::PyValueError::new_err(format!(
            "{} (C '{}') {reason}",
            (self.what)(),
            self.c_type
        ))
    }
}
