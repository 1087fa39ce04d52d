//! `cargo xtask gen`: from `cuda.h` and `cudaTypedefs.h` to `crates/cuox-abi/src/generated`, and from
//! `cuda_runtime_api.h` and the headers of its types to `crates/cuox-cudart/src/generated`, and from `nvml.h` to
//! `crates/cuox-nvml/src/generated`.
//!
//! The headers are preprocessed by `gcc -E`, read by a small declaration parser ([`parse`]), measured by a C probe
//! that gcc compiles ([`probe`]: sizes, offsets and constants are the compiler's own answers), and written as Rust
//! ([`emit`]). The result depends on the headers' contents only.

mod emit;
mod emit_functions;
mod headers;
mod lex;
mod model;
mod parse;
mod probe;
mod proc_table;
mod profile;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use profile::Profile;

/// Writes the generated files, or with `check` compares them with those on disk.
pub fn run(include: Option<PathBuf>, check: bool) -> Result<(), String> {
    let include = headers::find(include)?;
    let driver = generate(&include, &profile::DRIVER, check);
    let runtime = generate(&include, &profile::RUNTIME, check);
    let nvml = generate(&include, &profile::NVML, check);
    driver.and(runtime).and(nvml)
}

fn generate(include: &Path, profile: &Profile, check: bool) -> Result<(), String> {
    let sources = headers::read(include, profile)?;
    let tokens = lex::tokens(&sources.preprocessed)?;
    let mut header = parse::header(&tokens)?;
    header.macros = sources.macros;
    header.groups = sources.groups;
    for function in &header.functions {
        if !profile
            .results
            .contains(&function.result.spelled().as_str())
        {
            return Err(format!(
                "{} returns the unexpected type {}",
                function.symbol,
                function.result.spelled()
            ));
        }
    }
    let facts = probe::measure(include, &mut header, profile)?;

    let mut files = emit::files(&header, &facts, profile);
    files.extend(emit_functions::files(&header, &facts, profile));
    if profile.public {
        let rows = proc_table::derive(&header, &sources.typedefs)?;
        files.push(emit_functions::proc_table(&header, &rows));
    }
    files.sort();

    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(profile.folder);
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", profile.folder))?;
    let mut stale = Vec::new();
    for (name, text) in &files {
        let text = rustfmt(name, text)?;
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if check {
            stale.push(name.clone());
        } else {
            std::fs::write(&path, text).map_err(|error| format!("cannot write {name}: {error}"))?;
        }
    }
    let listing =
        std::fs::read_dir(&folder).map_err(|error| format!("cannot list the folder: {error}"))?;
    for entry in listing.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if !files.iter().any(|(file, _)| *file == name) {
            stale.push(format!("{name} (not generated any more)"));
        }
    }
    if stale.is_empty() {
        eprintln!(
            "xtask: CUDA {}: {} functions, {} files up to date",
            emit::version_text(),
            header.functions.len(),
            files.len()
        );
        Ok(())
    } else {
        Err(format!(
            "generated code differs from the headers: {}; run `cargo xtask gen`",
            stale.join(", ")
        ))
    }
}

fn rustfmt(name: &str, text: &str) -> Result<String, String> {
    let failed = |what: String| format!("rustfmt on {name}: {what}");
    let mut child = Command::new("rustfmt")
        .args(["--edition", "2024", "--emit", "stdout", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(error.to_string()))?;
    let mut input = child
        .stdin
        .take()
        .ok_or_else(|| failed("no standard input".into()))?;
    let text = text.to_owned();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child
        .wait_with_output()
        .map_err(|error| failed(error.to_string()))?;
    let written = writer
        .join()
        .map_err(|_| failed("its input thread failed".into()))?;
    written.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        return Err(failed("it failed".into()));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(error.to_string()))
}
