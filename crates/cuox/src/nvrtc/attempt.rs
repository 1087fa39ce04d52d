//! Compiling what nvcc compiles.
//!
//! NVRTC refuses some of what nvcc takes: headers of the C and C++ library, names that come without an include, host
//! functions beside kernels. A program that NVRTC takes is compiled as it is. Where it complains of such a thing, the
//! program is compiled again with what was missing, and only what is then left is an error.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::headers;
use super::hints;
use super::host_headers;
use super::implied::Implied;
use super::kept::{Compiler, is_kept};
use super::library::{Nvrtc, Output, RawProgram, text};
use super::marked;
use super::pch::{self, PchStatus};
use crate::cache::{Cache, Search, read_by};
use crate::error::{Error, Result};
use crate::pathfinder;

/// Most compilations of one program. Each but the first mends something; headers in folders that are not searched come
/// one by one.
const MOST: usize = 8;
/// The name of the header that comes before a program.
const BEFORE: &str = "cuox/before.h";
/// Makes host functions device functions that nobody calls, as far as the compiler is concerned: unannotated ones are
/// by the option, and `__host__ __device__` ones remain what they are.
const NO_HOST: &str = "#undef __host__\n#define __host__\n";
const NO_REGISTER: &str = "#define register\n";
const DEVICE_BY_DEFAULT: &str = "--device-as-default-execution-space";

/// A program as it is given to NVRTC.
pub(super) struct Job<'a> {
    pub source: &'a str,
    pub name: &'a str,
    /// The user's own headers: names and texts.
    pub headers: &'a [(String, String)],
    /// Options, without the folders of CUDA's headers.
    pub args: Vec<String>,
    /// Folders of CUDA's headers; nothing of ours is added where they are not wanted.
    pub cuda_folders: Option<Vec<PathBuf>>,
    pub expressions: &'a [&'a str],
    pub output: Output,
}

/// The output of NVRTC.
pub(super) struct Made {
    pub bytes: Vec<u8>,
    /// The PTX that machine code was made from.
    pub ptx: Option<String>,
    pub log: String,
    pub lowered_names: BTreeMap<String, String>,
    /// Folders that were searched for headers.
    pub folders: Vec<PathBuf>,
    /// Headers of ours that it was handed, and the text that came before it.
    pub handed: Vec<headers::Header>,
    pub before: String,
    pub pch: Option<PchStatus>,
}

/// Where output comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// NVRTC has made it now.
    Compiler,
    /// It was kept on disk.
    Disk,
}

/// Additions to a program beyond its own options and headers.
#[derive(Clone, PartialEq, Eq, Default)]
struct Extra {
    implied: Implied,
    folders: Vec<PathBuf>,
    device_by_default: bool,
    /// True for integers of 128 bits, which NVRTC has by an option only.
    int128: bool,
    /// True if `register`, which C++17 dropped and host compilers still take, means nothing.
    no_register: bool,
    /// True to compile as C++20, for initialisers that name members: host compilers take them in C++17 too.
    designated: bool,
    /// True if headers have byte order marks.
    marked: bool,
    /// Headers of the system's libraries.
    system: Vec<String>,
    /// True to leave out Thrust's containers and algorithms.
    no_thrust: bool,
    /// True to define the macros of the host's system.
    host_macros: bool,
}

impl Job<'_> {
    /// Returns the kept output of the program, if `cache` has it; else compiles. `stop` is asked now and then.
    pub fn run(
        &self,
        compiler: &Compiler,
        cache: Option<&Cache>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(Made, Origin)> {
        let Some(cache) = cache.filter(|_| is_kept(&self.args)) else {
            return Ok((
                self.compile(Nvrtc::get_for(compiler.target)?, stop)?,
                Origin::Compiler,
            ));
        };
        let digest = self.digest(compiler);
        if let Some(made) = cache.load(&digest, Made::decode) {
            return Ok((made, Origin::Disk));
        }
        let begin = SystemTime::now();
        let made = self.compile(Nvrtc::get_for(compiler.target)?, stop)?;
        let own = Path::new(self.name).parent().unwrap_or(Path::new(""));
        let mut texts = vec![self.source];
        texts.extend(self.headers.iter().map(|(_, text)| text.as_str()));
        // Headers that come before the program are included too.
        let before: Vec<String> = self
            .values(&["--pre-include", "-pre-include", "-include"])
            .map(|name| format!("#include \"{name}\"\n"))
            .collect();
        texts.extend(before.iter().map(String::as_str));
        texts.push(&made.before);
        let mut folders = made.folders.clone();
        if !before.is_empty() {
            folders.push(PathBuf::from("."));
        }
        let search = Search {
            texts,
            in_memory: &|name| self.headers.iter().any(|(own, _)| own == name),
            handed: &|name| {
                let header = made.handed.iter().find(|header| header.name == name)?;
                Some((header.text, header.hides_others()))
            },
            own: own.to_owned(),
            folders,
            packages: made.folders[self.user_folders().len()..].to_vec(),
        };
        if let Some(files) = read_by(&search, begin) {
            cache.save(&digest, &files, &made.encode());
        }
        Ok((made, Origin::Compiler))
    }

    /// Compiles.
    fn compile(&self, nvrtc: &'static Nvrtc, stop: &mut dyn FnMut() -> bool) -> Result<Made> {
        let Some(cuda_folders) = &self.cuda_folders else {
            return self.once(nvrtc, &[], &Extra::default(), stop);
        };
        let user = self.user_folders();
        let handed = headers::handed(
            &user.iter().map(PathBuf::as_path).collect::<Vec<_>>(),
            &cuda_folders
                .iter()
                .map(PathBuf::as_path)
                .collect::<Vec<_>>(),
        );
        let mut extra = Extra {
            implied: Implied::by(self.source),
            ..Extra::default()
        };
        let mut failure;
        let mut times = 0;
        loop {
            failure = match self.once(nvrtc, &handed, &extra, stop) {
                Err(error @ Error::Nvrtc { code: 6, .. }) => error,
                done => return done,
            };
            times += 1;
            let mut next = extra.clone();
            let mended =
                matches!(&failure, Error::Nvrtc { log, .. } if next.mend(log, self.source, nvrtc));
            if !mended || next == extra || times == MOST {
                break;
            }
            extra = next;
        }
        // A program may have made a name of ours its own in a way that was not seen.
        if !extra.implied.is_empty() {
            extra.implied = Implied::default();
            match self.once(nvrtc, &handed, &extra, stop) {
                Err(Error::Nvrtc { .. }) => {}
                done => return done,
            }
        }
        if let Error::Nvrtc { log, hint, .. } = &mut failure {
            *hint = hints::for_log(log, self.source, nvrtc.version()).into();
        }
        Err(failure)
    }

    /// The folders that the user has headers searched in, among them that of the source.
    fn user_folders(&self) -> Vec<PathBuf> {
        let own = Path::new(self.name).parent().map(Path::to_owned);
        let given = self.values(&["--include-path", "-include-path", "-I"]);
        own.into_iter().chain(given.map(PathBuf::from)).collect()
    }

    /// All folders that are searched.
    fn all_folders(&self, extra: &Extra) -> Vec<PathBuf> {
        let cuda = self.cuda_folders.iter().flatten();
        let others = cuda.chain(&extra.folders).cloned();
        self.user_folders().into_iter().chain(others).collect()
    }

    /// The user's headers that have byte order marks, as they are handed in memory.
    fn unmarked(&self, handed: &[headers::Header], extra: &Extra) -> Vec<(String, String)> {
        let own = Path::new(self.name).parent().unwrap_or(Path::new(""));
        let mut texts = vec![self.source];
        texts.extend(self.headers.iter().map(|(_, text)| text.as_str()));
        let search = marked::Search {
            texts,
            own,
            folders: &self.all_folders(extra),
            in_memory: &|name| {
                self.headers.iter().any(|(own, _)| own == name)
                    || handed.iter().any(|header| header.name == name)
            },
        };
        search.unmarked()
    }

    /// The values of an option in its spellings: after `=`, as the next word, or, with one letter, at once.
    fn values<'a>(&'a self, spellings: &'a [&'a str]) -> impl Iterator<Item = &'a str> {
        let mut args = self.args.iter();
        std::iter::from_fn(move || {
            loop {
                let arg = args.next()?;
                for option in spellings {
                    match arg.strip_prefix(option) {
                        Some("") => return args.next().map(String::as_str),
                        Some(value) if value.starts_with('=') || option.len() == 2 => {
                            return Some(value.trim_start_matches('='));
                        }
                        _ => {}
                    }
                }
            }
        })
    }

    /// One compilation.
    fn once(
        &self,
        nvrtc: &'static Nvrtc,
        handed: &[headers::Header],
        extra: &Extra,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Made> {
        let mut args = self.args.clone();
        let mut before = extra.implied.text();
        if extra.int128 {
            args.push("--device-int128".to_owned());
        }
        if extra.host_macros {
            let defined = host_headers::MACROS
                .iter()
                .map(|name| format!("--define-macro={name}=1"));
            args.extend(defined);
        }
        if extra.device_by_default {
            before += NO_HOST;
            let is_there = |a: &String| a == DEVICE_BY_DEFAULT || a == "-default-device";
            if !args.iter().any(is_there) {
                args.push(DEVICE_BY_DEFAULT.to_owned());
            }
        }
        if extra.no_register {
            before += NO_REGISTER;
        }
        if extra.designated {
            args.retain(|a| !a.starts_with("--std=") && !a.starts_with("-std="));
            args.push("--std=c++20".to_owned());
        }
        if !before.is_empty() {
            args.insert(0, format!("--pre-include={BEFORE}"));
        }
        let cuda = self.cuda_folders.iter().flatten();
        args.extend(
            cuda.chain(&extra.folders)
                .map(|f| format!("--include-path={}", f.display())),
        );
        let args = args
            .iter()
            .map(|a| c_text(a, "an option"))
            .collect::<Result<Vec<_>>>()?;
        let mut all = Vec::with_capacity(self.headers.len() + handed.len() + 1);
        let mut handed = handed.to_vec();
        handed.retain(|h| !self.headers.iter().any(|(own, _)| own == h.name));
        for (name, text) in self.headers {
            let text = marked::without(text);
            all.push((c_text(name, "a header's name")?, c_text(text, "a header")?));
        }
        let is_given = |name: &str| {
            self.headers.iter().any(|(own, _)| own == name)
                || handed.iter().any(|header| header.name == name)
                || self.user_folders().iter().any(|f| f.join(name).is_file())
        };
        let system = extra.system.iter().map(String::as_str);
        let thrust = host_headers::THRUST.iter().filter(|_| extra.no_thrust);
        let of_host = system
            .map(|name| (name, host_headers::SYSTEM))
            .chain(thrust.map(|name| (*name, host_headers::OF_THRUST)));
        for (name, text) in of_host.filter(|(name, _)| !is_given(name)) {
            all.push((c_text(name, "a header's name")?, c_text(text, "a header")?));
        }
        if extra.marked {
            for (name, text) in self.unmarked(&handed, extra) {
                all.push((
                    c_text(&name, "a header's name")?,
                    c_text(&text, "a header")?,
                ));
            }
        }
        // NVRTC copies what it is handed; most programs include nothing.
        let includes = |text: &str| text.contains("include");
        if includes(self.source)
            || !before.is_empty()
            || self.args.iter().any(|a| includes(a))
            || self.headers.iter().any(|(_, text)| includes(text))
        {
            for header in &handed {
                all.push((
                    c_text(header.name, "a header's name")?,
                    c_text(header.text, "a header")?,
                ));
            }
        }
        if !before.is_empty() {
            all.push((
                c_text(BEFORE, "a header's name")?,
                c_text(&before, "a header")?,
            ));
        }
        let (source, name) = (
            c_text(marked::without(self.source), "the source")?,
            c_text(self.name, "the name")?,
        );
        let expressions = self
            .expressions
            .iter()
            .map(|n| c_text(n, "a name expression"))
            .collect::<Result<Vec<_>>>()?;
        let begin = || -> Result<RawProgram> {
            let program = RawProgram::new(nvrtc, &source, &name, &all)?;
            for expression in &expressions {
                program.add_name_expression(expression)?;
            }
            Ok(program)
        };
        let mut program = begin()?;
        let mut log = program.compile(&args, stop)?;
        let mut pch_code = pch::is_asked_for(&self.args)
            .then(|| program.pch_code())
            .flatten();
        // The heap for headers is NVRTC's own, of a size that it can be told.
        if pch_code == Some(pch::HEAP_EXHAUSTED) && program.make_room_for_pch() {
            program = begin()?;
            log = program.compile(&args, stop)?;
            pch_code = program.pch_code();
        }
        let mut lowered_names = BTreeMap::new();
        for (plain, expression) in self.expressions.iter().zip(&expressions) {
            lowered_names.insert((*plain).to_owned(), program.lowered_name(expression)?);
        }
        let bytes = program.output(self.output)?;
        // NVRTC keeps the PTX that it made machine code from.
        let ptx = match self.output {
            Output::Cubin => program
                .output(Output::Ptx)
                .ok()
                .map(|p| text(&p))
                .filter(|p| !p.is_empty()),
            _ => None,
        };
        Ok(Made {
            bytes,
            ptx,
            log,
            lowered_names,
            folders: self.all_folders(extra),
            handed,
            before,
            pch: pch_code.map(PchStatus::of),
        })
    }
}

impl Extra {
    /// Adds what the compiler's messages ask for; false if there is nothing to be added.
    fn mend(&mut self, log: &str, source: &str, nvrtc: &Nvrtc) -> bool {
        let mut mended = false;
        let mut lines = log.lines().peekable();
        while let Some(line) = lines.next() {
            let Some((place, message)) = line.split_once(" error: ") else {
                continue;
            };
            // The compiler shows the line of the source below its message.
            let shown = lines.peek().copied().unwrap_or_default();
            let quoted = || message.split('"').nth(1).unwrap_or_default();
            let last_quoted = || message.split('"').nth(3).unwrap_or_default();
            mended |= if let Some(name) = host_headers::interop_at(place) {
                let is_new = !self.system.contains(&name);
                if is_new {
                    self.system.push(name);
                }
                is_new
            } else if message.starts_with("identifier ") {
                self.implied.add_global(quoted())
            } else if message.starts_with("namespace \"std\" has no") {
                self.implied.add_std(last_quoted())
            } else if message.starts_with("more than one instance of overloaded function") {
                self.implied.add_header("math.h")
            } else if message.starts_with("invalid redeclaration of type name") {
                self.implied.remove(quoted())
            } else if message.starts_with("cannot open source file") {
                let major = nvrtc.version().0;
                match pathfinder::folder_with(Path::new(quoted()), nvrtc.path(), major) {
                    Some(folder) if !self.folders.contains(&folder) => {
                        self.folders.push(folder);
                        true
                    }
                    _ => {
                        let mut names = host_headers::beside(quoted(), place, source);
                        names.retain(|name| !self.system.contains(name));
                        let is_new = !names.is_empty();
                        self.system.append(&mut names);
                        is_new
                    }
                }
            } else if message.starts_with("expected an expression") && names_members(shown) {
                !std::mem::replace(&mut self.designated, true)
            } else if message.starts_with("use of the \"register\" storage class") {
                !std::mem::replace(&mut self.no_register, true)
            } else if marked::is_complaint(place, message) {
                !std::mem::replace(&mut self.marked, true)
            } else if message.starts_with("#error directive") {
                !std::mem::replace(&mut self.host_macros, true)
            } else if !self.no_thrust && host_headers::is_thrusts(place) {
                self.no_thrust = true;
                true
            } else if message.starts_with("128-bit integer type is only supported") {
                !std::mem::replace(&mut self.int128, true)
            } else if is_of_host(message) {
                !std::mem::replace(&mut self.device_by_default, true)
            } else {
                false
            };
        }
        mended
    }
}

/// True if a line has an initialiser that names a member: `{.x = 1}`.
fn names_members(line: &str) -> bool {
    let mut before = ' ';
    line.char_indices().any(|(at, c)| {
        let starts = c == '.' && matches!(before, '{' | ',');
        if !c.is_whitespace() {
            before = c;
        }
        let rest = line[at..].trim_start_matches('.');
        let name = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        starts && name.len() < rest.len() && name.trim_start().starts_with(['=', '{'])
    })
}

/// True if NVRTC complains that something is not for the device.
fn is_of_host(message: &str) -> bool {
    [
        "is considered a host ",
        "explicitly marked as a __host__ function",
        "was inferred to be __host__",
    ]
    .iter()
    .any(|part| message.contains(part))
}

fn c_text(text: &str, what: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid(format!("{what} holds a zero byte")))
}
