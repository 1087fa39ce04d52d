//! Counts for the summary at the end of a process (`CUOX_SUMMARY`), kept only if it is asked for.

use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

static LAUNCHES: AtomicU64 = AtomicU64::new(0);
static FAULTS: AtomicU64 = AtomicU64::new(0);
static MODULES: AtomicU64 = AtomicU64::new(0);
static LOADING: AtomicU64 = AtomicU64::new(0);
static KERNELS: LazyLock<Mutex<HashSet<Arc<str>>>> = LazyLock::new(Mutex::default);

/// The counts at some moment.
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    /// Grids that ran, those that kernels launched included.
    pub launches: u64,
    /// Different names among them.
    pub kernels: u64,
    /// Grids that ended with an error.
    pub faults: u64,
    /// PTX modules that were loaded.
    pub modules: u64,
    /// The time that loading took: parsing, checks, and giving variables their addresses.
    pub loading: Duration,
}

/// True if counts are kept.
#[inline]
pub fn enabled() -> bool {
    static ENABLED: OnceLock<bool> = OnceLock::new();
    *ENABLED.get_or_init(|| crate::settings::is_set("CUOX_SUMMARY"))
}

/// The counts so far.
pub fn now() -> Statistics {
    Statistics {
        launches: LAUNCHES.load(Ordering::Relaxed),
        kernels: KERNELS.lock().len() as u64,
        faults: FAULTS.load(Ordering::Relaxed),
        modules: MODULES.load(Ordering::Relaxed),
        loading: Duration::from_nanos(LOADING.load(Ordering::Relaxed)),
    }
}

pub(crate) fn launched(name: &Arc<str>, failed: bool) {
    if enabled() {
        LAUNCHES.fetch_add(1, Ordering::Relaxed);
        FAULTS.fetch_add(failed.into(), Ordering::Relaxed);
        let mut kernels = KERNELS.lock();
        if !kernels.contains(name) {
            kernels.insert(name.clone());
        }
    }
}

pub(crate) fn loaded(modules: usize, took: Duration) {
    MODULES.fetch_add(modules as u64, Ordering::Relaxed);
    LOADING.fetch_add(took.as_nanos() as u64, Ordering::Relaxed);
}
