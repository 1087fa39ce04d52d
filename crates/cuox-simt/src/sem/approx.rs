//! Functions whose results the manual only bounds.
//!
//! They are computed in f64 and rounded to nearest, which is inside every bound; the special cases are the
//! manual's and an H200's. Subnormal operands and results are kept unless `.ftz`.

use super::float::{from_f64, to_f64};
use super::soft::{Format, canonical_nan};
use crate::ir::{ApproxOp, Float, Round};

/// `op` on operands that are already cut to their width.
pub(super) fn eval(op: ApproxOp, ty: Float, ftz: bool, a: u64, b: u64) -> u64 {
    let format = Format::of(ty);
    let flush = |x| if ftz { format.flush(x) } else { x };
    let (a, b) = (flush(a), flush(b));
    let r = if ty == Float::F64 {
        double(op, a, b)
    } else {
        from_f64(ty, function(op, to_f64(ty, a), to_f64(ty, b)))
    };
    flush(r)
}

fn function(op: ApproxOp, x: f64, y: f64) -> f64 {
    match op {
        ApproxOp::Rcp => 1.0 / x,
        ApproxOp::Sqrt => x.sqrt(),
        ApproxOp::Rsqrt => 1.0 / x.sqrt(),
        ApproxOp::Sin if x.is_sign_negative() => -angle(x).sin(),
        ApproxOp::Sin => angle(x).sin(),
        ApproxOp::Cos => angle(x).cos(),
        ApproxOp::Lg2 => x.log2(),
        ApproxOp::Ex2 => x.exp2(),
        ApproxOp::Tanh => x.tanh(),
        // The reciprocal of so large a divisor is flushed, and the manual lets it show.
        ApproxOp::Div if y.is_finite() && y.abs() > 2f64.powi(126) => {
            let zero = 0f64.copysign(y);
            x * zero
        }
        ApproxOp::Div | ApproxOp::DivFull => x / y,
    }
}

/// What `sin.approx` and `cos.approx` take for the angle `|x|`, as an H200 does: a number of turns, which is the product
/// with a single-precision 1/2π, rounded towards zero and then cut to 25 bits behind the point. Far from zero the
/// results have little to do with those of the true angle, but they are the hardware's to less than 2^-21.
fn angle(x: f64) -> f64 {
    const TURN: f32 = 0.159_154_94;
    let product = (x * f64::from(TURN)).abs();
    let single = Format::of(Float::F64)
        .unpack(product.to_bits())
        .pack(Float::F32, Round::Zero);
    let turns = f64::from(f32::from_bits(single as u32));
    let grain = f64::from(1 << 25);
    let fraction = ((turns - turns.floor()) * grain).floor() / grain;
    fraction * std::f64::consts::TAU
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` see and give the upper 32 bits only.
fn double(op: ApproxOp, a: u64, b: u64) -> u64 {
    let upper = !0xffff_ffff_u64;
    let gross = matches!(op, ApproxOp::Rcp | ApproxOp::Rsqrt);
    let a = if gross { a & upper } else { a };
    let r = function(op, f64::from_bits(a), f64::from_bits(b));
    match (r.is_nan(), gross) {
        (true, true) => 0x7fff_ffff << 32,
        (true, false) => canonical_nan(Float::F64),
        (false, true) => r.to_bits() & upper,
        (false, false) => r.to_bits(),
    }
}
