//! Where an LLVM is looked for.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// LLVM's own library, by its names: LLVM's builds have them, and conda's.
const OWN: [&str; 4] = [
    "libLLVM.so.23.1",
    "libLLVM.so.22.1",
    "libLLVM.so.21.1",
    "libLLVM.so.20.1",
];

/// The folder of this program. The loader may have been told to start it, so that it is not the process's own file.
fn folder() -> Option<PathBuf> {
    let program = std::env::args_os().next()?;
    let file = Path::new(&program).canonicalize().ok()?;
    Some(file.parent()?.to_owned())
}

/// Libraries by their paths, the best first. The program is in `lib/python3.12/site-packages/cuox/lib`.
fn beside() -> Vec<PathBuf> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    // That `lib` has LLVM's own in environments of conda's. It compiles faster than llvmlite's, which has assertions.
    let mut found: Vec<PathBuf> = OWN
        .iter()
        .map(|name| folder.join("../../../..").join(name))
        .collect();
    found.push(folder.join("../../llvmlite/binding/libllvmlite.so"));
    found.retain(|path| path.is_file());
    found
}

/// Takes the first library that there is and that can be used. The error is that of the first that there is.
pub fn first<T>(mut take: impl FnMut(&OsStr) -> Result<T, String>) -> Result<T, String> {
    let mut told = None;
    for path in beside() {
        match take(path.as_os_str()) {
            Ok(found) => return Ok(found),
            Err(why) => told = told.or(Some(why)),
        }
    }
    // What the loader finds, last.
    let found = OWN.iter().find_map(|name| take(OsStr::new(name)).ok());
    found.ok_or_else(|| {
        told.unwrap_or_else(|| {
            "no LLVM was found: pip install llvmlite, or set CUOX_LLVM to the path of libllvmlite.so or libLLVM.so"
                .to_owned()
        })
    })
}
