//! SFU (special function unit) algorithms of [`crate::sem::approx`], generic over any vector that has the operations of
//! [`SfuVector`].
//!
//! A sum of up to 42 bits is kept in two words: `sum`, in units of 2^8 of the table's, modulo 2^32, and `low`, whose
//! low eight bits are the bits below it.

use crate::ir::ApproxOp;
use crate::sem::approx::sfu::{TANH_BINADES, TANH_FIRST, Table};
use crate::sem::approx::tables;

pub const SIGN: u32 = 0x8000_0000;
pub const NAN: u32 = 0x7fff_ffff;
pub const ONE: u32 = 0x3f80_0000;
const EXPONENT: u32 = 0x7f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
/// Leading bit of a mantissa.
pub const LEADING: u32 = 1 << 23;
/// Mask of an operand's offset within a table piece.
const PLACE: u32 = 0x1_ffff;
/// Magnitude above which a reciprocal is subnormal.
const LARGE: f32 = 8.507_059e37;

/// Positions of the fields of a floating-point number: in an f32, or in the upper half of an f64.
#[derive(Clone, Copy)]
pub struct FloatFormat {
    /// Bits of the mantissa.
    mantissa: u32,
    bias: u32,
}

pub const SINGLE: FloatFormat = FloatFormat {
    mantissa: 23,
    bias: 127,
};

pub const UPPER_HALF: FloatFormat = FloatFormat {
    mantissa: 20,
    bias: 1023,
};

impl FloatFormat {
    fn leading(self) -> u32 {
        1 << self.mantissa
    }

    fn infinity(self) -> u32 {
        (2 * self.bias + 1) << self.mantissa
    }

    /// Returns the number of the SFU's 23 mantissa bits that the format lacks.
    fn missing_bits(self) -> u32 {
        23 - self.mantissa
    }
}

/// Ordered comparison of floating-point numbers, which is false for NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Less,
    Greater,
    AtLeast,
}

/// Low part of a parabola's constant, below its units.
pub enum LowConstant<V> {
    /// Constant of the whole table.
    Shared(u32),
    PerLane(V),
}

/// Parabola of one table piece.
pub struct Parabola<V> {
    /// Constant coefficient, in units of 2^(8 - FRACTION).
    pub base: V,
    pub part: LowConstant<V>,
    pub linear: V,
    pub square: V,
}

/// Operand of a table lookup.
pub struct TablePosition<V> {
    /// Bits from `piece_at` on are the index of the piece; higher bits are ignored.
    piece: V,
    piece_at: u32,
    x: V,
    /// Value that is squared.
    square_of: V,
}

/// Operations on 32 bits of each lane of a vector. Integers wrap; `_all` methods take one constant for all lanes.
pub trait SfuVector {
    /// Vector with 32 bits per lane.
    type V: Copy;
    /// Mask with one truth value per lane.
    type M: Copy;

    fn all(&mut self, value: u32) -> Self::V;
    fn and_all(&mut self, a: Self::V, b: u32) -> Self::V;
    fn or(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn or_all(&mut self, a: Self::V, b: u32) -> Self::V;
    fn xor(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn xor_all(&mut self, a: Self::V, b: u32) -> Self::V;
    fn add(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn add_all(&mut self, a: Self::V, b: u32) -> Self::V;
    /// Returns the sum where the mask is set, `a` elsewhere.
    fn add_where(&mut self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    fn sub(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn mul(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the product of the lower 16 bits of `a`, as a signed number, and `b`, which fits 16 bits and is not
    /// negative.
    fn f16_mul(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn shl(&mut self, a: Self::V, by: u32) -> Self::V;
    fn shr(&mut self, a: Self::V, by: u32) -> Self::V;
    fn sar(&mut self, a: Self::V, by: u32) -> Self::V;

    fn equal(&mut self, a: Self::V, b: u32) -> Self::M;
    fn differs(&mut self, a: Self::V, b: u32) -> Self::M;
    /// Signed less-than.
    fn below(&mut self, a: Self::V, b: i32) -> Self::M;
    /// Signed greater-than.
    fn above(&mut self, a: Self::V, b: i32) -> Self::M;
    fn below_unsigned(&mut self, a: Self::V, b: u32) -> Self::M;
    fn order(&mut self, a: Self::V, order: Order, b: f32) -> Self::M;
    fn is_nan(&mut self, a: Self::V) -> Self::M;
    /// Returns `a` where the mask is set, `b` elsewhere.
    fn pick(&mut self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the constant where the mask is set, `a` elsewhere.
    fn put(&mut self, a: Self::V, mask: Self::M, value: u32) -> Self::V;

    /// Returns the floating-point product, rounded to nearest.
    fn times(&mut self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the product like `mul.ftz`; no factor is subnormal.
    fn times_flushed(&mut self, a: Self::V, b: Self::V) -> Self::V;
    fn times_all(&mut self, a: Self::V, b: f32) -> Self::V;
    /// Returns the product rounded towards zero, for `a` that is not negative. The result for NaN and infinity is
    /// unspecified.
    fn times_all_cut(&mut self, a: Self::V, b: f32) -> Self::V;
    /// Returns the product where the mask is set, `a` elsewhere.
    fn times_where(&mut self, mask: Self::M, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the floating-point sum where the mask is set, `a` elsewhere.
    fn plus_all_where(&mut self, mask: Self::M, a: Self::V, b: f32) -> Self::V;
    /// Returns the fractional part of a number that is not negative. The result for NaN and infinity is unspecified.
    fn fraction(&mut self, a: Self::V) -> Self::V;
    /// Returns the integer part of a number from 0 to 2^30. The result for other numbers is unspecified.
    fn integer(&mut self, a: Self::V) -> Self::V;
    /// Returns the integer part of a number from 0 to 2^30. The result for larger numbers is at least 2^30.
    fn saturated(&mut self, a: Self::V) -> Self::V;
    /// Converts an integer up to 2^30 to f32, truncated to 24 bits.
    fn float_cut(&mut self, n: Self::V) -> Self::V;
    /// Replaces subnormal numbers by zero.
    fn flushed(&mut self, a: Self::V) -> Self::V;

    /// Computes [`crate::sem::approx::sfu::square`].
    fn square(&mut self, x: Self::V) -> Self::V;
    /// Returns the parabola with the index in the bits of `piece` from `at` on; index bits beyond the table's size are
    /// ignored.
    fn coefficients<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        piece: Self::V,
        at: u32,
    ) -> Parabola<Self::V>;
    /// Returns the position in the `tanh` table of a magnitude in binade `binade`. The result for magnitudes outside
    /// the table is unspecified.
    fn tanh_place(
        &mut self,
        magnitude: Self::V,
        binade: Self::V,
        small: Self::M,
        large: Self::M,
    ) -> Self::V;

    fn magnitude(&mut self, a: Self::V) -> Self::V {
        self.and_all(a, !SIGN)
    }

    /// Returns `a` with the sign of `from`.
    fn signed(&mut self, a: Self::V, from: Self::V) -> Self::V {
        let sign = self.and_all(from, SIGN);
        self.or(a, sign)
    }

    /// Tells whether a number is subnormal or zero.
    fn subnormal(&mut self, a: Self::V) -> Self::M {
        let magnitude = self.magnitude(a);
        self.below(magnitude, LEADING as i32)
    }

    /// Returns the SFU's NaN where `of` is NaN, `a` elsewhere.
    fn nan_of(&mut self, of: Self::V, a: Self::V) -> Self::V {
        let nan = self.is_nan(of);
        self.put(a, nan, NAN)
    }

    /// Evaluates a parabola. In a `steep` one the quadratic coefficient, which is never positive, has more than 16
    /// bits.
    fn parabola<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        at: TablePosition<Self::V>,
        steep: bool,
    ) -> (Self::V, Self::V) {
        /// Offset that keeps the sum of a steep parabola's low parts within 32 bits.
        const LIFT: u32 = 0x4800_0000;
        let line = self.coefficients(table, at.piece, at.piece_at);
        let squared = self.square(at.square_of);
        let below = self.and_all(at.x, 0xff);
        let above = self.shr(at.x, 8);
        let low = self.mul(line.linear, below);
        let quadratic = if steep {
            let product = self.mul(line.square, squared);
            self.add_all(product, LIFT)
        } else {
            self.f16_mul(line.square, squared)
        };
        let low = self.add(low, quadratic);
        let low = match line.part {
            LowConstant::Shared(0) => low,
            LowConstant::Shared(part) => self.add_all(low, part),
            LowConstant::PerLane(part) => self.add(low, part),
        };
        let carry = self.sar(low, 8);
        let sum = self.mul(line.linear, above);
        let sum = self.add(sum, carry);
        let sum = if steep {
            self.add_all(sum, (LIFT >> 8).wrapping_neg())
        } else {
            sum
        };
        (self.add(sum, line.base), low)
    }

    /// Splits a 23-bit position into piece and offset; higher bits are ignored.
    fn table_position(&mut self, place: Self::V) -> TablePosition<Self::V> {
        let x = self.and_all(place, PLACE);
        TablePosition {
            piece: place,
            piece_at: 17,
            x,
            square_of: x,
        }
    }

    /// Returns the value of a table at a 23-bit position: the integer part, the integer part with 7 fraction bits, and
    /// 13 fraction bits.
    fn fine<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: Self::V,
        steep: bool,
    ) -> (Self::V, Self::V, Self::V) {
        let at = self.table_position(place);
        let (sum, low) = self.parabola(table, at, steep);
        let whole = self.shr(sum, 7);
        let upper = self.and_all(sum, 0x7f);
        let upper = self.shl(upper, 6);
        let lower = self.shr(low, 2);
        let lower = self.and_all(lower, 0x3f);
        (whole, sum, self.or(upper, lower))
    }

    /// Returns the value of a table in units of 2^-24 as f32.
    fn unsigned<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: Self::V,
        steep: bool,
    ) -> Self::V {
        let (whole, sum, fraction) = self.fine(table, place, steep);
        let large = self.shr(sum, 1);
        let upper = self.shl(whole, 13);
        let small = self.or(upper, fraction);
        let is_small = self.below(whole, 1 << 17);
        let n = self.pick(is_small, small, large);
        let unit = self.all(power(-30).to_bits());
        let unit = self.put(unit, is_small, power(-37).to_bits());
        let value = self.float_cut(n);
        self.times(value, unit)
    }

    /// Computes an SFU function of an operand in the SFU's range.
    fn unit(&mut self, op: ApproxOp, a: Self::V) -> Self::V {
        match op {
            ApproxOp::Sqrt => self.root(a, false, SINGLE),
            ApproxOp::Rsqrt => self.root(a, true, SINGLE),
            ApproxOp::Sin => self.sine(a, false),
            ApproxOp::Cos => self.sine(a, true),
            ApproxOp::Lg2 => self.lg2(a),
            ApproxOp::Ex2 => self.ex2(a),
            ApproxOp::Tanh => self.tanh(a),
            _ => self.rcp(a, SINGLE),
        }
    }

    /// Computes the reciprocal.
    fn rcp(&mut self, a: Self::V, layout: FloatFormat) -> Self::V {
        let (v, exponent) = self.usual_rcp(a, layout);
        let tiny = self.below(v, layout.leading() as i32);
        let v = self.put(v, tiny, 0);
        let zero = self.equal(exponent, 0);
        let v = self.put(v, zero, layout.infinity());
        let v = self.signed(v, a);
        let magnitude = self.magnitude(a);
        let nan = self.above(magnitude, layout.infinity() as i32);
        self.put(v, nan, NAN)
    }

    /// Computes the magnitude of the reciprocal of a normal number below a quarter of the largest power of two, and
    /// returns the number's exponent. The result for others is unspecified.
    fn usual_rcp(&mut self, a: Self::V, layout: FloatFormat) -> (Self::V, Self::V) {
        let mantissa = self.shl(a, layout.missing_bits());
        let x = self.and_all(mantissa, 0xffff);
        let square_of = self.shl(x, 1);
        let at = TablePosition {
            piece: mantissa,
            piece_at: 16,
            x,
            square_of,
        };
        let (sum, _) = self.parabola(&tables::RCP, at, false);
        let v = self.shr(sum, 7 + layout.missing_bits());
        let exponent = self.and_all(a, layout.infinity());
        let v = self.add_all(v, (2 * layout.bias - 2) << layout.mantissa);
        (self.sub(v, exponent), exponent)
    }

    /// Computes the square root of an f32, or the reciprocal square root.
    fn root(&mut self, a: Self::V, reciprocal: bool, layout: FloatFormat) -> Self::V {
        let v = self.usual_root(a, reciprocal, layout);
        let exponent = self.and_all(a, layout.infinity());
        let zero = self.equal(exponent, 0);
        let infinite = self.equal(a, layout.infinity());
        let nan = self.all(NAN);
        let sign = self.and_all(a, SIGN);
        let special = if reciprocal {
            let special = self.put(nan, infinite, 0);
            let infinity = self.or_all(sign, layout.infinity());
            self.pick(zero, infinity, special)
        } else {
            let special = self.put(nan, infinite, layout.infinity());
            self.pick(zero, sign, special)
        };
        self.select_normal(a, v, special, layout)
    }

    /// Computes the root of a number that is positive, normal and finite. The result for others is unspecified.
    fn usual_root(&mut self, a: Self::V, reciprocal: bool, layout: FloatFormat) -> Self::V {
        // Lowest bit of the exponent, whose bias is odd, and the mantissa.
        let place = self.shl(a, layout.missing_bits());
        let place = self.xor_all(place, LEADING);
        let at = self.table_position(place);
        // Half of the biased exponent, in the exponent's position.
        let half = self.add_all(a, layout.leading());
        let half = self.shr(half, layout.mantissa + 1);
        let half = self.shl(half, layout.mantissa);
        if reciprocal {
            let (sum, _) = self.parabola(&tables::RSQRT, at, false);
            let v = self.shr(sum, 8 + layout.missing_bits());
            let power = self.and_all(a, 2 * layout.leading() - 1);
            let power = self.equal(power, layout.leading());
            let v = self.put(v, power, 2 * layout.leading());
            let highest = layout.bias - 2 + layout.bias.div_ceil(2);
            let v = self.add_all(v, highest << layout.mantissa);
            self.sub(v, half)
        } else {
            // The sum has lost its leading bit, which is always set.
            let (sum, _) = self.parabola(&tables::SQRT, at, false);
            let v = self.shr(sum, 9 + layout.missing_bits());
            let v = self.add_all(v, ((layout.bias - 1) / 2) << layout.mantissa);
            self.add(v, half)
        }
    }

    /// Returns `v` where `a` is positive, normal and finite, `special` elsewhere.
    fn select_normal(
        &mut self,
        a: Self::V,
        v: Self::V,
        special: Self::V,
        layout: FloatFormat,
    ) -> Self::V {
        // After subtraction of the least such number one unsigned comparison finds them.
        let moved = self.add_all(a, layout.leading().wrapping_neg());
        let ordinary = self.below_unsigned(moved, layout.infinity() - layout.leading());
        self.pick(ordinary, v, special)
    }

    fn ex2(&mut self, a: Self::V) -> Self::V {
        let magnitude = self.magnitude(a);
        let scaled = self.times_all(magnitude, power(23));
        let magnitude = self.saturated(scaled);
        let sign = self.sar(a, 31);
        let inverted = self.xor(magnitude, sign);
        let fraction = self.and_all(magnitude, MANTISSA);
        let whole = self.equal(fraction, 0);
        let carry = self.shr(a, 31);
        let place = self.add_where(whole, inverted, carry);
        let at = self.table_position(place);
        let (sum, _) = self.parabola(&tables::EX2, at, false);
        let v = self.shr(sum, 7);
        let exponent = self.and_all(place, !MANTISSA);
        let v = self.add(v, exponent);
        let v = self.add_all(v, 126 << 23);
        let tiny = self.below(place, -(126 << 23));
        let v = self.put(v, tiny, 0);
        let large = self.order(a, Order::AtLeast, 128.0);
        let v = self.put(v, large, EXPONENT);
        self.nan_of(a, v)
    }

    fn lg2(&mut self, a: Self::V) -> Self::V {
        let (whole, _, fraction) = self.fine(&tables::LG2, a, false);
        let exponent = self.shr(a, 23);
        let exponent = self.add_all(exponent, 127u32.wrapping_neg());
        let negative = self.sar(exponent, 31);
        let exponent = self.xor(exponent, negative);
        let whole = self.xor(whole, negative);
        let whole = self.and_all(whole, MANTISSA);
        let fraction = self.xor(fraction, negative);
        let fraction = self.and_all(fraction, 0x1fff);
        // The result has 24 bits of the sum, which has no more than 30, at one of three positions.
        let upper = self.shl(exponent, 23);
        let large = self.or(upper, whole);
        let upper = self.shl(whole, 7);
        let lower = self.shr(fraction, 6);
        let middle = self.or(upper, lower);
        let upper = self.shl(whole, 13);
        let small = self.or(upper, fraction);
        let is_small = self.below(whole, 1 << 16);
        let is_large = self.differs(exponent, 0);
        let n = self.pick(is_small, small, middle);
        let n = self.pick(is_large, large, n);
        let unit = self.all(power(-30).to_bits());
        let unit = self.put(unit, is_small, power(-36).to_bits());
        let unit = self.put(unit, is_large, power(-23).to_bits());
        let value = self.float_cut(n);
        let v = self.times(value, unit);
        let v = self.signed(v, negative);
        let one = self.equal(a, ONE);
        let v = self.put(v, one, 0);
        let special = self.all(NAN);
        let infinite = self.equal(a, EXPONENT);
        let special = self.put(special, infinite, EXPONENT);
        let field = self.and_all(a, EXPONENT);
        let zero = self.equal(field, 0);
        let special = self.put(special, zero, EXPONENT | SIGN);
        self.select_normal(a, v, special, SINGLE)
    }

    fn sine(&mut self, a: Self::V, cosine: bool) -> Self::V {
        let magnitude = self.magnitude(a);
        let turns = self.times_all_cut(magnitude, 0.159_154_94);
        let rest = self.fraction(turns);
        let rest = self.times_all(rest, power(25));
        let mut turns = self.integer(rest);
        if cosine {
            turns = self.add_all(turns, 1 << 23);
        }
        // An odd quadrant is mirrored.
        let odd = self.shl(turns, 8);
        let odd = self.sar(odd, 31);
        let place = self.xor(turns, odd);
        let v = self.unsigned(&tables::SIN, place, false);
        let mut sign = self.shl(turns, 7);
        if !cosine {
            sign = self.xor(sign, a);
        }
        let v = self.signed(v, sign);
        let exponent = self.and_all(a, EXPONENT);
        let no_angle = self.equal(exponent, EXPONENT);
        self.put(v, no_angle, NAN)
    }

    fn tanh(&mut self, a: Self::V) -> Self::V {
        let magnitude = self.magnitude(a);
        let binade = self.shr(magnitude, 23);
        let binade = self.add_all(binade, TANH_FIRST.wrapping_neg());
        let small = self.below(binade, 0);
        let large = self.above(binade, TANH_BINADES.len() as i32 - 1);
        let place = self.tanh_place(magnitude, binade, small, large);
        let v = self.unsigned(&tables::TANH, place, true);
        let v = self.put(v, large, ONE);
        let v = self.signed(v, a);
        let v = self.pick(small, a, v);
        self.nan_of(a, v)
    }

    /// Returns the factor where the mask is set, 1 elsewhere.
    fn factor(&mut self, mask: Self::M, value: f32) -> Self::V {
        let one = self.all(ONE);
        self.put(one, mask, value.to_bits())
    }

    /// Computes an SFU function with operands scaled so that subnormal numbers are kept.
    fn with_subnormals(&mut self, op: ApproxOp, a: Self::V) -> Self::V {
        match op {
            ApproxOp::Sin | ApproxOp::Cos | ApproxOp::Tanh => self.unit(op, a),
            ApproxOp::Ex2 => {
                let small = self.order(a, Order::Less, -126.0);
                let half = self.factor(small, 0.5);
                let a = self.times(a, half);
                let r = self.unit(op, a);
                self.times_where(small, r, r)
            }
            ApproxOp::Lg2 => {
                let small = self.subnormal(a);
                let scale = self.factor(small, power(24));
                let a = self.times(a, scale);
                let r = self.unit(op, a);
                let v = self.plus_all_where(small, r, -24.0);
                self.nan_of(r, v)
            }
            ApproxOp::Sqrt | ApproxOp::Rsqrt => {
                let small = self.subnormal(a);
                let scale = self.factor(small, power(24));
                let a = self.times(a, scale);
                let r = self.unit(op, a);
                let back = power(if op == ApproxOp::Sqrt { -12 } else { 12 });
                let back = self.factor(small, back);
                let v = self.times(r, back);
                self.nan_of(r, v)
            }
            _ => {
                let scale = self.divisor_scale(a, true, true);
                let a = self.times(a, scale);
                let r = self.rcp(a, SINGLE);
                let v = self.times(r, scale);
                self.nan_of(r, v)
            }
        }
    }

    /// Returns the factor that scales a divisor into the SFU's range.
    fn divisor_scale(&mut self, b: Self::V, small: bool, large: bool) -> Self::V {
        let mut scale = self.all(ONE);
        if small {
            let subnormal = self.subnormal(b);
            scale = self.put(scale, subnormal, power(24).to_bits());
        }
        if large {
            let magnitude = self.magnitude(b);
            let above = self.order(magnitude, Order::Greater, LARGE);
            scale = self.put(scale, above, 0.25f32.to_bits());
        }
        scale
    }

    /// Computes the quotient. A NaN result is the host's.
    fn divide(&mut self, a: Self::V, b: Self::V, full: bool, ftz: bool) -> Self::V {
        let (mut a, mut b) = (a, b);
        if ftz {
            a = self.flushed(a);
        }
        if full || !ftz {
            let scale = self.divisor_scale(b, !ftz, full);
            a = match ftz {
                true => self.times_flushed(a, scale),
                false => self.times(a, scale),
            };
            b = self.times(b, scale);
        }
        let r = self.rcp(b, SINGLE);
        if ftz {
            self.times_flushed(r, a)
        } else {
            self.times(r, a)
        }
    }

    /// Computes an SFU function of a bf16, given and returned in the upper half of an f32.
    fn of_bf16(&mut self, op: ApproxOp, ftz: bool, a: Self::V) -> Self::V {
        let a = self.shl(a, 16);
        let a = if ftz { self.flushed(a) } else { a };
        let r = self.with_subnormals(op, a);
        let r = if ftz { self.flushed(r) } else { r };
        self.shr(r, 16)
    }
}

/// Returns 2^`exponent`.
pub fn power(exponent: i32) -> f32 {
    2f32.powi(exponent)
}
