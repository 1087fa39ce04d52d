//! `CUOX_LOG=runtime`: each call of the runtime API on standard error. With `CUOX_LOG` set to anything, functions that
//! are not supported are named once.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::sync::{Mutex, OnceLock, PoisonError};

struct Topics {
    any: bool,
    runtime: bool,
}

fn topics() -> &'static Topics {
    static TOPICS: OnceLock<Topics> = OnceLock::new();
    TOPICS.get_or_init(|| {
        let topics = std::env::var("CUOX_LOG").unwrap_or_default();
        Topics {
            any: !topics.is_empty() && topics != "0",
            runtime: topics.split(',').any(|topic| topic.trim() == "runtime"),
        }
    })
}

/// True if each call is to be logged.
#[inline]
pub fn calls() -> bool {
    topics().runtime
}

/// Writes a line. The program may have closed its standard error; that is no reason for a call to fail.
#[cold]
pub fn line(text: &str) {
    let _ = writeln!(std::io::stderr(), "cuox runtime: {text}");
}

/// Writes a line if `CUOX_LOG` is set.
#[cold]
pub fn note(text: &str) {
    if topics().any {
        line(text);
    }
}

/// Names a function that nobody implements, once.
#[cold]
pub fn not_supported(symbol: &'static str) {
    static NAMED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    if topics().any
        && NAMED
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(symbol)
    {
        line(&format!("{symbol} is not supported"));
    }
}
