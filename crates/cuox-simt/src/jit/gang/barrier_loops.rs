//! Loops with barriers that code takes all warps over: what a warp has in locals is written to memory before it enters
//! one, so that what the loop does not change is not written at each of its barriers.

use crate::analysis::loop_nest::LoopNest;
use crate::ir::{BlockId, Terminator};
use crate::jit::gang::rounds::can_have_round;
use crate::jit::plan::Plan;

/// The loops of a plan with such barriers.
pub(crate) struct BarrierLoops {
    nest: LoopNest,
    /// For each block, whether such a loop begins there.
    headers: Vec<bool>,
    /// For each block, whether it is a loop within groups of lanes.
    group_loops: Vec<bool>,
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
        BarrierLoops {
            nest,
            headers,
            group_loops: plan.group_loops.iter().map(Option::is_some).collect(),
        }
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
            && !self.group_loops[from.index()]
            && !self.nest.path(from.0).contains(&to.0)
    }
}
