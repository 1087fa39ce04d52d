//! Guesses which functions may take long.

use crate::plan::{Gil, Role};
use crate::words::words;

/// Words for functions that wait, or work for long.
const WAITS: [&str; 37] = [
    "sync",
    "synchronize",
    "wait",
    "join",
    "sleep",
    "lock",
    "acquire",
    "read",
    "write",
    "readv",
    "writev",
    "send",
    "recv",
    "receive",
    "poll",
    "select",
    "connect",
    "accept",
    "perform",
    "exec",
    "execute",
    "step",
    "query",
    "fetch",
    "flush",
    "run",
    "loop",
    "dispatch",
    "compile",
    "link",
    "download",
    "upload",
    "request",
    "memcpy",
    "barrier",
    "drain",
    "backup",
];

/// Prefixes that C's own functions have before such a word without a break: `fread`, `gzwrite`, `usleep`.
const GROWN: [&str; 11] = [
    "f", "p", "gz", "u", "us", "nano", "fd", "fdata", "m", "e", "bz",
];

/// Words for functions that only tell or set something.
const TELLS: [&str; 13] = [
    "flags",
    "get",
    "set",
    "is",
    "has",
    "async",
    "unlock",
    "try",
    "nonblocking",
    "nowait",
    "count",
    "size",
    "option",
];

/// The choice about the lock, and its reason.
pub(crate) fn guess(name: &str, roles: &[&Role]) -> (Gil, String) {
    let rest = name.trim_start_matches('_').strip_prefix("Py");
    if rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')) {
        let text = "it is of Python's own C API, which is called with the lock held";
        return (Gil::Hold, text.to_owned());
    }
    let words = words(name);
    let callback = roles
        .iter()
        .any(|role| matches!(role, Role::Callback { .. }));
    let has = |list: &[&str]| words.iter().find(|word| list.contains(&word.as_str()));
    if callback && let Some(word) = has(&["async", "thread", "threads", "parallel", "concurrent"]) {
        let text = format!(
            "it takes a callback, and “{word}” in the name says that other threads may call it"
        );
        return (Gil::Release, text);
    }
    if let Some(word) = has(&TELLS) {
        return (
            Gil::Auto,
            format!("“{word}” in the name says that it returns soon"),
        );
    }
    // `cuEventQuery` and the like look at something that is there.
    let looks = has(&["event", "stream", "info", "attribute"]).is_some();
    let waits = words
        .iter()
        .filter(|word| !(looks && *word == "query"))
        .find(|word| {
            WAITS.iter().any(|wait| {
                word.strip_suffix(wait)
                    .is_some_and(|rest| rest.is_empty() || GROWN.contains(&rest))
            })
        });
    match waits {
        Some(word) => (
            Gil::Release,
            format!("“{word}” in the name says that it may wait or take long"),
        ),
        None => (
            Gil::Auto,
            "nothing in the name says that it waits".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_wait() {
        for name in [
            "cudaDeviceSynchronize",
            "pthread_join",
            "gzread",
            "fsync",
            "sqlite3_step",
            "usleep",
            "curl_easy_perform",
            "cudaMemcpy",
            "SSL_read",
            "pthread_mutex_lock",
        ] {
            assert_eq!(guess(name, &[]).0, Gil::Release, "{name}");
        }
        for name in [
            "cudaMemcpyAsync",
            "foo_thread_count",
            "cuLaunchKernel",
            "pthread_mutex_unlock",
            "foo_set_read_callback",
            "spread",
            "cuEventQuery",
            "cuStreamGetFlags",
            "sqlite3_changes",
        ] {
            assert_eq!(guess(name, &[]).0, Gil::Auto, "{name}");
        }
        for name in [
            "PyRun_SimpleString",
            "_PyLong_Sign",
            "Py_IncRef",
            "_Py_HashBytes",
        ] {
            assert_eq!(guess(name, &[]).0, Gil::Hold, "{name}");
        }
        for name in ["Pyramid_new", "py_read_only", "Python"] {
            assert_ne!(guess(name, &[]).0, Gil::Hold, "{name}");
        }
    }
}
