//! Products of integers and of single bits.

use super::layout::{self, Factors};
use crate::ir::{Element, Mma};
use crate::sem::warp::Site;

/// Computes `D = A * B + C` of integers; results wrap around, or saturate if `saturate`.
pub fn product(mma: Mma, active: u32, site: &mut impl Site) {
    if mma.a == Element::B1 {
        return bits(mma, active, site);
    }
    // The largest `k` is that of sparse products of 4-bit numbers.
    let factors: Factors<i16, 128> = if mma.a.bits() == 4 {
        let (a, b) = (mma.a == Element::S4, mma.b == Element::S4);
        layout::factors(mma, site, |w| nibbles(w, a), |w| nibbles(w, b))
    } else {
        let (a, b) = (mma.a == Element::S8, mma.b == Element::S8);
        layout::factors(mma, site, |w| bytes(w, a), |w| bytes(w, b))
    };
    let stored = mma.stored().min(128);
    layout::sums(mma, active, site, |row, c: [u32; 8]| {
        let mut sums = [0i32; 8];
        let partners = factors.partners(&factors.b, row, 0..stored);
        for (&x, columns) in factors.a[row].iter().zip(partners.iter()) {
            for (sum, &y) in sums.iter_mut().zip(columns) {
                *sum += i32::from(x) * i32::from(y);
            }
        }
        std::array::from_fn(|n| {
            let c = c[n] as i32;
            if mma.saturate {
                sums[n].saturating_add(c) as u32
            } else {
                sums[n].wrapping_add(c) as u32
            }
        })
    });
}

fn bytes(word: u32, signed: bool) -> [i16; 4] {
    word.to_le_bytes().map(|byte| {
        if signed {
            i16::from(byte as i8)
        } else {
            i16::from(byte)
        }
    })
}

fn nibbles(word: u32, signed: bool) -> [i16; 8] {
    std::array::from_fn(|n| {
        let top = word << (28 - 4 * n);
        if signed {
            (top as i32 >> 28) as i16
        } else {
            (top >> 28) as i16
        }
    })
}

/// Combines the bits of A's rows with those of B's columns, and counts the set bits.
fn bits(mma: Mma, active: u32, site: &mut impl Site) {
    // The factors' elements are words of 32 bits.
    let words = Mma {
        k: mma.k / 32,
        a: Element::Tf32,
        b: Element::Tf32,
        ..mma
    };
    let factors: Factors<u32, 8> = layout::factors(words, site, |w| [w], |w| [w]);
    let k = usize::from(words.k).min(8);
    layout::sums(mma, active, site, |row, c: [u32; 8]| {
        let mut sums = c;
        for (&x, columns) in factors.a[row][..k].iter().zip(&factors.b) {
            for (sum, &y) in sums.iter_mut().zip(columns) {
                let both = if mma.xor { x ^ y } else { x & y };
                *sum = sum.wrapping_add(both.count_ones());
            }
        }
        sums
    });
}
