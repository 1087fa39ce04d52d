//! Addresses without memory, and memory mapped at them: what `cuMemAddressReserve`, `cuMemCreate`, `cuMemMap` and
//! `cuMemSetAccess` do.

use crate::code::{INVALID_VALUE, NOT_SUPPORTED, OUT_OF_MEMORY, Res};
use crate::fault::explain;
use crate::handle::{HandleKind, Table};
use crate::ipc::physical::{OfDescriptor, SharedPages};
use crate::memory::advice::Advice;
use crate::memory::physical::{Arena, GRANULARITY, Pages, Physical};
use crate::memory::quarantine::Quarantined;
use crate::memory::{Allocation, Backing, Kind, Memory, Owner, Place};
use cuox_abi::CUmemLocation;
use cuox_simt::space::{self, Protection};
use cuox_simt::{memcheck, trap};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// `CU_MEM_ACCESS_FLAGS_PROT_READ`, and the bit that `CU_MEM_ACCESS_FLAGS_PROT_READWRITE` has besides.
const READ: u32 = 1;
const WRITE: u32 = 2;

/// What places may do with a mapping: a bit for each device, and one for the host.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Access {
    read: u64,
    write: u64,
}

/// The host's bit, behind those of the devices.
const HOST: u32 = 63;

impl Access {
    /// What a device may do, as `CUmemAccess_flags` has it.
    pub fn of_device(self, device: usize) -> u32 {
        self.of_bit(device as u32)
    }

    /// What the host may do.
    pub fn of_host(self) -> u32 {
        self.of_bit(HOST)
    }

    fn of_bit(self, bit: u32) -> u32 {
        let has = |bits: u64| bits >> bit & 1 != 0;
        (u32::from(has(self.read)) * READ) | (u32::from(has(self.write)) * WRITE)
    }

    /// True if some place may do something.
    pub fn any(self) -> bool {
        self.read | self.write != 0
    }

    fn with(self, change: AccessChange) -> Access {
        let bit = 1 << change.device.map_or(HOST, |device| device as u32);
        let set = |bits: u64, flag| match change.flags & flag {
            0 => bits & !bit,
            _ => bits | bit,
        };
        Access {
            read: set(self.read, READ),
            write: set(self.write, WRITE),
        }
    }

    /// There is one page table for all devices: pages may be used as any of them may use them.
    fn protection(self) -> Protection {
        match (self.read, self.write) {
            (0, 0) => Protection::None,
            (_, 0) => Protection::Read,
            _ => Protection::ReadWrite,
        }
    }
}

/// What a place may do from now on.
#[derive(Clone, Copy)]
pub struct AccessChange {
    /// The device; the host without one.
    pub device: Option<usize>,
    /// As `CUmemAccess_flags` has it.
    pub flags: u32,
}

/// Memory mapped at an address.
pub struct Mapping {
    pub physical: Arc<Physical>,
    /// Start and length of the reservation that it lies in.
    pub reservation: (u64, u64),
    access: Mutex<Access>,
}

impl Mapping {
    pub fn access(&self) -> Access {
        *self.access.lock()
    }
}

/// Who has memory: the program by its handle, and mappings, as often each.
#[derive(Clone, Copy, Default)]
struct Holders {
    handles: u64,
    mappings: u64,
}

#[derive(Default)]
struct State {
    /// Lengths by starts.
    reservations: BTreeMap<u64, u64>,
    mappings: BTreeMap<u64, Arc<Allocation>>,
    holders: HashMap<u64, Holders>,
    arena: Arena,
}

/// Reservations, mappings, and memory without an address.
pub struct VirtualMemory {
    physical: Table<Physical>,
    state: Mutex<State>,
}

impl VirtualMemory {
    pub fn new() -> VirtualMemory {
        VirtualMemory {
            physical: Table::new(HandleKind::PhysicalMemory),
            state: Mutex::default(),
        }
    }
}

impl State {
    /// The reservation that an address lies in.
    fn reservation_of(&self, at: u64) -> Option<(u64, u64)> {
        let (&start, &len) = self.reservations.range(..=at).next_back()?;
        (at - start < len).then_some((start, len))
    }

    /// The mappings in `[at, at+len)`, a part of a reservation, which must be whole. There may be holes, or nothing
    /// else.
    fn mappings_of(&self, at: u64, len: u64) -> Res<Vec<Arc<Allocation>>> {
        let refused = |words: &str| {
            explain(format!("{len} bytes at {at:#x} {words}"));
            INVALID_VALUE
        };
        let reservation = self.reservation_of(at);
        reservation
            .filter(|&(start, all)| len != 0 && len <= all - (at - start))
            .ok_or_else(|| refused("are not inside a reservation of cuMemAddressReserve"))?;
        let end = at + len;
        let ends_inside = |mapping: &Allocation| mapping.start + mapping.len <= end;
        let before = self.mappings.range(..at).next_back();
        let is_cut = before.is_some_and(|(_, mapping)| mapping.covers(at, 1));
        let found = self.mappings.range(at..end).map(|(_, mapping)| mapping);
        let found = found.cloned().collect::<Vec<_>>();
        if is_cut || !found.iter().all(|mapping| ends_inside(mapping)) {
            return Err(refused("contain a part of a mapping (cuMemMap)"));
        }
        Ok(found)
    }
}

impl State {
    /// Lets places do with a mapping what they may from now on. The caller holds the state.
    fn give_access(arena: &Arena, one: &Allocation, after: Access) -> Res {
        let Some(mapping) = one.mapping() else {
            return Ok(());
        };
        let mut access = mapping.access.lock();
        // SAFETY: the range is part of a reservation, which is not freed while the state is held; the memory has as
        // many bytes.
        let done = unsafe {
            match access.any() {
                false if after.any() => mapping
                    .physical
                    .map(arena, one.start, one.len)
                    .and_then(|()| space::protect(one.start, one.len, after.protection()))
                    .inspect_err(|_| space::unmap_file(one.start, one.len)),
                false => Ok(()),
                true => space::protect(one.start, one.len, after.protection()),
            }
        };
        done.map_err(|_| OUT_OF_MEMORY)?;
        *access = after;
        Ok(())
    }
}

impl Memory {
    /// Reserves addresses: `len` bytes (a multiple of the granularity), at a multiple of `align`, and at `hint` if that
    /// is free.
    pub fn reserve_addresses(&self, len: u64, align: u64, hint: u64) -> Res<u64> {
        let page = trap::page_size();
        if len == 0 || !len.is_multiple_of(GRANULARITY) || !hint.is_multiple_of(page) {
            explain(format!(
                "the size {len} must be a multiple of {GRANULARITY} bytes and more than 0, and the address {hint:#x} a multiple of {page} bytes"
            ));
            return Err(INVALID_VALUE);
        }
        if align != 0 && !align.is_power_of_two() {
            explain(format!("the alignment {align} is not a power of two"));
            return Err(INVALID_VALUE);
        }
        let align = align.max(GRANULARITY);
        let reserve = || match hint {
            hint if hint.is_multiple_of(align) && space::reserve_at(hint, len) => Some(hint),
            _ => None,
        };
        let anywhere = || space::reserve(len, align);
        // Freed addresses rest: a program that asks for them itself gets them, and so does one that finds no others.
        let at = reserve().or_else(|| {
            (hint != 0).then(|| self.release_quarantined_pages());
            reserve().or_else(anywhere)
        });
        let at = at.or_else(|| {
            self.release_quarantined_pages();
            anywhere()
        });
        let at = at.ok_or(OUT_OF_MEMORY)?;
        self.virtual_memory
            .state
            .lock()
            .reservations
            .insert(at, len);
        Ok(at)
    }

    /// Frees a reservation, which nothing may be mapped in.
    pub fn free_addresses(&self, at: u64, len: u64) -> Res {
        let mut state = self.virtual_memory.state.lock();
        if state.reservations.get(&at) != Some(&len) {
            explain(format!(
                "{len} bytes at {at:#x} are not a reservation of cuMemAddressReserve"
            ));
            return Err(INVALID_VALUE);
        }
        if state.mappings.range(at..at + len).next().is_some() {
            explain("memory is mapped in the reservation: call cuMemUnmap first".into());
            return Err(INVALID_VALUE);
        }
        state.reservations.remove(&at);
        drop(state);
        self.quarantine_memory(Quarantined::pages(at, len, len));
        Ok(())
    }

    /// Makes memory without an address, all zeros. Answers its handle.
    pub fn create_physical(
        &self,
        len: u64,
        place: CUmemLocation,
        device: Option<usize>,
        handle_types: u32,
    ) -> Res<u64> {
        let charged = if device.is_some() { len } else { 0 };
        let of = device.unwrap_or(0);
        self.take(of, charged)?;
        let made = match handle_types {
            0 => {
                let part = self.virtual_memory.state.lock().arena.take(len);
                part.map(Pages::Part)
            }
            _ => SharedPages::new(len, place).map(Pages::Shared),
        };
        let pages = made.inspect_err(|_| self.give_back(of, charged))?;
        let part = match &pages {
            Pages::Part(at) => Some(*at),
            Pages::Shared(_) => None,
        };
        let mut state = self.virtual_memory.state.lock();
        let added = self.add_physical(&mut state, |handle| Physical {
            handle,
            len,
            place,
            device: of,
            is_host: device.is_none(),
            handle_types,
            pages,
            charged,
        });
        added.inspect_err(|_| {
            if let Some(at) = part {
                state.arena.give_back(at, len);
            }
            self.give_back(of, charged);
        })
    }

    /// Adds memory without an address, which the program has a handle of.
    fn add_physical(&self, state: &mut State, make: impl FnOnce(u64) -> Physical) -> Res<u64> {
        let all = &self.virtual_memory;
        let made = all.physical.insert(make).ok_or(OUT_OF_MEMORY)?;
        let holders = Holders {
            handles: 1,
            mappings: 0,
        };
        state.holders.insert(made.handle, holders);
        Ok(made.handle)
    }

    /// The memory with that handle.
    pub fn physical(&self, handle: u64) -> Res<Arc<Physical>> {
        let state = self.virtual_memory.state.lock();
        self.held(&state, handle)
    }

    fn held(&self, state: &State, handle: u64) -> Res<Arc<Physical>> {
        let is_held = state.holders.get(&handle).is_some_and(|h| h.handles > 0);
        let found = self.virtual_memory.physical.get(handle);
        found.filter(|_| is_held).ok_or_else(|| {
            explain(format!(
                "{handle:#x} is not a handle of memory of cuMemCreate, or was released"
            ));
            INVALID_VALUE
        })
    }

    /// Gives a handle of memory back once.
    pub fn release_physical(&self, handle: u64) -> Res {
        let mut state = self.virtual_memory.state.lock();
        self.held(&state, handle)?;
        self.drop_holder(&mut state, handle, |holders| &mut holders.handles);
        Ok(())
    }

    /// One holder less; without any the memory ends.
    fn drop_holder(
        &self,
        state: &mut State,
        handle: u64,
        which: impl Fn(&mut Holders) -> &mut u64,
    ) {
        let Some(holders) = state.holders.get_mut(&handle) else {
            return;
        };
        let count = which(holders);
        *count = count.saturating_sub(1);
        if holders.handles > 0 || holders.mappings > 0 {
            return;
        }
        state.holders.remove(&handle);
        if let Some(gone) = self.virtual_memory.physical.remove(handle) {
            if let Pages::Part(at) = gone.pages {
                state.arena.give_back(at, gone.len);
            }
            self.give_back(gone.device, gone.charged);
        }
    }

    /// Gives the program one more handle of the memory that is mapped at an address.
    pub fn retain_physical(&self, at: u64) -> Res<u64> {
        let mut state = self.virtual_memory.state.lock();
        let found = state.mappings.range(..=at).next_back();
        let found = found.filter(|(_, a)| a.covers(at, 1));
        let handle = found.and_then(|(_, a)| Some(a.mapping()?.physical.handle));
        let handle = handle.ok_or_else(|| {
            explain(format!("no memory of cuMemCreate is mapped at {at:#x}"));
            INVALID_VALUE
        })?;
        state.holders.entry(handle).or_default().handles += 1;
        Ok(handle)
    }

    /// A new descriptor of memory for other processes.
    pub fn export_physical(&self, handle: u64) -> Res<i32> {
        match &self.physical(handle)?.pages {
            Pages::Shared(pages) => pages.descriptor(),
            Pages::Part(_) => {
                explain(
                    "the memory was made without handles of file descriptors (CUmemAllocationProp.requestedHandleTypes)"
                        .into(),
                );
                Err(INVALID_VALUE)
            }
        }
    }

    /// The handle of memory that a descriptor stands for; `device` tells whose memory that of a place is.
    pub fn import_physical(
        &self,
        descriptor: i32,
        handle_types: u32,
        device: impl Fn(CUmemLocation) -> Option<usize>,
    ) -> Res<u64> {
        let OfDescriptor { pages, len, place } = SharedPages::of_descriptor(descriptor)?;
        let of_this =
            |one: &Physical| matches!(&one.pages, Pages::Shared(own) if own.nonce == pages.nonce);
        let device = device(place);
        // Held meanwhile, so that it does not end, and nobody else adds it.
        let mut state = self.virtual_memory.state.lock();
        if let Some(own) = self.virtual_memory.physical.select(of_this).first() {
            state.holders.entry(own.handle).or_default().handles += 1;
            return Ok(own.handle);
        }
        self.add_physical(&mut state, |handle| Physical {
            handle,
            len,
            place,
            device: device.unwrap_or(0),
            is_host: device.is_none(),
            handle_types,
            pages: Pages::Shared(pages),
            // It is another process's.
            charged: 0,
        })
    }

    /// Maps memory, all of its `len` bytes, at an address of a reservation. Nobody has access yet.
    pub fn map(&self, at: u64, len: u64, handle: u64) -> Res {
        let refused = |words: String| {
            explain(words);
            Err(INVALID_VALUE)
        };
        if len == 0 || !at.is_multiple_of(GRANULARITY) || !len.is_multiple_of(GRANULARITY) {
            return refused(format!(
                "the address {at:#x} and the size {len} must be multiples of the granularity, {GRANULARITY} bytes, and the size more than 0"
            ));
        }
        let mut state = self.virtual_memory.state.lock();
        let physical = self.held(&state, handle)?;
        if len != physical.len {
            explain(format!(
                "memory is mapped as a whole: the size must be {}, not {len}",
                physical.len
            ));
            return Err(NOT_SUPPORTED);
        }
        let reservation = state.reservation_of(at);
        let Some(reservation) = reservation.filter(|&(start, all)| len <= all - (at - start))
        else {
            return refused(format!(
                "{len} bytes at {at:#x} are not inside a reservation of cuMemAddressReserve"
            ));
        };
        let before = state.mappings.range(..at + len).next_back();
        if let Some((_, other)) = before
            && other.start + other.len > at
        {
            return refused(format!("memory is mapped at {:#x} already", other.start));
        }
        let kind = match physical.is_host {
            true => Kind::MappedHost,
            false => Kind::Mapped,
        };
        let owner = Owner {
            context: 0,
            device: physical.device,
        };
        let mapping = Arc::new(Allocation {
            start: at,
            len,
            kind,
            owner,
            id: self.next_id.fetch_add(1, Ordering::Relaxed),
            flags: 0,
            pool: 0,
            sync_memops: AtomicBool::new(false),
            advice: Mutex::new(Advice::default()),
            doomed: AtomicBool::new(false),
            exported: AtomicBool::new(false),
            backing: Backing::Mapped(Mapping {
                physical,
                reservation,
                access: Mutex::default(),
            }),
            charged: 0,
        });
        state.holders.entry(handle).or_default().mappings += 1;
        state.mappings.insert(at, mapping.clone());
        self.live.write().insert(at, mapping);
        Ok(())
    }

    /// Refuses a range that is not one of a reservation, or has a part of a mapping.
    pub fn check_mapped(&self, at: u64, len: u64) -> Res {
        self.virtual_memory
            .state
            .lock()
            .mappings_of(at, len)
            .map(drop)
    }

    /// Ends the mappings in a range. Nothing may be running on them.
    pub fn unmap(&self, at: u64, len: u64) -> Res {
        let mut state = self.virtual_memory.state.lock();
        let gone = state.mappings_of(at, len)?;
        let mut live = self.live.write();
        for mapping in &gone {
            state.mappings.remove(&mapping.start);
            live.remove(&mapping.start);
        }
        drop(live);
        memcheck::memory_freed();
        for mapping in gone {
            // SAFETY: the range is part of a reservation, which is not freed while the state is held.
            unsafe { space::unmap_file(mapping.start, mapping.len) };
            if let Some(mapping) = mapping.mapping() {
                let handle = mapping.physical.handle;
                self.drop_holder(&mut state, handle, |holders| &mut holders.mappings);
            }
        }
        Ok(())
    }

    /// True if a change takes access away from the mappings in a range.
    pub fn takes_access(&self, at: u64, len: u64, changes: &[AccessChange]) -> Res<bool> {
        let found = self.virtual_memory.state.lock().mappings_of(at, len)?;
        Ok(found.iter().filter_map(|a| a.mapping()).any(|mapping| {
            let before = mapping.access();
            let after = changes.iter().fold(before, |access, &c| access.with(c));
            before.read & !after.read != 0 || before.write & !after.write != 0
        }))
    }

    /// Changes what places may do with the mappings in a range, of which there must be one.
    pub fn set_access(&self, at: u64, len: u64, changes: &[AccessChange]) -> Res {
        let state = self.virtual_memory.state.lock();
        let mut found = state.mappings_of(at, len)?;
        // As an H200's driver does it: behind a hole access stays what it was.
        let joined = found
            .windows(2)
            .position(|two| two[0].start + two[0].len != two[1].start);
        found.truncate(joined.map_or(found.len(), |last| last + 1));
        if found.is_empty() {
            explain(format!(
                "no memory is mapped in {len} bytes at {at:#x} (cuMemMap)"
            ));
            return Err(INVALID_VALUE);
        }
        for one in &found {
            let Some(mapping) = one.mapping() else {
                continue;
            };
            if changes.iter().any(|change| change.device.is_none()) && !mapping.physical.is_host {
                explain("the host can be given access to the host's memory only".into());
                return Err(NOT_SUPPORTED);
            }
        }
        let mut were = Vec::with_capacity(found.len());
        for (n, one) in found.iter().enumerate() {
            let before = one.mapping().map(Mapping::access).unwrap_or_default();
            let after = changes.iter().fold(before, |access, &c| access.with(c));
            if let Err(code) = State::give_access(&state.arena, one, after) {
                // All or nothing: what was changed gets back what it had.
                for (one, before) in found[..n].iter().zip(&were) {
                    let _ = State::give_access(&state.arena, one, *before);
                }
                return Err(code);
            }
            were.push(before);
        }
        memcheck::memory_freed();
        Ok(())
    }

    /// What places were given access to at an address; nothing for memory that needs none to be given.
    pub fn access_at(&self, at: u64) -> Res<Access> {
        let found = self.find(at).ok_or_else(|| {
            explain(format!("no memory is mapped at {at:#x}"));
            INVALID_VALUE
        })?;
        Ok(found.mapping().map(Mapping::access).unwrap_or_default())
    }

    /// An address that is not accessible because of what was mapped there, or was not, in words.
    pub(super) fn locate_virtual(&self, at: u64) -> Option<Place> {
        let state = self.virtual_memory.state.lock();
        let (reserved, reserved_len) = state.reservation_of(at)?;
        let mapping = state.mappings.range(..=at).next_back();
        let mapping = mapping.map(|(_, a)| a).filter(|a| a.covers(at, 1));
        let Some(one) = mapping else {
            let words = format!(
                "{} bytes into the reservation of {reserved_len} bytes at {reserved:#x}, where no memory is mapped (cuMemMap)",
                at - reserved
            );
            let (start, len) = (reserved, reserved_len);
            return Some(Place { words, start, len });
        };
        let (start, len) = (one.start, one.len);
        let why = match one.mapping()?.access().protection() {
            Protection::None => "which nobody was given access to (cuMemSetAccess)",
            Protection::Read => "which may only be read (cuMemSetAccess)",
            Protection::ReadWrite => return None,
        };
        let words = format!(
            "{} bytes into the mapping of {len} bytes at {start:#x}, {why}",
            at - start
        );
        Some(Place { words, start, len })
    }
}
