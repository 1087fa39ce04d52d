//! `_Progress`: a line on a terminal about work that Python code does.

use std::sync::{Mutex, PoisonError};

use cuox::progress::Progress;
use pyo3::prelude::*;

/// Work that takes long, in a `with` block: after two seconds a line on a terminal says so.
#[pyclass(module = "cuox._native", name = "_Progress", frozen)]
pub struct PyProgress {
    what: String,
    running: Mutex<Option<Progress>>,
}

#[pymethods]
impl PyProgress {
    #[new]
    fn new(what: String) -> Self {
        Self {
            what,
            running: Mutex::new(None),
        }
    }

    fn __enter__(&self) {
        *self.running.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Progress::begin(&self.what));
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyAny>) {
        let running = self
            .running
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        py.detach(|| drop(running));
    }
}
