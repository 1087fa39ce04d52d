//! The library `libnvrtc` and its functions.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use libloading::os::unix::{Library, RTLD_LAZY, RTLD_LOCAL};

use super::entry::{self, Entry};
use super::fit::{Fit, Target};
use super::flow::{self, Flow};
use super::signals;
use crate::cache::Writer;
use crate::driver::loader_text;
use crate::error::{Error, Result, tried};
use crate::pathfinder;

type Handle = *mut c_void;

macro_rules! functions {
    (
        required { $($name:ident($($arg:ident: $ty:ty),*);)* }
        optional { $($extra:ident($($extra_arg:ident: $extra_ty:ty),*);)* }
    ) => {
        #[allow(non_snake_case, reason = "names are NVRTC's")]
        struct Table {
            $($name: unsafe extern "C" fn($($ty),*) -> c_int,)*
            $($extra: Option<unsafe extern "C" fn($($extra_ty),*) -> c_int>,)*
        }

        impl Table {
            /// # Safety
            /// The library is NVRTC and stays loaded.
            unsafe fn load(library: &Library) -> std::result::Result<Self, String> {
                Ok(Self {
                    $($name: {
                        // SAFETY: NVRTC exports this name with this signature (nvrtc.h).
                        *unsafe { library.get(concat!(stringify!($name), "\0").as_bytes()) }.map_err(|e| e.to_string())?
                    },)*
                    $($extra: {
                        // SAFETY: where NVRTC exports this name, it is with this signature (nvrtc.h).
                        unsafe { library.get(concat!(stringify!($extra), "\0").as_bytes()) }.ok().map(|s| *s)
                    },)*
                })
            }
        }
    };
}

functions! {
    required {
    nvrtcVersion(major: *mut c_int, minor: *mut c_int);
    nvrtcCreateProgram(program: *mut Handle, source: *const c_char, name: *const c_char, headers: c_int,
        header_sources: *const *const c_char, header_names: *const *const c_char);
    nvrtcDestroyProgram(program: *mut Handle);
    nvrtcCompileProgram(program: Handle, count: c_int, options: *const *const c_char);
    nvrtcGetPTXSize(program: Handle, size: *mut usize);
    nvrtcGetPTX(program: Handle, text: *mut c_char);
    nvrtcGetProgramLogSize(program: Handle, size: *mut usize);
    nvrtcGetProgramLog(program: Handle, text: *mut c_char);
    nvrtcAddNameExpression(program: Handle, name: *const c_char);
    nvrtcGetLoweredName(program: Handle, name: *const c_char, lowered: *mut *const c_char);
    }
    optional {
    nvrtcGetNumSupportedArchs(count: *mut c_int);
    nvrtcGetSupportedArchs(archs: *mut c_int);
    nvrtcGetCUBINSize(program: Handle, size: *mut usize);
    nvrtcGetCUBIN(program: Handle, bytes: *mut c_char);
    nvrtcGetLTOIRSize(program: Handle, size: *mut usize);
    nvrtcGetLTOIR(program: Handle, bytes: *mut c_char);
    nvrtcSetFlowCallback(program: Handle, callback: flow::Callback, data: *mut c_void);
    nvrtcGetPCHCreateStatus(program: Handle);
    nvrtcGetPCHHeapSizeRequired(program: Handle, size: *mut usize);
    nvrtcSetPCHHeapSize(size: usize);
    }
}

/// The loaded compiler. Once per process; it is safe to use from several threads.
pub struct Nvrtc {
    table: Table,
    path: PathBuf,
    /// Stands for the file as it was before it was loaded.
    identity: Vec<u8>,
    version: (i32, i32),
    archs: Vec<u32>,
}

static LOADED: Mutex<Option<&'static Nvrtc>> = Mutex::new(None);

impl Nvrtc {
    /// Finds and loads NVRTC, where [`pathfinder`] says. Of several that one which a GPU's driver takes PTX of, else
    /// one which it takes machine code of.
    ///
    /// # Errors
    /// [`Error::NotFound`] with all places and the pip command.
    pub fn get() -> Result<&'static Self> {
        Self::get_for(Target::of_process())
    }

    pub(super) fn get_for(target: Target) -> Result<&'static Self> {
        let mut slot = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(nvrtc) = *slot {
            return Ok(nvrtc);
        }
        let nvrtc: &'static Self = Box::leak(Box::new(Self::open(target)?));
        *slot = Some(nvrtc);
        Ok(nvrtc)
    }

    /// The one that is loaded already.
    pub(super) fn loaded() -> Option<&'static Self> {
        *LOADED.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open(target: Target) -> Result<Self> {
        let mut found = pathfinder::library_candidates("nvrtc")?;
        let mut second = None;
        for path in std::mem::take(&mut found.paths) {
            let nvrtc = match Self::open_file(&path) {
                Ok(nvrtc) => nvrtc,
                Err(why) => {
                    found.searched.push(tried(&path, why));
                    continue;
                }
            };
            match target.takes(nvrtc.version) {
                _ if found.is_set() => return Ok(nvrtc),
                Fit::All => return Ok(nvrtc),
                Fit::MachineCode => second = second.or(Some(nvrtc)),
                Fit::Nothing => found
                    .searched
                    .push(tried(&path, target.refusal(nvrtc.version))),
            }
        }
        second.ok_or_else(|| target.none_fits(found))
    }

    fn open_file(path: &Path) -> std::result::Result<Self, String> {
        let identity = identity_of(path);
        // NVRTC opens its builtins by bare name at the first compile. Loaded here by full path, from its own folder,
        // that name is then answered with this file.
        for builtins in builtins_beside(path) {
            if let Ok(library) = open_library(&builtins) {
                std::mem::forget(library);
            }
        }
        let library = open_library(path)?;
        // SAFETY: the library is never unloaded.
        let table = unsafe { Table::load(&library) }?;
        std::mem::forget(library);
        // SAFETY: a function of NVRTC, which is never unloaded.
        unsafe { signals::leave_alone(table.nvrtcCompileProgram as *const c_void) };
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both pointers are to live locals.
        let code = unsafe { (table.nvrtcVersion)(&mut major, &mut minor) };
        if code != 0 {
            return Err(format!("nvrtcVersion answers {code}"));
        }
        let mut nvrtc = Self {
            table,
            path: path.to_owned(),
            identity,
            version: (major, minor),
            archs: Vec::new(),
        };
        nvrtc.archs = nvrtc.read_archs();
        Ok(nvrtc)
    }

    fn read_archs(&self) -> Vec<u32> {
        let (Some(count_of), Some(fill)) = (
            self.table.nvrtcGetNumSupportedArchs,
            self.table.nvrtcGetSupportedArchs,
        ) else {
            return Vec::new();
        };
        let mut count = 0;
        // SAFETY: the pointer is to a live local.
        if unsafe { count_of(&mut count) } != 0 {
            return Vec::new();
        }
        let mut archs = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: the buffer has as many places as the call before said.
        if unsafe { fill(archs.as_mut_ptr()) } != 0 {
            return Vec::new();
        }
        let mut archs: Vec<u32> = archs
            .into_iter()
            .filter_map(|a| u32::try_from(a).ok())
            .collect();
        archs.sort_unstable();
        archs
    }

    /// `(major, minor)`.
    pub fn version(&self) -> (i32, i32) {
        self.version
    }

    /// The file it was loaded from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Stands for the file that it was loaded from, as it was then.
    pub(super) fn identity(&self) -> &[u8] {
        &self.identity
    }

    /// The architectures it compiles for, ascending: 75, 80, …
    pub fn supported_archs(&self) -> &[u32] {
        &self.archs
    }

    /// The folders in which it looks for CUDA's headers: those that came with it, else what is found elsewhere.
    pub fn include_dirs(&self) -> Vec<PathBuf> {
        crate::pathfinder::include_dirs_of(&self.path)
    }

    /// The name of an `nvrtcResult`.
    pub fn result_name(code: i32) -> &'static str {
        match code {
            0 => "NVRTC_SUCCESS",
            1 => "NVRTC_ERROR_OUT_OF_MEMORY",
            2 => "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
            3 => "NVRTC_ERROR_INVALID_INPUT",
            4 => "NVRTC_ERROR_INVALID_PROGRAM",
            5 => "NVRTC_ERROR_INVALID_OPTION",
            6 => "NVRTC_ERROR_COMPILATION",
            7 => "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
            8 => "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
            9 => "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
            10 => "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
            11 => "NVRTC_ERROR_INTERNAL_ERROR",
            12 => "NVRTC_ERROR_TIME_FILE_WRITE_FAILED",
            13 => "NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED",
            14 => "NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED",
            15 => "NVRTC_ERROR_PCH_CREATE",
            16 => "NVRTC_ERROR_CANCELLED",
            17 => "NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED",
            _ => "NVRTC_ERROR_UNKNOWN_CODE",
        }
    }
}

impl std::fmt::Debug for Nvrtc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Nvrtc({}.{} at {})",
            self.version.0,
            self.version.1,
            self.path.display()
        )
    }
}

fn open_library(path: &Path) -> std::result::Result<Library, String> {
    // SAFETY: NVRTC's initialisers are made to be run by dlopen.
    unsafe { Library::open(Some(path), RTLD_LAZY | RTLD_LOCAL) }.map_err(|e| loader_text(&e))
}

/// Stands for a library's file as it is now: its path, inode, size and time of modification.
pub(super) fn identity_of(path: &Path) -> Vec<u8> {
    let mut identity = Writer::default();
    identity.bytes(path.as_os_str().as_encoded_bytes());
    if let Ok(meta) = std::fs::metadata(path) {
        for number in [
            meta.ino() as i64,
            meta.size() as i64,
            meta.mtime(),
            meta.mtime_nsec(),
        ] {
            identity.number(number as u64);
        }
    }
    identity.into_bytes()
}

fn builtins_beside(path: &Path) -> Vec<PathBuf> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let Some(entries) = real
        .parent()
        .and_then(|folder| std::fs::read_dir(folder).ok())
    else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries
        .flatten()
        .map(|e| e.path())
        .filter(|p| {
            let name = p
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            name.starts_with("libnvrtc-builtins.so.")
        })
        .collect();
    found.sort();
    found
}

/// One program in the compiler, destroyed when dropped.
pub(super) struct RawProgram {
    nvrtc: &'static Nvrtc,
    raw: Handle,
    /// Given back when the program is destroyed.
    _entry: Entry,
}

/// Which output to take.
#[derive(Clone, Copy)]
pub(super) enum Output {
    Ptx,
    Cubin,
    LtoIr,
}

impl RawProgram {
    pub(super) fn new(
        nvrtc: &'static Nvrtc,
        source: &CStr,
        name: &CStr,
        headers: &[(CString, CString)],
    ) -> Result<Self> {
        let names: Vec<*const c_char> = headers.iter().map(|(name, _)| name.as_ptr()).collect();
        let sources: Vec<*const c_char> =
            headers.iter().map(|(_, source)| source.as_ptr()).collect();
        let entry = Entry::begin();
        let mut raw = std::ptr::null_mut();
        // SAFETY: all strings and lists live through the call, which copies them.
        let code = unsafe {
            (nvrtc.table.nvrtcCreateProgram)(
                &mut raw,
                source.as_ptr(),
                name.as_ptr(),
                headers.len() as c_int,
                sources.as_ptr(),
                names.as_ptr(),
            )
        };
        check(code, "nvrtcCreateProgram", String::new())?;
        Ok(Self {
            nvrtc,
            raw,
            _entry: entry,
        })
    }

    pub(super) fn add_name_expression(&self, name: &CStr) -> Result<()> {
        // SAFETY: the program is alive and the string copied.
        let code = unsafe { (self.nvrtc.table.nvrtcAddNameExpression)(self.raw, name.as_ptr()) };
        check(code, "nvrtcAddNameExpression", String::new())
    }

    /// Compiles; the log is in the error, or given back. `stop` is asked now and then.
    pub(super) fn compile(
        &self,
        options: &[CString],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<String> {
        let list: Vec<*const c_char> = options.iter().map(|o| o.as_ptr()).collect();
        let list_length = list.len() as c_int;
        let table = &self.nvrtc.table;
        let mut stop = || entry::is_over() || stop();
        let flow = Flow::new(&mut stop);
        if let Some(set) = table.nvrtcSetFlowCallback {
            // SAFETY: the program is alive, and is compiled only below, where `flow` is alive. A version that refuses
            // the callback cannot be stopped.
            unsafe { set(self.raw, flow::asked, flow.data()) };
        }
        let (program, options) = (
            self.raw.expose_provenance(),
            list.as_ptr().expose_provenance(),
        );
        // A thread of ours is not the one that `flow` asks: it compiles to the end.
        let code = cuox_stack::with_room(|| {
            let program = std::ptr::with_exposed_provenance_mut(program);
            let options = std::ptr::with_exposed_provenance(options);
            // SAFETY: the program is alive; the strings live through the call, for which this thread waits.
            unsafe { (table.nvrtcCompileProgram)(program, list_length, options) }
        });
        let code =
            code.map_err(|error| Error::invalid(format!("no thread to compile: {error}")))?;
        if flow.has_stopped() {
            return Err(Error::Interrupted);
        }
        let log = self.log().unwrap_or_default();
        check(code, "nvrtcCompileProgram", log.clone())?;
        Ok(log)
    }

    fn log(&self) -> Result<String> {
        let table = &self.nvrtc.table;
        let bytes = self.read(
            table.nvrtcGetProgramLogSize,
            table.nvrtcGetProgramLog,
            "nvrtcGetProgramLogSize",
            "nvrtcGetProgramLog",
        )?;
        Ok(text(&bytes).trim_end().to_owned())
    }

    /// What `nvrtcGetPCHCreateStatus` says of the last compilation; `None` with an NVRTC that does not say it.
    pub(super) fn pch_code(&self) -> Option<c_int> {
        let status = self.nvrtc.table.nvrtcGetPCHCreateStatus?;
        // SAFETY: the program is alive.
        Some(unsafe { status(self.raw) })
    }

    /// Gives NVRTC, which has one heap for the precompiled headers of all programs, as much of it as this program's
    /// needs. Returns false if it cannot be had.
    pub(super) fn make_room_for_pch(&self) -> bool {
        let table = &self.nvrtc.table;
        let (Some(required), Some(set)) =
            (table.nvrtcGetPCHHeapSizeRequired, table.nvrtcSetPCHHeapSize)
        else {
            return false;
        };
        let mut size = 0;
        // SAFETY: the program is alive and the pointer is to a live local; the other function takes a number.
        unsafe { required(self.raw, &mut size) == 0 && set(size) == 0 }
    }

    pub(super) fn output(&self, which: Output) -> Result<Vec<u8>> {
        let table = &self.nvrtc.table;
        let absent = |name: &str| Error::invalid(format!("this NVRTC has no {name}"));
        match which {
            Output::Ptx => self.read(
                table.nvrtcGetPTXSize,
                table.nvrtcGetPTX,
                "nvrtcGetPTXSize",
                "nvrtcGetPTX",
            ),
            Output::Cubin => {
                let size = table
                    .nvrtcGetCUBINSize
                    .ok_or_else(|| absent("nvrtcGetCUBINSize"))?;
                let get = table.nvrtcGetCUBIN.ok_or_else(|| absent("nvrtcGetCUBIN"))?;
                self.read(size, get, "nvrtcGetCUBINSize", "nvrtcGetCUBIN")
            }
            Output::LtoIr => {
                let size = table
                    .nvrtcGetLTOIRSize
                    .ok_or_else(|| absent("nvrtcGetLTOIRSize"))?;
                let get = table.nvrtcGetLTOIR.ok_or_else(|| absent("nvrtcGetLTOIR"))?;
                self.read(size, get, "nvrtcGetLTOIRSize", "nvrtcGetLTOIR")
            }
        }
    }

    fn read(
        &self,
        size_of: unsafe extern "C" fn(Handle, *mut usize) -> c_int,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> c_int,
        size_name: &'static str,
        get_name: &'static str,
    ) -> Result<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the program is alive and the pointer is to a live local.
        let code = unsafe { size_of(self.raw, &mut size) };
        check(code, size_name, String::new())?;
        let mut bytes = vec![0u8; size];
        // SAFETY: the buffer has the size that the call before said.
        let code = unsafe { get(self.raw, bytes.as_mut_ptr().cast()) };
        check(code, get_name, String::new())?;
        Ok(bytes)
    }

    pub(super) fn lowered_name(&self, name: &CStr) -> Result<String> {
        let mut lowered = std::ptr::null();
        // SAFETY: the program is alive and the pointer is to a live local.
        let code = unsafe {
            (self.nvrtc.table.nvrtcGetLoweredName)(self.raw, name.as_ptr(), &mut lowered)
        };
        check(code, "nvrtcGetLoweredName", String::new())?;
        // SAFETY: on success it points to text that lives as long as the program.
        Ok(unsafe { CStr::from_ptr(lowered) }
            .to_string_lossy()
            .into_owned())
    }
}

impl Drop for RawProgram {
    fn drop(&mut self) {
        // SAFETY: it was created here and is destroyed once.
        unsafe { (self.nvrtc.table.nvrtcDestroyProgram)(&mut self.raw) };
    }
}

fn check(code: c_int, call: &'static str, log: String) -> Result<()> {
    if code == 0 {
        return Ok(());
    }
    Err(Error::Nvrtc {
        code,
        name: Nvrtc::result_name(code),
        call,
        log: log.into(),
        hint: "".into(),
    })
}

/// The text up to the zero byte.
pub(super) fn text(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
