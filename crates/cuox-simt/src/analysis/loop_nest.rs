//! Nests of loops, for an order of positions in a function: of two lanes of a warp, which one is behind.
//!
//! Blocks are in reverse post-order, which says of two lanes in one turn of a loop which one may still reach the
//! other's block. Across turns, the lane in the earlier turn of the outermost loop is behind.

use crate::analysis::dominators::predecessors;
use crate::ir::{BlockId, Function};
use std::cmp::Ordering;

/// Depth of nests up to which turns are counted.
const DEPTH: usize = 16;
/// Largest number of blocks of loops that are looked at, for a compile time that grows with the function.
const MAX_WORK: usize = 1 << 20;

/// The number of turns that a lane has made in each loop around it, from the outermost one.
pub(crate) type Turns = [u32; DEPTH];

/// The loops of a function.
#[derive(Default)]
pub(crate) struct LoopNest {
    /// For each block the loops around it, as an index of `paths`.
    path: Vec<u32>,
    /// Headers from the outermost one on. The first path is empty.
    paths: Vec<Vec<u32>>,
    /// For each block its depth if a counted loop begins there.
    depth: Vec<Option<u8>>,
}

impl LoopNest {
    /// Finds the loops of a function with blocks in reverse post-order. Of irreducible ones only a part is found.
    pub fn new(f: &Function) -> LoopNest {
        let preds = predecessors(f);
        let mut nest = LoopNest {
            path: vec![0; f.blocks.len()],
            paths: vec![Vec::new()],
            depth: vec![None; f.blocks.len()],
        };
        let mut seen_for = vec![u32::MAX; f.blocks.len()];
        let mut work = 0;
        // Outer loops begin before those inside them.
        for header in 0..f.blocks.len() as u32 {
            let is_back = |pred: &&BlockId| pred.0 >= header;
            let mut stack: Vec<BlockId> = preds[header as usize]
                .iter()
                .filter(is_back)
                .copied()
                .collect();
            let around = nest.path[header as usize];
            let depth = nest.paths[around as usize].len();
            if stack.is_empty() || depth == DEPTH || work > MAX_WORK {
                continue;
            }
            let own = nest.paths.len() as u32;
            let mut path = nest.paths[around as usize].clone();
            path.push(header);
            nest.paths.push(path);
            nest.depth[header as usize] = Some(depth as u8);
            nest.path[header as usize] = own;
            while let Some(block) = stack.pop() {
                if block.0 > header
                    && std::mem::replace(&mut seen_for[block.index()], header) != header
                {
                    work += 1;
                    nest.path[block.index()] = own;
                    stack.extend(&preds[block.index()]);
                }
            }
        }
        nest
    }

    /// Returns the blocks with those of each loop next to each other, and otherwise in the order in which they are.
    ///
    /// This is as good a topological order as the one given: blocks outside of a loop that lead into it come before its
    /// header, and the loop stands where its header stood.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.path.len() as u32).collect();
        let place = |block| self.path(block).iter().copied().chain([block]);
        order.sort_by(|&a, &b| place(a).cmp(place(b)));
        order
    }

    /// Counts a jump between blocks.
    pub fn jump(&self, turns: &mut Turns, from: u32, to: u32) {
        if let Some(Some(depth)) = self.depth.get(to as usize) {
            let turns = &mut turns[usize::from(*depth)];
            *turns = match to <= from {
                true => turns.wrapping_add(1),
                false => 0,
            };
        }
    }

    /// Returns the headers of the loops that a jump leaves.
    pub fn left(&self, from: u32, to: u32) -> &[u32] {
        let (from, to) = (self.path(from), self.path(to));
        let common = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        &from[common..]
    }

    /// Returns the headers of the loops around a block, from the outermost one on.
    pub fn path(&self, block: u32) -> &[u32] {
        match self.path.get(block as usize) {
            Some(&path) => &self.paths[path as usize],
            None => &[],
        }
    }

    /// Compares positions, each a block with the turns of the loops around it; the one that is behind is less.
    pub fn compare(&self, (a, a_turns): (u32, &Turns), (b, b_turns): (u32, &Turns)) -> Ordering {
        let (a_path, b_path) = (self.path(a), self.path(b));
        let common = a_path
            .iter()
            .zip(b_path)
            .take_while(|(a, b)| a == b)
            .count();
        let next = |path: &[u32], block| path.get(common).copied().unwrap_or(block);
        a_turns[..common]
            .cmp(&b_turns[..common])
            .then(next(a_path, a).cmp(&next(b_path, b)))
            .then(a.cmp(&b))
    }
}
