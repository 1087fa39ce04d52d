//! Memory pools (Driver API manual, *Stream Ordered Memory Allocator*).

use std::ffi::c_void;
use std::sync::Arc;

use crate::context::Context;
use crate::device::keep_memory;
use crate::driver::sys::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationType, CUmemLocation,
    CUmemLocationType, CUmemPool_attribute, CUmemPoolProps, CUmemoryPool, call,
};
use crate::error::Result;
use crate::stream::Stream;

/// What a pool gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolKind {
    /// Memory of a device.
    Device,
    /// Page-locked host memory.
    Host,
    /// Memory that moves between host and devices.
    Managed,
}

/// A pool of memory, which is destroyed with its last handle if it was made here. What was allocated of it stays.
#[derive(Clone)]
pub struct MemoryPool(Arc<Inner>);

struct Inner {
    context: Context,
    handle: usize,
    kind: PoolKind,
    is_owned: bool,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.is_owned && self.context.bind().is_ok() {
            let pool = CUmemoryPool::from_addr(self.handle);
            // SAFETY: the pool was made here, and nothing else has it. What fails, fails for good.
            let _ = unsafe { call!(self.context.driver(), cuMemPoolDestroy(pool)) };
        }
    }
}

fn allocation_type(kind: PoolKind) -> CUmemAllocationType {
    match kind {
        PoolKind::Managed => CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED,
        PoolKind::Device | PoolKind::Host => CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
    }
}

impl MemoryPool {
    fn new(context: &Context, handle: CUmemoryPool, kind: PoolKind, is_owned: bool) -> Self {
        // Only speed is lost without it.
        // SAFETY: the driver has just given this pool.
        let _ = unsafe { keep_memory(context.driver(), handle) };
        Self(Arc::new(Inner {
            context: context.clone(),
            handle: handle.addr(),
            kind,
            is_owned,
        }))
    }

    /// The pool that is current for a place: that of the context's device (`cuDeviceGetMemPool`), or of the host's or
    /// managed memory (`cuMemGetMemPool`, of CUDA 13).
    ///
    /// # Errors
    /// The error of a missing function; `CUDA_ERROR_NOT_SUPPORTED`.
    pub fn current(context: &Context, kind: PoolKind, mut place: CUmemLocation) -> Result<Self> {
        let driver = context.driver();
        let mut pool = CUmemoryPool::null();
        context.bind()?;
        // SAFETY: the pointers are to live locals.
        unsafe {
            match kind {
                PoolKind::Device => {
                    call!(
                        driver,
                        cuDeviceGetMemPool(&mut pool, context.device().raw())
                    )?;
                }
                kind => call!(
                    driver,
                    cuMemGetMemPool(&mut pool, &mut place, allocation_type(kind))
                )?,
            }
        }
        Ok(Self::new(context, pool, kind, false))
    }

    /// A new pool. `max_size` is the most bytes that it gives, 0 for as many as there are (`cuMemPoolCreate`).
    ///
    /// # Errors
    /// `CUDA_ERROR_NOT_SUPPORTED`, `CUDA_ERROR_INVALID_VALUE`, among others.
    pub fn create(
        context: &Context,
        kind: PoolKind,
        place: CUmemLocation,
        max_size: usize,
    ) -> Result<Self> {
        let properties = CUmemPoolProps {
            allocType: allocation_type(kind),
            location: place,
            maxSize: max_size,
            ..CUmemPoolProps::default()
        };
        let mut pool = CUmemoryPool::null();
        context.bind()?;
        // SAFETY: the pointers are to live locals.
        unsafe {
            call!(
                context.driver(),
                cuMemPoolCreate(&mut pool, &raw const properties)
            )?;
        }
        Ok(Self::new(context, pool, kind, true))
    }

    /// What it gives.
    pub fn kind(&self) -> PoolKind {
        self.0.kind
    }

    /// True if it was made here.
    pub fn is_owned(&self) -> bool {
        self.0.is_owned
    }

    /// The `CUmemoryPool`, as a number.
    pub fn handle(&self) -> usize {
        self.0.handle
    }

    /// The context that it was made or found in.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    fn raw(&self) -> CUmemoryPool {
        CUmemoryPool::from_addr(self.0.handle)
    }

    /// Memory in the stream's order, which [`raw::free_async`] frees; 0 for no bytes (`cuMemAllocFromPoolAsync`).
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn allocate(&self, stream: &Stream, bytes: usize) -> Result<CUdeviceptr> {
        let mut ptr = 0;
        if bytes > 0 {
            stream.context().bind()?;
            // SAFETY: the pointer is to a live local; pool and stream are alive.
            unsafe {
                call!(
                    stream.context().driver(),
                    cuMemAllocFromPoolAsync(&mut ptr, bytes, self.raw(), stream.raw())
                )
            }
            .map_err(|error| super::buffer::explain(error, stream.context(), bytes))?;
        }
        Ok(ptr)
    }

    /// An attribute: a number of bytes, or 0 and 1 for those that say no and yes (`cuMemPoolGetAttribute`).
    ///
    /// # Errors
    /// Those of the driver.
    pub fn attribute(&self, attribute: CUmemPool_attribute) -> Result<u64> {
        let mut value = 0u64;
        self.0.context.bind()?;
        // SAFETY: the pointer is to a live local of 64 bits; those of 32 bits are its lower half.
        unsafe {
            call!(
                self.0.context.driver(),
                cuMemPoolGetAttribute(self.raw(), attribute, (&raw mut value).cast::<c_void>())
            )?;
        }
        Ok(value)
    }

    /// True if a device may read and write the pool's memory (`cuMemPoolGetAccess`).
    ///
    /// # Errors
    /// Those of the driver.
    pub fn has_access(&self, device: i32) -> Result<bool> {
        let mut flags = CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
        let mut place = on_device(device);
        self.0.context.bind()?;
        // SAFETY: the pointers are to live locals.
        unsafe {
            call!(
                self.0.context.driver(),
                cuMemPoolGetAccess(&mut flags, self.raw(), &mut place)
            )?;
        }
        Ok(flags == CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    }

    /// Lets devices read and write the pool's memory, or not any more, in one call (`cuMemPoolSetAccess`).
    ///
    /// # Errors
    /// Those of the driver.
    pub fn set_access(&self, devices: &[(i32, bool)]) -> Result<()> {
        if devices.is_empty() {
            return Ok(());
        }
        let changes: Vec<CUmemAccessDesc> = devices
            .iter()
            .map(|&(device, access)| CUmemAccessDesc {
                location: on_device(device),
                flags: match access {
                    true => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                    false => CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE,
                },
            })
            .collect();
        self.0.context.bind()?;
        // SAFETY: a list of that length.
        unsafe {
            call!(
                self.0.context.driver(),
                cuMemPoolSetAccess(self.raw(), changes.as_ptr(), changes.len())
            )
        }
    }
}

/// A device as a place.
pub fn on_device(ordinal: i32) -> CUmemLocation {
    CUmemLocation {
        type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE,
        id: ordinal,
    }
}
