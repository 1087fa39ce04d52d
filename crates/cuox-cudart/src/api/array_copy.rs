//! Copies to, from and between arrays, and copies of boxes.

use core::ffi::c_void;

use cuox_abi::{CUDA_MEMCPY2D, CUDA_MEMCPY3D, CUmemorytype};

use crate::api::array::{descriptor, driver_array, element_bytes};
use crate::api::convert::{by_stream, device_pointer};
use crate::api::copy::{check_kind, check_pitch, memory_types};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaArray_const_t, cudaArray_t, cudaError, cudaMemcpy3DParms, cudaMemcpyKind as Kind,
    cudaPitchedPtr, cudaStream_t,
};
use crate::runtime::current;
use crate::thread::stream;

/// When a copy is made: before the call returns, or in a stream.
#[derive(Clone, Copy)]
enum When {
    Now,
    In(cudaStream_t),
}

/// One side of a copy of rows: memory, or a place in an array.
#[derive(Clone, Copy)]
enum Side {
    Memory(*mut c_void, usize),
    Array(cudaArray_t, usize, usize),
}

unsafe fn copy_2d(
    dst: Side,
    src: Side,
    width: usize,
    height: usize,
    kind: Kind,
    when: When,
) -> Result {
    let runtime = current()?;
    if width == 0 || height == 0 {
        return Ok(());
    }
    check_kind(kind)?;
    let (from, to) = memory_types(kind);
    let host = CUmemorytype::CU_MEMORYTYPE_HOST;
    if matches!(dst, Side::Array(..)) && to == host
        || matches!(src, Side::Array(..)) && from == host
    {
        return Err(cudaError::cudaErrorInvalidMemcpyDirection);
    }
    let mut copy = CUDA_MEMCPY2D {
        WidthInBytes: width,
        Height: height,
        ..Default::default()
    };
    match src {
        Side::Memory(address, pitch) => {
            check_pitch(pitch, width, height > 1)?;
            copy.srcMemoryType = from;
            copy.srcHost = address;
            copy.srcDevice = device_pointer(address);
            copy.srcPitch = pitch;
        }
        Side::Array(array, x, y) => {
            copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
            copy.srcArray = driver_array(array);
            copy.srcXInBytes = x;
            copy.srcY = y;
        }
    }
    match dst {
        Side::Memory(address, pitch) => {
            check_pitch(pitch, width, height > 1)?;
            copy.dstMemoryType = to;
            copy.dstHost = address;
            copy.dstDevice = device_pointer(address);
            copy.dstPitch = pitch;
        }
        Side::Array(array, x, y) => {
            copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
            copy.dstArray = driver_array(array);
            copy.dstXInBytes = x;
            copy.dstY = y;
        }
    }
    let driver = runtime.driver;
    // SAFETY: the caller gives memory of so many rows; the driver checks arrays.
    unsafe {
        match when {
            When::Now => by_stream!(
                driver,
                cuMemcpy2DUnaligned_v2 | cuMemcpy2DUnaligned_v2_ptds(&copy)
            ),
            When::In(on) => driver.cuMemcpy2DAsync_v2(&copy, stream(on)),
        }
    }
    .check()
}

pub unsafe fn cudaMemcpy2DToArray(
    dst: cudaArray_t,
    wOffset: usize,
    hOffset: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> Result {
    let (dst, src) = (
        Side::Array(dst, wOffset, hOffset),
        Side::Memory(src.cast_mut(), spitch),
    );
    // SAFETY: as here; the source is only read.
    unsafe { copy_2d(dst, src, width, height, kind, When::Now) }
}

pub unsafe fn cudaMemcpy2DToArrayAsync(
    dst: cudaArray_t,
    wOffset: usize,
    hOffset: usize,
    src: *const c_void,
    spitch: usize,
    width: usize,
    height: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    let (dst, src) = (
        Side::Array(dst, wOffset, hOffset),
        Side::Memory(src.cast_mut(), spitch),
    );
    // SAFETY: as here; the source is only read.
    unsafe { copy_2d(dst, src, width, height, kind, When::In(stream)) }
}

pub unsafe fn cudaMemcpy2DFromArray(
    dst: *mut c_void,
    dpitch: usize,
    src: cudaArray_const_t,
    wOffset: usize,
    hOffset: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> Result {
    let (dst, src) = (
        Side::Memory(dst, dpitch),
        Side::Array(src, wOffset, hOffset),
    );
    // SAFETY: as here.
    unsafe { copy_2d(dst, src, width, height, kind, When::Now) }
}

pub unsafe fn cudaMemcpy2DFromArrayAsync(
    dst: *mut c_void,
    dpitch: usize,
    src: cudaArray_const_t,
    wOffset: usize,
    hOffset: usize,
    width: usize,
    height: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    let (dst, src) = (
        Side::Memory(dst, dpitch),
        Side::Array(src, wOffset, hOffset),
    );
    // SAFETY: as here.
    unsafe { copy_2d(dst, src, width, height, kind, When::In(stream)) }
}

pub unsafe fn cudaMemcpy2DArrayToArray(
    dst: cudaArray_t,
    wOffsetDst: usize,
    hOffsetDst: usize,
    src: cudaArray_const_t,
    wOffsetSrc: usize,
    hOffsetSrc: usize,
    width: usize,
    height: usize,
    kind: Kind,
) -> Result {
    let (dst, src) = (
        Side::Array(dst, wOffsetDst, hOffsetDst),
        Side::Array(src, wOffsetSrc, hOffsetSrc),
    );
    // SAFETY: as here.
    unsafe { copy_2d(dst, src, width, height, kind, When::Now) }
}

/// A rectangle of an array that follows `before` bytes of a run.
#[derive(Debug, PartialEq, Eq)]
struct Piece {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    before: usize,
}

/// The rectangles of `count` bytes that run from a place in an array over the ends of its rows.
fn pieces(row: usize, x: usize, y: usize, count: usize) -> Vec<Piece> {
    let mut found = Vec::new();
    let (mut x, mut y, mut before) = (x, y, 0);
    while before < count && x < row {
        let rest = count - before;
        let (width, height) = if x == 0 && rest >= row {
            (row, rest / row)
        } else {
            (rest.min(row - x), 1)
        };
        found.push(Piece {
            x,
            y,
            width,
            height,
            before,
        });
        before += width * height;
        (x, y) = (0, y.saturating_add(height));
    }
    found
}

/// Bytes of a row of an array.
fn row_bytes(array: cudaArray_t) -> Result<usize> {
    let array = descriptor(array)?;
    Ok(array.Width * element_bytes(&array)?)
}

unsafe fn copy_run(
    array: cudaArray_t,
    at: (usize, usize),
    memory: *mut c_void,
    into_array: bool,
    count: usize,
    kind: Kind,
    when: When,
) -> Result {
    let row = row_bytes(array)?;
    if at.0 >= row {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    for piece in pieces(row, at.0, at.1, count) {
        let side = Side::Array(array, piece.x, piece.y);
        let linear = Side::Memory(memory.wrapping_byte_add(piece.before), piece.width);
        let (dst, src) = if into_array {
            (side, linear)
        } else {
            (linear, side)
        };
        // SAFETY: the caller gives memory of `count` bytes, of which this is a part.
        unsafe { copy_2d(dst, src, piece.width, piece.height, kind, when)? };
    }
    Ok(())
}

pub unsafe fn cudaMemcpyToArray(
    dst: cudaArray_t,
    wOffset: usize,
    hOffset: usize,
    src: *const c_void,
    count: usize,
    kind: Kind,
) -> Result {
    let at = (wOffset, hOffset);
    // SAFETY: as here; the source is only read.
    unsafe { copy_run(dst, at, src.cast_mut(), true, count, kind, When::Now) }
}

pub unsafe fn cudaMemcpyToArrayAsync(
    dst: cudaArray_t,
    wOffset: usize,
    hOffset: usize,
    src: *const c_void,
    count: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    let (at, when) = ((wOffset, hOffset), When::In(stream));
    // SAFETY: as here; the source is only read.
    unsafe { copy_run(dst, at, src.cast_mut(), true, count, kind, when) }
}

pub unsafe fn cudaMemcpyFromArray(
    dst: *mut c_void,
    src: cudaArray_const_t,
    wOffset: usize,
    hOffset: usize,
    count: usize,
    kind: Kind,
) -> Result {
    let at = (wOffset, hOffset);
    // SAFETY: as here.
    unsafe { copy_run(src, at, dst, false, count, kind, When::Now) }
}

pub unsafe fn cudaMemcpyFromArrayAsync(
    dst: *mut c_void,
    src: cudaArray_const_t,
    wOffset: usize,
    hOffset: usize,
    count: usize,
    kind: Kind,
    stream: cudaStream_t,
) -> Result {
    let at = (wOffset, hOffset);
    // SAFETY: as here.
    unsafe { copy_run(src, at, dst, false, count, kind, When::In(stream)) }
}

pub unsafe fn cudaMemcpyArrayToArray(
    dst: cudaArray_t,
    wOffsetDst: usize,
    hOffsetDst: usize,
    src: cudaArray_const_t,
    wOffsetSrc: usize,
    hOffsetSrc: usize,
    count: usize,
    kind: Kind,
) -> Result {
    let (to_row, from_row) = (row_bytes(dst)?, row_bytes(src)?);
    if wOffsetDst >= to_row || wOffsetSrc >= from_row {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let (mut to, mut from, mut left) = ((wOffsetDst, hOffsetDst), (wOffsetSrc, hOffsetSrc), count);
    while left != 0 {
        let width = left.min(to_row - to.0).min(from_row - from.0);
        let (here, there) = (
            Side::Array(dst, to.0, to.1),
            Side::Array(src, from.0, from.1),
        );
        // SAFETY: the driver checks arrays.
        unsafe { copy_2d(here, there, width, 1, kind, When::Now)? };
        for (at, row) in [(&mut to, to_row), (&mut from, from_row)] {
            at.0 += width;
            if at.0 == row {
                *at = (0, at.1.saturating_add(1));
            }
        }
        left -= width;
    }
    Ok(())
}

/// The driver's description of a copy of a box, or `None` if there is nothing to copy.
pub fn copy_3d(p: &cudaMemcpy3DParms) -> Result<Option<CUDA_MEMCPY3D>> {
    check_kind(p.kind)?;
    let (from, to) = memory_types(p.kind);
    let array = |a: cudaArray_t| (a != cudaArray_t::null()).then_some(a);
    let (src_array, dst_array) = (array(p.srcArray), array(p.dstArray));
    if src_array.is_some() != p.srcPtr.ptr.is_null()
        || dst_array.is_some() != p.dstPtr.ptr.is_null()
    {
        // Exactly one of the two of each side is given.
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let host = CUmemorytype::CU_MEMORYTYPE_HOST;
    if src_array.is_some() && from == host || dst_array.is_some() && to == host {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let element = |a: Option<cudaArray_t>| a.map(|a| element_bytes(&descriptor(a)?)).transpose();
    let (src_element, dst_element) = (element(src_array)?, element(dst_array)?);
    if let (Some(s), Some(d)) = (src_element, dst_element)
        && s != d
    {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // With an array the width and the places of both sides count its elements (NVIDIA's manual has bytes for places in
    // memory, its library elements), else bytes.
    let unit = src_element.or(dst_element).unwrap_or(1);
    let bytes = |count: usize| {
        count
            .checked_mul(unit)
            .ok_or(cudaError::cudaErrorInvalidValue)
    };
    let width = bytes(p.extent.width)?;
    let (height, depth) = (p.extent.height, p.extent.depth);
    if width == 0 || height == 0 || depth == 0 {
        return Ok(None);
    }
    let pitch = |memory: &cudaPitchedPtr| {
        check_pitch(memory.pitch, width, height > 1 || depth > 1).map_err(|error| {
            match src_array.is_some() || dst_array.is_some() {
                true => cudaError::cudaErrorInvalidValue,
                false => error,
            }
        })?;
        Ok(memory.pitch)
    };
    let mut copy = CUDA_MEMCPY3D {
        srcXInBytes: bytes(p.srcPos.x)?,
        srcY: p.srcPos.y,
        srcZ: p.srcPos.z,
        dstXInBytes: bytes(p.dstPos.x)?,
        dstY: p.dstPos.y,
        dstZ: p.dstPos.z,
        WidthInBytes: width,
        Height: height,
        Depth: depth,
        ..Default::default()
    };
    if let Some(array) = src_array {
        copy.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.srcArray = driver_array(array);
    } else {
        copy.srcMemoryType = from;
        copy.srcHost = p.srcPtr.ptr;
        copy.srcDevice = device_pointer(p.srcPtr.ptr);
        copy.srcPitch = pitch(&p.srcPtr)?;
        copy.srcHeight = p.srcPtr.ysize;
    }
    if let Some(array) = dst_array {
        copy.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_ARRAY;
        copy.dstArray = driver_array(array);
    } else {
        copy.dstMemoryType = to;
        copy.dstHost = p.dstPtr.ptr;
        copy.dstDevice = device_pointer(p.dstPtr.ptr);
        copy.dstPitch = pitch(&p.dstPtr)?;
        copy.dstHeight = p.dstPtr.ysize;
    }
    Ok(Some(copy))
}

pub unsafe fn cudaMemcpy3D(p: *const cudaMemcpy3DParms) -> Result {
    // SAFETY: the caller gives a description or null.
    let p = unsafe { p.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let driver = current()?.driver;
    let Some(copy) = copy_3d(p)? else {
        return Ok(());
    };
    // SAFETY: the caller gives memory of such a box; the driver checks arrays.
    unsafe { by_stream!(driver, cuMemcpy3D_v2 | cuMemcpy3D_v2_ptds(&copy)) }.check()
}

pub unsafe fn cudaMemcpy3DAsync(p: *const cudaMemcpy3DParms, stream: cudaStream_t) -> Result {
    // SAFETY: the caller gives a description or null.
    let p = unsafe { p.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let driver = current()?.driver;
    let Some(copy) = copy_3d(p)? else {
        return Ok(());
    };
    let on = self::stream(stream);
    // SAFETY: the caller gives memory of such a box; the driver checks arrays.
    unsafe { driver.cuMemcpy3DAsync_v2(&copy, on).check() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_over_the_ends_of_rows() {
        let piece = |x, y, width, height, before| Piece {
            x,
            y,
            width,
            height,
            before,
        };
        assert_eq!(pieces(10, 0, 0, 30), [piece(0, 0, 10, 3, 0)]);
        assert_eq!(pieces(10, 2, 1, 5), [piece(2, 1, 5, 1, 0)]);
        assert_eq!(
            pieces(10, 7, 0, 26),
            [
                piece(7, 0, 3, 1, 0),
                piece(0, 1, 10, 2, 3),
                piece(0, 3, 3, 1, 23)
            ]
        );
        assert_eq!(pieces(10, 0, 0, 0), []);
    }
}
