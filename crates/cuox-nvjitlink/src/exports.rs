//! The C functions of `nvJitLink.h`.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::link::Link;
use crate::real;
use crate::status::{INTERNAL, INVALID_INPUT, NULL_INPUT, Res, SUCCESS, Status};

/// The links, by their handles, which are numbers: a wrong one is found out.
static LINKS: Mutex<Vec<Option<Arc<Mutex<Link>>>>> = Mutex::new(Vec::new());
/// The handle of the first link.
const FIRST: usize = 0x1000;

fn links() -> MutexGuard<'static, Vec<Option<Arc<Mutex<Link>>>>> {
    LINKS.lock().unwrap_or_else(PoisonError::into_inner)
}

fn place(handle: *mut c_void) -> Option<usize> {
    let offset = handle.addr().checked_sub(FIRST)?;
    offset.is_multiple_of(16).then_some(offset / 16)
}

fn find(handle: *mut c_void) -> Option<Arc<Mutex<Link>>> {
    links().get(place(handle)?)?.clone()
}

/// Calls `body` with a link. Failures go to its error log; a panic is a bug of ours that must not unwind into C.
fn with(handle: *mut c_void, body: impl FnOnce(&mut Link) -> Res) -> Status {
    if handle.is_null() {
        return NULL_INPUT;
    }
    let Some(link) = find(handle) else {
        return INVALID_INPUT;
    };
    guarded(|| {
        let mut link = link.lock().unwrap_or_else(PoisonError::into_inner);
        match body(&mut link) {
            Ok(()) => SUCCESS,
            Err(failure) => {
                if !failure.log.is_empty() {
                    link.errors.push_str(failure.log.trim_end());
                    link.errors.push('\n');
                }
                failure.status
            }
        }
    })
}

fn guarded(body: impl FnOnce() -> Status) -> Status {
    catch_unwind(AssertUnwindSafe(body)).unwrap_or(INTERNAL)
}

/// Stores the size of a text or image.
///
/// # Safety
/// `to` is null or a place for a number.
unsafe fn put_size(to: *mut usize, size: usize) -> Res {
    if to.is_null() {
        return Err(NULL_INPUT.into());
    }
    // SAFETY: not null, so a place for a number.
    unsafe { to.write(size) };
    Ok(())
}

/// Stores a text or image.
///
/// # Safety
/// `to` is null or has room for it.
unsafe fn put_bytes(to: *mut u8, bytes: &[u8]) -> Res {
    if to.is_null() {
        return Err(NULL_INPUT.into());
    }
    // SAFETY: not null, so there is room for all of them.
    unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
    Ok(())
}

/// A log with its zero byte.
fn log_bytes(text: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = text.bytes().filter(|&byte| byte != 0).collect();
    bytes.push(0);
    bytes
}

/// # Safety
/// `name` is null or a C string.
unsafe fn label(name: *const c_char) -> CString {
    if name.is_null() {
        return c"input".to_owned();
    }
    // SAFETY: not null, so a C string.
    unsafe { CStr::from_ptr(name) }.to_owned()
}

/// Exports a function under its plain name and under the header's.
macro_rules! exports {
    ($(fn $plain:ident = $versioned:ident($($parameter:ident: $type:ty),*) $body:block)*) => {$(
        #[doc = concat!("`", stringify!($plain), "` of nvJitLink.")]
        ///
        /// # Safety
        /// Pointers are null, or valid as `nvJitLink.h` asks.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the header's names")]
        pub unsafe extern "C" fn $plain($($parameter: $type),*) -> Status {
            // SAFETY: bodies look for null first; other pointers are valid by this function's contract.
            #[allow(unused_unsafe, reason = "some bodies have nothing unsafe")]
            let body = || -> Status { unsafe { $body } };
            guarded(body)
        }

        #[doc = concat!("`", stringify!($plain), "` under the name that the header gives it.")]
        ///
        /// # Safety
        /// As for the plain name.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the header's names")]
        pub unsafe extern "C" fn $versioned($($parameter: $type),*) -> Status {
            // SAFETY: the arguments go on as they came.
            unsafe { $plain($($parameter),*) }
        }
    )*};
}

exports! {
    fn nvJitLinkCreate = __nvJitLinkCreate_13_0(handle: *mut *mut c_void, count: u32, options: *const *const c_char) {
        if handle.is_null() || (count > 0 && options.is_null()) {
            return NULL_INPUT;
        }
        let mut given = Vec::new();
        for at in 0..count as usize {
            let option = options.add(at).read();
            if option.is_null() {
                return NULL_INPUT;
            }
            given.push(CStr::from_ptr(option).to_owned());
        }
        let link = match Link::new(given) {
            Ok(link) => Some(Arc::new(Mutex::new(link))),
            Err(failure) => return failure.status,
        };
        let mut links = links();
        let free = links.iter().position(Option::is_none);
        let at = free.unwrap_or_else(|| {
            links.push(None);
            links.len() - 1
        });
        links[at] = link;
        handle.write((FIRST + 16 * at) as *mut c_void);
        SUCCESS
    }

    fn nvJitLinkDestroy = __nvJitLinkDestroy_13_0(handle: *mut *mut c_void) {
        if handle.is_null() || (*handle).is_null() {
            return NULL_INPUT;
        }
        let gone = place(*handle).and_then(|at| links().get_mut(at)?.take());
        if gone.is_none() {
            return INVALID_INPUT;
        }
        handle.write(core::ptr::null_mut());
        SUCCESS
    }

    fn nvJitLinkAddData = __nvJitLinkAddData_13_0(handle: *mut c_void, type_: c_int, data: *const c_void, size: usize, name: *const c_char) {
        with(handle, |link| {
            if data.is_null() || size == 0 {
                return Err(NULL_INPUT.into());
            }
            let data = core::slice::from_raw_parts(data.cast::<u8>(), size);
            link.add(type_, data, label(name))
        })
    }

    fn nvJitLinkAddFile = __nvJitLinkAddFile_13_0(handle: *mut c_void, type_: c_int, path: *const c_char) {
        with(handle, |link| {
            if path.is_null() {
                return Err(NULL_INPUT.into());
            }
            let name = label(path);
            let shown = name.to_string_lossy().into_owned();
            let data = std::fs::read(&shown)
                .map_err(|error| crate::status::Failure::new(INVALID_INPUT, format!("{shown}: {error}")))?;
            link.add(type_, &data, name)
        })
    }

    fn nvJitLinkComplete = __nvJitLinkComplete_13_0(handle: *mut c_void) {
        with(handle, Link::complete)
    }

    fn nvJitLinkGetLinkedCubinSize = __nvJitLinkGetLinkedCubinSize_13_0(handle: *mut c_void, size: *mut usize) {
        with(handle, |link| put_size(size, link.image.as_ref().ok_or(INVALID_INPUT)?.len()))
    }

    fn nvJitLinkGetLinkedCubin = __nvJitLinkGetLinkedCubin_13_0(handle: *mut c_void, cubin: *mut c_void) {
        with(handle, |link| put_bytes(cubin.cast(), link.image.as_ref().ok_or(INVALID_INPUT)?))
    }

    fn nvJitLinkGetLinkedPtxSize = __nvJitLinkGetLinkedPtxSize_13_0(handle: *mut c_void, size: *mut usize) {
        with(handle, |link| put_size(size, link.ptx.as_ref().ok_or(INVALID_INPUT)?.len()))
    }

    fn nvJitLinkGetLinkedPtx = __nvJitLinkGetLinkedPtx_13_0(handle: *mut c_void, ptx: *mut c_char) {
        with(handle, |link| put_bytes(ptx.cast(), link.ptx.as_ref().ok_or(INVALID_INPUT)?))
    }

    fn nvJitLinkGetErrorLogSize = __nvJitLinkGetErrorLogSize_13_0(handle: *mut c_void, size: *mut usize) {
        with(handle, |link| put_size(size, log_bytes(&link.errors).len()))
    }

    fn nvJitLinkGetErrorLog = __nvJitLinkGetErrorLog_13_0(handle: *mut c_void, log: *mut c_char) {
        with(handle, |link| put_bytes(log.cast(), &log_bytes(&link.errors)))
    }

    fn nvJitLinkGetInfoLogSize = __nvJitLinkGetInfoLogSize_13_0(handle: *mut c_void, size: *mut usize) {
        with(handle, |link| put_size(size, log_bytes(&link.information).len()))
    }

    fn nvJitLinkGetInfoLog = __nvJitLinkGetInfoLog_13_0(handle: *mut c_void, log: *mut c_char) {
        with(handle, |link| put_bytes(log.cast(), &log_bytes(&link.information)))
    }
}

/// `nvJitLinkVersion` of nvJitLink: that of NVIDIA's library if it is there.
///
/// # Safety
/// Pointers are null or places for numbers.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the header's names")]
pub unsafe extern "C" fn nvJitLinkVersion(major: *mut u32, minor: *mut u32) -> Status {
    if major.is_null() || minor.is_null() {
        return NULL_INPUT;
    }
    guarded(|| {
        let version = real::version().unwrap_or((13, 0));
        // SAFETY: both are places for numbers.
        unsafe {
            major.write(version.0);
            minor.write(version.1);
        }
        SUCCESS
    })
}
