//! The blocks between a branch and the place where its ways meet, in the order in which a gang goes through their masked copies.

use crate::analysis::switch_fork::{self, Fork};
use crate::ir::{BlockId, Function, Inst, Order, Reg, Terminator, WarpOp};

/// Most blocks between a branch and the place where its ways meet: as many as a set in a word can have.
const MAX_BLOCKS: usize = 63;
/// Most instructions of them.
const MAX_INSTS: usize = 600;

/// A set of a region's blocks.
pub(crate) type Set = u64;

pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&i| set >> i & 1 != 0)
}

/// A step through a region in which every loop is contiguous.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// The block.
    Run(usize),
    /// The end of the loop that begins with the block.
    Again(usize),
}

/// The blocks between a branch and the place where its ways meet, by number.
pub(crate) struct Region {
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) meet: BlockId,
    pub(crate) succs: Vec<Set>,
    pub(crate) preds: Vec<Set>,
    /// Where the branch leads.
    pub(crate) starts: Set,
    pub(crate) steps: Vec<Step>,
    /// Where in `steps` each block is.
    pub(crate) at: Vec<usize>,
    /// Loops: their first blocks and all of them.
    pub(crate) loops: Vec<(usize, Set)>,
    /// The blocks that every way from the branch to a block goes through.
    dominators: Vec<Set>,
    /// Where each of the branch's ways leads, if no other branch in them parts threads.
    ways: Option<Vec<Set>>,
    /// Blocks that end the grid (`trap`), which a gang does not go through: its threads part in front of them.
    pub(crate) traps: Set,
    /// Instructions.
    pub(crate) insts: usize,
}

impl Region {
    /// The region of a branch, if threads can go through it together.
    pub(crate) fn new(
        func: &Function,
        preds: &[Vec<BlockId>],
        same: &dyn Fn(Reg) -> bool,
        fork: &Fork,
        meet: BlockId,
    ) -> Option<Region> {
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut work: Vec<BlockId> = fork.ways.clone();
        while let Some(at) = work.pop() {
            if at == meet || blocks.contains(&at) {
                continue;
            }
            let block = &func.blocks[at.index()];
            match block.end {
                Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Trap => {}
                Terminator::Switch { .. } if switch_fork::in_range(func, preds, at) => {}
                // It tells which threads are together.
                Terminator::Warp {
                    op: WarpOp::ActiveMask,
                    ..
                } => return None,
                Terminator::Warp { .. } => {}
                Terminator::Switch { .. }
                | Terminator::Exit
                | Terminator::Return
                | Terminator::Barrier { .. }
                | Terminator::Cluster { .. }
                | Terminator::Pause { .. } => return None,
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
            starts: fork.ways.iter().fold(0, |set, &way| set | set_of(way)),
            traps: 0,
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
            region.traps |= Set::from(block.end == Terminator::Trap) << i;
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
            Terminator::Switch { index, .. } => index.reg().is_none_or(same),
            Terminator::Jump(_)
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => true,
        };
        if blocks.iter().all(together) {
            let mut starts = fork.ways.clone();
            starts.sort_unstable();
            starts.dedup();
            let ways = starts.into_iter().map(|way| region.behind(set_of(way)));
            let ways: Vec<Set> = ways.collect();
            let apart = ways.iter().map(|way| way.count_ones()).sum::<u32>()
                == ways.iter().fold(0, |all, way| all | way).count_ones();
            region.ways = apart.then_some(ways);
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
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => true,
        };
        blocks
            .iter()
            .enumerate()
            .all(|(i, b)| {
                let block = &func.blocks[b.index()];
                let traps = region.traps >> i & 1 != 0;
                traps || ends(i, &block.end) && block.insts.iter().all(|inst| fits(i, inst))
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
    pub(crate) fn writes(&self, func: &Function, regs: &[Reg]) -> bool {
        let insts = self
            .blocks
            .iter()
            .flat_map(|b| &func.blocks[b.index()].insts);
        let mut any = false;
        insts.for_each(|inst| inst.defs(|reg| any |= regs.contains(&reg)));
        any
    }

    /// Whether some of its blocks end in warp operations, and one way passes by all blocks.
    pub(crate) fn has_warp_ops(&self, func: &Function) -> bool {
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
    pub(crate) fn loops_of(&self, i: usize) -> u64 {
        self.loops
            .iter()
            .enumerate()
            .filter(|(_, (_, set))| set >> i & 1 != 0)
            .fold(0, |all, (n, _)| all | 1 << n)
    }

    /// The blocks where threads may stand that have a way to go while `at` runs for others: their predicates are set by then, and
    /// that was not after their last turn in `at`.
    pub(crate) fn waiting(&self, at: usize) -> Set {
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
            .as_ref()
            .and_then(|ways| ways.iter().find(|way| *way >> at & 1 != 0))
        {
            Some(way) => set & !way,
            None => set,
        }
    }
}
