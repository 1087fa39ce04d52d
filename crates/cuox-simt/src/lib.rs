//! How a grid runs: typed IR, verifier, passes, interpreter, Cranelift JIT, block scheduler.

mod clock;
pub mod env;
pub mod fault;
mod grid;
mod hash;
pub mod interp;
pub mod ir;
pub mod jit;
pub mod launch;
mod lower;
mod module;
mod passes;
mod pool;
pub mod program;
pub mod sem;
pub mod space;
mod sys;
mod syscall;
pub mod verify;
mod window;

pub use cuox_ptx::diagnostic::Diagnostics;
pub use fault::{Fault, FaultKind};
pub use launch::{Engine, Host, Launch};
pub use module::{Kernel, LoadError, Module};
pub use pool::workers;
pub use program::{KernelInfo, ParamInfo, Program, Target, VarSpace, Variable};
pub use sys::trap;
