//! Chaos, for tests: with `CUOX_SOFT_CHAOS` set to a number, guards fail at random although they hold, and fuel ends
//! after up to three back edges.
//!
//! So code is left where it almost never is, and goes on in other code with what it has stored there. The results must
//! be the same.

use std::sync::OnceLock;

const VARIABLE: &str = "CUOX_SOFT_CHAOS";

/// The next number is this times the last one (a linear congruential generator, modulo 2^64), plus [`ADDED`].
pub const FACTOR: u64 = 6_364_136_223_846_793_005;
pub const ADDED: u64 = 1_442_695_040_888_963_407;
/// A guard fails if all bits of a number are 0 from this one on: one of eight does.
pub const FAILS_FROM: u32 = 61;

/// The number that the variable has, if there is to be chaos.
pub fn seed() -> Option<u64> {
    static SEED: OnceLock<Option<u64>> = OnceLock::new();
    *SEED.get_or_init(|| {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let seed = text.trim().parse().ok();
        if seed.is_none() && !text.is_empty() {
            eprintln!("cuox: {VARIABLE}={text} is ignored: expected a number");
        }
        seed
    })
}

/// The first number of a block.
pub fn begin([x, y, z]: [u32; 3]) -> u64 {
    let block = u64::from(x) ^ u64::from(y) << 22 ^ u64::from(z) << 43;
    let start = seed().unwrap_or(0).wrapping_add(block);
    next(start.wrapping_mul(FACTOR))
}

fn next(number: u64) -> u64 {
    number.wrapping_mul(FACTOR).wrapping_add(ADDED)
}

/// Fuel for a turn: from 0 to 3. Changes the number.
pub fn fuel(number: &mut u64) -> i64 {
    *number = next(*number);
    (*number >> 62) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_guard_of_eight_fails_and_fuel_is_little() {
        let (mut number, mut failed, mut seen) = (begin([1, 2, 3]), 0, [0; 4]);
        for _ in 0..8000 {
            number = next(number);
            failed += u32::from(number >> FAILS_FROM == 0);
            seen[fuel(&mut number) as usize] += 1;
        }
        assert!((800..1200).contains(&failed), "{failed}");
        assert!(seen.iter().all(|n| (1700..2300).contains(n)), "{seen:?}");
        assert_ne!(begin([1, 0, 0]), begin([0, 1, 0]));
    }
}
