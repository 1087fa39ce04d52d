//! A word to programs with NVIDIA's CUDA runtime, which works with NVIDIA's driver only.
//!
//! That runtime asks for private tables before anything else (`cuGetExportTable`) and gives up without them, often in
//! silence. NVRTC, nvJitLink and profilers ask too and go on without; so the file of the asking code tells whether
//! there is anything to say.

use core::ffi::{CStr, c_void};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

/// Beginnings of names of libraries that ask and go on.
const CONTENT: [&str; 6] = [
    "libnvrtc",
    "libnvJitLink",
    "libnvvm",
    "libnvidia",
    "libcupti",
    "libnvperf",
];
/// Frames to look through for the first one of another file.
const DEEPEST: usize = 16;

/// Says once why the program's CUDA runtime does not work, if such a runtime is asking.
#[cold]
pub fn explain() {
    static SAID: AtomicBool = AtomicBool::new(false);
    let Some(file) = asking_file() else { return };
    let name = file.rsplit('/').next().unwrap_or(&file);
    if CONTENT.iter().any(|known| name.starts_with(known)) || SAID.swap(true, Ordering::Relaxed) {
        return;
    }
    let message = if name.starts_with("libcudart.so") {
        format!(
            "cuox: {file} is NVIDIA's CUDA runtime, which works with NVIDIA's driver only. For the software GPU, put cuox's in front of it: `cuox run -- COMMAND`."
        )
    } else {
        format!(
            "cuox: {file} has NVIDIA's CUDA runtime inside, which works with NVIDIA's driver only. For the software GPU, build it with `cuox nvcc` in place of `nvcc`, or with `nvcc -cudart shared`, and start it with `cuox run -- COMMAND`."
        )
    };
    // The program may have closed its standard error.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// The file of the code that has called this library.
fn asking_file() -> Option<String> {
    let mut frames = [core::ptr::null_mut::<c_void>(); DEEPEST];
    // SAFETY: the array has that many elements.
    let count = unsafe { libc::backtrace(frames.as_mut_ptr(), DEEPEST as i32) };
    let own = file_of(explain as *const c_void)?;
    let mut files = frames.iter().take(count.max(0) as usize);
    files.find_map(|&frame| file_of(frame).filter(|file| *file != own))
}

fn file_of(address: *const c_void) -> Option<String> {
    // SAFETY: all fields may be zero.
    let mut info: libc::Dl_info = unsafe { core::mem::zeroed() };
    // SAFETY: any address may be asked for; `info` is a place for the answer.
    if unsafe { libc::dladdr(address, &mut info) } == 0 || info.dli_fname.is_null() {
        return None;
    }
    // SAFETY: a name that the loader keeps while the file is loaded, which it is: its code is running.
    let name = unsafe { CStr::from_ptr(info.dli_fname) };
    Some(name.to_string_lossy().into_owned())
}
