//! Files that were read, and those that were looked for and not there.

use std::collections::BTreeMap;
use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::fields::{Fields, Writer};

/// Size in bytes, and when content and status were changed: seconds and nanoseconds, as the product is not a number for all times.
type Stamp = [i64; 5];
/// That of a folder, or of what else is no file.
const NO_FILE: Stamp = [-1, 0, 0, 0, 0];

/// Files with their stamps, by folder: one stamp for each, `None` for what is not there.
#[derive(Debug, Default)]
pub struct Files(BTreeMap<PathBuf, BTreeMap<Vec<u8>, Option<Stamp>>>);

impl Files {
    /// Adds a file as it is now. False if there is none; then what is there instead, a folder, is added.
    pub fn add(&mut self, path: &Path) -> bool {
        let Ok(meta) = std::fs::metadata(path) else {
            return false;
        };
        let stamp = match meta.is_file() {
            true => [
                meta.size() as i64,
                meta.mtime(),
                meta.mtime_nsec(),
                meta.ctime(),
                meta.ctime_nsec(),
            ],
            false => NO_FILE,
        };
        self.insert(path, Some(stamp));
        meta.is_file()
    }

    /// Adds that a path is not there.
    pub fn add_missing(&mut self, path: &Path) {
        self.insert(path, None);
    }

    fn insert(&mut self, path: &Path, stamp: Option<Stamp>) {
        let folder = path.parent().unwrap_or(Path::new("/")).to_owned();
        let name = path.file_name().unwrap_or_default().as_bytes().to_vec();
        self.0.entry(folder).or_default().insert(name, stamp);
    }

    /// Whether one was changed so late that it may have been another when it was read at `time`.
    pub fn are_younger_than(&self, time: SystemTime) -> bool {
        // Clocks of file systems are that coarse.
        const COARSE: Duration = Duration::from_millis(20);
        let since = time.duration_since(SystemTime::UNIX_EPOCH);
        let limit = since.unwrap_or_default().saturating_sub(COARSE);
        let limit = (limit.as_secs() as i64, i64::from(limit.subsec_nanos()));
        let stamps = self.0.values().flat_map(BTreeMap::values).flatten();
        stamps
            .into_iter()
            .any(|&[_, ms, mn, cs, cn]| (ms, mn) > limit || (cs, cn) > limit)
    }

    /// Whether all are what they were.
    pub fn are_unchanged(&self) -> bool {
        self.0.iter().all(|(folder, files)| {
            // From an open folder the kernel need not walk the whole path for each file.
            let open = File::options()
                .read(true)
                .custom_flags(libc::O_DIRECTORY)
                .open(folder);
            let Ok(open) = open else {
                return files.values().all(Option::is_none);
            };
            files
                .iter()
                .all(|(name, stamp)| stamp_in(&open, name) == *stamp)
        })
    }

    pub(super) fn encode(&self, out: &mut Writer) {
        out.number(self.0.len() as u64);
        for (folder, files) in &self.0 {
            out.bytes(folder.as_os_str().as_bytes());
            out.number(files.len() as u64);
            for (name, stamp) in files {
                out.bytes(name);
                out.number(stamp.is_some().into());
                for number in stamp.iter().flatten() {
                    out.number(*number as u64);
                }
            }
        }
    }

    pub(super) fn decode(fields: &mut Fields<'_>) -> Option<Self> {
        let mut all = BTreeMap::new();
        for _ in 0..fields.number()? {
            let folder = PathBuf::from(OsStr::from_bytes(fields.bytes()?));
            let mut files = BTreeMap::new();
            for _ in 0..fields.number()? {
                let name = fields.bytes()?.to_vec();
                let stamp = match fields.number()? {
                    0 => None,
                    _ => {
                        let mut number = || fields.number().map(|n| n as i64);
                        Some([number()?, number()?, number()?, number()?, number()?])
                    }
                };
                files.insert(name, stamp);
            }
            all.insert(folder, files);
        }
        Some(Self(all))
    }
}

/// The stamp of a file in an open folder.
fn stamp_in(folder: &File, name: &[u8]) -> Option<Stamp> {
    let name = CString::new(name).ok()?;
    // SAFETY: all zeroes are a value of this record of numbers.
    let mut meta: libc::stat = unsafe { std::mem::zeroed() };
    // SAFETY: an open folder, a string that ends, and a record to be filled in.
    let result = unsafe { libc::fstatat(folder.as_raw_fd(), name.as_ptr(), &mut meta, 0) };
    (result == 0).then_some(match meta.st_mode & libc::S_IFMT {
        libc::S_IFREG => [
            meta.st_size,
            meta.st_mtime,
            meta.st_mtime_nsec,
            meta.st_ctime,
            meta.st_ctime_nsec,
        ],
        _ => NO_FILE,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_beyond_nanoseconds_in_64_bits_are_kept() {
        let path = std::env::temp_dir().join(format!("cuox-files-{}", std::process::id()));
        let file = File::create(&path).unwrap();
        // In the year 2286; in nanoseconds from 2262 on it is too much.
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(9_999_999_999);
        file.set_modified(late).unwrap();
        let mut files = Files::default();
        assert!(files.add(&path));
        assert!(files.are_unchanged());
        assert!(files.are_younger_than(SystemTime::now()));
        let mut out = Writer::default();
        files.encode(&mut out);
        let bytes = out.into_bytes();
        let decoded = Files::decode(&mut Fields::new(&bytes)).unwrap();
        assert!(decoded.are_unchanged());
        file.set_modified(late + Duration::from_nanos(1_000_000))
            .unwrap();
        assert!(!decoded.are_unchanged());
        std::fs::remove_file(&path).unwrap();
    }
}
