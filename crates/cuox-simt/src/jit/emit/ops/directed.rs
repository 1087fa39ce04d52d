//! f32 sums and products rounded down, up or towards zero.
//!
//! The host code rounds to nearest and never switches the rounding mode. In f64 a product of two f32 is exact, and the
//! rounding error of a sum is representable. The sign of the error tells whether the nearest f32 or its neighbour is
//! the result. f64 has room for every exponent, so overflow and underflow need no special case.

use crate::ir::{FloatOp, Round};
use crate::jit::emit::ops::float::{as_bits, as_float};
use crate::jit::emit::value::Emit;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Tells whether [`emit`] has code for an operation.
pub fn has(op: FloatOp) -> bool {
    matches!(
        op,
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Fma
    )
}

/// Emits `op` on f32 bits of type I32 or I32X4.
pub fn emit(e: &mut Emit, op: FloatOp, round: Round, x: [Value; 3]) -> Value {
    let wide = e.b.func.dfg.value_type(x[0]).is_vector();
    let mut x = x;
    if op == FloatOp::Sub {
        let ty = e.b.func.dfg.value_type(x[1]);
        let sign = e.same(ty, i64::from(i32::MIN));
        x[1] = e.b.ins().bxor(x[1], sign);
    }
    if !wide {
        let x = x.map(|x| {
            let x = as_float(e, x);
            e.b.ins().fpromote(types::F64, x)
        });
        let exact = exact(e, op, round, x);
        let nearest = e.b.ins().fdemote(types::F32, exact.nearest);
        let back = e.b.ins().fpromote(types::F64, nearest);
        let bits = as_bits(e, nearest);
        let sides = exact.sides(e, back);
        return neighbour(e, round, bits, sides);
    }
    let mut halves = [[x[0]; 3]; 2];
    for (i, x) in x.into_iter().enumerate() {
        let high = e.interleave(x, x, 8, 8);
        for (half, x) in halves.iter_mut().zip([x, high]) {
            let x = e.bits_as(types::F32X4, x);
            half[i] = e.b.ins().fvpromote_low(x);
        }
    }
    let halves = halves.map(|x| {
        let exact = exact(e, op, round, x);
        let nearest = e.b.ins().fvdemote(exact.nearest);
        let back = e.b.ins().fvpromote_low(nearest);
        (nearest, exact.sides(e, back))
    });
    let [(low, low_sides), (high, high_sides)] = halves;
    let both = e.interleave(low, high, 8, 0);
    let bits = e.bits_as(types::I32X4, both);
    let sides = [0, 1].map(|i| e.pred_of(&[low_sides[i], high_sides[i]], true).one());
    neighbour(e, round, bits, sides)
}

/// Exact result: a sum `nearest + rest`, or a product.
struct Exact {
    nearest: Value,
    rest: Option<Value>,
}

/// Returns the exact result on f64 operands.
fn exact(e: &mut Emit, op: FloatOp, round: Round, x: [Value; 3]) -> Exact {
    let (a, b) = match op {
        FloatOp::Mul | FloatOp::Fma => (e.b.ins().fmul(x[0], x[1]), x[2]),
        _ => (x[0], x[1]),
    };
    if op == FloatOp::Mul {
        return Exact {
            nearest: a,
            rest: None,
        };
    }
    let sum = e.b.ins().fadd(a, b);
    let of_b = e.b.ins().fsub(sum, a);
    let of_a = e.b.ins().fsub(sum, of_b);
    let rest_a = e.b.ins().fsub(a, of_a);
    let rest_b = e.b.ins().fsub(b, of_b);
    let rest = e.b.ins().fadd(rest_a, rest_b);
    let mut nearest = sum;
    if round == Round::Down {
        // Rounded down, a sum that is zero is -0 unless both operands are +0.
        let (a, b, bits) = (as_bits(e, a), as_bits(e, b), as_bits(e, sum));
        let ty = e.b.func.dfg.value_type(bits);
        let either = e.b.ins().bor(a, b);
        let sign = e.same(ty, i64::MIN);
        let zero = e.same(ty, 0);
        let negative = e.b.ins().band(either, sign);
        let zero = as_float(e, zero);
        let is_zero = e.b.ins().fcmp(FloatCC::Equal, sum, zero);
        let bits = e.pick(is_zero, negative, bits);
        nearest = as_float(e, bits);
    }
    Exact {
        nearest,
        rest: Some(rest),
    }
}

impl Exact {
    /// Tells whether a number is greater than the exact result, and whether it is less.
    fn sides(&self, e: &mut Emit, number: Value) -> [Value; 2] {
        let codes = [FloatCC::GreaterThan, FloatCC::LessThan];
        codes.map(|code| {
            let off = e.b.ins().fcmp(code, number, self.nearest);
            let Some(rest) = self.rest else {
                return off;
            };
            let ty = e.b.func.dfg.value_type(rest);
            let zero = if ty.is_vector() {
                e.same(types::I64X2, 0)
            } else {
                e.same(types::I64, 0)
            };
            let zero = as_float(e, zero);
            let same = e.b.ins().fcmp(FloatCC::Equal, number, self.nearest);
            let by_rest = e.b.ins().fcmp(code, zero, rest);
            let by_rest = e.b.ins().band(same, by_rest);
            e.b.ins().bor(off, by_rest)
        })
    }
}

/// Returns the nearest number, or its neighbour if the nearest is on the wrong side.
fn neighbour(e: &mut Emit, round: Round, bits: Value, [more, less]: [Value; 2]) -> Value {
    let ty = e.b.func.dfg.value_type(bits);
    let negative = e.b.ins().sshr_imm_u(bits, 31);
    let one = e.same(ty, 1);
    let (wrong, step) = match round {
        Round::Up => (less, e.b.ins().bor(negative, one)),
        Round::Down => {
            let positive = e.b.ins().bnot(negative);
            (more, e.b.ins().bor(positive, one))
        }
        _ => {
            let wrong = if ty.is_vector() {
                e.pick(negative, less, more)
            } else {
                let negative = e.b.ins().icmp_imm_u(IntCC::NotEqual, negative, 0);
                e.pick(negative, less, more)
            };
            (wrong, e.same(ty, -1))
        }
    };
    let next = e.b.ins().iadd(bits, step);
    e.pick(wrong, next, bits)
}
