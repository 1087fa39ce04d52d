//! f16 and bf16 arithmetic, computed in f32, which represents all their numbers, and rounded once.
//!
//! Sums, differences and products of two such numbers may be rounded to f32 first, as it has more than twice their
//! bits. A fused multiply-add is rounded to odd first.

use crate::ir::{Float, FloatOp, Op, Round, Ty};
use crate::jit::emit::ops::float::{as_bits, as_float, ieee};
use crate::jit::emit::value::{Emit, GROUP, Lanes};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value};

/// Canonical NaN of both formats.
const NAN: i64 = 0x7fff;
const SIGN: i64 = 0x8000_0000;
const INFINITY: i64 = 0x7f80_0000;

/// Converts numbers in the low halves of words to f32; the upper halves are 0. NaN stays NaN.
pub fn to_f32(e: &mut Emit, ty: Float, bits: Value) -> Value {
    let part = e.b.func.dfg.value_type(bits);
    let raised = e.b.ins().ishl_imm_u(bits, 16);
    if ty == Float::BF16 {
        return raised;
    }
    let (sign, rest) = (e.same(part, SIGN), e.same(part, 0x7fff));
    let sign = e.b.ins().band(raised, sign);
    let magnitude = e.b.ins().band(bits, rest);
    // The mantissa stays the same; the exponent is longer and has another bias.
    let small = e.b.ins().ishl_imm_u(magnitude, 13);
    let scale = e.same(part, 2f32.powi(112).to_bits().into());
    let (x, scale) = (as_float(e, small), as_float(e, scale));
    let number = e.b.ins().fmul(x, scale);
    let number = as_bits(e, number);
    let limit = e.same(part, 0x7bff);
    let special = e.b.ins().icmp(IntCC::UnsignedGreaterThan, magnitude, limit);
    let infinity = e.same(part, INFINITY);
    let unbounded = e.b.ins().bor(small, infinity);
    let number = e.pick(special, unbounded, number);
    e.b.ins().bor(number, sign)
}

/// Converts f32 to the nearest number, in the low halves of words. NaN becomes the canonical one.
pub fn from_f32(e: &mut Emit, ty: Float, bits: Value) -> Value {
    let part = e.b.func.dfg.value_type(bits);
    let rest = e.same(part, SIGN - 1);
    let magnitude = e.b.ins().band(bits, rest);
    let infinity = e.same(part, INFINITY);
    let nan =
        e.b.ins()
            .icmp(IntCC::UnsignedGreaterThan, magnitude, infinity);
    let dropped = if ty == Float::BF16 { 16 } else { 13 };
    let up = e.b.ins().ushr_imm_u(bits, 16);
    let sign = e.same(part, 0x8000);
    let sign = e.b.ins().band(up, sign);
    // Add half a unit less one, plus the last kept bit, so that ties go to even. A carry goes into the exponent.
    let last = e.b.ins().ushr_imm_u(magnitude, dropped);
    let one = e.same(part, 1);
    let odd = e.b.ins().band(last, one);
    let mut below = (1i64 << (dropped - 1)) - 1;
    if ty == Float::F16 {
        below -= (127 - 15) << 23;
    }
    let below = e.same(part, below);
    let sum = e.b.ins().iadd(magnitude, below);
    let sum = e.b.ins().iadd(sum, odd);
    let mut number = e.b.ins().ushr_imm_u(sum, dropped);
    if ty == Float::F16 {
        // Adding a number whose last bit has the weight of the subnormal unit rounds to that unit.
        let ruler = e.same(part, 0.5f32.to_bits().into());
        let (x, y) = (as_float(e, magnitude), as_float(e, ruler));
        let sum = e.b.ins().fadd(x, y);
        let sum = as_bits(e, sum);
        let units = e.b.ins().isub(sum, ruler);
        let least = e.same(part, 2f32.powi(-14).to_bits().into());
        let small = e.b.ins().icmp(IntCC::UnsignedLessThan, magnitude, least);
        number = e.pick(small, units, number);
        let most = e.same(part, 65536f32.to_bits().into());
        let large =
            e.b.ins()
                .icmp(IntCC::UnsignedGreaterThanOrEqual, magnitude, most);
        let infinity = e.same(part, 0x7c00);
        number = e.pick(large, infinity, number);
    }
    let number = e.b.ins().bor(number, sign);
    let quiet = e.same(part, NAN);
    e.pick(nan, quiet, number)
}

/// Emits inline code for an operation on numbers in the low halves of words, or in both halves (`pair`).
pub fn emit(
    e: &mut Emit,
    op: Op,
    (what, ty): (FloatOp, Float),
    pair: bool,
    args: &[Lanes],
) -> Option<Lanes> {
    let given = &args[..what.arity()];
    match what {
        FloatOp::Neg | FloatOp::Abs => {
            let signs: i64 = if pair { 0x8000_8000 } else { 0x8000 };
            return Some(e.map1(given[0], given[0].ty, |e, x| {
                let part = e.b.func.dfg.value_type(x);
                let mask = e.same(part, if what == FloatOp::Neg { signs } else { !signs });
                match what {
                    FloatOp::Neg => e.b.ins().bxor(x, mask),
                    _ => e.b.ins().band(x, mask),
                }
            }));
        }
        FloatOp::Fma if ty == Float::BF16 => return bf16_fma(e, op, pair, given),
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Fma => {}
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => {}
        _ => return None,
    }
    let mut results = Vec::new();
    for &high in &[false, true][..1 + usize::from(pair)] {
        let x = part(e, ty, pair.then_some(high), given);
        let bits = match what {
            FloatOp::Fma => {
                let [a, b, c] = [x[0], x[1], x[2]].map(|x| as_float(e, x.one()));
                let product = e.b.ins().fmul(a, b);
                sum_to_odd(e, product, c)
            }
            _ => ieee(e, what, Float::F32, Round::Nearest, false, false, &x)?.one(),
        };
        results.push(from_f32(e, ty, bits));
    }
    Some(joined(e, given[0].wide, &results))
}

/// Converts the operands to f32: all numbers, or those in the low or upper halves.
fn part(e: &mut Emit, ty: Float, high: Option<bool>, args: &[Lanes]) -> Vec<Lanes> {
    let mut all = Vec::new();
    for &arg in args {
        let x = arg.one();
        let half = match high {
            None => x,
            Some(false) => {
                let mask = e.same(e.b.func.dfg.value_type(x), 0xffff);
                e.b.ins().band(x, mask)
            }
            Some(true) => e.b.ins().ushr_imm_u(x, 16),
        };
        let bits = to_f32(e, ty, half);
        all.push(Lanes::new(Ty::B32, arg.wide, &[bits]));
    }
    all
}

/// Combines the results of one half, or of two.
fn joined(e: &mut Emit, wide: bool, halves: &[Value]) -> Lanes {
    match *halves {
        [low, high] => {
            let high = e.b.ins().ishl_imm_u(high, 16);
            let both = e.b.ins().bor(low, high);
            Lanes::new(Ty::B32, wide, &[both])
        }
        _ => Lanes::new(Ty::B16, wide, halves),
    }
}

/// Returns the bits of `a + b` as f32, rounded to odd: an inexact sum becomes the neighbour whose last bit is set.
fn sum_to_odd(e: &mut Emit, a: Value, b: Value) -> Value {
    let sum = e.b.ins().fadd(a, b);
    let of_b = e.b.ins().fsub(sum, a);
    let of_a = e.b.ins().fsub(sum, of_b);
    let (rest_a, rest_b) = (e.b.ins().fsub(a, of_a), e.b.ins().fsub(b, of_b));
    let rest = e.b.ins().fadd(rest_a, rest_b);
    let bits = as_bits(e, sum);
    let part = e.b.func.dfg.value_type(bits);
    let (zero, one) = (e.same(part, 0), e.same(part, 1));
    let nothing = as_float(e, zero);
    let outward = {
        // The rounding error, with the sign of the sum.
        let rest = as_bits(e, rest);
        let differ = e.b.ins().bxor(rest, bits);
        e.b.ins()
            .icmp(IntCC::SignedGreaterThanOrEqual, differ, zero)
    };
    let less = e.same(part, -1);
    let step = e.pick(outward, one, less);
    let moved = e.b.ins().iadd(bits, step);
    // Both comparisons are false for NaN.
    let above = e.b.ins().fcmp(FloatCC::GreaterThan, rest, nothing);
    let under = e.b.ins().fcmp(FloatCC::LessThan, rest, nothing);
    let last = e.b.ins().band(bits, one);
    let even = e.b.ins().icmp(IntCC::Equal, last, zero);
    let inexact = e.b.ins().bor(above, under);
    let inexact = e.b.ins().band(inexact, even);
    e.pick(inexact, moved, bits)
}

/// Emits `fma` of bf16. f32 holds the products unless they are very large or small; those are computed by
/// [`crate::sem`].
fn bf16_fma(e: &mut Emit, op: Op, pair: bool, args: &[Lanes]) -> Option<Lanes> {
    let mut fits: Option<Value> = None;
    let mut results = Vec::new();
    for &high in &[false, true][..1 + usize::from(pair)] {
        let x = part(e, Float::BF16, pair.then_some(high), args);
        let [a, b, c] = [x[0], x[1], x[2]].map(|x| x.one());
        let [x, y, z] = [a, b, c].map(|x| as_float(e, x));
        let product = e.b.ins().fmul(x, y);
        let bits = as_bits(e, product);
        let part = e.b.func.dfg.value_type(bits);
        let rest = e.same(part, SIGN - 1);
        let [p, a, b] = [bits, a, b].map(|x| e.b.ins().band(x, rest));
        let (low, high) = (2f32.powi(-100).to_bits(), 2f32.powi(120).to_bits());
        let (least, span) = (e.same(part, low.into()), e.same(part, (high - low).into()));
        let above = e.b.ins().isub(p, least);
        let good = e.b.ins().icmp(IntCC::UnsignedLessThan, above, span);
        let zero = e.same(part, 0);
        let [a, b] = [a, b].map(|x| e.b.ins().icmp(IntCC::Equal, x, zero));
        let none = e.b.ins().bor(a, b);
        // The product of infinity or NaN and zero is NaN.
        let most = e.same(part, INFINITY);
        let finite = e.b.ins().icmp(IntCC::UnsignedLessThan, p, most);
        let none = e.b.ins().band(none, finite);
        let good = e.b.ins().bor(good, none);
        fits = Some(match fits {
            None => good,
            Some(other) => e.b.ins().band(good, other),
        });
        let sum = sum_to_odd(e, product, z);
        results.push(from_f32(e, Float::BF16, sum));
    }
    let quick = joined(e, args[0].wide, &results);
    let mut fits = fits?;
    if quick.wide {
        fits = e.b.ins().vall_true(fits);
    }
    let part = e.b.func.dfg.value_type(quick.one());
    let [look, on] = [(); 2].map(|()| e.b.create_block());
    e.b.append_block_param(on, part);
    e.b.set_cold_block(look);
    e.b.ins().brif(fits, on, &[quick.one().into()], look, &[]);
    e.b.switch_to_block(look);
    let slow = if quick.wide {
        let mut lanes = [quick; GROUP];
        for (lane, out) in lanes.iter_mut().enumerate() {
            let scalars: Vec<Lanes> = args.iter().map(|&arg| e.extract(arg, lane)).collect();
            *out = e.call_eval(op, &scalars);
        }
        e.gather(&lanes)
    } else {
        e.call_eval(op, args)
    };
    e.b.ins().jump(on, &[slow.one().into()]);
    e.b.switch_to_block(on);
    let result = e.b.block_params(on)[0];
    Some(Lanes::new(quick.ty, quick.wide, &[result]))
}

/// Rounds two f32 to f16 or bf16, to nearest; the first goes into the upper half.
pub fn narrowed_pair(e: &mut Emit, to: Float, high: Lanes, low: Lanes) -> Lanes {
    let (above, below) = (from_f32(e, to, high.one()), from_f32(e, to, low.one()));
    joined(e, low.wide, &[below, above])
}
