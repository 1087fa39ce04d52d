//! Green contexts: the primary context of a device with a part of its multiprocessors.

use std::cell::RefCell;
use std::sync::Arc;

use crate::context::Context;
use crate::driver::sys::{CUcontext, CUgreenCtx, CUstream, call};
use crate::error::Result;
use crate::stream::{Stream, StreamOptions};

/// A green context (Driver API manual, *Green Contexts*). A cheap handle; streams that were made in it keep it. Memory,
/// code and default streams are the primary context's.
#[derive(Clone)]
pub struct GreenContext(Arc<GreenState>);

struct GreenState {
    context: Context,
    raw: CUgreenCtx,
    as_context: CUcontext,
}

thread_local! {
    static CURRENT: RefCell<Option<GreenContext>> = const { RefCell::new(None) };
}

impl GreenContext {
    /// Takes a green context over, which is destroyed with the last handle on it.
    ///
    /// # Errors
    /// The errors of `cuCtxFromGreenCtx`; then it is destroyed.
    ///
    /// # Safety
    /// The handle is a `CUgreenCtx` of the device whose primary context this is, and nobody else destroys it.
    pub unsafe fn from_raw(context: &Context, handle: usize) -> Result<Self> {
        let raw = CUgreenCtx::from_addr(handle);
        let mut as_context = CUcontext::null();
        // SAFETY: the pointer is to a live local, the handle is one by this function's contract.
        let known = unsafe { call!(context.driver(), cuCtxFromGreenCtx(&mut as_context, raw)) };
        let made = Self(Arc::new(GreenState {
            context: context.clone(),
            raw,
            as_context,
        }));
        known.map(|()| made)
    }

    /// The primary context.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The `CUgreenCtx` as a number.
    pub fn handle(&self) -> usize {
        self.0.raw.addr()
    }

    /// The `CUcontext` that stands for it.
    pub fn raw(&self) -> CUcontext {
        self.0.as_context
    }

    /// A new stream, whose kernels run on the context's multiprocessors. It waits for no default stream, whatever the
    /// options say.
    ///
    /// # Errors
    /// The errors of `cuGreenCtxStreamCreate`.
    pub fn create_stream(&self, options: StreamOptions) -> Result<Stream> {
        const NON_BLOCKING: u32 = 1;
        self.0.context.bind()?;
        let mut raw = CUstream::null();
        let driver = self.0.context.driver();
        // SAFETY: the pointer is to a live local, the green context is alive as long as `self`.
        unsafe {
            call!(
                driver,
                cuGreenCtxStreamCreate(&mut raw, self.0.raw, NON_BLOCKING, options.priority)
            )
        }?;
        Ok(Stream::in_green(self, raw))
    }

    /// Makes it current on this thread, and its device. [`Device::set_current`](crate::Device::set_current) ends that.
    ///
    /// # Errors
    /// The errors of `cuCtxSetCurrent`.
    pub fn set_current(&self) -> Result<()> {
        self.0.context.device().set_current()?;
        CURRENT.with(|current| drop(current.replace(Some(self.clone()))));
        let made = self.0.context.make_current();
        if made.is_err() {
            Self::leave();
        }
        made
    }

    /// The one that is current on this thread.
    pub fn current() -> Option<Self> {
        CURRENT
            .try_with(|current| current.borrow().clone())
            .ok()
            .flatten()
    }

    /// No green context is current any more. The primary context is to be made current.
    pub(crate) fn leave() {
        // Its last handle may go with that, which calls the driver.
        let old = CURRENT.try_with(|current| current.borrow_mut().take());
        drop(old);
    }

    /// The `CUcontext` to make current where a primary context is wanted.
    pub(crate) fn raw_for(context: &Context) -> Option<CUcontext> {
        Self::current()
            .filter(|green| green.0.context.is(context))
            .map(|green| green.raw())
    }
}

impl PartialEq for GreenContext {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for GreenContext {}

impl std::fmt::Debug for GreenContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "GreenContext({:#x})", self.handle())
    }
}

impl Drop for GreenState {
    fn drop(&mut self) {
        let raw = self.raw;
        // SAFETY: it was given to this value, and this is its last handle.
        self.context
            .release(move |driver| unsafe { call!(driver, cuGreenCtxDestroy(raw)) });
    }
}
