//! The context and the stream that a call means: those of a handle, or of the calling thread.

use crate::code::{CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_HANDLE, Res};
use crate::context::{Context, PRIMARY_HANDLE, STREAM_LEGACY, STREAM_PER_THREAD};
use crate::driver::Driver;
use crate::streams::stream::Stream;
use crate::thread;
use std::sync::Arc;

/// The calling thread's context.
pub fn context(driver: &Driver) -> Res<Arc<Context>> {
    match thread::top() {
        0 => Err(INVALID_CONTEXT),
        handle => by_handle(driver, handle).map_err(|_| CONTEXT_IS_DESTROYED),
    }
}

/// The calling thread's context, if it has no error.
pub fn healthy(driver: &Driver) -> Res<Arc<Context>> {
    let context = context(driver)?;
    context.state.sticky.check()?;
    Ok(context)
}

/// The context with that handle.
pub fn by_handle(driver: &Driver, handle: u64) -> Res<Arc<Context>> {
    if handle == PRIMARY_HANDLE {
        return driver.primary.active().ok_or(CONTEXT_IS_DESTROYED);
    }
    driver.contexts.get(handle).ok_or(INVALID_CONTEXT)
}

/// True if a thread may make that handle current.
pub fn is_known(driver: &Driver, handle: u64) -> bool {
    handle == PRIMARY_HANDLE || driver.contexts.get(handle).is_some()
}

/// The stream with that handle.
pub fn stream(driver: &Driver, handle: u64) -> Res<Arc<Stream>> {
    match handle {
        0 => Ok(context(driver)?.default_stream()),
        STREAM_LEGACY => Ok(context(driver)?.legacy_stream()),
        STREAM_PER_THREAD => Ok(context(driver)?.per_thread_stream()),
        _ => driver.streams.get(handle).ok_or(INVALID_HANDLE),
    }
}
