//! Pointers to data.

use std::ffi::{CStr, c_int, c_void};
use std::sync::Arc;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PySlice, PyType};

use crate::errors::{ValueContext, describe};
use crate::interpreter::methods::{method, property};
use crate::interpreter::type_builder::TypeBuilder;
use crate::interpreter::{guard, methods};
use crate::kinds::array_view::ArrayView;
use crate::kinds::{array, first_record, value_slots};
use crate::objects::allocate::{allocate, array_part, wrap};
use crate::objects::class_table::{array_class, class_of, pointer_class, shared};
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::slots::{assign, binary, equality, hash, subscript, truth, unary};
use crate::objects::{address, lifetime, load, store, stored_number};
use crate::types::class::{Class, Kind, Operations};
use crate::types::compatible::same;
use crate::types::object::{CLOSED, Object};
use crate::types::value::{Element, FieldKind};

/// The operations of objects of this kind.
pub static OPERATIONS: Operations = Operations {
    deallocate: lifetime::deallocate,
    create: lifetime::create_null,
    finish: lifetime::finish_nothing,
    clear: lifetime::clear_view,
};

/// The class `Pointer`.
pub fn root() -> PyResult<TypeBuilder> {
    Ok(TypeBuilder::new("cuox_bind.Pointer".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A pointer of C. `Class(address)` or `Class(object)` points there, `Class()` is null. What lies behind it, C alone knows: an index is not checked.",
        ))
        .slot(ffi::Py_tp_getattro, first_record::get_attribute as *const c_void)
        .slot(ffi::Py_tp_setattro, first_record::set_attribute as *const c_void)
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(repr))
        .slot(ffi::Py_tp_richcompare, equality!(value_slots::same_value))
        .slot(ffi::Py_tp_hash, hash!(value_slots::hash_value))
        .slot(ffi::Py_nb_bool, truth!(value_slots::truth_of_value))
        .slot(ffi::Py_nb_int, unary!(int))
        .slot(ffi::Py_nb_index, unary!(int))
        .slot(ffi::Py_nb_add, binary!(add))
        .slot(ffi::Py_nb_subtract, binary!(subtract))
        // Without this slot `iter()` would use the indices and never end.
        .slot(ffi::Py_tp_iter, unary!(refuse_iteration))
        .slot(ffi::Py_mp_subscript, subscript!(subscript))
        .slot(ffi::Py_mp_ass_subscript, assign!(assign))
        .methods(vec![
            method!(
                c"cast",
                ["to"],
                1,
                cast,
                c"cast($self, to)\n--\n\nReturn the same address as a pointer of class `to`, as a pointer to records of class `to`, or as a handle of class `to`."
            ),
            method!(
                c"as_array",
                ["shape", "dtype", "device", "writable"],
                1,
                as_array,
                c"as_array($self, shape, dtype=None, device=False, writable=True)\n--\n\n\
                  What it points at as an array for NumPy and its like; with `device` for CuPy and PyTorch. Without `dtype` its elements are the pointer's."
            ),
            method!(
                c"as_device_array",
                ["shape", "dtype", "device"],
                1,
                as_device_array,
                c"as_device_array($self, shape, dtype=None, device=0)\n--\n\nReturn device memory as an array for CuPy and PyTorch. `shape` is in elements, `device` the device's index."
            ),
            method!(c"to_bytes", ["size"], 1, to_bytes, c"to_bytes($self, size)\n--\n\nReturn a copy of `size` bytes."),
            method!(
                c"string",
                ["size"],
                0,
                string,
                c"string($self, size=None)\n--\n\nReturn the text up to its NUL, or `size` bytes of text."
            ),
            method!(c"__copy__", [], 0, copy, c"A pointer to the same."),
            method!(c"__deepcopy__", ["memo"], 0, copy, c"A pointer to the same: what it points at is C's."),
        ])
        .properties(vec![
            ffi::PyGetSetDef {
                name: c"contents".as_ptr(),
                get: Some(contents),
                set: Some(set_contents),
                doc: c"The element that the pointer points at, which is element 0.".as_ptr(),
                closure: std::ptr::null_mut(),
            },
            property!(
                c"address",
                value,
                c"The address."
            ),
        ]))
}

fn value<'py>(this: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let value = ObjectRef { object: this }.value();
    Ok(value.into_pyobject(this.py())?.into_any())
}

fn element(class: &'static Class) -> &'static Element {
    match &class.kind {
        Kind::Pointer(element) => element,
        _ => &Element::Untyped,
    }
}

/// An element's kind and size; an error if they are not known.
fn known(class: &Class, element: &Element) -> PyResult<(FieldKind, usize)> {
    let kind = element.as_field().ok_or_else(|| {
        PyTypeError::new_err(format!(
            "the type of the elements of a {} (C '{}') is not known: cast it first",
            class.name, class.c_type
        ))
    })?;
    let size = kind.size();
    let defined = match element {
        Element::Record(record) => record
            .as_record()
            .is_some_and(|record| record.body.get().is_some()),
        _ => size > 0,
    };
    if !defined {
        return Err(PyTypeError::new_err(format!(
            "the elements of a {} (C '{}') are declared but not defined in C",
            class.name, class.c_type
        )));
    }
    Ok((kind, size))
}

fn locate(this: ObjectRef<'_, '_>, index: isize) -> PyResult<(FieldKind, usize)> {
    let class = this.class();
    let address = this.address()?;
    let (kind, size) = known(class, element(class))?;
    let address = isize::try_from(size)
        .ok()
        .and_then(|size| index.checked_mul(size))
        .and_then(|offset| address.checked_add_signed(offset))
        .filter(|address| *address != 0)
        .ok_or_else(|| {
            PyValueError::new_err(format!("index {index} is outside the address space"))
        })?;
    Ok((kind, address))
}

pub(super) fn get<'py>(this: ObjectRef<'_, 'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
    let (kind, address) = locate(this, index)?;
    let class = this.class();
    // SAFETY: a C pointer has no bounds to check: as in C, the program that uses the index vouches for the element.
    unsafe {
        load::load_field(
            this.py(),
            address,
            0,
            &kind,
            this,
            &class.pointer,
            &class.c_type,
        )
    }
}

fn set(this: ObjectRef<'_, '_>, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let (kind, address) = locate(this, index)?;
    let class = this.class();
    let what = || format!("{}[{index}]", class.name);
    let context = ValueContext {
        what: &what,
        c_type: &class.c_type,
    };
    // SAFETY: a C pointer has no bounds to check: as in C, the program that uses the index vouches for the element.
    unsafe { store::store_field(address, 0, &kind, value, this, context) }
}

unsafe extern "C" fn contents(this: *mut ffi::PyObject, _: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this as a getter of a live pointer, with the GIL held.
    unsafe {
        guard::object(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            get(ObjectRef { object: &this }, 0)
        })
    }
}

unsafe extern "C" fn set_contents(
    this: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the interpreter calls this as a setter of a live pointer, with an object or null, and the GIL held.
    unsafe {
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            match Bound::from_borrowed_ptr_or_opt(py, value) {
                Some(value) => set(ObjectRef { object: &this }, 0, &value),
                None => Err(PyTypeError::new_err("contents cannot be deleted")),
            }
        })
    }
}

/// The bounds of a slice without a step; the end must be given.
fn bounds(slice: &Bound<'_, PySlice>) -> PyResult<(isize, usize)> {
    let get = |name: &str| -> PyResult<Option<isize>> { slice.getattr(name)?.extract() };
    let (start, stop, step) = (get("start")?.unwrap_or(0), get("stop")?, get("step")?);
    let (Some(stop), None | Some(1)) = (stop, step) else {
        return Err(PyValueError::new_err(
            "a slice of a pointer needs an end and no step, such as p[0:n]: a pointer does not know the number of its elements",
        ));
    };
    Ok((
        start,
        usize::try_from(stop.saturating_sub(start)).unwrap_or(0),
    ))
}

fn subscript<'py>(
    this: ObjectRef<'_, 'py>,
    key: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let Ok(slice) = key.cast::<PySlice>() else {
        return get(this, array::index(key, "a pointer")?);
    };
    let (start, count) = bounds(slice)?;
    let (kind, address) = locate(this, start)?;
    let bytes = kind
        .size()
        .checked_mul(count)
        .filter(|bytes| isize::try_from(*bytes).is_ok())
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "a slice of {count} elements is larger than the address space"
            ))
        })?;
    let class = this.class();
    let elements = array_class(py, &class.array, || kind, &class.c_type)?;
    array_part(this, &elements, address, bytes)
}

fn assign(
    this: ObjectRef<'_, '_>,
    key: &Bound<'_, PyAny>,
    value: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let Some(value) = value else {
        return Err(PyTypeError::new_err(
            "elements behind a pointer cannot be deleted",
        ));
    };
    let Ok(slice) = key.cast::<PySlice>() else {
        return set(this, array::index(key, "a pointer")?, value);
    };
    let (start, count) = bounds(slice)?;
    let (kind, address) = locate(this, start)?;
    let class = this.class();
    let what = || format!("{}[{start}:]", class.name);
    let context = ValueContext {
        what: &what,
        c_type: &class.c_type,
    };
    // SAFETY: a C pointer has no bounds to check: as in C, the program that gives the slice's end vouches for the
    // elements.
    unsafe { store::store_elements(address, &kind, count, value, this, context) }
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: the interpreter calls this as `tp_init` of a live pointer, with a tuple, and a dict or null.
    unsafe {
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &this };
            let class = this.class();
            let [value] = methods::read(py, &class.name, ["value"], 0, arguments, keywords)?;
            let (value, keep) = match value {
                None => (0, None),
                Some(value) => {
                    let what = || format!("{}()", class.name);
                    let context = ValueContext {
                        what: &what,
                        c_type: &class.c_type,
                    };
                    let constant = class.c_type.starts_with("const ");
                    match value.is_exact_instance_of::<PyInt>() {
                        // Whoever makes a pointer of a number vouches for it.
                        true => (stored_number::integer(&value, false, 64, context)?, None),
                        false => address::of(&value, element(class), !constant, context)?,
                    }
                }
            };
            (*this.raw()).c.value = value;
            (*this.raw()).c.flags &= !CLOSED;
            this.set_keep(keep);
            Ok(())
        })
    }
}

/// A pointer of the same class that many elements further.
fn moved<'py>(this: ObjectRef<'_, 'py>, count: isize) -> PyResult<Bound<'py, PyAny>> {
    let class = this.class();
    let size = match element(class) {
        Element::Untyped => 1,
        element => known(class, element)?.1,
    };
    let value = this
        .address()?
        .wrapping_add_signed(count.wrapping_mul(size as isize));
    let new = allocate(this.py(), class, &this.object.get_type())?;
    let moved = ObjectRef { object: &new };
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*moved.raw()).c.value = value as u64 };
    moved.set_keep(Some(match this.keep() {
        Some(keep) => keep,
        None => this.object.clone(),
    }));
    Ok(new)
}

fn add<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let (pointer, count) = match (as_pointer(a), as_pointer(b)) {
        (Some(pointer), None) => (pointer, b),
        (None, Some(pointer)) => (pointer, a),
        _ => return Ok(py.NotImplemented().into_bound(py)),
    };
    if !array::is_index(count) {
        return Ok(py.NotImplemented().into_bound(py));
    }
    moved(pointer, array::index(count, "a pointer")?)
}

fn subtract<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = a.py();
    let Some(pointer) = as_pointer(a) else {
        return Ok(py.NotImplemented().into_bound(py));
    };
    let Some(other) = as_pointer(b) else {
        if !array::is_index(b) {
            return Ok(py.NotImplemented().into_bound(py));
        }
        return moved(pointer, array::index(b, "a pointer")?.wrapping_neg());
    };
    let class = pointer.class();
    if !same(element(class), element(other.class())) {
        return Err(PyTypeError::new_err(format!(
            "a {} and a {} point at elements of different types",
            class.name,
            other.class().name
        )));
    }
    let size = match element(class) {
        Element::Untyped => 1,
        element => known(class, element)?.1.max(1),
    };
    let bytes = pointer.address()?.wrapping_sub(other.address()?) as isize;
    Ok((bytes / size as isize).into_pyobject(py)?.into_any())
}

fn as_pointer<'a, 'py>(object: &'a Bound<'py, PyAny>) -> Option<ObjectRef<'a, 'py>> {
    as_object(object).filter(|this| matches!(this.class().kind, Kind::Pointer(_)))
}

/// The object that keeps alive the memory a pointer points at, for another object that points there.
fn memory_owner<'py>(this: ObjectRef<'_, 'py>) -> Bound<'py, PyAny> {
    this.keep().unwrap_or_else(|| this.object.clone())
}

fn cast<'py>(
    this: &Bound<'py, PyAny>,
    [to]: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let this = ObjectRef { object: this };
    let to = to.unwrap_or_else(|| py.None().into_bound(py));
    let class = to.cast::<PyType>().ok().and_then(class_of);
    let Some(class) = class else {
        return Err(PyTypeError::new_err(format!(
            "cast() takes a class of pointers, records or handles, got {}",
            describe(&to)
        )));
    };
    match &class.kind {
        Kind::Pointer(_) | Kind::Handle(_) | Kind::Callback(_) => {
            wrap(py, class, this.value(), false, Some(memory_owner(this)))
        }
        Kind::Record(_) => {
            let pointers = pointers_to(py, class)?;
            wrap(py, &pointers, this.value(), false, Some(memory_owner(this)))
        }
        Kind::Array(_) => Err(PyTypeError::new_err(
            "cast() makes no arrays: take a slice, such as p[0:n]",
        )),
    }
}

/// The class of plain pointers to a class of records.
pub fn pointers_to(py: Python<'_>, class: &'static Class) -> PyResult<Arc<Class>> {
    let c_type = format!("{} *", class.c_type);
    pointer_class(
        py,
        &class.pointer,
        || Element::Record(shared(class)),
        &c_type,
    )
}

fn as_array<'py>(
    this: &Bound<'py, PyAny>,
    [shape, dtype, device, writable]: [Option<Bound<'py, PyAny>>; 4],
) -> PyResult<Bound<'py, PyAny>> {
    let device = match device {
        Some(device) if device.is_instance_of::<pyo3::types::PyBool>() => {
            device.is_truthy()?.then_some(0)
        }
        Some(device) => device.extract()?,
        None => None,
    };
    let writable = writable.map_or(Ok(true), |writable| writable.is_truthy())?;
    view(this, shape, dtype, device, writable)
}

fn as_device_array<'py>(
    this: &Bound<'py, PyAny>,
    [shape, dtype, device]: [Option<Bound<'py, PyAny>>; 3],
) -> PyResult<Bound<'py, PyAny>> {
    let device = device.map_or(Ok(0), |device| device.extract())?;
    view(this, shape, dtype, Some(device), true)
}

fn view<'py>(
    this: &Bound<'py, PyAny>,
    shape: Option<Bound<'py, PyAny>>,
    dtype: Option<Bound<'py, PyAny>>,
    device: Option<i32>,
    writable: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let inside = ObjectRef { object: this };
    let class = inside.class();
    let kind = match dtype.as_ref().filter(|dtype| !dtype.is_none()) {
        Some(_) => None,
        None => Some(known(class, element(class))?.0),
    };
    let shape = shape.unwrap_or_else(|| py.None().into_bound(py));
    let dtype = dtype.filter(|dtype| !dtype.is_none());
    let new = ArrayView::new(
        inside.address()? as u64,
        &shape,
        dtype.as_ref(),
        kind.as_ref(),
        device,
        !writable,
        memory_owner(inside).unbind(),
    )?;
    Ok(Bound::new(py, new)?.into_any())
}

fn to_bytes<'py>(
    this: &Bound<'py, PyAny>,
    [size]: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    let size: usize = size.map_or(Ok(0), |size| size.extract())?;
    let address = ObjectRef { object: this }.address()?;
    if isize::try_from(size).is_err() {
        return Err(PyValueError::new_err(format!(
            "to_bytes(): 'size' is {size}, more than the address space has"
        )));
    }
    // SAFETY: a C pointer has no bounds to check: as in C, the program that gives the size vouches for the bytes, which
    // are copied at once.
    let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, size) };
    Ok(PyBytes::new(this.py(), bytes).into_any())
}

fn string<'py>(
    this: &Bound<'py, PyAny>,
    [size]: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    let address = ObjectRef { object: this }.address()?;
    let size: Option<isize> = size.map_or(Ok(None), |size| size.extract())?;
    // SAFETY: a C pointer has no bounds to check: as in C, the program that asks for text vouches for it; it is copied
    // at once.
    let bytes = unsafe {
        match size {
            None => CStr::from_ptr(address as *const _).to_bytes(),
            Some(size) => {
                let size = usize::try_from(size)
                    .map_err(|_| PyValueError::new_err("string(): 'size' must not be negative"))?;
                std::slice::from_raw_parts(address as *const u8, size)
            }
        }
    };
    load::text(this.py(), bytes)
}

fn copy<'py, const N: usize>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    let inside = ObjectRef { object: this };
    let new = allocate(this.py(), inside.class(), &this.get_type())?;
    let to = ObjectRef { object: &new };
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*to.raw()).c.value = inside.value() };
    to.set_keep(Some(memory_owner(inside)));
    Ok(new)
}

fn refuse_iteration<'py>(_: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    Err(PyTypeError::new_err(
        "a pointer does not know the number of its elements: take a slice, such as p[0:n]",
    ))
}

fn repr<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let text = match this.value() {
        0 => format!("<{} null>", this.class().c_type),
        value => format!("<{} {value:#x}>", this.class().c_type),
    };
    Ok(text.into_pyobject(py)?.into_any())
}

fn int<'py>(this: ObjectRef<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let py = this.py();
    let value = this.value();
    Ok(value.into_pyobject(py)?.into_any())
}
