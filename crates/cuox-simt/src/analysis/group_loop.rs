//! Masked loops that gang mode runs for one group of lanes at a time, each to completion.
//!
//! [`crate::passes::linearize`] makes every register written in such a loop varying. `jit/gang/group_loop.rs` emits the loop's
//! narrow code, `jit/avx512/group_loop.rs` the wide.

use crate::analysis::uniformity::{Uniformity, UniformityInfo};
use crate::ir::{Block, BlockId, Function, Inst, Op, Operand, Order, Reg, Terminator, Ty};

/// Loop that groups of lanes run one after another.
#[derive(Hash)]
pub struct GroupLoop {
    /// Masked blocks, the loop header first.
    pub blocks: Vec<BlockId>,
    /// The other blocks, which have no instructions.
    tests: Vec<BlockId>,
    /// Block after the loop.
    pub exit: BlockId,
}

impl GroupLoop {
    /// All its blocks, the header first.
    pub fn members(&self) -> impl Iterator<Item = BlockId> {
        self.blocks.iter().chain(&self.tests).copied()
    }
}

/// Returns the group loops of a function, indexed by header block.
pub fn find(func: &Function, uniformity: &UniformityInfo) -> Vec<Option<GroupLoop>> {
    let mut loops: Vec<Option<GroupLoop>> = func.blocks.iter().map(|_| None).collect();
    for (index, block) in func.blocks.iter().enumerate() {
        let Terminator::Branch {
            mixed: Some(head), ..
        } = block.end
        else {
            continue;
        };
        if !block.end.is_together() || head.index() > index {
            continue;
        }
        if loops[head.index()].is_none() {
            loops[head.index()] = members(func, uniformity, head);
        }
    }
    loops
}

/// Tells for each block whether it lies inside a group loop, so that gang mode emits no separate code for it. Headers
/// are excluded.
pub fn inside(loops: &[Option<GroupLoop>]) -> Vec<bool> {
    let mut inside = vec![false; loops.len()];
    for this in loops.iter().flatten() {
        this.members()
            .skip(1)
            .for_each(|b| inside[b.index()] = true);
    }
    inside
}

/// Tells whether a block ends by clearing a predicate.
pub fn clears_predicate(block: &Block, reg: Reg) -> bool {
    matches!(
        block.insts.last(),
        Some(Inst::Op { dst, op: Op::Mov(Ty::Pred), args }) if *dst == reg && args[0] == Operand::Imm(0)
    )
}

fn members(func: &Function, uniformity: &UniformityInfo, head: BlockId) -> Option<GroupLoop> {
    let mut exit = None;
    let mut found: Vec<BlockId> = Vec::new();
    let mut work = vec![head];
    while let Some(at) = work.pop() {
        if found.contains(&at) {
            continue;
        }
        found.push(at);
        let block = &func.blocks[at.index()];
        let writes_registers = block.insts.iter().all(|inst| {
            let mut own = true;
            inst.defs(|reg| own &= uniformity.of(reg) == Uniformity::Varying);
            own && matches!(
                inst,
                Inst::Op { .. }
                    | Inst::Load {
                        order: Order::Plain,
                        ..
                    }
            )
        });
        if !writes_registers || block.mask.is_none() && !block.insts.is_empty() {
            return None;
        }
        match block.end {
            Terminator::Branch {
                then, other, mixed, ..
            } if block.end.is_together() => {
                let again = mixed?;
                let past = if again == then { other } else { then };
                if again == head {
                    if exit.is_some_and(|exit| exit != past) {
                        return None;
                    }
                    exit = Some(past);
                } else if again <= at || past <= at {
                    return None;
                } else {
                    work.extend([again, past]);
                }
            }
            Terminator::Jump(to) if to > at => work.push(to),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => return None,
        }
    }
    found.sort_unstable();
    let first = func.blocks[head.index()].mask?;
    let outside = |b: usize| found.binary_search(&BlockId(b as u32)).is_err();
    let mut alone = found[0] == head && !first.negated;
    for (_, block) in func.blocks.iter().enumerate().filter(|(b, _)| outside(*b)) {
        block
            .end
            .successors(|s| alone &= s == head || outside(s.index()));
    }
    let (blocks, tests) = found
        .iter()
        .partition(|b| func.blocks[b.index()].mask.is_some());
    alone.then_some(GroupLoop {
        blocks,
        tests,
        exit: exit?,
    })
}
