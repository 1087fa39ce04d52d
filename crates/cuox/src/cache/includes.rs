//! Which files a C++ source may read: all that `#include`s name, in whichever branch.
//!
//! NVRTC does not say what it read. So everything that it may have read is taken: an `#include` counts wherever it stands, and a name is
//! looked for in all folders that may be searched. That is too much rather than too little.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::files::Files;

/// Where headers are looked for.
pub(crate) struct Search<'a> {
    /// The source, and headers that are in memory and may include others.
    pub texts: Vec<&'a str>,
    /// Whether a header of this name is in memory, and so never looked for.
    pub in_memory: &'a dyn Fn(&str) -> bool,
    /// The folder of the source.
    pub own: PathBuf,
    /// The folders that are searched.
    pub folders: Vec<PathBuf>,
}

/// Most files that are followed.
const MOST: usize = 20_000;

/// The files that a source may have read when it was compiled from `begin` on. Nothing if that cannot be said: a computed `#include`
/// outside of the folders that are searched, the time of day, a file that changed meanwhile.
pub(crate) fn read_by(search: &Search<'_>, begin: SystemTime) -> Option<Files> {
    let mut files = Files::default();
    let mut seen = BTreeSet::new();
    let mut to_read: Vec<PathBuf> = Vec::new();
    let mut follow = |text: &str, own: &Path, is_users: bool, to_read: &mut Vec<PathBuf>| {
        if is_users
            && ["__TIME__", "__DATE__", "__TIMESTAMP__"]
                .iter()
                .any(|m| text.contains(m))
        {
            return None;
        }
        for named in named_by(text) {
            let name = match named {
                Named::Header(name) => name,
                // Headers of packages compute the names of their own.
                Named::Computed if is_users => return None,
                Named::Computed => continue,
            };
            if (search.in_memory)(name) {
                continue;
            }
            for folder in std::iter::once(own).chain(search.folders.iter().map(PathBuf::as_path)) {
                let path = absolute(&folder.join(name))?;
                if seen.contains(&path) {
                    continue;
                }
                if files.add(&path) {
                    to_read.push(path.clone());
                } else if !path.exists() {
                    files.add_missing(&missing_part(&path, folder));
                }
                seen.insert(path);
            }
        }
        (seen.len() < MOST).then_some(())
    };
    // A source without a folder is where the program runs.
    let own = absolute(&search.own.join("."))?;
    for text in &search.texts {
        follow(text, &own, true, &mut to_read)?;
    }
    while let Some(path) = to_read.pop() {
        let bytes = std::fs::read(&path).ok()?;
        let folder = path.parent()?.to_owned();
        let is_packages = path
            .components()
            .any(|c| c == Component::Normal("nvidia".as_ref()))
            || path
                .components()
                .any(|c| c == Component::Normal("cccl".as_ref()));
        follow(
            &String::from_utf8_lossy(&bytes),
            &folder,
            !is_packages,
            &mut to_read,
        )?;
    }
    (!files.are_younger_than(begin)).then_some(files)
}

/// A path from the root, without `.` and `..`.
fn absolute(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    Some(plain)
}

/// What has to come to be before a path in a folder can: the first of its parts that is not there.
fn missing_part(path: &Path, folder: &Path) -> PathBuf {
    let parents = path.ancestors().skip(1);
    let mut part = path;
    for parent in parents {
        if parent.is_dir() || !parent.starts_with(folder) || parent == folder {
            break;
        }
        part = parent;
    }
    part.to_owned()
}

enum Named<'a> {
    Header(&'a str),
    Computed,
}

/// The headers that a text names.
fn named_by(text: &str) -> impl Iterator<Item = Named<'_>> {
    text.lines().flat_map(|line| {
        let mut named = Vec::new();
        if let Some(directive) = line.trim_start().strip_prefix('#') {
            let directive = directive.trim_start();
            if let Some(rest) = directive.strip_prefix("include") {
                let rest = rest.strip_prefix("_next").unwrap_or(rest).trim_start();
                named.push(delimited(rest).map_or(Named::Computed, Named::Header));
            } else {
                let parts = directive.split("__has_include").skip(1);
                let names =
                    parts.filter_map(|p| delimited(p.trim_start().strip_prefix('(')?.trim_start()));
                named.extend(names.map(Named::Header));
            }
        }
        named
    })
}

/// What stands in `<>` or `""` at the beginning.
fn delimited(text: &str) -> Option<&str> {
    let close = match text.as_bytes().first()? {
        b'<' => '>',
        b'"' => '"',
        _ => return None,
    };
    text[1..].split_once(close).map(|(name, _)| name)
}
