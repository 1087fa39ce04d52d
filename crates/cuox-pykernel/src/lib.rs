//! Python functions as CUDA C++.
//!
//! | | |
//! |---|---|
//! | [`ast`] | the tree of a Python function |
//! | [`host`] | what the function's names mean in the program around it |
//! | [`types`] | the types of values, their codes, the rules of results |
//! | [`diagnostic`] | messages about the user's function |

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod ast;
pub mod diagnostic;
pub mod host;
pub mod types;
