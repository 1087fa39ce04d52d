//! Chores that only run other programs.

use std::path::PathBuf;
use std::process::Command;

fn cargo(arguments: &[&str]) -> Result<(), String> {
    eprintln!("xtask: cargo {}", arguments.join(" "));
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .status()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("cargo {} failed", arguments.join(" ")))
    }
}

/// Formatting, lints and generated code, in the order of their cost.
pub fn check(include: Option<PathBuf>) -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    crate::generate::run(include, true)?;
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--",
        "-D",
        "warnings",
    ])
}
