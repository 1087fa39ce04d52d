//! Accesses that some lanes of a warp skip: those of the other way of a branch, and of further turns of a loop.
//!
//! The lanes that skip them come to the join of the ways, or behind the loop, before the others. A step among the
//! skipped accesses does not hold them up, so those count again at the join, whatever steps are between them.

use super::{Event, Pending};
use crate::analysis::dominators::Dominators;
use crate::analysis::lane_address::{LaneAddresses, Writers};
use crate::analysis::loop_nest::LoopNest;
use crate::ir::{BlockId, Function, Operand};
use rustc_hash::FxHashMap;

/// Largest number of blocks that are looked at for all joins together; the rest skips all that there is.
const MAX_WORK: usize = 1 << 20;

/// Accesses that other lanes may be at when the first ones come to a block.
#[derive(Clone, Default)]
pub(super) struct Skipped {
    /// If those come from earlier blocks.
    pub entering: Pending,
    /// If they come from the end of a loop's turn.
    pub again: Pending,
}

/// Returns what lanes skip that come to each block.
pub(super) fn skipped(
    f: &Function,
    events: &[Vec<(usize, Event)>],
    addresses: &LaneAddresses,
    preds: &[Vec<BlockId>],
) -> Vec<Skipped> {
    let mut region = Region {
        preds,
        blocks: Vec::new(),
        seen_for: vec![0; f.blocks.len()],
        number: 0,
        work: 0,
    };
    let writers = Writers::new(f);
    let mut found = vec![Skipped::default(); f.blocks.len()];
    let note = |found: &mut Pending, region: &Region<'_>, top: BlockId| {
        let parts = |block: &BlockId| addresses.parts(&f.blocks[block.index()].end);
        if !region.blocks.iter().chain([&top]).any(parts) {
            return;
        }
        for event in region
            .blocks
            .iter()
            .flat_map(|block| &events[block.index()])
        {
            match event {
                (_, Event::Access(access)) => {
                    let is_fixed = match access.base {
                        Operand::Reg(reg) => match writers.of(reg) {
                            [] => true,
                            [block] => !region.has(*block),
                            _ => false,
                        },
                        Operand::Imm(_) => true,
                    };
                    match is_fixed {
                        true => found.add(access),
                        false => found.add_other(access),
                    }
                }
                (_, Event::Call) => found.call(),
                (_, Event::Overwrite(_)) => {}
            }
        }
    };
    let (dominators, nest) = (Dominators::new(f), LoopNest::new(f));
    // The accesses of a loop's turn, by its header: a loop may have many exits.
    let mut turns: FxHashMap<u32, Pending> = FxHashMap::default();
    for (index, all) in preds.iter().enumerate() {
        let at = BlockId(index as u32);
        let before: Vec<BlockId> = all.iter().copied().filter(|pred| *pred < at).collect();
        if region.work > MAX_WORK {
            let mut every = Skipped::default();
            for (_, event) in events.iter().flatten() {
                match event {
                    Event::Access(access) => every.entering.add_other(access),
                    Event::Call => every.entering.call(),
                    Event::Overwrite(_) => {}
                }
            }
            every.again = every.entering.clone();
            found[index..].fill(every);
            break;
        }
        let ends: Vec<BlockId> = all.iter().copied().filter(|pred| *pred >= at).collect();
        if ends.len() > 1 {
            region.find(at, ends);
            note(&mut found[index].again, &region, at);
        }
        if let Some(branch) = dominators.parent(at)
            && before.len() > 1
        {
            region.find(branch, before.clone());
            note(&mut found[index].entering, &region, branch);
        }
        let mut left: Vec<u32> = before
            .iter()
            .flat_map(|pred| nest.left(pred.0, at.0))
            .copied()
            .collect();
        left.sort_unstable();
        left.dedup();
        for header in left.into_iter().map(BlockId) {
            let turn = turns.entry(header.0).or_insert_with(|| {
                let latches = preds[header.index()].iter().copied();
                region.find(header, latches.filter(|latch| *latch >= header).collect());
                region.add(header);
                let mut turn = Pending::default();
                note(&mut turn, &region, header);
                turn
            });
            found[index].entering.add_all(turn);
        }
    }
    found
}

/// Blocks on the paths from one block to others.
struct Region<'a> {
    preds: &'a [Vec<BlockId>],
    blocks: Vec<BlockId>,
    /// For each block the number of the last region that it is in.
    seen_for: Vec<u32>,
    number: u32,
    work: usize,
}

impl Region<'_> {
    /// Finds the blocks on the paths from `top`, which is none of them, to the blocks `ends`.
    fn find(&mut self, top: BlockId, ends: Vec<BlockId>) {
        self.number += 1;
        self.blocks.clear();
        let mut stack = ends;
        while let Some(block) = stack.pop() {
            if block != top && self.add(block) {
                stack.extend(&self.preds[block.index()]);
            }
        }
        self.work += self.blocks.len();
    }

    fn add(&mut self, block: BlockId) -> bool {
        let is_new =
            std::mem::replace(&mut self.seen_for[block.index()], self.number) != self.number;
        if is_new {
            self.blocks.push(block);
        }
        is_new
    }

    fn has(&self, block: BlockId) -> bool {
        self.seen_for[block.index()] == self.number
    }
}
