//! Host memory that a device reads and writes directly.

use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use crate::context::Context;
use crate::driver::sys::{CUdeviceptr, call};
use crate::error::Result;

/// Page-locked host memory (`cuMemHostAlloc`): copies run at full speed and without the processor.
pub struct PinnedBuffer {
    context: Context,
    ptr: NonNull<u8>,
    bytes: usize,
}

/// The options of pinned memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PinnedOptions {
    /// Pinned for all contexts.
    pub portable: bool,
    /// Mapped into the device's address space.
    pub mapped: bool,
    /// Write-combined: fast for the device to read, slow for the host to read.
    pub write_combined: bool,
}

// SAFETY: it owns its memory, as a Box does.
unsafe impl Send for PinnedBuffer {}
// SAFETY: shared access only reads.
unsafe impl Sync for PinnedBuffer {}

impl PinnedBuffer {
    /// `bytes` bytes of zeros.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn new(context: &Context, bytes: usize, options: PinnedOptions) -> Result<Self> {
        context.bind()?;
        let flags = u32::from(options.portable)
            | u32::from(options.mapped) << 1
            | u32::from(options.write_combined) << 2;
        let mut ptr = std::ptr::null_mut();
        // One byte at least: the driver refuses none.
        // SAFETY: the pointer is to a live local.
        unsafe {
            call!(
                context.driver(),
                cuMemHostAlloc(&mut ptr, bytes.max(1), flags)
            )
        }?;
        let Some(ptr) = NonNull::new(ptr.cast::<u8>()) else {
            return Err(crate::Error::driver(2, "cuMemHostAlloc"));
        };
        // SAFETY: fresh memory of this many bytes; a slice over it must not see what it held before.
        unsafe { ptr.write_bytes(0, bytes) };
        Ok(Self {
            context: context.clone(),
            ptr,
            bytes,
        })
    }

    /// Frees page-locked memory that is nobody's buffer (`cuMemFreeHost`).
    ///
    /// # Safety
    /// `ptr` came from `cuMemHostAlloc` or `cuMemAllocHost`, and nothing frees or uses the memory after this.
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_VALUE` for other memory.
    pub unsafe fn free_raw(context: &Context, ptr: *mut u8) -> Result<()> {
        context.bind()?;
        // SAFETY: as the caller says.
        unsafe { call!(context.driver(), cuMemFreeHost(ptr.cast())) }
    }

    /// The address.
    pub fn as_ptr(&self) -> *mut u8 {
        self.ptr.as_ptr()
    }

    /// The context it is pinned in.
    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The address that kernels use (for memory made `mapped`, or with unified addressing).
    ///
    /// # Errors
    /// The errors of `cuMemHostGetDevicePointer`.
    pub fn device_ptr(&self) -> Result<CUdeviceptr> {
        self.context.bind()?;
        let mut ptr = 0;
        // SAFETY: the memory is pinned and the pointer is to a live local.
        unsafe {
            call!(
                self.context.driver(),
                cuMemHostGetDevicePointer_v2(&mut ptr, self.as_ptr().cast(), 0)
            )
        }?;
        Ok(ptr)
    }
}

impl Deref for PinnedBuffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: it owns this many initialised bytes.
        unsafe { std::slice::from_raw_parts(self.ptr.as_ptr(), self.bytes) }
    }
}

impl DerefMut for PinnedBuffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: the allocation has `bytes` bytes until this is dropped, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.ptr.as_ptr(), self.bytes) }
    }
}

impl Drop for PinnedBuffer {
    fn drop(&mut self) {
        let address = self.ptr.as_ptr() as usize;
        // SAFETY: it came from cuMemHostAlloc and is freed once.
        self.context
            .release(move |driver| unsafe { call!(driver, cuMemFreeHost(address as *mut _)) });
    }
}

impl std::fmt::Debug for PinnedBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PinnedBuffer({:p}, {} bytes)", self.ptr, self.bytes)
    }
}
