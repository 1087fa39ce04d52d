//! Operations of a warp on matrices in its registers.
//!
//! `layout` maps elements to lanes, `int` and `float` multiply, and `native` multiplies with AVX-512. `rule` says how
//! tensor cores add. `wgmma` multiplies matrices that `shared` reads from shared memory. Arguments and results are the
//! lanes' words, one array per register.

mod float;
mod int;
mod layout;
#[cfg(target_arch = "x86_64")]
mod native;
mod rule;
mod shared;
mod wgmma;

use super::warp::{Site, Words};
use crate::ir::{Element, MatrixOp, Mma};
use rule::Rule;

/// Performs `op` for the lanes `active`. Operands of other lanes are ignored, and their results are dropped.
pub fn perform(op: MatrixOp, active: u32, site: &mut impl Site) {
    if let MatrixOp::Mma(mma) = op {
        return multiply(mma, Rule::of_warp(mma.a), active, site);
    }
    #[cfg(target_arch = "x86_64")]
    if native::perform(op, active, site) {
        return;
    }
    portable(op, active, site);
}

/// Multiplies matrices in the registers of a warp; `rule` is for floating-point sums.
fn multiply(mma: Mma, rule: Rule, active: u32, site: &mut impl Site) {
    #[cfg(target_arch = "x86_64")]
    if native::multiply(mma, rule, active, site) {
        return;
    }
    product(mma, rule, active, site);
}

/// [`perform`] without special instructions.
fn portable(op: MatrixOp, active: u32, site: &mut impl Site) {
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
        MatrixOp::Mma(mma) => product(mma, Rule::of_warp(mma.a), active, site),
        MatrixOp::Wgmma(op) => wgmma::perform(op, active, site),
    }
}

/// [`multiply`] without special instructions.
fn product(mma: Mma, rule: Rule, active: u32, site: &mut impl Site) {
    if mma.a == Element::F64 {
        float::double(mma, active, site);
    } else if mma.a.is_int() {
        int::product(mma, active, site);
    } else if mma.is_quad() {
        float::quad(mma, active, site);
    } else {
        float::product(mma, rule, active, site);
    }
}

/// Returns the lanes' words of a matrix whose rows are given.
fn part_of(rows: [[u32; 4]; 8]) -> Words {
    std::array::from_fn(|lane| rows[lane / 4][lane % 4])
}

/// Transposes an 8 by 8 matrix of 16-bit elements that is spread over the lanes.
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

    /// Returns a word of random numbers of a format: of all kinds, or `plain` ones as most programs multiply.
    fn word(element: Element, plain: bool, next: &mut impl FnMut() -> u32) -> u32 {
        let bits = next();
        if !plain {
            return match bits >> 28 {
                0 => 0,
                1 => bits & 0x8000_8000,
                _ => next(),
            };
        }
        // Exponents near that of 1, and sometimes a zero.
        let near = match element {
            Element::F16 => (bits & 0x8fff_8fff) | 0x3000_3000,
            Element::Bf16 => (bits & 0x83ff_83ff) | 0x3c00_3c00,
            Element::Tf32 => (bits & 0x83ff_ffff) | 0x3c00_0000,
            _ => bits & 0xbfbf_bfbf,
        };
        if next() >> 27 == 0 { 0 } else { near }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn native_products_are_the_portable_ones() {
        use crate::ir::{Round, Sum};
        use Element::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 16) as u32
        };
        let floats: [(Element, Element, &[u16]); 7] = [
            (F16, F16, &[8, 16]),
            (Bf16, Bf16, &[8, 16]),
            (Tf32, Tf32, &[4, 8]),
            (E4m3, E4m3, &[16, 32]),
            (E5m2, E4m3, &[16, 32]),
            (E4m3, E5m2, &[16, 32]),
            (E5m2, E5m2, &[16, 32]),
        ];
        let mut shapes = Vec::new();
        for (a, b, ks) in floats {
            for &k in ks {
                shapes.push((16, k, a, b, Sum::F32));
                if !matches!(a, Bf16 | Tf32) {
                    shapes.push((16, k, a, b, Sum::F16));
                }
            }
        }
        for (a, b) in [(S8, S8), (S8, U8), (U8, S8), (U8, U8)] {
            for (m, k) in [(8, 16), (16, 16), (16, 32)] {
                shapes.push((m, k, a, b, Sum::S32));
            }
        }
        let mut native = 0;
        for (m, k, a, b, sum) in shapes {
            for round in 0..60 {
                let plain = round % 3 != 0;
                let mma = Mma {
                    m,
                    k,
                    a,
                    b,
                    c: sum,
                    d: sum,
                    a_by_columns: false,
                    b_by_rows: false,
                    saturate: sum == Sum::S32 && round % 2 == 0,
                    xor: false,
                    round: Round::Nearest,
                    sparse: None,
                };
                let [words_a, words_b, words_c, _] = mma.registers();
                let mut args = Vec::new();
                for n in 0..words_a + words_b + words_c {
                    let element = match n {
                        n if n < words_a => a,
                        n if n < words_a + words_b => b,
                        _ if sum == Sum::F16 => F16,
                        _ => Tf32,
                    };
                    let plain = plain && (n < words_a + words_b || round % 3 == 1);
                    args.push(std::array::from_fn(|_| word(element, plain, &mut next)));
                }
                let [mut got, mut want] = [(); 2].map(|()| Registers(args.clone(), Vec::new()));
                for rule in [Rule::of_warp(mma.a), Rule::of_warpgroup(mma.a)] {
                    product(mma, rule, u32::MAX, &mut want);
                    if native::multiply(mma, rule, u32::MAX, &mut got) {
                        native += 1;
                        assert_eq!(got.1, want.1, "{mma:?} {rule:?}");
                    }
                }
            }
        }
        assert!(native > 1000 || !crate::jit::has_wide(), "{native}");
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn native_rows_are_the_portable_ones() {
        let mut state = 1u32;
        let args: Vec<Words> = (0..4)
            .map(|_| {
                std::array::from_fn(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state
                })
            })
            .collect();
        let mut ops = vec![MatrixOp::Transpose];
        for count in [1, 2, 4] {
            for trans in [false, true] {
                ops.push(MatrixOp::Spread { count, trans });
            }
        }
        for op in ops {
            let [mut got, mut want] = [(); 2].map(|()| Registers(args.clone(), Vec::new()));
            portable(op, u32::MAX, &mut want);
            if native::perform(op, u32::MAX, &mut got) {
                assert_eq!(got.1, want.1, "{op:?}");
            }
        }
    }
}
