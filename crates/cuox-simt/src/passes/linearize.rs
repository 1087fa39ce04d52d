//! Gives divergent branches a way that a gang can go together: masked copies of the blocks between the branch and the place
//! where its ways meet.
//!
//! A branch keeps its two ways for a gang that agrees. For one that does not, the blocks between are copied, in an order in which
//! every loop is contiguous, and each copy is masked: a predicate a block says which threads are to run it. A block's copy ends
//! by setting the predicates of the blocks it leads to. The gang goes from copy to copy, past those that no thread is to run, and back to
//! the start of a loop while some thread is to run it again.
//!
//! What a thread does is what it would have done alone, so a gang may stop anywhere in the copies and its threads go on one by one.
//! But others see a difference: threads wait for each other in a loop. So code that may wait for another thread in a loop stays as it
//! is, and so do barriers. A warp operation is one of the warps that run its block as a whole; where some lanes of a warp do not, the
//! gang parts there after all.

use crate::analysis::liveness::{Liveness, RegSet};
use crate::analysis::region::{Region, Set, Step, members};
use crate::analysis::switch_fork::{By, Fork};
use crate::analysis::uniformity::{Uniformity, UniformityInfo, widens};
use crate::ir::{
    Address, Args, Block, BlockId, Function, Inst, Mask, Op, Operand, Reg, Terminator, Ty, WarpOp,
};
use crate::passes;
use crate::passes::boundary_branch::{Counts, Decision};
use std::cell::OnceCell;

/// Most instructions of a loop that groups of lanes run one by one.
const MAX_BY_GROUPS: usize = 200;
/// Instructions that all copies of a function may have together, besides as many as it has itself.
const MAX_ADDED: usize = 2000;

/// A function with masked copies.
pub struct Linear {
    /// The function, its blocks in reverse post-order.
    pub func: Function,
    /// Registers whose values threads still need that a masked block, which writes them, is not for.
    pub kept: RegSet,
    /// Registers that differ from thread to thread for reasons that the code does not show; `kept` among them.
    pub varying: RegSet,
    /// Registers that only the masked blocks of one copy write and read.
    pub own: RegSet,
}

impl Linear {
    pub fn new_reg(&mut self, ty: Ty) -> Reg {
        let reg = self.func.new_reg(ty);
        let n = self.func.regs.len();
        self.kept.grow(n);
        self.varying.grow(n);
        self.own.grow(n);
        reg
    }
}

/// Adds masked copies for the divergent branches of `func`, as far as that is possible, and for those too that only the guard of a
/// comparison keeps together.
/// What writes a `steady` register is not copied: such are the same in all threads of a gang.
pub fn linearize(
    func: &Function,
    live: &Liveness,
    uniformity: &UniformityInfo,
    steady: &[Reg],
) -> Linear {
    let n = func.regs.len();
    let mut out = Linear {
        func: func.clone(),
        kept: RegSet::new(n),
        varying: RegSet::new(n),
        own: RegSet::new(n),
    };
    let counts = Counts::new(func);
    let preds = passes::predecessors(func);
    let mut meets = None;
    let strict = OnceCell::new();
    // Whether all threads of a gang have the same answer to a branch, guards or none.
    let same = |cond: Reg| {
        uniformity.of(cond) == Uniformity::Uniform && {
            let strict = strict.get_or_init(|| uniformity.without_guards(func, live, steady));
            strict.of(cond) == Uniformity::Uniform
        }
    };
    let mut left = MAX_ADDED + func.blocks.iter().map(|b| b.insts.len()).sum::<usize>();
    for (index, block) in func.blocks.iter().enumerate() {
        let Some(mut fork) = Fork::of(&block.end) else {
            continue;
        };
        let Some(decides) = fork.reg() else { continue };
        let decision = match (uniformity.of(decides), fork.by) {
            (Uniformity::Varying, By::Cond(_)) => None,
            // Calls that are made jumps return by switches, to places that are far apart.
            (Uniformity::Varying, By::Index(_)) if steady.is_empty() => None,
            (_, By::Index(_)) => continue,
            (_, By::Cond(cond)) => match Decision::of(block, cond, uniformity, &counts) {
                None => continue,
                decision => decision,
            },
        };
        let meets = meets.get_or_insert_with(|| passes::post_dominators(func));
        let Some(meet) = meets[index] else { continue };
        let meet = BlockId(meet as u32);
        let Some(region) = Region::new(func, &preds, &same, &fork, meet) else {
            continue;
        };
        if region.insts > left || region.writes(func, steady) {
            continue;
        }
        left -= region.insts;
        let id = BlockId(index as u32);
        let parted = decision.and_then(|decision| decision.part(&mut out, id));
        let varies = parted.is_none();
        let mut from = id;
        if let Some((twin, cond)) = parted {
            (from, fork.by) = (twin, By::Cond(cond));
        }
        let mut copy = Copy {
            func,
            live,
            uniformity,
            same: &same,
            region: &region,
            line: block.lines.last().copied().unwrap_or(0),
            fork: &fork,
            names: vec![None; n],
            out: &mut out,
        };
        let start = copy.make();
        match &mut out.func.blocks[from.index()].end {
            Terminator::Branch {
                then, other, mixed, ..
            } => {
                *mixed = Some(start);
                // Warp operations are mostly for the first warp of a block or for all: where some lanes pass them by, all the others
                // take the copy, too.
                if varies && region.has_warp_ops(func) {
                    [then, other]
                        .into_iter()
                        .filter(|way| **way != region.meet)
                        .for_each(|way| *way = start);
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
/// A masked copy of a region in the making.
struct Copy<'a> {
    func: &'a Function,
    live: &'a Liveness,
    uniformity: &'a UniformityInfo,
    /// Whether all threads have the same answer to a branch.
    same: &'a dyn Fn(Reg) -> bool,
    region: &'a Region,
    line: u32,
    fork: &'a Fork,
    /// Registers of the copy in place of others.
    names: Vec<Option<Reg>>,
    out: &'a mut Linear,
}

fn mov(func: &Function, dst: Reg, value: Operand) -> Inst {
    Inst::Op {
        dst,
        op: Op::Mov(func.ty(dst)),
        args: Args::new(&[value]),
    }
}

impl Copy<'_> {
    fn new_reg(&mut self, ty: Ty) -> Reg {
        self.out.new_reg(ty)
    }

    /// A new block; its code comes later.
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

    /// Makes the copy; the answer is where it begins.
    fn make(&mut self) -> BlockId {
        let inherited = self.rename();
        self.keep();
        let (masks, own) = self.masks();
        let blocks: Vec<BlockId> = masks
            .iter()
            .map(|&mask| self.new_block(Some(mask)))
            .collect();
        // Where the gang asks whether to run the block of a step, and what it asks.
        let tests: Vec<BlockId> = self
            .region
            .steps
            .iter()
            .map(|_| self.new_block(None))
            .collect();
        let after = |k: usize| tests.get(k + 1).copied().unwrap_or(self.region.meet);
        let ends: Vec<Terminator> = (0..tests.len())
            .map(|k| {
                let (Step::Run(i) | Step::Again(i)) = self.region.steps[k];
                // Threads enter a loop at its first block only, so without one there is none in it.
                let last = self.region.steps[k..]
                    .iter()
                    .position(|s| matches!(s, Step::Again(head) if *head == i));
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
                .unwrap_or(Terminator::Jump(self.region.meet))
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
            self.lead_on(i, &source.end, &masks, &mut insts);
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
                    self.part(*copy, masks[i], past, insts, lines);
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
        self.begin(&inherited, &masks, &own, end_at(0))
    }

    /// Gives what the region writes, and nobody reads after it, names of its own. Answers the registers that hold something before.
    fn rename(&mut self) -> Vec<Reg> {
        let after = self.live.live_in(self.region.meet);
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
                let mut ways = self.fork.ways.iter();
                if ways.any(|&w| self.live.live_in(w).contains(reg)) {
                    inherited.push(reg);
                } else {
                    self.out.own.insert(name);
                }
            }
        }
        inherited
    }

    /// Finds the registers that threads need which wait while others write them, and those that may differ otherwise.
    fn keep(&mut self) {
        let region = self.region;
        for (i, b) in region.blocks.iter().enumerate() {
            let waiting = region.waiting(i);
            let by_groups = region
                .loops
                .iter()
                .any(|&(head, ring)| ring >> i & 1 != 0 && self.runs_by_groups(head, ring));
            let mut needed = self.live.live_in(region.meet).clone();
            for w in members(waiting) {
                needed.union(self.live.live_in(region.blocks[w]));
            }
            for inst in &self.func.blocks[b.index()].insts {
                // What holds for threads that the block is for need not hold for the others: that an index does not wrap, or
                // that all answers to a comparison agree.
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
            // The results of a warp operation are those of the warps that take part.
            self.func.blocks[b.index()].end.defs(|reg| {
                let name = self.names[reg.index()].unwrap_or(reg);
                self.out.varying.insert(name);
                if needed.contains(reg) {
                    self.out.kept.insert(name);
                }
            });
        }
    }

    /// Whether a loop is one that four lanes run to its end before the next four begin: an innermost one that changes nothing but
    /// registers. What it computes is then computed for each lane, so addresses must be such that differ anyway.
    fn runs_by_groups(&self, head: usize, ring: Set) -> bool {
        let inner = |&(other, set): &(usize, Set)| other != head && set & !ring == 0;
        if self.region.loops.iter().any(inner) {
            return false;
        }
        let blocks = || members(ring).map(|i| &self.func.blocks[self.region.blocks[i].index()]);
        // Where all threads take the same turns, a gang can as well.
        let parts = |block: &Block| match block.end {
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
        if !blocks().any(parts) {
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
        count <= MAX_BY_GROUPS
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

    /// The predicates of the blocks; those that are not simply the branch's own come separately, too.
    fn masks(&mut self) -> (Vec<Mask>, Vec<Reg>) {
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
        let cond = match self.fork.by {
            By::Cond(cond) if !written(cond) => Some(cond),
            By::Cond(_) | By::Index(_) => None,
        };
        let masks = (0..self.region.blocks.len())
            .map(|i| {
                let b = self.region.blocks[i];
                if let (Some(reg), 0) = (cond, self.region.preds[i]) {
                    return Mask {
                        reg,
                        negated: b != self.fork.ways[0],
                    };
                }
                let reg = self.new_reg(Ty::Pred);
                own.push(reg);
                self.out.kept.insert(reg);
                self.out.varying.insert(reg);
                Mask {
                    reg,
                    negated: false,
                }
            })
            .collect();
        (masks, own)
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

    /// Code at the end of block `i`: it sets the predicates of the blocks that it leads to and takes back its own.
    fn lead_on(&mut self, i: usize, end: &Terminator, masks: &[Mask], insts: &mut Vec<Inst>) {
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
                let Some(fork) = Fork::of(&end) else { return };
                let mut ways = fork.ways.clone();
                ways.sort_unstable();
                ways.dedup();
                for to in ways {
                    if let Some(mask) = mask_of(to) {
                        self.ask(&fork, to, mask, insts);
                    }
                }
            }
            Terminator::Jump(to) | Terminator::Warp { next: to, .. } => {
                if let Some(mask) = mask_of(*to) {
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
        let own = self.region.succs[i] >> i & 1 != 0;
        if self.region.loops_of(i) != 0 && !own {
            insts.push(mov(&self.out.func, masks[i].reg, Operand::Imm(0)));
        }
    }

    /// Code that says in `mask` whether a thread goes from a fork to a block.
    fn ask(&mut self, fork: &Fork, to: BlockId, mask: Reg, insts: &mut Vec<Inst>) {
        let out = &mut *self.out;
        let mut new_reg = || {
            let reg = out.new_reg(Ty::Pred);
            out.varying.insert(reg);
            out.own.insert(reg);
            reg
        };
        fork.ask(to, mask, &mut new_reg, insts);
    }

    /// Ends the copy of a block that ends the grid, which has those instructions: threads that are to run it part from the others.
    fn part(
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

    /// The block that begins the copy: sets the first predicates and takes over what the region's names stand for.
    fn begin(
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
            self.ask(self.fork, self.region.blocks[number], reg, &mut insts);
        }
        let start = self.new_block(None);
        let lines = vec![self.line; insts.len() + 1];
        let block = &mut self.out.func.blocks[start.index()];
        (block.insts, block.lines, block.end) = (insts, lines, end);
        start
    }
}
