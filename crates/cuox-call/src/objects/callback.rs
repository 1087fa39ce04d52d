//! Python callables as C function pointers, and C function pointers as Python callables.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use parking_lot::Mutex;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use super::base::{self, Object, This, as_object, bases, wrap};
use super::called::text_of;
pub use super::called::{LIVE, enter, leave};
use super::entry::{self, Making, method, property};
use super::scalar::{self, Place};
use super::slots::{equality, hash, truth, unary};
use super::thunk;
use super::{CLOSED, CallbackInfo, CallbackValue, Class, Kind, Named, OWNED, PLACED};
use crate::gil::{self, Gil};
use crate::signature::{Element, Outputs, Parameter, Return, Role, Scalar, Signature, Stored};

/// The class of a kind of callback.
pub fn class(py: Python<'_>, info: &Arc<CallbackInfo>) -> PyResult<Arc<Class>> {
    if let Some(class) = info.class.get() {
        return Ok(Arc::clone(class));
    }
    let named = Named {
        name: &info.name,
        c_type: &info.name,
        ..Named::default()
    };
    let base = &bases(py)?.callback;
    let class = base::class(py, named, None, Kind::Callback(Arc::clone(info)), base, 0)?;
    Ok(Arc::clone(info.class.get_or_init(|| class)))
}

/// The class `Callback`.
pub fn root() -> PyResult<Making> {
    Ok(Making::new("cuox.Callback".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A pointer to a function. `Class(callable)` is one that C can call, until it is closed or collected; \
             `Class(address)` is one that Python can call.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_call, call as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(repr))
        .slot(ffi::Py_tp_richcompare, equality!(base::same_value))
        .slot(ffi::Py_tp_hash, hash!(base::hash_value))
        .slot(ffi::Py_nb_bool, truth!(base::truth_of_value))
        .slot(ffi::Py_nb_int, unary!(int))
        .slot(ffi::Py_nb_index, unary!(int))
        .methods(vec![
            method!(
                c"close",
                [],
                0,
                close,
                c"close($self)\n--\n\nC must not call it any more: its code is used again for another callback."
            ),
            method!(
                c"__enter__",
                [],
                0,
                entry::itself,
                c"__enter__($self)\n--\n\n"
            ),
            method!(
                c"__exit__",
                ["kind", "error", "traceback"],
                0,
                exit,
                c"__exit__($self, kind=None, error=None, traceback=None)\n--\n\nClose it."
            ),
        ])
        .properties(vec![
            property!(
                c"closed",
                super::handle::flag::<CLOSED>,
                c"Whether it has been closed."
            ),
            property!(
                c"callable",
                callable,
                c"What C calls; None if the function is C's own."
            ),
        ]))
}

fn callable<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let callable = This { object: this }.refs();
    Ok(callable.unwrap_or_else(|| this.py().None().into_bound(this.py())))
}

/// A C function pointer for a Python callable, and the object that must live as long as C may call it. A callback object gives its own; `None` is null.
/// One that is `kept` lives until it is closed, and the same callable gets the same one.
pub fn pointer(
    py: Python<'_>,
    info: &Arc<CallbackInfo>,
    value: &Bound<'_, PyAny>,
    kept: bool,
) -> PyResult<(u64, Option<Py<PyAny>>)> {
    if value.is_none() {
        return Ok((0, None));
    }
    let class = class(py, info)?;
    if let Some(this) = as_object(value)
        && let Kind::Callback(other) = &this.class().kind
    {
        if !Arc::ptr_eq(other, info) {
            return Err(PyTypeError::new_err(format!(
                "a {} is needed, got a {}",
                info.name, other.name
            )));
        }
        if this.closed() {
            return Err(this.gone());
        }
        return Ok((this.value(), Some(value.clone().unbind())));
    }
    let key = (Arc::as_ptr(&class) as usize, value.as_ptr() as usize);
    if kept && let Some(callback) = KEPT.lock().get(&key) {
        let callback = callback.clone_ref(py);
        let address = This {
            object: callback.bind(py),
        }
        .value();
        return Ok((address, Some(callback)));
    }
    if !value.is_callable() {
        return Err(PyTypeError::new_err(format!(
            "{} takes a callable, got {}",
            info.name,
            scalar::describe(value)
        )));
    }
    let new = wrap(py, &class, 0, false, None)?;
    let this = This { object: &new };
    give_code(this, info, value)?;
    if kept {
        KEPT.lock().insert(key, new.clone().unbind());
    }
    Ok((this.value(), Some(new.unbind())))
}

/// Callbacks that C keeps, by class and callable. They hold the callable, so that its address is its own.
static KEPT: Mutex<KeptMap> = Mutex::new(KeptMap(None));

struct KeptMap(Option<HashMap<(usize, usize), Py<PyAny>>>);

impl KeptMap {
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

/// Makes a new callback object callable by C.
fn give_code(this: This<'_, '_>, info: &CallbackInfo, callable: &Bound<'_, PyAny>) -> PyResult<()> {
    info.plan()?;
    // SAFETY: whoever has an object has the GIL.
    let code = unsafe { thunk::take(this.object.as_ptr())? };
    // SAFETY: of one of our classes.
    unsafe {
        (*this.raw()).c.value = code as u64;
        (*this.raw()).c.flags = OWNED;
    }
    this.set_refs(Some(callable.clone()));
    LIVE.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// Takes a callback's code away.
///
/// # Safety
/// Called for an object of a class of callbacks, with the GIL held.
pub unsafe fn finish(raw: *mut Object) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*raw).c.flags & OWNED != 0 {
            thunk::give_back((*raw).c.value as usize);
            LIVE.fetch_sub(1, Ordering::Relaxed);
        }
        (*raw).c.value = 0;
        (*raw).c.flags = CLOSED;
    }
}

fn close<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let inside = This { object: this };
    if !inside.closed() {
        let callable = inside.refs();
        // SAFETY: of a class of callbacks.
        unsafe { finish(inside.raw()) };
        if let Some(callable) = callable {
            let class: *const Class = inside.class();
            let kept = KEPT
                .lock()
                .remove(&(class as usize, callable.as_ptr() as usize));
            drop(kept.map(|kept| kept.into_bound(this.py())));
        }
        inside.set_refs(None);
        inside.set_keep(None);
        inside.set_extra(None);
    }
    Ok(this.py().None().into_bound(this.py()))
}

fn exit<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 3],
) -> PyResult<Bound<'py, PyAny>> {
    close(this, [])
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &this };
            let class = this.class();
            let Kind::Callback(info) = &class.kind else {
                return Ok(());
            };
            let names = ["function", "_ptr"];
            let [value, place] = entry::read(py, &class.name, names, 0, arguments, keywords)?;
            if this.flags() & OWNED != 0 {
                return Err(PyTypeError::new_err(format!(
                    "this {} has a function already",
                    class.name
                )));
            }
            let value = value.filter(|value| !value.is_none());
            let mut placed = 0;
            let address = match (&value, place) {
                (None, None) => return Ok(()),
                (None, Some(place)) => {
                    let keep = base::place_of(this, &place, info.plain)?;
                    placed = if keep.is_some() { PLACED } else { 0 };
                    this.set_keep(keep);
                    Some(0)
                }
                (Some(_), Some(_)) => {
                    return Err(PyTypeError::new_err(format!(
                        "{}() takes a function or _ptr, not both",
                        class.name
                    )));
                }
                (Some(value), None) if value.is_instance_of::<PyInt>() => {
                    let what = || format!("{}()", class.name);
                    let place = Place {
                        what: &what,
                        c_type: &class.c_type,
                    };
                    Some(scalar::integer(value, false, 64, place)?)
                }
                _ => None,
            };
            if let Some(address) = address {
                if address != 0 {
                    // Somebody else's, behind which may be Python code.
                    gil::assume_callbacks();
                }
                (*this.raw()).c.value = address;
                (*this.raw()).c.flags = placed;
                this.set_extra(None);
                return Ok(());
            }
            let Some(value) = value else {
                return Ok(());
            };
            if !value.is_callable() {
                return Err(PyTypeError::new_err(format!(
                    "{}() takes a callable or an address, got {}",
                    class.name,
                    scalar::describe(&value)
                )));
            }
            give_code(this, info, &value)
        })
    }
}

unsafe extern "C" fn call(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let inside = This { object: &this };
            let Kind::Callback(info) = &inside.class().kind else {
                return Err(inside.gone());
            };
            let target = inside.value();
            if target == 0 {
                return Err(inside.gone());
            }
            let function = match inside.extra() {
                Some(function) => function,
                None => {
                    let new = crate::compile::callable(py, signature(info, target))?;
                    let new = new.into_bound(py);
                    // What is somewhere else may be another function next time.
                    if inside.place().is_none() {
                        inside.set_extra(Some(new.clone()));
                    }
                    new
                }
            };
            let result = ffi::PyObject_Call(function.as_ptr(), arguments, keywords);
            Bound::from_owned_ptr_or_err(py, result)
        })
    }
}

/// What calling a C function of this kind takes.
fn signature(info: &Arc<CallbackInfo>, target: u64) -> Signature {
    let role = |value: &CallbackValue| match value {
        CallbackValue::UserData => Role::Fixed(Scalar::Pointer, 0),
        CallbackValue::Stored(stored) => match stored {
            Stored::Scalar(Scalar::Pointer) => Role::Pointer {
                to: Element::Untyped,
                writable: false,
                nullable: true,
            },
            Stored::Scalar(scalar) | Stored::Enum(scalar, _) => Role::Scalar(*scalar),
            Stored::Handle { class, .. } => Role::Handle {
                class: Arc::clone(class),
                nullable: true,
                consumed: false,
                by_address: false,
            },
            Stored::Pointer(class) => Role::Pointer {
                to: match &class.kind {
                    Kind::Pointer(element) => element.clone(),
                    _ => Element::Untyped,
                },
                writable: !class.c_type.starts_with("const "),
                nullable: true,
            },
            Stored::Text { .. } => Role::Text { nullable: true },
            Stored::Record(class) => Role::Record(Arc::clone(class)),
            Stored::Callback(info) => Role::Callback {
                info: Arc::clone(info),
                nullable: true,
                kept: true,
            },
        },
    };
    let parameters = info.parameters.iter().enumerate();
    Signature {
        name: info.name.clone(),
        doc: String::new(),
        module: None,
        target: target as usize,
        parameters: parameters
            .map(|(i, (name, value))| Parameter {
                name: if name.is_empty() {
                    format!("argument_{i}")
                } else {
                    name.clone()
                },
                c_type: match value {
                    CallbackValue::UserData => "void *".to_owned(),
                    CallbackValue::Stored(stored) => text_of(stored),
                },
                role: role(value),
                default: None,
                extent: None,
            })
            .collect(),
        result: match &info.result {
            Some(CallbackValue::Stored(stored)) => Return::Value(stored.clone()),
            _ => Return::Nothing,
        },
        gil: Gil::Auto,
        errno: None,
        variadic: false,
        whole_floats: false,
        outputs: Outputs::Plain,
        keep: None,
    }
}

fn repr<'py>(this: This<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let name = this.object.get_type().name()?;
    let plain = matches!(&this.class().kind, Kind::Callback(info) if info.plain);
    let text = match (this.closed(), this.value(), this.refs()) {
        (true, _, _) => format!("<{name} closed>"),
        (_, 0, _) if !plain => format!("<{name} null>"),
        (_, value, Some(callable)) => {
            format!("<{name} {value:#x} of {}>", callable.repr()?)
        }
        (_, value, None) => format!("<{name} {value:#x}>"),
    };
    Ok(text.into_pyobject(py)?.into_any())
}

fn int<'py>(this: This<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    if this.closed() {
        return Err(this.gone());
    }
    Ok(this.value().into_pyobject(py)?.into_any())
}
