//! Random kernels that were run on a GPU: their inputs, and a hash of their results.
//!
//! `cargo run -p cuox-filetests --example kernels` writes the kernels for `tools/hardware/kernels.py`, which runs them.

use super::Rng;
use super::kernel::{INPUTS, Kernel, SHARED_WORDS};
use crate::directives::{Param, Run};
use crate::run::Outcome;
use crate::values::Elem;

/// Words that inputs are taken from.
pub const POOL: usize = 1 << 16;

const FULL: [[u32; 3]; 4] = [[32, 1, 1], [64, 1, 1], [16, 4, 1], [32, 2, 2]];
const ANY: [[u32; 3]; 8] = [
    [32, 1, 1],
    [33, 1, 1],
    [7, 5, 1],
    [64, 1, 1],
    [5, 1, 1],
    [24, 3, 1],
    [96, 1, 1],
    [100, 1, 1],
];

/// A kernel, and its launch: two blocks.
pub struct Recorded {
    /// The kernel.
    pub kernel: Kernel,
    /// Its seed.
    pub seed: u64,
    /// Its block.
    pub block: [u32; 3],
    /// Its parameters `u0` and `u1`.
    pub uniform: [u64; 2],
}

/// The words that inputs are taken from: special and ordinary floats of both widths, small and random numbers.
pub fn pool() -> Vec<u64> {
    let elem = |name| Elem::parse(name).map_or_else(|_| Vec::new(), Elem::specials);
    let (floats, doubles, words) = (elem("f32"), elem("f64"), elem("u64"));
    let mut rng = Rng::new(0x900d);
    (0..POOL)
        .map(|n| match rng.below(8) {
            0 => *rng.pick(&words),
            1 => *rng.pick(&floats) | *rng.pick(&floats) << 32,
            2 => *rng.pick(&doubles),
            3 => rng.next_u64(),
            4 => rng.next_u64() & 31,
            5 => (f64::from(rng.below(2000)) / 16.0 - 60.0).to_bits(),
            6 => u64::from((rng.below(2000) as f32 / 16.0 - 60.0).to_bits()),
            _ => n as u64,
        })
        .collect()
}

/// `count` words of the pool, other ones for each seed.
fn taken(pool: &[u64], seed: u64, count: usize) -> Vec<u64> {
    let first = (seed as usize).wrapping_mul(4099);
    (0..count)
        .map(|n| pool[first.wrapping_add(n) % pool.len()])
        .collect()
}

impl Recorded {
    /// The kernel of a seed.
    pub fn new(seed: u64) -> Recorded {
        let kernel = Kernel::defined(seed);
        let shapes: &[[u32; 3]] = if kernel.full_warps { &FULL } else { &ANY };
        let mut rng = Rng::new(seed ^ 0xb10c);
        let block = *rng.pick(shapes);
        let any = rng.next_u64();
        let mask = if rng.one_in(2) { 15 } else { 0xffff_ffff };
        Recorded {
            kernel,
            seed,
            block,
            uniform: [any & mask, any.rotate_left(7)],
        }
    }

    /// Threads of the grid.
    pub fn threads(&self) -> usize {
        2 * self.block.iter().product::<u32>() as usize
    }

    /// The launch.
    pub fn run(&self, pool: &[u64]) -> Result<Run, String> {
        let threads = self.threads();
        let param = |name: &str, ty: &str, init| -> Result<Param, String> {
            Ok(Param {
                name: name.to_owned(),
                elem: Elem::parse(ty)?,
                init,
                by_value: name.starts_with('u') || name == "total",
                is_out: true,
                is_in: true,
                image: None,
                tensor: None,
            })
        };
        let [u0, u1] = self.uniform;
        Ok(Run {
            grid: [2, 1, 1],
            params: vec![
                param("in", "b64", taken(pool, self.seed, INPUTS * threads))?,
                param("out", "b64", vec![0; self.kernel.outputs() * threads])?,
                param("scratch", "b64", taken(pool, self.seed + 1, 8 * threads))?,
                param("words", "b32", vec![5; SHARED_WORDS])?,
                param("u0", "b32", vec![u0])?,
                param("u1", "b64", vec![u1])?,
                param("u2", "b32", vec![0x4049_0fdb])?,
                param("total", "b32", vec![threads as u64])?,
            ],
            ..Run::default()
        })
    }

    /// A hash of the memory after a launch: of the hashes of each result register, each word of scratch memory and the
    /// common words, over the threads.
    pub fn hash(&self, outcome: &Outcome) -> u64 {
        let threads = self.threads();
        let outputs = self.kernel.outputs();
        let mut rows = vec![Vec::with_capacity(threads); outputs + 8];
        for (n, &word) in outcome.data[1].iter().enumerate() {
            let (register, _) = self.kernel.output_at(n, threads);
            rows[register].push(word);
        }
        for (n, &word) in outcome.data[2].iter().enumerate() {
            rows[outputs + n % 8].push(word);
        }
        rows.push(outcome.data[3].clone());
        hash(rows.iter().map(|row| hash(row.iter().copied())))
    }
}

/// The hash of a list of words.
pub fn hash(words: impl Iterator<Item = u64>) -> u64 {
    words.fold(0xcbf2_9ce4_8422_2325, |hash, word| {
        let hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
        hash ^ hash >> 32
    })
}
