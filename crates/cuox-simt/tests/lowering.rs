//! Every kernel of every module in `tests/ptx` is lowered, and the code keeps the passes' promises.
//!
//! `CUOX_LOWER_DIR` names another folder of modules to try as well.

use cuox_simt::ir::{Function, Unit};
use cuox_simt::program::Program;
use std::path::{Path, PathBuf};

fn modules(dir: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir(dir)
        .unwrap_or_else(|e| panic!("{}: {e}", dir.display()))
        .map(|entry| entry.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "ptx"))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "{} has no module", dir.display());
    found
}

/// Checks the order of blocks: each except the first has a predecessor before it. Checks that all have their lines.
fn check_order(f: &Function) -> Result<(), String> {
    let mut reached = vec![false; f.blocks.len()];
    reached[0] = true;
    for (b, block) in f.blocks.iter().enumerate() {
        if block.lines.len() != block.insts.len() + 1 {
            return Err(format!(
                "{}: block {b} has {} lines",
                f.name,
                block.lines.len()
            ));
        }
        if !reached[b] {
            return Err(format!(
                "{}: block {b} comes before all its predecessors",
                f.name
            ));
        }
        block.end.successors(|s| reached[s.index()] = true);
    }
    Ok(())
}

fn check(unit: &Unit) -> Result<(), String> {
    cuox_simt::verify::verify(unit).map_err(|list| {
        let lines: Vec<String> = list.iter().map(ToString::to_string).collect();
        lines.join("\n")
    })?;
    check_order(&unit.kernel)?;
    unit.functions.iter().try_for_each(check_order)
}

#[test]
fn every_kernel_lowers() {
    let mut dirs = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx")];
    dirs.extend(std::env::var_os("CUOX_LOWER_DIR").map(PathBuf::from));
    let (mut failures, mut kernels) = (Vec::new(), 0);
    for path in dirs.iter().flat_map(|d| modules(d)) {
        let text = std::fs::read_to_string(&path).expect("a readable module");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let program = match Program::from_ptx(&text) {
            Ok(program) => program,
            Err(e) => {
                failures.push(format!("{name}: {e}"));
                continue;
            }
        };
        for kernel in program.kernels() {
            kernels += 1;
            match program.lower(kernel) {
                Ok(unit) => {
                    if let Err(e) = check(&unit) {
                        failures.push(format!("{name}, {kernel}: {e}"));
                    }
                }
                Err(e) => failures.push(format!("{name}, {kernel}: {e}")),
            }
        }
    }
    println!("{kernels} kernels");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
