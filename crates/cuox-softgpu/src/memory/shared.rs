//! Allocations that other processes map, and allocations of other processes.

use crate::code::{INVALID_CONTEXT, INVALID_VALUE, Res};
use crate::fault;
use crate::ipc::memory::{Import, Mapped};
use crate::ipc::{Bytes, Nonce};
use crate::memory::quarantine::Quarantined;
use crate::memory::{Allocation, Backing, Kind, Memory, Owner, slab};
use cuox_simt::space;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exporter's file, the allocation's id there, and the context that opened it here.
pub type ImportKey = (Nonce, u64, u64);

/// Opened allocations: where each is, and how often it is open.
pub type Imports = BTreeMap<ImportKey, Opened>;

/// An opened allocation.
pub struct Opened {
    at: u64,
    times: u64,
}

impl Memory {
    /// The handle by which other processes open the allocation that `at` points into. Its memory becomes shared with
    /// the first one; code that runs on it notices nothing.
    pub fn export(&self, at: u64) -> Res<Bytes> {
        let found = self.find(at).ok_or(INVALID_VALUE)?;
        // Held while pages move: nobody decommits them meanwhile.
        let mut exports = self.exports.lock();
        if !self.find(at).is_some_and(|now| Arc::ptr_eq(&now, &found)) {
            return Err(INVALID_VALUE);
        }
        let pages = match found.backing {
            Backing::Pages { committed, .. } => (found.start, committed, false),
            Backing::Slab => {
                let chunk = self.slabs.chunk_of(found.start);
                (chunk.ok_or(INVALID_VALUE)?, slab::CHUNK, true)
            }
            Backing::Foreign | Backing::Imported(_) | Backing::Mapped(_) => {
                return Err(INVALID_VALUE);
            }
        };
        found.exported.store(true, Ordering::Release);
        // SAFETY: the pages are a live allocation's, which are decommitted under the lock of `exports` only, or those
        // of a chunk, which never are.
        unsafe { exports.export(pages, (found.start, found.len, found.id)) }
    }

    /// Maps an allocation of another process for a context, or finds it mapped. Each opening is to be closed, but those
    /// of a pool's, which are closed once. Only a pool's may be of this very process.
    pub fn open_import(&self, bytes: &Bytes, owner: Owner, pool: u64) -> Res<u64> {
        let import = Import::of_bytes(bytes)?;
        if pool == 0 && import.is_own() {
            fault::explain(
                "the memory's handle is of this very process; use the memory itself".into(),
            );
            return Err(INVALID_CONTEXT);
        }
        let (nonce, id) = import.key;
        let key = (nonce, id, owner.context);
        let mut imports = self.imports.lock();
        if let Some(opened) = imports.get_mut(&key) {
            opened.times += u64::from(pool == 0);
            return Ok(opened.at);
        }
        let mapped = import.map()?;
        let allocation = Allocation {
            start: mapped.start,
            len: mapped.len,
            kind: Kind::Imported,
            owner,
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            flags: 0,
            pool,
            sync_memops: AtomicBool::new(false),
            advice: Mutex::default(),
            doomed: AtomicBool::new(false),
            exported: AtomicBool::new(false),
            backing: Backing::Imported(mapped),
            charged: 0,
        };
        let at = mapped.start;
        self.live.write().insert(at, Arc::new(allocation));
        imports.insert(key, Opened { at, times: 1 });
        Ok(at)
    }

    /// Closes an opened allocation once. With the last time it is unmapped; nothing may be running on it then.
    pub fn close_import(&self, at: u64) -> Res {
        let last = {
            let mut imports = self.imports.lock();
            let opened = imports.values_mut().find(|opened| opened.at == at);
            let opened = opened.ok_or(INVALID_VALUE)?;
            opened.times = opened.times.saturating_sub(1);
            opened.times == 0
        };
        if last {
            self.free(at, |a| a.kind == Kind::Imported)?;
        }
        Ok(())
    }

    /// From now on the allocation of another process at that address is mapped anew.
    pub fn forget_import(&self, at: u64) {
        self.imports.lock().retain(|_, opened| opened.at != at);
    }

    /// Unmaps an allocation of another process that is in no table any more.
    pub(super) fn release_import(&self, mapped: Mapped) {
        self.forget_import(mapped.start);
        // SAFETY: the range was this allocation's alone.
        unsafe { space::unmap_file(mapped.pages, mapped.bytes) };
        self.quarantine_memory(Quarantined::pages(
            mapped.pages,
            mapped.start - mapped.pages + mapped.len,
            mapped.reserved,
        ));
    }
}
