//! Opening a `libcuda.so.1`: NVIDIA's or cuox's own, or both in one process.
//!
//! Both have the SONAME `libcuda.so.1`. glibc answers a `dlopen` of the bare name with whatever library of that
//! SONAME is loaded already, but opens a full path by file identity; so cuox's driver is only ever opened by full
//! path, and what a bare name gives is checked for the symbol that marks cuox's.

use std::ffi::{CStr, OsStr, c_void};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use std::time::Duration;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use super::sys::{DriverTable, call};
use crate::device::DeviceState;
use crate::error::{Error, NotFound, Result, tried};
use crate::progress::Progress;
use crate::signature::readable_text;

/// The symbol that only cuox's driver exports.
const SOFT_MARKER: &CStr = c"cuox_soft_driver";

/// NVIDIA's driver starts within seconds, on machines with many GPUs and no persistence daemon within twenty or so.
const LONG_START: Duration = Duration::from_secs(30);
const LONG_START_WARNING: &str = "NVIDIA's driver has not started within 30 s (cuInit). If it hangs, `nvidia-smi` \
                                  hangs too; CUOX_DEVICE=soft leaves it alone and takes the software GPU";

/// A function that cuox's driver may export beside `cuda.h`: writes up to `size` bytes of its text about the newest
/// failure (which thread, which address), without a zero byte, and returns how many there are.
type LastFault = unsafe extern "C" fn(text: *mut u8, size: usize) -> usize;

/// A function that cuox's driver may export beside that: turns checks of kernels' accesses to memory on (1) or off (0),
/// or leaves them (-1); returns whether they are on.
type CheckMemory = unsafe extern "C" fn(on: i32) -> i32;

/// `cuox_await_progress`: waits for work of any stream to end.
type AwaitProgress = unsafe extern "C" fn(seen: u64, nanoseconds: u64) -> u64;

/// Functions of cuox's driver for a debugger of kernels: they stop at breakpoints, and their memory can be read and
/// written.
#[derive(Clone, Copy)]
pub struct DebuggerFunctions {
    set: unsafe extern "C" fn(Option<Debugger>),
    copy: unsafe extern "C" fn(u64, *mut u8, usize, i32) -> i32,
    pin: unsafe extern "C" fn(u64, u64, i32) -> i32,
}

/// A thread of a kernel at a breakpoint. Only valid during the call.
#[repr(C)]
#[derive(Debug)]
pub struct Stopped {
    size: usize,
    place: *const u8,
    place_bytes: usize,
    /// The address of the addresses of variables.
    pub variables: u64,
    /// The stream of the kernel ([`crate::Stream::id`]).
    pub stream: u64,
    /// `gridDim`, `blockDim`, `blockIdx`, `threadIdx`.
    pub indices: [[u32; 3]; 4],
}

impl Stopped {
    /// The text that the kernel gave for the place.
    pub fn place(&self) -> &[u8] {
        // SAFETY: the driver made the structure, and the text lives as long.
        unsafe { std::slice::from_raw_parts(self.place, self.place_bytes) }
    }
}

/// The function that a thread at a breakpoint waits in: the result is what the kernel gets; a negative one ends its
/// grid. Several threads may be in it.
pub type Debugger = unsafe extern "C" fn(stopped: *const Stopped) -> i32;

impl DebuggerFunctions {
    /// Sets the function that is called for threads at breakpoints.
    ///
    /// # Safety
    /// It can be called on any thread from now on, and does not unwind.
    pub unsafe fn set_debugger(&self, debugger: Debugger) {
        // SAFETY: as the caller promises.
        unsafe { (self.set)(Some(debugger)) };
    }

    /// Reads memory of the device as it is now; false if it is not accessible.
    pub fn read(&self, from: u64, to: &mut [u8]) -> bool {
        // SAFETY: the bytes are a slice's; the driver notices addresses that are not the device's.
        unsafe { (self.copy)(from, to.as_mut_ptr(), to.len(), 0) != 0 }
    }

    /// Writes memory of the device; false if it is not accessible.
    pub fn write(&self, to: u64, from: &[u8]) -> bool {
        // SAFETY: the bytes are a slice's, which the driver only reads; it notices addresses that are not the device's.
        unsafe { (self.copy)(to, from.as_ptr().cast_mut(), from.len(), 1) != 0 }
    }

    /// Keeps memory of the device accessible for the process, also when it is freed; false if it is not.
    pub fn pin(&self, at: u64, bytes: u64) -> bool {
        // SAFETY: any numbers.
        unsafe { (self.pin)(at, bytes, 1) != 0 }
    }

    /// Ends that.
    pub fn unpin(&self, at: u64, bytes: u64) {
        // SAFETY: any numbers.
        unsafe { (self.pin)(at, bytes, 0) };
    }
}

/// Whose driver it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DriverKind {
    /// NVIDIA's, over a GPU.
    Nvidia,
    /// cuox's software GPU.
    Soft,
}

impl DriverKind {
    /// `gpu` or `soft`, as `CUOX_DEVICE` spells it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Nvidia => "gpu",
            Self::Soft => "soft",
        }
    }
}

/// One opened and initialised `libcuda.so.1` with its function table. Opened once per process and kept: a driver
/// cannot be unloaded safely.
pub struct Driver {
    kind: DriverKind,
    path: PathBuf,
    version: i32,
    table: DriverTable,
    last_fault: Option<LastFault>,
    check_memory: Option<CheckMemory>,
    debugger: Option<DebuggerFunctions>,
    await_progress: Option<AwaitProgress>,
    devices: OnceLock<Result<Box<[DeviceState]>>>,
}

impl std::fmt::Debug for Driver {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Driver")
            .field("kind", &self.kind)
            .field("path", &self.path)
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

static NVIDIA: Mutex<Option<&'static Driver>> = Mutex::new(None);
static SOFT: Mutex<Option<&'static Driver>> = Mutex::new(None);
static SOFT_PATH: Mutex<Option<PathBuf>> = Mutex::new(None);
static FORKED: AtomicBool = AtomicBool::new(false);

/// Sets the path of cuox's own driver, for packages that carry it. `CUOX_SOFT_LIBRARY` goes before it. No effect once
/// the driver is open.
pub fn set_soft_library_path(path: impl Into<PathBuf>) {
    *SOFT_PATH.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.into());
}

/// True in a fork of a process that had opened a driver. One relaxed load.
#[inline]
pub fn forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

extern "C" fn in_child() {
    FORKED.store(true, Ordering::Relaxed);
}

impl Driver {
    /// NVIDIA's driver: by name through the system's loader, then from the folders where installers put it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is none, [`Error::Driver`] when `cuInit` fails (no GPU, say).
    pub fn nvidia() -> Result<&'static Self> {
        let mut slot = NVIDIA.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = *slot {
            return Ok(driver);
        }
        // A driver whose kernel module does not answer waits for it, without end.
        let _progress = Progress::begin_what_may_hang(
            "starting NVIDIA's driver",
            LONG_START,
            LONG_START_WARNING,
        );
        let (library, path) = find_nvidia()?;
        let driver = Self::start(DriverKind::Nvidia, &library, path)?;
        std::mem::forget(library);
        *slot = Some(driver);
        Ok(driver)
    }

    /// cuox's software GPU: `CUOX_SOFT_LIBRARY`, else [`set_soft_library_path`], else beside the running program or
    /// in the cargo target folder that it lies in.
    ///
    /// # Errors
    /// [`Error::NotFound`] when the library is in none of these places.
    pub fn soft() -> Result<&'static Self> {
        let mut slot = SOFT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = *slot {
            return Ok(driver);
        }
        let (library, path) = find_soft()?;
        let driver = Self::start(DriverKind::Soft, &library, path)?;
        std::mem::forget(library);
        *slot = Some(driver);
        Ok(driver)
    }

    /// The driver of this kind.
    ///
    /// # Errors
    /// As [`Driver::nvidia`] and [`Driver::soft`].
    pub fn of(kind: DriverKind) -> Result<&'static Self> {
        match kind {
            DriverKind::Nvidia => Self::nvidia(),
            DriverKind::Soft => Self::soft(),
        }
    }

    fn start(kind: DriverKind, library: &Library, path: PathBuf) -> Result<&'static Self> {
        if forked() {
            return Err(Error::Forked);
        }
        // SAFETY: each symbol is looked up by the exported name that the table declares its signature under, in a
        // library that is never unloaded.
        let table = unsafe {
            DriverTable::load(|symbol| {
                library
                    .get::<*const c_void>(symbol.to_bytes_with_nul())
                    .map_or(std::ptr::null(), |s| s.into_raw().cast_const().cast())
            })
        };
        let last_fault = match kind {
            // SAFETY: only cuox's driver has this name, with this signature.
            DriverKind::Soft => unsafe { library.get::<LastFault>(b"cuox_last_fault\0") }
                .ok()
                .map(|f| *f),
            DriverKind::Nvidia => None,
        };
        let check_memory = match kind {
            // SAFETY: the symbol, if it is there, is the function of this type that cuox's driver documents.
            DriverKind::Soft => unsafe { library.get::<CheckMemory>(b"cuox_check_memory\0") }
                .ok()
                .map(|f| *f),
            DriverKind::Nvidia => None,
        };
        let debugger = match kind {
            // SAFETY: only cuox's driver has these names, with these signatures.
            DriverKind::Soft => unsafe {
                let set = library.get(b"cuox_set_debugger\0").map(|f| *f);
                let copy = library.get(b"cuox_copy_memory\0").map(|f| *f);
                let pin = library.get(b"cuox_pin_memory\0").map(|f| *f);
                match (set, copy, pin) {
                    (Ok(set), Ok(copy), Ok(pin)) => Some(DebuggerFunctions { set, copy, pin }),
                    _ => None,
                }
            },
            DriverKind::Nvidia => None,
        };
        let await_progress = match kind {
            // SAFETY: as above.
            DriverKind::Soft => unsafe { library.get::<AwaitProgress>(b"cuox_await_progress\0") }
                .ok()
                .map(|f| *f),
            DriverKind::Nvidia => None,
        };
        let devices = OnceLock::new();
        let mut driver = Self {
            kind,
            path,
            version: 0,
            table,
            last_fault,
            check_memory,
            debugger,
            await_progress,
            devices,
        };
        // SAFETY: cuInit takes no pointers.
        unsafe { call!(&driver, cuInit(0)) }?;
        let mut version = 0;
        // SAFETY: the pointer is to a live local.
        unsafe { call!(&driver, cuDriverGetVersion(&mut version)) }?;
        driver.version = version;
        static AT_FORK: Once = Once::new();
        AT_FORK.call_once(|| {
            // SAFETY: the handler only stores to an atomic, which is allowed in a forked child.
            unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
        });
        Ok(Box::leak(Box::new(driver)))
    }

    /// Whose it is.
    pub fn kind(&self) -> DriverKind {
        self.kind
    }

    /// True if it is cuox's software GPU.
    pub fn is_soft(&self) -> bool {
        self.kind == DriverKind::Soft
    }

    /// The file it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The answer of `cuDriverGetVersion`: `(major, minor)` of the newest CUDA it serves.
    pub fn version(&self) -> (i32, i32) {
        (self.version / 1000, self.version % 1000 / 10)
    }

    /// The function table.
    #[inline]
    pub fn table(&self) -> &DriverTable {
        &self.table
    }

    /// The software GPU's text about its newest failure: thread, address and line.
    pub fn last_fault(&self) -> Option<String> {
        let mut text = [0u8; 4096];
        // SAFETY: the buffer has the stated size.
        let length = unsafe { self.last_fault?(text.as_mut_ptr(), text.len()) };
        let text = String::from_utf8_lossy(&text[..length.min(text.len())]).into_owned();
        (!text.is_empty()).then(|| readable_text(&text))
    }

    /// The software GPU's functions for a debugger of kernels.
    pub fn debugger(&self) -> Option<&DebuggerFunctions> {
        self.debugger.as_ref()
    }

    /// Waits until a stream is idle or an event is reached since this returned `seen`, or for `longest`, which may be
    /// none. Returns the number to give next time; `None`, at once, where the driver cannot do that.
    pub(crate) fn await_progress(&self, seen: u64, longest: Duration) -> Option<u64> {
        let nanoseconds = u64::try_from(longest.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: the function takes any numbers.
        self.await_progress.map(|f| unsafe { f(seen, nanoseconds) })
    }

    /// True if the software GPU checks kernels' accesses to memory.
    pub(crate) fn checks_memory(&self) -> bool {
        // SAFETY: the function takes any number.
        self.check_memory.is_some_and(|f| unsafe { f(-1) } != 0)
    }

    /// Turns these checks on or off; says whether this driver has them.
    pub(crate) fn check_memory(&self, on: bool) -> bool {
        // SAFETY: the function of the loaded library, which stays loaded; it takes any number.
        self.check_memory
            .is_some_and(|f| (unsafe { f(i32::from(on)) } != 0) == on)
    }

    /// The error for a function that this driver does not export.
    pub(crate) fn missing(&self, function: &'static str) -> Error {
        Error::MissingFunction {
            function,
            driver: self.path.display().to_string().into(),
            version: self.version,
        }
    }

    pub(crate) fn devices(&'static self) -> Result<&'static [DeviceState]> {
        match self.devices.get_or_init(|| DeviceState::all(self)) {
            Ok(devices) => Ok(devices),
            Err(error) => Err(error.clone()),
        }
    }
}

fn open(path: &OsStr) -> std::result::Result<Library, String> {
    // SAFETY: a CUDA driver's initialisers are made to be run by dlopen; that is how every CUDA program starts.
    unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| loader_text(&e))
}

/// What the system's loader says of a library, which `libloading`'s errors show as their source only.
pub(crate) fn loader_text(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(text) => text.to_string(),
        None => error.to_string(),
    }
}

/// True if a library is cuox's: by the symbol that marks it, or by its device's name.
fn is_soft(library: &Library) -> bool {
    // SAFETY: only the address is taken, nothing is read or called through it.
    unsafe { library.get::<*const ()>(SOFT_MARKER.to_bytes_with_nul()) }.is_ok()
        || first_device_name(library).is_some_and(|name| name.starts_with("cuox "))
}

/// The name of a driver's first device. Initialises the driver, which every use of it starts with.
fn first_device_name(library: &Library) -> Option<String> {
    let mut name = [0u8; 64];
    // SAFETY: a CUDA driver exports these names with these signatures (cuda.h); the buffer has the stated length,
    // and 0 is the first device where there is one.
    unsafe {
        let init = library
            .get::<unsafe extern "C" fn(u32) -> i32>(b"cuInit\0")
            .ok()?;
        let name_of = library
            .get::<unsafe extern "C" fn(*mut u8, i32, i32) -> i32>(b"cuDeviceGetName\0")
            .ok()?;
        if init(0) != 0 || name_of(name.as_mut_ptr(), name.len() as i32, 0) != 0 {
            return None;
        }
    }
    CStr::from_bytes_until_nul(&name)
        .ok()
        .map(|name| name.to_string_lossy().into_owned())
}

/// The file that the library's `cuInit` lies in.
fn file_of(library: &Library) -> Option<PathBuf> {
    // SAFETY: only the address is taken.
    let symbol = unsafe { library.get::<*const ()>(b"cuInit\0") }
        .ok()?
        .into_raw();
    // SAFETY: Dl_info is plain data; dladdr fills it and its strings live as long as the library is loaded.
    unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(symbol.cast(), &mut info) == 0 || info.dli_fname.is_null() {
            return None;
        }
        use std::os::unix::ffi::OsStrExt;
        let name = OsStr::from_bytes(CStr::from_ptr(info.dli_fname).to_bytes());
        std::fs::canonicalize(name)
            .ok()
            .or_else(|| Some(PathBuf::from(name)))
    }
}

/// Paths of NVIDIA's driver beside the loader's folders.
const NVIDIA_DIRECTORIES: &[&str] = &[
    "/usr/lib/wsl/lib",
    "/usr/local/nvidia/lib64",
    "/usr/local/nvidia/lib",
    "/usr/lib/x86_64-linux-gnu/nvidia/current",
    "/usr/lib64/nvidia",
    "/run/opengl-driver/lib",
];

fn find_nvidia() -> Result<(Library, PathBuf)> {
    let mut searched = Vec::new();
    match open(OsStr::new("libcuda.so.1")) {
        Ok(library) if is_soft(&library) => {
            searched.push("libcuda.so.1 by name: cuox's own driver answers to it".to_owned());
        }
        Ok(library) => {
            let path = file_of(&library).unwrap_or_else(|| PathBuf::from("libcuda.so.1"));
            return Ok((library, path));
        }
        Err(why) => searched.push(format!("libcuda.so.1 by name: {why}")),
    }
    // The loader's folders again, by full path: where cuox's driver is loaded already, the name alone leads to it.
    let mut folders = crate::pathfinder::loader_folders();
    folders.extend(NVIDIA_DIRECTORIES.iter().map(PathBuf::from));
    let mut defective = None;
    for folder in without_repeats(folders) {
        let path = folder.join("libcuda.so.1");
        if !path.exists() {
            searched.push(tried(&path, "no such file"));
            continue;
        }
        match open(path.as_os_str()) {
            Ok(library) if is_soft(&library) => searched.push(tried(&path, "is cuox's own driver")),
            Ok(library) => return Ok((library, path)),
            Err(why) => {
                searched.push(tried(&path, why));
                defective = defective.or_else(|| searched.last().cloned());
            }
        }
    }
    Err(Error::NotFound(Box::new(NotFound {
        what: "NVIDIA's driver (libcuda.so.1)".into(),
        searched,
        fix: "It comes with the NVIDIA driver for your GPU, not from pip; without a GPU use CUOX_DEVICE=soft.".into(),
        defective,
    })))
}

/// File names that the software driver may have: installed, and as cargo leaves it.
const SOFT_NAMES: &[&str] = &["libcuda.so.1", "libcuda.so"];

fn find_soft() -> Result<(Library, PathBuf)> {
    let mut searched = Vec::new();
    for path in soft_candidates() {
        if !path.is_file() {
            searched.push(tried(&path, "no such file"));
            continue;
        }
        // A full path: a bare name could be answered by NVIDIA's library when that is loaded.
        let path = std::fs::canonicalize(&path).unwrap_or(path);
        match open(path.as_os_str()) {
            Ok(library) if is_soft(&library) => return Ok((library, path)),
            Ok(_) => searched.push(tried(&path, "is not cuox's driver")),
            Err(why) => searched.push(tried(&path, why)),
        }
    }
    Err(Error::not_found(
        "cuox's software GPU (libcuda.so.1)",
        searched,
        "Run `cargo build -p cuox-libcuda`, or set CUOX_SOFT_LIBRARY to cuox/lib/libcuda.so.1 of an installed Python package.",
    ))
}

fn soft_candidates() -> Vec<PathBuf> {
    let mut list = Vec::new();
    if let Some(path) = std::env::var_os("CUOX_SOFT_LIBRARY").filter(|p| !p.is_empty()) {
        // An explicit setting is the only candidate: falling back would hide a wrong one.
        return vec![PathBuf::from(path)];
    }
    list.extend(
        SOFT_PATH
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone(),
    );
    // target/<profile>/{examples,deps}/program: the library lies in target/<profile>.
    let executable = std::env::current_exe().ok();
    let mut folder = executable.as_deref().and_then(Path::parent);
    for _ in 0..2 {
        let Some(here) = folder else { break };
        list.extend(SOFT_NAMES.iter().map(|name| here.join(name)));
        folder = here.parent();
    }
    // A release program may find a debug driver, and the other way round.
    if let Some(target) = folder.filter(|f| f.join("CACHEDIR.TAG").exists()) {
        for profile in ["release", "debug"] {
            list.push(target.join(profile).join("libcuda.so"));
        }
    }
    without_repeats(list)
}

fn without_repeats(list: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::with_capacity(list.len());
    for path in list {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_soft_library_says_what_to_do() {
        // The search itself; opening is in tests/driver.rs, where the environment can be chosen.
        let list = soft_candidates();
        assert!(
            list.iter()
                .all(|p| p.is_absolute() || std::env::var_os("CUOX_SOFT_LIBRARY").is_some()),
            "{list:?}"
        );
        assert!(!list.is_empty());
    }
}
