//! Wide code for approximate functions: the steps of [`crate::sem::approx`].
//!
//! A table is in registers' reach: 16 coefficients a vector, and a permutation picks from two of them. As all `c0` of a table
//! have the same low bits, one word has the others: a sum is kept in units of 2^8, with what is below beside it.

use super::encode::Form;
use super::forms::*;
use super::lower::{Lower, Result, Val};
use super::vcode::{K, KOp, Mem, Src, V};
use crate::ir::{ApproxOp, Float, IntOp, Operand};
use crate::sem::approx::tables;
use crate::sem::approx::unit::{TANH_BINADES, TANH_FIRST, Table};

/// Picks from two vectors by an index; the first is what the destination holds before.
const PERMUTE: Form = Form::new(2, 1, false, 0x7e);
/// The lower halves of words.
const HALVES_OF_WORDS: Form = Form::new(2, 2, false, 0x33);
/// Products of 16 bits, added in pairs.
const DOT: Form = Form::new(1, 1, false, 0xf5);
/// Towards zero.
const WHOLE_OF_FLOAT: Form = Form::new(1, 2, false, 0x5b);

const EXPONENT: u32 = 0x7f80_0000;
const MANTISSA: u32 = 0x007f_ffff;
const LEADING: u32 = 1 << 23;
/// Where in a piece an operand is.
const PLACE: u32 = 0x1_ffff;
const ONE: u32 = 0x3f80_0000;
/// Above, a reciprocal is subnormal.
const LARGE: f32 = 8.507_059e37;
/// Towards zero, as embedded rounding.
const CUT: Option<u8> = Some(3);

/// Takes entries by an index.
const PERMUTE_ONE: Form = Form::new(2, 1, false, 0x36);

/// Where the parts of a number are: in an f32, or in the upper half of an f64.
#[derive(Clone, Copy)]
struct Layout {
    /// Bits of the mantissa.
    mantissa: u32,
    bias: u32,
}

const SINGLE: Layout = Layout {
    mantissa: 23,
    bias: 127,
};

const UPPER_WORD: Layout = Layout {
    mantissa: 20,
    bias: 1023,
};

impl Layout {
    fn leading(self) -> u32 {
        1 << self.mantissa
    }

    fn infinity(self) -> u32 {
        (2 * self.bias + 1) << self.mantissa
    }

    /// How many of the unit's 23 bits of mantissa there are not.
    fn unseen(self) -> u32 {
        23 - self.mantissa
    }
}

/// The operands of [`Lower::parabola`].
struct At {
    /// Bits from 0 on choose the piece; those above do not count.
    piece: V,
    x: V,
    square_of: V,
}

impl Lower<'_> {
    pub(super) fn approx(
        &mut self,
        op: ApproxOp,
        ty: Float,
        ftz: bool,
        x: &[Operand],
    ) -> Result<Option<Val>> {
        let function = matches!(op, ApproxOp::Ex2 | ApproxOp::Tanh);
        let v = match ty {
            Float::F32 if matches!(op, ApproxOp::Div | ApproxOp::DivFull) => {
                let (a, b) = (self.raw_words(x[0])?.0, self.raw_words(x[1])?.0);
                let quotient = self.divide(a, b, op == ApproxOp::DivFull, ftz);
                return Ok(Some(Val::Words(quotient, true)));
            }
            Float::F32 => {
                let (a, _) = self.raw_words(x[0])?;
                if ftz {
                    self.unit(op, a)
                } else {
                    self.kept(op, a)
                }
            }
            Float::BF16 if function => {
                // The upper half of an f32, in both directions.
                let a = self.words(x[0])?;
                let a = self.up(a, 16);
                let a = if ftz { self.flush(a) } else { a };
                let r = self.kept(op, a);
                let r = if ftz { self.flush(r) } else { r };
                self.down(r, 16)
            }
            Float::F16 if function && !ftz => {
                let a = self.words(x[0])?;
                let half = self.narrow(HALVES_OF_WORDS, a, None);
                let a = self.op1(FLOAT_OF_HALF, Src::V(half));
                let r = self.kept(op, a);
                self.cut_to_half(r)
            }
            Float::F64 if ftz && matches!(op, ApproxOp::Rcp | ApproxOp::Rsqrt) => {
                let a = self.longs(x[0])?;
                return Ok(Some(Val::Longs(self.upper_words(op, a))));
            }
            Float::F64 if op == ApproxOp::Rsqrt => {
                let a = self.longs(x[0])?;
                return Ok(Some(Val::Longs(self.double_root(a))));
            }
            _ => return Ok(None),
        };
        Ok(Some(Val::Words(v, false)))
    }

    /// The f16 of an f32, cut, but infinite if it is too large.
    fn cut_to_half(&mut self, v: V) -> V {
        let magnitude = self.with(AND, v, !SIGN);
        let large = self.order(magnitude, 0x1d, 65536.0);
        let sign = self.with(AND, v, SIGN);
        let infinity = self.with(OR, sign, EXPONENT);
        let v = self.choose(large, infinity, v);
        let nan = self.test(float(0xc2, Float::F32), Some(v), Src::V(v), Some(3));
        let half = self.narrow(HALF_OF_FLOAT, v, Some(3));
        let half = self.op1(WORDS_OF_HALVES, Src::V(half));
        self.put(half, nan, 0x7fff)
    }

    /// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`, which see and give upper halves.
    fn upper_words(&mut self, op: ApproxOp, a: [V; 2]) -> [V; 2] {
        let upper = a.map(|v| self.shift_right64(v, 32));
        let a = self.low_halves(upper);
        let r = match op {
            ApproxOp::Rsqrt => self.root(a, true, UPPER_WORD),
            _ => self.rcp(a, UPPER_WORD),
        };
        self.widen(r, false)
            .map(|v| self.shift(Form::new(1, 1, true, 0x73), 6, v, 32))
    }

    /// `rsqrt.approx.f64`: from the unit's 21 bits to nearly all.
    fn double_root(&mut self, a: [V; 2]) -> [V; 2] {
        let ty = Float::F64;
        let (compare, multiply) = (float(0xc2, ty), float(0x59, ty));
        // Subnormal numbers, and with them zero and negative ones, are scaled there and back.
        let smallest = self.all64(f64::MIN_POSITIVE.to_bits());
        let small = a.map(|v| self.test(compare, Some(v), smallest, Some(0x11)));
        let [up, back] = [54, 27].map(|power| self.all64(2f64.powi(power).to_bits()));
        let x = [0, 1].map(|n| self.merge(multiply, a[n], small[n], Some(a[n]), up));
        let y = self.upper_words(ApproxOp::Rsqrt, x);
        [0, 1].map(|n| {
            let (a, x, y) = (a[n], x[n], y[n]);
            let [one, half, rest] = [1.0f64, 0.5, 0.375].map(|v| {
                let v = self.all64(v.to_bits());
                self.load_each(v, true)
            });
            let square = self.both(multiply, y, y);
            // 1 - square * x.
            let error = self.full(
                fused(0xbc, ty),
                Some(square),
                Src::V(x),
                None,
                None,
                Some(one),
            );
            let factor = self.full(
                fused(0xb8, ty),
                Some(error),
                Src::V(rest),
                None,
                None,
                Some(half),
            );
            let step = self.both(multiply, y, error);
            let r = self.full(
                fused(0xb8, ty),
                Some(factor),
                Src::V(step),
                None,
                None,
                Some(y),
            );
            let r = self.merge(multiply, r, small[n], Some(r), back);
            // Positive and finite: others have what the unit gives.
            let (zero, infinity) = (self.all64(0), self.all64(f64::INFINITY.to_bits()));
            let positive = self.test(compare, Some(a), zero, Some(0x1e));
            let finite = self.test(compare, Some(a), infinity, Some(0x11));
            let ordinary = self.mask_op(KOp::And, positive, finite);
            let r = self.full(long(BLEND), Some(y), Src::V(r), None, Some(ordinary), None);
            let zero = self.all64(0);
            let negative = self.test(compare, Some(a), zero, Some(0x11));
            let at = Mem::Constant(self.asm.constant(&(0xfff8u64 << 48).to_le_bytes()));
            let r = self.merge(BROADCAST_LONG, r, negative, None, Src::Mem(at));
            // Of the operand's NaN, as all f64 arithmetic.
            let nan = self.test(compare, Some(a), Src::V(a), Some(3));
            let quiet = self.all64(1 << 51);
            self.merge(OR64, r, nan, Some(a), quiet)
        })
    }

    fn with(&mut self, form: Form, a: V, constant: u32) -> V {
        let constant = self.all32(constant);
        self.op2(form, a, constant)
    }

    fn both(&mut self, form: Form, a: V, b: V) -> V {
        self.op2(form, a, Src::V(b))
    }

    fn up(&mut self, a: V, by: u32) -> V {
        self.shift_by(IntOp::Shl, a, by)
    }

    fn down(&mut self, a: V, by: u32) -> V {
        self.shift_by(IntOp::ShrU, a, by)
    }

    fn signs(&mut self, a: V) -> V {
        self.shift_by(IntOp::ShrS, a, 31)
    }

    fn times(&mut self, a: V, b: f32) -> V {
        self.with(float(0x59, Float::F32), a, b.to_bits())
    }

    fn product(&mut self, a: V, b: V) -> V {
        self.both(float(0x59, Float::F32), a, b)
    }

    fn every(&mut self, value: u32) -> V {
        let value = self.all32(value);
        self.load_each(value, false)
    }

    /// The constant in the lanes of a mask.
    fn put(&mut self, v: V, mask: K, value: u32) -> V {
        let at = Mem::Constant(self.asm.constant(&value.to_le_bytes()));
        self.merge(BROADCAST_WORD, v, mask, None, Src::Mem(at))
    }

    /// `a` in the lanes of a mask, `b` in the others.
    fn choose(&mut self, mask: K, a: V, b: V) -> V {
        self.full(BLEND, Some(b), Src::V(a), None, Some(mask), None)
    }

    fn equal(&mut self, a: V, b: u32) -> K {
        let b = self.all32(b);
        self.test(COMPARE_S, Some(a), b, Some(0))
    }

    fn below(&mut self, a: V, b: u32) -> K {
        let b = self.all32(b);
        self.test(COMPARE_S, Some(a), b, Some(1))
    }

    /// Compares numbers by a predicate of the machine.
    fn order(&mut self, a: V, code: u8, b: f32) -> K {
        let b = self.all32(b.to_bits());
        self.test(float(0xc2, Float::F32), Some(a), b, Some(code))
    }

    fn nan_of(&mut self, a: V, v: V) -> V {
        let nan = self.test(float(0xc2, Float::F32), Some(a), Src::V(a), Some(3));
        self.put(v, nan, NAN)
    }

    fn subnormal(&mut self, a: V) -> K {
        let magnitude = self.with(AND, a, !SIGN);
        self.below(magnitude, LEADING)
    }

    /// [`crate::sem::approx::unit::square`].
    fn square(&mut self, x: V) -> V {
        let high = self.down(x, 9);
        let product = self.both(DOT, high, high);
        let mut sum = self.down(product, 1);
        for bit in 1..8 {
            let one = self.all32(2 << bit);
            let set = self.test(TEST, Some(x), one, None);
            let part = self.down(x, 17 - bit);
            sum = self.merge(ADD32, sum, set, Some(sum), Src::V(part));
        }
        sum
    }

    /// The entries that the indices choose.
    fn look_up(&mut self, entries: &[u32], index: V, halves: &[K]) -> V {
        let mut padded = entries.to_vec();
        padded.resize(entries.len().next_power_of_two(), 0);
        let mut found: Vec<V> = padded
            .chunks(32)
            .map(|two| {
                let [first, second] = [&two[..16], &two[16..]].map(|part| {
                    let bytes: Vec<u8> = part.iter().flat_map(|w| w.to_le_bytes()).collect();
                    Src::Mem(Mem::Constant(self.asm.constant(&bytes)))
                });
                let first = self.op1(LOAD, first);
                self.full(PERMUTE, Some(index), second, None, None, Some(first))
            })
            .collect();
        for &half in halves {
            found = found
                .chunks(2)
                .map(|two| self.choose(half, two[1], two[0]))
                .collect();
        }
        found[0]
    }

    /// The sum of a table's parabola: in units of 2^(8 - FRACTION), without the bits that one word has no room for, and in
    /// its low eight bits what is below. In a `steep` one the square's coefficient has more than 16 bits; it is never positive.
    fn parabola<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        at: At,
        steep: bool,
    ) -> (V, V) {
        /// Keeps the sum of a steep parabola's low parts in 32 bits.
        const LIFT: u32 = 0x4800_0000;
        let constant = |i: usize| {
            let piece = &table.0[i];
            (i64::from(piece.whole) << F) + i64::from(piece.part)
        };
        let rest = constant(0) & 0xff;
        debug_assert!((0..N).all(|i| constant(i) & 0xff == rest));
        let column = |f: &dyn Fn(usize) -> i64| (0..N).map(|i| f(i) as u32).collect::<Vec<_>>();
        let columns = [
            column(&|i| constant(i) >> 8),
            column(&|i| i64::from(table.0[i].linear)),
            column(&|i| i64::from(table.0[i].square)),
        ];
        let mut halves = Vec::new();
        for bit in 5..N.next_power_of_two().ilog2() {
            let one = self.all32(1 << bit);
            halves.push(self.test(TEST, Some(at.piece), one, None));
        }
        let [base, linear, square] = columns.map(|c| self.look_up(&c, at.piece, &halves));
        let squared = self.square(at.square_of);
        let below = self.with(AND, at.x, 0xff);
        let above = self.down(at.x, 8);
        let low = self.both(MUL32, linear, below);
        let quadratic = if steep {
            let product = self.both(MUL32, square, squared);
            self.with(ADD32, product, LIFT)
        } else {
            self.both(DOT, square, squared)
        };
        let low = self.both(ADD32, low, quadratic);
        let low = if rest == 0 {
            low
        } else {
            self.with(ADD32, low, rest as u32)
        };
        let carry = self.shift_by(IntOp::ShrS, low, 8);
        let sum = self.both(MUL32, linear, above);
        let sum = self.both(ADD32, sum, carry);
        let sum = if steep {
            self.with(SUB32, sum, LIFT >> 8)
        } else {
            sum
        };
        (self.both(ADD32, sum, base), low)
    }

    /// The value of a table at a place of 23 bits: a whole number, 7 bits of fraction at the end of the second, and 13.
    fn fine<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: V,
        steep: bool,
    ) -> (V, V, V) {
        let piece = self.down(place, 17);
        let x = self.with(AND, place, PLACE);
        let at = At {
            piece,
            x,
            square_of: x,
        };
        let (sum, low) = self.parabola(table, at, steep);
        let whole = self.down(sum, 7);
        let upper = self.with(AND, sum, 0x7f);
        let upper = self.up(upper, 6);
        let lower = self.down(low, 2);
        let lower = self.with(AND, lower, 0x3f);
        (whole, sum, self.both(OR, upper, lower))
    }

    /// The value of a table, which is in 2^-24, as f32.
    fn unsigned<const N: usize>(
        &mut self,
        table: &'static Table<N, 15>,
        place: V,
        steep: bool,
    ) -> V {
        let (whole, sum, fraction) = self.fine(table, place, steep);
        let large = self.down(sum, 1);
        let upper = self.up(whole, 13);
        let small = self.both(OR, upper, fraction);
        let is_small = self.below(whole, 1 << 17);
        let n = self.choose(is_small, small, large);
        let unit = self.every(2f32.powi(-30).to_bits());
        let unit = self.put(unit, is_small, 2f32.powi(-37).to_bits());
        let value = self.rounded(FLOAT_OF_S, None, n, None, CUT);
        self.product(value, unit)
    }

    fn unit(&mut self, op: ApproxOp, a: V) -> V {
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

    /// Ones, and another factor in the lanes of a mask.
    fn factor(&mut self, mask: K, value: f32) -> V {
        let one = self.every(ONE);
        self.put(one, mask, value.to_bits())
    }

    /// With the scaling that keeps subnormal numbers.
    fn kept(&mut self, op: ApproxOp, a: V) -> V {
        let up = 2f32.powi(24);
        match op {
            ApproxOp::Sin | ApproxOp::Cos | ApproxOp::Tanh => self.unit(op, a),
            ApproxOp::Ex2 => {
                let small = self.order(a, 0x11, -126.0);
                let half = self.factor(small, 0.5);
                let a = self.product(a, half);
                let r = self.unit(op, a);
                self.merge(float(0x59, Float::F32), r, small, Some(r), Src::V(r))
            }
            ApproxOp::Lg2 => {
                let small = self.subnormal(a);
                let scale = self.factor(small, up);
                let a = self.product(a, scale);
                let r = self.unit(op, a);
                let lowered = self.all32((-24f32).to_bits());
                let v = self.merge(float(0x58, Float::F32), r, small, Some(r), lowered);
                self.nan_of(r, v)
            }
            ApproxOp::Sqrt | ApproxOp::Rsqrt => {
                let small = self.subnormal(a);
                let scale = self.factor(small, up);
                let a = self.product(a, scale);
                let r = self.unit(op, a);
                let back = 2f32.powi(if op == ApproxOp::Sqrt { -12 } else { 12 });
                let back = self.factor(small, back);
                let v = self.product(r, back);
                self.nan_of(r, v)
            }
            _ => {
                let scale = self.divisor_scale(a, true, true);
                let a = self.product(a, scale);
                let r = self.rcp(a, SINGLE);
                let v = self.product(r, scale);
                self.nan_of(r, v)
            }
        }
    }

    /// What brings a divisor into the unit's range.
    fn divisor_scale(&mut self, b: V, small: bool, large: bool) -> V {
        let mut scale = self.every(ONE);
        if small {
            let subnormal = self.subnormal(b);
            scale = self.put(scale, subnormal, 2f32.powi(24).to_bits());
        }
        if large {
            let magnitude = self.with(AND, b, !SIGN);
            let above = self.order(magnitude, 0x1e, LARGE);
            scale = self.put(scale, above, 0.25f32.to_bits());
        }
        scale
    }

    /// The quotient; its NaN is the machine's.
    fn divide(&mut self, a: V, b: V, full: bool, ftz: bool) -> V {
        let (mut a, mut b) = (a, b);
        if ftz {
            a = self.flush(a);
        }
        if full || !ftz {
            let scale = self.divisor_scale(b, !ftz, full);
            a = self.product(a, scale);
            b = self.product(b, scale);
        }
        if ftz && full {
            a = self.flush(a);
        }
        let r = self.rcp(b, SINGLE);
        let v = self.product(r, a);
        if ftz { self.flush(v) } else { v }
    }

    fn rcp(&mut self, a: V, layout: Layout) -> V {
        let mantissa = self.up(a, layout.unseen());
        let piece = self.down(mantissa, 16);
        let x = self.with(AND, mantissa, 0xffff);
        let square_of = self.up(x, 1);
        let at = At {
            piece,
            x,
            square_of,
        };
        let (sum, _) = self.parabola(&tables::RCP, at, false);
        let v = self.down(sum, 7 + layout.unseen());
        let exponent = self.with(AND, a, layout.infinity());
        let v = self.with(ADD32, v, (2 * layout.bias - 2) << layout.mantissa);
        let v = self.both(SUB32, v, exponent);
        let tiny = self.below(v, layout.leading());
        let v = self.put(v, tiny, 0);
        let zero = self.equal(exponent, 0);
        let v = self.put(v, zero, layout.infinity());
        let sign = self.with(AND, a, SIGN);
        let v = self.both(OR, v, sign);
        let magnitude = self.with(AND, a, !SIGN);
        let infinity = self.all32(layout.infinity());
        let nan = self.test(COMPARE_S, Some(magnitude), infinity, Some(6));
        self.put(v, nan, NAN)
    }

    /// The square root of an f32, or a reciprocal one.
    fn root(&mut self, a: V, reciprocal: bool, layout: Layout) -> V {
        let mantissa = self.up(a, layout.unseen());
        let piece = self.down(mantissa, 17);
        let piece = self.with(XOR, piece, 0x40);
        let x = self.with(AND, mantissa, PLACE);
        let at = At {
            piece,
            x,
            square_of: x,
        };
        let half = self.with(ADD32, a, layout.leading());
        let half = self.down(half, layout.mantissa + 1);
        let half = self.up(half, layout.mantissa);
        let exponent = self.with(AND, a, layout.infinity());
        let zero = self.equal(exponent, 0);
        let infinite = self.equal(a, layout.infinity());
        let nan = self.every(NAN);
        let sign = self.with(AND, a, SIGN);
        let (v, special) = if reciprocal {
            let (sum, _) = self.parabola(&tables::RSQRT, at, false);
            let v = self.down(sum, 8 + layout.unseen());
            let power = self.with(AND, a, 2 * layout.leading() - 1);
            let power = self.equal(power, layout.leading());
            let v = self.put(v, power, 2 * layout.leading());
            let highest = layout.bias - 2 + layout.bias.div_ceil(2);
            let v = self.with(ADD32, v, highest << layout.mantissa);
            let special = self.put(nan, infinite, 0);
            let infinity = self.with(OR, sign, layout.infinity());
            (
                self.both(SUB32, v, half),
                self.choose(zero, infinity, special),
            )
        } else {
            // The sum has lost its leading bit, which is always set.
            let (sum, _) = self.parabola(&tables::SQRT, at, false);
            let v = self.down(sum, 9);
            let v = self.with(ADD32, v, 63 << 23);
            let special = self.put(nan, infinite, EXPONENT);
            (self.both(ADD32, v, half), self.choose(zero, sign, special))
        };
        self.ordinary(a, v, special, layout)
    }

    /// `v` where `a` is positive, normal and finite.
    fn ordinary(&mut self, a: V, v: V, special: V, layout: Layout) -> V {
        // Less the smallest, those are below all others.
        let moved = self.with(SUB32, a, layout.leading());
        let end = self.all32(layout.infinity() - layout.leading());
        let ordinary = self.test(COMPARE_U, Some(moved), end, Some(1));
        self.choose(ordinary, v, special)
    }

    fn ex2(&mut self, a: V) -> V {
        let magnitude = self.with(AND, a, !SIGN);
        let scaled = self.times(magnitude, 2f32.powi(23));
        let scaled = self.with(float(0x5d, Float::F32), scaled, 2f32.powi(30).to_bits());
        let magnitude = self.op1(WHOLE_OF_FLOAT, Src::V(scaled));
        let sign = self.signs(a);
        let power = self.both(XOR, magnitude, sign);
        let fraction = self.with(AND, magnitude, MANTISSA);
        let whole = self.equal(fraction, 0);
        let carry = self.down(a, 31);
        let power = self.merge(ADD32, power, whole, Some(power), Src::V(carry));
        let piece = self.down(power, 17);
        let x = self.with(AND, power, PLACE);
        let at = At {
            piece,
            x,
            square_of: x,
        };
        let (sum, _) = self.parabola(&tables::EX2, at, false);
        let v = self.down(sum, 7);
        let exponent = self.with(AND, power, !MANTISSA);
        let v = self.both(ADD32, v, exponent);
        let v = self.with(ADD32, v, 126 << 23);
        let tiny = self.below(power, (-(126i32 << 23)) as u32);
        let v = self.put(v, tiny, 0);
        let large = self.order(a, 0x1d, 128.0);
        let v = self.put(v, large, EXPONENT);
        self.nan_of(a, v)
    }

    fn lg2(&mut self, a: V) -> V {
        let place = self.with(AND, a, MANTISSA);
        let (whole, _, fraction) = self.fine(&tables::LG2, place, false);
        let exponent = self.down(a, 23);
        let exponent = self.with(SUB32, exponent, 127);
        let negative = self.signs(exponent);
        let exponent = self.both(XOR, exponent, negative);
        let whole = self.both(XOR, whole, negative);
        let whole = self.with(AND, whole, MANTISSA);
        let fraction = self.both(XOR, fraction, negative);
        let fraction = self.with(AND, fraction, 0x1fff);
        // 24 bits of the sum, and no more than 30, are in one of three places.
        let upper = self.up(exponent, 23);
        let large = self.both(OR, upper, whole);
        let upper = self.up(whole, 7);
        let lower = self.down(fraction, 6);
        let middle = self.both(OR, upper, lower);
        let upper = self.up(whole, 13);
        let small = self.both(OR, upper, fraction);
        let is_small = self.below(whole, 1 << 16);
        let zero = self.all32(0);
        let is_large = self.test(COMPARE_S, Some(exponent), zero, Some(4));
        let n = self.choose(is_small, small, middle);
        let n = self.choose(is_large, large, n);
        let unit = self.every(2f32.powi(-30).to_bits());
        let unit = self.put(unit, is_small, 2f32.powi(-36).to_bits());
        let unit = self.put(unit, is_large, 2f32.powi(-23).to_bits());
        let value = self.rounded(FLOAT_OF_S, None, n, None, CUT);
        let v = self.product(value, unit);
        let sign = self.with(AND, negative, SIGN);
        let v = self.both(OR, v, sign);
        let one = self.equal(a, ONE);
        let v = self.put(v, one, 0);
        let special = self.every(NAN);
        let infinite = self.equal(a, EXPONENT);
        let special = self.put(special, infinite, EXPONENT);
        let field = self.with(AND, a, EXPONENT);
        let zero = self.equal(field, 0);
        let special = self.put(special, zero, EXPONENT | SIGN);
        self.ordinary(a, v, special, SINGLE)
    }

    fn sine(&mut self, a: V, cosine: bool) -> V {
        let magnitude = self.with(AND, a, !SIGN);
        let turn = self.every(0.159_154_94f32.to_bits());
        let product = float(0x59, Float::F32);
        let turns = self.rounded(product, Some(magnitude), turn, None, CUT);
        let whole = self.op_imm(ROUND, None, Src::V(turns), 0x0b);
        let rest = self.both(float(0x5c, Float::F32), turns, whole);
        let rest = self.times(rest, 2f32.powi(25));
        let mut turns = self.op1(WHOLE_OF_FLOAT, Src::V(rest));
        if cosine {
            turns = self.with(ADD32, turns, 1 << 23);
        }
        // An odd quarter goes back.
        let odd = self.up(turns, 8);
        let odd = self.signs(odd);
        let place = self.both(XOR, turns, odd);
        let place = self.with(AND, place, MANTISSA);
        let v = self.unsigned(&tables::SIN, place, false);
        let mut sign = self.up(turns, 7);
        if !cosine {
            sign = self.both(XOR, sign, a);
        }
        let sign = self.with(AND, sign, SIGN);
        let v = self.both(OR, v, sign);
        let exponent = self.with(AND, a, EXPONENT);
        let no_angle = self.equal(exponent, EXPONENT);
        self.put(v, no_angle, NAN)
    }

    fn tanh(&mut self, a: V) -> V {
        let magnitude = self.with(AND, a, !SIGN);
        let binade = self.down(magnitude, 23);
        let binade = self.with(SUB32, binade, TANH_FIRST);
        let entries = |f: fn((u8, u8)) -> u32| {
            let mut entries = [0; 16];
            for (entry, &binade) in entries.iter_mut().zip(&TANH_BINADES) {
                *entry = f(binade);
            }
            entries.iter().flat_map(|w| w.to_le_bytes()).collect()
        };
        let tables: [Vec<u8>; 2] = [
            entries(|(_, unseen)| u32::from(unseen)),
            entries(|(first, _)| u32::from(first) << 17),
        ];
        let [unseen, first] = tables.map(|bytes| {
            let table = Src::Mem(Mem::Constant(self.asm.constant(&bytes)));
            self.op2(PERMUTE_ONE, binade, table)
        });
        let mantissa = self.with(AND, a, MANTISSA);
        let place = self.both(SHIFT_RIGHT, mantissa, unseen);
        let place = self.both(ADD32, place, first);
        let v = self.unsigned(&tables::TANH, place, true);
        let last = self.all32(TANH_BINADES.len() as u32 - 1);
        let large = self.test(COMPARE_S, Some(binade), last, Some(6));
        let v = self.put(v, large, ONE);
        let sign = self.with(AND, a, SIGN);
        let v = self.both(OR, v, sign);
        let small = self.below(binade, 0);
        let v = self.choose(small, a, v);
        self.nan_of(a, v)
    }
}
