//! Turns call slots into registers or local memory.
//!
//! Before: accesses to `Space::Slot`, all at constant offsets. After: the only slots left are those of remaining calls
//! and, in a device function, its parameters and results; they are renumbered. A slot that is always accessed in the
//! same fields becomes one register per field; any other slot lies in the frame.

use crate::ir::{Function, Inst, Op, Operand, Space, Ty};
use crate::passes::cfg::resize_into;

/// New location of a slot.
#[derive(Clone)]
pub(crate) enum SlotHome {
    /// Remains a slot, with this number.
    Slot(u32),
    /// Registers: offset and register of each field, by offset.
    Registers(Vec<(u32, crate::ir::Reg)>),
    /// Local memory, at this offset of the frame.
    Local(u32),
}

pub(crate) fn run(f: &mut Function) {
    if f.slots.is_empty() {
        return;
    }
    let homes = decide(f);
    assign_homes(f, &homes);
}

/// Rewrites all slot accesses for the given homes.
pub(crate) fn assign_homes(f: &mut Function, homes: &[SlotHome]) {
    for b in 0..f.blocks.len() {
        let touched = f.blocks[b].insts.iter().any(|i| {
            i.address()
                .is_some_and(|a| matches!(a.space, Space::Slot(_)))
        }) || f.blocks[b]
            .insts
            .iter()
            .any(|i| matches!(i, Inst::Call { .. }));
        if !touched {
            continue;
        }
        let insts = std::mem::take(&mut f.blocks[b].insts);
        let mut lines = std::mem::take(&mut f.blocks[b].lines);
        let last_line = lines.pop().unwrap_or(0);
        let mut new_insts = Vec::with_capacity(insts.len());
        let mut new_lines = Vec::with_capacity(insts.len() + 1);
        for (inst, line) in insts.into_iter().zip(lines) {
            rewrite(f, inst, homes, &mut new_insts);
            new_lines.resize(new_insts.len(), line);
        }
        new_lines.push(last_line);
        f.blocks[b].insts = new_insts;
        f.blocks[b].lines = new_lines;
    }
    let mut kept = Vec::new();
    for (slot, home) in f.slots.iter().zip(homes) {
        if let SlotHome::Slot(_) = home {
            kept.push(*slot);
        }
    }
    f.slots = kept;
    for slot in f.params.iter_mut().chain(&mut f.results) {
        if let SlotHome::Slot(new) = homes[*slot as usize] {
            *slot = new;
        }
    }
}

/// Accesses to the slots of a function.
pub(crate) struct Accesses {
    /// Slot, offset and size of each field, sorted.
    pub pieces: Vec<(u32, u32, u32)>,
    /// Tells for each slot whether it has accesses that are not to one field, so that it must lie in memory.
    pub memory: Vec<bool>,
}

/// Collects the accesses of `f` to each of its slots.
pub(crate) fn accesses(f: &Function) -> Accesses {
    let mut pieces: Vec<(u32, u32, u32)> = Vec::new();
    let mut memory = vec![false; f.slots.len()];
    for inst in f.blocks.iter().flat_map(|b| &b.insts) {
        let (ty, n) = match inst {
            Inst::Load { dsts, ty, .. } => (*ty, dsts.len()),
            Inst::Store { srcs, ty, .. } => (*ty, srcs.len()),
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Atomic { .. }
            | Inst::Check { .. }
            | Inst::Fence(_)
            | Inst::Syscall { .. }
            | Inst::Image { .. }
            | Inst::Call { .. } => continue,
        };
        let Some(addr) = inst.address() else { continue };
        let Space::Slot(slot) = addr.space else {
            continue;
        };
        let bytes = ty.bytes();
        let size = i64::from(f.slots[slot as usize].size);
        let end = addr.offset.saturating_add(n as i64 * i64::from(bytes));
        if addr.offset < 0 || end > size || addr.base != Operand::Imm(0) {
            memory[slot as usize] = true;
            continue;
        }
        pieces.extend((0..n as u32).map(|k| (slot, addr.offset as u32 + k * bytes, bytes)));
    }
    pieces.sort_unstable();
    pieces.dedup();
    for pair in pieces.windows(2) {
        if pair[0].0 == pair[1].0 && pair[0].1 + pair[0].2 > pair[1].1 {
            memory[pair[0].0 as usize] = true;
        }
    }
    Accesses { pieces, memory }
}

/// Allocates space in the frame for a slot.
pub(crate) fn in_frame(f: &mut Function, slot: usize) -> SlotHome {
    let place = f.local_bytes.next_multiple_of(16);
    let size = f.slots[slot].size.next_multiple_of(16);
    f.local_bytes = place.saturating_add(size).min(1 << 30);
    SlotHome::Local(place)
}

/// Creates a register for each field, given as offset and size.
pub(crate) fn in_registers(f: &mut Function, pieces: impl Iterator<Item = (u32, u32)>) -> SlotHome {
    let each = |(offset, bytes)| {
        let ty = Ty::from_bytes(bytes).unwrap_or(Ty::B8);
        (offset, f.new_reg(ty))
    };
    SlotHome::Registers(pieces.map(each).collect())
}

fn decide(f: &mut Function) -> Vec<SlotHome> {
    let count = f.slots.len();
    let mut bound = vec![false; count];
    for &slot in f.params.iter().chain(&f.results) {
        bound[slot as usize] = true;
    }
    for inst in f.blocks.iter().flat_map(|b| &b.insts) {
        if let Inst::Call { args, results, .. } = inst {
            for &slot in args.iter().chain(results) {
                bound[slot as usize] = true;
            }
        }
    }
    let Accesses { pieces, memory } = accesses(f);
    let mut homes = Vec::with_capacity(count);
    let (mut next_slot, mut at) = (0, 0);
    for slot in 0..count {
        let start = at;
        while pieces.get(at).is_some_and(|p| p.0 as usize == slot) {
            at += 1;
        }
        if bound[slot] {
            homes.push(SlotHome::Slot(next_slot));
            next_slot += 1;
        } else if memory[slot] {
            homes.push(in_frame(f, slot));
        } else {
            let own = pieces[start..at]
                .iter()
                .map(|&(_, offset, bytes)| (offset, bytes));
            homes.push(in_registers(f, own));
        }
    }
    homes
}

fn rewrite(f: &mut Function, mut inst: Inst, homes: &[SlotHome], out: &mut Vec<Inst>) {
    if let Inst::Call { args, results, .. } = &mut inst {
        for slot in args.iter_mut().chain(results) {
            if let SlotHome::Slot(new) = homes[*slot as usize] {
                *slot = new;
            }
        }
    }
    let Some(Space::Slot(slot)) = inst.address().map(|a| a.space) else {
        out.push(inst);
        return;
    };
    let pieces = match &homes[slot as usize] {
        SlotHome::Slot(new) => {
            if let Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } =
                &mut inst
            {
                addr.space = Space::Slot(*new);
            }
            out.push(inst);
            return;
        }
        SlotHome::Local(at) => {
            if let Inst::Load { addr, .. } | Inst::Store { addr, .. } | Inst::Atomic { addr, .. } =
                &mut inst
            {
                addr.space = Space::Local;
                addr.offset = addr.offset.wrapping_add(i64::from(*at));
            }
            out.push(inst);
            return;
        }
        SlotHome::Registers(pieces) => pieces,
    };
    let piece = |offset: i64, k: usize, ty: Ty| {
        let at = offset as u32 + k as u32 * ty.bytes();
        let found = pieces.binary_search_by_key(&at, |p| p.0).ok()?;
        Some(pieces[found].1)
    };
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "only loads and stores have addresses in slots"
    )]
    match inst {
        Inst::Load {
            dsts,
            ty,
            signed,
            addr,
            ..
        } => {
            for (k, dst) in dsts.into_iter().enumerate() {
                if let (Some(dst), Some(reg)) = (dst, piece(addr.offset, k, ty)) {
                    resize_into(f, out, dst, Operand::Reg(reg), ty, signed);
                }
            }
        }
        Inst::Store { srcs, ty, addr, .. } => {
            for (k, src) in srcs.into_iter().enumerate() {
                let Some(reg) = piece(addr.offset, k, ty) else {
                    continue;
                };
                match src {
                    Operand::Imm(bits) => out.push(Inst::Op {
                        dst: reg,
                        op: Op::Mov(ty),
                        args: crate::ir::Args::new(&[Operand::Imm(bits & ty.mask())]),
                    }),
                    Operand::Reg(from) => {
                        let from_type = f.ty(from);
                        resize_into(f, out, reg, src, from_type, false);
                    }
                }
            }
        }
        other => out.push(other),
    }
}
