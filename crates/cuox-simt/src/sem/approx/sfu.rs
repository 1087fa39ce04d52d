//! The special function unit (SFU) of a GPU: the results of its `MUFU` instructions, bit for bit.
//!
//! A function's operand is reduced to a domain. The domain is divided into segments, and the function is a parabola
//! on each. Every step is integer arithmetic:
//!
//! 1. The operand's bits give a segment and the offset `x` within it, of 17 bits (16 for the reciprocal).
//! 2. The square of `x` is computed to 15 bits ([`square`]) by a multiplier that lacks the low columns.
//! 3. `c0 + c1 * x + c2 * square` is computed exactly, in the table's fixed point.
//! 4. The sum is truncated to 24 bits, and an exponent is added.
//!
//! Subnormal operands count as zero, and subnormal results are zero. PTX instructions without `.ftz` scale their
//! operands ([`super`]). Operands and results are f32 bits.

use super::tables;

/// A parabola: `whole + (part + linear * x + square * x²) / 2^FRACTION`.
#[repr(C, align(16))]
pub(crate) struct Parabola {
    pub whole: i32,
    pub part: i32,
    pub linear: i32,
    pub square: i32,
}

impl Parabola {
    const ZERO: Parabola = Parabola {
        whole: 0,
        part: 0,
        linear: 0,
        square: 0,
    };
}

/// The parabolas of a function, with `FRACTION` fraction bits.
#[repr(C, align(64))]
pub(crate) struct Table<const SEGMENTS: usize, const FRACTION: u32>(pub [Parabola; SEGMENTS]);

impl<const SEGMENTS: usize, const FRACTION: u32> Table<SEGMENTS, FRACTION> {
    /// Returns the value in fixed point with `FRACTION` fraction bits.
    fn at(&self, segment: u32, x: u32, square: u32) -> i64 {
        let p = &self.0[segment as usize % SEGMENTS];
        (i64::from(p.whole) << FRACTION)
            + i64::from(p.part)
            + i64::from(p.linear) * i64::from(x)
            + i64::from(p.square) * i64::from(square)
    }

    /// Returns the value without its fraction.
    fn whole(&self, segment: u32, x: u32) -> i32 {
        (self.at(segment, x, square(x)) >> FRACTION) as i32
    }
}

const EXPONENT: u32 = 0x7f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = EXPONENT;
const ONE: u32 = 0x3f80_0000;
/// The only NaN that the SFU returns.
pub(super) const NAN: u32 = 0x7fff_ffff;
/// The leading bit of a mantissa.
const LEADING: i32 = 1 << 23;

/// Returns the square of a number of 17 bits, divided by 2^19. Partial products that weigh less than 2^19 are left
/// out, so nothing carries in from below.
pub(crate) fn square(x: u32) -> u32 {
    let (high, low) = (x >> 9, x >> 1 & 0xff);
    // The square of the lowest bit is left out; products of two different high bits are not.
    let mut sum = (high * high) >> 1;
    for bit in 1..8 {
        sum += (low >> bit & 1) * (high >> (8 - bit));
    }
    sum
}

/// Classifies an operand: zero, infinity, NaN or an ordinary number.
fn class(bits: u32) -> Class {
    match bits & EXPONENT {
        0 => Class::Zero,
        EXPONENT if bits & MANTISSA != 0 => Class::Nan,
        EXPONENT => Class::Infinite,
        _ => Class::Normal,
    }
}

enum Class {
    Zero,
    Normal,
    Infinite,
    Nan,
}

/// Returns the exponent of a normal number.
fn exponent(bits: u32) -> i32 {
    (bits >> 23 & 0xff) as i32 - 127
}

/// Returns the f32 `mantissa * 2^(exponent - 23)` for a mantissa of 24 bits or 2^24, or zero if it would be
/// subnormal.
fn assemble(mantissa: i32, exponent: i32) -> u32 {
    let bits = ((exponent + 127) << 23) + (mantissa - LEADING);
    if bits < LEADING { 0 } else { bits as u32 }
}

/// Returns the f32 `value / 2^fraction`, truncated to 24 bits.
fn cut(value: u64, fraction: i32) -> u32 {
    if value == 0 {
        return 0;
    }
    let top = value.ilog2() as i32;
    let mantissa = if top > 23 {
        value >> (top - 23)
    } else {
        value << (23 - top)
    };
    assemble(mantissa as i32, top - fraction)
}

/// `MUFU.RCP`.
pub(super) fn rcp(bits: u32) -> u32 {
    let sign = bits & SIGN;
    match class(bits) {
        Class::Nan => NAN,
        Class::Infinite => sign,
        Class::Zero => sign | INFINITY,
        Class::Normal => {
            let mantissa = bits & MANTISSA;
            sign | assemble(rcp_mantissa(mantissa), -1 - exponent(bits))
        }
    }
}

/// Returns `1 / 1.mantissa` in 2^-24.
pub(super) fn rcp_mantissa(mantissa: u32) -> i32 {
    let x = mantissa & 0xffff;
    (tables::RCP.at(mantissa >> 16, x, square(x << 1)) >> 15) as i32
}

/// `MUFU.RSQ`.
pub(super) fn rsqrt(bits: u32) -> u32 {
    match class(bits) {
        Class::Nan => NAN,
        Class::Zero => bits & SIGN | INFINITY,
        _ if bits & SIGN != 0 => NAN,
        Class::Infinite => 0,
        Class::Normal => {
            let e = exponent(bits);
            let mantissa = rsqrt_mantissa(e & 1 != 0, bits & MANTISSA);
            assemble(mantissa, -1 - (e >> 1))
        }
    }
}

/// Returns `1 / sqrt(1.mantissa)` in 2^-24, or `1 / sqrt(2 * 1.mantissa)` if `odd`.
pub(super) fn rsqrt_mantissa(odd: bool, mantissa: u32) -> i32 {
    if !odd && mantissa == 0 {
        return 1 << 24;
    }
    tables::RSQRT.whole(u32::from(odd) << 6 | mantissa >> 17, mantissa & 0x1_ffff)
}

/// `MUFU.SQRT`.
pub(super) fn sqrt(bits: u32) -> u32 {
    match class(bits) {
        Class::Nan => NAN,
        Class::Zero => bits & SIGN,
        _ if bits & SIGN != 0 => NAN,
        Class::Infinite => INFINITY,
        Class::Normal => {
            let (e, mantissa) = (exponent(bits), bits & MANTISSA);
            let segment = ((e & 1) as u32) << 6 | mantissa >> 17;
            assemble(tables::SQRT.whole(segment, mantissa & 0x1_ffff), e >> 1)
        }
    }
}

/// Returns `|bits|` in 2^-fraction, truncated to an integer; the high bits of large numbers are lost.
fn fixed(bits: u32, fraction: i32) -> u32 {
    let mantissa = bits & MANTISSA | LEADING as u32;
    match exponent(bits) + fraction - 23 {
        left @ 0..32 => mantissa << left,
        right @ -31..0 => mantissa >> -right,
        _ => 0,
    }
}

/// `MUFU.EX2`. The fraction of a negative operand, 23 bits, is inverted instead of negated if it is not zero. The
/// operand so counts as slightly less.
pub(super) fn ex2(bits: u32) -> u32 {
    let negative = bits & SIGN != 0;
    let small = match class(bits) {
        Class::Nan => return NAN,
        Class::Zero => return ONE,
        Class::Infinite => false,
        Class::Normal => exponent(bits) < 7,
    };
    if !small {
        return if negative { 0 } else { INFINITY };
    }
    let magnitude = fixed(bits, 23) as i32;
    let power = match (negative, magnitude as u32 & MANTISSA) {
        (false, _) => magnitude,
        (true, 0) => -magnitude,
        (true, _) => !magnitude,
    };
    let fraction = power as u32 & MANTISSA;
    assemble(
        tables::EX2.whole(fraction >> 17, fraction & 0x1_ffff),
        power >> 23,
    )
}

/// `MUFU.LG2`. The sum of the exponent and of the mantissa's logarithm, with 36 fraction bits, is inverted instead of
/// negated if it is negative.
pub(super) fn lg2(bits: u32) -> u32 {
    match class(bits) {
        Class::Nan => NAN,
        Class::Zero => SIGN | INFINITY,
        _ if bits & SIGN != 0 => NAN,
        Class::Infinite => INFINITY,
        Class::Normal => {
            let mantissa = bits & MANTISSA;
            let (segment, x) = (mantissa >> 17, mantissa & 0x1_ffff);
            let logarithm = tables::LG2.at(segment, x, square(x)) >> 2;
            let sum = (i64::from(exponent(bits)) << 36) + logarithm;
            match bits {
                ONE => 0,
                _ if sum < 0 => SIGN | cut(!sum as u64, 36),
                _ => cut(sum as u64, 36),
            }
        }
    }
}

/// `MUFU.SIN` and `MUFU.COS` of a number of turns. The operand is truncated to 25 fraction bits: two choose the
/// quadrant, and in every other quadrant the rest is inverted.
pub(super) fn sine(bits: u32, cosine: bool) -> u32 {
    let turns = match class(bits) {
        Class::Nan | Class::Infinite => return NAN,
        Class::Zero => 0,
        Class::Normal => fixed(bits, 25),
    };
    let turns = turns.wrapping_add(u32::from(cosine) << 23);
    let odd = turns & 1 << 23 != 0;
    let x = (if odd { !turns } else { turns }) & MANTISSA;
    let sign = turns << 7 & SIGN ^ if cosine { 0 } else { bits & SIGN };
    let (segment, x) = (x >> 17, x & 0x1_ffff);
    let value = tables::SIN.at(segment, x, square(x));
    sign | cut(value as u64, 24 + 15)
}

/// The exponent field of 2^-8, the smallest number for which `tanh` is computed.
pub(crate) const TANH_FIRST: u32 = 127 - 8;

/// The segments of `tanh` by binade, from [`TANH_FIRST`] on: the first segment, and the number of mantissa bits that
/// are ignored below those that choose the segment and the 17 of `x`.
pub(crate) const TANH_BINADES: [(u8, u8); 11] = [
    (0, 6),
    (1, 6),
    (2, 6),
    (3, 5),
    (5, 5),
    (7, 4),
    (11, 4),
    (15, 4),
    (19, 3),
    (27, 2),
    (43, 3),
];

/// `MUFU.TANH`. Small numbers, subnormal ones included, are returned unchanged.
pub(super) fn tanh(bits: u32) -> u32 {
    let sign = bits & SIGN;
    let binade = (bits >> 23 & 0xff).checked_sub(TANH_FIRST);
    match (class(bits), binade.map(|b| TANH_BINADES.get(b as usize))) {
        (Class::Nan, _) => NAN,
        (_, None) => bits,
        (_, Some(None)) => sign | ONE,
        (_, Some(Some(&(first, unseen)))) => {
            let x = (bits & MANTISSA) >> unseen;
            let (segment, x) = (u32::from(first) + (x >> 17), x & 0x1_ffff);
            let value = tables::TANH.at(segment, x, square(x));
            sign | cut(value as u64, 24 + 15)
        }
    }
}

/// [`TANH_BINADES`] as a multiplication and an addition: the scale of a binade's numbers as f32 bits, and the offset
/// that is added to the integer part of the product. The bits from 17 on are then the segment, and those below are
/// `x`.
pub(crate) static TANH_REDUCTION: Table<{ TANH_BINADES.len() }, 0> = {
    let mut table = Table([const { Parabola::ZERO }; TANH_BINADES.len()]);
    let mut i = 0;
    while i < TANH_BINADES.len() {
        let (first, unseen) = TANH_BINADES[i];
        let field = 127 + 23 - unseen as i32 - (TANH_FIRST as i32 - 127 + i as i32);
        table.0[i].whole = field << 23;
        table.0[i].part = ((first as i32) << 17) - (LEADING >> unseen);
        i += 1;
    }
    table
};
