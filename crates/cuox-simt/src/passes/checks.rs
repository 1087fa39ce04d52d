//! Inserts a check before every access to global and generic memory; see [`crate::memcheck`].
//!
//! This pass runs last, on the code that the engines receive. Accesses that the engines add themselves, to stacks of
//! their own, are not checked.

use crate::ir::{Access, AccessKind, Block, Function, Inst, Space, Unit};

/// Returns the unit with checks.
pub(crate) fn insert(unit: &Unit) -> Unit {
    Unit {
        kernel: function(&unit.kernel),
        functions: unit.functions.iter().map(function).collect(),
        static_shared: unit.static_shared,
    }
}

fn function(f: &Function) -> Function {
    Function {
        blocks: f.blocks.iter().map(block).collect(),
        ..f.clone()
    }
}

fn block(block: &Block) -> Block {
    let mut insts = Vec::with_capacity(block.insts.len());
    let mut lines = Vec::with_capacity(block.lines.len());
    for (inst, &line) in block.insts.iter().zip(&block.lines) {
        if let Some((kind, bytes)) = kind(inst)
            && let Some(&addr) = inst.address()
            && addr.space == Space::Flat
        {
            let access = Access { kind, bytes, line };
            insts.push(Inst::Check { addr, access });
            lines.push(line);
        }
        insts.push(inst.clone());
        lines.push(line);
    }
    lines.extend_from_slice(block.lines.get(block.insts.len()..).unwrap_or_default());
    Block {
        insts,
        lines,
        end: block.end.clone(),
        mask: block.mask,
    }
}

/// Returns the kind of an instruction's memory access and its size in bytes.
fn kind(inst: &Inst) -> Option<(AccessKind, u32)> {
    Some(match inst {
        Inst::Load { dsts, ty, .. } => (AccessKind::Read, ty.bytes() * dsts.len() as u32),
        Inst::Store { srcs, ty, .. } => (AccessKind::Write, ty.bytes() * srcs.len() as u32),
        Inst::Atomic { num, packed, .. } => {
            let bytes = if *packed { 4 } else { num.ty().bytes() };
            (AccessKind::Atomic, bytes)
        }
        Inst::Op { .. }
        | Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Check { .. }
        | Inst::Fence(_)
        | Inst::Syscall { .. }
        | Inst::Image { .. }
        | Inst::Call { .. } => return None,
    })
}
