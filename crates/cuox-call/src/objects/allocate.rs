//! New objects of C values and their memory.

use std::alloc::Layout;
use std::ptr;

use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::objects::object_ref::ObjectRef;
use crate::types::class::{Class, Kind, RecordKind};
use crate::types::object::{HEAP, INLINE, OWNED, Object, READ_ONLY};

/// True if it is a handle of exactly the class, not of a subclass.
#[inline]
pub fn is_exact_handle(class: &Class, python: *mut ffi::PyTypeObject) -> bool {
    matches!(class.kind, Kind::Handle(_)) && class.python.as_ptr() == python.cast()
}

/// A new object of a class, or of a Python class that descends from it. It is null.
#[inline]
pub fn allocate<'py>(
    py: Python<'py>,
    class: &Class,
    python: &Bound<'py, PyType>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the class is a heap class of ours or descends from one; what is new is zero.
    unsafe {
        if is_exact_handle(class, python.as_type_ptr()) {
            return Bound::from_owned_ptr_or_err(py, new_handle(class, 0, false));
        }
        let new = ffi::PyType_GenericAlloc(python.as_type_ptr(), 0);
        let new = Bound::from_owned_ptr_or_err(py, new)?;
        (*new.as_ptr().cast::<Object>()).c.class = class;
        Ok(new)
    }
}

/// A handle of this value that keeps nothing alive: a new reference, or null with an exception.
///
/// The collector does not track it, since it refers to its class alone. [`ObjectRef::set_keep`] has it tracked.
///
/// # Safety
/// The GIL is held; `class` is one of handles.
#[inline]
pub unsafe fn new_handle(class: &Class, value: u64, owned: bool) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held and `class` is one of handles (`# Safety`); the free list has handles of this very class
    // only.
    unsafe {
        let new = match class.free_list.take() {
            Some(spare) => spare,
            None => match fresh_handle(class) {
                new if new.is_null() => return ptr::null_mut(),
                new => new,
            },
        };
        (*new).c.value = value;
        (*new).c.flags = u64::from(owned) * OWNED;
        new.cast()
    }
}

#[cold]
unsafe fn fresh_handle(class: &Class) -> *mut Object {
    // SAFETY: the class of handles is a heap class of ours; what is new is zero.
    unsafe {
        let new = ffi::PyType_GenericAlloc(class.python.as_ptr().cast(), 0);
        if !new.is_null() {
            ffi::PyObject_GC_UnTrack(new.cast());
            (*new.cast::<Object>()).c.class = class;
        }
        new.cast()
    }
}

/// A handle, pointer or callback of this value; or a record or array at this address.
#[inline]
pub fn wrap<'py>(
    py: Python<'py>,
    class: &Class,
    value: u64,
    owned: bool,
    keep: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let new = allocate(py, class, class.python.bind(py))?;
    let this = ObjectRef { object: &new };
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe {
        let raw = this.raw();
        (*raw).c.value = value;
        if owned {
            (*raw).c.flags |= OWNED;
        }
    }
    if keep.is_some() {
        this.set_keep(keep);
    }
    Ok(new)
}

/// A record with memory of its own, zeroed; its `value` is the address.
#[inline]
pub fn new_record<'py>(py: Python<'py>, class: &Class) -> PyResult<Bound<'py, PyAny>> {
    let new = allocate(py, class, class.python.bind(py))?;
    give_memory(ObjectRef { object: &new })?;
    Ok(new)
}

/// Gives an object zeroed memory from the heap, freed with it.
pub fn give_heap(this: ObjectRef<'_, '_>, size: usize, align: usize) -> PyResult<()> {
    let none = || {
        PyMemoryError::new_err(format!(
            "no memory for {size} bytes of a {}",
            this.class().name
        ))
    };
    let layout = Layout::from_size_align(size.max(1), align.max(16)).map_err(|_| none())?;
    // SAFETY: the layout's size is at least 1.
    let memory = unsafe { std::alloc::alloc_zeroed(layout) };
    if memory.is_null() {
        return Err(none());
    }
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe {
        let raw = this.raw();
        (*raw).c.value = memory as u64;
        (*raw).c.bytes = size as u64;
        (*raw).c.flags |= HEAP;
    }
    Ok(())
}

pub fn heap_align(class: &Class) -> usize {
    match &class.kind {
        Kind::Record(kind) => kind.align.max(16),
        Kind::Array(kind) => kind.element.align().max(16),
        _ => 16,
    }
}

/// Records up to this size have their memory in their object.
const SMALL: usize = 256;

/// The number of bytes that objects of this class have inside themselves: 0 if their memory is from the heap.
#[inline]
pub fn inline(kind: &RecordKind) -> usize {
    if kind.size <= SMALL && kind.align <= 16 {
        kind.size.max(1)
    } else {
        0
    }
}

/// Gives a new record zeroed memory of its own.
#[inline]
pub fn give_memory(this: ObjectRef<'_, '_>) -> PyResult<()> {
    let Some(kind) = this.class().as_record() else {
        return Ok(());
    };
    if inline(kind) == 0 {
        give_heap(this, kind.size, kind.align)?;
    } else {
        // SAFETY: its class makes objects with room for it, which is zero.
        unsafe {
            let raw = this.raw();
            (*raw).c.value = raw.cast::<u8>().add(INLINE) as u64;
            (*raw).c.bytes = kind.size as u64;
        }
    }
    for (at, bytes) in kind.initial.get().into_iter().flatten() {
        // SAFETY: they lie in the record.
        unsafe {
            (this.value() as *mut u8)
                .add(*at)
                .copy_from(bytes.as_ptr(), bytes.len())
        };
    }
    Ok(())
}

/// Makes a view read-only if the object that it looks into is.
#[inline]
pub fn inherit(view: ObjectRef<'_, '_>, from: ObjectRef<'_, '_>) {
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*view.raw()).c.flags |= from.flags() & READ_ONLY };
}

/// An array of so many bytes at an address, in memory that belongs to `keep`.
pub fn array_at<'py>(
    py: Python<'py>,
    class: &Class,
    address: usize,
    bytes: usize,
    keep: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = wrap(py, class, address as u64, false, keep)?;
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*ObjectRef { object: &view }.raw()).c.bytes = bytes as u64 };
    Ok(view)
}

/// A part of an array, in place.
pub fn array_part<'py>(
    owner: ObjectRef<'_, 'py>,
    class: &Class,
    address: usize,
    bytes: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let view = wrap(
        owner.py(),
        class,
        address as u64,
        false,
        Some(owner.owner()),
    )?;
    let this = ObjectRef { object: &view };
    inherit(this, owner);
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*this.raw()).c.bytes = bytes as u64 };
    Ok(view)
}
