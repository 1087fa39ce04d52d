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
use crate::jit::avx512::WideCode;
use crate::jit::emit::generator::{Gen, function};
use crate::jit::gang;
use crate::jit::llvm::module::Module;
use crate::jit::plan::Plan;
use crate::passes::hot_cold::CodePart;

/// Largest number of instructions of a kernel that becomes one function. LLVM takes more time than in proportion.
const MAX_INSTS: usize = 3000;

/// Makes the plan for LLVM of a kernel for blocks of a shape: for gangs of one warp if the lanes of its halves are
/// neighbours along x and such gangs can have a function of their own. `make` is told whether gangs may have a partial
/// warp, as they can if all of their code is wide.
pub fn plan(
    warps: Warps,
    shape: Shape,
    make: impl Fn(Shape, bool) -> Result<Plan, String>,
) -> Result<Plan, String> {
    for partial in [true, false] {
        let Ok(plan) = plan_for_warps(warps, |shape| make(shape, partial)) else {
            break;
        };
        let partial = plan.partial;
        if (!partial || is_wide(&plan, CodePart::Cold))
            && let Some(module) = gang_code(&plan)
        {
            return Ok(plan.with_ir(module));
        }
        if !partial {
            break;
        }
    }
    let plan = make(shape, true)?;
    let mut parts = [CodePart::Hot, CodePart::Cold].into_iter();
    match !plan.partial || parts.all(|part| is_wide(&plan, part)) {
        true => Ok(plan),
        false => make(shape, false),
    }
}

/// Tells whether gang code that is not a function of a warp can be made of a plan, with wide code where it must be.
fn is_wide(plan: &Plan, part: CodePart) -> bool {
    if part == CodePart::Cold && !plan.has_cold() {
        return true;
    }
    let mut wide = Vec::new();
    let generate = |g: &mut Gen| gang::generate(g, plan, part, gang::Style::Memory);
    let made = function(3, &plan.numbers, &mut wide, generate);
    made.is_ok()
        && wide.iter().all(|code| match code {
            WideCode::Machine(_) => true,
            WideCode::Llvm(source) => source.module().is_some(),
        })
}

/// Makes it for gangs of one warp. That they can have a function must be known.
pub fn plan_for_warps(
    warps: Warps,
    make: impl FnOnce(Shape) -> Result<Plan, String>,
) -> Result<Plan, String> {
    let shape = warps.shape().ok_or("warps have lanes in several rows")?;
    let plan = make(shape)?;
    Ok(Plan {
        row: warps.row(),
        half: warps == Warps::Half && plan.partial,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::jit::plan::Maker;
    use crate::launch::MIN_STACK;

    #[test]
    fn a_last_warp_may_lack_threads_where_nothing_needs_all_of_a_warp() {
        for (body, may) in [
            ("add.u32 %r1, %r0, 1; bar.sync 0;", true),
            (
                "shfl.sync.bfly.b32 %r1, %r0, 1, 31, 0xffffffff; bar.sync 0;",
                false,
            ),
        ] {
            let text = format!(
                ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) {{ .reg .b32 %r<4>; \
                .reg .b64 %d; mov.u32 %r0, %tid.x; {body} ld.param.u64 %d, [p]; st.global.u32 [%d], %r1; ret; }}"
            );
            let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
            let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
            for (threads, partial) in [(16, true), (32, false), (48, true)] {
                let make = |shape, allowed| {
                    let partial = partial && allowed;
                    Plan::with_stack(&unit, shape, 64, partial, 8, Maker::Llvm, MIN_STACK)
                };
                let plan = plan(Warps::of([threads, 1, 1]), Shape::Line, make).expect("a plan");
                assert_eq!(plan.partial, partial && may, "{threads} threads: {body}");
                assert_eq!(plan.half, threads == 16 && may, "{threads} threads: {body}");
                assert!(plan.shape.is_warp(), "{threads} threads: {body}");
            }
        }
    }
}
