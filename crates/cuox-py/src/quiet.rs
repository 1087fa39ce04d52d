//! Knowing that there is nothing to wait for.
//!
//! A copy to or from pageable memory waits in the driver for the work before it, where Ctrl-C does not reach: so the
//! work is waited for first, interruptibly. Asking the driver costs a microsecond, as much as a small copy may; so
//! what is known is remembered: a stream that was waited for stays quiet until the next launch.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pyo3::prelude::*;

use crate::error::{OrRaise, wait};

/// Launches so far. Only changed with the GIL held.
static LAUNCHES: AtomicU64 = AtomicU64::new(1);
/// The stream that was waited for last, with its driver, and how many launches there had been.
static QUIET_STREAM: AtomicU64 = AtomicU64::new(0);
static QUIET_SINCE: AtomicU64 = AtomicU64::new(0);

/// Something was submitted that may run for long.
#[inline]
pub fn work_added() {
    LAUNCHES.store(LAUNCHES.load(Relaxed) + 1, Relaxed);
}

/// Waits for the work in a stream (without one, in the device's default stream), unless it is known to be done.
pub fn wait_for_work(
    py: Python<'_>,
    device: cuox::Device,
    stream: Option<&cuox::Stream>,
) -> PyResult<()> {
    let launches = LAUNCHES.load(Relaxed);
    let handle = stream.map_or(cuox::stream::LEGACY, |stream| stream.handle()) as u64;
    // Handles are addresses or small numbers: the driver and the device fit beside them.
    let name = handle ^ (device.ordinal() as u64 * 2 + u64::from(device.is_soft())) << 48;
    if QUIET_SINCE.load(Relaxed) == launches && QUIET_STREAM.load(Relaxed) == name {
        return Ok(());
    }
    match stream {
        Some(stream) => wait(py, |stop| stream.sync_with(stop))?,
        None => {
            let default = device.default_stream().or_raise(py)?;
            wait(py, |stop| default.sync_with(stop))?;
        }
    }
    QUIET_STREAM.store(name, Relaxed);
    QUIET_SINCE.store(launches, Relaxed);
    Ok(())
}

/// The context that was waited for last, and how many launches there had been.
static QUIET_CONTEXT: AtomicU64 = AtomicU64::new(0);
static CONTEXT_QUIET_SINCE: AtomicU64 = AtomicU64::new(0);

/// Waits for all work in a context, unless it is known to be done.
pub fn wait_for_all(py: Python<'_>, context: &cuox::Context) -> PyResult<()> {
    let launches = LAUNCHES.load(Relaxed);
    let name = context.raw().addr() as u64;
    if CONTEXT_QUIET_SINCE.load(Relaxed) == launches && QUIET_CONTEXT.load(Relaxed) == name {
        return Ok(());
    }
    wait(py, |stop| context.sync_with(stop))?;
    QUIET_CONTEXT.store(name, Relaxed);
    CONTEXT_QUIET_SINCE.store(launches, Relaxed);
    Ok(())
}
