//! Complex numbers: records of two numbers in C's calling convention, `complex` in Python.

use pyo3::prelude::*;
use pyo3::types::{PyComplex, PyComplexMethods, PyFloat, PyInt};

use crate::types::scalar::Scalar;

/// The complex number of two such scalars.
///
/// # Safety
/// Two of them lie at the address.
pub unsafe fn read<'py>(py: Python<'py>, part: Scalar, address: usize) -> Bound<'py, PyAny> {
    // SAFETY: two of them lie there (`# Safety`); no read needs alignment.
    let (real, imaginary) = unsafe {
        match part {
            Scalar::F32 => {
                let at = address as *const f32;
                let (a, b) = (at.read_unaligned(), at.add(1).read_unaligned());
                (f64::from(a), f64::from(b))
            }
            _ => {
                let at = address as *const f64;
                (at.read_unaligned(), at.add(1).read_unaligned())
            }
        }
    };
    PyComplex::from_doubles(py, real, imaginary).into_any()
}

/// Writes a complex number; `None` for a value that is none.
///
/// # Safety
/// There is room for two such scalars at the address.
pub unsafe fn write(
    part: Scalar,
    address: usize,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<()>> {
    let py = value.py();
    let made;
    let number = match value.cast::<PyComplex>() {
        Ok(number) => number,
        Err(_) => {
            let real = value.is_instance_of::<PyFloat>() || value.is_instance_of::<PyInt>();
            let convertible = real
                || value
                    .getattr_opt(pyo3::intern!(py, "__complex__"))?
                    .is_some();
            if !convertible {
                return Ok(None);
            }
            made = py
                .get_type::<PyComplex>()
                .call1((value,))?
                .cast_into::<PyComplex>()?;
            &made
        }
    };
    let parts = [number.real(), number.imag()];
    for (index, number) in parts.into_iter().enumerate() {
        // SAFETY: there is room for two of them (`# Safety`); no write needs alignment.
        unsafe {
            match part {
                Scalar::F32 => (address as *mut f32)
                    .add(index)
                    .write_unaligned(number as f32),
                _ => (address as *mut f64).add(index).write_unaligned(number),
            }
        }
    }
    Ok(Some(()))
}
