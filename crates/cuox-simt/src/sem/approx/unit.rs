//! The function unit of a GPU: what its `MUFU` instructions compute, to the bit.
//!
//! Each function is a table of parabolas over pieces of a domain that its operand is reduced to, and every step is on
//! integers:
//!
//! 1. From the operand's bits, a piece and 17 bits `x` of where in the piece it lies (16 for the reciprocal).
//! 2. The square of `x` in 15 bits ([`square`]), from a multiplier that leaves the low columns out.
//! 3. `c0 + c1 * x + c2 * square`, exactly, in the table's fixed point.
//! 4. The sum cut to 24 bits, never rounded up, and an exponent.
//!
//! Subnormal operands count as zero, and subnormal results are zero. The scaling that keeps them is PTX's
//! ([`super`]). Operands and results are f32 bits.

use super::tables;

/// One parabola: `whole + (part + linear * x + square * x²) / 2^FRACTION`.
#[repr(C, align(16))]
pub(crate) struct Piece {
    pub whole: i32,
    pub part: i32,
    pub linear: i32,
    pub square: i32,
}

impl Piece {
    const ZERO: Piece = Piece {
        whole: 0,
        part: 0,
        linear: 0,
        square: 0,
    };
}

/// The parabolas of a function, with so many fraction bits.
#[repr(C, align(64))]
pub(crate) struct Table<const PIECES: usize, const FRACTION: u32>(pub [Piece; PIECES]);

impl<const PIECES: usize, const FRACTION: u32> Table<PIECES, FRACTION> {
    /// The value, with `FRACTION` bits behind the point.
    fn at(&self, piece: u32, x: u32, square: u32) -> i64 {
        let p = &self.0[piece as usize % PIECES];
        (i64::from(p.whole) << FRACTION)
            + i64::from(p.part)
            + i64::from(p.linear) * i64::from(x)
            + i64::from(p.square) * i64::from(square)
    }

    /// The value without its fraction.
    fn whole(&self, piece: u32, x: u32) -> i32 {
        (self.at(piece, x, square(x)) >> FRACTION) as i32
    }
}

const EXPONENT: u32 = 0x7f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
const SIGN: u32 = 0x8000_0000;
const INFINITY: u32 = EXPONENT;
const ONE: u32 = 0x3f80_0000;
/// The only NaN that the unit gives.
pub(super) const NAN: u32 = 0x7fff_ffff;
/// The leading bit of a mantissa.
const LEADING: i32 = 1 << 23;

/// The square of 17 bits over 2^19: the sum of those products of two of its bits that weigh 2^19 or more, so that
/// nothing carries into them from below.
pub(crate) fn square(x: u32) -> u32 {
    let (high, low) = (x >> 9, x >> 1 & 0xff);
    // No product of two high bits is left out, but the square of the lowest.
    let mut sum = (high * high) >> 1;
    for bit in 1..8 {
        sum += (low >> bit & 1) * (high >> (8 - bit));
    }
    sum
}

/// What an operand is, apart from ordinary numbers.
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

/// The exponent of a normal number.
fn exponent(bits: u32) -> i32 {
    (bits >> 23 & 0xff) as i32 - 127
}

/// The f32 of `mantissa * 2^(exponent - 23)`, for a mantissa of 24 bits or 2^24; zero if subnormal.
fn assemble(mantissa: i32, exponent: i32) -> u32 {
    let bits = ((exponent + 127) << 23) + (mantissa - LEADING);
    if bits < LEADING { 0 } else { bits as u32 }
}

/// The f32 of `value / 2^fraction`, cut to 24 bits.
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

/// `1 / 1.mantissa` in 2^-24.
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

/// `1 / sqrt(1.mantissa)` in 2^-24, or, if odd, that of twice the number.
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
            let piece = ((e & 1) as u32) << 6 | mantissa >> 17;
            assemble(tables::SQRT.whole(piece, mantissa & 0x1_ffff), e >> 1)
        }
    }
}

/// `|bits|` in 2^-fraction, cut to a whole number; the high bits of large numbers are lost.
fn fixed(bits: u32, fraction: i32) -> u32 {
    let mantissa = bits & MANTISSA | LEADING as u32;
    match exponent(bits) + fraction - 23 {
        left @ 0..32 => mantissa << left,
        right @ -31..0 => mantissa >> -right,
        _ => 0,
    }
}

/// `MUFU.EX2`. A negative operand's 23 bits of fraction are inverted and not negated, so that it counts as a little
/// less, unless they are zero.
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

/// `MUFU.LG2`. The sum of exponent and logarithm of the mantissa, with 36 bits of fraction, is inverted and not negated
/// where it is negative.
pub(super) fn lg2(bits: u32) -> u32 {
    match class(bits) {
        Class::Nan => NAN,
        Class::Zero => SIGN | INFINITY,
        _ if bits & SIGN != 0 => NAN,
        Class::Infinite => INFINITY,
        Class::Normal => {
            let mantissa = bits & MANTISSA;
            let (piece, x) = (mantissa >> 17, mantissa & 0x1_ffff);
            let logarithm = tables::LG2.at(piece, x, square(x)) >> 2;
            let sum = (i64::from(exponent(bits)) << 36) + logarithm;
            match bits {
                ONE => 0,
                _ if sum < 0 => SIGN | cut(!sum as u64, 36),
                _ => cut(sum as u64, 36),
            }
        }
    }
}

/// `MUFU.SIN` and `MUFU.COS`, of a number of turns. It is cut to 25 bits of fraction: two choose the quarter, and in
/// every other quarter the rest is inverted.
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
    let (piece, x) = (x >> 17, x & 0x1_ffff);
    let value = tables::SIN.at(piece, x, square(x));
    sign | cut(value as u64, 24 + 15)
}

/// The exponent's field from which on `tanh` is computed: that of 2^-8.
pub(crate) const TANH_FIRST: u32 = 127 - 8;

/// For each binade from there on, the first piece of `tanh` and how many bits of the mantissa, below those that choose
/// one of its pieces and the 17 of `x`, are not looked at.
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

/// `MUFU.TANH`. Small numbers, subnormal ones too, are their own tangent.
pub(super) fn tanh(bits: u32) -> u32 {
    let sign = bits & SIGN;
    let binade = (bits >> 23 & 0xff).checked_sub(TANH_FIRST);
    match (class(bits), binade.map(|b| TANH_BINADES.get(b as usize))) {
        (Class::Nan, _) => NAN,
        (_, None) => bits,
        (_, Some(None)) => sign | ONE,
        (_, Some(Some(&(first, unseen)))) => {
            let x = (bits & MANTISSA) >> unseen;
            let (piece, x) = (u32::from(first) + (x >> 17), x & 0x1_ffff);
            let value = tables::TANH.at(piece, x, square(x));
            sign | cut(value as u64, 24 + 15)
        }
    }
}

/// [`TANH_BINADES`] for a sum: what a number of the binade is multiplied by, as f32 bits, and what is added to the whole
/// part of the product, so that the piece is in the bits from 17 on and `x` below.
pub(crate) static TANH_PLACES: Table<{ TANH_BINADES.len() }, 0> = {
    let mut table = Table([const { Piece::ZERO }; TANH_BINADES.len()]);
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
