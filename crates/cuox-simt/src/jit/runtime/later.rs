//! Additions to global memory that are made later ([`crate::analysis::last_adds`]), those to one place at once.

use std::cell::{Cell, OnceCell};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Number of places.
const PLACES: usize = 1024;

/// A place and what is to be added there.
#[derive(Clone, Copy, Default)]
struct Entry {
    /// The address of a 32-bit number, or of a 64-bit one plus 1; 0 for none.
    key: u64,
    sum: u64,
}

/// Additions that have not been made yet.
#[derive(Default)]
pub struct Later {
    entries: OnceCell<Vec<Cell<Entry>>>,
}

impl Entry {
    /// Makes the addition.
    ///
    /// # Safety
    /// The requirements are those of [`add`].
    unsafe fn make(self) {
        // SAFETY: the caller guarantees it.
        unsafe { add(self.key & !1, self.key & 1 != 0, self.sum) };
    }
}

/// Adds to a number in memory, of 64 bits if it is `wide`, else of 32.
///
/// # Safety
/// The address must be aligned and in the device's range. The caller handles the fault of inaccessible memory.
pub unsafe fn add(address: u64, wide: bool, by: u64) {
    let at = address as *mut u8;
    // SAFETY: the caller guarantees it; others access numbers in global memory atomically, or have a race.
    unsafe {
        match wide {
            false => _ = AtomicU32::from_ptr(at.cast()).fetch_add(by as u32, Ordering::SeqCst),
            true => _ = AtomicU64::from_ptr(at.cast()).fetch_add(by, Ordering::SeqCst),
        }
    }
}

impl Later {
    /// Adds to a number, perhaps later. The first addition to a place is made at once: it finds whether that is
    /// accessible.
    ///
    /// # Safety
    /// The requirements are those of [`add`].
    pub unsafe fn add(&self, address: u64, wide: bool, by: u64) {
        let key = address | u64::from(wide);
        let entries = self.entries.get_or_init(|| vec![Cell::default(); PLACES]);
        let entry = &entries[(address >> 2) as usize % PLACES];
        let Entry { key: there, sum } = entry.get();
        if there == key {
            let sum = sum.wrapping_add(by);
            return entry.set(Entry { key, sum });
        }
        let now = entry.replace(Entry { key, sum: 0 });
        // SAFETY: the caller guarantees it of this address, and has of that one.
        unsafe {
            if now.sum != 0 {
                now.make();
            }
            add(address, wide, by);
        }
    }

    fn waiting(&self) -> impl Iterator<Item = &Cell<Entry>> {
        let entries = self.entries.get().into_iter().flatten();
        entries.filter(|entry| entry.get().sum != 0)
    }

    /// Tells whether no additions wait.
    pub fn is_empty(&self) -> bool {
        self.waiting().next().is_none()
    }

    /// Makes the additions that wait.
    ///
    /// # Safety
    /// The requirements are those of [`add`].
    pub unsafe fn flush(&self) {
        for waiting in self.waiting() {
            let entry = waiting.take();
            // SAFETY: the caller guarantees it.
            unsafe { entry.make() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_additions_made_at_once() {
        let mut words = vec![0u32; 3000];
        let mut long = 7u64;
        let later = Later::default();
        for round in 0..3u32 {
            for (n, word) in words.iter_mut().enumerate() {
                let address = std::ptr::from_mut(word) as u64;
                // SAFETY: both numbers are alive, and nobody else accesses them.
                unsafe {
                    later.add(address, false, u64::from(n as u32 + round));
                    later.add(address, false, u64::from(u32::MAX));
                }
            }
            // SAFETY: as above.
            unsafe { later.add(&raw mut long as u64, true, u64::MAX - 1) };
        }
        assert!(!later.is_empty());
        // SAFETY: as above.
        unsafe { later.flush() };
        assert!(later.is_empty());
        for (n, &word) in words.iter().enumerate() {
            assert_eq!(word, (3 * n as u32 + 3).wrapping_sub(3), "word {n}");
        }
        assert_eq!(long, 7u64.wrapping_sub(6));
    }
}
