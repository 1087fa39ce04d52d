//! Values of one API as the other's.

use core::ffi::c_void;
use core::mem::size_of;

use cuox_abi::CUdeviceptr;

use crate::error::Result;
use crate::generated::cudaError;

/// A value as the other API's type of the same layout.
///
/// # Safety
///
/// Every value of `A` is one of `B`.
#[inline]
pub unsafe fn alike<A: Copy, B: Copy>(value: A) -> B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    // SAFETY: the sizes are equal, and the caller guarantees the values.
    unsafe { core::mem::transmute_copy(&value) }
}

/// A pointer to the other API's type of the same layout.
#[inline]
pub fn alike_ptr<A, B>(pointer: *const A) -> *const B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    pointer.cast()
}

/// As [`alike_ptr`], to write to.
#[inline]
pub fn alike_mut<A, B>(pointer: *mut A) -> *mut B {
    const { assert!(size_of::<A>() == size_of::<B>()) };
    pointer.cast()
}

/// A pointer as the driver's number.
#[inline]
pub fn device_pointer(pointer: *const c_void) -> CUdeviceptr {
    pointer.expose_provenance() as CUdeviceptr
}

/// The driver's number as a pointer.
#[inline]
pub fn pointer(address: CUdeviceptr) -> *mut c_void {
    core::ptr::with_exposed_provenance_mut(address as usize)
}

/// A pointer that an answer is written to, unless it is null.
#[inline]
pub fn out<T>(pointer: *mut T) -> Result<*mut T> {
    if pointer.is_null() {
        Err(cudaError::cudaErrorInvalidValue)
    } else {
        Ok(pointer)
    }
}

/// Calls the driver's plain function or the one for the calling thread's default stream.
macro_rules! by_stream {
    ($driver:expr, $plain:ident | $per_thread:ident($($argument:expr),* $(,)?)) => {
        if $crate::thread::per_thread_stream() {
            $driver.$per_thread($($argument),*)
        } else {
            $driver.$plain($($argument),*)
        }
    };
}

pub(crate) use by_stream;
