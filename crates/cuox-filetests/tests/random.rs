//! Random kernels give the same in both engines, bit for bit, and with checks of memory too.
//!
//! `CUOX_TESTS=all` compares all of the usual kernels, of which else a quarter are compared, and with `few` a
//! sixteenth. `CUOX_SEEDS=from..to` tries other kernels.

use cuox_filetests::random::compare::{EngineUnderTest, SHAPES, difference, reduce};
use cuox_filetests::random::kernel::Kernel;
use cuox_filetests::{Size, jit_for};
use cuox_simt::Engine;
use std::ops::Range;
use std::time::{Duration, Instant};

/// No further kernels are begun after this long.
fn limit() -> Duration {
    Duration::from_secs(Size::get().of(2, 4, 120))
}

#[test]
fn engines_agree() {
    // Kernels take turns in which vectors they get.
    agree(0, 400, |seed| EngineUnderTest {
        engine: jit_for(seed),
        checked: false,
    });
}

#[test]
fn checks_of_memory_change_nothing() {
    agree(1000, 200, |seed| EngineUnderTest {
        engine: match seed % 5 {
            0 => Engine::Interpreter,
            _ => jit_for(seed),
        },
        checked: true,
    });
}

/// Kernels that an engine once got wrong, with what was wrong.
const MENDED: [u64; 1] = [
    // The old value of a row's first four threads, which are inactive, taken for that of the row.
    3131,
];

#[test]
fn kernels_that_once_differed_agree() {
    for seed in MENDED {
        for engine in [Engine::Jit, Engine::JitNarrow, jit_for(2)] {
            let side = EngineUnderTest {
                engine,
                checked: false,
            };
            check(seed, side);
        }
    }
}

/// Compares a kernel, in two shapes of blocks, with the interpreter.
fn check(seed: u64, side: EngineUnderTest) {
    let kernel = Kernel::new(seed);
    let shapes = [
        SHAPES[seed as usize % SHAPES.len()],
        SHAPES[(seed as usize / 5 + 3) % SHAPES.len()],
    ];
    for block in shapes {
        if let Some(what) = difference(&kernel, seed, block, side) {
            let (small, said) = reduce(kernel.clone(), seed, block, side, &what);
            panic!(
                "seed {seed}, block {block:?}, {side:?}: {what}\nless of it: {said}\n{}",
                small.ptx()
            );
        }
    }
}

fn agree(first: u64, count: u64, side: impl Fn(u64) -> EngineUnderTest) {
    let usual: Range<u64> = first..first + Size::get().of(count / 16, count / 4, count);
    let seeds = match std::env::var("CUOX_SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("from..to");
            from.parse().expect("a number")..to.parse().expect("a number")
        }
        Err(_) => usual.clone(),
    };
    let (start, mut done) = (Instant::now(), 0);
    for seed in seeds.clone() {
        if seeds == usual && start.elapsed() > limit() {
            break;
        }
        done += 1;
        check(seed, side(seed));
    }
    println!("{done} kernels");
    assert!(
        seeds != usual || done > 3,
        "only {done} kernels in {:?}",
        limit()
    );
}
