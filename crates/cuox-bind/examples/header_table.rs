//! Prints, for each header, how much of it becomes declarations; `docs/real-headers.md` is made with it.
//!
//! ```text
//! cargo run -p cuox-bind --example header_table -- [--dump] [-x c|c++|cuda] [-I DIR] [-D NAME[=VALUE]] [--site DIR] [--refused] HEADER...
//! ```
//! `--dump` prints all declarations, `--refused` everything that is refused and why.

use std::process::ExitCode;

use cuox_bind::clang::{Input, Language, ParseOptions, parse_all};

fn main() -> ExitCode {
    let mut options = ParseOptions::default();
    let (mut dump, mut refused) = (false, false);
    let mut headers = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--dump" => dump = true,
            "--refused" => refused = true,
            "-x" => {
                options.language = match value().as_str() {
                    "c++" => Language::Cxx,
                    "cuda" => Language::Cuda,
                    _ => Language::C,
                }
            }
            "-I" => options.include_dirs.push(value().into()),
            "--site" => options.site_dirs.push(value().into()),
            "-D" => {
                let text = value();
                let (name, value) = match text.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_owned())),
                    None => (text.as_str(), None),
                };
                options.defines.push((name.to_owned(), value));
            }
            _ => headers.push(argument),
        }
    }
    println!(
        "| header | functions declared | kept | refused | records | enumerations | typedefs | constants | macros with parameters | ms |"
    );
    println!("|-|-|-|-|-|-|-|-|-|-|");
    let mut status = ExitCode::SUCCESS;
    let mut notes = Vec::new();
    for name in headers {
        options.inputs = vec![Input::File(name.clone())];
        let start = std::time::Instant::now();
        let parsed = match parse_all(&options) {
            Ok(parsed) => parsed,
            Err(error) => {
                eprintln!("{name}: {error}");
                status = ExitCode::FAILURE;
                continue;
            }
        };
        let ms = start.elapsed().as_millis();
        for warning in &parsed.warnings {
            eprintln!("{warning}");
        }
        let header = parsed.header;
        let of_kind = |kind: &str| header.refused.iter().filter(|r| r.kind == kind).count();
        let refused_functions = of_kind("function");
        let kept = header.functions.len();
        println!(
            "| `{name}` | {} | {kept} | {refused_functions} | {} | {} | {} | {} | {} | {ms} |",
            kept + refused_functions,
            header.records.len(),
            header.enums.len(),
            header.typedefs.len(),
            header.constants.len(),
            of_kind("macro"),
        );
        for it in &header.refused {
            if refused || it.kind != "macro" {
                notes.push(format!(
                    "- `{name}`, {}: {}",
                    header.place(it.place),
                    it.reason
                ));
            }
        }
        if dump {
            print!("{header}");
        }
    }
    println!();
    notes.iter().for_each(|note| println!("{note}"));
    status
}
