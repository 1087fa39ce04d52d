//! Products of warpgroups, of which each warp computes its own sixteen rows.

use super::rule::Rule;
use super::shared::{Outside, Part, Window};
use crate::ir::{Element, Wgmma};
use crate::sem::warp::{Lanes, Site, Words, lanes_of};

/// The operands before A.
const BEFORE_A: usize = 6;
const OUTSIDE: u32 = 1 << 31;
const NO_WARPGROUP: u32 = 1;

/// Performs a warp's part. The operands that all lanes share are those of the first active lane.
pub fn perform(op: Wgmma, active: u32, site: &mut impl Site) {
    let fault = match multiply(op, active, site) {
        Ok(()) => 0,
        Err(fault) => fault,
    };
    site.put_words(0, active, &[fault; 32]);
}

fn multiply(op: Wgmma, active: u32, site: &mut impl Site) -> Result<(), u32> {
    let lane = lanes_of(active).next().unwrap_or(0);
    let [at, bytes, warp, threads, descriptor, adds] =
        [0, 1, 2, 3, 4, 5].map(|n| site.arg(n)[lane]);
    let warp = warp as u32;
    let full = (u64::from(warp) / 4 + 1) * 128 <= threads & 0xffff_ffff;
    if !full || active != u32::MAX {
        return Err(NO_WARPGROUP);
    }
    let window = Window {
        at,
        bytes: bytes as u32,
    };
    let mma = op.tile();
    let [_, words_b, sums, _] = mma.registers();
    let outside = |Outside(at)| OUTSIDE | at & !OUTSIDE;
    let mut b = window
        .read(Part {
            descriptor,
            across: op.b_by_rows,
            first: 0,
            rows: op.n.into(),
            words: words_b as u32,
        })
        .map_err(outside)?;
    let (mut a, first_sum) = if op.a_shared {
        let part = Part {
            descriptor: site.arg(BEFORE_A)[lane],
            across: op.a_by_columns,
            first: warp % 4 * 16,
            rows: 16,
            words: 2,
        };
        let rows = window.read(part).map_err(outside)?;
        let word = |n: usize| rows[n % 2][n / 2];
        ([0, 1, 2, 3].map(word), BEFORE_A + 1)
    } else {
        let word = |n: usize| site.words(BEFORE_A + n);
        ([0, 1, 2, 3].map(word), BEFORE_A + 4)
    };
    if op.negate_a {
        negate(op.a, a.iter_mut());
    }
    if op.negate_b {
        negate(op.b, b.as_flattened_mut().iter_mut());
    }
    let rule = Rule::of_warpgroup(op.a);
    let meta = match op.sparse {
        Some(_) => site.words(first_sum + op.sums()),
        None => [0; 32],
    };
    for (n, b) in b.iter().enumerate() {
        let mut c = [[0; 32]; 4];
        if adds & 1 == 1 {
            for (i, words) in c.iter_mut().enumerate().take(sums) {
                *words = site.words(first_sum + sums * n + i);
            }
        }
        let mut tile = Tile {
            operands: [&a[..], &b[..words_b], &c[..sums], &[meta]],
            results: [[0; 32]; 4],
        };
        super::multiply(mma, rule, active, &mut tile);
        let results = tile.results;
        for (i, words) in results[..sums].iter().enumerate() {
            site.put_words(1 + sums * n + i, active, words);
        }
    }
    Ok(())
}

/// Changes the signs of floating-point numbers.
fn negate<'a>(element: Element, words: impl Iterator<Item = &'a mut Words>) {
    let signs = match element.bits() {
        8 => 0x8080_8080,
        16 => 0x8000_8000,
        _ => 0x8000_0000,
    };
    words.flatten().for_each(|word| *word ^= signs);
}

/// The operands and results of a product of eight columns.
struct Tile<'a> {
    /// A, B, C and the metadata.
    operands: [&'a [Words]; 4],
    results: [Words; 4],
}

impl Tile<'_> {
    fn at(&self, n: usize) -> &Words {
        const NONE: Words = [0; 32];
        self.operands
            .iter()
            .copied()
            .flatten()
            .nth(n)
            .unwrap_or(&NONE)
    }
}

impl Site for Tile<'_> {
    fn arg(&self, n: usize) -> Lanes {
        self.at(n).map(u64::from)
    }

    fn put(&mut self, n: usize, _: u32, values: &Lanes) {
        self.results[n % 4] = values.map(|value| value as u32);
    }

    fn words(&self, n: usize) -> Words {
        *self.at(n)
    }

    fn words_in<'a>(&'a self, n: usize, _: &'a mut Words) -> &'a Words {
        self.at(n)
    }

    fn put_words(&mut self, n: usize, _: u32, values: &Words) {
        self.results[n % 4] = *values;
    }
}
