//! Further arguments of variadic functions.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyString};
use smallvec::SmallVec;

use super::sysv::Arguments;
use crate::convert::memory::{self, Hold, Target};
use crate::convert::{Site, number, text};
use crate::signature::{Element, Scalar};

/// Passes an argument as C's default promotions have it; `whole` is the function's name for errors. What
/// must live as long as the call goes to `holds`.
pub fn pass(
    whole: &str,
    arguments: &mut Arguments,
    index: usize,
    value: &Bound<'_, PyAny>,
    holds: &mut SmallVec<[Hold; 4]>,
) -> PyResult<()> {
    if value.is_exact_instance_of::<PyInt>() {
        let mut overflow = 0;
        // SAFETY: an int.
        let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &mut overflow) };
        if overflow == 0 {
            arguments.integer(number as u64);
            return Ok(());
        }
    } else if let Ok(float) = value.cast_exact::<PyFloat>() {
        arguments.vector(float.value().to_bits());
        return Ok(());
    }
    let name = format!("...[{index}]");
    let site = Site {
        whole,
        what: "argument",
        name: &name,
        c_type: "",
        whole_floats: false,
    };
    let value = &match simple_ctypes(value)? {
        Some(inner) => inner,
        None => value.clone(),
    };
    if let Ok(float) = value.cast::<PyFloat>() {
        arguments.vector(float.value().to_bits());
    } else if value.is_instance_of::<PyInt>() {
        let bits = number::scalar(site, Scalar::I64, value)
            .or_else(|_| number::scalar(site, Scalar::U64, value))?;
        arguments.integer(bits as u64);
    } else if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        if let Some(found) = text::text(site, value)? {
            arguments.integer(found.address as u64);
            holds.push(Hold::Object(found.object.unbind()));
        }
    } else {
        let target = Target {
            element: &Element::Untyped,
            writable: false,
            nullable: true,
        };
        let found = memory::memory(site, target, value)?;
        arguments.integer(found.address);
        holds.push(found.hold);
        holds.push(Hold::Object(value.clone().unbind()));
    }
    Ok(())
}

/// The value of a `ctypes` scalar, such as `c_int(3)`.
fn simple_ctypes<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = value.py();
    let class = value.get_type();
    if class.module().is_ok_and(|module| module == "ctypes") {
        return value.getattr_opt(pyo3::intern!(py, "value"));
    }
    Ok(None)
}
