//! Linearisation of divergent branches: adds masked copies of the blocks between a branch and its reconvergence point,
//! so that a gang can run both sides together.
//!
//! A branch keeps its targets for a gang whose lanes agree. For a gang that disagrees the region's blocks are copied,
//! in an order in which every loop is contiguous. Each copy is masked: a predicate per block tells which threads run
//! it. A copy ends by setting the predicates of its successors. The gang goes from copy to copy, skips those that no
//! thread runs, and repeats a loop while some thread stays in it.
//!
//! Each thread executes the same instructions as it would alone, so a gang may stop anywhere in the copies and its
//! threads can continue one by one. The order among threads changes, however, which matters if threads wait for each
//! other in a loop. Loops that may wait for another thread are not copied, and neither are barriers. A warp operation
//! is executed for each warp that runs the block as a whole; if only some lanes of a warp do, the gang splits there.

use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::multiway_branch::{BranchSelector, MultiwayBranch};
use crate::analysis::region::{BlockSet, Region, Step, members};
use crate::analysis::uniformity::{Uniformity, UniformityInfo, widens};
use crate::ir::{
    Address, Args, Block, BlockId, Function, Inst, Mask, Op, Operand, Reg, Terminator, Ty, WarpOp,
};
use crate::passes;
use crate::passes::boundary_branch::{BoundaryCompares, Counts};
use std::cell::OnceCell;

/// Largest number of instructions in a loop that groups of lanes run one after another.
const MAX_BY_GROUPS: usize = 200;
/// Number of instructions by which the copies of a function may exceed its size.
const MAX_ADDED: usize = 2000;

/// Function with masked copies.
pub struct Linearized {
    /// The function, its blocks in reverse post-order.
    pub func: Function,
    /// Registers written by a masked block whose old value is still needed by masked-off threads.
    pub kept: RegSet,
    /// Registers that are varying for reasons not visible in the code. They include `kept`.
    pub varying: RegSet,
    /// Registers that only the masked blocks of one copy write and read.
    pub own: RegSet,
}

impl Linearized {
    fn uncopied(func: &Function) -> Linearized {
        let n = func.regs.len();
        Linearized {
            func: func.clone(),
            kept: RegSet::new(n),
            varying: RegSet::new(n),
            own: RegSet::new(n),
        }
    }

    /// The function without copies, for thread code alone.
    pub fn for_threads(func: &Function) -> Linearized {
        let mut out = Linearized::uncopied(func);
        passes::reorder(&mut out.func);
        out
    }

    pub fn new_reg(&mut self, ty: Ty) -> Reg {
        let reg = self.func.new_reg(ty);
        let n = self.func.regs.len();
        self.kept.grow(n);
        self.varying.grow(n);
        self.own.grow(n);
        reg
    }
}

/// Adds masked copies for the divergent branches of `func` where possible, including branches that only a guarded
/// comparison keeps uniform. Code that writes a `steady` register is not copied: those registers are the same in all
/// threads of a gang.
pub fn linearize(
    func: &Function,
    live: &Liveness,
    uniformity: &UniformityInfo,
    steady: &[Reg],
) -> Linearized {
    let n = func.regs.len();
    let mut out = Linearized::uncopied(func);
    let counts = Counts::new(func);
    let preds = passes::predecessors(func);
    let mut post_dominators = None;
    let strict = OnceCell::new();
    // Tells whether a predicate is uniform in a gang, without relying on guards.
    let same = |cond: Reg| {
        uniformity.of(cond) == Uniformity::Uniform && {
            let strict = strict.get_or_init(|| uniformity.without_guards(func, live, steady));
            strict.of(cond) == Uniformity::Uniform
        }
    };
    let mut budget = MAX_ADDED + func.blocks.iter().map(|b| b.insts.len()).sum::<usize>();
    for (index, block) in func.blocks.iter().enumerate() {
        let Some(mut branch) = MultiwayBranch::of(&block.end) else {
            continue;
        };
        let Some(decides) = branch.reg() else {
            continue;
        };
        let compares = match (uniformity.of(decides), branch.selector) {
            (Uniformity::Varying, BranchSelector::Predicate(_)) => None,
            // Flattened calls return through switches, whose targets are far apart.
            (Uniformity::Varying, BranchSelector::Index(_)) if steady.is_empty() => None,
            (_, BranchSelector::Index(_)) => continue,
            (_, BranchSelector::Predicate(cond)) => {
                match BoundaryCompares::of(block, cond, uniformity, &counts) {
                    None => continue,
                    compares => compares,
                }
            }
        };
        let post_dominators = post_dominators.get_or_insert_with(|| passes::post_dominators(func));
        let Some(join) = post_dominators[index] else {
            continue;
        };
        let join = BlockId(join as u32);
        let Some(region) = Region::new(func, &preds, &same, &branch, join) else {
            continue;
        };
        if region.insts > budget || region.writes(func, steady) {
            continue;
        }
        budget -= region.insts;
        let id = BlockId(index as u32);
        let twin_branch = compares.and_then(|compares| compares.split_off(&mut out, id));
        let varies = twin_branch.is_none();
        let mut from = id;
        if let Some((twin, cond)) = twin_branch {
            (from, branch.selector) = (twin, BranchSelector::Predicate(cond));
        }
        let mut copy = MaskedCopy {
            func,
            live,
            uniformity,
            same: &same,
            region: &region,
            line: block.lines.last().copied().unwrap_or(0),
            branch: &branch,
            names: vec![None; n],
            out: &mut out,
        };
        // Warp operations are mostly executed by the first warp of a block or by all. If some lanes bypass them, all
        // other lanes take the copy too.
        let for_all = varies && region.has_warp_ops(func);
        let start = copy.build(for_all);
        match &mut out.func.blocks[from.index()].end {
            Terminator::Branch {
                then, other, mixed, ..
            } => {
                *mixed = Some(start);
                if for_all {
                    [then, other]
                        .into_iter()
                        .filter(|target| **target != region.join)
                        .for_each(|target| *target = start);
                }
            }
            Terminator::Switch { mixed, .. } => *mixed = Some(start),
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => {}
        }
    }
    passes::reorder(&mut out.func);
    out
}

/// Masked copy of a region under construction.
struct MaskedCopy<'a> {
    func: &'a Function,
    live: &'a Liveness,
    uniformity: &'a UniformityInfo,
    /// Tells whether a predicate is uniform in the gang.
    same: &'a dyn Fn(Reg) -> bool,
    region: &'a Region,
    line: u32,
    branch: &'a MultiwayBranch,
    /// Registers that replace others in the copy.
    names: Vec<Option<Reg>>,
    out: &'a mut Linearized,
}

fn mov(func: &Function, dst: Reg, value: Operand) -> Inst {
    Inst::Op {
        dst,
        op: Op::Mov(func.ty(dst)),
        args: Args::new(&[value]),
    }
}

impl MaskedCopy<'_> {
    fn new_reg(&mut self, ty: Ty) -> Reg {
        self.out.new_reg(ty)
    }

    /// Creates a block; its code follows later.
    fn new_block(&mut self, mask: Option<Mask>) -> BlockId {
        self.out.func.blocks.push(Block {
            insts: Vec::new(),
            end: Terminator::Trap,
            lines: vec![self.line],
            mask,
        });
        BlockId(self.out.func.blocks.len() as u32 - 1)
    }

    fn name(&self, reg: Reg) -> Reg {
        self.names[reg.index()].unwrap_or(reg)
    }

    /// Builds the copy and returns its first block. Gangs whose lanes agree on the branch enter it, too, if it is
    /// `for_all`.
    fn build(&mut self, for_all: bool) -> BlockId {
        let inherited = self.rename();
        self.find_kept();
        let (masks, own) = self.create_masks();
        let blocks: Vec<BlockId> = masks
            .iter()
            .map(|&mask| self.new_block(Some(mask)))
            .collect();
        // Blocks that test whether any thread runs the block of a step, and their branches.
        let tests: Vec<BlockId> = self
            .region
            .steps
            .iter()
            .map(|_| self.new_block(None))
            .collect();
        let after = |k: usize| tests.get(k + 1).copied().unwrap_or(self.region.join);
        let ends: Vec<Terminator> = (0..tests.len())
            .map(|k| {
                let (Step::Run(i) | Step::LoopEnd(i)) = self.region.steps[k];
                // Threads enter a loop at its header only. If none is there, the whole loop can be skipped.
                let last = self.region.steps[k..]
                    .iter()
                    .position(|s| matches!(s, Step::LoopEnd(head) if *head == i));
                let (run, past) = (blocks[i], after(k + last.unwrap_or(0)));
                let (then, other) = match masks[i].negated {
                    false => (run, past),
                    true => (past, run),
                };
                Terminator::Branch {
                    cond: masks[i].reg,
                    then,
                    other,
                    mixed: Some(run),
                }
            })
            .collect();
        let end_at = |k: usize| {
            ends.get(k)
                .cloned()
                .unwrap_or(Terminator::Jump(self.region.join))
        };
        for (k, test) in tests.iter().enumerate() {
            self.out.func.blocks[test.index()].end = end_at(k);
        }
        for (i, copy) in blocks.iter().enumerate() {
            let source = &self.func.blocks[self.region.blocks[i].index()];
            let (mut insts, mut lines) = (Vec::new(), source.lines.clone());
            for inst in &source.insts {
                insts.push(self.renamed(inst));
            }
            self.set_successor_masks(i, &source.end, &masks, &mut insts);
            let last = lines.last().copied().unwrap_or(self.line);
            lines.resize(insts.len() + 1, last);
            let end = match &source.end {
                Terminator::Warp {
                    op,
                    mask,
                    args,
                    dsts,
                    ..
                } => self.renamed_warp(
                    *op,
                    *mask,
                    args.clone(),
                    dsts.clone(),
                    after(self.region.at[i]),
                ),
                Terminator::Trap => {
                    let past = after(self.region.at[i]);
                    self.end_with_trap(*copy, masks[i], past, insts, lines);
                    continue;
                }
                Terminator::Jump(_)
                | Terminator::Branch { .. }
                | Terminator::Switch { .. }
                | Terminator::Exit
                | Terminator::Return
                | Terminator::Barrier { .. }
                | Terminator::Cluster { .. }
                | Terminator::Pause { .. } => end_at(self.region.at[i] + 1),
            };
            let block = &mut self.out.func.blocks[copy.index()];
            (block.insts, block.lines, block.end) = (insts, lines, end);
        }
        // Where lanes disagree on the branch, some go to each side: no test is needed for the first.
        if let (Terminator::Branch { cond, mixed, .. }, false) = (end_at(0), for_all)
            && inherited.is_empty()
            && own.is_empty()
            && Some(cond) == masks.first().map(|mask| mask.reg)
            && let Some(run) = mixed
        {
            return run;
        }
        self.emit_first_block(&inherited, &masks, &own, end_at(0))
    }

    /// Renames registers that the region writes and that are dead after it. Returns those that hold a value before it.
    fn rename(&mut self) -> Vec<Reg> {
        let after = self.live.live_in(self.region.join);
        let mut inherited = Vec::new();
        for b in &self.region.blocks {
            let block = &self.func.blocks[b.index()];
            let mut written = Vec::new();
            block
                .insts
                .iter()
                .for_each(|i| i.defs(|reg| written.push(reg)));
            block.end.defs(|reg| written.push(reg));
            for reg in written {
                if after.contains(reg) || self.names[reg.index()].is_some() {
                    continue;
                }
                let name = self.new_reg(self.func.ty(reg));
                self.names[reg.index()] = Some(name);
                let mut targets = self.branch.targets.iter();
                if targets.any(|&w| self.live.live_in(w).contains(reg)) {
                    inherited.push(reg);
                } else {
                    self.out.own.insert(name);
                }
            }
        }
        inherited
    }

    /// Finds the registers that waiting threads need while others write them, and those that become varying.
    fn find_kept(&mut self) {
        let region = self.region;
        for (i, b) in region.blocks.iter().enumerate() {
            let waiting = region.waiting(i);
            let by_groups = region.loops.iter().any(|&(head, loop_blocks)| {
                loop_blocks >> i & 1 != 0 && self.runs_by_groups(head, loop_blocks)
            });
            let mut needed = self.live.live_in(region.join).clone();
            for w in members(waiting) {
                needed.union(self.live.live_in(region.blocks[w]));
            }
            for inst in &self.func.blocks[b.index()].insts {
                // A guard that holds for the active threads need not hold for masked-off ones: that an index does not
                // wrap, or that all lanes agree on a comparison.
                let mut guarded = false;
                if let Inst::Op { op, args, .. } = inst {
                    guarded = args
                        .iter()
                        .any(|&a| match (self.uniformity.operand(a), op) {
                            (Uniformity::Uniform, _) => false,
                            (_, Op::Compare { .. }) => true,
                            (Uniformity::Affine(_), op) => widens(*op) == Some(false),
                            (_, op) => widens(*op).is_some(),
                        });
                }
                inst.defs(|reg| {
                    let name = self.names[reg.index()].unwrap_or(reg);
                    if needed.contains(reg) {
                        self.out.kept.insert(name);
                        self.out.varying.insert(name);
                    }
                    if guarded || by_groups {
                        self.out.varying.insert(name);
                    }
                });
            }
            // A warp operation sets its results only in the warps that take part.
            self.func.blocks[b.index()].end.defs(|reg| {
                let name = self.names[reg.index()].unwrap_or(reg);
                self.out.varying.insert(name);
                if needed.contains(reg) {
                    self.out.kept.insert(name);
                }
            });
        }
    }

    /// Tells whether groups of lanes run a loop one after another, each to completion: an innermost loop that changes
    /// registers only. Its values are then computed per lane, so its addresses must be varying anyway.
    fn runs_by_groups(&self, head: usize, loop_blocks: BlockSet) -> bool {
        let inner = |&(other, set): &(usize, BlockSet)| other != head && set & !loop_blocks == 0;
        if self.region.loops.iter().any(inner) {
            return false;
        }
        let blocks =
            || members(loop_blocks).map(|i| &self.func.blocks[self.region.blocks[i].index()]);
        // If all threads run the same iterations, the gang can run the loop together.
        let diverges = |block: &Block| match block.end {
            Terminator::Branch { cond, .. } => !(self.same)(cond),
            Terminator::Switch { index, .. } => index.reg().is_some_and(|reg| !(self.same)(reg)),
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => false,
        };
        if !blocks().any(diverges) {
            return false;
        }
        let count: usize = blocks().map(|b| b.insts.len()).sum();
        let mut written = RegSet::new(self.func.regs.len());
        for inst in blocks().flat_map(|b| &b.insts) {
            inst.defs(|reg| {
                written.insert(reg);
            });
        }
        let differs = |addr: &Address| {
            let own = addr.base.reg().is_some_and(|reg| written.contains(reg));
            !own || self.uniformity.operand(addr.base) == Uniformity::Varying
        };
        // One warp has as few vectors as a group, and values that its lanes have in common.
        let loads = |inst: &Inst| matches!(inst, Inst::Load { .. });
        let one_warp = self.uniformity.shape().is_warp();
        count <= MAX_BY_GROUPS
            && !(one_warp && blocks().any(|b| b.insts.iter().any(loads)))
            && blocks().flat_map(|b| &b.insts).all(|inst| match inst {
                Inst::Op { .. } => true,
                Inst::Load { addr, .. } => differs(addr),
                Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => false,
            })
    }

    /// Returns the predicates of the blocks, and separately those that are not simply the branch's own predicate.
    fn create_masks(&mut self) -> (Vec<Mask>, Vec<Reg>) {
        let mut own = Vec::new();
        let written = |reg: Reg| {
            let mut written = false;
            for b in &self.region.blocks {
                let block = &self.func.blocks[b.index()];
                block
                    .insts
                    .iter()
                    .for_each(|i| i.defs(|dst| written |= dst == reg));
                block.end.defs(|dst| written |= dst == reg);
            }
            written
        };
        let cond = match self.branch.selector {
            BranchSelector::Predicate(cond) if !written(cond) => Some(cond),
            BranchSelector::Predicate(_) | BranchSelector::Index(_) => None,
        };
        let mut masks: Vec<Mask> = Vec::new();
        for (i, &b) in self.region.blocks.iter().enumerate() {
            let mask = if let (Some(reg), 0) = (cond, self.region.preds[i]) {
                Mask {
                    reg,
                    negated: b != self.branch.targets[0],
                }
            } else if let Some(before) = self.before_step(i) {
                masks[before]
            } else {
                let reg = self.new_reg(Ty::Pred);
                own.push(reg);
                self.out.kept.insert(reg);
                self.out.varying.insert(reg);
                Mask {
                    reg,
                    negated: false,
                }
            };
            masks.push(mask);
        }
        (masks, own)
    }

    /// Returns the block from which all threads come to block `i` through a step of the warp, if that is the only way.
    /// Both have one predicate.
    fn before_step(&self, i: usize) -> Option<usize> {
        let region = self.region;
        let before = region.preds[i].trailing_zeros() as usize;
        let only = region.preds[i].is_power_of_two() && region.starts >> i & 1 == 0;
        let end = |n: usize| &self.func.blocks[region.blocks[n].index()].end;
        (only && before < i && end(before).is_step()).then_some(before)
    }

    fn renamed(&self, inst: &Inst) -> Inst {
        let mut inst = inst.clone();
        inst.uses_mut(|operand| {
            if let Operand::Reg(reg) = operand {
                *reg = self.name(*reg);
            }
        });
        inst.defs_mut(|reg| *reg = self.name(*reg));
        inst
    }

    fn renamed_warp(
        &self,
        op: WarpOp,
        mut mask: Operand,
        mut args: Vec<Operand>,
        mut dsts: Vec<Option<Reg>>,
        next: BlockId,
    ) -> Terminator {
        for operand in args.iter_mut().chain([&mut mask]) {
            if let Operand::Reg(reg) = operand {
                *reg = self.name(*reg);
            }
        }
        for dst in dsts.iter_mut().flatten() {
            *dst = self.name(*dst);
        }
        Terminator::Warp {
            op,
            mask,
            args,
            dsts,
            next,
        }
    }

    /// Emits code at the end of block `i` that sets the predicates of its successors and clears its own.
    fn set_successor_masks(
        &mut self,
        i: usize,
        end: &Terminator,
        masks: &[Mask],
        insts: &mut Vec<Inst>,
    ) {
        let region = self.region;
        let mask_of = |b: BlockId| {
            let n = region.blocks.binary_search(&b).ok()?;
            Some(masks[n].reg)
        };
        match end {
            Terminator::Branch { .. } | Terminator::Switch { .. } => {
                let mut end = end.clone();
                end.uses_mut(|operand| {
                    if let Operand::Reg(reg) = operand {
                        *reg = self.name(*reg);
                    }
                });
                let Some(branch) = MultiwayBranch::of(&end) else {
                    return;
                };
                let mut targets = branch.targets.clone();
                targets.sort_unstable();
                targets.dedup();
                for to in targets {
                    if let Some(mask) = mask_of(to) {
                        self.emit_taken(&branch, to, mask, insts);
                    }
                }
            }
            Terminator::Jump(to) | Terminator::Warp { next: to, .. } => {
                if let Some(mask) = mask_of(*to).filter(|mask| *mask != masks[i].reg) {
                    insts.push(mov(&self.out.func, mask, Operand::Imm(1)));
                }
            }
            Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
        }
        let mut successors = members(self.region.succs[i]);
        let is_set = successors.any(|to| masks[to].reg == masks[i].reg);
        if self.region.loops_of(i) != 0 && !is_set {
            insts.push(mov(&self.out.func, masks[i].reg, Operand::Imm(0)));
        }
    }

    /// Emits code that sets `mask` if a thread goes from a multiway branch to a block.
    fn emit_taken(
        &mut self,
        branch: &MultiwayBranch,
        to: BlockId,
        mask: Reg,
        insts: &mut Vec<Inst>,
    ) {
        let out = &mut *self.out;
        let mut new_reg = || {
            let reg = out.new_reg(Ty::Pred);
            out.varying.insert(reg);
            out.own.insert(reg);
            reg
        };
        branch.emit_taken(to, mask, &mut new_reg, insts);
    }

    /// Ends the copy of a block that ends the grid and has the given instructions. Threads that run it leave the gang.
    fn end_with_trap(
        &mut self,
        copy: BlockId,
        mask: Mask,
        past: BlockId,
        insts: Vec<Inst>,
        lines: Vec<u32>,
    ) {
        let trap = self.new_block(Some(mask));
        let block = &mut self.out.func.blocks[trap.index()];
        (block.insts, block.lines) = (insts, lines);
        let (then, other) = match mask.negated {
            false => (trap, past),
            true => (past, trap),
        };
        self.out.func.blocks[copy.index()].end = Terminator::branch(mask.reg, then, other);
    }

    /// Emits the first block of the copy, which sets the initial predicates and copies the inherited registers to their
    /// new names.
    fn emit_first_block(
        &mut self,
        inherited: &[Reg],
        masks: &[Mask],
        own: &[Reg],
        end: Terminator,
    ) -> BlockId {
        let mut insts = Vec::new();
        for &reg in inherited {
            insts.push(mov(self.func, reg, Operand::Reg(reg)));
        }
        for inst in &mut insts {
            inst.defs_mut(|reg| *reg = self.name(*reg));
        }
        for &reg in own {
            let number = masks.iter().position(|m| m.reg == reg).unwrap_or(0);
            self.emit_taken(self.branch, self.region.blocks[number], reg, &mut insts);
        }
        let start = self.new_block(None);
        let lines = vec![self.line; insts.len() + 1];
        let block = &mut self.out.func.blocks[start.index()];
        (block.insts, block.lines, block.end) = (insts, lines, end);
        start
    }
}
