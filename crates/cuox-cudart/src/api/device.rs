//! Devices: which one, its limits and settings.

use core::ffi::{c_char, c_void};

use cuox_abi::{CUfunc_cache, CUlimit, CUsharedconfig};

use crate::api::convert::{alike, alike_mut, alike_ptr, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaAsyncCallback, cudaAsyncCallbackHandle_t, cudaAtomicOperation, cudaDeviceAttr,
    cudaDeviceMapHost, cudaError, cudaFlushGPUDirectRDMAWritesScope,
    cudaFlushGPUDirectRDMAWritesTarget, cudaFuncCache, cudaInitDeviceFlagsAreValid, cudaLimit,
    cudaSharedMemConfig,
};
use crate::runtime::{current, runtime};
use crate::thread;

pub unsafe fn cudaGetDeviceCount(count: *mut i32) -> Result {
    let count = out(count)?;
    let found = runtime();
    let number = found.as_ref().map_or(0, |runtime| runtime.devices.len());
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { count.write(i32::try_from(number).unwrap_or(i32::MAX)) };
    found.map(drop)
}

pub unsafe fn cudaGetDevice(device: *mut i32) -> Result {
    let device = out(device)?;
    let ordinal = runtime()?.current_ordinal()?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { device.write(ordinal) };
    Ok(())
}

pub unsafe fn cudaSetDevice(device: i32) -> Result {
    runtime()?.set_device(device)
}

pub unsafe fn cudaInitDevice(device: i32, deviceFlags: u32, flags: u32) -> Result {
    if flags & !cudaInitDeviceFlagsAreValid != 0 {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    if flags & cudaInitDeviceFlagsAreValid != 0 {
        // SAFETY: plain numbers.
        unsafe {
            runtime
                .driver
                .cuDevicePrimaryCtxSetFlags_v2(device.ordinal, deviceFlags & !cudaDeviceMapHost)
                .check()?;
        }
    }
    device.retain(runtime.driver).map(drop)
}

pub unsafe fn cudaSetValidDevices(device_arr: *mut i32, len: i32) -> Result {
    let runtime = runtime()?;
    let Ok(length @ 1..) = usize::try_from(len) else {
        return if len == 0 {
            thread::set_default_device(0);
            Ok(())
        } else {
            Err(cudaError::cudaErrorInvalidValue)
        };
    };
    let list = out(device_arr)?;
    // SAFETY: the caller gives `len` numbers.
    let list = unsafe { core::slice::from_raw_parts(list, length) };
    for device in list {
        runtime.device(*device)?;
    }
    // Every device has a context to give, so the first of the list is the one.
    thread::set_default_device(list[0]);
    Ok(())
}

/// Host memory can always be mapped, so the driver knows no flag for it any more.
pub unsafe fn cudaSetDeviceFlags(flags: u32) -> Result {
    let runtime = runtime()?;
    let device = runtime.current_device()?;
    // SAFETY: plain numbers.
    unsafe {
        runtime
            .driver
            .cuDevicePrimaryCtxSetFlags_v2(device.ordinal, flags & !cudaDeviceMapHost)
            .check()
    }
}

pub unsafe fn cudaGetDeviceFlags(flags: *mut u32) -> Result {
    let flags = out(flags)?;
    let runtime = runtime()?;
    let device = runtime.current_device()?;
    let (mut active, mut set) = (0, 0);
    // SAFETY: places for the results; the caller gives a pointer that may be written to.
    unsafe {
        runtime
            .driver
            .cuDevicePrimaryCtxGetState(device.ordinal, &mut set, &mut active)
            .check()?;
        // Host memory can always be mapped.
        flags.write(set | cudaDeviceMapHost);
    }
    Ok(())
}

pub unsafe fn cudaDeviceReset() -> Result {
    runtime()?.reset()
}

pub unsafe fn cudaDeviceSynchronize() -> Result {
    // SAFETY: a context is current.
    unsafe { current()?.driver.cuCtxSynchronize().check() }
}

pub unsafe fn cudaDeviceGetAttribute(value: *mut i32, attr: cudaDeviceAttr, device: i32) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: both APIs number attributes alike; the driver looks at the number and the pointer.
    unsafe {
        runtime
            .driver
            .cuDeviceGetAttribute(out(value)?, alike(attr), device.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceSetLimit(limit: cudaLimit, value: usize) -> Result {
    // SAFETY: both APIs number limits alike.
    unsafe {
        let limit: CUlimit = alike(limit);
        current()?.driver.cuCtxSetLimit(limit, value).check()
    }
}

pub unsafe fn cudaDeviceGetLimit(pValue: *mut usize, limit: cudaLimit) -> Result {
    // SAFETY: both APIs number limits alike; the caller gives a pointer that may be written to.
    unsafe {
        let limit: CUlimit = alike(limit);
        current()?.driver.cuCtxGetLimit(out(pValue)?, limit).check()
    }
}

pub unsafe fn cudaDeviceGetCacheConfig(pCacheConfig: *mut cudaFuncCache) -> Result {
    let config = alike_mut::<_, CUfunc_cache>(out(pCacheConfig)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { current()?.driver.cuCtxGetCacheConfig(config).check() }
}

pub unsafe fn cudaDeviceSetCacheConfig(cacheConfig: cudaFuncCache) -> Result {
    // SAFETY: both APIs number configurations alike.
    unsafe {
        let config: CUfunc_cache = alike(cacheConfig);
        current()?.driver.cuCtxSetCacheConfig(config).check()
    }
}

pub unsafe fn cudaDeviceGetSharedMemConfig(pConfig: *mut cudaSharedMemConfig) -> Result {
    let config = alike_mut::<_, CUsharedconfig>(out(pConfig)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { current()?.driver.cuCtxGetSharedMemConfig(config).check() }
}

pub unsafe fn cudaDeviceSetSharedMemConfig(config: cudaSharedMemConfig) -> Result {
    // SAFETY: both APIs number configurations alike.
    unsafe {
        let config: CUsharedconfig = alike(config);
        current()?.driver.cuCtxSetSharedMemConfig(config).check()
    }
}

pub unsafe fn cudaDeviceGetStreamPriorityRange(
    leastPriority: *mut i32,
    greatestPriority: *mut i32,
) -> Result {
    // SAFETY: both may be null.
    unsafe {
        current()?
            .driver
            .cuCtxGetStreamPriorityRange(leastPriority, greatestPriority)
            .check()
    }
}

pub unsafe fn cudaDeviceGetPCIBusId(pciBusId: *mut c_char, len: i32, device: i32) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the caller gives `len` bytes.
    unsafe {
        runtime
            .driver
            .cuDeviceGetPCIBusId(out(pciBusId)?, len, device.ordinal)
            .check()
    }
}

pub unsafe fn cudaDeviceGetByPCIBusId(device: *mut i32, pciBusId: *const c_char) -> Result {
    let device = out(device)?;
    if pciBusId.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    // SAFETY: the caller gives a C string and a pointer that may be written to.
    unsafe {
        runtime()?
            .driver
            .cuDeviceGetByPCIBusId(device, pciBusId)
            .check()
    }
}

pub unsafe fn cudaDeviceGetHostAtomicCapabilities(
    capabilities: *mut u32,
    operations: *const cudaAtomicOperation,
    count: u32,
    device: i32,
) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the caller gives `count` elements at both.
    unsafe {
        runtime
            .driver
            .cuDeviceGetHostAtomicCapabilities(
                out(capabilities)?,
                alike_ptr(operations),
                count,
                device.ordinal,
            )
            .check()
    }
}

pub unsafe fn cudaDeviceFlushGPUDirectRDMAWrites(
    target: cudaFlushGPUDirectRDMAWritesTarget,
    scope: cudaFlushGPUDirectRDMAWritesScope,
) -> Result {
    // SAFETY: both APIs number these alike.
    unsafe {
        current()?
            .driver
            .cuFlushGPUDirectRDMAWrites(alike(target), alike(scope))
            .check()
    }
}

pub unsafe fn cudaDeviceRegisterAsyncNotification(
    device: i32,
    callbackFunc: cudaAsyncCallback,
    userData: *mut c_void,
    callback: *mut cudaAsyncCallbackHandle_t,
) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the callbacks of both APIs get values of the same layout.
    unsafe {
        runtime
            .driver
            .cuDeviceRegisterAsyncNotification(
                device.ordinal,
                alike(callbackFunc),
                userData,
                alike_mut(out(callback)?),
            )
            .check()
    }
}

pub unsafe fn cudaDeviceUnregisterAsyncNotification(
    device: i32,
    callback: cudaAsyncCallbackHandle_t,
) -> Result {
    let runtime = runtime()?;
    let device = runtime.device(device)?;
    // SAFETY: the handle is the driver's own.
    unsafe {
        runtime
            .driver
            .cuDeviceUnregisterAsyncNotification(device.ordinal, alike(callback))
            .check()
    }
}

pub unsafe fn cudaCtxResetPersistingL2Cache() -> Result {
    // SAFETY: a context is current.
    unsafe { current()?.driver.cuCtxResetPersistingL2Cache().check() }
}
