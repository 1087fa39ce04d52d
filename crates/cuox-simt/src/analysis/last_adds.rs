//! Atomic additions that no later access of their threads can tell the time of.
//!
//! A kernel that counts ends with `atomicAdd(total, own)` in each block. If all processors add to one place, each waits
//! for the others. Where the threads access no memory of the device afterwards and meet no others, the additions of
//! several blocks can be made at once, later: no thread can know that its own has not been made yet, and others may see
//! it at any time.

use crate::ir::{AtomOp, Block, Function, Inst, Num, Order, Space, Ty};

/// Tells whether an instruction adds an integer to one in global memory and does not read the result.
fn is_add(inst: &Inst) -> bool {
    if let Inst::Atomic {
        dst: None,
        op: AtomOp::Add,
        num: Num::U(Ty::B32 | Ty::B64) | Num::S(Ty::B32 | Ty::B64),
        packed: false,
        addr,
        order: Order::Plain | Order::Relaxed,
        ..
    } = inst
    {
        return addr.space == Space::Flat;
    }
    false
}

/// Tells whether an instruction may read what such an addition before it has written, or tell others that it is made.
fn observes(inst: &Inst) -> bool {
    match inst {
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. } => false,
        Inst::Load { addr, order, .. } => addr.space == Space::Flat || *order != Order::Plain,
        Inst::Atomic { .. } => !is_add(inst),
        Inst::Store { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => true,
    }
}

/// Tells whether an instruction is one with which threads look at what others do at that time, as with a number of
/// blocks that are at work.
fn watches(inst: &Inst) -> bool {
    match inst {
        Inst::Load { addr, order, .. } | Inst::Store { addr, order, .. } => {
            addr.space == Space::Flat && *order != Order::Plain
        }
        Inst::Atomic { addr, .. } => addr.space == Space::Flat && !is_add(inst),
        Inst::Fence(_) => true,
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Check { .. }
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    }
}

/// Tells whether threads may know at a block's end what others have done before theirs.
fn meets(block: &Block) -> bool {
    block.end.concerns_others() && !block.end.is_step()
}

/// Solves for each block, backwards, whether something is in it or in a later one.
fn backwards(func: &Function, mut here: Vec<bool>) -> Vec<bool> {
    let mut changed = true;
    while changed {
        changed = false;
        for (index, block) in func.blocks.iter().enumerate().rev() {
            let mut now = here[index];
            block.end.successors(|s| now |= here[s.index()]);
            changed |= now != here[index];
            here[index] = now;
        }
    }
    here
}

/// Tells for each block whether nothing after it observes such an addition.
///
/// None does if threads watch what others do, or if some read where no addition can follow: they may be there for the
/// others' sums.
pub fn quiet_ends(func: &Function) -> Vec<bool> {
    let each = |holds: &dyn Fn(&Block) -> bool| func.blocks.iter().map(holds).collect::<Vec<_>>();
    let none = vec![false; func.blocks.len()];
    let adds = backwards(func, each(&|block| block.insts.iter().any(is_add)));
    // Such an addition may be to local memory, which the next block's threads have then.
    let watched = func.blocks.iter().flat_map(|b| &b.insts).any(watches);
    if watched || func.local_bytes != 0 || !adds.iter().any(|&any| any) {
        return none;
    }
    let observed = backwards(
        func,
        each(&|block| meets(block) || block.insts.iter().any(observes)),
    );
    let after = |block: &Block, set: &[bool]| {
        let mut any = false;
        block.end.successors(|s| any |= set[s.index()]);
        any
    };
    for block in &func.blocks {
        let last = block.insts.iter().rposition(observes);
        let added = last.is_none_or(|last| block.insts[last..].iter().any(is_add));
        if !added && !after(block, &adds) {
            return none;
        }
    }
    let quiet = |block: &Block| !meets(block) && !after(block, &observed);
    each(&quiet)
}

/// Tells whether the first of some instructions, after which a block ends quietly or not, is such an addition that none
/// of the others observes.
pub fn may_come_later(insts: &[Inst], quiet_end: bool) -> bool {
    quiet_end
        && insts
            .split_first()
            .is_some_and(|(first, rest)| is_add(first) && !rest.iter().any(observes))
}
