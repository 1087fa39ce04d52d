//! Pages that are being replaced under running code: a thread that writes to them waits in the signal handler and then
//! writes again, into the new pages.

use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// A thread whose fault was delivered late finds its range among this many of the newest.
const REMEMBERED: usize = 16;

struct Range {
    start: AtomicU64,
    end: AtomicU64,
}

static RANGES: [Range; REMEMBERED] = [const {
    Range {
        start: AtomicU64::new(0),
        end: AtomicU64::new(0),
    }
}; REMEMBERED];
/// Replacements that have begun, and that are done; one at a time.
static BEGUN: AtomicU64 = AtomicU64::new(0);
static DONE: AtomicU64 = AtomicU64::new(0);

// `const` and without a destructor: readable from a signal handler and after thread-local teardown.
thread_local! {
    /// The newest replacement that this thread has waited for.
    static WAITED: Cell<u64> = const { Cell::new(0) };
}

/// Runs `f`, which replaces the pages of `[start, start+len)`. Threads that write to them meanwhile wait for its end.
pub fn replacing<R>(start: u64, len: u64, f: impl FnOnce() -> R) -> R {
    struct End(u64);
    impl Drop for End {
        fn drop(&mut self) {
            DONE.store(self.0, Ordering::SeqCst);
        }
    }
    static LOCK: Mutex<()> = Mutex::new(());
    let _one = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    super::trap::install();
    let number = BEGUN.load(Ordering::SeqCst) + 1;
    let range = &RANGES[number as usize % REMEMBERED];
    range.end.store(0, Ordering::SeqCst);
    range.start.store(start, Ordering::SeqCst);
    range.end.store(start.saturating_add(len), Ordering::SeqCst);
    BEGUN.store(number, Ordering::SeqCst);
    let _end = End(number);
    f()
}

/// Waits if a fault at `address` comes from a replacement of that page; answers whether the access is to be made again.
/// Called in signal handlers.
pub fn wait_for(address: u64) -> bool {
    let newest = BEGUN.load(Ordering::SeqCst);
    let waited = WAITED.with(Cell::get);
    // Each number once: if the page is still not writable then, the fault is the program's.
    let oldest = newest.saturating_sub(REMEMBERED as u64 - 1).max(waited + 1);
    for number in (oldest..=newest).rev() {
        let range = &RANGES[number as usize % REMEMBERED];
        let inside = address >= range.start.load(Ordering::SeqCst)
            && address < range.end.load(Ordering::SeqCst);
        if inside {
            while DONE.load(Ordering::SeqCst) < number {
                // SAFETY: no preconditions, and safe in a signal handler.
                unsafe { libc::sched_yield() };
            }
            WAITED.with(|w| w.set(number));
            return true;
        }
    }
    false
}
