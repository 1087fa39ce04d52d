//! Gives divergent branches a way that a team can go together: masked copies of the blocks between the branch and the place
//! where its ways meet.
//!
//! A branch keeps its two ways for a team that agrees. For one that does not, the blocks between are copied, in an order in which
//! every loop is contiguous, and each copy is masked: a predicate a block says which threads are to run it. A block's copy ends
//! by setting the predicates of the blocks it leads to. The team goes from copy to copy, past those that no thread is to run, and back to
//! the start of a loop while some thread is to run it again.
//!
//! What a thread does is what it would have done alone, so a team may stop anywhere in the copies and its threads go on one by one.
//! But others see a difference: threads wait for each other in a loop. So code that may wait for another thread in a loop stays as it
//! is, and so do barriers. A warp operation is one of the warps that run its block as a whole; where some lanes of a warp do not, the
//! team parts there after all.

use super::classes::{Class, Classes, widens};
use super::edges::{Counts, Decision};
use super::liveness::{Liveness, RegSet};
use crate::ir::{
    Address, Args, Block, BlockId, Function, Inst, Mask, Op, Operand, Order, PredOp, Reg,
    Terminator, Ty, WarpOp,
};
use crate::passes;
use std::cell::OnceCell;

/// Most blocks between a branch and the place where its ways meet: as many as a set in a word can have.
const MAX_BLOCKS: usize = 63;
/// Most instructions of them.
const MAX_INSTS: usize = 600;
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
/// What writes a `steady` register is not copied: such are the same in all threads of a team.
pub fn linearize(func: &Function, live: &Liveness, classes: &Classes, steady: &[Reg]) -> Linear {
    let n = func.regs.len();
    let mut out = Linear {
        func: func.clone(),
        kept: RegSet::new(n),
        varying: RegSet::new(n),
        own: RegSet::new(n),
    };
    let counts = Counts::new(func);
    let mut meets = None;
    let strict = OnceCell::new();
    // Whether all threads of a team have the same answer to a branch, guards or none.
    let same = |cond: Reg| {
        classes.of(cond) == Class::Uniform && {
            let strict = strict.get_or_init(|| classes.without_guards(func, live, steady));
            strict.of(cond) == Class::Uniform
        }
    };
    let mut left = MAX_ADDED + func.blocks.iter().map(|b| b.insts.len()).sum::<usize>();
    for (index, block) in func.blocks.iter().enumerate() {
        let Terminator::Branch {
            cond, then, other, ..
        } = block.end
        else {
            continue;
        };
        let decision = match classes.of(cond) {
            Class::Varying => None,
            _ => match Decision::of(block, cond, classes, &counts) {
                None => continue,
                decision => decision,
            },
        };
        let meets = meets.get_or_insert_with(|| passes::post_dominators(func));
        let Some(meet) = meets[index] else { continue };
        let ways = [then, other];
        let Some(region) = Region::new(func, &same, ways, BlockId(meet as u32)) else {
            continue;
        };
        if region.insts > left || region.writes(func, steady) {
            continue;
        }
        left -= region.insts;
        let id = BlockId(index as u32);
        let parted = decision.and_then(|decision| decision.part(&mut out, id));
        let varies = parted.is_none();
        let (from, cond) = parted.unwrap_or((id, cond));
        let mut copy = Copy {
            func,
            live,
            classes,
            same: &same,
            region: &region,
            line: block.lines.last().copied().unwrap_or(0),
            cond,
            names: vec![None; n],
            out: &mut out,
        };
        let start = copy.make(ways);
        if let Terminator::Branch {
            then, other, mixed, ..
        } = &mut out.func.blocks[from.index()].end
        {
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
    }
    passes::reorder(&mut out.func);
    out
}

/// A set of a region's blocks.
type Set = u64;

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&i| set >> i & 1 != 0)
}

/// A step through a region in which every loop is contiguous.
#[derive(Clone, Copy)]
enum Step {
    /// The block.
    Run(usize),
    /// The end of the loop that begins with the block.
    Again(usize),
}

/// The blocks between a branch and the place where its ways meet, by number.
struct Region {
    blocks: Vec<BlockId>,
    meet: BlockId,
    succs: Vec<Set>,
    preds: Vec<Set>,
    /// Where the branch leads.
    starts: Set,
    steps: Vec<Step>,
    /// Where in `steps` each block is.
    at: Vec<usize>,
    /// Loops: their first blocks and all of them.
    loops: Vec<(usize, Set)>,
    /// The blocks that every way from the branch to a block goes through.
    dominators: Vec<Set>,
    /// Where each of the branch's two ways leads, if no other branch in them parts threads.
    ways: Option<[Set; 2]>,
    /// Instructions.
    insts: usize,
}

impl Region {
    /// The region of a branch, if threads can go through it together.
    fn new(
        func: &Function,
        same: &dyn Fn(Reg) -> bool,
        ways: [BlockId; 2],
        meet: BlockId,
    ) -> Option<Region> {
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut work: Vec<BlockId> = ways.to_vec();
        while let Some(at) = work.pop() {
            if at == meet || blocks.contains(&at) {
                continue;
            }
            let block = &func.blocks[at.index()];
            match block.end {
                Terminator::Jump(_) | Terminator::Branch { .. } => {}
                // It tells which threads are together.
                Terminator::Warp {
                    op: WarpOp::ActiveMask,
                    ..
                } => return None,
                Terminator::Warp { .. } => {}
                _ => return None,
            }
            blocks.push(at);
            if blocks.len() > MAX_BLOCKS {
                return None;
            }
            block.end.successors(|s| work.push(s));
        }
        blocks.sort_unstable();
        let number = |b: BlockId| blocks.binary_search(&b).ok();
        let set_of = |b: BlockId| number(b).map_or(0, |i| 1 << i);
        let n = blocks.len();
        let mut region = Region {
            meet,
            succs: vec![0; n],
            preds: vec![0; n],
            starts: set_of(ways[0]) | set_of(ways[1]),
            steps: Vec::new(),
            at: vec![0; n],
            loops: Vec::new(),
            dominators: vec![0; n],
            ways: None,
            insts: 0,
            blocks: blocks.clone(),
        };
        for (i, b) in blocks.iter().enumerate() {
            let block = &func.blocks[b.index()];
            region.insts += block.insts.len();
            block.end.successors(|s| {
                region.succs[i] |= set_of(s);
                if let Some(s) = number(s) {
                    region.preds[s] |= 1 << i;
                }
            });
        }
        if n == 0 || region.insts > MAX_INSTS {
            return None;
        }
        let all = Set::MAX >> (64 - n);
        region.arrange(all, 0)?;
        for (k, step) in region.steps.iter().enumerate() {
            if let Step::Run(i) = step {
                region.at[*i] = k;
            }
        }
        region.dominate(all);
        let together = |b: &BlockId| match func.blocks[b.index()].end {
            Terminator::Branch { cond, .. } => same(cond),
            _ => true,
        };
        if blocks.iter().all(together) {
            let [one, other] = ways.map(|way| region.behind(set_of(way)));
            region.ways = (one & other == 0).then_some([one, other]);
        }
        let looped = region.loops.iter().fold(0, |set, (_, l)| set | l);
        let fits = |i: usize, inst: &Inst| match inst {
            Inst::Syscall { .. } | Inst::Image { .. } | Inst::Call { .. } | Inst::Fence(_) => false,
            // Nobody waits for others by what gives no answer.
            Inst::Atomic { dst, .. } => dst.is_none() || looped >> i & 1 == 0,
            Inst::Load { order, .. } => *order == Order::Plain || looped >> i & 1 == 0,
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Check { .. }
            | Inst::Store { .. } => true,
        };
        let ends = |i: usize, end: &Terminator| match end {
            Terminator::Warp { .. } if !end.is_step() => looped >> i & 1 == 0,
            _ => true,
        };
        blocks
            .iter()
            .enumerate()
            .all(|(i, b)| {
                let block = &func.blocks[b.index()];
                ends(i, &block.end) && block.insts.iter().all(|inst| fits(i, inst))
            })
            .then_some(region)
    }

    /// Puts the blocks of `set` in order, without edges into the blocks of `cut`, the first of loops around. There is no order for a
    /// loop with two entrances.
    fn arrange(&mut self, set: Set, cut: Set) -> Option<()> {
        let mut reach = self.succs.clone();
        let mut changed = true;
        for i in members(set) {
            reach[i] &= set & !cut;
        }
        while changed {
            changed = false;
            for i in members(set) {
                let more = members(reach[i]).fold(reach[i], |r, j| r | reach[j]);
                changed |= more != reach[i];
                reach[i] = more;
            }
        }
        let mut left = set;
        while left != 0 {
            // The first that nothing left leads to, but what it leads to itself.
            let (first, ring) = members(left).find_map(|i| {
                let ring = members(reach[i] & left)
                    .filter(|&j| reach[j] >> i & 1 != 0)
                    .fold(1 << i, |r, j| r | 1 << j);
                let before = members(ring)
                    .filter(|&j| cut >> j & 1 == 0)
                    .fold(0, |p, j| p | self.preds[j]);
                (before & left & !ring == 0).then_some((i, ring))
            })?;
            left &= !ring;
            if reach[first] >> first & 1 == 0 {
                self.steps.push(Step::Run(first));
                continue;
            }
            let mut heads =
                members(ring).filter(|&j| self.starts >> j & 1 != 0 || self.preds[j] & !ring != 0);
            let (head, None) = (heads.next()?, heads.next()) else {
                return None;
            };
            self.loops.push((head, ring));
            if ring == 1 << head {
                self.steps.push(Step::Run(head));
            } else {
                self.arrange(ring, cut | 1 << head)?;
            }
            self.steps.push(Step::Again(head));
        }
        Some(())
    }

    /// Whether some of its blocks write one of those registers.
    fn writes(&self, func: &Function, regs: &[Reg]) -> bool {
        let insts = self
            .blocks
            .iter()
            .flat_map(|b| &func.blocks[b.index()].insts);
        let mut any = false;
        insts.for_each(|inst| inst.defs(|reg| any |= regs.contains(&reg)));
        any
    }

    /// Whether some of its blocks end in warp operations, and one way passes by all blocks.
    fn has_warp_ops(&self, func: &Function) -> bool {
        let one_way = self.starts.count_ones() == 1;
        let ends = |b: &BlockId| {
            let end = &func.blocks[b.index()].end;
            matches!(end, Terminator::Warp { .. }) && !end.is_step()
        };
        one_way && self.blocks.iter().any(ends)
    }

    /// Some of its blocks, and all that they lead to.
    fn behind(&self, mut set: Set) -> Set {
        loop {
            let more = members(set).fold(set, |set, i| set | self.succs[i]);
            if more == set {
                return set;
            }
            set = more;
        }
    }

    fn dominate(&mut self, all: Set) {
        self.dominators = vec![all; self.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for i in members(all) {
                let mut over = all;
                if self.starts >> i & 1 != 0 {
                    over = 0;
                }
                over = members(self.preds[i]).fold(over, |o, p| o & self.dominators[p]) | 1 << i;
                changed |= over != self.dominators[i];
                self.dominators[i] = over;
            }
        }
    }

    /// The loops that a block is in, a bit each.
    fn loops_of(&self, i: usize) -> u64 {
        self.loops
            .iter()
            .enumerate()
            .filter(|(_, (_, set))| set >> i & 1 != 0)
            .fold(0, |all, (n, _)| all | 1 << n)
    }

    /// The blocks where threads may stand that have a way to go while `at` runs for others: their predicates are set by then, and
    /// that was not after their last turn in `at`.
    fn waiting(&self, at: usize) -> Set {
        let own = self.loops_of(at);
        let passed =
            |b: usize, around: u64| self.dominators[b] >> at & 1 != 0 && own & !around == 0;
        let mut set = 0;
        for w in 0..self.blocks.len() {
            if w != at && self.at[w] > self.at[at] && !passed(w, self.loops_of(w)) {
                set |= 1 << w;
            }
        }
        for &(head, ring) in &self.loops {
            if head == at || ring >> at & 1 == 0 {
                continue;
            }
            let around = self.loops_of(head);
            if members(self.preds[head] & ring).any(|latch| !passed(latch, around)) {
                set |= 1 << head;
            }
        }
        // Those that go the same way are where `at` is.
        match self
            .ways
            .and_then(|ways| ways.into_iter().find(|way| way >> at & 1 != 0))
        {
            Some(way) => set & !way,
            None => set,
        }
    }
}

/// A masked copy of a region in the making.
struct Copy<'a> {
    func: &'a Function,
    live: &'a Liveness,
    classes: &'a Classes,
    /// Whether all threads have the same answer to a branch.
    same: &'a dyn Fn(Reg) -> bool,
    region: &'a Region,
    line: u32,
    cond: Reg,
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

fn not(dst: Reg, value: Reg) -> Inst {
    Inst::Op {
        dst,
        op: Op::Logic(PredOp::Not),
        args: Args::new(&[Operand::Reg(value)]),
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
    fn make(&mut self, ways: [BlockId; 2]) -> BlockId {
        let inherited = self.rename(ways);
        self.keep();
        let (masks, own) = self.masks(ways);
        let blocks: Vec<BlockId> = masks
            .iter()
            .map(|&mask| self.new_block(Some(mask)))
            .collect();
        // Where the team asks whether to run the block of a step, and what it asks.
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
                _ => end_at(self.region.at[i] + 1),
            };
            let block = &mut self.out.func.blocks[copy.index()];
            (block.insts, block.lines, block.end) = (insts, lines, end);
        }
        self.begin(ways, &inherited, &masks, &own, end_at(0))
    }

    /// Gives what the region writes, and nobody reads after it, names of its own. Answers the registers that hold something before.
    fn rename(&mut self, ways: [BlockId; 2]) -> Vec<Reg> {
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
                if ways.iter().any(|&w| self.live.live_in(w).contains(reg)) {
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
                    guarded = args.iter().any(|&a| match (self.classes.operand(a), op) {
                        (Class::Uniform, _) => false,
                        (_, Op::Compare { .. }) => true,
                        (Class::Affine(_), op) => widens(*op) == Some(false),
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
        // Where all threads take the same turns, a team can as well.
        let parts = |block: &Block| match block.end {
            Terminator::Branch { cond, .. } => !(self.same)(cond),
            _ => false,
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
            !own || self.classes.operand(addr.base) == Class::Varying
        };
        count <= MAX_BY_GROUPS
            && blocks().flat_map(|b| &b.insts).all(|inst| match inst {
                Inst::Op { .. } => true,
                Inst::Load { addr, .. } => differs(addr),
                _ => false,
            })
    }

    /// The predicates of the blocks; those that are not simply the branch's own come separately, too.
    fn masks(&mut self, ways: [BlockId; 2]) -> (Vec<Mask>, Vec<Reg>) {
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
        let stays = !written(self.cond);
        let masks = (0..self.region.blocks.len())
            .map(|i| {
                let b = self.region.blocks[i];
                if stays && self.region.preds[i] == 0 {
                    return Mask {
                        reg: self.cond,
                        negated: b != ways[0],
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
    fn lead_on(&self, i: usize, end: &Terminator, masks: &[Mask], insts: &mut Vec<Inst>) {
        let mask_of = |b: BlockId| {
            let n = self.region.blocks.binary_search(&b).ok()?;
            Some(masks[n].reg)
        };
        match end {
            Terminator::Branch {
                cond, then, other, ..
            } => {
                let cond = self.name(*cond);
                if let Some(mask) = mask_of(*other) {
                    insts.push(not(mask, cond));
                }
                if let Some(mask) = mask_of(*then) {
                    insts.push(mov(&self.out.func, mask, Operand::Reg(cond)));
                }
            }
            Terminator::Jump(to) | Terminator::Warp { next: to, .. } => {
                if let Some(mask) = mask_of(*to) {
                    insts.push(mov(&self.out.func, mask, Operand::Imm(1)));
                }
            }
            _ => {}
        }
        let own = self.region.succs[i] >> i & 1 != 0;
        if self.region.loops_of(i) != 0 && !own {
            insts.push(mov(&self.out.func, masks[i].reg, Operand::Imm(0)));
        }
    }

    /// The block that begins the copy: sets the first predicates and takes over what the region's names stand for.
    fn begin(
        &mut self,
        ways: [BlockId; 2],
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
            let block = self.region.blocks[number];
            insts.push(if block == ways[0] {
                mov(&self.out.func, reg, Operand::Reg(self.cond))
            } else if block == ways[1] {
                not(reg, self.cond)
            } else {
                mov(&self.out.func, reg, Operand::Imm(0))
            });
        }
        let start = self.new_block(None);
        let lines = vec![self.line; insts.len() + 1];
        let block = &mut self.out.func.blocks[start.index()];
        (block.insts, block.lines, block.end) = (insts, lines, end);
        start
    }
}
