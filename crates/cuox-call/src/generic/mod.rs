//! The generic call path: calls without code made at run time.
//!
//! One function makes every call: it sorts the arguments (`bind_arguments.rs`), converts them (`convert_arguments`,
//! with [`convert`](crate::convert)), calls C through a trampoline (`sysv.rs`) and makes Python objects of what C
//! returns (`results.rs`). Generated code falls back to it as soon as an argument is not of the usual type, so all
//! errors and all rules are here. Alone it serves where memory cannot be made executable, and for signatures that
//! generated code does not cover.

mod bind_arguments;
mod call;
mod convert_arguments;
pub(crate) mod entry;
mod prepared;
pub(crate) mod results;
mod sysv;
mod variadic;
