//! The operands of the recorded instructions, as in `tools/hardware/record.py`.

/// Tuples of four operands.
pub const TUPLES: usize = 2048;

/// The sets of operands.
pub const SETS: [char; 5] = ['w', 'f', 'h', 'b', 'v'];

const SPECIAL32: [u64; 8] = [
    0,
    1,
    0x80_0000,
    0x7f80_0000,
    0x7f7f_ffff,
    0x7fc0_0000,
    0x7f_ffff,
    0x3f80_0000,
];
const SPECIAL_HIGH: [u64; 8] = [
    0,
    0,
    1 << 20,
    2046 << 20,
    2047 << 20,
    1023 << 20,
    0xf_ffff,
    0x7ffc_0000,
];
const HALVES: [u64; 16] = [
    0, 1, 0x3ff, 0x400, 0x3c00, 0x7bff, 0x7c00, 0x7e00, 0x7c01, 0x7f, 0x80, 0x3f80, 0x7f7f, 0x7f80,
    0x7fc0, 0x7f81,
];
const INTEGERS: [u64; 16] = [
    0,
    1,
    2,
    0x7f,
    0x80,
    0xff,
    0x7fff,
    0x8000,
    0xffff,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    31,
    32,
    33,
    64,
];
const CORNERS: [u64; 16] = [
    0,
    1,
    5,
    31,
    32,
    33,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x8080_8080,
    0x7f7f_7f7f,
    0x8000_8000,
    0x7fff_7fff,
    0xffff_0000,
    0xff_00ff,
    0x101_0101,
];
const SIGN: u64 = 1 << 31;

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn pick<const N: usize>(values: [u64; N], index: u64) -> u64 {
    values[index as usize % N]
}

/// Returns random bits, small numbers, special and ordinary floats of both widths.
fn words(kind: u64, w: u64) -> u64 {
    let (sign, high) = (w & SIGN, w >> 32);
    let ordinary = (high & 0x800f_ffff) | ((1013 + (w >> 23) % 20) << 20);
    match kind >> 61 {
        0 | 1 => w,
        2 => w % 80,
        3 => {
            let high = pick(SPECIAL_HIGH, w >> 8 & 7) | high & SIGN;
            pick(SPECIAL32, w & 7) | sign | high << 32
        }
        4 => (w & 0x8fff_ffff) | ordinary << 32,
        _ => (w & 0x807f_ffff) | (117 + (w >> 40) % 20) << 23 | ordinary << 32,
    }
}

/// Returns floats of both widths with exponents from -30 to 69 and few bits, or all bits; and special ones.
fn floats(kind: u64, w: u64) -> u64 {
    let exponent = (w >> 32) % 100;
    let kept = pick([0x7f_ffff, 0x7f_ffff, 0x40_0000, 0x7f_0000], kind & 3);
    let single = (w & SIGN) | (97 + exponent) << 23 | w & kept;
    let kept = pick([0xf_ffff, 0xf_ffff, 0x8_0000, 0xf_f800], kind >> 2 & 3);
    let high = (w >> 32 & SIGN) | (993 + exponent) << 20 | w >> 7 & kept;
    let low = pick([0, 1, 0x8000_0000, 0xffff_ffff], kind >> 4 & 3);
    match kind >> 61 {
        0..4 => single | high << 32,
        4..7 => low | high << 32,
        _ => words(kind << 8 & 0xffff_ffff_0000_0000 | 3 << 61, w),
    }
}

/// Returns four 16-bit floats: any bits, special ones, ordinary f16 and bf16, small numbers.
fn halves(kind: u64, w: u64) -> u64 {
    let lane = |n: u32| {
        let x = w >> (16 * n) & 0xffff;
        let y = kind >> (8 * n + 3) & 31;
        let sign = x & 0x8000;
        match kind >> (8 * n) & 7 {
            0 | 1 => x,
            2 => sign | pick(HALVES, y & 15),
            3 | 4 => sign | (8 + y % 14) << 10 | x & 0x3ff,
            5 | 6 => sign | (112 + y) << 7 | x & 0x7f,
            _ => x & 0x3f,
        }
    };
    (0..4).fold(0, |word, n| word | lane(n) << (16 * n))
}

/// Returns random bits, small numbers of either sign, and limits of ranges, in each half or in all 64 bits.
fn integers(kind: u64, w: u64) -> u64 {
    let minus = (kind & 1).wrapping_neg();
    let near =
        |at: u32, step: u32| (pick(INTEGERS, w >> at & 15) + (w >> step) % 3).wrapping_sub(1);
    let (low, upper) = (near(0, 4), near(8, 16));
    let both = low & 0xffff_ffff | upper << 32;
    match kind >> 61 {
        0 | 1 => w,
        2 => (w % 80) ^ minus,
        3 => both,
        4 => w >> ((kind >> 8) % 64) ^ minus,
        5 => low ^ minus,
        _ => w & 0xffff_ffff | both << 32,
    }
}

/// Returns operands for video instructions: random bits, words whose bytes or halves are limits of ranges, small
/// numbers.
fn bytes(kind: u64, w: u64) -> u64 {
    match kind >> 61 {
        0..4 => w,
        4 | 5 => pick(CORNERS, w & 15),
        _ => w & 0x3f,
    }
}

/// Returns four operands for each tuple.
pub fn operands(set: char) -> Vec<u64> {
    let mut state = set as u64;
    let make = match set {
        'f' => floats,
        'h' => halves,
        'b' => integers,
        'v' => bytes,
        _ => words,
    };
    (0..4 * TUPLES)
        .map(|_| {
            let kind = splitmix(&mut state);
            make(kind, splitmix(&mut state))
        })
        .collect()
}
