//! The layout of matrix elements in lanes (PTX ISA, "Matrix fragments for mma").
//!
//! A lane is number `q` of the four of group `g`. A factor's words hold neighbours along `k`. A's words alternate
//! between rows `g` and `g + 8`; B's words are in column `g`. A sum's pairs of neighbours are in row `g`, then in row
//! `g + 8`.

use crate::ir::{Mma, Sparse, Sum};
use crate::sem::warp::{Site, Words};
use std::borrow::Cow;
use std::ops::Range;

/// The factors as they are stored. `K` is the largest number of rows of B.
pub struct Factors<T, const K: usize> {
    /// A by rows.
    pub a: [[T; K]; 16],
    /// B by rows.
    pub b: [[T; 8]; K],
    /// The column (of A, so the row of B) of each stored element of A, if it differs from the element's index.
    pub columns: Option<Box<[[u8; K]; 16]>>,
}

impl<T: Copy, const K: usize> Factors<T, K> {
    /// Returns the rows of B by which the elements `stored` of a row of A are multiplied.
    pub fn partners<'a, U: Copy>(
        &self,
        b: &'a [[U; 8]; K],
        row: usize,
        stored: Range<usize>,
    ) -> Cow<'a, [[U; 8]]> {
        match &self.columns {
            None => Cow::Borrowed(&b[stored]),
            Some(columns) => columns[row][stored]
                .iter()
                .map(|&column| b[usize::from(column) % K])
                .collect(),
        }
    }
}

/// Reads the factors. `a` and `b` return the elements of a word, lowest first.
pub fn factors<T: Copy + Default, const A: usize, const B: usize, const K: usize>(
    mma: Mma,
    site: &impl Site,
    a: impl Fn(u32) -> [T; A],
    b: impl Fn(u32) -> [T; B],
) -> Factors<T, K> {
    let [words_a, words_b, words_c, _] = mma.registers();
    let mut out = Factors {
        a: [[T::default(); K]; 16],
        b: [[T::default(); 8]; K],
        columns: None,
    };
    for n in 0..words_a {
        let (down, first) = match mma.m {
            8 => (0, n * 4 * A),
            _ => (n % 2 * 8, n / 2 * 4 * A),
        };
        for (lane, word) in site.words(n).into_iter().enumerate() {
            let row = &mut out.a[lane / 4 + down];
            for (i, value) in a(word).into_iter().enumerate() {
                row[(first + lane % 4 * A + i) % K] = value;
            }
        }
    }
    for n in 0..words_b {
        for (lane, word) in site.words(words_a + n).into_iter().enumerate() {
            for (i, value) in b(word).into_iter().enumerate() {
                out.b[(n * 4 * B + lane % 4 * B + i) % K][lane / 4] = value;
            }
        }
    }
    if let Some(sparse) = mma.sparse {
        let meta = site.words(words_a + words_b + words_c);
        let mut columns = Box::new([[0; K]; 16]);
        for (row, columns) in columns.iter_mut().enumerate() {
            for (stored, column) in columns[..usize::from(mma.k) / 2].iter_mut().enumerate() {
                *column = expanded(mma, sparse, &meta, row, stored) as u8;
            }
        }
        out.columns = Some(columns);
    }
    out
}

/// Computes D row by row. `row` takes a row's number and C's elements, and returns D's; elements are in the low bits.
pub fn sums(
    mma: Mma,
    active: u32,
    site: &mut impl Site,
    mut row: impl FnMut(usize, [u32; 8]) -> [u32; 8],
) {
    let [words_a, words_b, words_c, _] = mma.registers();
    let mut rows = [[0u32; 8]; 16];
    for n in 0..words_c {
        let words = site.words(words_a + words_b + n);
        for (lane, word) in words.into_iter().enumerate() {
            let (group, column) = (lane / 4, lane % 4 * 2);
            if mma.c == Sum::F16 {
                rows[group + n % 2 * 8][column] = word & 0xffff;
                rows[group + n % 2 * 8][column + 1] = word >> 16;
            } else {
                rows[group + n / 2 % 2 * 8][column + n % 2] = word;
            }
        }
    }
    for (n, elements) in rows[..usize::from(mma.m.min(16))].iter_mut().enumerate() {
        *elements = row(n, *elements);
    }
    let put = |site: &mut _, n: usize, f: &dyn Fn(usize, usize) -> u32| {
        let words: Words = std::array::from_fn(|lane| f(lane / 4, lane % 4 * 2));
        Site::put_words(site, n, active, &words);
    };
    for n in 0..usize::from(mma.m) / 8 {
        let at = |group: usize, column: usize| rows[(group + 8 * n) % 16][column];
        if mma.d == Sum::F16 {
            put(site, n, &|g, q| at(g, q) & 0xffff | at(g, q + 1) << 16);
        } else {
            put(site, 2 * n, &|g, q| at(g, q));
            put(site, 2 * n + 1, &|g, q| at(g, q + 1));
        }
    }
}

/// Returns the column of A for element number `stored` of its row.
///
/// Each group of four elements (eight of 4 bits, two of tf32) has four bits of metadata, which name the two pairs
/// (for tf32 the single element) that are stored. The lanes of four take turns to hold them.
fn expanded(mma: Mma, sparse: Sparse, meta: &Words, row: usize, stored: usize) -> usize {
    let bits = mma.a.bits();
    let group = match bits {
        32 => stored,
        16 | 8 => stored / 2,
        _ => stored / 4,
    };
    let groups = match bits {
        32 => mma.k / 2,
        16 | 8 => mma.k / 4,
        _ => mma.k / 8,
    };
    let lanes = usize::from(groups).div_ceil(4);
    let (lane, shift) = if bits >= 16 {
        (group / 4, 16 * (row / 8) + 4 * (group % 4))
    } else {
        (row / 8 + group / 8 * 2, 4 * (group % 8))
    };
    let lane = row % 8 * 4 + usize::from(sparse.selector) * lanes + lane;
    let nibble = (meta[lane % 32] >> shift & 15) as usize;
    match bits {
        32 => 2 * group + usize::from(nibble == 0b1110),
        16 | 8 => 4 * group + (nibble >> (stored % 2 * 2) & 3),
        _ => 8 * group + (nibble >> (stored / 2 % 2 * 2) & 3) * 2 + stored % 2,
    }
}
