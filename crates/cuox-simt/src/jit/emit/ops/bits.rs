//! Bit and byte operations on one thread's integers: bit fields, permutations, carries, dot products.

use crate::ir::{IntOp, PrmtMode, Ty};
use crate::jit::emit::value::{Emit, Lanes, part_type};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, InstructionData, Opcode, Value, ValueDef, types};

/// Emits inline code for an operation on values of 32 or 64 bits, if there is any.
pub fn emit(e: &mut Emit, op: IntOp, ty: Ty, args: &[Lanes]) -> Option<Lanes> {
    let part = |n: usize| args.get(n).map(|arg| arg.one());
    let a = part(0)?;
    let result = |value: Value| Some(Lanes::new(ty, false, &[value]));
    match (op, part(1), part(2), part(3)) {
        (IntOp::BfindU | IntOp::BfindS | IntOp::BfindShiftU | IntOp::BfindShiftS, ..) => {
            let found = highest(e, op, ty, a);
            Some(Lanes::new(Ty::B32, false, &[found]))
        }
        (IntOp::BfeU | IntOp::BfeS, Some(at), Some(length), _) => {
            let field = extract(e, op == IntOp::BfeS, ty, [a, at, length]);
            result(field)
        }
        (IntOp::Bfi, Some(into), Some(at), Some(length)) => {
            let value = insert(e, ty, [a, into, at, length]);
            result(value)
        }
        (IntOp::AddCarry | IntOp::SubBorrow, Some(b), Some(c), _) => {
            let c = e.b.ins().uextend(part_type(ty, false), c);
            result(if op == IntOp::AddCarry {
                let sum = e.b.ins().iadd(a, b);
                e.b.ins().iadd(sum, c)
            } else {
                let difference = e.b.ins().isub(a, b);
                e.b.ins().isub(difference, c)
            })
        }
        (IntOp::AddCarryOut | IntOp::SubBorrowOut, Some(b), Some(c), _) => {
            let wide_c = e.b.ins().uextend(part_type(ty, false), c);
            let less = IntCC::UnsignedLessThan;
            let (first, second) = if op == IntOp::AddCarryOut {
                let sum = e.b.ins().iadd(a, b);
                let first = e.b.ins().icmp(less, sum, a);
                let all = e.b.ins().iadd(sum, wide_c);
                (first, e.b.ins().icmp(less, all, sum))
            } else {
                let difference = e.b.ins().isub(a, b);
                let first = e.b.ins().icmp(less, a, b);
                (first, e.b.ins().icmp(less, difference, wide_c))
            };
            let out = e.b.ins().bor(first, second);
            Some(Lanes::new(Ty::Pred, false, &[out]))
        }
        (IntOp::Prmt(PrmtMode::Index), Some(b), Some(selector), _) => {
            let value = match constant(e, selector) {
                Some(selector) => permute_by_constant(e, a, b, selector as u32),
                None => permute(e, a, b, selector),
            };
            result(value)
        }
        (IntOp::Dp4a(signed_a, signed_b), Some(b), Some(c), _) => {
            let mut sum = c;
            for n in 0..4 {
                let x = byte(e, a, n, signed_a);
                let y = byte(e, b, n, signed_b);
                let product = e.b.ins().imul(x, y);
                sum = e.b.ins().iadd(sum, product);
            }
            result(sum)
        }
        _ => None,
    }
}

/// Returns the value of a constant.
fn constant(e: &Emit, value: Value) -> Option<i64> {
    let ValueDef::Result(inst, 0) = e.b.func.dfg.value_def(value) else {
        return None;
    };
    match e.b.func.dfg.insts[inst] {
        InstructionData::UnaryImm {
            opcode: Opcode::Iconst,
            imm,
        } => Some(imm.bits()),
        _ => None,
    }
}

fn word(e: &mut Emit, value: Value) -> Value {
    match e.b.func.dfg.value_type(value) {
        types::I64 => value,
        _ => e.b.ins().uextend(types::I64, value),
    }
}

fn of_word(e: &mut Emit, ty: Ty, value: Value) -> Value {
    match ty {
        Ty::B64 => value,
        _ => e.b.ins().ireduce(types::I32, value),
    }
}

/// Emits `bfind`. If no bit is found, the number of leading zeros is the type's width, and the subtraction gives -1.
fn highest(e: &mut Emit, op: IntOp, ty: Ty, a: Value) -> Value {
    let top = i64::from(ty.bits() - 1);
    let a = match op {
        IntOp::BfindS | IntOp::BfindShiftS => {
            let sign = e.b.ins().sshr_imm_u(a, top);
            e.b.ins().bxor(a, sign)
        }
        _ => a,
    };
    let zeros = e.b.ins().clz(a);
    let zeros = match ty {
        Ty::B64 => e.b.ins().ireduce(types::I32, zeros),
        _ => zeros,
    };
    let top = e.iconst(types::I32, top);
    let at = e.b.ins().isub(top, zeros);
    match op {
        IntOp::BfindU | IntOp::BfindS => at,
        _ => {
            let none = e.iconst(types::I32, -1);
            let found = e.b.ins().icmp_imm_s(IntCC::NotEqual, at, -1);
            e.b.ins().select(found, zeros, none)
        }
    }
}

/// Returns a position or length of a bit field as an I64: see [`crate::sem`].
fn field_operand(e: &mut Emit, ty: Ty, value: Value) -> Value {
    let value = match ty {
        Ty::B64 => value,
        _ => e.b.ins().band_imm_u(value, 0xff),
    };
    e.b.ins().uextend(types::I64, value)
}

fn at_most(e: &mut Emit, value: Value, most: i64) -> Value {
    let most = e.iconst(types::I64, most);
    e.b.ins().umin(value, most)
}

/// Returns a mask of the low `length` bits.
fn field_mask(e: &mut Emit, length: Value) -> Value {
    let one = e.iconst(types::I64, 1);
    let ones = e.iconst(types::I64, -1);
    let some = e.b.ins().ishl(one, length);
    let some = e.b.ins().iadd_imm_s(some, -1);
    let fits = e.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, length, 64);
    e.b.ins().select(fits, some, ones)
}

fn extract(e: &mut Emit, signed: bool, ty: Ty, [a, at, length]: [Value; 3]) -> Value {
    let at = field_operand(e, ty, at);
    let length = field_operand(e, ty, length);
    if signed {
        let a = match ty {
            Ty::B64 => a,
            _ => e.b.ins().sextend(types::I64, a),
        };
        // Bits beyond the register equal its sign.
        let by = at_most(e, at, 63);
        let shifted = e.b.ins().sshr(a, by);
        let length = at_most(e, length, 64);
        let most = e.iconst(types::I64, 64);
        let by = e.b.ins().isub(most, length);
        let up = e.b.ins().ishl(shifted, by);
        let field = e.b.ins().sshr(up, by);
        let zero = e.iconst(types::I64, 0);
        let field = e.b.ins().select(length, field, zero);
        return of_word(e, ty, field);
    }
    let a = word(e, a);
    let by = at_most(e, at, 63);
    let shifted = e.b.ins().ushr(a, by);
    let zero = e.iconst(types::I64, 0);
    let inside = e.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, at, 64);
    let shifted = e.b.ins().select(inside, shifted, zero);
    let mask = field_mask(e, length);
    let field = e.b.ins().band(shifted, mask);
    of_word(e, ty, field)
}

fn insert(e: &mut Emit, ty: Ty, [a, into, at, length]: [Value; 4]) -> Value {
    let (a, whole) = (word(e, a), word(e, into));
    let at = field_operand(e, ty, at);
    let length = field_operand(e, ty, length);
    let inside =
        e.b.ins()
            .icmp_imm_u(IntCC::UnsignedLessThan, at, i64::from(ty.bits()));
    let mask = field_mask(e, length);
    let mask = e.b.ins().ishl(mask, at);
    let field = e.b.ins().ishl(a, at);
    let field = e.b.ins().band(field, mask);
    let rest = e.b.ins().band_not(whole, mask);
    let both = e.b.ins().bor(rest, field);
    let value = e.b.ins().select(inside, both, whole);
    of_word(e, ty, value)
}

/// Returns byte `n` as an I32.
fn byte(e: &mut Emit, value: Value, n: i64, signed: bool) -> Value {
    if signed {
        let up = e.b.ins().ishl_imm_u(value, 24 - 8 * n);
        return e.b.ins().sshr_imm_u(up, 24);
    }
    let down = e.b.ins().ushr_imm_u(value, 8 * n);
    e.b.ins().band_imm_u(down, 0xff)
}

/// Returns the eight bytes that `prmt` selects from.
fn pool(e: &mut Emit, a: Value, b: Value) -> Value {
    let (low, high) = (word(e, a), word(e, b));
    let high = e.b.ins().ishl_imm_u(high, 32);
    e.b.ins().bor(low, high)
}

fn permute(e: &mut Emit, a: Value, b: Value, selector: Value) -> Value {
    let pool = pool(e, a, b);
    let mut all = None;
    for n in 0..4 {
        let nibble = e.b.ins().ushr_imm_u(selector, 4 * n);
        let at = e.b.ins().band_imm_u(nibble, 7);
        let at = e.b.ins().ishl_imm_u(at, 3);
        let picked = e.b.ins().ushr(pool, at);
        let picked = e.b.ins().ireduce(types::I32, picked);
        let plain = e.b.ins().band_imm_u(picked, 0xff);
        let sign = byte(e, picked, 0, true);
        let sign = e.b.ins().sshr_imm_u(sign, 7);
        let sign = e.b.ins().band_imm_u(sign, 0xff);
        let signs = e.b.ins().band_imm_u(nibble, 8);
        let value = e.b.ins().select(signs, sign, plain);
        let value = e.b.ins().ishl_imm_u(value, 8 * n);
        all = Some(match all {
            None => value,
            Some(all) => e.b.ins().bor(all, value),
        });
    }
    all.unwrap_or(a)
}

/// Run of neighbouring bytes that `prmt` moves together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByteRun {
    /// Index of the source operand.
    pub operand: usize,
    /// First byte in the source.
    pub from: u32,
    /// First byte in the result.
    pub to: u32,
    /// Number of bytes.
    pub count: u32,
    /// True if a byte is filled with the sign of the source byte.
    pub sign: bool,
}

/// Returns the byte runs that `prmt` moves for a constant selector.
pub fn byte_runs(selector: u32) -> Vec<ByteRun> {
    let mut all: Vec<ByteRun> = Vec::with_capacity(4);
    for to in 0..4 {
        let nibble = selector >> (4 * to) & 15;
        let (operand, from, sign) = ((nibble >> 2 & 1) as usize, nibble & 3, nibble > 7);
        if let Some(last) = all.last_mut()
            && (last.operand, last.from + last.count) == (operand, from)
            && !last.sign
            && !sign
        {
            last.count += 1;
            continue;
        }
        all.push(ByteRun {
            operand,
            from,
            to,
            count: 1,
            sign,
        });
    }
    all
}

fn permute_by_constant(e: &mut Emit, a: Value, b: Value, selector: u32) -> Value {
    let mut all = None;
    for step in byte_runs(selector) {
        let mut value = [a, b][step.operand];
        if step.sign {
            let sign = byte(e, value, i64::from(step.from), true);
            let sign = e.b.ins().sshr_imm_u(sign, 7);
            value = e.b.ins().band_imm_u(sign, 0xff);
        } else {
            if step.from > 0 {
                value = e.b.ins().ushr_imm_u(value, i64::from(8 * step.from));
            }
            // A run that is moved to the top loses the other bytes there.
            if step.from + step.count < 4 && step.to + step.count < 4 {
                let mask = (1i64 << (8 * step.count)) - 1;
                value = e.b.ins().band_imm_u(value, mask);
            }
        }
        if step.to > 0 {
            value = e.b.ins().ishl_imm_u(value, i64::from(8 * step.to));
        }
        all = Some(match all {
            None => value,
            Some(all) => e.b.ins().bor(all, value),
        });
    }
    all.unwrap_or(a)
}

/// Emits `prmt` by a constant for four threads with vectors, if no byte is filled with a sign.
pub fn permute_lanes(e: &mut Emit, a: Lanes, b: Lanes, selector: u32) -> Option<Lanes> {
    if selector & 0x8888 != 0 || !a.wide || !b.wide {
        return None;
    }
    let mut picks = [0u8; 16];
    for (n, pick) in picks.iter_mut().enumerate() {
        let at = (selector >> (4 * (n % 4)) & 7) as u8;
        *pick = n as u8 / 4 * 4 + at % 4 + at / 4 * 16;
    }
    let x = e.bits_as(types::I8X16, a.one());
    let y = e.bits_as(types::I8X16, b.one());
    let picks = e.b.func.dfg.immediates.push(picks.to_vec().into());
    let picked = e.b.ins().shuffle(x, y, picks);
    let out = e.bits_as(types::I32X4, picked);
    Some(Lanes::new(Ty::B32, true, &[out]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_move_together() {
        let ends = |selector| {
            let all = byte_runs(selector);
            all.iter()
                .map(|m| (m.operand, m.from, m.to, m.count, m.sign))
                .collect::<Vec<_>>()
        };
        assert_eq!(ends(0x3210), [(0, 0, 0, 4, false)]);
        assert_eq!(ends(0x5432), [(0, 2, 0, 2, false), (1, 0, 2, 2, false)]);
        assert_eq!(ends(0x0123).len(), 4);
        assert_eq!(
            ends(0x9910),
            [(0, 0, 0, 2, false), (0, 1, 2, 1, true), (0, 1, 3, 1, true)]
        );
    }
}
