//! Which processors threads may run on.

use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock};

/// Bytes of the largest cache of a processor.
pub fn cache_bytes() -> u64 {
    /// Where the system does not say.
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
    /// Processors that this process may use; `None` if nothing is to be done.
    allowed: Option<libc::cpu_set_t>,
    /// The threads, by the system's numbers.
    threads: Mutex<Vec<libc::pid_t>>,
    /// The processor that they are kept off.
    left: AtomicI32,
}

impl Apart {
    /// No threads so far.
    pub fn new() -> Apart {
        // SAFETY: an all-zero set is an empty one.
        let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
        // SAFETY: the set is as large as said.
        let found = unsafe { libc::sched_getaffinity(0, size_of_val(&set), &mut set) };
        // SAFETY: a set that the system has filled in.
        let several = found == 0 && unsafe { libc::CPU_COUNT(&set) } > 1;
        Apart {
            allowed: several.then_some(set),
            threads: Mutex::default(),
            left: AtomicI32::new(-1),
        }
    }

    /// Adds the calling thread.
    pub fn join(&self) {
        // SAFETY: no arguments.
        let own = unsafe { libc::syscall(libc::SYS_gettid) } as libc::pid_t;
        let mut threads = self.threads.lock().unwrap_or_else(|e| e.into_inner());
        threads.push(own);
        // Those that have come since are to be told too.
        self.left.store(-1, Ordering::Relaxed);
    }

    /// Keeps them off the processor that the caller runs on. That the system refuses it costs only time.
    pub fn leave_this(&self) {
        let Some(allowed) = &self.allowed else {
            return;
        };
        // SAFETY: no arguments.
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
        // SAFETY: a valid set.
        if unsafe { libc::CPU_COUNT(&set) } == 0 {
            return;
        }
        let threads = self.threads.lock().unwrap_or_else(|e| e.into_inner());
        for &thread in threads.iter() {
            // SAFETY: a valid set; a thread that has gone is an error that is ignored.
            unsafe { libc::sched_setaffinity(thread, size_of_val(&set), &set) };
        }
    }
}
