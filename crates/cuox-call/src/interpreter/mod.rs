//! CPython: its lock, its objects' memory layout, threads that are not its own, and types made at run time.

pub mod gate;
pub mod gil;
pub mod guard;
pub mod layout;
pub(crate) mod methods;
pub(crate) mod numpy;
pub mod type_builder;
