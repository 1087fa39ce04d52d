//! Damaged headers, and random declarations.
//!
//! `CUOX_FUZZ_SECONDS=600` goes on for as long; `CUOX_FUZZ_SEED` is the first round's. What libclang itself crashes of
//! is counted, and no failure; damaged headers are read in processes of their own for that reason.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use cuox_bind::clang::{Input, Language, ParseOptions, find_libclang, parse};
use cuox_bind::decl::{Float, Function, FunctionType, Header, Int, Parameter, Place, Type, file};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Runs rounds until the time is over, at least so many.
fn rounds(least: u64, mut round: impl FnMut(u64)) {
    let start = Instant::now();
    let time = Duration::from_secs(number("CUOX_FUZZ_SECONDS").unwrap_or(0));
    let first = number("CUOX_FUZZ_SEED").unwrap_or(1);
    for number in 0.. {
        if number >= least && start.elapsed() >= time {
            break;
        }
        round(first.wrapping_add(number));
    }
}

fn text_of(text: String, language: Language) -> ParseOptions {
    let input = Input::Text {
        name: "fuzz.h".into(),
        text,
    };
    ParseOptions {
        inputs: vec![input],
        language,
        ..ParseOptions::default()
    }
}

/// True if the tests can run.
fn has_libclang() -> bool {
    let found = find_libclang(None, &[]);
    if let Err(error) = &found {
        eprintln!("skipped: {error}");
    }
    found.is_ok()
}

/// A type that C can write, to be passed or pointed at.
fn random_type(random: &mut Random, depth: u32, pointed_at: bool) -> Type {
    let pick = random.below(if depth == 0 { 8 } else { 14 });
    match pick {
        0 if pointed_at => Type::Void,
        0 | 1 => Type::Bool,
        2..=5 => {
            let all = [
                Int::Char,
                Int::I8,
                Int::U8,
                Int::I16,
                Int::U16,
                Int::I32,
                Int::U32,
                Int::I64,
                Int::U64,
                Int::I128,
                Int::U128,
            ];
            Type::Int(all[random.below(all.len())])
        }
        6 => Type::Float([Float::F32, Float::F64, Float::Long][random.below(3)]),
        7 => Type::Complex([Float::F32, Float::F64, Float::Long][random.below(3)]),
        8 if pointed_at => Type::Function(random_function(random, depth - 1, false).into()),
        9 if pointed_at => Type::Array {
            of: random_element(random, depth - 1).into(),
            length: Some(1 + random.below(9) as u64),
        },
        _ => {
            let to = random_type(random, depth - 1, true);
            let constant = !matches!(to, Type::Function(_)) && random.below(3) == 0;
            Type::Pointer {
                to: to.into(),
                constant,
            }
        }
    }
}

/// A type that an array can be of.
fn random_element(random: &mut Random, depth: u32) -> Type {
    match random.below(4) {
        0 if depth > 0 => Type::Array {
            of: random_element(random, depth - 1).into(),
            length: Some(1 + random.below(9) as u64),
        },
        _ => random_type(random, depth, false),
    }
}

/// A function's type; `named` says whether parameters may have names, which not all places of a declaration keep.
fn random_function(random: &mut Random, depth: u32, named: bool) -> FunctionType {
    let count = random.below(4);
    let parameters = (0..count).map(|n| {
        let name = if !named || random.below(2) == 0 {
            String::new()
        } else {
            format!("p{n}")
        };
        (name, random_type(random, depth, false))
    });
    let parameters: Vec<_> = parameters.collect();
    FunctionType {
        variadic: !parameters.is_empty() && random.below(4) == 0,
        parameters,
        result: match random.below(4) {
            0 => Type::Void,
            _ => random_type(random, depth, false),
        },
    }
}

/// Declarations that are written as C are read as the same declarations.
#[test]
fn random_declarations() {
    if !has_libclang() {
        return;
    }
    rounds(12, |seed| {
        let mut random = Random(seed);
        let empty = Header::default();
        let functions: Vec<Function> = (0..100)
            .map(|n| {
                let of = random_function(&mut random, 5, true);
                let parameters = of.parameters.into_iter().map(|(name, ty)| Parameter {
                    name,
                    ty,
                    default: None,
                    nonnull: false,
                    elements: None,
                });
                Function {
                    name: format!("f{n}"),
                    symbol: format!("f{n}"),
                    parameters: parameters.collect(),
                    result: of.result,
                    variadic: of.variadic,
                    doc: None,
                    deprecated: None,
                    place: Place {
                        file: 0,
                        line: n + 1,
                    },
                }
            })
            .collect();
        let lines = functions.iter().map(|f| empty.prototype(f) + ";\n");
        let text: String = lines.collect();
        let header =
            parse(&text_of(text, Language::C)).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        for (read, written) in header.functions.iter().zip(&functions) {
            let text = empty.prototype(written);
            assert_eq!(read, written, "seed {seed}: {text}");
        }
        assert_eq!(header.functions.len(), functions.len());
    });
}

const CHILD: &str = "CUOX_BIND_FUZZ_CHILD";
/// The number of damaged headers that a process reads.
const IN_ONE: u64 = 100;

/// Damaged headers give a header that fits together, or an error.
#[test]
fn damaged_headers() {
    if let Ok(child) = std::env::var(CHILD) {
        let first: u64 = child.parse().expect("a number");
        (first..).take(IN_ONE as usize).for_each(|seed| {
            // Said before, so that the parent knows where to go on.
            eprintln!("at {seed}");
            read_damaged(seed);
        });
        return;
    }
    if !has_libclang() {
        return;
    }
    let own = std::env::current_exe().expect("this test");
    let mut crashes = 0;
    rounds(3, |round| {
        let mut seed = round * IN_ONE;
        let end = seed + IN_ONE;
        while seed < end {
            let output = Command::new(&own)
                .args(["--exact", "damaged_headers", "--nocapture"])
                .env(CHILD, seed.to_string())
                .output()
                .expect("this test runs");
            if output.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&output.stderr);
            let at = said
                .lines()
                .rev()
                .find_map(|line| line.strip_prefix("at ")?.parse::<u64>().ok());
            let at = at.unwrap_or_else(|| panic!("it did not begin: {said}"));
            assert!(
                !said.contains("panicked") && output.status.code().is_none(),
                "seed {at}: {said}"
            );
            crashes += 1;
            seed = at + 1;
        }
    });
    println!("{crashes} crashes of libclang");
}

fn read_damaged(seed: u64) {
    const WORDS: [&str; 40] = [
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "*",
        ";",
        ",",
        "...",
        ":3",
        ":0",
        "[]",
        "[0]",
        "const",
        "volatile",
        "struct",
        "union",
        "enum",
        "typedef",
        "extern",
        "static",
        "inline",
        "void",
        "va_list",
        "_Complex",
        "__int128",
        "_Atomic(int)",
        "__attribute__((packed))",
        "__attribute__((aligned(64)))",
        "__attribute__((vector_size(16)))",
        "__attribute__((nonnull(1, 9)))",
        "__typeof__(x)",
        "#define X ",
        "#undef X\n",
        "#if 0\n",
        "\"",
        "/*",
        "\\\n",
        "99999999999999999999",
    ];
    let mut random = Random(seed);
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let names = [
        "comments.h",
        "cxx.hpp",
        "functions.h",
        "macros.h",
        "records.h",
    ];
    let name = names[random.below(names.len())];
    let mut text = std::fs::read(dir.join(name)).expect("a header");
    for _ in 0..=random.below(4) {
        let at = random.below(text.len());
        match random.below(5) {
            0 => {
                let end = (at + random.below(30)).min(text.len());
                text.drain(at..end);
            }
            1 => {
                let end = (at + random.below(60)).min(text.len());
                let piece = text[at..end].to_vec();
                let to = random.below(text.len());
                text.splice(to..to, piece);
            }
            2 => text[at] = random.next() as u8,
            3 => {
                // Deep nesting.
                let word = ["*", "(", "[2]", "{", "struct {"][random.below(5)];
                let many = word.repeat(random.below(2000));
                text.splice(at..at, many.into_bytes());
            }
            _ => {
                let word = format!(" {} ", WORDS[random.below(WORDS.len())]);
                text.splice(at..at, word.into_bytes());
            }
        }
    }
    let language = match name.ends_with("hpp") {
        true => Language::Cxx,
        false => Language::C,
    };
    let text = String::from_utf8_lossy(&text).into_owned();
    match parse(&text_of(text, language)) {
        Ok(header) => {
            let bytes = file::write(&header).expect("a header can be kept");
            let again: Header = file::read(&bytes).expect("and read again");
            assert_eq!(format!("{header:?}"), format!("{again:?}"));
            assert!(header.to_string().len() < 100 << 20);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
