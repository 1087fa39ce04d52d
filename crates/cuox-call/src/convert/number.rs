//! Numbers and characters.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString};

use cuox_interpreter::integer::is_truth;

use crate::errors::{ArgumentContext, describe};
use crate::types::scalar::Scalar;

/// A number as C stores it; integers are sign- or zero-extended to at least 64 bits.
#[inline]
pub fn scalar(
    context: ArgumentContext<'_>,
    scalar: Scalar,
    value: &Bound<'_, PyAny>,
) -> PyResult<u128> {
    match scalar {
        Scalar::F32 => Ok(u128::from((float(context, value)? as f32).to_bits())),
        Scalar::F64 => Ok(u128::from(float(context, value)?.to_bits())),
        Scalar::Long => Ok(long_double(float(context, value)?)),
        Scalar::I128 | Scalar::U128 => wide(context, scalar, value),
        Scalar::Bool => boolean(context, value),
        Scalar::Pointer if value.is_none() => Ok(0),
        _ => narrow(context, scalar, value),
    }
}

/// An int, from an int or from what stands for one (`__index__`).
#[inline]
fn index<'py>(
    context: ArgumentContext<'_>,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyInt>> {
    if let Ok(int) = value.cast::<PyInt>() {
        return Ok(int.clone());
    }
    if context.cuts_floats
        && let Ok(float) = value.cast::<PyFloat>()
        && float.value().is_finite()
    {
        // The fraction is cut off.
        return Ok(float.call_method0("__int__")?.cast_into()?);
    }
    // SAFETY: a live object; the result is a new reference or null with an exception.
    unsafe { Bound::from_owned_ptr_or_err(value.py(), ffi::PyNumber_Index(value.as_ptr())) }
        .map_err(
            |error| match error.is_instance_of::<PyTypeError>(value.py()) {
                true => context.wrong_type("an int", value),
                false => error,
            },
        )?
        .cast_into()
        .map_err(Into::into)
}

#[cold]
fn out_of_range(
    context: ArgumentContext<'_>,
    value: &Bound<'_, PyAny>,
    range: (i128, i128),
) -> PyErr {
    let shown = match value.str().map(|text| text.to_string()) {
        Ok(text) if text.len() <= 45 => text,
        _ => "an int as large as this".into(),
    };
    PyOverflowError::new_err(format!(
        "{context} cannot hold {shown} ({} to {})",
        range.0, range.1
    ))
}

#[inline]
fn narrow(
    context: ArgumentContext<'_>,
    scalar: Scalar,
    value: &Bound<'_, PyAny>,
) -> PyResult<u128> {
    let int = index(context, value)?;
    let range = scalar.range().unwrap_or_default();
    let mut overflow = 0;
    // SAFETY: `index` returns a live `PyInt`.
    let signed = unsafe { ffi::PyLong_AsLongLongAndOverflow(int.as_ptr(), &mut overflow) };
    let wide = match overflow {
        0 => i128::from(signed),
        1 => {
            // SAFETY: an int; a failure leaves an exception, which is taken.
            let unsigned = unsafe { ffi::PyLong_AsUnsignedLongLong(int.as_ptr()) };
            if PyErr::take(value.py()).is_some() {
                return Err(out_of_range(context, &int, range));
            }
            i128::from(unsigned)
        }
        _ => return Err(out_of_range(context, &int, range)),
    };
    if wide < range.0 || wide > range.1 {
        return Err(out_of_range(context, &int, range));
    }
    Ok(u128::from(wide as u64))
}

fn wide(context: ArgumentContext<'_>, scalar: Scalar, value: &Bound<'_, PyAny>) -> PyResult<u128> {
    let int = index(context, value)?;
    let py = value.py();
    let mut overflow = 0;
    // SAFETY: `index` returns a live `PyInt`.
    let low = unsafe { ffi::PyLong_AsLongLongAndOverflow(int.as_ptr(), &mut overflow) };
    if overflow == 0 && (scalar.signed() || low >= 0) {
        return Ok(i128::from(low) as u128);
    }
    let options = PyDict::new(py);
    options.set_item("signed", scalar.signed())?;
    let bytes = int
        .call_method("to_bytes", (16, "little"), Some(&options))
        .map_err(|error| match error.is_instance_of::<PyOverflowError>(py) {
            true => PyOverflowError::new_err(format!(
                "{context} cannot hold {}: it has 128 bits, {}",
                describe(&int),
                if scalar.signed() {
                    "one for the sign"
                } else {
                    "and no sign"
                }
            )),
            false => error,
        })?;
    let bytes: [u8; 16] = bytes
        .cast::<PyBytes>()?
        .as_bytes()
        .try_into()
        .map_err(|_| {
            PyValueError::new_err(format!("{context}: int.to_bytes gave another length"))
        })?;
    Ok(u128::from_le_bytes(bytes))
}

fn boolean(context: ArgumentContext<'_>, value: &Bound<'_, PyAny>) -> PyResult<u128> {
    if is_truth(value) {
        return Ok(u128::from(value.is_truthy()?));
    }
    narrow(context, Scalar::Bool, value)
}

/// A float, from any object that `float()` takes.
#[inline]
pub fn float(context: ArgumentContext<'_>, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    let read = unsafe { ffi::PyFloat_AsDouble(value.as_ptr()) };
    if read == -1.0
        && let Some(error) = PyErr::take(value.py())
    {
        let py = value.py();
        return Err(if error.is_instance_of::<PyTypeError>(py) {
            context.wrong_type("a float", value)
        } else if error.is_instance_of::<PyOverflowError>(py) {
            PyOverflowError::new_err(format!(
                "{context} cannot hold {}: too large for a float",
                describe(value)
            ))
        } else {
            error
        });
    }
    Ok(read)
}

/// A double as `long double`: ten bytes.
pub fn long_double(value: f64) -> u128 {
    #[cfg(target_arch = "x86_64")]
    {
        let mut bytes = [0u64; 2];
        // SAFETY: `value` and `bytes` are local variables; the x87 stack is empty at a function's start (psABI) and is
        // emptied again.
        unsafe {
            std::arch::asm!(
                "fld qword ptr [{from}]", "fstp tbyte ptr [{to}]",
                from = in(reg) &raw const value, to = in(reg) bytes.as_mut_ptr(),
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        u128::from(bytes[0]) | u128::from(bytes[1] & 0xffff) << 64
    }
    #[cfg(not(target_arch = "x86_64"))]
    u128::from(value.to_bits())
}

/// A `long double` as a double, rounded to nearest.
pub fn from_long_double(bits: u128) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        let bytes = [bits as u64, (bits >> 64) as u64];
        let mut value = 0f64;
        // SAFETY: `bytes` and `value` are local variables; the x87 stack is empty at a function's start (psABI) and is
        // emptied again.
        unsafe {
            std::arch::asm!(
                "fld tbyte ptr [{from}]", "fstp qword ptr [{to}]",
                from = in(reg) bytes.as_ptr(), to = in(reg) &raw mut value,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
        value
    }
    #[cfg(not(target_arch = "x86_64"))]
    f64::from_bits(bits as u64)
}

/// A `char`, from text of one byte or from an int.
pub fn character(context: ArgumentContext<'_>, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let one = |bytes: &[u8]| match bytes {
        [byte] => Ok(i64::from(*byte as i8) as u64),
        _ => Err(PyValueError::new_err(format!(
            "{context} takes one character of one byte, got {}",
            describe(value)
        ))),
    };
    if let Ok(text) = value.cast::<PyString>() {
        return one(text.to_cow()?.as_bytes());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return one(bytes.as_bytes());
    }
    let int = index(context, value).map_err(|error| {
        match error.is_instance_of::<PyTypeError>(value.py()) {
            true => context.wrong_type("one character as str or bytes, or an int", value),
            false => error,
        }
    })?;
    match int.extract::<i64>() {
        Ok(code @ -128..=255) => Ok(i64::from(code as i8) as u64),
        _ => Err(out_of_range(context, &int, (-128, 255))),
    }
}

/// A Python int or float for the number that lies at `at`.
///
/// # Safety
/// There are as many bytes as the scalar has.
#[inline]
pub unsafe fn to_python(
    py: Python<'_>,
    scalar: Scalar,
    at: *const u8,
) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the scalar's bytes lie at `at` (`# Safety`); copying bytes needs no alignment.
    let read = |size: usize| unsafe {
        let mut bytes = [0u8; 16];
        std::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), size);
        u128::from_le_bytes(bytes)
    };
    let bits = read(if scalar == Scalar::Long {
        10
    } else {
        scalar.size()
    });
    Ok(match scalar {
        Scalar::Bool => PyBool::new(py, bits != 0).to_owned().into_any(),
        Scalar::F32 => PyFloat::new(py, f64::from(f32::from_bits(bits as u32))).into_any(),
        Scalar::F64 => PyFloat::new(py, f64::from_bits(bits as u64)).into_any(),
        Scalar::Long => PyFloat::new(py, from_long_double(bits)).into_any(),
        Scalar::I8 => (bits as i8).into_pyobject(py)?.into_any(),
        Scalar::I16 => (bits as i16).into_pyobject(py)?.into_any(),
        Scalar::I32 => (bits as i32).into_pyobject(py)?.into_any(),
        Scalar::I64 => (bits as i64).into_pyobject(py)?.into_any(),
        Scalar::I128 if let Ok(low) = i64::try_from(bits as i128) => {
            low.into_pyobject(py)?.into_any()
        }
        Scalar::U128 if let Ok(low) = u64::try_from(bits) => low.into_pyobject(py)?.into_any(),
        Scalar::I128 => (bits as i128).into_pyobject(py)?.into_any(),
        Scalar::U128 => bits.into_pyobject(py)?.into_any(),
        Scalar::U8 | Scalar::U16 | Scalar::U32 | Scalar::U64 | Scalar::Pointer => {
            (bits as u64).into_pyobject(py)?.into_any()
        }
    })
}
