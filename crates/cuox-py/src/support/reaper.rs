//! Giving back what the driver takes back only when the device is idle.
//!
//! Unloading code and freeing memory that is in no stream's order wait for running kernels, and a kernel may run for
//! ever. Python drops objects in places where nothing may wait: in the handling of the very Ctrl-C that ended a
//! wait, and at the end of the process. So a thread of its own does the waiting; the process does not wait for it.

use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

type Garbage = Box<dyn Send>;

static SENDER: OnceLock<Option<Mutex<Sender<Garbage>>>> = OnceLock::new();
static PENDING: AtomicUsize = AtomicUsize::new(0);

fn start() -> Option<Mutex<Sender<Garbage>>> {
    let (sender, receiver) = channel::<Garbage>();
    let thread = std::thread::Builder::new()
        .name("cuox-reaper".into())
        .spawn(move || {
            for garbage in receiver {
                crate::idle::wait_until_idle();
                drop(garbage);
                PENDING.fetch_sub(1, SeqCst);
            }
        });
    thread.is_ok().then(|| Mutex::new(sender))
}

/// Drops `value` on the reaper's thread. Values have to be free of Python objects.
pub fn discard(value: impl Send + 'static) {
    let Some(sender) = SENDER.get_or_init(start) else {
        // No thread is to be had: then waiting is better than leaking.
        return drop(value);
    };
    PENDING.fetch_add(1, SeqCst);
    let sent = sender
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .send(Box::new(value));
    if sent.is_err() {
        PENDING.fetch_sub(1, SeqCst);
    }
}

/// Waits for a while until all is given back: before memory is said to have run out. Says whether there was any.
pub fn flush(py: Python<'_>) -> PyResult<bool> {
    const PATIENCE: Duration = Duration::from_secs(2);
    if PENDING.load(SeqCst) == 0 {
        return Ok(false);
    }
    let start = Instant::now();
    while PENDING.load(SeqCst) != 0 && start.elapsed() < PATIENCE {
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
        py.check_signals()?;
    }
    Ok(true)
}

/// A value that the reaper drops.
pub struct Reaped<T: Send + 'static>(ManuallyDrop<T>);

impl<T: Send + 'static> Reaped<T> {
    pub fn new(value: T) -> Self {
        Self(ManuallyDrop::new(value))
    }
}

impl<T: Send + 'static> Deref for Reaped<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Send + 'static> Drop for Reaped<T> {
    fn drop(&mut self) {
        // SAFETY: the value is taken once, here.
        discard(unsafe { ManuallyDrop::take(&mut self.0) });
    }
}
