//! The files of a unit: their names, and the choice of files whose declarations are kept.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clang_sys::CXCursor_InclusionDirective;

use super::Keep;
use super::arguments::{MAIN, Setup};
use super::cursor::{FileId, Location, Unit};
use crate::decl::Place;

struct File {
    /// The name with which it was included.
    name: String,
    /// On disk.
    path: PathBuf,
    kept: bool,
    /// Its index in the header, once something is there.
    index: Option<u32>,
}

/// All files of a unit.
pub struct Files {
    files: Vec<File>,
    ids: HashMap<FileId, usize>,
    names: Vec<String>,
}

/// One `#include`.
struct Include {
    from: usize,
    to: usize,
    quoted: bool,
}

impl Files {
    /// The files that a unit has read.
    pub fn new(unit: &Unit, setup: &Setup, keep: &Keep) -> Files {
        let mut files = Files {
            files: Vec::new(),
            ids: HashMap::new(),
            names: Vec::new(),
        };
        let mut by_path: HashMap<PathBuf, usize> = HashMap::new();
        let mut includes: Vec<Include> = Vec::new();
        for directive in unit.root().children() {
            if directive.kind() != CXCursor_InclusionDirective {
                continue;
            }
            let (start, end) = directive.extent();
            let text = unit.text_between(start, end);
            let quoted = text.contains('"');
            let mut index = |id: FileId, name: &dyn Fn(&Files) -> String| {
                if let Some(&index) = files.ids.get(&id) {
                    return index;
                }
                let path = PathBuf::from(unit.file_name(id));
                let path = std::fs::canonicalize(&path).unwrap_or(path);
                let index = *by_path.entry(path.clone()).or_insert_with(|| {
                    let name = name(&files);
                    files.files.push(File {
                        name,
                        path,
                        kept: false,
                        index: None,
                    });
                    files.files.len() - 1
                });
                files.ids.insert(id, index);
                index
            };
            let from = index(start.file, &|_| setup.name_of(&unit.file_name(start.file)));
            let id = directive.included();
            if unit.file_name(id).is_empty() {
                // It was not found, which is an error, or it is one of `__has_include`.
                continue;
            }
            let to = index(id, &|files: &Files| {
                let path = unit.file_name(id);
                let renamed = setup.name_of(&path);
                if renamed != path {
                    return renamed;
                }
                let written = directive.spelling();
                let beside = files.files[from]
                    .path
                    .parent()
                    .map(|dir| dir.join(&written));
                let is_beside = quoted && beside.is_some_and(|p| p == Path::new(&path));
                match Path::new(&files.files[from].name).parent() {
                    Some(dir) if is_beside => dir.join(&written).to_string_lossy().into_owned(),
                    _ => setup.short(&written),
                }
            });
            includes.push(Include { from, to, quoted });
        }
        files.keep(&includes, setup, keep);
        files
    }

    fn keep(&mut self, includes: &[Include], setup: &Setup, keep: &Keep) {
        let main = |file: &File| file.path == Path::new(MAIN);
        // CUDA's own headers are read first, but not asked for.
        let given: Vec<usize> = includes
            .iter()
            .filter(|include| main(&self.files[include.from]))
            .map(|include| include.to)
            .skip(usize::from(setup.language == super::Language::Cuda))
            .collect();
        let projects: Vec<Project> = given
            .iter()
            .filter_map(|&index| Project::of(&self.files[index].path, setup))
            .collect();
        match keep {
            Keep::All => self
                .files
                .iter_mut()
                .for_each(|file| file.kept = !main(file)),
            Keep::Globs(globs) => {
                for file in &mut self.files {
                    let path = file.path.to_string_lossy();
                    let matches = |glob: &String| {
                        glob_matches(glob.as_bytes(), path.as_bytes())
                            || glob_matches(glob.as_bytes(), file.name.as_bytes())
                    };
                    file.kept = globs.iter().any(matches);
                }
            }
            Keep::Project => {
                given
                    .iter()
                    .for_each(|&index| self.files[index].kept = true);
                // Headers that every CUDA library includes are CUDA's.
                let of_cuda = given
                    .iter()
                    .any(|&index| is_cuda_core(&self.files[index].path));
                // Files include each other in any order, so until nothing changes.
                loop {
                    let mut changed = false;
                    for include in includes {
                        if self.files[include.to].kept || !self.files[include.from].kept {
                            continue;
                        }
                        let to = &self.files[include.to];
                        if is_cuda_core(&to.path) && !of_cuda {
                            continue;
                        }
                        let own = projects.iter().any(|project| project.has(&to.path, setup));
                        let part = is_part_of_libc(&to.path, &self.files[include.from].path, setup);
                        if own || part || (include.quoted && !is_libc(&to.path, setup)) {
                            self.files[include.to].kept = true;
                            changed = true;
                        }
                    }
                    if !changed {
                        break;
                    }
                }
            }
        }
    }

    /// True if declarations at a place are kept.
    pub fn kept(&self, location: Location) -> bool {
        let index = self.ids.get(&location.file);
        index.is_some_and(|&index| self.files[index].kept)
    }

    /// A place as a header says it.
    pub fn place(&mut self, location: Location) -> Place {
        let unknown = |names: &mut Vec<String>| {
            names.push("the compiler".into());
            names.len() - 1
        };
        let file = match self.ids.get(&location.file) {
            Some(&index) => {
                let file = &mut self.files[index];
                *file.index.get_or_insert_with(|| {
                    self.names.push(file.name.clone());
                    self.names.len() as u32 - 1
                })
            }
            None => {
                let found = self.names.iter().position(|name| name == "the compiler");
                found.unwrap_or_else(|| unknown(&mut self.names)) as u32
            }
        };
        Place {
            file,
            line: location.line,
        }
    }

    /// Names of the files that have places.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// All files on disk: names as included, and paths.
    pub fn read(&self) -> Vec<(String, PathBuf)> {
        let files = self.files.iter();
        let on_disk =
            files.filter(|file| file.path.is_absolute() && !file.path.starts_with("/cuox/"));
        on_disk
            .map(|file| (file.name.clone(), file.path.clone()))
            .collect()
    }
}

/// A path below one of the shared directories, the deepest.
fn below_shared<'a>(path: &'a Path, setup: &Setup) -> Option<&'a Path> {
    let relative = setup
        .shared
        .iter()
        .filter_map(|dir| path.strip_prefix(dir).ok());
    relative.min_by_key(|path| path.components().count())
}

/// Headers that belong together.
enum Project {
    /// Headers of a directory.
    Directory(PathBuf),
    /// Headers of a subdirectory of any shared directory.
    Shared(PathBuf),
}

impl Project {
    /// The project of a given header, unless it is alone among others'.
    fn of(path: &Path, setup: &Setup) -> Option<Project> {
        match below_shared(path, setup) {
            None => path.parent().map(|dir| Project::Directory(dir.to_owned())),
            Some(relative) => {
                let first = relative.components().next()?;
                let first = Path::new(first.as_os_str());
                (first != relative).then(|| Project::Shared(first.to_owned()))
            }
        }
    }

    fn has(&self, path: &Path, setup: &Setup) -> bool {
        match self {
            Project::Directory(dir) => path.starts_with(dir),
            Project::Shared(first) => {
                below_shared(path, setup).is_some_and(|relative| relative.starts_with(first))
            }
        }
    }
}

/// True if a header is a part of one of the C library's that includes it, which programs never name: `math.h` has most
/// functions in `bits/mathcalls.h`. Types for all headers, and what the compiler can do, are there too.
fn is_part_of_libc(part: &Path, of: &Path, setup: &Setup) -> bool {
    let own = below_shared(part, setup).and_then(|it| it.strip_prefix("bits").ok());
    let of_all = |name: &str| {
        ["types", "floatn", "libc-header-start", "wordsize"]
            .iter()
            .any(|it| name.starts_with(it))
    };
    own.is_some_and(|it| !it.to_str().is_none_or(of_all)) && is_libc(of, setup)
}

/// True if a header is the C library's, the kernel's or the compiler's, which some include with quotes.
fn is_libc(path: &Path, setup: &Setup) -> bool {
    const DIRECTORIES: [&str; 12] = [
        "arpa",
        "asm",
        "asm-generic",
        "bits",
        "c++",
        "gnu",
        "linux",
        "net",
        "netinet",
        "rpc",
        "sys",
        "x86_64-linux-gnu",
    ];
    const HEADERS: [&str; 52] = [
        "alloca.h",
        "assert.h",
        "complex.h",
        "ctype.h",
        "dirent.h",
        "dlfcn.h",
        "elf.h",
        "endian.h",
        "errno.h",
        "fcntl.h",
        "features.h",
        "fenv.h",
        "float.h",
        "getopt.h",
        "glob.h",
        "grp.h",
        "iconv.h",
        "inttypes.h",
        "iso646.h",
        "langinfo.h",
        "limits.h",
        "link.h",
        "locale.h",
        "malloc.h",
        "math.h",
        "memory.h",
        "netdb.h",
        "poll.h",
        "pthread.h",
        "pwd.h",
        "regex.h",
        "sched.h",
        "semaphore.h",
        "setjmp.h",
        "signal.h",
        "stdalign.h",
        "stdarg.h",
        "stdbool.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "strings.h",
        "termios.h",
        "tgmath.h",
        "threads.h",
        "time.h",
        "uchar.h",
        "unistd.h",
        "wchar.h",
        "wctype.h",
    ];
    if path.starts_with("/cuox/include") || path.starts_with("/usr/lib") {
        return true;
    }
    let Some(relative) = below_shared(path, setup) else {
        return false;
    };
    let in_directory = DIRECTORIES.iter().any(|dir| relative.starts_with(dir));
    in_directory || HEADERS.iter().any(|name| relative == Path::new(name))
}

/// True if a header is one of those of CUDA that its libraries' headers include, from a directory that they share.
fn is_cuda_core(path: &Path) -> bool {
    const HEADERS: [&str; 22] = [
        "builtin_types.h",
        "channel_descriptor.h",
        "cuComplex.h",
        "cuda.h",
        "cuda_bf16.h",
        "cuda_bf16.hpp",
        "cuda_device_runtime_api.h",
        "cuda_fp16.h",
        "cuda_fp16.hpp",
        "cuda_fp8.h",
        "cuda_fp8.hpp",
        "cuda_runtime.h",
        "cuda_runtime_api.h",
        "device_types.h",
        "driver_functions.h",
        "driver_types.h",
        "library_types.h",
        "surface_types.h",
        "texture_types.h",
        "vector_functions.h",
        "vector_functions.hpp",
        "vector_types.h",
    ];
    let parent = path.parent();
    if parent.is_some_and(|dir| dir.ends_with("crt")) {
        return true;
    }
    // A project may have a header of such a name; it has no `cuda.h` beside it.
    let named = HEADERS.iter().any(|name| path.ends_with(name));
    named
        && parent
            .is_some_and(|dir| dir.join("driver_types.h").is_file() || dir.join("cuda.h").is_file())
}

/// True if a text matches a pattern of `*` and `?`.
pub fn glob_matches(pattern: &[u8], text: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    // The place to go on from if the text behind the last star does not match.
    let mut retry = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                retry = Some((p, t));
                p += 1;
            }
            Some(&c) if c == b'?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match retry {
                Some((star, from)) => {
                    retry = Some((star, from + 1));
                    p = star + 1;
                    t = from + 1;
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        let matches = |pattern: &str, text: &str| glob_matches(pattern.as_bytes(), text.as_bytes());
        assert!(
            matches("*.h", "a.h")
                && matches("*/foo/*.h", "/usr/foo/x/y.h")
                && matches("a?c", "abc")
        );
        assert!(matches("*", "") && matches("**a", "ba") && matches("", ""));
        assert!(!matches("*.h", "a.c") && !matches("a?c", "ac") && !matches("", "a"));
        assert!(!matches(&"*a".repeat(40), &"a".repeat(39)));
    }
}
