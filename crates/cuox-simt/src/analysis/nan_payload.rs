//! Registers whose NaNs nobody can tell apart.
//!
//! f32 arithmetic on a GPU gives one NaN, the host's another, and the difference is put right where somebody looks at the bits
//! (see [`crate::jit::emit::value::Emit::settle`]). A register that only arithmetic reads is never looked at.

use crate::analysis::liveness::RegSet;
use crate::ir::{Float, FloatOp, Function, Inst, Num, Op, Operand, Ty};

/// Those of a function.
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

/// Whether an operation gives the same for every NaN in an operand's place, or hands the operand on as it is.
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
