//! From a C header to call plans.
//!
//! [`decl`] is what a header declares: functions, records, enumerations, typedefs, constants. It comes from libclang
//! ([`clang`]) or from a file that somebody made earlier ([`decl::file`]), so that users of a binding need no libclang.
//!
//! [`plan`] says how a declared function is called from Python: which parameters are taken, which are filled and
//! returned, what owns what, what a status means. A plan is guessed from types and names and overridden by
//! [`rules`] (a rules file or a SWIG interface file); each part of it says where it came from.
//!
//! Nothing here knows Python: the crate `cuox-call` turns plans into callables, and [`write`](mod@write) into a module's text.

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
