//! The thread's last error, and texts.

use core::ffi::c_char;

use crate::error;
use crate::generated::{cudaError, cudaError_t};
use crate::thread;

pub unsafe fn cudaGetLastError() -> cudaError_t {
    let last = thread::last_error();
    thread::record(cudaError::cudaSuccess);
    last
}

pub unsafe fn cudaPeekAtLastError() -> cudaError_t {
    thread::last_error()
}

pub unsafe fn cudaGetErrorName(error: cudaError_t) -> *const c_char {
    error::name(error)
        .unwrap_or(c"unrecognized error code")
        .as_ptr()
}

pub unsafe fn cudaGetErrorString(error: cudaError_t) -> *const c_char {
    error::description(error)
        .unwrap_or(c"unrecognized error code")
        .as_ptr()
}
