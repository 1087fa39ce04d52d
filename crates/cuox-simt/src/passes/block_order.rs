//! Order of blocks: reverse post-order, in which the blocks of each loop follow each other.
//!
//! Code in which the threads of a warp take turns lets those in the earliest block go first. What follows a loop is
//! numbered after all of its blocks, so that threads that have left it wait there for the others.

use crate::analysis::dominators::predecessors;
use crate::ir::{Block, Function};

/// Largest number of blocks that are looked at to find loops, for a compile time that grows with the function.
const MAX_WORK: usize = 1 << 20;

/// Removes unreachable blocks and sorts the rest in reverse post-order, with a branch's fall-through side first and the
/// blocks of each loop next to each other.
pub(crate) fn reorder(f: &mut Function) {
    let order = post_order(&f.blocks).into_iter().rev().collect();
    place(f, order);
    let order = loops_together(f);
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

/// Returns the header of the outermost loop found so far that has a block, or the block if there is none.
fn outermost(outer: &mut [u32], mut block: u32) -> u32 {
    while outer[block as usize] != block {
        let above = outer[outer[block as usize] as usize];
        outer[block as usize] = above;
        block = above;
    }
    block
}

/// Returns the blocks of a function in reverse post-order, those of each loop next to each other and otherwise in the
/// order in which they are. A loop that can be entered in more than one place counts as none.
///
/// The result is as good a topological order as the one given: a loop is entered by its header alone, whose number is
/// the lowest of the loop, so that it stands where the header stood.
fn loops_together(f: &Function) -> Vec<u32> {
    let preds = predecessors(f);
    let count = f.blocks.len();
    // For each block that is in a loop found so far the header of the outermost one (the inner loops are found first),
    // by links that `outermost` shortens.
    let mut outer: Vec<u32> = (0..count as u32).collect();
    // For each header, the blocks and the headers of loops that are in its loop alone.
    let mut inside: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut seen_for = vec![u32::MAX; count];
    let mut work = 0;
    for header in (0..count as u32).rev() {
        let mut body = Vec::new();
        let mut stack: Vec<u32> = preds[header as usize]
            .iter()
            .filter(|pred| pred.0 >= header)
            .map(|pred| outermost(&mut outer, pred.0))
            .collect();
        seen_for[header as usize] = header;
        let mut one_entry = true;
        while let Some(at) = stack.pop() {
            one_entry = at >= header && work < MAX_WORK;
            if !one_entry {
                break;
            }
            if std::mem::replace(&mut seen_for[at as usize], header) != header {
                work += 1;
                body.push(at);
                stack.extend(
                    preds[at as usize]
                        .iter()
                        .map(|pred| outermost(&mut outer, pred.0)),
                );
            }
        }
        if one_entry {
            for &at in &body {
                outer[at as usize] = header;
            }
            body.sort_unstable();
            inside[header as usize] = body;
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut stack: Vec<u32> = (0..count as u32)
        .rev()
        .filter(|&b| outer[b as usize] == b)
        .collect();
    while let Some(at) = stack.pop() {
        order.push(at);
        stack.extend(inside[at as usize].iter().rev());
    }
    order
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
