//! Which files a C++ source may read: all that `#include`s name, in whichever branch.
//!
//! NVRTC does not say what it read. So everything that it may have read is taken: an `#include` counts wherever it
//! stands, and a name is looked for in all folders that may be searched. That is too much rather than too little.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use super::files::Files;

/// Where headers are looked for.
pub(crate) struct Search<'a> {
    /// The source, and headers that are in memory and may include others.
    pub texts: Vec<&'a str>,
    /// True if a header of this name is in memory and among `texts`, and so never looked for.
    pub in_memory: &'a dyn Fn(&str) -> bool,
    /// The text of a header that the compiler was handed beside, and whether it hides those of its name in `folders`.
    pub handed: &'a dyn Fn(&str) -> Option<(&'static str, bool)>,
    /// The folder of the source.
    pub own: PathBuf,
    /// The folders that are searched.
    pub folders: Vec<PathBuf>,
    /// The folders of CUDA's packages, whose headers compute names of others among themselves.
    pub packages: Vec<PathBuf>,
}

/// Most files that are followed.
const MOST: usize = 20_000;

/// The files that a source may have read when it was compiled from `begin` on. Nothing if that cannot be said: a
/// computed `#include` outside of the folders that are searched, the time of day, a file that changed meanwhile.
pub(crate) fn read_by(search: &Search<'_>, begin: SystemTime) -> Option<Files> {
    let mut files = Files::default();
    // Paths, and whether the file was hidden each time.
    let mut seen: BTreeMap<PathBuf, bool> = BTreeMap::new();
    let mut seen_handed = BTreeSet::new();
    let mut to_read: Vec<Next> = Vec::new();
    let mut follow = |text: &str, own: Option<&Path>, is_users: bool, to_read: &mut Vec<Next>| {
        let text = &*joined(text);
        if is_users && names_the_time(text) {
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
            let mut is_hidden = false;
            if let Some((text, hides)) = (search.handed)(name) {
                is_hidden = hides;
                if seen_handed.insert(name.to_owned()) {
                    to_read.push(Next::Text(text));
                }
            }
            let own_first = own.into_iter().map(|own| (own, false));
            let folders = search.folders.iter().map(|f| (f.as_path(), is_hidden));
            for (folder, is_hidden) in own_first.chain(folders) {
                let path = absolute(&folder.join(name))?;
                let before = seen.get(&path);
                if before.is_some_and(|was_hidden| is_hidden || !was_hidden) {
                    continue;
                }
                if files.add(&path) {
                    if !is_hidden {
                        to_read.push(Next::File(path.clone()));
                    }
                } else if !path.exists() {
                    files.add_missing(&missing_part(&path, folder));
                }
                seen.insert(path, is_hidden);
            }
        }
        (seen.len() < MOST).then_some(())
    };
    // A source without a folder is where the program runs.
    let own = absolute(&search.own.join("."))?;
    let packages: Vec<PathBuf> = search.packages.iter().filter_map(|p| absolute(p)).collect();
    for text in &search.texts {
        follow(text, Some(&own), true, &mut to_read)?;
    }
    while let Some(next) = to_read.pop() {
        let path = match next {
            Next::File(path) => path,
            Next::Text(text) => {
                // It lies in no folder.
                follow(text, None, false, &mut to_read)?;
                continue;
            }
        };
        let bytes = std::fs::read(&path).ok()?;
        let folder = path.parent()?.to_owned();
        let is_packages = packages.iter().any(|p| path.starts_with(p));
        follow(
            &String::from_utf8_lossy(&bytes),
            Some(&folder),
            !is_packages,
            &mut to_read,
        )?;
    }
    files.stamp_folders(begin);
    (!files.are_younger_than(begin)).then_some(files)
}

/// A path from the root, without `.` and `..`.
pub(crate) fn absolute(path: &Path) -> Option<PathBuf> {
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

/// The first part of a path in a folder that does not exist: it must appear before the path can.
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

/// The texts to read next.
enum Next {
    File(PathBuf),
    Text(&'static str),
}

enum Named<'a> {
    Header(&'a str),
    Computed,
}

/// True if a text has a macro for the time of its compilation.
pub(crate) fn names_the_time(text: &str) -> bool {
    ["__TIME__", "__DATE__", "__TIMESTAMP__"]
        .iter()
        .any(|m| text.contains(m))
}

/// A text without a byte order mark, and with the lines joined that end in a backslash.
fn joined(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}');
    match text.contains("\\\n") || text.contains("\\\r\n") {
        true => text.replace("\\\r\n", "").replace("\\\n", "").into(),
        false => text.into(),
    }
}

/// The names of headers in a text, but those that are computed.
pub(crate) fn headers_named_by(text: &str) -> Vec<String> {
    let text = joined(text);
    let named = named_by(&text).into_iter();
    named
        .filter_map(|named| match named {
            Named::Header(name) => Some(name.to_owned()),
            Named::Computed => None,
        })
        .collect()
}

/// The headers that a text of joined lines names.
///
/// Comments are not taken out: what looks like the begin of one may stand in a string, and would hide all that follows.
fn named_by(text: &str) -> Vec<Named<'_>> {
    let mut named = Vec::new();
    for line in text.lines() {
        // A directive begins a line, or comes after a comment.
        let ends = line.match_indices("*/").map(|(at, end)| at + end.len());
        for begin in std::iter::once(0).chain(ends) {
            let rest = line[begin..].trim_start();
            let directive = ["#", "%:", "??="].iter().find_map(|h| rest.strip_prefix(h));
            let Some(directive) = directive.map(after_blanks) else {
                continue;
            };
            if let Some(rest) = directive.strip_prefix("include") {
                let rest = after_blanks(rest.strip_prefix("_next").unwrap_or(rest));
                named.push(delimited(rest).map_or(Named::Computed, Named::Header));
            } else if directive.starts_with("/*") {
                // Its name stands on another line.
                named.push(Named::Computed);
            }
        }
    }
    const HAS: &str = "__has_include";
    for (at, _) in text.match_indices(HAS) {
        let before = text[..at].trim_end().trim_end_matches('(').trim_end();
        if ["defined", "ifdef", "ifndef"]
            .iter()
            .any(|d| before.ends_with(d))
        {
            continue;
        }
        let rest = &text[at + HAS.len()..];
        let rest = after_blanks(rest.strip_prefix("_next").unwrap_or(rest));
        let name = rest.strip_prefix('(').map(after_blanks).and_then(delimited);
        named.push(name.map_or(Named::Computed, Named::Header));
    }
    named
}

/// Returns the text after blanks and comments. A comment that does not end here stays.
fn after_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some((_, after)) = rest.strip_prefix("/*").and_then(|c| c.split_once("*/")) {
        rest = after.trim_start();
    }
    rest
}

/// Returns the text in `<>` or `""` at the beginning.
fn delimited(text: &str) -> Option<&str> {
    let close = match text.as_bytes().first()? {
        b'<' => '>',
        b'"' => '"',
        _ => return None,
    };
    text[1..].split_once(close).map(|(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names, with `?` for one that is computed.
    fn names(text: &str) -> Vec<String> {
        let text = joined(text);
        let named = named_by(&text).into_iter();
        named
            .map(|n| match n {
                Named::Header(name) => name.to_owned(),
                Named::Computed => "?".to_owned(),
            })
            .collect()
    }

    #[test]
    fn names_are_found_however_they_are_written() {
        assert_eq!(
            names("#include \"x.h\"\n # include_next <y.h>"),
            ["x.h", "y.h"]
        );
        assert_eq!(names("/* a */ #include \"x.h\""), ["x.h"]);
        assert_eq!(names("/* a\n b */ # /* c */ include /**/ \"x.h\""), ["x.h"]);
        assert_eq!(names("%:include \"x.h\""), ["x.h"]);
        assert_eq!(names("#inc\\\nlude \\\r\n<x.h>"), ["x.h"]);
        assert_eq!(names("#if 1 && \\\n  __has_include(<x.h>)"), ["x.h"]);
        assert_eq!(
            names("#if 1 /*\n*/ && __has_include_next ( \"x.h\")"),
            ["x.h"]
        );
        assert_eq!(names("const char *s = \"/*\";\n#include \"x.h\""), ["x.h"]);
    }

    #[test]
    fn computed_names_are_told() {
        assert_eq!(names("#include NAME"), ["?"]);
        assert_eq!(names("#if __has_include(NAME)"), ["?"]);
        assert_eq!(names("#define HAS __has_include"), ["?"]);
        assert_eq!(names("# /*\n*/ include \"x.h\""), ["?"]);
        assert_eq!(
            names("#ifdef __has_include\n#if defined(__has_include)"),
            [""; 0]
        );
    }

    #[test]
    fn only_folders_of_packages_may_compute_names() {
        let folder =
            std::env::temp_dir().join(format!("cuox-includes-{}/nvidia", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.h"), "#define B <b.h>\n#include B\n").unwrap();
        let read = |packages: Vec<PathBuf>| {
            let search = Search {
                texts: vec!["#include <a.h>"],
                in_memory: &|_| false,
                handed: &|_| None,
                own: PathBuf::new(),
                folders: vec![folder.clone()],
                packages,
            };
            read_by(
                &search,
                SystemTime::now() + std::time::Duration::from_secs(9),
            )
        };
        assert!(read(Vec::new()).is_none());
        assert!(read(vec![folder.clone()]).is_some());
        std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}
