//! Virtual memory management: addresses, memory and access to it, each made for itself.

use crate::api::pool::DESCRIPTOR;
use crate::api::{driver_functions, list_of, put, range};
use crate::code::{INVALID_VALUE, NOT_SUPPORTED, Res};
use crate::driver::{self, Driver};
use crate::fault;
use crate::memory::physical::GRANULARITY;
use crate::memory::virtual_memory::AccessChange;
use core::ffi::c_void;
use cuox_abi::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc,
    CUmemAllocationGranularity_flags as Granularity, CUmemAllocationHandleType as HandleType,
    CUmemAllocationProp, CUmemAllocationType as Type, CUmemGenericAllocationHandle, CUmemLocation,
    CUmemLocationType as Kind,
};

/// `CU_MEM_ALLOCATION_COMP_GENERIC`.
const COMPRESSION: u8 = 1;
/// `CU_MEM_CREATE_USAGE_TILE_POOL`.
const TILE_POOL: u16 = 1;

fn not_supported<T>(what: &str) -> Res<T> {
    fault::explain(format!("the software GPU does not support {what}"));
    Err(NOT_SUPPORTED)
}

fn check_handle_type(kind: HandleType) -> Res {
    match kind {
        DESCRIPTOR => Ok(()),
        HandleType::CU_MEM_HANDLE_TYPE_FABRIC => {
            not_supported("fabric handles (CU_MEM_HANDLE_TYPE_FABRIC)")
        }
        _ => {
            fault::explain(format!(
                "handles of memory are file descriptors (CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR) on Linux, not of kind {}",
                kind.0
            ));
            Err(INVALID_VALUE)
        }
    }
}

/// Checks what memory is to be like. Answers the device that it is to be of; none for the host's.
///
/// Compression, GPUDirect RDMA and tile pools may be asked for, as on an H200. There is one kind of memory: its
/// properties say that it is not compressed.
fn check_properties(driver: &Driver, prop: &CUmemAllocationProp) -> Res<Option<usize>> {
    match prop.type_ {
        Type::CU_MEM_ALLOCATION_TYPE_PINNED => {}
        Type::CU_MEM_ALLOCATION_TYPE_MANAGED => {
            fault::explain(
                "the memory of cuMemCreate is pinned (CU_MEM_ALLOCATION_TYPE_PINNED); managed memory comes of cuMemAllocManaged and pools".into(),
            );
            return Err(INVALID_VALUE);
        }
        _ => return Err(INVALID_VALUE),
    }
    if prop.requestedHandleTypes != HandleType::CU_MEM_HANDLE_TYPE_NONE {
        check_handle_type(prop.requestedHandleTypes)?;
    }
    let flags = prop.allocFlags;
    if flags.compressionType > COMPRESSION || flags.usage & !TILE_POOL != 0 {
        return Err(INVALID_VALUE);
    }
    let CUmemLocation { type_, id } = prop.location;
    match type_ {
        Kind::CU_MEM_LOCATION_TYPE_DEVICE => Ok(Some(driver.device(id)?.ordinal)),
        Kind::CU_MEM_LOCATION_TYPE_HOST
            if prop.requestedHandleTypes == HandleType::CU_MEM_HANDLE_TYPE_NONE =>
        {
            Ok(None)
        }
        Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA if range::is_node(id) => Ok(None),
        _ => Err(INVALID_VALUE),
    }
}

/// The device that a place is, or none for the host.
fn device_of(driver: &Driver, place: CUmemLocation) -> Res<Option<usize>> {
    match place.type_ {
        Kind::CU_MEM_LOCATION_TYPE_DEVICE => Ok(Some(driver.device(place.id)?.ordinal)),
        Kind::CU_MEM_LOCATION_TYPE_HOST | Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA => Ok(None),
        _ => Err(INVALID_VALUE),
    }
}

fn change(driver: &Driver, desc: &CUmemAccessDesc) -> Res<AccessChange> {
    let flags = match desc.flags {
        CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE
        | CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READ
        | CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE => desc.flags.0,
        _ => return Err(INVALID_VALUE),
    };
    let device = device_of(driver, desc.location)?;
    Ok(AccessChange { device, flags })
}

driver_functions! {
    fn cuMemAddressReserve(ptr: *mut CUdeviceptr, size: usize, alignment: usize, addr: CUdeviceptr, flags: u64) {
        let driver = driver::get()?;
        if ptr.is_null() || flags != 0 {
            return Err(INVALID_VALUE);
        }
        put(ptr, driver.memory.reserve_addresses(size as u64, alignment as u64, addr)?)
    }

    fn cuMemAddressFree(ptr: CUdeviceptr, size: usize) {
        driver::get()?.memory.free_addresses(ptr, size as u64)
    }

    fn cuMemCreate(handle: *mut CUmemGenericAllocationHandle, size: usize, prop: *const CUmemAllocationProp, flags: u64) {
        let driver = driver::get()?;
        let prop = prop.as_ref().ok_or(INVALID_VALUE)?;
        if handle.is_null() || flags != 0 {
            return Err(INVALID_VALUE);
        }
        let device = check_properties(driver, prop)?;
        let size = size as u64;
        if size == 0 || !size.is_multiple_of(GRANULARITY) {
            fault::explain(format!("the size {size} must be a multiple of the granularity, {GRANULARITY} bytes, and more than 0"));
            return Err(INVALID_VALUE);
        }
        let types = prop.requestedHandleTypes.0;
        put(handle, driver.memory.create_physical(size, prop.location, device, types)?)
    }

    fn cuMemRelease(handle: CUmemGenericAllocationHandle) {
        driver::get()?.memory.release_physical(handle)
    }

    fn cuMemRetainAllocationHandle(handle: *mut CUmemGenericAllocationHandle, addr: *mut c_void) {
        let driver = driver::get()?;
        if handle.is_null() {
            return Err(INVALID_VALUE);
        }
        put(handle, driver.memory.retain_physical(addr.addr() as u64)?)
    }

    fn cuMemMap(ptr: CUdeviceptr, size: usize, offset: usize, handle: CUmemGenericAllocationHandle, flags: u64) {
        let driver = driver::get()?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        if offset != 0 {
            return not_supported("mappings of a part of memory: the offset must be 0");
        }
        driver.memory.map(ptr, size as u64, handle)
    }

    fn cuMemUnmap(ptr: CUdeviceptr, size: usize) {
        let driver = driver::get()?;
        driver.memory.check_mapped(ptr, size as u64)?;
        // Whoever works on it must be done; any device may have been given access.
        driver.wait_for_all();
        driver.memory.unmap(ptr, size as u64)
    }

    fn cuMemSetAccess(ptr: CUdeviceptr, size: usize, desc: *const CUmemAccessDesc, count: usize) {
        let driver = driver::get()?;
        let changes = list_of(desc, count)?.iter().map(|desc| change(driver, desc));
        let changes = changes.collect::<Res<Vec<_>>>()?;
        if driver.memory.takes_access(ptr, size as u64, &changes)? {
            driver.wait_for_all();
        }
        driver.memory.set_access(ptr, size as u64, &changes)
    }

    fn cuMemGetAccess(flags: *mut u64, location: *const CUmemLocation, ptr: CUdeviceptr) {
        let driver = driver::get()?;
        let place = location.as_ref().ok_or(INVALID_VALUE)?;
        if flags.is_null() {
            return Err(INVALID_VALUE);
        }
        let device = device_of(driver, *place)?;
        let access = driver.memory.access_at(ptr)?;
        let allowed = device.map_or(access.of_host(), |device| access.of_device(device));
        put(flags, u64::from(allowed))
    }

    fn cuMemGetAllocationGranularity(granularity: *mut usize, prop: *const CUmemAllocationProp, option: Granularity) {
        let driver = driver::get()?;
        let mut prop = *prop.as_ref().ok_or(INVALID_VALUE)?;
        // The node of the calling thread has a granularity, though cuMemCreate wants to know which one it is.
        if prop.location.type_ == Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT {
            prop.location = CUmemLocation { type_: Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA, id: 0 };
        }
        check_properties(driver, &prop)?;
        match option {
            Granularity::CU_MEM_ALLOC_GRANULARITY_MINIMUM
            | Granularity::CU_MEM_ALLOC_GRANULARITY_RECOMMENDED => put(granularity, GRANULARITY as usize),
            _ => Err(INVALID_VALUE),
        }
    }

    fn cuMemGetAllocationPropertiesFromHandle(prop: *mut CUmemAllocationProp, handle: CUmemGenericAllocationHandle) {
        let driver = driver::get()?;
        let found = driver.memory.physical(handle)?;
        put(prop, CUmemAllocationProp {
            type_: Type::CU_MEM_ALLOCATION_TYPE_PINNED,
            requestedHandleTypes: HandleType(found.handle_types),
            location: found.place,
            ..Default::default()
        })
    }

    fn cuMemExportToShareableHandle(shareableHandle: *mut c_void, handle: CUmemGenericAllocationHandle, handleType: HandleType, flags: u64) {
        let driver = driver::get()?;
        if shareableHandle.is_null() || flags != 0 {
            return Err(INVALID_VALUE);
        }
        check_handle_type(handleType)?;
        put(shareableHandle.cast(), driver.memory.export_physical(handle)?)
    }

    fn cuMemImportFromShareableHandle(handle: *mut CUmemGenericAllocationHandle, osHandle: *mut c_void, shHandleType: HandleType) {
        let driver = driver::get()?;
        if handle.is_null() {
            return Err(INVALID_VALUE);
        }
        check_handle_type(shHandleType)?;
        let descriptor = i32::try_from(osHandle.addr()).map_err(|_| INVALID_VALUE)?;
        // The other process may see other devices.
        let last = driver.devices.len() - 1;
        let device = |place: CUmemLocation| match place.type_ {
            Kind::CU_MEM_LOCATION_TYPE_DEVICE => Some((place.id.max(0) as usize).min(last)),
            _ => None,
        };
        put(handle, driver.memory.import_physical(descriptor, shHandleType.0, device)?)
    }
}
