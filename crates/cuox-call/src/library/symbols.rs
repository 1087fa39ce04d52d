//! Sources of a binding's symbols.

use std::ffi::CString;
use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use libloading::os::unix::{Library as Opened, RTLD_GLOBAL, RTLD_LOCAL, RTLD_NOW};
use pyo3::prelude::*;

/// Finds the address of a function or variable by its symbol.
pub trait Symbols: Send + Sync {
    /// The address, or `None` if there is no such symbol.
    fn find(&self, symbol: &str) -> Option<usize>;

    /// The libraries that are searched, for errors: `libfoo.so`.
    fn searched(&self) -> String;
}

/// Shared libraries, searched in their order. They stay loaded: handles that outlive the binding end by a function of
/// the library, and C may have kept callbacks and given away pointers.
pub struct Libraries {
    opened: Vec<(PathBuf, ManuallyDrop<Opened>)>,
}

impl Libraries {
    /// Opens libraries by path or by the name that the loader's search path knows; none means the process itself. The
    /// symbols of the first `global` of them serve libraries that are opened later.
    ///
    /// # Errors
    /// The loader's text, if one cannot be opened.
    pub fn open(paths: &[PathBuf], global: usize) -> Result<Self, String> {
        let mut opened = Vec::new();
        for (at, path) in paths.iter().enumerate() {
            let flags = RTLD_NOW | if at < global { RTLD_GLOBAL } else { RTLD_LOCAL };
            // SAFETY: the library's initialisers run, as whoever binds a library wants.
            let library = unsafe { Opened::open(Some(path), flags) };
            let library = library.map_err(|error| text(&error))?;
            opened.push((path.clone(), ManuallyDrop::new(library)));
        }
        if opened.is_empty() {
            opened.push((PathBuf::new(), ManuallyDrop::new(Opened::this())));
        }
        Ok(Self { opened })
    }

    /// The libraries' paths as they were given.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.opened.iter().map(|(path, _)| &**path)
    }
}

/// `libloading`'s error with the loader's text, which it shows as a source only.
fn text(error: &libloading::Error) -> String {
    let source = std::error::Error::source(error);
    source.map_or_else(|| error.to_string(), ToString::to_string)
}

impl Symbols for Libraries {
    fn find(&self, symbol: &str) -> Option<usize> {
        let name = CString::new(symbol).ok()?;
        self.opened.iter().find_map(|(_, library)| {
            // SAFETY: only the address is taken.
            let found = unsafe { library.get::<*mut u8>(name.as_c_str()) };
            Some(found.ok()?.into_raw() as usize).filter(|address| *address != 0)
        })
    }

    fn searched(&self) -> String {
        let names: Vec<String> = self
            .opened
            .iter()
            .map(|(path, _)| match path.file_name() {
                Some(name) => name.to_string_lossy().into_owned(),
                None => "this process".into(),
            })
            .collect();
        names.join(", ")
    }
}

/// A Python callable that is asked for a symbol's address and answers an int, or `None`.
pub struct CallableSymbols {
    /// The callable.
    pub find: Py<PyAny>,
    /// Its name in errors.
    pub searched: String,
}

impl Symbols for CallableSymbols {
    fn find(&self, symbol: &str) -> Option<usize> {
        Python::attach(|py| {
            let answer = self.find.call1(py, (symbol,)).ok()?;
            answer
                .extract::<Option<usize>>(py)
                .ok()?
                .filter(|address| *address != 0)
        })
    }

    fn searched(&self) -> String {
        self.searched.clone()
    }
}
