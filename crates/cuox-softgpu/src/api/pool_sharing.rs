//! Pools of other processes, and their allocations.

use crate::api::pool::{DESCRIPTOR, named};
use crate::api::{driver_functions, put};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, OUT_OF_MEMORY, Res};
use crate::ipc::pool::SharedPool;
use crate::memory::pool::Pool;
use crate::memory::{Kind, Owner};
use crate::{current, driver, fault};
use core::ffi::c_void;
use cuox_abi::{
    CUdeviceptr, CUmemAllocationHandleType, CUmemLocation, CUmemLocationType,
    CUmemPoolPtrExportData, CUmemoryPool,
};

/// The file that stands for a pool.
fn shared(pool: &Pool) -> Res<&SharedPool> {
    if pool.shared.get().is_none() {
        // Somebody else may have been faster, whose file is the pool's then.
        let _ = pool
            .shared
            .set(SharedPool::new(pool.device, pool.kind.is_host())?);
    }
    pool.shared.get().ok_or(OUT_OF_MEMORY)
}

driver_functions! {
    fn cuMemPoolExportToShareableHandle(handle_out: *mut c_void, pool: CUmemoryPool, handleType: CUmemAllocationHandleType, flags: u64) {
        let driver = driver::get()?;
        let pool = named(driver, pool)?;
        if handle_out.is_null() || flags != 0 || handleType != DESCRIPTOR {
            return Err(INVALID_VALUE);
        }
        if pool.handle_types != DESCRIPTOR.0 {
            fault::explain("the pool was made without handles of file descriptors (CUmemPoolProps.handleTypes)".into());
            return Err(INVALID_VALUE);
        }
        put(handle_out.cast(), shared(&pool)?.descriptor()?)
    }

    fn cuMemPoolImportFromShareableHandle(pool_out: *mut CUmemoryPool, handle: *mut c_void, handleType: CUmemAllocationHandleType, flags: u64) {
        let driver = driver::get()?;
        if pool_out.is_null() || flags != 0 || handleType != DESCRIPTOR {
            return Err(INVALID_VALUE);
        }
        let descriptor = i32::try_from(handle.addr()).map_err(|_| INVALID_VALUE)?;
        let (shared, device, is_host) = SharedPool::of_descriptor(descriptor)?;
        // The other process may see other devices.
        let device = device.min(driver.devices.len() - 1);
        let (kind, type_) = match is_host {
            true => (Kind::PooledHost, CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA),
            false => (Kind::Pooled, CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE),
        };
        // The host has one node.
        let id = if is_host { 0 } else { device as i32 };
        let make = |handle| Pool::new(handle, device, kind, CUmemLocation { type_, id }).imported(shared);
        let made = driver.pools.insert(make);
        put(pool_out, CUmemoryPool::from_addr(made.ok_or(OUT_OF_MEMORY)?.handle as usize))
    }

    fn cuMemPoolExportPointer(shareData_out: *mut CUmemPoolPtrExportData, ptr: CUdeviceptr) {
        let driver = driver::get()?;
        let found = driver.memory.find(ptr).filter(|a| a.start == ptr).ok_or(INVALID_VALUE)?;
        let pool = driver.pools.get(found.pool).ok_or(INVALID_VALUE)?;
        if shareData_out.is_null() || found.kind == Kind::Imported || pool.handle_types != DESCRIPTOR.0 {
            return Err(INVALID_VALUE);
        }
        let reserved = shared(&pool)?.marked(driver.memory.export(ptr)?);
        put(shareData_out, CUmemPoolPtrExportData { reserved })
    }

    fn cuMemPoolImportPointer(ptr_out: *mut CUdeviceptr, pool: CUmemoryPool, shareData: *mut CUmemPoolPtrExportData) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        let pool = named(driver, pool)?;
        let data = shareData.as_ref().ok_or(INVALID_VALUE)?;
        if ptr_out.is_null() || !pool.is_imported {
            return Err(INVALID_VALUE);
        }
        let owner = Owner { device: pool.device, ..now.state.owner() };
        let bytes = shared(&pool)?.marked(data.reserved);
        let opened = driver.memory.open_import(&bytes, owner, pool.handle);
        let at = opened.map_err(|code| match code {
            INVALID_HANDLE => {
                fault::explain("the allocation has been freed, or is of another pool".into());
                INVALID_VALUE
            }
            code => code,
        })?;
        put(ptr_out, at)
    }
}
