//! Python callables that C calls.
//!
//! [`function_pointer`](function_pointer::function_pointer) gives a callable a C function pointer: the address of a `thunk.rs`. C calls the thunk, which calls
//! `service.rs`; that reads the arguments from where the ABI has them (`locations.rs`), calls the Python object and
//! stores its result. An exception that it raises is kept in `pending.rs` until the C function has returned.

pub mod function_pointer;
pub(crate) mod locations;
pub mod pending;
#[cfg(target_arch = "x86_64")]
pub(crate) mod service;
#[cfg_attr(not(target_arch = "x86_64"), path = "no_thunk.rs")]
pub(crate) mod thunk;
