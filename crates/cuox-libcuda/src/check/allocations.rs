//! The functions that allocate and free memory, watched if leaks are to be reported.

#![allow(non_snake_case, reason = "the header's functions")]

use core::ffi::{c_uint, c_void};

use cuox_abi::{CUDA_SUCCESS, CUdeviceptr, CUmemoryPool, CUresult, CUstream};
use cuox_softgpu::api;

use super::leaks;

/// Functions that put an address at their first argument.
macro_rules! allocating {
    ($(fn $name:ident($at:ident: $type:ty, $($parameter:ident: $other:ty),*), $bytes:expr;)*) => {$(
        /// The driver's function, watched.
        ///
        /// # Safety
        ///
        /// As for the function itself.
        pub unsafe fn $name($at: *mut $type, $($parameter: $other),*) -> CUresult {
            // SAFETY: the arguments go on as they came.
            let result = unsafe { api::$name($at, $($parameter),*) };
            if result == CUDA_SUCCESS && leaks::enabled() {
                // SAFETY: the call has succeeded, so the pointer was written to.
                let made = unsafe { $at.read_unaligned() };
                // SAFETY: so were the others.
                #[allow(unused_unsafe, reason = "one of the expressions reads through a pointer")]
                let bytes = unsafe { $bytes };
                leaks::allocated(stringify!($name), made.as_address(), bytes);
            }
            result
        }
    )*};
}

/// Functions that free the memory at their first argument.
macro_rules! freeing {
    ($(fn $name:ident($at:ident: $type:ty $(, $parameter:ident: $other:ty)*);)*) => {$(
        /// The driver's function, watched.
        ///
        /// # Safety
        ///
        /// As for the function itself.
        pub unsafe fn $name($at: $type $(, $parameter: $other)*) -> CUresult {
            let at = $at.as_address();
            let taken = if leaks::enabled() { leaks::taken(at) } else { None };
            // SAFETY: the arguments go on as they came.
            let result = unsafe { api::$name($at $(, $parameter)*) };
            if result != CUDA_SUCCESS && let Some(taken) = taken {
                leaks::put_back(at, taken);
            }
            result
        }
    )*};
}

/// Pointers of both kinds.
trait AsAddress: Copy {
    fn as_address(self) -> u64;
}

impl AsAddress for CUdeviceptr {
    fn as_address(self) -> u64 {
        self
    }
}

impl AsAddress for *mut c_void {
    fn as_address(self) -> u64 {
        self.addr() as u64
    }
}

allocating! {
    fn cuMemAlloc_v2(dptr: CUdeviceptr, bytesize: usize), bytesize;
    fn cuMemAllocManaged(dptr: CUdeviceptr, bytesize: usize, flags: c_uint), bytesize;
    fn cuMemAllocPitch_v2(dptr: CUdeviceptr, pPitch: *mut usize, WidthInBytes: usize, Height: usize, ElementSizeBytes: c_uint),
        pPitch.read_unaligned() * Height;
    fn cuMemAllocAsync(dptr: CUdeviceptr, bytesize: usize, hStream: CUstream), bytesize;
    fn cuMemAllocFromPoolAsync(dptr: CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream), bytesize;
    fn cuMemAllocHost_v2(pp: *mut c_void, bytesize: usize), bytesize;
    fn cuMemHostAlloc(pp: *mut c_void, bytesize: usize, Flags: c_uint), bytesize;
}

freeing! {
    fn cuMemFree_v2(dptr: CUdeviceptr);
    fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream);
    fn cuMemFreeHost(p: *mut c_void);
}
