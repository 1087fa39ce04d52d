//! Files: read with suspicion, written in the background.

use crate::key::{Digest, Key};
use crate::private_dir::Dir;
use std::hash::Hasher;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Once, OnceLock};
use std::time::{Duration, SystemTime};

/// The first bytes of a file: its kind, and the version of this layout.
const MAGIC: &[u8; 12] = b"cuox code\0\x02\0";
/// Bytes before the body: magic, key, length.
const HEADER: usize = MAGIC.len() + 16 + 8;
/// Bytes behind it: the hash of all others.
const CHECKSUM: usize = 16;
/// Most bytes that a directory's files may have, unless `CUOX_CACHE_MAXSIZE` says another number.
pub(crate) const LIMIT: u64 = 256 << 20;
/// Larger files are nobody's.
const MOST_BYTES: u64 = 64 << 20;
/// Endings of the names of files, and of files that are being written.
const SUFFIX: &str = ".code";
const UNFINISHED: &str = ".tmp";
/// A file that is read is marked as used if this has gone by.
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Age after which a file that is being written is taken to be abandoned.
const STALE: Duration = Duration::from_secs(3600);
/// The directory is tidied with the first of so many files that a process writes.
const TIDY_EVERY: u32 = 64;

/// A directory of kept files.
pub struct Store {
    path: PathBuf,
    worth: Duration,
    limit: u64,
    dir: OnceLock<Option<Dir>>,
    written: AtomicU32,
    found: AtomicUsize,
}

/// Most bytes that the files of the user's directory may have: `CUOX_CACHE_MAXSIZE`, as CUDA's `CUDA_CACHE_MAXSIZE` is
/// for its own. What is no number counts as not set.
pub fn limit() -> u64 {
    limit_of(std::env::var("CUOX_CACHE_MAXSIZE").ok().as_deref())
}

fn limit_of(set: Option<&str>) -> u64 {
    set.and_then(number).unwrap_or(LIMIT)
}

pub(crate) fn number(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The contents of a directory.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Files.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// A file's bytes: a body with the key and length that identify it.
pub fn seal(key: &Key, body: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(HEADER + body.len() + CHECKSUM);
    file.extend_from_slice(MAGIC);
    file.extend_from_slice(&key.0);
    file.extend_from_slice(&(body.len() as u64).to_le_bytes());
    file.extend_from_slice(body);
    let sum = checksum(&file);
    file.extend_from_slice(&sum);
    file
}

/// The body of a file that is whole and that key's.
pub fn unseal<'a>(key: &Key, file: &'a [u8]) -> Option<&'a [u8]> {
    let (rest, sum) = file.split_last_chunk::<CHECKSUM>()?;
    let (header, body) = rest.split_at_checked(HEADER)?;
    let (magic, of) = header.split_at_checked(MAGIC.len())?;
    let length = (body.len() as u64).to_le_bytes();
    let is_ours = magic == MAGIC && of[..16] == key.0 && of[16..] == length;
    (is_ours && checksum(rest) == *sum).then_some(body)
}

/// The hash of a file's bytes, by which damage shows. Four words at a time: files may be large, and each is read for a
/// millisecond's work.
fn checksum(bytes: &[u8]) -> [u8; CHECKSUM] {
    // Odd, so that a word that differs leaves a difference.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut lanes = [1_u64, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = (lane.rotate_left(29) ^ u64::from_le_bytes(*word)).wrapping_mul(FACTOR);
        }
    }
    let mut digest = Digest::new();
    lanes.iter().for_each(|lane| digest.write_u64(*lane));
    digest.write(rest);
    digest.write_u64(bytes.len() as u64);
    digest.bytes()
}

/// A value saved under a key.
#[derive(Debug, PartialEq, Eq)]
pub struct Body(Vec<u8>);

impl std::ops::Deref for Body {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0[HEADER..self.0.len() - CHECKSUM]
    }
}

impl Store {
    /// A store in a directory that is opened when it is needed.
    pub fn new(path: PathBuf, worth: Duration, limit: u64) -> Store {
        Store {
            path,
            worth,
            limit,
            dir: OnceLock::new(),
            written: AtomicU32::new(0),
            found: AtomicUsize::new(0),
        }
    }

    /// Values that take less than this to make are not kept.
    pub fn worth(&self) -> Duration {
        self.worth
    }

    /// The number of keys that were asked for and found.
    pub fn found(&self) -> usize {
        self.found.load(Ordering::Relaxed)
    }

    /// Counts one that it had.
    pub fn count(&self) {
        self.found.fetch_add(1, Ordering::Relaxed);
    }

    /// The directory, if it is one that code may be run from.
    fn dir(&self) -> Option<&Dir> {
        let dir = self.dir.get_or_init(|| Dir::open(&self.path).ok());
        dir.as_ref()
    }

    /// The value that was saved under a key. A file that is not as it should be counts as missing.
    pub fn load(&self, key: &Key) -> Option<Body> {
        let (file, meta) = self.dir()?.read(&format!("{key}{SUFFIX}")).ok()?;
        if meta.len() > MOST_BYTES {
            return None;
        }
        let mut bytes = vec![0; meta.len() as usize];
        (&file).read_exact(&mut bytes).ok()?;
        let now = SystemTime::now();
        let age = meta
            .modified()
            .ok()
            .and_then(|m| now.duration_since(m).ok());
        if age.is_some_and(|age| age > DAY) {
            // It only goes sooner if this fails.
            let _ = file.set_modified(now);
        }
        unseal(key, &bytes)?;
        Some(Body(bytes))
    }

    /// Writes a file, now.
    ///
    /// # Errors
    /// Errors of the system; a directory that cannot be used counts as missing.
    pub fn write(&self, key: &Key, body: &[u8]) -> io::Result<()> {
        let Some(dir) = self.dir() else {
            return Ok(());
        };
        let file = seal(key, body);
        if file.len() as u64 > MOST_BYTES.min(self.limit) {
            return Ok(());
        }
        let written = self.written.fetch_add(1, Ordering::Relaxed);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |d| d.as_nanos());
        let own = std::process::id();
        let unfinished = format!("{key}.{own}.{now}.{written}{UNFINISHED}");
        let result = dir
            .create(&unfinished)
            .and_then(|mut new| new.write_all(&file))
            .and_then(|()| dir.rename(&unfinished, &format!("{key}{SUFFIX}")));
        if result.is_err() {
            let _ = dir.remove(&unfinished);
        }
        if written.is_multiple_of(TIDY_EVERY) {
            self.tidy(dir);
        }
        result
    }

    /// Removes the oldest files if there are too many bytes, and files that were never finished.
    fn tidy(&self, dir: &Dir) {
        let now = SystemTime::now();
        let mut files = Vec::new();
        for name in dir.names().unwrap_or_default() {
            let (code, unfinished) = (name.ends_with(SUFFIX), name.ends_with(UNFINISHED));
            if !code && !unfinished {
                continue;
            }
            let Ok((_, meta)) = dir.read(&name) else {
                continue;
            };
            let Ok(modified) = meta.modified() else {
                continue;
            };
            if code {
                files.push((modified, meta.len(), name));
            } else if now.duration_since(modified).is_ok_and(|age| age > STALE) {
                let _ = dir.remove(&name);
            }
        }
        let mut total: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        if total <= self.limit {
            return;
        }
        files.sort();
        // With room for some more, so that this is not done every time.
        let enough = self.limit / 4 * 3;
        for (_, bytes, name) in files {
            if total <= enough {
                break;
            }
            if dir.remove(&name).is_ok() {
                total -= bytes;
            }
        }
    }

    /// The number of files, and their bytes.
    pub fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        let Some(dir) = self.dir() else {
            return usage;
        };
        for name in dir.names().unwrap_or_default() {
            if name.ends_with(SUFFIX)
                && let Ok((_, meta)) = dir.read(&name)
            {
                usage.files += 1;
                usage.bytes += meta.len();
            }
        }
        usage
    }

    /// Removes all files. Returns their number and bytes.
    pub fn clear(&self) -> Usage {
        let usage = self.usage();
        if let Some(dir) = self.dir() {
            for name in dir.names().unwrap_or_default() {
                if name.ends_with(SUFFIX) {
                    let _ = dir.remove(&name);
                }
            }
        }
        usage
    }

    /// Writes a file in the background; a failure is nobody's business.
    pub fn save(store: &Arc<Store>, key: Key, body: Vec<u8>) {
        let store = Arc::clone(store);
        let writing = Writing::begin();
        let builder = std::thread::Builder::new().name("cuox-cache".to_owned());
        let _ = builder.spawn(move || {
            let _ = store.write(&key, &body);
            drop(writing);
        });
    }
}

/// Files being written by this process.
static WRITING: AtomicUsize = AtomicUsize::new(0);
/// The process that counts them, which a forked child is not.
static WRITER: AtomicU32 = AtomicU32::new(0);
/// The longest that the end of the process waits for them.
const PATIENCE: Duration = Duration::from_millis(200);

/// A file being written, from when it is decided.
struct Writing;

impl Writing {
    fn begin() -> Writing {
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| {
            WRITER.store(std::process::id(), Ordering::Relaxed);
            // SAFETY: the function neither unwinds nor uses anything that ends with `main`; the library stays loaded.
            unsafe { libc::atexit(finish_writing) };
        });
        WRITING.fetch_add(1, Ordering::Relaxed);
        Writing
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        WRITING.fetch_sub(1, Ordering::Release);
    }
}

/// A program that ends right after its first launch would never have anything kept.
extern "C" fn finish_writing() {
    if WRITER.load(Ordering::Relaxed) != std::process::id() {
        return;
    }
    let step = Duration::from_micros(500);
    let mut waited = Duration::ZERO;
    while WRITING.load(Ordering::Acquire) != 0 && waited < PATIENCE {
        std::thread::sleep(step);
        waited += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_what_the_environment_says() {
        for (set, expected) in [
            (None, LIMIT),
            (Some("1000"), 1000),
            (Some(" 0 "), 0),
            (Some("-1"), LIMIT),
            (Some("1G"), LIMIT),
            (Some(""), LIMIT),
        ] {
            assert_eq!(limit_of(set), expected, "{set:?}");
        }
    }
}
