//! The driver's functions under the header's names: argument checks, then a call into the rest of the crate.
//!
//! Every function here is `unsafe` for one reason: pointer arguments must be null or point to the memory that the
//! header says. Handles need no trust; they are looked up.

mod array;
mod capture;
mod context;
mod context_event;
mod copy;
mod copy_batch;
mod device;
mod error;
mod event;
mod function;
mod graph;
mod graph_exec;
mod graph_node;
mod green;
mod host;
mod ipc;
mod launch;
mod library;
mod linker;
mod list;
mod memory;
mod module;
mod occupancy;
mod peer;
mod pointer;
mod pool;
mod pool_sharing;
mod primary;
mod range;
mod set;
mod stream;
mod tensor_map;
mod texture;
mod virtual_memory;

pub use array::*;
pub use capture::*;
pub use context::*;
pub use context_event::*;
pub use copy::*;
pub use copy_batch::*;
pub use device::*;
pub use error::*;
pub use event::*;
pub use function::*;
pub use graph::*;
pub use graph_exec::*;
pub use graph_node::*;
pub use green::*;
pub use host::*;
pub use ipc::*;
pub use launch::*;
pub use library::*;
pub use linker::*;
pub use memory::*;
pub use module::*;
pub use occupancy::*;
pub use peer::*;
pub use pointer::*;
pub use pool::*;
pub use pool_sharing::*;
pub use primary::*;
pub use range::*;
pub use set::*;
pub use stream::*;
pub use tensor_map::*;
pub use texture::*;
pub use virtual_memory::*;

use crate::code::{INVALID_VALUE, Res};
use crate::driver;
use crate::streams::host_call;
use crate::thread;
use core::ffi::{CStr, c_char};
use cuox_abi::CUresult;

/// Runs `f` the way the `_ptds` and `_ptsz` forms of a function work: stream 0 is the calling thread's default
/// stream.
pub fn with_per_thread_stream<R>(f: impl FnOnce() -> R) -> R {
    thread::with_per_thread_default(f)
}

/// The plain code of an internal result.
fn plain(result: Res) -> CUresult {
    match result {
        Ok(()) => CUresult::CUDA_SUCCESS,
        Err(code) => code,
    }
}

/// Defines functions of the header; a body answers `Res`.
macro_rules! driver_functions {
    ($(fn $name:ident($($param:ident: $type:ty),* $(,)?) $body:block)*) => {$(
        #[doc = concat!("The driver's `", stringify!($name), "`.")]
        ///
        /// # Safety
        /// Pointer arguments are null, or point to the memory that the function reads or writes there.
        #[allow(non_snake_case, reason = "the header's names")]
        #[allow(clippy::too_many_arguments, reason = "the header's parameters")]
        pub unsafe fn $name($($param: $type),*) -> ::cuox_abi::CUresult {
            if $crate::api::refused(stringify!($name)) {
                return $crate::code::NOT_PERMITTED;
            }
            #[allow(unused_unsafe, reason = "some functions have no pointer")]
            // SAFETY: the body dereferences only its pointer arguments, which are null or valid by this function's
            // contract. Bodies look for null first.
            let body = move || -> $crate::code::Res { unsafe { $body } };
            $crate::api::plain(body())
        }
    )*};
}
use driver_functions;

/// Stores a result.
///
/// # Safety
/// `to` is null or writable.
unsafe fn put<T>(to: *mut T, value: T) -> Res {
    if to.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, so writable; it may be unaligned in a caller's packed record.
    unsafe { to.write_unaligned(value) };
    Ok(())
}

/// Stores a result unless the caller does not want it.
///
/// # Safety
/// `to` is null or writable.
unsafe fn put_if<T>(to: *mut T, value: T) {
    // SAFETY: `to` is null, which `put` refuses, or writable.
    let _ = unsafe { put(to, value) };
}

/// A list of the caller's, which has elements.
///
/// # Safety
/// `at` is null or has `len` elements.
unsafe fn list_of<'a, T>(at: *const T, len: usize) -> Res<&'a [T]> {
    let bytes = len.checked_mul(size_of::<T>());
    let sound = bytes.is_some_and(|bytes| bytes <= isize::MAX as usize) && at.is_aligned();
    if at.is_null() || len == 0 || !sound {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, so it has `len` elements; aligned.
    Ok(unsafe { core::slice::from_raw_parts(at, len) })
}

/// A name argument.
///
/// # Safety
/// `name` is null or a C string that outlives the result.
unsafe fn name_of<'a>(name: *const c_char) -> Res<&'a str> {
    if name.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: not null, so by this function's contract a C string that outlives `'a`.
    unsafe { CStr::from_ptr(name) }
        .to_str()
        .map_err(|_| INVALID_VALUE)
}

/// Checks the number of a device.
fn check_device(device: i32) -> Res {
    driver::get()?.device(device).map(drop)
}

/// True if a function may be called inside a host function, where a driver permits none (Driver API manual,
/// `cuLaunchHostFunc`): only functions that look at something or are about the calling thread. All else may wait, and
/// would wait for itself, or makes work; an H200's driver permits `cuEventQuery`, too, and not `cuStreamQuery`.
#[cold]
fn permitted_in_host_call(name: &str) -> bool {
    const LOOK: [&str; 5] = ["Get", "Enumerate", "Occupancy", "IsCapturing", "IsLoaded"];
    const HARMLESS: [&str; 16] = [
        "cuInit",
        "cuCtxSetCurrent",
        "cuCtxPushCurrent",
        "cuCtxPushCurrent_v2",
        "cuCtxPopCurrent",
        "cuCtxPopCurrent_v2",
        "cuDeviceCanAccessPeer",
        "cuDeviceComputeCapability",
        "cuDeviceTotalMem_v2",
        "cuEventQuery",
        "cuEventElapsedTime",
        "cuEventElapsedTime_v2",
        "cuProfilerInitialize",
        "cuProfilerStart",
        "cuProfilerStop",
        "cuThreadExchangeStreamCaptureMode",
    ];
    LOOK.iter().any(|word| name.contains(word)) || HARMLESS.contains(&name)
}

/// True if this very call is refused because it is made inside a host function.
#[inline]
fn refused(name: &str) -> bool {
    host_call::in_host_call() && !permitted_in_host_call(name)
}

#[cfg(test)]
mod tests {
    use super::permitted_in_host_call;

    #[test]
    fn what_waits_or_makes_work_is_not_permitted_in_host_functions() {
        for name in [
            "cuStreamSynchronize",
            "cuCtxSynchronize",
            "cuEventRecord",
            "cuStreamWaitEvent",
            "cuMemAlloc_v2",
            "cuMemcpyDtoHAsync_v2",
            "cuLaunchKernel",
            "cuModuleLoadData",
            "cuTexObjectDestroy",
            "cuStreamAddCallback",
            "cuStreamQuery",
        ] {
            assert!(!permitted_in_host_call(name), "{name}");
        }
        for name in [
            "cuMemGetInfo_v2",
            "cuCtxGetCurrent",
            "cuDriverGetVersion",
            "cuEventQuery",
        ] {
            assert!(permitted_in_host_call(name), "{name}");
        }
    }
}
