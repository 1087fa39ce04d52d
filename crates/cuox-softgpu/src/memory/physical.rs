//! Memory without an address: what `cuMemCreate` makes and `cuMemMap` maps.

use crate::code::{OUT_OF_MEMORY, Res};
use crate::fault::explain;
use crate::ipc::physical::SharedPages;
use cuox_abi::CUmemLocation;
use cuox_simt::free_ranges::FreeRanges;
use cuox_simt::space::{self, SpaceError};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};

/// Sizes, and addresses that memory is mapped at, are multiples of this: an H200's granularity.
pub const GRANULARITY: u64 = 2 << 20;

/// Memory without an address.
pub struct Physical {
    pub handle: u64,
    pub len: u64,
    /// Where it is: a device, or the host.
    pub place: CUmemLocation,
    /// The device whose memory it takes, or that the host's was asked for with.
    pub device: usize,
    /// True for the host's memory.
    pub is_host: bool,
    /// The kinds of handles that it can be exported as, as `CUmemAllocationHandleType` has them.
    pub handle_types: u32,
    pub pages: Pages,
    /// Bytes that it takes from the device's memory.
    pub charged: u64,
}

/// The pages of memory without an address.
pub enum Pages {
    /// A part of the file that has all memory that no other process can get.
    Part(u64),
    /// A file of its own.
    Shared(SharedPages),
}

/// The file that has all memory that no other process can get: a descriptor for each allocation would soon be one too
/// many.
#[derive(Default)]
pub struct Arena {
    file: Option<File>,
    /// Bytes of the file.
    len: u64,
    free: FreeRanges,
}

impl Arena {
    /// A part of the file; it is all zeros.
    pub fn take(&mut self, len: u64) -> Res<u64> {
        if let Some(at) = self.free.take(len, GRANULARITY) {
            return Ok(at);
        }
        let end = self.len.checked_add(len).ok_or(OUT_OF_MEMORY)?;
        let longer = match &self.file {
            Some(file) => file.set_len(end),
            None => new_file().and_then(|file| {
                file.set_len(end)?;
                self.file = Some(file);
                Ok(())
            }),
        };
        longer.map_err(|error| refused(len, &error))?;
        let at = self.len;
        self.len = end;
        Ok(at)
    }

    /// Gives a part back, whose pages nobody has mapped any more.
    pub fn give_back(&mut self, at: u64, len: u64) {
        let Some(file) = &self.file else { return };
        let (from, bytes) = (at as libc::off_t, len as libc::off_t);
        let hole = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        // SAFETY: a descriptor of our own.
        let emptied = unsafe { libc::fallocate(file.as_raw_fd(), hole, from, bytes) } == 0;
        // A part that has kept its contents is lost rather than given to somebody else.
        if emptied {
            let given = self.free.give_back(at, len);
            debug_assert!(given, "memory given back twice");
        }
    }

    /// Maps a part at an address.
    ///
    /// # Safety
    /// As for [`space::map_file`]; the part must have been taken.
    unsafe fn map(&self, addr: u64, len: u64, offset: u64) -> Result<(), SpaceError> {
        let file = self.file.as_ref().ok_or(SpaceError::OutOfMemory)?;
        // SAFETY: by this function's contract; the file is never made shorter.
        unsafe { space::map_file(addr, len, file.as_fd(), offset) }
    }
}

fn new_file() -> io::Result<File> {
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(c"cuox-memory".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new, and nobody else's.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(fd) }))
}

fn refused(len: u64, error: &io::Error) -> crate::code::Code {
    explain(format!(
        "the system refused {len} bytes of memory for cuMemCreate: {error}"
    ));
    OUT_OF_MEMORY
}

impl Physical {
    /// Maps the first `len` bytes at an address.
    ///
    /// # Safety
    /// The range must be part of one that was reserved for the caller.
    pub unsafe fn map(&self, arena: &Arena, addr: u64, len: u64) -> Result<(), SpaceError> {
        // SAFETY: by this function's contract; the memory has as many bytes, and keeps them.
        unsafe {
            match &self.pages {
                Pages::Part(offset) => arena.map(addr, len, *offset),
                Pages::Shared(pages) => space::map_file(addr, len, pages.file(), 0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back_as_zeros() {
        let mut arena = Arena::default();
        let first = arena.take(GRANULARITY).unwrap();
        let second = arena.take(2 * GRANULARITY).unwrap();
        assert_eq!((first, second), (0, GRANULARITY));
        let at = space::reserve(GRANULARITY, GRANULARITY).unwrap();
        // SAFETY: the range was reserved just now, and nobody else uses it.
        unsafe {
            arena.map(at, GRANULARITY, second).unwrap();
            (at as *mut u8).write(7);
            space::decommit(at, GRANULARITY);
            arena.give_back(second, 2 * GRANULARITY);
            assert_eq!(arena.take(GRANULARITY), Ok(second));
            arena.map(at, GRANULARITY, second).unwrap();
            assert_eq!((at as *const u8).read(), 0);
            space::decommit(at, GRANULARITY);
            space::unreserve(at, GRANULARITY);
        }
        assert_eq!(arena.take(u64::MAX), Err(OUT_OF_MEMORY));
    }
}
