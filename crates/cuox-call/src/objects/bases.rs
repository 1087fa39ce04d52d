//! The base classes, and the operations of each kind. `kinds/` fills them in.

use std::sync::Arc;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::types::callback_info::CallbackInfo;
use crate::types::class::Operations;

/// The base class of a kind.
pub struct Base {
    /// The Python class.
    pub python: Py<PyType>,
    /// The operations of its objects.
    pub operations: &'static Operations,
}

/// The classes that all others descend from.
pub struct Bases {
    /// The base of all of them, `CValue`.
    pub root: Py<PyType>,
    /// `Handle`.
    pub handle: Base,
    /// `Record`.
    pub record: Base,
    /// `CArray`.
    pub array: Base,
    /// `Pointer`.
    pub pointer: Base,
    /// `Callback`.
    pub callback: Base,
    /// A C function pointer for a Python callable:
    /// [`function_pointer`](crate::callbacks::function_pointer::function_pointer). It is reached from here, as storing
    /// a callable in memory makes one, and what a callback returns is stored in memory.
    pub function_pointer: FunctionPointer,
}

/// The type of [`function_pointer`](crate::callbacks::function_pointer::function_pointer).
pub type FunctionPointer = fn(
    Python<'_>,
    &Arc<CallbackInfo>,
    &Bound<'_, PyAny>,
    bool,
) -> PyResult<(u64, Option<Py<PyAny>>)>;

static BASES: PyOnceLock<Bases> = PyOnceLock::new();

/// Makes the base classes, unless they are there.
pub fn fill(py: Python<'_>, make: impl FnOnce() -> PyResult<Bases>) -> PyResult<&'static Bases> {
    BASES.get_or_try_init(py, make)
}

/// The base classes, which are there from the import of the extension module on.
#[inline]
pub fn bases(py: Python<'_>) -> PyResult<&'static Bases> {
    BASES.get(py).ok_or_else(|| {
        PyRuntimeError::new_err(
            "cuox: classes of C values are used before cuox_bind._native is imported",
        )
    })
}
