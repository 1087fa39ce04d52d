//! How a grid runs: typed IR, verifier, passes, interpreter, Cranelift JIT, block scheduler.

pub mod env;
pub mod fault;
mod hash;
pub mod ir;
pub mod launch;
mod lower;
mod passes;
pub mod program;
pub mod sem;
pub mod space;
mod sys;

pub use fault::{Fault, FaultKind};
pub use launch::{Engine, Host, Launch};
pub use sys::trap;
