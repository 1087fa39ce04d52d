//! The processors that threads may run on.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock};

/// Returns the size of a processor's largest cache, in bytes.
pub fn cache_bytes() -> u64 {
    /// The size if the system does not tell.
    const USUAL: u64 = 32 << 20;
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let of = |index: u32| {
            let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
            let text = std::fs::read_to_string(path).ok()?;
            let text = text.trim();
            let (digits, unit) = text.split_at(text.len().checked_sub(1)?);
            let unit = match unit {
                "K" => 1 << 10,
                "M" => 1 << 20,
                _ => return None,
            };
            digits.parse::<u64>().ok()?.checked_mul(unit)
        };
        (0..8).filter_map(of).max().unwrap_or(USUAL)
    })
}

/// Threads that are kept off one processor at a time.
pub struct Apart {
    /// Processors that this process may use; `None` if threads are not moved.
    allowed: Option<libc::cpu_set_t>,
    /// The threads, by the system's numbers.
    threads: Mutex<Vec<libc::pid_t>>,
    /// The processor that they are kept off.
    left: AtomicI32,
}

impl Apart {
    /// Creates a set without threads.
    pub fn new() -> Apart {
        // SAFETY: an all-zero set is an empty one.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is a local variable, and its size is passed.
        let found = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) };
        // SAFETY: the system has filled in the set.
        let several = found == 0 && unsafe { libc::CPU_COUNT(&set) } > 1;
        Apart {
            allowed: several.then_some(set),
            threads: Mutex::default(),
            left: AtomicI32::new(-1),
        }
    }

    /// Adds the calling thread.
    pub fn join(&self) {
        // SAFETY: gettid takes no arguments.
        let own = unsafe { libc::syscall(libc::SYS_gettid) } as libc::pid_t;
        let mut threads = self.threads.lock().unwrap_or_else(|e| e.into_inner());
        threads.push(own);
        // Threads that have joined since must be moved, too.
        self.left.store(-1, Ordering::Relaxed);
    }

    /// Keeps the threads off the caller's processor. A refusal by the system only costs time.
    pub fn leave_this(&self) {
        let Some(allowed) = &self.allowed else {
            return;
        };
        // SAFETY: sched_getcpu takes no arguments.
        let here = unsafe { libc::sched_getcpu() };
        if here < 0 || self.left.swap(here, Ordering::Relaxed) == here {
            return;
        }
        let mut set = *allowed;
        if here as usize >= libc::CPU_SETSIZE as usize {
            return;
        }
        // SAFETY: the number is below the set's size.
        unsafe { libc::CPU_CLR(here as usize, &mut set) };
        // SAFETY: the set is initialised.
        if unsafe { libc::CPU_COUNT(&set) } == 0 {
            return;
        }
        let threads = self.threads.lock().unwrap_or_else(|e| e.into_inner());
        for &thread in threads.iter() {
            // SAFETY: the set is initialised; the error for a thread that has ended is ignored.
            unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &set) };
        }
    }
}
