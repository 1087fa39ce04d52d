//! Memory and semaphores of other interfaces, such as Vulkan.

use core::ffi::c_void;

use cuox_abi::{
    CUDA_ARRAY3D_DESCRIPTOR, CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC, CUexternalMemory,
    CUexternalSemaphore,
};

use crate::api::array::format;
use crate::api::convert::{alike_mut, alike_ptr, out, pointer};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaExternalMemory_t, cudaExternalMemoryBufferDesc, cudaExternalMemoryHandleDesc,
    cudaExternalMemoryMipmappedArrayDesc, cudaExternalSemaphore_t, cudaExternalSemaphoreHandleDesc,
    cudaExternalSemaphoreSignalParams, cudaExternalSemaphoreWaitParams, cudaMipmappedArray_t,
    cudaStream_t,
};
use crate::runtime::{current, runtime};
use crate::thread::stream;

/// A pointer that is read, unless it is null.
fn given<T>(pointer: *const T) -> Result<*const T> {
    out(pointer.cast_mut()).map(<*mut T>::cast_const)
}

pub unsafe fn cudaImportExternalMemory(
    extMem_out: *mut cudaExternalMemory_t,
    memHandleDesc: *const cudaExternalMemoryHandleDesc,
) -> Result {
    let (memory, desc) = (
        alike_mut(out(extMem_out)?),
        alike_ptr(given(memHandleDesc)?),
    );
    // SAFETY: both APIs describe handles alike; the function writes a handle, a pointer as ours, to `memory`.
    unsafe { current()?.driver.cuImportExternalMemory(memory, desc) }.check()
}

pub unsafe fn cudaExternalMemoryGetMappedBuffer(
    devPtr: *mut *mut c_void,
    extMem: cudaExternalMemory_t,
    bufferDesc: *const cudaExternalMemoryBufferDesc,
) -> Result {
    let (devPtr, desc) = (out(devPtr)?, alike_ptr(given(bufferDesc)?));
    let (memory, mut address) = (CUexternalMemory(extMem.0), 0);
    // SAFETY: both APIs describe buffers alike; the driver checks the handle; the caller gives a pointer that may be
    // written to.
    unsafe {
        current()?
            .driver
            .cuExternalMemoryGetMappedBuffer(&mut address, memory, desc)
            .check()?;
        devPtr.write(pointer(address));
    }
    Ok(())
}

pub unsafe fn cudaExternalMemoryGetMappedMipmappedArray(
    mipmap: *mut cudaMipmappedArray_t,
    extMem: cudaExternalMemory_t,
    mipmapDesc: *const cudaExternalMemoryMipmappedArrayDesc,
) -> Result {
    let mipmap = alike_mut(out(mipmap)?);
    // SAFETY: the caller gives null or a description.
    let desc = unsafe { mipmapDesc.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let (Format, NumChannels) = format(&desc.formatDesc)?;
    // The flags of both APIs are the same bits.
    let asked = CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC {
        offset: desc.offset,
        arrayDesc: CUDA_ARRAY3D_DESCRIPTOR {
            Width: desc.extent.width,
            Height: desc.extent.height,
            Depth: desc.extent.depth,
            Format,
            NumChannels,
            Flags: desc.flags,
        },
        numLevels: desc.numLevels,
        ..Default::default()
    };
    let memory = CUexternalMemory(extMem.0);
    // SAFETY: the driver checks the handle; the function writes a handle, a pointer as ours, to `mipmap`.
    unsafe {
        current()?
            .driver
            .cuExternalMemoryGetMappedMipmappedArray(mipmap, memory, &asked)
            .check()
    }
}

pub unsafe fn cudaDestroyExternalMemory(extMem: cudaExternalMemory_t) -> Result {
    let memory = CUexternalMemory(extMem.0);
    // SAFETY: the driver checks the handle.
    unsafe { current()?.driver.cuDestroyExternalMemory(memory).check() }
}

pub unsafe fn cudaImportExternalSemaphore(
    extSem_out: *mut cudaExternalSemaphore_t,
    semHandleDesc: *const cudaExternalSemaphoreHandleDesc,
) -> Result {
    let (semaphore, desc) = (
        alike_mut(out(extSem_out)?),
        alike_ptr(given(semHandleDesc)?),
    );
    // SAFETY: both APIs describe handles alike; the function writes a handle, a pointer as ours, to `semaphore`.
    unsafe { current()?.driver.cuImportExternalSemaphore(semaphore, desc) }.check()
}

pub unsafe fn cudaSignalExternalSemaphoresAsync(
    extSemArray: *const cudaExternalSemaphore_t,
    paramsArray: *const cudaExternalSemaphoreSignalParams,
    numExtSems: u32,
    stream: cudaStream_t,
) -> Result {
    let (semaphores, params) = (
        alike_ptr(given(extSemArray)?),
        alike_ptr(given(paramsArray)?),
    );
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of this length, of records that both APIs lay out alike.
    unsafe {
        current()?
            .driver
            .cuSignalExternalSemaphoresAsync(semaphores, params, numExtSems, on)
            .check()
    }
}

pub unsafe fn cudaWaitExternalSemaphoresAsync(
    extSemArray: *const cudaExternalSemaphore_t,
    paramsArray: *const cudaExternalSemaphoreWaitParams,
    numExtSems: u32,
    stream: cudaStream_t,
) -> Result {
    let (semaphores, params) = (
        alike_ptr(given(extSemArray)?),
        alike_ptr(given(paramsArray)?),
    );
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of this length, of records that both APIs lay out alike.
    unsafe {
        current()?
            .driver
            .cuWaitExternalSemaphoresAsync(semaphores, params, numExtSems, on)
            .check()
    }
}

pub unsafe fn cudaDestroyExternalSemaphore(extSem: cudaExternalSemaphore_t) -> Result {
    let semaphore = CUexternalSemaphore(extSem.0);
    // SAFETY: the driver checks the handle.
    unsafe {
        current()?
            .driver
            .cuDestroyExternalSemaphore(semaphore)
            .check()
    }
}

pub unsafe fn cudaDeviceGetNvSciSyncAttributes(
    nvSciSyncAttrList: *mut c_void,
    device: i32,
    flags: i32,
) -> Result {
    let (list, runtime) = (out(nvSciSyncAttrList)?, runtime()?);
    let device = runtime.device(device)?.ordinal;
    // SAFETY: the caller gives a list of NvSciSync's, which the driver fills.
    unsafe {
        runtime
            .driver
            .cuDeviceGetNvSciSyncAttributes(list, device, flags)
            .check()
    }
}
