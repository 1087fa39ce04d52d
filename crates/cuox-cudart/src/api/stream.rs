//! Streams.

use core::ffi::c_void;

use cuox_abi::CUstream;

use crate::api::convert::{alike, alike_mut, alike_ptr, device_pointer, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaEvent_t, cudaHostFn_t, cudaLaunchAttributeID, cudaLaunchAttributeValue,
    cudaStream_t, cudaStreamCallback_t, cudaStreamDefault,
};
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaStreamCreate(pStream: *mut cudaStream_t) -> Result {
    // SAFETY: as here.
    unsafe { cudaStreamCreateWithFlags(pStream, cudaStreamDefault) }
}

pub unsafe fn cudaStreamCreateWithFlags(pStream: *mut cudaStream_t, flags: u32) -> Result {
    let pStream = alike_mut(out(pStream)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { current()?.driver.cuStreamCreate(pStream, flags).check() }
}

pub unsafe fn cudaStreamCreateWithPriority(
    pStream: *mut cudaStream_t,
    flags: u32,
    priority: i32,
) -> Result {
    let pStream = alike_mut(out(pStream)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamCreateWithPriority(pStream, flags, priority)
            .check()
    }
}

pub unsafe fn cudaStreamDestroy(stream: cudaStream_t) -> Result {
    // The default streams are nobody's to destroy.
    if stream.addr() <= 2 {
        return Err(cudaError::cudaErrorInvalidResourceHandle);
    }
    // SAFETY: the driver knows its streams.
    unsafe {
        current()?
            .driver
            .cuStreamDestroy_v2(CUstream(stream.0))
            .check()
    }
}

pub unsafe fn cudaStreamSynchronize(stream: cudaStream_t) -> Result {
    // SAFETY: the driver knows its streams.
    unsafe {
        current()?
            .driver
            .cuStreamSynchronize(self::stream(stream))
            .check()
    }
}

pub unsafe fn cudaStreamQuery(stream: cudaStream_t) -> Result {
    // SAFETY: the driver knows its streams.
    unsafe {
        current()?
            .driver
            .cuStreamQuery(self::stream(stream))
            .check()
    }
}

pub unsafe fn cudaStreamWaitEvent(stream: cudaStream_t, event: cudaEvent_t, flags: u32) -> Result {
    // SAFETY: the driver knows its streams and events.
    unsafe {
        current()?
            .driver
            .cuStreamWaitEvent(self::stream(stream), alike(event), flags)
            .check()
    }
}

pub unsafe fn cudaStreamGetPriority(hStream: cudaStream_t, priority: *mut i32) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetPriority(stream(hStream), out(priority)?)
            .check()
    }
}

pub unsafe fn cudaStreamGetFlags(hStream: cudaStream_t, flags: *mut u32) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetFlags(stream(hStream), out(flags)?)
            .check()
    }
}

pub unsafe fn cudaStreamGetId(hStream: cudaStream_t, streamId: *mut u64) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetId(stream(hStream), out(streamId)?)
            .check()
    }
}

pub unsafe fn cudaStreamGetDevice(hStream: cudaStream_t, device: *mut i32) -> Result {
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetDevice(stream(hStream), out(device)?)
            .check()
    }
}

pub unsafe fn cudaStreamCopyAttributes(dst: cudaStream_t, src: cudaStream_t) -> Result {
    // SAFETY: the driver knows its streams.
    unsafe {
        current()?
            .driver
            .cuStreamCopyAttributes(stream(dst), stream(src))
            .check()
    }
}

pub unsafe fn cudaStreamGetAttribute(
    hStream: cudaStream_t,
    attr: cudaLaunchAttributeID,
    value_out: *mut cudaLaunchAttributeValue,
) -> Result {
    // SAFETY: both APIs have the same attributes; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuStreamGetAttribute(stream(hStream), alike(attr), alike_mut(out(value_out)?))
            .check()
    }
}

pub unsafe fn cudaStreamSetAttribute(
    hStream: cudaStream_t,
    attr: cudaLaunchAttributeID,
    value: *const cudaLaunchAttributeValue,
) -> Result {
    if value.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: both APIs have the same attributes; the caller gives a value.
    unsafe {
        current()?
            .driver
            .cuStreamSetAttribute(stream(hStream), alike(attr), alike_ptr(value))
            .check()
    }
}

pub unsafe fn cudaStreamAttachMemAsync(
    stream: cudaStream_t,
    devPtr: *mut c_void,
    length: usize,
    flags: u32,
) -> Result {
    let on = self::stream(stream);
    // SAFETY: the driver knows its streams and allocations.
    unsafe {
        current()?
            .driver
            .cuStreamAttachMemAsync(on, device_pointer(devPtr), length, flags)
            .check()
    }
}

pub unsafe fn cudaStreamAddCallback(
    stream: cudaStream_t,
    callback: cudaStreamCallback_t,
    userData: *mut c_void,
    flags: u32,
) -> Result {
    if callback.is_none() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // The callback is told the stream that it was added to, which is the caller's handle for it.
    let on = self::stream(stream);
    // SAFETY: the callbacks of both APIs take a handle, a code with the same numbers, and a pointer.
    unsafe {
        current()?
            .driver
            .cuStreamAddCallback(on, alike(callback), userData, flags)
            .check()
    }
}

pub unsafe fn cudaLaunchHostFunc(
    stream: cudaStream_t,
    fn_: cudaHostFn_t,
    userData: *mut c_void,
) -> Result {
    // SAFETY: the functions of both APIs take a pointer.
    unsafe {
        current()?
            .driver
            .cuLaunchHostFunc(self::stream(stream), alike(fn_), userData)
            .check()
    }
}
