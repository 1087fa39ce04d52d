//! Host functions in streams, inside which CUDA may not be used (Driver API manual, `cuLaunchHostFunc`).
//!
//! A driver answers `CUDA_ERROR_NOT_PERMITTED` there, or waits for the very stream that the function holds up. So a
//! call that a driver could wait in is refused here, by its name, on any device.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use crate::driver::sys::CUresult;
use crate::error::{Error, Result};

/// The number of host functions of ours that run just now: while it is 0, no thread needs to look whether it is in one.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// True if this thread is inside a host function that was put into a stream by [`Stream::host_callback`] or with
/// [`run`].
///
/// [`Stream::host_callback`]: crate::Stream::host_callback
#[inline]
pub fn inside() -> bool {
    RUNNING.load(Relaxed) != 0 && INSIDE.get()
}

/// Runs what a host function does.
pub fn run<R>(work: impl FnOnce() -> R) -> R {
    struct Leave(bool);

    impl Drop for Leave {
        fn drop(&mut self) {
            INSIDE.set(self.0);
            RUNNING.fetch_sub(1, Relaxed);
        }
    }

    RUNNING.fetch_add(1, Relaxed);
    let _leave = Leave(INSIDE.replace(true));
    work()
}

/// The error for a call of a driver's function inside a host function.
///
/// # Errors
/// `CUDA_ERROR_NOT_PERMITTED` if this thread is inside one.
#[inline]
pub fn check(call: &'static str) -> Result<()> {
    if inside() {
        return Err(not_permitted(call));
    }
    Ok(())
}

#[cold]
pub(crate) fn not_permitted(call: &'static str) -> Error {
    Error::driver(CUresult::CUDA_ERROR_NOT_PERMITTED.0 as i32, call).with_hint(
        "a callback of a stream must not use CUDA: the stream waits for it; \
         have it wake a thread (threading.Event, queue.Queue) that goes on",
    )
}

type Work = Box<dyn FnOnce() + Send>;

/// Runs `work` soon, on a thread that is in no host function: objects may be dropped in one, and the driver's calls
/// that give back what they own are not permitted there.
pub fn later(work: impl FnOnce() + Send + 'static) {
    static QUEUE: Mutex<Option<Sender<Work>>> = Mutex::new(None);
    let mut queue = QUEUE.lock().unwrap_or_else(PoisonError::into_inner);
    if queue.is_none() {
        let (sender, receiver) = channel::<Work>();
        let thread = std::thread::Builder::new().name("cuox-later".into());
        if thread
            .spawn(|| receiver.into_iter().for_each(|work| work()))
            .is_err()
        {
            // Without a thread nothing may be given back.
            return;
        }
        *queue = Some(sender);
    }
    if let Some(sender) = &*queue {
        let _ = sender.send(Box::new(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_thread_that_runs_a_host_function_is_inside() {
        assert!(!inside());
        run(|| {
            assert_eq!(check("cuMemAlloc_v2").unwrap_err().driver_code(), Some(800));
            assert!(std::thread::spawn(|| !inside()).join().unwrap());
            run(|| ());
            assert!(inside());
        });
        assert!(check("cuMemAlloc_v2").is_ok());
    }

    #[test]
    fn work_for_later_is_done_outside() {
        let (sender, receiver) = channel();
        run(|| later(move || sender.send(inside()).unwrap()));
        assert!(!receiver.recv().unwrap());
    }
}
