//! Numbers in memory.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString};

use crate::errors::{ValueContext, describe};
use crate::types::scalar::{Scalar, limits};

/// Reads a number.
///
/// # Safety
/// There is one at the address, which need not be aligned.
pub unsafe fn read<'py>(
    py: Python<'py>,
    scalar: Scalar,
    address: usize,
) -> PyResult<Bound<'py, PyAny>> {
    macro_rules! at {
        ($ty:ty) => {
            (address as *const $ty).read_unaligned()
        };
    }
    // SAFETY: such a number lies at `address` (`# Safety`); each function returns a new reference, or null with an
    // exception set.
    unsafe {
        let new = match scalar {
            Scalar::Bool => ffi::PyBool_FromLong((at!(u8) != 0).into()),
            Scalar::I8 => ffi::PyLong_FromLong(at!(i8).into()),
            Scalar::U8 => ffi::PyLong_FromLong(at!(u8).into()),
            Scalar::I16 => ffi::PyLong_FromLong(at!(i16).into()),
            Scalar::U16 => ffi::PyLong_FromLong(at!(u16).into()),
            Scalar::I32 => ffi::PyLong_FromLong(at!(i32).into()),
            Scalar::U32 => ffi::PyLong_FromUnsignedLongLong(at!(u32).into()),
            Scalar::I64 => ffi::PyLong_FromLongLong(at!(i64)),
            Scalar::U64 | Scalar::Pointer => ffi::PyLong_FromUnsignedLongLong(at!(u64)),
            Scalar::F32 => ffi::PyFloat_FromDouble(at!(f32).into()),
            Scalar::F64 => ffi::PyFloat_FromDouble(at!(f64)),
            Scalar::Long => ffi::PyFloat_FromDouble(from_long(address)?),
            Scalar::I128 => return Ok(at!(i128).into_pyobject(py)?.into_any()),
            Scalar::U128 => return Ok(at!(u128).into_pyobject(py)?.into_any()),
        };
        Bound::from_owned_ptr_or_err(py, new)
    }
}

/// Reads a number of the usual kinds; null for others.
///
/// # Safety
/// There is one at the address, and the GIL is held.
#[inline]
pub unsafe fn fast_read(scalar: Scalar, address: usize) -> *mut ffi::PyObject {
    macro_rules! at {
        ($ty:ty) => {
            (address as *const $ty).read_unaligned()
        };
    }
    // SAFETY: such a number lies at `address` and the GIL is held (`# Safety`); no read needs alignment.
    unsafe {
        match scalar {
            Scalar::I8 => ffi::PyLong_FromLong(at!(i8).into()),
            Scalar::U8 => ffi::PyLong_FromLong(at!(u8).into()),
            Scalar::I16 => ffi::PyLong_FromLong(at!(i16).into()),
            Scalar::U16 => ffi::PyLong_FromLong(at!(u16).into()),
            Scalar::I32 => ffi::PyLong_FromLong(at!(i32).into()),
            Scalar::U32 => ffi::PyLong_FromUnsignedLongLong(at!(u32).into()),
            Scalar::I64 => ffi::PyLong_FromLongLong(at!(i64)),
            Scalar::U64 => ffi::PyLong_FromUnsignedLongLong(at!(u64)),
            Scalar::F32 => ffi::PyFloat_FromDouble(at!(f32).into()),
            Scalar::F64 => ffi::PyFloat_FromDouble(at!(f64)),
            Scalar::Bool | Scalar::I128 | Scalar::U128 | Scalar::Long | Scalar::Pointer => {
                std::ptr::null_mut()
            }
        }
    }
}

/// Writes a plain int or float that fits. For any other object it writes nothing and returns `false`.
///
/// # Safety
/// The address may be written, `value` is an object, and the GIL is held.
#[inline]
pub unsafe fn fast_write(scalar: Scalar, address: usize, value: *mut ffi::PyObject) -> bool {
    // SAFETY: `value` is a live object, the GIL is held, and the number's bytes at `address` may be written (`#
    // Safety`).
    unsafe {
        match scalar {
            Scalar::F32 | Scalar::F64 => {
                if ffi::PyFloat_CheckExact(value) == 0 {
                    return false;
                }
                let number = ffi::PyFloat_AsDouble(value);
                match scalar {
                    Scalar::F32 => (address as *mut f32).write_unaligned(number as f32),
                    _ => (address as *mut f64).write_unaligned(number),
                }
                true
            }
            Scalar::Bool | Scalar::I128 | Scalar::U128 | Scalar::Long | Scalar::Pointer => false,
            _ => {
                if ffi::PyLong_CheckExact(value) == 0 {
                    return false;
                }
                let mut overflow = 0;
                let number = ffi::PyLong_AsLongLongAndOverflow(value, &mut overflow);
                let (least, most) = limits(scalar.signed(), 8 * scalar.size() as u32);
                // Numbers above 2^63 go the general way.
                if overflow != 0 || i128::from(number) < least || i128::from(number) > most as i128
                {
                    return false;
                }
                let bytes = number.to_le_bytes();
                (address as *mut u8).copy_from(bytes.as_ptr(), scalar.size());
                true
            }
        }
    }
}

/// Writes a number.
///
/// # Safety
/// The address may be written; it need not be aligned.
pub unsafe fn write(
    scalar: Scalar,
    address: usize,
    value: &Bound<'_, PyAny>,
    context: ValueContext<'_>,
) -> PyResult<()> {
    // SAFETY: the number's bytes at `address` may be written (`# Safety`).
    let put = |bits: u128, size: usize| unsafe {
        (address as *mut u8).copy_from(bits.to_le_bytes().as_ptr(), size);
    };
    match scalar {
        Scalar::F32 => put((float(value, context)? as f32).to_bits().into(), 4),
        Scalar::F64 => put(float(value, context)?.to_bits().into(), 8),
        // SAFETY: the number's bytes at `address` may be written (`# Safety`).
        Scalar::Long => unsafe { to_long(address, float(value, context)?)? },
        Scalar::Bool => put(truth(value, context)?.into(), 1),
        Scalar::I128 | Scalar::U128 => put(wide(scalar, value, context)?, 16),
        _ => {
            let size = scalar.size();
            put(
                integer(value, scalar.signed(), 8 * size as u32, context)?.into(),
                size,
            );
        }
    }
    Ok(())
}

/// An integer of at most 64 bits, checked; as its two's complement.
pub fn integer(
    value: &Bound<'_, PyAny>,
    signed: bool,
    bits: u32,
    context: ValueContext<'_>,
) -> PyResult<u64> {
    let py = value.py();
    let index = index(value, context)?;
    let mut overflow = 0;
    // SAFETY: `index` returns a live int.
    let mut number =
        unsafe { ffi::PyLong_AsLongLongAndOverflow(index.as_ptr(), &mut overflow) } as i128;
    if overflow != 0 {
        // Between 2^63 and 2^64, or beyond.
        // SAFETY: `index` returns a live int.
        let wide = unsafe { ffi::PyLong_AsUnsignedLongLong(index.as_ptr()) };
        if PyErr::take(py).is_some() {
            let (least, most) = limits(signed, bits);
            return Err(context.overflow(&index, least, most));
        }
        number = wide.into();
    }
    let (least, most) = limits(signed, bits);
    if number < least || (number > 0 && number as u128 > most) {
        return Err(context.overflow(&index, least, most));
    }
    Ok(number as u64)
}

/// `_Bool`: what is true or false, 0 or 1.
pub fn truth(value: &Bound<'_, PyAny>, context: ValueContext<'_>) -> PyResult<bool> {
    let class = value.get_type();
    if class.name().is_ok_and(|name| {
        name.to_str()
            .is_ok_and(|name| matches!(name, "bool" | "bool_"))
    }) {
        return value.is_truthy();
    }
    Ok(integer(value, false, 1, context)? != 0)
}

fn wide(scalar: Scalar, value: &Bound<'_, PyAny>, context: ValueContext<'_>) -> PyResult<u128> {
    let index = index(value, context)?;
    let read = if scalar == Scalar::I128 {
        index.extract::<i128>().map(|value| value as u128)
    } else {
        index.extract::<u128>()
    };
    read.map_err(|_| {
        let (least, most) = limits(scalar == Scalar::I128, 128);
        context.overflow(&index, least, most)
    })
}

fn index<'py>(value: &Bound<'py, PyAny>, context: ValueContext<'_>) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: an object; a new reference or null with an exception set.
    unsafe {
        if ffi::PyIndex_Check(value.as_ptr()) == 0 {
            return Err(context.refuse("an int", value));
        }
        Bound::from_owned_ptr_or_err(value.py(), ffi::PyNumber_Index(value.as_ptr()))
    }
}

fn float(value: &Bound<'_, PyAny>, context: ValueContext<'_>) -> PyResult<f64> {
    if let Ok(value) = value.cast_exact::<PyFloat>() {
        return Ok(value.value());
    }
    value.extract::<f64>().map_err(|error| {
        if error.is_instance_of::<PyTypeError>(value.py()) {
            context.refuse("a float", value)
        } else {
            error
        }
    })
}

/// A `long double` in memory, as the nearest `double`.
///
/// # Safety
/// There is one at the address.
#[cfg(target_arch = "x86_64")]
pub unsafe fn from_long(address: usize) -> PyResult<f64> {
    let mut value = 0f64;
    // SAFETY: a `long double` lies at `address` (`# Safety`); the x87 stack is empty between calls (psABI) and is
    // emptied again.
    unsafe {
        std::arch::asm!(
            "fld tbyte ptr [{from}]",
            "fstp qword ptr [{to}]",
            from = in(reg) address,
            to = in(reg) &raw mut value,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack),
        );
    }
    Ok(value)
}

/// Writes a `long double`.
///
/// # Safety
/// 16 bytes at the address may be written.
#[cfg(target_arch = "x86_64")]
pub unsafe fn to_long(address: usize, value: f64) -> PyResult<()> {
    // SAFETY: 16 bytes at `address` may be written (`# Safety`); the x87 stack is empty between calls (psABI) and is
    // emptied again.
    unsafe {
        std::arch::asm!(
            "fld qword ptr [{from}]",
            "fstp tbyte ptr [{to}]",
            from = in(reg) &raw const value,
            to = in(reg) address,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack),
        );
    }
    Ok(())
}

/// A `long double` in memory, as the nearest `double`.
///
/// # Safety
/// None here: it is refused.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn from_long(_: usize) -> PyResult<f64> {
    Err(pyo3::exceptions::PyNotImplementedError::new_err(
        "long double is supported on x86-64 only",
    ))
}

/// Writes a `long double`.
///
/// # Safety
/// None here: it is refused.
#[cfg(not(target_arch = "x86_64"))]
pub unsafe fn to_long(_: usize, _: f64) -> PyResult<()> {
    Err(pyo3::exceptions::PyNotImplementedError::new_err(
        "long double is supported on x86-64 only",
    ))
}

/// An integer in memory as the 64 bits that pass it: a negative one is extended with its sign.
///
/// # Safety
/// There is one at the address.
#[inline]
pub unsafe fn raw_integer(scalar: Scalar, address: usize) -> u64 {
    // SAFETY: such an integer lies at `address` (`# Safety`); no read needs alignment.
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

/// A `char`, from text of one byte or from an int.
pub fn character(value: &Bound<'_, PyAny>, context: ValueContext<'_>) -> PyResult<u8> {
    let one = |bytes: &[u8]| match bytes {
        [byte] => Ok(*byte),
        _ => Err(context.wrong(format_args!(
            "takes one character of one byte, got {}",
            describe(value)
        ))),
    };
    if let Ok(text) = value.cast::<PyString>() {
        return one(text.to_cow()?.as_bytes());
    }
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return one(bytes.as_bytes());
    }
    if !value.is_instance_of::<PyInt>() {
        return Err(context.refuse("one character as str or bytes, or an int", value));
    }
    match value.extract::<i64>() {
        Ok(code @ -128..=255) => Ok(code as u8),
        _ => Err(context.overflow(value, -128, 255)),
    }
}
