//! `alloca`, `stacksave` and `stackrestore`.
//!
//! A function that uses them has a stack of a fixed size at the end of its frame. A register counts the bytes in use.
//! The stack is empty when the function is entered.

use super::build::Lower;
use super::operand::{arg, first_type, width};
use super::{Result, fail};
use crate::ir::{Cmp, IntOp, Num, Op, Operand, Reg, Ty};
use cuox_ptx::ast::{Instruction, Opcode, OperandKind, ScalarType, Span, Statement};

/// Bytes that one call of a function can allocate.
const ROOM: u64 = 16 << 10;
/// The pointer that `alloca` returns if the stack is full: an offset outside any local memory.
const NOWHERE: Operand = Operand::Imm(0xffff_ff00);

/// The stack of a function.
#[derive(Clone, Copy)]
pub(super) struct Stack {
    /// The bytes in use, b64.
    taken: Reg,
    /// The offset of the stack in the frame.
    start: u32,
}

/// Returns true if a body allocates.
fn allocates(body: &[Statement]) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Block(inner) => allocates(inner),
        Statement::Instruction(i) => matches!(
            i.opcode,
            Opcode::Alloca | Opcode::Stacksave | Opcode::Stackrestore
        ),
        _ => false,
    })
}

impl Lower<'_> {
    /// Reserves the stack if `body` allocates.
    pub fn open_stack(&mut self, body: &[Statement], span: Span) -> Result<()> {
        if allocates(body) {
            let start = self.new_local(ROOM, 16, span)?;
            let taken = self.temp(Ty::B64);
            self.op_into(taken, Op::Mov(Ty::B64), &[Operand::Imm(0)]);
            self.stack = Some(Stack { taken, start });
        }
        Ok(())
    }
}

/// `alloca ptr, size{, align}`, `stacksave d` and `stackrestore a`.
pub(super) fn stack(l: &mut Lower<'_>, i: &Instruction) -> Result<()> {
    let pt = first_type(i)?;
    let ty = width(i, pt)?;
    let Some(Stack { taken, start }) = l.stack else {
        return fail(i.span, "the function has no stack");
    };
    let now = Operand::Reg(taken);
    match i.opcode {
        Opcode::Stacksave => {
            let now = l.resize(now, Ty::B64, ty, false);
            l.put_value(i, ty, now)
        }
        Opcode::Stackrestore => {
            let saved = l.src(i, 0, pt)?;
            let saved = l.resize(saved, ty, Ty::B64, false);
            l.op_into(taken, Op::Mov(Ty::B64), &[saved]);
            Ok(())
        }
        _ => {
            let align = match i.operands.get(2).map(|o| &o.kind) {
                None => 8,
                Some(OperandKind::Integer { value, .. }) if value.is_power_of_two() => *value,
                Some(_) => return fail(arg(i, 2)?.span, "the alignment must be a power of two"),
            };
            let pt = if ty == Ty::B64 { pt } else { ScalarType::U32 };
            let size = l.src(i, 1, pt)?;
            let size = l.resize(size, ty, Ty::B64, false);
            let before = Operand::Imm(u64::from(start));
            let origin = l.int(IntOp::Add, Ty::B64, &[Operand::Reg(l.frame), before]);
            let at = l.int(IntOp::Add, Ty::B64, &[origin, now]);
            let at = l.int(IntOp::Add, Ty::B64, &[at, Operand::Imm(align - 1)]);
            let at = l.int(IntOp::And, Ty::B64, &[at, Operand::Imm(!(align - 1))]);
            let end = l.int(IntOp::Sub, Ty::B64, &[at, origin]);
            // The size is limited first, so that the sum cannot wrap.
            let most = l.int(IntOp::MinU, Ty::B64, &[size, Operand::Imm(ROOM + 1)]);
            let end = l.int(IntOp::Add, Ty::B64, &[end, most]);
            let fits = Op::Compare {
                cmp: Cmp::Le,
                num: Num::U(Ty::B64),
                ftz: false,
            };
            let fits = l.op(fits, &[end, Operand::Imm(ROOM)]);
            let at = l.op(Op::Select(Ty::B64), &[fits, at, NOWHERE]);
            l.op_into(taken, Op::Select(Ty::B64), &[fits, end, now]);
            let at = l.resize(at, Ty::B64, ty, false);
            l.put_value(i, ty, at)
        }
    }
}
