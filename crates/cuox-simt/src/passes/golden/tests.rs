//! Runs the golden files.

use super::{Case, Subject, facts, results};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests/ir")
}

fn names(dir: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    entries.map(name).collect()
}

/// Splits a file into its input and the result that it expects.
fn split(text: &str) -> (String, String) {
    let expected = |line: &str| {
        let result = line.strip_prefix("//!")?;
        Some(format!("{}\n", result.strip_prefix(' ').unwrap_or(result)))
    };
    let input = text.lines().filter(|line| !line.starts_with("//!"));
    (
        input.map(|line| format!("{line}\n")).collect(),
        text.lines().filter_map(expected).collect(),
    )
}

/// Returns the first lines that differ.
fn difference(result: &str, expected: &str) -> String {
    let (result, expected): (Vec<_>, Vec<_>) =
        (result.lines().collect(), expected.lines().collect());
    let same = result.iter().zip(&expected).take_while(|(a, b)| a == b);
    let at = same.count();
    let line = |lines: &[&str]| {
        lines
            .get(at)
            .map_or("(nothing)".to_owned(), ToString::to_string)
    };
    format!(
        "line {} of the result:\n    {}\n  expected:\n    {}",
        at + 1,
        line(&result),
        line(&expected)
    )
}

fn check((_, run): Subject, path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let (input, expected) = split(&text);
    if !input.starts_with("// # ") {
        return Err("the first line must say what the file shows: `// # …`".to_owned());
    }
    let result = run(&Case::new(&input)?)?;
    let lines = |text: &str| -> String {
        let lines = text.lines().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    };
    if lines(&result) == expected {
        return Ok(());
    }
    if std::env::var_os("CUOX_BLESS").is_some() {
        let comment = result.lines().map(|line| format!("//! {line}"));
        let comment: String = comment
            .map(|line| format!("{}\n", line.trim_end()))
            .collect();
        return std::fs::write(path, input + &comment).map_err(|e| e.to_string());
    }
    Err(difference(&result, &expected))
}

#[test]
fn passes_and_analyses_give_what_files_say() {
    let (mut failures, mut count) = (Vec::new(), 0);
    for subject in results::PASSES.into_iter().chain(facts::ANALYSES) {
        let dir = root().join(subject.0);
        let files = names(&dir);
        if files.is_empty() {
            failures.push(format!("{} has no files", dir.display()));
        }
        for file in files {
            count += 1;
            if let Err(why) = check(subject, &dir.join(&file)) {
                failures.push(format!("{}/{file}: {why}", subject.0));
            }
        }
    }
    println!("{count} files");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Neither a pass nor an analysis of IR.
const OTHERS: [&str; 4] = ["mod", "tests", "golden", "shape"];

#[test]
fn every_pass_and_analysis_has_files() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut modules: BTreeSet<String> = BTreeSet::new();
    for dir in ["passes", "analysis"] {
        let found = names(&src.join(dir));
        modules.extend(
            found
                .iter()
                .map(|name| name.trim_end_matches(".rs").to_owned()),
        );
    }
    OTHERS.iter().for_each(|other| _ = modules.remove(*other));
    let subjects = results::PASSES.into_iter().chain(facts::ANALYSES);
    let subjects: BTreeSet<String> = subjects.map(|(name, _)| name.to_owned()).collect();
    assert_eq!(subjects, modules);
    assert_eq!(names(&root()), modules);
}
