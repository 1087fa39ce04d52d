//! Files that were read, and those that were looked for and not there.
//!
//! A file that was read is looked at each time: nothing else tells that it was edited in place. For names that were not
//! there, a look at their folder is enough, as a name that is added changes the folder's times.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::fields::{Fields, Writer};

/// Size in bytes, and when content and status were changed: seconds and nanoseconds, as the product is not a number for
/// all times.
type Stamp = [i64; 5];
/// The stamp of a folder, or of what else is no file.
const NO_FILE: Stamp = [-1, 0, 0, 0, 0];
/// The stamp of what is not there.
const NOTHING: Stamp = [-2, 0, 0, 0, 0];
/// Device, inode and times of a folder.
type FolderStamp = [i64; 6];

/// Files with their stamps, by folder.
#[derive(Debug, Default)]
pub struct Files(BTreeMap<PathBuf, Folder>);

/// The names that were looked for in a folder.
#[derive(Debug, Default)]
struct Folder {
    files: BTreeMap<CString, Stamp>,
    /// Names that did not exist.
    missing: BTreeSet<CString>,
    /// Stands for `missing`, as long as it is true.
    stamp: Option<FolderStamp>,
}

impl Files {
    /// Adds a file as it is now. False if there is none; then what is there instead, a folder, is added.
    pub fn add(&mut self, path: &Path) -> bool {
        let Some((folder, name)) = parts(path) else {
            return false;
        };
        let stamp = c_path(path).map_or(NOTHING, |path| stamp_in(libc::AT_FDCWD, &path));
        if stamp == NOTHING {
            return false;
        }
        let folder = self.0.entry(folder).or_default();
        folder.files.insert(name, stamp);
        stamp != NO_FILE
    }

    /// Adds that a path is not there.
    pub fn add_missing(&mut self, path: &Path) {
        let Some((folder, name)) = parts(path) else {
            return;
        };
        let folder = self.0.entry(folder).or_default();
        match std::fs::symlink_metadata(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                folder.missing.insert(name);
            }
            // A link to nothing: a file may appear where it points to, and the folder stays what it is.
            _ => {
                folder.files.insert(name, NOTHING);
            }
        }
    }

    /// Takes the stamps of folders that say that nothing was added since `time`, when nothing had been looked for yet.
    pub fn stamp_folders(&mut self, time: SystemTime) {
        let limit = limit(time);
        for (path, folder) in &mut self.0 {
            if folder.missing.is_empty() {
                continue;
            }
            let open = c_path(path).and_then(|path| open_folder(libc::AT_FDCWD, &path));
            folder.stamp = open
                .filter(has_times_of_folders)
                .and_then(|open| folder_stamp(&open))
                .filter(|&[_, _, ms, mn, cs, cn]| (ms, mn) <= limit && (cs, cn) <= limit);
        }
    }

    /// True if a file was changed so late that it may have been another when it was read at `time`.
    pub fn are_younger_than(&self, time: SystemTime) -> bool {
        let limit = limit(time);
        let mut stamps = self.0.values().flat_map(|folder| folder.files.values());
        stamps.any(|&[_, ms, mn, cs, cn]| (ms, mn) > limit || (cs, cn) > limit)
    }

    pub(super) fn encode(&self, out: &mut Writer) {
        out.number(self.0.len() as u64);
        for (path, folder) in &self.0 {
            out.bytes(&[path.as_os_str().as_bytes(), &[0]].concat());
            out.number(folder.files.len() as u64);
            for (name, stamp) in &folder.files {
                out.numbers(stamp);
                out.bytes(name.to_bytes_with_nul());
            }
            out.number(folder.stamp.is_some().into());
            out.numbers(folder.stamp.as_ref().map_or(&[], |stamp| &stamp[..]));
            let mut missing = Writer::default();
            for name in &folder.missing {
                missing.bytes(name.to_bytes_with_nul());
            }
            out.bytes(&missing.into_bytes());
        }
    }
}

/// True if all encoded files are unchanged; `None` if the encoding cannot be read.
pub(super) fn are_unchanged(fields: &mut Fields<'_>) -> Option<bool> {
    // From an open folder the kernel need not walk the whole path, so those above the next one stay open.
    let mut above: Vec<(&[u8], OwnedFd)> = Vec::new();
    for _ in 0..fields.number()? {
        let path = CStr::from_bytes_with_nul(fields.bytes()?).ok()?;
        let begins = |folder: &[u8]| {
            let rest = path.to_bytes().strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with(b"/"))
        };
        above.truncate(above.iter().take_while(|(path, _)| begins(path)).count());
        let folder = match above.last() {
            Some((start, fd)) => {
                let rest = &path.to_bytes_with_nul()[start.len() + 1..];
                open_folder(fd.as_raw_fd(), CStr::from_bytes_with_nul(rest).ok()?)
            }
            None => open_folder(libc::AT_FDCWD, path),
        };
        let stamp_of = |name: &CStr| match &folder {
            Some(folder) => stamp_in(folder.as_raw_fd(), name),
            None => NOTHING,
        };
        for _ in 0..fields.number()? {
            let stamp = fields.numbers()?;
            let name = CStr::from_bytes_with_nul(fields.bytes()?).ok()?;
            if stamp_of(name) != stamp {
                return Some(false);
            }
        }
        let stamp: Option<FolderStamp> = match fields.number()? {
            0 => None,
            _ => Some(fields.numbers()?),
        };
        let mut missing = Fields::new(fields.bytes()?);
        let is_untouched = || stamp.is_some() && stamp == folder.as_ref().and_then(folder_stamp);
        if !missing.rest().is_empty() && !is_untouched() {
            while !missing.rest().is_empty() {
                let name = CStr::from_bytes_with_nul(missing.bytes()?).ok()?;
                if stamp_of(name) != NOTHING {
                    return Some(false);
                }
            }
        }
        if let Some(folder) = folder {
            above.push((path.to_bytes(), folder));
        }
    }
    Some(true)
}

/// A path's folder, and the name in it.
fn parts(path: &Path) -> Option<(PathBuf, CString)> {
    let name = CString::new(path.file_name()?.as_bytes()).ok()?;
    Some((path.parent()?.to_owned(), name))
}

fn c_path(path: &Path) -> Option<CString> {
    CString::new(path.as_os_str().as_bytes()).ok()
}

/// The last moment before `time` that a file system's coarse clock certainly shows as one before it.
fn limit(time: SystemTime) -> (i64, i64) {
    const COARSE: Duration = Duration::from_millis(20);
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    let limit = since.unwrap_or_default().saturating_sub(COARSE);
    (limit.as_secs() as i64, i64::from(limit.subsec_nanos()))
}

/// A folder as a place to begin paths from.
fn open_folder(from: RawFd, path: &CStr) -> Option<OwnedFd> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: a descriptor or `AT_FDCWD`, and a string that ends.
    let fd = unsafe { libc::openat(from, path.as_ptr(), flags) };
    // SAFETY: fresh, and nobody else's.
    (fd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(fd) })
}

fn stat_in(folder: RawFd, name: &CStr, flags: libc::c_int) -> Option<libc::stat> {
    let mut stat = MaybeUninit::uninit();
    // SAFETY: a descriptor or `AT_FDCWD`, a string that ends, and a record to be filled in.
    let result = unsafe { libc::fstatat(folder, name.as_ptr(), stat.as_mut_ptr(), flags) };
    // SAFETY: it was filled in.
    (result == 0).then(|| unsafe { stat.assume_init() })
}

/// The stamp of a file in an open folder.
fn stamp_in(folder: RawFd, name: &CStr) -> Stamp {
    match stat_in(folder, name, 0) {
        None => NOTHING,
        Some(stat) if stat.st_mode & libc::S_IFMT != libc::S_IFREG => NO_FILE,
        Some(stat) => [
            stat.st_size,
            stat.st_mtime,
            stat.st_mtime_nsec,
            stat.st_ctime,
            stat.st_ctime_nsec,
        ],
    }
}

fn folder_stamp(folder: &OwnedFd) -> Option<FolderStamp> {
    let stat = stat_in(folder.as_raw_fd(), c"", libc::AT_EMPTY_PATH)?;
    Some([
        stat.st_dev as i64,
        stat.st_ino as i64,
        stat.st_mtime,
        stat.st_mtime_nsec,
        stat.st_ctime,
        stat.st_ctime_nsec,
    ])
}

/// True if a folder lies on a file system that is known to change a folder's times when a name is added. Some that only
/// show what is stored elsewhere do not; and of layers that lie on each other one may be put in another's place.
fn has_times_of_folders(folder: &OwnedFd) -> bool {
    const EXT4: u32 = 0xef53;
    const XFS: u32 = 0x5846_5342;
    const BTRFS: u32 = 0x9123_683e;
    const F2FS: u32 = 0xf2f5_2010;
    const ZFS: u32 = 0x2fc1_2fc1;
    const TMPFS: u32 = 0x0102_1994;
    let mut stat = MaybeUninit::<libc::statfs>::uninit();
    // SAFETY: an open folder, and a record to be filled in.
    let result = unsafe { libc::fstatfs(folder.as_raw_fd(), stat.as_mut_ptr()) };
    if result != 0 {
        return false;
    }
    // SAFETY: it was filled in.
    let kind = unsafe { stat.assume_init() }.f_type as u32;
    [EXT4, XFS, BTRFS, F2FS, ZFS, TMPFS].contains(&kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, File};

    fn scratch(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("cuox-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn encoded(files: &Files) -> Vec<u8> {
        let mut out = Writer::default();
        files.encode(&mut out);
        out.into_bytes()
    }

    fn unchanged(encoded: &[u8]) -> bool {
        let mut fields = Fields::new(encoded);
        let answer = are_unchanged(&mut fields).unwrap();
        assert!(!answer || fields.rest().is_empty());
        answer
    }

    #[test]
    fn times_beyond_nanoseconds_in_64_bits_are_kept() {
        let folder = scratch("late");
        let path = folder.join("file");
        let file = File::create(&path).unwrap();
        // In the year 2286; in nanoseconds from 2262 on it is too much.
        let late = SystemTime::UNIX_EPOCH + Duration::from_secs(9_999_999_999);
        file.set_modified(late).unwrap();
        let mut files = Files::default();
        assert!(files.add(&path));
        assert!(files.are_younger_than(SystemTime::now()));
        let encoded = encoded(&files);
        assert!(unchanged(&encoded));
        file.set_modified(late + Duration::from_nanos(1_000_000))
            .unwrap();
        assert!(!unchanged(&encoded));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_that_were_missing_are_seen_with_and_without_a_folders_stamp() {
        let folder = scratch("missing");
        fs::create_dir_all(folder.join("a/b")).unwrap();
        std::os::unix::fs::symlink("nowhere", folder.join("a/link.h")).unwrap();
        std::thread::sleep(Duration::from_millis(50));
        let look = |stamped: bool| {
            let begin = SystemTime::now();
            let mut files = Files::default();
            assert!(!files.add(&folder.join("a")));
            for name in ["a/x.h", "a/b/x.h", "a/link.h", "no/such/x.h"] {
                files.add_missing(&folder.join(name));
            }
            if stamped {
                files.stamp_folders(begin);
                let stamped = files.0.values().filter(|f| f.stamp.is_some()).count();
                assert!(stamped == 2 || stamped == 0, "no folder is too young");
            }
            encoded(&files)
        };
        for stamped in [false, true] {
            let encoded = look(stamped);
            assert!(unchanged(&encoded));
            // Another file is nobody's, though the folder has another time now.
            fs::write(folder.join("a/b/other"), "").unwrap();
            assert!(unchanged(&encoded));
            for name in ["a/x.h", "a/b/x.h", "a/nowhere"] {
                fs::write(folder.join(name), "").unwrap();
                assert!(!unchanged(&encoded), "{name}");
                fs::remove_file(folder.join(name)).unwrap();
                assert!(unchanged(&encoded), "{name}");
            }
            fs::create_dir_all(folder.join("no/such")).unwrap();
            assert!(unchanged(&encoded));
            fs::write(folder.join("no/such/x.h"), "").unwrap();
            assert!(!unchanged(&encoded));
            fs::remove_dir_all(folder.join("no")).unwrap();
            fs::remove_file(folder.join("a/b/other")).unwrap();
            std::thread::sleep(Duration::from_millis(50));
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_has_just_changed_does_not_stand_for_its_names() {
        let folder = scratch("young");
        let begin = SystemTime::now();
        let mut files = Files::default();
        files.add_missing(&folder.join("x.h"));
        files.stamp_folders(begin);
        assert!(files.0.values().all(|folder| folder.stamp.is_none()));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_folder_that_a_link_leads_to_is_that_of_today() {
        let folder = scratch("links");
        for name in ["one", "two"] {
            fs::create_dir_all(folder.join(name)).unwrap();
            fs::write(folder.join(name).join("x.h"), name).unwrap();
        }
        fs::write(folder.join("two/y.h"), "").unwrap();
        let link = |to: &str| {
            let _ = fs::remove_file(folder.join("here"));
            std::os::unix::fs::symlink(to, folder.join("here")).unwrap();
        };
        link("one");
        std::thread::sleep(Duration::from_millis(50));
        let mut files = Files::default();
        files.add_missing(&folder.join("here/y.h"));
        files.stamp_folders(SystemTime::now());
        let encoded = encoded(&files);
        assert!(unchanged(&encoded));
        link("two");
        assert!(!unchanged(&encoded));
        link("one");
        assert!(unchanged(&encoded));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn bytes_that_are_none_of_ours_are_refused() {
        let mut files = Files::default();
        files.add_missing(Path::new("/no/such/file"));
        let encoded = encoded(&files);
        for end in 0..encoded.len() {
            assert_eq!(are_unchanged(&mut Fields::new(&encoded[..end])), None);
        }
    }
}
