//! `CUOX_SUMMARY=1`: a line at the end of the process with what the software GPU has done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;

/// Functions that answered "not supported", with how often.
static NOT_SUPPORTED: Mutex<BTreeMap<&'static str, u64>> = Mutex::new(BTreeMap::new());

/// Counts an answer.
#[cold]
pub fn not_supported(symbol: &'static str) {
    if cuox_softgpu::statistics::enabled() {
        *counts().entry(symbol).or_default() += 1;
    }
}

fn counts() -> std::sync::MutexGuard<'static, BTreeMap<&'static str, u64>> {
    NOT_SUPPORTED
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Called when the library is loaded, so that programs that load it and run nothing get their line too.
#[used]
#[unsafe(link_section = ".init_array")]
static INSTALL: extern "C" fn() = install;

/// Has the line written at the end of the process, if it is asked for. A program that ends by `_exit` or a signal gets none.
extern "C" fn install() {
    if cuox_softgpu::statistics::enabled() {
        // SAFETY: the function takes nothing and stays where it is: this library is not unloaded.
        unsafe { libc::atexit(at_exit) };
    }
}

extern "C" fn at_exit() {
    // The program may have closed its standard error, and a panic must not leave.
    let _ = std::panic::catch_unwind(|| {
        let _ = std::io::stderr().write_all(line().as_bytes());
    });
}

fn line() -> String {
    let seen = cuox_softgpu::statistics::now();
    let plural =
        |count: u64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let mut line = format!(
        "cuox: software GPU: {} of {}, {} of PTX loaded in {:.1} ms",
        plural(seen.launches, "launch").replace("launchs", "launches"),
        plural(seen.kernels, "kernel"),
        plural(seen.modules, "module"),
        seen.loading.as_secs_f64() * 1e3,
    );
    if seen.faults > 0 {
        let _ = write!(line, ", {}", plural(seen.faults, "fault"));
    }
    let counts = counts();
    if !counts.is_empty() {
        let listed = counts.iter().map(|(name, count)| match count {
            1 => name.to_string(),
            count => format!("{name} ({count} times)"),
        });
        let _ = write!(
            line,
            "; not supported: {}",
            listed.collect::<Vec<_>>().join(", ")
        );
    }
    line.push('\n');
    line
}
