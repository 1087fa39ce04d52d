//! Runs every file under `filetests/`. `CUOX_BLESS=1` rewrites the expectations of those that fail.
//!
//! All machine code is encoded as for the cache on disk and decoded before it runs; `CUOX_CACHE_DIR=dir` goes through a
//! directory.

use cuox_filetests::{error, run};
use cuox_simt::jit::cache::{self, Cache};
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

#[derive(Clone, Copy)]
enum Suite {
    /// PTX with its directives.
    Run,
    /// PTX compiled from a `.cu` that has the directives.
    Cuda,
    /// PTX that is refused.
    Error,
}

fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            walk(&path, found);
        } else {
            found.push(path);
        }
    }
}

fn check(suite: Suite, path: &Path) -> Result<(), Failed> {
    let read =
        |path: &Path| std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()));
    let bless = std::env::var_os("CUOX_BLESS").is_some();
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match (suite, extension) {
        (Suite::Cuda, "ptx") => {
            if path.with_extension("cu").exists() {
                return Ok(());
            }
            return Err("compiled PTX without its .cu".into());
        }
        (Suite::Cuda, "cu") | (Suite::Run | Suite::Error, "ptx") => {}
        _ => return Err("this file belongs to no test".into()),
    }
    let (header, ptx) = match suite {
        Suite::Cuda => (read(path)?, read(&path.with_extension("ptx"))?),
        _ => (read(path)?, read(path)?),
    };
    let result = match suite {
        Suite::Error => error::file(&header),
        _ => run::file(&header, &ptx),
    };
    if result.is_err() && bless {
        let text = match suite {
            Suite::Error => error::bless(&header),
            _ => run::bless(&header, &ptx),
        }?;
        std::fs::write(path, &text).map_err(|e| e.to_string())?;
        let ptx = if matches!(suite, Suite::Cuda) {
            ptx
        } else {
            text.clone()
        };
        return Ok(match suite {
            Suite::Error => error::file(&text),
            _ => run::file(&text, &ptx),
        }?);
    }
    Ok(result?)
}

fn main() -> ExitCode {
    let mut args = Arguments::from_args();
    cache::install(match std::env::var_os("CUOX_CACHE_DIR") {
        Some(dir) => Cache::in_directory(dir.into(), Duration::ZERO, cuox_cache::limit()),
        None => Cache::RoundTrip,
    });
    // Launches share one pool of workers.
    args.test_threads = args.test_threads.or(Some(2));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../filetests");
    let mut trials = Vec::new();
    for (dir, suite) in [
        ("ptx/run", Suite::Run),
        ("ptx/error", Suite::Error),
        ("cuda", Suite::Cuda),
    ] {
        let mut files = Vec::new();
        walk(&root.join(dir), &mut files);
        files.sort();
        if files.is_empty() {
            trials.push(Trial::test(format!("{dir}: files"), || {
                Err("there are none".into())
            }));
        }
        for path in files {
            let name = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .display()
                .to_string();
            trials.push(Trial::test(name, move || check(suite, &path)));
        }
    }
    libtest_mimic::run(&args, trials).exit_code()
}
