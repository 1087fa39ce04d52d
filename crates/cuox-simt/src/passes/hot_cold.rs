//! Hot/cold splitting of gang code. The hot part runs as long as a gang stays together; many kernels never need the
//! cold part.
//!
//! The cold part has the code behind failed guards: masked copies, and the blocks of superblocks as single blocks. It
//! is compiled when a gang first reaches it. Between blocks all state of a gang is in memory, so control can pass from
//! one part to the other at any block boundary, through the entry points of the other part.

use crate::analysis::group_loop::{self, GroupLoop};
use crate::analysis::uniformity::UniformityInfo;
use crate::ir::{BlockId, Function, Terminator};
use crate::passes::superblock::Superblock;

/// Part of a kernel's machine code. Each part is compiled when it is first needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodePart {
    /// Code that gangs of full warps run, and the wide functions that it calls.
    Hot,
    /// Gang code behind failed guards.
    Cold,
    /// Code that single threads run.
    Thread,
}

/// Entry point of gang code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryPoint {
    /// A block, or the superblock that starts with it.
    Block(BlockId),
    /// The first block of a superblock, as a single block.
    SingleBlock(BlockId),
}

/// Assignment of blocks to the hot and cold parts, and the entry points of each part.
pub struct HotCold {
    /// Tells for each block whether its code is in the cold part.
    cold: Vec<bool>,
    /// Entry points of the hot and of the cold part.
    entry_points: [Vec<EntryPoint>; 2],
    /// Index of each block's entry point in its part, and of its single-block entry point in the cold part.
    numbers: [Vec<Option<u32>>; 2],
}

impl HotCold {
    /// Assigns a function's blocks to the parts. `entries` are the blocks that the runtime enters; `in_loop` tells
    /// which blocks are in loops.
    pub fn new(
        func: &Function,
        uniformity: &UniformityInfo,
        superblocks: &[Option<Superblock>],
        group_loops: &[Option<GroupLoop>],
        (entries, in_loop): (&[bool], &[bool]),
    ) -> HotCold {
        let count = func.blocks.len();
        let mut hot_cold = HotCold {
            cold: vec![true; count],
            entry_points: [vec![EntryPoint::Block(BlockId(0))], Vec::new()],
            numbers: [vec![None; count], vec![None; count]],
        };
        // Calls `go` with each successor, and whether that edge is taken after a failed guard only.
        let for_each_edge = |at: BlockId, cold: bool, go: &mut dyn FnMut(BlockId, bool)| {
            if let Some(this) = &group_loops[at.index()] {
                return go(this.exit, cold);
            }
            let end = &func.blocks[at.index()].end;
            if let Terminator::Branch {
                cond,
                then,
                other,
                mixed,
            } = *end
            {
                go(then, cold);
                go(other, cold);
                if let Some(mixed) = mixed {
                    // Lanes of a warp leave a loop apart, or the guard fails at an edge only.
                    let apart = uniformity.shape().is_warp() && in_loop[at.index()];
                    let guarded = uniformity.of(cond).is_one_per_gang();
                    go(mixed, cold || guarded && !apart);
                }
            } else {
                end.successors(|s| go(s, cold));
            }
        };
        let last = |at: BlockId| {
            superblocks[at.index()]
                .as_ref()
                .map_or(at, |superblock| superblock.last)
        };
        let mut work = vec![BlockId(0)];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut hot_cold.cold[at.index()], false) {
                for_each_edge(last(at), false, &mut |to, cold| {
                    if !cold {
                        work.push(to);
                    }
                });
            }
        }
        // Entry points for the runtime, and for edges from one part to the other.
        hot_cold.numbers[0][0] = Some(0);
        for (index, _) in entries.iter().enumerate().filter(|(_, entry)| **entry) {
            hot_cold.add_entry_point(BlockId(index as u32));
        }
        let inside = group_loop::inside(group_loops);
        for index in (0..count).filter(|&index| !inside[index]) {
            let at = BlockId(index as u32);
            if superblocks[index].is_some() {
                let number = hot_cold.entry_points[1].len() as u32;
                hot_cold.entry_points[1].push(EntryPoint::SingleBlock(at));
                hot_cold.numbers[1][index] = Some(number);
                // The single block of a superblock's start is in the cold part.
                for_each_edge(at, true, &mut |to, _| hot_cold.add_entry_from(true, to));
            }
            let from = hot_cold.cold[index];
            for_each_edge(last(at), from, &mut |to, _| {
                hot_cold.add_entry_from(from, to)
            });
        }
        if hot_cold.cold.iter().any(|&cold| cold) {
            // A gang that finishes in the cold part continues with the next gang at the start.
            hot_cold.add_entry_point(BlockId(0));
        }
        hot_cold
    }

    fn add_entry_from(&mut self, cold: bool, to: BlockId) {
        if self.cold[to.index()] != cold {
            self.add_entry_point(to);
        }
    }

    fn add_entry_point(&mut self, at: BlockId) {
        let cold = self.cold[at.index()];
        if self.numbers[0][at.index()].is_none() {
            let entry_points = &mut self.entry_points[usize::from(cold)];
            self.numbers[0][at.index()] = Some(entry_points.len() as u32);
            entry_points.push(EntryPoint::Block(at));
        }
    }

    /// Tells whether a part has the code behind an entry point.
    pub fn has(&self, part: CodePart, entry_point: EntryPoint) -> bool {
        let cold = match entry_point {
            EntryPoint::Block(at) => self.cold[at.index()],
            EntryPoint::SingleBlock(_) => true,
        };
        cold == (part == CodePart::Cold)
    }

    /// Returns the entry points of a part, by index.
    pub fn entry_points(&self, part: CodePart) -> &[EntryPoint] {
        &self.entry_points[usize::from(part == CodePart::Cold)]
    }

    /// Returns the part that has an entry point, and the entry point's index there.
    pub fn entry_point(&self, entry_point: EntryPoint) -> (CodePart, u32) {
        let (number, cold) = match entry_point {
            EntryPoint::Block(at) => (self.numbers[0][at.index()], self.cold[at.index()]),
            EntryPoint::SingleBlock(at) => (self.numbers[1][at.index()], true),
        };
        debug_assert!(number.is_some(), "no entry point at {entry_point:?}");
        match cold {
            true => (CodePart::Cold, number.unwrap_or(0)),
            false => (CodePart::Hot, number.unwrap_or(0)),
        }
    }
}
