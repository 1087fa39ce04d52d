//! Writing Python objects into memory.

use crate::objects::bases::bases;
use std::sync::Arc;

use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::errors::ValueContext;
use crate::interpreter::guard;
use crate::objects::allocate::{give_heap, wrap};
use crate::objects::buffer::BufferView;
use crate::objects::class_table::array_class;
use crate::objects::complex;
use crate::objects::load::gather;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::refs::{RefKeeper, carry};
use crate::objects::{address, buffer_format, handle_value, stored_number};
use crate::types::callback_info::CallbackInfo;
use crate::types::class::{Class, Kind};
use crate::types::scalar::Scalar;
use crate::types::value::{ArrayForm, Element, FieldKind, ListKind, Stored, first_dimension};

/// Writes one value.
///
/// # Safety
/// There is room for it at the address, and it may be written.
pub unsafe fn store<'py>(
    address: usize,
    stored: &Stored,
    value: &Bound<'py, PyAny>,
    keeper: &mut RefKeeper<'_, 'py>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    // SAFETY: there is room for the value at `address`, and it may be written (`# Safety`); no write needs alignment.
    let put = |word: u64| unsafe { (address as *mut u64).write_unaligned(word) };
    match stored {
        Stored::Scalar(Scalar::Pointer) => {
            let (word, keep) = address::of(value, &Element::Untyped, false, context)?;
            let old = keeper.keep(address, keep)?;
            put(word);
            drop(old);
            Ok(())
        }
        // SAFETY: there is room for the value at `address`, and it may be written (`# Safety`); no write needs
        // alignment.
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => unsafe {
            stored_number::write(*scalar, address, value, context)
        },
        Stored::Char => {
            let byte = stored_number::character(value, context)?;
            // SAFETY: there is room for the value at `address`, and it may be written (`# Safety`).
            unsafe { (address as *mut u8).write(byte) };
            Ok(())
        }
        Stored::Handle { class, .. } => {
            let (word, keep) = handle_value::value_of(value, class, true, context)?;
            let old = match class.handle_scalar() {
                Scalar::Pointer => keeper.keep(address, keep)?,
                _ => None,
            };
            // SAFETY: there is room for the handle at `address` (`# Safety`); the machine is little-endian, so its low
            // bytes come first.
            unsafe {
                let size = stored.size();
                (address as *mut u8).copy_from(word.to_le_bytes().as_ptr(), size);
            }
            drop(old);
            Ok(())
        }
        Stored::Pointer(class) => {
            let Kind::Pointer(element) = &class.kind else {
                return Err(context.refuse("a pointer", value));
            };
            let constant = context.c_type.trim_start().starts_with("const ");
            let (word, keep) = address::of(value, element, !constant, context)?;
            let old = keeper.keep(address, keep)?;
            put(word);
            drop(old);
            Ok(())
        }
        Stored::Text { copied, .. } => {
            let (mut word, mut keep) = text_address(value, context)?;
            if *copied && (value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>())
            {
                // SAFETY: text with a NUL behind it, which the value keeps alive.
                word = unsafe { libc::strdup(word as *const std::ffi::c_char) } as u64;
                keep = None;
                if word == 0 {
                    return Err(PyMemoryError::new_err("no memory for a text of C"));
                }
            }
            let old = keeper.keep(address, keep)?;
            put(word);
            drop(old);
            Ok(())
        }
        // SAFETY: there is room for the value at `address`, and it may be written (`# Safety`); no write needs
        // alignment.
        Stored::Record(class) => unsafe { store_record(address, class, value, keeper, context) },
        Stored::Callback(info) => {
            let (word, keep) = callback_value(value, info, context)?;
            let old = keeper.keep(address, keep)?;
            put(word);
            drop(old);
            Ok(())
        }
    }
}

/// A float without its fraction as an int, for integers in records of CUDA's headers: `dim3.x = n / b`. NVIDIA's cut it
/// off, too.
pub fn cut_number<'py>(
    class: &Class,
    kind: &FieldKind,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    if let Ok(float) = value.cast::<PyFloat>()
        && float.value().is_finite()
        && matches!(kind, FieldKind::One(Stored::Scalar(scalar)) if !scalar.is_float() && !matches!(scalar, Scalar::Bool | Scalar::Pointer))
        && class.as_record().is_some_and(|kind| kind.plain)
    {
        return float.call_method0("__int__");
    }
    Ok(value.clone())
}

fn callback_value<'py>(
    value: &Bound<'py, PyAny>,
    info: &Arc<CallbackInfo>,
    context: ValueContext<'_>,
) -> PyResult<address::Address<'py>> {
    if value.is_instance_of::<PyInt>() {
        match value.extract::<i64>() {
            Ok(number) if info.stands_for_function(number) => return Ok((number as u64, None)),
            Ok(_) => {}
            // One that takes all 64 bits, or more than there are.
            Err(_) => return Ok((stored_number::integer(value, false, 64, context)?, None)),
        }
    }
    if !value.is_none() && !value.is_callable() {
        return Err(context.refuse("a callable", value));
    }
    (bases(value.py())?.function_pointer)(value.py(), info, value, false)
        .map(|(word, keep)| (word, keep.map(|keep| keep.into_bound(value.py()))))
}

/// NUL-terminated text, and the object that has it.
pub fn text_address<'py>(
    value: &Bound<'py, PyAny>,
    context: ValueContext<'_>,
) -> PyResult<address::Address<'py>> {
    let keep = Some(value.clone());
    let bytes = if let Ok(text) = value.cast::<PyString>() {
        let mut length = 0;
        // SAFETY: a str; its UTF-8 lives as long as it does.
        unsafe {
            let start = ffi::PyUnicode_AsUTF8AndSize(text.as_ptr(), &mut length);
            if start.is_null() {
                return Err(PyErr::fetch(value.py()));
            }
            std::slice::from_raw_parts(start.cast::<u8>(), length as usize)
        }
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        bytes.as_bytes()
    } else if as_object(value).is_some()
        || value.is_none()
        || (value.is_instance_of::<PyInt>() && !value.is_instance_of::<pyo3::types::PyBool>())
    {
        return address::of(value, &Element::Scalar(Scalar::I8), false, context);
    } else {
        return Err(context.refuse("str or bytes", value));
    };
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return Err(context.wrong(format_args!("has a NUL at index {at}")));
    }
    // Both have a NUL behind their end.
    Ok((bytes.as_ptr() as u64, keep))
}

unsafe fn store_record<'py>(
    address: usize,
    class: &Arc<Class>,
    value: &Bound<'py, PyAny>,
    keeper: &mut RefKeeper<'_, 'py>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    if let Some(part) = class.complex_part() {
        // SAFETY: there is room for the value at `address` (`# Safety` of `store`).
        let written = unsafe { complex::write(part, address, value)? };
        return written.ok_or_else(|| context.refuse("a complex number", value));
    }
    let made;
    let from = match as_object(value) {
        Some(this) if this.is(class) => this,
        _ => {
            made = match class.record_of(value) {
                Some(made) => made?,
                None => {
                    return Err(
                        context.refuse(&format!("a {}, a tuple or a dict", class.name), value)
                    );
                }
            };
            ObjectRef { object: &made }
        }
    };
    let size = class.as_record().map_or(0, |record| record.size);
    let source = from.address()?;
    // SAFETY: both have a record's size; they may overlap, being the same.
    unsafe { (address as *mut u8).copy_from(source as *const u8, size) };
    carry(from, source, address, size, keeper)
}

/// Writes a field.
///
/// # Safety
/// As for [`store`].
pub unsafe fn store_field<'py>(
    address: usize,
    bit: u32,
    kind: &FieldKind,
    value: &Bound<'py, PyAny>,
    owner: ObjectRef<'_, 'py>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    match kind {
        FieldKind::One(stored) => {
            let mut keeper = RefKeeper::CFunctionObject(owner);
            // SAFETY: there is room for the field at `address`, and it may be written (`# Safety`).
            unsafe { store(address, stored, value, &mut keeper, context) }
        }
        // SAFETY: there is room for the field at `address`, and it may be written (`# Safety`).
        FieldKind::Bits(stored, width) => unsafe {
            let scalar = stored.scalar().unwrap_or(Scalar::U64);
            write_bits(address, bit, scalar, *width, value, context)
        },
        FieldKind::Array(element, lengths, form) => {
            if matches!(lengths.as_slice(), [] | [0, ..]) {
                return Err(PyTypeError::new_err(format!(
                    "{} (C '{}') is a flexible array: its elements are assigned one by one",
                    (context.what)(),
                    context.c_type
                )));
            }
            if form.is_whole() && lengths.len() == 1 {
                // SAFETY: there is room for the field at `address`, and it may be written (`# Safety`).
                return unsafe { store_chars(address, lengths[0] as usize, *form, value, context) };
            }
            let inner = first_dimension(element, lengths, *form);
            // SAFETY: there is room for the field at `address`, and it may be written (`# Safety`).
            unsafe { store_elements(address, &inner, lengths[0] as usize, value, owner, context) }
        }
        // SAFETY: there is room for the field at `address`, and it may be written (`# Safety`).
        FieldKind::List(list) => unsafe { store_list(address, list, value, owner, context) },
    }
}

/// Makes an array of a sequence, which lives as long as the pointer to it.
///
/// # Safety
/// As for [`store`], for a pointer.
unsafe fn store_list<'py>(
    address: usize,
    list: &ListKind,
    value: &Bound<'py, PyAny>,
    owner: ObjectRef<'_, 'py>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    let py = value.py();
    let (word, keep) = if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        match value.len()? {
            0 => (0, None),
            count => {
                let element = || list.element.clone();
                let class = array_class(py, &list.array, element, context.c_type)?;
                let new = wrap(py, &class, 0, false, None)?;
                let array = ObjectRef { object: &new };
                give_heap(array, list.element.size() * count, list.element.align())?;
                // SAFETY: memory of that size.
                unsafe {
                    store_elements(
                        array.address()?,
                        &list.element,
                        count,
                        value,
                        array,
                        context,
                    )?;
                }
                (array.value(), Some(new))
            }
        }
    } else if value.is_instance_of::<PyInt>() {
        // In `cuda.bindings` any number is one.
        (stored_number::integer(value, false, 64, context)?, None)
    } else {
        address::of(value, &list.element.as_element(), false, context)?
    };
    let old = RefKeeper::CFunctionObject(owner).keep(address, keep)?;
    // SAFETY: there is room for a pointer at `address`, and it may be written (`# Safety`).
    unsafe { (address as *mut u64).write_unaligned(word) };
    drop(old);
    Ok(())
}

unsafe fn store_chars(
    address: usize,
    length: usize,
    form: ArrayForm,
    value: &Bound<'_, PyAny>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    let encoded;
    let listed;
    let bytes = if let Ok(text) = value.cast::<PyString>() {
        encoded = text.call_method1("encode", ("utf-8", "surrogateescape"))?;
        encoded.cast::<PyBytes>()?.as_bytes()
    } else if let Ok(bytes) = value.cast::<PyBytes>() {
        bytes.as_bytes()
    } else if form != ArrayForm::Text {
        // Numbers of `signed char` and of `unsigned char`.
        let numbers = value
            .extract::<Vec<i16>>()
            .ok()
            .filter(|numbers| numbers.iter().all(|number| (-128..256).contains(number)));
        let Some(numbers) = numbers else {
            return Err(context.refuse("bytes, or a sequence of ints from -128 to 255", value));
        };
        listed = numbers
            .iter()
            .map(|number| *number as u8)
            .collect::<Vec<u8>>();
        &listed
    } else {
        return Err(context.refuse("str or bytes", value));
    };
    if bytes.len() > length {
        return Err(context.wrong(format_args!(
            "has room for {length} bytes, got {}",
            bytes.len()
        )));
    }
    // SAFETY: the array has `length` writable bytes at `address`, as `store_field` was promised, and no more are
    // written.
    unsafe {
        let to = address as *mut u8;
        to.copy_from(bytes.as_ptr(), bytes.len());
        to.add(bytes.len()).write_bytes(0, length - bytes.len());
    }
    Ok(())
}

/// Writes the elements of an array: from a sequence, or from a buffer of the same elements.
///
/// # Safety
/// As for [`store`], for `count` elements.
pub unsafe fn store_elements<'py>(
    address: usize,
    element: &FieldKind,
    count: usize,
    value: &Bound<'py, PyAny>,
    owner: ObjectRef<'_, 'py>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    let wrong = |given: usize| context.wrong(format_args!("has {count} elements, got {given}"));
    let size = element.size();
    let plain = matches!(
        element.innermost().0,
        FieldKind::One(Stored::Scalar(scalar)) if *scalar != Scalar::Pointer
    );
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    let buffer = unsafe { ffi::PyObject_CheckBuffer(value.as_ptr()) } != 0;
    if plain && buffer && size > 0 {
        let view = BufferView::of(value, ffi::PyBUF_C_CONTIGUOUS | ffi::PyBUF_FORMAT)?;
        if buffer_format::fits(&element.as_element(), view.format(), view.item()) {
            if view.bytes() != count * size {
                return Err(wrong(view.bytes() / size));
            }
            // SAFETY: `count` elements have room at `address` (`# Safety`); `copy_from` lets the two overlap.
            unsafe { (address as *mut u8).copy_from(view.address() as *const u8, view.bytes()) };
            return Ok(());
        }
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        return Err(context.refuse(&format!("a sequence of {count} elements"), value));
    }
    let values = value
        .try_iter()
        .map_err(|error| {
            guard::forget(error);
            context.refuse(&format!("a sequence of {count} elements"), value)
        })?
        .take(count.saturating_add(1))
        .collect::<PyResult<Vec<_>>>()?;
    if values.len() != count {
        return Err(wrong(values.len()));
    }
    for (i, value) in values.iter().enumerate() {
        let what = || format!("{}[{i}]", (context.what)());
        let context = ValueContext {
            what: &what,
            c_type: context.c_type,
        };
        // SAFETY: `count` elements have room at `address` (`# Safety`), and `i` is below that.
        unsafe { store_field(address + i * size, 0, element, value, owner, context)? };
    }
    Ok(())
}

unsafe fn write_bits(
    address: usize,
    bit: u32,
    scalar: Scalar,
    width: u32,
    value: &Bound<'_, PyAny>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    let bits = if scalar == Scalar::Bool {
        stored_number::truth(value, context)?.into()
    } else {
        stored_number::integer(value, scalar.signed(), width, context)?
    };
    let mask = (u128::MAX >> (128 - width)) << bit;
    // SAFETY: the bytes of the bit-field lie at `address`, as `store_field` was promised.
    let old = unsafe { gather(address, bit, width) };
    let new = (old & !mask) | ((u128::from(bits) << bit) & mask);
    for i in 0..(bit + width).div_ceil(8) as usize {
        // SAFETY: the bytes that were read.
        unsafe { (address as *mut u8).add(i).write((new >> (8 * i)) as u8) };
    }
    Ok(())
}
