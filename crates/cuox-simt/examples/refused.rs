//! Says which lines of PTX files are refused, for `tools/hardware/sweep.py`: `refused FILE...`.
//!
//! A line is the file's name, the line's number and why. What is refused is taken out, until the rest is accepted.

use cuox_ptx::diagnostic::Diagnostics;
use cuox_ptx::source::LineIndex;
use cuox_simt::Program;
use std::collections::BTreeMap;

/// The first diagnostics about a text.
fn complaints(text: &str) -> Option<Diagnostics> {
    let program = match Program::from_ptx(text) {
        Ok(program) => program,
        Err(diagnostics) => return Some(diagnostics),
    };
    let names: Vec<String> = program.kernels().iter().map(|k| k.to_string()).collect();
    names.iter().find_map(|name| program.lower(name).err())
}

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else {
            eprintln!("{path} cannot be read");
            continue;
        };
        let mut lines: Vec<&str> = text.lines().collect();
        let mut refused = BTreeMap::new();
        loop {
            let text = lines.join("\n");
            let Some(diagnostics) = complaints(&text) else {
                break;
            };
            let index = LineIndex::new(&text);
            let mut found = false;
            for d in diagnostics.iter() {
                let line = index.position(d.span.start).line as usize;
                if line > 0 && line <= lines.len() && !lines[line - 1].is_empty() {
                    lines[line - 1] = "";
                    refused.insert(line, d.message.clone());
                    found = true;
                }
            }
            if !found {
                println!("{path} 0 {diagnostics}");
                break;
            }
        }
        for (line, why) in refused {
            println!("{path} {line} {}", why.replace('\n', " "));
        }
    }
}
