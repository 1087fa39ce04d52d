//! Device and managed memory.

use core::ffi::c_void;

use crate::api::convert::{device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaExtent, cudaPitchedPtr};
use crate::runtime::current;

/// Rows begin at multiples that suit elements of this size.
const PITCH_ELEMENT: u32 = 4;

pub unsafe fn cudaMalloc(devPtr: *mut *mut c_void, size: usize) -> Result {
    let devPtr = out(devPtr)?;
    let runtime = current()?;
    let mut address = 0;
    if size != 0 {
        // SAFETY: the function writes to `address`.
        unsafe { runtime.driver.cuMemAlloc_v2(&mut address, size).check()? };
    }
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { devPtr.write(pointer(address)) };
    Ok(())
}

pub unsafe fn cudaMallocManaged(devPtr: *mut *mut c_void, size: usize, flags: u32) -> Result {
    let devPtr = out(devPtr)?;
    let runtime = current()?;
    if size == 0 {
        // SAFETY: the caller gives a pointer that may be written to.
        unsafe { devPtr.write(core::ptr::null_mut()) };
        return Ok(());
    }
    let mut address = 0;
    // SAFETY: the function writes to `address`; the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuMemAllocManaged(&mut address, size, flags)
            .check()?;
        devPtr.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaMallocPitch(
    devPtr: *mut *mut c_void,
    pitch: *mut usize,
    width: usize,
    height: usize,
) -> Result {
    let (devPtr, pitch) = (out(devPtr)?, out(pitch)?);
    let (address, row) = pitched(width, height)?;
    // SAFETY: the caller gives pointers that may be written to.
    unsafe {
        devPtr.write(address);
        pitch.write(row);
    }
    Ok(())
}

pub unsafe fn cudaMalloc3D(pitchedDevPtr: *mut cudaPitchedPtr, extent: cudaExtent) -> Result {
    let pitchedDevPtr = out(pitchedDevPtr)?;
    let rows = extent
        .height
        .checked_mul(extent.depth)
        .ok_or(cudaError::cudaErrorInvalidValue)?;
    let (ptr, pitch) = pitched(extent.width, rows)?;
    let result = cudaPitchedPtr {
        ptr,
        pitch,
        xsize: extent.width,
        ysize: extent.height,
    };
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { pitchedDevPtr.write(result) };
    Ok(())
}

/// Memory of so many rows, and the bytes from one to the next.
fn pitched(width: usize, rows: usize) -> Result<(*mut c_void, usize)> {
    let runtime = current()?;
    if width == 0 || rows == 0 {
        return Ok((core::ptr::null_mut(), 0));
    }
    let (mut address, mut pitch) = (0, 0);
    // SAFETY: the function writes to both.
    unsafe {
        runtime
            .driver
            .cuMemAllocPitch_v2(&mut address, &mut pitch, width, rows, PITCH_ELEMENT)
            .check()?;
    }
    Ok((pointer(address), pitch))
}

pub unsafe fn cudaFree(devPtr: *mut c_void) -> Result {
    let runtime = current()?;
    if devPtr.is_null() {
        return Ok(());
    }
    // SAFETY: the driver knows its allocations.
    unsafe { runtime.driver.cuMemFree_v2(device_pointer(devPtr)).check() }
}

pub unsafe fn cudaMemGetInfo(free: *mut usize, total: *mut usize) -> Result {
    let (mut left, mut all) = (0, 0);
    // SAFETY: the function writes to both; the caller gives null or pointers that may be written to.
    unsafe {
        current()?
            .driver
            .cuMemGetInfo_v2(&mut left, &mut all)
            .check()?;
        if !free.is_null() {
            free.write(left);
        }
        if !total.is_null() {
            total.write(all);
        }
    }
    Ok(())
}
