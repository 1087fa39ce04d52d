//! Machine code for callables.
//!
//! A signature's `Shape` is all that its code depends on; callables of one shape share theirs, which is made when the
//! first of them needs it and stays as long as the process. All that differs (address, classes, constants) is read from
//! the function's `self`.
//!
//! `dispatch.rs` makes callables and says which code makes their calls. `compiler.rs` has the code of each shape, in
//! memory of an `arena.rs`. A function is made by `function.rs` with a `builder.rs`: `unbox.rs` reads the arguments,
//! `arg_registers.rs` places them, `c_call.rs` calls C, `boxing.rs` makes objects, and `return_value.rs` puts them
//! together. `runtime.rs` has the functions that generated code calls.

mod arena;
mod arg_registers;
mod boxing;
mod builder;
mod c_call;
mod compiler;
mod dispatch;
mod function;
mod return_value;
mod runtime;
mod shape;
mod unbox;

pub use dispatch::callable;
