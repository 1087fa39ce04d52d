//! Headers that begin with a byte order mark.
//!
//! Editors put the mark before UTF-8, host compilers pass over it, and NVRTC takes it for a token. Such a header is
//! handed to NVRTC in memory, without its mark. NVRTC knows headers in memory by the names that `#include`s have for
//! them, so the includes are followed to see which names those are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::cache::{absolute, headers_named_by};

const MARK: char = '\u{feff}';
/// Most files that are followed.
const MOST: usize = 2_000;

/// A text without its mark.
pub(super) fn without(text: &str) -> &str {
    text.trim_start_matches(MARK)
}

/// The file that a message complains of, if it has a mark: `path(1): error: unrecognized token`.
pub(super) fn is_complaint(place: &str, message: &str) -> bool {
    let path = place.strip_suffix("(1):").map(Path::new);
    message.starts_with("unrecognized token")
        && path.is_some_and(|path| read(path).is_some_and(|text| text.starts_with(MARK)))
}

fn read(path: &Path) -> Option<String> {
    let bytes = std::fs::read(path).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Where a program's headers come from.
pub(super) struct Search<'a> {
    /// The source, and others with includes that begin in its folder.
    pub texts: Vec<&'a str>,
    /// The folder of the source.
    pub own: &'a Path,
    /// The folders that are searched, in order.
    pub folders: &'a [PathBuf],
    /// True if a header of this name is in memory.
    pub in_memory: &'a dyn Fn(&str) -> bool,
}

impl Search<'_> {
    /// The file that a name leads to from a folder.
    fn find(&self, name: &str, own: &Path) -> Option<PathBuf> {
        let folders = std::iter::once(own).chain(self.folders.iter().map(PathBuf::as_path));
        folders
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
            .and_then(|path| absolute(&path))
    }

    /// Headers to be handed in memory: names and texts. A name that leads to one file here and to another there is left
    /// alone.
    pub fn unmarked(&self) -> Vec<(String, String)> {
        let mut found: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let mut marked: BTreeMap<PathBuf, String> = BTreeMap::new();
        let mut to_read = Vec::new();
        let mut follow = |text: &str, own: &Path, to_read: &mut Vec<PathBuf>| {
            for name in headers_named_by(text) {
                if (self.in_memory)(&name) {
                    continue;
                }
                let Some(path) = self.find(&name, own) else {
                    continue;
                };
                if seen.insert(path.clone()) && seen.len() < MOST {
                    to_read.push(path.clone());
                }
                found.entry(name).or_default().insert(path);
            }
        };
        for text in &self.texts {
            follow(text, self.own, &mut to_read);
        }
        while let Some(path) = to_read.pop() {
            let Some(text) = read(&path) else { continue };
            follow(&text, path.parent().unwrap_or(self.own), &mut to_read);
            if text.starts_with(MARK) {
                marked.insert(path, text);
            }
        }
        let mut headers: Vec<(String, String)> = marked
            .iter()
            .map(|(path, text)| {
                let folder = path.parent().unwrap_or(self.own);
                (path.display().to_string(), rooted(without(text), folder))
            })
            .collect();
        for (name, paths) in found {
            // Under all its names it is one file, which `#pragma once` is about.
            if let (Some(path), 1) = (paths.first(), paths.len())
                && marked.contains_key(path)
                && !path.as_os_str().eq(name.as_str())
            {
                headers.push((name, format!("#include \"{}\"\n", path.display())));
            }
        }
        headers
    }
}

/// A header's text with the names of files beside it as whole paths: a header in memory lies in no folder.
fn rooted(text: &str, folder: &Path) -> String {
    let line = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let (_, rest) = rest.strip_prefix("include")?.split_once('"')?;
        let (name, after) = rest.split_once('"')?;
        let path = absolute(&folder.join(name)).filter(|path| path.is_file())?;
        Some(format!("#include \"{}\"{after}", path.display()))
    };
    text.split('\n')
        .map(|text| line(text).unwrap_or_else(|| text.to_owned()))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn names_lead_to_one_text_without_the_mark() {
        let folder = std::env::temp_dir().join(format!("cuox-marked-{}", std::process::id()));
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::create_dir_all(folder.join("other")).unwrap();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write("a.h", "#include \"sub/b.h\"\n#include \"sub/x.h\"\n");
        write(
            "sub/b.h",
            "\u{feff}# include \"c.h\" // beside it\n#include <limits>\nint b;\n",
        );
        write("sub/c.h", "\u{feff}int c;\r\n");
        write("sub/x.h", "#include \"b.h\"\n#include \"twice.h\"\n");
        write("sub/twice.h", "\u{feff}int sub;\n");
        write("other/twice.h", "\u{feff}int other;\n");
        write("other/y.h", "#include \"twice.h\"\n");
        let folders = [folder.clone()];
        let search = Search {
            texts: vec!["#include <a.h>\n#include <other/y.h>\n#include \"mine.h\"\n"],
            own: &folder,
            folders: &folders,
            in_memory: &|name| name == "mine.h",
        };
        let headers: BTreeMap<_, _> = search.unmarked().into_iter().collect();
        let path = |name: &str| folder.join(name).display().to_string();
        let b = format!(
            "#include \"{}\" // beside it\n#include <limits>\nint b;\n",
            path("sub/c.h")
        );
        assert_eq!(headers[&path("sub/b.h")], b);
        assert_eq!(headers[&path("sub/c.h")], "int c;\r\n");
        for name in ["sub/b.h", "b.h"] {
            assert_eq!(
                headers[name],
                format!("#include \"{}\"\n", path("sub/b.h")),
                "{name}"
            );
        }
        assert!(!headers.contains_key("twice.h") && headers.contains_key("c.h"));
        let place = format!("{}(1):", path("sub/b.h"));
        assert!(is_complaint(&place, "unrecognized token"));
        assert!(!is_complaint(
            &place.replace("b.h", "x.h"),
            "unrecognized token"
        ));
        assert!(!is_complaint("kept.cu(1):", "unrecognized token"));
        fs::remove_dir_all(folder).unwrap();
    }
}
