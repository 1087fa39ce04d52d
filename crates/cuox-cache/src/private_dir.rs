//! A directory whose files only this user can have written.
//!
//! Code from it is run, so every file is opened through the directory that was checked, and is checked itself.

use std::ffi::CString;
use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// An open directory.
pub struct Dir {
    file: File,
    path: PathBuf,
}

/// True if it belongs to this user and nobody else may write it.
fn is_own(meta: &Metadata) -> bool {
    // SAFETY: the function has no arguments and cannot fail.
    let user = unsafe { libc::geteuid() };
    meta.uid() == user && meta.mode() & 0o022 == 0
}

fn refused() -> io::Error {
    let text = "it is another user's, or others can write it";
    io::Error::new(io::ErrorKind::PermissionDenied, text)
}

/// An error in words, without its number.
pub fn in_words(error: &io::Error) -> String {
    let text = error.to_string();
    match text.split_once(" (os error ") {
        Some((words, _)) => words.to_owned(),
        None => text,
    }
}

/// A name in a directory: a path could lead out of it.
fn c_name(name: &str) -> io::Result<CString> {
    if name.contains('/') || name == ".." {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    CString::new(name).map_err(|_| io::ErrorKind::InvalidInput.into())
}

fn checked(result: libc::c_int) -> io::Result<libc::c_int> {
    match result {
        0.. => Ok(result),
        _ => Err(io::Error::last_os_error()),
    }
}

impl Dir {
    /// Opens a directory, which is made if there is none, for this user alone. A directory that others can write is
    /// refused.
    ///
    /// # Errors
    /// That it cannot be made or opened, or is not this user's.
    pub fn open(path: &Path) -> io::Result<Dir> {
        // SAFETY: the two functions have no arguments and cannot fail.
        if unsafe { libc::getuid() != libc::geteuid() } {
            // The environment that names the directory is somebody else's.
            return Err(refused());
        }
        DirBuilder::new().recursive(true).mode(0o700).create(path)?;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(libc::O_DIRECTORY)
            .open(path)?;
        Dir::of(file, path.to_owned())
    }

    /// Opens a directory inside this one in the same way.
    ///
    /// # Errors
    /// As for [`Dir::open`].
    pub fn folder(&self, name: &str) -> io::Result<Dir> {
        let c_name = c_name(name)?;
        // SAFETY: the directory is open as long as `self`, and the name ends with a NUL.
        let made = unsafe { libc::mkdirat(self.file.as_raw_fd(), c_name.as_ptr(), 0o700) };
        match checked(made) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let file = self.open_at(name, libc::O_RDONLY | libc::O_DIRECTORY)?;
        Dir::of(file, self.path.join(name))
    }

    fn of(file: File, path: PathBuf) -> io::Result<Dir> {
        match is_own(&file.metadata()?) {
            true => Ok(Dir { file, path }),
            false => Err(refused()),
        }
    }

    /// The path by which it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn open_at(&self, name: &str, flags: libc::c_int) -> io::Result<File> {
        let name = c_name(name)?;
        let flags = flags | libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK;
        let mode: libc::c_uint = 0o600;
        // SAFETY: the directory is open as long as `self`, and the name ends with a NUL.
        let fd = unsafe { libc::openat(self.file.as_raw_fd(), name.as_ptr(), flags, mode) };
        let fd = checked(fd)?;
        // SAFETY: `openat` gave this descriptor just now, and nothing else owns it.
        Ok(unsafe { File::from_raw_fd(fd) })
    }

    /// A file to read, and its metadata.
    pub fn read(&self, name: &str) -> io::Result<(File, Metadata)> {
        let file = self.open_at(name, libc::O_RDONLY)?;
        let meta = file.metadata()?;
        match meta.is_file() && is_own(&meta) {
            true => Ok((file, meta)),
            false => Err(refused()),
        }
    }

    /// A new file to write.
    pub fn create(&self, name: &str) -> io::Result<File> {
        self.open_at(name, libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL)
    }

    /// Gives a file another name; a file that has it goes.
    pub fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let (from, to) = (c_name(from)?, c_name(to)?);
        let dir = self.file.as_raw_fd();
        // SAFETY: the directory is open as long as `self`, and both names end with a NUL.
        checked(unsafe { libc::renameat(dir, from.as_ptr(), dir, to.as_ptr()) }).map(drop)
    }

    /// Removes a file.
    pub fn remove(&self, name: &str) -> io::Result<()> {
        let name = c_name(name)?;
        // SAFETY: the directory is open as long as `self`, and the name ends with a NUL.
        checked(unsafe { libc::unlinkat(self.file.as_raw_fd(), name.as_ptr(), 0) }).map(drop)
    }

    /// Names of its entries.
    pub fn names(&self) -> io::Result<Vec<String>> {
        let entries = std::fs::read_dir(&self.path)?;
        Ok(entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, remove_dir_all, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn folders_inside_are_private_too() {
        let path = std::env::temp_dir().join(format!("cuox-private-{}", std::process::id()));
        let _ = remove_dir_all(&path);
        let dir = Dir::open(&path).unwrap();
        let inner = dir.folder("inner").unwrap();
        assert_eq!(inner.path(), path.join("inner"));
        assert_eq!(inner.file.metadata().unwrap().mode() & 0o777, 0o700);
        inner.create("file").unwrap();
        assert!(dir.folder("inner").unwrap().read("file").is_ok());
        for name in ["inner/file", "../x", "..", "/tmp"] {
            assert!(dir.folder(name).is_err() && dir.read(name).is_err());
        }
        symlink("inner", path.join("link")).unwrap();
        assert!(dir.folder("link").is_err());
        set_permissions(inner.path(), Permissions::from_mode(0o720)).unwrap();
        let refused = dir.folder("inner").err().unwrap();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains("others can write it"));
        remove_dir_all(path).unwrap();
    }
}
