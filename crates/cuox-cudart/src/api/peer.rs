//! Several devices: access to each other's memory, and copies between them.

use core::ffi::c_void;

use cuox_abi::CUcontext;

use crate::api::convert::{alike, alike_ptr, device_pointer, out};
use crate::error::{Check as _, Result};
use crate::generated::{cudaAtomicOperation, cudaDeviceP2PAttr, cudaStream_t};
use crate::runtime::{Runtime, current, runtime};
use crate::thread::stream;

fn primary(runtime: &Runtime, device: i32) -> Result<CUcontext> {
    runtime.device(device)?.retain(runtime.driver)
}

pub unsafe fn cudaDeviceCanAccessPeer(
    canAccessPeer: *mut i32,
    device: i32,
    peerDevice: i32,
) -> Result {
    let runtime = runtime()?;
    let (device, peer) = (runtime.device(device)?, runtime.device(peerDevice)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuDeviceCanAccessPeer(out(canAccessPeer)?, device.ordinal, peer.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceEnablePeerAccess(peerDevice: i32, flags: u32) -> Result {
    let runtime = current()?;
    let peer = primary(runtime, peerDevice)?;
    // SAFETY: the context is alive.
    unsafe { runtime.driver.cuCtxEnablePeerAccess(peer, flags).check() }
}

pub unsafe fn cudaDeviceDisablePeerAccess(peerDevice: i32) -> Result {
    let runtime = current()?;
    let peer = primary(runtime, peerDevice)?;
    // SAFETY: the context is alive.
    unsafe { runtime.driver.cuCtxDisablePeerAccess(peer).check() }
}

pub unsafe fn cudaDeviceGetP2PAttribute(
    value: *mut i32,
    attr: cudaDeviceP2PAttr,
    srcDevice: i32,
    dstDevice: i32,
) -> Result {
    let runtime = runtime()?;
    let (from, to) = (runtime.device(srcDevice)?, runtime.device(dstDevice)?);
    // SAFETY: both APIs number attributes alike; the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuDeviceGetP2PAttribute(out(value)?, alike(attr), from.ordinal, to.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceGetP2PAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const cudaAtomicOperation,
    count: u32,
    srcDevice: i32,
    dstDevice: i32,
) -> Result {
    let runtime = runtime()?;
    let (from, to) = (runtime.device(srcDevice)?, runtime.device(dstDevice)?);
    // SAFETY: the caller gives `count` elements at both.
    unsafe {
        runtime
            .driver
            .cuDeviceGetP2PAtomicCapabilities(
                out(capabilities)?,
                alike_ptr(operations),
                count,
                from.ordinal,
                to.ordinal,
            )
            .check()
    }
}

pub unsafe fn cudaMemcpyPeer(
    dst: *mut c_void,
    dstDevice: i32,
    src: *const c_void,
    srcDevice: i32,
    count: usize,
) -> Result {
    let runtime = current()?;
    let (to, from) = (primary(runtime, dstDevice)?, primary(runtime, srcDevice)?);
    if count == 0 {
        return Ok(());
    }
    // SAFETY: the caller gives memory of `count` bytes at both; the contexts are alive.
    unsafe {
        runtime
            .driver
            .cuMemcpyPeer(device_pointer(dst), to, device_pointer(src), from, count)
            .check()
    }
}

pub unsafe fn cudaMemcpyPeerAsync(
    dst: *mut c_void,
    dstDevice: i32,
    src: *const c_void,
    srcDevice: i32,
    count: usize,
    stream: cudaStream_t,
) -> Result {
    let runtime = current()?;
    let (to, from) = (primary(runtime, dstDevice)?, primary(runtime, srcDevice)?);
    if count == 0 {
        return Ok(());
    }
    let (dst, src, on) = (
        device_pointer(dst),
        device_pointer(src),
        self::stream(stream),
    );
    // SAFETY: the caller gives memory of `count` bytes at both; the contexts are alive.
    unsafe {
        runtime
            .driver
            .cuMemcpyPeerAsync(dst, to, src, from, count, on)
            .check()
    }
}
