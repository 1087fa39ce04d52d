//! Attributes of pointers and arrays that are those of the first record there, as C's `->` has them.

use std::ffi::c_int;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::interpreter::guard;
use crate::objects::elements::get_element;
use crate::objects::object_ref::ObjectRef;
use crate::types::class::Kind;
use crate::types::value::{Element, FieldKind, Stored};

use super::pointer;

/// The record that a pointer points at, or an array begins with, if it is one whose fields are known.
fn record<'py>(
    this: &Bound<'py, PyAny>,
    name: &Bound<'py, PyAny>,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let this = ObjectRef { object: this };
    let (record, is_array) = match &this.class().kind {
        Kind::Pointer(Element::Record(record)) => (record, false),
        Kind::Array(array) => match &*array.element {
            FieldKind::One(Stored::Record(record)) => (record, true),
            _ => return None,
        },
        _ => return None,
    };
    record.as_record()?.body.get()?;
    // Names that the interpreter asks for are not those of fields.
    let dunder = name
        .extract::<&str>()
        .map_or(true, |name| name.starts_with("__"));
    (!dunder).then(|| match is_array {
        true => get_element(this, 0),
        false => pointer::get(this, 0),
    })
}

/// An attribute of the object itself, or else of the first record: `p.x` is C's `p->x`.
pub unsafe extern "C" fn get_attribute(
    this: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this as `tp_getattro` of a live pointer or array, with a str and the GIL held.
    unsafe {
        let found = ffi::PyObject_GenericGetAttr(this, name);
        if !found.is_null() || ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) == 0 {
            return found;
        }
        guard::object(|py| {
            let error = PyErr::fetch(py);
            let this = Bound::from_borrowed_ptr(py, this);
            let name = Bound::from_borrowed_ptr(py, name);
            match record(&this, &name) {
                Some(record) => record?.getattr(name.cast::<PyString>()?),
                None => Err(error),
            }
        })
    }
}

/// Sets an attribute of the object itself, or else a field of the first record.
pub unsafe extern "C" fn set_attribute(
    this: *mut ffi::PyObject,
    name: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: the interpreter calls this as `tp_setattro` of a live pointer or array, with a str, an object or null,
    // and the GIL held.
    unsafe {
        let status = ffi::PyObject_GenericSetAttr(this, name, value);
        if status == 0 || ffi::PyErr_ExceptionMatches(ffi::PyExc_AttributeError) == 0 {
            return status;
        }
        guard::status(|py| {
            let error = PyErr::fetch(py);
            let this = Bound::from_borrowed_ptr(py, this);
            let name = Bound::from_borrowed_ptr(py, name);
            let value = Bound::from_borrowed_ptr_or_opt(py, value);
            match (record(&this, &name), value) {
                (Some(record), Some(value)) => {
                    let (record, name) = (record?, name.cast::<PyString>()?);
                    // The record object is gone in a moment, and with it what is no field.
                    let field = record.get_type().getattr_opt(name)?;
                    match field.map(|it| it.get_type().hasattr("__set__")) {
                        Some(Ok(true)) => record.setattr(name, value),
                        _ => Err(error),
                    }
                }
                _ => Err(error),
            }
        })
    }
}
