//! Barriers that code for gangs of one warp takes all warps over ([`crate::jit::gang::rounds`]), and loops with them.
//!
//! What a warp has in locals is written to memory before it enters such a loop, so that what the loop does not change
//! is not written at each of its barriers. What lies between two barriers is a loop over the warps.

use crate::analysis::loop_nest::LoopNest;
use crate::analysis::uniformity::Uniformity;
use crate::ir::{BarrierKind, BlockId, Operand, Reg, Terminator};
use crate::jit::plan::Plan;

/// Tells whether code for gangs of one warp can take all warps over the barrier that a block ends with.
pub(crate) fn can_have_round(plan: &Plan, id: BlockId) -> bool {
    is_of_all(plan, id) && !has_one_warp(plan)
}

/// Tells whether a gang goes on at the barrier that a block ends with without a look at others: it is the only one.
pub(crate) fn passes_alone(plan: &Plan, id: BlockId) -> bool {
    is_of_all(plan, id) && has_one_warp(plan)
}

/// Tells whether blocks have no more threads than a warp.
fn has_one_warp(plan: &Plan) -> bool {
    plan.layout.capacity == 32
}

/// Tells whether a block ends with a barrier of all threads, and code can compute its result.
fn is_of_all(plan: &Plan, id: BlockId) -> bool {
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

/// What warps run up to a barrier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    /// The block with the barrier that they come from; `None` if they begin.
    pub from: Option<BlockId>,
    /// Its first block.
    pub first: BlockId,
    /// Whether it has loops, which cost fuel.
    pub has_loops: bool,
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

    /// For each block that ends with such a barrier, what warps mostly run before it: of several ways there, one that
    /// begins in the same loop.
    pub fn segments(&self, plan: &Plan) -> Vec<Option<Segment>> {
        let blocks = &plan.func.blocks;
        let mut segments: Vec<Option<Segment>> = vec![None; blocks.len()];
        let mut begin = vec![(None, BlockId(0))];
        for id in (0..blocks.len() as u32).map(BlockId) {
            if let Terminator::Barrier { next, .. } = blocks[id.index()].end
                && can_have_round(plan, id)
            {
                begin.push((Some(id), next));
            }
        }
        let around = |id: Option<BlockId>| id.map(|id| self.nest.path(id.0));
        for (from, first) in begin {
            let (ends, loops) = ways_to_barriers(plan, first);
            let has_loops = loops || from.is_some_and(|from| first <= from);
            for end in ends {
                let here = around(Some(end));
                let before = &mut segments[end.index()];
                if before.is_none_or(|before| around(before.from) != here) {
                    *before = Some(Segment {
                        from,
                        first,
                        has_loops,
                    });
                }
            }
        }
        segments
    }
}

/// The blocks with the next barriers behind the start of a block, and whether there are loops before them.
fn ways_to_barriers(plan: &Plan, first: BlockId) -> (Vec<BlockId>, bool) {
    let mut seen = vec![false; plan.func.blocks.len()];
    let (mut ends, mut loops) = (Vec::new(), false);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if std::mem::replace(&mut seen[at.index()], true) {
            continue;
        }
        if can_have_round(plan, at) {
            ends.push(at);
            continue;
        }
        plan.func.blocks[at.index()].end.successors(|to| {
            loops |= to <= at;
            open.push(to);
        });
    }
    (ends, loops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_begins_at_the_barrier_before_or_in_the_same_loop() {
        let text = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %r<4>; \
            .reg .pred %q; .reg .b64 %d; ld.param.u64 %d, [p]; mov.u32 %r0, 0; bar.sync 0; \
            L: st.global.u32 [%d], %r0; bar.sync 0; add.u32 %r0, %r0, 1; bar.sync 0; \
            ld.global.u32 %r1, [%d]; setp.lt.u32 %q, %r0, %r1; @%q bra L; \
            M: ld.global.u32 %r1, [%d]; setp.lt.u32 %q, %r0, %r1; @%q bra M; bar.sync 0; ret; }";
        let plan = Plan::for_test(text);
        let barriers: Vec<BlockId> = (0..plan.func.blocks.len() as u32)
            .map(BlockId)
            .filter(|&id| can_have_round(&plan, id))
            .collect();
        let [first, second, third, last] = barriers[..] else {
            panic!("{}", plan.func);
        };
        let segments = BarrierLoops::new(&plan).segments(&plan);
        let of = |id: BlockId| segments[id.index()].map(|s| (s.from, s.has_loops));
        assert_eq!(of(first), Some((None, false)));
        // From before the loop, or from its end.
        assert_eq!(of(second), Some((Some(third), true)));
        assert_eq!(of(third), Some((Some(second), false)));
        assert_eq!(of(last), Some((Some(third), true)));
    }
}
