//! Compiles the kernels that are shipped, with NVRTC 13.0, into `shipped/archive.lz4`.

use std::error::Error;
use std::path::Path;

use cuox_parallel::{RadixSort, shipped};

fn main() -> Result<(), Box<dyn Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("shipped/archive.lz4");
    let archive = shipped::archive(RadixSort::shipped)?;
    println!("{} bytes", archive.len());
    Ok(std::fs::write(path, archive)?)
}
