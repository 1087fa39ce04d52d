//! Gang code as one function of LLVM IR, for gangs of one warp.
//!
//! What [`crate::jit::gang`] generates is translated from Cranelift's IR ([`function`], [`insts`]), and where it calls
//! wide code, that is put in place, once for each of the warp's groups. The registers of the gang, which are in memory
//! between blocks otherwise, are locals ([`locals`]), so that LLVM keeps them in the processor's registers from one
//! block to the next. They are read from memory where the function is entered, and written where it is left, as far as
//! that is needed ([`flow`]): other code, and the runtime, go on from there.

mod flow;
mod function;
mod insts;
pub mod locals;

use crate::analysis::flushing::flushes;
use crate::analysis::shape::{Shape, Warps};
use crate::ir::Terminator;
use crate::jit::emit::generator::function;
use crate::jit::gang;
use crate::jit::llvm::module::Module;
use crate::jit::plan::Plan;
use crate::passes::hot_cold::CodePart;

/// Largest number of instructions of a kernel that becomes one function. LLVM takes more time than in proportion.
const MAX_INSTS: usize = 3000;

/// Makes the plan for LLVM of a kernel for blocks of a shape: for gangs of one warp if the lanes of its halves are
/// neighbours along x and such gangs can have a function of their own.
pub fn plan(
    warps: Warps,
    shape: Shape,
    make: impl Fn(Shape) -> Result<Plan, String>,
) -> Result<Plan, String> {
    if let Ok(plan) = plan_for_warps(warps, &make)
        && let Some(module) = gang_code(&plan)
    {
        return Ok(plan.with_ir(module));
    }
    make(shape)
}

/// Makes it for gangs of one warp. That they can have a function must be known.
pub fn plan_for_warps(
    warps: Warps,
    make: impl Fn(Shape) -> Result<Plan, String>,
) -> Result<Plan, String> {
    let shape = warps.shape().ok_or("warps have lanes in several rows")?;
    let plan = make(shape)?;
    Ok(Plan {
        row: warps.row(),
        flushes: flushes(&plan.func),
        ..plan
    })
}

/// Returns the hot gang code for gangs of one warp, or `None` if the kernel has something that there is no such code
/// for.
pub fn gang_code(plan: &Plan) -> Option<Module> {
    let insts: usize = plan.func.blocks.iter().map(|b| b.insts.len()).sum();
    let cluster = |end: &Terminator| matches!(end, Terminator::Cluster { .. });
    if !plan.llvm
        || plan.partial
        || plan.threads_only
        || plan.stack_bytes != 0
        || !plan.shape.is_warp()
        || insts > MAX_INSTS
        || plan.func.blocks.iter().any(|block| cluster(&block.end))
    {
        return None;
    }
    let locals = locals::Locals::of(plan)?;
    let mut wide = Vec::new();
    let made = function(3, &plan.numbers, &mut wide, |g| {
        gang::generate(g, plan, CodePart::Hot, gang::Style::Locals)
    });
    let (func, start) = made.ok()?;
    function::module(plan, &func, &start, &wide, &locals)
}
