//! The argument `_ptr=` of plain classes: a value that lies somewhere else.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::ValueContext;
use crate::objects::object_ref::ObjectRef;
use crate::objects::stored_number;

/// The address that `_ptr=` gives, as in `cuda.bindings`: that of the value of a new object. 0 means none.
pub fn memory_of(this: ObjectRef<'_, '_>, address: &Bound<'_, PyAny>) -> PyResult<u64> {
    let class = this.class();
    let what = || format!("{}(_ptr)", class.name);
    let context = ValueContext {
        what: &what,
        c_type: "void *",
    };
    stored_number::integer(address, false, 64, context)
}

/// The address given as `_ptr=`, as the object that a [`EXTERNAL`](crate::types::object::EXTERNAL) handle or callback
/// keeps; `None` for 0. An error for classes that have no such argument.
pub fn place_of<'py>(
    this: ObjectRef<'_, 'py>,
    address: &Bound<'py, PyAny>,
    plain: bool,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !plain {
        return Err(PyTypeError::new_err(format!(
            "{}() got an unexpected keyword argument '_ptr'",
            this.class().name
        )));
    }
    Ok(match memory_of(this, address)? {
        0 => None,
        place => Some(place.into_pyobject(this.py())?.into_any()),
    })
}

/// The address of a new record that `_ptr=` gives; 0 for a record with memory of its own.
pub fn record_address<'py>(
    this: ObjectRef<'_, 'py>,
    keywords: Option<&Bound<'py, PyAny>>,
) -> PyResult<u64> {
    let plain = this.class().as_record().is_some_and(|kind| kind.plain);
    match keywords.filter(|_| plain) {
        Some(keywords) => match keywords.cast::<PyDict>()?.get_item("_ptr")? {
            Some(address) => memory_of(this, &address),
            None => Ok(0),
        },
        None => Ok(0),
    }
}
