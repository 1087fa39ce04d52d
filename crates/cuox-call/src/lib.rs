//! Python callables for C functions: from a call plan to machine code that CPython can call.
//!
//! Rooms, from the lowest up; each imports only from those above it in this list.
//!
//! 1. [`errors`]: the texts of errors.
//! 2. [`types`]: C types, classes and values as data.
//! 3. [`signature`]: signatures of C functions, the last form of a call plan.
//! 4. [`interpreter`]: CPython: its lock, its objects' memory layout, foreign threads, heap types. [`dlpack`]: capsules
//!    in which array libraries exchange memory.
//! 5. [`objects`]: objects of C values: their life, and reading and writing C memory. [`callbacks`]: Python callables
//!    that C calls.
//! 6. [`convert`]: from Python arguments to C values, with all rules and all error texts.
//! 7. [`callable`] and [`mode`]: the object behind a callable, and the way in which its calls are made.
//! 8. [`generic`]: the generic call path, which makes no machine code.
//! 9. [`compile`]: machine code for a signature's shape (Cranelift).
//! 10. [`kinds`]: the Python classes: handles, records, arrays, pointers, callbacks.
//! 11. [`library`]: a shared library with a plan: names become callables, classes and constants when they are first
//!     asked for.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod callable;
pub mod callbacks;
pub mod compile;
pub mod convert;
pub mod errors;
pub mod generic;
pub mod interpreter;
pub mod kinds;
pub mod library;
pub mod mode;
pub mod objects;
pub mod signature;
pub mod types;

pub use cuox_interpreter::dlpack;
pub use interpreter::{gate, gil, layout};
