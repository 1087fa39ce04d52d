//! Copies of boxes between devices, and many copies of boxes in one call.

use cuox_abi::CUDA_MEMCPY3D_PEER;

use crate::api::array_copy::copy_3d;
use crate::api::convert::{alike, alike_mut, by_stream, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaMemcpy3DBatchOp, cudaMemcpy3DParms, cudaMemcpy3DPeerParms, cudaMemcpyKind,
    cudaStream_t,
};
use crate::runtime::{Runtime, current};
use crate::thread::stream;

/// The driver's description of a copy between devices, or `None` if there is nothing to copy.
fn between(runtime: &Runtime, p: &cudaMemcpy3DPeerParms) -> Result<Option<CUDA_MEMCPY3D_PEER>> {
    let context = |device| runtime.device(device)?.retain(runtime.driver);
    let (srcContext, dstContext) = (context(p.srcDevice)?, context(p.dstDevice)?);
    let copy = copy_3d(&cudaMemcpy3DParms {
        srcArray: p.srcArray,
        srcPos: p.srcPos,
        srcPtr: p.srcPtr,
        dstArray: p.dstArray,
        dstPos: p.dstPos,
        dstPtr: p.dstPtr,
        extent: p.extent,
        kind: cudaMemcpyKind::cudaMemcpyDefault,
    })?;
    // SAFETY: the contexts take the place of fields that are reserved in the other record, which is null there.
    Ok(copy.map(|copy| CUDA_MEMCPY3D_PEER {
        srcContext,
        dstContext,
        ..unsafe { alike(copy) }
    }))
}

pub unsafe fn cudaMemcpy3DPeer(p: *const cudaMemcpy3DPeerParms) -> Result {
    // SAFETY: the caller gives a description or null.
    let p = unsafe { p.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let runtime = current()?;
    let Some(copy) = between(runtime, p)? else {
        return Ok(());
    };
    let driver = runtime.driver;
    // SAFETY: the caller gives memory of such a box; the driver checks arrays.
    unsafe { by_stream!(driver, cuMemcpy3DPeer | cuMemcpy3DPeer_ptds(&copy)) }.check()
}

pub unsafe fn cudaMemcpy3DPeerAsync(
    p: *const cudaMemcpy3DPeerParms,
    stream: cudaStream_t,
) -> Result {
    // SAFETY: the caller gives a description or null.
    let p = unsafe { p.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let runtime = current()?;
    let Some(copy) = between(runtime, p)? else {
        return Ok(());
    };
    let on = self::stream(stream);
    // SAFETY: the caller gives memory of such a box; the driver checks arrays.
    unsafe { runtime.driver.cuMemcpy3DPeerAsync(&copy, on).check() }
}

pub unsafe fn cudaMemcpy3DBatchAsync(
    numOps: usize,
    opList: *mut cudaMemcpy3DBatchOp,
    flags: u64,
    stream: cudaStream_t,
) -> Result {
    let (operations, on) = (alike_mut(out(opList)?), self::stream(stream));
    // SAFETY: the caller gives a list of this length, of records that both APIs lay out alike.
    unsafe {
        current()?
            .driver
            .cuMemcpy3DBatchAsync_v2(numOps, operations, flags, on)
            .check()
    }
}
