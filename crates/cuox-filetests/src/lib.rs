//! Tests that are files: PTX with comments that name its inputs, its launches and the expected results.
//!
//! * [`directives`]: the comments; [`values`]: the lists of numbers in them; [`image`]: textures and surfaces of a
//!   directive.
//! * [`buffer`]: device memory for one launch, with inaccessible pages around every buffer.
//! * [`run`]: runs a file in every engine and block shape that it asks for, and compares.
//! * [`error`]: compares diagnostics.
//! * [`random`]: random kernels, and those that were recorded on a GPU.
//! * [`fuzz`]: the fuzzers' targets, and damage to inputs.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod buffer;
pub mod directives;
pub mod error;
pub mod fuzz;
pub mod image;
pub mod launches;
pub mod random;
pub mod run;
pub mod tensor;
pub mod values;

use cuox_simt::Engine;

/// All engines that can run here: LLVM's too where there is an LLVM (`CUOX_LLVM`).
pub fn engines() -> Vec<Engine> {
    let mut engines = vec![Engine::Interpreter, Engine::Jit, Engine::JitNarrow];
    if cuox_simt::jit::has_llvm().is_ok() {
        engines.push(Engine::Llvm);
    }
    engines
}

/// The JIT that has its turn: kernels share them out by their seeds. `CUOX_TEST_ENGINE=llvm` has LLVM's all.
pub fn jit_for(seed: u64) -> Engine {
    let all = std::env::var("CUOX_TEST_ENGINE").is_ok_and(|name| name == "llvm");
    let has_llvm = cuox_simt::jit::has_llvm().is_ok();
    match seed % 4 {
        _ if all && has_llvm => Engine::Llvm,
        0 => Engine::JitNarrow,
        2 if has_llvm => Engine::Llvm,
        _ => Engine::Jit,
    }
}

/// How much of their large sets the tests take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Size {
    /// A few of each kind: `CUOX_TESTS=few`, as `make quick` sets it.
    Few,
    /// Some of each kind.
    Some,
    /// All: `CUOX_TESTS=all`, as `make test-all` sets it.
    All,
}

impl Size {
    /// What `CUOX_TESTS` says.
    pub fn get() -> Size {
        match std::env::var("CUOX_TESTS").as_deref() {
            Ok("all") => Size::All,
            Ok("few") => Size::Few,
            _ => Size::Some,
        }
    }

    /// Returns the one of three values that is for this size.
    pub fn of<T>(self, few: T, some: T, all: T) -> T {
        match self {
            Size::Few => few,
            Size::Some => some,
            Size::All => all,
        }
    }
}
