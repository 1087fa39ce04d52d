//! States of xoroshiro128+ (David Blackman and Sebastiano Vigna, public domain), for `cuox.numba.cuda.random`.

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

type State = [u64; 2];

fn next([s0, mut s1]: State) -> State {
    s1 ^= s0;
    [s0.rotate_left(55) ^ s1 ^ (s1 << 14), s1.rotate_left(36)]
}

/// The state 2^64 numbers further on.
fn jumped(mut state: State) -> State {
    let mut sum = [0, 0];
    for word in [0xbeac_0467_eba5_facb_u64, 0xd86b_048b_86aa_9922] {
        for bit in 0..64 {
            if word >> bit & 1 == 1 {
                sum = [sum[0] ^ state[0], sum[1] ^ state[1]];
            }
            state = next(state);
        }
    }
    sum
}

/// The state of a seed: SplitMix64's first number, twice.
fn seeded(seed: u64) -> State {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    [z, z]
}

/// A step is linear: 128 states, one for each bit of the state that it is applied to.
struct Linear(Vec<State>);

impl Linear {
    fn applied(&self, [s0, s1]: State) -> State {
        let word = u128::from(s0) | u128::from(s1) << 64;
        let mut sum = [0, 0];
        for (bit, column) in self.0.iter().enumerate() {
            if word >> bit & 1 == 1 {
                sum = [sum[0] ^ column[0], sum[1] ^ column[1]];
            }
        }
        sum
    }

    fn twice(&self) -> Self {
        Self(self.0.iter().map(|column| self.applied(*column)).collect())
    }
}

/// The state `count` jumps further on; any number of them takes no time to speak of.
fn far(mut state: State, mut count: u64) -> State {
    let unit = |bit: u32| jumped([1_u128 << bit, (1_u128 << bit) >> 64].map(|word| word as u64));
    let mut jump = Linear((0..128).map(unit).collect());
    while count != 0 {
        if count & 1 == 1 {
            state = jump.applied(state);
        }
        count >>= 1;
        jump = jump.twice();
    }
    state
}

/// The bytes of `count` states, each 2^64 numbers behind the one before; the first is `start` times as far behind the
/// seed's.
#[pyfunction]
pub fn _xoroshiro128p_states(
    py: Python<'_>,
    count: usize,
    seed: u64,
    start: u64,
) -> PyResult<Bound<'_, PyBytes>> {
    let length = count
        .checked_mul(16)
        .ok_or_else(|| PyMemoryError::new_err("so many states do not fit in memory"))?;
    PyBytes::new_with(py, length, |bytes| {
        py.detach(|| {
            let mut state = seeded(seed);
            if start != 0 {
                state = far(state, start);
            }
            for (index, place) in bytes.chunks_exact_mut(16).enumerate() {
                if index != 0 {
                    state = jumped(state);
                }
                place[..8].copy_from_slice(&state[0].to_ne_bytes());
                place[8..].copy_from_slice(&state[1].to_ne_bytes());
            }
        });
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_jumps_are_as_many_near_ones() {
        let seed = seeded(7);
        let mut state = seed;
        for _ in 0..5 {
            state = jumped(state);
        }
        assert_eq!(far(seed, 5), state);
        assert_eq!(far(seed, 0), seed);
        assert_ne!(far(seed, u64::MAX), seed);
    }
}
