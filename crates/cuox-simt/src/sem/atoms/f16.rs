//! Sums of f16 and bf16, or of pairs of them. A run of threads with the same address keeps the sum in a vector
//! register, as an f32.

use super::{Cell, Group, lanes};
use crate::ir::Float;
use std::arch::x86_64::*;

/// Returns true if the processor has the instructions.
#[inline(always)]
pub fn can() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c")
}

/// Adds numbers of one format.
///
/// # Safety
/// The same as for [`super::atomic`]; in addition, [`can`] must be true.
#[target_feature(enable = "avx2,f16c")]
pub unsafe fn sums(group: Group, format: Float, packed: bool) {
    // SAFETY: the caller guarantees what `each` requires, and the instructions.
    unsafe {
        match (format, packed) {
            (Float::F16, true) => all::<u32, true>(group),
            (Float::F16, false) => all::<u16, true>(group),
            (_, true) => all::<u32, false>(group),
            (_, false) => all::<u16, false>(group),
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn all<T: Cell, const HALF: bool>(group: Group) {
    // SAFETY: the caller guarantees what `each` requires, and the instructions.
    unsafe {
        if group.count > 1 {
            return group.vectors(|old: T, by| sum::<T, HALF>(old, by));
        }
        let one = |old: T, lane: usize| {
            group.put(lane, old);
            sum::<T, HALF>(old, group.arg(0, lane))
        };
        group.chains(one, |old: T, set| chain::<T, HALF>(group, old, set));
    }
}

/// Returns the sums of the numbers of two words.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn sum<T: Cell, const HALF: bool>(old: T, by: T) -> T {
    let (old_bits, by_bits) = (old.bits() as u32, by.bits() as u32);
    let sum = _mm_add_ps(wide::<HALF>(old_bits), wide::<HALF>(by_bits));
    if _mm_movemask_ps(_mm_cmpunord_ps(sum, sum)) != 0 {
        return portable::<T, HALF>(old, by);
    }
    let value = if HALF { sum } else { rounded::<HALF>(sum) };
    T::of_bits(narrow::<HALF>(value).into())
}

/// Adds the operands of a set of threads to `before`, one after the other, and returns the sum; stores the old value
/// for each thread.
///
/// # Safety
/// The same as for [`super::atomic`].
#[inline]
#[target_feature(enable = "avx2,f16c")]
unsafe fn chain<T: Cell, const HALF: bool>(group: Group, before: T, set: u32) -> T {
    let mut value = wide::<HALF>(before.bits() as u32);
    let mut found = before;
    for n in lanes(set) {
        // SAFETY: the threads are in the mask, so the operand array has elements for them.
        let by = unsafe {
            group.put(n, found);
            group.arg::<T>(0, n)
        };
        value = rounded::<HALF>(_mm_add_ps(value, wide::<HALF>(by.bits() as u32)));
        found = T::of_bits(narrow::<HALF>(value).into());
    }
    // A sum that is NaN stays NaN. NaN payloads need the slow path.
    if _mm_movemask_ps(_mm_cmpunord_ps(value, value)) != 0 {
        // SAFETY: the caller guarantees the arrays' sizes and the instructions.
        return unsafe { with_nans::<T, HALF>(group, before, set) };
    }
    found
}

#[cold]
unsafe fn with_nans<T: Cell, const HALF: bool>(group: Group, before: T, set: u32) -> T {
    lanes(set).fold(before, |value, lane| {
        // SAFETY: the threads are in the mask, so the operand array has elements for them.
        let by = unsafe {
            group.put(lane, value);
            group.arg(0, lane)
        };
        portable::<T, HALF>(value, by)
    })
}

/// [`sum`] by single additions, which give NaN results the right bits.
#[cold]
fn portable<T: Cell, const HALF: bool>(old: T, by: T) -> T {
    let sum = if HALF {
        super::f16_sum
    } else {
        super::brain_sum
    };
    let (old, by) = (old.bits(), by.bits());
    let high = sum((old >> 16) as u16, (by >> 16) as u16);
    T::of_bits(u64::from(high) << 16 | u64::from(sum(old as u16, by as u16)))
}

/// Returns the two numbers of a word in the low elements; the other elements are 0.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn wide<const HALF: bool>(bits: u32) -> __m128 {
    let word = _mm_cvtsi32_si128(bits as i32);
    if HALF {
        return _mm_cvtph_ps(word);
    }
    _mm_castsi128_ps(_mm_slli_epi32::<16>(_mm_cvtepu16_epi32(word)))
}

/// Rounds to the format's precision. For bf16 the lower halves of the words are undefined.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn rounded<const HALF: bool>(sum: __m128) -> __m128 {
    if HALF {
        return _mm_cvtph_ps(_mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(sum));
    }
    let bits = _mm_castps_si128(sum);
    let odd = _mm_and_si128(_mm_srli_epi32::<16>(bits), _mm_set1_epi32(1));
    let up = _mm_add_epi32(_mm_add_epi32(bits, _mm_set1_epi32(0x7fff)), odd);
    _mm_castsi128_ps(_mm_and_si128(up, _mm_set1_epi32(0xffff_0000u32 as i32)))
}

/// Returns the word of two such numbers.
#[inline]
#[target_feature(enable = "avx2,f16c")]
fn narrow<const HALF: bool>(value: __m128) -> u32 {
    let word = if HALF {
        _mm_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(value)
    } else {
        let high = _mm_srli_epi32::<16>(_mm_castps_si128(value));
        _mm_packus_epi32(high, high)
    };
    _mm_cvtsi128_si32(word) as u32
}
