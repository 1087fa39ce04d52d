//! The execution of grids: typed IR, verifier, passes, interpreter, Cranelift JIT, block scheduler.

// No kernel, whatever it contains, may bring down the process that launches it.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub(crate) mod analysis;
mod clock;
pub mod env;
pub mod fault;
pub mod free_ranges;
mod grid;
pub mod image;
pub mod interp;
pub mod ir;
pub mod jit;
pub mod launch;
mod lower;
pub mod memcheck;
mod module;
mod passes;
mod places;
mod pool;
pub mod program;
pub mod sem;
pub mod space;
pub mod spin;
mod sys;
mod syscall;
pub mod tensor_map;
mod tier;
pub mod verify;
mod window;

pub use cuox_ptx::demangle;
pub use cuox_ptx::diagnostic::Diagnostics;
pub use fault::{Fault, FaultKind};
pub use ir::RuntimeCall;
pub use launch::{Breakpoint, Engine, Host, Launch, Resume};
pub use module::{Kernel, LoadError, Module};
pub use pool::multiprocessors;
pub use program::{KernelInfo, ParamInfo, Program, Target, VarSpace, Variable};
pub use sys::trap;

/// Compiles a small kernel to machine code, so that the compiler's code is in memory and in the processor's caches
/// when a user's first kernel is compiled. Takes some milliseconds; call it on a separate thread.
pub fn warm_up() {
    pool::start();
    let Ok(program) = Program::from_ptx(include_str!("warm_up.ptx")) else {
        return;
    };
    let Ok(unit) = program.lower("warm_up") else {
        return;
    };
    let bytes = program.kernel_info("warm_up").map_or(0, |k| k.param_bytes);
    let block = [256, 1, 1];
    let shape = jit::Shape::of(block, false, jit::has_wide());
    // The result is not used.
    let _ = jit::Plan::new(&unit, shape, 256, false, bytes, jit::has_wide()).map(|plan| {
        jit::Compiled::new(plan, &jit::cache::Cache::Off)
            .prepare(256)
            .is_ok()
    });
}
