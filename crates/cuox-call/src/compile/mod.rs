//! Machine code for callables.

use pyo3::prelude::*;

use crate::callable;
use crate::signature::Signature;
use crate::without;

/// Makes a callable: a builtin function, whose `__self__` owns the signature.
pub fn callable(py: Python<'_>, signature: Signature) -> PyResult<Py<PyAny>> {
    callable::make(py, signature, |_| without::entry)
}
