//! The folders where CUDA may be, in order.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// The component that is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    Libraries,
    Headers,
}

static SITE_PACKAGES: Mutex<Option<Vec<PathBuf>>> = Mutex::new(None);

/// Says where Python packages are installed: what Python itself knows best (`site.getsitepackages()` and the user's
/// folder). Without it they are looked for in the active environment (`VIRTUAL_ENV`, `CONDA_PREFIX`), in the `.venv` of
/// the Cargo project that the program is run from, and through the `python3` on the `PATH`.
pub fn set_site_packages(folders: Vec<PathBuf>) {
    *SITE_PACKAGES.lock().unwrap_or_else(PoisonError::into_inner) = Some(folders);
}

/// The folders with Python packages, as far as known.
pub fn site_packages() -> Vec<PathBuf> {
    let mut known = SITE_PACKAGES.lock().unwrap_or_else(PoisonError::into_inner);
    known.get_or_insert_with(discover).clone()
}

fn discover() -> Vec<PathBuf> {
    let mut list = Vec::new();
    for variable in ["VIRTUAL_ENV", "CONDA_PREFIX"] {
        if let Some(prefix) = std::env::var_os(variable).filter(|prefix| !prefix.is_empty()) {
            list.extend(site_packages_in(Path::new(&prefix)));
        }
    }
    for project in projects() {
        list.extend(site_packages_in(&project.join(".venv")));
    }
    let code = "import site; user = [site.getusersitepackages()] if site.ENABLE_USER_SITE else []; print(*site.getsitepackages(), *user, sep='\\n')";
    if let Ok(output) = Command::new("python3").args(["-c", code]).output()
        && output.status.success()
    {
        list.extend(
            String::from_utf8_lossy(&output.stdout)
                .lines()
                .map(PathBuf::from),
        );
    }
    dedup(list)
}

/// The Cargo projects with a `.venv` that this program is run from.
///
/// A program that `cargo run` or `cargo test` has started is told its package's folder. One that is started by its path
/// counts if it lies in the project's `target`, and the project is the program's owner's: what others have put into a
/// folder above, such as `/tmp`, is not loaded from.
fn projects() -> Vec<PathBuf> {
    let mut list = Vec::new();
    if let Some(package) = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from)
        && package.is_absolute()
    {
        list.extend(
            package
                .ancestors()
                .filter(|folder| is_project(folder))
                .map(Path::to_owned),
        );
    }
    if let Ok(program) = std::env::current_exe() {
        list.extend(project_of(&program));
    }
    dedup(list)
}

fn is_project(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file() && folder.join(".venv/pyvenv.cfg").is_file()
}

fn project_of(program: &Path) -> Option<PathBuf> {
    let target = program
        .ancestors()
        .find(|folder| folder.file_name().is_some_and(|name| name == "target"))?;
    let project = target.parent()?;
    let owner = |path: &Path| std::fs::metadata(path).map(|found| found.uid()).ok();
    let theirs = owner(program)?;
    let is_ours = |path: &Path| owner(path) == Some(theirs);
    (is_project(project) && is_ours(project) && is_ours(&project.join(".venv")))
        .then(|| project.to_owned())
}

fn site_packages_in(prefix: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(prefix.join("lib")) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|e| e.file_name().to_string_lossy().starts_with("python3"))
        .map(|e| e.path().join("site-packages"))
        .filter(|p| p.is_dir())
        .collect()
}

fn dedup(list: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut kept: Vec<PathBuf> = Vec::with_capacity(list.len());
    for path in list {
        if !kept.contains(&path) {
            kept.push(path);
        }
    }
    kept
}

/// Every folder, with the kind of place it is. A kind is looked for when the iterator comes to it.
pub fn all(
    wheel_folder: &'static str,
    parts: Parts,
) -> impl Iterator<Item = (&'static str, PathBuf)> {
    type Folders = fn(&str, Parts) -> Vec<PathBuf>;
    let kinds: [(&str, Folders); 4] = [
        ("wheel", |wheel_folder, parts| {
            wheels(&site_packages(), wheel_folder, parts)
        }),
        ("conda", |_, parts| {
            let prefix = std::env::var_os("CONDA_PREFIX").filter(|p| !p.is_empty());
            prefix.map_or_else(Vec::new, |prefix| in_conda(Path::new(&prefix), parts))
        }),
        ("CUDA_HOME", |_, parts| {
            let roots = ["CUDA_HOME", "CUDA_PATH"].map(std::env::var_os);
            let roots = roots.into_iter().flatten().filter(|p| !p.is_empty());
            roots
                .flat_map(|root| in_toolkit(Path::new(&root), parts))
                .collect()
        }),
        ("system", |_, parts| system(parts)),
    ];
    let mut seen: Vec<PathBuf> = Vec::new();
    kinds
        .into_iter()
        .flat_map(move |(via, folders)| {
            let folders = folders(wheel_folder, parts);
            folders.into_iter().map(move |folder| (via, folder))
        })
        .filter(move |(_, folder)| {
            let is_new = !seen.contains(folder);
            if is_new {
                seen.push(folder.clone());
            }
            is_new
        })
}

/// `nvidia/cu13/lib`, as wheels since CUDA 13 have it, and `nvidia/cuda_nvrtc/lib`, as those before.
pub fn wheels(sites: &[PathBuf], wheel_folder: &str, parts: Parts) -> Vec<PathBuf> {
    let folder = match parts {
        Parts::Libraries => "lib",
        Parts::Headers => "include",
    };
    let mut list = Vec::new();
    for site in sites {
        let nvidia = site.join("nvidia");
        let mut toolkits: Vec<PathBuf> = std::fs::read_dir(&nvidia)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|e| {
                e.file_name()
                    .to_str()
                    .and_then(|n| n.strip_prefix("cu")?.parse::<u32>().ok())
                    .is_some()
            })
            .map(|e| e.path())
            .collect();
        toolkits.sort();
        // A site without any still shows up in the list of places, by the newest layout.
        if toolkits.is_empty() {
            toolkits.push(nvidia.join("cu13"));
        }
        list.extend(toolkits.iter().rev().map(|t| t.join(folder)));
        list.push(nvidia.join(wheel_folder).join(folder));
    }
    list
}

fn in_conda(prefix: &Path, parts: Parts) -> Vec<PathBuf> {
    match parts {
        Parts::Libraries => vec![
            prefix.join("lib"),
            prefix.join("targets").join(target()).join("lib"),
        ],
        Parts::Headers => vec![
            prefix.join("targets").join(target()).join("include"),
            prefix.join("include"),
        ],
    }
}

fn in_toolkit(root: &Path, parts: Parts) -> Vec<PathBuf> {
    match parts {
        Parts::Libraries => vec![
            root.join("lib64"),
            root.join("lib"),
            root.join("targets").join(target()).join("lib"),
        ],
        Parts::Headers => vec![
            root.join("include"),
            root.join("targets").join(target()).join("include"),
        ],
    }
}

/// The toolkit's name for this kind of machine.
fn target() -> &'static str {
    if cfg!(target_arch = "aarch64") {
        "sbsa-linux"
    } else {
        "x86_64-linux"
    }
}

fn system(parts: Parts) -> Vec<PathBuf> {
    let mut list = Vec::new();
    if parts == Parts::Libraries {
        list.extend(loader());
    }
    list.extend(in_toolkit(Path::new("/usr/local/cuda"), parts));
    list.extend(in_toolkit(Path::new("/opt/cuda"), parts));
    if parts == Parts::Headers {
        list.push(PathBuf::from("/usr/include"));
    }
    list
}

/// The folders in which the system's loader looks for a library by name.
pub fn loader() -> Vec<PathBuf> {
    let mut list = Vec::new();
    if let Some(path) = std::env::var_os("LD_LIBRARY_PATH") {
        list.extend(std::env::split_paths(&path).filter(|p| !p.as_os_str().is_empty()));
    }
    list.extend(loader_folders(Path::new("/etc/ld.so.conf"), 0));
    list.extend(
        [
            "/usr/lib/x86_64-linux-gnu",
            "/usr/lib/aarch64-linux-gnu",
            "/usr/lib64",
            "/usr/lib",
        ]
        .map(PathBuf::from),
    );
    list
}

/// The folders that the system's loader is told of.
fn loader_folders(file: &Path, depth: u32) -> Vec<PathBuf> {
    const DEEPEST: u32 = 4;
    let Ok(text) = std::fs::read_to_string(file) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(pattern) = line.strip_prefix("include ") {
            // The patterns in use name all files of one folder with one ending.
            let pattern = file.parent().unwrap_or(Path::new("/")).join(pattern.trim());
            let ending = pattern.extension().map(|e| e.to_owned());
            let mut files: Vec<PathBuf> = pattern
                .parent()
                .and_then(|folder| std::fs::read_dir(folder).ok())
                .into_iter()
                .flatten()
                .flatten()
                .map(|e| e.path())
                .filter(|p| p.extension().map(|e| e.to_owned()) == ending)
                .collect();
            files.sort();
            if depth < DEEPEST {
                list.extend(files.iter().flat_map(|f| loader_folders(f, depth + 1)));
            }
        } else if line.starts_with('/') {
            list.push(PathBuf::from(line));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_finds_the_environment_of_its_project() {
        let project = std::env::temp_dir().join(format!("cuox-project-{}", std::process::id()));
        let site = project.join(".venv/lib/python3.12/site-packages");
        let program = project.join("target/debug/examples/saxpy");
        for folder in [&site, program.parent().unwrap(), &project.join("bin")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        for file in [
            &program,
            &project.join("bin/saxpy"),
            &project.join(".venv/pyvenv.cfg"),
        ] {
            std::fs::write(file, "").unwrap();
        }
        // Nothing says that it is a project.
        assert_eq!(project_of(&program), None);
        std::fs::write(project.join("Cargo.toml"), "").unwrap();
        assert_eq!(project_of(&program), Some(project.clone()));
        assert_eq!(site_packages_in(&project.join(".venv")), [site]);
        // A program that Cargo has not put there.
        assert_eq!(project_of(&project.join("bin/saxpy")), None);
        assert_eq!(project_of(Path::new("/target")), None);
        std::fs::remove_dir_all(project).unwrap();
    }

    #[test]
    fn loader_configuration_with_includes_and_comments() {
        let folder = std::env::temp_dir().join(format!("cuox-ldconf-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("d")).unwrap();
        std::fs::write(
            folder.join("ld.so.conf"),
            "include d/*.conf\n# /no\n/yes # why\n",
        )
        .unwrap();
        std::fs::write(folder.join("d/a.conf"), "/a\n").unwrap();
        std::fs::write(folder.join("d/b.txt"), "/b\n").unwrap();
        let list = loader_folders(&folder.join("ld.so.conf"), 0);
        assert_eq!(list, [PathBuf::from("/a"), PathBuf::from("/yes")]);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
