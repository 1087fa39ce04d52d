//! What stands for an integer.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyBool;

/// True if it is a truth value, Python's or NumPy's. The latter has an `__index__` before NumPy 2.
pub fn is_truth(value: &Bound<'_, PyAny>) -> bool {
    let class = value.get_type();
    value.is_instance_of::<PyBool>()
        || class
            .name()
            .is_ok_and(|name| name == "bool" || name == "bool_")
            && class.module().is_ok_and(|name| name == "numpy")
}

/// True if it stands for an integer, and is no truth value.
pub fn is_integer(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    unsafe { ffi::PyIndex_Check(value.as_ptr()) != 0 && !is_truth(value) }
}
