//! Streams: queues of work on a device.

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock, Weak};

use crate::callback;
use crate::context::Context;
use crate::device::Device;
use crate::driver::Driver;
use crate::driver::sys::{
    CUcontext, CUhostFn, CUresult, CUstream, CUstreamCaptureStatus, call, check,
};
use crate::error::Result;
use crate::event::{Event, EventOptions};
use crate::green::GreenContext;
use crate::thread_end;
use crate::wait;

/// The handle of the legacy default stream (`CU_STREAM_LEGACY`).
pub const LEGACY: usize = 1;
/// The handle of the calling thread's default stream (`CU_STREAM_PER_THREAD`).
pub const PER_THREAD: usize = 2;

/// A stream (Driver API manual, *Stream Management*). A cheap handle; the stream is destroyed when the last one is
/// dropped, after the work that is in it.
#[derive(Clone)]
pub struct Stream(Arc<StreamState>);

struct StreamState {
    context: Context,
    /// The context's, here because each call in the stream's order asks for it.
    driver: &'static Driver,
    raw: CUstream,
    owned: bool,
    /// The green context that it was made in.
    green: Option<GreenContext>,
    /// What the driver has said of a stream that is owned: it stays so.
    id: OnceLock<u64>,
    is_nonblocking: OnceLock<bool>,
}

/// A stream that is not kept from being destroyed.
pub(crate) struct WeakStream(Weak<StreamState>);

impl WeakStream {
    pub(crate) fn upgrade(&self) -> Option<Stream> {
        self.0.upgrade().map(Stream)
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// The options of a new stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StreamOptions {
    /// Does not wait for the legacy default stream, nor that for it. On by default.
    pub nonblocking: bool,
    /// Lower goes first; the driver brings it into [`Context::stream_priorities`].
    pub priority: i32,
}

impl Default for StreamOptions {
    fn default() -> Self {
        Self {
            nonblocking: true,
            priority: 0,
        }
    }
}

impl Stream {
    /// A new stream, in the green context that is current, if one is.
    ///
    /// # Errors
    /// The errors of `cuStreamCreateWithPriority`.
    pub fn new(context: &Context, options: StreamOptions) -> Result<Self> {
        context.bind()?;
        let green = GreenContext::current().filter(|green| green.context().is(context));
        if green.is_some() {
            context.make_current()?;
        }
        let mut raw = CUstream::null();
        let flags = u32::from(options.nonblocking);
        // SAFETY: the pointer is to a live local.
        unsafe {
            call!(
                context.driver(),
                cuStreamCreateWithPriority(&mut raw, flags, options.priority)
            )
        }?;
        let stream = Self::made(context, raw, true, green);
        context.add_stream(WeakStream(Arc::downgrade(&stream.0)));
        Ok(stream)
    }

    fn of(context: &Context, raw: CUstream, owned: bool) -> Self {
        Self::made(context, raw, owned, None)
    }

    /// A stream that was made in a green context.
    pub(crate) fn in_green(green: &GreenContext, raw: CUstream) -> Self {
        let stream = Self::made(green.context(), raw, true, Some(green.clone()));
        green
            .context()
            .add_stream(WeakStream(Arc::downgrade(&stream.0)));
        stream
    }

    fn made(context: &Context, raw: CUstream, owned: bool, green: Option<GreenContext>) -> Self {
        Self(Arc::new(StreamState {
            context: context.clone(),
            driver: context.driver(),
            raw,
            owned,
            green,
            id: OnceLock::new(),
            is_nonblocking: OnceLock::new(),
        }))
    }

    /// The context's legacy default stream.
    pub fn legacy(context: &Context) -> Self {
        Self::of(context, CUstream::from_addr(LEGACY), false)
    }

    /// The default stream of whichever thread uses it. On a GPU a thread that has used it waits at its end for the work
    /// in it, except the main one.
    pub fn per_thread(context: &Context) -> Self {
        Self::of(context, CUstream::from_addr(PER_THREAD), false)
    }

    /// A stream that something else owns (PyTorch, the CUDA runtime). 0, 1 and 2 are the default streams. The handle of
    /// a stream that was made here gives another handle on that.
    ///
    /// # Safety
    /// The handle is a stream of this context and outlives the value made here.
    pub unsafe fn from_raw(context: &Context, handle: usize) -> Self {
        if handle > PER_THREAD {
            if let Some(own) = context.stream_of_handle(handle) {
                return own;
            }
            context.note_foreign_stream();
        }
        Self::of(context, CUstream::from_addr(handle), false)
    }

    /// The context it is in.
    #[inline]
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The green context that it was made in; for a default stream the one that is current, if it is of this device.
    pub fn green(&self) -> Option<GreenContext> {
        match self.handle() {
            ..=PER_THREAD => {
                GreenContext::current().filter(|green| green.context().is(&self.0.context))
            }
            _ => self.0.green.clone(),
        }
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.0.context.device()
    }

    /// The `CUstream`, for a call of the driver on this thread.
    #[inline]
    pub fn raw(&self) -> CUstream {
        self.note_thread();
        self.0.raw
    }

    /// The `CUstream` as a number, as `__cuda_stream__` and DLPack pass it.
    #[inline]
    pub fn handle(&self) -> usize {
        self.0.raw.addr()
    }

    /// The same for all handles that are clones of one another, and for no others while one of them is there.
    #[inline]
    pub fn identity(&self) -> *const () {
        Arc::as_ptr(&self.0).cast()
    }

    /// True if it is destroyed with its last handle here.
    pub fn is_owned(&self) -> bool {
        self.0.owned
    }

    #[inline]
    pub(crate) fn driver(&self) -> &'static Driver {
        self.note_thread();
        self.0.driver
    }

    /// Lets the thread wait at its end for the work in its default stream, which NVIDIA's driver destroys then. With
    /// work in it and memory from a pool (`cuMemAllocAsync`) in use, the ending thread and the next call of another one
    /// would wait for each other without an end (seen with driver 580.159).
    #[inline]
    fn note_thread(&self) {
        if self.handle() == PER_THREAD && !self.0.driver.is_soft() {
            thread_end::once(self.0.context.identity().addr(), || {
                let context = self.0.context.downgrade();
                move || {
                    if let Some(context) = context.upgrade() {
                        let stream = Self::per_thread(&context);
                        // Work that fails is over; so is that of a device that was reset.
                        drop(wait::poll(
                            Some(stream.0.driver),
                            &mut || stream.is_done(),
                            &mut || false,
                        ));
                    }
                }
            });
        }
    }

    /// Waits until all its work is done. Use [`Stream::sync_with`] where the wait must be interruptible.
    ///
    /// # Errors
    /// The failure of any kernel or copy that ran.
    pub fn sync(&self) -> Result<()> {
        self.0.context.bind()?;
        // SAFETY: the stream is alive as long as `self`.
        unsafe { call!(self.driver(), cuStreamSynchronize(self.0.raw)) }
    }

    /// As [`Stream::sync`], calling `stop` now and then; ends with
    /// [`Error::Interrupted`](crate::Error::Interrupted) when it says `true`.
    ///
    /// # Errors
    /// As [`Stream::sync`], and `Interrupted`.
    pub fn sync_with(&self, stop: &mut dyn FnMut() -> bool) -> Result<()> {
        callback::check("cuStreamSynchronize")?;
        wait::poll(Some(self.driver()), &mut || self.is_done(), stop)
    }

    /// True if all its work is done. Does not wait.
    ///
    /// # Errors
    /// The failure of any kernel or copy that ran.
    pub fn is_done(&self) -> Result<bool> {
        self.0.context.bind()?;
        // SAFETY: the stream is alive as long as `self`.
        let code = unsafe { self.driver().table().cuStreamQuery(self.0.raw) };
        if code == CUresult::CUDA_ERROR_NOT_READY {
            return Ok(false);
        }
        check(self.driver(), code, "cuStreamQuery").map(|()| true)
    }

    /// True if its work is over or was lost with its context, as far as that can be asked: not inside a host function,
    /// nor of a stream that is captured, which the question would spoil.
    pub fn is_over(&self) -> bool {
        self.context().check().is_err()
            || (!matches!(self.is_capturing(), Ok(true)) && wait::is_over(self.is_done()))
    }

    /// Makes later work wait for this event.
    ///
    /// # Errors
    /// The errors of `cuStreamWaitEvent`.
    pub fn wait(&self, event: &Event) -> Result<()> {
        self.0.context.bind()?;
        event.context().check()?;
        // SAFETY: stream and event are alive as long as the references.
        unsafe { call!(self.driver(), cuStreamWaitEvent(self.0.raw, event.raw(), 0)) }
    }

    /// Makes later work wait for all that is now in `other`.
    ///
    /// # Errors
    /// The errors of the event's calls.
    pub fn wait_stream(&self, other: &Self) -> Result<()> {
        let event = Event::new(
            other.context(),
            EventOptions {
                timing: false,
                ..EventOptions::default()
            },
        )?;
        event.record(other)?;
        self.wait(&event)
    }

    /// A new event, recorded here.
    ///
    /// # Errors
    /// The errors of the event's calls.
    pub fn record(&self, options: EventOptions) -> Result<Event> {
        let event = Event::new(&self.0.context, options)?;
        event.record(self)?;
        Ok(event)
    }

    /// Its priority; lower goes first.
    ///
    /// # Errors
    /// The errors of `cuStreamGetPriority`.
    pub fn priority(&self) -> Result<i32> {
        self.0.context.bind()?;
        let mut priority = 0;
        // SAFETY: the stream is alive and the pointer is to a live local.
        unsafe {
            call!(
                self.driver(),
                cuStreamGetPriority(self.0.raw, &mut priority)
            )
        }?;
        Ok(priority)
    }

    /// True if it was made nonblocking.
    ///
    /// # Errors
    /// The errors of `cuStreamGetFlags`.
    pub fn is_nonblocking(&self) -> Result<bool> {
        if let Some(&known) = self.0.is_nonblocking.get() {
            return Ok(known);
        }
        self.0.context.bind()?;
        let mut flags = 0;
        // SAFETY: the stream is alive and the pointer is to a live local.
        unsafe { call!(self.driver(), cuStreamGetFlags(self.0.raw, &mut flags)) }?;
        let is_nonblocking = flags & 1 != 0;
        if self.0.owned || self.is_legacy() {
            let _ = self.0.is_nonblocking.set(is_nonblocking);
        }
        Ok(is_nonblocking)
    }

    /// Runs `function` on a thread of the driver's when the work before it is done (`cuLaunchHostFunc`). It must
    /// not call CUDA ([`crate::callback`]); what it drops is given back by another thread. If the work before it
    /// fails it never runs. A panic in it is caught and lost.
    ///
    /// # Errors
    /// The errors of `cuLaunchHostFunc`.
    pub fn host_callback(&self, function: impl FnOnce() + Send + 'static) -> Result<()> {
        extern "C" fn run(data: *mut c_void) {
            // SAFETY: the driver passes back the pointer that was boxed below, once.
            let function = unsafe { Box::from_raw(data.cast::<Box<dyn FnOnce() + Send>>()) };
            let _ = catch_unwind(AssertUnwindSafe(|| callback::run(function)));
        }
        let boxed: Box<Box<dyn FnOnce() + Send>> = Box::new(Box::new(function));
        let data = Box::into_raw(boxed);
        // SAFETY: `run` owns what `data` points to, and catches panics.
        let done = unsafe { self.host_function(run, data.cast()) };
        if done.is_err() {
            // SAFETY: the driver refused it, so nothing else will free it.
            drop(unsafe { Box::from_raw(data) });
        }
        done
    }

    /// Has a thread of the driver's call `function` with `data` when the work before it is done (`cuLaunchHostFunc`).
    /// If this stream is being captured, each launch of the graph calls it. It should do all it does in
    /// [`callback::run`](crate::callback::run).
    ///
    /// # Safety
    /// `function` may be called with `data` so often, on any thread, and does not unwind.
    ///
    /// # Errors
    /// The errors of `cuLaunchHostFunc`.
    pub unsafe fn host_function(
        &self,
        function: unsafe extern "C" fn(*mut c_void),
        data: *mut c_void,
    ) -> Result<()> {
        self.0.context.bind()?;
        let function: CUhostFn = Some(function);
        // SAFETY: the stream is alive, and the caller vouches for `function` and `data`.
        unsafe { call!(self.driver(), cuLaunchHostFunc(self.0.raw, function, data)) }
    }

    /// True if work that is put into it becomes part of a graph (`cuStreamIsCapturing`). The legacy default stream is
    /// never captured.
    ///
    /// # Errors
    /// The errors of `cuStreamIsCapturing`.
    pub fn is_capturing(&self) -> Result<bool> {
        if self.is_legacy() {
            return Ok(false);
        }
        self.0.context.bind()?;
        let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        // SAFETY: the stream is alive and the pointer is to a live local.
        unsafe { call!(self.driver(), cuStreamIsCapturing(self.0.raw, &mut status)) }?;
        Ok(status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE)
    }

    /// A number of the capture that work in this stream becomes part of, if it does (`cuStreamGetCaptureInfo`).
    ///
    /// # Errors
    /// The errors of `cuStreamGetCaptureInfo`.
    pub fn capture(&self) -> Result<Option<u64>> {
        if self.is_legacy() {
            return Ok(None);
        }
        self.0.context.bind()?;
        let mut status = CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        let (mut id, null) = (0, std::ptr::null_mut::<c_void>());
        // SAFETY: the stream is alive and the pointers are to live locals, or null where nothing is asked.
        unsafe {
            call!(
                self.driver(),
                cuStreamGetCaptureInfo_v2(
                    self.0.raw,
                    &mut status,
                    &mut id,
                    null.cast(),
                    null.cast(),
                    null.cast()
                )
            )
        }?;
        let captures = status != CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
        Ok(captures.then_some(id))
    }

    /// A number that no other stream of the process has or will have, unlike the handle (`cuStreamGetId`). The
    /// per-thread default stream has one for each thread.
    ///
    /// # Errors
    /// The errors of `cuStreamGetId`.
    pub fn id(&self) -> Result<u64> {
        if let Some(&id) = self.0.id.get() {
            return Ok(id);
        }
        self.0.context.bind()?;
        let mut id = 0;
        // SAFETY: the stream is alive and the pointer is to a live local.
        unsafe { call!(self.driver(), cuStreamGetId(self.0.raw, &mut id)) }?;
        // Handles of others' streams may be of another one some day, and that of the per-thread stream is of each
        // thread's.
        if self.0.owned || self.is_legacy() {
            let _ = self.0.id.set(id);
        }
        Ok(id)
    }

    /// True for the legacy default stream.
    #[inline]
    fn is_legacy(&self) -> bool {
        self.handle() <= LEGACY
    }

    /// Which context the driver says it is in.
    ///
    /// # Errors
    /// The errors of `cuStreamGetCtx`.
    pub fn raw_context(&self) -> Result<CUcontext> {
        self.0.context.bind()?;
        let mut context = CUcontext::null();
        // SAFETY: the stream is alive and the pointer is to a live local.
        unsafe { call!(self.driver(), cuStreamGetCtx(self.0.raw, &mut context)) }?;
        Ok(context)
    }
}

impl Drop for StreamState {
    fn drop(&mut self) {
        if self.owned {
            let raw = self.raw;
            // SAFETY: it was created here and this is its last handle.
            self.context
                .release(move |driver| unsafe { call!(driver, cuStreamDestroy_v2(raw)) });
        }
    }
}

impl PartialEq for Stream {
    fn eq(&self, other: &Self) -> bool {
        // The legacy default stream has two handles.
        self.handle().max(LEGACY) == other.handle().max(LEGACY) && self.0.context == other.0.context
    }
}

impl Eq for Stream {}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Stream({:#x} on {:?})", self.handle(), self.device())
    }
}
