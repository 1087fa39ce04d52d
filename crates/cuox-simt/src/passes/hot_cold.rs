//! The two pieces of gang mode's code: what gangs go through as long as they stay together, and the rest, which many kernels never need.
//!
//! The rest is what a guard that fails leads to: masked copies, and the blocks of superblocks by themselves. It is made when a gang first
//! comes there. Between blocks all that a gang has is in memory, so it goes from one piece to the other wherever a block ends.

use crate::analysis::group_loop::{self, GroupLoop};
use crate::analysis::uniformity::UniformityInfo;
use crate::ir::{BlockId, Function, Terminator};
use crate::passes::superblock::Superblock;

/// One of the parts of a kernel's machine code. Each is made when it is first needed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CodePart {
    /// The code that gangs of full warps run, and the wide functions that it calls.
    Hot,
    /// The rest of gang mode's code.
    Cold,
    /// The code that threads by themselves run.
    Thread,
}

/// A place where code of gang mode can be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryPoint {
    /// A block, or the superblock that begins with it.
    Block(BlockId),
    /// A block with which a superblock begins, by itself.
    Alone(BlockId),
}

/// What is in which piece, and how each is entered.
pub struct HotCold {
    /// Whether a block's code is in the rest.
    cold: Vec<bool>,
    /// The entry points of both.
    entry_points: [Vec<EntryPoint>; 2],
    /// The number of a block's entry point among those of its piece, and that of the block alone in the rest.
    numbers: [Vec<Option<u32>>; 2],
}

impl HotCold {
    /// Divides a function's blocks; `entries` are those that the runtime enters.
    pub fn new(
        func: &Function,
        uniformity: &UniformityInfo,
        superblocks: &[Option<Superblock>],
        group_loops: &[Option<GroupLoop>],
        entries: &[bool],
    ) -> HotCold {
        let count = func.blocks.len();
        let mut hot_cold = HotCold {
            cold: vec![true; count],
            entry_points: [vec![EntryPoint::Block(BlockId(0))], Vec::new()],
            numbers: [vec![None; count], vec![None; count]],
        };
        // Where code goes on from what stands at a block: whether it takes a failed guard to get there.
        let ways = |at: BlockId, cold: bool, go: &mut dyn FnMut(BlockId, bool)| {
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
                    go(mixed, cold || uniformity.of(cond).is_one_per_gang());
                }
            } else {
                end.successors(|s| go(s, cold));
            }
        };
        let last = |at: BlockId| superblocks[at.index()].as_ref().map_or(at, |way| way.last);
        let mut work = vec![BlockId(0)];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut hot_cold.cold[at.index()], false) {
                ways(last(at), false, &mut |to, cold| {
                    if !cold {
                        work.push(to);
                    }
                });
            }
        }
        // Doors: for the runtime, and where one piece leads to the other.
        hot_cold.numbers[0][0] = Some(0);
        for (index, _) in entries.iter().enumerate().filter(|(_, entry)| **entry) {
            hot_cold.open(BlockId(index as u32));
        }
        let inside = group_loop::inside(group_loops);
        for index in (0..count).filter(|&index| !inside[index]) {
            let at = BlockId(index as u32);
            if superblocks[index].is_some() {
                let number = hot_cold.entry_points[1].len() as u32;
                hot_cold.entry_points[1].push(EntryPoint::Alone(at));
                hot_cold.numbers[1][index] = Some(number);
                // What is at the block by itself is in the rest.
                ways(at, true, &mut |to, _| hot_cold.open_from(true, to));
            }
            let from = hot_cold.cold[index];
            ways(last(at), from, &mut |to, _| hot_cold.open_from(from, to));
        }
        if hot_cold.cold.iter().any(|&cold| cold) {
            // A gang that ends in the rest goes on with the next at the start.
            hot_cold.open(BlockId(0));
        }
        hot_cold
    }

    fn open_from(&mut self, cold: bool, to: BlockId) {
        if self.cold[to.index()] != cold {
            self.open(to);
        }
    }

    fn open(&mut self, at: BlockId) {
        let cold = self.cold[at.index()];
        if self.numbers[0][at.index()].is_none() {
            let entry_points = &mut self.entry_points[usize::from(cold)];
            self.numbers[0][at.index()] = Some(entry_points.len() as u32);
            entry_points.push(EntryPoint::Block(at));
        }
    }

    /// Whether a piece has the code of what is behind a entry point.
    pub fn has(&self, part: CodePart, entry_point: EntryPoint) -> bool {
        let cold = match entry_point {
            EntryPoint::Block(at) => self.cold[at.index()],
            EntryPoint::Alone(_) => true,
        };
        cold == (part == CodePart::Cold)
    }

    /// How a piece is entered, by number.
    pub fn entry_points(&self, part: CodePart) -> &[EntryPoint] {
        &self.entry_points[usize::from(part == CodePart::Cold)]
    }

    /// Which piece has a entry point, and its number there.
    pub fn entry_point(&self, entry_point: EntryPoint) -> (CodePart, u32) {
        let (number, cold) = match entry_point {
            EntryPoint::Block(at) => (self.numbers[0][at.index()], self.cold[at.index()]),
            EntryPoint::Alone(at) => (self.numbers[1][at.index()], true),
        };
        debug_assert!(number.is_some(), "no way in at {entry_point:?}");
        match cold {
            true => (CodePart::Cold, number.unwrap_or(0)),
            false => (CodePart::Hot, number.unwrap_or(0)),
        }
    }
}
