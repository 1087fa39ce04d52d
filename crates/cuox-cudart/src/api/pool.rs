//! Memory in the order of a stream, and pools.

use core::ffi::c_void;

use cuox_abi::{
    CUmemAccess_flags, CUmemAccessDesc, CUmemLocation, CUmemPoolProps, CUmemPoolPtrExportData,
};

use crate::api::convert::{alike, alike_mut, alike_ptr, device_pointer, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaMemAccessDesc, cudaMemAccessFlags, cudaMemAllocationHandleType,
    cudaMemAllocationType, cudaMemLocation, cudaMemPool_t, cudaMemPoolAttr, cudaMemPoolProps,
    cudaMemPoolPtrExportData, cudaStream_t,
};
use crate::runtime::{current, runtime};
use crate::thread::stream;

pub unsafe fn cudaMallocAsync(
    devPtr: *mut *mut c_void,
    size: usize,
    hStream: cudaStream_t,
) -> Result {
    let devPtr = out(devPtr)?;
    let runtime = current()?;
    let mut address = 0;
    // SAFETY: the function writes to `address`; the caller gives a pointer that may be written to.
    unsafe {
        if size != 0 {
            runtime
                .driver
                .cuMemAllocAsync(&mut address, size, stream(hStream))
                .check()?;
        }
        devPtr.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaMallocFromPoolAsync(
    ptr: *mut *mut c_void,
    size: usize,
    memPool: cudaMemPool_t,
    stream: cudaStream_t,
) -> Result {
    let ptr = out(ptr)?;
    let runtime = current()?;
    let mut address = 0;
    // SAFETY: the driver knows its pools; the caller gives a pointer that may be written to.
    unsafe {
        if size != 0 {
            runtime
                .driver
                .cuMemAllocFromPoolAsync(&mut address, size, alike(memPool), self::stream(stream))
                .check()?;
        }
        ptr.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaFreeAsync(devPtr: *mut c_void, hStream: cudaStream_t) -> Result {
    let runtime = current()?;
    if devPtr.is_null() {
        return Ok(());
    }
    // SAFETY: the driver knows its allocations.
    unsafe {
        runtime
            .driver
            .cuMemFreeAsync(device_pointer(devPtr), stream(hStream))
            .check()
    }
}

pub unsafe fn cudaDeviceGetDefaultMemPool(memPool: *mut cudaMemPool_t, device: i32) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuDeviceGetDefaultMemPool(alike_mut(out(memPool)?), device.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceGetMemPool(memPool: *mut cudaMemPool_t, device: i32) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuDeviceGetMemPool(alike_mut(out(memPool)?), device.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceSetMemPool(device: i32, memPool: cudaMemPool_t) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the driver knows its pools.
    unsafe {
        runtime
            .driver
            .cuDeviceSetMemPool(device.ordinal, alike(memPool))
            .check()
    }
}

pub unsafe fn cudaMemPoolCreate(
    memPool: *mut cudaMemPool_t,
    poolProps: *const cudaMemPoolProps,
) -> Result {
    if poolProps.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let props = alike_ptr::<_, CUmemPoolProps>(poolProps);
    // SAFETY: the caller gives properties and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolCreate(alike_mut(out(memPool)?), props)
            .check()
    }
}

pub unsafe fn cudaMemPoolDestroy(memPool: cudaMemPool_t) -> Result {
    // SAFETY: the driver knows its pools.
    unsafe { runtime()?.driver.cuMemPoolDestroy(alike(memPool)).check() }
}

pub unsafe fn cudaMemPoolTrimTo(memPool: cudaMemPool_t, minBytesToKeep: usize) -> Result {
    // SAFETY: the driver knows its pools.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolTrimTo(alike(memPool), minBytesToKeep)
            .check()
    }
}

pub unsafe fn cudaMemPoolSetAttribute(
    memPool: cudaMemPool_t,
    attr: cudaMemPoolAttr,
    value: *mut c_void,
) -> Result {
    // SAFETY: both APIs number attributes alike; the caller gives the attribute's value.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolSetAttribute(alike(memPool), alike(attr), out(value)?)
            .check()
    }
}

pub unsafe fn cudaMemPoolGetAttribute(
    memPool: cudaMemPool_t,
    attr: cudaMemPoolAttr,
    value: *mut c_void,
) -> Result {
    // SAFETY: both APIs number attributes alike; the caller gives a place for the attribute's value.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolGetAttribute(alike(memPool), alike(attr), out(value)?)
            .check()
    }
}

pub unsafe fn cudaMemPoolSetAccess(
    memPool: cudaMemPool_t,
    descList: *const cudaMemAccessDesc,
    count: usize,
) -> Result {
    let list = alike_ptr::<_, CUmemAccessDesc>(descList);
    // SAFETY: the caller gives `count` descriptions.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolSetAccess(alike(memPool), list, count)
            .check()
    }
}

pub unsafe fn cudaMemPoolGetAccess(
    flags: *mut cudaMemAccessFlags,
    memPool: cudaMemPool_t,
    location: *mut cudaMemLocation,
) -> Result {
    let flags = alike_mut::<_, CUmemAccess_flags>(out(flags)?);
    let location = alike_mut::<_, CUmemLocation>(out(location)?);
    // SAFETY: the caller gives a location and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolGetAccess(flags, alike(memPool), location)
            .check()
    }
}

pub unsafe fn cudaMemGetDefaultMemPool(
    memPool: *mut cudaMemPool_t,
    location: *mut cudaMemLocation,
    type_: cudaMemAllocationType,
) -> Result {
    // SAFETY: the caller gives a location and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemGetDefaultMemPool(
                alike_mut(out(memPool)?),
                alike_mut(out(location)?),
                alike(type_),
            )
            .check()
    }
}

pub unsafe fn cudaMemGetMemPool(
    memPool: *mut cudaMemPool_t,
    location: *mut cudaMemLocation,
    type_: cudaMemAllocationType,
) -> Result {
    // SAFETY: the caller gives a location and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemGetMemPool(
                alike_mut(out(memPool)?),
                alike_mut(out(location)?),
                alike(type_),
            )
            .check()
    }
}

pub unsafe fn cudaMemSetMemPool(
    location: *mut cudaMemLocation,
    type_: cudaMemAllocationType,
    memPool: cudaMemPool_t,
) -> Result {
    // SAFETY: the caller gives a location; the driver knows its pools.
    unsafe {
        runtime()?
            .driver
            .cuMemSetMemPool(alike_mut(out(location)?), alike(type_), alike(memPool))
            .check()
    }
}

pub unsafe fn cudaMemPoolExportToShareableHandle(
    shareableHandle: *mut c_void,
    memPool: cudaMemPool_t,
    handleType: cudaMemAllocationHandleType,
    flags: u32,
) -> Result {
    // SAFETY: the caller gives a place for a handle of this type.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolExportToShareableHandle(
                out(shareableHandle)?,
                alike(memPool),
                alike(handleType),
                u64::from(flags),
            )
            .check()
    }
}

pub unsafe fn cudaMemPoolImportFromShareableHandle(
    memPool: *mut cudaMemPool_t,
    shareableHandle: *mut c_void,
    handleType: cudaMemAllocationHandleType,
    flags: u32,
) -> Result {
    // SAFETY: the caller gives a handle of this type and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolImportFromShareableHandle(
                alike_mut(out(memPool)?),
                shareableHandle,
                alike(handleType),
                u64::from(flags),
            )
            .check()
    }
}

pub unsafe fn cudaMemPoolExportPointer(
    exportData: *mut cudaMemPoolPtrExportData,
    ptr: *mut c_void,
) -> Result {
    let data = alike_mut::<_, CUmemPoolPtrExportData>(out(exportData)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolExportPointer(data, device_pointer(ptr))
            .check()
    }
}

pub unsafe fn cudaMemPoolImportPointer(
    ptr: *mut *mut c_void,
    memPool: cudaMemPool_t,
    exportData: *mut cudaMemPoolPtrExportData,
) -> Result {
    let ptr = out(ptr)?;
    let data = alike_mut::<_, CUmemPoolPtrExportData>(out(exportData)?);
    let mut address = 0;
    // SAFETY: the caller gives data of an export and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuMemPoolImportPointer(&mut address, alike(memPool), data)
            .check()?;
        ptr.write(pointer(address));
    }
    Ok(())
}
