//! Copies.

use crate::api::driver_functions;
use crate::code::{INVALID_HANDLE, INVALID_VALUE, Res};
use crate::driver::{self, Driver};
use crate::memory::Kind;
use crate::streams::geometry::{Copy3d, CopySide};
use crate::streams::transfer;
use crate::{current, fault};
use core::ffi::c_void;
use cuox_abi::{
    CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER, CUarray, CUcontext, CUdeviceptr,
    CUmemorytype, CUstream,
};

/// The memory type that a linear copy states for a pointer.
#[derive(Clone, Copy)]
pub(super) enum Where {
    Device(u64),
    Host(u64),
    /// To be found out.
    Any(u64),
}

impl Where {
    fn check(self, driver: &Driver, len: u64) -> Res<u64> {
        match self {
            Where::Device(at) => {
                // A GPU's driver takes page-locked memory for a device's, but none of a pool, whoever reaches it.
                if driver
                    .memory
                    .find(at)
                    .is_some_and(|found| found.kind == Kind::PooledHost)
                {
                    fault::explain(format!(
                        "{at:#x} is memory of a pool of the host's: copy it by cuMemcpy or cuMemcpyAsync"
                    ));
                    return Err(INVALID_VALUE);
                }
                driver.memory.check_device(at, len).map(|()| at)
            }
            Where::Host(at) | Where::Any(at) => driver.memory.check_any(at, len).map(|()| at),
        }
    }
}

pub(super) fn line(driver: &Driver, dst: Where, src: Where, len: usize) -> Res<Copy3d> {
    let len = len as u64;
    Ok(Copy3d::line(
        dst.check(driver, len)?,
        src.check(driver, len)?,
        len,
    ))
}

fn copy_now(dst: Where, src: Where, len: usize) -> Res {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    if len == 0 {
        return Ok(());
    }
    transfer::copy_sync(driver, &now.default_stream(), &line(driver, dst, src, len)?)
}

fn copy_later(dst: Where, src: Where, len: usize, stream: CUstream) -> Res {
    let driver = driver::get()?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    if len == 0 {
        return Ok(());
    }
    transfer::copy_async(driver, &stream, line(driver, dst, src, len)?)
}

/// One side of a copy as the records describe it.
pub(super) struct Operand {
    pub kind: CUmemorytype,
    pub host: u64,
    pub device: u64,
    pub array: CUarray,
    pub x: usize,
    pub y: usize,
    pub z: usize,
    pub pitch: usize,
    pub height: usize,
}

impl Default for Operand {
    fn default() -> Operand {
        Operand {
            kind: CUmemorytype::CU_MEMORYTYPE_HOST,
            host: 0,
            device: 0,
            array: CUarray::null(),
            x: 0,
            y: 0,
            z: 0,
            pitch: 0,
            height: 0,
        }
    }
}

impl Operand {
    /// The part of an array, checked for bounds.
    fn in_array(&self, driver: &Driver, extent: [usize; 3]) -> Res<CopySide> {
        let array = driver
            .arrays
            .get(self.array.addr() as u64)
            .ok_or(INVALID_HANDLE)?;
        let level = array.image.levels.first().ok_or(INVALID_HANDLE)?;
        let element = u64::from(array.image.format.bytes());
        let slices = u64::from(level.depth) * u64::from(array.image.layers);
        let most = [
            u64::from(level.width) * element,
            u64::from(level.height),
            slices,
        ];
        let from = [self.x, self.y, self.z].map(|n| n as u64);
        for ((from, len), most) in from.iter().zip(extent).zip(most) {
            if from.checked_add(len as u64).is_none_or(|end| end > most) {
                return Err(INVALID_VALUE);
            }
        }
        let whole = |bytes: u64| bytes.is_multiple_of(element);
        if !whole(from[0]) || !whole(extent[0] as u64) {
            return Err(INVALID_VALUE);
        }
        Ok(CopySide {
            at: level.at + from[2] * level.slice + from[1] * level.pitch + from[0],
            pitch: level.pitch,
            slice: level.slice,
        })
    }

    /// Checked for overflow, pitch and bounds.
    fn side(&self, driver: &Driver, extent: [usize; 3]) -> Res<CopySide> {
        let [width, height, depth] = extent.map(|n| n as u64);
        let (base, device) = match self.kind {
            CUmemorytype::CU_MEMORYTYPE_HOST => (self.host, false),
            CUmemorytype::CU_MEMORYTYPE_DEVICE => (self.device, true),
            CUmemorytype::CU_MEMORYTYPE_UNIFIED => (self.device, false),
            CUmemorytype::CU_MEMORYTYPE_ARRAY => return self.in_array(driver, extent),
            _ => return Err(INVALID_VALUE),
        };
        let row_end = (self.x as u64).checked_add(width).ok_or(INVALID_VALUE)?;
        let pitch = if self.pitch == 0 {
            row_end
        } else {
            self.pitch as u64
        };
        if pitch < row_end && (height > 1 || depth > 1) {
            return Err(INVALID_VALUE);
        }
        let rows = if self.height == 0 {
            (self.y as u64).saturating_add(height)
        } else {
            self.height as u64
        };
        let slice = pitch.checked_mul(rows).ok_or(INVALID_VALUE)?;
        let offset = slice
            .checked_mul(self.z as u64)
            .and_then(|o| o.checked_add(pitch.checked_mul(self.y as u64)?))
            .and_then(|o| o.checked_add(self.x as u64))
            .ok_or(INVALID_VALUE)?;
        let at = base.checked_add(offset).ok_or(INVALID_VALUE)?;
        let side = CopySide { at, pitch, slice };
        let span = side.span(width, height, depth).ok_or(INVALID_VALUE)?;
        if device {
            driver.memory.check_device(at, span)?
        } else {
            driver.memory.check_any(at, span)?
        }
        Ok(side)
    }
}

/// A place in an array for a linear copy.
fn within(array: CUarray, offset: usize) -> Operand {
    Operand {
        kind: CUmemorytype::CU_MEMORYTYPE_ARRAY,
        array,
        x: offset,
        ..Operand::default()
    }
}

/// Memory for a linear copy.
fn at(place: Where) -> Operand {
    let mut operand = Operand::default();
    match place {
        Where::Device(at) => {
            operand.kind = CUmemorytype::CU_MEMORYTYPE_DEVICE;
            operand.device = at;
        }
        Where::Host(at) => operand.host = at,
        Where::Any(at) => {
            operand.kind = CUmemorytype::CU_MEMORYTYPE_UNIFIED;
            operand.device = at;
        }
    }
    operand
}

pub(super) fn boxed(
    driver: &Driver,
    dst: &Operand,
    src: &Operand,
    extent: [usize; 3],
) -> Res<Copy3d> {
    let [width, height, depth] = extent.map(|n| n as u64);
    if extent.contains(&0) {
        return Ok(Copy3d {
            height,
            depth,
            ..Copy3d::line(0, 0, width)
        });
    }
    Ok(Copy3d {
        dst: dst.side(driver, extent)?,
        src: src.side(driver, extent)?,
        width,
        height,
        depth,
    })
}

fn run_now(make: impl FnOnce(&Driver) -> Res<Copy3d>) -> Res {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    let shape = make(driver)?;
    if shape.is_empty() {
        Ok(())
    } else {
        transfer::copy_sync(driver, &now.default_stream(), &shape)
    }
}

fn run_later(stream: CUstream, make: impl FnOnce(&Driver) -> Res<Copy3d>) -> Res {
    let driver = driver::get()?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    transfer::copy_async(driver, &stream, make(driver)?)
}

fn flat(driver: &Driver, c: &CUDA_MEMCPY2D, limited: bool) -> Res<Copy3d> {
    let src = Operand {
        kind: c.srcMemoryType,
        host: c.srcHost as u64,
        device: c.srcDevice,
        array: c.srcArray,
        x: c.srcXInBytes,
        y: c.srcY,
        z: 0,
        pitch: c.srcPitch,
        height: 0,
    };
    let dst = Operand {
        kind: c.dstMemoryType,
        host: c.dstHost as u64,
        device: c.dstDevice,
        array: c.dstArray,
        x: c.dstXInBytes,
        y: c.dstY,
        z: 0,
        pitch: c.dstPitch,
        height: 0,
    };
    let most = crate::device::MAX_PITCH as usize;
    if limited && (c.srcPitch > most || c.dstPitch > most) {
        return Err(INVALID_VALUE);
    }
    boxed(driver, &dst, &src, [c.WidthInBytes, c.Height, 1])
}

pub(super) fn solid(driver: &Driver, c: &CUDA_MEMCPY3D) -> Res<Copy3d> {
    if c.srcLOD != 0 || c.dstLOD != 0 {
        return Err(INVALID_VALUE);
    }
    let src = Operand {
        kind: c.srcMemoryType,
        host: c.srcHost as u64,
        device: c.srcDevice,
        array: c.srcArray,
        x: c.srcXInBytes,
        y: c.srcY,
        z: c.srcZ,
        pitch: c.srcPitch,
        height: c.srcHeight,
    };
    let dst = Operand {
        kind: c.dstMemoryType,
        host: c.dstHost as u64,
        device: c.dstDevice,
        array: c.dstArray,
        x: c.dstXInBytes,
        y: c.dstY,
        z: c.dstZ,
        pitch: c.dstPitch,
        height: c.dstHeight,
    };
    boxed(driver, &dst, &src, [c.WidthInBytes, c.Height, c.Depth])
}

/// A peer copy is a copy; the two contexts must exist.
fn between(driver: &Driver, c: &CUDA_MEMCPY3D_PEER) -> Res<Copy3d> {
    // Without one the address tells whose memory it is: an H200's driver takes that here.
    for context in [c.dstContext, c.srcContext] {
        if !context.is_null() {
            check_contexts(driver, context, context)?;
        }
    }
    solid(
        driver,
        &CUDA_MEMCPY3D {
            srcXInBytes: c.srcXInBytes,
            srcY: c.srcY,
            srcZ: c.srcZ,
            srcLOD: c.srcLOD,
            srcMemoryType: c.srcMemoryType,
            srcHost: c.srcHost,
            srcDevice: c.srcDevice,
            srcArray: c.srcArray,
            srcPitch: c.srcPitch,
            srcHeight: c.srcHeight,
            dstXInBytes: c.dstXInBytes,
            dstY: c.dstY,
            dstZ: c.dstZ,
            dstLOD: c.dstLOD,
            dstMemoryType: c.dstMemoryType,
            dstHost: c.dstHost,
            dstDevice: c.dstDevice,
            dstArray: c.dstArray,
            dstPitch: c.dstPitch,
            dstHeight: c.dstHeight,
            WidthInBytes: c.WidthInBytes,
            Height: c.Height,
            Depth: c.Depth,
            ..CUDA_MEMCPY3D::default()
        },
    )
}

fn check_contexts(driver: &Driver, dst: CUcontext, src: CUcontext) -> Res {
    current::by_handle(driver, dst.addr() as u64)?;
    current::by_handle(driver, src.addr() as u64).map(drop)
}

driver_functions! {
    fn cuMemcpy(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize) {
        copy_now(Where::Any(dst), Where::Any(src), ByteCount)
    }

    fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, ByteCount: usize, hStream: CUstream) {
        copy_later(Where::Any(dst), Where::Any(src), ByteCount, hStream)
    }

    fn cuMemcpyHtoD_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize) {
        copy_now(Where::Device(dstDevice), Where::Host(srcHost as u64), ByteCount)
    }

    fn cuMemcpyHtoDAsync_v2(dstDevice: CUdeviceptr, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) {
        copy_later(Where::Device(dstDevice), Where::Host(srcHost as u64), ByteCount, hStream)
    }

    fn cuMemcpyDtoH_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize) {
        copy_now(Where::Host(dstHost as u64), Where::Device(srcDevice), ByteCount)
    }

    fn cuMemcpyDtoHAsync_v2(dstHost: *mut c_void, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) {
        copy_later(Where::Host(dstHost as u64), Where::Device(srcDevice), ByteCount, hStream)
    }

    fn cuMemcpyDtoD_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize) {
        copy_now(Where::Device(dstDevice), Where::Device(srcDevice), ByteCount)
    }

    fn cuMemcpyDtoDAsync_v2(dstDevice: CUdeviceptr, srcDevice: CUdeviceptr, ByteCount: usize, hStream: CUstream) {
        copy_later(Where::Device(dstDevice), Where::Device(srcDevice), ByteCount, hStream)
    }

    fn cuMemcpyPeer(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize) {
        check_contexts(driver::get()?, dstContext, srcContext)?;
        copy_now(Where::Device(dstDevice), Where::Device(srcDevice), ByteCount)
    }

    fn cuMemcpyPeerAsync(dstDevice: CUdeviceptr, dstContext: CUcontext, srcDevice: CUdeviceptr, srcContext: CUcontext, ByteCount: usize, hStream: CUstream) {
        check_contexts(driver::get()?, dstContext, srcContext)?;
        copy_later(Where::Device(dstDevice), Where::Device(srcDevice), ByteCount, hStream)
    }

    fn cuMemcpyAtoA_v2(dstArray: CUarray, dstOffset: usize, srcArray: CUarray, srcOffset: usize, ByteCount: usize) {
        run_now(|d| boxed(d, &within(dstArray, dstOffset), &within(srcArray, srcOffset), [ByteCount, 1, 1]))
    }

    fn cuMemcpyAtoD_v2(dstDevice: CUdeviceptr, srcArray: CUarray, srcOffset: usize, ByteCount: usize) {
        run_now(|d| boxed(d, &at(Where::Device(dstDevice)), &within(srcArray, srcOffset), [ByteCount, 1, 1]))
    }

    fn cuMemcpyAtoH_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize) {
        run_now(|d| boxed(d, &at(Where::Host(dstHost as u64)), &within(srcArray, srcOffset), [ByteCount, 1, 1]))
    }

    fn cuMemcpyAtoHAsync_v2(dstHost: *mut c_void, srcArray: CUarray, srcOffset: usize, ByteCount: usize, hStream: CUstream) {
        run_later(hStream, |d| boxed(d, &at(Where::Host(dstHost as u64)), &within(srcArray, srcOffset), [ByteCount, 1, 1]))
    }

    fn cuMemcpyDtoA_v2(dstArray: CUarray, dstOffset: usize, srcDevice: CUdeviceptr, ByteCount: usize) {
        run_now(|d| boxed(d, &within(dstArray, dstOffset), &at(Where::Device(srcDevice)), [ByteCount, 1, 1]))
    }

    fn cuMemcpyHtoA_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize) {
        run_now(|d| boxed(d, &within(dstArray, dstOffset), &at(Where::Host(srcHost as u64)), [ByteCount, 1, 1]))
    }

    fn cuMemcpyHtoAAsync_v2(dstArray: CUarray, dstOffset: usize, srcHost: *const c_void, ByteCount: usize, hStream: CUstream) {
        run_later(hStream, |d| boxed(d, &within(dstArray, dstOffset), &at(Where::Host(srcHost as u64)), [ByteCount, 1, 1]))
    }

    fn cuMemcpy2D_v2(pCopy: *const CUDA_MEMCPY2D) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_now(|d| flat(d, c, true))
    }

    fn cuMemcpy2DUnaligned_v2(pCopy: *const CUDA_MEMCPY2D) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_now(|d| flat(d, c, false))
    }

    fn cuMemcpy2DAsync_v2(pCopy: *const CUDA_MEMCPY2D, hStream: CUstream) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_later(hStream, |d| flat(d, c, true))
    }

    fn cuMemcpy3D_v2(pCopy: *const CUDA_MEMCPY3D) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_now(|d| solid(d, c))
    }

    fn cuMemcpy3DAsync_v2(pCopy: *const CUDA_MEMCPY3D, hStream: CUstream) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_later(hStream, |d| solid(d, c))
    }

    fn cuMemcpy3DPeer(pCopy: *const CUDA_MEMCPY3D_PEER) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_now(|d| between(d, c))
    }

    fn cuMemcpy3DPeerAsync(pCopy: *const CUDA_MEMCPY3D_PEER, hStream: CUstream) {
        let c = pCopy.as_ref().ok_or(INVALID_VALUE)?;
        run_later(hStream, |d| between(d, c))
    }
}
