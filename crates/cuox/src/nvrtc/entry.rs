//! Being inside NVRTC, which no thread may be when the process ends.
//!
//! `exit` runs the destructors of NVRTC's globals, and a compilation that still goes on in another thread then reads
//! what was destroyed. So compilations are counted; who is about to end the process lets no other thread begin one, and
//! waits for those under way.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// Bit 0: no more are let in. The rest counts compilations.
static STATE: AtomicUsize = AtomicUsize::new(0);
const CLOSED: usize = 1;
const ONE: usize = 2;
/// The thread that ends the process, which may go on compiling.
static CLOSER: AtomicUsize = AtomicUsize::new(0);
/// The process that [`STATE`] is of: in a forked child the threads that were counted are not.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// A compilation. Other threads than the one that ends the process stay in `begin` or `drop` for ever once it is about
/// to end.
#[derive(Debug)]
pub struct Entry(());

impl Entry {
    /// Not to be called with a lock held, the interpreter's in particular, that the process needs to end.
    pub fn begin() -> Self {
        let process = std::process::id();
        if PROCESS.swap(process, SeqCst) != process {
            STATE.store(0, SeqCst);
        }
        // Counted before the look, so that whoever closes sees this compilation or this one that it is closed.
        if STATE.fetch_add(ONE, SeqCst) & CLOSED != 0 && !is_closer() {
            STATE.fetch_sub(ONE, SeqCst);
            park();
        }
        Self(())
    }

    /// The compilation is over, and this thread goes on in any case.
    pub fn leave(self) {
        STATE.fetch_sub(ONE, SeqCst);
        std::mem::forget(self);
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        STATE.fetch_sub(ONE, SeqCst);
        // A compilation stopped at exit is not reported as a failure.
        if is_over() {
            park();
        }
    }
}

fn park() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}

fn this_thread() -> usize {
    // SAFETY: may be asked at any time.
    unsafe { libc::pthread_self() as usize }
}

fn is_closer() -> bool {
    CLOSER.load(SeqCst) == this_thread()
}

/// True if compilations of this thread are to stop.
pub(super) fn is_over() -> bool {
    STATE.load(SeqCst) & CLOSED != 0 && !is_closer()
}

/// Lets no other thread than this one compile any more: called by the thread that ends the process.
pub fn close() {
    CLOSER.store(this_thread(), SeqCst);
    STATE.fetch_or(CLOSED, SeqCst);
}

/// The number of compilations under way in this process.
pub fn under_way() -> usize {
    match PROCESS.load(SeqCst) == std::process::id() {
        true => STATE.load(SeqCst) / ONE,
        false => 0,
    }
}
