//! The compiler's arguments, and the files that exist in memory only.

use std::path::{Path, PathBuf};

use super::cursor::{Unit, Virtual};
use super::diagnostic::{Diagnostic, ParseError, Severity, line_of, shown};
use super::library::Libclang;
use super::{Input, Language, ParseOptions};

/// The file that includes the headers.
pub const MAIN: &str = "/cuox/headers.h";
/// Directory of headers that come as text.
const TEXTS: &str = "/cuox/text/";
/// Directory of our own headers.
const OWN: &str = "/cuox/include";
/// Directory of those of them that stand behind all others.
const LAST: &str = "/cuox/last";

/// The compiler's own headers that every C library needs: pip's libclang comes without any.
const OWN_HEADERS: [(&str, &str); 24] = [
    ("float.h", include_str!("include/float.h")),
    ("iso646.h", include_str!("include/iso646.h")),
    ("limits.h", include_str!("include/limits.h")),
    ("stdalign.h", include_str!("include/stdalign.h")),
    ("stdarg.h", include_str!("include/stdarg.h")),
    ("stdbool.h", include_str!("include/stdbool.h")),
    ("stddef.h", include_str!("include/stddef.h")),
    ("stdint.h", include_str!("include/stdint.h")),
    ("stdnoreturn.h", include_str!("include/stdnoreturn.h")),
    ("tgmath.h", include_str!("include/tgmath.h")),
    ("stdatomic.h", include_str!("include/stdatomic.h")),
    ("omp.h", include_str!("include/omp.h")),
    ("mm_malloc.h", include_str!("include/mm_malloc.h")),
    ("immintrin.h", include_str!("include/immintrin.h")),
    ("xmmintrin.h", include_str!("include/immintrin.h")),
    ("emmintrin.h", include_str!("include/immintrin.h")),
    ("pmmintrin.h", include_str!("include/immintrin.h")),
    ("tmmintrin.h", include_str!("include/immintrin.h")),
    ("smmintrin.h", include_str!("include/immintrin.h")),
    ("nmmintrin.h", include_str!("include/immintrin.h")),
    ("wmmintrin.h", include_str!("include/immintrin.h")),
    ("ammintrin.h", include_str!("include/immintrin.h")),
    ("mmintrin.h", include_str!("include/immintrin.h")),
    ("x86intrin.h", include_str!("include/immintrin.h")),
];

/// Arguments and files with which a unit is parsed.
pub struct Setup {
    /// The command line.
    pub arguments: Vec<String>,
    /// Files that are not on disk; the first is [`MAIN`].
    pub files: Vec<Virtual>,
    /// A name for the whole.
    pub name: String,
    /// Directories that are searched for headers, in order.
    pub searched: Vec<PathBuf>,
    /// Of these, the directories that projects share.
    pub shared: Vec<PathBuf>,
    /// The libclang.
    pub clang: &'static Libclang,
    /// The language.
    pub language: Language,
    /// Names of headers that are text, by their virtual paths.
    names: Vec<(String, String)>,
}

impl Setup {
    /// The setup that the options ask for.
    pub fn new(options: &ParseOptions, clang: &'static Libclang) -> Result<Setup, ParseError> {
        let mut names = Vec::new();
        let mut texts = Vec::new();
        let mut main = String::new();
        if options.language == Language::Cuda {
            main.push_str("#include <cuda_runtime.h>\n");
        }
        for input in &options.inputs {
            match input {
                Input::File(name) => main.push_str(&include(name)?),
                Input::Text { name, text } => {
                    let path = format!("{TEXTS}{}/header.h", texts.len());
                    main.push_str(&format!("#include \"{path}\"\n"));
                    texts.push(Virtual {
                        path: path.clone(),
                        text: text.clone(),
                    });
                    names.push((path, name.clone()));
                }
            }
        }
        let mut files = vec![Virtual {
            path: MAIN.to_owned(),
            text: main,
        }];
        files.extend(texts);

        let mut arguments: Vec<String> = match options.language {
            Language::C => ["-x", "c", "-std=gnu17"],
            Language::Cxx | Language::Cuda => ["-x", "c++", "-std=gnu++17"],
        }
        .map(str::to_owned)
        .to_vec();
        arguments.push("-fparse-all-comments".into());
        arguments.push("-fretain-comments-from-system-headers".into());
        let path_argument = |flag: &str, path: &Path| {
            let text = path.to_str().ok_or_else(|| {
                ParseError::Option(format!(
                    "the directory {path:?} is not UTF-8, which libclang needs"
                ))
            })?;
            Ok::<_, ParseError>([flag.to_owned(), text.to_owned()])
        };
        let mut searched = options.include_dirs.clone();
        for dir in &options.include_dirs {
            arguments.extend(path_argument("-I", dir)?);
        }
        match resource_dir(clang) {
            Some(Resource::Own) => {}
            Some(Resource::Other(dir)) => {
                searched.push(dir.join("include"));
                arguments.extend(path_argument("-resource-dir", &dir)?);
            }
            None => {
                arguments.push("-nobuiltininc".into());
                arguments.extend(["-isystem".to_owned(), OWN.to_owned()]);
                files.extend(OWN_HEADERS.map(|(name, text)| Virtual {
                    path: format!("{OWN}/{name}"),
                    text: text.to_owned(),
                }));
            }
        }
        let shared = system_dirs();
        searched.extend(shared.iter().cloned());
        if !arguments.iter().any(|it| it == "-nobuiltininc") {
            // A resource directory may be without OpenMP's header, which comes with the runtime; GCC's has attributes
            // that libclang refuses.
            arguments.extend(["-idirafter".to_owned(), LAST.to_owned()]);
            let own = OWN_HEADERS.iter().filter(|(name, _)| *name == "omp.h");
            files.extend(own.map(|(name, text)| Virtual {
                path: format!("{LAST}/{name}"),
                text: (*text).to_owned(),
            }));
        }
        let mut last = options.fallback_dirs.clone();
        last.extend(nvidia_dirs(&options.site_dirs));
        for dir in last {
            if searched.contains(&dir) {
                continue;
            }
            arguments.extend(path_argument("-idirafter", &dir)?);
            searched.push(dir);
        }
        for (name, value) in &options.defines {
            arguments.push(match value {
                Some(value) => format!("-D{name}={value}"),
                None => format!("-D{name}"),
            });
        }
        arguments.extend(options.arguments.iter().cloned());

        let name = options.inputs.first().map_or("", |input| match input {
            Input::File(name) | Input::Text { name, .. } => name,
        });
        let name = name.to_owned();
        Ok(Setup {
            arguments,
            files,
            name,
            searched,
            shared,
            clang,
            language: options.language,
            names,
        })
    }

    /// The name that people have for a file: of a text its own name, not the path it got.
    pub fn name_of(&self, path: &str) -> String {
        let text = self.names.iter().find(|(text, _)| text == path);
        match text {
            Some((_, name)) => name.clone(),
            None if path == MAIN => String::new(),
            None => path.to_owned(),
        }
    }

    /// A header's name below the directory it was found in, where it was given as a path.
    pub fn short(&self, written: &str) -> String {
        let path = Path::new(written);
        if !path.is_absolute() {
            return written.to_owned();
        }
        let below = self
            .searched
            .iter()
            .filter_map(|dir| path.strip_prefix(dir).ok());
        let shortest = below.min_by_key(|path| path.components().count());
        let name = shortest.or_else(|| path.file_name().map(Path::new));
        name.unwrap_or(path).to_string_lossy().into_owned()
    }

    /// The compiler's messages, with names that people know.
    pub fn diagnostics(&self, unit: &Unit) -> Vec<Diagnostic> {
        let mut all = unit.diagnostics();
        let lines = self.files[0].text.lines().count();
        for diagnostic in &mut all {
            // A header that is not there is a fatal error, and has no place of its own.
            if diagnostic.file == MAIN
                && diagnostic.line as usize >= lines
                && diagnostic.severity == Severity::Error
            {
                // The compiler notices an unfinished declaration of the last header behind that header's end.
                let included = unit.root().children().into_iter().filter_map(|directive| {
                    let start = directive.extent().0;
                    let ours = unit.file_name(start.file) == MAIN;
                    ours.then(|| directive.included())
                });
                let mut found = included.filter(|file| !unit.file_name(*file).is_empty());
                if let Some(file) = found.next_back() {
                    let text = unit.contents(file);
                    let text = text.trim_ascii_end();
                    let line = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u32;
                    diagnostic.file = unit.file_name(file);
                    diagnostic.line = line;
                    diagnostic.source = line_of(text, line);
                    diagnostic.column = 1 + diagnostic.source.len() as u32;
                }
            }
            diagnostic.file = self.name_of(&diagnostic.file);
            if diagnostic.file.is_empty() {
                // The place is in our own text, which users have not seen.
                diagnostic.source.clear();
            }
        }
        all
    }
}

/// The line that includes a header: a path if there is such a file, else a name that is searched for.
fn include(name: &str) -> Result<String, ParseError> {
    if name.is_empty() || name.contains(['"', '>', '\n', '\\', '\0']) {
        return Err(ParseError::Option(format!(
            "{name:?} cannot be a header's name"
        )));
    }
    let path = Path::new(name);
    match path.is_file() {
        true => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            Ok(format!("#include \"{}\"\n", shown(&path)))
        }
        false => Ok(format!("#include <{name}>\n")),
    }
}

enum Resource {
    /// The library finds its headers itself.
    Own,
    /// Headers in another directory.
    Other(PathBuf),
}

/// The headers of a compiler of that library's version.
fn resource_dir(clang: &Libclang) -> Option<Resource> {
    let real = std::fs::canonicalize(&clang.path).ok()?;
    let major = clang.major()?;
    let has_headers = |dir: &Path| dir.join("include/stddef.h").is_file();
    let of_version = |dir: PathBuf| {
        let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
        let version =
            |name: &str| name.split('.').next().and_then(|n| n.parse().ok()) == Some(major);
        let mut dirs = entries
            .filter(|entry| entry.file_name().to_str().is_some_and(version))
            .map(|entry| entry.path());
        dirs.find(|dir| has_headers(dir))
    };
    if of_version(real.parent()?.join("clang")).is_some() {
        return Some(Resource::Own);
    }
    let elsewhere = [
        format!("/usr/lib/llvm-{major}/lib/clang"),
        "/usr/lib/clang".to_owned(),
        "/usr/lib64/clang".to_owned(),
        "/usr/local/lib/clang".to_owned(),
    ];
    let found = elsewhere.into_iter().find_map(|dir| of_version(dir.into()));
    found.map(Resource::Other)
}

/// Directories in which everybody's headers are.
fn system_dirs() -> Vec<PathBuf> {
    let arch = std::env::consts::ARCH;
    let mut dirs: Vec<PathBuf> = vec![
        "/usr/local/include".into(),
        format!("/usr/include/{arch}-linux-gnu").into(),
        "/usr/include".into(),
    ];
    if let Some(prefix) = std::env::var_os("CONDA_PREFIX") {
        dirs.push(Path::new(&prefix).join("include"));
    }
    dirs
}

/// Folders where pip puts NVIDIA's headers.
fn nvidia_dirs(site_dirs: &[PathBuf]) -> Vec<PathBuf> {
    let mut dirs: Vec<PathBuf> = Vec::new();
    for site in site_dirs {
        let entries = std::fs::read_dir(site.join("nvidia"))
            .into_iter()
            .flatten()
            .flatten();
        let includes = entries.map(|entry| entry.path().join("include"));
        dirs.extend(includes.filter(|dir| dir.is_dir()));
    }
    // The newest toolkit first: cu13 before cu12, and both before packages that have a directory each.
    let toolkit = |dir: &Path| -> Option<u32> {
        let name = dir.parent()?.file_name()?.to_str()?;
        name.strip_prefix("cu")?.parse().ok()
    };
    dirs.sort_by_key(|dir| (std::cmp::Reverse(toolkit(dir)), dir.clone()));
    dirs
}
