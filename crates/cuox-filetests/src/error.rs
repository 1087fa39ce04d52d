//! PTX that must be refused, and its diagnostics.
//!
//! The file's last lines begin with `//! ` and hold the diagnostics as they are shown; its first line says where they
//! come up: `// at: load` or `// at: kernel=NAME`.

use crate::run::Loaded;

/// Splits off the expected text.
fn split(text: &str) -> (String, String) {
    let expected: Vec<&str> = text
        .lines()
        .filter_map(|l| {
            l.strip_prefix("//!")
                .map(|rest| rest.strip_prefix(' ').unwrap_or(rest))
        })
        .collect();
    let rest: Vec<&str> = text.lines().filter(|l| !l.starts_with("//!")).collect();
    (rest.join("\n") + "\n", expected.join("\n"))
}

fn said(text: &str) -> Result<String, String> {
    let place = text
        .lines()
        .next()
        .and_then(|l| l.strip_prefix("// at: "))
        .ok_or("no `// at:` in the first line")?;
    let accepted = || "the module was accepted".to_owned();
    match place.trim().split_once('=') {
        None if place.trim() == "load" => match Loaded::new(text) {
            Ok(_) => Err(accepted()),
            Err(said) => Ok(said),
        },
        Some(("kernel", name)) => Loaded::new(text)?.refusal(name).ok_or_else(accepted),
        _ => Err(format!("unknown place `{place}`")),
    }
}

/// Checks a file.
pub fn file(text: &str) -> Result<(), String> {
    let (ptx, expected) = split(text);
    let said = said(&ptx)?;
    if expected.is_empty() {
        return Err("no expected diagnostics (lines that begin with `//! `)".to_owned());
    }
    let lines = |text: &str| -> Vec<String> {
        text.trim_end()
            .lines()
            .map(|l| l.trim_end().to_owned())
            .collect()
    };
    if lines(&said) == lines(&expected) {
        return Ok(());
    }
    Err(format!("said:\n{said}\n\nexpected:\n{expected}"))
}

/// The file with the present diagnostics.
pub fn bless(text: &str) -> Result<String, String> {
    let (ptx, _) = split(text);
    let said = said(&ptx)?;
    let comment: Vec<String> = said
        .trim_end()
        .lines()
        .map(|l| format!("//! {l}").trim_end().to_owned())
        .collect();
    Ok(ptx + &comment.join("\n") + "\n")
}
