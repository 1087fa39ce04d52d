//! Random kernels give what they gave on a GPU (`h200.txt` beside this file, made by `tools/hardware`), in both
//! engines.
//!
//! The first [`KERNELS`] of the recording are compared, on every machine; `CUOX_TESTS=all` compares all,
//! `CUOX_SEEDS=from..to` those of these seeds.

use cuox_filetests::random::recorded::{Recorded, hash, pool};
use cuox_filetests::run::Loaded;
use cuox_filetests::{Size, jit_for};
use cuox_simt::Engine;
use std::ops::Range;

const RECORDING: &str = include_str!("h200.txt");
/// Kernels that are compared unless `CUOX_SEEDS` says otherwise: some ten seconds on two cores.
const KERNELS: usize = 128;

/// The hash of the text of all kernels, and seeds with the hashes of their results.
fn recording() -> (u64, Vec<(u64, u32)>) {
    let hex = |word: &str| u64::from_str_radix(word, 16).expect("a hash");
    let mut lines = RECORDING.lines().filter(|l| !l.starts_with('#'));
    let kernels = hex(lines
        .next()
        .and_then(|l| l.split(' ').next_back())
        .expect("a hash"));
    // Eight hashes a line, `-` for a seed without.
    let hashes = lines.flat_map(|l| l.split(' ')).zip(0u64..);
    let hashes = hashes.filter(|(word, _)| *word != "-");
    (
        kernels,
        hashes
            .map(|(word, seed)| (seed, hex(word) as u32))
            .collect(),
    )
}

fn difference(recorded: &Recorded, pool: &[u64], wanted: u32) -> Result<(), String> {
    let loaded = Loaded::new(&recorded.kernel.ptx())?;
    let run = recorded.run(pool)?;
    // Kernels take turns in which vectors they get.
    for engine in [Engine::Interpreter, jit_for(recorded.seed)] {
        let outcome = loaded.launch(&run, "kernel", recorded.block, engine)?;
        if let Some(fault) = outcome.fault {
            return Err(format!("{engine:?}: {fault}"));
        }
        let got = recorded.hash(&outcome) as u32;
        if got != wanted {
            return Err(format!("{engine:?}: {got:08x}, the GPU {wanted:08x}"));
        }
    }
    Ok(())
}

#[test]
fn kernels_compute_what_a_gpu_does() {
    let mut kernels = recording().1;
    match std::env::var("CUOX_SEEDS").as_deref() {
        Err(_) => kernels.truncate(Size::get().of(KERNELS / 4, KERNELS, usize::MAX)),
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("from..to");
            let seeds: Range<u64> = from.parse().expect("a seed")..to.parse().expect("a seed");
            kernels.retain(|(seed, _)| seeds.contains(seed));
        }
    }
    let (pool, done) = (pool(), kernels.len());
    let mut wrong = Vec::new();
    for (seed, wanted) in kernels {
        if let Err(what) = difference(&Recorded::new(seed), &pool, wanted) {
            wrong.push(format!("seed {seed}: {what}"));
        }
    }
    println!("{done} kernels");
    assert!(wrong.is_empty(), "{} of {done}: {wrong:#?}", wrong.len());
    assert!(done > 0, "the recording has no kernel with such a seed");
}

#[test]
fn kernels_are_those_that_were_recorded() {
    let (wanted, seeds) = recording();
    let texts = seeds.iter().map(|&(seed, _)| {
        let kernel = Recorded::new(seed).kernel.ptx();
        hash(kernel.bytes().map(u64::from))
    });
    let now = hash(texts);
    assert!(
        now == wanted,
        "the generator makes other kernels now, {now:016x}: leave it as it is for `Rules::Defined`, or record again (docs/recordings.md)"
    );
}
