//! Arrays in place: views of memory that a record, a pointer or the array itself owns.

use crate::kinds::buffer_export::{export, release_buffer};
use crate::objects::allocate::{array_part, give_heap, wrap};
use crate::objects::elements::{array_kind, element_address, element_count, get_element};
use crate::objects::store;
use std::ffi::{c_int, c_void};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};

use crate::errors::ValueContext;
use crate::interpreter::methods::{method, property};
use crate::interpreter::type_builder::TypeBuilder;
use crate::interpreter::{guard, methods};
use crate::kinds::buffer_export::ExportedArray;
use crate::kinds::{first_record, value_slots};
use crate::objects::class_table::{array_class, shared};
use crate::objects::elements::to_list;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::slots::{assign, equality, length, subscript, unary};
use crate::objects::{buffer_format, lifetime};
use crate::types::class::{Class, Kind, Operations};
use crate::types::object::{Object, READ_ONLY};
use crate::types::value::{FieldKind, Stored};

/// The operations of objects of this kind.
pub static OPERATIONS: Operations = Operations {
    deallocate: lifetime::deallocate,
    create,
    finish: lifetime::finish_nothing,
    clear: lifetime::clear_view,
};

/// Gives a new array the zeroed memory that its class says.
///
/// # Safety
/// As for [`Operations::create`].
unsafe fn create(py: Python<'_>, raw: *mut Object, _: *mut ffi::PyObject) -> PyResult<()> {
    // SAFETY: `raw` is a live, zeroed object of a class of arrays, and the GIL is held (`# Safety`).
    let object = unsafe { Bound::from_borrowed_ptr(py, raw.cast()) };
    let this = ObjectRef { object: &object };
    match &this.class().kind {
        Kind::Array(kind) if kind.bytes > 0 => give_heap(this, kind.bytes, kind.element.align()),
        _ => Ok(()),
    }
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: the interpreter calls this as `tp_init` of a live array, with a tuple, and a dict or null.
    unsafe {
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            let class = this.class();
            let [value] = methods::read(py, &class.name, ["elements"], 0, arguments, keywords)?;
            let Some(value) = value else { return Ok(()) };
            let what = || format!("{}()", class.name);
            let context = ValueContext {
                what: &what,
                c_type: &class.c_type,
            };
            let address = this.writable()?;
            let kind = array_kind(class)?;
            let (count, _) = element_count(this)?;
            store::store_elements(address, &kind.element, count, &value, this, context)
        })
    }
}

/// The class `CArray`.
pub fn root() -> PyResult<TypeBuilder> {
    Ok(
        TypeBuilder::new("cuox_bind.CArray".to_owned(), size_of::<Object>())?
            .doc(Some(
                "An array in the memory of C: its elements are read and written where they are.",
            ))
            .slot(ffi::Py_tp_getattro, first_record::get_attribute as *const c_void)
            .slot(ffi::Py_tp_setattro, first_record::set_attribute as *const c_void)
            .slot(ffi::Py_tp_init, initialise as *const c_void)
            .slot(ffi::Py_tp_repr, unary!(repr))
            .slot(ffi::Py_tp_richcompare, equality!(same))
            .slot(
                ffi::Py_tp_hash,
                ffi::PyObject_HashNotImplemented as *const c_void,
            )
            .slot(ffi::Py_sq_length, length!(length))
            .slot(ffi::Py_sq_item, item as *const c_void)
            .slot(ffi::Py_mp_length, length!(length))
            .slot(ffi::Py_mp_subscript, subscript!(subscript))
            .slot(ffi::Py_mp_ass_subscript, assign!(assign))
            .slot(ffi::Py_bf_getbuffer, get_buffer as *const c_void)
            .slot(ffi::Py_bf_releasebuffer, release_buffer as *const c_void)
            .methods(vec![method!(
            c"tolist",
            [],
            0,
            tolist,
            c"tolist($self)\n--\n\nReturn the elements as a list; those of inner arrays as lists in it."
        )])
            .properties(vec![
                property!(
                    c"address",
                    value_slots::memory_address,
                    c"The address of the array's memory."
                ),
                property!(c"__array_interface__", interface, c"The array interface, version 3 (for NumPy)."),
            ]),
    )
}

/// A zeroed array of so many records or handles of a class.
pub fn of_class<'py>(
    py: Python<'py>,
    class: &'static Class,
    count: usize,
    align: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let element = FieldKind::One(match &class.kind {
        Kind::Handle(_) => Stored::Handle {
            class: shared(class),
            owned: false,
        },
        _ => Stored::Record(shared(class)),
    });
    let size = element.size().checked_mul(count).ok_or_else(|| {
        PyValueError::new_err(format!(
            "array(): {count} elements are larger than the address space"
        ))
    })?;
    let c_type = format!("{} []", class.c_type);
    let array = array_class(py, &class.array, || element, &c_type)?;
    let new = wrap(py, &array, 0, false, None)?;
    give_heap(ObjectRef { object: &new }, size, align)?;
    Ok(new)
}

fn length(this: ObjectRef<'_, '_>) -> PyResult<usize> {
    Ok(element_count(this)?.0)
}

/// The interpreter has added the length to a negative index already.
unsafe extern "C" fn item(this: *mut ffi::PyObject, index: ffi::Py_ssize_t) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this as `sq_item` of a live array, with the GIL held.
    unsafe {
        guard::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            get_element(ObjectRef { object: &this }, index)
        })
    }
}

/// True if an object is an integer.
pub fn is_index(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: `object` is a `Bound`, so a live object with the GIL held.
    unsafe { ffi::PyIndex_Check(object.as_ptr()) != 0 }
}

/// An index that is not a slice. Too large ones are outside any array.
pub fn index(key: &Bound<'_, PyAny>, what: &str) -> PyResult<isize> {
    if !is_index(key) {
        return Err(PyTypeError::new_err(format!(
            "indices of {what} are integers or slices, not {}",
            key.get_type().name()?
        )));
    }
    // SAFETY: `key` is a live object, and the exception is a static of the interpreter.
    unsafe {
        let index = ffi::PyNumber_AsSsize_t(key.as_ptr(), ffi::PyExc_IndexError);
        match PyErr::take(key.py()) {
            Some(error) if index == -1 => Err(error),
            _ => Ok(index),
        }
    }
}

fn own_index(this: ObjectRef<'_, '_>, key: &Bound<'_, PyAny>) -> PyResult<isize> {
    let index = index(key, "an array")?;
    let (count, _) = element_count(this)?;
    Ok(if index < 0 {
        index.saturating_add(count as isize)
    } else {
        index
    })
}

fn subscript<'py>(
    this: ObjectRef<'_, 'py>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let Ok(slice) = key.cast::<PySlice>() else {
        return get_element(this, own_index(this, key)?);
    };
    let (count, size) = element_count(this)?;
    let range = slice.indices(count as isize)?;
    if range.step == 1 {
        let address = this.address()? + range.start as usize * size;
        return array_part(this, this.class(), address, range.slicelength * size);
    }
    let list = PyList::empty(py);
    for i in 0..range.slicelength as isize {
        list.append(get_element(this, range.start + i * range.step)?)?;
    }
    Ok(list.into_any())
}

fn assign(
    this: ObjectRef<'_, '_>,
    key: &Bound<'_, PyAny>,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let Some(value) = value else {
        return Err(PyTypeError::new_err(
            "elements of a C array cannot be deleted",
        ));
    };
    this.writable()?;
    let class = this.class();
    let element = &array_kind(class)?.element;
    if let Ok(slice) = key.cast::<PySlice>() {
        let (count, size) = element_count(this)?;
        let range = slice.indices(count as isize)?;
        if range.step == 1 {
            let what = || format!("{}[{}:{}]", class.name, range.start, range.stop);
            let context = ValueContext {
                what: &what,
                c_type: &class.c_type,
            };
            let address = this.address()? + range.start as usize * size;
            // SAFETY: inside the array, which may be written.
            return unsafe {
                store::store_elements(address, element, range.slicelength, value, this, context)
            };
        }
        let values = value.try_iter()?.collect::<PyResult<Vec<_>>>()?;
        if values.len() != range.slicelength {
            return Err(PyValueError::new_err(format!(
                "this slice has {} elements, got {}",
                range.slicelength,
                values.len()
            )));
        }
        for (i, value) in values.iter().enumerate() {
            store(this, range.start + i as isize * range.step, value)?;
        }
        return Ok(());
    }
    store(this, own_index(this, key)?, value)
}

fn store(this: ObjectRef<'_, '_>, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let address = element_address(this, index)?;
    let class = this.class();
    let what = || format!("{}[{index}]", class.name);
    let context = ValueContext {
        what: &what,
        c_type: &class.c_type,
    };
    // SAFETY: inside the array, which may be written.
    unsafe {
        store::store_field(
            address,
            0,
            &array_kind(class)?.element,
            value,
            this,
            context,
        )
    }
}

fn tolist<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(to_list(ObjectRef { object: this }, false)?.into_any())
}

fn repr<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    if this.value() == 0 {
        return Ok("<CArray null>".into_pyobject(py)?.into_any());
    }
    let count = element_count(this)?.0;
    let mut parts = Vec::new();
    for i in 0..count.min(16) {
        parts.push(get_element(this, i as isize)?.repr()?.to_string());
    }
    if count > 16 {
        parts.push(format!("... {} in all", count));
    }
    Ok(format!("[{}]", parts.join(", "))
        .into_pyobject(py)?
        .into_any())
}

fn same(this: ObjectRef<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
    let ours = as_object(other).is_some_and(|other| matches!(other.class().kind, Kind::Array(_)));
    if !(ours || other.is_instance_of::<PyList>() || other.is_instance_of::<PyTuple>()) {
        return Ok(None);
    }
    if this.object.len()? != other.len()? {
        return Ok(Some(false));
    }
    for (a, b) in this.object.try_iter()?.zip(other.try_iter()?) {
        if !a?.eq(b?)? {
            return Ok(Some(false));
        }
    }
    Ok(Some(true))
}

/// All dimensions.
fn shape(this: ObjectRef<'_, '_>) -> PyResult<Vec<u64>> {
    let mut shape = vec![element_count(this)?.0 as u64];
    shape.extend_from_slice(array_kind(this.class())?.element.innermost().1);
    Ok(shape)
}

fn interface<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let this = ObjectRef { object: this };
    let element = array_kind(this.class())?.element.innermost().0;
    let read_only = this.flags() & READ_ONLY != 0;
    let dict = PyDict::new(this.py());
    dict.set_item("version", 3)?;
    dict.set_item("shape", PyTuple::new(this.py(), shape(this)?)?)?;
    dict.set_item("typestr", buffer_format::typestr(element))?;
    dict.set_item("data", (this.address()?, read_only))?;
    Ok(dict.into_any())
}

unsafe extern "C" fn get_buffer(
    this: *mut ffi::PyObject,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> c_int {
    // SAFETY: the interpreter calls this as `bf_getbuffer` of a live array, with the GIL held and `view` to fill.
    unsafe {
        (*view).obj = std::ptr::null_mut();
        guard::status(|py| {
            let object = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &object };
            let element = array_kind(this.class())?.element.innermost().0;
            let array = ExportedArray {
                address: this.address()?,
                shape: &shape(this)?,
                format: &buffer_format::buffer(element),
                item: element.size(),
                read_only: this.flags() & READ_ONLY != 0,
            };
            export(view, &object, &array, flags)
        })
    }
}
