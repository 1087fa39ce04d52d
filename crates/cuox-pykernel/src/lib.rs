//! Python functions as CUDA C++.
//!
//! | | |
//! |---|---|
//! | [`ast`] | the tree of a Python function |
//! | [`host`] | what the function's names mean in the program around it |
//! | [`collective`] | operations of all threads of a block or warp |
//! | [`types`] | the types of values, their codes, the rules of results |
//! | [`diagnostic`] | messages about the user's function |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

#[allow(
    missing_docs,
    reason = "the parts of Python's tree have Python's names"
)]
pub mod ast;
mod builtins;
mod code;
pub mod collective;
mod compile;
mod compiled;
mod constant_array;
pub mod diagnostic;
pub mod host;
mod infer;
mod operand;
mod prelude;
mod record;
#[allow(missing_docs, reason = "NumPy's types by their names")]
pub mod types;

pub use builtins::documented;
pub use compile::compile;
pub use compiled::{
    Breakpoints, Compiled, DeviceForm, DeviceFunction, Exception, Launch, Options, RAISED, Warning,
};
