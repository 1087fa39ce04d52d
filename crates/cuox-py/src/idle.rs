//! Knowing that there is nothing to wait for.
//!
//! A copy to or from pageable memory waits in the driver for the work before it, where Ctrl-C does not reach: so the
//! work is waited for first, interruptibly. Asking the driver costs a microsecond, as much as a small copy may; so what
//! is known is remembered: a stream that was waited for stays quiet until more work is put into any stream. A short
//! copy that has nothing to wait for keeps the GIL. It must not where it may wait: a callback in the stream may need
//! the GIL, and a kernel may run for long. So all work that is put into streams from here is told of here, and once
//! another library is seen to use the device, nothing is taken to be quiet any more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cuox::driver::sys;
use cuox_interpreter::c_values::table;
use pyo3::prelude::*;

use crate::error::{OrRaise, wait};

/// The number of times that work was put into streams so far. Only changed with the GIL held.
static LAUNCHES: AtomicU64 = AtomicU64::new(1);
/// The number of threads that are putting work into a stream just now, without the GIL. Only changed with the GIL held.
static IN_FLIGHT: AtomicU64 = AtomicU64::new(0);
/// True if another library uses the device too.
static OTHERS: AtomicBool = AtomicBool::new(false);
/// The stream that was waited for last, with its driver, and how many launches there had been.
static QUIET_STREAM: AtomicU64 = AtomicU64::new(0);
static QUIET_SINCE: AtomicU64 = AtomicU64::new(0);

/// Streams that may have work, kept until they are known to have none.
static BUSY: Mutex<Vec<cuox::Stream>> = Mutex::new(Vec::new());
/// The stream that was used last; it is in `BUSY`.
static BUSY_LAST: AtomicU64 = AtomicU64::new(0);

/// The amount of work put into streams since none of them had any. Only changed with the GIL held.
static QUEUED: AtomicU64 = AtomicU64::new(0);
/// So much the driver takes without waiting; NVIDIA's takes about a thousand launches or events before it waits.
const ROOM: u64 = 500;

/// True if the driver takes one thing more for a stream without waiting. Counts it.
#[inline]
pub fn has_room(_py: Python<'_>) -> bool {
    let queued = QUEUED.load(Relaxed);
    if queued >= ROOM || OTHERS.load(Relaxed) {
        return false;
    }
    QUEUED.store(queued + 1, Relaxed);
    true
}

/// Something was put into a stream that may need the GIL: whoever waits for room must not have it.
pub fn needs_gil(py: Python<'_>) {
    QUEUED.store(ROOM, Relaxed);
    // A bound function may wait for it as well.
    table(py).assume_callbacks();
}

/// As [`submit`], for what the driver takes at once if there is room, which is most of what is launched: it keeps the
/// GIL then, which costs more to give away and take back than all else that is done here.
#[inline]
pub fn submit_at_once<T: Send>(
    py: Python<'_>,
    stream: &cuox::Stream,
    work: impl FnOnce() -> T + Send,
) -> T {
    if !has_room(py) {
        return submit(py, stream, work);
    }
    work_added(stream);
    work()
}

/// Waits for a stream, and keeps in mind that it has no work.
pub fn sync(py: Python<'_>, user: &str, stream: &cuox::Stream) -> PyResult<()> {
    let launches = LAUNCHES.load(Relaxed);
    wait(py, user, |stop| stream.sync_with(stop))?;
    drained(py, launches, |other| other == stream);
    Ok(())
}

/// Waits for all work in a context, and keeps in mind that its streams have none.
pub fn sync_all(py: Python<'_>, user: &str, context: &cuox::Context) -> PyResult<()> {
    let launches = LAUNCHES.load(Relaxed);
    wait(py, user, |stop| context.sync_with(stop))?;
    drained(py, launches, |stream| stream.context() == context);
    Ok(())
}

/// Streams were waited for after so many launches.
fn drained(_py: Python<'_>, launches: u64, waited_for: impl Fn(&cuox::Stream) -> bool) {
    if !is_last(launches) {
        return;
    }
    let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
    busy.retain(|stream| !waited_for(stream));
    BUSY_LAST.store(0, Relaxed);
    if busy.is_empty() {
        QUEUED.store(0, Relaxed);
    }
}

/// Puts work into a stream without the GIL: the driver waits when the stream's queue is full, and what empties the
/// queue may need the GIL.
#[inline]
pub fn submit<T: Send>(
    py: Python<'_>,
    stream: &cuox::Stream,
    work: impl FnOnce() -> T + Send,
) -> T {
    struct Flight;

    impl Drop for Flight {
        fn drop(&mut self) {
            IN_FLIGHT.store(IN_FLIGHT.load(Relaxed) - 1, Relaxed);
        }
    }

    work_added(stream);
    IN_FLIGHT.store(IN_FLIGHT.load(Relaxed) + 1, Relaxed);
    let _flight = Flight;
    py.detach(work)
}

/// Only for `cuox.cuda.bindings`: it puts work into streams that is not told of here.
#[pyfunction]
pub fn _note_foreign_use() {
    others_seen();
}

/// For modules of cuox that put work into streams by the driver's functions: to be called before and after.
#[pyfunction]
pub fn _note_work() {
    LAUNCHES.store(LAUNCHES.load(Relaxed) + 1, Relaxed);
    QUEUED.store(QUEUED.load(Relaxed) + 1, Relaxed);
}

/// Another library has shown a stream, or memory that its own work is ordered by.
#[cold]
pub fn others_seen() {
    OTHERS.store(true, Relaxed);
    QUIET_SINCE.store(0, Relaxed);
    CONTEXT_QUIET_SINCE.store(0, Relaxed);
}

/// True if the stream or device that was waited for after so many launches is still idle.
fn is_certain(device: cuox::Device, launches: u64) -> bool {
    is_last(launches) && !OTHERS.load(Relaxed) && !device.context_was_active()
}

/// True if nothing was put into streams from here after so many launches, nor is just now.
fn is_last(launches: u64) -> bool {
    LAUNCHES.load(Relaxed) == launches && IN_FLIGHT.load(Relaxed) == 0
}

#[inline]
fn work_added(stream: &cuox::Stream) {
    LAUNCHES.store(LAUNCHES.load(Relaxed) + 1, Relaxed);
    // A handle is an address, or the same small number in every context.
    let name = stream.handle() as u64 ^ stream.context().raw().addr() as u64;
    if BUSY_LAST.load(Relaxed) != name {
        remember(stream, name);
    }
}

/// True if a stream has unfinished work. A stream that failed has none, and neither has one that is being captured
/// (which a plain question would spoil).
fn has_work(stream: &cuox::Stream) -> bool {
    let mut status = sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    if stream.context().bind().is_err() {
        return false;
    }
    let table = stream.context().driver().table();
    // SAFETY: the stream is alive, and the pointer is to a live local.
    let asked = unsafe { table.cuStreamIsCapturing(stream.raw(), &mut status) };
    let captured = asked == sys::CUresult::CUDA_SUCCESS
        && status != sys::CUstreamCaptureStatus::CU_STREAM_CAPTURE_STATUS_NONE;
    !captured && matches!(stream.is_done(), Ok(false))
}

#[cold]
fn remember(stream: &cuox::Stream, name: u64) {
    const MANY: usize = 64;
    // A stream that another library may destroy must not be asked later.
    if !stream.is_owned() && stream.handle() > cuox::stream::PER_THREAD {
        return;
    }
    let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
    if busy.len() >= MANY {
        busy.retain(has_work);
    }
    if !busy.contains(stream) {
        busy.push(stream.clone());
    }
    BUSY_LAST.store(name, Relaxed);
}

/// Lets go of the streams without work, which keep their green contexts alive. True if none is left.
pub fn forget_idle() -> bool {
    let mut busy = BUSY.lock().unwrap_or_else(PoisonError::into_inner);
    busy.retain(has_work);
    BUSY_LAST.store(0, Relaxed);
    busy.is_empty()
}

/// Waits, by asking again and again, until no stream has work that was launched from here: a call that waits in the
/// driver may keep every other thread out of it. For threads without the GIL.
pub fn wait_until_idle() {
    const LONGEST: Duration = Duration::from_millis(20);
    let mut pause = Duration::from_micros(50);
    loop {
        if forget_idle() {
            return;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(LONGEST);
    }
}

#[inline]
fn name(device: cuox::Device, handle: usize) -> u64 {
    // Handles are addresses or small numbers: the driver and the device fit beside them.
    handle as u64 ^ (device.ordinal() as u64 * 2 + u64::from(device.is_soft())) << 48
}

/// True if the device's default stream is known to have no work.
#[inline]
pub fn is_quiet(device: cuox::Device) -> bool {
    QUIET_SINCE.load(Relaxed) == LAUNCHES.load(Relaxed)
        && QUIET_STREAM.load(Relaxed) == name(device, cuox::stream::LEGACY)
}

/// Waits for the work in a stream (without one, in the device's default stream), unless it is known to be done. Says
/// whether the stream is certain to be without work until the GIL is released.
pub fn wait_for_work(
    py: Python<'_>,
    user: &str,
    device: cuox::Device,
    stream: Option<&cuox::Stream>,
) -> PyResult<bool> {
    let launches = LAUNCHES.load(Relaxed);
    let device = stream.map_or(device, cuox::Stream::device);
    let handle = stream.map_or(cuox::stream::LEGACY, |stream| stream.handle());
    let name = name(device, handle);
    if QUIET_SINCE.load(Relaxed) == launches && QUIET_STREAM.load(Relaxed) == name {
        return Ok(true);
    }
    match stream {
        Some(stream) => sync(py, user, stream)?,
        None => sync(py, user, &device.default_stream().or_raise_in(py, user)?)?,
    }
    let certain = is_certain(device, launches);
    if certain {
        QUIET_STREAM.store(name, Relaxed);
        QUIET_SINCE.store(launches, Relaxed);
    }
    Ok(certain)
}

/// The context that was waited for last, and how many launches there had been.
static QUIET_CONTEXT: AtomicU64 = AtomicU64::new(0);
static CONTEXT_QUIET_SINCE: AtomicU64 = AtomicU64::new(0);

/// Waits for all work in a context, unless it is known to be done.
pub fn wait_for_all(py: Python<'_>, user: &str, context: &cuox::Context) -> PyResult<()> {
    let launches = LAUNCHES.load(Relaxed);
    let name = context.raw().addr() as u64;
    if CONTEXT_QUIET_SINCE.load(Relaxed) == launches && QUIET_CONTEXT.load(Relaxed) == name {
        return Ok(());
    }
    sync_all(py, user, context)?;
    if is_certain(context.device(), launches) {
        QUIET_CONTEXT.store(name, Relaxed);
        CONTEXT_QUIET_SINCE.store(launches, Relaxed);
    }
    Ok(())
}
