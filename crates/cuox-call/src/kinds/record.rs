//! Records: structures and unions.

use crate::objects::allocate::give_memory;
use crate::objects::elements::copy_record;
use std::ffi::{c_int, c_void};

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple, PyType};

use crate::errors::ValueContext;
use crate::interpreter::guard;
use crate::interpreter::methods::{method, property};
use crate::interpreter::type_builder::TypeBuilder;
use crate::kinds::{array, record_pickle, record_repr, value_slots};
use crate::objects::allocate::allocate;
use crate::objects::buffer::BufferView;
use crate::objects::class_table::own_class;
use crate::objects::object_ref::ObjectRef;
use crate::objects::slots::{equality, unary};
use crate::objects::{external, lifetime, store, stored_number};
use crate::types::class::{Class, Operations, RecordKind};
use crate::types::object::{HEAP, Object, READ_ONLY};
use crate::types::value::{FieldInfo, MIN_ADDRESS};

/// The operations of objects of this kind.
pub static OPERATIONS: Operations = Operations {
    deallocate: lifetime::deallocate,
    create,
    finish: lifetime::finish_nothing,
    clear: lifetime::clear_view,
};

/// Gives a new record its memory: its own, or that at the address that `_ptr=` says.
///
/// # Safety
/// As for [`Operations::create`].
unsafe fn create(py: Python<'_>, raw: *mut Object, keywords: *mut ffi::PyObject) -> PyResult<()> {
    // SAFETY: `raw` is a live, zeroed object of a class of records, `keywords` a dict or null, and the GIL is held (`#
    // Safety`).
    unsafe {
        let object = Bound::from_borrowed_ptr(py, raw.cast());
        let this = ObjectRef { object: &object };
        let keywords = Bound::from_borrowed_ptr_or_opt(py, keywords);
        match external::record_address(this, keywords.as_ref())? {
            0 => give_memory(this)?,
            address => (*raw).c.value = address,
        }
    }
    Ok(())
}

/// The class `Record`.
pub fn root() -> PyResult<TypeBuilder> {
    Ok(TypeBuilder::new("cuox_bind.Record".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A structure or union of C. `Class(field=value)` has memory of its own, zeroed where nothing is given.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(record_repr::repr))
        .slot(ffi::Py_tp_richcompare, equality!(record_repr::same))
        .slot(ffi::Py_tp_hash, ffi::PyObject_HashNotImplemented as *const c_void)
        .slot(ffi::Py_bf_getbuffer, get_buffer as *const c_void)
        .methods(vec![
            method!(
                c"from_address",
                ffi::METH_CLASS,
                ["address", "keep"],
                1,
                from_address,
                c"from_address($type, address, keep=None)\n--\n\nReturn the record at `address`. `keep` lives as long as the record."
            ),
            method!(
                c"from_buffer",
                ffi::METH_CLASS,
                ["buffer", "offset"],
                1,
                from_buffer,
                c"from_buffer($type, buffer, offset=0)\n--\n\nReturn the record in a buffer, `offset` bytes from its start. The buffer is held as long as the record."
            ),
            method!(
                c"array",
                ffi::METH_CLASS,
                ["count"],
                1,
                new_array,
                c"array($type, count)\n--\n\nReturn a zeroed array of `count` records."
            ),
            method!(c"copy", [], 0, copy_record, c"copy($self)\n--\n\nReturn a record of its own with the same bytes."),
            method!(c"__copy__", [], 0, copy_record, c"A record of its own with the same bytes."),
            method!(c"__deepcopy__", ["memo"], 0, deep_copy, c"A record of its own with the same bytes."),
            method!(
                c"__reduce_ex__",
                ["protocol"],
                0,
                record_pickle::reduce,
                c"The record's class and bytes, if none of its fields holds an address."
            ),
            method!(
                c"__reduce__",
                [],
                0,
                record_pickle::reduce,
                c"The record's class and bytes, if none of its fields holds an address."
            ),
            method!(c"__dir__", [], 0, record_repr::names, c"The names of attributes."),
            method!(c"__sizeof__", [], 0, size_of_object, c"The object's size in bytes."),
        ])
        .properties(vec![property!(
            c"address",
            value_slots::memory_address,
            c"The address of the record's memory."
        )]))
}

unsafe extern "C" fn initialise(
    this: *mut ffi::PyObject,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> c_int {
    // SAFETY: called by the interpreter with a tuple, and a dict or null.
    unsafe {
        if keywords.is_null() && ffi::PyTuple_Size(arguments) == 0 {
            return 0;
        }
        guard::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let arguments =
                Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
            let keywords = Bound::from_borrowed_ptr_or_opt(py, keywords);
            set_all(&this, &arguments, keywords.as_ref())
        })
    }
}

fn set_all<'py>(
    this: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let class = ObjectRef { object: this }.class();
    let fields = class.as_record().map_or(&[][..], RecordKind::fields);
    if let Some(keywords) = keywords
        && class.as_record().is_some_and(|kind| kind.plain)
        && let Some(address) = keywords.cast::<PyDict>()?.get_item("_ptr")?
    {
        if !arguments.is_empty() || keywords.len()? != 1 {
            return Err(PyTypeError::new_err(format!(
                "{}(): '_ptr' must be the only argument",
                class.name
            )));
        }
        return match external::memory_of(ObjectRef { object: this }, &address)? {
            address if address == 0 || address == ObjectRef { object: this }.value() => Ok(()),
            _ => Err(PyTypeError::new_err(format!(
                "{}.__init__(): '_ptr' can be given to new objects only",
                class.name
            ))),
        };
    }
    if arguments.len() > fields.len() {
        return Err(PyTypeError::new_err(format!(
            "{}() got {} values, but {} has {} field{}",
            class.name,
            arguments.len(),
            class.c_type,
            fields.len(),
            if fields.len() == 1 { "" } else { "s" }
        )));
    }
    for (field, value) in fields.iter().zip(arguments.iter()) {
        set_one(ObjectRef { object: this }, field, &value)?;
    }
    let Some(keywords) = keywords else {
        return Ok(());
    };
    for (key, value) in keywords.cast::<PyDict>()? {
        let name = key.cast::<PyString>()?.to_string_lossy();
        let Some(index) = class.as_record().and_then(|kind| kind.place(&name)) else {
            let near = nearest(&name, fields.iter().map(|field| field.name.as_str()));
            let hint = near.map_or_else(String::new, |near| format!("; did you mean '{near}'?"));
            return Err(PyTypeError::new_err(format!(
                "{}() has no field '{name}'{hint}",
                class.name
            )));
        };
        if index < arguments.len() {
            return Err(PyTypeError::new_err(format!(
                "{}() got multiple values for field '{name}'",
                class.name
            )));
        }
        set_one(ObjectRef { object: this }, &fields[index], &value)?;
    }
    Ok(())
}

fn set_one(this: ObjectRef<'_, '_>, field: &FieldInfo, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let what = || format!("{}.{}", this.class().name, field.name);
    let context = ValueContext {
        what: &what,
        c_type: &field.c_type,
    };
    let address = this.writable()? + (field.offset / 8) as usize;
    let bit = (field.offset % 8) as u32;
    let value = &store::cut_number(this.class(), &field.kind, value)?;
    // SAFETY: `define` has checked that each field lies inside its record, and `writable` that the record's memory is
    // there.
    unsafe { store::store_field(address, bit, &field.kind, value, this, context) }
}

/// The name that is most like another, if any is like it.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|other| (distance(name, other), other))
        .min()
        .filter(|(distance, other)| *distance <= 1 + other.len().max(name.len()) / 3)
        .map(|(_, other)| other)
}

/// The Levenshtein distance: the number of letters to change, add or leave out.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}

unsafe extern "C" fn get_buffer(
    this: *mut ffi::PyObject,
    view: *mut ffi::Py_buffer,
    flags: c_int,
) -> c_int {
    // SAFETY: the interpreter calls this as `bf_getbuffer` of a live record, with the GIL held and `view` to fill.
    unsafe {
        guard::status(|py| {
            (*view).obj = std::ptr::null_mut();
            let object = Bound::from_borrowed_ptr(py, this);
            let this = ObjectRef { object: &object };
            let address = this.address()?;
            let size = this.class().as_record().map_or(0, |record| record.size);
            let read_only = c_int::from(this.flags() & READ_ONLY != 0);
            let size = size as ffi::Py_ssize_t;
            if ffi::PyBuffer_FillInfo(
                view,
                object.as_ptr(),
                address as *mut c_void,
                size,
                read_only,
                flags,
            ) != 0
            {
                return Err(PyErr::fetch(py));
            }
            Ok(())
        })
    }
}

fn from_address<'py>(
    python: &Bound<'py, PyAny>,
    [address, keep]: [Option<Bound<'py, PyAny>>; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let py = python.py();
    let class = own_class(python)?;
    let what = || format!("{}.from_address()", class.name);
    let context = ValueContext {
        what: &what,
        c_type: &class.c_type,
    };
    let address = match address {
        Some(address) if address.is_instance_of::<PyInt>() => {
            stored_number::integer(&address, false, 64, context)?
        }
        Some(other) => return Err(context.refuse("an int", &other)),
        None => 0,
    };
    if address == 0 {
        return Err(context.wrong(format_args!("takes an address that is not null")));
    }
    if address < MIN_ADDRESS {
        return Err(context.wrong(format_args!("takes the address of memory, got {address}")));
    }
    let keep = keep.filter(|keep| !keep.is_none());
    let new = wrap_as(py, class, python, address)?;
    ObjectRef { object: &new }.set_keep(keep);
    Ok(new)
}

/// An object of a class, or of one that descends from it, that looks at an address.
fn wrap_as<'py>(
    py: Python<'py>,
    class: &Class,
    python: &Bound<'py, PyAny>,
    address: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let new = allocate(py, class, python.cast::<PyType>()?)?;
    // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
    // guards its words.
    unsafe { (*new.as_ptr().cast::<Object>()).c.value = address };
    Ok(new)
}

fn from_buffer<'py>(
    python: &Bound<'py, PyAny>,
    [buffer, offset]: [Option<Bound<'py, PyAny>>; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let py = python.py();
    let class = own_class(python)?;
    let size = class.as_record().map_or(0, |record| record.size);
    let Some(buffer) = buffer else {
        return Err(PyTypeError::new_err(
            "from_buffer() is missing argument 'buffer'",
        ));
    };
    let offset: usize = offset.map_or(Ok(0), |offset| offset.extract())?;
    // SAFETY: an object; a new reference or null with an exception set.
    let held =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyMemoryView_FromObject(buffer.as_ptr())) }?;
    let view = BufferView::of(&held, ffi::PyBUF_C_CONTIGUOUS)?;
    if offset
        .checked_add(size)
        .is_none_or(|end| end > view.bytes())
    {
        return Err(PyValueError::new_err(format!(
            "a {} has {size} bytes; the buffer has {} from offset {offset}",
            class.name,
            view.bytes().saturating_sub(offset)
        )));
    }
    let new = wrap_as(py, class, python, (view.address() + offset) as u64)?;
    let this = ObjectRef { object: &new };
    if view.read_only() {
        // SAFETY: every object of a class of ours begins with an `Object`, and the GIL, which the `Bound` stands for,
        // guards its words.
        unsafe { (*this.raw()).c.flags |= READ_ONLY };
    }
    drop(view);
    this.set_keep(Some(held));
    Ok(new)
}

fn new_array<'py>(
    python: &Bound<'py, PyAny>,
    [count]: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    let py = python.py();
    let class = own_class(python)?;
    let count = count.map_or(Ok(0), |count| {
        count.extract::<usize>().map_err(|error| {
            if !count.is_instance_of::<PyInt>() {
                return error;
            }
            PyValueError::new_err(format!(
                "array(): expected a number of elements, got {count}"
            ))
        })
    })?;
    let Some(kind) = class.as_record() else {
        return Err(PyTypeError::new_err(format!(
            "{} is not a record",
            class.name
        )));
    };
    array::of_class(py, class, count, kind.align)
}

fn deep_copy<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    copy_record(this, [])
}

fn size_of_object<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let basic: usize = this.get_type().getattr("__basicsize__")?.extract()?;
    let inside = ObjectRef { object: this };
    let heap = if inside.flags() & HEAP != 0 {
        inside.bytes() as usize
    } else {
        0
    };
    Ok((basic + heap).into_pyobject(this.py())?.into_any())
}
