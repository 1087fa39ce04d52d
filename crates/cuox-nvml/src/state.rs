//! How often the library was initialised.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::code::{Code, Res};

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// True between the first initialisation and the shutdown that belongs to it.
pub fn is_initialized() -> bool {
    COUNT.load(Ordering::Acquire) > 0
}

/// Counts an initialisation.
pub fn initialize() {
    COUNT.fetch_add(1, Ordering::AcqRel);
}

/// Takes an initialisation back.
pub fn shut_down() -> Res {
    let less = |count: usize| count.checked_sub(1);
    COUNT
        .fetch_update(Ordering::AcqRel, Ordering::Acquire, less)
        .map(drop)
        .map_err(|_| Code::NVML_ERROR_UNINITIALIZED)
}
