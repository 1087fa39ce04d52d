//! Approximate functions. The manual only bounds their errors; the results here are an H200's, bit for bit.
//!
//! An approximate instruction is one instruction of the special function unit ([`sfu`]). If the SFU cannot take or
//! return every number, the operand and the result are scaled by powers of two, as NVIDIA's compiler scales them for
//! sm_90.

pub(crate) mod sfu;
pub(crate) mod tables;

use super::float::{self, Mode, to_f64};
use super::soft::Format;
use crate::ir::{ApproxOp, Float, FloatOp, Round};

const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = 0x7f80_0000;
/// The smallest normal number.
const SMALLEST: f32 = f32::MIN_POSITIVE;
/// The reciprocals of larger numbers are subnormal.
const LARGE: f32 = 8.507_059e37;

/// Computes `op` on operands that are already cut to their width.
pub(super) fn eval(op: ApproxOp, ty: Float, ftz: bool, a: u64, b: u64) -> u64 {
    match ty {
        Float::F32 if ftz => u64::from(flushed(op, a as u32, b as u32)),
        Float::F32 => u64::from(kept(op, a as u32, b as u32)),
        Float::F64 if op == ApproxOp::Rsqrt && !ftz => rsqrt(f64::from_bits(a)).to_bits(),
        Float::F64 => double(op, a),
        // f16 and bf16 results are f32 results, truncated.
        Float::F16 | Float::BF16 => {
            let format = Format::of(ty);
            let flush = |x| if ftz { format.flush(x) } else { x };
            let single = |x| (to_f64(ty, flush(x)) as f32).to_bits();
            let r = kept(op, single(a), single(b));
            // Truncation turns f16 numbers beyond the range into infinity, not into the largest number.
            let too_large = ty == Float::F16 && magnitude(r) >= 65536.0;
            let r = if too_large { r & SIGN | INFINITY } else { r };
            let r = Format::of(Float::F32).unpack(u64::from(r));
            flush(r.pack(ty, Round::Zero))
        }
    }
}

/// The f32 forms with `.ftz`: the SFU's result without scaling.
fn flushed(op: ApproxOp, a: u32, b: u32) -> u32 {
    match op {
        ApproxOp::Rcp => sfu::rcp(a),
        ApproxOp::Sqrt => sfu::sqrt(a),
        ApproxOp::Rsqrt => sfu::rsqrt(a),
        ApproxOp::Sin => sfu::sine(turns(a), false),
        ApproxOp::Cos => sfu::sine(turns(a), true),
        ApproxOp::Lg2 => sfu::lg2(a),
        ApproxOp::Ex2 => sfu::ex2(a),
        ApproxOp::Tanh => sfu::tanh(a),
        ApproxOp::Div => product(sfu::rcp(b), flush(a)),
        ApproxOp::DivFull => {
            let scale: f32 = if magnitude(b) > LARGE { 0.25 } else { 1.0 };
            let (a, b) = (product(flush(a), scale.to_bits()), scaled(b, scale));
            product(sfu::rcp(b), a)
        }
    }
}

/// The f32 forms without `.ftz`: subnormal operands are scaled into the SFU's range, and the result is scaled back.
fn kept(op: ApproxOp, a: u32, b: u32) -> u32 {
    let subnormal = |x| magnitude(x) < SMALLEST;
    match op {
        ApproxOp::Rcp => {
            let scale = match magnitude(a) {
                large if large > LARGE => 0.25,
                small if small < SMALLEST => power(24),
                _ => 1.0,
            };
            scaled(sfu::rcp(scaled(a, scale)), scale)
        }
        ApproxOp::Sqrt if subnormal(a) => scaled(sfu::sqrt(scaled(a, power(24))), power(-12)),
        ApproxOp::Rsqrt if subnormal(a) => scaled(sfu::rsqrt(scaled(a, power(24))), power(12)),
        ApproxOp::Lg2 if subnormal(a) => {
            let logarithm = f32::from_bits(sfu::lg2(scaled(a, power(24))));
            canonical(logarithm - 24.0)
        }
        ApproxOp::Ex2 if f32::from_bits(a) < -126.0 => {
            let root = sfu::ex2(scaled(a, 0.5));
            mul(root, root)
        }
        ApproxOp::Div | ApproxOp::DivFull => {
            let scale = match magnitude(b) {
                large if large > LARGE && op == ApproxOp::DivFull => 0.25,
                small if small < SMALLEST => power(24),
                _ => 1.0,
            };
            mul(sfu::rcp(scaled(b, scale)), scaled(a, scale))
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

/// Multiplies two f32; every NaN result is the SFU's NaN.
fn mul(a: u32, b: u32) -> u32 {
    canonical(f32::from_bits(a) * f32::from_bits(b))
}

/// Multiplies two f32 as `mul.ftz` does.
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

fn canonical(x: f32) -> u32 {
    if x.is_nan() { sfu::NAN } else { x.to_bits() }
}

fn flush(bits: u32) -> u32 {
    Format::of(Float::F32).flush(u64::from(bits)) as u32
}

/// The angle in turns: its product with a single-precision 1/2π, rounded towards zero. `sin.approx` and `cos.approx`
/// start from it, so that results for large angles have large errors.
fn turns(bits: u32) -> u32 {
    const TURN: f32 = 0.159_154_94;
    let angle = f32::from_bits(bits);
    if !angle.is_finite() {
        return bits;
    }
    // The product is exact. The low bits that f32 has no room for are cleared, so the conversion is exact, too.
    let product = f64::from(angle) * f64::from(TURN);
    (f64::from_bits(product.to_bits() & !0x1fff_ffff) as f32).to_bits()
}

/// Computes `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, which read and write the upper 32 bits only.
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
                (sfu::rsqrt_mantissa(odd, mantissa), exponent >> 1)
            } else {
                (sfu::rcp_mantissa(mantissa), exponent)
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

/// Computes `rsqrt.approx.f64`: one combined step for two of Newton's method, from the SFU's 21 bits.
fn rsqrt(x: f64) -> f64 {
    let from_sfu = |x: f64| {
        let y = f64::from_bits(double(ApproxOp::Rsqrt, x.to_bits()));
        let error = (-(y * y)).mul_add(x, 1.0);
        error.mul_add(0.375, 0.5).mul_add(y * error, y)
    };
    if x.is_nan() {
        // The operand's NaN, made quiet, as in all f64 arithmetic.
        return f64::from_bits(x.to_bits() | 1 << 51);
    }
    if x.is_subnormal() && x > 0.0 {
        return from_sfu(x * 2f64.powi(54)) * 2f64.powi(27);
    }
    if x.is_normal() && x > 0.0 {
        return from_sfu(x);
    }
    match x {
        0.0 => f64::INFINITY.copysign(x),
        f64::INFINITY => 0.0,
        _ => f64::from_bits(0xfff8 << 48),
    }
}
