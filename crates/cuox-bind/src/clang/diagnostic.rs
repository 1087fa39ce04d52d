//! Errors and warnings of reading a header.

use std::fmt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why there are no declarations.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ParseError {
    #[error(
        "libclang, which reads C headers, was not found: `pip install libclang` installs it, and CUOX_LIBCLANG can name it (looked in {})",
        list(looked)
    )]
    NoLibclang { looked: Vec<PathBuf> },
    #[error("{} cannot be used as libclang: {reason}", path.display())]
    LibclangUnusable { path: PathBuf, reason: String },
    #[error("{0}")]
    Option(String),
    #[error("{}", compile_message(diagnostics, advice.as_deref()))]
    Compile {
        /// All messages, warnings too.
        diagnostics: Vec<Diagnostic>,
        /// Advice that may help.
        advice: Option<String>,
    },
    #[error("libclang cannot read the headers: {0}")]
    Failed(String),
}

/// Severity of a [`Diagnostic`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Severity {
    Note,
    Warning,
    Error,
    /// Nothing after it was read.
    Fatal,
}

/// A message of the compiler's about a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The file; empty for a message without a place.
    pub file: String,
    /// The line, from 1; 0 for a message without a place.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The message.
    pub message: String,
    /// That line of that file.
    pub source: String,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal error",
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:{}:{}: ", self.file, self.line, self.column)?;
        }
        write!(f, "{}: {}", self.severity, self.message)?;
        if !self.source.trim().is_empty() {
            // The line may be of any length; the text around the column is enough.
            let before = self
                .source
                .chars()
                .take(self.column.saturating_sub(1) as usize);
            let indent: String = before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            if self.source.chars().count() <= 200 {
                write!(f, "\n    {}\n    {indent}^", self.source.trim_end())?;
            }
        }
        Ok(())
    }
}

/// Most errors that a message lists.
const MOST_LISTED: usize = 10;

fn compile_message(diagnostics: &[Diagnostic], advice: Option<&str>) -> String {
    let errors = diagnostics.iter().filter(|d| d.severity >= Severity::Error);
    let mut lines: Vec<String> = errors.map(Diagnostic::to_string).collect();
    if lines.len() > MOST_LISTED {
        let more = lines.len() - MOST_LISTED;
        lines.truncate(MOST_LISTED);
        lines.push(format!("and {more} more errors"));
    }
    lines.extend(advice.map(str::to_owned));
    lines.join("\n")
}

fn list(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
    paths.join(", ")
}

/// Advice for a missing include file.
pub fn missing_include(diagnostics: &[Diagnostic], searched: &[PathBuf]) -> Option<String> {
    let fatal = diagnostics.iter().find(|d| d.severity == Severity::Fatal)?;
    let name = fatal
        .message
        .strip_prefix('\'')?
        .strip_suffix("' file not found")?;
    let mut text = format!("searched for `{name}` in {}", list(searched));
    if let Some(package) = package_of(name) {
        text.push_str(&format!("; {package} has it"));
    }
    Some(text)
}

/// Advice for a header that uses names of the C library without including them: libjpeg's wants `stdio.h` before it.
pub fn missing_names(diagnostics: &[Diagnostic]) -> Option<String> {
    let errors = diagnostics.iter().filter(|d| d.severity >= Severity::Error);
    let unknown = errors.filter_map(|d| {
        d.message
            .strip_prefix("unknown type name '")?
            .split('\'')
            .next()
    });
    let header = |name: &str| match name {
        "FILE" => Some("stdio.h"),
        "size_t" | "ptrdiff_t" | "wchar_t" => Some("stddef.h"),
        "va_list" => Some("stdarg.h"),
        "bool" => Some("stdbool.h"),
        "time_t" => Some("time.h"),
        "off_t" | "ssize_t" | "pid_t" => Some("sys/types.h"),
        _ if name.ends_with("_t") && name.contains("int") => Some("stdint.h"),
        _ => None,
    };
    let mut wanted: Vec<&str> = unknown.filter_map(header).collect();
    wanted.sort_unstable();
    wanted.dedup();
    if wanted.contains(&"stdio.h") {
        // It has that name, too.
        wanted.retain(|name| *name != "stddef.h");
    }
    let list = wanted.join("`, `");
    (!wanted.is_empty())
        .then(|| format!("the header does not include what it uses: name `{list}` before it"))
}

/// The package that has a well-known header.
fn package_of(name: &str) -> Option<&'static str> {
    const DEBIAN: [(&str, &str); 18] = [
        ("sqlite3.h", "Debian's libsqlite3-dev"),
        ("zlib.h", "Debian's zlib1g-dev"),
        ("zconf.h", "Debian's zlib1g-dev"),
        ("png.h", "Debian's libpng-dev"),
        ("jpeglib.h", "Debian's libjpeg-dev"),
        ("openssl/", "Debian's libssl-dev"),
        ("curl/", "Debian's libcurl4-openssl-dev"),
        ("fftw3.h", "Debian's libfftw3-dev"),
        ("zstd.h", "Debian's libzstd-dev"),
        ("lz4.h", "Debian's liblz4-dev"),
        ("cblas.h", "Debian's libopenblas-dev"),
        ("gsl/", "Debian's libgsl-dev"),
        ("hdf5.h", "Debian's libhdf5-dev"),
        ("mpi.h", "Debian's libopenmpi-dev"),
        ("xml2/", "Debian's libxml2-dev"),
        ("libxml/", "Debian's libxml2-dev"),
        ("uuid/", "Debian's uuid-dev"),
        ("linux/", "Debian's linux-libc-dev"),
    ];
    const PIP: [(&str, &str); 16] = [
        ("cublas", "pip's nvidia-cublas"),
        ("cufft", "pip's nvidia-cufft"),
        ("cusparse", "pip's nvidia-cusparse"),
        ("cusolver", "pip's nvidia-cusolver"),
        ("curand", "pip's nvidia-curand"),
        ("cudnn", "pip's nvidia-cudnn-cu13"),
        ("nccl", "pip's nvidia-nccl-cu13"),
        ("nvml.h", "pip's nvidia-nvml-dev"),
        ("nvrtc.h", "pip's nvidia-cuda-nvrtc"),
        ("nvJitLink.h", "pip's nvidia-nvjitlink"),
        ("nvvm.h", "pip's nvidia-nvvm"),
        ("cupti", "pip's nvidia-cuda-cupti"),
        ("crt/", "pip's nvidia-cuda-crt"),
        ("cuda/std/", "pip's nvidia-cuda-cccl"),
        ("nv/target", "pip's nvidia-cuda-cccl"),
        ("cuda", "pip's nvidia-cuda-runtime"),
    ];
    /// Of the C library; a name without a suffix is the C++ library's.
    const LIBC: [&str; 26] = [
        "assert.h",
        "ctype.h",
        "dlfcn.h",
        "errno.h",
        "fcntl.h",
        "features.h",
        "inttypes.h",
        "limits.h",
        "locale.h",
        "math.h",
        "netinet/in.h",
        "pthread.h",
        "sched.h",
        "setjmp.h",
        "signal.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "sys/socket.h",
        "sys/time.h",
        "sys/types.h",
        "time.h",
        "unistd.h",
        "wchar.h",
        "bits/libc-header-start.h",
    ];
    if LIBC.contains(&name) {
        return Some("the C library's development package (Debian's libc6-dev)");
    }
    if !name.contains(['.', '/']) {
        return Some("the C++ library's development package (Debian's g++)");
    }
    let of = |table: &[(&str, &'static str)]| {
        let found = table.iter().find(|(prefix, _)| name.starts_with(prefix));
        found.map(|(_, package)| *package)
    };
    of(&DEBIAN).or_else(|| of(&PIP))
}

/// A line of a text, from 1.
pub fn line_of(text: &[u8], line: u32) -> String {
    let mut lines = text.split(|&byte| byte == b'\n');
    let line = lines
        .nth(line.saturating_sub(1) as usize)
        .unwrap_or_default();
    String::from_utf8_lossy(line)
        .trim_end_matches('\r')
        .to_owned()
}

/// The name of a path in messages.
pub fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_c_library_are_known() {
        let unknown = |name: &str| Diagnostic {
            severity: Severity::Error,
            file: "jpeglib.h".into(),
            line: 1,
            column: 1,
            message: format!("unknown type name '{name}'"),
            source: String::new(),
        };
        let advice = missing_names(&[unknown("size_t"), unknown("FILE"), unknown("uint8_t")]);
        let expected =
            "the header does not include what it uses: name `stdint.h`, `stdio.h` before it";
        assert_eq!(advice.as_deref(), Some(expected));
        assert_eq!(missing_names(&[unknown("foo")]), None);
    }

    #[test]
    fn a_missing_include_names_directories_and_a_package() {
        let fatal = Diagnostic {
            severity: Severity::Fatal,
            file: "a.h".into(),
            line: 3,
            column: 10,
            message: "'sqlite3.h' file not found".into(),
            source: "#include <sqlite3.h>".into(),
        };
        let advice = missing_include(std::slice::from_ref(&fatal), &["/usr/include".into()]);
        let error = ParseError::Compile {
            diagnostics: vec![fatal],
            advice,
        };
        let expected = "a.h:3:10: fatal error: 'sqlite3.h' file not found\n    #include <sqlite3.h>\n             ^\n\
                        searched for `sqlite3.h` in /usr/include; Debian's libsqlite3-dev has it";
        assert_eq!(error.to_string(), expected);
        assert_eq!(
            package_of("vector"),
            Some("the C++ library's development package (Debian's g++)")
        );
        assert_eq!(package_of("cublas_v2.h"), Some("pip's nvidia-cublas"));
        assert_eq!(package_of("own.h"), None);
    }
}
