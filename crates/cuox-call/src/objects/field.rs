//! Values in memory: reading them as Python objects, and writing Python objects there.

use std::ffi::{CStr, c_char};
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyType};

use super::array;
use super::base::{This, as_object, bases, unlisted, wrap};
use super::entry;
use super::scalar;
use super::{ArrayForm, ArrayKind, Class, FieldKind, Kind, ListKind, Named, callback, record};
use crate::signature::{Element, Scalar, Stored};

/// The size in bytes of what is stored.
pub fn stored_size(stored: &Stored) -> usize {
    match stored {
        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => scalar::size(*scalar),
        Stored::Handle { class, .. } => scalar::size(handle_scalar(class)),
        Stored::Pointer(_) | Stored::Text { .. } | Stored::Callback(_) => 8,
        Stored::Record(class) => class.as_record().map_or(0, |record| record.size),
    }
}

/// The alignment of what is stored.
pub fn stored_align(stored: &Stored) -> usize {
    match stored {
        Stored::Record(class) => class.as_record().map_or(1, |record| record.align),
        other => stored_size(other),
    }
}

/// The size in bytes of a field; of a bit-field, that of its unit.
pub fn size(kind: &FieldKind) -> usize {
    match kind {
        FieldKind::One(stored) => stored_size(stored),
        FieldKind::Bits(stored, _) => stored_size(stored),
        FieldKind::List(_) => scalar::size(Scalar::Pointer),
        FieldKind::Array(element, lengths, _) => match lengths.as_slice() {
            [] => 0,
            lengths => {
                let count = lengths.iter().product::<u64>();
                size(element).saturating_mul(count as usize)
            }
        },
    }
}

/// The alignment of a field.
pub fn align(kind: &FieldKind) -> usize {
    match kind {
        FieldKind::One(stored) => stored_align(stored),
        FieldKind::Bits(stored, _) => stored_align(stored),
        FieldKind::List(_) => scalar::size(Scalar::Pointer),
        FieldKind::Array(element, _, _) => align(element),
    }
}

/// How handles of a class are passed.
pub fn handle_scalar(class: &Class) -> Scalar {
    match &class.kind {
        Kind::Handle(kind) => kind.scalar,
        _ => Scalar::Pointer,
    }
}

/// A field's kind as what a pointer points at.
pub fn as_element(kind: &FieldKind) -> Element {
    match kind {
        FieldKind::One(Stored::Scalar(scalar)) => Element::Scalar(*scalar),
        FieldKind::One(Stored::Record(class)) => Element::Record(Arc::clone(class)),
        other => Element::Field(Arc::new(other.clone())),
    }
}

impl FieldKind {
    /// The scalar or record that memory of this kind is made of.
    pub fn flat(&self) -> Element {
        match self {
            Self::One(Stored::Record(class)) => Element::Record(Arc::clone(class)),
            Self::One(stored) | Self::Bits(stored, _) => {
                Element::Scalar(stored.scalar().unwrap_or(Scalar::Pointer))
            }
            Self::List(_) => Element::Scalar(Scalar::Pointer),
            Self::Array(of, ..) => of.flat(),
        }
    }
}

/// What a pointer points at as a field's kind, unless that is not known.
pub fn as_field(element: &Element) -> Option<FieldKind> {
    match element {
        Element::Untyped => None,
        Element::Scalar(scalar) => Some(FieldKind::One(Stored::Scalar(*scalar))),
        Element::Record(class) => Some(FieldKind::One(Stored::Record(Arc::clone(class)))),
        Element::Field(kind) => Some((**kind).clone()),
    }
}

/// What an array of this kind is made of: an array of one dimension less.
pub fn first_dimension(element: &FieldKind, lengths: &[u64], form: ArrayForm) -> FieldKind {
    match lengths {
        [] | [_] => element.clone(),
        [_, inner @ ..] => FieldKind::Array(Box::new(element.clone()), inner.to_vec(), form),
    }
}

/// The class of arrays of such elements, kept at a place that goes with the kind.
pub fn array_class(
    py: Python<'_>,
    place: &OnceLock<Arc<Class>>,
    element: impl FnOnce() -> FieldKind,
    c_type: &str,
) -> PyResult<Arc<Class>> {
    if let Some(class) = place.get() {
        return Ok(Arc::clone(class));
    }
    let python = bases(py)?.array.clone_ref(py);
    let named = Named {
        name: "Array",
        c_type,
        ..Named::default()
    };
    let kind = ArrayKind {
        element: Arc::new(element()),
    };
    let class = unlisted(named, Kind::Array(kind), python);
    Ok(Arc::clone(place.get_or_init(|| class)))
}

/// The class of plain `Pointer` objects to such elements.
pub fn pointer_class(
    py: Python<'_>,
    place: &OnceLock<Arc<Class>>,
    element: impl FnOnce() -> Element,
    c_type: &str,
) -> PyResult<Arc<Class>> {
    if let Some(class) = place.get() {
        return Ok(Arc::clone(class));
    }
    let python = bases(py)?.pointer.clone_ref(py);
    let named = Named {
        name: "Pointer",
        c_type,
        ..Named::default()
    };
    let class = unlisted(named, Kind::Pointer(element()), python);
    Ok(Arc::clone(place.get_or_init(|| class)))
}

/// Reads one value; null is `None`. A record is looked at in place if `owner` is given, which is kept alive, and copied otherwise.
///
/// # Safety
/// There is such a value at the address, as long as the owner lives.
pub unsafe fn load<'py>(
    py: Python<'py>,
    address: usize,
    stored: &Stored,
    owner: Option<This<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let held = |at| owner.and_then(|owner| as_object(&owner.owner())?.held(at));
    // SAFETY: the caller's promise.
    let word = || unsafe { (address as *const u64).read_unaligned() };
    match stored {
        // SAFETY: the caller's promise.
        Stored::Scalar(scalar) => unsafe { scalar::read(py, *scalar, address) },
        Stored::Enum(scalar, class) => {
            // SAFETY: the caller's promise.
            let number = unsafe { scalar::read(py, *scalar, address) }?;
            member(class.bind(py), number)
        }
        Stored::Handle { class, owned } => {
            // SAFETY: the caller's promise.
            let value = unsafe { raw_integer(handle_scalar(class), address) };
            let plain = matches!(&class.kind, Kind::Handle(kind) if kind.plain);
            if value == 0 && handle_scalar(class) == Scalar::Pointer && !plain {
                return Ok(py.None().into_bound(py));
            }
            wrap(py, class, value, *owned && owner.is_none(), held(address))
        }
        Stored::Pointer(class) => match word() {
            0 => Ok(py.None().into_bound(py)),
            value => wrap(py, class, value, false, held(address)),
        },
        Stored::Text { free } => {
            let at = word();
            if at == 0 {
                return Ok(py.None().into_bound(py));
            }
            // SAFETY: C says that it is NUL-terminated text.
            let text = text(
                py,
                unsafe { CStr::from_ptr(at as *const c_char) }.to_bytes(),
            );
            if let Some(free) = free {
                // SAFETY: the function that the declaration names for this.
                let free: extern "C" fn(u64) = unsafe { std::mem::transmute(*free) };
                free(at);
            }
            text
        }
        Stored::Record(class) => match owner {
            Some(owner) => {
                let view = wrap(py, class, address as u64, false, Some(owner.owner()))?;
                let this = This { object: &view };
                record::inherit(this, owner);
                Ok(view)
            }
            None => {
                let new = super::new_record(py, class)?;
                let to = This { object: &new }.value() as *mut u8;
                // SAFETY: the caller's promise, and memory of that size.
                unsafe { to.copy_from(address as *const u8, stored_size(stored)) };
                Ok(new)
            }
        },
        Stored::Callback(info) => {
            let value = word();
            if value == 0 && !info.plain {
                return Ok(py.None().into_bound(py));
            }
            if let Some(held) = held(address)
                && as_object(&held)
                    .is_some_and(|this| this.value() == value && this.place().is_none())
            {
                return Ok(held);
            }
            wrap(py, &*callback::class(py, info)?, value, false, None)
        }
    }
}

/// An integer in memory as the 64 bits that pass it: a negative one is extended with its sign.
///
/// # Safety
/// There is one at the address.
pub unsafe fn raw_integer(scalar: Scalar, address: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match scalar {
            Scalar::Bool | Scalar::U8 => (address as *const u8).read().into(),
            Scalar::I8 => (address as *const i8).read() as u64,
            Scalar::U16 => (address as *const u16).read_unaligned().into(),
            Scalar::I16 => (address as *const i16).read_unaligned() as u64,
            Scalar::U32 => (address as *const u32).read_unaligned().into(),
            Scalar::I32 => (address as *const i32).read_unaligned() as u64,
            _ => (address as *const u64).read_unaligned(),
        }
    }
}

/// The constant of an enumeration with this value, or the number itself if it has none.
pub fn member<'py>(
    class: &Bound<'py, PyType>,
    number: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = number.py();
    if let Ok(members) = class.getattr(pyo3::intern!(py, "_value2member_map_"))
        && let Ok(members) = members.cast_into::<PyDict>()
        && let Some(member) = members.get_item(&number)?
    {
        return Ok(member);
    }
    // Flags make members for combinations.
    class.call1((&number,)).or_else(|error| {
        entry::forget(error);
        Ok(number)
    })
}

/// Text as Python's; bytes that are not UTF-8 are kept as `surrogateescape` keeps them.
pub fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: bytes and their length; a new reference or null with an exception set.
    unsafe {
        let text = ffi::PyUnicode_DecodeUTF8(
            bytes.as_ptr().cast(),
            bytes.len() as ffi::Py_ssize_t,
            c"surrogateescape".as_ptr(),
        );
        Bound::from_owned_ptr_or_err(py, text)
    }
}

/// Reads a field. `bit` is where a bit-field begins; `inner` is where the class of an array's view is kept.
///
/// # Safety
/// As for [`load`].
pub unsafe fn load_field<'py>(
    py: Python<'py>,
    address: usize,
    bit: u32,
    kind: &FieldKind,
    owner: This<'_, 'py>,
    inner: &OnceLock<Arc<Class>>,
    c_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        // SAFETY: the caller's promise.
        FieldKind::One(stored) => unsafe { load(py, address, stored, Some(owner)) },
        // SAFETY: the caller's promise.
        FieldKind::Bits(stored, width) => unsafe {
            let scalar = stored.scalar().unwrap_or(Scalar::U64);
            let number = read_bits(py, address, bit, scalar, *width)?;
            match stored {
                Stored::Enum(_, class) => member(class.bind(py), number),
                _ => Ok(number),
            }
        },
        FieldKind::Array(element, lengths, form) => {
            if matches!(lengths.as_slice(), [] | [0, ..]) {
                let element = || as_element(&first_dimension(element, lengths, *form));
                let class = pointer_class(py, inner, element, c_type)?;
                return wrap(py, &class, address as u64, false, Some(owner.owner()));
            }
            if form.is_whole() && lengths.len() == 1 {
                // SAFETY: the caller's promise.
                let bytes = unsafe {
                    std::slice::from_raw_parts(address as *const u8, lengths[0] as usize)
                };
                if *form == ArrayForm::Bytes {
                    return Ok(PyBytes::new(py, bytes).into_any());
                }
                let end = bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len());
                if *form == ArrayForm::ShortBytes {
                    return Ok(PyBytes::new(py, &bytes[..end]).into_any());
                }
                return text(py, &bytes[..end]);
            }
            let element = || first_dimension(element, lengths, *form);
            let class = array_class(py, inner, element, c_type)?;
            let view = array::view(py, &class, address, size(kind), Some(owner.owner()))?;
            let this = This { object: &view };
            record::inherit(this, owner);
            match form {
                ArrayForm::List => Ok(array::to_list(this, true)?.into_any()),
                _ => Ok(view),
            }
        }
        // SAFETY: the caller's promise.
        FieldKind::List(list) => unsafe { load_list(py, address, list, owner, c_type) },
    }
}

/// What a pointer to several values points at: the array that was made of a list which was assigned, else as many values as another field says.
/// Where it is null, so is each handle.
///
/// # Safety
/// The pointer is a record's field, and what C has put there is as the record says.
unsafe fn load_list<'py>(
    py: Python<'py>,
    address: usize,
    list: &ListKind,
    owner: This<'_, 'py>,
    c_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller's promise.
    let at = unsafe { (address as *const u64).read_unaligned() };
    let held = as_object(&owner.owner()).and_then(|owner| owner.held(address));
    if let Some(held) = held.as_ref().and_then(as_object)
        && matches!(held.class().kind, Kind::Array(_))
        && held.value() == at
    {
        return Ok(array::to_list(held, false)?.into_any());
    }
    let count = match list.length {
        // SAFETY: another field of the record.
        Some((offset, scalar)) => unsafe {
            let count = raw_integer(scalar, address.wrapping_add_signed(offset as isize));
            match scalar::signed(scalar) && (count as i64) < 0 {
                true => 0,
                false => count as usize,
            }
        },
        None => 0,
    };
    if at == 0 {
        let values = PyList::empty(py);
        if let FieldKind::One(Stored::Handle { class, .. }) = &list.element {
            for _ in 0..count {
                values.append(wrap(py, class, 0, false, None)?)?;
            }
        }
        return Ok(values.into_any());
    }
    let class = array_class(py, &list.array, || list.element.clone(), c_type)?;
    let bytes = size(&list.element).saturating_mul(count);
    let view = array::view(py, &class, at as usize, bytes, None)?;
    Ok(array::to_list(This { object: &view }, false)?.into_any())
}

/// The bytes of a bit-field, least significant first.
///
/// # Safety
/// They are there.
pub unsafe fn gather(address: usize, bit: u32, width: u32) -> u128 {
    let bytes = (bit + width).div_ceil(8) as usize;
    // SAFETY: the caller's promise; no byte without a bit of the field is read.
    (0..bytes).fold(0, |bits, i| unsafe {
        bits | u128::from((address as *const u8).add(i).read()) << (8 * i)
    })
}

unsafe fn read_bits<'py>(
    py: Python<'py>,
    address: usize,
    bit: u32,
    scalar: Scalar,
    width: u32,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller's promise.
    let bits = unsafe { gather(address, bit, width) } >> bit;
    if scalar == Scalar::Bool {
        return Ok((bits & 1 != 0).into_pyobject(py)?.to_owned().into_any());
    }
    let up = 128 - width;
    if scalar::signed(scalar) {
        Ok((((bits << up) as i128 >> up) as i64)
            .into_pyobject(py)?
            .into_any())
    } else {
        Ok((((bits << up) >> up) as u64).into_pyobject(py)?.into_any())
    }
}
