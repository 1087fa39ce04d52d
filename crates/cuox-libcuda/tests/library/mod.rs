//! The path of the library.

use std::path::PathBuf;

/// The library that cargo built beside this test.
pub fn path() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().unwrap();
    let candidates = [
        folder.join("libcuda.so"),
        folder.parent().unwrap().join("libcuda.so"),
    ];
    candidates
        .into_iter()
        .find(|path| path.is_file())
        .expect("libcuda.so is not built")
}
