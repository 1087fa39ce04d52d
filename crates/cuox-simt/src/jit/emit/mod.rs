//! Code for single operations through Cranelift, for one thread or for four neighbouring ones: shared by gang and thread mode.
//!
//! [`value`] has the values, [`ops`] the pure operations (one family a file), [`memory`] and [`image`] the accesses, [`call`] calls. [`sfu`] has the
//! steps of the special function unit for every kind of vector, AVX-512's included.

pub(crate) mod call;
pub(crate) mod generator;
pub(crate) mod image;
pub(crate) mod memory;
pub(crate) mod ops;
pub(crate) mod sfu;
pub(crate) mod value;
