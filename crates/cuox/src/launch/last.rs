//! The kernel that was launched last, for errors of drivers that do not say which kernel failed.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

/// The names of all kernels so far; programs have few.
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// One more than the place in `NAMES`; 0 before the first launch.
static LAST: AtomicUsize = AtomicUsize::new(0);

/// A kernel's number, by which a launch notes it.
pub fn number(name: &str) -> usize {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    match names.iter().position(|known| known == name) {
        Some(place) => place + 1,
        None => {
            names.push(name.to_owned());
            names.len()
        }
    }
}

/// Notes a launch.
#[inline]
pub fn note(number: usize) {
    LAST.store(number, Relaxed);
}

/// The name of the kernel that was launched last by this process, through cuox.
pub fn name() -> Option<String> {
    let names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    names.get(LAST.load(Relaxed).checked_sub(1)?).cloned()
}
