//! The search for what the catalogue lists, in the order of NVIDIA's `cuda.pathfinder`.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::catalogue::{CATALOGUE, Entry, Kind, Package};
use super::places;
use crate::error::{Error, Result, tried};

/// A part of the search. Between the two, a process asks the system's loader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Packages of pip's and conda's environment.
    BeforeLoader,
    /// Folders that variables name, the toolkit beside the runtime, and the system's.
    AfterLoader,
}

/// A file or folder that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The file; of headers, the folder.
    pub path: PathBuf,
    /// `site-packages`, `conda`, the variable, `CUDA_PATH` for either of its names, `system-ctk-root`,
    /// `supported_install_dir`.
    pub found_via: &'static str,
}

/// The entry of a name.
pub fn entry(kind: Kind, name: &str) -> Option<&'static Entry> {
    CATALOGUE
        .iter()
        .find(|entry| entry.kind == kind && entry.name == name)
}

/// Looks for an entry in a part of the places, with the folders in which Python's packages are. Places that were empty
/// are added to `searched`.
pub fn locate(
    entry: &Entry,
    part: Part,
    sites: &[PathBuf],
    searched: &mut Vec<String>,
) -> Option<Located> {
    if entry.package == Package::Driver {
        return None;
    }
    places_of(entry, part, sites).find_map(|(found_via, folder)| {
        let found = in_folder(entry, &folder, found_via);
        if found.is_none() {
            let why = match folder.is_dir() {
                true => format!("no {} there", entry.files.join(" or ")),
                false => "no such folder".into(),
            };
            searched.push(tried(&folder, why));
        }
        found.map(|path| Located { path, found_via })
    })
}

/// Looks for an entry everywhere; a library also in the folders of the system's loader.
///
/// # Errors
/// [`Error::NotFound`] with every place that was looked in, and the command that mends it.
pub fn find(entry: &Entry) -> Result<Located> {
    let sites = places::site_packages();
    let mut searched = Vec::new();
    if let Some(found) = locate(entry, Part::BeforeLoader, &sites, &mut searched) {
        return Ok(found);
    }
    if entry.kind == Kind::Library {
        for folder in places::loader() {
            if let Some(path) = in_folder(entry, &folder, "system-search") {
                return Ok(Located {
                    path,
                    found_via: "system-search",
                });
            }
            searched.push(tried(
                &folder,
                format_args!("no {} there", entry.files.join(" or ")),
            ));
        }
    }
    locate(entry, Part::AfterLoader, &sites, &mut searched)
        .ok_or_else(|| not_found(entry, searched))
}

/// The error for an entry that is nowhere.
pub fn not_found(entry: &Entry, searched: Vec<String>) -> Error {
    let what = entry.files.join(" or ");
    let title = match what.contains(entry.name) {
        true => what,
        false => format!("{} ({what})", entry.name),
    };
    Error::not_found(title, searched, fix(entry))
}

/// What usually mends it.
fn fix(entry: &Entry) -> String {
    match (entry.package, entry.pip) {
        (Package::Driver, _) => "It comes with NVIDIA's driver: install that.".into(),
        (Package::Toolkit, extra) => format!(
            "Run `pip install 'cuda-toolkit[{extra}]==13.*'` or `conda install -c conda-forge cuda-toolkit=13`, or set \
             CUDA_PATH to a toolkit's folder."
        ),
        (Package::Other, package) => {
            let variables = entry.roots.join(" or ");
            let or_set = match variables.is_empty() {
                true => "CUDA_PATH".into(),
                false => variables,
            };
            format!("Run `pip install {package}`, or set {or_set} to the folder that has it.")
        }
    }
}

/// The folders of a part, with the way they are found, best first. Each is looked for when the iterator comes to it.
fn places_of<'a>(
    entry: &'a Entry,
    part: Part,
    sites: &'a [PathBuf],
) -> Box<dyn Iterator<Item = (&'static str, PathBuf)> + 'a> {
    match part {
        Part::BeforeLoader => {
            let wheels = entry
                .wheel_folders()
                .into_iter()
                .flat_map(move |folder| sites.iter().map(move |site| site.join(&folder)))
                .map(|folder| ("site-packages", folder));
            let conda = std::iter::once_with(|| conda(entry)).flatten();
            Box::new(wheels.chain(conda.map(|folder| ("conda", folder))))
        }
        Part::AfterLoader => {
            let roots = entry.roots.iter().flat_map(move |variable| {
                let root = folder_of(variable).into_iter();
                root.flat_map(move |root| entry.in_roots.iter().map(move |part| root.join(part)))
                    .map(move |folder| (*variable, folder))
            });
            let toolkit = std::iter::once_with(toolkit).flatten();
            let toolkit = toolkit.flat_map(move |root| in_toolkit(entry, &root, "CUDA_PATH"));
            let beside = std::iter::once_with(|| beside_runtime(entry)).flatten();
            let beside = beside.flat_map(move |root| in_toolkit(entry, &root, "system-ctk-root"));
            let system = std::iter::once_with(|| system(entry)).flatten();
            let system = system.map(|folder| ("supported_install_dir", folder));
            Box::new(roots.chain(toolkit).chain(beside).chain(system))
        }
    }
}

/// The folder that a variable names.
fn folder_of(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty())?;
    Some(PathBuf::from(value))
}

/// The toolkit that the environment names.
fn toolkit() -> Option<PathBuf> {
    folder_of("CUDA_PATH").or_else(|| folder_of("CUDA_HOME"))
}

fn in_toolkit(entry: &Entry, root: &Path, found_via: &'static str) -> Vec<(&'static str, PathBuf)> {
    let folders = entry.folders.iter();
    folders
        .map(|folder| (found_via, root.join(folder)))
        .collect()
}

/// The folders in conda's environment. Its packages of the toolkit have headers in a folder for the kind of machine.
fn conda(entry: &Entry) -> Vec<PathBuf> {
    let Some(prefix) = folder_of("CONDA_PREFIX") else {
        return Vec::new();
    };
    let folders = match entry.conda_folders {
        [] => entry.folders,
        own => own,
    };
    let root = match (entry.kind, entry.package) {
        (Kind::Headers, Package::Toolkit) => {
            let targets = std::fs::read_dir(prefix.join("targets"));
            let targets = targets.into_iter().flatten().flatten();
            let mut found = targets
                .map(|target| target.path())
                .filter(|target| target.join("include").is_dir());
            match (found.next(), found.next()) {
                (Some(only), None) => only,
                _ => return Vec::new(),
            }
        }
        _ => prefix,
    };
    folders.iter().map(|folder| root.join(folder)).collect()
}

/// The toolkit of the runtime that the system's loader finds.
fn beside_runtime(entry: &Entry) -> Option<PathBuf> {
    if !entry.is_beside_runtime {
        return None;
    }
    let runtime = self::entry(Kind::Library, "cudart")?;
    let folders = places::loader();
    let mut files = runtime
        .files
        .iter()
        .flat_map(|file| folders.iter().map(move |folder| folder.join(file)));
    let file = files.find(|path| path.is_file())?;
    let folder = file.parent()?;
    if !folder.ends_with("lib") && !folder.ends_with("lib64") {
        return None;
    }
    let root = folder.parent()?;
    match root.parent() {
        Some(targets) if targets.ends_with("targets") => targets.parent().map(Path::to_owned),
        _ => Some(root.to_owned()),
    }
}

/// The system's folders, of those with a `*` the highest version first.
fn system(entry: &Entry) -> Vec<PathBuf> {
    let mut list = Vec::new();
    if entry.is_of_multiarch {
        let machine = match cfg!(target_arch = "aarch64") {
            true => "aarch64-linux-gnu",
            false => "x86_64-linux-gnu",
        };
        list.push(Path::new("/usr/include").join(machine));
    }
    for pattern in entry.system {
        let Some((before, after)) = pattern.split_once('*') else {
            list.push(PathBuf::from(pattern));
            continue;
        };
        let (folder, begin) = before.rsplit_once('/').unwrap_or(("", before));
        let found = std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter(|item| {
                let name = item.file_name();
                let name = name.to_string_lossy();
                name.starts_with(begin) && name.ends_with(after)
            });
        let mut found: Vec<PathBuf> = found.map(|item| item.path()).collect();
        found.sort_by_key(|path| numbers(&path.to_string_lossy()));
        list.extend(found.into_iter().rev());
    }
    list
}

/// The numbers in a name, by which versions are compared.
fn numbers(name: &str) -> Vec<u64> {
    let digits = name.split(|letter: char| !letter.is_ascii_digit());
    digits.filter_map(|number| number.parse().ok()).collect()
}

/// What is looked for, if a folder has it.
fn in_folder(entry: &Entry, folder: &Path, found_via: &str) -> Option<PathBuf> {
    match entry.kind {
        Kind::Headers => {
            // Packages' folders are the ones that are meant.
            let inside = match found_via {
                "site-packages" => &[][..],
                _ => entry.inside,
            };
            let folders = inside.iter().map(|inside| folder.join(inside));
            let mut folders = folders.chain([folder.to_owned()]);
            let holds =
                |folder: &PathBuf| entry.files.iter().all(|file| folder.join(file).is_file());
            folders.find(holds).map(real)
        }
        Kind::Library => {
            // The system's own links lead to other names; those of packages are kept.
            let folder = match found_via {
                "site-packages" => folder.to_owned(),
                _ => real(folder.to_owned()),
            };
            let mut files = entry.files.iter().map(|file| folder.join(file));
            files.find(|path| path.is_file())
        }
        Kind::Binary | Kind::Static | Kind::Bitcode => {
            let mut files = entry.files.iter().map(|file| folder.join(file));
            files
                .find(|path| path.is_file() && (entry.kind != Kind::Binary || is_executable(path)))
                .map(real)
        }
    }
}

/// A path without links.
fn real(path: PathBuf) -> PathBuf {
    std::fs::canonicalize(&path).unwrap_or(path)
}

fn is_executable(path: &Path) -> bool {
    path.metadata()
        .is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_names_what_it_has() {
        for (place, one) in CATALOGUE.iter().enumerate() {
            assert!(
                !one.files.is_empty() && (one.package == Package::Driver || !one.pip.is_empty())
            );
            let same = |other: &&Entry| other.kind == one.kind && other.name == one.name;
            assert!(
                !CATALOGUE[..place].iter().any(|other| same(&other)),
                "{}",
                one.name
            );
            for needed in one.needs.iter().chain(one.may_need) {
                assert!(
                    entry(Kind::Library, needed).is_some(),
                    "{} needs {needed}",
                    one.name
                );
            }
        }
    }

    #[test]
    fn wheels_of_either_generation_in_the_order_of_the_folders() {
        let root = std::env::temp_dir().join(format!("cuox-locate-{}", std::process::id()));
        let (old, new) = (root.join("old"), root.join("new"));
        let cublas = entry(Kind::Library, "cublas").unwrap();
        let find = |sites: &[&PathBuf]| {
            let sites: Vec<PathBuf> = sites.iter().map(|site| (*site).clone()).collect();
            let mut searched = Vec::new();
            let found = locate(cublas, Part::BeforeLoader, &sites, &mut searched);
            found.map(|found| found.path)
        };
        for (folder, file) in [
            (old.join("nvidia/cublas/lib"), "libcublas.so.12"),
            (new.join("nvidia/cu13/lib"), "libcublas.so.13"),
        ] {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(file), "").unwrap();
        }
        let newer = new.join("nvidia/cu13/lib/libcublas.so.13");
        assert_eq!(find(&[&new]), Some(newer.clone()));
        assert_eq!(
            find(&[&old]),
            Some(old.join("nvidia/cublas/lib/libcublas.so.12"))
        );
        // The newer folder comes first, whichever site has it.
        assert_eq!(find(&[&old, &new]), Some(newer));
        let error = not_found(cublas, vec!["here".into()]).to_string();
        assert!(
            error.contains("cuda-toolkit[cublas]==13.*") && error.contains("here"),
            "{error}"
        );
        std::fs::remove_dir_all(root).unwrap();
    }
}
