//! Where headers and packages are looked for, besides what a program says.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;

/// The folders in which packages are installed.
static SITE_PACKAGES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Tell the Rust layer what only Python knows: where packages are installed.
#[pyfunction]
pub fn _set_site_packages(folders: Vec<PathBuf>) {
    *SITE_PACKAGES.lock().unwrap_or_else(PoisonError::into_inner) = folders;
}

pub fn site_packages() -> Vec<PathBuf> {
    SITE_PACKAGES
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// The folder of Python's headers, which headers of an interface file may include.
pub fn python_include_dir(py: Python<'_>) -> PyResult<PathBuf> {
    let sysconfig = py.import("sysconfig")?;
    sysconfig.call_method1("get_path", ("include",))?.extract()
}

/// The folders of CUDA's headers, in which headers that are nowhere else are looked for.
pub fn cuda_include_dirs(py: Python<'_>) -> PyResult<Vec<PathBuf>> {
    py.import("cuox_bind._internal.cuda")?
        .call_method0("include_dirs")?
        .extract()
}
