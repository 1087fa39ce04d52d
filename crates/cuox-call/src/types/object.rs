//! The memory of an object that stands for a C value.

use std::cell::Cell;
use std::ptr::null_mut;

use pyo3::ffi;

use crate::types::class::Class;

/// The first words of every object of a [`Class`], which generated code reads in place.
///
/// `value` is what is passed to C: a pointer's or handle's value, or the address of a record's or array's memory. It is
/// 0 for a null pointer, for a closed object *and* for one that is [`EXTERNAL`], so that one comparison sends all of
/// them to the generic call path.
#[repr(C)]
pub struct CObject {
    /// The interpreter's header: reference count and type.
    pub head: ffi::PyObject,
    /// The value that is passed to C.
    pub value: u64,
    /// The class's description, which lives as long as the process.
    pub class: *const Class,
    /// An object that must live as long as this one: the owner of the memory, or the library; or null.
    pub keep: *mut ffi::PyObject,
    /// [`OWNED`], [`CLOSED`] and others.
    pub flags: u64,
    /// For a record with memory of its own and for an array with known bounds: how many bytes there are; else 0.
    pub bytes: u64,
}

/// The object destroys what it stands for when it is closed or collected.
pub const OWNED: u64 = 1;

/// The object has been closed; its value is gone.
pub const CLOSED: u64 = 2;

/// The object's memory is from `aligned_alloc`, and freed with it.
pub const HEAP: u64 = 4;

/// The memory must not be written.
pub const READ_ONLY: u64 = 8;

/// The collector tracks this handle, which keeps an object alive. It does not track other handles.
pub const TRACKED: u64 = 16;

/// A handle or callback whose value lies outside the object, at the address that `keep` is as an int. It is read each
/// time, since others may write it.
pub const EXTERNAL: u64 = 32;

/// A whole object. A record's own memory follows at [`INLINE`].
#[repr(C)]
pub struct Object {
    /// The words that generated code reads.
    pub c: CObject,
    /// Weak references to it.
    pub weak: *mut ffi::PyObject,
    /// Objects that C memory points into, as a dict from the pointer's address; or null. A callback's callable.
    pub refs: *mut ffi::PyObject,
    /// The callable that calls the C function of a callback's value, once it has been made; the attributes of a record
    /// that are no fields; or null.
    pub extra: *mut ffi::PyObject,
}

/// The offset of a record's own memory in its object.
pub const INLINE: usize = size_of::<Object>().next_multiple_of(16);

/// Dead handles of one class, and of no subclass, as a list through their `value`. They keep their class and what it
/// counts for them: it lives as long as the process.
pub struct FreeList {
    first: Cell<*mut Object>,
    count: Cell<u32>,
}

// SAFETY: it is used with the GIL held, and nothing that is done with it runs Python code.
unsafe impl Sync for FreeList {}

// SAFETY: the list is used with the GIL held, and nothing that is done with it runs Python code.
unsafe impl Send for FreeList {}

/// The most dead handles that are kept of a class.
const MOST: u32 = 32;

impl Default for FreeList {
    fn default() -> Self {
        Self {
            first: Cell::new(null_mut()),
            count: Cell::new(0),
        }
    }
}

impl FreeList {
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
        // SAFETY: what is in the list was a handle. Its count of references is in the first word: else none is put
        // there.
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
    /// The GIL is held; nobody refers to the handle, which keeps nothing alive and which the collector does not know
    /// of.
    #[inline]
    pub unsafe fn give(&self, handle: *mut Object) -> bool {
        if self.count.get() >= MOST {
            return false;
        }
        // SAFETY: nobody refers to the handle any more (`# Safety`), so its memory is the list's.
        unsafe {
            debug_assert_eq!(ffi::PyObject_GC_IsTracked(handle.cast()), 0);
            (*handle).c.value = self.first.get() as u64;
        }
        self.first.set(handle);
        self.count.set(self.count.get() + 1);
        true
    }
}
