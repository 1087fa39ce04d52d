//! Operations on matrices with AVX-512. Results are those of the portable code, which handles the rare cases.
//!
//! A vector is a sum's word in sixteen lanes: four rows, and the even or the odd columns of each. The lanes of a row
//! have the same element of A, and the lanes of a column the same element of B.
//!
//! Plain loops are used since a closure that is passed to a function without these instructions is not inlined.
#![allow(clippy::needless_range_loop)]

use super::rule::Rule;
use crate::ir::{Element, MatrixOp, Mma, Sum};
use crate::sem::warp::{Site, Words};
use std::arch::x86_64::*;
use std::ops::Range;

/// The exponent of zero, less than that of any product.
const NONE: i32 = -4096;
/// The largest number of registers of a factor or of C.
const MOST: usize = 10;
/// The even and the odd columns.
const SIDES: usize = 2;

/// Returns true if the processor has the instructions.
fn has_instructions() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
}

/// Performs an operation that is no product; returns false if this module lacks it or the processor the instructions.
pub fn perform(op: MatrixOp, active: u32, site: &mut impl Site) -> bool {
    if !has_instructions() {
        return false;
    }
    match op {
        MatrixOp::Spread { count, trans } => {
            let mut rooms = [[0; 32]; 4];
            let mut parts = [[0; 32]; 4];
            let [a, b, c, d] = &mut rooms;
            let rows = [
                site.words_in(0, a),
                site.words_in(1, b),
                site.words_in(2, c),
                site.words_in(3, d),
            ];
            for (n, part) in parts[..usize::from(count.min(4))].iter_mut().enumerate() {
                // SAFETY: the processor has the instructions, which was checked above.
                unsafe {
                    *part = spread(rows, n);
                    if trans {
                        *part = transpose(part);
                    }
                }
            }
            for (n, part) in parts[..usize::from(count.min(4))].iter().enumerate() {
                site.put_words(n, active, part);
            }
            true
        }
        MatrixOp::Transpose => {
            let part = site.words(0);
            // SAFETY: the processor has the instructions, which was checked above.
            site.put_words(0, active, &unsafe { transpose(&part) });
            true
        }
        _ => false,
    }
}

/// Performs a product; returns false if this module lacks it or the processor the instructions.
pub fn multiply(mma: Mma, rule: Rule, active: u32, site: &mut impl Site) -> bool {
    if !has_instructions() || !is_usual(mma) {
        return false;
    }
    let [a, b, c, d] = mma.registers();
    let mut rooms = [[0; 32]; MOST];
    let mut words = [&[0; 32]; MOST];
    if a + b + c > MOST || d > 4 {
        return false;
    }
    let operands = words.iter_mut().zip(&mut rooms);
    for (n, (words, room)) in operands.take(a + b + c).enumerate() {
        *words = site.words_in(n, room);
    }
    let (factors, sums) = words.split_at(a + b);
    let (a, b) = factors.split_at(a);
    let Some(results) = product(mma, rule, a, b, &sums[..c]) else {
        return false;
    };
    for (n, words) in results[..d].iter().enumerate() {
        site.put_words(n, active, words);
    }
    true
}

/// Returns true if this module implements a product.
fn is_usual(mma: Mma) -> bool {
    use Element::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
    let sums = match mma.a {
        S8 | U8 => true,
        F16 | Bf16 | Tf32 | E4m3 | E5m2 => mma.m == 16 && mma.c == mma.d,
        _ => false,
    };
    sums && mma.sparse.is_none()
}

/// Computes `D = A * B + C`; `None` if the factors have numbers that need the portable code.
fn product(mma: Mma, rule: Rule, a: &[&Words], b: &[&Words], c: &[&Words]) -> Option<[Words; 4]> {
    let bytes = matches!(mma.a, Element::S8 | Element::U8);
    if bytes && is_x86_feature_detected!("avx512vnni") {
        // SAFETY: `perform` checked that the processor has the instructions.
        return Some(unsafe { integers(mma, a, b, c) });
    }
    // SAFETY: `perform` checked that the processor has the instructions.
    unsafe {
        match (mma.a.bits(), b.len()) {
            (8, 1) => floats::<2, 1>(mma, rule, a, b, c),
            (8, _) => floats::<2, 2>(mma, rule, a, b, c),
            (_, 1) => floats::<1, 1>(mma, rule, a, b, c),
            _ => floats::<1, 2>(mma, rule, a, b, c),
        }
    }
}

/// Returns the words of the lower (0) or the upper (1) 16 lanes.
#[inline]
#[target_feature(enable = "avx512f")]
fn half(words: &Words, which: usize) -> __m512i {
    // SAFETY: 64 bytes of the words' 128 are read.
    unsafe { _mm512_loadu_si512(words.as_ptr().add(16 * (which & 1)).cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn put_half(words: &mut Words, which: usize, value: __m512i) {
    // SAFETY: 64 bytes of the words' 128 are written.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().add(16 * (which & 1)).cast(), value) }
}

/// Returns a vector of lane numbers.
#[target_feature(enable = "avx512f")]
fn lanes(numbers: &[i32; 16]) -> __m512i {
    // SAFETY: the array has 64 bytes.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// Permutations that take the words of matrices in the lower or upper lanes, for the first or last four rows.
const ROWS: [[[i32; 16]; 2]; 2] = {
    let mut rows = [[[0; 16]; 2]; 2];
    let mut n = 0;
    while n < 64 {
        let (upper, which, lane) = (n / 32, n / 16 % 2, n % 16);
        rows[upper][which][lane] = (upper * 8 + which * 4 + lane / 4 + lane % 2 * 16) as i32;
        n += 1;
    }
    rows
};

/// Permutations that take the 16-bit elements of a transposed matrix.
const TURNED: [[u16; 32]; 2] = {
    let mut turned = [[0; 32]; 2];
    let mut n = 0;
    while n < 64 {
        turned[n / 32][n % 32] = (8 * (n % 8) + n / 8) as u16;
        n += 1;
    }
    turned
};

/// The lanes of B with the words that are multiplied by word `q` of a row, for the even or odd columns.
const COLUMNS: [[[i32; 16]; 4]; SIDES] = {
    let mut columns = [[[0; 16]; 4]; SIDES];
    let mut n = 0;
    while n < 128 {
        let (odd, q, lane) = (n / 64, n / 16 % 4, n % 16);
        columns[odd][q][lane] = (8 * (lane % 4) + 4 * odd + q) as i32;
        n += 1;
    }
    columns
};

/// Returns matrix `n` of `ldmatrix`: lane `4 * g + q` gets word `q` of the row in lane `8 * n + g`.
#[target_feature(enable = "avx512f")]
fn spread(rows: [&Words; 4], n: usize) -> Words {
    let mut out = [0; 32];
    for which in 0..2 {
        let index = lanes(&ROWS[n % 2][which]);
        let [a, b, c, d] = rows;
        let low = _mm512_permutex2var_epi32(half(a, n / 2), index, half(b, n / 2));
        let high = _mm512_permutex2var_epi32(half(c, n / 2), index, half(d, n / 2));
        put_half(&mut out, which, _mm512_mask_mov_epi32(low, 0xcccc, high));
    }
    out
}

/// Transposes an 8 by 8 matrix of 16-bit elements.
#[target_feature(enable = "avx512f,avx512bw")]
fn transpose(part: &Words) -> Words {
    let mut out = [0; 32];
    let (low, high) = (half(part, 0), half(part, 1));
    for which in 0..2 {
        // SAFETY: the array has 64 bytes.
        let index = unsafe { _mm512_loadu_si512(TURNED[which].as_ptr().cast()) };
        put_half(&mut out, which, _mm512_permutex2var_epi16(low, index, high));
    }
    out
}

/// Multiplies 8-bit integers.
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn integers(mma: Mma, a: &[&Words], b: &[&Words], c: &[&Words]) -> [Words; 4] {
    let mut out = [[0; 32]; 4];
    let (signed_a, signed_b) = (mma.a == Element::S8, mma.b == Element::S8);
    let flip = _mm512_set1_epi8(-128);
    let ones = _mm512_set1_epi8(1);
    let zero = _mm512_setzero_si512();
    let blocks = b.len().min(2);
    let tall = usize::from(mma.m) / 8;
    // The instruction multiplies unsigned bytes by signed bytes. If both factors are signed, or both unsigned, 128 is
    // added to A's elements or subtracted from B's, and the sum is corrected.
    let mut others = [[[zero; 4]; 2]; SIDES];
    let mut excess = [zero; SIDES];
    for odd in 0..SIDES {
        for (block, b) in b[..blocks].iter().enumerate() {
            let (low, high) = (half(b, 0), half(b, 1));
            for q in 0..4 {
                let mut y = _mm512_permutex2var_epi32(low, lanes(&COLUMNS[odd][q]), high);
                if signed_a && signed_b {
                    excess[odd] = _mm512_dpbusd_epi32(excess[odd], ones, y);
                } else if !signed_a && !signed_b {
                    y = _mm512_xor_si512(y, flip);
                }
                others[odd][block][q] = y;
            }
        }
    }
    for down in 0..tall {
        for which in 0..2 {
            let mut sums = [zero; SIDES];
            let mut of_row = zero;
            for block in 0..blocks {
                let Some(words) = a.get(block * tall + down) else {
                    continue;
                };
                let mut x = half(words, which);
                if signed_a && signed_b {
                    x = _mm512_xor_si512(x, flip);
                }
                for q in 0..4 {
                    let index = _mm512_set1_epi32(q as i32);
                    let x = _mm512_permutevar_ps(_mm512_castsi512_ps(x), index);
                    let x = _mm512_castps_si512(x);
                    if !signed_a && !signed_b {
                        of_row = _mm512_dpbusd_epi32(of_row, x, ones);
                    }
                    for odd in 0..SIDES {
                        let y = others[odd][block][q];
                        let (x, y) = if signed_a && !signed_b {
                            (y, x)
                        } else {
                            (x, y)
                        };
                        sums[odd] = _mm512_dpbusd_epi32(sums[odd], x, y);
                    }
                }
            }
            for odd in 0..SIDES {
                let n = 2 * down + odd;
                let excess = _mm512_sub_epi32(excess[odd], of_row);
                let sum = _mm512_sub_epi32(sums[odd], _mm512_slli_epi32(excess, 7));
                let Some(words) = c.get(n) else { continue };
                let c = half(words, which);
                let mut all = _mm512_add_epi32(sum, c);
                if mma.saturate {
                    // Overflow: both addends have the same sign, and the sum has another.
                    let over =
                        _mm512_andnot_si512(_mm512_xor_si512(sum, c), _mm512_xor_si512(sum, all));
                    let over = signs(over);
                    let end =
                        _mm512_xor_si512(_mm512_srai_epi32(c, 31), _mm512_set1_epi32(i32::MAX));
                    all = _mm512_mask_mov_epi32(all, over, end);
                }
                put_half(&mut out[n], which, all);
            }
        }
    }
    out
}

/// Returns the lanes whose sign bit is set.
#[target_feature(enable = "avx512f")]
fn signs(v: __m512i) -> __mmask16 {
    _mm512_cmplt_epi32_mask(v, _mm512_setzero_si512())
}

/// Returns element `i` of the words.
#[target_feature(enable = "avx512f")]
fn numbers(element: Element, words: __m512i, i: usize) -> __m512 {
    let down = _mm_cvtsi32_si128(match element.bits() {
        16 => 16 * i as i32,
        8 => 8 * i as i32,
        _ => 0,
    });
    let low = _mm512_srl_epi32(words, down);
    let mask = |bits: u32| _mm512_set1_epi32(bits as i32);
    match element {
        Element::F16 => _mm512_cvtph_ps(_mm512_cvtepi32_epi16(low)),
        Element::Bf16 => _mm512_castsi512_ps(_mm512_slli_epi32::<16>(low)),
        Element::E5m2 => {
            let half = _mm512_and_si512(_mm512_slli_epi32::<8>(low), mask(0xff00));
            _mm512_cvtph_ps(_mm512_cvtepi32_epi16(half))
        }
        Element::E4m3 => {
            let magnitude = _mm512_and_si512(low, mask(0x7f));
            let nan = _mm512_cmpeq_epi32_mask(magnitude, mask(0x7f));
            let bits = _mm512_castsi512_ps(_mm512_slli_epi32::<20>(magnitude));
            let number = _mm512_mul_ps(bits, _mm512_set1_ps(f32::from_bits(0x7b80_0000)));
            let sign = _mm512_slli_epi32::<24>(_mm512_and_si512(low, mask(0x80)));
            let number = _mm512_or_si512(_mm512_castps_si512(number), sign);
            _mm512_castsi512_ps(_mm512_mask_mov_epi32(number, nan, mask(0x7fff_ffff)))
        }
        _ => _mm512_castsi512_ps(_mm512_and_si512(low, mask(0xffff_e000))),
    }
}

/// The smallest and the largest exponent of a factor's nonzero elements.
struct Exponents {
    least: __m512i,
    low: __m512i,
    high: __m512i,
}

impl Exponents {
    /// Returns the initial bounds for a format, from the exponent of its smallest normal number.
    #[target_feature(enable = "avx512f")]
    fn new(least: i32) -> Exponents {
        Exponents {
            least: _mm512_set1_epi32(least),
            low: _mm512_set1_epi32(127),
            high: _mm512_set1_epi32(127),
        }
    }

    /// Adds the exponents of numbers; subnormal numbers have that of the smallest normal number.
    #[target_feature(enable = "avx512f")]
    fn of(&mut self, x: __m512) -> __m512i {
        let bits = _mm512_castps_si512(x);
        let some = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(i32::MAX));
        let field = _mm512_srli_epi32::<24>(_mm512_slli_epi32::<1>(bits));
        self.low = _mm512_mask_min_epi32(self.low, some, self.low, field);
        self.high = _mm512_mask_max_epi32(self.high, some, self.high, field);
        let field = _mm512_max_epi32(field, self.least);
        _mm512_mask_mov_epi32(_mm512_set1_epi32(NONE), some, field)
    }

    /// Adds the exponents of two vectors, as the two halves of words.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn of_pair(&mut self, x: [__m512; 2]) -> __m512i {
        let (low, high) = (self.of(x[0]), self.of(x[1]));
        _mm512_mask_mov_epi16(low, 0xaaaa_aaaa, _mm512_slli_epi32::<16>(high))
    }

    #[target_feature(enable = "avx512f")]
    fn range(&self) -> (i32, i32) {
        (
            _mm512_reduce_min_epi32(self.low),
            _mm512_reduce_max_epi32(self.high),
        )
    }
}

/// Two elements of a word, and their exponents.
#[derive(Clone, Copy)]
struct Pair {
    numbers: [__m512; 2],
    exponents: __m512i,
}

/// Returns pair `n` of the words' elements; the second element is zero if a word has only one.
#[target_feature(enable = "avx512f,avx512bw")]
fn pair(element: Element, words: __m512i, n: usize, exponents: &mut Exponents) -> Pair {
    let first = numbers(element, words, 2 * n);
    let second = match element {
        Element::Tf32 => _mm512_setzero_ps(),
        _ => numbers(element, words, 2 * n + 1),
    };
    let numbers = [first, second];
    Pair {
        numbers,
        exponents: exponents.of_pair(numbers),
    }
}

/// Multiplies floating-point numbers in words with `P` pairs each. Their exponents are well within f32's range; none
/// is infinite or NaN.
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
fn floats<const P: usize, const BLOCKS: usize>(
    mma: Mma,
    rule: Rule,
    a: &[&Words],
    b: &[&Words],
    c: &[&Words],
) -> Option<[Words; 4]> {
    if b.len() != BLOCKS || a.len() != 2 * BLOCKS {
        return None;
    }
    let none = Pair {
        numbers: [_mm512_setzero_ps(); 2],
        exponents: _mm512_setzero_si512(),
    };
    let [mut of_a, mut of_b] = [mma.a, mma.b].map(|ty| Exponents::new(rule.least(ty) as i32));
    // Indexed by half of the rows, half of the lanes, block and pair.
    let mut left = [[[[none; P]; BLOCKS]; 2]; 2];
    for block in 0..BLOCKS {
        for down in 0..2 {
            for which in 0..2 {
                let words = half(a[2 * block + down], which);
                for n in 0..P {
                    left[down][which][block][n] = pair(mma.a, words, n, &mut of_a);
                }
            }
        }
    }
    // Indexed by side, block, pair and word of a row.
    let mut right = [[[[none; 4]; P]; BLOCKS]; SIDES];
    for block in 0..BLOCKS {
        for n in 0..P {
            let low = pair(mma.b, half(b[block], 0), n, &mut of_b);
            let high = pair(mma.b, half(b[block], 1), n, &mut of_b);
            for odd in 0..SIDES {
                for q in 0..4 {
                    let index = lanes(&COLUMNS[odd][q]);
                    let to = &mut right[odd][block][n][q];
                    to.exponents = _mm512_permutex2var_epi32(low.exponents, index, high.exponents);
                    for i in 0..2 {
                        to.numbers[i] =
                            _mm512_permutex2var_ps(low.numbers[i], index, high.numbers[i]);
                    }
                }
            }
        }
    }
    let ((low_a, high_a), (low_b, high_b)) = (of_a.range(), of_b.range());
    let near = low_a + low_b > 254 - 100 && high_a + high_b < 254 + 100;
    if !near || low_a == 0 || low_b == 0 || high_a == 255 || high_b == 255 {
        return None;
    }
    let mut out = [[0; 32]; 4];
    for down in 0..2 {
        for which in 0..2 {
            let left = &left[down][which];
            let before = match mma.c {
                Sum::F16 => {
                    let words = half(c[down], which);
                    [
                        numbers(Element::F16, words, 0),
                        numbers(Element::F16, words, 1),
                    ]
                }
                _ => [
                    _mm512_castsi512_ps(half(c[2 * down], which)),
                    _mm512_castsi512_ps(half(c[2 * down + 1], which)),
                ],
            };
            let mut sums = before;
            if !rule.apart {
                sums = step(left, &right, 0..P, sums, mma, rule)?;
            } else {
                sums = [_mm512_setzero_ps(); SIDES];
                for n in 0..P {
                    sums = step(left, &right, n..n + 1, sums, mma, rule)?;
                }
                if !finite(before) || !finite(sums) {
                    return None;
                }
                sums = [
                    _mm512_add_ps(before[0], sums[0]),
                    _mm512_add_ps(before[1], sums[1]),
                ];
            }
            if mma.d == Sum::F16 {
                const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT;
                let even = _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<NEAREST>(sums[0]));
                let odd = _mm512_cvtepu16_epi32(_mm512_cvtps_ph::<NEAREST>(sums[1]));
                let pair = _mm512_or_si512(even, _mm512_slli_epi32::<16>(odd));
                put_half(&mut out[down], which, pair);
            } else {
                put_half(&mut out[2 * down], which, _mm512_castps_si512(sums[0]));
                put_half(&mut out[2 * down + 1], which, _mm512_castps_si512(sums[1]));
            }
        }
    }
    Some(out)
}

/// Adds C and the products of the pairs `pairs` of all words, for four rows.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq")]
fn step<const P: usize, const BLOCKS: usize>(
    left: &[[Pair; P]; BLOCKS],
    right: &[[[[Pair; 4]; P]; BLOCKS]; SIDES],
    pairs: Range<usize>,
    sums: [__m512; SIDES],
    mma: Mma,
    rule: Rule,
) -> Option<[__m512; SIDES]> {
    if !finite(sums) {
        return None;
    }
    let mut top = [_mm512_set1_epi32(NONE); SIDES];
    for block in 0..BLOCKS {
        for n in pairs.clone() {
            let exponents = _mm512_castsi512_ps(left[block][n].exponents);
            for q in 0..4 {
                let of_row = _mm512_castps_si512(of_word(exponents, q));
                for odd in 0..SIDES {
                    let both = _mm512_add_epi16(of_row, right[odd][block][n][q].exponents);
                    top[odd] = _mm512_max_epi16(top[odd], both);
                }
            }
        }
    }
    let least = rule.least_of_c(mma.c) as i32;
    let units = [0, 1].map(|odd| Unit::new(sums[odd], top[odd], least, rule));
    let mut wholes = [_mm512_setzero_si512(); SIDES];
    for block in 0..BLOCKS {
        for n in pairs.clone() {
            for i in 0..2 {
                if mma.a == Element::Tf32 && i == 1 {
                    continue;
                }
                for q in 0..4 {
                    let x = of_word(left[block][n].numbers[i], q);
                    for odd in 0..SIDES {
                        let product = _mm512_mul_ps(x, right[odd][block][n][q].numbers[i]);
                        let scaled = _mm512_mul_ps(product, units[odd].scale);
                        wholes[odd] = _mm512_add_epi32(wholes[odd], _mm512_cvttps_epi32(scaled));
                    }
                }
            }
        }
    }
    // C adds less than 2^26.
    let most = _mm512_set1_epi32(i32::MAX - (1 << 26));
    let first = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(wholes[0]), most);
    let second = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(wholes[1]), most);
    if first | second != 0 {
        return None;
    }
    Some([
        units[0].sum(wholes[0], sums[0], mma.d),
        units[1].sum(wholes[1], sums[1], mma.d),
    ])
}

/// Returns word `q` of every row in all its lanes.
#[target_feature(enable = "avx512f")]
fn of_word(x: __m512, q: usize) -> __m512 {
    _mm512_permutevar_ps(x, _mm512_set1_epi32(q as i32))
}

#[target_feature(enable = "avx512f")]
fn finite(sums: [__m512; SIDES]) -> bool {
    let limit = _mm512_set1_epi32(0x7f80_0000);
    let mut above = 0;
    for sum in sums {
        let bits = _mm512_and_si512(_mm512_castps_si512(sum), _mm512_set1_epi32(i32::MAX));
        above |= _mm512_cmpge_epi32_mask(bits, limit);
    }
    above == 0
}

/// The unit in which sums are counted: the last bit below the largest exponent that [`Rule::kept`] keeps.
#[derive(Clone, Copy)]
struct Unit {
    /// The unit's value.
    size: __m512,
    /// The number of units in 1.
    scale: __m512,
    /// The lanes that have a product.
    some: __mmask16,
    rule: Rule,
}

impl Unit {
    /// Returns the unit for C and the products' largest exponents, which are in the halves of words with twice the
    /// bias of 127. `least` is the exponent of C's smallest normal number.
    #[target_feature(enable = "avx512f,avx512bw")]
    fn new(c: __m512, top: __m512i, least: i32, rule: Rule) -> Unit {
        let top = _mm512_max_epi32(
            _mm512_srai_epi32::<16>(top),
            _mm512_srai_epi32::<16>(_mm512_slli_epi32::<16>(top)),
        );
        let some = _mm512_cmpge_epi32_mask(top, _mm512_setzero_si512());
        let of_c = Exponents::new(least).of(c);
        let top = _mm512_max_epi32(top, _mm512_add_epi32(of_c, _mm512_set1_epi32(127)));
        let scale = _mm512_sub_epi32(_mm512_set1_epi32(254 + 127 + rule.kept), top);
        let size = _mm512_sub_epi32(top, _mm512_set1_epi32(254 - 127 + rule.kept));
        // Without a product, any finite unit will do.
        Unit {
            size: _mm512_castsi512_ps(_mm512_slli_epi32::<23>(size)),
            scale: _mm512_castsi512_ps(_mm512_maskz_slli_epi32::<23>(some, scale)),
            some,
            rule,
        }
    }

    /// Returns the rounded sum of a number of units and C. Units are normal numbers, so no bits are lost before
    /// rounding.
    #[target_feature(enable = "avx512f")]
    fn sum(self, wholes: __m512i, c: __m512, ty: Sum) -> __m512 {
        const UP: i32 = _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC;
        const DOWN: i32 = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC;
        const CUT: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
        let of_c = _mm512_cvttps_epi32(_mm512_mul_ps(c, self.scale));
        let count = _mm512_add_epi32(wholes, of_c);
        let number = if ty == Sum::F16 {
            // Rounds to odd, and then to nearest.
            let down = _mm512_cvt_roundepi32_ps::<DOWN>(count);
            let up = _mm512_cvt_roundepi32_ps::<UP>(count);
            let odd = _mm512_test_epi32_mask(_mm512_castps_si512(down), _mm512_set1_epi32(1));
            let near = _mm512_mul_ps(_mm512_mask_mov_ps(up, odd, down), self.size);
            _mm512_cvtph_ps(_mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(near))
        } else {
            _mm512_mul_ps(_mm512_cvt_roundepi32_ps::<CUT>(count), self.size)
        };
        let number = _mm512_mask_mov_ps(c, self.some, number);
        let mask = match ty {
            Sum::F16 => u32::MAX,
            _ => self.rule.mask(),
        };
        let bits = _mm512_and_si512(_mm512_castps_si512(number), _mm512_set1_epi32(mask as i32));
        // A zero sum is positive.
        _mm512_add_ps(_mm512_castsi512_ps(bits), _mm512_setzero_ps())
    }
}
