//! Says how many products and sums of `f32` a kernel has once it is lowered, for `tools/hardware/joined.py`: `joined
//! FILE...`.
//!
//! A line is the kernel's name, and how many `fma`, sums and products it has.

use cuox_simt::Program;
use cuox_simt::ir::{Float, FloatOp, Inst, Op};

fn main() {
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                continue;
            }
        };
        let program = match Program::from_ptx(&text) {
            Ok(program) => program,
            Err(diagnostics) => {
                eprintln!("{path}: {diagnostics}");
                continue;
            }
        };
        for name in program.kernels() {
            let Ok(unit) = program.lower(name) else {
                eprintln!("{path}: {name} is refused");
                continue;
            };
            let mut counts = [0; 3];
            for inst in unit.kernel.blocks.iter().flat_map(|block| &block.insts) {
                if let Inst::Op {
                    op:
                        Op::Float {
                            op, ty: Float::F32, ..
                        },
                    ..
                } = inst
                {
                    match op {
                        FloatOp::Fma => counts[0] += 1,
                        FloatOp::Add | FloatOp::Sub => counts[1] += 1,
                        FloatOp::Mul => counts[2] += 1,
                        _ => {}
                    }
                }
            }
            println!("{name} {} {} {}", counts[0], counts[1], counts[2]);
        }
    }
}
