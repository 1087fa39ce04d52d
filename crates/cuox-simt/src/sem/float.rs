//! IEEE arithmetic.
//!
//! Results that the manual leaves open are those of an H200. A NaN result is the format's canonical NaN; f64
//! operations instead return a NaN operand, made quiet (the second before the third before the first; `div` prefers
//! the first). `neg`, `abs` and `copysign` work on the bits, of NaNs too. With `.ftz`, a result counts as subnormal
//! if it is so when rounded to as many bits as normal numbers have. `.sat` turns NaN, negative numbers and -0 into
//! +0.

use super::directed;
use super::soft::{Format, Value, canonical_nan};
use crate::ir::{Float, FloatClass, FloatOp, Round};

/// The treatment of subnormal operands and results, saturation and rounding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub ty: Float,
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
    pub relu: bool,
}

/// Computes `op` on operands that are already cut to their width.
pub(super) fn eval(op: FloatOp, mode: Mode, args: [u64; 3]) -> u64 {
    // Specialised for every format.
    macro_rules! by {
        ($($ty:ident)*) => {
            match mode.ty {
                $(Float::$ty => eval_in(op, Mode { ty: Float::$ty, ..mode }, args),)*
            }
        };
    }
    by!(F16 BF16 F32 F64)
}

#[inline(always)]
fn eval_in(op: FloatOp, mode: Mode, args: [u64; 3]) -> u64 {
    let format = Format::of(mode.ty);
    let [mut a, mut b, mut c] = args;
    if mode.ftz {
        (a, b, c) = (format.flush(a), format.flush(b), format.flush(c));
    }
    let raw = match op {
        FloatOp::Neg => a ^ format.sign_bit(),
        FloatOp::Abs => a & !format.sign_bit(),
        FloatOp::Copysign => (b & !format.sign_bit()) | (a & format.sign_bit()),
        FloatOp::Min | FloatOp::Max | FloatOp::MinNan | FloatOp::MaxNan => {
            extreme(op, mode.ty, a, b)
        }
        _ if mode.ty == Float::F64 && nan_operand(op, a, b, c).is_some() => {
            nan_operand(op, a, b, c).unwrap_or(a)
        }
        _ => match (mode.ty, mode.round) {
            (Float::F32, Round::Nearest) => native32(op, a, b, c),
            (Float::F64, Round::Nearest) => native64(op, a, b, c),
            (Float::F16 | Float::BF16, Round::Nearest)
                if !matches!(op, FloatOp::Rcp | FloatOp::Sqrt) =>
            {
                by_f64(op, mode.ty, a, b, c)
            }
            (Float::F32 | Float::F64, round) => {
                match directed::native(op, mode.ty, round, [a, b, c]) {
                    Some(bits) if format.is_nan(bits) => canonical_nan(mode.ty),
                    Some(bits) => bits,
                    None => exact(op, mode.ty, round, a, b, c).pack(mode.ty, round),
                }
            }
            _ => exact(op, mode.ty, mode.round, a, b, c).pack(mode.ty, mode.round),
        },
    };
    let value = || match op.is_arithmetic() {
        true => exact(op, mode.ty, mode.round, a, b, c),
        false => format.unpack(raw),
    };
    finish(raw, mode, value)
}

/// Flushes and clamps the result of rounding `value`.
#[inline(always)]
pub(super) fn finish(raw: u64, mode: Mode, value: impl FnOnce() -> Value) -> u64 {
    let format = Format::of(mode.ty);
    let flushed = if mode.ftz {
        format.flush_result(raw, value, mode.round)
    } else {
        raw
    };
    let nan = format.is_nan(flushed);
    let negative = flushed & format.sign_bit() != 0;
    if mode.sat {
        if nan || negative {
            0
        } else {
            flushed.min(format.one())
        }
    } else if mode.relu {
        if nan {
            canonical_nan(mode.ty)
        } else if negative {
            0
        } else {
            flushed
        }
    } else {
        flushed
    }
}

/// Returns the NaN operand that is the result of an f64 operation.
#[inline(always)]
fn nan_operand(op: FloatOp, a: u64, b: u64, c: u64) -> Option<u64> {
    let order: &[u64] = match op {
        FloatOp::Fma => &[b, c, a],
        FloatOp::Div => &[a, b],
        FloatOp::Rcp | FloatOp::Sqrt => &[a],
        _ => &[b, a],
    };
    let format = Format::of(Float::F64);
    let nan = order.iter().find(|&&x| format.is_nan(x))?;
    Some(nan | format.quiet_bit())
}

#[inline(always)]
fn native32(op: FloatOp, a: u64, b: u64, c: u64) -> u64 {
    let single = |x: u64| f32::from_bits(x as u32);
    let (a, b, c) = (single(a), single(b), single(c));
    let r = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Fma => a.mul_add(b, c),
        FloatOp::Div => a / b,
        FloatOp::Rcp => 1.0 / a,
        _ => a.sqrt(),
    };
    if r.is_nan() {
        canonical_nan(Float::F32)
    } else {
        u64::from(r.to_bits())
    }
}

#[inline(always)]
fn native64(op: FloatOp, a: u64, b: u64, c: u64) -> u64 {
    let (a, b, c) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
    let r = match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Fma => a.mul_add(b, c),
        FloatOp::Div => a / b,
        FloatOp::Rcp => 1.0 / a,
        _ => a.sqrt(),
    };
    if r.is_nan() {
        canonical_nan(Float::F64)
    } else {
        r.to_bits()
    }
}

/// Computes in f64 for the 16-bit formats. f64 has more than twice their bits, so that rounding twice is harmless.
/// The exception is an addition to a product, which is therefore rounded to odd.
#[inline(always)]
fn by_f64(op: FloatOp, ty: Float, a: u64, b: u64, c: u64) -> u64 {
    let format = Format::of(ty);
    let double = |x| format.f16_to_f64(x);
    let (a, b, c) = (double(a), double(b), double(c));
    format.f16_from_f64(match op {
        FloatOp::Add => a + b,
        FloatOp::Sub => a - b,
        FloatOp::Mul => a * b,
        FloatOp::Fma => add_to_odd(a * b, c),
        _ => a / b,
    })
}

/// Returns the sum rounded to odd: if it is not exact, the neighbour whose last bit is set.
#[inline(always)]
fn add_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let of_b = sum - a;
    let rest = (a - (sum - of_b)) + (b - of_b);
    if rest == 0.0 || !rest.is_finite() || sum.to_bits() & 1 != 0 {
        return sum;
    }
    let outward = (rest > 0.0) == (sum > 0.0);
    f64::from_bits(
        sum.to_bits()
            .wrapping_add(if outward { 1 } else { u64::MAX }),
    )
}

#[inline(never)]
pub(super) fn exact(op: FloatOp, ty: Float, round: Round, a: u64, b: u64, c: u64) -> Value {
    let format = Format::of(ty);
    let a = format.unpack(a);
    let b = || format.unpack(b);
    match op {
        FloatOp::Add => a.add(b(), round),
        FloatOp::Sub => a.add(b().negate(), round),
        FloatOp::Mul => a.mul(b()),
        FloatOp::Fma => a.mul(b()).add(format.unpack(c), round),
        FloatOp::Div => a.div(b()),
        FloatOp::Rcp => format.unpack(format.one()).div(a),
        _ => a.sqrt(),
    }
}

#[inline(always)]
fn extreme(op: FloatOp, ty: Float, a: u64, b: u64) -> u64 {
    let format = Format::of(ty);
    let nan_wins = matches!(op, FloatOp::MinNan | FloatOp::MaxNan);
    match (format.is_nan(a), format.is_nan(b)) {
        (true, true) if ty == Float::F64 => b | format.quiet_bit(),
        (true, true) => canonical_nan(ty),
        (true, false) | (false, true) if nan_wins => canonical_nan(ty),
        (true, false) => b,
        (false, true) => a,
        (false, false) => {
            // A key that orders numbers by value: negative numbers count down.
            let key = |x: u64| {
                let magnitude = (x & !format.sign_bit()) as i64;
                if x & format.sign_bit() != 0 {
                    -magnitude - 1
                } else {
                    magnitude
                }
            };
            let least = matches!(op, FloatOp::Min | FloatOp::MinNan);
            if (key(a) <= key(b)) == least { a } else { b }
        }
    }
}

/// Evaluates `testp`. Zero is normal.
pub(super) fn class(class: FloatClass, ty: Float, a: u64) -> bool {
    let format = Format::of(ty);
    let magnitude = a & !format.sign_bit();
    match class {
        FloatClass::Finite => magnitude < format.infinity(),
        FloatClass::Infinite => magnitude == format.infinity(),
        FloatClass::Number => !format.is_nan(a),
        FloatClass::NotANumber => format.is_nan(a),
        FloatClass::Normal => magnitude < format.infinity() && !format.is_subnormal(a),
        FloatClass::Subnormal => format.is_subnormal(a),
    }
}

/// Returns the format's nearest number; NaN becomes canonical.
pub(super) fn from_f64(ty: Float, value: f64) -> u64 {
    round_f64(ty, value, Round::Nearest)
}

/// Rounds a number to a format in one of the processor's directions; NaN becomes canonical.
#[inline(always)]
pub(super) fn round_f64(ty: Float, value: f64, round: Round) -> u64 {
    let format = Format::of(ty);
    let (bits, rounded) = match ty {
        Float::F64 if value.is_nan() => return canonical_nan(ty),
        Float::F64 => return value.to_bits(),
        Float::F32 if value.is_nan() => return canonical_nan(ty),
        Float::F32 => {
            let single = value as f32;
            (u64::from(single.to_bits()), f64::from(single))
        }
        _ => {
            let bits = format.f16_from_f64(value);
            if round == Round::Nearest {
                return bits;
            }
            (bits, format.f16_to_f64(bits))
        }
    };
    if round == Round::Nearest || rounded == value || value.is_nan() {
        return bits;
    }
    toward(bits, rounded.abs() > value.abs(), value < 0.0, round)
}

/// Adjusts the bits of a number rounded to nearest (away from zero if `outward`) to another rounding direction.
#[inline(always)]
pub(super) fn toward(bits: u64, outward: bool, negative: bool, round: Round) -> u64 {
    let wanted = match round {
        Round::Up => !negative,
        Round::Down => negative,
        _ => false,
    };
    match (outward, wanted) {
        (true, false) => bits - 1,
        (false, true) => bits + 1,
        _ => bits,
    }
}

/// Returns the number as an f64, which represents every format exactly.
#[inline(always)]
pub(super) fn to_f64(ty: Float, bits: u64) -> f64 {
    match ty {
        Float::F64 => f64::from_bits(bits),
        Float::F32 => f64::from(f32::from_bits(bits as u32)),
        Float::BF16 => f64::from(f32::from_bits((bits as u32) << 16)),
        Float::F16 => {
            const HALF: Format = Format::of(Float::F16);
            HALF.f16_to_f64(bits)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::tests::Random;

    #[test]
    fn f16_by_way_of_f64_is_the_exact_result_rounded() {
        let mut random = Random(1);
        let mut next = || random.next();
        let edges = [
            0, 1, 2, 0x3ff, 0x400, 0x7bff, 0x7c00, 0x7f7f, 0x7f80, 0x7fff, 0x3c00, 0x3f80, 0x80,
            0x7f,
        ];
        let ops = [
            FloatOp::Add,
            FloatOp::Sub,
            FloatOp::Mul,
            FloatOp::Fma,
            FloatOp::Div,
        ];
        for n in 0..400_000u64 {
            let [a, b, c] = [0, 21, 42].map(|shift| {
                let bits = next() >> shift;
                match bits & 0x70000 {
                    0 => edges[(bits >> 24) as usize % edges.len()] | bits & 0x8000,
                    _ => bits & 0xffff,
                }
            });
            // Operands that are far apart and close together.
            let c = if n & 1 == 0 {
                c
            } else {
                ((a & 0x7f80) + (c & 0x80ff)) & 0xffff
            };
            for ty in [Float::F16, Float::BF16] {
                for op in ops {
                    let want = exact(op, ty, Round::Nearest, a, b, c).pack(ty, Round::Nearest);
                    assert_eq!(
                        by_f64(op, ty, a, b, c),
                        want,
                        "{op:?} {ty:?} {a:#x} {b:#x} {c:#x}"
                    );
                }
            }
        }
    }
}
