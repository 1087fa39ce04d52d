//! Barriers that code for gangs of one warp takes all warps over ([`crate::jit::gang::rounds`]), and loops with them.
//!
//! What a warp has in locals is written to memory before it enters such a loop, so that what the loop does not change
//! is not written at each of its barriers.

use crate::analysis::loop_nest::LoopNest;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{BarrierKind, BlockId, Operand, Reg, Terminator};
use crate::jit::plan::Plan;

/// Tells whether code for gangs of one warp can take all warps over the barrier that a block ends with.
pub(crate) fn can_have_round(plan: &Plan, id: BlockId) -> bool {
    let Terminator::Barrier {
        kind,
        id: Operand::Imm(0..16),
        count: None,
        pred,
        dst,
        ..
    } = plan.func.blocks[id.index()].end
    else {
        return false;
    };
    kind != BarrierKind::Arrive && reduces(plan, pred, dst)
}

/// Tells whether code can count the lanes for which a barrier's predicate holds, and store the result.
pub(crate) fn reduces(plan: &Plan, pred: Option<Operand>, dst: Option<Reg>) -> bool {
    let home = |reg| plan.layout.home(reg);
    let counts = pred.and_then(Operand::reg).is_none_or(|reg| {
        let by_lane = home(reg).is_some_and(|home| home.uniformity == Uniformity::Varying);
        by_lane || plan.uniformity.of(reg).is_one_per_gang()
    });
    let to = dst.and_then(home);
    counts && to.is_none_or(|to| to.uniformity == Uniformity::Uniform)
}

/// The loops of a plan with such barriers.
pub(crate) struct BarrierLoops {
    nest: LoopNest,
    /// For each block, whether such a loop begins there.
    headers: Vec<bool>,
}

impl BarrierLoops {
    pub fn new(plan: &Plan) -> BarrierLoops {
        let nest = LoopNest::new(&plan.func);
        let mut headers = vec![false; plan.func.blocks.len()];
        for block in (0..plan.func.blocks.len() as u32).map(BlockId) {
            if can_have_round(plan, block) {
                let around = nest.path(block.0);
                around.iter().for_each(|&at| headers[at as usize] = true);
            }
        }
        BarrierLoops { nest, headers }
    }

    /// Tells whether the way from the end of one block to another enters such a loop.
    pub fn enters(&self, plan: &Plan, from: BlockId, to: BlockId) -> bool {
        // A masked copy may be entered from within a block, with the values of its start.
        let is_copy = match plan.func.blocks[from.index()].end {
            Terminator::Branch {
                then, other, mixed, ..
            } => mixed == Some(to) && ![then, other].contains(&to),
            _ => false,
        };
        self.headers[to.index()]
            && !is_copy
            && plan.group_loops[from.index()].is_none()
            && !self.nest.path(from.0).contains(&to.0)
    }
}
