//! Superblocks: chains of blocks on the likely path of a gang, merged into one.
//!
//! Where uniform branches cut the per-lane code into blocks, values pass from block to block through memory, and each
//! block has a loop over the lanes of its own. A superblock has the instructions of all blocks of such a chain. Its
//! scalar phase evaluates every branch first. A gang that leaves the chain, or for which a guard fails, has had no side
//! effect yet and restarts with the first block as a single block. A superblock has no other entry than its start, and
//! ends where the lanes of a warp must go through accesses together.

use crate::analysis::group_loop::GroupLoop;
use crate::analysis::uniformity::{Uniformity, UniformityInfo, is_scalar};
use crate::ir::{Block, BlockId, Function, Inst, Reg, Terminator};
use crate::passes::block_split::{may_restart_block, uniform_load, writes};
use crate::passes::lockstep;

/// Largest number of instructions in a superblock.
const MAX_INSTS: usize = 160;

/// Branch inside a superblock that may leave it.
#[derive(Clone, Copy, Debug)]
pub struct SideExit {
    /// Index of the instruction before which the branch is evaluated.
    pub before: usize,
    /// Predicate of the branch.
    pub cond: Reg,
    /// Value of the predicate that stays in the superblock.
    pub holds: bool,
}

/// Chain of blocks merged into one.
pub struct Superblock {
    /// Merged instructions, with the terminator of the last block.
    pub block: Block,
    /// Branches between the merged blocks.
    pub side_exits: Vec<SideExit>,
    /// Last block of the chain.
    pub last: BlockId,
}

/// Returns the superblocks of a function by first block.
pub fn find(
    func: &Function,
    uniformity: &UniformityInfo,
    group_loops: &[Option<GroupLoop>],
    inside: &[bool],
) -> Vec<Option<Superblock>> {
    let mut heads = vec![false; func.blocks.len()];
    for (index, block) in func.blocks.iter().enumerate() {
        block
            .end
            .successors(|s| heads[s.index()] |= s.index() <= index);
    }
    let fits = |at: BlockId| {
        let block = &func.blocks[at.index()];
        block.mask.is_none()
            && group_loops[at.index()].is_none()
            && !inside[at.index()]
            && !block.insts.iter().any(|i| may_restart_block(i, uniformity))
    };
    let lockstep = lockstep::Chains::new(func);
    let mut taken = vec![false; func.blocks.len()];
    let mut found: Vec<Option<Superblock>> = Vec::new();
    for index in 0..func.blocks.len() {
        let first = BlockId(index as u32);
        let mut chain = vec![first];
        let mut exit_values = Vec::new();
        if !taken[index] && fits(first) {
            let (mut wrote, mut count) = (false, 0);
            let mut accesses = lockstep::Chain::default();
            lockstep.append(&mut accesses, first);
            let mut at = first;
            loop {
                let block = &func.blocks[at.index()];
                wrote |= block.insts.iter().any(writes);
                count += block.insts.len();
                let Some((next, answer)) = likely_successor(func, uniformity, block) else {
                    break;
                };
                let insts = &func.blocks[next.index()].insts;
                if next <= at
                    || heads[next.index()]
                    || taken[next.index()]
                    || !fits(next)
                    || count + insts.len() > MAX_INSTS
                    || wrote && insts.iter().any(|i| uniform_load(i, uniformity))
                    || !lockstep.append(&mut accesses, next)
                {
                    break;
                }
                chain.push(next);
                exit_values.push(answer);
                at = next;
            }
        }
        let is_lane_work = |at: &BlockId| {
            let block = &func.blocks[at.index()];
            block
                .insts
                .iter()
                .any(|inst| is_lane_work(inst, block, uniformity))
        };
        while chain.last().is_some_and(|at| !is_lane_work(at)) {
            chain.pop();
        }
        found.push(
            (chain.iter().filter(|at| is_lane_work(at)).count() > 1).then(|| {
                chain.iter().for_each(|at| taken[at.index()] = true);
                merge(func, &chain, &exit_values)
            }),
        );
    }
    found
}

/// Tells whether an instruction is executed per lane, at least in part.
fn is_lane_work(inst: &Inst, block: &Block, uniformity: &UniformityInfo) -> bool {
    let mut is_lane_work = !is_scalar(uniformity, block, inst);
    inst.defs(|reg| is_lane_work |= !uniformity.of(reg).is_one_per_gang());
    is_lane_work
}

/// Returns the successor that most gangs take after a block, and the value of the branch's predicate for it.
fn likely_successor(
    func: &Function,
    uniformity: &UniformityInfo,
    block: &Block,
) -> Option<(BlockId, Option<(Reg, bool)>)> {
    match block.end {
        Terminator::Jump(to) => Some((to, None)),
        Terminator::Branch {
            cond, then, other, ..
        } if uniformity.of(cond) == Uniformity::Uniform => {
            // The chain does not skip the body of an `if` and does not leave the kernel.
            let bypasses = |this: BlockId, body: BlockId| {
                let out = &func.blocks[this.index()];
                let mut bypasses = matches!(out.end, Terminator::Exit) && out.insts.is_empty();
                func.blocks[body.index()]
                    .end
                    .successors(|s| bypasses |= s == this);
                bypasses
            };
            match (bypasses(then, other), bypasses(other, then)) {
                (true, false) => Some((other, Some((cond, false)))),
                (false, true) => Some((then, Some((cond, true)))),
                _ => None,
            }
        }
        Terminator::Branch { .. }
        | Terminator::Switch { .. }
        | Terminator::Exit
        | Terminator::Return
        | Terminator::Trap
        | Terminator::Barrier { .. }
        | Terminator::Cluster { .. }
        | Terminator::Pause { .. }
        | Terminator::Warp { .. } => None,
    }
}

fn merge(func: &Function, chain: &[BlockId], exit_values: &[Option<(Reg, bool)>]) -> Superblock {
    let last = chain[chain.len() - 1];
    let mut side_exits = Vec::new();
    let (mut insts, mut lines) = (Vec::new(), Vec::new());
    for (n, at) in chain.iter().enumerate() {
        let block = &func.blocks[at.index()];
        insts.extend_from_slice(&block.insts);
        lines.extend(block.lines.iter().take(block.insts.len()));
        if n + 1 < chain.len()
            && let Some((cond, holds)) = exit_values[n]
        {
            side_exits.push(SideExit {
                before: insts.len(),
                cond,
                holds,
            });
        }
    }
    let end = func.blocks[last.index()].end.clone();
    lines.extend(func.blocks[last.index()].lines.last());
    Superblock {
        block: Block {
            insts,
            end,
            lines,
            mask: None,
        },
        side_exits,
        last,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::analysis::shape::Shape;
    use crate::jit::plan::Plan;

    /// Returns the numbers of instructions and side exits and the last block of each superblock of a kernel.
    fn found(body: &str) -> Vec<(usize, usize, usize, BlockId)> {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n
            .entry k(.param .u64 p, .param .u32 n) {{
                .reg .b32 %i<8>; .reg .b64 %a<8>; .reg .pred %p<8>;
                ld.param.u64 %a0, [p]; ld.param.u32 %i0, [n]; mov.u32 %i1, %tid.x;
                mul.wide.u32 %a1, %i1, 4; add.s64 %a2, %a0, %a1;
                setp.eq.u32 %p0, %i0, 0;
                {body}
                ret; }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let plan = Plan::new(&unit, Shape::Line, 64, false, 16, false).expect("a plan");
        let superblocks = plan.superblocks.iter().enumerate();
        superblocks
            .filter_map(|(first, chain)| {
                let chain = chain.as_ref()?;
                assert_eq!(chain.block.lines.len(), chain.block.insts.len() + 1);
                Some((
                    first,
                    chain.block.insts.len(),
                    chain.side_exits.len(),
                    chain.last,
                ))
            })
            .collect()
    }

    #[test]
    fn code_that_a_uniform_branch_skips_is_in_the_superblock() {
        let chain = found(
            "ld.global.u32 %i2, [%a2]; @%p0 bra On; ld.global.u32 %i3, [%a2+4096]; add.u32 %i2, %i2, %i3;
            On: st.global.u32 [%a2], %i2;",
        );
        let [(0, insts, 1, BlockId(2))] = chain[..] else {
            panic!("{chain:?}")
        };
        assert_eq!(insts, 10);
    }

    #[test]
    fn a_superblock_ends_before_a_loop_and_before_an_access_that_comes_after_another_one() {
        let again = "ld.global.u32 %i2, [%a2]; On: add.u32 %i2, %i2, %i1; st.global.u32 [%a2], %i2;
            setp.lt.u32 %p1, %i2, %i0; @%p1 bra On;";
        assert_eq!(found(again), []);
        let beside = "ld.global.u32 %i2, [%a2+4]; @%p0 bra On; st.global.u32 [%a2], %i2; On:";
        assert_eq!(found(beside), []);
        let changed = "st.global.u32 [%a2], %i1; @%p0 bra On; ld.global.u32 %i3, [%a0];
            add.u32 %i3, %i3, %i1; st.global.u32 [%a2], %i3; On:";
        assert_eq!(found(changed), []);
    }
}
