//! Occupancy.

use core::ffi::c_void;

use crate::api::convert::out;
use crate::api::launch::{as_function, launch_config};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaLaunchConfig_t, cudaOccupancyDefault};
use crate::registration::kernel;
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    numBlocks: *mut i32,
    func: *const c_void,
    blockSize: i32,
    dynamicSMemSize: usize,
) -> Result {
    // SAFETY: as here.
    unsafe {
        cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
            numBlocks,
            func,
            blockSize,
            dynamicSMemSize,
            cudaOccupancyDefault,
        )
    }
}

pub unsafe fn cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    numBlocks: *mut i32,
    func: *const c_void,
    blockSize: i32,
    dynamicSMemSize: usize,
    flags: u32,
) -> Result {
    let numBlocks = out(numBlocks)?;
    let runtime = current()?;
    let function = as_function(kernel(func)?);
    // SAFETY: the caller gives a pointer that may be written to; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                numBlocks,
                function,
                blockSize,
                dynamicSMemSize,
                flags,
            )
            .check()
    }
}

pub unsafe fn cudaOccupancyAvailableDynamicSMemPerBlock(
    dynamicSmemSize: *mut usize,
    func: *const c_void,
    numBlocks: i32,
    blockSize: i32,
) -> Result {
    let dynamicSmemSize = out(dynamicSmemSize)?;
    let runtime = current()?;
    let function = as_function(kernel(func)?);
    // SAFETY: the caller gives a pointer that may be written to; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuOccupancyAvailableDynamicSMemPerBlock(
                dynamicSmemSize,
                function,
                numBlocks,
                blockSize,
            )
            .check()
    }
}

pub unsafe fn cudaOccupancyMaxPotentialClusterSize(
    clusterSize: *mut i32,
    func: *const c_void,
    launchConfig: *const cudaLaunchConfig_t,
) -> Result {
    let clusterSize = out(clusterSize)?;
    // SAFETY: the caller gives null or a configuration.
    let config = unsafe { launchConfig.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let runtime = current()?;
    let function = as_function(kernel(func)?);
    let config = launch_config(config, stream(config.stream))?;
    // SAFETY: the caller gives a pointer that may be written to; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuOccupancyMaxPotentialClusterSize(clusterSize, function, &config)
            .check()
    }
}

pub unsafe fn cudaOccupancyMaxActiveClusters(
    numClusters: *mut i32,
    func: *const c_void,
    launchConfig: *const cudaLaunchConfig_t,
) -> Result {
    let numClusters = out(numClusters)?;
    // SAFETY: the caller gives null or a configuration.
    let config = unsafe { launchConfig.as_ref() }.ok_or(cudaError::cudaErrorInvalidValue)?;
    let runtime = current()?;
    let function = as_function(kernel(func)?);
    let config = launch_config(config, stream(config.stream))?;
    // SAFETY: the caller gives a pointer that may be written to; the kernel is alive.
    unsafe {
        runtime
            .driver
            .cuOccupancyMaxActiveClusters(numClusters, function, &config)
            .check()
    }
}
