//! Where headers and packages are looked for, besides what a program says.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// The folders in which packages are installed.
static SITE_PACKAGES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What gives more folders of headers.
static MORE_INCLUDE_DIRS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

/// Tell the Rust layer what only Python knows: where packages are installed.
#[pyfunction]
pub fn _set_site_packages(folders: Vec<PathBuf>) {
    *SITE_PACKAGES.lock().unwrap_or_else(PoisonError::into_inner) = folders;
}

/// Have headers that are nowhere else looked for in the folders that a function without parameters returns. The first
/// one stays: that of `cuox`, for CUDA's headers.
#[pyfunction]
pub fn _set_more_include_dirs(py: Python<'_>, function: Py<PyAny>) {
    let _ = MORE_INCLUDE_DIRS.set(py, function);
}

pub fn site_packages() -> Vec<PathBuf> {
    SITE_PACKAGES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// The folders of [`_set_more_include_dirs`]. Where there are none, a header that is missing says so.
pub fn more_include_dirs(py: Python<'_>) -> Vec<PathBuf> {
    let found = MORE_INCLUDE_DIRS.get(py).map(|function| function.call0(py));
    let Some(Ok(found)) = found else {
        return Vec::new();
    };
    found.extract(py).unwrap_or_default()
}
