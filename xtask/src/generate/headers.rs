//! Finding and preprocessing CUDA's headers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::profile::Profile;

/// The version whose headers the committed code is made from.
pub const WANTED_VERSION: &str = "13000";

/// The texts that are read from the header folder.
pub struct Sources {
    /// The profile's headers and prelude after the preprocessor, without the other headers that they include.
    pub preprocessed: String,
    /// `cudaTypedefs.h` and `cudaProfilerTypedefs.h` as they are.
    pub typedefs: String,
    /// Object-like macros that have a value.
    pub macros: Vec<(String, String)>,
    /// Documentation group by base name.
    pub groups: BTreeMap<String, String>,
}

/// The folder of `cuda.h`: the argument, `CUOX_CUDA_INCLUDE`, or Python's NVIDIA packages.
pub fn find(argument: Option<PathBuf>) -> Result<PathBuf, String> {
    let from_environment = || std::env::var_os("CUOX_CUDA_INCLUDE").map(PathBuf::from);
    if let Some(folder) = argument.or_else(from_environment) {
        return if folder.join("cuda.h").is_file() {
            Ok(folder)
        } else {
            Err(format!("no cuda.h in {}", folder.display()))
        };
    }
    const SCRIPT: &str = "import sysconfig, os\n\
        paths = [sysconfig.get_path(kind) for kind in ('purelib', 'platlib')]\n\
        print('\\n'.join(os.path.join(path, 'nvidia', 'cu13', 'include') for path in paths))";
    for python in ["python", "python3"] {
        let Ok(output) = Command::new(python)
            .args(["-c", SCRIPT])
            .stderr(Stdio::null())
            .output()
        else {
            continue;
        };
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let folder = PathBuf::from(line);
            if folder.join("cuda.h").is_file() {
                return Ok(folder);
            }
        }
    }
    Err("CUDA's headers are not found: `pip install \"nvidia-cuda-runtime==13.0.*\" \"nvidia-nvml-dev==13.0.*\"`, or give --include DIR or \
         CUOX_CUDA_INCLUDE"
        .into())
}

/// Reads and preprocesses the headers.
pub fn read(include: &Path, profile: &Profile) -> Result<Sources, String> {
    let text = |name: &str| {
        std::fs::read_to_string(include.join(name))
            .map_err(|error| format!("cannot read {name}: {error}"))
    };
    let cuda = text("cuda.h")?;
    let version = macros(&cuda, &["CUDA_VERSION"]);
    match version.first() {
        Some((_, value)) if value == WANTED_VERSION => {}
        Some((_, value)) => {
            return Err(format!(
                "cuda.h is of version {value}; the tables are made from {WANTED_VERSION}"
            ));
        }
        None => return Err("cuda.h does not define CUDA_VERSION".into()),
    }
    let mut with_macros = String::new();
    for name in profile.macro_files {
        with_macros.push_str(&text(name)?);
    }
    Ok(Sources {
        preprocessed: own_lines(&preprocess(include, profile)?, profile),
        typedefs: text("cudaTypedefs.h")? + &text("cudaProfilerTypedefs.h")?,
        groups: groups(&with_macros, profile),
        macros: macros(&with_macros, profile.macro_starts),
    })
}

fn preprocess(include: &Path, profile: &Profile) -> Result<String, String> {
    let folder = scratch()?;
    let source = folder.join("prelude.c");
    std::fs::write(&source, profile.prelude)
        .map_err(|error| format!("cannot write the prelude: {error}"))?;
    let output = Command::new("gcc")
        .args(["-E", "-std=gnu11"])
        .args(profile.defines)
        .arg("-I")
        .arg(include)
        .arg(&source)
        .output()
        .map_err(|error| format!("gcc does not start: {error}"));
    let _ = std::fs::remove_dir_all(&folder);
    let output = output?;
    if !output.status.success() {
        return Err(format!(
            "gcc -E failed:\n{}",
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("gcc -E: {error}"))
}

/// A folder of our own for files that gcc needs.
pub fn scratch() -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("cuox-xtask-{}", std::process::id()));
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make a scratch folder: {error}"))?;
    Ok(folder)
}

/// The lines that come from the profile's headers or the prelude itself. Of the vectors' header the shape of a launch
/// alone is wanted, at its end.
fn own_lines(preprocessed: &str, profile: &Profile) -> String {
    let mut wanted = false;
    let mut vectors = false;
    let mut kept = String::new();
    for line in preprocessed.lines() {
        if let Some(marker) = line.strip_prefix("# ") {
            if let Some(file) = marker.split('"').nth(1) {
                let name = file.rsplit('/').next().unwrap_or_default();
                if vectors && name == "vector_types.h" {
                    continue;
                }
                vectors = name == "vector_types.h";
                wanted = !vectors && (profile.files.contains(&name) || name == "prelude.c");
            }
        } else if wanted || (vectors && line.trim_start().starts_with("struct dim3")) {
            wanted = true;
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// Macros that stand for a value: not the renamings of functions, not the keywords' replacements.
fn macros(text: &str, starts: &[&str]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("#define ") else {
            continue;
        };
        let Some((name, value)) = rest.trim().split_once(char::is_whitespace) else {
            continue;
        };
        let value = value.split("/*").next().unwrap_or_default().trim();
        let is_constant = starts.iter().any(|start| name.starts_with(start));
        // Other names of functions and types are no values.
        let renames = ["cuda", "__CUDART_API", "nvml"]
            .iter()
            .any(|start| value.starts_with(start));
        // Texts and ranges of bits (`0:0`) are no numbers.
        let is_text =
            value.starts_with('"') || value.split("//").next().is_some_and(|v| v.contains(':'));
        if !is_constant
            || renames
            || is_text
            || name.contains('(')
            || value.is_empty()
            || name == "CUDA_CB"
        {
            continue;
        }
        if !found.iter().any(|(seen, _)| seen == name) {
            found.push((name.to_owned(), value.to_owned()));
        }
    }
    found
}

/// The documentation group in which each function is first declared.
fn groups(text: &str, profile: &Profile) -> BTreeMap<String, String> {
    let mut groups = BTreeMap::new();
    let mut pending = String::new();
    let mut stack: Vec<String> = Vec::new();
    let mut previous = "";
    let mut renamed = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        // Doxygen takes either.
        let marks = ["\\defgroup ", "@defgroup "];
        if let Some((at, mark)) = marks.iter().find_map(|mark| Some((line.find(mark)?, mark))) {
            let rest = &line[at + mark.len()..];
            pending = rest
                .split_whitespace()
                .next()
                .unwrap_or_default()
                .to_owned();
        } else if line.contains("@{") {
            stack.push(std::mem::take(&mut pending));
        } else if line.contains("@}") {
            stack.pop();
        }
        if let Some(rest) = line.strip_prefix("#define ") {
            let mut words = rest.split_whitespace();
            if let (Some(from), Some(to)) = (words.next(), words.next()) {
                renamed.push((from.to_owned(), to.to_owned()));
            }
        }
        // A declaration is recognised by its calling convention, which may stand on the line before the name.
        let declares = previous.ends_with(profile.convention) || line.contains(profile.convention);
        previous = line;
        if let Some(group) = stack.last().filter(|_| declares) {
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                let rest = word.strip_prefix(profile.function_start);
                if rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase())) {
                    let base = super::model::split_symbol(word).0;
                    groups.entry(base).or_insert_with(|| group.clone());
                }
            }
        }
    }
    // Declarations that the header makes under another name belong where that name stands.
    for (from, to) in renamed {
        if let Some(group) = groups.get(&from).cloned() {
            groups.entry(to).or_insert(group);
        }
    }
    groups
}
