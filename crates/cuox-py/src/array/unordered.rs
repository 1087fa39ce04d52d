//! `cuox.unordered`: uses of arrays that are put into no order.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::Array;
use crate::support::names::type_name;

/// What `cuox.unordered` returns.
#[pyclass(frozen, module = "cuox._native", name = "_Unordered")]
pub struct Unordered {
    arrays: Vec<Py<Array>>,
}

impl Unordered {
    fn count(&self, py: Python<'_>, is_one_more: bool) {
        for array in &self.arrays {
            let buffer = array.get().buffer.get();
            buffer.count_unordered(py, is_one_more);
        }
    }
}

#[pymethods]
impl Unordered {
    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf.get().count(slf.py(), true);
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) {
        self.count(py, false);
    }
}

/// A context in which no use of these arrays' memory waits for uses in other streams: for kernels in two streams that
/// signal each other, which would wait for ever.
///
///     with cuox.unordered(flags):
///         producer[1, 1, a](flags)
///         consumer[1, 1, b](flags)
///
/// Memory is still freed behind all uses. Raises TypeError for objects that are no `cuox.Array`. See docs/arrays.md.
#[pyfunction]
#[pyo3(signature = (*arrays))]
pub fn unordered(arrays: &Bound<'_, PyTuple>) -> PyResult<Unordered> {
    let arrays = arrays.iter().map(|array| match array.cast::<Array>() {
        Ok(array) => Ok(array.clone().unbind()),
        Err(_) => Err(PyTypeError::new_err(format!(
            "unordered: expected cuox.Array objects, got {}",
            type_name(&array)
        ))),
    });
    Ok(Unordered {
        arrays: arrays.collect::<PyResult<_>>()?,
    })
}
