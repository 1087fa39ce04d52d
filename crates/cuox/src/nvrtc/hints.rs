//! Hints for programs that NVRTC refuses.

use crate::pathfinder;

/// A sentence for a compiler's log, or nothing.
pub(super) fn for_log(log: &str, source: &str, version: (i32, i32)) -> String {
    let errors = || {
        log.lines()
            .filter_map(|line| line.split_once(" error: ").map(|(_, message)| message))
    };
    if let Some(header) = errors().find_map(missing_header) {
        return for_header(header, version);
    }
    if let Some(hint) = errors().find_map(removed) {
        return hint;
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

/// Replacements of features that CUDA has removed.
fn removed(message: &str) -> Option<String> {
    if ["texture", "surface"]
        .iter()
        .any(|kind| message.starts_with(&format!("{kind} is not a template")))
    {
        return Some(
            "CUDA 12 has removed texture and surface references: pass a cudaTextureObject_t as a parameter and read it with \
             tex2D<float>(object, x, y)."
                .to_owned(),
        );
    }
    let name = message.strip_prefix("identifier \"")?.split('"').next()?;
    ["__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__ballot", "__any", "__all"]
        .contains(&name)
        .then(|| {
            format!("{name} is not there for this architecture: {name}_sync takes the mask of the lanes first, {name}_sync(0xffffffff, ...).")
        })
}

fn missing_header(message: &str) -> Option<&str> {
    message
        .strip_prefix("cannot open source file \"")?
        .split('"')
        .next()
}

fn for_header(header: &str, version: (i32, i32)) -> String {
    match pathfinder::package_of_header(header, version) {
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
        assert!(for_log(catastrophic, "", (13, 0)).contains("pip install nvidia-curand"));
        assert!(for_log(catastrophic, "", (12, 4)).contains("pip install nvidia-curand-cu12"));
        assert!(of("cannot open source file \"mine.h\"").contains("include_path"));
    }
}
