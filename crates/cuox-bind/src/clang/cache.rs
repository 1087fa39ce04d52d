//! Parsed headers on disk, so that a program's next run need not parse them again, nor load libclang.
//!
//! A file's name is a hash of the request: options, working directory, libclang. In it are the hashes of all files that
//! the compiler read, and it is used only while these are as they were. As machine code is in the same directory, and
//! as a header says what native code is called with, a directory or file that somebody else could have written is none.

use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use cuox_cache::Dir;
use serde::{Deserialize, Serialize};

use super::diagnostic::Diagnostic;
use super::{ParseError, ParseOptions, Parsed, library, parse_all};
use crate::decl::Header;
use crate::decl::file::{self, FileContents};

/// Endings of the names of files, and of files that are being written.
const SUFFIX: &str = ".header";
const UNFINISHED: &str = ".tmp";
/// Larger files are nobody's.
const MOST_BYTES: u64 = 64 << 20;
/// Most bytes that all files may have; the oldest go first.
const LIMIT: u64 = 128 << 20;
/// Environment variables that the compiler reads.
const ENVIRONMENT: [&str; 4] = [
    "CPATH",
    "C_INCLUDE_PATH",
    "CPLUS_INCLUDE_PATH",
    "CONDA_PREFIX",
];

/// A directory of parsed headers.
#[derive(Clone, Debug)]
pub struct Cache {
    directory: PathBuf,
}

/// The contents of a file.
#[derive(Serialize, Deserialize)]
struct Entry {
    /// Files that were read: names as included, paths, and hashes of contents.
    read: Vec<(String, PathBuf, Digest)>,
    warnings: Vec<Diagnostic>,
    header: Header,
}

impl FileContents for Entry {
    const KIND: [u8; 4] = *b"read";
    const VERSION: u32 = Header::VERSION << 8 | 2;

    fn check(&self) -> Result<(), String> {
        self.header.check()
    }
}

/// 128 bits of hash: SipHash twice, from different beginnings. It guards against accidents.
type Digest = [u64; 2];

fn digest(of: impl Fn(&mut DefaultHasher)) -> Digest {
    [1_u64, 2].map(|beginning| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(beginning);
        of(&mut hasher);
        hasher.finish()
    })
}

/// Reads headers as [`parse_all`] does, unless the cache that the environment names ([`Cache::from_environment`]) has
/// them.
///
/// # Errors
/// The errors of [`parse_all`].
pub fn parse_cached(options: &ParseOptions) -> Result<Parsed, ParseError> {
    match Cache::from_environment() {
        Some(cache) => cache.parse(options),
        None => parse_all(options),
    }
}

impl Cache {
    /// A cache in a directory, which is made when it is needed.
    pub fn new(directory: PathBuf) -> Cache {
        Cache { directory }
    }

    /// In `CUOX_CACHE_DIR`, or `cuox` in the user's directory for such things; none with `CUOX_CACHE=0`.
    pub fn from_environment() -> Option<Cache> {
        cuox_cache::directory().map(Cache::new)
    }

    /// Reads headers as [`parse_all`] does, unless they are here.
    ///
    /// # Errors
    /// The errors of [`parse_all`]; a cache that cannot be written is no error.
    pub fn parse(&self, options: &ParseOptions) -> Result<Parsed, ParseError> {
        let libclang = library::find(options.libclang.as_deref(), &options.site_dirs)?;
        let Some(name) = name_of(options, &libclang) else {
            return parse_all(options);
        };
        if let Some(entry) = self.load(&name)
            && entry.is_current(options)
        {
            return Ok(Parsed {
                header: entry.header,
                warnings: entry.warnings,
                read: entry
                    .read
                    .into_iter()
                    .map(|(name, path, _)| (name, path))
                    .collect(),
                cached: true,
            });
        }
        let parsed = parse_all(options)?;
        if let Some(entry) = Entry::of(&parsed)
            && let Ok(bytes) = file::write(&entry)
        {
            // It only takes longer again if this fails.
            let _ = self.save(&name, &bytes);
        }
        Ok(parsed)
    }

    fn load(&self, name: &str) -> Option<Entry> {
        let dir = Dir::open(&self.directory).ok()?;
        let (file, meta) = dir.read(&format!("{name}{SUFFIX}")).ok()?;
        if meta.len() > MOST_BYTES {
            return None;
        }
        let mut bytes = Vec::with_capacity(meta.len() as usize + 1);
        (&file).take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        let entry = file::read(&bytes).ok()?;
        // The file unread for longest goes first; it only goes sooner if this fails.
        let _ = file.set_modified(SystemTime::now());
        Some(entry)
    }

    fn save(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let dir = Dir::open(&self.directory)?;
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |d| d.as_nanos());
        let unfinished = format!("{name}.{}.{now}{UNFINISHED}", std::process::id());
        let result = dir
            .create(&unfinished)
            .and_then(|mut file| file.write_all(bytes))
            .and_then(|()| dir.rename(&unfinished, &format!("{name}{SUFFIX}")));
        if result.is_err() {
            let _ = dir.remove(&unfinished);
        }
        tidy(&dir, LIMIT);
        result
    }
}

/// Removes the oldest files if there are too many bytes.
fn tidy(dir: &Dir, limit: u64) {
    let names = dir.names().unwrap_or_default().into_iter();
    let mut files: Vec<(SystemTime, u64, String)> = names
        .filter(|name| name.ends_with(SUFFIX))
        .filter_map(|name| {
            let (_, meta) = dir.read(&name).ok()?;
            Some((meta.modified().ok()?, meta.len(), name))
        })
        .collect();
    let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
    files.sort();
    for (_, bytes, name) in files {
        if total <= limit {
            break;
        }
        if dir.remove(&name).is_ok() {
            total -= bytes;
        }
    }
}

/// The name of the file for these options; none if something cannot be asked.
fn name_of(options: &ParseOptions, libclang: &Path) -> Option<String> {
    let libclang = std::fs::canonicalize(libclang).ok()?;
    let meta = std::fs::metadata(&libclang).ok()?;
    let directory = std::env::current_dir().ok()?;
    let environment = ENVIRONMENT.map(std::env::var_os);
    let halves = digest(|hasher| {
        (env!("CARGO_PKG_VERSION"), Entry::VERSION).hash(hasher);
        (&libclang, meta.len(), meta.mtime(), meta.mtime_nsec()).hash(hasher);
        (&directory, &environment).hash(hasher);
        // The debug text has every field, added ones as well.
        format!("{options:?}").hash(hasher);
    });
    Some(format!("{:016x}{:016x}", halves[0], halves[1]))
}

fn digest_of_file(path: &Path) -> Option<Digest> {
    let mut bytes = Vec::new();
    File::open(path)
        .ok()?
        .take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(digest(|hasher| hasher.write(&bytes)))
}

impl Entry {
    fn of(parsed: &Parsed) -> Option<Entry> {
        let read = parsed.read.iter().map(|(name, path)| {
            let digest = digest_of_file(path)?;
            Some((name.clone(), path.clone(), digest))
        });
        Some(Entry {
            read: read.collect::<Option<_>>()?,
            warnings: parsed.warnings.clone(),
            header: parsed.header.clone(),
        })
    }

    /// True if all files are as they were, and none would be found before them now.
    fn is_current(&self, options: &ParseOptions) -> bool {
        let unchanged = |(_, path, digest): &(String, PathBuf, Digest)| {
            digest_of_file(path).as_ref() == Some(digest)
        };
        let hidden = self.read.iter().any(|(name, ..)| {
            let found = options
                .include_dirs
                .iter()
                .find_map(|dir| std::fs::canonicalize(dir.join(name)).ok());
            found.is_some_and(|found| !self.read.iter().any(|(_, path, _)| *path == found))
        });
        !hidden && self.read.iter().all(unchanged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::{Input, find_libclang};
    use std::fs::DirBuilder;
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};

    /// A directory of its own, which goes with it.
    struct Temporary(PathBuf);

    impl Temporary {
        fn new(name: &str) -> Temporary {
            let path = std::env::temp_dir().join(format!("cuox-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            DirBuilder::new().mode(0o700).create(&path).unwrap();
            Temporary(std::fs::canonicalize(path).unwrap())
        }
    }

    impl Drop for Temporary {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_read_again_is_found() {
        if find_libclang(None, &[]).is_err() {
            eprintln!("skipped: no libclang");
            return;
        }
        let dir = Temporary::new("cache");
        let (first, second) = (dir.0.join("first"), dir.0.join("second"));
        std::fs::create_dir(&first).unwrap();
        std::fs::create_dir(&second).unwrap();
        let write = |path: &Path, text: &str| std::fs::write(path, text).unwrap();
        write(
            &second.join("a.h"),
            "#include \"b.h\"\nint a(void);\n#warning careful\n",
        );
        write(&second.join("b.h"), "int b(void);\n");
        let options = ParseOptions {
            inputs: vec![Input::File("a.h".into())],
            include_dirs: vec![first.clone(), second.clone()],
            ..ParseOptions::default()
        };
        let cache = Cache::new(dir.0.join("cache"));
        let names = |options: &ParseOptions| {
            let parsed = cache.parse(options).unwrap();
            assert_eq!(parsed.warnings.len(), 1);
            let names: Vec<String> = parsed
                .header
                .functions
                .into_iter()
                .map(|f| f.name)
                .collect();
            (names.join(" "), parsed.cached)
        };
        assert_eq!(names(&options), ("b a".into(), false));
        assert_eq!(names(&options), ("b a".into(), true));
        // Another question.
        let mut other = options.clone();
        other.defines.push(("X".into(), None));
        assert!(!names(&other).1);
        // Another answer.
        write(&second.join("b.h"), "int c(void);\n");
        assert_eq!(names(&options), ("c a".into(), false));
        assert_eq!(names(&options), ("c a".into(), true));
        // A file that is found before.
        write(&first.join("a.h"), "int d(void);\n#warning careful\n");
        assert_eq!(names(&options), ("d".into(), false));
        // Damaged files and files that others may write count as missing.
        let files = || {
            std::fs::read_dir(dir.0.join("cache"))
                .unwrap()
                .flatten()
                .map(|e| e.path())
        };
        for path in files() {
            let mut bytes = std::fs::read(&path).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 1;
            write(&path, "");
            std::fs::write(&path, bytes).unwrap();
        }
        assert!(!names(&options).1);
        assert!(names(&options).1);
        let open_to_all = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(dir.0.join("cache"), open_to_all).unwrap();
        assert!(!names(&options).1);
        assert!(!names(&options).1);
        let closed = std::fs::Permissions::from_mode(0o700);
        std::fs::set_permissions(dir.0.join("cache"), closed).unwrap();
        tidy(&Dir::open(&dir.0.join("cache")).unwrap(), 0);
        assert_eq!(files().count(), 0);
    }
}
