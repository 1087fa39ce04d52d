//! Finding the driver: one `libcuda.so.1` for the life of the process.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::{CString, OsStr, OsString};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};

use cuox_abi::{CUresult, DriverTable};

use crate::error::Result;
use crate::generated::cudaError;
use crate::log;

const SONAME: &CStr = c"libcuda.so.1";

/// A driver of an older major version lacks what programs of this one may call.
const OLDEST: i32 = 13000;

/// The path that `cuoxUseDriver` gave.
static CHOSEN: Mutex<Option<CString>> = Mutex::new(None);
static DRIVER: OnceLock<Result<Driver>> = OnceLock::new();

/// An open driver.
pub struct Driver {
    pub table: DriverTable,
    handle: usize,
}

/// The process's driver; the first call opens it.
#[inline]
pub fn driver() -> Result<&'static DriverTable> {
    match DRIVER.get_or_init(find) {
        Ok(driver) => Ok(&driver.table),
        Err(error) => Err(*error),
    }
}

/// The address of an export beside the header that the process's driver has.
pub fn symbol(name: &CStr) -> Option<core::ptr::NonNull<c_void>> {
    let Ok(driver) = DRIVER.get_or_init(find) else {
        return None;
    };
    let handle = core::ptr::without_provenance_mut(driver.handle);
    // SAFETY: the handle is open for good.
    core::ptr::NonNull::new(unsafe { libc::dlsym(handle, name.as_ptr()) })
}

/// Chooses the driver. False if another one has already been opened.
pub fn choose(path: CString) -> bool {
    let mut chosen = CHOSEN.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(open) = DRIVER.get() else {
        *chosen = Some(path);
        return true;
    };
    if chosen.as_deref() == Some(path.as_c_str()) {
        return true;
    }
    let same = Candidate::open(&path, libc::RTLD_NOLOAD);
    match (open, same) {
        (Ok(driver), Some(same)) => driver.handle == same.handle.addr(),
        _ => false,
    }
}

fn find() -> Result<Driver> {
    let chosen = CHOSEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    if let Some(path) = chosen {
        return finish(Candidate::open(&path, 0));
    }
    let wanted = std::env::var_os("CUOX_DEVICE").unwrap_or_default();
    if wanted == "soft" {
        return finish(soft());
    }
    let loaded: Vec<_> = loaded()
        .iter()
        .filter_map(|path| Candidate::open(path, libc::RTLD_NOLOAD))
        .collect();
    if loaded.len() == 1 {
        return finish(loaded.into_iter().next());
    }
    // With several in the process a GPU goes before the software GPU, as it does with none.
    let nvidia = loaded.into_iter().find(|candidate| !candidate.soft);
    let named = nvidia.or_else(|| Candidate::open(SONAME, 0));
    match named {
        // The software GPU may lie on the loader's path, but it is no GPU.
        Some(candidate) if !candidate.soft && (wanted == "gpu" || candidate.has_device()) => {
            finish(Some(candidate))
        }
        _ if wanted == "gpu" => finish(None),
        found => finish(soft().or(found)),
    }
}

fn finish(candidate: Option<Candidate>) -> Result<Driver> {
    let Some(candidate) = candidate else {
        log::note("no libcuda.so.1 was found");
        return Err(cudaError::cudaErrorInsufficientDriver);
    };
    let table = candidate.table();
    let mut version = 0;
    // SAFETY: the function writes to `version`.
    let result = unsafe { table.cuDriverGetVersion(&mut version) };
    if result != CUresult::CUDA_SUCCESS || version < OLDEST {
        log::note(&format!(
            "the driver is of version {version}, at least {OLDEST} is needed"
        ));
        return Err(cudaError::cudaErrorInsufficientDriver);
    }
    Ok(Driver {
        table,
        handle: candidate.handle.addr(),
    })
}

/// cuox's own driver: `CUOX_SOFT_LIBRARY`, else the one beside this library.
fn soft() -> Option<Candidate> {
    let named = std::env::var_os("CUOX_SOFT_LIBRARY").filter(|path| !path.is_empty());
    let path = named.or_else(|| Some(beside()?.into_os_string()))?;
    Candidate::open(&c_path(path)?, 0)
}

fn c_path(path: OsString) -> Option<CString> {
    CString::new(path.into_vec()).ok()
}

/// `libcuda.so.1` in this library's folder.
fn beside() -> Option<PathBuf> {
    let mut info = core::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let here = beside as *const c_void;
    // SAFETY: `dladdr` fills `info` for any address, and its name stays while this library is loaded.
    let name = unsafe {
        if libc::dladdr(here, info.as_mut_ptr()) == 0 {
            return None;
        }
        let name = info.assume_init().dli_fname;
        if name.is_null() {
            return None;
        }
        CStr::from_ptr(name)
    };
    // The library may have been found through a link in another folder; the driver is beside the file.
    let file = std::fs::canonicalize(OsStr::from_bytes(name.to_bytes())).ok()?;
    let path = file.with_file_name("libcuda.so.1");
    path.is_file().then_some(path)
}

/// The paths of drivers that the process has loaded.
fn loaded() -> Vec<CString> {
    unsafe extern "C" fn visit(
        info: *mut libc::dl_phdr_info,
        _size: usize,
        found: *mut c_void,
    ) -> c_int {
        // SAFETY: `dl_iterate_phdr` gives valid information, and `found` is the vector below.
        let (name, found) = unsafe { ((*info).dlpi_name, &mut *found.cast::<Vec<CString>>()) };
        if !name.is_null() {
            // SAFETY: the name is a C string.
            let name = unsafe { CStr::from_ptr(name) };
            let file = name.to_bytes().rsplit(|byte| *byte == b'/').next();
            if file.is_some_and(|file| file.starts_with(b"libcuda.so")) {
                found.push(name.to_owned());
            }
        }
        0
    }
    let mut found: Vec<CString> = Vec::new();
    // SAFETY: `visit` has the right signature and gets the vector.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

/// A library that has a driver's functions.
struct Candidate {
    handle: *mut c_void,
    soft: bool,
}

impl Candidate {
    fn open(path: &CStr, flags: c_int) -> Option<Candidate> {
        // SAFETY: loading a driver runs its initialisers.
        let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW | flags) };
        if handle.is_null() {
            return None;
        }
        let mut candidate = Candidate {
            handle,
            soft: false,
        };
        candidate.soft = !candidate.symbol(c"cuox_soft_driver").is_null();
        // A library of that name that is no driver is no candidate.
        (!candidate.symbol(c"cuInit").is_null()).then_some(candidate)
    }

    fn symbol(&self, name: &CStr) -> *const c_void {
        // SAFETY: the handle is open for good.
        unsafe { libc::dlsym(self.handle, name.as_ptr()) }
    }

    fn table(&self) -> DriverTable {
        // SAFETY: a driver's functions have the header's signatures.
        unsafe { DriverTable::load(|name| self.symbol(name)) }
    }

    fn has_device(&self) -> bool {
        let table = self.table();
        let mut count = 0;
        // SAFETY: the function writes to `count`.
        unsafe {
            table.cuInit(0) == CUresult::CUDA_SUCCESS
                && table.cuDeviceGetCount(&mut count) == CUresult::CUDA_SUCCESS
                && count > 0
        }
    }
}

/// Makes this runtime use the driver at `path`, instead of looking for one. Returns `cudaErrorSetOnActiveProcess` if it
/// already uses another.
///
/// # Safety
///
/// `path` is null or a C string.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the name other libraries of cuox's look for")]
pub unsafe extern "C" fn cuoxUseDriver(path: *const c_char) -> cudaError {
    if path.is_null() {
        return cudaError::cudaErrorInvalidValue;
    }
    // SAFETY: the caller gives a C string.
    let path = unsafe { CStr::from_ptr(path) }.to_owned();
    match std::panic::catch_unwind(|| choose(path)) {
        Ok(true) => cudaError::cudaSuccess,
        Ok(false) => cudaError::cudaErrorSetOnActiveProcess,
        Err(_) => cudaError::cudaErrorUnknown,
    }
}
