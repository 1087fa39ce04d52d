//! f32 and f64 arithmetic. Other formats use [`crate::sem`].
//!
//! A GPU's f32 arithmetic produces one NaN, while the host's NaNs carry payloads and signs. Results are therefore
//! marked as having an unobserved NaN payload, and are canonicalised where their bits are observed. f64 arithmetic
//! propagates an operand's NaN on both; of two NaNs a GPU takes the second and the host the first, hence the swapped
//! operands.

use crate::ir::{Float, FloatOp, Round};
use crate::jit::emit::ops::directed;
use crate::jit::emit::value::{Emit, Lanes};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

/// Returns the bits of a part as floating point.
pub fn as_float(e: &mut Emit, v: Value) -> Value {
    let ty = match e.b.func.dfg.value_type(v) {
        types::I32 => types::F32,
        types::I64 => types::F64,
        types::I32X4 => types::F32X4,
        types::I64X2 => types::F64X2,
        other => other,
    };
    e.bits_as(ty, v)
}

/// Returns a floating-point part as bits.
pub fn as_bits(e: &mut Emit, v: Value) -> Value {
    let ty = match e.b.func.dfg.value_type(v) {
        types::F32 => types::I32,
        types::F64 => types::I64,
        types::F32X4 => types::I32X4,
        types::F64X2 => types::I64X2,
        other => other,
    };
    e.bits_as(ty, v)
}

/// Flushes subnormal f32 bits to zero, keeping the sign.
pub fn flush(e: &mut Emit, bits: Value) -> Value {
    let ty = e.b.func.dfg.value_type(bits);
    let exponent = e.same(ty, 0x7f80_0000);
    let zero = e.same(ty, 0);
    let has = e.b.ins().band(bits, exponent);
    let small = e.b.ins().icmp(IntCC::Equal, has, zero);
    flush_where(e, bits, small)
}

/// Replaces the bits in selected lanes by zero, keeping the sign.
pub fn flush_where(e: &mut Emit, bits: Value, small: Value) -> Value {
    let ty = e.b.func.dfg.value_type(bits);
    let sign = e.same(ty, i64::from(i32::MIN));
    let signed_zero = e.b.ins().band(bits, sign);
    e.pick(small, signed_zero, bits)
}

/// Flushes the f32 result `bits` of an operation on `x` if it is subnormal when rounded to the precision of normal
/// numbers.
pub fn flush_result(e: &mut Emit, op: FloatOp, round: Round, x: [Value; 3], bits: Value) -> Value {
    match op {
        FloatOp::Mul | FloatOp::Fma if round != Round::Zero => {}
        FloatOp::Div => return flush_quotient(e, x[0], x[1], bits),
        FloatOp::Rcp => {
            let ty = e.b.func.dfg.value_type(bits);
            let one = e.same(ty, 0x3f80_0000);
            return flush_quotient(e, one, x[0], bits);
        }
        _ => return flush(e, bits),
    }
    // Only a result equal to the least normal number may have been rounded up from a subnormal one, which is rare.
    let ty = e.b.func.dfg.value_type(bits);
    let (rest, least) = (e.same(ty, 0x7fff_ffff), e.same(ty, 0x0080_0000));
    let magnitude = e.b.ins().band(bits, rest);
    let mut rounded = e.b.ins().icmp(IntCC::Equal, magnitude, least);
    if ty.is_vector() {
        rounded = e.b.ins().vany_true(rounded);
    }
    let [look, on] = [(); 2].map(|()| e.b.create_block());
    e.b.append_block_param(on, ty);
    e.b.set_cold_block(look);
    e.b.ins().brif(rounded, look, &[], on, &[bits.into()]);
    e.b.switch_to_block(look);
    // Scaled so that no number is subnormal. Results that overflow are not small.
    let power = 2f32.powi(32);
    let scale = e.same(ty, power.to_bits().into());
    let [a, c] = [x[0], x[2]].map(|x| {
        let (x, scale) = (as_float(e, x), as_float(e, scale));
        let scaled = e.b.ins().fmul(x, scale);
        as_bits(e, scaled)
    });
    let x = [a, x[1], c];
    let scaled = match round {
        Round::Nearest => one(e, op, x),
        _ => directed::emit(e, op, round, x),
    };
    let scaled = e.b.ins().band(scaled, rest);
    let least = e.same(ty, (f32::MIN_POSITIVE * power).to_bits().into());
    let small = e.b.ins().icmp(IntCC::UnsignedLessThan, scaled, least);
    let flushed = flush_where(e, bits, small);
    e.b.ins().jump(on, &[flushed.into()]);
    e.b.switch_to_block(on);
    let bits = e.b.block_params(on)[0];
    flush(e, bits)
}

/// Flushes a subnormal quotient. No quotient is so close to the least normal number that rounding matters.
fn flush_quotient(e: &mut Emit, a: Value, b: Value, bits: Value) -> Value {
    let ty = e.b.func.dfg.value_type(bits);
    // `|a| * 2^126` is exact or infinite.
    let scale = e.same(ty, 2f32.powi(126).to_bits().into());
    let rest = e.same(ty, 0x7fff_ffff);
    let [a, b] = [a, b].map(|x| e.b.ins().band(x, rest));
    let [a, b, scale] = [a, b, scale].map(|x| as_float(e, x));
    let scaled = e.b.ins().fmul(a, scale);
    let small = e.b.ins().fcmp(FloatCC::LessThan, scaled, b);
    flush_where(e, bits, small)
}

/// Replaces any NaN by the GPU's canonical NaN.
pub fn canonical(e: &mut Emit, float: Value) -> Value {
    let nan = e.b.ins().fcmp(FloatCC::Unordered, float, float);
    let bits = as_bits(e, float);
    let ty = e.b.func.dfg.value_type(bits);
    let quiet = e.same(ty, nan_bits(ty));
    e.pick(nan, quiet, bits)
}

fn nan_bits(ty: Type) -> i64 {
    match ty {
        types::I32 | types::I32X4 => 0x7fff_ffff,
        _ => 0xfff8_0000_0000_0000_u64 as i64,
    }
}

/// Clamps to \[0, 1\]; NaN becomes +0.
fn saturate(e: &mut Emit, bits: Value) -> Value {
    let ty = e.b.func.dfg.value_type(bits);
    let one_bits = match ty {
        types::I32 | types::I32X4 => 0x3f80_0000,
        _ => 0x3ff0_0000_0000_0000,
    };
    let (zero, one) = (e.same(ty, 0), e.same(ty, one_bits));
    let (zf, of, v) = (as_float(e, zero), as_float(e, one), as_float(e, bits));
    let positive = e.b.ins().fcmp(FloatCC::GreaterThan, v, zf);
    let large = e.b.ins().fcmp(FloatCC::GreaterThan, v, of);
    let low = e.pick(positive, bits, zero);
    e.pick(large, one, low)
}

/// Emits inline code for IEEE operations.
pub fn ieee(
    e: &mut Emit,
    op: FloatOp,
    ty: Float,
    round: Round,
    ftz: bool,
    sat: bool,
    args: &[Lanes],
) -> Option<Lanes> {
    if !matches!(ty, Float::F32 | Float::F64) {
        return None;
    }
    let directed = op.is_arithmetic() && round != Round::Nearest;
    if directed && (ty != Float::F32 || round == Round::Away || !directed::has(op)) {
        return None;
    }
    let ftz = ftz && ty == Float::F32;
    let mut parts = [args[0].one(); 4];
    let n = args[0].parts().len();
    for (i, part) in parts.iter_mut().enumerate().take(n) {
        let mut inputs = [args[0].one(); 3];
        for (input, arg) in inputs.iter_mut().zip(args) {
            *input = arg.parts()[i];
            if ftz {
                *input = flush(e, *input);
            }
        }
        let mut bits = if directed {
            directed::emit(e, op, round, inputs)
        } else {
            one(e, op, inputs)
        };
        if ftz && !matches!(op, FloatOp::Copysign | FloatOp::Neg | FloatOp::Abs) {
            bits = flush_result(e, op, round, inputs, bits);
        }
        if sat {
            bits = saturate(e, bits);
        }
        *part = bits;
    }
    let noncanonical = op.is_arithmetic() && ty == Float::F32 && !sat;
    Some(Lanes::new(ty.ty(), args[0].wide, &parts[..n]).marked(noncanonical))
}

fn one(e: &mut Emit, op: FloatOp, x: [Value; 3]) -> Value {
    let ty = e.b.func.dfg.value_type(x[0]);
    let sign_bit = match ty {
        types::I32 | types::I32X4 => i64::from(i32::MIN),
        _ => i64::MIN,
    };
    match op {
        FloatOp::Neg => {
            let sign = e.same(ty, sign_bit);
            return e.b.ins().bxor(x[0], sign);
        }
        FloatOp::Abs => {
            let rest = e.same(ty, !sign_bit);
            return e.b.ins().band(x[0], rest);
        }
        FloatOp::Copysign => {
            let (sign, rest) = (e.same(ty, sign_bit), e.same(ty, !sign_bit));
            let a = e.b.ins().band(x[0], sign);
            let b = e.b.ins().band(x[1], rest);
            return e.b.ins().bor(a, b);
        }
        _ => {}
    }
    let (a, b, c) = (as_float(e, x[0]), as_float(e, x[1]), as_float(e, x[2]));
    let result = match op {
        FloatOp::Add => e.b.ins().fadd(b, a),
        FloatOp::Sub => {
            let difference = e.b.ins().fsub(a, b);
            let bits = as_bits(e, difference);
            if !matches!(ty, types::I64 | types::I64X2) {
                return bits;
            }
            // Of two NaNs the second is propagated, and the operands cannot be swapped.
            let quiet = e.same(ty, 0x0008_0000_0000_0000);
            let second = e.b.ins().bor(x[1], quiet);
            let nan = e.b.ins().fcmp(FloatCC::Unordered, b, b);
            return e.pick(nan, second, bits);
        }
        FloatOp::Mul => e.b.ins().fmul(b, a),
        FloatOp::Fma => e.b.ins().fma(a, b, c),
        FloatOp::Div => e.b.ins().fdiv(a, b),
        FloatOp::Sqrt => e.b.ins().sqrt(a),
        FloatOp::Rcp => {
            let one = reciprocal_one(e, ty);
            e.b.ins().fdiv(one, a)
        }
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => {
            return min_max(e, op, x, a, b);
        }
        FloatOp::Neg | FloatOp::Abs | FloatOp::Copysign => a,
    };
    as_bits(e, result)
}

fn reciprocal_one(e: &mut Emit, bits_ty: Type) -> Value {
    let one = match bits_ty {
        types::I32 | types::I32X4 => e.same(bits_ty, 0x3f80_0000),
        _ => e.same(bits_ty, 0x3ff0_0000_0000_0000),
    };
    as_float(e, one)
}

/// Emits minimum or maximum. -0 is less than +0. A NaN operand loses to a number, or wins in the `Nan` forms.
fn min_max(e: &mut Emit, op: FloatOp, x: [Value; 3], a: Value, b: Value) -> Value {
    let ty = e.b.func.dfg.value_type(x[0]);
    let max = matches!(op, FloatOp::Max | FloatOp::MaxNan);
    let code = if max {
        FloatCC::GreaterThan
    } else {
        FloatCC::LessThan
    };
    let first = e.b.ins().fcmp(code, a, b);
    let equal = e.b.ins().fcmp(FloatCC::Equal, a, b);
    let by_order = e.pick(first, x[0], x[1]);
    // Equal values differ at most in the sign of zero: `or` keeps a minus, `and` keeps a plus.
    let by_sign = if max {
        e.b.ins().band(x[0], x[1])
    } else {
        e.b.ins().bor(x[0], x[1])
    };
    let value = e.pick(equal, by_sign, by_order);
    let a_nan = e.b.ins().fcmp(FloatCC::Unordered, a, a);
    let b_nan = e.b.ins().fcmp(FloatCC::Unordered, b, b);
    let quiet = e.same(ty, nan_bits(ty));
    if matches!(op, FloatOp::MinNan | FloatOp::MaxNan) {
        let any = e.b.ins().bor(a_nan, b_nan);
        return e.pick(any, quiet, value);
    }
    let value = e.pick(a_nan, x[1], value);
    let value = e.pick(b_nan, x[0], value);
    let both = e.b.ins().band(a_nan, b_nan);
    let quiet = match ty {
        types::I32 | types::I32X4 => quiet,
        _ => {
            let bit = e.same(ty, 0x0008_0000_0000_0000);
            e.b.ins().bor(x[1], bit)
        }
    };
    e.pick(both, quiet, value)
}
