//! Compiled code and results that are kept on disk.

use std::hash::Hasher;
use std::path::PathBuf;

use cuox::cache::{Cache, Digest, Files};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Return the folder with compiled code, the number of its files and their bytes; None if nothing is kept.
#[pyfunction]
pub fn cache_info(py: Python<'_>) -> Option<(PathBuf, usize, u64)> {
    let cache = cuox::cache::Cache::installed()?;
    let usage = py.detach(|| cache.usage());
    Some((cache.path().to_owned(), usage.files, usage.bytes))
}

/// Remove all compiled code that is kept. Returns the numbers of files and bytes.
#[pyfunction]
pub fn clear_cache(py: Python<'_>) -> (usize, u64) {
    let Some(cache) = cuox::cache::Cache::installed() else {
        return (0, 0);
    };
    let usage = py.detach(|| cache.clear());
    (usage.files, usage.bytes)
}

/// Return what was kept under a text; None if there is nothing whole.
#[pyfunction]
pub fn load_result<'py>(py: Python<'py>, key: &[u8]) -> Option<Bound<'py, PyBytes>> {
    let digest = digest_of(key);
    let body = py.detach(|| Cache::installed()?.load(&digest, |body| Some(body.to_vec())))?;
    Some(PyBytes::new(py, &body))
}

/// Keep bytes under a text that says all that they depend on. That they cannot be kept is no error.
#[pyfunction]
pub fn save_result(py: Python<'_>, key: &[u8], body: &[u8]) {
    let digest = digest_of(key);
    if let Some(cache) = Cache::installed() {
        py.detach(|| cache.save(&digest, &Files::default(), body));
    }
}

fn digest_of(key: &[u8]) -> Digest {
    let mut digest = Digest::new();
    digest.write(b"a result by its text");
    digest.write(key);
    digest
}
