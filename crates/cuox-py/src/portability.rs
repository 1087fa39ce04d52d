//! Uses that work on the software GPU and fail on a GPU: a warning, or with `CUOX_SOFT_STRICT=1` an error.

use std::cell::Cell;
use std::ffi::CString;

use pyo3::exceptions::PyBufferError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

const STRICT: &str = "CUOX_SOFT_STRICT";

thread_local! {
    /// True if cuox itself is the consumer that asks for a capsule.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Until it is dropped, exports on this thread are neither warned of nor refused.
pub struct Quietly(bool);

/// For imports by cuox itself.
pub fn quietly() -> Quietly {
    Quietly(QUIET.replace(true))
}

impl Drop for Quietly {
    fn drop(&mut self) {
        QUIET.set(self.0);
    }
}

fn is_strict() -> bool {
    std::env::var_os(STRICT).is_some_and(|value| !value.is_empty() && value != "0")
}

/// The software GPU's device memory is about to be handed out as the CPU's. `copy` is the way to copy it to the host.
pub fn exported_to_the_cpu(py: Python<'_>, copy: &str) -> PyResult<()> {
    static WARNING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    if QUIET.get() {
        return Ok(());
    }
    let why = format!(
        "device memory of the software GPU is exported as CPU memory; on a GPU this fails: copy it with {copy}, or allocate it with \
         cuox.ManagedMemoryResource or cuox.PinnedMemoryResource"
    );
    if is_strict() {
        return Err(PyBufferError::new_err(format!("{why} ({STRICT}=1)")));
    }
    let warning = WARNING.import(py, "cuox._internal.errors", "PortabilityWarning")?;
    PyErr::warn(py, warning, &CString::new(why)?, 1)
}
