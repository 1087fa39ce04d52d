//! The path of the cache's directory.

use std::ffi::OsString;
use std::path::PathBuf;

/// The directory for results that outlive a run of a program: [`root`], or nowhere with `CUOX_CACHE=0`.
pub fn directory() -> Option<PathBuf> {
    is_kept(variable).then(root).flatten()
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
