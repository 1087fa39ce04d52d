//! Where in the program a call of the driver was made.

use std::backtrace::Backtrace;

/// So many functions are named.
const NAMED: usize = 4;
/// The crates whose functions are cuox's and Rust's own. (Functions of C++ have their mangled names here.)
const OWN: [&str; 23] = [
    "cuda",
    "cudart",
    "cuox",
    "cuox_abi",
    "cuox_bind",
    "cuox_bind_native",
    "cuox_cache",
    "cuox_call",
    "cuox_interpreter",
    "cuox_parallel",
    "cuox_progress",
    "cuox_ptx",
    "cuox_pykernel",
    "cuox_simt",
    "cuox_softgpu",
    "cuox_stack",
    "cuox_filetests",
    "_native",
    "nvJitLink",
    "pyo3",
    "core",
    "std",
    "alloc",
];
/// Functions of cuox's libraries without a crate in their names, and what catches a panic, where it is not inlined.
const PLAIN: [&str; 2] = ["cuox_call_sysv", "__rust_try"];
/// Parts of names of functions that nvcc makes, and of files of CUDA's headers.
const OF_CUDA: [&str; 4] = [
    "__device_stub__",
    "__cudaLaunchKernel",
    "/cuda_runtime.h",
    "/crt/",
];
/// The function in which CPython runs a function of Python's, and beginnings of names of those between it and ours.
const PYTHON: &str = "_PyEval_EvalFrameDefault";
const OF_PYTHON: [&str; 8] = [
    "_Py",
    "Py",
    "builtin_",
    "cfunction_",
    "method_vectorcall",
    "object_vacall",
    "slot_tp_",
    "type_call",
];
/// Functions below `main`.
const START: [&str; 4] = ["__libc_start", "_start", "start_thread", "clone"];

/// The calls that a thread is in. Names are looked up when they are asked for.
pub struct Place(Backtrace);

impl Place {
    /// The place of this call.
    pub fn here() -> Place {
        Place(Backtrace::force_capture())
    }

    /// The functions that have called the driver's function, each in a line of its own.
    pub fn describe(&self, function: &str) -> String {
        described(&self.0.to_string(), function)
    }
}

/// The functions behind the driver's in a backtrace's text: lines such as `   3: main` and, where the program has such
/// information, `             at ./main.c:12:5`.
fn described(text: &str, function: &str) -> String {
    let mut frames: Vec<(&str, &str)> = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(place) = line.strip_prefix("at ") {
            if let Some(frame) = frames.last_mut() {
                frame.1 = place;
            }
        } else if let Some((_, name)) = line.split_once(": ") {
            frames.push((name, ""));
        }
    }
    // The exported function is nearest; a program may have methods of its name.
    let is_function = |(name, _): &(&str, &str)| name.trim_start_matches('_') == function;
    let exported = frames.iter().position(is_function);
    let inside = exported.map_or(0, |at| {
        at + frames[at..].iter().take_while(|f| is_function(f)).count()
    });
    let callers = &frames[inside..];
    let begins = |name: &str, with: &[&str]| with.iter().any(|one| name.starts_with(one));
    let python = callers.iter().position(|(name, _)| *name == PYTHON);
    let named = callers[..python.unwrap_or(callers.len())]
        .iter()
        .take_while(|(name, _)| !begins(name, &START))
        .filter(|(name, at)| {
            let of_cuda = |part: &&str| name.contains(*part) || at.contains(*part);
            *name != "<unknown>" && !is_own(name) && !OF_CUDA.iter().any(of_cuda)
        })
        .filter(|(name, _)| python.is_none() || !begins(name, &OF_PYTHON));
    let mut lines = String::new();
    for (name, place) in named.take(NAMED) {
        let at = if place.is_empty() { "" } else { " at " };
        lines.push_str(&format!("\n    in {name}{at}{place}"));
    }
    if python.is_some() {
        lines.push_str("\n    in Python");
    }
    lines
}

/// True for a function of cuox or of Rust's own crates, or of a trait for one of their types.
fn is_own(name: &str) -> bool {
    let path = name.strip_prefix('<').unwrap_or(name);
    match path.split_once("::") {
        Some((first, _)) => OWN.contains(&first),
        None => PLAIN.contains(&name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "   0: cuda::check::place::Place::here\n             at /src/place.rs:22:15\n   1: cuMemAlloc_v2\n   \
         2: cudart::api::memory::cudaMalloc\n   3: cudaMalloc\n   4: cudaMalloc<int>\n             at /cu13/include/cuda_runtime.h:879:20\n   4: make\n             \
         at ./a.cu:7:3\n   5: main\n   6: __libc_start_call_main\n   7: _start\n";

    #[test]
    fn callers_are_named_with_their_lines() {
        let found = described(TEXT, "cuMemAlloc_v2");
        assert_eq!(
            found,
            "\n    in cudaMalloc\n    in make at ./a.cu:7:3\n    in main"
        );
        let python = TEXT.replace("4: make", &format!("4: cfunction_call\n  5: {PYTHON}"));
        assert_eq!(
            described(&python, "cuMemAlloc_v2"),
            "\n    in cudaMalloc\n    in Python"
        );
        assert_eq!(described("", "cuMemAlloc_v2"), "");
    }

    #[test]
    fn programs_have_functions_with_names_like_ours() {
        let text = TEXT.replace(
            "4: make",
            "4: cuox_app::fill\n   4: allocator::take\n   4: <mine::Gpu as Memory>::cuMemAlloc_v2",
        );
        assert_eq!(
            described(&text, "cuMemAlloc_v2"),
            "\n    in cudaMalloc\n    in cuox_app::fill\n    in allocator::take\n    in <mine::Gpu as Memory>::cuMemAlloc_v2 at ./a.cu:7:3"
        );
    }
}
