//! Objects of a class that are made and dropped all the time, at little more than the cost of what is in them.
//!
//! pyo3 makes an object through `object.__new__` and drops it behind a trampoline, and in between the interpreter gives
//! out and takes back the same block of memory. A pool does both by itself, and keeps the last few blocks.

use std::cell::Cell;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuox_interpreter::gate;
use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyClass, PyClassInitializer, ffi};

/// The number of blocks that are kept.
const KEPT: usize = 16;

/// A class whose objects a pool makes and drops. What they refer to, they hold by `Reference`.
pub trait Pooled: PyClass + Send + Into<PyClassInitializer<Self>> {
    /// The pool of this class.
    fn pool() -> &'static Pool<Self>;

    /// True if there is nothing in it to drop, as far as that is known at once.
    fn is_empty(&self, _py: Python<'_>) -> bool {
        false
    }
}

/// A reference of a pooled object to another one. A `Py` is dropped at once only behind pyo3's trampoline, and put
/// aside elsewhere; this one is always dropped at once.
pub struct Reference<T>(ManuallyDrop<Py<T>>);

impl<T> From<Bound<'_, T>> for Reference<T> {
    #[inline]
    fn from(object: Bound<'_, T>) -> Self {
        object.unbind().into()
    }
}

impl<T> From<Py<T>> for Reference<T> {
    #[inline]
    fn from(object: Py<T>) -> Self {
        Self(ManuallyDrop::new(object))
    }
}

impl<T> Deref for Reference<T> {
    type Target = Py<T>;

    #[inline]
    fn deref(&self) -> &Py<T> {
        &self.0
    }
}

impl<T> Drop for Reference<T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: Python objects are made and dropped with the GIL held, and what is taken here is not used again.
        unsafe { ManuallyDrop::take(&mut self.0).drop_ref(Python::assume_attached()) };
    }
}

/// Makes and drops the objects of one class, all with the GIL held.
pub struct Pool<T> {
    /// Null until `set_up`, and for good where the interpreter is not as expected: then all objects are pyo3's.
    class: Cell<*mut ffi::PyTypeObject>,
    free: Cell<Option<ffi::freefunc>>,
    blocks: [Cell<*mut ffi::PyObject>; KEPT],
    count: Cell<usize>,
    /// True if objects have a list of weak references behind their value.
    has_weakrefs: Cell<bool>,
    of: PhantomData<fn() -> T>,
}

// SAFETY: the cells are used with the GIL held only: by methods that take its token, and by `drop_object`.
unsafe impl<T> Sync for Pool<T> {}

/// The word of a type object that holds `tp_dealloc`: behind the head of a PyVarObject, `tp_name`, `tp_basicsize` and
/// `tp_itemsize`. The limited API can read this slot, but gives it only to who makes the class; pyo3 does.
const DEALLOC: usize = size_of::<ffi::PyVarObject>() / size_of::<usize>() + 3;

impl<T: Pooled> Pool<T> {
    pub const fn new() -> Self {
        Self {
            class: Cell::new(std::ptr::null_mut()),
            free: Cell::new(None),
            blocks: [const { Cell::new(std::ptr::null_mut()) }; KEPT],
            count: Cell::new(0),
            has_weakrefs: Cell::new(false),
            of: PhantomData,
        }
    }

    /// Takes over the class's `tp_dealloc`, if objects are laid out as `make` lays them out and the slot is where it
    /// has been in all versions of Python 3. To be called before there is an object.
    pub fn set_up(&self, py: Python<'_>) -> PyResult<()> {
        const { assert!(align_of::<T>() <= size_of::<ffi::PyObject>()) };
        let class: Bound<'_, PyType> = py.get_type::<T>();
        let size: usize = class.getattr("__basicsize__")?.extract()?;
        let weakrefs: usize = class.getattr("__weakrefoffset__")?.extract()?;
        let end = size_of::<ffi::PyObject>() + size_of::<T>();
        let expected = match weakrefs {
            0 => end,
            _ => end + size_of::<*mut ffi::PyObject>(),
        };
        let raw = class.as_type_ptr();
        // SAFETY: a live class. What `PyType_GetSlot` gives for a slot is null or of the slot's type, which has null's
        // niche. A type object is far larger than the words looked at.
        unsafe {
            let collected = ffi::PyType_GetFlags(raw) & ffi::Py_TPFLAGS_HAVE_GC != 0;
            let theirs = ffi::PyType_GetSlot(raw, ffi::Py_tp_dealloc);
            let free = ffi::PyType_GetSlot(raw, ffi::Py_tp_free);
            let slot = raw.cast::<*mut std::ffi::c_void>().add(DEALLOC);
            if !collected
                || size != expected
                || (weakrefs != 0 && weakrefs != end)
                || theirs.is_null()
                || free.is_null()
                || *slot != theirs
            {
                return Ok(());
            }
            *slot = drop_object::<T> as *mut std::ffi::c_void;
            if ffi::PyType_GetSlot(raw, ffi::Py_tp_dealloc) != *slot {
                *slot = theirs;
                return Ok(());
            }
            self.free.set(std::mem::transmute::<
                *mut std::ffi::c_void,
                Option<ffi::freefunc>,
            >(free));
        }
        self.has_weakrefs.set(weakrefs != 0);
        self.class.set(raw);
        Ok(())
    }

    /// A new object. It is not tracked by the garbage collector, which finds nothing in objects of pyo3's but their
    /// class.
    #[inline(always)]
    pub fn make<'py>(&self, py: Python<'py>, value: impl FnOnce() -> T) -> PyResult<Bound<'py, T>> {
        let class = self.class.get();
        if class.is_null() {
            return Bound::new(py, value());
        }
        // SAFETY: the blocks are memory of objects of this class, which nobody refers to; the class is alive, as the
        // module has it. A new object's value is written before anyone sees it, where pyo3 looks for it (`set_up`).
        unsafe {
            let object = match self.count.get().checked_sub(1) {
                Some(last) => {
                    self.count.set(last);
                    ffi::PyObject_Init(self.blocks[last].get(), class)
                }
                None => ffi::PyObject_GC_New::<ffi::PyObject>(class),
            };
            if object.is_null() {
                let error = PyErr::fetch(py);
                drop(value());
                return Err(error);
            }
            object.add(1).cast::<T>().write(value());
            if self.has_weakrefs.get() {
                *weakrefs::<T>(object) = std::ptr::null_mut();
            }
            Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked())
        }
    }

    /// A new object of a subclass; neither its `__new__` nor its `__init__` is called. Where the class is not as
    /// expected it is one of the class itself.
    pub fn make_subclass<'py>(
        &self,
        class: &Bound<'py, PyType>,
        value: T,
    ) -> PyResult<Bound<'py, T>> {
        let py = class.py();
        if self.class.get().is_null() {
            return Bound::new(py, value);
        }
        // SAFETY: a live class that begins as this one does, as all its subclasses; the value is written before anyone
        // sees the object.
        unsafe {
            let object = ffi::PyType_GenericAlloc(class.as_type_ptr(), 0);
            if object.is_null() {
                return Err(PyErr::fetch(py));
            }
            object.add(1).cast::<T>().write(value);
            Ok(Bound::from_owned_ptr(py, object).cast_into_unchecked())
        }
    }
}

/// The list of an object's weak references, of a class that has them.
///
/// # Safety
/// An object of the pool's class.
unsafe fn weakrefs<T>(object: *mut ffi::PyObject) -> *mut *mut ffi::PyObject {
    // SAFETY: it stands behind the value, as `set_up` has seen.
    unsafe { object.add(1).cast::<T>().add(1).cast() }
}

/// The class's `tp_dealloc`.
///
/// # Safety
/// Called by the interpreter, with the GIL held, when nothing refers to the object any more.
unsafe extern "C" fn drop_object<T: Pooled>(object: *mut ffi::PyObject) {
    let pool = T::pool();
    // SAFETY: an object of this class, so its value is behind its head, and nothing refers to it.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        if pool.has_weakrefs.get() && !(*weakrefs::<T>(object)).is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        let value = object.add(1).cast::<T>();
        if !(*value).is_empty(Python::assume_attached()) {
            // Of a panic, the hook has told; there is nobody to raise an exception to.
            let _ = catch_unwind(AssertUnwindSafe(|| {
                gate::hang_if_thread_exits(|| std::ptr::drop_in_place(value));
            }));
        }
        let class = ffi::Py_TYPE(object);
        let count = pool.count.get();
        // Objects of subclasses have other sizes.
        if count < KEPT && class == pool.class.get() {
            pool.blocks[count].set(object);
            pool.count.set(count + 1);
        } else if let Some(free) = pool.free.get() {
            free(object.cast());
        }
        // Objects hold their class.
        ffi::Py_DECREF(class.cast());
    }
}
