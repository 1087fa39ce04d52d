//! The fuzzers' targets, and damage to known inputs for machines without a fuzzer.
//!
//! Each target takes any bytes and returns, unless something that must not happen does: a panic, or a difference
//! between engines.

use crate::random::Rng;
use crate::random::compare::{EngineUnderTest, SHAPES, difference, reduce};
use crate::random::kernel::Kernel;
use cuox_simt::ir::{Function, ReadError, Unit};
use cuox_simt::jit::{self, CodePart, Shape};
use cuox_simt::{Engine, Module, Program, verify};
use std::sync::Arc;

/// A target: its name, and the function that takes an input.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 5] = [
    ("parse", parse),
    ("lower", lower),
    ("run", run),
    ("fatbin", fatbin),
    ("ir", ir),
];

/// Modules larger than this are not lowered: small ones are likely to find the same in less time.
const LARGEST: usize = 100_000;

/// Parses text.
pub fn parse(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Err(errors) = Program::from_ptx(&text) {
        assert!(!errors.to_string().is_empty());
    }
}

/// Parses text; lowers and verifies each kernel, and compiles it for wide and narrow vectors and for several shapes of
/// block.
pub fn lower(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if text.len() > LARGEST {
        return;
    }
    let Ok(program) = Program::from_ptx(&text) else {
        return;
    };
    let program = Arc::new(program);
    // SAFETY: variables without addresses are not written to.
    let Ok(module) = (unsafe { Module::load(Arc::clone(&program), Vec::new()) }) else {
        return;
    };
    for name in program.kernels() {
        let kernel = match module.kernel(name) {
            Ok(kernel) => kernel,
            Err(refused) => {
                let said = format!("{refused:?}");
                assert!(!said.contains("E-verify"), "the verifier: {said}");
                continue;
            }
        };
        compile(kernel.unit(), kernel.info().param_bytes);
    }
}

/// Compiles a unit that the verifier accepts, for wide and narrow vectors and for several shapes of block.
fn compile(unit: &Unit, param_bytes: u32) {
    for (shape, wide) in [
        (Shape::Line, jit::has_wide()),
        (Shape::Line, false),
        (Shape::Any, false),
    ] {
        let made = jit::Plan::new(unit, shape, 64, wide, param_bytes, wide)
            .map(|plan| jit::Compiled::new(plan, &jit::cache::Cache::Off))
            .and_then(|code| {
                code.gang(CodePart::Hot)?;
                code.gang(CodePart::Cold)?;
                code.thread()?;
                Ok(())
            });
        if let Err(why) = made {
            assert!(!why.is_empty());
        }
    }
}

/// Makes a kernel from the bytes and runs it in all engines.
pub fn run(input: &[u8]) {
    let kernel = Kernel::from_bytes(input);
    let seed = input.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    });
    let block = *Rng::new(seed).pick(&SHAPES);
    let jits = crate::engines().into_iter();
    for engine in jits.filter(|&engine| engine != Engine::Interpreter) {
        let side = EngineUnderTest {
            engine,
            checked: seed & 1 == 1,
        };
        #[allow(
            clippy::panic,
            reason = "a difference is a finding, which a fuzzer sees as a panic"
        )]
        if let Some(what) = difference(&kernel, seed, block, side) {
            let (small, said) = reduce(kernel, seed, block, side, &what);
            panic!(
                "{side:?}, block {block:?}: {what}\nless of it: {said}\n{}",
                small.ptx()
            );
        }
    }
}

/// Reads a fat binary as devices of several architectures do. Texts that it holds are the same after they have been
/// written and read.
pub fn fatbin(input: &[u8]) {
    for sm in [75, 90, 121] {
        let Ok(texts) = cuox_softgpu::read_fatbin(input, sm) else {
            continue;
        };
        assert!(!texts.is_empty(), "a fat binary without texts was read");
        let written = cuox_softgpu::write_fatbin(&texts, sm, (9, 0));
        assert!(cuox_softgpu::read_fatbin(&written, sm).as_ref() == Ok(&texts));
    }
}

/// Reads the text of a unit of IR, or of a function. What is read prints so that it reads the same. The verifier says
/// why it refuses a unit, or the JIT compiles it.
pub fn ir(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let said = |error: ReadError| {
        assert!(error.line <= text.lines().count() + 1 && !error.message.is_empty());
    };
    match text.parse::<Unit>() {
        Ok(unit) => {
            assert!(unit.to_string().parse().as_ref() == Ok(&unit));
            match verify::verify(&unit) {
                Ok(()) => compile(&unit, 64),
                Err(errors) => {
                    assert!(errors.iter().all(|error| !error.to_string().is_empty()));
                }
            }
        }
        Err(error) => said(error),
    }
    match text.parse::<Function>() {
        Ok(function) => {
            assert!(function.to_string().parse().as_ref() == Ok(&function));
            verify::verify_function(&function, verify::Kind::Kernel, None);
        }
        Err(error) => said(error),
    }
}

/// Damages bytes: changes bits, sets bytes or words to edge cases, cuts off, repeats.
pub fn damage_bytes(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    const WORDS: [u32; 6] = [0, 1, 0x40, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(4) {
        let len = bytes.len() as u32;
        let at = rng.below(len) as usize;
        match rng.below(6) {
            _ if bytes.is_empty() => break,
            0 => bytes[at] ^= 1 << rng.below(8),
            1 => bytes[at] = rng.next_u64() as u8,
            2 => bytes.truncate(at),
            3 => {
                let again = bytes[at..].to_vec();
                bytes.extend(again.iter().take(256));
            }
            // A field of a header is a word at its place.
            _ => {
                let at = at & !3;
                let word = rng.pick(&WORDS).to_le_bytes();
                let end = (at + 4).min(bytes.len());
                bytes[at..end].copy_from_slice(&word[..end - at]);
            }
        }
    }
    bytes
}

/// Damages the text in the first `size` bytes of `input` word by word, for a fuzzer: of bytes changed at random hardly
/// anything is a module. Answers the new size.
pub fn damage_in_place(input: &mut [u8], size: usize, seed: u32) -> usize {
    let text = String::from_utf8_lossy(&input[..size]).into_owned();
    let damaged = damage(&mut Rng::new(seed.into()), &tokens(&text));
    let size = damaged.len().min(input.len());
    input[..size].copy_from_slice(&damaged.as_bytes()[..size]);
    size
}

/// Splits text into words, numbers, blanks and single other characters.
pub fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_$%".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut out = Vec::new();
    let (mut start, mut last) = (0, None);
    for (at, c) in text.char_indices() {
        let this = class(c);
        if at > start && (Some(this) != last || this == 2) {
            out.push(&text[start..at]);
            start = at;
        }
        last = Some(this);
    }
    out.push(&text[start..]);
    out
}

/// Words that are at the edge of something.
const ODD: [&str; 40] = [
    "0",
    "-1",
    "1",
    "3",
    "31",
    "32",
    "64",
    "65535",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "99999999999999999999999",
    "0x",
    "0f7fc00000",
    "0d8000000000000000",
    "_",
    "b8",
    "b16",
    "b32",
    "b64",
    "b128",
    "pred",
    "f16x2",
    "f64",
    "v4",
    "v8",
    "@%p1",
    "@!%p1",
    "{",
    "}",
    "(",
    ")",
    ";",
    "[",
    "]",
    "%tid.x",
    "WARP_SZ",
    ".param",
    ".shared",
];

/// Text with a few of its words exchanged, doubled, left out, or replaced by odd ones; now and then cut off.
pub fn damage(rng: &mut Rng, tokens: &[&str]) -> String {
    let mut out: Vec<&str> = tokens.to_vec();
    for _ in 0..1 + rng.below(4) {
        if out.is_empty() {
            break;
        }
        let at = rng.below(out.len() as u32) as usize;
        match rng.below(16) {
            0..3 => {
                out.remove(at);
            }
            3..6 => out[at] = *rng.pick(tokens),
            6..8 => {
                let other = rng.below(out.len() as u32) as usize;
                out.swap(at, other);
            }
            8..10 => out.insert(at, *rng.pick(tokens)),
            10..13 => out[at] = *rng.pick(&ODD),
            13 => {
                // A piece of the text, once more somewhere else.
                let from = rng.below(out.len() as u32) as usize;
                let to = (from + rng.below(40) as usize).min(out.len());
                let piece = out[from..to].to_vec();
                out.splice(at..at, piece);
            }
            14 => {
                let to = (at + rng.below(40) as usize).min(out.len());
                out.drain(at..to);
            }
            _ if rng.one_in(8) => out.truncate(at),
            _ => out[at] = *rng.pick(&ODD),
        }
    }
    out.concat()
}
