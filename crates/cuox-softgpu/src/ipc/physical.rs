//! Memory of `cuMemCreate` that can be given to other processes: a file of its pages, and behind them a page that says
//! what it is.

use crate::code::{INVALID_HANDLE, OUT_OF_MEMORY, Res};
use crate::fault::explain;
use crate::ipc::{Nonce, Shareable, descriptor_of, file_of_descriptor, read_words};
use cuox_abi::{CUmemLocation, CUmemLocationType};
use cuox_simt::trap;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;

const MAGIC: u64 = u64::from_le_bytes(*b"cuoxIPCv");
/// The place of the words behind the file's random number.
const WORDS: u64 = 16;

/// A file that has the pages of an allocation.
pub struct SharedPages {
    file: File,
    pub nonce: Nonce,
}

/// An allocation of a file.
pub struct OfDescriptor {
    pub pages: SharedPages,
    pub len: u64,
    pub place: CUmemLocation,
}

impl SharedPages {
    /// A file of `len` bytes (whole pages) of zeros.
    pub fn new(len: u64, place: CUmemLocation) -> Res<SharedPages> {
        let whole = len.checked_add(trap::page_size()).ok_or(OUT_OF_MEMORY)?;
        let Shareable { file, nonce } = Shareable::new(whole, len)?;
        let words = [
            MAGIC,
            len,
            u64::from(place.type_.0),
            u64::from(place.id as u32),
        ];
        file.write_all_at(&words.map(u64::to_le_bytes).concat(), len + WORDS)
            .map_err(|_| OUT_OF_MEMORY)?;
        Ok(SharedPages { file, nonce })
    }

    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// A new descriptor of the file, which the program closes.
    pub fn descriptor(&self) -> Res<i32> {
        descriptor_of(&self.file)
    }

    /// The allocation that a descriptor, which stays the program's, stands for.
    pub fn of_descriptor(descriptor: i32) -> Res<OfDescriptor> {
        let known = file_of_descriptor(descriptor).and_then(|file| {
            let end = file.metadata().ok()?.len();
            let at = end.checked_sub(trap::page_size())?;
            let [magic, len, type_, id] = read_words(&file, at + WORDS)?;
            let nonce = read_words(&file, at)?;
            let place = CUmemLocation {
                type_: CUmemLocationType(type_ as u32),
                id: id as i32,
            };
            let pages = SharedPages { file, nonce };
            (magic == MAGIC && len == at).then_some(OfDescriptor { pages, len, place })
        });
        known.ok_or_else(|| {
            explain(format!(
                "descriptor {descriptor} is not that of memory of the software GPU's that cuMemExportToShareableHandle gave"
            ));
            INVALID_HANDLE
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

    #[test]
    fn descriptors_of_memory_are_told_from_others() {
        let place = CUmemLocation {
            type_: CUmemLocationType::CU_MEM_LOCATION_TYPE_HOST_NUMA,
            id: 3,
        };
        let pages = SharedPages::new(2 << 20, place).unwrap();
        // SAFETY: a new descriptor, which only this value owns.
        let given = unsafe { OwnedFd::from_raw_fd(pages.descriptor().unwrap()) };
        let found = SharedPages::of_descriptor(given.as_raw_fd()).unwrap();
        assert_eq!((found.len, found.place), (2 << 20, place));
        assert_eq!(found.pages.nonce, pages.nonce);
        let other = File::open("/dev/null").unwrap();
        let pool = Shareable::new(4096, 0).unwrap();
        for wrong in [other.as_raw_fd(), pool.file.as_raw_fd(), -1, i32::MAX] {
            let refused = SharedPages::of_descriptor(wrong).err();
            assert_eq!(refused, Some(INVALID_HANDLE), "{wrong}");
        }
    }
}
