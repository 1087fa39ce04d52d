//! NVIDIA's nvJitLink, for LTO-IR.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::{CString, OsStr};
use std::os::unix::ffi::OsStrExt as _;
use std::sync::OnceLock;

use crate::library::Library;
use crate::link::Input;
use crate::status::{Failure, INTERNAL, Res, SUCCESS, Status};

type Handle = *mut c_void;

/// The functions of NVIDIA's library that are used here.
struct Real {
    create: unsafe extern "C" fn(*mut Handle, u32, *const *const c_char) -> Status,
    destroy: unsafe extern "C" fn(*mut Handle) -> Status,
    add: unsafe extern "C" fn(Handle, c_int, *const c_void, usize, *const c_char) -> Status,
    complete: unsafe extern "C" fn(Handle) -> Status,
    ptx_size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    ptx: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    error_size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    error: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    info_size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
    info: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    version: unsafe extern "C" fn(*mut u32, *mut u32) -> Status,
}

/// Where the library may be: the loader would find this stand-in under its plain name.
const PLACES: [&CStr; 2] = [
    c"/usr/local/cuda/lib64/libnvJitLink.so.13",
    c"/usr/lib/x86_64-linux-gnu/libnvJitLink.so.13",
];

fn open() -> Option<Real> {
    let library = match std::env::var_os("CUOX_NVJITLINK_PATH").filter(|path| !path.is_empty()) {
        Some(path) => Library::open(&c_path(&path)?).or_else(|| {
            Library::open(&c_path(
                &std::path::Path::new(&path)
                    .join("libnvJitLink.so.13")
                    .into_os_string(),
            )?)
        }),
        None => PLACES.iter().find_map(|place| Library::open(place)),
    }?;
    macro_rules! function {
        ($name:literal) => {{
            let address = library.symbol($name);
            if address.is_null() {
                return None;
            }
            #[expect(clippy::missing_transmute_annotations, reason = "the field says the type")]
            // SAFETY: NVIDIA's function of that name, which has had this signature since CUDA 12.0 (nvJitLink.h).
            let function = unsafe { core::mem::transmute(address) };
            function
        }};
    }
    Some(Real {
        create: function!(c"nvJitLinkCreate"),
        destroy: function!(c"nvJitLinkDestroy"),
        add: function!(c"nvJitLinkAddData"),
        complete: function!(c"nvJitLinkComplete"),
        ptx_size: function!(c"nvJitLinkGetLinkedPtxSize"),
        ptx: function!(c"nvJitLinkGetLinkedPtx"),
        error_size: function!(c"nvJitLinkGetErrorLogSize"),
        error: function!(c"nvJitLinkGetErrorLog"),
        info_size: function!(c"nvJitLinkGetInfoLogSize"),
        info: function!(c"nvJitLinkGetInfoLog"),
        version: function!(c"nvJitLinkVersion"),
    })
}

fn c_path(path: &OsStr) -> Option<CString> {
    CString::new(path.as_bytes()).ok()
}

fn real() -> Option<&'static Real> {
    static REAL: OnceLock<Option<Real>> = OnceLock::new();
    REAL.get_or_init(open).as_ref()
}

/// The version of NVIDIA's library, if it is there.
pub fn version() -> Option<(u32, u32)> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: two places for numbers.
    let status = unsafe { (real()?.version)(&mut major, &mut minor) };
    (status == SUCCESS).then_some((major, minor))
}

/// A link that NVIDIA's library does, ended when it is dropped.
struct Session {
    real: &'static Real,
    handle: Handle,
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the handle is this session's.
        unsafe { (self.real.destroy)(&mut self.handle) };
    }
}

impl Session {
    /// A text that the library has ready, without the zero byte at its end.
    fn text(
        &self,
        size: unsafe extern "C" fn(Handle, *mut usize) -> Status,
        get: unsafe extern "C" fn(Handle, *mut c_char) -> Status,
    ) -> Option<Vec<u8>> {
        let mut length = 0;
        // SAFETY: this session's handle and a place for a number.
        if unsafe { size(self.handle, &mut length) } != SUCCESS {
            return None;
        }
        let mut bytes = vec![0u8; length];
        // SAFETY: the buffer has the size that the library has asked for.
        if length > 0 && unsafe { get(self.handle, bytes.as_mut_ptr().cast()) } != SUCCESS {
            return None;
        }
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        Some(bytes)
    }

    fn check(&self, status: Status) -> Res {
        if status == SUCCESS {
            return Ok(());
        }
        let log = self.text(self.real.error_size, self.real.error);
        let log = String::from_utf8_lossy(&log.unwrap_or_default()).into_owned();
        Err(Failure::new(status, log))
    }
}

/// Compiles and links LTO-IR. Gives the PTX and the information log.
pub fn compile(options: &[CString], inputs: &[&Input]) -> Res<(Vec<u8>, String)> {
    let real = real().ok_or_else(|| {
        let why = "LTO-IR is compiled by NVIDIA's libnvJitLink.so.13, which was not found: pip install nvidia-nvjitlink==13.0.*, and start the program with `cuox run`, or set CUOX_NVJITLINK_PATH to its path";
        Failure::new(INTERNAL, why)
    })?;
    let mut given: Vec<*const c_char> = options.iter().map(|option| option.as_ptr()).collect();
    if !options.iter().any(|option| option.as_bytes() == b"-ptx") {
        given.push(c"-ptx".as_ptr());
    }
    let mut session = Session {
        real,
        handle: core::ptr::null_mut(),
    };
    // SAFETY: an array of that many C strings, and a place for the handle.
    let status = unsafe { (real.create)(&mut session.handle, given.len() as u32, given.as_ptr()) };
    session.check(status)?;
    for input in inputs {
        // SAFETY: the data has that size; the name is a C string.
        let status = unsafe {
            let data = input.data.as_ptr().cast();
            (real.add)(
                session.handle,
                input.kind.number(),
                data,
                input.data.len(),
                input.name.as_ptr(),
            )
        };
        session.check(status)?;
    }
    // SAFETY: this session's handle.
    session.check(unsafe { (real.complete)(session.handle) })?;
    let ptx = session.text(real.ptx_size, real.ptx).ok_or(INTERNAL)?;
    let info = session.text(real.info_size, real.info).unwrap_or_default();
    Ok((ptx, String::from_utf8_lossy(&info).into_owned()))
}
