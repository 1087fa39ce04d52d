//! Attributes of pointers.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_VALUE, Res};
use crate::current;
use crate::driver::{self, Driver};
use crate::graphs;
use crate::memory::{Allocation, Kind};
use core::ffi::c_void;
use core::sync::atomic::Ordering;
use cuox_abi::{CUcontext, CUdeviceptr, CUmemoryPool, CUmemorytype, CUpointer_attribute as A};

const NO_DEVICE: i32 = -2;
const READ_WRITE: u32 = 3;

fn memory_type(a: &Allocation) -> CUmemorytype {
    if a.kind.is_host() {
        CUmemorytype::CU_MEMORYTYPE_HOST
    } else {
        CUmemorytype::CU_MEMORYTYPE_DEVICE
    }
}

/// Stores one attribute of a pointer into an allocation.
///
/// # Safety
/// `data` is null or has room for the attribute's type.
unsafe fn put_known(
    driver: &Driver,
    data: *mut c_void,
    attribute: A,
    at: u64,
    a: &Allocation,
) -> Res {
    // SAFETY: the attribute's type, as the header describes it, in every arm.
    unsafe {
        match attribute {
            A::CU_POINTER_ATTRIBUTE_CONTEXT => {
                put(data.cast(), CUcontext::from_addr(a.owner.context as usize))
            }
            A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE => put(data.cast(), memory_type(a)),
            A::CU_POINTER_ATTRIBUTE_DEVICE_POINTER => {
                let pool = driver.pools.get(a.pool);
                if pool.is_some_and(|pool| !pool.is_reached_by(a.owner.device)) {
                    return Err(INVALID_VALUE);
                }
                put(data.cast(), at)
            }
            A::CU_POINTER_ATTRIBUTE_HOST_POINTER if a.kind.is_host() || a.kind.is_managed() => {
                put(data.cast(), at as *mut c_void)
            }
            A::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS => put(
                data.cast(),
                i32::from(a.sync_memops.load(Ordering::Relaxed)),
            ),
            A::CU_POINTER_ATTRIBUTE_BUFFER_ID | A::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID => {
                put(data.cast(), a.id)
            }
            A::CU_POINTER_ATTRIBUTE_IS_MANAGED => put(data.cast(), i32::from(a.kind.is_managed())),
            A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => put(data.cast(), a.owner.device as i32),
            A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => put(
                data.cast(),
                a.mapping().map_or(a.start, |m| m.reservation.0),
            ),
            A::CU_POINTER_ATTRIBUTE_RANGE_SIZE => put(
                data.cast(),
                a.mapping().map_or(a.len, |m| m.reservation.1) as usize,
            ),
            A::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR => put(data.cast(), a.start),
            A::CU_POINTER_ATTRIBUTE_MAPPING_SIZE => put(data.cast(), a.len as usize),
            A::CU_POINTER_ATTRIBUTE_MAPPED => {
                let is_graphs = matches!(a.kind, Kind::Graph | Kind::GraphManaged);
                let has_memory = !is_graphs || graphs::memory::is_held(a.owner.device, a.start);
                put(data.cast(), i32::from(has_memory))
            }
            A::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS => {
                let device = current::context(driver).map_or(a.owner.device, |c| c.state.device);
                let access = a
                    .mapping()
                    .map(|mapping| mapping.access().of_device(device));
                put(data.cast(), access.unwrap_or(READ_WRITE))
            }
            A::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE => {
                let pool = driver.pools.get(a.pool).map_or(0, |p| p.handle);
                put(data.cast(), CUmemoryPool::from_addr(pool as usize))
            }
            A::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES => {
                let of_pool = || driver.pools.get(a.pool).map_or(0, |p| p.handle_types);
                let types = a.mapping().map(|mapping| mapping.physical.handle_types);
                put(data.cast(), u64::from(types.unwrap_or_else(of_pool)))
            }
            A::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE => {
                put(data.cast(), i32::from(a.kind == Kind::Device))
            }
            A::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE
            | A::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => put(data.cast(), 0i32),
            _ => Err(INVALID_VALUE),
        }
    }
}

/// Stores the value that `cuPointerGetAttributes` has for an attribute that does not apply.
///
/// # Safety
/// `data` is null or has room for the attribute's type.
unsafe fn put_unknown(data: *mut c_void, attribute: A, at: u64) -> Res {
    // SAFETY: the attribute's type, as the header describes it, in every arm.
    unsafe {
        match attribute {
            A::CU_POINTER_ATTRIBUTE_HOST_POINTER => put(data.cast(), at as *mut c_void),
            A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => put(data.cast(), NO_DEVICE),
            A::CU_POINTER_ATTRIBUTE_CONTEXT
            | A::CU_POINTER_ATTRIBUTE_DEVICE_POINTER
            | A::CU_POINTER_ATTRIBUTE_BUFFER_ID
            | A::CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID
            | A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
            | A::CU_POINTER_ATTRIBUTE_RANGE_SIZE
            | A::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR
            | A::CU_POINTER_ATTRIBUTE_MAPPING_SIZE
            | A::CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES
            | A::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE => put(data.cast(), 0u64),
            A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE
            | A::CU_POINTER_ATTRIBUTE_IS_MANAGED
            | A::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS
            | A::CU_POINTER_ATTRIBUTE_MAPPED
            | A::CU_POINTER_ATTRIBUTE_ACCESS_FLAGS
            | A::CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE
            | A::CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE
            | A::CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE => put(data.cast(), 0u32),
            _ => Err(INVALID_VALUE),
        }
    }
}

driver_functions! {
    fn cuPointerGetAttribute(data: *mut c_void, attribute: A, ptr: CUdeviceptr) {
        let driver = driver::get()?;
        // Addresses that are reserved alone have no attributes either.
        let found = driver.memory.find(ptr).ok_or(INVALID_VALUE)?;
        put_known(driver, data, attribute, ptr, &found)
    }

    fn cuPointerGetAttributes(numAttributes: u32, attributes: *mut A, data: *mut *mut c_void, ptr: CUdeviceptr) {
        let driver = driver::get()?;
        if attributes.is_null() || data.is_null() {
            return Err(INVALID_VALUE);
        }
        let found = driver.memory.find(ptr);
        for i in 0..numAttributes as usize {
            let (attribute, to) = (attributes.add(i).read(), data.add(i).read());
            match &found {
                // A device pointer has no host pointer: null, without an error.
                Some(a) if attribute == A::CU_POINTER_ATTRIBUTE_HOST_POINTER && !a.kind.is_host() && !a.kind.is_managed() => {
                    put(to.cast(), core::ptr::null_mut::<c_void>())?;
                }
                Some(a) => put_known(driver, to, attribute, ptr, a)?,
                None => put_unknown(to, attribute, ptr)?,
            }
        }
        Ok(())
    }

    fn cuPointerSetAttribute(value: *const c_void, attribute: A, ptr: CUdeviceptr) {
        let driver = driver::get()?;
        let found = driver.memory.find(ptr).ok_or(INVALID_VALUE)?;
        if attribute != A::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS || value.is_null() {
            return Err(INVALID_VALUE);
        }
        found.sync_memops.store(value.cast::<u32>().read_unaligned() != 0, Ordering::Relaxed);
        Ok(())
    }
}
