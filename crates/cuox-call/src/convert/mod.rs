//! From Python values to C values, with every rule and every error.
//!
//! Generated code reads what is of the usual kind in place; for all else, and for what is wrong, it comes here.

pub mod error;
pub mod memory;
pub mod number;
pub mod sequence;
pub mod text;

pub use error::{Site, call_error, set_call_error};
