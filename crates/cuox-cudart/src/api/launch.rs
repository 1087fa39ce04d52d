//! Launches.

use core::ffi::c_void;

use cuox_abi::{CUfunction, CUkernel, CUlaunchAttribute, CUlaunchConfig, CUresult, CUstream};

use crate::api::convert::alike_mut;
use crate::error::{Check as _, Result, from_driver};
use crate::generated::{cudaError, cudaLaunchConfig_t, cudaStream_t, dim3};
use crate::registration;
use crate::runtime::{Runtime, current, launching};
use crate::thread::stream;

const _: () = assert!(
    size_of::<CUlaunchAttribute>() == size_of::<crate::generated::cudaLaunchAttribute>()
        && align_of::<CUlaunchAttribute>() == align_of::<crate::generated::cudaLaunchAttribute>()
);

/// The driver launches kernels of libraries by their own handle.
pub fn as_function(kernel: CUkernel) -> CUfunction {
    CUfunction(kernel.0)
}

/// Launches the kernel of a host function, or of a handle.
#[inline]
pub unsafe fn launch_kernel(
    function: *const c_void,
    grid: dim3,
    block: dim3,
    args: *mut *mut c_void,
    shared: usize,
    on: cudaStream_t,
) -> Result {
    let runtime = launching()?;
    let kernel = as_function(registration::kernel(function)?);
    let Ok(shared) = u32::try_from(shared) else {
        return Err(cudaError::cudaErrorInvalidValue);
    };
    let on = stream(on);
    // SAFETY: the caller gives a pointer for each parameter.
    let launch = |runtime: &Runtime| unsafe {
        runtime.driver.cuLaunchKernel(
            kernel,
            grid.x,
            grid.y,
            grid.z,
            block.x,
            block.y,
            block.z,
            shared,
            on,
            args,
            core::ptr::null_mut(),
        )
    };
    let result = launch(runtime);
    if result == CUresult::CUDA_SUCCESS {
        return Ok(());
    }
    settle(result, launch)
}

/// The answer after the driver refused a launch: another try with a context, if that was missing; else the driver's
/// code. So a grid or block that the device does not have is an invalid value, as it is for NVIDIA's runtime of CUDA
/// 13.
#[cold]
fn settle(result: CUresult, launch: impl Fn(&Runtime) -> CUresult) -> Result {
    let runtime = current()?;
    match result {
        CUresult::CUDA_ERROR_INVALID_CONTEXT => launch(runtime).check(),
        other => Err(from_driver(other)),
    }
}

pub unsafe fn cudaLaunchKernel(
    func: *const c_void,
    gridDim: dim3,
    blockDim: dim3,
    args: *mut *mut c_void,
    sharedMem: usize,
    stream: cudaStream_t,
) -> Result {
    // SAFETY: as here.
    unsafe { launch_kernel(func, gridDim, blockDim, args, sharedMem, stream) }
}

pub unsafe fn cudaLaunchCooperativeKernel(
    func: *const c_void,
    gridDim: dim3,
    blockDim: dim3,
    args: *mut *mut c_void,
    sharedMem: usize,
    stream: cudaStream_t,
) -> Result {
    let runtime = current()?;
    let kernel = as_function(registration::kernel(func)?);
    let Ok(shared) = u32::try_from(sharedMem) else {
        return Err(cudaError::cudaErrorInvalidValue);
    };
    let on = self::stream(stream);
    // SAFETY: the caller gives a pointer for each parameter.
    let launch = |runtime: &Runtime| unsafe {
        runtime.driver.cuLaunchCooperativeKernel(
            kernel, gridDim.x, gridDim.y, gridDim.z, blockDim.x, blockDim.y, blockDim.z, shared,
            on, args,
        )
    };
    match launch(runtime) {
        CUresult::CUDA_SUCCESS => Ok(()),
        result => settle(result, launch),
    }
}

/// The driver's configuration for the runtime's.
pub fn launch_config(config: &cudaLaunchConfig_t, on: CUstream) -> Result<CUlaunchConfig> {
    Ok(CUlaunchConfig {
        gridDimX: config.gridDim.x,
        gridDimY: config.gridDim.y,
        gridDimZ: config.gridDim.z,
        blockDimX: config.blockDim.x,
        blockDimY: config.blockDim.y,
        blockDimZ: config.blockDim.z,
        sharedMemBytes: u32::try_from(config.dynamicSmemBytes)
            .map_err(|_| cudaError::cudaErrorInvalidValue)?,
        hStream: on,
        // Both APIs have the same attributes.
        attrs: alike_mut(config.attrs),
        numAttrs: config.numAttrs,
    })
}

pub unsafe fn cudaLaunchKernelExC(
    config: *const cudaLaunchConfig_t,
    func: *const c_void,
    args: *mut *mut c_void,
) -> Result {
    // SAFETY: the caller gives null or a configuration.
    let Some(config) = (unsafe { config.as_ref() }) else {
        return Err(cudaError::cudaErrorInvalidValue);
    };
    let runtime = launching()?;
    let kernel = as_function(registration::kernel(func)?);
    let driver_config = launch_config(config, stream(config.stream))?;
    // SAFETY: the caller gives a pointer for each parameter.
    let launch = |runtime: &Runtime| unsafe {
        runtime
            .driver
            .cuLaunchKernelEx(&driver_config, kernel, args, core::ptr::null_mut())
    };
    match launch(runtime) {
        CUresult::CUDA_SUCCESS => Ok(()),
        result => settle(result, launch),
    }
}
