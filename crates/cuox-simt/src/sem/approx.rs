//! Functions whose results the manual only bounds.
//!
//! They are computed in f64 and rounded to nearest, which is inside every bound; the special cases are the
//! manual's. Subnormal operands and results are kept unless `.ftz`.

use super::float::{from_f64, to_f64};
use super::soft::{Format, canonical_nan};
use crate::ir::{ApproxOp, Float};

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
        ApproxOp::Sin => x.sin(),
        ApproxOp::Cos => x.cos(),
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

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64` see and give the upper 32 bits only.
fn double(op: ApproxOp, a: u64, b: u64) -> u64 {
    let upper = !0xffff_ffff_u64;
    let gross = matches!(op, ApproxOp::Rcp | ApproxOp::Rsqrt);
    let x = f64::from_bits(a);
    if x.is_nan() {
        return canonical_nan(Float::F64);
    }
    let x = if gross { f64::from_bits(a & upper) } else { x };
    let r = function(op, x, f64::from_bits(b));
    if r.is_nan() {
        canonical_nan(Float::F64)
    } else if gross {
        r.to_bits() & upper
    } else {
        r.to_bits()
    }
}
