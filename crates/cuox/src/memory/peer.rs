//! Memory of one device and another: which one's kernels reach it (Driver API manual, *Peer Context Memory
//! Access*; *Stream Ordered Memory Allocator* for pools, which have access rights of their own).

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::context::Context;
use crate::device::Device;
use crate::driver::sys::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemLocation, CUmemLocationType,
    CUmemoryPool, CUmemorytype, CUpointer_attribute, CUresult, call, check,
};
use crate::error::{Error, Result};

/// Contexts whose kernels reach memory of another context that is no pool's, as was found or allowed here.
static REACHED: Mutex<Vec<[Named; 2]>> = Mutex::new(Vec::new());

/// A context's handle, and how often its device was reset: the next context may have the same handle.
type Named = (usize, u32);

fn reached() -> MutexGuard<'static, Vec<[Named; 2]>> {
    REACHED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn key(kernel: &Context, memory: &Context) -> [Named; 2] {
    [kernel, memory].map(|context| (context.raw().addr(), context.device().resets()))
}

fn note(kernel: &Context, memory: &Context) {
    let (key, mut reached) = (key(kernel, memory), reached());
    if !reached.contains(&key) {
        reached.push(key);
    }
}

impl Device {
    /// True if kernels of this device can be allowed to use memory of `peer` (`cuDeviceCanAccessPeer`).
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn can_access_peer(self, peer: Self) -> Result<bool> {
        if !std::ptr::eq(self.driver(), peer.driver()) {
            return Ok(false);
        }
        let mut can = 0;
        // SAFETY: the pointer is to a live local.
        unsafe {
            call!(
                self.driver(),
                cuDeviceCanAccessPeer(&mut can, self.raw(), peer.raw())
            )
        }?;
        Ok(can != 0)
    }

    /// Allows kernels of this device to use memory of `peer`: its primary context's, and its default pool's. Doing so
    /// twice is fine.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the two cannot; the errors of `cuCtxEnablePeerAccess` and `cuMemPoolSetAccess`.
    pub fn enable_peer_access(self, peer: Self) -> Result<()> {
        if self == peer {
            return Ok(());
        }
        if !self.can_access_peer(peer)? {
            return Err(Error::invalid(format!(
                "kernels of {self:?} cannot be allowed to use memory of {peer:?}: copy it (array.copy_from)"
            )));
        }
        let (own, other) = (self.context()?, peer.context()?);
        own.bind()?;
        // SAFETY: a live context.
        let code = unsafe { (self.driver().table()).cuCtxEnablePeerAccess(other.raw(), 0) };
        if code != CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED {
            check(self.driver(), code, "cuCtxEnablePeerAccess")?;
        }
        note(&own, &other);
        if peer.has_memory_pools() {
            let mut pool = CUmemoryPool::null();
            let access = CUmemAccessDesc {
                location: location(self),
                flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            };
            // SAFETY: the pointers are to live locals, of which one is the description that is counted.
            unsafe {
                call!(
                    peer.driver(),
                    cuDeviceGetDefaultMemPool(&mut pool, peer.raw())
                )?;
                call!(peer.driver(), cuMemPoolSetAccess(pool, &access, 1))?;
            }
        }
        Ok(())
    }
}

fn location(device: Device) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: device.ordinal() as i32,
    }
}

/// An attribute of an address; zero if the driver does not know it.
fn attribute<T: Default>(context: &Context, name: CUpointer_attribute, address: u64) -> T {
    let mut value = T::default();
    let table = context.driver().table();
    // SAFETY: the caller asks for an attribute of this type, and the pointer is to a live local.
    let code = unsafe { table.cuPointerGetAttribute((&raw mut value).cast(), name, address) };
    match code {
        CUresult::CUDA_SUCCESS => value,
        _ => T::default(),
    }
}

/// True if kernels in the one context reach an address of the other's device. For contexts of two devices: it asks the
/// driver.
///
/// # Errors
/// The errors of the driver.
#[cold]
pub fn is_reached(kernel: &Context, memory: &Context, address: CUdeviceptr) -> Result<bool> {
    kernel.bind()?;
    let kind: u32 = attribute(
        kernel,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        address,
    );
    let is_managed: u32 = attribute(
        kernel,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
        address,
    );
    if kind == CUmemorytype::CU_MEMORYTYPE_HOST.0 || is_managed != 0 {
        return Ok(true);
    }
    let pool: usize = attribute(
        kernel,
        CUpointer_attribute::CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE,
        address,
    );
    if pool != 0 {
        let mut flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
        let mut place = location(kernel.device());
        // SAFETY: the driver has just named the pool, and the pointers are to live locals.
        unsafe {
            call!(
                kernel.driver(),
                cuMemPoolGetAccess(&mut flags, CUmemoryPool::from_addr(pool), &mut place)
            )
        }?;
        return Ok(flags != CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE);
    }
    if reached().contains(&key(kernel, memory)) {
        return Ok(true);
    }
    // The driver says whether access is allowed to who asks for it a second time only.
    let table = kernel.driver().table();
    // SAFETY: live contexts, of which the one was bound above.
    let code = unsafe { table.cuCtxEnablePeerAccess(memory.raw(), 0) };
    match code {
        CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED => {
            note(kernel, memory);
            Ok(true)
        }
        CUresult::CUDA_SUCCESS => {
            // SAFETY: as above.
            unsafe { call!(kernel.driver(), cuCtxDisablePeerAccess(memory.raw())) }?;
            Ok(false)
        }
        _ => Ok(false),
    }
}
