//! Slots and properties that several kinds of classes share.

use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::objects::object_ref::{ObjectRef, as_object};
use crate::types::class::Kind;
use crate::types::compatible::same;

/// `==` of pointers to data or functions: by value, among objects of compatible classes.
pub fn same_value(a: ObjectRef<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    let Some(b) = as_object(other) else {
        return Ok(None);
    };
    let fitting = match (&a.class().kind, &b.class().kind) {
        (Kind::Pointer(x), Kind::Pointer(y)) => same(x, y),
        _ => a.is(b.class()),
    };
    Ok(fitting.then(|| a.value() == b.value() && a.closed() == b.closed()))
}

/// The word that is the hash of a pointer to data or to a function.
pub fn hash_value(this: ObjectRef<'_, '_>) -> PyResult<u64> {
    Ok(this.value())
}

/// True if a pointer is not null. A callback of `cuda.bindings` is true anyhow.
pub fn truth_of_value(this: ObjectRef<'_, '_>) -> PyResult<bool> {
    let plain = matches!(&this.class().kind, Kind::Callback(info) if info.plain);
    // SAFETY: of one of our classes. One that is placed somewhere is asked for no value that is there.
    Ok(plain || unsafe { (*this.raw()).c.value } != 0)
}

/// A record's or array's memory, as a property.
pub fn memory_address<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let address = ObjectRef { object: this }.address()?;
    Ok(address.into_pyobject(this.py())?.into_any())
}

/// True if a flag is set, as a property.
pub fn flag<'py, const WHICH: u64>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let set = ObjectRef { object: this }.flags() & WHICH != 0;
    Ok(PyBool::new(this.py(), set).to_owned().into_any())
}
