//! Random kernels give the same where guards fail at random and fuel ends soon: code is left and entered in the middle.
//!
//! `CUOX_SEEDS=from..to` tries other kernels. The file tests run so with `CUOX_SOFT_CHAOS` set to a number.

use cuox_filetests::random::compare::{EngineUnderTest, SHAPES, difference};
use cuox_filetests::random::kernel::Kernel;
use cuox_filetests::{Size, jit_for};
use std::time::{Duration, Instant};

#[test]
fn chaos_changes_no_result() {
    // SAFETY: no other thread of this process runs yet that reads the environment: this is its only test.
    unsafe { std::env::set_var("CUOX_SOFT_CHAOS", "7") };
    let limit = Duration::from_secs(Size::get().of(2, 4, 120));
    let range = std::env::var("CUOX_SEEDS").ok();
    let range = range.as_deref().and_then(|range| range.split_once(".."));
    let number = |text: &str| text.parse::<u64>().expect("from..to");
    let (from, to) = range.map_or((20_000, 20_400), |(a, b)| (number(a), number(b)));
    let (start, mut done) = (Instant::now(), 0);
    for seed in from..to {
        if range.is_none() && start.elapsed() > limit {
            break;
        }
        let kernel = Kernel::new(seed);
        let side = EngineUnderTest {
            engine: jit_for(seed),
            checked: seed % 8 == 7,
        };
        for n in [seed, seed / 5 + 3] {
            let block = SHAPES[n as usize % SHAPES.len()];
            if let Some(what) = difference(&kernel, seed, block, side) {
                panic!(
                    "seed {seed}, block {block:?}, {side:?}: {what}\n{}",
                    kernel.ptx()
                );
            }
        }
        done += 1;
    }
    println!("{done} kernels");
    assert!(done > 3, "only {done} kernels in {limit:?}");
}
