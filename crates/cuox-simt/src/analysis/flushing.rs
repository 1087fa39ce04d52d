//! Functions whose floating-point operations all flush subnormal numbers, so that the processor can do it for them
//! (`-use_fast_math` makes such functions).
//!
//! The processor's mode flushes what it flushes of any operation. Its results are a GPU's: a result is flushed if it is
//! subnormal when rounded to the bits of normal numbers (Intel SDM, volume 1, section 10.2.3.3).

use crate::ir::{Float, FloatOp, Function, Inst, Num, Op, Round, Terminator, WarpOp};

/// Tells whether a function has f32 operations that flush, and nothing that the mode would change.
pub fn flushes(func: &Function) -> bool {
    let insts = || func.blocks.iter().flat_map(|block| &block.insts);
    let flushing = |inst: &Inst| {
        matches!(
            inst,
            Inst::Op {
                op: Op::Float { ftz: true, .. },
                ..
            }
        )
    };
    let matrix = |end: &Terminator| {
        matches!(
            end,
            Terminator::Warp {
                op: WarpOp::Matrix(_),
                ..
            }
        )
    };
    insts().any(flushing)
        && !insts().any(needs_subnormals)
        && !func.blocks.iter().any(|block| matrix(&block.end))
}

/// Tells whether an instruction may give something else in the mode.
pub fn needs_subnormals(inst: &Inst) -> bool {
    match inst {
        Inst::Op { op, .. } => !fits(*op),
        Inst::Atomic { num, .. } => num.is_float(),
        Inst::Special { .. }
        | Inst::SymbolAddress { .. }
        | Inst::FunctionAddress { .. }
        | Inst::Load { .. }
        | Inst::Store { .. }
        | Inst::Check { .. }
        | Inst::Fence(_) => false,
        Inst::Syscall { .. } | Inst::Image { .. } | Inst::Call { .. } => true,
    }
}

/// Tells whether an operation flushes, or has nothing to do with floating point.
fn fits(op: Op) -> bool {
    let of_single = |ty: Float, ftz: bool| ty == Float::F32 && ftz;
    let integer = |num: Num| !num.is_float();
    match op {
        // These work on the bits.
        Op::Float {
            op: FloatOp::Neg | FloatOp::Abs | FloatOp::Copysign,
            ty,
            ..
        } => matches!(ty, Float::F32 | Float::F64),
        Op::Float { ty, round, ftz, .. } => of_single(ty, ftz) && round == Round::Nearest,
        Op::Approx { ty, ftz, .. } => of_single(ty, ftz),
        Op::Compare { num, ftz, .. } => integer(num) || num == Num::F(Float::F32) && ftz,
        Op::Convert(c) => {
            let fits = |num| integer(num) || num == Num::F(Float::F32);
            fits(c.from) && fits(c.to) && (integer(c.from) || c.ftz)
        }
        Op::Float2 { .. }
        | Op::Class(..)
        | Op::Convert2 { .. }
        | Op::Narrow { .. }
        | Op::Widen { .. } => false,
        Op::Mov(_)
        | Op::Int(..)
        | Op::Select(_)
        | Op::Logic(_)
        | Op::PredToInt
        | Op::Half128(_)
        | Op::Pack128 => true,
    }
}
