//! Arrays in place: views of memory that a record, a pointer or the array itself owns.

use std::ffi::{CString, c_int, c_void};
use std::sync::Arc;

use pyo3::exceptions::{PyBufferError, PyIndexError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice, PyTuple};

use super::base::{self, Object, This, as_object, shared, wrap};
use super::entry::{self, Making, method, property};
use super::field;
use super::scalar::Place;
use super::slots::{assign, equality, length, subscript, unary};
use super::store;
use super::{ArrayKind, Class, FieldKind, Kind, READ_ONLY, format, record};
use crate::signature::Stored;

/// The class `Array`.
pub fn root() -> PyResult<Making> {
    Ok(Making::new("cuox.Array".to_owned(), size_of::<Object>())?
        .doc(Some(
            "An array in the memory of C: its elements are read and written where they are.",
        ))
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
            c"tolist($self)\n--\n\nThe elements as a list; those of inner arrays as lists in it."
        )])
        .properties(vec![
            property!(c"address", base::memory_address, c"Where its memory is."),
            property!(c"__array_interface__", interface, c"How NumPy finds it."),
        ]))
}

/// The class of arrays of a class of records.
pub fn of_records(py: Python<'_>, class: &'static Class) -> PyResult<Arc<Class>> {
    let c_type = format!("{} []", class.c_type);
    let element = || FieldKind::One(Stored::Record(shared(class)));
    field::array_class(py, &class.array, element, &c_type)
}

/// An array of so many bytes at an address, in memory that belongs to `keep`.
pub fn view<'py>(
    py: Python<'py>,
    class: &Class,
    address: usize,
    bytes: usize,
    keep: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = wrap(py, class, address as u64, false, keep)?;
    // SAFETY: of one of our classes.
    unsafe { (*This { object: &view }.raw()).c.bytes = bytes as u64 };
    Ok(view)
}

fn kind(class: &'static Class) -> PyResult<&'static ArrayKind> {
    match &class.kind {
        Kind::Array(kind) => Ok(kind),
        _ => Err(PyTypeError::new_err(format!(
            "{} is not an array",
            class.name
        ))),
    }
}

/// How many elements there are, and the size of one.
fn count(this: This<'_, '_>) -> PyResult<(usize, usize)> {
    let size = field::size(&kind(this.class())?.element);
    Ok(((this.bytes() as usize).checked_div(size).unwrap_or(0), size))
}

/// An element's address.
fn place(this: This<'_, '_>, index: isize) -> PyResult<usize> {
    let address = this.address()?;
    let (count, size) = count(this)?;
    match usize::try_from(index) {
        Ok(index) if index < count => Ok(address + index * size),
        _ => Err(PyIndexError::new_err(format!(
            "index {index} is outside an array of {count} elements (C '{}')",
            this.class().c_type
        ))),
    }
}

fn get<'py>(this: This<'_, 'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
    let address = place(this, index)?;
    let class = this.class();
    let element = &kind(class)?.element;
    // SAFETY: inside the array, which the view keeps alive.
    unsafe {
        field::load_field(
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

fn length(this: This<'_, '_>) -> PyResult<usize> {
    Ok(count(this)?.0)
}

/// The interpreter has added the length to a negative index already.
unsafe extern "C" fn item(this: *mut ffi::PyObject, index: ffi::Py_ssize_t) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter.
    unsafe {
        entry::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            get(This { object: &this }, index)
        })
    }
}

/// Whether an object is an integer.
pub fn is_index(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: an object.
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
    // SAFETY: an object.
    unsafe {
        let index = ffi::PyNumber_AsSsize_t(key.as_ptr(), ffi::PyExc_IndexError);
        match PyErr::take(key.py()) {
            Some(error) if index == -1 => Err(error),
            _ => Ok(index),
        }
    }
}

fn own_index(this: This<'_, '_>, key: &Bound<'_, PyAny>) -> PyResult<isize> {
    let index = index(key, "an array")?;
    let (count, _) = count(this)?;
    Ok(if index < 0 {
        index.saturating_add(count as isize)
    } else {
        index
    })
}

/// A part of an array, in place.
pub fn part<'py>(
    owner: This<'_, 'py>,
    class: &Class,
    address: usize,
    bytes: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let view = wrap(
        owner.py(),
        class,
        address as u64,
        false,
        Some(owner.owner()),
    )?;
    let this = This { object: &view };
    record::inherit(this, owner);
    // SAFETY: of one of our classes.
    unsafe { (*this.raw()).c.bytes = bytes as u64 };
    Ok(view)
}

fn subscript<'py>(this: This<'_, 'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let Ok(slice) = key.cast::<PySlice>() else {
        return get(this, own_index(this, key)?);
    };
    let (count, size) = count(this)?;
    let range = slice.indices(count as isize)?;
    if range.step == 1 {
        let address = this.address()? + range.start as usize * size;
        return part(this, this.class(), address, range.slicelength * size);
    }
    let list = PyList::empty(py);
    for i in 0..range.slicelength as isize {
        list.append(get(this, range.start + i * range.step)?)?;
    }
    Ok(list.into_any())
}

fn assign(
    this: This<'_, '_>,
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
    let element = &kind(class)?.element;
    if let Ok(slice) = key.cast::<PySlice>() {
        let (count, size) = count(this)?;
        let range = slice.indices(count as isize)?;
        if range.step == 1 {
            let what = || format!("{}[{}:{}]", class.name, range.start, range.stop);
            let place = Place {
                what: &what,
                c_type: &class.c_type,
            };
            let address = this.address()? + range.start as usize * size;
            // SAFETY: inside the array, which may be written.
            return unsafe {
                store::store_elements(address, element, range.slicelength, value, this, place)
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

fn store(this: This<'_, '_>, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let address = place(this, index)?;
    let class = this.class();
    let what = || format!("{}[{index}]", class.name);
    let place = Place {
        what: &what,
        c_type: &class.c_type,
    };
    // SAFETY: inside the array, which may be written.
    unsafe { store::store_field(address, 0, &kind(class)?.element, value, this, place) }
}

fn tolist<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(to_list(This { object: this }, false)?.into_any())
}

/// The elements as a list; those of inner arrays as lists in it. Records are views, unless they are to be copies.
pub fn to_list<'py>(this: This<'_, 'py>, copies: bool) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(this.py());
    for i in 0..count(this)?.0 {
        let value = get(this, i as isize)?;
        match as_object(&value) {
            Some(inner) if matches!(inner.class().kind, Kind::Array(_)) => {
                list.append(to_list(inner, copies)?)?;
            }
            Some(inner) if copies && inner.class().as_record().is_some() => {
                list.append(record::copy(&value, [])?)?;
            }
            _ => list.append(value)?,
        }
    }
    Ok(list)
}

fn repr<'py>(this: This<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    if this.value() == 0 {
        return Ok("<Array null>".into_pyobject(py)?.into_any());
    }
    let count = count(this)?.0;
    let mut parts = Vec::new();
    for i in 0..count.min(16) {
        parts.push(get(this, i as isize)?.repr()?.to_string());
    }
    if count > 16 {
        parts.push(format!("... {} in all", count));
    }
    Ok(format!("[{}]", parts.join(", "))
        .into_pyobject(py)?
        .into_any())
}

fn same(this: This<'_, '_>, other: &Bound<'_, PyAny>) -> PyResult<Option<bool>> {
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
fn shape(this: This<'_, '_>) -> PyResult<Vec<u64>> {
    let mut shape = vec![count(this)?.0 as u64];
    shape.extend_from_slice(format::innermost(&kind(this.class())?.element).1);
    Ok(shape)
}

fn interface<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let this = This { object: this };
    let element = format::innermost(&kind(this.class())?.element).0;
    let read_only = this.flags() & READ_ONLY != 0;
    let dict = PyDict::new(this.py());
    dict.set_item("version", 3)?;
    dict.set_item("shape", PyTuple::new(this.py(), shape(this)?)?)?;
    dict.set_item("typestr", format::typestr(element))?;
    dict.set_item("data", (this.address()?, read_only))?;
    Ok(dict.into_any())
}

/// What an exported buffer's description needs while it is held.
struct Exported {
    format: CString,
    numbers: Vec<ffi::Py_ssize_t>,
}

/// An array in C order, for a buffer.
pub struct Layout<'a> {
    /// Where it is.
    pub address: usize,
    /// Its dimensions.
    pub shape: &'a [u64],
    /// Its elements' format.
    pub format: &'a str,
    /// Their size.
    pub item: usize,
    /// Whether it must not be written.
    pub read_only: bool,
}

/// A buffer of an array.
///
/// # Safety
/// `view` is what the interpreter asks to be filled, for this object.
pub unsafe fn export(
    view: *mut ffi::Py_buffer,
    object: &Bound<'_, PyAny>,
    array: &Layout<'_>,
    flags: c_int,
) -> PyResult<()> {
    let Layout {
        address,
        shape,
        format,
        item,
        read_only,
    } = *array;
    if flags & ffi::PyBUF_WRITABLE != 0 && read_only {
        return Err(PyBufferError::new_err("this memory must not be written"));
    }
    let rank = shape.len();
    let mut numbers: Vec<ffi::Py_ssize_t> = shape.iter().map(|n| *n as ffi::Py_ssize_t).collect();
    let mut stride = item as ffi::Py_ssize_t;
    let mut strides = vec![0; rank];
    for (place, extent) in strides.iter_mut().zip(shape).rev() {
        *place = stride;
        stride = stride.saturating_mul(*extent as ffi::Py_ssize_t);
    }
    numbers.extend(strides);
    let exported = Box::new(Exported {
        format: CString::new(format)?,
        numbers,
    });
    let wants = |flag: c_int| flags & flag == flag;
    // SAFETY: the caller's promise; what is pointed at lives until the buffer is released.
    unsafe {
        let numbers = exported.numbers.as_ptr().cast_mut();
        (*view).buf = address as *mut c_void;
        (*view).len = stride;
        (*view).itemsize = item as ffi::Py_ssize_t;
        (*view).readonly = read_only.into();
        // Who does not ask for a shape gets none, and bytes in a row.
        (*view).ndim = if wants(ffi::PyBUF_ND) {
            rank as c_int
        } else {
            1
        };
        (*view).format = if wants(ffi::PyBUF_FORMAT) {
            exported.format.as_ptr().cast_mut()
        } else {
            std::ptr::null_mut()
        };
        (*view).shape = if wants(ffi::PyBUF_ND) {
            numbers
        } else {
            std::ptr::null_mut()
        };
        (*view).strides = if wants(ffi::PyBUF_STRIDES) {
            numbers.add(rank)
        } else {
            std::ptr::null_mut()
        };
        (*view).suboffsets = std::ptr::null_mut();
        (*view).internal = Box::into_raw(exported).cast();
        (*view).obj = object.clone().into_ptr();
    }
    Ok(())
}

/// Frees what [`export`] has made.
///
/// # Safety
/// Called by the interpreter for such a buffer, once.
pub unsafe extern "C" fn release_buffer(_: *mut ffi::PyObject, view: *mut ffi::Py_buffer) {
    // SAFETY: the caller's promise.
    unsafe {
        let exported = std::mem::replace(&mut (*view).internal, std::ptr::null_mut());
        if !exported.is_null() {
            drop(Box::from_raw(exported.cast::<Exported>()));
        }
    }
}

unsafe extern "C" fn get_buffer(
    this: *mut ffi::PyObject,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> c_int {
    // SAFETY: called by the interpreter.
    unsafe {
        (*view).obj = std::ptr::null_mut();
        entry::status(|py| {
            let object = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &object };
            let element = format::innermost(&kind(this.class())?.element).0;
            let array = Layout {
                address: this.address()?,
                shape: &shape(this)?,
                format: &format::buffer(element),
                item: field::size(element),
                read_only: this.flags() & READ_ONLY != 0,
            };
            export(view, &object, &array, flags)
        })
    }
}
