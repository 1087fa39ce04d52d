//! Memory pools and stream-ordered allocation.

use crate::api::{driver_functions, graph_node, put, range};
use crate::code::{
    INVALID_DEVICE, INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Res,
};
use crate::driver::{self, Device, Driver};
use crate::graphs::capture;
use crate::graphs::memory::{InFlight, note_free};
use crate::graphs::node::NodeWork;
use crate::memory::pool::{self, Pool};
use crate::memory::{Kind, Owner, Request};
use crate::streams::stream_op::StreamOp;
use crate::{current, fault};
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

/// Handles of file descriptors, the one kind that there is for other processes.
pub(super) const DESCRIPTOR: CUmemAllocationHandleType =
    CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

pub(super) fn named(driver: &Driver, pool: CUmemoryPool) -> Res<Arc<Pool>> {
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
    // Unlike `cuMemAlloc`, a GPU's driver gives no memory for no bytes. NVIDIA's tests of cuda.core ask the same of
    // pools and of captures.
    if len == 0 {
        return pool.map_or(Ok(0), |pool| named(driver, pool).map(|_| 0));
    }
    if stream.is_capturing() {
        return graph_node::record_allocation(driver, &stream, len as u64);
    }
    let pool = match pool {
        Some(pool) => named(driver, pool)?,
        None => {
            let device = &driver.devices[stream.context.device];
            let pool = current(driver, device);
            driver.pools.get(pool).ok_or(INVALID_HANDLE)?
        }
    };
    if pool.is_imported {
        fault::explain("the pool is another process's, which allocates from it".into());
        return Err(INVALID_VALUE);
    }
    // A pool may be of another device than the stream.
    let owner = Owner {
        device: pool.device,
        ..stream.context.owner()
    };
    let mut request = Request::new(len as u64, pool.kind, owner);
    request.pool = pool.handle;
    let is_shared_by_host = pool.handle_types != 0 && pool.kind == Kind::PooledHost;
    if is_shared_by_host {
        request.align = cuox_simt::trap::page_size();
    }
    let allocate = || {
        pool.add(len as u64)?;
        let made = driver.memory.allocate(request);
        made.inspect_err(|_| pool.subtract(len as u64))
    };
    let made = match allocate() {
        Err(OUT_OF_MEMORY) if !stream.context.idle() => {
            // Frees may be on their way.
            stream.context.wait();
            allocate()
        }
        other => other,
    };
    let made = made.inspect_err(|code| {
        if *code == OUT_OF_MEMORY
            && let Some(most) = pool.max_size()
        {
            let used = pool.used();
            fault::explain(format!(
                "the pool has at most {most} bytes (maxSize, in steps of 32 MiB), of which {used} are in use"
            ));
        }
    })?;
    if is_shared_by_host {
        // Later the program may be giving the address to the system, which must not come upon pages on the move.
        driver.memory.export(made.start)?;
    }
    if pool.kind == Kind::PooledManaged {
        // As an H200's driver has it.
        made.sync_memops.store(true, Ordering::Relaxed);
    }
    Ok(made.start)
}

/// What a pool of that type gives at that place, and the device that it is of. The place is the whole of what it names.
pub(super) fn kind_at(
    driver: &Driver,
    kind: CUmemAllocationType,
    place: CUmemLocation,
) -> Res<(Kind, usize, CUmemLocation)> {
    let CUmemLocation { type_, id } = place;
    let device = |id: i32| {
        let found = driver.device(id).map(|device| device.ordinal);
        found.map_err(|_| INVALID_VALUE)
    };
    let anywhere = |type_| CUmemLocation { type_, id: 0 };
    match (kind, type_) {
        (
            CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        ) => Ok((Kind::Pooled, device(id)?, place)),
        (
            CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED,
            CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        ) => Ok((Kind::PooledManaged, device(id)?, place)),
        (
            CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
            CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST,
        ) => Ok((Kind::PooledHost, 0, anywhere(type_))),
        (
            CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED,
            CUmemLocationType::CU_MEM_LOCATION_TYPE_NONE
            | CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST
            | CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT,
        ) => Ok((Kind::PooledManaged, 0, anywhere(type_))),
        // The host's memory is one.
        (kind, CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA) if range::is_node(id) => {
            match kind {
                CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED => {
                    Ok((Kind::PooledHost, 0, place))
                }
                CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED => {
                    Ok((Kind::PooledManaged, 0, place))
                }
                _ => Err(INVALID_VALUE),
            }
        }
        _ => Err(INVALID_VALUE),
    }
}

/// Checks that a pool may have handles of that kind.
fn check_handles(types: CUmemAllocationHandleType, kind: Kind, place: CUmemLocation) -> Res {
    let anywhere = place.type_ == CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST;
    let (why, code) = match types {
        _ if kind == Kind::PooledManaged => {
            ("pools of managed memory have no handles", INVALID_VALUE)
        }
        _ if anywhere => (
            "pools of the host's memory have handles if the node is given (CU_MEM_LOCATION_TYPE_HOST_NUMA)",
            INVALID_VALUE,
        ),
        DESCRIPTOR => return Ok(()),
        // A GPU has these.
        CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_FABRIC => {
            ("the software GPU has no fabric handles", NOT_SUPPORTED)
        }
        _ => ("pools have handles of file descriptors only", INVALID_VALUE),
    };
    fault::explain(why.into());
    Err(code)
}

/// The default pool of a place, and the one that is current there.
fn pools_at(
    driver: &Driver,
    place: *mut CUmemLocation,
    kind: CUmemAllocationType,
) -> Res<(u64, u64)> {
    // SAFETY: null, or a location.
    let place = unsafe { place.as_ref() }.ok_or(INVALID_VALUE)?;
    if place.type_ == CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT {
        return Err(NOT_SUPPORTED);
    }
    let (kind, device, place) = kind_at(driver, kind, *place)?;
    if kind == Kind::Pooled {
        let device = &driver.devices[device];
        return Ok((device.default_pool, current(driver, device)));
    }
    let (default, current) = driver.default_pools.of(kind, place, || {
        let made = driver
            .pools
            .insert(|handle| Pool::new(handle, device, kind, place));
        Ok(made.ok_or(OUT_OF_MEMORY)?.handle)
    })?;
    let is_there = driver.pools.get(current).is_some();
    Ok((default, if is_there { current } else { default }))
}

/// Who a location is among those that have access to a pool.
fn located(driver: &Driver, location: &CUmemLocation) -> Option<u32> {
    match location.type_ {
        CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE => {
            let device = driver.device(location.id).ok()?;
            Some(Pool::bit_of(device.ordinal))
        }
        CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST
        | CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA => Some(Pool::HOST),
        _ => None,
    }
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
        if found.kind.is_of_graph() {
            capture::submit(&stream, StreamOp::FreeOfGraph(dptr, InFlight::begin()))?;
            note_free(dptr);
            return Ok(());
        }
        if !pool::is_stream_ordered(&found) || !found.doom() {
            return Err(INVALID_VALUE);
        }
        if found.kind == Kind::Imported {
            driver.memory.forget_import(dptr);
            // It is unmapped, so nothing that uses it may be left, in whichever stream.
            for point in stream.context.pending() {
                capture::submit(&stream, StreamOp::Wait(point))?;
            }
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
        if (pool.kind, pool.device) != (Kind::Pooled, device.ordinal) || pool.is_imported {
            return Err(INVALID_VALUE);
        }
        device.current_pool.store(pool.handle, Ordering::Release);
        Ok(())
    }

    fn cuMemGetDefaultMemPool(pool_out: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) {
        let (pool, _) = pools_at(driver::get()?, location, type_)?;
        put(pool_out, CUmemoryPool::from_addr(pool as usize))
    }

    fn cuMemGetMemPool(pool: *mut CUmemoryPool, location: *mut CUmemLocation, type_: CUmemAllocationType) {
        let (_, current) = pools_at(driver::get()?, location, type_)?;
        put(pool, CUmemoryPool::from_addr(current as usize))
    }

    fn cuMemSetMemPool(location: *mut CUmemLocation, type_: CUmemAllocationType, pool: CUmemoryPool) {
        let driver = driver::get()?;
        pools_at(driver, location, type_)?;
        let (kind, device, place) = kind_at(driver, type_, *location)?;
        let pool = named(driver, pool)?;
        if (pool.kind, pool.place) != (kind, place) || pool.is_imported {
            return Err(INVALID_VALUE);
        }
        match kind {
            Kind::Pooled => driver.devices[device].current_pool.store(pool.handle, Ordering::Release),
            _ => driver.default_pools.set(&pool),
        }
        Ok(())
    }

    fn cuMemPoolCreate(pool: *mut CUmemoryPool, poolProps: *const CUmemPoolProps) {
        let driver = driver::get()?;
        let props = poolProps.as_ref().ok_or(INVALID_VALUE)?;
        if pool.is_null() {
            return Err(INVALID_VALUE);
        }
        let (kind, device, place) = kind_at(driver, props.allocType, props.location)?;
        let types = props.handleTypes;
        if types != CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE {
            check_handles(types, kind, place)?;
        }
        let make = |handle| {
            let pool = Pool::new(handle, device, kind, place);
            pool.with_handles(types.0).with_max_size(props.maxSize as u64)
        };
        let made = driver.pools.insert(make);
        let made = made.ok_or(OUT_OF_MEMORY)?;
        put(pool, CUmemoryPool::from_addr(made.handle as usize))
    }

    fn cuMemPoolDestroy(pool: CUmemoryPool) {
        let driver = driver::get()?;
        let handle = pool.addr() as u64;
        if driver.devices.iter().any(|d| d.default_pool == handle) || driver.default_pools.has(handle) {
            return Err(INVALID_VALUE);
        }
        // Allocations of the pool stay until they are freed.
        driver.pools.remove(pool.addr() as u64).map(drop).ok_or(INVALID_HANDLE)
    }

    fn cuMemPoolTrimTo(pool: CUmemoryPool, _minBytesToKeep: usize) {
        let pool = named(driver::get()?, pool)?;
        // A pool keeps nothing back.
        if pool.is_imported { Err(INVALID_VALUE) } else { Ok(()) }
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
        let who = located(driver, location).ok_or(INVALID_VALUE)?;
        put(flags, if pool.has_access(who) { READ_WRITE } else { NO_ACCESS })
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
            let who = located(driver, &desc.location).ok_or(INVALID_DEVICE)?;
            let own_device = pool.kind == Kind::Pooled && who == Pool::bit_of(pool.device);
            match desc.flags {
                READ_WRITE | NO_ACCESS if pool.kind == Kind::Pooled && who == Pool::HOST => return Err(NOT_SUPPORTED),
                READ_WRITE => changes.push((who, true)),
                // A pool's own place always has access.
                NO_ACCESS if own_device => return Err(INVALID_DEVICE),
                NO_ACCESS if pool.kind == Kind::PooledHost && who == Pool::HOST => return Err(NOT_SUPPORTED),
                NO_ACCESS => changes.push((who, false)),
                CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ => return Err(NOT_SUPPORTED),
                _ => return Err(INVALID_VALUE),
            }
        }
        for (who, access) in changes {
            pool.set_access(who, access);
        }
        Ok(())
    }
}
