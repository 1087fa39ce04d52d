//! The reserved address range that contains every device address.
//!
//! Device pointers are host addresses inside this range, so generic loads need no translation, and a stray access
//! hits an inaccessible page. This module manages address space only; allocations and their owners are the driver's.

use crate::free_ranges::FreeRanges;
use crate::sys::{region, replacing};
use std::fmt;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The size in bytes that is first requested; it is halved until the kernel grants it.
pub const WANTED: u64 = 1 << 40;
/// A smaller reservation is useless.
const SMALLEST: u64 = 1 << 28;
/// The error of an operation on address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpaceError {
    /// The kernel refused to provide memory.
    OutOfMemory,
    /// The range is not page-aligned or not inside the reserved range.
    OutsideRange,
}

impl fmt::Display for SpaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SpaceError::OutOfMemory => "the operating system refused the memory",
            SpaceError::OutsideRange => {
                "the range is not part of the reserved device address space"
            }
        })
    }
}

impl std::error::Error for SpaceError {}

struct Space {
    base: u64,
    len: u64,
    free: Mutex<FreeRanges>,
}

impl Space {
    fn new() -> Space {
        let mut wanted = WANTED;
        while wanted >= SMALLEST {
            // Reserving twice as much allows the range to be aligned to its own length, so that a single mask tells
            // whether an address is inside.
            if let Some(start) = region::reserve(2 * wanted) {
                let base = start.next_multiple_of(wanted);
                // SAFETY: both ends belong to the new reservation and are unused.
                unsafe {
                    region::release(start, base - start);
                    region::release(base + wanted, start + wanted - base);
                }
                let mut free = FreeRanges::default();
                // There is room before the first allocation: a thread at a boundary that computes an address slightly
                // below an array, without accessing it, then mostly has a legal address.
                let room = wanted / 1024;
                free.insert(base + room, wanted - room);
                return Space {
                    base,
                    len: wanted,
                    free: Mutex::new(free),
                };
            }
            wanted /= 2;
        }
        Space {
            base: 0,
            len: 0,
            free: Mutex::default(),
        }
    }

    fn free(&self) -> MutexGuard<'_, FreeRanges> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn covers(&self, addr: u64, len: u64) -> bool {
        addr >= self.base && len <= self.len && addr.wrapping_sub(self.base) <= self.len - len
    }

    fn covers_pages(&self, addr: u64, len: u64) -> bool {
        let page = region::page_size();
        self.covers(addr, len) && addr.is_multiple_of(page) && len.is_multiple_of(page) && len > 0
    }
}

fn space() -> &'static Space {
    static SPACE: OnceLock<Space> = OnceLock::new();
    SPACE.get_or_init(Space::new)
}

/// Returns the values by which generated code tests that an address is legal: it must equal the first in the bits of
/// the second. The mask is 0 while memory outside the range is allowed.
pub fn check() -> (u64, u64) {
    let s = space();
    let mask = match OUTSIDE.load(Ordering::Acquire) {
        0 if s.len > 0 => !(s.len - 1),
        _ => 0,
    };
    (s.base, mask)
}

static OUTSIDE: AtomicUsize = AtomicUsize::new(0);

/// Returns the base address and the length of the range. The length is 0 if the system refused even a small
/// reservation.
pub fn range() -> (u64, u64) {
    let s = space();
    (s.base, s.len)
}

/// Returns the start of the local window, where generic addresses of local memory are. It is in the room before the
/// first allocation, where no memory ever is.
pub fn local_window() -> u64 {
    space().base
}

/// Reserves `len` bytes (rounded up to pages) of address space, aligned to `align` (a power of two, at least a page).
/// The range is not yet accessible.
pub fn reserve(len: u64, align: u64) -> Option<u64> {
    let len = region::round_to_pages(len)?;
    if len == 0 || !align.is_power_of_two() {
        return None;
    }
    space().free().take(len, align.max(region::page_size()))
}

/// The same at a given address (whole pages); false if that is not free.
pub fn reserve_at(addr: u64, len: u64) -> bool {
    region::round_to_pages(len)
        .is_some_and(|len| space().covers_pages(addr, len) && space().free().take_at(addr, len))
}

/// Makes pages readable and writable; pages that were inaccessible before are zero.
///
/// # Safety
/// The range must be part of one that [`reserve`] returned to the caller.
pub unsafe fn commit(addr: u64, len: u64) -> Result<(), SpaceError> {
    if !space().covers_pages(addr, len) {
        return Err(SpaceError::OutsideRange);
    }
    // SAFETY: the pages are inside the reserved range, and the caller guarantees that it owns them.
    if unsafe { region::open(addr, len) } {
        Ok(())
    } else {
        Err(SpaceError::OutOfMemory)
    }
}

/// Moves committed pages into a file, which must be all zeros and at least as long, and maps the file in their place.
/// Code that runs meanwhile notices nothing.
///
/// # Safety
/// The range must be part of one that [`reserve`] returned to the caller, be committed, and stay so. The file must stay
/// as long as it is while the range is mapped.
pub unsafe fn move_to_file(addr: u64, len: u64, file: BorrowedFd<'_>) -> Result<(), SpaceError> {
    if !space().covers_pages(addr, len) {
        return Err(SpaceError::OutsideRange);
    }
    let fd = file.as_raw_fd();
    // SAFETY: the caller owns the pages. While they are copied nobody can write to them; readers find the same bytes
    // before and after the file replaces them.
    let moved = replacing::replacing(addr, len, || unsafe {
        let moved = region::protect(addr, len, Protection::Read)
            && region::copy_to_file(addr, len, fd)
            && region::map_file(addr, len, fd, 0);
        if !moved {
            region::protect(addr, len, Protection::ReadWrite);
        }
        moved
    });
    moved.then_some(()).ok_or(SpaceError::OutOfMemory)
}

/// Maps a file's bytes from `offset` (whole pages) on, shared with whoever else maps them. [`unmap_file`] ends that.
///
/// # Safety
/// The range must be part of one that [`reserve`] returned to the caller. The file must be long enough, and stay so
/// while the range is mapped.
pub unsafe fn map_file(
    addr: u64,
    len: u64,
    file: BorrowedFd<'_>,
    offset: u64,
) -> Result<(), SpaceError> {
    if !space().covers_pages(addr, len) {
        return Err(SpaceError::OutsideRange);
    }
    // SAFETY: the pages are inside the reserved range, and the caller guarantees that it owns them.
    let mapped = unsafe { region::map_file(addr, len, file.as_raw_fd(), offset) };
    mapped.then_some(()).ok_or(SpaceError::OutOfMemory)
}

/// What code may do with pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protection {
    /// Nothing.
    None,
    /// Read.
    Read,
    /// Read and write.
    ReadWrite,
}

/// Changes what code may do with pages that are mapped ([`map_file`]). Code that does more meets a fault. Pages that
/// the host looks at ([`pin`]) stay readable.
///
/// # Safety
/// The range must be part of one that [`reserve`] or [`reserve_at`] gave to the caller.
pub unsafe fn protect(addr: u64, len: u64, protection: Protection) -> Result<(), SpaceError> {
    if !space().covers_pages(addr, len) {
        return Err(SpaceError::OutsideRange);
    }
    let pinned = pinned();
    let protection = match protection {
        Protection::None if overlaps(&pinned, addr, len) => Protection::Read,
        other => other,
    };
    // SAFETY: the pages are inside the reserved range, and the caller guarantees that it owns them.
    let done = unsafe { region::protect(addr, len, protection) };
    done.then_some(()).ok_or(SpaceError::OutOfMemory)
}

/// Ranges that the host looks at: their pages stay accessible.
static PINNED: Mutex<Vec<(u64, u64)>> = Mutex::new(Vec::new());

fn pinned() -> MutexGuard<'static, Vec<(u64, u64)>> {
    PINNED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn overlaps(ranges: &[(u64, u64)], addr: u64, len: u64) -> bool {
    ranges
        .iter()
        .any(|&(at, bytes)| at < addr + len && addr < at + bytes)
}

/// Keeps the pages of a range accessible, also when they are given back meanwhile, until [`unpin`]; returns false if
/// they are not accessible. The bytes may become others'.
pub fn pin(addr: u64, len: u64) -> bool {
    if len == 0 || !contains(addr, len) {
        return false;
    }
    let mut pinned = pinned();
    let page = region::page_size();
    let first = addr & !(page - 1);
    let is_there = (first..addr + len).step_by(page as usize).all(|at| {
        let mut byte = 0_u8;
        // SAFETY: the destination is a local; an inaccessible source is an error.
        unsafe { crate::trap::copy((&raw mut byte) as u64, at, 1) }.is_ok()
    });
    if is_there {
        pinned.push((addr, len));
    }
    is_there
}

/// Ends one [`pin`] of the range. Pages that were given back meanwhile stay accessible until their address space is
/// used again.
pub fn unpin(addr: u64, len: u64) {
    let mut pinned = pinned();
    if let Some(index) = pinned.iter().position(|&range| range == (addr, len)) {
        pinned.swap_remove(index);
    }
}

/// Makes pages inaccessible and releases their memory, unless the host looks at them ([`pin`]).
///
/// # Safety
/// The range must be part of one that [`reserve`] returned to the caller, and its contents must be unused.
pub unsafe fn decommit(addr: u64, len: u64) {
    if space().covers_pages(addr, len) {
        // Held meanwhile: a range that is about to be pinned is either looked at before or found inaccessible.
        let pinned = pinned();
        if overlaps(&pinned, addr, len) {
            return;
        }
        // SAFETY: the pages are inside the reserved range, and the caller guarantees that it owns them and does not
        // use them.
        unsafe { region::close(addr, len) };
    }
}

/// Makes pages of a file ([`map_file`]) inaccessible. Where the host looks at them ([`pin`]), pages of zeros take their
/// place: those of the file may be others' from now on.
///
/// # Safety
/// As for [`decommit`].
pub unsafe fn unmap_file(addr: u64, len: u64) {
    if space().covers_pages(addr, len) {
        // Held meanwhile, as in `decommit`.
        let pinned = pinned();
        // SAFETY: the pages are inside the reserved range, and the caller guarantees that it owns them and does not
        // use them.
        unsafe {
            region::close(addr, len);
            if overlaps(&pinned, addr, len) {
                region::open(addr, len);
            }
        }
    }
}

/// Frees address space, which must have been decommitted.
///
/// # Safety
/// The range must be exactly the one that [`reserve`] or [`reserve_at`] gave, rounded up to pages, and be freed once.
pub unsafe fn unreserve(addr: u64, len: u64) {
    let Some(len) = region::round_to_pages(len) else {
        return;
    };
    if space().covers_pages(addr, len) {
        let given = space().free().give_back(addr, len);
        debug_assert!(given, "address space given back twice");
    }
}

/// Returns true if `[addr, addr+len)` is in the reserved range.
pub fn contains(addr: u64, len: u64) -> bool {
    space().covers(addr, len)
}

/// Allows kernels to access addresses outside the range (`true`), or withdraws one such permission (`false`).
/// Permissions are counted; registered host memory uses them.
pub fn allow_outside(on: bool) {
    if on {
        OUTSIDE.fetch_add(1, Ordering::AcqRel);
    } else {
        // A permission that is withdrawn too often must not wrap to "always".
        let _ = OUTSIDE.fetch_update(Ordering::AcqRel, Ordering::Acquire, |n| n.checked_sub(1));
    }
}

/// Returns true if kernels may currently access addresses outside the range.
pub fn outside_allowed() -> bool {
    OUTSIDE.load(Ordering::Acquire) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_come_and_go() {
        let (base, len) = range();
        assert!(len >= SMALLEST);
        assert!(contains(base, len) && !contains(base, len + 1) && !contains(base - 1, 1));
        assert!(!contains(u64::MAX, 2) && !contains(0, 0));
        let a = reserve(10_000, 1 << 20).unwrap();
        assert_eq!(a % (1 << 20), 0);
        assert!(contains(a, 12288));
        // SAFETY: the range was just reserved, and no other code uses it.
        unsafe {
            commit(a, 12288).unwrap();
            let p = a as *mut u8;
            assert_eq!(p.read(), 0);
            p.write(7);
            decommit(a, 12288);
            commit(a, 12288).unwrap();
            assert_eq!(p.read(), 0, "pages come back zero");
            assert_eq!(commit(a + 1, 4096), Err(SpaceError::OutsideRange));
            assert_eq!(commit(0x1000, 4096), Err(SpaceError::OutsideRange));
            decommit(a, 12288);
            unreserve(a, 10_000);
        }
        assert_eq!(reserve(0, 1), None);
        assert_eq!(reserve(4096, 3), None);
        assert_eq!(reserve(u64::MAX, 1), None);
    }

    fn file_of(len: u64) -> std::os::fd::OwnedFd {
        use std::os::fd::FromRawFd;
        // SAFETY: a new descriptor, which only the result owns.
        unsafe {
            let fd = libc::memfd_create(c"test".as_ptr(), libc::MFD_CLOEXEC);
            assert!(fd >= 0 && libc::ftruncate(fd, len as i64) == 0);
            std::os::fd::OwnedFd::from_raw_fd(fd)
        }
    }

    #[test]
    fn writers_notice_nothing_of_a_move_into_a_file() {
        use std::os::fd::AsFd;
        use std::sync::atomic::{AtomicBool, AtomicU64};
        const LEN: u64 = 8 << 20;
        const WORDS: usize = LEN as usize / 8;
        let at = reserve(LEN, 4096).unwrap();
        // SAFETY: the range was just reserved, and only this test uses it.
        let words = unsafe {
            commit(at, LEN).unwrap();
            std::slice::from_raw_parts(at as *const AtomicU64, WORDS)
        };
        // Each thread counts its own: one may get no time while the other does.
        let (stop, rounds) = (AtomicBool::new(false), [const { AtomicU64::new(0) }; 2]);
        let fewest = || rounds.iter().map(|r| r.load(Ordering::Relaxed)).min();
        let file = std::thread::scope(|scope| {
            for half in 0..2 {
                let (stop, rounds) = (&stop, &rounds[half]);
                scope.spawn(move || {
                    while !stop.load(Ordering::Relaxed) {
                        for word in words[half * 64..].iter().step_by(128) {
                            word.fetch_add(1, Ordering::Relaxed);
                        }
                        rounds.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            while fewest() < Some(4) {
                std::thread::yield_now();
            }
            let file = file_of(LEN);
            // SAFETY: the range is committed, and the file is as long.
            unsafe { move_to_file(at, LEN, file.as_fd()).unwrap() };
            let seen = [0, 1].map(|half: usize| rounds[half].load(Ordering::Relaxed));
            let has_gone_on = |half: usize| rounds[half].load(Ordering::Relaxed) >= seen[half] + 4;
            while !(has_gone_on(0) && has_gone_on(1)) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
            file
        });
        // Each thread finished its last round, so all its words have one value; no addition was lost.
        for half in 0..2 {
            let first = words[half * 64].load(Ordering::Relaxed);
            assert!(first >= 4);
            let same = |w: &AtomicU64| w.load(Ordering::Relaxed) == first;
            assert!(words[half * 64..].iter().step_by(128).all(same));
        }
        // Another mapping of the file has the same bytes.
        let other = reserve(LEN, 4096).unwrap();
        // SAFETY: both ranges are this test's.
        unsafe {
            map_file(other, LEN, file.as_fd(), 0).unwrap();
            *((other + 8) as *mut u64) = 77;
            assert_eq!(words[1].load(Ordering::Relaxed), 77);
            for range in [at, other] {
                decommit(range, LEN);
                unreserve(range, LEN);
            }
        }
    }

    #[test]
    fn pinned_pages_stay_accessible() {
        let at = reserve(8192, 4096).unwrap();
        assert!(!pin(at, 8192), "nothing is there yet");
        // SAFETY: the range was just reserved, and no other code uses it.
        unsafe {
            commit(at, 8192).unwrap();
            (at as *mut u8).write(7);
            assert!(pin(at + 10, 20) && !pin(at, 8193));
            decommit(at, 8192);
            assert_eq!((at as *const u8).read(), 7);
            unpin(at + 10, 20);
            decommit(at, 8192);
            assert!(!pin(at, 1));
            unreserve(at, 8192);
        }
    }

    #[test]
    fn outside_is_counted() {
        assert!(!outside_allowed());
        allow_outside(true);
        allow_outside(true);
        allow_outside(false);
        assert!(outside_allowed());
        allow_outside(false);
        allow_outside(false);
        assert!(!outside_allowed());
    }
}
