//! Kernels: their attributes, and the handles by which the driver knows them.

use core::ffi::{c_char, c_void};

use cuox_abi::{CUfunc_cache, CUfunction_attribute as A, CUkernel};

use crate::api::convert::{alike, alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{
    cudaError, cudaFuncAttribute, cudaFuncAttributes, cudaFuncCache, cudaFunction_t, cudaKernel_t,
    cudaSharedMemConfig,
};
use crate::registration::{kernel, know_kernel};
use crate::runtime::{Runtime, current};

/// The runtime with a context, the kernel, and the number of the current device.
fn ready(function: *const c_void) -> Result<(&'static Runtime, CUkernel, i32)> {
    let runtime = current()?;
    let kernel = kernel(function)?;
    Ok((runtime, kernel, runtime.current_device()?.ordinal))
}

pub unsafe fn cudaFuncGetAttributes(attr: *mut cudaFuncAttributes, func: *const c_void) -> Result {
    let attr = out(attr)?;
    let (runtime, kernel, device) = ready(func)?;
    let value = |attribute: A| -> Result<i32> {
        let mut value = 0;
        // SAFETY: the function writes to `value`; the kernel is alive.
        unsafe {
            runtime
                .driver
                .cuKernelGetAttribute(&mut value, attribute, kernel, device)
                .check()?;
        }
        Ok(value)
    };
    let bytes =
        |attribute: A| -> Result<usize> { Ok(usize::try_from(value(attribute)?).unwrap_or(0)) };
    let found = cudaFuncAttributes {
        sharedSizeBytes: bytes(A::CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES)?,
        constSizeBytes: bytes(A::CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES)?,
        localSizeBytes: bytes(A::CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES)?,
        maxThreadsPerBlock: value(A::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
        numRegs: value(A::CU_FUNC_ATTRIBUTE_NUM_REGS)?,
        ptxVersion: value(A::CU_FUNC_ATTRIBUTE_PTX_VERSION)?,
        binaryVersion: value(A::CU_FUNC_ATTRIBUTE_BINARY_VERSION)?,
        cacheModeCA: value(A::CU_FUNC_ATTRIBUTE_CACHE_MODE_CA)?,
        maxDynamicSharedSizeBytes: value(A::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)?,
        preferredShmemCarveout: value(A::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT)?,
        clusterDimMustBeSet: value(A::CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET)?,
        requiredClusterWidth: value(A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)?,
        requiredClusterHeight: value(A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT)?,
        requiredClusterDepth: value(A::CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH)?,
        clusterSchedulingPolicyPreference: value(
            A::CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE,
        )?,
        nonPortableClusterSizeAllowed: value(
            A::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
        )?,
        ..Default::default()
    };
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { attr.write(found) };
    Ok(())
}

pub unsafe fn cudaFuncSetAttribute(
    func: *const c_void,
    attr: cudaFuncAttribute,
    value: i32,
) -> Result {
    let (runtime, kernel, device) = ready(func)?;
    // SAFETY: both APIs number attributes alike; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuKernelSetAttribute(alike(attr), value, kernel, device)
            .check()
    }
}

pub unsafe fn cudaKernelSetAttributeForDevice(
    kernel: cudaKernel_t,
    attr: cudaFuncAttribute,
    value: i32,
    device: i32,
) -> Result {
    let runtime = current()?;
    let device = runtime.device(device)?;
    let kernel = self::kernel(kernel.0)?;
    // SAFETY: both APIs number attributes alike; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuKernelSetAttribute(alike(attr), value, kernel, device.ordinal)
            .check()
    }
}

pub unsafe fn cudaFuncSetCacheConfig(func: *const c_void, cacheConfig: cudaFuncCache) -> Result {
    let (runtime, kernel, device) = ready(func)?;
    // SAFETY: both APIs number configurations alike; the kernel is alive.
    unsafe {
        let config: CUfunc_cache = alike(cacheConfig);
        runtime
            .driver
            .cuKernelSetCacheConfig(kernel, config, device)
            .check()
    }
}

/// Banks of shared memory have had one width since Maxwell, so there is nothing to set.
pub unsafe fn cudaFuncSetSharedMemConfig(
    func: *const c_void,
    config: cudaSharedMemConfig,
) -> Result {
    if config.name().is_none() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    ready(func).map(drop)
}

pub unsafe fn cudaFuncGetName(name: *mut *const c_char, func: *const c_void) -> Result {
    let name = out(name)?;
    if let Some(function) = crate::registration::function(func) {
        // SAFETY: the caller gives a pointer that may be written to; records stay.
        unsafe { name.write(function.name().as_ptr()) };
        return Ok(());
    }
    let (runtime, kernel, _) = ready(func)?;
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { runtime.driver.cuKernelGetName(name, kernel).check() }
}

pub unsafe fn cudaFuncGetParamInfo(
    func: *const c_void,
    paramIndex: usize,
    paramOffset: *mut usize,
    paramSize: *mut usize,
) -> Result {
    let (runtime, kernel, _) = ready(func)?;
    // SAFETY: the caller gives pointers that may be written to; the size's may be null.
    unsafe {
        runtime
            .driver
            .cuKernelGetParamInfo(kernel, paramIndex, out(paramOffset)?, paramSize)
            .check()
    }
}

pub unsafe fn cudaGetKernel(kernelPtr: *mut cudaKernel_t, entryFuncAddr: *const c_void) -> Result {
    let kernelPtr = out(kernelPtr)?;
    let kernel = kernel(entryFuncAddr)?;
    know_kernel(kernel);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { kernelPtr.write(cudaKernel_t(kernel.0)) };
    Ok(())
}

pub unsafe fn cudaGetFuncBySymbol(
    functionPtr: *mut cudaFunction_t,
    symbolPtr: *const c_void,
) -> Result {
    let function = alike_mut(out(functionPtr)?);
    let (runtime, kernel, _) = ready(symbolPtr)?;
    // SAFETY: the caller gives a pointer that may be written to; a context is current.
    unsafe { runtime.driver.cuKernelGetFunction(function, kernel).check() }
}
