//! The folder of kept files, for the parts of the packages that keep libraries, links and texts of their own there.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cuox_cache::{Dir, in_words};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Return a folder inside the cache folder, made for this user alone if it is not there. Raises OSError, which says how
/// to choose another cache folder: it cannot be made, or others can write it.
#[pyfunction]
#[pyo3(signature = (*names))]
pub fn cache_folder(py: Python<'_>, names: Vec<String>) -> PyResult<PathBuf> {
    let Some(root) = cuox_cache::root() else {
        let text =
            "there is no folder for caches: set CUOX_CACHE_DIR to a folder that can be written";
        return Err(os_error(
            &io::ErrorKind::NotFound.into(),
            text.to_owned(),
            Path::new(""),
        ));
    };
    let mut dir = py
        .detach(|| Dir::open(&root))
        .map_err(|error| unusable(&error, &root))?;
    for name in names {
        let made = py.detach(|| dir.folder(&name));
        dir = made.map_err(|error| unusable(&error, &dir.path().join(&name)))?;
    }
    Ok(dir.path().to_owned())
}

/// Make a folder for this user alone if it is not there. Raises OSError: it cannot be made; PermissionError: it is
/// another user's, or others can write it.
#[pyfunction]
pub fn private_folder(py: Python<'_>, path: PathBuf) -> PyResult<()> {
    let opened = py.detach(|| Dir::open(&path));
    opened.map(drop).map_err(|error| {
        let text = match error.raw_os_error() {
            Some(_) => in_words(&error),
            None => format!(
                "code is not kept there: {error}; close the folder (chmod go-w), or take another one"
            ),
        };
        os_error(&error, text, &path)
    })
}

/// Return the bytes of a file in a folder; None if there is none, or if the folder or the file could be another user's
/// work.
#[pyfunction]
pub fn read_private<'py>(
    py: Python<'py>,
    folder: PathBuf,
    name: &str,
) -> PyResult<Option<Bound<'py, PyBytes>>> {
    let read = py.detach(|| {
        let (mut file, meta) = Dir::open(&folder)?.read(name)?;
        let mut bytes = Vec::with_capacity(meta.len() as usize);
        file.read_to_end(&mut bytes)?;
        io::Result::Ok(bytes)
    });
    Ok(read.ok().map(|bytes| PyBytes::new(py, &bytes)))
}

fn unusable(error: &io::Error, path: &Path) -> PyErr {
    let text = match error.raw_os_error() {
        Some(_) => {
            format!(
                "the cache folder cannot be made ({}); set CUOX_CACHE_DIR to a folder that can",
                in_words(error)
            )
        }
        // Libraries and programs are loaded from it.
        None => format!(
            "the cache folder is not used: {error}; take it (chown) and close it (chmod go-w), or set CUOX_CACHE_DIR to \
             another folder"
        ),
    };
    os_error(error, text, path)
}

/// Python's error of this kind, such as PermissionError.
fn os_error(error: &io::Error, text: String, path: &Path) -> PyErr {
    let code = error.raw_os_error().unwrap_or(match error.kind() {
        io::ErrorKind::PermissionDenied => libc::EACCES,
        io::ErrorKind::NotFound => libc::ENOENT,
        _ => libc::EINVAL,
    });
    PyOSError::new_err((code, text, path.display().to_string()))
}
