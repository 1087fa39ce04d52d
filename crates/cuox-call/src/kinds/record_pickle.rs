//! Records by value in pickles: their bytes, unless there are addresses among these.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::objects::allocate::{allocate, give_memory};
use crate::objects::class_table::own_class;
use crate::objects::object_ref::ObjectRef;
use crate::types::class::{Class, RecordKind};
use crate::types::value::{FieldKind, Stored};

/// `__reduce_ex__` and `__reduce__`.
pub fn reduce<'py, const N: usize>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let record = ObjectRef { object: this };
    let address = record.address()?;
    let name = this.get_type().name()?;
    // Classes of a written module have its name.
    let module = record.class().python.bind(py).getattr("__module__")?;
    if module.eq("cuox_bind")? {
        return Err(PyTypeError::new_err(format!(
            "{name} cannot be pickled: its class is of no module; those of a module that `python -m cuox_bind` has written can"
        )));
    }
    let size = record.class().as_record().map_or(0, |kind| kind.size);
    // SAFETY: the record has this many bytes at its address, and the GIL is held.
    let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, size) };
    if let Some(field) = address_in(record.class(), bytes) {
        return Err(PyTypeError::new_err(format!(
            "{name} cannot be pickled: its field {field} holds the address of something in this process"
        )));
    }
    let restore = py.import("cuox_bind._native")?.getattr("_restore_record")?;
    let arguments = (this.get_type(), PyBytes::new(py, bytes));
    // Attributes of classes that descend from the record's.
    let state = py
        .get_type::<PyAny>()
        .call_method1("__getstate__", (this,))?;
    let made = match state.is_none() {
        true => (restore, arguments).into_pyobject(py)?,
        false => (restore, arguments, state).into_pyobject(py)?,
    };
    Ok(made.into_any())
}

/// Makes the record that a pickle holds.
#[pyfunction]
pub fn _restore_record<'py>(
    class: &Bound<'py, PyType>,
    bytes: &[u8],
) -> PyResult<Bound<'py, PyAny>> {
    let own = own_class(class)?;
    let Some(size) = own.as_record().map(|kind| kind.size) else {
        let message = format!("{} is no structure or union", own.name);
        return Err(PyTypeError::new_err(message));
    };
    // It may have been written by a program with another version of the header.
    if bytes.len() != size {
        return Err(PyValueError::new_err(format!(
            "{} has {size} bytes here, and {} in the pickle",
            own.name,
            bytes.len()
        )));
    }
    if let Some(field) = address_in(own, bytes) {
        return Err(PyValueError::new_err(format!(
            "the pickle holds an address for the field {field} of {}",
            own.name
        )));
    }
    let new = allocate(class.py(), own, class)?;
    let this = ObjectRef { object: &new };
    give_memory(this)?;
    // SAFETY: the memory was just made for a record of this size.
    unsafe { (this.address()? as *mut u8).copy_from(bytes.as_ptr(), size) };
    Ok(new)
}

/// The first field that is not null and an address, or a handle.
fn address_in(class: &Class, bytes: &[u8]) -> Option<String> {
    let fields = class.as_record().map_or(&[][..], RecordKind::fields);
    fields.iter().find_map(|field| {
        let start = usize::try_from(field.offset / 8).ok()?;
        let inside = bytes.get(start..)?;
        let found = address_of(&field.kind, inside)?;
        Some(format!("{}{found}", field.name))
    })
}

/// The same in a field at the beginning of the bytes: what stands behind the field's name.
fn address_of(kind: &FieldKind, bytes: &[u8]) -> Option<String> {
    let is_set = |size: usize| bytes.iter().take(size).any(|byte| *byte != 0);
    match kind {
        FieldKind::Bits(..) => None,
        FieldKind::List(_) => is_set(kind.size()).then(String::new),
        FieldKind::One(stored) => match stored {
            Stored::Scalar(_) | Stored::Char | Stored::Enum(..) => None,
            Stored::Record(class) => address_in(class, bytes).map(|inside| format!(".{inside}")),
            Stored::Handle { .. }
            | Stored::Pointer(_)
            | Stored::Text { .. }
            | Stored::Callback(_) => is_set(stored.size()).then(String::new),
        },
        FieldKind::Array(element, ..) => {
            let size = element.size().max(1);
            let plain = matches!(
                **element,
                FieldKind::Bits(..)
                    | FieldKind::One(Stored::Scalar(_) | Stored::Char | Stored::Enum(..))
            );
            let elements = bytes.get(..kind.size()).filter(|_| !plain)?;
            let mut elements = elements.chunks(size).enumerate();
            elements.find_map(|(at, bytes)| Some(format!("[{at}]{}", address_of(element, bytes)?)))
        }
    }
}
