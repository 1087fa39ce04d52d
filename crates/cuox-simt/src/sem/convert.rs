//! `cvt`.
//!
//! Conversions to integers saturate. A NaN becomes 0; if the operand is f64 or the result has 64 bits it becomes the
//! result's highest bit alone, as the manual says. `.ftz` concerns the f32 side only. Conversions between floats make
//! a NaN canonical, as on an H200, with two exceptions: conversions to and from f64 keep the fraction (those of f32
//! with `.ftz` do not), and bf16 to f32 without `.ftz` keeps all bits.

use super::float::{Mode, finish, round_f64, to_f64, toward};
use super::int::sign_extend;
use super::soft::{Exact, Format, Value, canonical_nan};
use crate::ir::{Conversion, Float, Float8, Num, Round, Ty};

/// Converts bits that are already cut to the operand's width.
pub(super) fn eval(c: Conversion, a: u64) -> u64 {
    match (c.from, c.to) {
        (Num::F(from), Num::F(to)) if Format::of(from).is_nan(a) && !c.sat && !c.relu => {
            match nan_to_nan(c, from, to, a) {
                Some(nan) => nan,
                None => canonical_nan(to),
            }
        }
        (Num::F(from), Num::F(to)) => {
            let exact = || {
                let value = operand(c, from, a);
                match c.integral {
                    true => value.integral(c.round),
                    false => value,
                }
            };
            if c.round == Round::Away {
                return result(c, to, exact());
            }
            let value = number(c, from, a);
            let value = match c.integral {
                true => integral(value, c.round),
                false => value,
            };
            finished(c, to, round_f64(to, value, c.round), exact)
        }
        (Num::F(from), to) => match c.round {
            Round::Away => float_to_int(c, from, to, a),
            _ => number_to_int(number(c, from, a), from, to, c.round),
        },
        (from, Num::F(to)) => {
            let (negative, magnitude) = match from {
                Num::S(ty) => {
                    let v = sign_extend(a, ty.bits());
                    (v < 0, v.unsigned_abs())
                }
                _ => (false, a),
            };
            if c.round != Round::Away {
                let value = match to {
                    Float::F64 => integer_to_f64(negative, magnitude, c.round),
                    _ => round_f64(to, integer_to_odd(negative, magnitude), c.round),
                };
                return finished(c, to, value, || operand_of(negative, magnitude));
            }
            result(c, to, operand_of(negative, magnitude))
        }
        (from, to) => int_to_int(from, to, c.sat, a),
    }
}

/// Returns the result for a NaN if it is not the canonical one.
fn nan_to_nan(c: Conversion, from: Float, to: Float, a: u64) -> Option<u64> {
    let a = match from {
        Float::F32 if c.ftz => canonical_nan(from),
        _ => a,
    };
    match (from, to) {
        (Float::BF16, Float::F32) if !c.ftz => Some(a << 16),
        (Float::F64, _) | (_, Float::F64) => Some(Format::of(from).convert_nan(a, Format::of(to))),
        _ => None,
    }
}

/// Converts two f32 to the two numbers of a b32.
pub(super) fn pair(to: Float, round: Round, relu: bool, high: u64, low: u64) -> u64 {
    let half = |a| {
        eval(
            Conversion {
                from: Num::F(Float::F32),
                to: Num::F(to),
                round,
                integral: false,
                ftz: false,
                sat: false,
                relu,
            },
            a,
        ) & 0xffff
    };
    half(high) << 16 | half(low)
}

/// Converts two f32 to the two bytes of a b16.
pub(super) fn narrow(to: Float8, relu: bool, high: u64, low: u64) -> u64 {
    let byte = |bits: u64| to_float8(to, relu, f32::from_bits(bits as u32));
    byte(high) << 8 | byte(low)
}

fn to_float8(to: Float8, relu: bool, x: f32) -> u64 {
    // The mantissa's bits, the exponent of the smallest normal number, the largest number, and its bits.
    let (mantissa, least, largest, most) = match to {
        Float8::E4m3 => (3, -6, 448.0, 0x7e),
        Float8::E5m2 => (2, -14, 57344.0, 0x7b),
    };
    if x.is_nan() {
        return 0x7f;
    }
    if relu && x < 0.0 {
        return 0;
    }
    let sign = u64::from(x.is_sign_negative() && !(relu && x == 0.0)) << 7;
    // An f64 holds these numbers exactly from here on.
    let magnitude = f64::from(x.abs()).min(largest);
    let exponent = ((magnitude.to_bits() >> 52) as i64 - 1023).max(least);
    let power = |exponent: i64| f64::from_bits(((exponent + 1023) as u64) << 52);
    let units = (magnitude * power(mantissa - exponent)).round_ties_even() as u64;
    // The leading one of a normal number lies at the exponent's lowest bit and so increments it.
    sign | ((((exponent - least) << mantissa) as u64 + units).min(most))
}

/// Converts the two bytes of a b16 to f16.
pub(super) fn widen(from: Float8, relu: bool, a: u64) -> u64 {
    let half = |byte: u64| {
        let (sign, magnitude) = ((byte & 0x80) << 8, byte & 0x7f);
        let nan = match from {
            Float8::E4m3 => magnitude == 0x7f,
            Float8::E5m2 => magnitude > 0x7c,
        };
        if nan {
            return canonical_nan(Float::F16);
        }
        if relu && sign != 0 {
            return 0;
        }
        sign | match from {
            Float8::E5m2 => magnitude << 8,
            // The exponent's bias is 7 instead of 15.
            Float8::E4m3 if magnitude >= 8 => (magnitude << 7) + (8 << 10),
            // A subnormal number, in units of 2^-9.
            Float8::E4m3 => match magnitude.checked_ilog2() {
                None => 0,
                Some(top) => u64::from(6 + top) << 10 | (magnitude << (10 - top) & 0x3ff),
            },
        }
    };
    half(a >> 8 & 0xff) << 16 | half(a & 0xff)
}

fn operand(c: Conversion, from: Float, a: u64) -> Value {
    let format = Format::of(from);
    format.unpack(if c.ftz && from == Float::F32 {
        format.flush(a)
    } else {
        a
    })
}

fn operand_of(negative: bool, magnitude: u64) -> Value {
    Exact::new(negative, u128::from(magnitude), 0).map_or(Value::Zero(false), Value::Finite)
}

/// Returns the operand as an f64, which represents it exactly.
#[inline(always)]
fn number(c: Conversion, from: Float, a: u64) -> f64 {
    const SINGLE: Format = Format::of(Float::F32);
    to_f64(
        from,
        match from {
            Float::F32 if c.ftz => SINGLE.flush(a),
            _ => a,
        },
    )
}

#[inline(always)]
fn integral(value: f64, round: Round) -> f64 {
    match round {
        Round::Down => value.floor(),
        Round::Up => value.ceil(),
        Round::Zero => value.trunc(),
        _ => value.round_ties_even(),
    }
}

#[inline(always)]
fn number_to_int(value: f64, from: Float, to: Num, round: Round) -> u64 {
    let bits = to.ty().bits().min(64);
    if value.is_nan() {
        return match from == Float::F64 || bits == 64 {
            true => 1 << (bits - 1),
            false => 0,
        };
    }
    let value = integral(value, round);
    match (to, bits) {
        (Num::S(_), 64) => value as i64 as u64,
        (_, 64) => value as u64,
        _ => {
            // Results of at most 32 bits.
            let (low, high) = match to {
                Num::S(_) => (-1i64 << (bits - 1), (1i64 << (bits - 1)) - 1),
                _ => (0, (1 << bits) - 1),
            };
            value.clamp(low as f64, high as f64) as i64 as u64 & to.ty().mask()
        }
    }
}

/// Returns an integer rounded to f64.
#[inline(always)]
fn integer_to_f64(negative: bool, magnitude: u64, round: Round) -> u64 {
    let nearest = magnitude as f64;
    let bits = nearest.to_bits() | u64::from(negative) << 63;
    if round == Round::Nearest {
        return bits;
    }
    let whole = nearest as u128;
    match whole == u128::from(magnitude) {
        true => bits,
        false => toward(bits, whole > u128::from(magnitude), negative, round),
    }
}

/// Returns an integer as an f64 rounded to odd: the last bit is set if it is not exact. It can then be rounded to
/// fewer bits.
#[inline(always)]
fn integer_to_odd(negative: bool, magnitude: u64) -> f64 {
    let value = match magnitude >> 53 {
        0 => magnitude as f64,
        _ => (magnitude >> 11 | u64::from(magnitude & 0x7ff != 0)) as f64 * 2048.0,
    };
    if negative { -value } else { value }
}

#[inline(always)]
fn finished(c: Conversion, to: Float, bits: u64, value: impl FnOnce() -> Value) -> u64 {
    finish(
        bits,
        Mode {
            ty: to,
            round: c.round,
            ftz: c.ftz && to == Float::F32,
            sat: c.sat,
            relu: c.relu,
        },
        value,
    )
}

fn result(c: Conversion, to: Float, value: Value) -> u64 {
    finished(c, to, value.pack(to, c.round), || value)
}

/// Returns the smallest and the largest number.
fn range(num: Num) -> (i128, i128) {
    let bits = num.ty().bits().min(64);
    match num {
        Num::S(_) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

fn float_to_int(c: Conversion, from: Float, to: Num, a: u64) -> u64 {
    let (low, high) = range(to);
    let clamped = match operand(c, from, a) {
        Value::Nan if from == Float::F64 || to.ty() == Ty::B64 => 1 << (to.ty().bits().min(64) - 1),
        Value::Nan | Value::Zero(_) => 0,
        Value::Infinite(true) => low,
        Value::Infinite(false) => high,
        Value::Finite(x) => {
            let magnitude = x.whole(c.round).min(1 << 100) as i128;
            (if x.negative { -magnitude } else { magnitude }).clamp(low, high)
        }
    };
    clamped as u64 & to.ty().mask()
}

fn int_to_int(from: Num, to: Num, sat: bool, a: u64) -> u64 {
    let v = match from {
        Num::S(ty) => i128::from(sign_extend(a, ty.bits())),
        _ => i128::from(a),
    };
    let (low, high) = range(to);
    (if sat { v.clamp(low, high) } else { v }) as u64 & to.ty().mask()
}
