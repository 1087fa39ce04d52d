//! Which registers a function has to copy where it is entered and left.
//!
//! A register's value is in memory as long as nothing has been written since the function was entered. So only what
//! may have been written since is copied to memory, and only what is read before the next barrier, or copied there, is
//! copied from it.

use crate::analysis::liveness::{RegSet, add_read, read_before};
use crate::ir::{BlockId, Inst, Operand, Reg, Special, Terminator};
use crate::jit::gang::barriers::{BarrierLoops, can_have_round};
use crate::jit::plan::Plan;
use crate::passes::boundary_branch::Counts;
use crate::passes::hot_cold::{CodePart, EntryPoint};

pub struct Flow {
    loops: BarrierLoops,
    /// Registers that may have been written since the function was entered, at the start of each block.
    written: Vec<RegSet>,
    /// Registers whose values locals must have, at the start of each block.
    needed: Vec<RegSet>,
    /// Registers that are the lane's number.
    lane_numbers: RegSet,
}

impl Flow {
    pub fn new(plan: &Plan) -> Flow {
        let none = || vec![RegSet::new(plan.func.regs.len()); plan.func.blocks.len()];
        let mut flow = Flow {
            loops: BarrierLoops::new(plan),
            written: none(),
            needed: none(),
            lane_numbers: lane_numbers(plan),
        };
        flow.find_written(plan);
        flow.find_needed(plan);
        flow
    }

    /// Tells whether a register is the lane's number. LLVM is to see that where code is entered, too.
    pub fn is_lane(&self, reg: Reg) -> bool {
        self.lane_numbers.contains(reg)
    }

    /// The registers to copy from memory where a block is entered.
    pub fn needed(&self, block: BlockId) -> Vec<Reg> {
        self.needed[block.index()].iter().collect()
    }

    /// The registers of a block's start that memory may have old values of.
    pub fn written_before(&self, plan: &Plan, block: BlockId) -> RegSet {
        let live = plan.live.live_in(block);
        common(&self.written[block.index()], live)
    }

    /// The registers that memory may have old values of where a block's instructions are done: those that are read
    /// after it, or by its end.
    pub fn written_at_end(&self, plan: &Plan, block: BlockId) -> RegSet {
        let mut read = plan.live.live_out(&plan.func, block);
        read.union(&self.written_for_end(plan, block));
        common(&self.written_so_far(plan, block), &read)
    }

    /// The registers that memory may have old values of on the way from one block to another, which reads them.
    pub fn written_on_way(&self, plan: &Plan, from: BlockId, to: BlockId) -> RegSet {
        let mut written = match barrier(plan, from.index()) {
            true => RegSet::new(plan.func.regs.len()),
            false => self.written_so_far(plan, from),
        };
        let end = &plan.func.blocks[from.index()].end;
        end.defs(|reg| _ = written.insert(reg));
        common(&written, plan.live.live_in(to))
    }

    fn written_so_far(&self, plan: &Plan, block: BlockId) -> RegSet {
        let mut written = self.written[block.index()].clone();
        plan.func.blocks[block.index()]
            .insts
            .iter()
            .for_each(|inst| inst.defs(|reg| _ = written.insert(reg)));
        written
    }

    /// The registers that memory may have old values of and that a block's end reads, or writes in some lanes.
    pub fn written_for_end(&self, plan: &Plan, block: BlockId) -> RegSet {
        let code = &plan.func.blocks[block.index()];
        let mut read = RegSet::new(plan.func.regs.len());
        code.end.uses(|operand| add(&mut read, operand));
        code.end.defs(|reg| _ = read.insert(reg));
        if let Some(mask) = code.mask {
            read.insert(mask.reg);
        }
        common(&self.written_so_far(plan, block), &read)
    }

    fn find_written(&mut self, plan: &Plan) {
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in plan.func.blocks.iter().enumerate() {
                if !is_here(plan, BlockId(index as u32)) {
                    continue;
                }
                let mut written = self.written[index].clone();
                if let Some(this) = &plan.group_loops[index] {
                    let blocks = this.blocks.iter().map(|b| &plan.func.blocks[b.index()]);
                    blocks
                        .flat_map(|block| &block.insts)
                        .for_each(|inst| inst.defs(|reg| _ = written.insert(reg)));
                    changed |= self.written[index].union(&written);
                    changed |= self.written[this.exit.index()].union(&written);
                    continue;
                }
                if barrier(plan, index) {
                    // All are copied. Then the result is written.
                    written = RegSet::new(plan.func.regs.len());
                } else {
                    block
                        .insts
                        .iter()
                        .for_each(|inst| inst.defs(|reg| _ = written.insert(reg)));
                }
                block.end.defs(|reg| _ = written.insert(reg));
                block.end.successors(|s| {
                    // What is written to memory on the way is not written in code after it.
                    if !self.loops.enters(plan, BlockId(index as u32), s) {
                        changed |= self.written[s.index()].union(&written);
                    }
                });
            }
        }
    }

    /// As liveness, but that after a barrier, and in other code, values are read from memory and not from locals.
    fn find_needed(&mut self, plan: &Plan) {
        let blocks = (0..plan.func.blocks.len() as u32).map(BlockId);
        let at_ends: Vec<RegSet> = blocks.map(|at| self.written_at_end(plan, at)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in plan.func.blocks.iter().enumerate().rev() {
                let at = BlockId(index as u32);
                if !is_here(plan, at) {
                    continue;
                }
                if let Some(this) = &plan.group_loops[index] {
                    let mut needed = self.needed_at(plan, this.exit);
                    for block in this.blocks.iter().map(|b| &plan.func.blocks[b.index()]) {
                        add_read(block, &mut needed);
                    }
                    changed |= self.need(plan, at, &needed);
                    continue;
                }
                let mut needed = at_ends[index].clone();
                if !barrier(plan, index) {
                    block.end.successors(|s| {
                        needed.union(&self.needed_at(plan, s));
                        if self.loops.enters(plan, at, s) {
                            needed.union(&self.written_on_way(plan, at, s));
                        }
                    });
                }
                read_before(block, &plan.kept, &mut needed);
                if let Some(mask) = block.mask {
                    needed.insert(mask.reg);
                }
                changed |= self.need(plan, at, &needed);
            }
        }
    }

    /// What a way to a block needs.
    fn needed_at(&self, plan: &Plan, block: BlockId) -> RegSet {
        match is_here(plan, block) {
            true => self.needed[block.index()].clone(),
            false => self.written_before(plan, block),
        }
    }

    /// Adds to what a block needs. Tells whether that is new.
    fn need(&mut self, plan: &Plan, at: BlockId, needed: &RegSet) -> bool {
        let mut needed = common(needed, plan.live.live_in(at));
        needed.union(&self.written_before(plan, at));
        self.needed[at.index()].union(&needed)
    }
}

/// The registers that are written once, with `%tid.x`, where a warp is a row.
fn lane_numbers(plan: &Plan) -> RegSet {
    let mut set = RegSet::new(plan.func.regs.len());
    let writers = Counts::new(&plan.func).defs;
    for inst in plan.func.blocks.iter().flat_map(|block| &block.insts) {
        if let Inst::Special { dst, special } = inst
            && (plan.row, *special) == (Some(32), Special::Tid(0))
            && writers[dst.index()] == 1
            && plan.uniformity.of(*dst).is_one_per_gang()
        {
            set.insert(*dst);
        }
    }
    set
}

/// Tells whether the function has a block's code.
fn is_here(plan: &Plan, block: BlockId) -> bool {
    plan.hot_cold.has(CodePart::Hot, EntryPoint::Block(block))
}

/// Tells whether code goes on after a block only where all warps have come to the barrier that ends it.
fn barrier(plan: &Plan, index: usize) -> bool {
    let end = &plan.func.blocks[index].end;
    matches!(end, Terminator::Barrier { .. }) && can_have_round(plan, BlockId(index as u32))
}

fn add(set: &mut RegSet, operand: Operand) {
    if let Operand::Reg(reg) = operand {
        set.insert(reg);
    }
}

/// The registers that two sets have in common.
fn common(a: &RegSet, b: &RegSet) -> RegSet {
    let mut set = a.clone();
    set.intersect(b);
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_copied_once_and_only_where_they_are_read() {
        let text = ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 p) { .reg .b32 %r<4>; \
            .reg .b64 %d; mov.u32 %r0, %tid.x; mul.lo.u32 %r1, %r0, %r0; bar.sync 0; bar.sync 0; \
            mul.lo.u32 %r2, %r0, 3; bar.sync 0; add.u32 %r1, %r1, %r2; ld.param.u64 %d, [p]; \
            st.global.u32 [%d], %r1; ret; }";
        let plan = Plan::for_test(text);
        let flow = Flow::new(&plan);
        let blocks: Vec<BlockId> = (0..plan.func.blocks.len() as u32).map(BlockId).collect();
        let [first, second, third, last] = blocks[..] else {
            panic!("{}", plan.func);
        };
        let written = |block| flow.written_at_end(&plan, block).iter().count();
        assert_eq!(written(first), plan.live.live_in(second).iter().count());
        assert_eq!(flow.needed(second), []);
        assert_eq!(written(second), 0);
        // The thread's number, for the product; the square stays in memory.
        assert_eq!(flow.needed(third).len(), 1);
        assert_eq!(written(third), 1);
        assert_eq!(
            flow.needed(last).len(),
            plan.live.live_in(last).iter().count()
        );
        assert!(
            blocks
                .iter()
                .all(|&block| flow.written_before(&plan, block).iter().count() == 0)
        );
    }
}
