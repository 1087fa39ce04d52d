//! What `cuox._native` asks of objects of C values.

use std::ffi::c_int;
use std::mem::offset_of;

use cuox_interpreter::c_values::{Location, Table};
use pyo3::ffi;
use pyo3::prelude::*;

use crate::interpreter::{gil, guard};
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::types::class::Kind;
use crate::types::object::{CLOSED, CObject, EXTERNAL};
use crate::types::scalar::Scalar;

/// The answers.
pub static TABLE: Table = Table::new(
    [offset_of!(CObject, value), offset_of!(CObject, flags)],
    CLOSED | EXTERNAL,
    plain_handle,
    location,
    assume_callbacks,
);

/// The object's inside, if its class is of a C type, and no subclass.
fn exact<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<ObjectRef<'a, 'py>> {
    let this = as_object(object)?;
    // SAFETY: a live object.
    let class = unsafe { ffi::Py_TYPE(object.as_ptr()) };
    (this.class().python.as_ptr() == class.cast()).then_some(this)
}

unsafe extern "C" fn plain_handle(object: *mut ffi::PyObject, value: *mut u64) -> c_int {
    // SAFETY: the caller holds the lock, and gives a live object and a place for the value.
    unsafe {
        guard::run(0, |py| {
            let object = Bound::ref_from_ptr(py, &object);
            let Some(this) = exact(object) else {
                return Ok(0);
            };
            let word = matches!(
                &this.class().kind,
                Kind::Handle(kind) if matches!(kind.scalar, Scalar::Pointer | Scalar::U64)
            );
            if !word || this.closed() || this.external_address().is_some() {
                return Ok(0);
            }
            value.write(this.value());
            Ok(1)
        })
    }
}

unsafe extern "C" fn location(object: *mut ffi::PyObject, place: *mut Location) -> c_int {
    // SAFETY: the caller holds the lock, and gives a live object and a place for the answer.
    unsafe {
        guard::run(-1, |py| {
            let object = Bound::ref_from_ptr(py, &object);
            let Some(this) = exact(object) else {
                return Ok(0);
            };
            if this.closed() {
                return Err(this.gone());
            }
            let size = match &this.class().kind {
                Kind::Handle(handle) => handle.scalar.size(),
                Kind::Record(record) => record.size,
                _ => 0,
            };
            let address = this.location()? as u64;
            place.write(Location { address, size });
            Ok(1)
        })
    }
}

extern "C" fn assume_callbacks() {
    gil::assume_callbacks();
}
