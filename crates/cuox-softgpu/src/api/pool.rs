//! Memory pools and stream-ordered allocation.

use crate::api::{driver_functions, graph_node, put};
use crate::code::{
    INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Res,
};
use crate::current;
use crate::driver::{self, Device, Driver};
use crate::graphs::capture;
use crate::graphs::memory::InFlight;
use crate::graphs::node::NodeWork;
use crate::memory::pool::{self, Pool};
use crate::memory::{Kind, Owner, Request};
use crate::streams::stream_op::StreamOp;
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use cuox_abi::{
    CUdevice, CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationHandleType,
    CUmemAllocationType, CUmemLocation, CUmemLocationType, CUmemPool_attribute as A,
    CUmemPoolProps, CUmemoryPool, CUstream,
};
use std::sync::Arc;

const NO_ACCESS: CUmemAccess_flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
const READ_WRITE: CUmemAccess_flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;

fn named(driver: &Driver, pool: CUmemoryPool) -> Res<Arc<Pool>> {
    driver.pools.get(pool.addr() as u64).ok_or(INVALID_HANDLE)
}

fn current(driver: &Driver, device: &Device) -> u64 {
    match device.current_pool.load(Ordering::Acquire) {
        0 => device.default_pool,
        chosen if driver.pools.get(chosen).is_some() => chosen,
        _ => device.default_pool,
    }
}

fn allocate(len: usize, pool: Option<CUmemoryPool>, stream: CUstream) -> Res<u64> {
    let driver = driver::get()?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    if stream.is_capturing() {
        return graph_node::record_allocation(driver, &stream, len as u64);
    }
    // Unlike `cuMemAlloc`, a GPU's driver gives no memory for no bytes.
    if len == 0 && pool.is_none() {
        return Ok(0);
    }
    let pool = match pool {
        Some(pool) => named(driver, pool)?,
        None => {
            let device = &driver.devices[stream.context.device];
            let pool = current(driver, device);
            driver.pools.get(pool).ok_or(INVALID_HANDLE)?
        }
    };
    // A pool may be of another device than the stream.
    let owner = Owner {
        device: pool.device,
        ..stream.context.owner()
    };
    let mut request = Request::new(len as u64, Kind::Pooled, owner);
    request.pool = pool.handle;
    let made = match driver.memory.allocate(request) {
        Err(OUT_OF_MEMORY) if !stream.context.idle() => {
            // Frees may be on their way.
            stream.context.wait();
            driver.memory.allocate(request)?
        }
        other => other?,
    };
    pool.add(made.len);
    Ok(made.start)
}

/// The device that a location is.
fn located<'a>(driver: &'a Driver, location: &CUmemLocation) -> Option<&'a Device> {
    let on_device = location.type_ == CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE;
    driver.device(location.id).ok().filter(|_| on_device)
}

driver_functions! {
    fn cuMemAllocAsync(dptr: *mut CUdeviceptr, bytesize: usize, hStream: CUstream) {
        if dptr.is_null() {
            return Err(INVALID_VALUE);
        }
        put(dptr, allocate(bytesize, None, hStream)?)
    }

    fn cuMemAllocFromPoolAsync(dptr: *mut CUdeviceptr, bytesize: usize, pool: CUmemoryPool, hStream: CUstream) {
        if dptr.is_null() {
            return Err(INVALID_VALUE);
        }
        put(dptr, allocate(bytesize, Some(pool), hStream)?)
    }

    fn cuMemFreeAsync(dptr: CUdeviceptr, hStream: CUstream) {
        let driver = driver::get()?;
        let stream = current::stream(driver, hStream.addr() as u64)?;
        stream.context.sticky.check()?;
        if dptr == 0 {
            return Ok(());
        }
        let found = driver.memory.find(dptr).filter(|a| a.start == dptr).ok_or(INVALID_VALUE)?;
        if stream.is_capturing() {
            return capture::add(&stream, NodeWork::Free(dptr)).map(drop);
        }
        if found.kind == Kind::Graph {
            return capture::submit(&stream, StreamOp::FreeOfGraph(dptr, InFlight::begin())).map(drop);
        }
        if !matches!(found.kind, Kind::Device | Kind::Pooled) || !found.doom() {
            return Err(INVALID_VALUE);
        }
        if stream.clear() {
            return pool::free(&driver.memory, &driver.pools, dptr, |a| a.id == found.id);
        }
        capture::submit(&stream, StreamOp::Free(dptr, &driver.memory, &driver.pools)).map(drop)
    }

    fn cuDeviceGetDefaultMemPool(pool_out: *mut CUmemoryPool, dev: CUdevice) {
        let pool = driver::get()?.device(dev)?.default_pool;
        put(pool_out, CUmemoryPool::from_addr(pool as usize))
    }

    fn cuDeviceGetMemPool(pool: *mut CUmemoryPool, dev: CUdevice) {
        let driver = driver::get()?;
        let chosen = current(driver, driver.device(dev)?);
        put(pool, CUmemoryPool::from_addr(chosen as usize))
    }

    fn cuDeviceSetMemPool(dev: CUdevice, pool: CUmemoryPool) {
        let driver = driver::get()?;
        let device = driver.device(dev)?;
        let pool = named(driver, pool)?;
        if pool.device != device.ordinal {
            return Err(INVALID_VALUE);
        }
        device.current_pool.store(pool.handle, Ordering::Release);
        Ok(())
    }

    fn cuMemGetDefaultMemPool(pool_out: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) {
        let driver = driver::get()?;
        let device = located(driver, location.as_ref().ok_or(INVALID_VALUE)?);
        let pinned = type_ == CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
        let pool = device.filter(|_| pinned).ok_or(NOT_SUPPORTED)?.default_pool;
        put(pool_out, CUmemoryPool::from_addr(pool as usize))
    }

    fn cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps) {
        let driver = driver::get()?;
        let props = poolProps.as_ref().ok_or(INVALID_VALUE)?;
        if pool.is_null() {
            return Err(INVALID_VALUE);
        }
        if props.handleTypes != CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE
            || props.allocType != CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED
            || props.location.type_ != CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE
        {
            return Err(NOT_SUPPORTED);
        }
        let device = driver.device(props.location.id)?.ordinal;
        let made = driver.pools.insert(|handle| Pool::new(handle, device)).ok_or(OUT_OF_MEMORY)?;
        put(pool, CUmemoryPool::from_addr(made.handle as usize))
    }

    fn cuMemPoolDestroy(pool: CUmemoryPool) {
        let driver = driver::get()?;
        if driver.devices.iter().any(|d| d.default_pool == pool.addr() as u64) {
            return Err(INVALID_VALUE);
        }
        // Allocations of the pool stay until they are freed.
        driver.pools.remove(pool.addr() as u64).map(drop).ok_or(INVALID_HANDLE)
    }

    fn cuMemPoolTrimTo(pool: CUmemoryPool, _minBytesToKeep: usize) {
        // A pool keeps nothing back.
        named(driver::get()?, pool).map(drop)
    }

    fn cuMemPoolGetAttribute(pool: CUmemoryPool, attr: A, value: *mut c_void) {
        let pool = named(driver::get()?, pool)?;
        match attr {
            A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
            | A::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
            | A::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
                put(value.cast(), pool.settings.lock()[attr.0 as usize] as i32)
            }
            A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => put(value.cast(), pool.settings.lock()[attr.0 as usize]),
            A::CU_MEMPOOL_ATTR_USED_MEM_CURRENT | A::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT => {
                put(value.cast(), pool.used())
            }
            A::CU_MEMPOOL_ATTR_USED_MEM_HIGH | A::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH => {
                put(value.cast(), pool.used_high())
            }
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuMemPoolSetAttribute(pool: CUmemoryPool, attr: A, value: *mut c_void) {
        let pool = named(driver::get()?, pool)?;
        if value.is_null() {
            return Err(INVALID_VALUE);
        }
        match attr {
            A::CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES
            | A::CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC
            | A::CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES => {
                pool.settings.lock()[attr.0 as usize] = u64::from(value.cast::<u32>().read_unaligned() != 0);
            }
            A::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD => {
                pool.settings.lock()[attr.0 as usize] = value.cast::<u64>().read_unaligned();
            }
            A::CU_MEMPOOL_ATTR_USED_MEM_HIGH | A::CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH
                if value.cast::<u64>().read_unaligned() == 0 => pool.reset_high(),
            _ => return Err(INVALID_VALUE),
        }
        Ok(())
    }

    fn cuMemPoolGetAccess(flags: *mut CUmemAccess_flags, memPool: CUmemoryPool, location: *mut CUmemLocation) {
        let driver = driver::get()?;
        let pool = named(driver, memPool)?;
        let location = location.as_ref().ok_or(INVALID_VALUE)?;
        let access = match located(driver, location) {
            Some(device) => pool.has_access(device.ordinal),
            None if location.type_ == CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE => return Err(INVALID_VALUE),
            None => false,
        };
        put(flags, if access { READ_WRITE } else { NO_ACCESS })
    }

    fn cuMemPoolSetAccess(pool: CUmemoryPool, map: *const CUmemAccessDesc, count: usize) {
        let driver = driver::get()?;
        let pool = named(driver, pool)?;
        if map.is_null() || count == 0 {
            return Err(INVALID_VALUE);
        }
        let mut changes = Vec::new();
        for i in 0..count {
            let desc = &*map.add(i);
            // The codes are those of an H200's driver.
            let device = located(driver, &desc.location).ok_or(INVALID_DEVICE)?.ordinal;
            match desc.flags {
                READ_WRITE => changes.push((device, true)),
                // The pool's own device always has access.
                NO_ACCESS if device == pool.device => return Err(INVALID_DEVICE),
                NO_ACCESS => changes.push((device, false)),
                CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ => return Err(NOT_SUPPORTED),
                _ => return Err(INVALID_VALUE),
            }
        }
        for (device, access) in changes {
            pool.set_access(device, access);
        }
        Ok(())
    }
}
