//! The path of the cache's directory.

use crate::private_dir::{Dir, in_words};
use crate::store::{LIMIT, number};
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Once;

/// The directory for results that outlive a run of a program: [`root`], or nowhere with `CUOX_CACHE=0`.
pub fn directory() -> Option<PathBuf> {
    is_kept(variable).then(root).flatten()
}

/// Writes once to standard error which of the environment's `CUOX_CACHE` variables say nothing that can be done.
pub fn complain() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        for complaint in complaints(variable) {
            // The program may have closed its standard error.
            let _ = writeln!(std::io::stderr(), "cuox: {complaint}");
        }
    });
}

fn complaints(var: impl Fn(&str) -> Option<OsString>) -> Vec<String> {
    let mut found = Vec::new();
    let mut look = |name: &str, takes: &str, is_right: &dyn Fn(&str) -> bool| {
        let Some(value) = var(name) else { return };
        let text = value.to_string_lossy();
        if !is_right(&text) {
            found.push(format!("{name}={text} is ignored: expected {takes}"));
        }
    };
    look("CUOX_CACHE", "0 or 1", &|text| matches!(text, "0" | "1"));
    let takes = format!("a number of bytes, such as {LIMIT}");
    look("CUOX_CACHE_MAXSIZE", &takes, &|text| number(text).is_some());
    if is_kept(&var)
        && let Some(folder) = var("CUOX_CACHE_DIR").map(PathBuf::from)
        && let Err(error) = Dir::open(&folder)
    {
        let (folder, why) = (folder.display(), in_words(&error));
        found.push(format!(
            "CUOX_CACHE_DIR={folder}: no compiled code is kept there: {why}"
        ));
    }
    found
}

fn is_kept(var: impl Fn(&str) -> Option<OsString>) -> bool {
    var("CUOX_CACHE").is_none_or(|value| value != "0")
}

/// The directory for files that are needed whether results are kept or not: `CUOX_CACHE_DIR`, or `cuox` in the user's
/// directory for such files.
pub fn root() -> Option<PathBuf> {
    root_of(variable).or_else(|| {
        // The user's directory as the system knows it.
        let home = std::env::home_dir().filter(|home| home.is_absolute())?;
        Some(home.join(".cache/cuox"))
    })
}

fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

fn root_of(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(dir) = var("CUOX_CACHE_DIR") {
        return Some(dir.into());
    }
    // "XDG Base Directory Specification": a path that is not absolute is to be ignored.
    let absolute = |name: &str| var(name).map(PathBuf::from).filter(|p| p.is_absolute());
    let base =
        absolute("XDG_CACHE_HOME").or_else(|| absolute("HOME").map(|home| home.join(".cache")))?;
    Some(base.join("cuox"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(vars: &[(&str, &str)], name: &str) -> Option<OsString> {
        let found = vars.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| value.into())
    }

    fn dir(vars: &[(&str, &str)]) -> Option<PathBuf> {
        let kept = is_kept(|name| value(vars, name));
        kept.then(|| root_of(|name| value(vars, name))).flatten()
    }

    #[test]
    fn values_that_mean_nothing_are_named() {
        let said = |vars: &[(&str, &str)]| complaints(|name| value(vars, name));
        assert_eq!(said(&[]), [""; 0]);
        assert_eq!(
            said(&[("CUOX_CACHE", "1"), ("CUOX_CACHE_MAXSIZE", " 1000 ")]),
            [""; 0]
        );
        assert_eq!(
            said(&[("CUOX_CACHE", "no"), ("CUOX_CACHE_MAXSIZE", "1G")]),
            [
                "CUOX_CACHE=no is ignored: expected 0 or 1",
                "CUOX_CACHE_MAXSIZE=1G is ignored: expected a number of bytes, such as 268435456",
            ]
        );
        let file = ("CUOX_CACHE_DIR", "/dev/null");
        let found = said(&[file]);
        assert!(found.len() == 1 && found[0].starts_with("CUOX_CACHE_DIR=/dev/null: no compiled"));
        assert_eq!(said(&[file, ("CUOX_CACHE", "0")]), [""; 0]);
    }

    #[test]
    fn the_directory_is_what_the_environment_says() {
        let home = ("HOME", "/home/me");
        let xdg = ("XDG_CACHE_HOME", "/var/cache/me");
        let own = ("CUOX_CACHE_DIR", "here");
        assert_eq!(dir(&[]), None);
        assert_eq!(dir(&[home]), Some("/home/me/.cache/cuox".into()));
        assert_eq!(dir(&[home, xdg]), Some("/var/cache/me/cuox".into()));
        assert_eq!(dir(&[home, xdg, own]), Some("here".into()));
        assert_eq!(
            dir(&[home, ("XDG_CACHE_HOME", "relative")]),
            Some("/home/me/.cache/cuox".into())
        );
        assert_eq!(dir(&[home, xdg, own, ("CUOX_CACHE", "0")]), None);
        assert_eq!(dir(&[own, ("CUOX_CACHE", "1")]), Some("here".into()));
    }
}
