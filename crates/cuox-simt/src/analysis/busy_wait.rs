//! Busy-wait detection: loops in which a thread polls memory until another thread writes it.
//!
//! The scheduler switches to another thread at the back edge of such a loop. Loops that may take a lock are found as
//! well.

use crate::ir::{AtomOp, Block, BlockId, Function, Inst, Operand, Order, Reg, Terminator};

/// Largest number of blocks in a busy-wait loop.
const MAX_BLOCKS: usize = 24;

/// Weight of the back edge of a busy-wait loop, where that of another loop is 1: a few iterations suffice to detect a
/// waiting thread.
pub const BACK_EDGE_COST: i64 = 1 << 10;

/// Tells for each block whether it ends a loop that polls one address and has no side effect. Another thread must end
/// such a loop.
pub fn find(func: &Function) -> Vec<bool> {
    let ends_one = |(index, block): (usize, &Block)| {
        let mut first = None;
        block.end.successors(|to| {
            if to.index() <= index {
                first = Some(first.map_or(to, |other: BlockId| other.max(to)));
            }
        });
        let Some(first) = first else { return false };
        let blocks = &func.blocks[first.index()..=index];
        blocks.len() <= MAX_BLOCKS && waits(blocks)
    };
    func.blocks.iter().enumerate().map(ends_one).collect()
}

/// Tells for each block whether it ends a busy-wait loop (see [`find`]) or a loop that may take a lock: one with a
/// synchronising load, a compare-and-swap or an exchange, or with both a load and a fence.
pub fn looks(func: &Function) -> Vec<bool> {
    let look = |inst: &Inst| match inst {
        Inst::Load { order, .. } => *order != Order::Plain,
        Inst::Atomic { dst, op, .. } => dst.is_some() && matches!(op, AtomOp::Cas | AtomOp::Exch),
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Store { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => false,
    };
    let load = |inst: &Inst| matches!(inst, Inst::Load { .. });
    let fence = |inst: &Inst| matches!(inst, Inst::Fence(_));
    // Numbers of blocks before each one that poll, load, and have a fence.
    let mut before = vec![[0u32; 3]];
    for block in &func.blocks {
        let [looks, loads, fences] = before.last().copied().unwrap_or_default();
        before.push([
            looks + u32::from(block.insts.iter().any(look)),
            loads + u32::from(block.insts.iter().any(load)),
            fences + u32::from(block.insts.iter().any(fence)),
        ]);
    }
    let spins = find(func);
    let ends_one = |(index, block): (usize, &Block)| {
        let mut found = spins[index];
        block.end.successors(|to| {
            let has = |what: usize| before[to.index()][what] < before[index + 1][what];
            found |= to.index() <= index && (has(0) || has(1) && has(2));
        });
        found
    };
    func.blocks.iter().enumerate().map(ends_one).collect()
}

fn waits(blocks: &[Block]) -> bool {
    let mut written: Vec<Reg> = Vec::new();
    for block in blocks {
        block
            .insts
            .iter()
            .for_each(|inst| inst.defs(|reg| written.push(reg)));
        block.end.defs(|reg| written.push(reg));
    }
    let fixed = |base: Operand| base.reg().is_none_or(|reg| !written.contains(&reg));
    let mut looks = false;
    for block in blocks {
        if matches!(
            block.end,
            Terminator::Barrier { .. } | Terminator::Cluster { .. } | Terminator::Pause { .. }
        ) {
            return false;
        }
        for inst in &block.insts {
            match inst {
                Inst::Load { order, addr, .. } => {
                    looks |= *order != Order::Plain && fixed(addr.base);
                }
                Inst::Atomic {
                    dst: Some(_), addr, ..
                } => looks |= fixed(addr.base),
                Inst::Op { .. }
                | Inst::Special { .. }
                | Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Check { .. }
                | Inst::Fence(_) => {}
                Inst::Atomic { dst: None, .. }
                | Inst::Store { .. }
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => return false,
            }
        }
    }
    looks
}

#[cfg(test)]
mod tests {
    use super::find;
    use crate::Program;

    fn waits(body: &str) -> bool {
        let text = format!(
            ".version 9.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 a) {{ .reg .pred %p; .reg .b32 %r<9>; .reg .b64 %d<9>; ld.param.u64 %d1, [a]; mov.u32 %r9, 0; L: {body} @%p bra L; st.global.u32 [%d1], %r1; ret; }}"
        )
        .replace("%r<9>", "%r<10>");
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        find(&unit.kernel).contains(&true)
    }

    #[test]
    fn loops_that_wait() {
        let eq = "setp.ne.u32 %p, %r1, 0;";
        assert!(waits(&format!("ld.volatile.global.u32 %r1, [%d1]; {eq}")));
        assert!(waits(&format!(
            "atom.global.cas.b32 %r1, [%d1], 0, 1; {eq}"
        )));
        assert!(waits(&format!(
            "ld.acquire.gpu.global.u32 %r1, [%d1]; {eq}"
        )));
        // These do not wait: an ordinary load, an address that changes, and loops with side effects.
        assert!(!waits(&format!("ld.global.u32 %r1, [%d1]; {eq}")));
        assert!(!waits(&format!(
            "ld.volatile.global.u32 %r1, [%d1]; add.u64 %d1, %d1, 4; {eq}"
        )));
        assert!(!waits(&format!(
            "red.global.add.u32 [%d1], 1; ld.volatile.global.u32 %r1, [%d1]; {eq}"
        )));
        assert!(!waits(&format!(
            "ld.volatile.global.u32 %r1, [%d1]; st.global.u32 [%d1+4], %r1; {eq}"
        )));
    }
}
