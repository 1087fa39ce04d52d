//! Order of blocks: reverse post-order, in which the blocks of each loop follow each other.
//!
//! Code in which the threads of a warp take turns lets those in the earliest block go first. What follows a loop is
//! numbered after all of its blocks, so that threads that have left it wait there for the others.

use crate::analysis::loop_nest::LoopNest;
use crate::ir::{Block, Function};

/// Removes unreachable blocks and sorts the rest in reverse post-order, with a branch's fall-through side first and the
/// blocks of each loop next to each other.
pub(crate) fn reorder(f: &mut Function) {
    let order = post_order(&f.blocks).into_iter().rev().collect();
    place(f, order);
    let order = LoopNest::new(f).order();
    if !order.is_sorted() {
        place(f, order);
    }
}

/// Returns the blocks that can be reached, in post-order.
fn post_order(blocks: &[Block]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(blocks.len());
    let mut seen = vec![false; blocks.len()];
    let mut stack: Vec<(u32, Vec<u32>)> = Vec::new();
    let successors = |b: u32| {
        let mut list = Vec::new();
        blocks[b as usize].end.successors(|s| list.push(s.0));
        // The list is popped from the back; the block visited first is numbered last.
        list.reverse();
        list
    };
    seen[0] = true;
    stack.push((0, successors(0)));
    while let Some((b, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) if !seen[next as usize] => {
                seen[next as usize] = true;
                stack.push((next, successors(next)));
            }
            Some(_) => {}
            None => {
                order.push(*b);
                stack.pop();
            }
        }
    }
    order
}

/// Gives the function the blocks named, in their order.
fn place(f: &mut Function, order: Vec<u32>) {
    let mut number = vec![u32::MAX; f.blocks.len()];
    for (n, &b) in order.iter().enumerate() {
        number[b as usize] = n as u32;
    }
    let mut blocks: Vec<_> = std::mem::take(&mut f.blocks)
        .into_iter()
        .map(Some)
        .collect();
    f.blocks = order
        .iter()
        .filter_map(|&b| blocks[b as usize].take())
        .collect();
    for block in &mut f.blocks {
        block.end.successors_mut(|b| b.0 = number[b.index()]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BlockId, Reg, Terminator};

    /// Makes a function of empty blocks with these successors and returns its blocks in the new order.
    fn order(successors: &[&[u32]]) -> Vec<usize> {
        let program = crate::Program::from_ptx(
            ".version 8.6\n.target sm_90\n.address_size 64\n.entry k() { ret; }",
        );
        let program = program.unwrap_or_else(|e| panic!("{e}"));
        let mut f = program.lower("k").unwrap_or_else(|e| panic!("{e}")).kernel;
        let like = f.blocks[0].clone();
        f.blocks = successors
            .iter()
            .enumerate()
            .map(|(n, to)| {
                let mut block = like.clone();
                block.insts.clear();
                // The line says which block it was.
                block.lines = vec![n as u32];
                block.end = match to {
                    [] => Terminator::Exit,
                    [to] => Terminator::Jump(BlockId(*to)),
                    [then, other] => Terminator::Branch {
                        cond: Reg(0),
                        then: BlockId(*then),
                        other: BlockId(*other),
                        mixed: None,
                    },
                    _ => panic!("too many"),
                };
                block
            })
            .collect();
        reorder(&mut f);
        f.blocks.iter().map(|b| b.lines[0] as usize).collect()
    }

    #[test]
    fn what_follows_a_loop_comes_after_it() {
        // The header leads to the exit first and to the body second, or the other way round.
        assert_eq!(order(&[&[1], &[3, 2], &[1], &[]]), [0, 1, 2, 3]);
        assert_eq!(order(&[&[1], &[2, 3], &[1], &[]]), [0, 1, 2, 3]);
        // A loop that is left in the middle, from the way that is numbered first.
        let ways: &[&[u32]] = &[&[1], &[2, 3], &[1], &[4, 1], &[]];
        assert_eq!(order(ways), [0, 1, 3, 2, 4]);
        let ways: &[&[u32]] = &[&[1], &[3, 2], &[1], &[4, 1], &[]];
        assert_eq!(order(ways), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn loops_inside_loops_stay_together() {
        // 1 to 5 are a loop, 2 and 3 one in it that leads out of both in 3.
        let ways: &[&[u32]] = &[&[1], &[2, 5], &[4, 3], &[6, 2], &[1], &[4], &[]];
        let found = order(ways);
        let at = |block| found.iter().position(|&b| b == block).unwrap_or(99);
        assert_eq!(at(3), at(2) + 1, "{found:?}");
        assert_eq!(found[6], 6, "{found:?}");
        assert!(at(4) > at(5) && at(4) > at(3), "{found:?}");
    }

    #[test]
    fn loops_of_two_entries_and_dead_blocks_do_no_harm() {
        assert_eq!(order(&[&[1, 2], &[2, 3], &[1], &[], &[3]]).len(), 4);
        assert_eq!(order(&[&[0]]), [0]);
        // The outer loop is entered in two places, the inner one in one.
        let ways: &[&[u32]] = &[&[1, 3], &[2], &[4, 2], &[1], &[3, 5], &[]];
        assert_eq!(order(ways).len(), 6);
    }
}
