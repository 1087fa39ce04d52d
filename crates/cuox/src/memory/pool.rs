//! Memory pools (Driver API manual, *Stream Ordered Memory Allocator*).

use std::ffi::c_void;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::Arc;

use super::Buffer;
use crate::context::Context;
use crate::device::keep_memory;
use crate::driver::sys::{
    CUdeviceptr, CUmemAccess_flags, CUmemAccessDesc, CUmemAllocationHandleType,
    CUmemAllocationType, CUmemLocation, CUmemLocationType, CUmemPool_attribute, CUmemPoolProps,
    CUmemPoolPtrExportData, CUmemoryPool, call,
};
use crate::error::{Error, Result};
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
        if self.is_owned {
            let pool = CUmemoryPool::from_addr(self.handle);
            // SAFETY: the pool was made here, and nothing else has it.
            self.context
                .release(move |driver| unsafe { call!(driver, cuMemPoolDestroy(pool)) });
        }
    }
}

fn allocation_type(kind: PoolKind) -> CUmemAllocationType {
    match kind {
        PoolKind::Managed => CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_MANAGED,
        PoolKind::Device | PoolKind::Host => CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED,
    }
}

/// The handles of pools for other processes.
const DESCRIPTOR: CUmemAllocationHandleType =
    CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// What another process imports an allocation by.
pub type ExportedPointer = [u8; size_of::<CUmemPoolPtrExportData>()];

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
        Self::new(context, pool, kind, false).reached_by_devices()
    }

    /// A new pool. `max_size` is the most bytes that it gives, 0 for as many as there are. With `is_shared`, it can be
    /// [exported](MemoryPool::export) (`cuMemPoolCreate`).
    ///
    /// # Errors
    /// `CUDA_ERROR_NOT_SUPPORTED`, `CUDA_ERROR_INVALID_VALUE`, among others.
    pub fn create(
        context: &Context,
        kind: PoolKind,
        place: CUmemLocation,
        max_size: usize,
        is_shared: bool,
    ) -> Result<Self> {
        let properties = CUmemPoolProps {
            allocType: allocation_type(kind),
            location: place,
            maxSize: max_size,
            handleTypes: match is_shared {
                true => DESCRIPTOR,
                false => CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE,
            },
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
        Self::new(context, pool, kind, true).reached_by_devices()
    }

    /// The same pool, whose memory all devices reach: a driver gives none of them access to a pool of the host's.
    fn reached_by_devices(self) -> Result<Self> {
        if self.0.kind == PoolKind::Host {
            let devices = self.0.context.driver().devices()?.len() as i32;
            let access: Vec<_> = (0..devices).map(|ordinal| (ordinal, true)).collect();
            self.set_access(&access)?;
        }
        Ok(self)
    }

    /// A file descriptor by which other processes [import](MemoryPool::import) the pool
    /// (`cuMemPoolExportToShareableHandle`).
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_VALUE` for a pool that was not made to be shared.
    pub fn export(&self) -> Result<OwnedFd> {
        let mut descriptor = -1i32;
        self.0.context.bind()?;
        // SAFETY: the pointer is to a live local of the type that belongs to this kind of handle.
        unsafe {
            call!(
                self.0.context.driver(),
                cuMemPoolExportToShareableHandle(
                    (&raw mut descriptor).cast::<c_void>(),
                    self.raw(),
                    DESCRIPTOR,
                    0
                )
            )?;
            // SAFETY: the driver has just made it, for the caller to close.
            Ok(OwnedFd::from_raw_fd(descriptor))
        }
    }

    /// Another process's pool, whose allocations are imported; it gives none itself
    /// (`cuMemPoolImportFromShareableHandle`). The descriptor stays the caller's.
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_HANDLE` or `CUDA_ERROR_INVALID_VALUE` for a descriptor of something else.
    pub fn import(context: &Context, kind: PoolKind, descriptor: BorrowedFd<'_>) -> Result<Self> {
        let mut pool = CUmemoryPool::null();
        context.bind()?;
        let handle = std::ptr::without_provenance_mut(descriptor.as_raw_fd() as usize);
        // SAFETY: the first pointer is to a live local, the second a number in the form that the driver takes.
        unsafe {
            call!(
                context.driver(),
                cuMemPoolImportFromShareableHandle(&mut pool, handle, DESCRIPTOR, 0)
            )?;
        }
        Self::new(context, pool, kind, true).reached_by_devices()
    }

    /// What another process [imports](MemoryPool::import_pointer) this pool's allocation by (`cuMemPoolExportPointer`).
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_VALUE` for an address that is not the start of such an allocation.
    pub fn export_pointer(&self, ptr: CUdeviceptr) -> Result<ExportedPointer> {
        let mut data = CUmemPoolPtrExportData::default();
        self.0.context.bind()?;
        // SAFETY: the pointer is to a live local; the driver looks the address up.
        unsafe {
            call!(
                self.0.context.driver(),
                cuMemPoolExportPointer(&mut data, ptr)
            )?;
        }
        Ok(data.reserved)
    }

    /// An allocation that another process has exported, in an imported pool: its first `bytes` bytes. It is given back
    /// in the stream's order, which is to be before the other process frees it (`cuMemPoolImportPointer`).
    ///
    /// # Errors
    /// [`Error::Invalid`] if it has fewer bytes; `CUDA_ERROR_INVALID_VALUE` for an allocation of another pool, or what
    /// is none.
    pub fn import_pointer(
        &self,
        data: &ExportedPointer,
        bytes: usize,
        stream: &Stream,
    ) -> Result<Buffer> {
        let mut data = CUmemPoolPtrExportData { reserved: *data };
        let (mut ptr, mut mapped) = (0, 0);
        let driver = self.0.context.driver();
        self.0.context.bind()?;
        // SAFETY: the pointers are to live locals; the pool is alive.
        unsafe {
            call!(
                driver,
                cuMemPoolImportPointer(&mut ptr, self.raw(), &mut data)
            )?;
        }
        // SAFETY: it is new here, and freed in a stream's order as all memory of pools.
        let buffer = unsafe { Buffer::from_async(stream.clone(), ptr, bytes) };
        // SAFETY: the pointer is to a live local, and the start is not asked for.
        unsafe {
            call!(
                driver,
                cuMemGetAddressRange_v2(std::ptr::null_mut(), &mut mapped, ptr)
            )?;
        }
        match bytes <= mapped {
            true => Ok(buffer),
            false => Err(Error::invalid(format!(
                "the size of {bytes} bytes exceeds the mapped allocation extent, which is {mapped} bytes"
            ))),
        }
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
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others; [`Error::Reset`].
    pub fn allocate(&self, stream: &Stream, bytes: usize) -> Result<CUdeviceptr> {
        self.0.context.check()?;
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
