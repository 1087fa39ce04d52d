//! A call that is being put together: values, storage, and what is held.

use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::callable::{CFunctionObject, Callable};
use crate::convert::memory::ArgumentHold;
use crate::generic::bind_arguments::BoundArguments;
use crate::types::object::CObject;
use crate::types::scalar::Scalar;

/// The state of a call before C runs.
pub struct PreparedCall<'a, 'g, 'py> {
    pub py: Python<'py>,
    pub owner: *mut CFunctionObject,
    pub callable: &'a Callable,
    pub given: &'a BoundArguments<'g, 'py>,
    pub values: SmallVec<[PassedValue; 8]>,
    /// The number of bytes of memory or text behind each argument, if known; empty if no parameter depends on one.
    pub extents: SmallVec<[Option<usize>; 8]>,
    pub storage: SmallVec<[u128; 8]>,
    pub holds: SmallVec<[ArgumentHold; 4]>,
    pub consumed: SmallVec<[*mut CObject; 1]>,
    pub buffers: Vec<(usize, Vec<u8>)>,
}

/// A value as it is passed to C.
#[derive(Clone, Copy)]
pub enum PassedValue {
    Integer(u64),
    Vector(u64),
    Wide([u64; 2]),
    Long([u64; 2]),
    /// The bytes of a record that an argument owns.
    Record(*const u8),
}

impl PassedValue {
    #[inline]
    pub fn scalar(scalar: Scalar, bits: u128) -> Self {
        let words = [bits as u64, (bits >> 64) as u64];
        match scalar {
            Scalar::F32 | Scalar::F64 => Self::Vector(bits as u64),
            Scalar::Long => Self::Long(words),
            Scalar::I128 | Scalar::U128 => Self::Wide(words),
            _ => Self::Integer(bits as u64),
        }
    }
}
