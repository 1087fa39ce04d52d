//! The memory layout of NumPy's ndarray, probed on live arrays.

use crate::interpreter::layout::at;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::interpreter::layout::TYPE;
use crate::types::scalar::Scalar;

/// NumPy's ndarray: where its struct has what generated code reads.
pub mod ndarray {
    /// The data's address.
    pub const DATA: i32 = 16;
    /// The count of dimensions: 32 bits.
    pub const DIMENSIONS: i32 = 24;
    /// The address of the extents.
    pub const SHAPE: i32 = 32;
    /// The dtype.
    pub const DTYPE: i32 = 56;
    /// Flags: 32 bits.
    pub const FLAGS: i32 = 64;
    /// The flag of a C-contiguous array.
    pub const CONTIGUOUS: u32 = 0x1;
    /// The flag of an aligned one.
    pub const ALIGNED: u32 = 0x100;
    /// The flag of a writable one.
    pub const WRITABLE: u32 = 0x400;
}

/// The type `numpy.ndarray`, once NumPy has been seen and its struct is as known; 0 before. Generated code reads it.
pub static NDARRAY: AtomicUsize = AtomicUsize::new(0);

/// The dtypes of scalars, by [`dtype_index`]. Generated code reads them.
pub static DTYPES: [AtomicUsize; 15] = [const { AtomicUsize::new(0) }; 15];

/// The scalars that have a dtype in [`DTYPES`], but for pointers, which have that of [`Scalar::U64`]; those of most
/// arrays first.
pub const SCALARS: [Scalar; 11] = [
    Scalar::F32,
    Scalar::U8,
    Scalar::F64,
    Scalar::I32,
    Scalar::I64,
    Scalar::Bool,
    Scalar::I8,
    Scalar::I16,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
];

/// The index of a scalar's dtype in [`DTYPES`].
pub const fn dtype_index(scalar: Scalar) -> usize {
    scalar as usize
}

/// Probes NumPy when an array is first passed. NumPy is not imported for this.
#[inline]
pub fn learn_numpy(value: &Bound<'_, PyAny>) {
    static TRIED: OnceLock<()> = OnceLock::new();
    if NDARRAY.load(Ordering::Relaxed) != 0 || TRIED.get().is_some() {
        return;
    }
    let class = value.get_type();
    let numpy = class.name().is_ok_and(|name| name == "ndarray")
        && class.module().is_ok_and(|name| name == "numpy");
    if !numpy || TRIED.set(()).is_err() {
        return;
    }
    // After an error here NumPy's arrays are read through the buffer protocol.
    let _ = probe_numpy(value.py());
}

fn probe_numpy(py: Python<'_>) -> PyResult<()> {
    let numpy = py.import("numpy")?;
    let class = numpy.getattr("ndarray")?;
    let zeros = |dtype: &Bound<'_, PyAny>| {
        let options = PyDict::new(py);
        options.set_item("dtype", dtype)?;
        numpy.call_method("zeros", ((2, 3),), Some(&options))
    };
    let mut found = Vec::new();
    for scalar in SCALARS {
        let dtype = numpy.call_method1("dtype", (scalar.element_name(),))?;
        let array = zeros(&dtype)?;
        let address: usize = array.getattr("ctypes")?.getattr("data")?.extract()?;
        let all = ndarray::CONTIGUOUS | ndarray::ALIGNED | ndarray::WRITABLE;
        // SAFETY: an ndarray has more than 68 bytes; its shape has as many words as it has dimensions.
        let same = unsafe {
            let object = array.as_ptr();
            at::<usize>(object, TYPE) == class.as_ptr() as usize
                && at::<usize>(object, ndarray::DATA) == address
                && at::<usize>(object, ndarray::DTYPE) == dtype.as_ptr() as usize
                && at::<u32>(object, ndarray::FLAGS) & all == all
                && at::<i32>(object, ndarray::DIMENSIONS) == 2
                && at::<*const [isize; 2]>(object, ndarray::SHAPE).read() == [2, 3]
        };
        if !same {
            return Ok(());
        }
        found.push((scalar, dtype.unbind()));
    }
    let base = zeros(found[0].1.bind(py))?;
    let column = base.get_item((pyo3::types::PySlice::full(py), 1))?;
    let locked = zeros(found[0].1.bind(py))?;
    let options = PyDict::new(py);
    options.set_item("write", false)?;
    locked.call_method("setflags", (), Some(&options))?;
    // SAFETY: both are ndarrays, whose struct has more than 68 bytes.
    let told = unsafe {
        at::<u32>(column.as_ptr(), ndarray::FLAGS) & ndarray::CONTIGUOUS == 0
            && at::<u32>(locked.as_ptr(), ndarray::FLAGS) & ndarray::WRITABLE == 0
    };
    if told {
        for (scalar, dtype) in found {
            // Generated code compares with the dtype's address from here on, so it is never freed.
            DTYPES[dtype_index(scalar)].store(dtype.into_ptr() as usize, Ordering::Relaxed);
        }
        let pointers = DTYPES[dtype_index(Scalar::U64)].load(Ordering::Relaxed);
        DTYPES[dtype_index(Scalar::Pointer)].store(pointers, Ordering::Relaxed);
        NDARRAY.store(class.unbind().into_ptr() as usize, Ordering::Relaxed);
    }
    Ok(())
}
