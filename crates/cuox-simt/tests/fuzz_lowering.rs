//! Damaged modules: whatever still parses either lowers, to code that the verifier accepts, or is refused; nothing
//! panics.

use cuox_simt::{Program, verify::verify};
use std::path::Path;

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below.max(1)
    }
}

/// Splits text into words, numbers, blanks and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_ascii_alphanumeric() || "_$%".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut out = Vec::new();
    let mut start = 0;
    let mut last = None;
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

fn damage(random: &mut Random, tokens: &[&str]) -> String {
    let mut out: Vec<&str> = tokens.to_vec();
    for _ in 0..1 + random.next(4) {
        let at = random.next(out.len());
        match random.next(5) {
            0 => {
                out.remove(at);
            }
            1 => out[at] = tokens[random.next(tokens.len())],
            2 => {
                let other = random.next(out.len());
                out.swap(at, other);
            }
            3 => out.insert(at, tokens[random.next(tokens.len())]),
            _ => {
                let odd = [
                    "0",
                    "-1",
                    "4294967295",
                    "9223372036854775807",
                    "_",
                    "b64",
                    "b16",
                    "pred",
                    "f64",
                    "@%p1",
                ];
                out[at] = odd[random.next(odd.len())];
            }
        }
        if out.is_empty() {
            break;
        }
    }
    out.concat()
}

#[test]
fn damaged_modules_are_refused_or_lowered() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let rounds: usize = std::env::var("CUOX_FUZZ_ROUNDS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(150);
    let (mut parsed, mut lowered, mut refused) = (0, 0, 0);
    let mut paths: Vec<_> = std::fs::read_dir(dir)
        .expect("the modules")
        .map(|e| e.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("a readable module");
        // Damage to a small module is more likely to hit something.
        if text.len() > 60_000 {
            continue;
        }
        let tokens = tokens(&text);
        let mut random = Random(0x9e37_79b9_7f4a_7c15 ^ text.len() as u64);
        for _ in 0..rounds {
            let text = damage(&mut random, &tokens);
            let Ok(program) = Program::from_ptx(&text) else {
                continue;
            };
            parsed += 1;
            for kernel in program.kernels() {
                match program.lower(kernel) {
                    Ok(unit) => {
                        lowered += 1;
                        if let Err(errors) = verify(&unit) {
                            panic!("{}\n{text}", errors[0]);
                        }
                    }
                    Err(_) => refused += 1,
                }
            }
        }
    }
    println!("{parsed} modules parsed; {lowered} kernels lowered, {refused} refused");
    assert!(
        lowered > 100 && refused > 10,
        "the damage is too small or too great to say anything"
    );
}
