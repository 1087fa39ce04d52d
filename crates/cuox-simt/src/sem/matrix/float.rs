//! Products of floating-point numbers.
//!
//! A tensor core multiplies exactly and adds all products of an element, and C, in one step. The addends are aligned
//! to the largest exponent and truncated some bits below it. The sum is rounded once, towards zero if it is an f32.
//! By the numbers in `rule` the results are those of an H200, bit for bit.

use super::layout::{self, Factors};
use super::rule::Rule;
use crate::ir::{Element, Float, FloatOp, Mma, Round, Sum};
use crate::sem::float::{Mode, eval, from_f64};
use crate::sem::warp::{Lanes, Site, Words};
use std::ops::Range;

/// The result of a sum that is NaN.
const NAN32: u32 = 0x7fff_ffff;
const NAN16: u32 = 0x7fff;

/// Computes `D = A * B + C`, except for f64 and for the smallest f16 shape.
pub fn product(mma: Mma, rule: Rule, active: u32, site: &mut impl Site) {
    match mma.k {
        ..=16 => of_size::<16>(mma, rule, active, site),
        17..=32 => of_size::<32>(mma, rule, active, site),
        _ => of_size::<64>(mma, rule, active, site),
    }
}

fn of_size<const K: usize>(mma: Mma, rule: Rule, active: u32, site: &mut impl Site) {
    let mut factors: Factors<f32, K> = match mma.a {
        Element::F16 => layout::factors(mma, site, f16_values, f16_values),
        Element::Bf16 => layout::factors(mma, site, brains, brains),
        Element::Tf32 => layout::factors(mma, site, tf32, tf32),
        _ => {
            let bytes = |element| if element == Element::E4m3 { e4m3 } else { e5m2 };
            layout::factors(mma, site, bytes(mma.a), bytes(mma.b))
        }
    };
    let stored = mma.stored().min(K);
    let apart = rule.apart;
    if apart {
        pairs_apart(&mut factors, stored);
    }
    let steps = if apart { 2 } else { 1 };
    let sums =
        |sum: &dyn Fn(usize, Range<usize>, [u32; 8]) -> [u32; 8], row: usize, c: [u32; 8]| {
            if !apart {
                return sum(row, 0..stored, c);
            }
            let low = sum(row, 0..stored / 2, [0; 8]);
            let both = sum(row, stored / 2..stored, low);
            std::array::from_fn(|n| add(mma.d, c[n], both[n]))
        };
    debug_assert!(
        (stored / steps) << (rule.kept + 2) <= 1 << 31,
        "sums of more products do not fit"
    );
    if fits_single(&factors, stored) {
        let table = Table::<f32, K>::new(&factors, mma, rule);
        let sum = |row, k, c| table.sum(row, k, c, mma.d);
        layout::sums(mma, active, site, |row, c| sums(&sum, row, c));
    } else {
        let table = Table::<f64, K>::new(&factors, mma, rule);
        let sum = |row, k, c| table.sum(row, k, c, mma.d);
        layout::sums(mma, active, site, |row, c| sums(&sum, row, c));
    }
}

/// Moves the first pairs of every four stored elements before the second ones.
fn pairs_apart<const K: usize>(factors: &mut Factors<f32, K>, stored: usize) {
    let place = |from: usize| from / 2 % 2 * (stored / 2) + from / 4 * 2 + from % 2;
    let (a, b) = (factors.a, factors.b);
    for (to_row, from_row) in factors.a.iter_mut().zip(&a) {
        for (from, &x) in from_row[..stored].iter().enumerate() {
            to_row[place(from)] = x;
        }
    }
    match &mut factors.columns {
        Some(columns) => {
            for row in columns.iter_mut() {
                let old = *row;
                for (from, &column) in old[..stored].iter().enumerate() {
                    row[place(from)] = column;
                }
            }
        }
        None => {
            for (from, &row) in b[..stored].iter().enumerate() {
                factors.b[place(from)] = row;
            }
        }
    }
}

/// Returns true if every product of the factors is well within f32's range.
fn fits_single<const K: usize>(factors: &Factors<f32, K>, stored: usize) -> bool {
    // The largest and the smallest exponent; zeros count as 1.
    let range = |numbers: &mut dyn Iterator<Item = &f32>| {
        numbers.fold((0x3f80_0000, 0x3f80_0000), |(low, high), x| {
            let bits = match x.to_bits() & 0x7fff_ffff {
                0 => 0x3f80_0000,
                bits => bits,
            };
            (bits.min(low), bits.max(high))
        })
    };
    let (low_a, high_a) = range(&mut factors.a.iter().flat_map(|row| &row[..stored]));
    let (low_b, high_b) = range(&mut factors.b.iter().flatten());
    // Exponents are in the bits from 23 on, with a bias of 127.
    let (low, high) = (
        (low_a >> 23) + (low_b >> 23),
        (high_a >> 23) + (high_b >> 23),
    );
    low > 254 - 100 && high < 254 + 100 && low_a >> 23 > 0 && low_b >> 23 > 0
}

fn f16_values(word: u32) -> [f32; 2] {
    [word, word >> 16].map(f16_value)
}

/// Returns the value of an f16.
fn f16_value(bits: u32) -> f32 {
    let magnitude = f32::from_bits((bits & 0x7fff) << 13) * f32::from_bits(0x7780_0000);
    let magnitude = if bits & 0x7c00 == 0x7c00 {
        f32::from_bits(0x7f80_0000 | (bits & 0x3ff) << 13)
    } else {
        magnitude
    };
    f32::from_bits(magnitude.to_bits() | (bits & 0x8000) << 16)
}

fn brains(word: u32) -> [f32; 2] {
    [
        f32::from_bits(word << 16),
        f32::from_bits(word & 0xffff_0000),
    ]
}

fn tf32(word: u32) -> [f32; 1] {
    [f32::from_bits(word & 0xffff_e000)]
}

fn e5m2(word: u32) -> [f32; 4] {
    word.to_le_bytes()
        .map(|byte| f16_value(u32::from(byte) << 8))
}

fn e4m3(word: u32) -> [f32; 4] {
    word.to_le_bytes().map(|byte| {
        let bits = u32::from(byte);
        let magnitude = match bits & 0x7f {
            0x7f => f32::NAN,
            m => f32::from_bits(m << 20) * f32::from_bits(0x7b80_0000),
        };
        f32::from_bits(magnitude.to_bits() | (bits & 0x80) << 24)
    })
}

/// Returns the value of a sum's bits.
fn widen(sum: Sum, bits: u32) -> f32 {
    match sum {
        Sum::F16 => f16_value(bits),
        _ => f32::from_bits(bits),
    }
}

/// Adds two sums in ordinary arithmetic.
fn add(sum: Sum, a: u32, b: u32) -> u32 {
    let ty = match sum {
        Sum::F16 => Float::F16,
        _ => Float::F32,
    };
    ieee(FloatOp::Add, ty, Round::Nearest, [a.into(), b.into(), 0]) as u32
}

fn ieee(op: FloatOp, ty: Float, round: Round, args: [u64; 3]) -> u64 {
    let mode = Mode {
        ty,
        round,
        ftz: false,
        sat: false,
        relu: false,
    };
    eval(op, mode, args)
}

/// Returns the power of two of a number; subnormal numbers have that of `least`, the smallest normal number.
fn power_of(x: f32, least: f32) -> f32 {
    f32::from_bits(x.to_bits() & 0x7f80_0000).max(least)
}

/// A number type that represents the products exactly.
trait Real: Copy + Default + PartialOrd + std::ops::Mul<Output = Self> {
    /// Converts from f32.
    fn of(x: f32) -> Self;
    /// Converts to f64.
    fn wide(self) -> f64;
    /// Returns `2^kept / self`, where `self` is a power of two.
    fn scale(self, kept: i32) -> Self;
    /// Returns the integer part of a number less than 2^31.
    fn whole(self) -> i32;
}

impl Real for f32 {
    fn of(x: f32) -> f32 {
        x
    }
    fn wide(self) -> f64 {
        self.into()
    }
    fn scale(self, kept: i32) -> f32 {
        (1u32 << kept) as f32 / self
    }
    fn whole(self) -> i32 {
        // SAFETY: scaled products and sums are finite and below 2^(kept + 2), since a number is less than twice its
        // power of two.
        unsafe { self.to_int_unchecked() }
    }
}

impl Real for f64 {
    fn of(x: f32) -> f64 {
        x.into()
    }
    fn wide(self) -> f64 {
        self
    }
    fn scale(self, kept: i32) -> f64 {
        f64::from(1u32 << kept) / self
    }
    fn whole(self) -> i32 {
        // SAFETY: scaled products and sums are finite and below 2^(kept + 2), since a number is less than twice its
        // power of two.
        unsafe { self.to_int_unchecked() }
    }
}

/// Factors ready to be multiplied and added.
struct Table<'a, T, const K: usize> {
    factors: &'a Factors<f32, K>,
    rule: Rule,
    /// A, with 0 for elements that are not finite.
    a: [[T; K]; 16],
    /// B, with 0 for elements that are not finite.
    b: [[T; 8]; K],
    /// The powers of two of A's elements; 0 for zeros.
    powers_a: [[T; K]; 16],
    /// The powers of two of B's elements; 0 for zeros.
    powers_b: [[T; 8]; K],
    /// True if a factor is infinite or NaN.
    special: bool,
}

impl<'a, T: Real, const K: usize> Table<'a, T, K> {
    fn new(factors: &'a Factors<f32, K>, mma: Mma, rule: Rule) -> Self {
        let mut table = Table {
            factors,
            rule,
            a: [[T::default(); K]; 16],
            b: [[T::default(); 8]; K],
            powers_a: [[T::default(); K]; 16],
            powers_b: [[T::default(); 8]; K],
            special: false,
        };
        let mut prepare = |element, from: &[f32], numbers: &mut [T], powers: &mut [T]| {
            let least = f32::from_bits(rule.least(element) << 23);
            for ((&x, number), power) in from.iter().zip(numbers).zip(powers) {
                table.special |= !x.is_finite();
                let x = if x.is_finite() { x } else { 0.0 };
                *number = T::of(x);
                *power = T::of(if x == 0.0 { 0.0 } else { power_of(x, least) });
            }
        };
        prepare(
            mma.a,
            factors.a.as_flattened(),
            table.a.as_flattened_mut(),
            table.powers_a.as_flattened_mut(),
        );
        prepare(
            mma.b,
            factors.b.as_flattened(),
            table.b.as_flattened_mut(),
            table.powers_b.as_flattened_mut(),
        );
        table
    }

    /// Returns the sums of `c` and a row's products in the range `k`.
    fn sum(&self, row: usize, k: Range<usize>, c: [u32; 8], ty: Sum) -> [u32; 8] {
        let c = c.map(|bits| widen(ty, bits));
        let (a, powers) = (&self.a[row][k.clone()], &self.powers_a[row][k.clone()]);
        let partners = self.factors.partners(&self.powers_b, row, k.clone());
        let mut top = [T::default(); 8];
        for (&x, columns) in powers.iter().zip(partners.iter()) {
            for (top, &y) in top.iter_mut().zip(columns) {
                let both = x * y;
                *top = if both > *top { both } else { *top };
            }
        }
        let no_product = top.map(|top| top == T::default());
        let least_of_c = f32::from_bits(self.rule.least_of_c(ty) << 23);
        for (top, &c) in top.iter_mut().zip(&c) {
            if c.is_finite() && c != 0.0 {
                let power = T::of(power_of(c, least_of_c));
                *top = if power > *top { power } else { *top };
            }
        }
        // Without a product, any finite scale will do.
        let scale: [T; 8] = std::array::from_fn(|n| match no_product[n] {
            true => T::default(),
            false => top[n].scale(self.rule.kept),
        });
        let partners = self.factors.partners(&self.b, row, k.clone());
        let mut sums = [0i32; 8];
        for (&x, columns) in a.iter().zip(partners.iter()) {
            for n in 0..8 {
                sums[n] += (x * columns[n] * scale[n]).whole();
            }
        }
        let mut values = [0.0; 8];
        for n in 0..8 {
            let c = if c[n].is_finite() { c[n] } else { 0.0 };
            let sum = f64::from(sums[n]) + f64::from((T::of(c) * scale[n]).whole());
            let unit = top[n].wide() / f64::from(1u32 << self.rule.kept);
            values[n] = if no_product[n] { c.into() } else { sum * unit };
        }
        let mut out = values.map(|value| round(value, ty, self.rule));
        if self.special || c.iter().any(|c| !c.is_finite()) {
            self.mark_special(row, k, c, ty, &mut out);
        }
        out
    }

    /// Replaces the sums that are infinite or NaN.
    fn mark_special(&self, row: usize, k: Range<usize>, c: [f32; 8], ty: Sum, out: &mut [u32; 8]) {
        for (n, out) in out.iter_mut().enumerate() {
            let mut sum = if c[n].is_finite() {
                0.0
            } else {
                f64::from(c[n])
            };
            let partners = self.factors.partners(&self.factors.b, row, k.clone());
            for (x, columns) in self.factors.a[row][k.clone()].iter().zip(partners.iter()) {
                let product = f64::from(*x) * f64::from(columns[n]);
                if !product.is_finite() {
                    sum += product;
                }
            }
            if sum.is_nan() {
                *out = if ty == Sum::F16 { NAN16 } else { NAN32 };
            } else if sum != 0.0 {
                *out = round(sum, ty, self.rule);
            }
        }
    }
}

/// Returns the bits of a sum: rounded to nearest as an f16, towards zero as an f32. A sum out of range is infinite,
/// and a zero sum is positive.
fn round(value: f64, ty: Sum, rule: Rule) -> u32 {
    let bits = match ty {
        Sum::F16 => to_f16(value),
        _ => towards_zero(value) & rule.mask(),
    };
    let sign = if ty == Sum::F16 { 0x8000 } else { 0x8000_0000 };
    if bits & !sign == 0 { 0 } else { bits }
}

/// Returns the bits of the f16 nearest to a number.
fn to_f16(value: f64) -> u32 {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i64 - 1023;
    if !(-14..16).contains(&exponent) {
        return from_f64(Float::F16, value) as u32;
    }
    // Ties go to even. A carry goes on into the exponent, up to that of infinity.
    let magnitude = bits & (u64::MAX >> 1);
    let rounded = (magnitude + ((1 << 41) - 1) + (bits >> 42 & 1)) >> 42;
    (bits >> 48 & 0x8000) as u32 | (rounded - ((1023 - 15) << 10)) as u32
}

/// Returns the bits of the f32 next to a number towards zero; numbers out of range are infinite.
fn towards_zero(value: f64) -> u32 {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7ff) as i32 - 1023;
    if (-126..128).contains(&exponent) {
        // The number in f32: a shorter mantissa and another bias.
        let magnitude = ((exponent + 127) as u32) << 23 | (bits >> 29) as u32 & 0x7f_ffff;
        return (bits >> 32) as u32 & 0x8000_0000 | magnitude;
    }
    let near = value as f32;
    if exponent < 128 && f64::from(near).abs() > value.abs() {
        near.to_bits() - 1
    } else {
        near.to_bits()
    }
}

/// The f16 shape `m8n8k4`: four products of 8 by 4 and 4 by 8, each by the eight lanes whose numbers agree in bits 2
/// and 3. For targets from sm_80 on, it is ordinary arithmetic.
pub fn quad(mma: Mma, active: u32, site: &mut impl Site) {
    let [words_a, words_b, words_c, words_d] = mma.registers();
    let read = |site: &_, first: usize, n: usize| Site::words(site, first + n);
    let a: [Words; 2] = [0, 1].map(|n| read(site, 0, n));
    let b: [Words; 2] = [0, 1].map(|n| read(site, words_a, n));
    let c: Vec<Words> = (0..words_c)
        .map(|n| read(site, words_a + words_b, n))
        .collect();
    // f16 number `n` of lane `lane` of the eight.
    let element = |words: &[Words; 2], quad: usize, lane: usize, n: usize| {
        let at = lane % 4 + 4 * quad + lane / 4 * 16;
        f16_value(words[n / 2 % 2][at] >> (16 * (n % 2)) & 0xffff)
    };
    let mut d = vec![[0u32; 32]; words_d];
    for lane in 0..32 {
        let quad = lane / 4 % 4;
        let upper = lane / 16 * 4;
        for n in 0..8 {
            let place = |sum: Sum| match sum {
                Sum::F16 => (lane % 4 + upper, n),
                _ => ((lane & 1) + (n & 2) + upper, (n & 4) + (lane & 2) + (n & 1)),
            };
            let (row, column) = place(mma.d);
            let x = |k: usize| match mma.a_by_columns {
                true => element(&a, quad, k + row / 4 * 4, row % 4),
                false => element(&a, quad, row, k),
            };
            let y = |k: usize| match mma.b_by_rows {
                true => element(&b, quad, k + column / 4 * 4, column % 4),
                false => element(&b, quad, column, k),
            };
            let c = match mma.c {
                Sum::F16 => {
                    // The position in C if its layout differs from D's.
                    let at = row % 4 + 4 * quad + row / 4 * 16;
                    f16_value(c[column / 2][at] >> (16 * (column % 2)) & 0xffff)
                }
                _ => f32::from_bits(c[n][lane]),
            };
            let fma = |x: f32, y: f32, z: u32| {
                let args = [x.to_bits(), y.to_bits(), z].map(u64::from);
                ieee(FloatOp::Fma, Float::F32, Round::Nearest, args) as u32
            };
            let plus = |x: u32, y: u32| add(Sum::F32, x, y);
            match mma.d {
                Sum::F16 => {
                    let pair = |k: usize| {
                        let first = ieee(
                            FloatOp::Mul,
                            Float::F32,
                            Round::Nearest,
                            [x(k).to_bits().into(), y(k).to_bits().into(), 0],
                        );
                        fma(x(k + 1), y(k + 1), first as u32)
                    };
                    let sum = plus(plus(c.to_bits(), pair(0)), pair(2));
                    let bits = from_f64(Float::F16, f32::from_bits(sum).into());
                    d[n / 2][lane] |= (bits as u32 & 0xffff) << (16 * (n % 2));
                }
                _ => {
                    let sum = (0..4).fold(0, |sum, k| fma(x(k), y(k), sum));
                    d[n][lane] = plus(c.to_bits(), sum);
                }
            }
        }
    }
    for (n, words) in d.iter().enumerate() {
        site.put_words(n, active, words);
    }
}

/// Computes `D = A * B + C` in f64: a chain of fused operations along `k`.
pub fn double(mma: Mma, active: u32, site: &mut impl Site) {
    let [words_a, words_b, words_c, _] = mma.registers();
    let a: Vec<Lanes> = (0..words_a).map(|n| site.arg(n)).collect();
    let b: Vec<Lanes> = (0..words_b).map(|n| site.arg(words_a + n)).collect();
    for n in 0..words_c {
        let mut sums = site.arg(words_a + words_b + n);
        for (lane, sum) in sums.iter_mut().enumerate() {
            let (half, column) = (n / 2, lane % 4 * 2 + n % 2);
            for k in 0..usize::from(mma.k) {
                let word = if mma.m == 8 { k / 4 } else { k / 4 * 2 + half };
                let x = a[word % words_a][lane / 4 * 4 + k % 4];
                let y = b[k / 4 % words_b][column * 4 + k % 4];
                *sum = ieee(FloatOp::Fma, Float::F64, mma.round, [x, y, *sum]);
            }
        }
        site.put(n, active, &sums);
    }
}
