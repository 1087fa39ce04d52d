//! Random kernels give the same in both engines, bit for bit.
//!
//! `CUOX_SEEDS=from..to` tries other kernels than the usual ones.

use cuox_filetests::random::compare::{SHAPES, difference, reduce};
use cuox_filetests::random::kernel::Kernel;
use cuox_simt::Engine;
use std::ops::Range;
use std::time::{Duration, Instant};

const SEEDS: Range<u64> = 0..400;
/// No further kernels are begun after this long.
const LIMIT: Duration = Duration::from_secs(20);
#[test]
fn engines_agree() {
    let seeds = match std::env::var("CUOX_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("from..to");
            from.parse().expect("a number")..to.parse().expect("a number")
        }
        Err(_) => SEEDS,
    };
    let (start, mut done) = (Instant::now(), 0);
    for seed in seeds.clone() {
        if seeds == SEEDS && start.elapsed() > LIMIT {
            break;
        }
        done += 1;
        let kernel = Kernel::new(seed);
        // Kernels take turns in which vectors they get.
        let jit = match seed % 3 {
            0 => Engine::JitNarrow,
            _ => Engine::Jit,
        };
        let shapes = [
            SHAPES[seed as usize % SHAPES.len()],
            SHAPES[(seed as usize / 5 + 3) % SHAPES.len()],
        ];
        for block in shapes {
            if let Some(what) = difference(&kernel, seed, block, jit) {
                let (small, said) = reduce(kernel.clone(), seed, block, jit, &what);
                panic!(
                    "seed {seed}, block {block:?}: {what}\nless of it: {said}\n{}",
                    small.ptx()
                );
            }
        }
    }
    println!("{done} kernels");
    assert!(
        seeds != SEEDS || done > 20,
        "only {done} kernels in {LIMIT:?}"
    );
}
