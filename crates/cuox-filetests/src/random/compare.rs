//! Runs a random kernel in two ways and finds the differences.

use super::Rng;
use super::kernel::{INPUTS, Kernel, SHARED_WORDS};
use crate::directives::{Param, Run};
use crate::run::{Loaded, Outcome};
use crate::values::Elem;
use cuox_simt::Engine;
use std::time::{Duration, Instant};

/// Blocks of full warps and of others, in all the ways the engines tell apart.
pub const SHAPES: [[u32; 3]; 25] = [
    [32, 1, 1],
    [64, 1, 1],
    [33, 1, 1],
    [7, 5, 1],
    [16, 4, 1],
    [5, 1, 1],
    [32, 2, 2],
    [96, 1, 1],
    [128, 2, 1],
    [24, 3, 2],
    [200, 1, 1],
    [32, 8, 1],
    [16, 6, 2],
    [8, 8, 1],
    [24, 4, 1],
    [4, 16, 1],
    [20, 8, 1],
    [10, 16, 1],
    [48, 2, 1],
    [5, 32, 1],
    [8, 4, 3],
    [12, 12, 1],
    [4, 4, 4],
    [7, 32, 1],
    [3, 32, 1],
];

#[allow(clippy::expect_used, reason = "the names are literals of this file")]
fn elem(name: &str) -> Elem {
    Elem::parse(name).expect("a type")
}

fn param(name: &str, ty: &str, init: Vec<u64>) -> Param {
    let by_value = name.starts_with('u') || name == "total";
    Param {
        name: name.to_owned(),
        elem: elem(ty),
        init,
        by_value,
        is_out: true,
        is_in: true,
        image: None,
        tensor: None,
    }
}

/// Grid, block and buffers for a kernel.
fn launch(kernel: &Kernel, seed: u64, block: [u32; 3]) -> Run {
    let mut rng = Rng::new(seed ^ 0xdada);
    let threads = (block.iter().product::<u32>() * 2) as usize;
    let (floats, doubles, words) = (elem("f32"), elem("f64"), elem("u64"));
    let inputs = (0..INPUTS * threads)
        .map(|n| {
            let special = *rng.pick(&words.specials());
            let float = *rng.pick(&floats.specials()) | *rng.pick(&floats.specials()) << 32;
            let double = *rng.pick(&doubles.specials());
            let plain = f64::from(rng.below(2000)) / 16.0 - 60.0;
            let any = rng.next_u64();
            *[
                special,
                float,
                double,
                any,
                any & 31,
                plain.to_bits(),
                u64::from((plain as f32).to_bits()),
                n as u64,
            ]
            .get(rng.below(8) as usize)
            .unwrap_or(&0)
        })
        .collect();
    let scratch = (0..8 * threads).map(|_| rng.next_u64()).collect();
    let uniform = rng.next_u64();
    Run {
        grid: [2, 1, 1],
        params: vec![
            param("in", "b64", inputs),
            param("out", "b64", vec![0; kernel.outputs() * threads]),
            param("scratch", "b64", scratch),
            param("words", "b32", vec![5; SHARED_WORDS]),
            param(
                "u0",
                "b32",
                vec![uniform & if rng.one_in(2) { 15 } else { 0xffff_ffff }],
            ),
            param("u1", "b64", vec![uniform.rotate_left(7)]),
            param("u2", "b32", vec![0x4049_0fdb]),
            param("total", "b32", vec![threads as u64]),
        ],
        ..Run::default()
    }
}

/// The engine that is compared with the interpreter, and its checks.
#[derive(Clone, Copy, Debug)]
pub struct EngineUnderTest {
    /// The engine.
    pub engine: Engine,
    /// True if it checks all accesses to memory.
    pub checked: bool,
}

/// The first difference between the interpreter and another engine, or itself with checks, if there is one.
pub fn difference(
    kernel: &Kernel,
    seed: u64,
    block: [u32; 3],
    side: EngineUnderTest,
) -> Option<String> {
    let run = launch(kernel, seed, block);
    let mut loaded = match Loaded::new(&kernel.ptx()) {
        Ok(loaded) => loaded,
        Err(e) => return Some(format!("refused: {e}")),
    };
    let go = |loaded: &Loaded, engine| -> Result<Outcome, String> {
        let outcome = loaded.launch(&run, "kernel", block, engine)?;
        match &outcome.fault {
            Some(fault) => Err(format!("{:?}: {fault}", fault.kind)),
            None => Ok(outcome),
        }
    };
    let one = go(&loaded, Engine::Interpreter);
    loaded = loaded.checked(side.checked);
    let (one, other) = match (one, go(&loaded, side.engine)) {
        (Ok(one), Ok(other)) => (one, other),
        (Err(e), _) => return Some(format!("the interpreter: {e}")),
        (_, Err(e)) => return Some(format!("the other: {e}")),
    };
    // In the JIT the machine decides which of several NaN operands an f64 fma hands on.
    let ptx = kernel.ptx();
    let open = ptx
        .lines()
        .any(|l| l.contains("fma.r") && l.contains(".f64"));
    let double = elem("f64");
    for (n, param) in run.params.iter().enumerate() {
        for (index, (a, b)) in one.data[n].iter().zip(&other.data[n]).enumerate() {
            if a != b && !(open && double.is_nan(*a) && double.is_nan(*b)) {
                let threads = (block.iter().product::<u32>() * 2) as usize;
                let what = match param.name.as_str() {
                    "out" => kernel.output_name(index, threads),
                    name => format!("{name}[{index}]"),
                };
                return Some(format!("{what}: interpreter {a:#x}, {side:?} {b:#x}"));
            }
        }
    }
    None
}

fn class(difference: &str) -> &str {
    match difference.split_once(':') {
        Some((class @ ("refused" | "the interpreter" | "the other"), _)) => class,
        _ => "a value",
    }
}

/// A smaller kernel with a difference of the same kind, and that difference.
pub fn reduce(
    mut kernel: Kernel,
    seed: u64,
    block: [u32; 3],
    side: EngineUnderTest,
    what: &str,
) -> (Kernel, String) {
    let mut said = what.to_owned();
    let until = Instant::now() + Duration::from_secs(60);
    'again: loop {
        for smaller in kernel.smaller() {
            if Instant::now() > until {
                break 'again;
            }
            match difference(&smaller, seed, block, side) {
                Some(now) if class(&now) == class(what) => {
                    (kernel, said) = (smaller, now);
                    continue 'again;
                }
                _ => {}
            }
        }
        break;
    }
    (kernel, said)
}
