//! C function pointers for Python callables.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::callbacks::thunk;
use crate::errors::describe;
use crate::interpreter::gil::LIVE_CALLBACKS;
use crate::objects::allocate::wrap;
use crate::objects::class_table::callback_class;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::types::callback_info::CallbackInfo;
use crate::types::class::{Class, Kind};
use crate::types::object::{CLOSED, OWNED, Object};

/// A C function pointer for a Python callable, and the object that must live as long as C may call it. A callback
/// object gives its own; `None` is null. One that is `persistent` lives until it is closed, and the same callable gets
/// the same one.
pub fn function_pointer(
    py: Python<'_>,
    info: &Arc<CallbackInfo>,
    value: &Bound<'_, PyAny>,
    persistent: bool,
) -> PyResult<(u64, Option<Py<PyAny>>)> {
    if value.is_none() {
        return Ok((0, None));
    }
    let class = callback_class(py, info)?;
    if let Some(this) = as_object(value)
        && let Kind::Callback(other) = &this.class().kind
    {
        if !Arc::ptr_eq(other, info) {
            return Err(PyTypeError::new_err(format!(
                "expected a callback of type '{}', got one of type '{}'",
                info.name, other.name
            )));
        }
        if this.closed() {
            return Err(this.gone());
        }
        return Ok((this.value(), Some(value.clone().unbind())));
    }
    let key = (Arc::as_ptr(&class) as usize, value.as_ptr() as usize);
    if persistent && let Some(callback) = PERSISTENT.lock().get(&key) {
        let callback = callback.clone_ref(py);
        let address = ObjectRef {
            object: callback.bind(py),
        }
        .value();
        return Ok((address, Some(callback)));
    }
    if !value.is_callable() {
        return Err(PyTypeError::new_err(format!(
            "{} takes a callable, got {}",
            info.name,
            describe(value)
        )));
    }
    let new = wrap(py, &class, 0, false, None)?;
    let this = ObjectRef { object: &new };
    give_code(this, info, value)?;
    if persistent {
        PERSISTENT.lock().insert(key, new.clone().unbind());
    }
    Ok((this.value(), Some(new.unbind())))
}

/// Callbacks that C keeps, by class and callable. They hold the callable, so that its address is its own.
static PERSISTENT: Mutex<PersistentCallbacks> = Mutex::new(PersistentCallbacks(None));

struct PersistentCallbacks(Option<HashMap<(usize, usize), Py<PyAny>>>);

impl PersistentCallbacks {
    fn get(&self, key: &(usize, usize)) -> Option<&Py<PyAny>> {
        self.0.as_ref()?.get(key)
    }

    fn insert(&mut self, key: (usize, usize), value: Py<PyAny>) {
        self.0.get_or_insert_default().insert(key, value);
    }

    fn remove(&mut self, key: &(usize, usize)) -> Option<Py<PyAny>> {
        self.0.as_mut()?.remove(key)
    }
}

/// Takes the persistent callback of a class for a callable out of the table, if there is one.
pub fn take_persistent(class: &Class, callable: &Bound<'_, PyAny>) -> Option<Py<PyAny>> {
    let key = (
        std::ptr::from_ref(class) as usize,
        callable.as_ptr() as usize,
    );
    PERSISTENT.lock().remove(&key)
}

/// Makes a new callback object callable by C.
pub fn give_code(
    this: ObjectRef<'_, '_>,
    info: &CallbackInfo,
    callable: &Bound<'_, PyAny>,
) -> PyResult<()> {
    info.locations()?;
    // SAFETY: `this` borrows a `Bound`, which exists with the GIL held only.
    let code = unsafe { thunk::take(this.object.as_ptr())? };
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe {
        (*this.raw()).c.value = code as u64;
        (*this.raw()).c.flags = OWNED;
    }
    this.set_refs(Some(callable.clone()));
    LIVE_CALLBACKS.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Takes a callback's code away.
///
/// # Safety
/// Called for an object of a class of callbacks, with the GIL held.
pub unsafe fn finish(raw: *mut Object) {
    // SAFETY: `raw` is an object of a class of callbacks and the GIL is held (`# Safety`); `OWNED` means that its value
    // is a thunk which nobody has given back yet.
    unsafe {
        if (*raw).c.flags & OWNED != 0 {
            thunk::give_back((*raw).c.value as usize);
            LIVE_CALLBACKS.fetch_sub(1, Ordering::Relaxed);
        }
        (*raw).c.value = 0;
        (*raw).c.flags = CLOSED;
    }
}
