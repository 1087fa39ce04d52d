//! The C functions of `nvrtc.h` of CUDA 13.0.

use core::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicPtr, Ordering};

use crate::real;

/// `nvrtcResult` in C.
type Status = c_int;
/// `nvrtcProgram` in C.
type Program = *mut c_void;

const SUCCESS: Status = 0;
const INVALID_INPUT: Status = 3;
const INTERNAL: Status = 11;

/// A function of NVIDIA's library, which is looked up once.
fn found(known: &AtomicPtr<c_void>, name: &CStr) -> Option<*mut c_void> {
    let address = known.load(Ordering::Acquire);
    if !address.is_null() {
        return Some(address);
    }
    let address = real::function(name)?;
    known.store(address, Ordering::Release);
    Some(address)
}

/// Calls a function of NVIDIA's library. Gives [`INTERNAL`] if there is none.
macro_rules! call {
    ($name:ident($($parameter:ident: $type:ty),*)) => {{
        static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
        const NAME: &CStr = match CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
            Ok(name) => name,
            Err(_) => c"",
        };
        match found(&KNOWN, NAME) {
            Some(address) => {
                // SAFETY: NVIDIA's function of that name, which has this signature in nvrtc.h.
                let function: unsafe extern "C" fn($($type),*) -> Status = unsafe { core::mem::transmute(address) };
                // SAFETY: the arguments are the program's, as nvrtc.h asks for them.
                unsafe { function($($parameter),*) }
            }
            None => INTERNAL,
        }
    }};
}

/// Functions that go on as they come.
macro_rules! forwarded {
    ($(fn $name:ident($($parameter:ident: $type:ty),*);)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of NVIDIA's library.")]
        ///
        /// # Safety
        /// As `nvrtc.h` says.
        #[unsafe(no_mangle)]
        #[allow(non_snake_case, reason = "the header's names")]
        pub unsafe extern "C" fn $name($($parameter: $type),*) -> Status {
            call!($name($($parameter: $type),*))
        }
    )*};
}

forwarded! {
    fn nvrtcVersion(major: *mut c_int, minor: *mut c_int);
    fn nvrtcGetNumSupportedArchs(count: *mut c_int);
    fn nvrtcGetSupportedArchs(architectures: *mut c_int);
    fn nvrtcCreateProgram(program: *mut Program, source: *const c_char, name: *const c_char, count: c_int, headers: *const *const c_char, names: *const *const c_char);
    fn nvrtcDestroyProgram(program: *mut Program);
    fn nvrtcCompileProgram(program: Program, count: c_int, options: *const *const c_char);
    fn nvrtcGetPTXSize(program: Program, size: *mut usize);
    fn nvrtcGetPTX(program: Program, ptx: *mut c_char);
    fn nvrtcGetLTOIRSize(program: Program, size: *mut usize);
    fn nvrtcGetLTOIR(program: Program, ir: *mut c_char);
    fn nvrtcGetOptiXIRSize(program: Program, size: *mut usize);
    fn nvrtcGetOptiXIR(program: Program, ir: *mut c_char);
    fn nvrtcGetProgramLogSize(program: Program, size: *mut usize);
    fn nvrtcGetProgramLog(program: Program, log: *mut c_char);
    fn nvrtcAddNameExpression(program: Program, expression: *const c_char);
    fn nvrtcGetLoweredName(program: Program, expression: *const c_char, name: *mut *const c_char);
    fn nvrtcGetPCHHeapSize(size: *mut usize);
    fn nvrtcSetPCHHeapSize(size: usize);
    fn nvrtcGetPCHCreateStatus(program: Program);
    fn nvrtcGetPCHHeapSizeRequired(program: Program, size: *mut usize);
    fn nvrtcSetFlowCallback(program: Program, callback: *mut c_void, payload: *mut c_void);
}

/// The size of the machine code that NVRTC has for a program; 0 if it was compiled to PTX alone.
fn machine_code(program: Program) -> Result<usize, Status> {
    let mut size = 0usize;
    let place = &raw mut size;
    match call!(nvrtcGetCUBINSize(program: Program, place: *mut usize)) {
        SUCCESS => Ok(size),
        status => Err(status),
    }
}

/// `nvrtcGetCUBINSize`: where there is machine code, the size of the PTX.
///
/// # Safety
/// As `nvrtc.h` says.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the header's name")]
pub unsafe extern "C" fn nvrtcGetCUBINSize(program: Program, size: *mut usize) -> Status {
    if size.is_null() {
        return INVALID_INPUT;
    }
    match machine_code(program) {
        Ok(0) => {
            // SAFETY: not null, so a place for a number.
            unsafe { size.write(0) };
            SUCCESS
        }
        Ok(_) => call!(nvrtcGetPTXSize(program: Program, size: *mut usize)),
        Err(status) => status,
    }
}

/// `nvrtcGetCUBIN`: where there is machine code, the PTX.
///
/// # Safety
/// As `nvrtc.h` says.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the header's name")]
pub unsafe extern "C" fn nvrtcGetCUBIN(program: Program, cubin: *mut c_char) -> Status {
    match machine_code(program) {
        Ok(0) => call!(nvrtcGetCUBIN(program: Program, cubin: *mut c_char)),
        Ok(_) => call!(nvrtcGetPTX(program: Program, cubin: *mut c_char)),
        Err(status) => status,
    }
}

/// `nvrtcGetErrorString` of NVIDIA's library.
///
/// # Safety
/// As `nvrtc.h` says.
#[unsafe(no_mangle)]
#[allow(non_snake_case, reason = "the header's name")]
pub unsafe extern "C" fn nvrtcGetErrorString(status: Status) -> *const c_char {
    static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
    match found(&KNOWN, c"nvrtcGetErrorString") {
        Some(address) => {
            // SAFETY: NVIDIA's function, which has this signature in nvrtc.h.
            let function: unsafe extern "C" fn(Status) -> *const c_char =
                unsafe { core::mem::transmute(address) };
            // SAFETY: any number may be asked for.
            unsafe { function(status) }
        }
        None => c"NVRTC was not found".as_ptr(),
    }
}
