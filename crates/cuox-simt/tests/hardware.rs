//! Instructions against results recorded on a GPU: `ptx/h200.txt`, made by `tools/hardware`.
//!
//! A line has the hash of an instruction's results for [`TUPLES`] tuples of operands, the set of operands
//! ([`operands`]), the class of the result (`h` 16, `r` 32, `d` 64 bits, `p` predicate), and the PTX, which reads
//! registers 0 to 3 of a class and writes number 4.

#[path = "hardware/operands.rs"]
mod operands;

use cuox_simt::{Engine, Host, Launch, Module, Program, space};
use operands::{SETS, TUPLES, operands};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const RECORDING: &str = include_str!("ptx/h200.txt");
const PER_KERNEL: usize = 16;
const BLOCK: u32 = 256;

struct Quiet;

impl Host for Quiet {
    fn print(&self, _: &[u8]) {}
    fn malloc(&self, _: u64) -> u64 {
        0
    }
    fn free(&self, _: u64) {}
}

/// A line of the recording.
struct Recorded {
    hash: u32,
    set: char,
    result: char,
    ptx: &'static str,
}

fn recording() -> Vec<Recorded> {
    let lines = RECORDING.lines().filter(|l| !l.starts_with('#'));
    lines
        .map(|line| {
            let words: Vec<&'static str> = line.splitn(4, ' ').collect();
            let [hash, set, result, ptx] = words.try_into().unwrap();
            Recorded {
                hash: u32::from_str_radix(hash, 16).unwrap(),
                set: set.chars().next().unwrap(),
                result: result.chars().next().unwrap(),
                ptx,
            }
        })
        .collect()
}

/// Returns the operand registers that an instruction names.
fn registers(ptx: &str) -> BTreeSet<(char, char)> {
    let names = ptx.split('%').skip(1).map(|name| {
        let mut letters = name.chars();
        (letters.next().unwrap_or(' '), letters.next().unwrap_or(' '))
    });
    names.filter(|(_, n)| ('0'..='3').contains(n)).collect()
}

/// Returns the PTX of one instruction in a block of its own.
fn body(index: usize, line: &Recorded) -> String {
    let mut t = String::from(
        "{\n.reg .b16 %h<6>;\n.reg .b32 %r<6>;\n.reg .b64 %d<6>;\n.reg .pred %p<6>;\n",
    );
    // A partly written register gets the third operand in the other bits.
    let part = line.ptx.contains("%r4.");
    let ptx = match part {
        true => format!("mov.b32 %r4, %r2; {}", line.ptx),
        false => line.ptx.to_owned(),
    };
    for (class, n) in registers(&ptx) {
        let _ = match class {
            'h' => writeln!(t, "cvt.u16.u64 %h{n}, %y{n};"),
            'r' => writeln!(t, "cvt.u32.u64 %r{n}, %y{n};"),
            'd' => writeln!(t, "mov.b64 %d{n}, %y{n};"),
            _ => writeln!(t, "and.b64 %x3, %y{n}, 1;\nsetp.ne.u64 %p{n}, %x3, 0;"),
        };
    }
    let _ = writeln!(t, "{ptx}");
    t += match line.result {
        'h' => "cvt.u64.u16 %x4, %h4;\n",
        'r' => "cvt.u64.u32 %x4, %r4;\n",
        'd' => "mov.b64 %x4, %d4;\n",
        _ => "selp.u64 %x4, 1, 0, %p4;\n",
    };
    if ptx.contains("|%p5") {
        let bit = if line.result == 'p' { 2u64 } else { 1 << 32 };
        let _ = writeln!(t, "selp.u64 %x3, {bit}, 0, %p5;\nor.b64 %x4, %x4, %x3;");
    }
    let _ = writeln!(t, "st.global.u64 [%x2 + {}], %x4;\n}}", 8 * TUPLES * index);
    t
}

/// Returns a kernel that applies instructions to every tuple.
fn kernel(lines: &[Recorded]) -> String {
    let mut t = String::from(
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 i, .param .u64 o)\n{\n\
         .reg .b64 %x<6>;\n.reg .b64 %y<4>;\n.reg .b32 %t<4>;\n\
         ld.param.u64 %x0, [i];\nmov.u32 %t0, %tid.x;\nmov.u32 %t1, %ctaid.x;\nshl.b32 %t2, %t1, 8;\n\
         add.u32 %t3, %t0, %t2;\nmad.wide.u32 %x1, %t3, 32, %x0;\nld.param.u64 %x2, [o];\nmad.wide.u32 %x2, %t3, 8, %x2;\n",
    );
    for n in 0..4 {
        let _ = writeln!(t, "ld.global.u64 %y{n}, [%x1 + {}];", 8 * n);
    }
    for (n, line) in lines.iter().enumerate() {
        t += &body(n, line);
    }
    t + "ret;\n}\n"
}

/// Returns committed device memory for `count` 64-bit words.
fn words(count: usize) -> *mut u64 {
    let len = (count as u64 * 8).next_multiple_of(4096);
    let at = space::reserve(len, 4096).unwrap();
    // SAFETY: just reserved, for this test.
    unsafe { space::commit(at, len).unwrap() };
    at as *mut u64
}

fn hash(results: &[u64]) -> u32 {
    let start = 0xcbf2_9ce4_8422_2325u64;
    results.iter().fold(start, |hash, &word| {
        let hash = (hash ^ word).wrapping_mul(0x100_0000_01b3);
        hash ^ hash >> 32
    }) as u32
}

/// Replaces the NaNs of `neg` and `abs` by those of an H200. The manual leaves them open; they differ if the
/// assembler merges the instruction into another.
fn expected_nans(ptx: &str, operands: &[u64], results: &mut [u64]) {
    let name = ptx.split(' ').next().unwrap_or("");
    if !name.starts_with("neg.") && !name.starts_with("abs.") {
        return;
    }
    let (bits, infinity, nan, lanes) = match name.rsplit('.').next().unwrap_or("") {
        "f64" => (64, 0x7ff << 52, None, 1),
        "f32" => (32, 0x7f80_0000, Some(0x7fff_ffff), 1),
        "f16" => (16, 0x7c00, Some(0x7fff), 1),
        "f16x2" => (16, 0x7c00, Some(0x7fff), 2),
        "bf16" => (16, 0x7f80, Some(0x7fff), 1),
        "bf16x2" => (16, 0x7f80, Some(0x7fff), 2),
        _ => return,
    };
    let mask = u64::MAX >> (64 - bits);
    for (tuple, result) in operands.chunks(4).zip(results) {
        for at in (0..lanes).map(|lane| lane * bits) {
            let operand = tuple[0] >> at & mask;
            if operand & (mask >> 1) > infinity {
                // An f64 NaN is made quiet and keeps its sign.
                let nan = nan.unwrap_or(operand | 1 << 51);
                *result = *result & !(mask << at) | nan << at;
            }
        }
    }
}

fn differences(engine: Engine) -> Vec<&'static str> {
    let inputs = SETS.map(|set| {
        let (values, at) = (operands(set), words(4 * TUPLES));
        // SAFETY: the memory is as long as the operands.
        unsafe { at.copy_from_nonoverlapping(values.as_ptr(), values.len()) };
        (set, values, at as u64)
    });
    let out = words(PER_KERNEL * TUPLES);
    let lines = recording();
    // `CUOX_TESTS=few` takes a quarter of the instructions.
    let every = match std::env::var("CUOX_TESTS").as_deref() {
        Ok("few") => 4,
        _ => 1,
    };
    let mut wrong = Vec::new();
    for same_set in lines.chunk_by(|a, b| a.set == b.set) {
        let (_, operands, from) = inputs.iter().find(|i| i.0 == same_set[0].set).unwrap();
        let params: Vec<u8> = [*from, out as u64]
            .iter()
            .flat_map(|p| p.to_le_bytes())
            .collect();
        for lines in same_set.chunks(PER_KERNEL).step_by(every) {
            let what = lines[0].ptx;
            let program =
                Program::from_ptx(&kernel(lines)).unwrap_or_else(|e| panic!("{what}: {e}"));
            // SAFETY: the program has no variables.
            let module = unsafe { Module::load(Arc::new(program), vec![]) }.unwrap();
            let kernel = module
                .kernel("k")
                .unwrap_or_else(|e| panic!("{what}: {e:?}"));
            let launch = Launch {
                grid: [TUPLES as u32 / BLOCK, 1, 1],
                block: [BLOCK, 1, 1],
                cluster: None,
                dynamic_shared: 0,
                stack: 0,
                params: &params,
                cooperative: false,
                resident: 1,
                multiprocessors: &[],
                timeout: None,
                engine,
                cancel: &AtomicBool::new(false),
                host: &Quiet,
            };
            kernel
                .launch(&launch)
                .unwrap_or_else(|e| panic!("{what}: {e}"));
            // SAFETY: the kernel has ended, and it wrote as many words for each line.
            let results = unsafe { std::slice::from_raw_parts_mut(out, lines.len() * TUPLES) };
            for (line, results) in lines.iter().zip(results.chunks_mut(TUPLES)) {
                expected_nans(line.ptx, operands, results);
                if hash(results) != line.hash {
                    wrong.push(line.ptx);
                }
            }
        }
    }
    wrong
}

#[test]
fn the_interpreter_computes_what_a_gpu_does() {
    let wrong = differences(Engine::Interpreter);
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

/// Returns true for instructions with results that may differ in machine code: of several NaN operands of an f64 fma,
/// any may be returned. The manual leaves it open.
fn may_differ(ptx: &str) -> bool {
    ["fma.", "mad."].iter().any(|op| ptx.starts_with(op)) && ptx.contains(".f64")
}

fn machine_code(engine: Engine) {
    let mut wrong = differences(engine);
    wrong.retain(|ptx| !may_differ(ptx));
    assert!(wrong.is_empty(), "{}: {wrong:#?}", wrong.len());
}

#[test]
fn machine_code_computes_what_a_gpu_does() {
    machine_code(Engine::Jit);
}

#[test]
fn machine_code_without_avx512_computes_what_a_gpu_does() {
    machine_code(Engine::JitNarrow);
}
