//! Machine code for callables.
//!
//! A signature's [`Shape`](shape::Shape) is all that its code depends on; callables of one shape share theirs, which is made when the first of
//! them needs it and stays as long as the process. All that differs (address, classes, constants) is read from the function's `self`.
//!
//! [`dispatch`] makes callables and says which code makes their calls. [`compiler`] has the code of each shape, in memory of an [`arena`]. A function is made by
//! [`function`] with a [`builder`]: [`unbox`] reads the arguments, [`arg_registers`] places them, [`c_call`] calls C, [`boxing`] makes objects, and
//! [`return_value`] puts them together. [`runtime`] has the functions that generated code calls.

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
