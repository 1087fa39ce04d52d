//! A C program that ends while the device is at work: it neither crashes nor hangs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

mod library;

/// Compiles the program; `None` where there is no C compiler.
fn program() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join("exits");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exits.c");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let done = Command::new(compiler)
        .args(["-O1", "-pthread", "-w", "-o"])
        .args([&program, &source])
        .arg("-ldl")
        .status()
        .ok()?;
    assert!(done.success(), "{} does not compile", source.display());
    Some(program)
}

#[test]
fn programs_end_while_the_device_is_at_work() {
    let Some(program) = program() else {
        eprintln!("skipped: no C compiler");
        return;
    };
    let ways = [
        "return",
        "long",
        "endless",
        "endless wait",
        "endless thread",
        "long host",
        "host",
        "work",
        "work thread",
        "long work wait",
        "endless quick",
        "long _exit",
        "long destroy",
        "endless destroy",
        "close",
        "long close",
        "endless host close thread",
    ];
    for way in ways {
        for threads in ["1", "4"] {
            ends(&program, way, threads);
        }
    }
}

fn ends(program: &Path, way: &str, threads: &str) {
    let mut child = Command::new(program)
        .arg(library::path())
        .arg(way)
        .env("CUOX_SOFT_THREADS", threads)
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{way:?} with {threads} threads does not end");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(status.success(), "{way:?} with {threads} threads: {status}");
}
