//! Filling memory with a byte.

use core::ffi::c_void;

use cuox_abi::{CUdeviceptr, DriverTable};

use crate::api::convert::{by_stream, device_pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaExtent, cudaPitchedPtr, cudaStream_t};
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaMemset(devPtr: *mut c_void, value: i32, count: usize) -> Result {
    let driver = current()?.driver;
    if count == 0 {
        return Ok(());
    }
    let to = device_pointer(devPtr);
    // SAFETY: the caller gives memory of `count` bytes.
    unsafe {
        by_stream!(
            driver,
            cuMemsetD8_v2 | cuMemsetD8_v2_ptds(to, value as u8, count)
        )
    }
    .check()
}

pub unsafe fn cudaMemsetAsync(
    devPtr: *mut c_void,
    value: i32,
    count: usize,
    stream: cudaStream_t,
) -> Result {
    let driver = current()?.driver;
    if count == 0 {
        return Ok(());
    }
    let on = self::stream(stream);
    // SAFETY: the caller gives memory of `count` bytes.
    unsafe {
        driver
            .cuMemsetD8Async(device_pointer(devPtr), value as u8, count, on)
            .check()
    }
}

pub unsafe fn cudaMemset2D(
    devPtr: *mut c_void,
    pitch: usize,
    value: i32,
    width: usize,
    height: usize,
) -> Result {
    let driver = current()?.driver;
    // SAFETY: the caller gives memory of so many rows.
    unsafe { fill_rows(driver, device_pointer(devPtr), pitch, value, width, height) }
}

unsafe fn fill_rows(
    driver: &DriverTable,
    to: CUdeviceptr,
    pitch: usize,
    value: i32,
    width: usize,
    height: usize,
) -> Result {
    if width == 0 || height == 0 {
        return Ok(());
    }
    let value = value as u8;
    // SAFETY: as the caller promises.
    unsafe {
        by_stream!(
            driver,
            cuMemsetD2D8_v2 | cuMemsetD2D8_v2_ptds(to, pitch, value, width, height)
        )
    }
    .check()
}

pub unsafe fn cudaMemset2DAsync(
    devPtr: *mut c_void,
    pitch: usize,
    value: i32,
    width: usize,
    height: usize,
    stream: cudaStream_t,
) -> Result {
    let driver = current()?.driver;
    if width == 0 || height == 0 {
        return Ok(());
    }
    let (to, on) = (device_pointer(devPtr), self::stream(stream));
    // SAFETY: the caller gives memory of so many rows.
    unsafe {
        driver
            .cuMemsetD2D8Async(to, pitch, value as u8, width, height, on)
            .check()
    }
}

/// The slices of a block of memory: each one's address and number of rows.
fn slices(
    memory: cudaPitchedPtr,
    extent: cudaExtent,
) -> Result<impl Iterator<Item = (*mut c_void, usize)>> {
    if extent.width > memory.pitch && (extent.height > 1 || extent.depth > 1) {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let slice = memory.pitch.checked_mul(memory.ysize);
    let (rows, depth, slice) = match slice {
        // Whole slices follow each other without a gap.
        Some(slice) if extent.height == memory.ysize => {
            let rows = extent.height.checked_mul(extent.depth);
            (rows.ok_or(cudaError::cudaErrorInvalidValue)?, 1, slice)
        }
        Some(slice) if extent.height < memory.ysize => (extent.height, extent.depth, slice),
        _ if extent.depth <= 1 => (extent.height, extent.depth, 0),
        _ => return Err(cudaError::cudaErrorInvalidValue),
    };
    let empty = extent.width == 0 || extent.height == 0 || extent.depth == 0;
    let depth = if empty { 0 } else { depth };
    Ok((0..depth).map(move |index| {
        (
            memory.ptr.wrapping_byte_add(slice.wrapping_mul(index)),
            rows,
        )
    }))
}

pub unsafe fn cudaMemset3D(
    pitchedDevPtr: cudaPitchedPtr,
    value: i32,
    extent: cudaExtent,
) -> Result {
    for (memory, rows) in slices(pitchedDevPtr, extent)? {
        // SAFETY: the caller gives memory of this extent.
        unsafe { cudaMemset2D(memory, pitchedDevPtr.pitch, value, extent.width, rows)? };
    }
    Ok(())
}

pub unsafe fn cudaMemset3DAsync(
    pitchedDevPtr: cudaPitchedPtr,
    value: i32,
    extent: cudaExtent,
    stream: cudaStream_t,
) -> Result {
    let pitch = pitchedDevPtr.pitch;
    for (memory, rows) in slices(pitchedDevPtr, extent)? {
        // SAFETY: the caller gives memory of this extent.
        unsafe { cudaMemset2DAsync(memory, pitch, value, extent.width, rows, stream)? };
    }
    Ok(())
}
