//! The life of an object: `tp_new`, `tp_dealloc`, `tp_traverse`, `tp_clear`.

use crate::interpreter::layout;
use std::alloc::Layout;
use std::ffi::{c_int, c_void};
use std::ptr;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::interpreter::guard;
use crate::objects::allocate::{allocate, heap_align, is_exact_handle};
use crate::objects::class_table::class_of;
use crate::types::object::{CLOSED, HEAP, OWNED, Object, TRACKED};

pub unsafe extern "C" fn create(
    python: *mut ffi::PyTypeObject,
    _: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter with a class, and a dict or null.
    unsafe {
        guard::object(|py| {
            let python =
                Bound::from_borrowed_ptr(py, python.cast()).cast_into_unchecked::<PyType>();
            let Some(class) = class_of(&python) else {
                let name = python.name()?;
                return Err(PyTypeError::new_err(format!(
                    "{name} cannot be called: call a subclass that was made from a C declaration"
                )));
            };
            let new = allocate(py, class, &python)?;
            (class.operations.create)(py, new.as_ptr().cast(), keywords)?;
            Ok(new)
        })
    }
}

pub unsafe extern "C" fn deallocate(object: *mut ffi::PyObject) {
    // SAFETY: called by the interpreter for an object that nobody refers to any more.
    unsafe {
        ffi::PyObject_GC_UnTrack(object.cast());
        let raw = object.cast::<Object>();
        if !(*raw).weak.is_null() {
            ffi::PyObject_ClearWeakRefs(object);
        }
        // An object whose making failed has no class.
        if let Some(class) = (*raw).c.class.as_ref() {
            (class.operations.finish)(raw);
            if (*raw).c.flags & HEAP != 0 && (*raw).c.value != 0 {
                let size = ((*raw).c.bytes as usize).max(1);
                let layout = Layout::from_size_align_unchecked(size, heap_align(class));
                std::alloc::dealloc((*raw).c.value as *mut u8, layout);
            }
        }
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).refs, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).extra, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).c.keep, ptr::null_mut()));
        let python = ffi::Py_TYPE(object);
        let free: ffi::freefunc = std::mem::transmute(ffi::PyType_GetSlot(python, ffi::Py_tp_free));
        free(object.cast());
        ffi::Py_DECREF(python.cast());
    }
}

/// [`deallocate`] for handles, most of which refer to nothing and go to the free list.
pub unsafe extern "C" fn deallocate_handle(object: *mut ffi::PyObject) {
    // SAFETY: called by the interpreter for an object that nobody refers to any more.
    unsafe {
        let raw = object.cast::<Object>();
        let python = ffi::Py_TYPE(object);
        if let Some(class) = (*raw).c.class.as_ref()
            && is_exact_handle(class, python)
            && (*raw).c.flags & TRACKED == 0
            && [(*raw).weak, (*raw).refs, (*raw).extra, (*raw).c.keep]
                .iter()
                .all(|held| held.is_null())
        {
            if (*raw).c.flags & OWNED != 0 {
                (class.operations.finish)(raw);
            }
            if layout::counts_in_first_word() && class.free_list.give(raw) {
                return;
            }
        }
        deallocate(object);
    }
}

pub unsafe extern "C" fn traverse(
    object: *mut ffi::PyObject,
    visit: ffi::visitproc,
    argument: *mut c_void,
) -> c_int {
    // SAFETY: the collector calls this as `tp_traverse` of a live object; null members are skipped, the others are
    // references that it counts.
    unsafe {
        let raw = object.cast::<Object>();
        for reached in [
            ffi::Py_TYPE(object).cast(),
            (*raw).refs,
            (*raw).extra,
            (*raw).c.keep,
        ] {
            if !reached.is_null() {
                let stop = visit(reached, argument);
                if stop != 0 {
                    return stop;
                }
            }
        }
        0
    }
}

/// `tp_clear`. References that a handle keeps stay: the kept objects must end after the handle, and those references
/// make no cycle by themselves, since each is to something older.
pub unsafe extern "C" fn clear(object: *mut ffi::PyObject) -> c_int {
    // SAFETY: the collector calls this as `tp_clear` of a live object, with the GIL held; each member is set to null
    // before it is given back.
    unsafe {
        let raw = object.cast::<Object>();
        let Some(class) = (*raw).c.class.as_ref() else {
            return 0;
        };
        if !(class.operations.clear)(raw) {
            return 0;
        }
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).refs, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).extra, ptr::null_mut()));
        ffi::Py_XDECREF(std::mem::replace(&mut (*raw).c.keep, ptr::null_mut()));
        0
    }
}

/// [`Operations::create`](crate::types::class::Operations::create) of kinds whose new objects are null.
pub unsafe fn create_null(_: Python<'_>, _: *mut Object, _: *mut ffi::PyObject) -> PyResult<()> {
    Ok(())
}

/// [`Operations::finish`](crate::types::class::Operations::finish) of kinds whose objects own nothing but memory.
pub unsafe fn finish_nothing(_: *mut Object) {}

/// [`Operations::clear`](crate::types::class::Operations::clear) of objects that look at memory.
pub unsafe fn clear_view(raw: *mut Object) -> bool {
    // SAFETY: the collector calls this through `Operations::clear` for a live object, with the GIL held.
    unsafe {
        if (*raw).c.flags & HEAP == 0 {
            // The owner may free the memory from now on.
            (*raw).c.value = 0;
            (*raw).c.bytes = 0;
            (*raw).c.flags |= CLOSED;
        }
    }
    true
}
