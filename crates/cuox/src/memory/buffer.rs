//! Device memory that frees itself.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::uses::Uses;
use super::{Pod, ordered, raw};
use crate::context::Context;
use crate::device::Device;
use crate::driver::sys::{CUdeviceptr, CUmemAttach_flags, call};
use crate::error::{Error, Result};
use crate::stream::Stream;

/// Device memory. A cheap handle; the memory is freed when the last one is dropped — memory that was allocated in a
/// stream's order, in that stream's order, behind all uses by [arrays](crate::Array).
///
/// What is done with a buffer as such is put into no order but that of the streams that it is given.
#[derive(Clone)]
pub struct Buffer(Arc<BufferState>);

/// A [`Buffer`] if something else still holds it.
#[derive(Clone)]
pub struct WeakBuffer(Weak<BufferState>);

impl WeakBuffer {
    /// A handle, unless the last one is gone.
    pub fn upgrade(&self) -> Option<Buffer> {
        self.0.upgrade().map(Buffer)
    }
}

struct BufferState {
    ptr: CUdeviceptr,
    bytes: usize,
    origin: Origin,
    /// By arrays: uses of the buffer as such are put into no order.
    uses: Mutex<Uses>,
}

impl BufferState {
    fn new(ptr: CUdeviceptr, bytes: usize, origin: Origin, uses: Uses) -> Self {
        Self {
            ptr,
            bytes,
            origin,
            uses: Mutex::new(uses),
        }
    }
}

enum Origin {
    /// `cuMemAlloc` or `cuMemAllocManaged`.
    Context { context: Context, managed: bool },
    /// `cuMemAllocAsync`.
    Stream(Stream),
    /// Someone else's, with what keeps it alive.
    Borrowed {
        context: Context,
        _keep: Option<Box<dyn Any + Send + Sync>>,
    },
}

/// A value to [fill](Buffer::fill) memory with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// One byte.
    U8(u8),
    /// Two bytes.
    U16(u16),
    /// Four bytes.
    U32(u32),
}

impl Fill {
    /// Bytes of one value.
    pub fn size(self) -> usize {
        match self {
            Self::U8(_) => 1,
            Self::U16(_) => 2,
            Self::U32(_) => 4,
        }
    }
}

impl Device {
    /// Device memory of `bytes` bytes. With a stream and where the device has memory pools, in that stream's order
    /// (`cuMemAllocAsync`); else at once (`cuMemAlloc`).
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn allocate(self, bytes: usize, stream: Option<&Stream>) -> Result<Buffer> {
        match stream {
            Some(stream) if self.has_memory_pools() => Buffer::allocate_async(stream, bytes),
            _ => Buffer::allocate(self.context_ref()?, bytes),
        }
    }
}

impl Buffer {
    /// Memory at once (`cuMemAlloc`). No bytes need no memory: the pointer is then null.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn allocate(context: &Context, bytes: usize) -> Result<Self> {
        let mut ptr = 0;
        if bytes > 0 {
            context.bind()?;
            // SAFETY: the pointer is to a live local.
            unsafe { call!(context.driver(), cuMemAlloc_v2(&mut ptr, bytes)) }
                .map_err(|e| explain(e, context, bytes))?;
        }
        let origin = Origin::Context {
            context: context.clone(),
            managed: false,
        };
        let state = BufferState::new(ptr, bytes, origin, Uses::none());
        Ok(Self(Arc::new(state)))
    }

    /// Memory in the stream's order (`cuMemAllocAsync`, from the device's default pool).
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn allocate_async(stream: &Stream, bytes: usize) -> Result<Self> {
        let ptr = raw::allocate_async(stream, bytes)?;
        // SAFETY: it was just allocated, and only this knows of it.
        Ok(unsafe { Self::from_async(stream.clone(), ptr, bytes) })
    }

    /// Takes over memory that [`raw::allocate_async`] gave.
    ///
    /// # Safety
    /// `ptr` is `bytes` bytes allocated in this stream's order (or 0 for none), and nothing else frees it.
    pub unsafe fn from_async(stream: Stream, ptr: CUdeviceptr, bytes: usize) -> Self {
        let uses = Uses::fresh(&stream, bytes);
        // SAFETY: as this function's caller promises.
        unsafe { Self::from_async_used(stream, ptr, bytes, uses) }
    }

    /// Managed memory, which host and device reach at one address (`cuMemAllocManaged`, attached globally).
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn managed(context: &Context, bytes: usize) -> Result<Self> {
        let mut ptr = 0;
        if bytes > 0 {
            context.bind()?;
            let flags = CUmemAttach_flags::CU_MEM_ATTACH_GLOBAL.0;
            // SAFETY: the pointer is to a live local.
            unsafe { call!(context.driver(), cuMemAllocManaged(&mut ptr, bytes, flags)) }
                .map_err(|e| explain(e, context, bytes))?;
        }
        let origin = Origin::Context {
            context: context.clone(),
            managed: true,
        };
        let state = BufferState::new(ptr, bytes, origin, Uses::none());
        Ok(Self(Arc::new(state)))
    }

    /// As [`Buffer::from_async`], of memory that is used.
    ///
    /// # Safety
    /// As [`Buffer::from_async`].
    pub unsafe fn from_async_used(
        stream: Stream,
        ptr: CUdeviceptr,
        bytes: usize,
        uses: Uses,
    ) -> Self {
        let state = BufferState::new(ptr, bytes, Origin::Stream(stream), uses);
        Self(Arc::new(state))
    }

    /// Memory that something else owns; `keep` is dropped with the last handle.
    ///
    /// # Safety
    /// `ptr` is `bytes` bytes of memory that the context's device can reach while `keep` is alive.
    pub unsafe fn borrowed(
        context: &Context,
        ptr: CUdeviceptr,
        bytes: usize,
        keep: Option<Box<dyn Any + Send + Sync>>,
    ) -> Self {
        let origin = Origin::Borrowed {
            context: context.clone(),
            _keep: keep,
        };
        let state = BufferState::new(ptr, bytes, origin, Uses::none());
        Self(Arc::new(state))
    }

    /// A handle that does not keep the memory.
    pub fn downgrade(&self) -> WeakBuffer {
        WeakBuffer(Arc::downgrade(&self.0))
    }

    /// The device address.
    #[inline]
    pub fn ptr(&self) -> CUdeviceptr {
        self.0.ptr
    }

    /// Its size.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.bytes
    }

    /// How it is used by arrays.
    #[inline]
    pub(super) fn uses(&self) -> MutexGuard<'_, Uses> {
        self.0.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// True if it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.0.bytes == 0
    }

    /// The context it is in.
    #[inline]
    pub fn context(&self) -> &Context {
        match &self.0.origin {
            Origin::Stream(stream) => stream.context(),
            Origin::Context { context, .. } | Origin::Borrowed { context, .. } => context,
        }
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.context().device()
    }

    /// The stream in whose order it was allocated and will be freed.
    pub fn stream(&self) -> Option<&Stream> {
        match &self.0.origin {
            Origin::Stream(stream) => Some(stream),
            _ => None,
        }
    }

    /// True if something else owns the memory, so that dropping the last handle frees nothing.
    pub fn is_borrowed(&self) -> bool {
        matches!(self.0.origin, Origin::Borrowed { .. })
    }

    /// True if the host can use [`Buffer::ptr`] as an address too.
    pub fn is_host_accessible(&self) -> bool {
        matches!(self.0.origin, Origin::Context { managed: true, .. })
    }

    /// True if the two are memory of two devices of one driver. Of memory that something else owns, the driver finds
    /// out.
    pub fn is_of_another_device_than(&self, other: &Self) -> bool {
        let is_ours = |buffer: &Self| !buffer.is_borrowed() && !buffer.is_host_accessible();
        is_ours(self)
            && is_ours(other)
            && self.device() != other.device()
            && std::ptr::eq(self.context().driver(), other.context().driver())
    }

    /// Frees the memory in `stream`'s order instead of its own, if this is the last handle. Says whether it was.
    ///
    /// # Errors
    /// The errors of `cuMemFreeAsync`.
    pub fn free_on(self, stream: &Stream) -> Result<bool> {
        let Ok(mut state) = Arc::try_unwrap(self.0) else {
            return Ok(false);
        };
        if let Origin::Stream(own) = &state.origin
            && state.ptr != 0
            && own.context().check().is_ok()
        {
            let ptr = std::mem::take(&mut state.ptr); // nothing is left for the drop to free
            let uses = state.uses.get_mut().unwrap_or_else(PoisonError::into_inner);
            if ordered::end(uses, own, stream) {
                // SAFETY: the memory came from cuMemAllocAsync and this was its last handle; nothing frees it again.
                unsafe { raw::free_async(stream, ptr) }?;
            }
        }
        Ok(true)
    }

    /// Checks that `bytes` from `offset` on lie inside.
    ///
    /// # Errors
    /// [`Error::Invalid`] when they do not.
    pub fn check_range(&self, offset: usize, bytes: usize) -> Result<()> {
        match offset.checked_add(bytes) {
            Some(end) if end <= self.0.bytes => Ok(()),
            _ => Err(Error::invalid(format!(
                "{bytes} bytes from byte {offset} do not fit in a buffer of {} bytes",
                self.0.bytes
            ))),
        }
    }

    /// Copies a host slice to the buffer's start, and waits for it. In the given stream's order, else in that of
    /// the buffer's own stream, if it has one.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the slice is longer than the buffer; what the copy reports.
    pub fn copy_from_slice<T: Pod>(&self, src: &[T], stream: Option<&Stream>) -> Result<()> {
        let bytes = size_of_val(src);
        self.check_range(0, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        let stream = stream.or(self.stream());
        // SAFETY: the slice is readable, the range was checked, and the wait below ends before the borrow does.
        let copied = unsafe {
            raw::copy(
                self.context(),
                self.0.ptr,
                src.as_ptr().expose_provenance() as CUdeviceptr,
                bytes,
                stream,
            )
        };
        settle(copied, stream)
    }

    /// Copies from the buffer's start to a host slice, and waits for it. Order as in [`Buffer::copy_from_slice`].
    ///
    /// # Errors
    /// [`Error::Invalid`] when the slice is longer than the buffer; what the copy reports.
    pub fn copy_to_slice<T: Pod>(&self, dst: &mut [T], stream: Option<&Stream>) -> Result<()> {
        let bytes = size_of_val(dst);
        self.check_range(0, bytes)?;
        if bytes == 0 {
            return Ok(());
        }
        let stream = stream.or(self.stream());
        // SAFETY: the slice is writable and ours, the range was checked, and the wait below ends before the borrow.
        let copied = unsafe {
            raw::copy(
                self.context(),
                dst.as_mut_ptr().expose_provenance() as CUdeviceptr,
                self.0.ptr,
                bytes,
                stream,
            )
        };
        settle(copied, stream)
    }

    /// The whole buffer as values.
    ///
    /// # Errors
    /// The errors of the copy.
    pub fn to_vec<T: Pod>(&self, stream: Option<&Stream>) -> Result<Vec<T>> {
        let count = self.0.bytes / size_of::<T>().max(1);
        // SAFETY: zero is a value of every Pod.
        let mut values = vec![unsafe { std::mem::zeroed() }; count];
        self.copy_to_slice(&mut values, stream)?;
        Ok(values)
    }

    /// Copies host memory to `offset`. With a stream it may return before the copy is done.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes until the copy is done.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the bytes do not fit; what the copy reports.
    #[inline]
    pub unsafe fn copy_from_host(
        &self,
        offset: usize,
        src: *const u8,
        bytes: usize,
        stream: Option<&Stream>,
    ) -> Result<()> {
        self.check_range(offset, bytes)?;
        // SAFETY: the range lies within the buffer, as was checked, and the caller vouches for `bytes` bytes at
        // `src`.
        unsafe {
            raw::copy(
                self.context(),
                self.0.ptr + offset as u64,
                src.expose_provenance() as CUdeviceptr,
                bytes,
                stream,
            )
        }
    }

    /// Copies from `offset` to host memory. With a stream it may return before the copy is done.
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes, and used by nothing else, until the copy is done.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the buffer has fewer bytes; what the copy reports.
    #[inline]
    pub unsafe fn copy_to_host(
        &self,
        offset: usize,
        dst: *mut u8,
        bytes: usize,
        stream: Option<&Stream>,
    ) -> Result<()> {
        self.check_range(offset, bytes)?;
        // SAFETY: the range lies within the buffer, as was checked, and the caller vouches for `bytes` bytes at
        // `dst`.
        unsafe {
            raw::copy(
                self.context(),
                dst.expose_provenance() as CUdeviceptr,
                self.0.ptr + offset as u64,
                bytes,
                stream,
            )
        }
    }

    /// Copies all of `src` to this buffer's start; through the host when the two are of different drivers. With a
    /// stream, in its order.
    ///
    /// # Errors
    /// [`Error::Invalid`] when `src` is longer; what the copy reports.
    pub fn copy_from(&self, src: &Self, stream: Option<&Stream>) -> Result<()> {
        self.check_range(0, src.len())?;
        if src.is_empty() {
            return Ok(());
        }
        if !std::ptr::eq(self.context().driver(), src.context().driver()) {
            let bytes = src.to_vec::<u8>(None)?;
            return self.copy_from_slice(&bytes, stream);
        }
        self.context().check()?;
        src.context().check()?;
        if self.is_of_another_device_than(src) {
            let (to, from) = ((self.context(), self.0.ptr), (src.context(), src.0.ptr));
            // SAFETY: the range was checked, and the memory is freed in stream order or by a call that waits.
            return unsafe { raw::copy_between_devices(to, from, src.len(), stream) };
        }
        let context = stream.map_or(self.context(), Stream::context);
        // SAFETY: both ranges were checked, and device memory is freed in stream order or by a call that waits.
        unsafe { raw::copy(context, self.0.ptr, src.0.ptr, src.len(), stream) }
    }

    /// Fills the whole buffer.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the size is not a multiple of the value's; what the fill reports.
    pub fn fill(&self, value: Fill, stream: Option<&Stream>) -> Result<()> {
        if !self.0.bytes.is_multiple_of(value.size()) {
            return Err(Error::invalid(format!(
                "a buffer of {} bytes cannot be filled with values of {} bytes",
                self.0.bytes,
                value.size()
            )));
        }
        if self.is_empty() {
            return Ok(());
        }
        // SAFETY: the buffer has this many values.
        unsafe {
            raw::fill(
                self.context(),
                self.0.ptr,
                value,
                self.0.bytes / value.size(),
                stream.or(self.stream()),
            )
        }
    }
}

/// Waits for the stream after a copy between it and borrowed host memory: also after a failure, since the copy may
/// have started.
fn settle(copied: Result<()>, stream: Option<&Stream>) -> Result<()> {
    match stream {
        Some(stream) => {
            let waited = stream.sync();
            copied.and(waited)
        }
        None => copied,
    }
}

/// Says how much was asked for when memory ran out.
#[cold]
pub(super) fn explain(error: Error, context: &Context, bytes: usize) -> Error {
    if !error.is_out_of_memory() {
        return error;
    }
    match context.memory_info() {
        Ok((free, total)) => error.with_hint(format!(
            "{bytes} bytes were asked for; {free} of {total} are free on {}",
            context.device().name()
        )),
        Err(_) => error.with_hint(format!("{bytes} bytes were asked for")),
    }
}

impl Drop for BufferState {
    fn drop(&mut self) {
        if self.ptr == 0 {
            return;
        }
        match &self.origin {
            Origin::Stream(stream) => {
                let uses = self.uses.get_mut().unwrap_or_else(PoisonError::into_inner);
                let uses = std::mem::replace(uses, Uses::none());
                // SAFETY: it came from cuMemAllocAsync, and this is its last handle.
                unsafe { ordered::free(uses, stream, self.ptr) }
            }
            Origin::Context { context, .. } => {
                let address = self.ptr;
                // SAFETY: it came from cuMemAlloc or cuMemAllocManaged, and this is its last handle.
                context.release(move |driver| unsafe { call!(driver, cuMemFree_v2(address)) });
            }
            Origin::Borrowed { .. } => {}
        }
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Buffer({:#x}, {} bytes on {:?})",
            self.0.ptr,
            self.0.bytes,
            self.device()
        )
    }
}
