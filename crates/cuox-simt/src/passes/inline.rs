//! Inlining.
//!
//! Before: functions as lowered, each with its own frame at local offset 0. After: every direct call of a non-recursive
//! function is replaced by the function's code; if the code would grow too large, only those of small functions are.
//! Frames of inlined functions lie behind those of their callers, and callees' parameter and result slots are the
//! caller's. The remaining calls are recursive, indirect or past the size limits.

use crate::ir::Lowered;
use crate::ir::{
    Block, BlockId, Callee, FuncId, Function, Inst, Op, Operand, Reg, Space, Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// Functions that can be inlined or called.
pub(super) struct Library {
    functions: FxHashMap<u32, Lowered>,
    /// Numbers of instructions, with those of all that they call, of the functions that can be inlined.
    sizes: FxHashMap<u32, u64>,
}

/// Size in instructions at which a function stops growing.
pub const MAX_INSTS: usize = 400_000;
/// Size of the largest functions that are inlined where not all can be.
const MAX_PART: u64 = 10_000;
/// Size of a kernel with all that it calls from which it is refused: no time is enough to run it.
const MAX_TREE: u64 = 1 << 40;

impl Library {
    pub fn new(functions: Vec<(FuncId, Lowered)>) -> Self {
        let functions: FxHashMap<u32, Lowered> =
            functions.into_iter().map(|(id, l)| (id.0, l)).collect();
        let sizes = sizes(&functions);
        Library { functions, sizes }
    }

    pub fn get(&self, id: FuncId) -> Option<&Lowered> {
        self.functions.get(&id.0)
    }

    /// Returns the size of a function with all that it calls and can be inlined.
    fn size(&self, function: &Function) -> u64 {
        let inner = callees(function).filter_map(|id| self.sizes.get(&id));
        inner.fold(own_size(function), |sum, size| sum.saturating_add(*size))
    }

    /// Returns the function that a call calls, if it can be inlined and has at most `limit` instructions.
    fn inlinable(&self, inst: &Inst, limit: u64) -> Option<&Lowered> {
        let id = callee(inst)?;
        self.sizes.get(&id).filter(|size| **size <= limit)?;
        self.functions.get(&id)
    }
}

fn own_size(function: &Function) -> u64 {
    function.blocks.iter().map(|b| b.insts.len() as u64).sum()
}

/// Returns the number of the function that an instruction calls by name.
fn callee(inst: &Inst) -> Option<u32> {
    match inst {
        Inst::Call {
            callee: Callee::Direct(id),
            ..
        } => Some(id.0),
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

fn callees(function: &Function) -> impl Iterator<Item = u32> {
    let insts = function.blocks.iter().flat_map(|b| &b.insts);
    insts.filter_map(callee)
}

/// Returns the sizes of the functions that can be inlined: all but those on a cycle of calls or on a path between two
/// cycles. They are found by repeatedly removing functions that call none of the rest and functions that none of the
/// rest calls.
fn sizes(functions: &FxHashMap<u32, Lowered>) -> FxHashMap<u32, u64> {
    let mut calls: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    let mut callers: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for (&id, lowered) in functions {
        for to in callees(&lowered.function) {
            calls.entry(id).or_default().push(to);
            callers.entry(to).or_default().push(id);
        }
    }
    let mut left: FxHashSet<u32> = functions.keys().copied().collect();
    let mut removed = Vec::new();
    for (forward, backward) in [(&calls, &callers), (&callers, &calls)] {
        let mut degree: FxHashMap<u32, usize> = FxHashMap::default();
        for &id in &left {
            let n = forward.get(&id).into_iter().flatten();
            degree.insert(id, n.filter(|to| left.contains(to)).count());
        }
        let free = degree.iter().filter(|(_, n)| **n == 0);
        let mut free: Vec<u32> = free.map(|(&id, _)| id).collect();
        let first = removed.len();
        while let Some(id) = free.pop() {
            left.remove(&id);
            removed.push(id);
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
        // The second time, callers are removed before what they call.
        if std::ptr::eq(forward, &callers) {
            removed[first..].reverse();
        }
    }
    let mut sizes: FxHashMap<u32, u64> = FxHashMap::default();
    for id in removed {
        let function = &functions[&id].function;
        let inner = callees(function).filter_map(|to| sizes.get(&to));
        let size = inner.fold(own_size(function), |sum, size| sum.saturating_add(*size));
        sizes.insert(id, size);
    }
    sizes
}

/// Tells whether a kernel with all that it calls is too large for any time to be enough to run it.
pub(super) fn too_large(root: &Lowered, library: &Library) -> bool {
    library.size(&root.function) > MAX_TREE
}

/// Inlines into `root`. Returns the registers that hold the size of local memory as well.
pub(super) fn run(root: Lowered, library: &Library) -> (Function, Vec<Reg>) {
    let mut f = root.function;
    let limit = match library.size(&f) <= MAX_INSTS as u64 {
        true => u64::MAX,
        false => MAX_PART,
    };
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
            .find_map(|(k, inst)| library.inlinable(inst, limit).map(|callee| (k, callee)));
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
