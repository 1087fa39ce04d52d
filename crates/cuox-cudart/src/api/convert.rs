//! Values of one API as the other's.

use core::ffi::c_void;
use core::mem::{align_of, size_of};

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

/// Functions that the driver has under another name, with parameters of the same layout.
macro_rules! forward {
    ($($name:ident($($parameter:ident: $type:ty),*) => $driver:ident;)*) => {
        $(
            pub unsafe fn $name($($parameter: $type),*) -> $crate::error::Result {
                // SAFETY: both APIs have the same values and records; the driver checks handles, and the caller gives
                // pointers as the API asks.
                unsafe { $crate::runtime::current()?.driver.$driver($(alike($parameter)),*).check() }
            }
        )*
    };
}

/// Records whose addresses go from one API to the other.
macro_rules! same_records {
    ($($runtime:ident = $driver:ident,)*) => {
        const _: () = {
            $(assert!(
                size_of::<$crate::generated::$runtime>() == size_of::<cuox_abi::$driver>()
                    && align_of::<$crate::generated::$runtime>() == align_of::<cuox_abi::$driver>()
            );)*
        };
    };
}

same_records! {
    cudaGraphEdgeData = CUgraphEdgeData,
    cudaGraphInstantiateParams = CUDA_GRAPH_INSTANTIATE_PARAMS,
    cudaGraphExecUpdateResultInfo = CUgraphExecUpdateResultInfo,
    cudaHostNodeParams = CUDA_HOST_NODE_PARAMS,
    cudaMemsetParams = CUDA_MEMSET_NODE_PARAMS,
    cudaMemAllocNodeParams = CUDA_MEM_ALLOC_NODE_PARAMS,
    cudaExternalSemaphoreSignalNodeParams = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS,
    cudaExternalSemaphoreWaitNodeParams = CUDA_EXT_SEM_WAIT_NODE_PARAMS,
    cudaExternalSemaphoreSignalParams = CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS,
    cudaExternalSemaphoreWaitParams = CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS,
    cudaLaunchAttributeValue = CUlaunchAttributeValue,
}

pub(crate) use {by_stream, forward};
