//! Machine code that one process keeps and others run.

use cuox_filetests::run;
use cuox_simt::jit::cache::{self, Cache};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const CHILD: &str = "CUOX_CACHE_CHILD";
/// Files that between them call every helper.
const FILES: [&str; 6] = [
    "ptx/run/float/approximate.ptx",
    "ptx/run/integer/bits32.ptx",
    "ptx/run/memory/atomics.ptx",
    "ptx/run/warp/shuffle.ptx",
    "cuda/device_print.cu",
    "cuda/reduce.cu",
];

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../filetests")
        .join(name)
}

/// The work of a child process: runs the files, and prints the number of parts of code that it found.
fn child(dir: PathBuf) {
    cache::install(Cache::in_directory(
        dir,
        Duration::ZERO,
        cuox_cache::limit(),
    ));
    for name in FILES {
        let header = std::fs::read_to_string(path(name)).expect("a file");
        let ptx = path(name).with_extension("ptx");
        let ptx = std::fs::read_to_string(ptx).expect("a file");
        if let Err(e) = run::file(&header, &ptx) {
            panic!("{name}: {e}");
        }
    }
    println!("found {}", cache::installed().found());
}

fn start(dir: &Path) -> Child {
    let own = std::env::current_exe().expect("this program");
    Command::new(own)
        .args(["--exact", "code_outlives_its_process", "--nocapture"])
        .env(CHILD, dir)
        .stdout(Stdio::piped())
        .spawn()
        .expect("a process")
}

fn found(child: Child) -> usize {
    let output = child.wait_with_output().expect("its output");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    let count = text.lines().find_map(|line| line.split_once("found "));
    count.and_then(|(_, n)| n.parse().ok()).expect("a number")
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory");
    entries.flatten().map(|e| e.path()).collect()
}

#[test]
fn code_outlives_its_process() {
    if let Some(dir) = std::env::var_os(CHILD) {
        return child(dir.into());
    }
    let dir = std::env::temp_dir().join(format!("cuox-cache-processes-{}", std::process::id()));
    // There is one only if a process of that number was killed.
    let _ = std::fs::remove_dir_all(&dir);
    // Two at once, for the same kernels.
    let both = [start(&dir), start(&dir)];
    let _ = both.map(found);
    let kept = files(&dir);
    assert!(kept.len() >= FILES.len());
    let is_code = |path: &PathBuf| path.extension().is_some_and(|e| e == "code");
    assert!(kept.iter().all(is_code), "{kept:?}");
    // A file may serve several kernels.
    let all = found(start(&dir));
    assert!(all >= kept.len(), "{all} of {}", kept.len());
    for path in &kept {
        let mut bytes = std::fs::read(path).expect("own file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 0x10;
        std::fs::write(path, &bytes).expect("own file");
    }
    let rest = found(start(&dir));
    assert!(
        rest + kept.len() <= all,
        "{rest} of {all} in spite of damage"
    );
    // New files have taken the places of the damaged ones.
    assert_eq!(found(start(&dir)), all);
    std::fs::remove_dir_all(&dir).expect("own directory");
}
