//! Reading values from memory.

use std::ffi::{CStr, c_char};
use std::sync::{Arc, OnceLock};

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyType};

use crate::interpreter::guard;
use crate::objects::allocate::{array_at, inherit, new_record, wrap};
use crate::objects::class_table::{array_class, callback_class, pointer_class};
use crate::objects::complex;
use crate::objects::elements::to_list;
use crate::objects::object_ref::{ObjectRef, as_object};
use crate::objects::stored_number;
use crate::objects::stored_number::raw_integer;
use crate::types::class::{Class, Kind};
use crate::types::scalar::Scalar;
use crate::types::value::{ArrayForm, FieldKind, ListKind, Stored, first_dimension};

/// Reads one value; null is `None`. A record is looked at in place if `owner` is given, which is kept alive, and copied
/// otherwise.
///
/// # Safety
/// There is such a value at the address, as long as the owner lives.
pub unsafe fn load<'py>(
    py: Python<'py>,
    address: usize,
    stored: &Stored,
    owner: Option<ObjectRef<'_, 'py>>,
) -> PyResult<Bound<'py, PyAny>> {
    let held = |at| owner.and_then(|owner| as_object(&owner.owner())?.held(at));
    // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`); no read needs alignment.
    let word = || unsafe { (address as *const u64).read_unaligned() };
    match stored {
        // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`); no read needs alignment.
        Stored::Scalar(scalar) => unsafe { stored_number::read(py, *scalar, address) },
        // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`).
        Stored::Char => Ok(character(py, unsafe { *(address as *const u8) })),
        Stored::Enum(scalar, class) => {
            // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`); no read needs alignment.
            let number = unsafe { stored_number::read(py, *scalar, address) }?;
            member(class.bind(py), number)
        }
        Stored::Handle { class, owned } => {
            // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`); no read needs alignment.
            let value = unsafe { raw_integer(class.handle_scalar(), address) };
            let plain = matches!(&class.kind, Kind::Handle(kind) if kind.plain);
            if value == 0 && class.handle_scalar() == Scalar::Pointer && !plain {
                return Ok(py.None().into_bound(py));
            }
            wrap(py, class, value, *owned && owner.is_none(), held(address))
        }
        Stored::Pointer(class) => match word() {
            0 => Ok(py.None().into_bound(py)),
            value => wrap(py, class, value, false, held(address)),
        },
        Stored::Text { free, .. } => {
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
        Stored::Record(class) if class.complex_part().is_some() => {
            let part = class.complex_part().unwrap_or(Scalar::F64);
            // SAFETY: such a value lies at `address` as long as the owner lives (`# Safety`).
            Ok(unsafe { complex::read(py, part, address) })
        }
        Stored::Record(class) => match owner {
            Some(owner) => {
                let view = wrap(py, class, address as u64, false, Some(owner.owner()))?;
                let this = ObjectRef { object: &view };
                inherit(this, owner);
                Ok(view)
            }
            None => {
                let new = new_record(py, class)?;
                let to = ObjectRef { object: &new }.value() as *mut u8;
                // SAFETY: the record lies at `address` (`# Safety`), and the new one has memory of the same size.
                unsafe { to.copy_from(address as *const u8, stored.size()) };
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
                    .is_some_and(|this| this.value() == value && this.external_address().is_none())
            {
                return Ok(held);
            }
            wrap(py, &*callback_class(py, info)?, value, false, None)
        }
    }
}

/// One character as `str`.
pub fn character(py: Python<'_>, byte: u8) -> Bound<'_, PyAny> {
    let mut text = [0; 4];
    PyString::new(py, char::from(byte).encode_utf8(&mut text)).into_any()
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
        guard::forget(error);
        Ok(number)
    })
}

/// Text as `str`; bytes that are not UTF-8 become lone surrogates (`surrogateescape`).
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
    owner: ObjectRef<'_, 'py>,
    inner: &OnceLock<Arc<Class>>,
    c_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    match kind {
        // SAFETY: such a field lies at `address` as long as the owner lives (`# Safety`).
        FieldKind::One(stored) => unsafe { load(py, address, stored, Some(owner)) },
        // SAFETY: such a field lies at `address` as long as the owner lives (`# Safety`).
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
                let element = || first_dimension(element, lengths, *form).as_element();
                let class = pointer_class(py, inner, element, c_type)?;
                return wrap(py, &class, address as u64, false, Some(owner.owner()));
            }
            if form.is_whole() && lengths.len() == 1 {
                // SAFETY: such a field lies at `address` as long as the owner lives (`# Safety`).
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
            let view = array_at(py, &class, address, kind.size(), Some(owner.owner()))?;
            let this = ObjectRef { object: &view };
            inherit(this, owner);
            match form {
                ArrayForm::List => Ok(to_list(this, true)?.into_any()),
                _ => Ok(view),
            }
        }
        // SAFETY: such a field lies at `address` as long as the owner lives (`# Safety`).
        FieldKind::List(list) => unsafe { load_list(py, address, list, owner, c_type) },
    }
}

/// The values behind a pointer to several: those of the array that was made of an assigned list, else as many as
/// another field says. For a null pointer each handle is null.
///
/// # Safety
/// The pointer is a record's field, and what C has put there is as the record says.
unsafe fn load_list<'py>(
    py: Python<'py>,
    address: usize,
    list: &ListKind,
    owner: ObjectRef<'_, 'py>,
    c_type: &str,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the field is a pointer of 8 bytes at `address` (`# Safety`).
    let at = unsafe { (address as *const u64).read_unaligned() };
    let held = as_object(&owner.owner()).and_then(|owner| owner.held(address));
    if let Some(held) = held.as_ref().and_then(as_object)
        && matches!(held.class().kind, Kind::Array(_))
        && held.value() == at
    {
        return Ok(to_list(held, false)?.into_any());
    }
    let count = match list.length {
        // SAFETY: another field of the record.
        Some((offset, scalar)) => unsafe {
            let count = raw_integer(scalar, address.wrapping_add_signed(offset as isize));
            match scalar.signed() && (count as i64) < 0 {
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
    let bytes = list.element.size().saturating_mul(count);
    let view = array_at(py, &class, at as usize, bytes, None)?;
    Ok(to_list(ObjectRef { object: &view }, false)?.into_any())
}

/// The bytes of a bit-field, least significant first.
///
/// # Safety
/// The bytes with bits of the field can be read.
pub unsafe fn gather(address: usize, bit: u32, width: u32) -> u128 {
    let bytes = (bit + width).div_ceil(8) as usize;
    // SAFETY: the bit-field's bytes lie at `address` (`# Safety`); no byte without a bit of the field is read.
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
    // SAFETY: the bytes of the bit-field lie at `address`, as `load_field` was promised.
    let bits = unsafe { gather(address, bit, width) } >> bit;
    if scalar == Scalar::Bool {
        return Ok((bits & 1 != 0).into_pyobject(py)?.to_owned().into_any());
    }
    let up = 128 - width;
    if scalar.signed() {
        Ok((((bits << up) as i128 >> up) as i64)
            .into_pyobject(py)?
            .into_any())
    } else {
        Ok((((bits << up) >> up) as u64).into_pyobject(py)?.into_any())
    }
}
