//! CPython: its lock, its objects' memory layout, threads that are not its own, and types made at run time.

pub mod gil;
pub mod layout;
pub(crate) mod methods;
pub(crate) mod numpy;

pub use cuox_interpreter::{gate, guard, type_builder};
