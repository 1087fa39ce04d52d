//! C libraries from Python: the crate `cuox-call`, as classes and functions of `cuox._native`.
//!
//! | | |
//! |---|---|
//! | `binding` | `Binding`: a header with its plan |
//! | `library` | `Library`: functions, classes and constants as attributes; `Symbols` |
//! | `callable` | callables from signatures that Python writes down: tests, and `cuox.load` without a header |
//! | `classes` | classes of C values that Python writes down: tests |

pub mod binding;
pub mod callable;
pub mod classes;
pub mod library;
