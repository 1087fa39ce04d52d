//! Python callables as C function pointers, and C function pointers as Python callables.

use crate::callbacks::function_pointer::finish;
use cuox_bind::plan::Gil;
use std::ffi::{c_int, c_void};
use std::sync::Arc;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::callbacks::function_pointer::{give_code, take_persistent};
use crate::errors::{ValueContext, describe};
use crate::interpreter::methods::{method, property};
use crate::interpreter::type_builder::TypeBuilder;
use crate::interpreter::{gil, guard, methods};
use crate::kinds::value_slots;
use crate::objects::object_ref::ObjectRef;
use crate::objects::slots::{equality, hash, truth, unary};
use crate::objects::{external, lifetime, stored_number};
use crate::signature::{Outputs, Parameter, Return, Role, Signature};
use crate::types::callback_info::{CallbackInfo, CallbackValue};
use crate::types::class::{Kind, Operations};
use crate::types::object::{CLOSED, EXTERNAL, OWNED, Object};
use crate::types::scalar::Scalar;
use crate::types::value::{Element, Stored};

/// The operations of objects of this kind.
pub static OPERATIONS: Operations = Operations {
    deallocate: lifetime::deallocate,
    create: lifetime::create_null,
    finish,
    clear,
};

unsafe fn clear(raw: *mut Object) -> bool {
    // SAFETY: the collector calls this through `Operations::clear` for an object of this kind, with the GIL held.
    unsafe { finish(raw) };
    true
}

/// The class `Callback`.
pub fn root() -> PyResult<TypeBuilder> {
    Ok(TypeBuilder::new("cuox_bind.Callback".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A pointer to a function. `Class(callable)` is one that C can call, until it is closed or collected; \
             `Class(address)` is one that Python can call.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_call, call as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(repr))
        .slot(ffi::Py_tp_richcompare, equality!(value_slots::same_value))
        .slot(ffi::Py_tp_hash, hash!(value_slots::hash_value))
        .slot(ffi::Py_nb_bool, truth!(value_slots::truth_of_value))
        .slot(ffi::Py_nb_int, unary!(int))
        .slot(ffi::Py_nb_index, unary!(int))
        .methods(vec![
            method!(
                c"close",
                [],
                0,
                close,
                c"close($self)\n--\n\nClose the callback. C must not call it any more: its code is used again for another one."
            ),
            method!(
                c"__enter__",
                [],
                0,
                methods::itself,
                c"__enter__($self)\n--\n\n"
            ),
            method!(
                c"__exit__",
                ["kind", "error", "traceback"],
                0,
                exit,
                c"__exit__($self, kind=None, error=None, traceback=None)\n--\n\nClose the callback."
            ),
        ])
        .properties(vec![
            property!(
                c"closed",
                value_slots::flag::<CLOSED>,
                c"True if the callback was closed."
            ),
            property!(
                c"callable",
                callable,
                c"The callable that C calls; None for a C function."
            ),
        ]))
}

fn callable<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let callable = ObjectRef { object: this }.refs();
    Ok(callable.unwrap_or_else(|| this.py().None().into_bound(this.py())))
}

fn close<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let inside = ObjectRef { object: this };
    if !inside.closed() {
        let callable = inside.refs();
        // SAFETY: of a class of callbacks.
        unsafe { finish(inside.raw()) };
        if let Some(callable) = callable {
            let callback = take_persistent(inside.class(), &callable);
            drop(callback.map(|callback| callback.into_bound(this.py())));
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
    // SAFETY: the interpreter calls this as `tp_init` of a live callback, with a tuple, and a dict or null.
    unsafe {
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            let class = this.class();
            let Kind::Callback(info) = &class.kind else {
                return Ok(());
            };
            let names = ["function", "_ptr"];
            let [value, place] = methods::read(py, &class.name, names, 0, arguments, keywords)?;
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
                    let keep = external::place_of(this, &place, info.plain)?;
                    placed = if keep.is_some() { EXTERNAL } else { 0 };
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
                    let context = ValueContext {
                        what: &what,
                        c_type: &class.c_type,
                    };
                    Some(stored_number::integer(value, false, 64, context)?)
                }
                _ => None,
            };
            if let Some(address) = address {
                if address != 0 {
                    // The function is not cuox's: it may run Python code.
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
                    describe(&value)
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
    // SAFETY: the interpreter calls this as `tp_call` of a live callback, with a tuple, and a dict or null.
    unsafe {
        guard::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let inside = ObjectRef { object: &this };
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
                    // A value in C memory may be another function at the next call.
                    if inside.external_address().is_none() {
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

/// The signature by which a C function of this kind is called.
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
            Stored::Char => Role::Char,
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
                persistent: true,
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
                    CallbackValue::Stored(stored) => stored.c_type(),
                },
                role: role(value),
                default: None,
                check: None,
                extent: None,
            })
            .collect(),
        result: match &info.result {
            // As of any function of a header.
            Some(_) if info.gives_text => Return::Value(Stored::Text {
                free: None,
                copied: false,
            }),
            Some(CallbackValue::Stored(stored)) => Return::Value(stored.clone()),
            _ => Return::Nothing,
        },
        gil: Gil::Auto,
        errno: None,
        variadic: false,
        cuts_floats: false,
        outputs: Outputs::Plain,
        keep: None,
    }
}

fn repr<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
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

fn int<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    if this.closed() {
        return Err(this.gone());
    }
    Ok(this.value().into_pyobject(py)?.into_any())
}
