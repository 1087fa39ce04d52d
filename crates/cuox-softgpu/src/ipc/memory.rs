//! Device memory in files: what this process has given out handles of.
//!
//! A file has the pages of one allocation, or those of a chunk of small ones, and behind them the file's random number
//! and a table of the exported allocations' ids, by place. An allocation that is freed leaves the table, so its handle
//! is stale at once even if the pages go on.

use crate::code::{INVALID_HANDLE, OUT_OF_MEMORY, Res};
use crate::fault::explain;
use crate::ipc::{Bytes, Handle, Nonce, Shareable, read_words, stale};
use crate::memory::slab;
use cuox_simt::{space, trap};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::File;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;

const MAGIC: &[u8; 8] = b"cuoxIPCm";
const NONCE_BYTES: u64 = 16;

/// Pages that are in a file now.
struct Moved {
    len: u64,
    shareable: Shareable,
}

/// The pages of this process that are in files, by their first address.
#[derive(Default)]
pub struct Exports {
    moved: BTreeMap<u64, Moved>,
}

/// Place in a file of the entry for an allocation that begins `offset` bytes into its `len` bytes of pages.
fn entry_at(len: u64, offset: u64) -> u64 {
    len + NONCE_BYTES + offset / slab::ALIGN * 8
}

impl Exports {
    /// The handle of an allocation inside the pages `[pages, pages+len)`, which move to a file unless they are in one.
    /// `several` is true if other allocations may be in them too.
    ///
    /// # Safety
    /// The pages must be committed, and this process's alone to decommit.
    pub unsafe fn export(
        &mut self,
        (pages, len, several): (u64, u64, bool),
        (start, bytes, id): (u64, u64, u64),
    ) -> Res<Bytes> {
        let offset = start - pages;
        let moved = match self.moved.entry(pages) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => {
                let most = if several { len - 1 } else { 0 };
                let end = (entry_at(len, most) + 8).next_multiple_of(trap::page_size());
                let shareable = Shareable::new(end, len)?;
                // SAFETY: the caller guarantees that the pages are committed and stay so; the file is longer and
                // sealed.
                let moved = unsafe { space::move_to_file(pages, len, shareable.file.as_fd()) };
                if let Err(error) = moved {
                    explain(format!(
                        "{len} bytes of memory could not be shared: {error}"
                    ));
                    return Err(OUT_OF_MEMORY);
                }
                free.insert(Moved { len, shareable })
            }
        };
        set_entry(moved, offset, id).ok_or(OUT_OF_MEMORY)?;
        let handle = moved
            .shareable
            .handle(MAGIC, moved.len, [offset, bytes, id]);
        Ok(handle.to_bytes())
    }

    /// The exported allocation at `start` ends: its handles are stale from now on.
    pub fn withdraw(&mut self, start: u64) {
        if let Some((pages, moved)) = self.moved.range(..=start).next_back()
            && start - pages < moved.len
        {
            let _ = set_entry(moved, start - pages, 0);
        }
    }

    /// The pages are decommitted now; whoever has mapped them keeps them.
    pub fn forget(&mut self, pages: u64) {
        self.moved.remove(&pages);
    }
}

fn set_entry(moved: &Moved, offset: u64, id: u64) -> Option<()> {
    let at = entry_at(moved.len, offset);
    moved
        .shareable
        .file
        .write_all_at(&id.to_le_bytes(), at)
        .ok()
}

/// An allocation of another process, still to be mapped.
pub struct Import {
    pub key: (Nonce, u64),
    handle: Handle,
}

/// An allocation of another process, mapped.
#[derive(Clone, Copy)]
pub struct Mapped {
    /// Start of the allocation.
    pub start: u64,
    pub len: u64,
    /// The pages that contain it.
    pub pages: u64,
    pub bytes: u64,
    /// Address space, a guard page included.
    pub reserved: u64,
}

impl Import {
    pub fn of_bytes(bytes: &Bytes) -> Res<Import> {
        let handle = Handle::of_bytes(bytes, MAGIC)?;
        let [_, _, id] = handle.rest;
        Ok(Import {
            key: (handle.nonce, id),
            handle,
        })
    }

    /// True if it is this very process's.
    pub fn is_own(&self) -> bool {
        self.handle.is_own()
    }

    /// Maps the allocation into this process.
    pub fn map(&self) -> Res<Mapped> {
        let file = self.handle.open()?;
        let (len, [offset, bytes, id]) = (self.handle.nonce_at, self.handle.rest);
        if read_words(&file, entry_at(len, offset.min(len))) != Some([id]) || id == 0 {
            return Err(stale(self.handle.pid));
        }
        let page = trap::page_size();
        let skipped = offset % page;
        let end = offset.checked_add(bytes).filter(|&end| end <= len);
        let end = end.ok_or(INVALID_HANDLE)?.next_multiple_of(page);
        self.place(&file, offset - skipped, end.min(len), skipped)
            .ok_or(OUT_OF_MEMORY)
    }

    fn place(&self, file: &File, from: u64, to: u64, skipped: u64) -> Option<Mapped> {
        const HUGE: u64 = 2 << 20;
        let page = trap::page_size();
        let (bytes, reserved) = (to - from, to - from + page);
        let align = if bytes >= 2 * HUGE { HUGE } else { page };
        let pages = space::reserve(reserved, align)?;
        // SAFETY: the range was reserved just now; the file is sealed, and is longer than `to`, since there are words
        // behind it.
        if unsafe { space::map_file(pages, bytes, file.as_fd(), from) }.is_err() {
            // SAFETY: the whole range that `reserve` gave goes back, and no address in it was handed out.
            unsafe { space::unreserve(pages, reserved) };
            return None;
        }
        Some(Mapped {
            start: pages + skipped,
            len: self.handle.rest[1],
            pages,
            bytes,
            reserved,
        })
    }
}
