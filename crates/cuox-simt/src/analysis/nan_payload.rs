//! Registers whose NaN payload is never observed.
//!
//! f32 arithmetic gives a different NaN on a GPU than on the host. NaNs are canonicalised where the bits of a register
//! can be observed (see [`crate::jit::emit::value::Emit::canonicalize_nans`]). A register that only arithmetic reads
//! needs no canonicalisation.

use crate::analysis::liveness::RegSet;
use crate::ir::{Float, FloatOp, Function, Inst, Num, Op, Operand, Ty};

/// Returns the registers of a function whose NaN payload is unobserved.
pub fn unobserved(func: &Function) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    for (index, &ty) in func.regs.iter().enumerate() {
        if ty == Ty::B32 {
            set.insert(crate::ir::Reg(index as u32));
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        let mut seen = |set: &mut RegSet, operand: Operand| {
            if let Some(reg) = operand.reg().filter(|&reg| set.contains(reg)) {
                set.remove(reg);
                changed = true;
            }
        };
        for block in &func.blocks {
            for inst in &block.insts {
                let blind = match inst {
                    Inst::Op {
                        dst,
                        op: Op::Mov(_) | Op::Select(_),
                        ..
                    } => set.contains(*dst),
                    Inst::Op { op, .. } => ignores_nan_payload(*op),
                    Inst::Special { .. }
                    | Inst::SymbolAddress { .. }
                    | Inst::FunctionAddress { .. }
                    | Inst::Load { .. }
                    | Inst::Store { .. }
                    | Inst::Atomic { .. }
                    | Inst::Check { .. }
                    | Inst::Fence(_)
                    | Inst::Syscall { .. }
                    | Inst::Image { .. }
                    | Inst::Call { .. } => false,
                };
                if !blind {
                    inst.uses(|o| seen(&mut set, o));
                }
            }
            block.end.uses(|o| seen(&mut set, o));
        }
    }
    set
}

/// Tells whether an operation's result does not depend on an operand's NaN payload, or only passes the operand through.
pub(crate) fn ignores_nan_payload(op: Op) -> bool {
    match op {
        Op::Float { op, .. } => !matches!(op, FloatOp::Neg | FloatOp::Abs | FloatOp::Copysign),
        Op::Approx { .. } | Op::Compare { .. } | Op::Select(_) | Op::Mov(_) => true,
        Op::Convert(c) => {
            c.from.is_float() && !c.to.is_float()
                || matches!(c.to, Num::F(Float::F16 | Float::BF16))
        }
        Op::Convert2 { .. } | Op::Narrow { .. } | Op::Class(..) => true,
        Op::Int(..)
        | Op::Float2 { .. }
        | Op::Widen { .. }
        | Op::Logic(_)
        | Op::PredToInt
        | Op::Half128(_)
        | Op::Pack128 => false,
    }
}
