//! Registers whose NaNs nobody can tell apart.
//!
//! f32 arithmetic on a GPU gives one NaN, the host's another, and the difference is put right where somebody looks at the bits
//! (see [`super::value::Emit::settle`]). A register that only arithmetic reads is never looked at.

use super::liveness::RegSet;
use super::ops::takes_raw;
use crate::ir::{Function, Inst, Op, Operand, Ty};

/// Those of a function.
pub fn alike(func: &Function) -> RegSet {
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
                    Inst::Op { op, .. } => takes_raw(*op),
                    _ => false,
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
