//! Finding CUDA's libraries and headers on this machine.
//!
//! The order: an explicit setting ([`set_path`], then `CUOX_<NAME>_PATH`), pip wheels (in Python, of its environment;
//! else of the active one, of the Cargo project's `.venv`, and of `python3`), conda (`CONDA_PREFIX`), `CUDA_HOME` or
//! `CUDA_PATH`, the system. What is not found is an error that lists every place and the command that mends it.

pub mod catalogue;
mod headers;
pub mod locate;
mod places;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

pub(crate) use headers::folder_with;
pub use headers::package_of_header;
pub(crate) use places::loader as loader_folders;
pub use places::{set_site_packages, site_packages};

use crate::error::{Error, Result, tried};

/// A library or set of headers that can be looked for.
struct Component {
    name: &'static str,
    /// Its name, as people write it.
    title: &'static str,
    /// File names start with this, for libraries.
    library: Option<&'static str>,
    /// A file that shows that a folder holds the headers.
    header: Option<&'static str>,
    /// The folder of the old, per-component wheel layout.
    wheel_folder: &'static str,
    pip: &'static str,
}

const COMPONENTS: &[Component] = &[
    Component {
        name: "nvrtc",
        title: "NVRTC",
        library: Some("libnvrtc.so"),
        header: Some("nvrtc.h"),
        wheel_folder: "cuda_nvrtc",
        pip: "nvidia-cuda-nvrtc",
    },
    Component {
        name: "cudart",
        title: "the CUDA runtime",
        library: Some("libcudart.so"),
        header: Some("cuda_runtime.h"),
        wheel_folder: "cuda_runtime",
        pip: "nvidia-cuda-runtime",
    },
    Component {
        name: "crt",
        title: "the CUDA compiler's headers",
        library: None,
        header: Some("crt/host_defines.h"),
        // Before CUDA 13 the compiler's package had them.
        wheel_folder: "cuda_nvcc",
        pip: "nvidia-cuda-crt",
    },
    Component {
        name: "nvJitLink",
        title: "nvJitLink",
        library: Some("libnvJitLink.so"),
        header: Some("nvJitLink.h"),
        wheel_folder: "nvjitlink",
        pip: "nvidia-nvjitlink",
    },
    Component {
        name: "nvvm",
        title: "NVVM",
        library: Some("libnvvm.so"),
        header: Some("nvvm.h"),
        wheel_folder: "cuda_nvcc/nvvm",
        pip: "nvidia-nvvm",
    },
    Component {
        name: "nvfatbin",
        title: "nvFatbin",
        library: Some("libnvfatbin.so"),
        header: Some("nvFatbin.h"),
        wheel_folder: "nvfatbin",
        pip: "nvidia-nvfatbin",
    },
    Component {
        name: "cccl",
        title: "CCCL's headers",
        library: None,
        header: Some("cuda/std/version"),
        wheel_folder: "cuda_cccl",
        pip: "nvidia-cuda-cccl",
    },
    Component {
        name: "curand",
        title: "cuRAND",
        library: Some("libcurand.so"),
        header: Some("curand.h"),
        wheel_folder: "curand",
        pip: "nvidia-curand",
    },
    Component {
        name: "cublas",
        title: "cuBLAS",
        library: Some("libcublas.so"),
        header: Some("cublas_v2.h"),
        wheel_folder: "cublas",
        pip: "nvidia-cublas",
    },
    Component {
        name: "cufft",
        title: "cuFFT",
        library: Some("libcufft.so"),
        header: Some("cufft.h"),
        wheel_folder: "cufft",
        pip: "nvidia-cufft",
    },
    Component {
        name: "cusparse",
        title: "cuSPARSE",
        library: Some("libcusparse.so"),
        header: Some("cusparse.h"),
        wheel_folder: "cusparse",
        pip: "nvidia-cusparse",
    },
    Component {
        name: "cusolver",
        title: "cuSOLVER",
        library: Some("libcusolver.so"),
        header: Some("cusolverDn.h"),
        wheel_folder: "cusolver",
        pip: "nvidia-cusolver",
    },
];

static SETTINGS: Mutex<Option<HashMap<&'static str, PathBuf>>> = Mutex::new(None);

fn component(name: &str) -> Result<&'static Component> {
    let plain = name.strip_prefix("lib").unwrap_or(name);
    COMPONENTS
        .iter()
        .find(|c| c.name.eq_ignore_ascii_case(plain))
        .ok_or_else(|| {
            let names: Vec<&str> = COMPONENTS.iter().map(|c| c.name).collect();
            Error::invalid(format!(
                "expected the name of a CUDA component, got {name:?}; known names: {}",
                names.join(", ")
            ))
        })
}

/// The names that can be looked for.
pub fn known_names() -> Vec<&'static str> {
    COMPONENTS.iter().map(|c| c.name).collect()
}

/// Sets where a component is: the library file, or a folder with it or its headers. Goes before everything else;
/// `None` takes the setting back.
///
/// # Errors
/// [`Error::Invalid`] for a name that is not [known](known_names).
pub fn set_path(name: &str, path: Option<PathBuf>) -> Result<()> {
    let component = component(name)?;
    let mut settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let settings = settings.get_or_insert_default();
    match path {
        Some(path) => settings.insert(component.name, path),
        None => settings.remove(component.name),
    };
    Ok(())
}

/// The origin of a setting, and its value.
fn explicit(component: &Component) -> Option<(String, PathBuf)> {
    let settings = SETTINGS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = settings.as_ref().and_then(|s| s.get(component.name)) {
        return Some(("set in code".into(), path.clone()));
    }
    let variable = format!("CUOX_{}_PATH", component.name.to_ascii_uppercase());
    let value = std::env::var_os(&variable).filter(|v| !v.is_empty())?;
    Some((variable, PathBuf::from(value)))
}

/// A file or folder that was found, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The library file or the folder of headers.
    pub path: PathBuf,
    /// `setting`, `wheel`, `conda`, `CUDA_HOME` or `system`; of a library that only the [`catalogue`] has, one of
    /// [`locate::Located::found_via`].
    pub found_via: &'static str,
}

/// All places of a library, best first, with those that were empty.
pub(crate) struct Candidates {
    pub paths: Vec<PathBuf>,
    via: Vec<&'static str>,
    pub searched: Vec<String>,
    component: &'static Component,
}

impl Candidates {
    /// True if the user has said where it is.
    pub fn is_set(&self) -> bool {
        self.via.first() == Some(&"setting")
    }

    pub fn into_error(self) -> Error {
        not_found(
            self.component,
            self.component.library.unwrap_or("headers"),
            self.searched,
        )
    }
}

fn not_found(component: &Component, what: &str, searched: Vec<String>) -> Error {
    let upper = component.name.to_ascii_uppercase();
    let title = if component.title.contains(what) {
        component.title.to_owned()
    } else {
        format!("{} ({what})", component.title)
    };
    Error::not_found(
        title,
        searched,
        format!(
            "Run `pip install {}`, or set CUOX_{upper}_PATH.",
            component.pip
        ),
    )
}

/// The folders to look in, in order, with the kind of place.
fn folders(
    component: &'static Component,
    parts: places::Parts,
) -> impl Iterator<Item = (&'static str, PathBuf)> {
    places::all(component.wheel_folder, parts)
}

/// The files of NVRTC in order of preference, as those of [`library_candidates`], each looked for when the iterator
/// comes to it.
pub(crate) fn nvrtc_files() -> Result<Box<dyn Iterator<Item = PathBuf>>> {
    let component = component("nvrtc")?;
    let stem = component.library.unwrap_or_default();
    Ok(match explicit(component) {
        Some(_) => Box::new(library_candidates(component.name)?.paths.into_iter()),
        None => {
            let folders = folders(component, places::Parts::Libraries);
            Box::new(folders.flat_map(move |(_, folder)| libraries_in(&folder, stem)))
        }
    })
}

/// All files of a library in order of preference.
pub(crate) fn library_candidates(name: &str) -> Result<Candidates> {
    let component = component(name)?;
    let Some(stem) = component.library else {
        return Err(Error::invalid(format!(
            "{} has no library, only headers",
            component.title
        )));
    };
    let mut found = Candidates {
        paths: Vec::new(),
        via: Vec::new(),
        searched: Vec::new(),
        component,
    };
    if let Some((by, path)) = explicit(component) {
        let files = if path.is_file() {
            vec![path.clone()]
        } else {
            libraries_in(&path, stem)
        };
        if files.is_empty() {
            found
                .searched
                .push(format!("{by}: {}: no {stem} there", path.display()));
        }
        // An explicit setting that is wrong must not be passed over silently, so nothing else is tried.
        found.via = vec!["setting"; files.len()];
        found.paths = files;
        return Ok(found);
    }
    for (via, folder) in folders(component, places::Parts::Libraries) {
        let files = libraries_in(&folder, stem);
        if files.is_empty() {
            let why = if folder.is_dir() {
                format!("no {stem} there")
            } else {
                "no such folder".into()
            };
            found.searched.push(tried(&folder, why));
        }
        found.via.extend(files.iter().map(|_| via));
        found.paths.extend(files);
    }
    Ok(found)
}

/// Files `stem` and `stem.*` in a folder, the highest version first; a plain name only when nothing else is there.
fn libraries_in(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<(Vec<u32>, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            let rest = name.to_str()?.strip_prefix(stem)?;
            if !rest.is_empty() && !rest.starts_with('.') {
                return None;
            }
            let version = rest
                .split('.')
                .filter(|p| !p.is_empty())
                .map(str::parse)
                .collect::<Result<Vec<u32>, _>>();
            Some((version.ok()?, entry.path()))
        })
        .collect();
    files.sort_by(|a, b| b.cmp(a));
    if files.len() < 2 {
        return files.into_iter().map(|(_, path)| path).collect();
    }
    // `.so.13` and `.so.13.0.88` are one file.
    let mut seen = Vec::new();
    files.retain(|(_, path)| {
        let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let new = !seen.contains(&real);
        seen.push(real);
        new
    });
    files.into_iter().map(|(_, path)| path).collect()
}

/// Finds the file of a library: `nvrtc`, `cudart`, `nvJitLink`, ….
///
/// # Errors
/// [`Error::NotFound`] with every place that was looked in and the pip command; [`Error::Invalid`] for a name that
/// is not [known](known_names).
pub fn find_library(name: &str) -> Result<Found> {
    let listed = || -> Option<Result<Found>> {
        let entry = locate::entry(catalogue::Kind::Library, name)?;
        Some(locate::find(entry).map(|located| Found {
            path: located.path,
            found_via: located.found_via,
        }))
    };
    let component = match component(name) {
        Ok(component) => component,
        Err(unknown) => return listed().unwrap_or(Err(unknown)),
    };
    let found = library_candidates(name)?;
    match (found.paths.first(), found.via.first()) {
        (Some(path), Some(&found_via)) => Ok(Found {
            path: path.clone(),
            found_via,
        }),
        // Toolkits have folders of their own for some libraries, which the catalogue knows.
        _ => match listed() {
            Some(Ok(listed)) if explicit(component).is_none() => Ok(listed),
            _ => Err(found.into_error()),
        },
    }
}

/// Finds the folder with a component's headers: `cudart` (`cuda_runtime.h`), `nvrtc`, `cccl`, ….
///
/// # Errors
/// As [`find_library`].
pub fn find_headers(name: &str) -> Result<Found> {
    let component = component(name)?;
    let Some(header) = component.header else {
        return Err(Error::invalid(format!(
            "{} has no headers",
            component.title
        )));
    };
    let mut searched = Vec::new();
    let places: Box<dyn Iterator<Item = _>> = match explicit(component) {
        Some((_, path)) => {
            let folder = if path.is_file() {
                path.parent().map(Path::to_owned).unwrap_or_default()
            } else {
                path
            };
            let beside = folder.join("../include");
            let list = [folder.join("include"), folder, beside];
            Box::new(list.into_iter().map(|folder| ("setting", folder)))
        }
        None => Box::new(folders(component, places::Parts::Headers)),
    };
    for (found_via, folder) in places {
        if let Some(path) = headers_in(&folder, header) {
            return Ok(Found { path, found_via });
        }
        searched.push(tried(&folder, format_args!("no {header} there")));
    }
    Err(not_found(component, header, searched))
}

/// The folder in which a header lies: this one, or in it that of CCCL, which is one of its own since CUDA 13.
fn headers_in(folder: &Path, header: &str) -> Option<PathBuf> {
    [folder.to_owned(), folder.join("cccl")]
        .into_iter()
        .find(|folder| folder.join(header).is_file())
}

/// The folders that a given NVRTC should search: the headers that came with it, or what [`find_headers`] finds. Headers
/// of another version may refuse the compiler.
pub(crate) fn include_dirs_of(nvrtc: &Path) -> Vec<PathBuf> {
    let mut list = Vec::new();
    for name in ["cudart", "crt", "cccl"] {
        let Some(component) = COMPONENTS.iter().find(|c| c.name == name) else {
            continue;
        };
        let beside = component.header.filter(|_| explicit(component).is_none());
        let beside = beside.and_then(|header| {
            let folder = nvrtc.parent()?.parent()?;
            let wheel = folder.parent()?.join(component.wheel_folder);
            [folder, wheel.as_path()]
                .iter()
                .find_map(|folder| headers_in(&folder.join("include"), header))
        });
        let found = beside.or_else(|| find_headers(name).ok().map(|found| found.path));
        list.extend(found.filter(|path| !list.contains(path)));
    }
    list
}

/// The folders that a CUDA C++ compiler should search: those of the runtime's headers and CCCL's, as far as found.
///
/// # Errors
/// As [`find_library`], when not even the runtime's headers are there.
pub fn cuda_include_dirs() -> Result<Vec<PathBuf>> {
    let mut list = vec![find_headers("cudart")?.path];
    if let Ok(cccl) = find_headers("cccl")
        && !list.contains(&cccl.path)
    {
        list.push(cccl.path);
    }
    Ok(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let folder =
            std::env::temp_dir().join(format!("cuox-pathfinder-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn the_highest_version_comes_first_and_other_files_do_not_count() {
        let folder = scratch("versions");
        for name in [
            "libnvrtc.so.9",
            "libnvrtc.so.13",
            "libnvrtc.alt.so.14",
            "libnvrtc-builtins.so.13.0",
            "libnvrtc.so.x",
        ] {
            std::fs::write(folder.join(name), "").unwrap();
        }
        let names: Vec<_> = libraries_in(&folder, "libnvrtc.so")
            .iter()
            .map(|p| p.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["libnvrtc.so.13", "libnvrtc.so.9"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_setting_in_code_goes_first_and_a_wrong_one_is_reported() {
        let folder = scratch("setting");
        set_path("curand", Some(folder.clone())).unwrap();
        let error = find_library("curand").unwrap_err().to_string();
        assert!(
            error.contains("set in code") && error.contains("pip install nvidia-curand"),
            "{error}"
        );
        std::fs::write(folder.join("libcurand.so.10"), "").unwrap();
        let found = find_library("curand").unwrap();
        assert_eq!(
            (found.path, found.found_via),
            (folder.join("libcurand.so.10"), "setting")
        );
        std::fs::write(folder.join("curand.h"), "").unwrap();
        assert_eq!(find_headers("curand").unwrap().path, folder);
        set_path("curand", None).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn files_of_nvrtc_are_the_candidates_in_their_order() {
        let one_by_one: Vec<_> = nvrtc_files().unwrap().collect();
        assert_eq!(one_by_one, library_candidates("nvrtc").unwrap().paths);
    }

    #[test]
    fn unknown_names_list_the_known_ones() {
        let error = find_library("nvfoo").unwrap_err().to_string();
        assert!(
            error.contains("nvfoo") && error.contains("nvJitLink"),
            "{error}"
        );
        assert!(find_library("cccl").is_err());
    }

    #[test]
    fn a_compiler_has_the_headers_that_came_with_it() {
        let site = scratch("beside");
        let nvidia = site.join("nvidia");
        for file in [
            "cuda_nvrtc/lib/libnvrtc.so.12",
            "cuda_runtime/include/cuda_runtime.h",
            "cuda_nvcc/include/crt/host_defines.h",
            "cuda_cccl/include/cuda/std/version",
            "cu13/lib/libnvrtc.so.13",
            "cu13/include/cuda_runtime.h",
            "cu13/include/crt/host_defines.h",
            "cu13/include/cccl/cuda/std/version",
        ] {
            let path = nvidia.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let dirs = |nvrtc: &str| include_dirs_of(&nvidia.join(nvrtc));
        assert_eq!(
            dirs("cuda_nvrtc/lib/libnvrtc.so.12"),
            ["cuda_runtime", "cuda_nvcc", "cuda_cccl"]
                .map(|name| nvidia.join(name).join("include"))
        );
        assert_eq!(
            dirs("cu13/lib/libnvrtc.so.13"),
            ["cu13/include", "cu13/include/cccl"].map(|name| nvidia.join(name))
        );
        std::fs::remove_dir_all(site).unwrap();
    }

    #[test]
    fn both_wheel_layouts_are_found() {
        let site = scratch("wheels");
        for (file, text) in [
            ("nvidia/cufft/lib/libcufft.so.11", ""),
            ("nvidia/cu13/lib/libcusparse.so.12", ""),
            ("nvidia/cu13/include/cusparse.h", ""),
        ] {
            let path = site.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let list = places::wheels(
            std::slice::from_ref(&site),
            "cufft",
            places::Parts::Libraries,
        );
        assert!(list.contains(&site.join("nvidia/cufft/lib")), "{list:?}");
        assert!(list.contains(&site.join("nvidia/cu13/lib")), "{list:?}");
        let list = places::wheels(
            std::slice::from_ref(&site),
            "cusparse",
            places::Parts::Headers,
        );
        assert!(list.contains(&site.join("nvidia/cu13/include")), "{list:?}");
        std::fs::remove_dir_all(site).unwrap();
    }
}
