//! The IR's text: a kernel that is printed and read is the same kernel, and damaged text is refused by the reader or
//! the verifier, or compiles.
//!
//! `CUOX_TESTS=all` takes all of the usual random kernels and damage, of which else a quarter is taken, `few` a
//! sixteenth.

use cuox_filetests::Size;
use cuox_filetests::fuzz;
use cuox_filetests::random::Rng;
use cuox_filetests::random::kernel::Kernel;
use cuox_simt::Program;
use cuox_simt::ir::{Function, Unit};
use cuox_simt::jit::{Plan, Shape, has_wide};
use std::path::{Path, PathBuf};
use std::str::FromStr;

fn files(dir: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
}

/// The names and texts of all test files with an extension.
fn texts(extension: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for dir in ["filetests", "fuzz/seeds", "crates/cuox-simt/tests/ptx"] {
        files(&root.join(dir), extension, &mut found);
    }
    let read = |path: PathBuf| {
        let text = std::fs::read(&path).expect("a readable file");
        (
            path.display().to_string(),
            String::from_utf8_lossy(&text).into_owned(),
        )
    };
    found.into_iter().map(read).collect()
}

fn usual(count: u64) -> u64 {
    Size::get().of(count / 16, count / 4, count)
}

/// Compares what is read of the text of `one` with it.
fn same<T>(name: &str, one: &T)
where
    T: PartialEq + ToString + FromStr<Err = cuox_simt::ir::ReadError>,
{
    let text = one.to_string();
    let read = text
        .parse::<T>()
        .unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
    assert!(
        read == *one,
        "{name}: printed, and printed again when it was read:\n{text}\n{}",
        read.to_string()
    );
}

/// Returns the kernels of a module, as they were lowered.
fn lowered(ptx: &str) -> Vec<(Unit, u32)> {
    let Ok(program) = Program::from_ptx(ptx) else {
        return Vec::new();
    };
    let lower = |name: &str| {
        let bytes = program.kernel_info(name)?.param_bytes;
        Some((program.lower(name).ok()?, bytes))
    };
    program.kernels().into_iter().filter_map(lower).collect()
}

/// Compares the kernels of a module, and the functions that the JIT's passes make of them: for one shape of block after
/// the other, or with `CUOX_TESTS=all` for all. Counts the functions.
fn compare(name: &str, ptx: &str, count: &mut usize) {
    for (unit, param_bytes) in lowered(ptx) {
        same(name, &unit);
        *count += 1;
        let planes = Shape::of([24, 4, 1], unit.has_barrier(), has_wide());
        let shapes = [
            (Shape::Line, has_wide()),
            (Shape::Line, false),
            (planes, has_wide()),
        ];
        let first = *count % shapes.len();
        let taken = Size::get().of(1, 1, shapes.len());
        for &(shape, wide) in shapes.iter().cycle().skip(first).take(taken) {
            if let Ok(plan) = Plan::new(&unit, shape, 96, false, param_bytes, wide) {
                same::<Function>(name, &plan.func);
                *count += 1;
            }
        }
    }
}

#[test]
fn file_tests_read_as_they_print() {
    let mut count = 0;
    for (name, ptx) in texts("ptx") {
        compare(&name, &ptx, &mut count);
    }
    println!("{count} functions");
    assert!(count > 1000, "only {count} functions");
}

#[test]
fn random_kernels_read_as_they_print() {
    let mut count = 0;
    for seed in 0..usual(800) {
        compare(
            &format!("seed {seed}"),
            &Kernel::new(seed).ptx(),
            &mut count,
        );
    }
    println!("{count} functions");
    assert!(count > 0);
}

#[test]
fn damaged_text_is_refused_or_compiles() {
    let known: Vec<String> = texts("ptx")
        .iter()
        .flat_map(|(_, ptx)| lowered(ptx))
        .map(|(unit, _)| unit.to_string())
        .chain(texts("ir").into_iter().map(|(_, text)| text))
        // Damage to a small function is more likely to hit something.
        .filter(|text| text.len() < 20_000)
        .collect();
    let mut rng = Rng::new(1);
    let (mut refused, count) = (0, usual(12_000));
    for _ in 0..count {
        let tokens = fuzz::tokens(rng.pick::<String>(&known));
        let text = fuzz::damage(&mut rng, &tokens);
        refused += u64::from(text.parse::<Unit>().is_err());
        fuzz::ir(text.as_bytes());
    }
    println!("{refused} of {count} texts are refused");
    assert!(refused > count / 4 && refused < count);
}
