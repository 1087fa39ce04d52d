//! Events: named points in a stream, with the time they were reached.

use crate::ipc::event::SharedEvent;
use crate::streams::progress::Point;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// Nanoseconds since the first use of the clock, never 0.
pub fn now() -> u64 {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64 + 1
}

/// One recording of an event; the time is 0 until it is reached.
#[derive(Default)]
pub struct Record {
    time: AtomicU64,
}

impl Record {
    pub fn stamp(&self) {
        self.time.store(now(), Ordering::Release);
    }

    pub fn time(&self) -> Option<u64> {
        Some(self.time.load(Ordering::Acquire)).filter(|&t| t != 0)
    }
}

/// The newest recording and where it stands.
#[derive(Clone)]
pub struct Recorded {
    pub record: Arc<Record>,
    pub point: Point,
}

/// An event.
pub struct Event {
    pub handle: u64,
    pub flags: u32,
    pub context: u64,
    pub latest: Mutex<Option<Recorded>>,
    /// Other processes may record it too, and wait for it: then `latest` stays empty.
    pub shared: Option<Arc<SharedEvent>>,
}

impl Event {
    pub const INTERPROCESS: u32 = 4;
    pub const DISABLE_TIMING: u32 = 2;

    pub fn timed(&self) -> bool {
        self.flags & Event::DISABLE_TIMING == 0
    }

    /// True if the newest recording is reached, or there is none.
    pub fn is_complete(&self) -> bool {
        match &self.shared {
            Some(shared) => shared.pending().is_none(),
            None => self.latest().is_none_or(|r| r.point.reached()),
        }
    }

    /// Waits for the newest recording; for that of another process, until `cancelled`.
    pub fn wait(&self, cancelled: impl Fn() -> bool) {
        if let Some(shared) = &self.shared {
            if let Some(mark) = shared.pending() {
                shared.wait(mark, cancelled);
            }
        } else if let Some(latest) = self.latest() {
            latest.point.wait();
        }
    }

    pub fn latest(&self) -> Option<Recorded> {
        self.latest.lock().clone()
    }
}
