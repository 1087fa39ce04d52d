//! Every module in `filetests/ptx/parse` parses, and prints to text that parses to the same tree.

use cuox_ptx::ast::{Module, Statement};
use std::path::{Path, PathBuf};

fn corpus() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests/ptx/parse");
    let entries = std::fs::read_dir(&folder).expect("the folder of test modules");
    let mut files: Vec<_> = entries
        .map(|e| e.expect("a folder entry").path())
        .map(|p| {
            let text = std::fs::read_to_string(&p).expect("a readable file");
            (p, text)
        })
        .collect();
    files.sort();
    files
}

fn same_tree(mut a: Module, mut b: Module) -> bool {
    a.clear_spans();
    b.clear_spans();
    a == b
}

fn instructions(body: &[Statement]) -> usize {
    body.iter()
        .map(|s| match s {
            Statement::Instruction(_) => 1,
            Statement::Block(inner) => instructions(inner),
            _ => 0,
        })
        .sum()
}

/// Counts instructions by another rule: in the body of compiled code each ends a line with `;`, and no
/// line that starts with a dot is one.
fn instruction_lines(text: &str) -> usize {
    let mut in_body = false;
    let mut count = 0;
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("").trim();
        match line {
            "{" => in_body = true,
            "}" => in_body = false,
            _ if in_body && line.ends_with(';') && !line.starts_with('.') => count += 1,
            _ => {}
        }
    }
    count
}

#[test]
fn modules_parse_and_print() {
    let files = corpus();
    assert!(files.len() >= 15, "only {} modules", files.len());
    for (path, text) in &files {
        let name = path.display();
        assert!(path.extension().is_some_and(|e| e == "ptx"), "{name}");
        assert!(
            text.starts_with("// NVRTC "),
            "{name} does not say what made it"
        );
        let module = cuox_ptx::parse(text).unwrap_or_else(|d| panic!("{name}:\n{d}"));
        assert!(module.functions().any(|f| f.is_entry()), "{name}");
        let printed = cuox_ptx::print(&module);
        let again = cuox_ptx::parse(&printed).unwrap_or_else(|d| panic!("{name}, printed:\n{d}"));
        assert!(same_tree(module, again), "{name} changes when printed");
    }
}

#[test]
fn nothing_is_lost() {
    // Only modules without inline assembly have one instruction for each line.
    for name in [
        "saxpy",
        "reduce_shared",
        "float_math",
        "line_info",
        "switch_loop",
    ] {
        let files = corpus();
        let (_, text) = files
            .iter()
            .find(|(p, _)| p.file_stem().is_some_and(|s| s == name))
            .expect(name);
        let module = cuox_ptx::parse(text).expect(name);
        let bodies = module.functions().filter_map(|f| f.body.as_deref());
        let found: usize = bodies.map(instructions).sum();
        assert_eq!(found, instruction_lines(text), "{name}");
    }
}

struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Damages a text in one to four places.
fn damage(text: &str, random: &mut XorShift) -> String {
    const PIECES: &[&str] = &[
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ";",
        ",",
        ":",
        ".",
        "%",
        "@",
        "!",
        "|",
        "<",
        "-",
        "0x",
        "0f",
        "\"",
        "/*",
        "//",
        "add",
        ".u32",
        ".reg ",
        ".entry ",
        "99999999999999999999",
        "\u{e9}",
        "\0",
        "$",
        "_",
        "generic(",
        "?",
        ".section .x {",
    ];
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            break;
        }
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = b' ' + random.below(95) as u8,
            1 => {
                let end = (at + 1 + random.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            2 => {
                let piece = PIECES[random.below(PIECES.len())].bytes();
                bytes.splice(at..at, piece);
            }
            3 => {
                let end = (at + random.below(60)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len());
                bytes.splice(to..to, copy);
            }
            _ => bytes.truncate(at),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_modules_never_panic() {
    let files = corpus();
    let small: Vec<&str> = files
        .iter()
        .map(|(_, t)| t.as_str())
        .filter(|t| t.len() < 4000)
        .collect();
    assert!(!small.is_empty());
    let mut random = XorShift(0x2545_F491_4F6C_DD1D);
    let (mut accepted, mut refused) = (0, 0);
    for case in 0..24_000 {
        let text = damage(small[case % small.len()], &mut random);
        match cuox_ptx::parse(&text) {
            Ok(module) => {
                accepted += 1;
                let printed = cuox_ptx::print(&module);
                let again = cuox_ptx::parse(&printed)
                    .unwrap_or_else(|d| panic!("{text}\n-- printed:\n{printed}\n{d}"));
                assert!(same_tree(module, again), "{text}\n-- printed:\n{printed}");
            }
            Err(diagnostics) => {
                refused += 1;
                assert!(!diagnostics.is_empty(), "refused without a word:\n{text}");
                assert!(!diagnostics.to_string().is_empty());
            }
        }
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 100 && refused > 10_000, "{accepted}, {refused}");
}

#[test]
fn hostile_modules_end() {
    let head = ".version 9.0\n.target sm_90\n";
    for piece in [
        "\0",
        "\0x",
        "{",
        "(",
        "[",
        "-",
        "!",
        "((.s64)",
        "a ? ",
        "{ { mov.b32 a, {",
        ".entry k() {",
        ".global .b8 x[2] = {",
        "/* ",
        "\"",
        "@",
        "foo ",
        "bar;",
        ".reg",
        ".section .x {",
        "\u{7f}",
        "mov.b32 %r1, {",
        ".global .u64 x = 0xFF(generic(",
    ] {
        for start in [
            "",
            ".entry k() {",
            ".entry k() { mov.b32 %r1, ",
            ".global .b8 x[2] = ",
        ] {
            let text = format!("{head}{start}{}x", piece.repeat(50_000));
            assert!(cuox_ptx::parse(&text).is_err(), "{start:?} {piece:?}");
        }
    }
}
