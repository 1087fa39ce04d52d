//! Known zeros in the low bits of registers, which make `tid / 32` and `tid % 32` piecewise affine.
//!
//! Let the first lane of every group have a value whose low bits are 0. Then the other lanes of the group differ from
//! it in those bits only. A shift that drops these bits gives one value for the group; a mask that keeps them preserves
//! the stride.

use crate::analysis::liveness::Liveness;
use crate::analysis::shape::Shape;
use crate::ir::{Block, BlockId, Function, Inst, IntOp, Num, Op, Operand, Special, Ty};

/// For each register, the number of low bits that are 0 in the first lane of every group.
#[derive(Hash)]
pub struct LowBits {
    of: Vec<u32>,
    /// Number of lanes in a group.
    lanes: u32,
}

/// Stands for all bits, and for a register without a known definition.
const ALL: u32 = 64;

impl LowBits {
    /// Computes the bits for a function's registers in blocks of a shape.
    pub fn new(func: &Function, live: &Liveness, shape: Shape) -> LowBits {
        let mut bits = LowBits {
            of: vec![ALL; func.regs.len()],
            lanes: match shape {
                Shape::Warp => 32,
                Shape::MultipleOf4 => 4,
                Shape::HalfWarps
                | Shape::Line
                | Shape::Planes(_)
                | Shape::MultipleOf16
                | Shape::Any => 16,
            },
        };
        // A register read before it is written has an unknown value.
        for reg in live.live_in(BlockId(0)).iter() {
            bits.of[reg.index()] = 0;
        }
        // Bit counts only decrease, so the iteration terminates.
        let mut changed = true;
        while changed {
            changed = false;
            for block in &func.blocks {
                changed |= bits.visit(block, shape);
            }
        }
        bits
    }

    fn visit(&mut self, block: &Block, shape: Shape) -> bool {
        let mut changed = false;
        let mut meet = |of: &mut [u32], reg: crate::ir::Reg, zeros: u32| {
            let known = &mut of[reg.index()];
            changed |= zeros < *known;
            *known = zeros.min(*known);
        };
        for inst in &block.insts {
            let zeros = match inst {
                Inst::Op { op, args, .. } => self.after(*op, args),
                Inst::Special { special, .. } => self.special(*special, shape),
                Inst::SymbolAddress { .. }
                | Inst::FunctionAddress { .. }
                | Inst::Load { .. }
                | Inst::Store { .. }
                | Inst::Atomic { .. }
                | Inst::Check { .. }
                | Inst::Fence(_)
                | Inst::Syscall { .. }
                | Inst::Image { .. }
                | Inst::Call { .. } => 0,
            };
            inst.defs(|reg| meet(&mut self.of, reg, zeros));
        }
        block.end.defs(|reg| meet(&mut self.of, reg, 0));
        changed
    }

    fn special(&self, special: Special, shape: Shape) -> u32 {
        let rows = match shape {
            Shape::Planes(_) => shape.breaks() == 0,
            Shape::Warp | Shape::HalfWarps | Shape::MultipleOf16 | Shape::MultipleOf4 => true,
            Shape::Line | Shape::Any => false,
        };
        match special {
            // The first lane of a gang is the first lane of a warp.
            Special::LaneId => self.lanes.trailing_zeros(),
            Special::Tid(0) if rows || shape == Shape::Line => self.lanes.trailing_zeros(),
            Special::Ntid(0) if rows => self.lanes.trailing_zeros(),
            Special::Tid(_)
            | Special::Ntid(_)
            | Special::Ctaid(_)
            | Special::Nctaid(_)
            | Special::ClusterNctaid(_)
            | Special::ClusterRank
            | Special::ExplicitCluster
            | Special::WarpId
            | Special::NWarpId
            | Special::SmId
            | Special::NSmId
            | Special::GridId
            | Special::LaneMaskEq
            | Special::LaneMaskLt
            | Special::LaneMaskLe
            | Special::LaneMaskGt
            | Special::LaneMaskGe
            | Special::Clock
            | Special::Clock64
            | Special::GlobalTimer
            | Special::DynamicSharedSize
            | Special::TotalSharedSize
            | Special::EnvReg(_)
            | Special::SharedBase
            | Special::LocalBase
            | Special::LocalWindow
            | Special::Stack
            | Special::ParamBase => 0,
        }
    }

    /// Returns the number of low bits of an operand that are 0 in the first lane of every group.
    pub fn zeros(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Imm(0) => ALL,
            Operand::Imm(bits) => bits.trailing_zeros(),
            Operand::Reg(reg) => self.of[reg.index()],
        }
    }

    fn after(&self, op: Op, args: &[Operand]) -> u32 {
        let of = |n: usize| self.zeros(args[n]);
        match op {
            Op::Mov(_) | Op::Int(IntOp::Neg, _) => of(0),
            Op::Int(IntOp::Add | IntOp::Sub | IntOp::Or | IntOp::Xor, _) => of(0).min(of(1)),
            Op::Int(IntOp::And, _) => of(0).max(of(1)),
            Op::Int(IntOp::Mul | IntOp::MulWideS | IntOp::MulWideU, _) => (of(0) + of(1)).min(ALL),
            Op::Int(IntOp::Shl, _) => match args[1] {
                Operand::Imm(by) => (of(0) + (by as u32).min(ALL)).min(ALL),
                Operand::Reg(_) => of(0),
            },
            Op::Int(IntOp::ShrU | IntOp::ShrS, _) => match args[1] {
                Operand::Imm(by) => of(0).saturating_sub(by as u32),
                Operand::Reg(_) => 0,
            },
            Op::Convert(c) => match (c.from, c.to) {
                (Num::S(_) | Num::U(_), Num::S(_) | Num::U(_)) if !c.sat => of(0),
                _ => 0,
            },
            Op::Select(_) => of(1).min(of(2)),
            Op::Int(..)
            | Op::Float { .. }
            | Op::Float2 { .. }
            | Op::Approx { .. }
            | Op::Class(..)
            | Op::Convert2 { .. }
            | Op::Narrow { .. }
            | Op::Widen { .. }
            | Op::Compare { .. }
            | Op::Logic(_)
            | Op::PredToInt
            | Op::Half128(_)
            | Op::Pack128 => 0,
        }
    }

    /// Returns the stride within a group of the result of an operation on the bits of `args[0]`, whose own stride is
    /// `stride`.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "no known distance is right for every operation"
    )]
    pub fn stride(&self, op: Op, args: &[Operand], stride: i64) -> Option<i64> {
        let Op::Int(op, Ty::B32 | Ty::B64) = op else {
            return None;
        };
        let Some(Operand::Imm(by)) = args.get(1).copied() else {
            return None;
        };
        let most = u64::try_from(stride).ok()? * u64::from(self.lanes - 1);
        // Bits in which lanes of a group may differ. All of them are 0 in the first lane.
        let bits = ALL - most.leading_zeros();
        if bits > self.zeros(args[0]) || bits >= 32 {
            return None;
        }
        let low = (1u64 << bits) - 1;
        match op {
            IntOp::ShrU | IntOp::ShrS if by >= u64::from(bits) => Some(0),
            IntOp::ShrU | IntOp::ShrS if stride % (1 << by) == 0 => Some(stride >> by),
            IntOp::And if by & low == low => Some(stride),
            IntOp::And | IntOp::Or | IntOp::Xor if by & low == 0 => match op {
                IntOp::And => Some(0),
                _ => Some(stride),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;
    use crate::analysis::liveness::RegSet;

    /// Returns the strides of the results of shifts and masks in a kernel.
    fn strides(body: &str, shape: Shape) -> Vec<Option<i64>> {
        let text = format!(
            ".version 8.0\n.target sm_70\n.address_size 64\n.entry k(.param .u32 n) {{ .reg .u32 %r<9>; {body} }}"
        );
        let program = Program::from_ptx(&text).unwrap_or_else(|e| panic!("{e}"));
        let unit = program.lower("k").unwrap_or_else(|e| panic!("{e}"));
        let none = RegSet::new(unit.kernel.regs.len());
        let live = Liveness::new(&unit.kernel, &none, &none);
        let bits = LowBits::new(&unit.kernel, &live, shape);
        let insts = unit.kernel.blocks.iter().flat_map(|b| &b.insts);
        insts
            .filter_map(|inst| match inst {
                Inst::Op { op, args, .. } => match op {
                    Op::Int(IntOp::ShrU | IntOp::And | IntOp::Or, _) => {
                        Some(bits.stride(*op, args, 1))
                    }
                    _ => None,
                },
                _ => None,
            })
            .collect()
    }

    #[test]
    fn quotients_and_remainders_of_thread_numbers() {
        let use_all = "st.shared.u32 [%r1], %r2; st.shared.u32 [%r1], %r3;";
        let body = |by: u32, mask: u32| {
            format!(
                "mov.u32 %r1, %tid.x; shr.u32 %r2, %r1, {by}; and.b32 %r3, %r1, {mask}; {use_all}"
            )
        };
        for (by, mask, quotient, remainder) in [
            (5, 31, Some(0), Some(1)),
            (4, 15, Some(0), Some(1)),
            (3, 7, None, None),
            (4, 0xf0, Some(0), Some(0)),
        ] {
            let found = strides(&body(by, mask), Shape::Line);
            assert_eq!(found, [quotient, remainder], "{by} {mask}");
            assert_eq!(strides(&body(by, mask), Shape::Any), [None, None]);
        }
        // After an addition of an unknown value the low bits of the first lane are unknown.
        let moved = "mov.u32 %r1, %tid.x; ld.param.u32 %r4, [n]; add.u32 %r1, %r1, %r4; shr.u32 %r2, %r1, 5; and.b32 %r3, %r1, 31;";
        assert_eq!(
            strides(&format!("{moved} {use_all}"), Shape::Line),
            [None, None]
        );
        // Nothing is known about a register that was never written, not even that it is 0.
        let unwritten = "mov.u32 %r1, %tid.x; shr.u32 %r2, %r5, 5; and.b32 %r3, %r5, 31;";
        assert_eq!(
            strides(&format!("{unwritten} {use_all}"), Shape::Line),
            [None, None]
        );
    }
}
