//! Call plans for C libraries: reads a C header with libclang and decides for each function how Python calls it.
//! Nothing here knows Python objects: the crate `cuox-call` turns plans into callables.
//!
//! * [`decl`]: the declarations of a header (functions, records, enumerations, typedefs, constants), as plain data that
//!   can be kept in a file ([`decl::file`]), so that users of a binding need no libclang.
//! * [`clang`]: reading headers with libclang, and a cache of read ones.
//! * [`plan`]: the plan of each function: parameters that are taken, outputs, owners, statuses. Guessed from types and
//!   names, overridden by rules; each choice carries its origin.
//! * [`rules`]: rules files (TOML) and SWIG interface files.
//! * `policy`: choices that both rules and plans express, such as the treatment of the interpreter's lock.
//! * [`write`](mod@write): a binding as a Python module and its stub.
//! * `name_pattern`, `words`: patterns for names, and names as words.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod clang;
pub mod decl;
mod name_pattern;
pub mod plan;
mod policy;
pub mod rules;
mod words;
pub mod write;
