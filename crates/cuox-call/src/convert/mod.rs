//! From Python values to C values, with every rule and every error.
//!
//! Generated code reads arguments of the usual types in place. All others, and all that are wrong, are converted here.

pub mod memory;
pub mod number;
pub(crate) mod sequence;
pub(crate) mod text;
