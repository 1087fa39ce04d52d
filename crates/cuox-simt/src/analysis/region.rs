//! Regions of blocks between a divergent branch and its reconvergence point, in the order in which a gang runs their
//! masked copies.
//!
//! A region is found by walking from the branch to its join. It must be reducible and free of barriers, calls and
//! returns. Its blocks are put into a linear order in which every loop is contiguous.

use crate::analysis::multiway_branch::{self, MultiwayBranch};
use crate::ir::{BlockId, Function, Inst, Order, Reg, Terminator, WarpOp};

/// Largest number of blocks in a region: the most that a [`BlockSet`] can hold.
const MAX_BLOCKS: usize = 63;
/// Largest number of instructions in a region.
const MAX_INSTS: usize = 600;

/// Set of a region's blocks, one bit each.
pub(crate) type BlockSet = u64;

pub(crate) fn members(set: BlockSet) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&i| set >> i & 1 != 0)
}

/// Step of the linear order of a region. Every loop is contiguous in it.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Runs the block.
    Run(usize),
    /// Ends the loop with this header.
    LoopEnd(usize),
}

/// Blocks between a branch and its reconvergence point. Blocks are numbered within the region.
pub(crate) struct Region {
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) join: BlockId,
    pub(crate) succs: Vec<BlockSet>,
    pub(crate) preds: Vec<BlockSet>,
    /// Targets of the branch.
    pub(crate) starts: BlockSet,
    pub(crate) steps: Vec<Step>,
    /// Index in `steps` of each block.
    pub(crate) at: Vec<usize>,
    /// Loops: the header and the set of all blocks of each.
    pub(crate) loops: Vec<(usize, BlockSet)>,
    /// Dominators of each block within the region.
    dominators: Vec<BlockSet>,
    /// Blocks reachable from each target of the branch, if those sets are disjoint and no other branch of the region
    /// diverges.
    arms: Option<Vec<BlockSet>>,
    /// Blocks that end the grid (`trap`). A gang does not run them; its threads leave the gang before them.
    pub(crate) traps: BlockSet,
    /// Number of instructions.
    pub(crate) insts: usize,
}

impl Region {
    /// Builds the region of a branch. Returns `None` if threads cannot go through it together.
    pub(crate) fn new(
        func: &Function,
        preds: &[Vec<BlockId>],
        same: &dyn Fn(Reg) -> bool,
        branch: &MultiwayBranch,
        join: BlockId,
    ) -> Option<Region> {
        let mut blocks: Vec<BlockId> = Vec::new();
        let mut work: Vec<BlockId> = branch.targets.clone();
        while let Some(at) = work.pop() {
            if at == join || blocks.contains(&at) {
                continue;
            }
            let block = &func.blocks[at.index()];
            match block.end {
                Terminator::Jump(_) | Terminator::Branch { .. } | Terminator::Trap => {}
                Terminator::Switch { .. } if multiway_branch::in_range(func, preds, at) => {}
                // The active mask would reveal which threads run together.
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
            join,
            succs: vec![0; n],
            preds: vec![0; n],
            starts: branch
                .targets
                .iter()
                .fold(0, |set, &target| set | set_of(target)),
            traps: 0,
            steps: Vec::new(),
            at: vec![0; n],
            loops: Vec::new(),
            dominators: vec![0; n],
            arms: None,
            insts: 0,
            blocks: blocks.clone(),
        };
        for (i, b) in blocks.iter().enumerate() {
            let block = &func.blocks[b.index()];
            region.insts += block.insts.len();
            region.traps |= BlockSet::from(block.end == Terminator::Trap) << i;
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
        let all = BlockSet::MAX >> (64 - n);
        region.append_in_order(all, 0)?;
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
            let mut starts = branch.targets.clone();
            starts.sort_unstable();
            starts.dedup();
            let arms = starts
                .into_iter()
                .map(|target| region.reachable_from(set_of(target)));
            let arms: Vec<BlockSet> = arms.collect();
            let disjoint = arms.iter().map(|arm| arm.count_ones()).sum::<u32>()
                == arms.iter().fold(0, |all, arm| all | arm).count_ones();
            region.arms = disjoint.then_some(arms);
        }
        let looped = region.loops.iter().fold(0, |set, (_, l)| set | l);
        let fits = |i: usize, inst: &Inst| match inst {
            Inst::Syscall { .. } | Inst::Image { .. } | Inst::Call { .. } | Inst::Fence(_) => false,
            // A thread cannot wait for another with an atomic operation that returns no value.
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

    /// Appends the blocks of `set` to `steps` in topological order, ignoring edges into the headers of enclosing loops
    /// (`cut`). Returns `None` for a loop with two entries.
    fn append_in_order(&mut self, set: BlockSet, cut: BlockSet) -> Option<()> {
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
            // The first remaining block whose only remaining predecessors lie in its own loop.
            let (first, loop_blocks) = members(left).find_map(|i| {
                let loop_blocks = members(reach[i] & left)
                    .filter(|&j| reach[j] >> i & 1 != 0)
                    .fold(1 << i, |r, j| r | 1 << j);
                let before = members(loop_blocks)
                    .filter(|&j| cut >> j & 1 == 0)
                    .fold(0, |p, j| p | self.preds[j]);
                (before & left & !loop_blocks == 0).then_some((i, loop_blocks))
            })?;
            left &= !loop_blocks;
            if reach[first] >> first & 1 == 0 {
                self.steps.push(Step::Run(first));
                continue;
            }
            let mut heads = members(loop_blocks)
                .filter(|&j| self.starts >> j & 1 != 0 || self.preds[j] & !loop_blocks != 0);
            let (head, None) = (heads.next()?, heads.next()) else {
                return None;
            };
            self.loops.push((head, loop_blocks));
            if loop_blocks == 1 << head {
                self.steps.push(Step::Run(head));
            } else {
                self.append_in_order(loop_blocks, cut | 1 << head)?;
            }
            self.steps.push(Step::LoopEnd(head));
        }
        Some(())
    }

    /// Tells whether any block writes one of `regs`.
    pub(crate) fn writes(&self, func: &Function, regs: &[Reg]) -> bool {
        let insts = self
            .blocks
            .iter()
            .flat_map(|b| &func.blocks[b.index()].insts);
        let mut any = false;
        insts.for_each(|inst| inst.defs(|reg| any |= regs.contains(&reg)));
        any
    }

    /// Tells whether a block ends in a warp operation and the branch has a target that bypasses the region.
    pub(crate) fn has_warp_ops(&self, func: &Function) -> bool {
        let bypassed = self.starts.count_ones() == 1;
        let ends = |b: &BlockId| {
            let end = &func.blocks[b.index()].end;
            matches!(end, Terminator::Warp { .. }) && !end.is_step()
        };
        bypassed && self.blocks.iter().any(ends)
    }

    /// Returns `set` and all blocks reachable from it.
    fn reachable_from(&self, mut set: BlockSet) -> BlockSet {
        loop {
            let more = members(set).fold(set, |set, i| set | self.succs[i]);
            if more == set {
                return set;
            }
            set = more;
        }
    }

    fn dominate(&mut self, all: BlockSet) {
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

    /// Returns the loops that contain a block, one bit each.
    pub(crate) fn loops_of(&self, i: usize) -> u64 {
        self.loops
            .iter()
            .enumerate()
            .filter(|(_, (_, set))| set >> i & 1 != 0)
            .fold(0, |all, (n, _)| all | 1 << n)
    }

    /// Returns the blocks that other threads may be waiting to run while `at` runs: those whose predicates may already
    /// be set, and were not set after those threads' last iteration of `at`.
    pub(crate) fn waiting(&self, at: usize) -> BlockSet {
        let own = self.loops_of(at);
        let passed =
            |b: usize, around: u64| self.dominators[b] >> at & 1 != 0 && own & !around == 0;
        let mut set = 0;
        for w in 0..self.blocks.len() {
            if w != at && self.at[w] > self.at[at] && !passed(w, self.loops_of(w)) {
                set |= 1 << w;
            }
        }
        for &(head, loop_blocks) in &self.loops {
            if head == at || loop_blocks >> at & 1 == 0 {
                continue;
            }
            let around = self.loops_of(head);
            if members(self.preds[head] & loop_blocks).any(|latch| !passed(latch, around)) {
                set |= 1 << head;
            }
        }
        // Threads in the same arm of the branch are at `at`.
        match self
            .arms
            .as_ref()
            .and_then(|arms| arms.iter().find(|arm| *arm >> at & 1 != 0))
        {
            Some(arm) => set & !arm,
            None => set,
        }
    }
}
