//! Status codes.

use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::types::scalar::Scalar;

/// A status code.
pub struct Status {
    /// Its integer type.
    pub scalar: Scalar,
    /// Its enumeration's class, for `Outputs::StatusTuple` and for exceptions.
    pub class: Option<Py<PyType>>,
    /// The codes that mean success.
    pub success: Success,
    /// A callable that makes the exception, called with (function's name, code). With `Outputs::StatusTuple` nothing is
    /// raised.
    pub raise: Option<Py<PyAny>>,
    /// True if a status that is no failure is returned, as a number.
    pub returned: bool,
}

/// The codes that mean success.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Success {
    Zero,
    NonZero,
    NotNegative,
    OneOf(Vec<i64>),
}
