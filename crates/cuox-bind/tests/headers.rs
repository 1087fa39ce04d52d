//! A test is a header under `tests/headers` and a `.txt` beside it with the declarations to be read of it, written or
//! checked by hand. GCC is asked, too: whether sizes, offsets, constants and types of functions are as they were read,
//! for these and for headers that happen to be installed.
//!
//! `CUOX_BLESS=1` writes the `.txt` files anew. Where no libclang is found, all count as skipped.

#[path = "support/probe.rs"]
mod probe;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cuox_bind::clang::{Input, Language, ParseOptions, find_libclang, parse, parse_all};
use cuox_bind::decl::{Header, file};
use libtest_mimic::{Arguments, Failed, Trial};

/// Headers of the system that are compared with GCC where they are installed.
const INSTALLED: [&str; 22] = [
    "ctype.h",
    "curl/curl.h",
    "dirent.h",
    "dlfcn.h",
    "errno.h",
    "fcntl.h",
    "fftw3.h",
    "limits.h",
    "locale.h",
    "math.h",
    "openssl/evp.h",
    "openssl/ssl.h",
    "png.h",
    "pthread.h",
    "signal.h",
    "sqlite3.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "time.h",
    "wchar.h",
    "zlib.h",
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/headers");
    let found = find_libclang(None, &[]);
    if let Err(error) = &found {
        eprintln!("skipped: {error}");
    }
    let skipped = found.is_err();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&dir)
        .expect("tests/headers")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e != "txt" && e != "inc"))
        .collect();
    files.sort();
    let mut trials = Vec::new();
    for path in files {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        trials.push(Trial::test(name, move || compare(&path)));
    }
    for name in INSTALLED {
        let is_there = ["/usr/include", "/usr/include/x86_64-linux-gnu"]
            .iter()
            .any(|dir| Path::new(dir).join(name).is_file());
        let trial = Trial::test(format!("<{name}>"), move || installed(name));
        trials.push(trial.with_ignored_flag(!is_there));
    }
    trials.push(Trial::test("real.header", real));
    trials.push(Trial::test("errors", errors));
    trials.push(Trial::test("handlers of signals", signals));
    trials.push(Trial::test("keep", keep));
    trials.push(Trial::test("without the compiler's headers", own_headers));
    if skipped {
        trials = trials
            .into_iter()
            .map(|t| t.with_ignored_flag(true))
            .collect();
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Turns an error into the error of a test.
fn failed(error: impl std::fmt::Display) -> Failed {
    Failed::from(error.to_string())
}

fn options(input: &str) -> ParseOptions {
    ParseOptions {
        inputs: vec![Input::File(input.to_owned())],
        ..ParseOptions::default()
    }
}

fn compare(path: &Path) -> Result<(), Failed> {
    let language = match path.extension().and_then(|e| e.to_str()) {
        Some("hpp") => Language::Cxx,
        _ => Language::C,
    };
    let header = parse(&ParseOptions {
        language,
        ..options(path.to_str().ok_or("a path that is not UTF-8")?)
    })
    .map_err(failed)?;
    kept(&header)?;
    let text = header.to_string();
    let expected = path.with_extension("txt");
    if std::env::var_os("CUOX_BLESS").is_some() {
        std::fs::write(&expected, &text).map_err(failed)?;
    }
    let wanted = std::fs::read_to_string(&expected).unwrap_or_default();
    if text != wanted {
        let mut message = format!("{} says otherwise:\n", expected.display());
        let (read, wanted): (Vec<_>, Vec<_>) = (text.lines().collect(), wanted.lines().collect());
        let lines = |mark: &str, a: &[&str], b: &[&str]| -> String {
            let only = a.iter().filter(|line| !b.contains(line));
            only.map(|line| format!("{mark} {line}\n")).collect()
        };
        message.push_str(&lines("-", &wanted, &read));
        message.push_str(&lines("+", &read, &wanted));
        return Err(message.into());
    }
    match language {
        Language::C => probe::check(&header, path.to_str().unwrap_or_default()),
        _ => Ok(()),
    }
}

/// The file that the tests of the format read: of a header that has everything, with the places of its own files only.
fn real() -> Result<(), Failed> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let inputs = ["records.h", "functions.h", "macros.h", "comments.h"];
    let inputs =
        inputs.map(|name| Input::File(dir.join("headers").join(name).display().to_string()));
    let mut header = parse(&ParseOptions {
        inputs: inputs.to_vec(),
        ..ParseOptions::default()
    })
    .map_err(failed)?;
    header.name = "real.h".into();
    let path = dir.join("real.header");
    if std::env::var_os("CUOX_BLESS").is_some() {
        std::fs::write(&path, file::write(&header).map_err(failed)?).map_err(failed)?;
    }
    let again: Header = file::read(&std::fs::read(&path).map_err(failed)?).map_err(failed)?;
    match again.to_string() == header.to_string() {
        true => Ok(()),
        false => Err("it is of other headers: CUOX_BLESS=1 writes it anew".into()),
    }
}

/// A header comes out of its file as it went in.
fn kept(header: &Header) -> Result<(), Failed> {
    let bytes = file::write(header).map_err(failed)?;
    let again: Header = file::read(&bytes).map_err(failed)?;
    // Texts are compared, since a NaN is not equal to itself.
    match format!("{again:?}") == format!("{header:?}") {
        true => Ok(()),
        false => Err("its file holds something else".into()),
    }
}

fn installed(name: &str) -> Result<(), Failed> {
    let header = parse(&options(name)).map_err(failed)?;
    kept(&header)?;
    probe::check(&header, name)
}

fn text_of(text: &str) -> ParseOptions {
    let input = Input::Text {
        name: "given.h".into(),
        text: text.into(),
    };
    ParseOptions {
        inputs: vec![input],
        ..ParseOptions::default()
    }
}

/// Errors are the compiler's, with their places.
fn errors() -> Result<(), Failed> {
    let message = |options: &ParseOptions| match parse(options) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    };
    let got = message(&text_of("int f(void);\n\tfoo g(int x);\n"));
    let expected = "given.h:2:2: error: unknown type name 'foo'\n    \tfoo g(int x);\n    \t^";
    if got != expected {
        return Err(got.into());
    }
    let got = message(&text_of("#include <no/such.h>\n"));
    let place = "given.h:1:10: fatal error: 'no/such.h' file not found\n    #include <no/such.h>\n";
    if !(got.starts_with(place) && got.contains("\nsearched for `no/such.h` in ")) {
        return Err(got.into());
    }
    let got = message(&options("no_such_header.h"));
    if !got.starts_with("fatal error: 'no_such_header.h' file not found\nsearched")
        && !got.contains("no_such_header.h")
    {
        return Err(got.into());
    }
    let got = message(&options("a\"b.h"));
    if got != "\"a\\\"b.h\" cannot be a header's name" {
        return Err(got.into());
    }
    // A macro that would damage the text around it damages nothing.
    let evil = "#define A {\n#define B )\n#define C ) ; } int x(\n#define D /* unclosed\n*/ 4\n#define E E\n#define F G\n#define G F\n\
                #define H \"a\n#define I 1\n";
    let header = parse(&text_of(evil)).map_err(failed)?;
    let names: Vec<&str> = header.constants.iter().map(|c| c.name.as_str()).collect();
    if names != ["D", "I"] {
        return Err(format!("{names:?}").into());
    }
    let warned = parse_all(&text_of("#warning careful\nint f(void);\n")).map_err(failed)?;
    match warned.warnings.as_slice() {
        [one] if one.message == "careful" && one.line == 1 => Ok(()),
        other => Err(format!("{other:?}").into()),
    }
}

/// A process has its own handlers when a header has been read.
fn signals() -> Result<(), Failed> {
    extern "C" fn own(_: libc::c_int) {}
    let set = |signal: libc::c_int, handler: libc::sighandler_t| {
        // SAFETY: a handler that does nothing, or the handler from before.
        unsafe { libc::signal(signal, handler) }
    };
    let all = [
        libc::SIGSEGV,
        libc::SIGBUS,
        libc::SIGABRT,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGTRAP,
    ];
    // Not of this process, whose other tests read headers at the same time.
    if std::env::var_os("CUOX_BIND_SIGNALS").is_none() {
        let output = std::process::Command::new(std::env::current_exe().map_err(failed)?)
            .args(["--exact", "handlers of signals"])
            .env("CUOX_BIND_SIGNALS", "1")
            .output()
            .map_err(failed)?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        return if output.status.success() {
            Ok(())
        } else {
            Err(said.into())
        };
    }
    let ours = own as extern "C" fn(libc::c_int) as libc::sighandler_t;
    let before = all.map(|signal| set(signal, ours));
    for _ in 0..2 {
        parse(&text_of("int f(void);\n#define A 1\n")).map_err(failed)?;
    }
    let after = all.map(|signal| set(signal, ours));
    for (signal, handler) in all.into_iter().zip(before) {
        set(signal, handler);
    }
    match after.iter().all(|&handler| handler == ours) {
        true => Ok(()),
        false => Err("the handlers are libclang's".into()),
    }
}

/// The declarations that are kept of included files.
fn keep() -> Result<(), Failed> {
    use cuox_bind::clang::Keep;
    let functions = |keep: Keep| -> Result<Vec<String>, Failed> {
        let options = ParseOptions {
            keep,
            ..text_of("#include <stdlib.h>\nint own(void);\n")
        };
        let header = parse(&options).map_err(failed)?;
        Ok(header.functions.into_iter().map(|f| f.name).collect())
    };
    if functions(Keep::Project)? != ["own"] {
        return Err("more than its own is kept of a text".into());
    }
    let all = functions(Keep::All)?;
    if !(all.iter().any(|f| f == "own") && all.iter().any(|f| f == "qsort")) {
        return Err(format!("{all:?}").into());
    }
    let some = functions(Keep::Globs(vec!["stdlib.h".into()]))?;
    match some.iter().any(|f| f == "qsort") && !some.iter().any(|f| f == "own") {
        true => Ok(()),
        false => Err(format!("{some:?}").into()),
    }
}

/// Our own `stddef.h` and the like declare the same as the compiler's: pip's libclang has none, the system's may.
fn own_headers() -> Result<(), Failed> {
    let text = "#include <float.h>\n#include <iso646.h>\n#include <limits.h>\n#include <stdalign.h>\n#include <stdarg.h>\n\
                #include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdnoreturn.h>\n\
                #define A DBL_MAX_EXP\n#define B INT_MIN\n#define C UINT64_MAX\n#define D (true and not false)\n\
                #define E alignof(max_align_t)\n#define F ULONG_MAX\n#define G INT64_C(-7)\n#define H DBL_EPSILON\n\
                noreturn void stop(size_t, ptrdiff_t, wchar_t, int8_t, uintptr_t, bool, va_list);\n";
    let header = parse(&text_of(text)).map_err(failed)?;
    let values: Vec<String> = header
        .constants
        .iter()
        .map(|c| format!("{}={}", c.name, c.value))
        .collect();
    let expected = "A=1024 B=-2147483648 C=18446744073709551615 D=1 E=16 F=18446744073709551615 G=-7 H=2.220446049250313e-16";
    if values.join(" ") != expected {
        return Err(values.join(" ").into());
    }
    let stop = header.functions.first().ok_or("no function")?;
    let got = header.prototype(stop);
    match got == "void stop(size_t, ptrdiff_t, wchar_t, int8_t, uintptr_t, _Bool, va_list)" {
        true => Ok(()),
        false => Err(got.into()),
    }
}
