//! SFU operations on one thread or on four.
//!
//! The coefficients of one table piece are in one row, so four threads need four loads and a transposition.

use crate::ir::{FloatOp, Round};
use crate::jit::code::symbol::Symbol;
use crate::jit::emit::ops::float::{as_bits, as_float, flush, flush_result};
use crate::jit::emit::sfu::{LEADING, LowConstant, ONE, Order, Parabola, SfuVector};
use crate::jit::emit::value::{Emit, trusted};
use crate::sem::approx::sfu::{TANH_FIRST, TANH_REDUCTION, Table};
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

/// SFU code on bits of f32, or of the upper halves of f64, of type I32 or I32X4.
pub(crate) struct SfuCode<'e, 'a, 'f> {
    pub(crate) e: &'e mut Emit<'a, 'f>,
    pub(crate) ty: Type,
}

impl SfuCode<'_, '_, '_> {
    fn wide(&self) -> bool {
        self.ty.is_vector()
    }

    /// Returns the sum of the products of both 16-bit halves of each 32-bit lane; one instruction on x86-64.
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

    fn compare(&mut self, code: IntCC, a: Value, b: u32) -> Value {
        let b = self.all(b);
        self.e.b.ins().icmp(code, a, b)
    }

    fn address(&mut self, base: Value, offset: Value) -> Value {
        let offset = self.e.b.ins().uextend(types::I64, offset);
        self.e.b.ins().iadd(base, offset)
    }

    /// Loads a table row: `whole`, `part`, `linear`, `square`.
    fn row<const N: usize, const F: u32>(
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

    fn floats(&mut self, a: Value, b: Value) -> (Value, Value) {
        (as_float(self.e, a), as_float(self.e, b))
    }
}

impl SfuVector for SfuCode<'_, '_, '_> {
    type V = Value;
    type M = Value;

    fn all(&mut self, value: u32) -> Value {
        self.e.same(self.ty, i64::from(value))
    }

    fn and_all(&mut self, a: Value, b: u32) -> Value {
        let b = self.all(b);
        self.e.b.ins().band(a, b)
    }

    fn or(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().bor(a, b)
    }

    fn or_all(&mut self, a: Value, b: u32) -> Value {
        let b = self.all(b);
        self.or(a, b)
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().bxor(a, b)
    }

    fn xor_all(&mut self, a: Value, b: u32) -> Value {
        let b = self.all(b);
        self.xor(a, b)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().iadd(a, b)
    }

    fn add_all(&mut self, a: Value, b: u32) -> Value {
        let b = self.all(b);
        self.add(a, b)
    }

    fn add_where(&mut self, mask: Value, a: Value, b: Value) -> Value {
        let zero = self.all(0);
        let b = self.pick(mask, b, zero);
        self.add(a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().isub(a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.e.b.ins().imul(a, b)
    }

    fn f16_mul(&mut self, a: Value, b: Value) -> Value {
        if !self.wide() {
            return self.mul(a, b);
        }
        let (a, b) = (self.halves(a), self.halves(b));
        self.dot(a, b)
    }

    fn shl(&mut self, a: Value, by: u32) -> Value {
        match by {
            0 => a,
            _ => self.e.b.ins().ishl_imm_u(a, i64::from(by)),
        }
    }

    fn shr(&mut self, a: Value, by: u32) -> Value {
        match by {
            0 => a,
            _ => self.e.b.ins().ushr_imm_u(a, i64::from(by)),
        }
    }

    fn sar(&mut self, a: Value, by: u32) -> Value {
        self.e.b.ins().sshr_imm_u(a, i64::from(by))
    }

    fn equal(&mut self, a: Value, b: u32) -> Value {
        self.compare(IntCC::Equal, a, b)
    }

    fn differs(&mut self, a: Value, b: u32) -> Value {
        self.compare(IntCC::NotEqual, a, b)
    }

    fn below(&mut self, a: Value, b: i32) -> Value {
        self.compare(IntCC::SignedLessThan, a, b as u32)
    }

    fn above(&mut self, a: Value, b: i32) -> Value {
        self.compare(IntCC::SignedGreaterThan, a, b as u32)
    }

    fn below_unsigned(&mut self, a: Value, b: u32) -> Value {
        self.compare(IntCC::UnsignedLessThan, a, b)
    }

    fn order(&mut self, a: Value, order: Order, b: f32) -> Value {
        let b = self.all(b.to_bits());
        let (a, b) = self.floats(a, b);
        let code = match order {
            Order::Less => FloatCC::LessThan,
            Order::Greater => FloatCC::GreaterThan,
            Order::AtLeast => FloatCC::GreaterThanOrEqual,
        };
        self.e.b.ins().fcmp(code, a, b)
    }

    fn is_nan(&mut self, a: Value) -> Value {
        let a = as_float(self.e, a);
        self.e.b.ins().fcmp(FloatCC::Unordered, a, a)
    }

    fn pick(&mut self, mask: Value, a: Value, b: Value) -> Value {
        self.e.pick(mask, a, b)
    }

    fn put(&mut self, a: Value, mask: Value, value: u32) -> Value {
        let value = self.all(value);
        self.pick(mask, value, a)
    }

    fn times(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = self.floats(a, b);
        let product = self.e.b.ins().fmul(a, b);
        as_bits(self.e, product)
    }

    fn times_flushed(&mut self, a: Value, b: Value) -> Value {
        let product = self.times(a, b);
        flush_result(self.e, FloatOp::Mul, Round::Nearest, [a, b, b], product)
    }

    fn times_all(&mut self, a: Value, b: f32) -> Value {
        let b = self.all(b.to_bits());
        self.times(a, b)
    }

    fn times_all_cut(&mut self, a: Value, b: f32) -> Value {
        let b = self.all(b.to_bits());
        let (a, b) = self.floats(a, b);
        // The nearest number, minus one unit if the exact product is less.
        let product = self.e.b.ins().fmul(a, b);
        let opposite = self.e.b.ins().fneg(product);
        let error = self.e.b.ins().fma(a, b, opposite);
        let error = as_bits(self.e, error);
        let too_large = self.sar(error, 31);
        let bits = as_bits(self.e, product);
        self.add(bits, too_large)
    }

    fn times_where(&mut self, mask: Value, a: Value, b: Value) -> Value {
        let product = self.times(a, b);
        self.pick(mask, product, a)
    }

    fn plus_all_where(&mut self, mask: Value, a: Value, b: f32) -> Value {
        let b = self.all(b.to_bits());
        let (x, b) = self.floats(a, b);
        let sum = self.e.b.ins().fadd(x, b);
        let sum = as_bits(self.e, sum);
        self.pick(mask, sum, a)
    }

    fn fraction(&mut self, a: Value) -> Value {
        let a = as_float(self.e, a);
        let whole = self.e.b.ins().trunc(a);
        let rest = self.e.b.ins().fsub(a, whole);
        as_bits(self.e, rest)
    }

    fn integer(&mut self, a: Value) -> Value {
        self.saturated(a)
    }

    fn saturated(&mut self, a: Value) -> Value {
        let a = as_float(self.e, a);
        let ty = self.ty;
        self.e.b.ins().fcvt_to_sint_sat(ty, a)
    }

    fn float_cut(&mut self, n: Value) -> Value {
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

    fn flushed(&mut self, a: Value) -> Value {
        flush(self.e, a)
    }

    /// Four threads have room for two bits of the low half at a time: bits 1 to 4 of the lower and of the upper 16 bits
    /// of `bits`.
    fn square(&mut self, x: Value) -> Value {
        let high = self.shr(x, 9);
        let product = self.f16_mul(high, high);
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
        let high_factor = self.and_all(high_factor, 0x00ff_0000);
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
        let ones = self.all(0x0001_0001);
        let ones = self.halves(ones);
        let cross = cross.unwrap_or(ones);
        let cross = self.dot(cross, ones);
        self.add(sum, cross)
    }

    fn coefficients<const N: usize, const F: u32>(
        &mut self,
        table: &'static Table<N, F>,
        piece: Value,
        at: u32,
    ) -> Parabola<Value> {
        let piece = self.shr(piece, at);
        let piece = self.and_all(piece, N.next_power_of_two() as u32 - 1);
        let [whole, part, linear, square] = self.row(table, piece);
        Parabola {
            base: self.shl(whole, F - 8),
            part: LowConstant::PerLane(part),
            linear,
            square,
        }
    }

    fn tanh_place(&mut self, magnitude: Value, _: Value, small: Value, large: Value) -> Value {
        // Numbers outside the table are replaced by 1, so that no row outside the table is read.
        let x = self.put(magnitude, small, ONE);
        let x = self.put(x, large, ONE);
        let binade = self.shr(x, LEADING.ilog2());
        let binade = self.add_all(binade, TANH_FIRST.wrapping_neg());
        let [scale, offset, ..] = self.row(&TANH_REDUCTION, binade);
        let product = self.times(x, scale);
        let place = self.integer(product);
        self.add(place, offset)
    }
}
