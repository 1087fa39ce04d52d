//! `CUOX_SUMMARY=1`: a line at the end of the process with what the software GPU has done.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Mutex;

/// Functions that answered "not supported".
static NOT_SUPPORTED: Mutex<BTreeMap<&'static str, Answers>> = Mutex::new(BTreeMap::new());

/// How often a function answered "not supported", and the explanation of the first time, if there is one.
struct Answers {
    count: u64,
    first: String,
}

/// Counts an answer. The call's explanation is the thread's newest.
#[cold]
pub fn not_supported(symbol: &'static str) {
    if cuox_softgpu::statistics::enabled() {
        counts()
            .entry(symbol)
            .or_insert_with(|| Answers {
                count: 0,
                first: headline(&cuox_softgpu::last_fault()),
            })
            .count += 1;
    }
}

/// An explanation in one line: what is said first, and the first of its reasons where a list follows.
pub fn headline(explanation: &str) -> String {
    let mut lines = explanation.lines();
    let first = lines.next().unwrap_or_default().trim();
    match lines.next() {
        Some(reason) if first.ends_with(':') => format!("{first} {}", reason.trim()),
        _ => first.to_owned(),
    }
}

fn counts() -> std::sync::MutexGuard<'static, BTreeMap<&'static str, Answers>> {
    NOT_SUPPORTED
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Called when the library is loaded, so that programs that load it and run nothing get their line too.
#[used]
#[unsafe(link_section = ".init_array")]
static INSTALL: extern "C" fn() = install;

/// Has the line written at the end of the process, if it is asked for. A program that ends by `_exit` or a signal gets
/// none.
extern "C" fn install() {
    // What is installed first is called last: it may change the exit status.
    crate::check::install();
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
    let number = |count: u64, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let mut line = format!(
        "cuox: software GPU: {} of {}, {} of PTX loaded in {:.1} ms",
        number(seen.launches, "launch", "launches"),
        number(seen.kernels, "kernel", "kernels"),
        number(seen.modules, "module", "modules"),
        seen.loading.as_secs_f64() * 1e3,
    );
    if seen.faults > 0 {
        let _ = write!(line, ", {}", number(seen.faults, "fault", "faults"));
    }
    let counts = counts();
    if !counts.is_empty() {
        let listed = counts.iter().map(|(name, answers)| {
            let Answers { count, first } = answers;
            match (*count, first.is_empty()) {
                (1, true) => name.to_string(),
                (1, false) => format!("{name} ({first})"),
                (count, true) => format!("{name} ({count} times)"),
                (count, false) => format!("{name} ({count} times, first: {first})"),
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_explanation_has_a_headline() {
        assert_eq!(headline(""), "");
        assert_eq!(headline("a grid is too large\n"), "a grid is too large");
        let listed =
            "kernel k uses unsupported features:\nptx:3:2: not supported: `wgmma`\n  |  wgmma\n";
        assert_eq!(
            headline(listed),
            "kernel k uses unsupported features: ptx:3:2: not supported: `wgmma`"
        );
        assert_eq!(headline("first\nsecond"), "first");
    }
}
