//! Sharing between processes of one user: files without a name, which a handle refers to through its owner's
//! `/proc/<pid>/fd`.
//!
//! Such a file ends with the last process that holds it, so nothing is left behind by a process that dies. A handle
//! also has the file's random number, so that a stale one is found out whatever has its descriptor now.

pub mod event;
pub mod memory;
pub mod physical;
pub mod pool;

use crate::code::{INVALID_HANDLE, INVALID_VALUE, MAP_FAILED, OUT_OF_MEMORY, Res};
use crate::fault::explain;
use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::os::unix::fs::{FileExt, OpenOptionsExt};

/// The bytes of `CUipcMemHandle` and `CUipcEventHandle`.
pub type Bytes = [u8; 64];
/// A file's random number.
pub type Nonce = [u64; 2];

const NAME: &str = "cuox-ipc";

/// A file without a name, and its random number, which is stored in it.
pub struct Shareable {
    pub file: File,
    pub nonce: Nonce,
}

/// The words of a handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handle {
    pub magic: [u8; 8],
    pub pid: u32,
    pub fd: u32,
    pub nonce: Nonce,
    /// Place of the random number in the file.
    pub nonce_at: u64,
    pub rest: [u64; 3],
}

impl Handle {
    pub fn to_bytes(self) -> Bytes {
        let mut bytes = [0; 64];
        let ids = u64::from(self.pid) | u64::from(self.fd) << 32;
        let [a, b] = self.nonce;
        let [x, y, z] = self.rest;
        let words = [
            u64::from_le_bytes(self.magic),
            ids,
            a,
            b,
            self.nonce_at,
            x,
            y,
            z,
        ];
        for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }

    /// The handle in the bytes, which must begin with `magic`.
    pub fn of_bytes(bytes: &Bytes, magic: &[u8; 8]) -> Res<Handle> {
        let mut words = [0u64; 8];
        for (word, from) in words.iter_mut().zip(bytes.chunks_exact(8)) {
            *word = from.iter().rev().fold(0, |w, &b| w << 8 | u64::from(b));
        }
        let [first, ids, a, b, nonce_at, x, y, z] = words;
        if first.to_le_bytes() != *magic {
            explain(
                "the bytes are not an IPC handle of the software GPU's, or one of another kind"
                    .into(),
            );
            return Err(INVALID_VALUE);
        }
        Ok(Handle {
            magic: *magic,
            pid: ids as u32,
            fd: (ids >> 32) as u32,
            nonce: [a, b],
            nonce_at,
            rest: [x, y, z],
        })
    }

    /// True if this process made it.
    pub fn is_own(&self) -> bool {
        self.pid == std::process::id()
    }

    /// Opens the file that the handle refers to.
    pub fn open(&self) -> Res<File> {
        let (pid, fd) = (self.pid, self.fd);
        let path = format!("/proc/{pid}/fd/{fd}");
        let gone = |error: io::Error| {
            explain(format!(
                "the memory or event of process {pid} cannot be reached ({path}: {error}): the process has ended or has freed it, \
                 belongs to another user, or is in another PID namespace"
            ));
            MAP_FAILED
        };
        // Looked at before it is opened: opening a device or a pipe may do something.
        let target = fs::read_link(&path).map_err(gone)?;
        if !target.to_string_lossy().contains(NAME) {
            return Err(stale(pid));
        }
        let file = fs::OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(libc::O_CLOEXEC | libc::O_NONBLOCK)
            .open(&path)
            .map_err(gone)?;
        if !is_sealed(file.as_raw_fd()) || read_words(&file, self.nonce_at) != Some(self.nonce) {
            return Err(stale(pid));
        }
        Ok(file)
    }
}

/// A file of ours by a descriptor of the program's, which stays the program's.
pub fn file_of_descriptor(descriptor: i32) -> Option<File> {
    // Looked at before it is used: it may be anything.
    let target = fs::read_link(format!("/proc/self/fd/{descriptor}")).ok()?;
    if !target.to_string_lossy().contains(NAME) {
        return None;
    }
    // SAFETY: the number is only duplicated, which fails if it is no descriptor's.
    let copy = unsafe { libc::fcntl(descriptor, libc::F_DUPFD_CLOEXEC, 0) };
    if copy < 0 {
        return None;
    }
    // SAFETY: the descriptor is new, and nobody else's.
    let file = File::from(unsafe { OwnedFd::from_raw_fd(copy) });
    is_sealed(file.as_raw_fd()).then_some(file)
}

/// A new descriptor of a file, which the program closes.
pub fn descriptor_of(file: &File) -> Res<i32> {
    let copy = file.as_fd().try_clone_to_owned();
    copy.map(IntoRawFd::into_raw_fd).map_err(|_| OUT_OF_MEMORY)
}

/// True for a file that keeps its length.
fn is_sealed(descriptor: i32) -> bool {
    // SAFETY: a query about a descriptor of our own.
    let seals = unsafe { libc::fcntl(descriptor, libc::F_GET_SEALS) };
    seals >= 0 && seals & libc::F_SEAL_SHRINK != 0
}

/// The error for a handle of something that is no more.
pub fn stale(pid: u32) -> crate::code::Code {
    explain(format!(
        "the handle is stale: process {pid} has freed what it refers to"
    ));
    INVALID_HANDLE
}

/// Words of a file, if it has them.
pub fn read_words<const N: usize>(file: &File, at: u64) -> Option<[u64; N]> {
    let mut words = [0u64; N];
    for (n, word) in words.iter_mut().enumerate() {
        let mut bytes = [0; 8];
        file.read_exact_at(&mut bytes, at.checked_add(8 * n as u64)?)
            .ok()?;
        *word = u64::from_le_bytes(bytes);
    }
    Some(words)
}

impl Shareable {
    /// Makes a file of `len` bytes, all zeros but the random number at `nonce_at`.
    pub fn new(len: u64, nonce_at: u64) -> Res<Shareable> {
        let refused = |_| {
            let error = io::Error::last_os_error();
            explain(format!(
                "the system refused a file of {len} bytes of shared memory: {error}"
            ));
            OUT_OF_MEMORY
        };
        // SAFETY: the name is a C string.
        let fd = unsafe {
            libc::memfd_create(
                c"cuox-ipc".as_ptr(),
                libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING,
            )
        };
        if fd < 0 {
            return Err(refused(()));
        }
        // SAFETY: the descriptor is new, and nobody else's.
        let file = File::from(unsafe { OwnedFd::from_raw_fd(fd) });
        let mut nonce: Nonce = [0; 2];
        // SAFETY: as many bytes are written as `nonce` has.
        let got = unsafe { libc::getrandom(nonce.as_mut_ptr().cast(), 16, 0) };
        if got != 16 {
            return Err(refused(()));
        }
        let bytes = nonce.map(u64::to_le_bytes).concat();
        file.set_len(len)
            .and_then(|()| file.write_all_at(&bytes, nonce_at))
            .map_err(|_| refused(()))?;
        // Who maps it relies on its length.
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: a descriptor of our own.
        if unsafe { libc::fcntl(fd, libc::F_ADD_SEALS, seals) } != 0 {
            return Err(refused(()));
        }
        Ok(Shareable { file, nonce })
    }

    pub fn handle(&self, magic: &[u8; 8], nonce_at: u64, rest: [u64; 3]) -> Handle {
        Handle {
            magic: *magic,
            pid: std::process::id(),
            fd: self.file.as_raw_fd() as u32,
            nonce: self.nonce,
            nonce_at,
            rest,
        }
    }
}

/// True if a process has ended, also if its parent has not yet waited for it.
pub fn has_ended(pid: u32) -> bool {
    match fs::read_to_string(format!("/proc/{pid}/stat")) {
        // The state is behind the name, which is in brackets and may contain some.
        Ok(text) => text
            .rsplit(')')
            .next()
            .and_then(|rest| rest.trim_start().chars().next())
            .is_some_and(|state| state == 'Z' || state == 'X'),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_are_64_bytes_that_come_back() {
        let file = Shareable::new(8192, 4096).unwrap();
        let handle = file.handle(b"cuoxtest", 4096, [1, u64::MAX, 3]);
        let bytes = handle.to_bytes();
        assert_eq!(Handle::of_bytes(&bytes, b"cuoxtest"), Ok(handle));
        assert_eq!(Handle::of_bytes(&bytes, b"cuoxevnt"), Err(INVALID_VALUE));
        assert_eq!(Handle::of_bytes(&[0; 64], b"cuoxtest"), Err(INVALID_VALUE));
        assert!(handle.is_own() && handle.open().is_ok());
    }

    #[test]
    fn stale_handles_are_found_out() {
        let file = Shareable::new(4096, 0).unwrap();
        let mut handle = file.handle(b"cuoxtest", 0, [0; 3]);
        handle.nonce[1] ^= 1;
        assert_eq!(handle.open().err(), Some(INVALID_HANDLE));
        handle.nonce[1] ^= 1;
        drop(file);
        // Another test may have got the number of the descriptor meanwhile.
        let code = handle.open().err();
        assert!(code == Some(MAP_FAILED) || code == Some(INVALID_HANDLE));
        // A descriptor that is something else.
        let other = File::open("/dev/null").unwrap();
        handle.fd = other.as_raw_fd() as u32;
        assert_eq!(handle.open().err(), Some(INVALID_HANDLE));
    }

    #[test]
    fn ended_processes_are_noticed_before_they_are_waited_for() {
        assert!(!has_ended(std::process::id()) && has_ended(u32::MAX >> 1));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        while !has_ended(child.id()) {
            std::thread::yield_now();
        }
        child.wait().unwrap();
    }
}
