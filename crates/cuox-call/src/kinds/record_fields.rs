//! Fields of records as descriptors.

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use crate::errors::ValueContext;
use crate::interpreter::guard;
use crate::kinds::record_repr;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::{load, store, stored_number};
use crate::types::class::{Class, RecordBody, RecordKind};
use crate::types::classify;
use crate::types::object::{Object, READ_ONLY};
use crate::types::scalar::Scalar;
use crate::types::value::{FieldInfo, FieldKind, Stored};

/// A field's descriptor. It lives as long as the process, as its class does.
struct FieldSlot {
    class: &'static Class,
    index: usize,
    /// Its offset in bytes.
    offset: usize,
    /// The scalar, if the field is a number.
    number: Option<Scalar>,
    /// The class of the view of an array field.
    inner: OnceLock<Arc<Class>>,
}

impl FieldSlot {
    fn info(&self) -> &'static FieldInfo {
        // A descriptor is made after the fields, and these do not change.
        &self.class.as_record().map_or(&[][..], RecordKind::fields)[self.index]
    }

    /// The field's address in an object that must be of the descriptor's class.
    fn find(&self, this: ObjectRef<'_, '_>, write: bool) -> PyResult<(usize, u32)> {
        if !this.is(self.class) {
            return Err(PyTypeError::new_err(format!(
                "'{}' is a field of {}, not of {}",
                self.info().name,
                self.class.name,
                this.class().name
            )));
        }
        let address = if write {
            this.writable()?
        } else {
            this.address()?
        };
        let offset = self.info().offset;
        Ok((address + (offset / 8) as usize, (offset % 8) as u32))
    }
}

/// [`get_field`] for numbers in an object of the class itself.
unsafe extern "C" fn get_number(this: *mut ffi::PyObject, slot: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter for a field's descriptor, with an object of ours. The field lies inside the
    // record.
    unsafe {
        let (known, object) = (&*slot.cast::<FieldSlot>(), &*this.cast::<Object>());
        if std::ptr::eq(object.c.class, known.class)
            && object.c.value != 0
            && let Some(scalar) = known.number
        {
            let new = stored_number::fast_read(scalar, object.c.value as usize + known.offset);
            if !new.is_null() {
                return new;
            }
            ffi::PyErr_Clear();
        }
        get_field(this, slot)
    }
}

/// [`set_field`] for numbers in an object of the class itself.
unsafe extern "C" fn set_number(
    this: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    slot: *mut c_void,
) -> c_int {
    // SAFETY: the interpreter calls this for a field's descriptor, with an object of ours. The field lies inside the
    // record, whose memory may be written.
    unsafe {
        let (known, object) = (&*slot.cast::<FieldSlot>(), &*this.cast::<Object>());
        if std::ptr::eq(object.c.class, known.class)
            && object.c.value != 0
            && object.c.flags & READ_ONLY == 0
            && !value.is_null()
            && let Some(scalar) = known.number
            && stored_number::fast_write(scalar, object.c.value as usize + known.offset, value)
        {
            return 0;
        }
        set_field(this, value, slot)
    }
}

unsafe extern "C" fn get_field(this: *mut ffi::PyObject, slot: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter for a field's descriptor.
    unsafe {
        guard::object(|py| {
            let slot = &*slot.cast::<FieldSlot>();
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            let (address, bit) = slot.find(this, false)?;
            let info = slot.info();
            let value = load::load_field(
                py,
                address,
                bit,
                &info.kind,
                this,
                &slot.inner,
                &info.c_type,
            )?;
            let inside = matches!(
                info.kind,
                FieldKind::Array(..) | FieldKind::One(Stored::Record(_))
            );
            if info.constant && inside && as_object(&value).is_some() {
                // SAFETY: a live object of ours, whose words the GIL guards.
                (*ObjectRef { object: &value }.raw()).c.flags |= READ_ONLY;
            }
            Ok(value)
        })
    }
}

unsafe extern "C" fn set_field(
    this: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    slot: *mut c_void,
) -> c_int {
    // SAFETY: called by the interpreter for a field's descriptor.
    unsafe {
        guard::status(|py| {
            let slot = &*slot.cast::<FieldSlot>();
            let info = slot.info();
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            if value.is_null() {
                return Err(PyTypeError::new_err(format!(
                    "{}.{} cannot be deleted",
                    slot.class.name, info.name
                )));
            }
            if info.constant {
                return Err(PyAttributeError::new_err(format!(
                    "{}.{} cannot be set: it is const in C ({})",
                    slot.class.name, info.name, info.c_type
                )));
            }
            let (address, bit) = slot.find(this, true)?;
            let value = Bound::from_borrowed_ptr(py, value);
            let value = store::cut_number(slot.class, &info.kind, &value)?;
            let what = || format!("{}.{}", slot.class.name, info.name);
            let context = ValueContext {
                what: &what,
                c_type: &info.c_type,
            };
            store::store_field(address, bit, &info.kind, &value, this, context)
        })
    }
}

/// Gives a class of records its fields.
pub fn define(py: Python<'_>, class: &Arc<Class>, fields: Vec<FieldInfo>) -> PyResult<()> {
    let Some(kind) = class.as_record() else {
        return Err(PyTypeError::new_err(format!(
            "{} is not a record",
            class.name
        )));
    };
    for field in &fields {
        check(kind, field)
            .map_err(|why| PyValueError::new_err(format!("{}.{} {why}", class.name, field.name)))?;
    }
    let passing = classify::passing(kind.size, &fields);
    let mut places = HashMap::new();
    for (index, field) in fields.iter().enumerate() {
        places.entry(field.name.clone()).or_insert(index);
    }
    let body = RecordBody {
        overlapping: record_repr::overlapping(&fields),
        fields,
        passing,
        places,
    };
    if kind.body.set(body).is_err() {
        return Err(PyRuntimeError::new_err(format!(
            "{} has its fields already",
            class.name
        )));
    }
    let python = class.python.bind(py);
    // SAFETY: classes live as long as the process.
    let forever: &'static Class = unsafe { &*Arc::as_ptr(class) };
    for (index, field) in kind.fields().iter().enumerate() {
        let mut doc = format!("{} {}", field.c_type, field.name);
        if let Some(text) = &field.doc {
            doc.push_str("\n\n");
            doc.push_str(text);
        }
        let text = |text: String| CString::new(text.replace('\0', "")).map(CString::into_raw);
        let slot = Box::leak(Box::new(FieldSlot {
            class: forever,
            index,
            offset: (field.offset / 8) as usize,
            number: match field.kind {
                FieldKind::One(Stored::Scalar(scalar)) => Some(scalar),
                _ => None,
            },
            inner: OnceLock::new(),
        }));
        let number = slot.number.is_some();
        let definition = Box::leak(Box::new(ffi::PyGetSetDef {
            name: text(field.name.clone())?,
            get: Some(if number { get_number } else { get_field }),
            set: Some(match number && !field.constant {
                true => set_number,
                false => set_field,
            }),
            doc: text(doc)?,
            closure: (slot as *mut FieldSlot).cast(),
        }));
        // SAFETY: a class, and a definition that lives as long as the process.
        let descriptor = unsafe {
            let new = ffi::PyDescr_NewGetSet(python.as_type_ptr(), definition);
            Bound::from_owned_ptr_or_err(py, new)
        }?;
        python.setattr(PyString::new(py, &field.name), descriptor)?;
    }
    let names = kind.fields().iter().map(|field| field.name.as_str());
    python.setattr("__match_args__", PyTuple::new(py, names)?)
}

/// True if a field lies inside its record.
fn check(kind: &RecordKind, field: &FieldInfo) -> Result<(), String> {
    let whole = kind.size as u128 * 8;
    let end = match &field.kind {
        FieldKind::Bits(stored, width) => {
            if !matches!(stored, Stored::Scalar(_) | Stored::Enum(..)) {
                return Err("cannot be a bit-field".to_owned());
            }
            if *width == 0 || *width as usize > 8 * stored.size() || *width > 64 {
                return Err(format!("cannot have {width} bits"));
            }
            u128::from(*width)
        }
        kind => {
            if !field.offset.is_multiple_of(8) {
                return Err("does not begin at a byte".to_owned());
            }
            extent(kind)
                .and_then(|size| size.checked_mul(8))
                .ok_or("is too large")?
        }
    };
    if u128::from(field.offset) + end > whole {
        return Err(format!("lies outside its {} bytes", kind.size));
    }
    Ok(())
}

/// A field's size without overflow.
fn extent(kind: &FieldKind) -> Option<u128> {
    match kind {
        FieldKind::Array(element, lengths, _) => {
            if matches!(lengths.as_slice(), [] | [0, ..]) {
                return Some(0);
            }
            lengths
                .iter()
                .try_fold(extent(element)?, |size, n| size.checked_mul(u128::from(*n)))
        }
        other => Some(other.size() as u128),
    }
}
