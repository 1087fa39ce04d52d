//! Contexts: what device memory, streams and code belong to.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::callback;
use crate::device::Device;
use crate::driver::Driver;
use crate::driver::sys::{CUcontext, CUresult, call, check};
use crate::error::{Error, Result};
use crate::green::GreenContext;
use crate::stream::{Stream, WeakStream};
use crate::wait;

/// A CUDA context (Driver API manual, *Context Management*). A cheap handle; objects made in the context keep it.
#[derive(Clone)]
pub struct Context(Arc<ContextState>);

/// A context that is not kept from being destroyed.
pub(crate) struct WeakContext(Weak<ContextState>);

impl WeakContext {
    pub(crate) fn upgrade(&self) -> Option<Context> {
        self.0.upgrade().map(Context)
    }
}

struct ContextState {
    device: Device,
    raw: CUcontext,
    owned: bool,
    /// The first failure of a destructor, given out by [`Context::take_deferred_error`].
    deferred: Mutex<Option<Error>>,
    /// The streams made here, for [`Context::sync_with`].
    streams: Mutex<Vec<WeakStream>>,
    /// True if a stream that others made was used here.
    foreign: AtomicBool,
    /// True if [`Device::reset`] has ended it: its handle may be that of the next one, so no call may be made in it.
    ended: AtomicBool,
}

impl Context {
    /// Wraps the device's primary context, already retained.
    pub(crate) fn primary(device: Device, raw: CUcontext) -> Self {
        Self(Arc::new(ContextState {
            device,
            raw,
            owned: false,
            deferred: Mutex::new(None),
            streams: Mutex::new(Vec::new()),
            foreign: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        }))
    }

    /// Creates a context of its own (`cuCtxCreate`), current on this thread. Most programs want
    /// [`Device::context`], which other CUDA libraries of the process share.
    ///
    /// # Errors
    /// The errors of `cuCtxCreate`.
    pub fn create(device: Device, flags: u32) -> Result<Self> {
        let driver = device.driver();
        let mut raw = CUcontext::null();
        // SAFETY: the pointer is to a live local; the device is the driver's own.
        unsafe { call!(driver, cuCtxCreate_v2(&mut raw, flags, device.raw())) }?;
        Ok(Self(Arc::new(ContextState {
            device,
            raw,
            owned: true,
            deferred: Mutex::new(None),
            streams: Mutex::new(Vec::new()),
            foreign: AtomicBool::new(false),
            ended: AtomicBool::new(false),
        })))
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.0.device
    }

    /// Says whether it is still there.
    ///
    /// # Errors
    /// [`Error::Reset`] after [`Device::reset`].
    #[inline]
    pub fn check(&self) -> Result<()> {
        if self.0.ended.load(Ordering::Relaxed) {
            return Err(Error::Reset);
        }
        Ok(())
    }

    /// [`Device::reset`] has ended it or is about to, or the driver has refused.
    pub(crate) fn set_ended(&self, ended: bool) {
        self.0.ended.store(ended, Ordering::SeqCst);
    }

    /// True if both are handles of one context.
    #[inline]
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The driver it belongs to.
    #[inline]
    pub fn driver(&self) -> &'static Driver {
        self.0.device.driver()
    }

    /// The `CUcontext`.
    #[inline]
    pub fn raw(&self) -> CUcontext {
        self.0.raw
    }

    /// Makes it current on this thread. The driver is asked each time which context is: that costs some 10 ns, less
    /// than it would cost to find out that another library of the process had changed it.
    ///
    /// # Errors
    /// [`Error::Forked`] in a forked child, [`Error::Reset`] after [`Device::reset`]; the errors of `cuCtxSetCurrent`.
    #[inline]
    pub fn bind(&self) -> Result<()> {
        if crate::driver::forked() {
            return Err(Error::Forked);
        }
        self.check()?;
        let mut now = CUcontext::null();
        // SAFETY: the pointer is to a live local.
        let code = unsafe { self.driver().table().cuCtxGetCurrent(&mut now) };
        if code == CUresult::CUDA_SUCCESS && now == self.0.raw {
            return Ok(());
        }
        self.make_current()
    }

    #[cold]
    pub(crate) fn make_current(&self) -> Result<()> {
        // Also inside a host function, where the call that the context is for says why it is refused.
        let raw = GreenContext::raw_for(self).unwrap_or(self.0.raw);
        // SAFETY: the context is alive as long as `self`, and a green one as long as it is current here.
        let code = unsafe { self.driver().table().cuCtxSetCurrent(raw) };
        if code != CUresult::CUDA_SUCCESS && callback::inside() {
            return Ok(());
        }
        check(self.driver(), code, "cuCtxSetCurrent")
    }

    /// The same for all handles that are clones of one another, and for no others while one of them, weak or not, is
    /// there.
    pub(crate) fn identity(&self) -> *const () {
        Arc::as_ptr(&self.0).cast()
    }

    pub(crate) fn downgrade(&self) -> WeakContext {
        WeakContext(Arc::downgrade(&self.0))
    }

    /// Waits for all work in this context.
    ///
    /// # Errors
    /// The failure of any kernel or copy that ran.
    pub fn sync(&self) -> Result<()> {
        self.bind()?;
        // SAFETY: the context is current.
        unsafe { call!(self.driver(), cuCtxSynchronize()) }
    }

    /// As [`Context::sync`], calling `stop` now and then; ends with [`Error::Interrupted`] when it says `true`.
    ///
    /// # Errors
    /// As [`Context::sync`], and [`Error::Interrupted`].
    pub fn sync_with(&self, stop: &mut dyn FnMut() -> bool) -> Result<()> {
        wait::context(self, stop)
    }

    /// Remembers a new stream.
    pub(crate) fn add_stream(&self, stream: WeakStream) {
        let mut streams = self
            .0
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        // Doubling before each sweep keeps the cost of many short-lived streams constant for each.
        if streams.len() == streams.capacity() {
            streams.retain(WeakStream::is_alive);
        }
        streams.push(stream);
    }

    /// Remembers that a stream of another library's is used here.
    pub(crate) fn note_foreign_stream(&self) {
        self.0.foreign.store(true, Ordering::Relaxed);
    }

    pub(crate) fn has_foreign_streams(&self) -> bool {
        self.0.foreign.load(Ordering::Relaxed)
    }

    /// All streams that are known here: those made in it, and its default streams.
    pub(crate) fn streams(&self) -> Vec<Stream> {
        let streams = self
            .0
            .streams
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let mut list: Vec<Stream> = streams.iter().filter_map(WeakStream::upgrade).collect();
        drop(streams);
        list.extend([Stream::legacy(self), Stream::per_thread(self)]);
        list
    }

    /// The stream that was made in this context and has this handle.
    pub(crate) fn stream_of_handle(&self, handle: usize) -> Option<Stream> {
        let streams = self.streams();
        streams
            .into_iter()
            .find(|one| one.handle() == handle && one.is_owned())
    }

    /// Free and total memory in bytes (`cuMemGetInfo`).
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn memory_info(&self) -> Result<(usize, usize)> {
        self.bind()?;
        let (mut free, mut total) = (0, 0);
        // SAFETY: both pointers are to live locals.
        unsafe { call!(self.driver(), cuMemGetInfo_v2(&mut free, &mut total)) }?;
        Ok((free, total))
    }

    /// The range of stream priorities, `(least, greatest)`; a lower number goes first.
    ///
    /// # Errors
    /// The errors of the driver.
    pub fn stream_priorities(&self) -> Result<(i32, i32)> {
        self.bind()?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both pointers are to live locals.
        unsafe {
            call!(
                self.driver(),
                cuCtxGetStreamPriorityRange(&mut least, &mut greatest)
            )
        }?;
        Ok((least, greatest))
    }

    /// The first failure that a destructor (a free, say) met in this context since the last call.
    pub fn take_deferred_error(&self) -> Option<Error> {
        self.0
            .deferred
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// Runs a destructor's driver call with the context current. In a forked child, after a reset (which has freed
    /// everything) or at a driver's shutdown nothing is called; in a host function the call is left to another thread.
    pub fn release(&self, call: impl FnOnce(&Driver) -> Result<()> + Send + 'static) {
        if callback::inside() {
            let context = self.clone();
            return callback::later(move || context.release(call));
        }
        let done = match self.bind() {
            Err(Error::Forked | Error::Reset) => return,
            Err(error) => Err(error),
            Ok(()) => call(self.driver()),
        };
        if let Err(error) = done
            && error.driver_code() != Some(4)
        {
            self.0
                .deferred
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert(error);
        }
    }
}

impl Drop for ContextState {
    fn drop(&mut self) {
        if !self.owned || crate::driver::forked() {
            return;
        }
        let (driver, raw) = (self.device.driver(), self.raw);
        if callback::inside() {
            // SAFETY: as below.
            return callback::later(move || drop(unsafe { call!(driver, cuCtxDestroy_v2(raw)) }));
        }
        // SAFETY: it was created here, and all objects made in it, which hold it, are gone.
        let _ = unsafe { call!(driver, cuCtxDestroy_v2(raw)) };
    }
}

impl PartialEq for Context {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw && std::ptr::eq(self.driver(), other.driver())
    }
}

impl Eq for Context {}

impl std::fmt::Debug for Context {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} on {:?}", self.0.raw, self.0.device)
    }
}
