//! Registers whose NaN payload is never observed.
//!
//! f32 arithmetic gives a different NaN on a GPU than on the host. NaNs are canonicalised where the bits of a register
//! can be observed (see [`crate::jit::emit::value::Emit::canonicalize_nans`]). A register that only arithmetic reads
//! needs no canonicalisation.

use crate::analysis::liveness::RegSet;
use crate::ir::{Float, FloatOp, Function, Inst, Num, Op, Operand, Reg, Terminator, Ty, WarpOp};

/// Returns the registers of a function whose NaN payload is unobserved.
pub fn unobserved(func: &Function) -> RegSet {
    let mut set = RegSet::new(func.regs.len());
    for (index, &ty) in func.regs.iter().enumerate() {
        if ty == Ty::B32 {
            set.insert(Reg(index as u32));
        }
    }
    // Registers that are observed, and whose copies have not been looked at.
    let mut found = Vec::new();
    // What is copied is observed if the destination is.
    let mut copies: Vec<(Reg, Operand)> = Vec::new();
    for block in &func.blocks {
        for inst in &block.insts {
            match inst {
                Inst::Op {
                    dst,
                    op: Op::Mov(_) | Op::Select(_),
                    ..
                } if func.ty(*dst) == Ty::B32 => inst.uses(|o| copies.push((*dst, o))),
                Inst::Op { op, .. }
                    if !matches!(op, Op::Mov(_) | Op::Select(_)) && ignores_nan_payload(*op) => {}
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
                | Inst::Call { .. } => inst.uses(|o| observe(&mut set, &mut found, o)),
            }
        }
        // Lanes of a shuffle get another lane's value, or keep theirs.
        if let Terminator::Warp {
            op: WarpOp::Shuffle(_),
            mask,
            args,
            dsts,
            ..
        } = &block.end
        {
            if let (Some(&value), Some(&Some(dst))) = (args.first(), dsts.first()) {
                copies.push((dst, value));
            }
            let rest = args.iter().skip(1).chain([mask]);
            rest.for_each(|&o| observe(&mut set, &mut found, o));
        } else {
            block.end.uses(|o| observe(&mut set, &mut found, o));
        }
    }
    copies.sort_by_key(|(dst, _)| dst.0);
    while let Some(reg) = found.pop() {
        let first = copies.partition_point(|(dst, _)| dst.0 < reg.0);
        let of_reg = copies[first..].iter().take_while(|(dst, _)| *dst == reg);
        for &(_, copied) in of_reg {
            observe(&mut set, &mut found, copied);
        }
    }
    set
}

/// Takes an operand that is observed out of the set, and adds it to those that were found.
fn observe(set: &mut RegSet, found: &mut Vec<Reg>, operand: Operand) {
    if let Some(reg) = operand.reg().filter(|&reg| set.contains(reg)) {
        set.remove(reg);
        found.push(reg);
    }
}

/// Tells whether an operation's result does not depend on an operand's NaN payload, or only passes the operand through.
pub(crate) fn ignores_nan_payload(op: Op) -> bool {
    match op {
        Op::Float { op, .. } => !matches!(op, FloatOp::Neg | FloatOp::Abs | FloatOp::Copysign),
        // Of integers a comparison reads all bits.
        Op::Compare { num, .. } => num.is_float(),
        Op::Approx { .. } | Op::Select(_) | Op::Mov(_) => true,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    /// Tells for each word that a kernel loads whether its payload is unobserved.
    fn loaded(body: &str) -> Vec<bool> {
        let regs = ".reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %d<9>; .reg .f32 %f<99>;";
        let text = format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n.entry k(.param .u64 a) {{ {regs} ld.param.u64 %d1, [a]; {body} }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let kernel = program.lower("k").unwrap_or_else(|e| panic!("{e}")).kernel;
        let set = unobserved(&kernel);
        let insts = kernel.blocks.iter().flat_map(|b| &b.insts);
        let found = insts.filter_map(|inst| match inst {
            Inst::Load { dsts, .. } => dsts.iter().flatten().next().copied(),
            _ => None,
        });
        let found = found.filter(|reg| kernel.ty(*reg) == Ty::B32);
        found.map(|reg| set.contains(reg)).collect()
    }

    #[test]
    fn copies_hand_on_that_they_are_observed() {
        // Through a chain of selects, of which only the last one is observed or not.
        let load = "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4]; setp.lt.f32 %p1, %f1, %f1; \
                    selp.f32 %f3, %f1, %f2, %p1; selp.f32 %f4, %f2, %f3, %p1;";
        let seen = "st.global.f32 [%d1], %f4; ret;";
        let unseen = "add.f32 %f5, %f4, %f4; setp.lt.f32 %p2, %f5, %f4; selp.u32 %r1, 1, 2, %p2; \
                      st.global.u32 [%d1], %r1; ret;";
        assert_eq!(loaded(&format!("{load} {seen}")), [false, false]);
        assert_eq!(loaded(&format!("{load} {unseen}")), [true, true]);
    }

    #[test]
    fn comparisons_of_integers_observe_the_bits() {
        let load = "ld.global.f32 %f1, [%d1]; mov.b32 %r1, %f1;";
        let rest = "selp.u32 %r2, 1, 2, %p1; st.global.u32 [%d1], %r2; ret;";
        for (compare, expected) in [
            ("setp.eq.u32 %p1, %r1, 0x7fffffff;", false),
            ("setp.lt.s32 %p1, %r1, 0;", false),
            ("setp.lt.f32 %p1, %f1, 0f00000000;", true),
        ] {
            assert_eq!(loaded(&format!("{load} {compare} {rest}")), [expected]);
        }
    }

    #[test]
    fn lanes_get_copies_of_each_others_values() {
        let load = "ld.global.f32 %f1, [%d1]; ld.global.u32 %r1, [%d1+4]; mov.b32 %r2, %f1; \
                    shfl.sync.bfly.b32 %r3, %r2, %r1, 31, -1; mov.b32 %f2, %r3;";
        let seen = "st.global.f32 [%d1], %f2; ret;";
        let unseen =
            "add.f32 %f3, %f1, %f2; setp.lt.f32 %p2, %f3, %f1; @%p2 st.global.u32 [%d1], 1; ret;";
        assert_eq!(loaded(&format!("{load} {seen}")), [false, false]);
        assert_eq!(loaded(&format!("{load} {unseen}")), [true, false]);
    }

    #[test]
    fn copies_in_a_loop_hand_it_on_to_their_origin() {
        let text = "ld.global.f32 %f1, [%d1]; ld.global.f32 %f2, [%d1+4]; mov.u32 %r1, 0; L: mov.f32 %f3, %f1; mov.f32 %f1, %f2; \
                    mov.f32 %f2, %f3; add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra L; st.global.f32 [%d1], %f1; ret;";
        assert_eq!(loaded(text), [false, false]);
    }
}
