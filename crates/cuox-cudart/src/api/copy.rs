//! Copies between linear memory and to and from variables.

use core::ffi::c_void;

use cuox_abi::{CUDA_MEMCPY2D, CUmemorytype, DriverTable};

use crate::api::convert::{by_stream, device_pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaMemcpyKind as Kind, cudaStream_t};
use crate::registration;
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaMemcpy(dst: *mut c_void, src: *const c_void, count: usize, kind: Kind) -> Result {
    check_kind(kind)?;
    if count == 0 {
        return Ok(());
    }
    let driver = current()?.driver;
    let (to, from) = (device_pointer(dst), device_pointer(src));
    // SAFETY: the caller gives memory of `count` bytes at both.
    let result = unsafe {
        match kind {
            Kind::cudaMemcpyHostToDevice => {
                by_stream!(
                    driver,
                    cuMemcpyHtoD_v2 | cuMemcpyHtoD_v2_ptds(to, src, count)
                )
            }
            Kind::cudaMemcpyDeviceToHost => {
                by_stream!(
                    driver,
                    cuMemcpyDtoH_v2 | cuMemcpyDtoH_v2_ptds(dst, from, count)
                )
            }
            Kind::cudaMemcpyDeviceToDevice => {
                by_stream!(
                    driver,
                    cuMemcpyDtoD_v2 | cuMemcpyDtoD_v2_ptds(to, from, count)
                )
            }
            Kind::cudaMemcpyHostToHost => {
                let copy = rows(dst, count, src, count, count, 1, kind);
                by_stream!(
                    driver,
                    cuMemcpy2DUnaligned_v2 | cuMemcpy2DUnaligned_v2_ptds(&copy)
                )
            }
            _ => by_stream!(driver, cuMemcpy | cuMemcpy_ptds(to, from, count)),
        }
    };
    result.check()
}

pub unsafe fn cudaMemcpyAsync(
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    check_kind(kind)?;
    if count == 0 {
        return Ok(());
    }
    // SAFETY: as here.
    unsafe { copy_async(current()?.driver, dst, src, count, kind, stream) }
}

unsafe fn copy_async(
    driver: &DriverTable,
    dst: *mut c_void,
    src: *const c_void,
    count: usize,
    kind: Kind,
    on: cudaStream_t,
) -> Result {
    let (to, from, on) = (device_pointer(dst), device_pointer(src), stream(on));
    // SAFETY: the caller gives memory of `count` bytes at both.
    let result = unsafe {
        match kind {
            Kind::cudaMemcpyHostToDevice => driver.cuMemcpyHtoDAsync_v2(to, src, count, on),
            Kind::cudaMemcpyDeviceToHost => driver.cuMemcpyDtoHAsync_v2(dst, from, count, on),
            Kind::cudaMemcpyDeviceToDevice => driver.cuMemcpyDtoDAsync_v2(to, from, count, on),
            Kind::cudaMemcpyHostToHost => {
                driver.cuMemcpy2DAsync_v2(&rows(dst, count, src, count, count, 1, kind), on)
            }
            _ => driver.cuMemcpyAsync(to, from, count, on),
        }
    };
    result.check()
}

pub unsafe fn cudaMemcpy2D(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> Result {
    let Some(copy) = checked_rows(dst, dpitch, src, spitch, width, height, kind)? else {
        return Ok(());
    };
    let driver = current()?.driver;
    // SAFETY: the caller gives memory of so many rows at both.
    unsafe {
        by_stream!(
            driver,
            cuMemcpy2DUnaligned_v2 | cuMemcpy2DUnaligned_v2_ptds(&copy)
        )
    }
    .check()
}

pub unsafe fn cudaMemcpy2DAsync(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    let Some(copy) = checked_rows(dst, dpitch, src, spitch, width, height, kind)? else {
        return Ok(());
    };
    let on = self::stream(stream);
    // SAFETY: the caller gives memory of so many rows at both.
    unsafe { current()?.driver.cuMemcpy2DAsync_v2(&copy, on).check() }
}

/// The kinds of both sides, as the driver knows them.
pub fn memory_types(kind: Kind) -> (CUmemorytype, CUmemorytype) {
    use CUmemorytype as T;
    let (host, device) = (T::CU_MEMORYTYPE_HOST, T::CU_MEMORYTYPE_DEVICE);
    match kind {
        Kind::cudaMemcpyHostToHost => (host, host),
        Kind::cudaMemcpyHostToDevice => (host, device),
        Kind::cudaMemcpyDeviceToHost => (device, host),
        Kind::cudaMemcpyDeviceToDevice => (device, device),
        _ => (T::CU_MEMORYTYPE_UNIFIED, T::CU_MEMORYTYPE_UNIFIED),
    }
}

pub fn check_kind(kind: Kind) -> Result {
    if kind.name().is_some() {
        Ok(())
    } else {
        Err(cudaError::cudaErrorInvalidMemcpyDirection)
    }
}

/// Refuses a distance of rows that is less than their width, also of a single row, as NVIDIA's runtime does.
pub(super) fn check_pitch(pitch: usize, width: usize, several_rows: bool) -> Result {
    match (width > pitch, several_rows) {
        (false, _) => Ok(()),
        (true, true) => Err(cudaError::cudaErrorInvalidPitchValue),
        (true, false) => Err(cudaError::cudaErrorInvalidValue),
    }
}

/// The copy of some rows; `None` if there are none.
fn checked_rows(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> Result<Option<CUDA_MEMCPY2D>> {
    if width == 0 || height == 0 {
        return Ok(None);
    }
    // As an H200 has it: to a single row a distance of 0 is its width, and none is too large.
    let distance = |pitch: usize| {
        let pitch = if pitch == 0 && height == 1 {
            width
        } else {
            pitch
        };
        check_pitch(pitch, width, height > 1)?;
        Ok(if height == 1 { width } else { pitch })
    };
    let (dpitch, spitch) = (distance(dpitch)?, distance(spitch)?);
    check_kind(kind)?;
    Ok(Some(rows(dst, dpitch, src, spitch, width, height, kind)))
}

fn rows(
    dst: *mut c_void,
    dpitch: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> CUDA_MEMCPY2D {
    let (from, to) = memory_types(kind);
    // One of the two fields of each side counts.
    CUDA_MEMCPY2D {
        srcMemoryType: from,
        srcHost: src,
        srcDevice: device_pointer(src),
        srcPitch: spitch,
        dstMemoryType: to,
        dstHost: dst,
        dstDevice: device_pointer(dst),
        dstPitch: dpitch,
        WidthInBytes: width,
        Height: height,
        ..Default::default()
    }
}

/// The address of `count` bytes in a variable.
pub fn in_symbol(symbol: *const c_void, count: usize, offset: usize) -> Result<*mut c_void> {
    let variable = registration::symbol(symbol)?;
    let (address, size) = variable.address(current()?)?;
    let end = offset.checked_add(count);
    if end.is_none_or(|end| end > size) {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    Ok(super::convert::pointer(address + offset as u64))
}

pub fn check_symbol_kind(kind: Kind, allowed: Kind) -> Result {
    let known = [
        allowed,
        Kind::cudaMemcpyDeviceToDevice,
        Kind::cudaMemcpyDefault,
    ];
    if known.contains(&kind) {
        Ok(())
    } else {
        Err(cudaError::cudaErrorInvalidMemcpyDirection)
    }
}

pub unsafe fn cudaMemcpyToSymbol(
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    check_symbol_kind(kind, Kind::cudaMemcpyHostToDevice)?;
    let dst = in_symbol(symbol, count, offset)?;
    // SAFETY: the range lies in the variable; the caller gives the other side.
    unsafe { cudaMemcpy(dst, src, count, kind) }
}

pub unsafe fn cudaMemcpyFromSymbol(
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
) -> Result {
    check_symbol_kind(kind, Kind::cudaMemcpyDeviceToHost)?;
    let src = in_symbol(symbol, count, offset)?;
    // SAFETY: the range lies in the variable; the caller gives the other side.
    unsafe { cudaMemcpy(dst, src, count, kind) }
}

pub unsafe fn cudaMemcpyToSymbolAsync(
    symbol: *const c_void,
    src: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    check_symbol_kind(kind, Kind::cudaMemcpyHostToDevice)?;
    let dst = in_symbol(symbol, count, offset)?;
    // SAFETY: the range lies in the variable; the caller gives the other side.
    unsafe { cudaMemcpyAsync(dst, src, count, kind, stream) }
}

pub unsafe fn cudaMemcpyFromSymbolAsync(
    dst: *mut c_void,
    symbol: *const c_void,
    count: usize,
    offset: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    check_symbol_kind(kind, Kind::cudaMemcpyDeviceToHost)?;
    let src = in_symbol(symbol, count, offset)?;
    // SAFETY: the range lies in the variable; the caller gives the other side.
    unsafe { cudaMemcpyAsync(dst, src, count, kind, stream) }
}

pub unsafe fn cudaGetSymbolAddress(devPtr: *mut *mut c_void, symbol: *const c_void) -> Result {
    let devPtr = super::convert::out(devPtr)?;
    let address = in_symbol(symbol, 0, 0)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { devPtr.write(address) };
    Ok(())
}

pub unsafe fn cudaGetSymbolSize(size: *mut usize, symbol: *const c_void) -> Result {
    let size = super::convert::out(size)?;
    let variable = registration::symbol(symbol)?;
    let (_, bytes) = variable.address(current()?)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { size.write(bytes) };
    Ok(())
}
