//! Every kernel of every module in `tests/ptx` lowers, and to code that keeps the passes' promises.
//!
//! `CUOX_LOWER_DIR` names another folder of modules to try as well.

use cuox_simt::ir::{Function, Inst, Space, Unit};
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

/// What the passes promise, and the IR demands.
fn check(f: &Function) -> Result<(), String> {
    let bad = |what: String| Err(format!("{}: {what}", f.name));
    let mut reached = vec![false; f.blocks.len()];
    reached[0] = true;
    for (b, block) in f.blocks.iter().enumerate() {
        if block.lines.len() != block.insts.len() + 1 {
            return bad(format!("block {b} has {} lines", block.lines.len()));
        }
        if !reached[b] {
            return bad(format!("block {b} comes before all its predecessors"));
        }
        let mut fine = true;
        block.end.successors(|s| match reached.get_mut(s.index()) {
            Some(r) => *r = true,
            None => fine = false,
        });
        block
            .end
            .uses(|o| fine &= o.reg().is_none_or(|r| r.index() < f.regs.len()));
        for inst in &block.insts {
            inst.uses(|o| fine &= o.reg().is_none_or(|r| r.index() < f.regs.len()));
            inst.defs(|r| fine &= r.index() < f.regs.len());
            if let Inst::Op { dst, op, args } = inst {
                let signature = op.signature();
                fine &= f.ty(*dst) == signature.result && args.len() == signature.args().len();
                for (arg, ty) in args.iter().zip(signature.args()) {
                    fine &= arg.reg().is_none_or(|r| f.ty(r) == *ty);
                }
            }
            if let Some(address) = inst.address()
                && let Space::Slot(slot) = address.space
            {
                fine &= (slot as usize) < f.slots.len();
            }
            if !fine {
                return bad(format!("block {b}: {inst:?}"));
            }
        }
        if !fine {
            return bad(format!("block {b}: {:?}", block.end));
        }
    }
    Ok(())
}

fn check_unit(unit: &Unit) -> Result<(), String> {
    check(&unit.kernel)?;
    unit.functions.iter().try_for_each(check)
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
                    if let Err(e) = check_unit(&unit) {
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
