//! Prints for each header the share of it that becomes declarations; `docs/real-headers.md` is made with it.
//!
//! ```text
//! cargo run -p cuox-bind --example header_table -- [--dump] [--refused] [--cached] [-x c|c++|cuda] [-I DIR] [-D NAME[=VALUE]] [--before HEADER] [--site DIR] HEADER...
//! ```
//! `--dump` prints all declarations, `--refused` each of those that are refused; else they are counted by reason.
//! `--before` names a header that is included first and not counted, `--cached` uses the cache on disk.

use std::process::ExitCode;

use std::collections::BTreeMap;

use cuox_bind::clang::{Input, Language, ParseOptions, parse_all, parse_cached};
use cuox_bind::decl::Header;

fn main() -> ExitCode {
    let mut options = ParseOptions::default();
    let (mut dump, mut refused, mut cached) = (false, false, false);
    let mut headers = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--dump" => dump = true,
            "--refused" => refused = true,
            "--cached" => cached = true,
            "-x" => {
                options.language = match value().as_str() {
                    "c++" => Language::Cxx,
                    "cuda" => Language::Cuda,
                    _ => Language::C,
                }
            }
            "-I" => options.include_dirs.push(value().into()),
            "--before" => options.arguments.extend(["-include".into(), value()]),
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
        let read = if cached {
            parse_cached(&options)
        } else {
            parse_all(&options)
        };
        let parsed = match read {
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
        match refused {
            true => notes.extend(
                header
                    .refused
                    .iter()
                    .map(|it| format!("- `{name}`, {}: {}", header.place(it.place), it.reason)),
            ),
            false => notes.extend(
                by_reason(&header)
                    .into_iter()
                    .map(|line| format!("- `{name}`: {line}")),
            ),
        }
        if dump {
            print!("{header}");
        }
    }
    println!();
    notes.iter().for_each(|note| println!("{note}"));
    status
}

/// Refused declarations other than macros: the count for each reason, and the first few.
fn by_reason(header: &Header) -> Vec<String> {
    let mut reasons: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for it in header.refused.iter().filter(|it| it.kind != "macro") {
        let own = format!("`{}`", it.name);
        let reason = it.reason.replacen(&own, "", 1);
        let reason = reason.trim_start_matches([':', ' ']).to_owned();
        reasons
            .entry((&it.kind, reason))
            .or_default()
            .push(&it.name);
    }
    let line = |((kind, reason), names): ((&str, String), Vec<&str>)| {
        let shown: Vec<String> = names
            .iter()
            .take(3)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = if names.len() > 3 { ", …" } else { "" };
        let (count, shown) = (names.len(), shown.join(", "));
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {kind}{plural} ({shown}{more}): {reason}")
    };
    reasons.into_iter().map(line).collect()
}
