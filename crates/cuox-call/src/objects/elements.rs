//! Elements of arrays in place.

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::objects::allocate::{allocate, give_memory};
use crate::objects::load;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::refs::{RefKeeper, carry};
use crate::types::class::{ArrayKind, Class, Kind};

pub fn array_kind(class: &'static Class) -> PyResult<&'static ArrayKind> {
    match &class.kind {
        Kind::Array(kind) => Ok(kind),
        _ => Err(PyTypeError::new_err(format!(
            "{} is not an array",
            class.name
        ))),
    }
}

/// The number of elements, and the size of one.
pub fn element_count(this: ObjectRef<'_, '_>) -> PyResult<(usize, usize)> {
    let size = array_kind(this.class())?.element.size();
    Ok(((this.bytes() as usize).checked_div(size).unwrap_or(0), size))
}

/// An element's address.
pub fn element_address(this: ObjectRef<'_, '_>, index: isize) -> PyResult<usize> {
    let address = this.address()?;
    let (count, size) = element_count(this)?;
    match usize::try_from(index) {
        Ok(index) if index < count => Ok(address + index * size),
        _ => Err(PyIndexError::new_err(format!(
            "index {index} is outside an array of {count} elements (C '{}')",
            this.class().c_type
        ))),
    }
}

pub fn get_element<'py>(this: ObjectRef<'_, 'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
    let address = element_address(this, index)?;
    let class = this.class();
    let element = &array_kind(class)?.element;
    // SAFETY: inside the array, which the view keeps alive.
    unsafe {
        load::load_field(
            this.py(),
            address,
            0,
            element,
            this,
            &class.array,
            &class.c_type,
        )
    }
}

/// The elements as a list; those of inner arrays as lists in it. Records are views, unless they are to be copies.
pub fn to_list<'py>(this: ObjectRef<'_, 'py>, copies: bool) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(this.py());
    for i in 0..element_count(this)?.0 {
        let value = get_element(this, i as isize)?;
        match as_object(&value) {
            Some(inner) if matches!(inner.class().kind, Kind::Array(_)) => {
                list.append(to_list(inner, copies)?)?;
            }
            Some(inner) if copies && inner.class().as_record().is_some() => {
                list.append(copy_record(&value, [])?)?;
            }
            _ => list.append(value)?,
        }
    }
    Ok(list)
}

/// A record of its own with the same bytes.
pub fn copy_record<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let from = ObjectRef { object: this };
    let size = from.class().as_record().map_or(0, |record| record.size);
    let source = from.address()?;
    let new = allocate(this.py(), from.class(), &this.get_type())?;
    let to = ObjectRef { object: &new };
    give_memory(to)?;
    let target = to.address()?;
    // SAFETY: two records of this size.
    unsafe { (target as *mut u8).copy_from(source as *const u8, size) };
    carry(
        from,
        source,
        target,
        size,
        &mut RefKeeper::CFunctionObject(to),
    )?;
    Ok(new)
}
