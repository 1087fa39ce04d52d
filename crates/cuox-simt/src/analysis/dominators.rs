//! Dominators and post-dominators of the control-flow graph, and its predecessor lists.
//!
//! Dominators decide where copies may be propagated. The immediate post-dominator of a divergent branch is its
//! reconvergence point.

use crate::ir::{BlockId, Function, Terminator};

/// Marks a node without a parent.
const NONE: u32 = u32::MAX;

/// Returns the parent of every node in the dominator tree, by the algorithm of Cooper, Harvey and Kennedy. Nodes are
/// numbered in reverse post-order from the root, which is 0; `incoming` has the predecessors of each.
fn parents(incoming: &[Vec<u32>]) -> Vec<u32> {
    let mut parent = vec![NONE; incoming.len()];
    parent[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for (node, from) in incoming.iter().enumerate().skip(1) {
            // From the nearest one on: of many ways to one exit, each goes a short part of the path.
            let known = from
                .iter()
                .rev()
                .copied()
                .filter(|&p| parent[p as usize] != NONE);
            let new = known.reduce(|a, b| common(&parent, a, b)).unwrap_or(NONE);
            if new != parent[node] {
                parent[node] = new;
                changed = true;
            }
        }
    }
    parent
}

/// Returns the nearest common ancestor of two nodes in the dominator tree.
fn common(parent: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a > b {
            a = parent[a as usize];
        } else {
            b = parent[b as usize];
        }
    }
    a
}

/// Dominator tree of a function whose blocks are in reverse post-order.
pub(crate) struct Dominators {
    parent: Vec<u32>,
    enter: Vec<u32>,
    leave: Vec<u32>,
}

impl Dominators {
    pub fn new(f: &Function) -> Self {
        let count = f.blocks.len();
        let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (b, block) in f.blocks.iter().enumerate() {
            block.end.successors(|s| incoming[s.index()].push(b as u32));
        }
        let parent = parents(&incoming);
        // Number the nodes so that each subtree is an interval.
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); count];
        for b in 1..count {
            if parent[b] != NONE {
                children[parent[b] as usize].push(b as u32);
            }
        }
        let (mut enter, mut leave) = (vec![0; count], vec![0; count]);
        let mut clock = 0;
        let mut stack = vec![(0u32, false)];
        while let Some((b, done)) = stack.pop() {
            clock += 1;
            if done {
                leave[b as usize] = clock;
                continue;
            }
            enter[b as usize] = clock;
            stack.push((b, true));
            stack.extend(children[b as usize].iter().map(|&c| (c, false)));
        }
        Dominators {
            parent,
            enter,
            leave,
        }
    }

    /// Returns the last block that every path to another one goes through; none for the entry.
    pub fn parent(&self, of: BlockId) -> Option<BlockId> {
        let parent = self.parent[of.index()];
        (parent != NONE && parent != of.0).then_some(BlockId(parent))
    }

    /// Tells whether every path to `b` goes through `a`. A block dominates itself.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        self.enter[a.index()] <= self.enter[b.index()]
            && self.leave[b.index()] <= self.leave[a.index()]
    }
}

/// Returns the predecessors of each block, without duplicates.
pub(crate) fn predecessors(func: &Function) -> Vec<Vec<BlockId>> {
    let mut preds: Vec<Vec<BlockId>> = vec![Vec::new(); func.blocks.len()];
    for (b, block) in func.blocks.iter().enumerate() {
        let at = BlockId(b as u32);
        block.end.successors(|s| {
            let from = &mut preds[s.index()];
            if from.last() != Some(&at) {
                from.push(at);
            }
        });
    }
    preds
}

/// Returns the immediate post-dominator of every block that has one. Paths that end the grid are ignored, as threads
/// cannot reconverge there.
pub(crate) fn post_dominators(func: &Function) -> Vec<Option<usize>> {
    let exit = func.blocks.len();
    // Every block that ends a thread gets an edge to one exit node.
    let mut succs: Vec<Vec<usize>> = vec![Vec::new(); exit + 1];
    for (b, block) in func.blocks.iter().enumerate() {
        block.end.successors(|s| succs[b].push(s.index()));
        if succs[b].is_empty() && block.end != Terminator::Trap {
            succs[b].push(exit);
        }
    }
    immediate_post_dominators(&succs)
}

/// Returns the immediate post-dominator of every node that has one other than the last node, at which all paths end.
pub(crate) fn immediate_post_dominators(succs: &[Vec<usize>]) -> Vec<Option<usize>> {
    let exit = succs.len() - 1;
    // The graph is walked backwards.
    let mut preds: Vec<Vec<usize>> = vec![Vec::new(); succs.len()];
    for (b, to) in succs.iter().enumerate() {
        to.iter().for_each(|&s| preds[s].push(b));
    }
    let mut order = Vec::new();
    let mut seen = vec![false; exit + 1];
    let mut stack = vec![(exit, 0usize)];
    seen[exit] = true;
    while let Some((at, next)) = stack.pop() {
        if let Some(&p) = preds[at].get(next) {
            stack.push((at, next + 1));
            if !std::mem::replace(&mut seen[p], true) {
                stack.push((p, 0));
            }
        } else {
            order.push(at);
        }
    }
    order.reverse();
    let mut number = vec![NONE; exit + 1];
    for (n, &b) in order.iter().enumerate() {
        number[b] = n as u32;
    }
    let to = |&b: &usize| {
        let numbers = succs[b].iter().map(|&s| number[s]);
        numbers.filter(|&n| n != NONE).collect()
    };
    let parent = parents(&order.iter().map(to).collect::<Vec<_>>());
    let mut meets = vec![None; exit];
    for (&b, &p) in order.iter().zip(&parent).skip(1) {
        meets[b] = Some(order[p as usize]).filter(|&p| p != exit);
    }
    meets
}
