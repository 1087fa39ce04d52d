//! Hints for programs that NVRTC refuses.

use super::removed;
use crate::pathfinder;

/// Messages of the errors in a log.
fn errors(log: &str) -> impl Iterator<Item = &str> {
    log.lines()
        .filter_map(|line| line.split_once(" error: ").map(|(_, message)| message))
}

/// Hints for names that CUDA has removed, each once.
fn for_removed(log: &str) -> String {
    let mut hints: Vec<String> = Vec::new();
    for hint in errors(log).filter_map(removed::hint) {
        if !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints.join("\n")
}

/// A sentence for the log of nvcc, or nothing.
pub fn for_nvcc(log: &str, version: (i32, i32)) -> String {
    // The host's compiler reads the headers there.
    let missing = |message: &'_ str| {
        let (header, _) = message.split_once(": No such file or directory")?;
        let known = removed::header(header).is_some()
            || pathfinder::package_of_header(header, version).is_some();
        known.then(|| for_header(header, version))
    };
    errors(log)
        .find_map(missing)
        .unwrap_or_else(|| for_removed(log))
}

/// A sentence for a compiler's log, or nothing.
pub(super) fn for_log(log: &str, source: &str, version: (i32, i32)) -> String {
    let errors = || errors(log);
    if let Some(header) = errors().find_map(missing_header) {
        return for_header(header, version);
    }
    let hints = for_removed(log);
    if !hints.is_empty() {
        return hints;
    }
    let main = || (has_main(source) && log.contains("host ")).then(|| "main()".to_owned());
    if let Some(what) = errors().find_map(host_code).or_else(main) {
        return format!(
            "NVRTC compiles device code only, and {what} is for host code. cuox.load(\"file.cu\") compiles a whole file with nvcc; for \
             Program, leave the kernels and what they call."
        );
    }
    String::new()
}

fn missing_header(message: &str) -> Option<&str> {
    message
        .strip_prefix("cannot open source file \"")?
        .split('"')
        .next()
}

fn for_header(header: &str, version: (i32, i32)) -> String {
    if let Some(hint) = removed::header(header) {
        return hint;
    }
    match pathfinder::package_of_header(header, version) {
        Some(package) if header.starts_with("curand") && version.0 >= 13 => format!(
            "{header} comes with a package that is not installed: pip install 'cuox[curand]', or {package}"
        ),
        Some(package) => {
            format!("{header} comes with a package that is not installed: pip install {package}")
        }
        None => format!(
            "{header} was not found: name its folder, ProgramOptions(include_path=[...]), or hand it over with the source."
        ),
    }
}

/// Names of `std` that only host code has.
const HOST_STD: &[&str] = &[
    "vector",
    "string",
    "cout",
    "cerr",
    "endl",
    "map",
    "unordered_map",
    "set",
    "list",
    "deque",
    "unique_ptr",
    "shared_ptr",
    "make_unique",
    "make_shared",
    "function",
    "thread",
    "mutex",
    "runtime_error",
    "exception",
    "chrono",
    "mt19937",
    "ofstream",
    "ifstream",
    "to_string",
    "stringstream",
    "setprecision",
    "fixed",
    "generate",
    "sort",
    "random_device",
    "ostringstream",
    "async",
    "future",
];
/// Functions of C that only host code has.
const HOST_C: &[&str] = &[
    "fprintf", "exit", "rand", "srand", "atoi", "atof", "fopen", "fclose", "fread", "fwrite",
    "puts", "stderr", "stdout", "time", "getenv",
];

/// The part of host code that a message is about.
fn host_code(message: &str) -> Option<String> {
    let quoted = |n: usize| message.split('"').nth(n).unwrap_or_default();
    if message.starts_with("identifier ") {
        let name = quoted(1);
        let is_runtime = name
            .strip_prefix("cuda")
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
        return (is_runtime || HOST_C.contains(&name)).then(|| format!("{name}()"));
    }
    if message.contains("device-side kernel launch could not be processed") {
        return Some("a launch by <<<...>>>".to_owned());
    }
    (message.starts_with("namespace \"std")
        && message.contains("has no")
        && HOST_STD.contains(&quoted(3)))
    .then(|| format!("std::{}", quoted(3)))
}

fn has_main(source: &str) -> bool {
    let tokens = crate::signature::tokens_with_directives(source);
    tokens.windows(3).any(|w| w == ["int", "main", "("])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_code_and_missing_packages_are_told_apart() {
        let of = |message: &str| for_log(&format!("a.cu(1): error: {message}"), "", (13, 0));
        assert!(of("identifier \"cudaMalloc\" is undefined").contains("cuox.load"));
        assert!(of("namespace \"std\" has no member \"vector\"").contains("cuox.load"));
        assert!(
            of("namespace \"std\" has no member \"sort\"").contains("std::sort is for host code")
        );
        assert!(of("identifier \"x\" is undefined").is_empty());
        assert!(
            of("identifier \"__shfl_down\" is undefined").contains("__shfl_down_sync(0xffffffff")
        );
        assert!(of("texture is not a template").contains("cudaTextureObject_t"));
        let catastrophic =
            "a.cu(1): catastrophic error: cannot open source file \"curand_kernel.h\"";
        assert!(for_log(catastrophic, "", (13, 0)).contains("pip install 'cuox[curand]'"));
        assert!(for_log(catastrophic, "", (12, 4)).contains("pip install nvidia-curand-cu12"));
        let nvcc = "a.cu:1:10: fatal error: curand_kernel.h: No such file or directory\n";
        assert!(for_nvcc(nvcc, (13, 0)).ends_with("pip install 'cuox[curand]', or nvidia-curand"));
        let nvcc = "a.cu:1:10: fatal error: helper_cuda.h: No such file or directory\n";
        assert!(for_nvcc(nvcc, (13, 0)).contains("cuda-samples"));
        let nvcc = "a.cu:1:10: fatal error: helper_mine.h: No such file or directory\n";
        assert!(!for_nvcc(nvcc, (13, 0)).contains("cuda-samples"));
        let nvcc = "a.cu:1:10: fatal error: texture_fetch_functions.h: No such file or directory\n";
        assert!(
            for_nvcc(nvcc, (13, 0)).starts_with("CUDA 12 has removed texture_fetch_functions.h")
        );
        let nvcc = "a.cu:1:10: fatal error: mine.h: No such file or directory\n";
        assert_eq!(for_nvcc(nvcc, (13, 0)), "");
        let twice = "a.cu(1): error: identifier \"__shfl\" is undefined\n".repeat(2)
            + "a.cu(2): error: identifier \"cudaThreadExit\" is undefined\n";
        assert_eq!(for_nvcc(&twice, (13, 0)).lines().count(), 2);
        assert!(of("cannot open source file \"mine.h\"").contains("include_path"));
    }
}
