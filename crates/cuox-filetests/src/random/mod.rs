//! Random kernels, and the random numbers they are made from: a seed always gives the same.

mod boundary_branches;
pub mod compare;
mod engine_only;
mod generate;
mod initial_values;
pub mod kernel;
pub mod ops;
pub mod recorded;

/// A small generator (splitmix64), which can be given its first decisions.
pub struct Rng {
    state: u64,
    /// Decisions to hand out before those of the seed, the last one first.
    told: Vec<u8>,
}

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng {
            state: seed,
            told: Vec::new(),
        }
    }

    /// A sequence that takes a byte for each decision, so that a small change of the bytes is a small change of the
    /// kernel made from them. Behind their end it goes on as the sequence of a seed.
    pub fn from_bytes(bytes: &[u8]) -> Rng {
        Rng {
            state: bytes.len() as u64,
            told: bytes.iter().rev().copied().collect(),
        }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        // Decisions are made from the upper half, see `below`.
        if let Some(byte) = self.told.pop() {
            return u64::from(byte) << 33 | u64::from(byte);
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (self.next_u64() >> 33) as u32 % n.max(1)
    }

    /// One of the things.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> &'a T {
        &things[self.below(things.len() as u32) as usize]
    }

    /// True one time in `n`.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}
