//! Objects that the interpreter calls through a pointer in them: no tuple and no dict in between, and no `tp_call`.
//!
//! pyo3 makes classes without such a pointer, and the limited API gives the slot only to who makes the class. A type
//! object's words are where they have been in all versions of Python since 3.9; where the ones that can be asked for
//! are not there, nothing is changed, and calls go through `tp_call` as before.

use std::ffi::c_void;

use pyo3::prelude::*;
use pyo3::types::PyType;
use pyo3::{PyClass, ffi};

/// The function that the interpreter calls: the object, the values, the number of those given by position (with a flag,
/// see `positional`) and the names of the others, which is null if there are none.
pub type Entry = unsafe extern "C" fn(
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    usize,
    *mut ffi::PyObject,
) -> *mut ffi::PyObject;

/// `Py_TPFLAGS_HAVE_VECTORCALL`.
const HAS_ENTRY: u64 = 1 << 11;

// Words of a type object. Behind the head of a PyVarObject come `tp_name`, `tp_basicsize` and `tp_itemsize`.
const DEALLOC: usize = size_of::<ffi::PyVarObject>() / size_of::<usize>() + 3;
const OFFSET: usize = DEALLOC + 1;
const CALL: usize = OFFSET + 9;
const FLAGS: usize = CALL + 5;

/// The number of values that are given by position.
#[inline]
pub fn positional(count: usize) -> usize {
    // The highest bit lets the function use the place in front of the values.
    count & (usize::MAX >> 1)
}

/// The values of a call, for which the interpreter passes null if there are none.
///
/// # Safety
/// `count` references, to objects that live as long as the slice is used.
#[inline]
pub unsafe fn objects<'a>(
    values: *const *mut ffi::PyObject,
    count: usize,
) -> &'a [*mut ffi::PyObject] {
    match count {
        0 => &[],
        // SAFETY: as the caller promises.
        _ => unsafe { std::slice::from_raw_parts(values, count) },
    }
}

/// The words of a class, if those that can be asked for are where they are looked for.
fn words(class: *mut ffi::PyTypeObject) -> Option<*mut *mut c_void> {
    let words = class.cast::<*mut c_void>();
    // SAFETY: a live class that was made at run time, of which any slot may be asked for; a type object is far larger
    // than the words looked at.
    unsafe {
        let as_expected = *words.add(DEALLOC) == ffi::PyType_GetSlot(class, ffi::Py_tp_dealloc)
            && *words.add(CALL) == ffi::PyType_GetSlot(class, ffi::Py_tp_call)
            && !(*words.add(CALL)).is_null()
            && *words.add(FLAGS) as u64 == ffi::PyType_GetFlags(class) as u64;
        as_expected.then_some(words)
    }
}

/// Lets the interpreter call objects of a class through the pointer to an [`Entry`] that lies `offset` bytes into their
/// value. To be called before there is an object. `tp_call` stays, for all who go by it, and is returned: null if
/// nothing was changed.
pub fn set_up<C: PyClass>(py: Python<'_>, offset: usize) -> PyResult<*mut c_void> {
    const { assert!(align_of::<C>() <= size_of::<ffi::PyObject>()) };
    let class: Bound<'_, PyType> = py.get_type::<C>();
    let size: usize = class.getattr("__basicsize__")?.extract()?;
    if size != size_of::<ffi::PyObject>() + size_of::<C>() {
        return Ok(std::ptr::null_mut());
    }
    let Some(words) = words(class.as_type_ptr()) else {
        return Ok(std::ptr::null_mut());
    };
    // SAFETY: words of a live class. Each object has the pointer there, as the caller promises and the size tells.
    unsafe {
        let place = words.add(OFFSET);
        if (*place).is_null() {
            *place = (size_of::<ffi::PyObject>() + offset) as *mut c_void;
            add_flag(words);
        }
        Ok(*words.add(CALL))
    }
}

/// Lets the interpreter call objects of a subclass in the same way, which it does by itself from 3.12 on. For
/// `__init_subclass__`; does nothing for a class that has a `__call__` of its own.
pub fn inherit<C: PyClass>(class: &Bound<'_, PyType>) {
    let base = class.py().get_type::<C>();
    if let (Some(base), Some(class)) = (words(base.as_type_ptr()), words(class.as_type_ptr())) {
        // SAFETY: words of live classes; an object of a subclass begins as one of the class.
        unsafe {
            if *base.add(FLAGS) as u64 & HAS_ENTRY != 0
                && *base.add(OFFSET) == *class.add(OFFSET)
                && *base.add(CALL) == *class.add(CALL)
            {
                add_flag(class);
            }
        }
    }
}

/// # Safety
/// The words of a live class whose objects have a pointer to an entry.
unsafe fn add_flag(words: *mut *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe {
        let flags = words.add(FLAGS);
        *flags = (*flags as u64 | HAS_ENTRY) as *mut c_void;
    }
}

/// The `tp_call` of an object's class: Python 3.11 goes on to call the entry when a program has given the class another
/// `__call__`.
///
/// # Safety
/// An object whose class has an entry.
#[inline]
pub unsafe fn call_slot(object: *mut ffi::PyObject) -> *mut c_void {
    // SAFETY: a live object; its class is laid out as `words` has found.
    unsafe { *ffi::Py_TYPE(object).cast::<*mut c_void>().add(CALL) }
}
