//! The function unit: the steps of [`crate::sem::approx::unit`], for one thread or for four.
//!
//! A sum of up to 42 bits is kept in words of 32: `whole`, and 15 to 17 bits of fraction whose upper part is `middle`. What
//! one piece needs is in one line of a table, so four threads take four loads and a transposition.

use super::float::{as_bits, as_float};
use crate::ir::ApproxOp;
use crate::jit::symbol::Symbol;
use crate::jit::value::{Emit, trusted};
use crate::sem::approx::tables;
use crate::sem::approx::unit::{TANH_BINADES, TANH_FIRST, TANH_PLACES, Table};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

const EXPONENT: i64 = 0x7f80_0000;
const MANTISSA: i64 = 0x007f_ffff;
pub(super) const SIGN: i64 = 0x8000_0000;
const ONE: i64 = 0x3f80_0000;
pub(super) const NAN: i64 = 0x7fff_ffff;
/// The leading bit of a mantissa.
pub(super) const LEADING: i64 = 1 << 23;
/// Where in a piece an operand is.
const PLACE: i64 = 0x1_ffff;

/// Code on bits of f32, or of the upper halves of f64, of type I32 or I32X4.
pub(super) struct Code<'e, 'a, 'f> {
    pub(super) e: &'e mut Emit<'a, 'f>,
    pub(super) ty: Type,
}

/// Where the parts of a number are: in an f32, or in the upper half of an f64.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    /// Bits of the mantissa.
    mantissa: i64,
    bias: i64,
}

pub(super) const SINGLE: Layout = Layout {
    mantissa: 23,
    bias: 127,
};

pub(super) const UPPER_HALF: Layout = Layout {
    mantissa: 20,
    bias: 1023,
};

impl Layout {
    fn leading(self) -> i64 {
        1 << self.mantissa
    }

    fn infinity(self) -> i64 {
        (2 * self.bias + 1) << self.mantissa
    }

    /// How many of the unit's 23 bits of mantissa there are not.
    fn unseen(self) -> i64 {
        23 - self.mantissa
    }
}

/// `whole + (middle * 2^8 + low % 2^8) / 2^FRACTION`.
struct Sum {
    whole: Value,
    middle: Value,
    low: Value,
}

impl Code<'_, '_, '_> {
    pub(super) fn wide(&self) -> bool {
        self.ty.is_vector()
    }

    pub(super) fn same(&mut self, value: i64) -> Value {
        self.e.same(self.ty, value)
    }

    pub(super) fn float(&mut self, value: f32) -> Value {
        self.same(i64::from(value.to_bits()))
    }

    pub(super) fn and(&mut self, a: Value, mask: i64) -> Value {
        let mask = self.same(mask);
        self.e.b.ins().band(a, mask)
    }

    pub(super) fn or(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().bor(a, b)
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().bxor(a, b)
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().iadd(a, b)
    }

    pub(super) fn plus(&mut self, a: Value, b: i64) -> Value {
        let b = self.same(b);
        self.add(a, b)
    }

    pub(super) fn shl(&mut self, a: Value, by: i64) -> Value {
        if by == 0 {
            return a;
        }
        self.e.b.ins().ishl_imm_u(a, by)
    }

    pub(super) fn shr(&mut self, a: Value, by: i64) -> Value {
        if by == 0 {
            return a;
        }
        self.e.b.ins().ushr_imm_u(a, by)
    }

    fn sar(&mut self, a: Value, by: i64) -> Value {
        self.e.b.ins().sshr_imm_u(a, by)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().imul(a, b)
    }

    /// The product of numbers that fit 16 bits, `b` not negative.
    fn short_mul(&mut self, a: Value, b: Value) -> Value {
        if !self.wide() {
            return self.mul(a, b);
        }
        let (a, b) = (self.halves(a), self.halves(b));
        self.dot(a, b)
    }

    /// The sum of the products of both halves, for each 32 bits; one instruction on x86-64.
    fn dot(&mut self, a: Value, b: Value) -> Value {
        let i = &mut self.e.b;
        let low = (i.ins().swiden_low(a), i.ins().swiden_low(b));
        let high = (i.ins().swiden_high(a), i.ins().swiden_high(b));
        let low = i.ins().imul(low.0, low.1);
        let high = i.ins().imul(high.0, high.1);
        i.ins().iadd_pairwise(low, high)
    }

    fn halves(&mut self, a: Value) -> Value {
        self.e.bits_as(types::I16X8, a)
    }

    pub(super) fn compare(&mut self, code: IntCC, a: Value, b: i64) -> Value {
        let b = self.same(b);
        self.e.b.ins().icmp(code, a, b)
    }

    /// Compares floating-point numbers.
    pub(super) fn order(&mut self, code: FloatCC, a: Value, b: f32) -> Value {
        let b = self.float(b);
        let (a, b) = (as_float(self.e, a), as_float(self.e, b));
        self.e.b.ins().fcmp(code, a, b)
    }

    pub(super) fn pick(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.e.pick(mask, a, b)
    }

    pub(super) fn pick_constant(&mut self, mask: Value, a: i64, b: Value) -> Value {
        let a = self.same(a);
        self.pick(mask, a, b)
    }

    /// The product of floating-point numbers.
    pub(super) fn times(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (as_float(self.e, a), as_float(self.e, b));
        let product = self.e.b.ins().fmul(a, b);
        as_bits(self.e, product)
    }

    pub(super) fn scale(&mut self, a: Value, by: f32) -> Value {
        let by = self.float(by);
        self.times(a, by)
    }

    pub(super) fn magnitude(&mut self, a: Value) -> Value {
        self.and(a, !SIGN)
    }

    /// Whether a number is subnormal or zero.
    pub(super) fn subnormal(&mut self, a: Value) -> Value {
        let magnitude = self.magnitude(a);
        self.compare(IntCC::SignedLessThan, magnitude, LEADING)
    }

    pub(super) fn nan_of(&mut self, a: Value, result: Value) -> Value {
        let x = as_float(self.e, a);
        let nan = self.e.b.ins().fcmp(FloatCC::Unordered, x, x);
        self.pick_constant(nan, NAN, result)
    }

    /// [`crate::sem::approx::unit::square`]. Four threads have room for two bits of the low half at a time: bits 1 to 4 of
    /// the lower and of the upper 16 bits of `bits`.
    fn square(&mut self, x: Value) -> Value {
        let high = self.shr(x, 9);
        let product = self.short_mul(high, high);
        let mut sum = self.shr(product, 1);
        if !self.wide() {
            for bit in 1..8 {
                let mask = self.shl(x, 30 - bit);
                let mask = self.sar(mask, 31);
                let part = self.shr(high, 8 - bit);
                let part = self.e.b.ins().band(part, mask);
                sum = self.add(sum, part);
            }
            return sum;
        }
        let up = self.shl(x, 12);
        let bits = self.or(x, up);
        let bits = self.halves(bits);
        let low_factor = self.shr(x, 13);
        let high_factor = self.shl(x, 7);
        let high_factor = self.and(high_factor, 0x00ff_0000);
        let factors = self.or(low_factor, high_factor);
        let factors = self.halves(factors);
        let mut cross: Option<Value> = None;
        for bit in 0..4 {
            let mask = self.shl(bits, 14 - bit);
            let mask = self.sar(mask, 15);
            let part = self.shr(factors, 4 - bit);
            let part = self.e.b.ins().band(part, mask);
            cross = Some(match cross {
                None => part,
                Some(cross) => self.add(cross, part),
            });
        }
        let ones = self.same(0x0001_0001);
        let ones = self.halves(ones);
        let cross = cross.unwrap_or(ones);
        let cross = self.dot(cross, ones);
        self.add(sum, cross)
    }

    /// A line of a table: `whole`, `part`, `linear`, `square`.
    fn line<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        piece: Value,
    ) -> [Value; 4] {
        debug_assert_eq!(size_of_val(&table.0[0]), 16);
        let base = self.e.address_of(Symbol::of_table(&table.0));
        let offset = self.shl(piece, 4);
        if !self.wide() {
            let at = self.address(base, offset);
            return [0, 4, 8, 12].map(|i| self.e.b.ins().load(types::I32, trusted(), at, i));
        }
        let rows = [0, 1, 2, 3].map(|lane| {
            let offset = self.e.b.ins().extractlane(offset, lane);
            let at = self.address(base, offset);
            self.e.b.ins().load(types::I8X16, trusted(), at, 0)
        });
        let pairs = |e: &mut Emit, a, b| (e.interleave(a, b, 4, 0), e.interleave(a, b, 4, 8));
        let (ab, cd) = pairs(self.e, rows[0], rows[1]);
        let (ef, gh) = pairs(self.e, rows[2], rows[3]);
        let columns = [(ab, ef, 0), (ab, ef, 8), (cd, gh, 0), (cd, gh, 8)];
        columns.map(|(a, b, from)| {
            let column = self.e.interleave(a, b, 8, from);
            self.e.bits_as(types::I32X4, column)
        })
    }

    fn address(&mut self, base: Value, offset: Value) -> Value {
        let offset = self.e.b.ins().uextend(types::I64, offset);
        self.e.b.ins().iadd(base, offset)
    }

    /// The parabola `line` at the place `x`, whose square is that of `square_of`. In a `steep` one the square's coefficient
    /// has more than 16 bits; it is never positive.
    fn sum(&mut self, line: [Value; 4], x: Value, square_of: Value, steep: bool) -> Sum {
        /// Keeps the sum of a steep parabola's low parts in 32 bits.
        const LIFT: i64 = 0x4800_0000;
        let [whole, part, linear, square] = line;
        let squared = self.square(square_of);
        let below = self.and(x, 0xff);
        let above = self.shr(x, 8);
        let low = self.mul(linear, below);
        let quadratic = if steep {
            let product = self.mul(square, squared);
            self.plus(product, LIFT)
        } else {
            self.short_mul(square, squared)
        };
        let low = self.add(low, quadratic);
        let low = self.add(low, part);
        let carry = self.sar(low, 8);
        let middle = self.mul(linear, above);
        let middle = self.add(middle, carry);
        let middle = if steep {
            self.plus(middle, -(LIFT >> 8))
        } else {
            middle
        };
        Sum { whole, middle, low }
    }

    /// The value of `table` at a place, without its fraction.
    fn whole<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        piece: Value,
        x: Value,
        square_of: Value,
    ) -> Value {
        let line = self.line(table, piece);
        let sum = self.sum(line, x, square_of, false);
        let carry = self.sar(sum.middle, i64::from(F) - 8);
        self.add(sum.whole, carry)
    }

    /// The value of `table` at a place of 23 bits: a whole number, 7 bits of fraction in `middle`, and 13 bits.
    fn fine<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: Value,
        steep: bool,
    ) -> (Value, Value, Value) {
        let piece = self.shr(place, 17);
        let x = self.and(place, PLACE);
        let line = self.line(table, piece);
        let Sum { whole, middle, low } = self.sum(line, x, x, steep);
        let carry = self.sar(middle, 7);
        let whole = self.add(whole, carry);
        let upper = self.and(middle, 0x7f);
        let upper = self.shl(upper, 6);
        let lower = self.shr(low, 2);
        let lower = self.and(lower, 0x3f);
        (whole, middle, self.or(upper, lower))
    }

    /// The value of `table`, which is in 2^-24, as f32.
    fn unsigned<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: Value,
        steep: bool,
    ) -> Value {
        let (whole, middle, fraction) = self.fine(table, place, steep);
        let upper = self.shl(whole, 6);
        let lower = self.shr(middle, 1);
        let lower = self.and(lower, 0x3f);
        let large = self.or(upper, lower);
        let upper = self.shl(whole, 13);
        let small = self.or(upper, fraction);
        let is_small = self.compare(IntCC::SignedLessThan, whole, 1 << 17);
        let n = self.pick(is_small, small, large);
        let [unit, smaller] = [30, 37].map(|fraction| power_of_two(-fraction));
        let unit_of = self.float(unit);
        let unit_of = self.pick_constant(is_small, i64::from(smaller.to_bits()), unit_of);
        let value = self.cut(n);
        self.times(value, unit_of)
    }

    /// The f32 of a whole number up to 2^30, cut to 24 bits.
    fn cut(&mut self, n: Value) -> Value {
        let mut extra = self.shr(n, 24);
        for by in [1, 2, 4] {
            let more = self.shr(extra, by);
            extra = self.or(extra, more);
        }
        let kept = self.e.b.ins().band_not(n, extra);
        let float = if self.wide() {
            types::F32X4
        } else {
            types::F32
        };
        let value = self.e.b.ins().fcvt_from_sint(float, kept);
        as_bits(self.e, value)
    }

    /// A function of the unit on what it takes.
    pub(super) fn unit(&mut self, op: ApproxOp, a: Value) -> Value {
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

    /// The reciprocal.
    pub(super) fn rcp(&mut self, a: Value, layout: Layout) -> Value {
        let mantissa = self.and(a, layout.leading() - 1);
        let mantissa = self.shl(mantissa, layout.unseen());
        let piece = self.shr(mantissa, 16);
        let x = self.and(mantissa, 0xffff);
        let double = self.shl(x, 1);
        let v = self.whole(&tables::RCP, piece, x, double);
        let v = self.shr(v, layout.unseen());
        let exponent = self.and(a, layout.infinity());
        let highest = self.plus(v, (2 * layout.bias - 2) << layout.mantissa);
        let bits = self.e.b.ins().isub(highest, exponent);
        let tiny = self.compare(IntCC::SignedLessThan, bits, layout.leading());
        let bits = self.pick_constant(tiny, 0, bits);
        let zero = self.compare(IntCC::Equal, exponent, 0);
        let bits = self.pick_constant(zero, layout.infinity(), bits);
        let sign = self.and(a, SIGN);
        let bits = self.or(bits, sign);
        let magnitude = self.magnitude(a);
        let nan = self.compare(IntCC::SignedGreaterThan, magnitude, layout.infinity());
        self.pick_constant(nan, NAN, bits)
    }

    /// The square root or its reciprocal.
    pub(super) fn root(&mut self, a: Value, reciprocal: bool, layout: Layout) -> Value {
        // The lowest bit of the exponent and the highest of the mantissa; the exponent's bias is odd.
        let piece = self.shr(a, layout.mantissa - 6);
        let piece = self.and(piece, 0x7f);
        let odd = self.same(0x40);
        let piece = self.xor(piece, odd);
        let x = self.shl(a, layout.unseen());
        let x = self.and(x, PLACE);
        // Half of the exponent and its bias, in the exponent's place.
        let half = self.plus(a, layout.leading());
        let half = self.shr(half, layout.mantissa + 1);
        let half = self.shl(half, layout.mantissa);
        let exponent = self.and(a, layout.infinity());
        let sign = self.and(a, SIGN);
        let zero = self.compare(IntCC::Equal, exponent, 0);
        let infinite = self.compare(IntCC::Equal, a, layout.infinity());
        let nan = self.same(NAN);
        let (bits, special) = if reciprocal {
            let v = self.whole(&tables::RSQRT, piece, x, x);
            let power = self.and(a, 2 * layout.leading() - 1);
            let power = self.compare(IntCC::Equal, power, layout.leading());
            let v = self.pick_constant(power, 1 << 24, v);
            let v = self.shr(v, layout.unseen());
            let highest = layout.bias - 2 + (layout.bias + 1) / 2;
            let v = self.plus(v, highest << layout.mantissa);
            let bits = self.e.b.ins().isub(v, half);
            let special = self.pick_constant(infinite, 0, nan);
            let infinity = self.same(layout.infinity());
            let infinity = self.or(infinity, sign);
            (bits, self.pick(zero, infinity, special))
        } else {
            let v = self.whole(&tables::SQRT, piece, x, x);
            let v = self.shr(v, layout.unseen());
            let v = self.plus(v, ((layout.bias - 3) / 2) << layout.mantissa);
            let bits = self.add(v, half);
            let special = self.pick_constant(infinite, layout.infinity(), nan);
            (bits, self.pick(zero, sign, special))
        };
        self.ordinary(a, bits, special, layout)
    }

    /// `bits` if `a` is positive, normal and finite.
    fn ordinary(&mut self, a: Value, bits: Value, special: Value, layout: Layout) -> Value {
        let finite = self.compare(IntCC::SignedLessThan, a, layout.infinity());
        let normal = self.compare(IntCC::SignedGreaterThanOrEqual, a, layout.leading());
        let bits = self.pick(finite, bits, special);
        self.pick(normal, bits, special)
    }

    fn ex2(&mut self, a: Value) -> Value {
        let magnitude = self.magnitude(a);
        let scaled = self.scale(magnitude, LEADING as f32);
        let magnitude = self.integer(scaled);
        let sign = self.sar(a, 31);
        let inverted = self.xor(magnitude, sign);
        let fraction = self.and(magnitude, MANTISSA);
        let zero = self.same(0);
        let whole = self.e.b.ins().icmp(IntCC::Equal, fraction, zero);
        let carry = self.shr(a, 31);
        let carry = self.pick(whole, carry, zero);
        let power = self.add(inverted, carry);
        let place = self.and(power, MANTISSA);
        let piece = self.shr(place, 17);
        let x = self.and(place, PLACE);
        let v = self.whole(&tables::EX2, piece, x, x);
        let exponent = self.and(power, !MANTISSA);
        let bits = self.add(v, exponent);
        let bits = self.plus(bits, 126 << 23);
        let tiny = self.compare(IntCC::SignedLessThan, power, -(126 << 23));
        let bits = self.pick_constant(tiny, 0, bits);
        let large = self.order(FloatCC::GreaterThanOrEqual, a, 128.0);
        let bits = self.pick_constant(large, EXPONENT, bits);
        self.nan_of(a, bits)
    }

    /// A floating-point number, not negative, as an integer; the largest if it is too large.
    pub(super) fn integer(&mut self, a: Value) -> Value {
        let a = as_float(self.e, a);
        let ty = self.ty;
        self.e.b.ins().fcvt_to_sint_sat(ty, a)
    }

    fn lg2(&mut self, a: Value) -> Value {
        let mantissa = self.and(a, MANTISSA);
        let (whole, _, fraction) = self.fine(&tables::LG2, mantissa, false);
        let exponent = self.shr(a, 23);
        let exponent = self.plus(exponent, -127);
        let negative = self.sar(exponent, 31);
        let exponent = self.xor(exponent, negative);
        let whole = self.xor(whole, negative);
        let whole = self.and(whole, MANTISSA);
        let fraction = self.xor(fraction, negative);
        let fraction = self.and(fraction, 0x1fff);
        // 24 bits of the sum, and no more than 30, are in one of three places.
        let upper = self.shl(exponent, 23);
        let large = self.or(upper, whole);
        let upper = self.shl(whole, 7);
        let lower = self.shr(fraction, 6);
        let middle = self.or(upper, lower);
        let upper = self.shl(whole, 13);
        let small = self.or(upper, fraction);
        let is_small = self.compare(IntCC::SignedLessThan, whole, 1 << 16);
        let is_large = self.compare(IntCC::NotEqual, exponent, 0);
        let n = self.pick(is_small, small, middle);
        let n = self.pick(is_large, large, n);
        let [unit, smaller, smallest] = [23, 30, 36].map(|fraction| power_of_two(-fraction));
        let unit_of = self.float(smaller);
        let unit_of = self.pick_constant(is_small, i64::from(smallest.to_bits()), unit_of);
        let unit_of = self.pick_constant(is_large, i64::from(unit.to_bits()), unit_of);
        let value = self.cut(n);
        let bits = self.times(value, unit_of);
        let sign = self.and(negative, SIGN);
        let bits = self.or(bits, sign);
        let one = self.compare(IntCC::Equal, a, ONE);
        let bits = self.pick_constant(one, 0, bits);
        let field = self.and(a, EXPONENT);
        let zero = self.compare(IntCC::Equal, field, 0);
        let infinite = self.compare(IntCC::Equal, a, EXPONENT);
        let nan = self.same(NAN);
        let special = self.pick_constant(infinite, EXPONENT, nan);
        let special = self.pick_constant(zero, EXPONENT | SIGN, special);
        self.ordinary(a, bits, special, SINGLE)
    }

    /// What is left of the angle `a`, if finite, when whole turns are taken away, in 2^-25 turns.
    fn turns(&mut self, a: Value) -> Value {
        let magnitude = self.magnitude(a);
        let turn = self.float(0.159_154_94);
        let (x, turn) = (as_float(self.e, magnitude), as_float(self.e, turn));
        let product = self.e.b.ins().fmul(x, turn);
        // The nearest number, minus one if the exact product is less.
        let opposite = self.e.b.ins().fneg(product);
        let error = self.e.b.ins().fma(x, turn, opposite);
        let error = as_bits(self.e, error);
        let too_large = self.sar(error, 31);
        let bits = as_bits(self.e, product);
        let bits = self.add(bits, too_large);
        let cut = as_float(self.e, bits);
        let whole = self.e.b.ins().trunc(cut);
        let rest = self.e.b.ins().fsub(cut, whole);
        let rest = as_bits(self.e, rest);
        let scaled = self.scale(rest, power_of_two(25));
        self.integer(scaled)
    }

    fn sine(&mut self, a: Value, cosine: bool) -> Value {
        let mut turns = self.turns(a);
        if cosine {
            turns = self.plus(turns, 1 << 23);
        }
        // An odd quarter goes back.
        let odd = self.shl(turns, 8);
        let odd = self.sar(odd, 31);
        let place = self.xor(turns, odd);
        let place = self.and(place, MANTISSA);
        let bits = self.unsigned(&tables::SIN, place, false);
        let mut sign = self.shl(turns, 7);
        if !cosine {
            sign = self.xor(sign, a);
        }
        let sign = self.and(sign, SIGN);
        let bits = self.or(bits, sign);
        let exponent = self.and(a, EXPONENT);
        let no_angle = self.compare(IntCC::Equal, exponent, EXPONENT);
        self.pick_constant(no_angle, NAN, bits)
    }

    fn tanh(&mut self, a: Value) -> Value {
        let magnitude = self.magnitude(a);
        let first = i64::from(TANH_FIRST);
        let binade = self.shr(magnitude, 23);
        let binade = self.plus(binade, -first);
        let small = self.compare(IntCC::SignedLessThan, binade, 0);
        let large = TANH_BINADES.len() as i64;
        let large = self.compare(IntCC::SignedGreaterThanOrEqual, binade, large);
        // Other numbers go along as one.
        let one = self.same(ONE);
        let x = self.pick(small, one, magnitude);
        let x = self.pick(large, one, x);
        let binade = self.shr(x, 23);
        let binade = self.plus(binade, -first);
        let [scale, offset, ..] = self.line(&TANH_PLACES, binade);
        let product = self.times(x, scale);
        let place = self.integer(product);
        let place = self.add(place, offset);
        let bits = self.unsigned(&tables::TANH, place, true);
        let bits = self.pick(large, one, bits);
        let sign = self.and(a, SIGN);
        let bits = self.or(bits, sign);
        let bits = self.pick(small, a, bits);
        self.nan_of(a, bits)
    }
}

pub(super) fn power_of_two(exponent: i32) -> f32 {
    2f32.powi(exponent)
}
