//! Approximate functions as [`crate::sem::approx`] defines them, for one thread or four: the SFU function and the
//! scaling around it.

use crate::ir::{ApproxOp, Float};
use crate::jit::emit::ops::float::{as_bits, as_float};
use crate::jit::emit::ops::sfu::SfuCode;
use crate::jit::emit::sfu::{LEADING, SIGN, SfuVector, UPPER_HALF, power};
use crate::jit::emit::value::{Emit, Lanes};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Emits inline code for an approximate function. f16 and bf16 results are truncated f32 results.
pub fn emit(e: &mut Emit, op: ApproxOp, ty: Float, ftz: bool, args: &[Lanes]) -> Option<Lanes> {
    let function = matches!(op, ApproxOp::Ex2 | ApproxOp::Tanh);
    match ty {
        Float::F32 => {}
        Float::BF16 if function => {}
        Float::F16 if function && !ftz => {}
        Float::F64 if op == ApproxOp::Rcp && ftz => return Some(upper_half(e, op, args[0])),
        Float::F64 if op == ApproxOp::Rsqrt && ftz => return Some(upper_half(e, op, args[0])),
        Float::F64 if op == ApproxOp::Rsqrt => return Some(rsqrt_f64(e, args[0])),
        _ => return None,
    }
    let part = e.b.func.dfg.value_type(args[0].one());
    let mut c = SfuCode { e, ty: part };
    let a = args[0].one();
    let divides = matches!(op, ApproxOp::Div | ApproxOp::DivFull);
    let bits = match ty {
        Float::BF16 => c.of_bf16(op, ftz, a),
        Float::F16 => {
            let single = c.f16_to_f32(a);
            let r = c.with_subnormals(op, single);
            c.f16_from_f32(r)
        }
        _ if divides => c.divide(a, args[1].one(), op == ApproxOp::DivFull, ftz),
        _ if ftz => c.unit(op, a),
        _ => c.with_subnormals(op, a),
    };
    Some(Lanes::new(args[0].ty, args[0].wide, &[bits]).marked(divides))
}

/// Emits `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, which read and write the upper halves of f64.
fn upper_half(e: &mut Emit, op: ApproxOp, a: Lanes) -> Lanes {
    let ty = if a.wide { types::I32X4 } else { types::I32 };
    let high = if a.wide {
        let (low, high) = (a.parts()[0], a.parts()[1]);
        let odd: Vec<u8> = [4u8, 12, 20, 28]
            .iter()
            .flat_map(|&at| at..at + 4)
            .collect();
        let words = e.shuffled(low, high, &odd);
        e.bits_as(ty, words)
    } else {
        let high = e.b.ins().ushr_imm_u(a.one(), 32);
        e.b.ins().ireduce(ty, high)
    };
    let mut c = SfuCode { e, ty };
    let r = match op {
        ApproxOp::Rsqrt => c.root(high, true, UPPER_HALF),
        _ => c.rcp(high, UPPER_HALF),
    };
    if !a.wide {
        let r = e.b.ins().uextend(types::I64, r);
        let r = e.b.ins().ishl_imm_u(r, 32);
        return Lanes::new(a.ty, false, &[r]);
    }
    let zero = e.same(ty, 0);
    let parts = [0, 8].map(|from| {
        let part = e.interleave(zero, r, 4, from);
        e.bits_as(types::I64X2, part)
    });
    Lanes::new(a.ty, true, &parts)
}

/// Emits `rsqrt.approx.f64`, which refines the SFU's 21 bits to nearly full precision.
fn rsqrt_f64(e: &mut Emit, a: Lanes) -> Lanes {
    let constant = |e: &mut Emit, x: Value, value: f64| {
        let ty = e.b.func.dfg.value_type(x);
        e.same(ty, value.to_bits() as i64)
    };
    let times = |e: &mut Emit, a: Value, b: Value| {
        let (a, b) = (as_float(e, a), as_float(e, b));
        let product = e.b.ins().fmul(a, b);
        as_bits(e, product)
    };
    // Subnormal numbers, and with them zero and negative ones, are scaled up and the results back.
    let scaling = |e: &mut Emit, x: Value, power: i32| {
        let smallest = constant(e, x, f64::MIN_POSITIVE);
        let (f, smallest) = (as_float(e, x), as_float(e, smallest));
        let small = e.b.ins().fcmp(FloatCC::LessThan, f, smallest);
        let (scale, one) = (constant(e, x, 2f64.powi(power)), constant(e, x, 1.0));
        e.pick(small, scale, one)
    };
    let x = e.map1(a, a.ty, |e, x| {
        let scale = scaling(e, x, 54);
        times(e, x, scale)
    });
    let y = upper_half(e, ApproxOp::Rsqrt, x);
    let refined = e.map2(x, y, a.ty, |e, x, y| {
        let [one, half, rest] = [1.0, 0.5, 0.375].map(|value| constant(e, x, value));
        let [x, y, one, half, rest] = [x, y, one, half, rest].map(|v| as_float(e, v));
        let square = e.b.ins().fmul(y, y);
        let square = e.b.ins().fneg(square);
        let error = e.b.ins().fma(square, x, one);
        let factor = e.b.ins().fma(error, rest, half);
        let step = e.b.ins().fmul(y, error);
        let r = e.b.ins().fma(factor, step, y);
        as_bits(e, r)
    });
    let refined = e.map2(a, refined, a.ty, |e, x, r| {
        let scale = scaling(e, x, 27);
        times(e, r, scale)
    });
    e.map3([a, y, refined], a.ty, |e, x, y, refined| {
        let ty = e.b.func.dfg.value_type(x);
        let (zero, infinity) = (e.same(ty, 0), constant(e, x, f64::INFINITY));
        let [f, zero, infinity] = [x, zero, infinity].map(|v| as_float(e, v));
        let positive = e.b.ins().fcmp(FloatCC::GreaterThan, f, zero);
        let finite = e.b.ins().fcmp(FloatCC::LessThan, f, infinity);
        let ordinary = e.b.ins().band(positive, finite);
        let r = e.pick(ordinary, refined, y);
        let negative = e.b.ins().fcmp(FloatCC::LessThan, f, zero);
        let nan = e.same(ty, i64::from(-0x8_0000) << 32);
        let r = e.pick(negative, nan, r);
        // A NaN operand is propagated, as in all f64 arithmetic.
        let quiet = e.same(ty, 1 << 51);
        let quiet = e.b.ins().bor(x, quiet);
        let nan = e.b.ins().fcmp(FloatCC::Unordered, f, f);
        e.pick(nan, quiet, r)
    })
}

impl SfuCode<'_, '_, '_> {
    /// Converts f16 to f32.
    fn f16_to_f32(&mut self, half: Value) -> Value {
        let magnitude = self.and_all(half, 0x7fff);
        let bits = self.shl(magnitude, 13);
        // The product moves the exponent, for subnormal numbers too.
        let bits = self.times_all(bits, power(112));
        let special = self.above(magnitude, 0x7bff);
        let highest = self.or_all(bits, 0x7f80_0000);
        let bits = self.pick(special, highest, bits);
        let sign = self.shl(half, 16);
        self.signed(bits, sign)
    }

    /// Converts f32 to f16, truncated; numbers that are too large become infinity.
    fn f16_from_f32(&mut self, single: Value) -> Value {
        let magnitude = self.magnitude(single);
        let moved = self.add_all(magnitude, (112u32 << 23).wrapping_neg());
        let normal = self.shr(moved, 13);
        let scaled = self.times_all(magnitude, power(24));
        let subnormal = self.integer(scaled);
        let small = self.below(moved, LEADING as i32);
        let bits = self.pick(small, subnormal, normal);
        let large = self.above(moved, (31 << 23) - 1);
        let bits = self.put(bits, large, 0x7c00);
        let sign = self.and_all(single, SIGN);
        let sign = self.shr(sign, 16);
        let bits = self.or(bits, sign);
        let nan = self.is_nan(single);
        self.put(bits, nan, 0x7fff)
    }
}
