//! The fuzzers' targets over their seeds, and over damaged modules.
//!
//! `CUOX_TESTS=all` takes all of the usual damage, of which else a quarter is taken, `few` a sixteenth.
//! `CUOX_FUZZ_SECONDS=600` goes on for as long with other damage than the usual; `CUOX_FUZZ_SEED` says with which.

use cuox_filetests::Size;
use cuox_filetests::fuzz::{self, TARGETS};
use cuox_filetests::random::Rng;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
    found.sort();
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// How much of the usual damage is done: all that is counted here, or a part of it.
fn usual(count: u64) -> u64 {
    Size::get().of(count / 16, count / 4, count)
}

/// Seconds after which no further damage is done.
fn limit() -> u64 {
    Size::get().of(2, 4, 120)
}

/// A hang is as bad as a panic.
const SLOW: Duration = Duration::from_secs(120);

fn go(name: &str, target: fn(&[u8]), input: &[u8]) {
    let start = Instant::now();
    let result = catch_unwind(AssertUnwindSafe(|| target(input)));
    let took = start.elapsed();
    if result.is_err() || took > SLOW {
        let at = std::env::temp_dir().join(format!("cuox-fuzz-{name}-{}", std::process::id()));
        let kept = std::fs::write(&at, input)
            .map_or_else(|e| e.to_string(), |()| at.display().to_string());
        panic!(
            "target {name}: {}, input: {kept}",
            if result.is_err() {
                "a panic"
            } else {
                "too slow"
            }
        );
    }
}

#[test]
fn seeds() {
    let mut count = 0;
    for (name, target) in TARGETS {
        let mut found = Vec::new();
        files(&root().join("fuzz/seeds").join(name), &mut found);
        assert!(!found.is_empty(), "{name} has no seeds");
        for path in found {
            count += 1;
            go(
                name,
                target,
                &std::fs::read(&path).expect("a readable seed"),
            );
        }
    }
    println!("{count} seeds");
}

#[test]
fn damaged_modules() {
    let mut found = Vec::new();
    for dir in [
        "fuzz/seeds/lower",
        "filetests",
        "crates/cuox-simt/tests/ptx",
    ] {
        files(&root().join(dir), &mut found);
    }
    found.retain(|p| p.extension().is_some_and(|e| e == "ptx"));
    let texts: Vec<String> = found
        .iter()
        .map(|p| std::fs::read_to_string(p).expect("a readable module"))
        // Damage to a small module is more likely to hit something.
        .filter(|t| t.len() < 60_000)
        .collect();
    let limit = number("CUOX_FUZZ_SECONDS");
    let time = Duration::from_secs(limit.unwrap_or_else(self::limit));
    let mut rng = Rng::new(number("CUOX_FUZZ_SEED").unwrap_or(1));
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time && (limit.is_some() || count < usual(3000)) {
        let tokens = fuzz::tokens(rng.pick::<String>(&texts));
        let text = fuzz::damage(&mut rng, &tokens);
        go("lower", fuzz::lower, text.as_bytes());
        count += 1;
    }
    println!("{count} modules");
    assert!(count > 20);
}

#[test]
fn fat_binaries_are_read() {
    let mut found = Vec::new();
    files(&root().join("fuzz/seeds/fatbin"), &mut found);
    for path in found {
        let bytes = std::fs::read(&path).expect("a readable fat binary");
        let texts = cuox_softgpu::read_fatbin(&bytes, 90).map(|texts| {
            let texts = texts.into_iter().map(|text| text.bytes);
            texts.collect::<Vec<_>>().concat()
        });
        let is_module = |text: &Vec<u8>| text.ends_with(b".visible .entry k() { ret; }\n");
        let name = path.file_stem().and_then(|n| n.to_str());
        match name {
            Some("empty" | "no_text") => assert!(texts.is_err(), "{name:?} has no PTX"),
            _ => assert!(texts.as_ref().is_ok_and(is_module), "{name:?}: {texts:?}"),
        }
    }
}

#[test]
fn damaged_fat_binaries() {
    let mut found = Vec::new();
    files(&root().join("fuzz/seeds/fatbin"), &mut found);
    let seeds: Vec<Vec<u8>> = found
        .iter()
        .map(|p| std::fs::read(p).expect("a readable fat binary"))
        .collect();
    let limit = number("CUOX_FUZZ_SECONDS").map(Duration::from_secs);
    let mut rng = Rng::new(number("CUOX_FUZZ_SEED").unwrap_or(1));
    let (start, mut count) = (Instant::now(), 0);
    while limit.map_or(count < usual(20_000), |limit| start.elapsed() < limit) {
        let seed = rng.pick::<Vec<u8>>(&seeds);
        let bytes = fuzz::damage_bytes(&mut rng, seed);
        go("fatbin", fuzz::fatbin, &bytes);
        count += 1;
    }
    println!("{count} fat binaries");
}

#[test]
fn decided_kernels() {
    let limit = number("CUOX_FUZZ_SECONDS");
    let time = Duration::from_secs(limit.unwrap_or_else(self::limit));
    let mut rng = Rng::new(number("CUOX_FUZZ_SEED").unwrap_or(1));
    let (start, mut count) = (Instant::now(), 0);
    while start.elapsed() < time && (limit.is_some() || count < usual(200)) {
        let bytes: Vec<u8> = (0..rng.below(400)).map(|_| rng.next_u64() as u8).collect();
        go("run", fuzz::run, &bytes);
        count += 1;
    }
    println!("{count} kernels");
    assert!(count > 0, "none in the time given");
}
