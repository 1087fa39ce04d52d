//! NVIDIA's NVRTC.

use core::ffi::{CStr, c_void};
use std::path::PathBuf;
use std::sync::OnceLock;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

/// Where the library may be if `CUOX_NVRTC_PATH` does not say it: the loader would find this stand-in under its plain
/// name.
const PLACES: [&str; 2] = [
    "/usr/local/cuda/lib64/libnvrtc.so.13",
    "/usr/lib/x86_64-linux-gnu/libnvrtc.so.13",
];

/// Exported by this library and by no real one.
const MARK: &CStr = c"cuox_nvrtc_stand_in";

/// Tells this library from NVIDIA's.
#[unsafe(no_mangle)]
pub static cuox_nvrtc_stand_in: u8 = 1;

fn open() -> Option<Library> {
    let places = match std::env::var_os("CUOX_NVRTC_PATH").filter(|path| !path.is_empty()) {
        Some(path) => {
            let path = PathBuf::from(path);
            vec![path.join("libnvrtc.so.13"), path]
        }
        None => PLACES.map(PathBuf::from).to_vec(),
    };
    places.into_iter().find_map(|place| {
        // SAFETY: the library's constructors run, as programs that load NVRTC expect.
        let library = unsafe { Library::open(Some(place), RTLD_NOW | RTLD_LOCAL) }.ok()?;
        // A stand-in would ask itself for ever.
        symbol(&library, MARK).is_none().then_some(library)
    })
}

fn symbol(library: &Library, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the address is only looked at.
    let found = unsafe { library.get::<*mut c_void>(name.to_bytes_with_nul()) };
    found
        .ok()
        .map(|symbol| symbol.into_raw())
        .filter(|address| !address.is_null())
}

static REAL: OnceLock<Option<Library>> = OnceLock::new();

/// The address of a function of NVIDIA's library, if there is one.
pub fn function(name: &CStr) -> Option<*mut c_void> {
    let library = REAL.get_or_init(|| {
        let found = open();
        if found.is_none() {
            eprintln!(
                "cuox: the stand-in for NVRTC found no libnvrtc.so.13: pip install nvidia-cuda-nvrtc==13.0.*, and \
                 start the program with `cuox run`, or set CUOX_NVRTC_PATH to its path"
            );
        }
        found
    });
    symbol(library.as_ref()?, name)
}
