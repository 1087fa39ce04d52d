//! How a grid runs: typed IR, verifier, passes, interpreter, Cranelift JIT, block scheduler.

pub mod env;
pub mod fault;
pub mod interp;
pub mod ir;
pub mod launch;
pub mod sem;
pub mod space;
mod sys;
pub mod verify;

pub use fault::{Fault, FaultKind};
pub use launch::{Engine, Host, Launch};
pub use sys::trap;
