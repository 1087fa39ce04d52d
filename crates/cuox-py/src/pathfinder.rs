//! The pathfinder, as functions.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use cuox::nvrtc::entry::Entry;
use cuox::pathfinder;
use cuox::pathfinder::catalogue::{CATALOGUE, Kind, Package};
use cuox::pathfinder::locate::{Part, entry as entry_of, locate as locate_entry, not_found};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::OrRaise;

/// Has NVRTC, in which `address` is a function, leave the process's signals alone.
#[pyfunction]
pub fn _leave_signals_alone(address: usize) {
    // SAFETY: `cuox.cuda.bindings.nvrtc` calls this with a function that it has found in NVRTC.
    unsafe { cuox::nvrtc::signals::leave_alone(address as *const std::ffi::c_void) };
}

/// A compilation that `cuox.cuda.bindings.nvrtc` is about to begin: the process does not end before
/// [`Compilation::end`].
#[pyclass(frozen, module = "cuox._native", name = "_Compilation")]
pub struct Compilation(Mutex<Option<Entry>>);

#[pymethods]
impl Compilation {
    #[new]
    fn new(py: Python<'_>) -> Self {
        Self(Mutex::new(Some(py.detach(Entry::begin))))
    }

    fn end(&self) {
        if let Some(entry) = self.0.lock().unwrap_or_else(PoisonError::into_inner).take() {
            entry.leave();
        }
    }
}

impl Drop for Compilation {
    fn drop(&mut self) {
        self.end();
    }
}

/// Tell the Rust layer what only Python knows: where packages are installed, and where this one is.
#[pyfunction]
pub fn _set_up(package: PathBuf, site_packages: Vec<PathBuf>) {
    cuox::set_soft_library_path(package.join("lib").join("libcuda.so.1"));
    pathfinder::set_site_packages(site_packages);
}

/// Return the file of a library, and the way it was found. Raises NotFoundError.
#[pyfunction]
pub fn find_library(py: Python<'_>, name: &str) -> PyResult<(PathBuf, &'static str)> {
    let found = py.detach(|| pathfinder::find_library(name)).or_raise(py)?;
    Ok((found.path, found.found_via))
}

/// The kind of a thing in the catalogue.
fn kind_of(kind: &str) -> PyResult<Kind> {
    match kind {
        "library" => Ok(Kind::Library),
        "headers" => Ok(Kind::Headers),
        "binary" => Ok(Kind::Binary),
        "static" => Ok(Kind::Static),
        "bitcode" => Ok(Kind::Bitcode),
        other => Err(PyValueError::new_err(format!("no kind {other:?}"))),
    }
}

/// Return the names of a kind in the catalogue, each with its files, the libraries that it needs and may need, whether
/// it is to see its own symbols first, and whether "toolkit", "driver" or "other" ships it.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a tuple for Python")]
pub fn catalogue(
    kind: &str,
) -> PyResult<
    Vec<(
        &'static str,
        Vec<&'static str>,
        Vec<&'static str>,
        Vec<&'static str>,
        bool,
        &'static str,
    )>,
> {
    let kind = kind_of(kind)?;
    let entries = CATALOGUE.iter().filter(|entry| entry.kind == kind);
    Ok(entries
        .map(|entry| {
            let package = match entry.package {
                Package::Toolkit => "toolkit",
                Package::Driver => "driver",
                Package::Other => "other",
            };
            let (files, needs) = (entry.files.to_vec(), entry.needs.to_vec());
            (
                entry.name,
                files,
                needs,
                entry.may_need.to_vec(),
                entry.binds_deep,
                package,
            )
        })
        .collect())
}

/// Look for a thing of the catalogue in the places before the system's loader, or in those behind it; `sites` are the
/// folders with Python's packages. Return its path and the way it was found, or None, and the places that were empty.
#[pyfunction]
#[allow(clippy::type_complexity, reason = "a tuple for Python")]
pub fn locate(
    py: Python<'_>,
    kind: &str,
    name: &str,
    before_loader: bool,
    sites: Vec<PathBuf>,
) -> PyResult<(Option<(PathBuf, &'static str)>, Vec<String>)> {
    let entry = entry_of(kind_of(kind)?, name)
        .ok_or_else(|| PyValueError::new_err(format!("no {kind} {name:?}")))?;
    let part = match before_loader {
        true => Part::BeforeLoader,
        false => Part::AfterLoader,
    };
    let mut searched = Vec::new();
    let found = py.detach(|| locate_entry(entry, part, &sites, &mut searched));
    Ok((found.map(|found| (found.path, found.found_via)), searched))
}

/// Raise the NotFoundError for a thing of the catalogue that is in none of these places.
#[pyfunction]
pub fn raise_not_found(
    py: Python<'_>,
    kind: &str,
    name: &str,
    searched: Vec<String>,
) -> PyResult<()> {
    let entry = entry_of(kind_of(kind)?, name)
        .ok_or_else(|| PyValueError::new_err(format!("no {kind} {name:?}")))?;
    Err(not_found(entry, searched)).or_raise(py)
}

/// Return the folder with a component's headers, and the way it was found. Raises NotFoundError.
#[pyfunction]
pub fn find_headers(py: Python<'_>, name: &str) -> PyResult<(PathBuf, &'static str)> {
    let found = py.detach(|| pathfinder::find_headers(name)).or_raise(py)?;
    Ok((found.path, found.found_via))
}

/// Return the folders in which `#include`s of kernels are searched.
#[pyfunction]
pub fn cuda_include_dirs(py: Python<'_>) -> PyResult<Vec<PathBuf>> {
    py.detach(pathfinder::cuda_include_dirs).or_raise(py)
}

/// Return the names that `find_library` knows.
#[pyfunction]
pub fn known_names() -> Vec<&'static str> {
    pathfinder::known_names()
}

/// Say where a component is, before everything else that is searched; None takes it back.
#[pyfunction]
#[pyo3(signature = (name, path))]
pub fn set_path(py: Python<'_>, name: &str, path: Option<PathBuf>) -> PyResult<()> {
    pathfinder::set_path(name, path).or_raise(py)
}

/// Return NVRTC's version, file and architectures. Raises NotFoundError.
#[pyfunction]
pub fn nvrtc_info(py: Python<'_>) -> PyResult<((i32, i32), PathBuf, Vec<u32>)> {
    let nvrtc = py.detach(cuox::Nvrtc::get).or_raise(py)?;
    Ok((
        nvrtc.version(),
        nvrtc.path().to_owned(),
        nvrtc.supported_archs().to_vec(),
    ))
}

/// Return the folders in which NVRTC looks for CUDA's headers. Raises NotFoundError.
#[pyfunction]
pub fn nvrtc_include_dirs(py: Python<'_>) -> PyResult<Vec<PathBuf>> {
    let nvrtc = py.detach(cuox::Nvrtc::get).or_raise(py)?;
    Ok(nvrtc.include_dirs())
}

/// Return what `pip install` takes for the package that has a header of CUDA's, for a version of NVRTC; None if it is
/// none.
#[pyfunction]
pub fn package_of_header(header: &str, version: (i32, i32)) -> Option<String> {
    pathfinder::package_of_header(header, version)
}

/// Return hints for a log of nvcc's, of CUDA `version`: packages of headers, and what has taken the place of names that
/// were removed. Empty if there is nothing to say.
#[pyfunction]
pub fn nvcc_hints(log: &str, version: (i32, i32)) -> String {
    cuox::nvrtc::hints::for_nvcc(log, version)
}

/// A command line for NVRTC whose architectures are ones that it supports, and a warning for each that was not.
#[pyfunction]
pub fn _nvrtc_supported(
    py: Python<'_>,
    mut options: Vec<String>,
) -> PyResult<(Vec<String>, Vec<String>)> {
    let nvrtc = py.detach(cuox::Nvrtc::get).or_raise(py)?;
    let warnings = cuox::nvrtc::bring_into(&mut options, nvrtc.supported_archs());
    Ok((options, warnings))
}

/// Return the file of the driver that was chosen.
#[pyfunction]
pub fn driver_path(py: Python<'_>) -> PyResult<PathBuf> {
    let driver = py.detach(cuox::default_driver).or_raise(py)?;
    Ok(driver.path().to_owned())
}
