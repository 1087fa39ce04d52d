//! Emission of single operations through Cranelift, for one thread or for four neighbouring ones. Gang and thread mode
//! share it.
//!
//! [`value`] represents values, [`ops`] emits pure operations (one file per family), [`memory`] and [`image`] emit accesses,
//! [`call`] emits calls, [`generator`] drives the generation of a function. [`sfu`] has the SFU algorithms, generic over the kind
//! of vector, AVX-512's included.

pub(crate) mod call;
pub(crate) mod checks;
pub(crate) mod generator;
pub(crate) mod image;
pub(crate) mod memory;
pub(crate) mod ops;
pub(crate) mod sfu;
pub(crate) mod value;
