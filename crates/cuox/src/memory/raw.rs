//! Copies and fills on plain addresses. With a stream they are in its order and may return before they are done;
//! without one they are done when the function returns.

use crate::callback;
use crate::context::Context;
use crate::driver::forked;
use crate::driver::sys::{CUdeviceptr, call};
use crate::error::{Error, Result};
use crate::stream::{PER_THREAD, Stream};

/// Readies the thread for stream-ordered allocation and freeing. These take the context from the stream, and only for
/// a default stream from the thread (`cuda.h` on their `CUDA_ERROR_INVALID_CONTEXT`): asking which context is current
/// would be a driver call for nothing.
#[inline(always)]
fn bind_for(stream: &Stream) -> Result<()> {
    if stream.handle() <= PER_THREAD {
        return bind_default(stream);
    }
    if forked() {
        return Err(Error::Forked);
    }
    stream.context().check()
}

#[cold]
fn bind_default(stream: &Stream) -> Result<()> {
    stream.context().bind()
}

/// Device memory in the stream's order (`cuMemAllocAsync`, from the device's default pool), which the caller frees.
/// No bytes need no memory: the address is then 0.
///
/// # Errors
/// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
#[inline(always)]
pub fn allocate_async(stream: &Stream, bytes: usize) -> Result<CUdeviceptr> {
    let mut ptr = 0;
    if bytes > 0 {
        bind_for(stream)?;
        stream.context().device().prepare_pool();
        // SAFETY: the pointer is to a live local; the stream is alive.
        unsafe {
            call!(
                stream.driver(),
                cuMemAllocAsync(&mut ptr, bytes, stream.raw())
            )
        }
        .map_err(|e| super::buffer::explain(e, stream.context(), bytes))?;
    }
    Ok(ptr)
}

/// Frees such memory, in the stream's order. Address 0 is no memory.
///
/// # Safety
/// `ptr` came from [`allocate_async`] (or `cuMemAllocAsync`) on the stream's device, is not freed again, and no work
/// that is not ordered before this uses it.
///
/// # Errors
/// The errors of `cuMemFreeAsync`.
#[inline(always)]
pub unsafe fn free_async(stream: &Stream, ptr: CUdeviceptr) -> Result<()> {
    if ptr == 0 {
        return Ok(());
    }
    bind_for(stream)?;
    // SAFETY: the stream is alive, and the caller vouches for memory that nothing frees or uses after this.
    unsafe { call!(stream.driver(), cuMemFreeAsync(ptr, stream.raw())) }
}

/// As [`free_async`], for destructors: a failure is kept for [`Context::take_deferred_error`], and in a forked child
/// nothing is done.
///
/// # Safety
/// As [`free_async`].
#[inline(always)]
pub unsafe fn release_async(stream: &Stream, ptr: CUdeviceptr) {
    // SAFETY: the caller vouches for memory that nothing frees or uses after this.
    if let Err(error) = unsafe { free_async(stream, ptr) } {
        // SAFETY: the free that failed has freed nothing, so the memory is still the caller's to give.
        unsafe { keep_or_retry(stream, ptr, error) };
    }
}

/// # Safety
/// As [`free_async`].
#[cold]
unsafe fn keep_or_retry(stream: &Stream, ptr: CUdeviceptr, error: Error) {
    if callback::inside() {
        let stream = stream.clone();
        // SAFETY: the memory was not freed, and only this closure has its address now.
        return callback::later(move || unsafe { release_async(&stream, ptr) });
    }
    keep(stream, error);
}

#[cold]
fn keep(stream: &Stream, error: Error) {
    stream.context().release(|_| Err(error));
}

/// Calls the function of the two that is in a stream's order, with the stream as one more argument; without a stream
/// the other one.
macro_rules! call_in_order {
    ($context:expr, $stream:expr, $later:ident or $now:ident($($argument:expr),*)) => {{
        let context: &Context = $context;
        match $stream {
            Some(stream) => {
                // The handle of a default stream means that of the current context.
                stream.context().bind()?;
                context.check()?;
                call!(context.driver(), $later($($argument,)* stream.raw()))
            }
            None => {
                context.bind()?;
                call!(context.driver(), $now($($argument),*))
            }
        }
    }};
}

/// Between any two addresses, of the host or a device (unified addressing). Memory of a pool of the host's is refused
/// by the functions that are told which of the two an address is, such as `cuMemcpyDtoDAsync`.
///
/// # Safety
/// Both are memory of `bytes` bytes until the copy is done; nothing else uses a host destination.
///
/// # Errors
/// The errors of `cuMemcpy`.
#[inline]
pub unsafe fn copy(
    context: &Context,
    dst: CUdeviceptr,
    src: CUdeviceptr,
    bytes: usize,
    stream: Option<&Stream>,
) -> Result<()> {
    // SAFETY: the caller vouches for `bytes` bytes at both addresses, until the copy is done.
    unsafe { call_in_order!(context, stream, cuMemcpyAsync or cuMemcpy(dst, src, bytes)) }
}

/// Between memory of two devices of one driver, whether or not their kernels reach it (`cuMemcpyPeerAsync`): over
/// NVLink or PCIe where the devices can, else through the host.
///
/// # Safety
/// Both are memory of these contexts' devices for `bytes` bytes until the copy is done.
///
/// # Errors
/// The errors of `cuMemcpyPeer`.
pub unsafe fn copy_between_devices(
    (to_context, to): (&Context, CUdeviceptr),
    (from_context, from): (&Context, CUdeviceptr),
    bytes: usize,
    stream: Option<&Stream>,
) -> Result<()> {
    from_context.check()?;
    let (to_raw, from_raw) = (to_context.raw(), from_context.raw());
    // SAFETY: the caller vouches for the memory; the contexts are alive.
    unsafe {
        call_in_order!(
            to_context,
            stream,
            cuMemcpyPeerAsync or cuMemcpyPeer(to, to_raw, from, from_raw, bytes)
        )
    }
}

/// Repeats a value.
///
/// # Safety
/// `dst` is device memory for `count` values until the fill is done.
///
/// # Errors
/// The errors of `cuMemsetD8`, `D16` or `D32`.
pub unsafe fn fill(
    context: &Context,
    dst: CUdeviceptr,
    value: super::Fill,
    count: usize,
    stream: Option<&Stream>,
) -> Result<()> {
    use super::Fill::{U8, U16, U32};
    // SAFETY: the caller vouches for `count` values of this size at `dst`, until the work is done.
    unsafe {
        match value {
            U8(v) => {
                call_in_order!(context, stream, cuMemsetD8Async or cuMemsetD8_v2(dst, v, count))
            }
            U16(v) => {
                call_in_order!(context, stream, cuMemsetD16Async or cuMemsetD16_v2(dst, v, count))
            }
            U32(v) => {
                call_in_order!(context, stream, cuMemsetD32Async or cuMemsetD32_v2(dst, v, count))
            }
        }
    }
}
