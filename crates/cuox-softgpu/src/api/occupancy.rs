//! Occupancy: the number of blocks that a multiprocessor would hold.

use crate::api::function::named;
use crate::api::launch::cluster_of;
use crate::api::{driver_functions, put};
use crate::code::{INVALID_VALUE, Res};
use crate::loading::module::Function;
use crate::{current, device, driver};
use cuox_abi::{CUfunction, CUlaunchConfig, CUoccupancyB2DSize};

fn active_blocks(function: &Function, threads: i32, dynamic: usize) -> Res<u32> {
    let threads = u32::try_from(threads)
        .ok()
        .filter(|&n| n > 0)
        .ok_or(INVALID_VALUE)?;
    let dynamic = u32::try_from(dynamic).map_err(|_| INVALID_VALUE)?;
    if threads > function.info.max_threads {
        return Ok(0);
    }
    let shared = function.info.static_shared.saturating_add(dynamic);
    Ok(device::blocks_per_multiprocessor(
        threads,
        shared,
        function.info.registers,
    ))
}

/// The number of multiprocessors that a grid of the current context runs on.
fn multiprocessors() -> Res<u32> {
    Ok(current::multiprocessors(driver::get()?))
}

fn check_flags(flags: u32) -> Res {
    if flags > 1 {
        Err(INVALID_VALUE)
    } else {
        Ok(())
    }
}

/// The block size with the most resident threads, the largest of equals, and the grid that fills the device.
///
/// # Safety
/// `size_of` is a function that the program gave for this use.
unsafe fn potential(
    function: &Function,
    size_of: CUoccupancyB2DSize,
    fixed: usize,
    limit: i32,
) -> Res<(i32, i32)> {
    let most = match u32::try_from(limit) {
        Ok(0) => function.info.max_threads,
        Ok(n) => n.min(function.info.max_threads),
        Err(_) => return Err(INVALID_VALUE),
    };
    let mut best = (0, 0, 0);
    let mut threads = most;
    while threads > 0 {
        let dynamic = match size_of {
            // SAFETY: `f` is a function of the program's that takes a block size, by this function's contract.
            Some(f) => unsafe { f(threads as i32) },
            None => fixed,
        };
        let blocks = active_blocks(function, threads as i32, dynamic)?;
        if blocks * threads > best.0 {
            best = (blocks * threads, threads, blocks);
        }
        // From the limit down over whole warps.
        threads = if threads % device::WARP == 0 {
            threads - device::WARP
        } else {
            threads / device::WARP * device::WARP
        };
    }
    Ok(((best.2 * multiprocessors()?) as i32, best.1 as i32))
}

/// Blocks of the configuration's shape that a multiprocessor would hold.
fn active_for(function: &Function, config: &CUlaunchConfig) -> Res<u32> {
    let sides = [config.blockDimX, config.blockDimY, config.blockDimZ];
    let threads = sides.iter().fold(1u32, |n, &side| n.saturating_mul(side));
    let threads = i32::try_from(threads).map_err(|_| INVALID_VALUE)?;
    active_blocks(function, threads, config.sharedMemBytes as usize)
}

driver_functions! {
    fn cuOccupancyMaxActiveClusters(numClusters: *mut i32, func: CUfunction, config: *const CUlaunchConfig) {
        let function = named(func)?;
        let config = config.as_ref().ok_or(INVALID_VALUE)?;
        if cluster_of(&function, config)?.is_none() {
            return put(numClusters, 0);
        }
        // One worker runs all blocks of a cluster.
        put(numClusters, (active_for(&function, config)?.min(1) * multiprocessors()?) as i32)
    }

    fn cuOccupancyMaxPotentialClusterSize(clusterSize: *mut i32, func: CUfunction, config: *const CUlaunchConfig) {
        let function = named(func)?;
        let config = config.as_ref().ok_or(INVALID_VALUE)?;
        cluster_of(&function, config)?;
        match active_for(&function, config)? {
            0 => put(clusterSize, 0),
            _ => put(clusterSize, function.device_cluster() as i32),
        }
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(numBlocks: *mut i32, func: CUfunction, blockSize: i32, dynamicSMemSize: usize) {
        put(numBlocks, active_blocks(&*named(func)?, blockSize, dynamicSMemSize)? as i32)
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(numBlocks: *mut i32, func: CUfunction, blockSize: i32, dynamicSMemSize: usize, flags: u32) {
        check_flags(flags)?;
        put(numBlocks, active_blocks(&*named(func)?, blockSize, dynamicSMemSize)? as i32)
    }

    fn cuOccupancyMaxPotentialBlockSize(minGridSize: *mut i32, blockSize: *mut i32, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: i32) {
        let (grid, block) = potential(&*named(func)?, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit)?;
        put(minGridSize, grid)?;
        put(blockSize, block)
    }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(minGridSize: *mut i32, blockSize: *mut i32, func: CUfunction, blockSizeToDynamicSMemSize: CUoccupancyB2DSize, dynamicSMemSize: usize, blockSizeLimit: i32, flags: u32) {
        check_flags(flags)?;
        let (grid, block) = potential(&*named(func)?, blockSizeToDynamicSMemSize, dynamicSMemSize, blockSizeLimit)?;
        put(minGridSize, grid)?;
        put(blockSize, block)
    }

    fn cuOccupancyAvailableDynamicSMemPerBlock(dynamicSmemSize: *mut usize, func: CUfunction, numBlocks: i32, blockSize: i32) {
        let function = named(func)?;
        let wanted = u32::try_from(numBlocks).ok().filter(|&n| n > 0).ok_or(INVALID_VALUE)?;
        // Whole kibibytes, from what the function may have downwards.
        let most = function.max_dynamic_shared() / 1024;
        for kib in (0..=most).rev() {
            if active_blocks(&function, blockSize, kib as usize * 1024)? >= wanted {
                return put(dynamicSmemSize, kib as usize * 1024);
            }
        }
        Err(INVALID_VALUE)
    }
}
