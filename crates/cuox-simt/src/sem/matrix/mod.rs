//! What a warp does on matrices in its registers.
//!
//! `layout` says which lane holds which element, `int` and `float` multiply. Arguments and results are the words of
//! the lanes, one array a register.

mod float;
mod int;
mod layout;

use super::warp::{Site, Words};
use crate::ir::{Element, MatrixOp, Mma};

/// Carries out `op` for the lanes `active`; of the others the operands mean nothing and the results are dropped.
pub fn perform(op: MatrixOp, active: u32, site: &mut impl Site) {
    match op {
        MatrixOp::Spread { count, trans } => {
            let rows = [0, 1, 2, 3].map(|n| site.words(n));
            for n in 0..usize::from(count) {
                let part = part_of(std::array::from_fn(|row| {
                    rows.map(|words| words[(8 * n + row) % 32])
                }));
                let part = if trans { transpose(&part) } else { part };
                site.put_words(n, active, &part);
            }
        }
        MatrixOp::Gather { count, trans } => {
            let count = usize::from(count.clamp(1, 4));
            let mut rows = [[0; 32]; 4];
            for n in 0..4 {
                let part = site.words(n % count);
                let part = if trans { transpose(&part) } else { part };
                for (lane, value) in part.into_iter().enumerate() {
                    rows[lane % 4][8 * n + lane / 4] = value;
                }
            }
            for (n, words) in rows.iter().enumerate() {
                site.put_words(n, active, words);
            }
        }
        MatrixOp::Transpose => {
            let part = transpose(&site.words(0));
            site.put_words(0, active, &part);
        }
        MatrixOp::Mma(mma) => product(mma, active, site),
    }
}

fn product(mma: Mma, active: u32, site: &mut impl Site) {
    if mma.a == Element::F64 {
        float::double(mma, active, site);
    } else if mma.a.is_int() {
        int::product(mma, active, site);
    } else if mma.is_quad() {
        float::quad(mma, active, site);
    } else {
        float::product(mma, active, site);
    }
}

/// The lanes' parts of a matrix whose rows are given.
fn part_of(rows: [[u32; 4]; 8]) -> Words {
    std::array::from_fn(|lane| rows[lane / 4][lane % 4])
}

/// The transposed of an 8 by 8 matrix of halves that is spread over the lanes.
fn transpose(part: &Words) -> Words {
    let element =
        |row: usize, column: usize| part[4 * row + column / 2] >> (16 * (column % 2)) & 0xffff;
    std::array::from_fn(|lane| {
        let (row, column) = (lane / 4, lane % 4 * 2);
        element(column, row) | element(column + 1, row) << 16
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sem::warp::Lanes;

    struct Registers(Vec<Words>, Vec<Words>);

    impl Site for Registers {
        fn arg(&self, n: usize) -> Lanes {
            self.0[n].map(u64::from)
        }

        fn put(&mut self, n: usize, _: u32, values: &Lanes) {
            self.1.resize(self.1.len().max(n + 1), [0; 32]);
            self.1[n] = values.map(|v| v as u32);
        }
    }

    fn run(op: MatrixOp, args: &[Words]) -> Vec<Words> {
        let mut site = Registers(args.to_vec(), Vec::new());
        perform(op, u32::MAX, &mut site);
        site.1
    }

    #[test]
    fn rows_are_spread_and_gathered() {
        // Element (row, column) of matrix n is 0xnrc.
        let row = |lane: usize, word: usize| {
            let first = (lane / 8 * 256 + lane % 8 * 16 + 2 * word) as u32;
            first | (first + 1) << 16
        };
        let rows: Vec<Words> = (0..4)
            .map(|w| std::array::from_fn(|lane| row(lane, w)))
            .collect();
        for trans in [false, true] {
            let parts = run(MatrixOp::Spread { count: 4, trans }, &rows);
            let (lane, n) = (22, 3);
            let want = if trans {
                0x345 | 0x355 << 16
            } else {
                0x354 | 0x355 << 16
            };
            assert_eq!(parts[n][lane], want, "{trans}");
            assert_eq!(run(MatrixOp::Gather { count: 4, trans }, &parts), rows);
            let two = run(MatrixOp::Gather { count: 2, trans }, &parts[..2]);
            assert_eq!(two[1][..16], rows[1][..16]);
            assert_eq!(two[1][16..], rows[1][..16]);
        }
        let plain = run(
            MatrixOp::Spread {
                count: 1,
                trans: false,
            },
            &rows,
        );
        let turned = run(
            MatrixOp::Spread {
                count: 1,
                trans: true,
            },
            &rows,
        );
        assert_eq!(run(MatrixOp::Transpose, &plain), turned);
    }
}
