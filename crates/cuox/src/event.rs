//! Events: marks in streams that can be waited for and timed.

use std::sync::Arc;

use crate::callback;
use crate::context::Context;
use crate::device::Device;
use crate::driver::Driver;
use crate::driver::sys::{CUevent, CUipcEventHandle, CUresult, call, check};
use crate::error::Result;
use crate::stream::Stream;
use crate::wait;

/// An event (Driver API manual, *Event Management*). A cheap handle.
#[derive(Clone)]
pub struct Event(Arc<EventState>);

struct EventState {
    context: Context,
    raw: CUevent,
    options: EventOptions,
    owned: bool,
}

/// The options of a new event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventOptions {
    /// Takes the time when it is reached. On by default.
    pub timing: bool,
    /// [`Event::sync`] sleeps instead of spinning.
    pub blocking: bool,
    /// Other processes can [open](Event::open) it. Such an event takes no time.
    pub interprocess: bool,
}

impl Default for EventOptions {
    fn default() -> Self {
        Self {
            timing: true,
            blocking: false,
            interprocess: false,
        }
    }
}

/// What another process opens an event by.
pub type ExportedEvent = [u8; size_of::<CUipcEventHandle>()];

impl Event {
    /// A new event, in no stream yet.
    ///
    /// # Errors
    /// The errors of `cuEventCreate`.
    pub fn new(context: &Context, options: EventOptions) -> Result<Self> {
        const BLOCKING: u32 = 1;
        const NO_TIMING: u32 = 2;
        const INTERPROCESS: u32 = 4;
        context.bind()?;
        let mut raw = CUevent::null();
        let flags = if options.blocking { BLOCKING } else { 0 }
            | if options.timing { 0 } else { NO_TIMING }
            | if options.interprocess {
                INTERPROCESS
            } else {
                0
            };
        // SAFETY: the pointer is to a live local.
        unsafe { call!(context.driver(), cuEventCreate(&mut raw, flags)) }?;
        Ok(Self(Arc::new(EventState {
            context: context.clone(),
            raw,
            options,
            owned: true,
        })))
    }

    /// What other processes [open](Event::open) the event by (`cuIpcGetEventHandle`).
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_HANDLE` for an event that was not made for other processes.
    pub fn export(&self) -> Result<ExportedEvent> {
        let mut handle = CUipcEventHandle::default();
        self.0.context.bind()?;
        // SAFETY: the pointer is to a live local; the event is alive.
        unsafe { call!(self.driver(), cuIpcGetEventHandle(&mut handle, self.0.raw)) }?;
        Ok(handle.reserved.map(|byte| byte as u8))
    }

    /// Another process's event (`cuIpcOpenEventHandle`). `blocking` is an option of waits here.
    ///
    /// # Errors
    /// `CUDA_ERROR_INVALID_HANDLE`, `CUDA_ERROR_INVALID_CONTEXT` in the process that has made the event, among others.
    pub fn open(context: &Context, exported: &ExportedEvent, blocking: bool) -> Result<Self> {
        let handle = CUipcEventHandle {
            reserved: exported.map(|byte| byte as _),
        };
        let mut raw = CUevent::null();
        context.bind()?;
        // SAFETY: the pointer is to a live local.
        unsafe { call!(context.driver(), cuIpcOpenEventHandle(&mut raw, handle)) }?;
        Ok(Self(Arc::new(EventState {
            context: context.clone(),
            raw,
            options: EventOptions {
                timing: false,
                blocking,
                interprocess: true,
            },
            owned: true,
        })))
    }

    /// An event that something else owns.
    ///
    /// # Safety
    /// The handle is an event of this context and outlives the value made here.
    pub unsafe fn from_raw(context: &Context, handle: usize) -> Self {
        let options = EventOptions::default();
        Self(Arc::new(EventState {
            context: context.clone(),
            raw: CUevent::from_addr(handle),
            options,
            owned: false,
        }))
    }

    /// Puts the mark behind the work that is now in `stream`.
    ///
    /// # Errors
    /// The errors of `cuEventRecord`.
    #[inline]
    pub fn record(&self, stream: &Stream) -> Result<()> {
        self.0.context.bind()?;
        stream.context().check()?;
        // SAFETY: event and stream are alive as long as the references.
        unsafe { call!(self.driver(), cuEventRecord(self.0.raw, stream.raw())) }
    }

    /// Waits until the mark is reached.
    ///
    /// # Errors
    /// The failure of any kernel or copy before it.
    pub fn sync(&self) -> Result<()> {
        self.0.context.bind()?;
        // SAFETY: the event is alive as long as `self`.
        unsafe { call!(self.driver(), cuEventSynchronize(self.0.raw)) }
    }

    /// As [`Event::sync`], calling `stop` now and then; ends with [`Error::Interrupted`](crate::Error::Interrupted)
    /// when it says `true`.
    ///
    /// # Errors
    /// As [`Event::sync`], and `Interrupted`.
    pub fn sync_with(&self, stop: &mut dyn FnMut() -> bool) -> Result<()> {
        callback::check("cuEventSynchronize")?;
        wait::poll(Some(self.driver()), &mut || self.is_done(), stop)
    }

    /// True if the mark is reached, or was never set. Does not wait.
    ///
    /// # Errors
    /// The failure of any kernel or copy before it.
    pub fn is_done(&self) -> Result<bool> {
        self.0.context.bind()?;
        // SAFETY: the event is alive as long as `self`.
        let code = unsafe { self.driver().table().cuEventQuery(self.0.raw) };
        if code == CUresult::CUDA_ERROR_NOT_READY {
            return Ok(false);
        }
        check(self.driver(), code, "cuEventQuery").map(|()| true)
    }

    /// True if the work before its last recording is over or was lost with its context, as far as that can be asked:
    /// not inside a host function.
    pub fn is_over(&self) -> bool {
        self.context().check().is_err() || wait::is_over(self.is_done())
    }

    /// Milliseconds from `start` to this event.
    ///
    /// # Errors
    /// `CUDA_ERROR_NOT_READY` before both are reached, `CUDA_ERROR_INVALID_HANDLE` without timing or when one was
    /// never recorded.
    pub fn elapsed_ms(&self, start: &Self) -> Result<f32> {
        self.0.context.bind()?;
        start.0.context.check()?;
        let mut ms = 0.0;
        // SAFETY: both events are alive and the pointer is to a live local.
        let done = unsafe {
            call!(
                self.driver(),
                cuEventElapsedTime(&mut ms, start.0.raw, self.0.raw)
            )
        };
        done.map_err(|error| match error.driver_code() {
            Some(400) if !(self.0.options.timing && start.0.options.timing) => {
                error.with_hint("both events must be made with timing")
            }
            Some(400) => error.with_hint("both events must be recorded first"),
            Some(600) => error.with_hint("synchronise the later event first"),
            _ => error,
        })?;
        Ok(ms)
    }

    /// The options that it was made with.
    pub fn options(&self) -> EventOptions {
        self.0.options
    }

    /// The context it is in.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The device it is on.
    pub fn device(&self) -> Device {
        self.0.context.device()
    }

    /// The `CUevent`.
    #[inline]
    pub fn raw(&self) -> CUevent {
        self.0.raw
    }

    /// The `CUevent` as a number.
    pub fn handle(&self) -> usize {
        self.0.raw.addr()
    }

    fn driver(&self) -> &'static Driver {
        self.0.context.driver()
    }
}

impl Drop for EventState {
    fn drop(&mut self) {
        if self.owned {
            let raw = self.raw;
            // SAFETY: it was created here and this is its last handle.
            self.context
                .release(move |driver| unsafe { call!(driver, cuEventDestroy_v2(raw)) });
        }
    }
}

impl PartialEq for Event {
    fn eq(&self, other: &Self) -> bool {
        self.0.raw == other.0.raw && self.0.context == other.0.context
    }
}

impl Eq for Event {}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Event({:#x} on {:?})", self.handle(), self.device())
    }
}
