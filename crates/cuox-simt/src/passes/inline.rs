//! Inlining.
//!
//! Before: functions as lowered, each with its own frame at local offset 0. After: every direct call of a non-recursive
//! function is replaced by the function's code, unless the code grew too large. Frames of inlined functions lie behind
//! those of their callers, and callees' parameter and result slots are the caller's. The remaining calls are recursive,
//! indirect or past the size limit.

use crate::ir::Lowered;
use crate::ir::{
    Block, BlockId, Callee, FuncId, Function, Inst, Op, Operand, Reg, Space, Terminator,
};
use rustc_hash::FxHashMap;

/// Functions that can be inlined or called.
pub(super) struct Library {
    functions: FxHashMap<u32, Lowered>,
    recursive: FxHashMap<u32, ()>,
}

/// Size in instructions at which a function stops growing.
pub const MAX_INSTS: usize = 400_000;

impl Library {
    pub fn new(functions: Vec<(FuncId, Lowered)>) -> Self {
        let functions: FxHashMap<u32, Lowered> =
            functions.into_iter().map(|(id, l)| (id.0, l)).collect();
        let recursive = recursive(&functions);
        Library {
            functions,
            recursive,
        }
    }

    pub fn get(&self, id: FuncId) -> Option<&Lowered> {
        self.functions.get(&id.0)
    }

    fn inlinable(&self, inst: &Inst) -> Option<&Lowered> {
        match inst {
            Inst::Call {
                callee: Callee::Direct(id),
                ..
            } if !self.recursive.contains_key(&id.0) => self.get(*id),
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Load { .. }
            | Inst::Store { .. }
            | Inst::Atomic { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => None,
        }
    }
}

/// Returns the functions on a cycle of calls or on a path between two cycles. They remain after repeatedly removing
/// functions that call none of the rest and functions that none of the rest calls.
fn recursive(functions: &FxHashMap<u32, Lowered>) -> FxHashMap<u32, ()> {
    let mut callees: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut callers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (&id, lowered) in functions {
        let insts = lowered.function.blocks.iter().flat_map(|b| &b.insts);
        for inst in insts {
            if let Inst::Call {
                callee: Callee::Direct(to),
                ..
            } = inst
            {
                callees.entry(id).or_default().push(to.0);
                callers.entry(to.0).or_default().push(id);
            }
        }
    }
    let mut left: FxHashMap<u32, ()> = functions.keys().map(|&id| (id, ())).collect();
    for (forward, backward) in [(&callees, &callers), (&callers, &callees)] {
        let mut degree: FxHashMap<u32, usize> = FxHashMap::default();
        for &id in left.keys() {
            let n = forward.get(&id).into_iter().flatten();
            degree.insert(id, n.filter(|to| left.contains_key(to)).count());
        }
        let mut free: Vec<u32> = degree
            .iter()
            .filter(|(_, n)| **n == 0)
            .map(|(&id, _)| id)
            .collect();
        while let Some(id) = free.pop() {
            left.remove(&id);
            for from in backward.get(&id).into_iter().flatten() {
                if let Some(n) = degree.get_mut(from)
                    && *n > 0
                {
                    *n -= 1;
                    if *n == 0 {
                        free.push(*from);
                    }
                }
            }
        }
    }
    left
}

/// Inlines into `root`. Returns the registers that hold the size of local memory as well.
pub(super) fn run(root: Lowered, library: &Library) -> (Function, Vec<Reg>) {
    let mut f = root.function;
    let mut sizes = vec![root.frame_size];
    // Start of an inlined frame, for each block.
    let mut frame_end = vec![f.local_bytes.next_multiple_of(16); f.blocks.len()];
    let mut total: usize = f.blocks.iter().map(|b| b.insts.len()).sum();
    let mut at = 0;
    while at < f.blocks.len() {
        let found = f.blocks[at]
            .insts
            .iter()
            .enumerate()
            .find_map(|(k, inst)| library.inlinable(inst).map(|callee| (k, callee)));
        let Some((k, callee)) = found else {
            at += 1;
            continue;
        };
        total += callee
            .function
            .blocks
            .iter()
            .map(|b| b.insts.len())
            .sum::<usize>();
        if total > MAX_INSTS {
            break;
        }
        sizes.push(replace_call(&mut f, &mut frame_end, at, k, callee));
        // The continuation and the callee's own calls are in later blocks.
        at += 1;
    }
    (f, sizes)
}

/// Replaces the call at instruction `k` of block `at`. Returns the copy's size register.
fn replace_call(
    f: &mut Function,
    frame_end: &mut Vec<u32>,
    at: usize,
    k: usize,
    callee: &Lowered,
) -> Reg {
    let continuation = BlockId(f.blocks.len() as u32);
    let first_block = continuation.0 + 1;
    let first_reg = f.regs.len() as u32;
    let code = &callee.function;

    let block = &mut f.blocks[at];
    let rest = block.insts.split_off(k + 1);
    let rest_lines = block.lines.split_off(k + 1);
    let call = block.insts.pop();
    let end = std::mem::replace(&mut block.end, Terminator::Jump(BlockId(first_block)));
    f.blocks.push(Block {
        insts: rest,
        end,
        lines: rest_lines,
        mask: None,
    });
    let base = frame_end[at];
    frame_end.push(base);

    let mut slots = vec![u32::MAX; code.slots.len()];
    if let Some(Inst::Call { args, results, .. }) = call {
        for (&theirs, ours) in code.params.iter().zip(args) {
            slots[theirs as usize] = ours;
        }
        for (&theirs, ours) in code.results.iter().zip(results) {
            slots[theirs as usize] = ours;
        }
    }
    for (slot, theirs) in slots.iter_mut().zip(&code.slots) {
        if *slot == u32::MAX {
            *slot = f.slots.len() as u32;
            f.slots.push(*theirs);
        }
    }

    // The sum saturates instead of wrapping; a frame that large is rejected later.
    let frame_stop = base
        .saturating_add(code.local_bytes.next_multiple_of(16))
        .min(1 << 30);
    f.regs.extend_from_slice(&code.regs);
    let frame = Reg(callee.frame.0 + first_reg);
    for block in &code.blocks {
        let mut block = block.clone();
        for inst in &mut block.insts {
            move_inst(inst, first_reg, &slots, frame, base);
        }
        move_end(&mut block.end, first_reg, first_block, continuation);
        f.blocks.push(block);
        frame_end.push(frame_stop);
    }
    f.local_bytes = f.local_bytes.max(frame_stop);
    Reg(callee.frame_size.0 + first_reg)
}

fn move_inst(inst: &mut Inst, first_reg: u32, slots: &[u32], frame: Reg, base: u32) {
    let moved = |operand: &mut Operand| {
        if let Operand::Reg(reg) = operand {
            reg.0 += first_reg;
        }
    };
    inst.uses_mut(moved);
    match inst {
        Inst::Op { dst, op, args } => {
            dst.0 += first_reg;
            if let (Op::Mov(_), Operand::Imm(offset)) = (op, &mut args[0])
                && *dst == frame
            {
                *offset += u64::from(base);
            }
        }
        Inst::Special { dst, .. }
        | Inst::SymbolAddress { dst, .. }
        | Inst::FunctionAddress { dst, .. } => dst.0 += first_reg,
        Inst::Load { dsts, addr, .. } => {
            dsts.iter_mut().flatten().for_each(|d| d.0 += first_reg);
            move_address(addr, slots, base);
        }
        Inst::Store { addr, .. } | Inst::Check { addr, .. } => move_address(addr, slots, base),
        Inst::Atomic { dst, addr, .. } => {
            dst.iter_mut().for_each(|d| d.0 += first_reg);
            move_address(addr, slots, base);
        }
        Inst::Syscall { dst, .. } => dst.iter_mut().for_each(|d| d.0 += first_reg),
        Inst::Image { dsts, .. } => dsts.iter_mut().flatten().for_each(|d| d.0 += first_reg),
        Inst::Call { args, results, .. } => {
            for slot in args.iter_mut().chain(results) {
                *slot = slots[*slot as usize];
            }
        }
        Inst::Fence(_) => {}
    }
}

fn move_address(addr: &mut crate::ir::Address, slots: &[u32], base: u32) {
    match addr.space {
        Space::Slot(slot) => addr.space = Space::Slot(slots[slot as usize]),
        // An offset in a register already includes the start of the frame.
        Space::Local if addr.base.reg().is_none() => {
            addr.offset = addr.offset.wrapping_add(i64::from(base));
        }
        Space::Flat | Space::Shared | Space::Local | Space::Param => {}
    }
}

fn move_end(end: &mut Terminator, first_reg: u32, first_block: u32, continuation: BlockId) {
    end.uses_mut(|operand| {
        if let Operand::Reg(reg) = operand {
            reg.0 += first_reg;
        }
    });
    end.defs_mut(|d| d.0 += first_reg);
    end.successors_mut(|b| b.0 += first_block);
    if matches!(end, Terminator::Return) {
        *end = Terminator::Jump(continuation);
    }
}
