//! Records: structures and unions.

use std::collections::HashMap;
use std::ffi::{CString, c_int, c_void};
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple, PyType};

use super::address::View;
use super::base::{self, INLINE, Object, This, class_of, give_heap, wrap};
use super::entry::{self, Making, method, property};
use super::field;
use super::scalar::{self, Place};
use super::slots::{equality, unary};
use super::store::{self, Keeper};
use super::{
    Class, FieldInfo, FieldKind, READ_ONLY, RecordBody, RecordKind, array, classify, shown,
};
use crate::signature::{Scalar, Stored};

/// Records up to this size have their memory in their object.
const SMALL: usize = 256;

/// How much memory objects of this class have of their own.
pub fn inline(kind: &RecordKind) -> usize {
    if kind.size <= SMALL && kind.align <= 16 {
        kind.size.max(1)
    } else {
        0
    }
}

/// The class `Record`.
pub fn root() -> PyResult<Making> {
    Ok(Making::new("cuox.Record".to_owned(), size_of::<Object>())?
        .doc(Some(
            "A structure or union of C. `Class(field=value)` has memory of its own, zeroed where nothing is given.",
        ))
        .slot(ffi::Py_tp_init, initialise as *const c_void)
        .slot(ffi::Py_tp_repr, unary!(shown::repr))
        .slot(ffi::Py_tp_richcompare, equality!(shown::same))
        .slot(ffi::Py_tp_hash, ffi::PyObject_HashNotImplemented as *const c_void)
        .slot(ffi::Py_bf_getbuffer, get_buffer as *const c_void)
        .methods(vec![
            method!(
                c"from_address",
                ffi::METH_CLASS,
                ["address", "keep"],
                1,
                from_address,
                c"from_address($type, address, keep=None)\n--\n\nThe record that lies at an address. `keep` is kept alive as long as it is."
            ),
            method!(
                c"from_buffer",
                ffi::METH_CLASS,
                ["buffer", "offset"],
                1,
                from_buffer,
                c"from_buffer($type, buffer, offset=0)\n--\n\nThe record that lies in a buffer, which is held as long as it is."
            ),
            method!(
                c"array",
                ffi::METH_CLASS,
                ["count"],
                1,
                new_array,
                c"array($type, count)\n--\n\nAn array of so many records, zeroed."
            ),
            method!(c"copy", [], 0, copy, c"copy($self)\n--\n\nA record of its own with the same bytes."),
            method!(c"__copy__", [], 0, copy, c"A record of its own with the same bytes."),
            method!(c"__deepcopy__", ["memo"], 0, deep_copy, c"A record of its own with the same bytes."),
            method!(c"__dir__", [], 0, shown::names, c"The names of attributes."),
            method!(c"__sizeof__", [], 0, size_of_object, c"The object's size in bytes."),
        ])
        .properties(vec![property!(
            c"address",
            base::memory_address,
            c"Where its memory is."
        )]))
}

/// What a field's descriptor knows. It lives as long as the process, as its class does.
struct Slot {
    class: &'static Class,
    index: usize,
    /// Where it begins, in bytes.
    offset: usize,
    /// What it is, if it is a number.
    number: Option<Scalar>,
    /// The class of the view of an array field.
    inner: OnceLock<Arc<Class>>,
}

impl Slot {
    fn info(&self) -> &'static FieldInfo {
        // A descriptor is made after the fields, and these do not change.
        &self.class.as_record().map_or(&[][..], RecordKind::fields)[self.index]
    }

    /// The field's address in an object that must be of the descriptor's class.
    fn find(&self, this: This<'_, '_>, write: bool) -> PyResult<(usize, u32)> {
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

/// As [`get_field`], for numbers in an object of the class itself.
unsafe extern "C" fn get_number(this: *mut ffi::PyObject, slot: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter for a field's descriptor, with an object of ours. The field lies inside the record.
    unsafe {
        let (known, object) = (&*slot.cast::<Slot>(), &*this.cast::<Object>());
        if std::ptr::eq(object.c.class, known.class)
            && object.c.value != 0
            && let Some(scalar) = known.number
        {
            let new = scalar::fast_read(scalar, object.c.value as usize + known.offset);
            if !new.is_null() {
                return new;
            }
            ffi::PyErr_Clear();
        }
        get_field(this, slot)
    }
}

/// As [`set_field`], for numbers in an object of the class itself.
unsafe extern "C" fn set_number(
    this: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
    slot: *mut c_void,
) -> c_int {
    // SAFETY: as in `get_number`.
    unsafe {
        let (known, object) = (&*slot.cast::<Slot>(), &*this.cast::<Object>());
        if std::ptr::eq(object.c.class, known.class)
            && object.c.value != 0
            && object.c.flags & READ_ONLY == 0
            && !value.is_null()
            && let Some(scalar) = known.number
            && scalar::fast_write(scalar, object.c.value as usize + known.offset, value)
        {
            return 0;
        }
        set_field(this, value, slot)
    }
}

unsafe extern "C" fn get_field(this: *mut ffi::PyObject, slot: *mut c_void) -> *mut ffi::PyObject {
    // SAFETY: called by the interpreter for a field's descriptor.
    unsafe {
        entry::object(|py| {
            let slot = &*slot.cast::<Slot>();
            let this = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &this };
            let (address, bit) = slot.find(this, false)?;
            let info = slot.info();
            field::load_field(
                py,
                address,
                bit,
                &info.kind,
                this,
                &slot.inner,
                &info.c_type,
            )
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
        entry::status(|py| {
            let slot = &*slot.cast::<Slot>();
            let info = slot.info();
            let this = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &this };
            if value.is_null() {
                return Err(PyTypeError::new_err(format!(
                    "{}.{} cannot be deleted",
                    slot.class.name, info.name
                )));
            }
            let (address, bit) = slot.find(this, true)?;
            let value = Bound::from_borrowed_ptr(py, value);
            let what = || format!("{}.{}", slot.class.name, info.name);
            let place = Place {
                what: &what,
                c_type: &info.c_type,
            };
            store::store_field(address, bit, &info.kind, &value, this, place)
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
        overlapping: shown::overlapping(&fields),
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
        let slot = Box::leak(Box::new(Slot {
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
            set: Some(if number { set_number } else { set_field }),
            doc: text(doc)?,
            closure: (slot as *mut Slot).cast(),
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

/// Whether a field lies inside its record.
fn check(kind: &RecordKind, field: &FieldInfo) -> Result<(), String> {
    let whole = kind.size as u128 * 8;
    let end = match &field.kind {
        FieldKind::Bits(stored, width) => {
            if !matches!(stored, Stored::Scalar(_) | Stored::Enum(..)) {
                return Err("cannot be a bit-field".to_owned());
            }
            if *width == 0 || *width as usize > 8 * field::stored_size(stored) || *width > 64 {
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
        other => Some(field::size(other) as u128),
    }
}

/// Gives a new record zeroed memory of its own.
pub fn give_memory(this: This<'_, '_>) -> PyResult<()> {
    let Some(kind) = this.class().as_record() else {
        return Ok(());
    };
    if inline(kind) == 0 {
        give_heap(this, kind.size, kind.align)?;
    } else {
        // SAFETY: its class makes objects with room for it, which is zero.
        unsafe {
            let raw = this.raw();
            (*raw).c.value = raw.cast::<u8>().add(INLINE) as u64;
            (*raw).c.bytes = kind.size as u64;
        }
    }
    if let Some(initial) = kind.initial.get() {
        // SAFETY: a record has as many bytes.
        unsafe { (this.value() as *mut u8).copy_from(initial.as_ptr(), initial.len()) };
    }
    Ok(())
}

/// What a view has from what it looks into: whether that may be written.
pub fn inherit(view: This<'_, '_>, from: This<'_, '_>) {
    // SAFETY: of one of our classes.
    unsafe { (*view.raw()).c.flags |= from.flags() & READ_ONLY };
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
        entry::status(|py| {
            let this = Bound::from_borrowed_ptr(py, this);
            let arguments =
                Bound::from_borrowed_ptr(py, arguments).cast_into_unchecked::<PyTuple>();
            let keywords = Bound::from_borrowed_ptr_or_opt(py, keywords);
            set_all(&this, &arguments, keywords.as_ref())
        })
    }
}

/// Where a new record is that does not get memory of its own: at the address that `_ptr=` says. Else 0.
pub fn place_of<'py>(this: This<'_, 'py>, keywords: Option<&Bound<'py, PyAny>>) -> PyResult<u64> {
    let plain = this.class().as_record().is_some_and(|kind| kind.plain);
    match keywords.filter(|_| plain) {
        Some(keywords) => match keywords.cast::<PyDict>()?.get_item("_ptr")? {
            Some(address) => base::memory_of(this, &address),
            None => Ok(0),
        },
        None => Ok(0),
    }
}

fn set_all<'py>(
    this: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyAny>>,
) -> PyResult<()> {
    let class = This { object: this }.class();
    let fields = class.as_record().map_or(&[][..], RecordKind::fields);
    if let Some(keywords) = keywords
        && class.as_record().is_some_and(|kind| kind.plain)
        && let Some(address) = keywords.cast::<PyDict>()?.get_item("_ptr")?
    {
        if !arguments.is_empty() || keywords.len()? != 1 {
            return Err(PyTypeError::new_err(format!(
                "{}() takes _ptr alone",
                class.name
            )));
        }
        return match base::memory_of(This { object: this }, &address)? {
            address if address == 0 || address == This { object: this }.value() => Ok(()),
            _ => Err(PyTypeError::new_err(format!(
                "{}: _ptr is for new objects",
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
        set_one(This { object: this }, field, &value)?;
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
        set_one(This { object: this }, &fields[index], &value)?;
    }
    Ok(())
}

fn set_one(this: This<'_, '_>, field: &FieldInfo, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let what = || format!("{}.{}", this.class().name, field.name);
    let place = Place {
        what: &what,
        c_type: &field.c_type,
    };
    let address = this.writable()? + (field.offset / 8) as usize;
    let bit = (field.offset % 8) as u32;
    // SAFETY: a field of the record.
    unsafe { store::store_field(address, bit, &field.kind, value, this, place) }
}

/// The name that is most like another, if any is like it.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|other| (distance(name, other), other))
        .min()
        .filter(|(distance, other)| *distance <= 1 + other.len().max(name.len()) / 3)
        .map(|(_, other)| other)
}

/// How many letters must be changed, added or left out (Levenshtein).
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
    // SAFETY: called by the interpreter.
    unsafe {
        entry::status(|py| {
            (*view).obj = std::ptr::null_mut();
            let object = Bound::from_borrowed_ptr(py, this);
            let this = This { object: &object };
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

/// The class that a class method was called on.
pub fn own_class(python: &Bound<'_, PyAny>) -> PyResult<&'static Class> {
    let python = python.cast::<PyType>()?;
    match class_of(python) {
        Some(class) => Ok(class),
        None => Err(PyTypeError::new_err(format!(
            "{} has no C type: this is for the classes of C declarations",
            python.name()?
        ))),
    }
}

fn from_address<'py>(
    python: &Bound<'py, PyAny>,
    [address, keep]: [Option<Bound<'py, PyAny>>; 2],
) -> PyResult<Bound<'py, PyAny>> {
    let py = python.py();
    let class = own_class(python)?;
    let what = || format!("{}.from_address()", class.name);
    let place = Place {
        what: &what,
        c_type: &class.c_type,
    };
    let address = match address {
        Some(address) if address.is_instance_of::<PyInt>() => {
            scalar::integer(&address, false, 64, place)?
        }
        Some(other) => return Err(place.refuse("an int", &other)),
        None => 0,
    };
    if address == 0 {
        return Err(place.wrong(format_args!("takes an address that is not null")));
    }
    let keep = keep.filter(|keep| !keep.is_none());
    let new = wrap_as(py, class, python, address)?;
    This { object: &new }.set_keep(keep);
    Ok(new)
}

/// An object of a class, or of one that descends from it, that looks at an address.
fn wrap_as<'py>(
    py: Python<'py>,
    class: &Class,
    python: &Bound<'py, PyAny>,
    address: u64,
) -> PyResult<Bound<'py, PyAny>> {
    let new = base::allocate(py, class, python.cast::<PyType>()?)?;
    // SAFETY: of one of our classes.
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
        return Err(PyTypeError::new_err("from_buffer() takes a buffer"));
    };
    let offset: usize = offset.map_or(Ok(0), |offset| offset.extract())?;
    // SAFETY: an object; a new reference or null with an exception set.
    let held =
        unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyMemoryView_FromObject(buffer.as_ptr())) }?;
    let view = View::of(&held, ffi::PyBUF_C_CONTIGUOUS)?;
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
    let this = This { object: &new };
    if view.read_only() {
        // SAFETY: of one of our classes.
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
    let count: usize = count.map_or(Ok(0), |count| count.extract())?;
    let Some(kind) = class.as_record() else {
        return Err(PyTypeError::new_err(format!(
            "{} is not a record",
            class.name
        )));
    };
    let size = kind
        .size
        .checked_mul(count)
        .ok_or_else(|| PyValueError::new_err(format!("{count} records are too many")))?;
    let array = array::of_records(py, class)?;
    let new = wrap(py, &array, 0, false, None)?;
    give_heap(This { object: &new }, size, kind.align)?;
    Ok(new)
}

/// A record of its own with the same bytes.
pub fn copy<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let from = This { object: this };
    let size = from.class().as_record().map_or(0, |record| record.size);
    let source = from.address()?;
    let new = base::allocate(this.py(), from.class(), &this.get_type())?;
    let to = This { object: &new };
    give_memory(to)?;
    let target = to.address()?;
    // SAFETY: two records of this size.
    unsafe { (target as *mut u8).copy_from(source as *const u8, size) };
    store::carry(from, source, target, size, &mut Keeper::Owner(to))?;
    Ok(new)
}

fn deep_copy<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 1],
) -> PyResult<Bound<'py, PyAny>> {
    copy(this, [])
}

fn size_of_object<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    let basic: usize = this.get_type().getattr("__basicsize__")?.extract()?;
    let inside = This { object: this };
    let heap = if inside.flags() & super::HEAP != 0 {
        inside.bytes() as usize
    } else {
        0
    };
    Ok((basic + heap).into_pyobject(this.py())?.into_any())
}
