//! Functions whose results the manual only bounds; here they are an H200's, to the bit.
//!
//! An approximate instruction is one of the GPU's function unit ([`unit`]) and, where that cannot take or give every
//! number, a scaling by a power of two around it. The scalings are those that NVIDIA's compiler makes for sm_90.

pub(crate) mod tables;
pub(crate) mod unit;

use super::float::{self, Mode, to_f64};
use super::soft::Format;
use crate::ir::{ApproxOp, Float, FloatOp, Round};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
/// Below, a number is subnormal.
const SMALLEST: f32 = f32::MIN_POSITIVE;
/// Above, a reciprocal is subnormal.
const LARGE: f32 = 8.507_059e37;

/// `op` on operands that are already cut to their width.
pub(super) fn eval(op: ApproxOp, ty: Float, ftz: bool, a: u64, b: u64) -> u64 {
    match ty {
        Float::F32 if ftz => u64::from(flushed(op, a as u32, b as u32)),
        Float::F32 => u64::from(kept(op, a as u32, b as u32)),
        Float::F64 if op == ApproxOp::Rsqrt && !ftz => rsqrt(f64::from_bits(a)).to_bits(),
        Float::F64 => double(op, a),
        // f16 and bf16 results are those of f32, cut to their size.
        Float::F16 | Float::BF16 => {
            let format = Format::of(ty);
            let flush = |x| if ftz { format.flush(x) } else { x };
            let single = |x| (to_f64(ty, flush(x)) as f32).to_bits();
            let r = kept(op, single(a), single(b));
            // Cut does not mean that the largest number is the end.
            let too_large = ty == Float::F16 && magnitude(r) >= 65536.0;
            let r = if too_large { r & SIGN | INFINITY } else { r };
            let r = Format::of(Float::F32).unpack(u64::from(r));
            flush(r.pack(ty, Round::Zero))
        }
    }
}

/// The f32 forms with `.ftz`: the function unit as it is.
fn flushed(op: ApproxOp, a: u32, b: u32) -> u32 {
    match op {
        ApproxOp::Rcp => unit::rcp(a),
        ApproxOp::Sqrt => unit::sqrt(a),
        ApproxOp::Rsqrt => unit::rsqrt(a),
        ApproxOp::Sin => unit::sine(turns(a), false),
        ApproxOp::Cos => unit::sine(turns(a), true),
        ApproxOp::Lg2 => unit::lg2(a),
        ApproxOp::Ex2 => unit::ex2(a),
        ApproxOp::Tanh => unit::tanh(a),
        ApproxOp::Div => product(unit::rcp(b), flush(a)),
        ApproxOp::DivFull => {
            let scale: f32 = if magnitude(b) > LARGE { 0.25 } else { 1.0 };
            let (a, b) = (product(flush(a), scale.to_bits()), scaled(b, scale));
            product(unit::rcp(b), a)
        }
    }
}

/// The f32 forms that keep subnormal numbers: those are scaled into the unit's range, and the result back.
fn kept(op: ApproxOp, a: u32, b: u32) -> u32 {
    let subnormal = |x| magnitude(x) < SMALLEST;
    match op {
        ApproxOp::Rcp => {
            let scale = match magnitude(a) {
                large if large > LARGE => 0.25,
                small if small < SMALLEST => power(24),
                _ => 1.0,
            };
            scaled(unit::rcp(scaled(a, scale)), scale)
        }
        ApproxOp::Sqrt if subnormal(a) => scaled(unit::sqrt(scaled(a, power(24))), power(-12)),
        ApproxOp::Rsqrt if subnormal(a) => scaled(unit::rsqrt(scaled(a, power(24))), power(12)),
        ApproxOp::Lg2 if subnormal(a) => {
            let logarithm = f32::from_bits(unit::lg2(scaled(a, power(24))));
            settle(logarithm - 24.0)
        }
        ApproxOp::Ex2 if f32::from_bits(a) < -126.0 => {
            let root = unit::ex2(scaled(a, 0.5));
            mul(root, root)
        }
        ApproxOp::Div | ApproxOp::DivFull => {
            let scale = match magnitude(b) {
                large if large > LARGE && op == ApproxOp::DivFull => 0.25,
                small if small < SMALLEST => power(24),
                _ => 1.0,
            };
            mul(unit::rcp(scaled(b, scale)), scaled(a, scale))
        }
        _ => flushed(op, a, b),
    }
}

fn magnitude(bits: u32) -> f32 {
    f32::from_bits(bits).abs()
}

fn power(exponent: i32) -> f32 {
    2f32.powi(exponent)
}

/// f32 multiplication knows one NaN.
fn mul(a: u32, b: u32) -> u32 {
    settle(f32::from_bits(a) * f32::from_bits(b))
}

/// A product as of `mul.ftz`.
fn product(a: u32, b: u32) -> u32 {
    let mode = Mode {
        ty: Float::F32,
        round: Round::Nearest,
        ftz: true,
        sat: false,
        relu: false,
    };
    float::eval(FloatOp::Mul, mode, [a.into(), b.into(), 0]) as u32
}

fn scaled(a: u32, scale: f32) -> u32 {
    mul(a, scale.to_bits())
}

fn settle(x: f32) -> u32 {
    if x.is_nan() { unit::NAN } else { x.to_bits() }
}

fn flush(bits: u32) -> u32 {
    Format::of(Float::F32).flush(u64::from(bits)) as u32
}

/// What `sin.approx` and `cos.approx` take for their angle: its product with a single-precision 1/2π, rounded towards zero.
/// Far from zero the results have little to do with those of the true angle.
fn turns(bits: u32) -> u32 {
    const TURN: f32 = 0.159_154_94;
    let angle = f32::from_bits(bits);
    if !angle.is_finite() {
        return bits;
    }
    // The product is exact; without the bits that f32 has no room for, so is the conversion.
    let product = f64::from(angle) * f64::from(TURN);
    (f64::from_bits(product.to_bits() & !0x1fff_ffff) as f32).to_bits()
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` see and give the upper 32 bits only; PTX has no others.
fn double(op: ApproxOp, a: u64) -> u64 {
    const NAN: u32 = 0x7fff_ffff;
    const INFINITY: u32 = 0x7ff0_0000;
    let high = (a >> 32) as u32;
    let (sign, field, mantissa) = (high & SIGN, high >> 20 & 0x7ff, (high & 0xf_ffff) << 3);
    let root = op == ApproxOp::Rsqrt;
    let exponent = field as i32 - 1023;
    let upper = match (field, mantissa) {
        (0x7ff, 1..) => NAN,
        (0, _) => sign | INFINITY,
        _ if root && sign != 0 => NAN,
        (0x7ff, 0) => sign,
        _ => {
            let (mantissa, exponent) = if root {
                let odd = exponent & 1 != 0;
                (unit::rsqrt_mantissa(odd, mantissa), exponent >> 1)
            } else {
                (unit::rcp_mantissa(mantissa), exponent)
            };
            // The mantissa is in 2^-24 and has 24 bits; 21 are kept.
            let bits = ((1022 - exponent) << 20) + (mantissa >> 3) - (1 << 20);
            if bits < 1 << 20 {
                sign
            } else {
                sign | bits as u32
            }
        }
    };
    u64::from(upper) << 32
}

/// `rsqrt.approx.f64`: two steps of Newton's method from the unit's 21 bits, in one.
fn rsqrt(x: f64) -> f64 {
    let from_unit = |x: f64| {
        let y = f64::from_bits(double(ApproxOp::Rsqrt, x.to_bits()));
        let error = (-(y * y)).mul_add(x, 1.0);
        error.mul_add(0.375, 0.5).mul_add(y * error, y)
    };
    if x.is_nan() {
        // Of the operand's NaN, as all f64 arithmetic.
        return f64::from_bits(x.to_bits() | 1 << 51);
    }
    if x.is_subnormal() && x > 0.0 {
        return from_unit(x * 2f64.powi(54)) * 2f64.powi(27);
    }
    if x.is_normal() && x > 0.0 {
        return from_unit(x);
    }
    match x {
        0.0 => f64::INFINITY.copysign(x),
        f64::INFINITY => 0.0,
        _ => f64::from_bits(0xfff8 << 48),
    }
}
