//! Single values: numbers, handles, records, addresses of functions.

use cuox_interpreter::integer::is_integer;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString};

use crate::convert::memory::{self, ArgumentHold, PointerTarget};
use crate::convert::number;
use crate::errors::ArgumentContext;
use crate::objects::complex;
use crate::objects::object_ref::{ObjectRef, as_c_object};
use crate::types::callback_info::CallbackInfo;
use crate::types::class::{Class, Kind};
use crate::types::object::{CLOSED, CObject};
use crate::types::scalar::Scalar;
use crate::types::value::Element;

/// The bytes of a `str` (as UTF-8) or of `bytes`, NULs among them.
pub(super) fn binary(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_str()?.as_bytes().to_vec()));
    }
    Ok(value
        .cast::<PyBytes>()
        .ok()
        .map(|bytes| bytes.as_bytes().to_vec()))
}

/// True for what is a number by itself.
pub(super) fn number_like(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    let number = unsafe { ffi::PyNumber_Check(value.as_ptr()) } != 0;
    number && as_c_object(value).is_none() && !value.hasattr("__len__").unwrap_or(false)
}

/// A number, or the value of an integer handle or pointer object.
#[inline]
pub(super) fn scalar_of(
    context: ArgumentContext<'_>,
    scalar: Scalar,
    value: &Bound<'_, PyAny>,
) -> PyResult<u128> {
    if scalar == Scalar::Pointer {
        let target = PointerTarget {
            element: &Element::Untyped,
            writable: false,
            nullable: true,
        };
        return Ok(u128::from(memory::memory(context, target, value)?.address));
    }
    number::scalar(context, scalar, value)
}

/// The driver's type of addresses on a device.
const DEVICE_POINTER: &str = "CUdeviceptr";

/// A handle's value, and the object that it came from.
#[inline]
pub(super) fn handle(
    context: ArgumentContext<'_>,
    class: &Class,
    nullable: bool,
    value: &Bound<'_, PyAny>,
) -> PyResult<(u64, Option<*mut CObject>)> {
    let Kind::Handle(kind) = &class.kind else {
        return Err(context.wrong_type("a handle", value));
    };
    let null = || PyTypeError::new_err(format!("{context} must not be a null {}", class.name));
    if value.is_none() {
        return if nullable {
            Ok((0, None))
        } else {
            Err(PyTypeError::new_err(format!(
                "{context} must not be None: C needs a {}",
                class.name
            )))
        };
    }
    if let Some(object) = as_c_object(value) {
        // SAFETY: `object` is what `as_c_object` made of the live `value`; the GIL guards its words.
        let (found, flags) = unsafe { ((*object).class, (*object).flags) };
        let stored = ObjectRef { object: value }.value();
        // SAFETY: a class lives as long as its objects.
        let same =
            std::ptr::eq(found, class) || kind.takes_int && unsafe { &*found }.is_as_plain(class);
        if !same {
            return Err(context.wrong_type(&format!("a {}", class.name), value));
        }
        if flags & CLOSED != 0 {
            return Err(memory::closed(context, class));
        }
        if stored == 0 && kind.scalar == Scalar::Pointer && !nullable {
            return Err(null());
        }
        return Ok((stored, Some(object)));
    }
    if kind.takes_int && is_integer(value) {
        let bits = match kind.scalar {
            Scalar::Pointer => u128::from(memory::address(context, value)?),
            scalar => number::scalar(context, scalar, value)?,
        };
        if bits == 0 && kind.scalar == Scalar::Pointer && !nullable {
            return Err(null());
        }
        return Ok((bits as u64, None));
    }
    let is_device_pointer = class.c_type == DEVICE_POINTER;
    if is_device_pointer
        && context.cuts_floats
        && value
            .cast::<PyFloat>()
            .is_ok_and(|float| float.value().fract() == 0.0)
    {
        // An address and an offset that was divided.
        return Ok((number::scalar(context, kind.scalar, value)? as u64, None));
    }
    // A number to C, an address to its readers.
    if is_device_pointer && let Some(address) = memory::device_pointer(context, value)? {
        return Ok((address, None));
    }
    let mut takes = format!("a {}", class.name);
    if kind.takes_int {
        takes.push_str(" or its value as an int");
    }
    if is_device_pointer {
        takes.push_str(", an array on the device");
    }
    if nullable {
        takes.push_str(" or None");
    }
    Err(context.wrong_type(&takes, value))
}

/// The address of a record's bytes, and a hold on the record if it was made of a tuple or a dict.
#[inline]
pub(super) fn record(
    context: ArgumentContext<'_>,
    class: &Class,
    value: &Bound<'_, PyAny>,
) -> PyResult<(*const u8, Option<ArgumentHold>)> {
    if let Some(part) = class.complex_part() {
        let made = class.python.bind(value.py()).call0()?;
        let address = ObjectRef { object: &made }.address()?;
        // SAFETY: the new record has room for both parts.
        return match unsafe { complex::write(part, address, value)? } {
            Some(()) => Ok((
                address as *const u8,
                Some(ArgumentHold::Object(made.unbind())),
            )),
            None => Err(context.wrong_type("a complex number", value)),
        };
    }
    let own = |value: &Bound<'_, PyAny>| {
        // SAFETY: `as_c_object` answers only for live objects that begin with a `CObject`; the GIL guards its words.
        as_c_object(value).filter(|object| unsafe { std::ptr::eq((**object).class, class) })
    };
    let made = match (own(value), class.record_of(value)) {
        (Some(_), _) => None,
        (None, Some(made)) => Some(made.map_err(|error| context.inside(value.py(), error))?),
        (None, None) => {
            return Err(context.wrong_type(&format!("a {}, a tuple or a dict", class.name), value));
        }
    };
    let object = own(made.as_ref().unwrap_or(value));
    // SAFETY: `object` came from `own`, so it is a live record, which `value` or `made` keeps alive.
    match object.map_or(0, |object| unsafe { (*object).value }) {
        0 => Err(memory::closed(context, class)),
        address => Ok((
            address as *const u8,
            made.map(|made| ArgumentHold::Object(made.unbind())),
        )),
    }
}

/// The address of a C function, as an int, or a number that means something in the header, such as `SIG_IGN` and
/// `SQLITE_TRANSIENT`.
pub(super) fn function_address(
    context: ArgumentContext<'_>,
    info: &CallbackInfo,
    value: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    match value.extract::<i64>() {
        Ok(number) if info.stands_for_function(number) => return Ok(number as u64),
        Ok(_) => {}
        Err(_) => return memory::address(context, value),
    }
    Err(PyTypeError::new_err(format!(
        "{context} must be a callable or a function's address, got {value}"
    )))
}
