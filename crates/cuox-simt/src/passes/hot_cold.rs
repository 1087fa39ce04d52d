//! The two pieces of team mode's code: what teams go through as long as they stay together, and the rest, which many kernels never need.
//!
//! The rest is what a guard that fails leads to: masked copies, and the blocks of superblocks by themselves. It is made when a team first
//! comes there. Between blocks all that a team has is in memory, so it goes from one piece to the other wherever a block ends.

use crate::analysis::uniformity::Classes;
use crate::ir::{BlockId, Function, Terminator};
use crate::jit::compile::Part;
use crate::jit::gang::group_loop::{self, GroupLoop};
use crate::passes::superblock::Superblock;

/// A place where code of team mode can be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Door {
    /// A block, or the superblock that begins with it.
    Block(BlockId),
    /// A block with which a superblock begins, by itself.
    Alone(BlockId),
}

/// What is in which piece, and how each is entered.
pub struct Pieces {
    /// Whether a block's code is in the rest.
    cold: Vec<bool>,
    /// The doors of both.
    doors: [Vec<Door>; 2],
    /// The number of a block's door among those of its piece, and that of the block alone in the rest.
    numbers: [Vec<Option<u32>>; 2],
}

impl Pieces {
    /// Divides a function's blocks; `entries` are those that the runtime enters.
    pub fn new(
        func: &Function,
        classes: &Classes,
        superblocks: &[Option<Superblock>],
        group_loops: &[Option<GroupLoop>],
        entries: &[bool],
    ) -> Pieces {
        let count = func.blocks.len();
        let mut pieces = Pieces {
            cold: vec![true; count],
            doors: [vec![Door::Block(BlockId(0))], Vec::new()],
            numbers: [vec![None; count], vec![None; count]],
        };
        // Where code goes on from what stands at a block: whether it takes a failed guard to get there.
        let ways = |at: BlockId, cold: bool, go: &mut dyn FnMut(BlockId, bool)| {
            if let Some(this) = &group_loops[at.index()] {
                return go(this.exit, cold);
            }
            match func.blocks[at.index()].end {
                Terminator::Branch {
                    cond,
                    then,
                    other,
                    mixed,
                } => {
                    go(then, cold);
                    go(other, cold);
                    if let Some(mixed) = mixed {
                        go(mixed, cold || classes.of(cond).is_team());
                    }
                }
                ref end => end.successors(|s| go(s, cold)),
            }
        };
        let last = |at: BlockId| superblocks[at.index()].as_ref().map_or(at, |way| way.last);
        let mut work = vec![BlockId(0)];
        while let Some(at) = work.pop() {
            if std::mem::replace(&mut pieces.cold[at.index()], false) {
                ways(last(at), false, &mut |to, cold| {
                    if !cold {
                        work.push(to);
                    }
                });
            }
        }
        // Doors: for the runtime, and where one piece leads to the other.
        pieces.numbers[0][0] = Some(0);
        for (index, _) in entries.iter().enumerate().filter(|(_, entry)| **entry) {
            pieces.open(BlockId(index as u32));
        }
        let inside = group_loop::inside(group_loops);
        for index in (0..count).filter(|&index| !inside[index]) {
            let at = BlockId(index as u32);
            if superblocks[index].is_some() {
                let number = pieces.doors[1].len() as u32;
                pieces.doors[1].push(Door::Alone(at));
                pieces.numbers[1][index] = Some(number);
                // What is at the block by itself is in the rest.
                ways(at, true, &mut |to, _| pieces.open_from(true, to));
            }
            let from = pieces.cold[index];
            ways(last(at), from, &mut |to, _| pieces.open_from(from, to));
        }
        if pieces.cold.iter().any(|&cold| cold) {
            // A team that ends in the rest goes on with the next at the start.
            pieces.open(BlockId(0));
        }
        pieces
    }

    fn open_from(&mut self, cold: bool, to: BlockId) {
        if self.cold[to.index()] != cold {
            self.open(to);
        }
    }

    fn open(&mut self, at: BlockId) {
        let cold = self.cold[at.index()];
        if self.numbers[0][at.index()].is_none() {
            let doors = &mut self.doors[usize::from(cold)];
            self.numbers[0][at.index()] = Some(doors.len() as u32);
            doors.push(Door::Block(at));
        }
    }

    /// Whether a piece has the code of what is behind a door.
    pub fn has(&self, part: Part, door: Door) -> bool {
        let cold = match door {
            Door::Block(at) => self.cold[at.index()],
            Door::Alone(_) => true,
        };
        cold == (part == Part::Rest)
    }

    /// How a piece is entered, by number.
    pub fn doors(&self, part: Part) -> &[Door] {
        &self.doors[usize::from(part == Part::Rest)]
    }

    /// Which piece has a door, and its number there.
    pub fn door(&self, door: Door) -> (Part, u32) {
        let (number, cold) = match door {
            Door::Block(at) => (self.numbers[0][at.index()], self.cold[at.index()]),
            Door::Alone(at) => (self.numbers[1][at.index()], true),
        };
        debug_assert!(number.is_some(), "no way in at {door:?}");
        match cold {
            true => (Part::Rest, number.unwrap_or(0)),
            false => (Part::Team, number.unwrap_or(0)),
        }
    }
}
