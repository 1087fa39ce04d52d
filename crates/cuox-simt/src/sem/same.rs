//! Lanes of a warp with equal values, as `match` needs them.

use super::warp::{Lanes, Words};

/// Returns for each lane the set of lanes with the same word.
pub fn of_words(values: &Words) -> Words {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            // SAFETY: the processor has AVX-512, which was checked above.
            return unsafe { x86::of_words_512(values) };
        }
        x86::of_words(values)
    }
    #[cfg(not(target_arch = "x86_64"))]
    plain(values)
}

/// Returns for each lane the set of lanes with the same 64-bit value.
pub fn of_longs(values: &Lanes) -> Words {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has AVX-512, which was checked above.
        return unsafe { x86::of_longs_512(values) };
    }
    // Both 32-bit halves must be equal.
    let low = of_words(&values.map(|v| v as u32));
    let high = of_words(&values.map(|v| (v >> 32) as u32));
    std::array::from_fn(|lane| low[lane] & high[lane])
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn plain(values: &Words) -> Words {
    values.map(|value| {
        let lanes = values.iter().enumerate();
        lanes.fold(0, |set, (lane, &other)| {
            set | u32::from(other == value) << lane
        })
    })
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Lanes, Words};
    use std::arch::x86_64::*;

    /// [`super::of_words`] on 128-bit vectors, which every x86-64 processor has.
    pub fn of_words(values: &Words) -> Words {
        // SAFETY: 128-bit vectors are part of x86-64; only the 32 words are read.
        unsafe {
            let at = values.as_ptr().cast::<__m128i>();
            let parts: [__m128i; 8] = std::array::from_fn(|n| _mm_loadu_si128(at.add(n)));
            values.map(|value| {
                let value = _mm_set1_epi32(value as i32);
                let [a, b, c, d, e, f, g, h] = parts.map(|part| _mm_cmpeq_epi32(part, value));
                let half = |a, b, c, d| {
                    let bytes = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
                    _mm_movemask_epi8(bytes) as u32
                };
                half(a, b, c, d) | half(e, f, g, h) << 16
            })
        }
    }

    // Loops instead of `map`: closures compiled for AVX-512 are not inlined into it.

    /// [`super::of_words`] on vectors of sixteen.
    #[target_feature(enable = "avx512f")]
    pub fn of_words_512(values: &Words) -> Words {
        let at = values.as_ptr();
        // SAFETY: only the 32 words are read.
        let (low, high) = unsafe {
            (
                _mm512_loadu_si512(at.cast()),
                _mm512_loadu_si512(at.add(16).cast()),
            )
        };
        let mut sets = [0; 32];
        for (set, &value) in sets.iter_mut().zip(values) {
            let value = _mm512_set1_epi32(value as i32);
            let [low, high] = [
                _mm512_cmpeq_epi32_mask(low, value),
                _mm512_cmpeq_epi32_mask(high, value),
            ];
            *set = u32::from(high) << 16 | u32::from(low);
        }
        sets
    }

    /// [`super::of_longs`] on vectors of eight.
    #[target_feature(enable = "avx512f")]
    pub fn of_longs_512(values: &Lanes) -> Words {
        let mut sets = [0; 32];
        for part in 0..4 {
            // SAFETY: only the 32 numbers are read.
            let eight = unsafe { _mm512_loadu_si512(values.as_ptr().add(8 * part).cast()) };
            for (set, &value) in sets.iter_mut().zip(values) {
                let same = _mm512_cmpeq_epi64_mask(eight, _mm512_set1_epi64(value as i64));
                *set |= u32::from(same) << (8 * part);
            }
        }
        sets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_compare_as_words_do() {
        let mut state = 1u64;
        for turn in 0..200 {
            let values: Lanes = std::array::from_fn(|_| {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                // Few values, some of which differ in one half only.
                let few = state >> 60;
                if turn % 2 == 0 {
                    few
                } else {
                    few << (16 * (state >> 50 & 3))
                }
            });
            let words = values.map(|v| v as u32);
            let expected = plain(&words);
            assert_eq!(of_words(&words), expected);
            #[cfg(target_arch = "x86_64")]
            assert_eq!(x86::of_words(&words), expected);
            let longs = values.map(|value| {
                let lanes = values.iter().enumerate();
                lanes.fold(0, |set, (lane, &other)| {
                    set | u32::from(other == value) << lane
                })
            });
            assert_eq!(of_longs(&values), longs);
        }
    }
}
