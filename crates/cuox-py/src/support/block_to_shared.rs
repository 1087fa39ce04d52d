//! Functions of C that say how much dynamic shared memory a block of some size needs: `CUoccupancyB2DSize`.

use std::ffi::c_int;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyInt;

use crate::support::{names, plain_args};

/// A function of C: threads of a block to bytes.
pub type BlockToShared = unsafe extern "C" fn(c_int) -> usize;

/// What the argument of that name is: bytes, or such a function.
pub enum SharedOfBlock {
    Bytes(usize),
    Function(BlockToShared),
}

/// Reads an argument. `CUoccupancyB2DSize(address)` and `CUoccupancyB2DSize(_ptr=address)` are both in use for a
/// function's address: whichever of the two is that of code is it.
pub fn read(name: &str, object: &Bound<'_, PyAny>) -> PyResult<SharedOfBlock> {
    if object.is_instance_of::<PyInt>() || !object.hasattr("getPtr")? {
        if !object.hasattr("__index__")? {
            return Err(PyTypeError::new_err(format!(
                "{name}: expected a number of bytes, or a CUoccupancyB2DSize, got {}",
                names::type_name(object)
            )));
        }
        return plain_args::count(name, object).map(SharedOfBlock::Bytes);
    }
    let code = code_ranges();
    let is_code = |at: usize| code.iter().any(|&(from, to)| (from..to).contains(&at));
    let mut at: usize = object.call_method0("getPtr")?.extract()?;
    if !is_code(at) {
        at = object.call_method0("__int__")?.extract()?;
    }
    if !is_code(at) {
        return Err(PyValueError::new_err(format!(
            "{name}: there is no function at {at:#x}"
        )));
    }
    // SAFETY: it is an address in code, and the caller's promise is that it is such a function.
    Ok(SharedOfBlock::Function(unsafe {
        std::mem::transmute::<usize, BlockToShared>(at)
    }))
}

/// The addresses of this process that have code.
fn code_ranges() -> Vec<(usize, usize)> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let range = |line: &str| {
        let (at, rest) = line.split_once(' ')?;
        let (from, to) = at.split_once('-')?;
        let number = |text| usize::from_str_radix(text, 16).ok();
        rest.as_bytes()
            .get(2)
            .is_some_and(|&x| x == b'x')
            .then_some((number(from)?, number(to)?))
    };
    maps.lines().filter_map(range).collect()
}
