//! A name for how this build has NVRTC compile, by which code that is kept on disk is told from that of other builds.

use std::hash::{DefaultHasher, Hash, Hasher};

fn main() -> std::io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let mut hasher = DefaultHasher::new();
    for folder in ["src/nvrtc", "src/nvrtc/include", "src/cache"] {
        println!("cargo:rerun-if-changed={folder}");
        let entries = std::fs::read_dir(folder)?.map(|entry| entry.map(|e| e.path()));
        let mut files = entries.collect::<std::io::Result<Vec<_>>>()?;
        files.retain(|path| path.is_file());
        files.sort();
        for path in files {
            path.hash(&mut hasher);
            std::fs::read(&path)?.hash(&mut hasher);
        }
    }
    println!(
        "cargo:rustc-env=CUOX_NVRTC_SOURCES={:016x}",
        hasher.finish()
    );
    Ok(())
}
