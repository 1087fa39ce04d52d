//! Project chores, run as `cargo xtask <chore>`.
//!
//! * `gen [--check] [--include DIR]` writes `src/generated` of the crates `cuox-abi`, `cuox-cudart` and `cuox-nvml`
//!   from CUDA's headers; with `--check` it writes nothing and fails when the committed files differ.
//! * `check [--include DIR]` runs the checks that a change must pass before review: formatting, clippy and `gen
//!   --check`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod chores;
mod generate;

use std::path::PathBuf;
use std::process::ExitCode;

/// The options of a command line.
struct Options {
    check: bool,
    include: Option<PathBuf>,
}

const USAGE: &str =
    "usage: cargo xtask gen [--check] [--include DIR]\n       cargo xtask check [--include DIR]";

fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options {
        check: false,
        include: None,
    };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => options.check = true,
            "--include" => {
                let folder = arguments.next().ok_or("--include needs a folder")?;
                options.include = Some(folder.into());
            }
            other => return Err(format!("unknown argument {other:?}\n{USAGE}")),
        }
    }
    Ok(options)
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().ok_or(USAGE)?;
    match chore.as_str() {
        "gen" => {
            let options = parse(arguments)?;
            generate::run(options.include, options.check)
        }
        "check" => {
            let options = parse(arguments)?;
            chores::check(options.include)
        }
        other => Err(format!("unknown chore {other:?}\n{USAGE}")),
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}
