//! All allocations of the process: address, length, kind and owner.

pub(crate) mod advice;
pub(crate) mod physical;
pub(crate) mod pool;
pub(crate) mod quarantine;
mod shared;
pub mod slab;
pub(crate) mod virtual_memory;

use crate::code::{
    HOST_MEMORY_ALREADY_REGISTERED, HOST_MEMORY_NOT_REGISTERED, INVALID_VALUE, OUT_OF_MEMORY, Res,
};
use crate::ipc::memory::{Exports, Mapped};
use crate::{fault, settings};
use advice::Advice;
use cuox_simt::{memcheck, space, trap};
use parking_lot::{Mutex, RwLock};
use quarantine::{Quarantine, Quarantined};
use slab::AllSlabs;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use virtual_memory::{Mapping, VirtualMemory};

/// The kind of an allocation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `cuMemAlloc` and its like.
    Device,
    /// From a memory pool.
    Pooled,
    /// Page-locked host memory from a pool.
    PooledHost,
    /// Managed memory from a pool.
    PooledManaged,
    /// Page-locked host memory.
    Host,
    /// Managed memory.
    Managed,
    /// Host memory of the program's own that it registered.
    Registered,
    /// A module's variable.
    Global,
    /// A module's managed variable.
    ManagedGlobal,
    /// Of an allocation node of a graph.
    Graph,
    /// The same, of managed memory.
    GraphManaged,
    /// The kernels' own heap.
    Heap,
    /// A CUDA array's.
    Array,
    /// Memory of another process, mapped.
    Imported,
    /// Memory of `cuMemCreate`, mapped at an address.
    Mapped,
    /// The same, of the host's.
    MappedHost,
}

impl Kind {
    /// True if it takes from the device's memory.
    fn counts(self) -> bool {
        !matches!(
            self,
            Kind::Host
                | Kind::PooledHost
                | Kind::Registered
                | Kind::Imported
                | Kind::Mapped
                | Kind::MappedHost
        )
    }

    /// True if the memory type is "host" to the caller.
    pub fn is_host(self) -> bool {
        matches!(
            self,
            Kind::Host | Kind::PooledHost | Kind::Registered | Kind::MappedHost
        )
    }

    /// True if it is managed memory.
    pub fn is_managed(self) -> bool {
        matches!(
            self,
            Kind::Managed | Kind::PooledManaged | Kind::GraphManaged | Kind::ManagedGlobal
        )
    }

    /// True if it is of an allocation node of a graph.
    pub fn is_of_graph(self) -> bool {
        matches!(self, Kind::Graph | Kind::GraphManaged)
    }

    /// True if it is from a pool.
    pub fn is_pooled(self) -> bool {
        matches!(self, Kind::Pooled | Kind::PooledHost | Kind::PooledManaged)
    }
}

enum Backing {
    Slab,
    /// Committed bytes and reserved bytes (a guard page more).
    Pages {
        committed: u64,
        reserved: u64,
    },
    Foreign,
    /// Pages of another process.
    Imported(Mapped),
    /// Pages of `cuMemCreate`.
    Mapped(Mapping),
}

/// The owner of an allocation.
#[derive(Clone, Copy)]
pub struct Owner {
    /// The context it belongs to, 0 for none.
    pub context: u64,
    /// The device whose memory it takes.
    pub device: usize,
}

/// One allocation.
pub struct Allocation {
    /// Address.
    pub start: u64,
    /// Length as asked for.
    pub len: u64,
    pub kind: Kind,
    pub owner: Owner,
    /// Unique in the process.
    pub id: u64,
    /// The flags it was made with.
    pub flags: u32,
    /// The pool's handle, 0 for none.
    pub pool: u64,
    /// `CU_POINTER_ATTRIBUTE_SYNC_MEMOPS`.
    pub sync_memops: AtomicBool,
    /// What the program has said of its use, if it is managed memory.
    pub advice: Mutex<Advice>,
    /// A stream-ordered free is on its way.
    doomed: AtomicBool,
    /// Another process may have a handle of it.
    exported: AtomicBool,
    backing: Backing,
    charged: u64,
}

impl Allocation {
    /// True if `[at, at+len)` lies inside.
    pub fn covers(&self, at: u64, len: u64) -> bool {
        at >= self.start && len <= self.len && at - self.start <= self.len - len
    }

    /// Announces a stream-ordered free; answers whether this is the first time.
    pub fn doom(&self) -> bool {
        !self.doomed.swap(true, Ordering::AcqRel)
    }

    pub fn is_doomed(&self) -> bool {
        self.doomed.load(Ordering::Acquire)
    }

    /// What it maps, if it is memory of `cuMemCreate`.
    pub fn mapping(&self) -> Option<&Mapping> {
        match &self.backing {
            Backing::Mapped(mapping) => Some(mapping),
            _ => None,
        }
    }

    /// True if something may access it: all but what is mapped without access.
    fn is_accessible(&self) -> bool {
        self.mapping().is_none_or(|mapping| mapping.access().any())
    }

    /// True if it is a mapping that goes on where another one ends.
    fn continues(&self, before: &Allocation) -> bool {
        before.mapping().is_some()
            && self.mapping().is_some()
            && before.start + before.len == self.start
    }
}

/// An allocation to be made.
#[derive(Clone, Copy)]
pub struct Request {
    pub len: u64,
    pub kind: Kind,
    pub owner: Owner,
    pub flags: u32,
    pub pool: u64,
    pub align: u64,
    /// Addresses alone: [`Memory::commit`] gives them memory, which the caller takes from the device's.
    pub reserved_only: bool,
}

impl Request {
    pub fn new(len: u64, kind: Kind, owner: Owner) -> Request {
        Request {
            len,
            kind,
            owner,
            flags: 0,
            pool: 0,
            align: slab::ALIGN,
            reserved_only: false,
        }
    }
}

/// All memory.
pub struct Memory {
    /// Bytes of each device's.
    total: u64,
    /// Bytes that are allocated on each device.
    used: Vec<AtomicU64>,
    next_id: AtomicU64,
    live: RwLock<BTreeMap<u64, Arc<Allocation>>>,
    slabs: AllSlabs,
    quarantine: Mutex<Quarantine>,
    exports: Mutex<Exports>,
    imports: Mutex<shared::Imports>,
    virtual_memory: VirtualMemory,
}

/// Where an address lies, seen from an allocation.
pub struct Place {
    pub words: String,
    /// The allocation.
    pub start: u64,
    pub len: u64,
}

impl Memory {
    pub fn new(total: u64, devices: usize) -> Memory {
        Memory {
            total,
            used: (0..devices).map(|_| AtomicU64::new(0)).collect(),
            next_id: AtomicU64::new(1),
            live: RwLock::default(),
            slabs: AllSlabs::default(),
            quarantine: Mutex::default(),
            exports: Mutex::default(),
            imports: Mutex::default(),
            virtual_memory: VirtualMemory::new(),
        }
    }

    /// The number of devices.
    pub fn devices(&self) -> usize {
        self.used.len()
    }

    /// Bytes of memory that each device has.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Bytes of a device's memory still free.
    pub fn free_bytes(&self, device: usize) -> u64 {
        let used = self.used[device].load(Ordering::Relaxed);
        self.total.saturating_sub(used)
    }

    fn charge(&self, used: &AtomicU64, bytes: u64) -> Res {
        let taken = used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&sum| sum <= self.total)
        });
        taken.map(drop).map_err(|_| OUT_OF_MEMORY)
    }

    /// Makes an allocation; its contents are unspecified when it is small, else zero.
    pub fn allocate(&self, request: Request) -> Res<Arc<Allocation>> {
        if request.len == 0 {
            return Err(INVALID_VALUE);
        }
        let small =
            request.len <= slab::LARGEST && request.align <= slab::ALIGN && !request.reserved_only;
        let bytes = if small {
            slab::rounded(request.len)
        } else {
            Memory::in_pages(request.len)?
        };
        let counts = request.kind.counts() && !request.reserved_only;
        let charged = if counts { bytes } else { 0 };
        let used = &self.used[request.owner.device];
        self.charge(used, charged)?;
        let placed = if small {
            let for_host = request.kind.is_host() || request.kind.is_managed();
            self.slabs
                .take(request.len, for_host)
                .map(|at| (at, Backing::Slab))
        } else {
            self.map_pages(bytes, request.align, !request.reserved_only)
        };
        let Some((start, backing)) = placed else {
            used.fetch_sub(charged, Ordering::Relaxed);
            return Err(OUT_OF_MEMORY);
        };
        let allocation = Arc::new(Allocation {
            start,
            len: request.len,
            kind: request.kind,
            owner: request.owner,
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            flags: request.flags,
            pool: request.pool,
            sync_memops: AtomicBool::new(false),
            advice: Mutex::default(),
            doomed: AtomicBool::new(false),
            exported: AtomicBool::new(false),
            backing,
            charged,
        });
        self.live.write().insert(start, allocation.clone());
        Ok(allocation)
    }

    /// A number of bytes, in whole pages.
    pub fn in_pages(bytes: u64) -> Res<u64> {
        let page = trap::page_size();
        let end = bytes.checked_add(page - 1).ok_or(OUT_OF_MEMORY)?;
        Ok(end & !(page - 1))
    }

    /// Takes bytes from a device's memory.
    pub fn take(&self, device: usize, bytes: u64) -> Res {
        self.charge(&self.used[device], bytes)
    }

    /// Gives bytes back that [`Memory::take`] has taken.
    pub fn give_back(&self, device: usize, bytes: u64) {
        self.used[device].fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Gives an allocation that was only reserved memory; all of it is zero.
    pub fn commit(&self, reserved: &Allocation) -> Res {
        let Backing::Pages { committed, .. } = reserved.backing else {
            return Err(INVALID_VALUE);
        };
        // SAFETY: the range was reserved for this allocation, which is live.
        unsafe { space::commit(reserved.start, committed) }.map_err(|_| OUT_OF_MEMORY)
    }

    /// Takes the memory of an allocation that was only reserved. Nothing may be running on it.
    pub fn decommit(&self, reserved: &Allocation) {
        if let Backing::Pages { committed, .. } = reserved.backing {
            // SAFETY: the range was reserved for this allocation, and the caller says that its contents are unused.
            unsafe { space::decommit(reserved.start, committed) };
        }
    }

    fn map_pages(&self, bytes: u64, align: u64, commit: bool) -> Option<(u64, Backing)> {
        const HUGE: u64 = 2 << 20;
        let page = trap::page_size();
        let align = if bytes >= 2 * HUGE {
            align.max(HUGE)
        } else {
            align.max(page)
        };
        let reserved = bytes.checked_add(page)?;
        let at = space::reserve(reserved, align).or_else(|| {
            self.release_quarantined_pages();
            space::reserve(reserved, align)
        })?;
        // SAFETY: the range was reserved just now and is nobody else's.
        if commit && unsafe { space::commit(at, bytes) }.is_err() {
            // SAFETY: the whole range that `reserve` gave goes back, and no address in it was handed out.
            unsafe { space::unreserve(at, reserved) };
            return None;
        }
        Some((
            at,
            Backing::Pages {
                committed: bytes,
                reserved,
            },
        ))
    }

    /// Puts all resting address space back to use.
    fn release_quarantined_pages(&self) {
        for rest in self.quarantine.lock().take_pages() {
            rest.end(&self.slabs);
        }
    }

    /// Puts all resting blocks of slabs back to use.
    pub fn release_quarantined_blocks(&self) {
        let resting = self.quarantine.lock().take_small();
        for rest in resting {
            rest.end(&self.slabs);
        }
    }

    /// Ends an allocation whose start is `at`, if `wanted` accepts it. Nothing may be running on it.
    pub fn free(&self, at: u64, wanted: impl Fn(&Allocation) -> bool) -> Res<Arc<Allocation>> {
        let gone = {
            let mut live = self.live.write();
            match live.get(&at) {
                Some(a) if wanted(a) => live.remove(&at),
                _ => None,
            }
        };
        let gone = gone.ok_or(INVALID_VALUE)?;
        self.release(&gone);
        Ok(gone)
    }

    fn release(&self, gone: &Allocation) {
        memcheck::memory_freed();
        let (start, len) = (gone.start, gone.len);
        if gone.exported.load(Ordering::Acquire) {
            self.exports.lock().withdraw(start);
        }
        match gone.backing {
            Backing::Slab if settings::checks_memory() => {
                self.quarantine_memory(Quarantined::small(start, len));
            }
            Backing::Slab => self.slabs.give(start, len),
            Backing::Imported(mapped) => self.release_import(mapped),
            Backing::Foreign => space::allow_outside(false),
            // `unmap` ends these.
            Backing::Mapped(_) => {}
            Backing::Pages {
                committed,
                reserved,
            } => {
                // Whoever is just moving it to a file goes first.
                let mut exports = self.exports.lock();
                // SAFETY: the range belonged to this allocation, which is in no table any more.
                unsafe { space::decommit(start, committed) };
                exports.forget(start);
                drop(exports);
                self.quarantine_memory(Quarantined::pages(start, len, reserved));
            }
        }
        self.used[gone.owner.device].fetch_sub(gone.charged, Ordering::Relaxed);
    }

    /// Lets the memory of an allocation that has ended rest before it is used again.
    fn quarantine_memory(&self, gone: Quarantined) {
        let ended = self.quarantine.lock().add(gone);
        for rest in ended {
            rest.end(&self.slabs);
        }
    }

    /// Ends every allocation that `doomed` accepts.
    pub fn free_where(&self, doomed: impl Fn(&Allocation) -> bool) {
        let mut gone = Vec::new();
        self.live.write().retain(|_, a| {
            let dies = doomed(a);
            if dies {
                gone.push(a.clone());
            }
            !dies
        });
        for a in gone {
            self.release(&a);
        }
    }

    /// The allocation that `at` points into.
    pub fn find(&self, at: u64) -> Option<Arc<Allocation>> {
        let live = self.live.read();
        let (_, a) = live.range(..=at).next_back()?;
        a.covers(at, 1).then(|| a.clone())
    }

    /// The target of an access of `bytes` bytes to `at`, seen from the allocation that was there, or from the nearest
    /// one, in words; nothing if none is within a gibibyte.
    pub fn describe(&self, at: u64, bytes: u64) -> Option<String> {
        Some(self.locate(at, bytes)?.words)
    }

    /// The same, with the allocation.
    pub fn locate(&self, at: u64, bytes: u64) -> Option<Place> {
        if !self.is_live(at, 1)
            && let Some((start, len)) = self.quarantine.lock().find(at)
        {
            let words = format!(
                "{} bytes into the allocation of {len} bytes at {start:#x}, which has been freed",
                at - start
            );
            return Some(Place { words, start, len });
        }
        if let Some(place) = self.locate_virtual(at) {
            return Some(place);
        }
        let live = self.live.read();
        let below = live.range(..=at).next_back().map(|(_, a)| a);
        let above = live.range(at..).next().map(|(_, a)| a);
        let past = |a: &Arc<Allocation>| at - a.start;
        let ahead = |a: &Arc<Allocation>| a.start - at;
        let first =
            below.is_some_and(|b| above.is_none_or(|a| past(b).saturating_sub(b.len) <= ahead(a)));
        let far = |distance: u64| distance > 1 << 30;
        let (distance, a) = match (below, above) {
            (Some(b), _) if first && past(b) < b.len => {
                let place = format!(
                    "{} bytes into the allocation of {} bytes at {:#x}",
                    past(b),
                    b.len,
                    b.start
                );
                let end = past(b).saturating_add(bytes);
                let words = match end.checked_sub(b.len) {
                    None | Some(0) => place,
                    Some(over) => format!(
                        "{place}, and the last {over} of the {bytes} bytes are past its end"
                    ),
                };
                let (start, len) = (b.start, b.len);
                return Some(Place { words, start, len });
            }
            (Some(b), _) if first && far(past(b) - b.len) => return None,
            (None, Some(a)) | (Some(_), Some(a)) if !first && far(ahead(a)) => return None,
            (Some(b), _) if first && past(b) == b.len => ("right at the end of".to_owned(), b),
            (Some(b), _) if first => (format!("{} bytes past the end of", past(b) - b.len), b),
            (_, Some(a)) => (format!("{} bytes before", ahead(a)), a),
            _ => return None,
        };
        let (len, start) = (a.len, a.start);
        let words = format!("{distance} the allocation of {len} bytes at {start:#x}");
        Some(Place { words, start, len })
    }

    /// True if `[at, at+len)` is inside one allocation, or inside mappings that follow each other, all of them
    /// accessible.
    pub fn is_live(&self, at: u64, len: u64) -> bool {
        let extent = self.extent(at, len.max(1));
        extent.is_some_and(|(start, have)| have - (at - start) >= len.max(1))
    }

    /// Start and length of the allocation that `at` points into. Mappings that follow each other count as one, as far
    /// as `len` bytes from `at` on need; mappings without access as nothing.
    pub fn extent(&self, at: u64, len: u64) -> Option<(u64, u64)> {
        let live = self.live.read();
        let (_, first) = live.range(..=at).next_back()?;
        if !first.covers(at, 1) || !first.is_accessible() {
            return None;
        }
        let (mut end, mut last) = (first.start + first.len, first);
        if end - at < len && first.mapping().is_some() {
            for (_, next) in live.range(end..) {
                if end - at >= len || !next.continues(last) || !next.is_accessible() {
                    break;
                }
                (end, last) = (next.start + next.len, next);
            }
        }
        Some((first.start, end - first.start))
    }

    /// Checks a device-side operand.
    pub fn check_device(&self, at: u64, len: u64) -> Res {
        if self.is_live(at, len) {
            return Ok(());
        }
        let near = self.describe(at, len);
        let near = near.map_or(String::new(), |near| format!("; the address is {near}"));
        fault::explain(format!(
            "{len} bytes at {at:#x} are not all inside one allocation{near}"
        ));
        Err(INVALID_VALUE)
    }

    /// Checks an operand that may be ordinary host memory: only addresses of ours can be judged.
    pub fn check_any(&self, at: u64, len: u64) -> Res {
        if space::contains(at, 1) {
            self.check_device(at, len)
        } else if at == 0 {
            Err(INVALID_VALUE)
        } else {
            Ok(())
        }
    }

    /// Makes `[start, start+len)` of the program's own memory known.
    pub fn register(&self, start: u64, len: u64, owner: Owner, flags: u32) -> Res {
        if start == 0 || len == 0 || start.checked_add(len).is_none() {
            return Err(INVALID_VALUE);
        }
        let mut live = self.live.write();
        let before = live.range(..start + len).next_back();
        if before.is_some_and(|(_, a)| a.start + a.len > start) {
            return Err(HOST_MEMORY_ALREADY_REGISTERED);
        }
        if space::contains(start, 1) {
            return Err(INVALID_VALUE);
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        live.insert(
            start,
            Arc::new(Allocation {
                start,
                len,
                kind: Kind::Registered,
                owner,
                id,
                flags,
                pool: 0,
                sync_memops: AtomicBool::new(false),
                advice: Mutex::default(),
                doomed: AtomicBool::new(false),
                exported: AtomicBool::new(false),
                backing: Backing::Foreign,
                charged: 0,
            }),
        );
        space::allow_outside(true);
        Ok(())
    }

    /// Forgets registered memory.
    pub fn unregister(&self, start: u64) -> Res {
        self.free(start, |a| a.kind == Kind::Registered)
            .map(drop)
            .map_err(|_| HOST_MEMORY_NOT_REGISTERED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(context: u64) -> Owner {
        Owner { context, device: 0 }
    }

    #[test]
    fn each_device_has_memory_of_its_own() {
        let m = Memory::new(16 << 20, 2);
        let request = |device| Request::new(12 << 20, Kind::Device, Owner { context: 1, device });
        let first = m.allocate(request(0)).unwrap();
        assert_eq!((m.free_bytes(0), m.free_bytes(1)), (4 << 20, 16 << 20));
        assert_eq!(m.allocate(request(0)).err(), Some(OUT_OF_MEMORY));
        m.allocate(request(1)).unwrap();
        m.free(first.start, |_| true).unwrap();
        assert_eq!((m.free_bytes(0), m.free_bytes(1)), (16 << 20, 4 << 20));
    }

    #[test]
    fn allocations_are_found_bounded_and_counted() {
        let m = Memory::new(16 << 20, 2);
        let a = m
            .allocate(Request::new(1000, Kind::Device, owner(1)))
            .unwrap();
        let b = m
            .allocate(Request::new(1 << 20, Kind::Device, owner(2)))
            .unwrap();
        assert_eq!((a.start % 512, b.start % 4096), (0, 0));
        assert_eq!(m.free_bytes(0), (15 << 20) - 1024);
        assert!(m.is_live(a.start + 999, 1) && !m.is_live(a.start + 999, 2));
        assert!(m.is_live(b.start, 1 << 20) && !m.is_live(b.start, (1 << 20) + 1));
        assert!(m.check_device(b.start + 1, u64::MAX).is_err());
        assert_eq!(m.find(b.start + 77).unwrap().id, b.id);
        assert_eq!(
            m.allocate(Request::new(16 << 20, Kind::Device, owner(1)))
                .err(),
            Some(OUT_OF_MEMORY)
        );
        assert_eq!(
            m.allocate(Request::new(u64::MAX, Kind::Host, owner(1)))
                .err(),
            Some(OUT_OF_MEMORY)
        );
        assert!(
            m.allocate(Request::new(32 << 20, Kind::Host, owner(1)))
                .is_ok(),
            "host memory is not the device's"
        );
        assert!(m.free(b.start + 1, |_| true).is_err());
        let end = b.start + (1 << 20);
        let near = m.describe(end + 24, 4).unwrap();
        assert_eq!(
            near,
            format!(
                "24 bytes past the end of the allocation of 1048576 bytes at {:#x}",
                b.start
            )
        );
        let near = m.describe(b.start + 5, 4).unwrap();
        assert_eq!(
            near,
            format!(
                "5 bytes into the allocation of 1048576 bytes at {:#x}",
                b.start
            )
        );
        assert_eq!(m.describe(0x10, 4), None);
        m.free(b.start, |_| true).unwrap();
        assert!(m.free(b.start, |_| true).is_err());
        // SAFETY: the write to inaccessible memory, on purpose, is caught.
        let after_free = unsafe { trap::fill(b.start, 0, 1) };
        assert!(after_free.is_err(), "use after free faults");
        m.free_where(|x| x.owner.context == 1);
        assert!(m.find(a.start).is_none());
        assert_eq!(m.free_bytes(0), 16 << 20);
    }

    #[test]
    fn registered_memory_cannot_overlap() {
        let m = Memory::new(1 << 20, 1);
        let own = vec![0u8; 8192];
        let at = own.as_ptr() as u64;
        m.register(at, 4096, owner(0), 0).unwrap();
        assert_eq!(
            m.register(at + 4095, 10, owner(0), 0),
            Err(HOST_MEMORY_ALREADY_REGISTERED)
        );
        assert_eq!(m.unregister(at + 1), Err(HOST_MEMORY_NOT_REGISTERED));
        assert!(m.is_live(at, 4096));
        m.unregister(at).unwrap();
        assert_eq!(m.register(0, 1, owner(0), 0), Err(INVALID_VALUE));
    }
}
