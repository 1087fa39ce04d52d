//! A shared library with a plan: names become callables, classes and constants when they are first asked for.

pub mod bound;
mod class_cache;
pub mod classes;
mod lookup;
pub mod signatures;
pub mod symbols;
mod variables;

pub use bound::{BoundLibrary, FieldRules, Hooks, Item, Refusal};
pub use classes::{float, integer};
pub use signatures::object;
pub use symbols::{CallableSymbols, Libraries, Symbols};
