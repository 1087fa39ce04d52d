//! Memory of handles that are no more, for the next ones of their class: to allocate one is most of what a call costs that returns one.

use std::cell::Cell;
use std::ptr::null_mut;

use pyo3::ffi;

use super::base::Object;
use crate::layout;

/// Dead handles of one class, and of no subclass, as a list through their `value`. They keep their class and what it counts for them: it lives as long
/// as the process.
pub struct Spare {
    first: Cell<*mut Object>,
    count: Cell<u32>,
}

// SAFETY: it is used with the GIL held, and nothing that is done with it runs Python code.
unsafe impl Sync for Spare {}
// SAFETY: as above.
unsafe impl Send for Spare {}

/// How many are kept of a class.
const MOST: u32 = 32;

impl Default for Spare {
    fn default() -> Self {
        Self {
            first: Cell::new(null_mut()),
            count: Cell::new(0),
        }
    }
}

impl Spare {
    /// A handle with one reference, whose `value` and `flags` are to be set; all else in it is null.
    ///
    /// # Safety
    /// The GIL is held.
    #[inline]
    pub unsafe fn take(&self) -> Option<*mut Object> {
        let first = self.first.get();
        if first.is_null() {
            return None;
        }
        // SAFETY: what is in the list was a handle. Its count of references is in the first word: else none is put there.
        unsafe {
            self.first.set((*first).c.value as *mut Object);
            self.count.set(self.count.get() - 1);
            first.cast::<usize>().write(1);
        }
        Some(first)
    }

    /// Keeps a dead handle's memory; `false` if it has to be freed.
    ///
    /// # Safety
    /// The GIL is held; nobody refers to the handle, which keeps nothing alive and which the collector does not know of.
    #[inline]
    pub unsafe fn give(&self, handle: *mut Object) -> bool {
        if self.count.get() >= MOST || !layout::counts_in_first_word() {
            return false;
        }
        // SAFETY: the caller's promise.
        unsafe {
            debug_assert_eq!(ffi::PyObject_GC_IsTracked(handle.cast()), 0);
            (*handle).c.value = self.first.get() as u64;
        }
        self.first.set(handle);
        self.count.set(self.count.get() + 1);
        true
    }
}
