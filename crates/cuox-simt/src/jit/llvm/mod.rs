//! The lane phase of gang mode through LLVM: wide code ([`crate::jit::avx512`]) for processors with any vectors.
//!
//! A block's wide code is instructions over vectors of sixteen lanes ([`crate::jit::avx512::vcode`]). [`body`] turns
//! them into a function of LLVM IR that loops over a gang's groups ([`group_loop`]: and around in each), with
//! [`vector`], [`floats`], [`directed`], [`memory`] and [`ranges`] for what each instruction means; [`text`] is that
//! function's text. LLVM runs in a process of its own, `cuox-llvm` ([`child`]), with an LLVM that is installed, and
//! gives back an object; [`elf`] takes the function out of it. A block with an instruction that has no equal here keeps
//! the narrow loop.

pub(crate) mod body;
pub(crate) mod child;
mod directed;
mod elf;
mod floats;
pub(crate) mod group_loop;
mod late_nans;
mod linear;
mod memory;
pub(crate) mod module;
mod ranges;
mod text;
mod vector;
pub(crate) mod warp;

use crate::jit::code::routine::Routine;
use crate::jit::llvm::module::Module;

/// Compiles a function.
pub fn compile(module: &Module) -> Result<Routine, String> {
    let object = child::get()?.compile(&module.text)?;
    elf::routine(&object, &module.symbols)
}

/// Tells whether there is an LLVM, and if not why.
pub fn available() -> Result<(), String> {
    child::get().map(drop)
}

/// What the code that LLVM makes depends on, besides its input.
pub fn describe() -> String {
    match child::get() {
        Ok(child) => format!("{} {} {}", child.version, child.cpu, child.features),
        Err(_) => "no LLVM".to_owned(),
    }
}
