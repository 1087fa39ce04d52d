//! Anonymous mappings: reserve, make accessible, give back.

use std::sync::OnceLock;

/// The size of a page, in bytes.
pub fn page_size() -> u64 {
    static PAGE: OnceLock<u64> = OnceLock::new();
    *PAGE.get_or_init(|| {
        // SAFETY: sysconf has no preconditions.
        let n = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
        u64::try_from(n)
            .ok()
            .filter(|n| n.is_power_of_two())
            .unwrap_or(4096)
    })
}

/// `len` rounded up to whole pages, or `None` when that overflows.
pub fn round_to_pages(len: u64) -> Option<u64> {
    let page = page_size();
    Some(len.checked_add(page - 1)? & !(page - 1))
}

const NONE_FLAGS: libc::c_int = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// Reserves `len` bytes of inaccessible address space wherever the kernel likes.
pub fn reserve(len: u64) -> Option<u64> {
    let len = usize::try_from(len).ok()?;
    // SAFETY: a new anonymous mapping at an address the kernel chooses touches nothing that exists.
    let p = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            len,
            libc::PROT_NONE,
            NONE_FLAGS,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the range was mapped just now. Advice only: an inaccessible terabyte has no place in a core file.
    unsafe { libc::madvise(p, len, libc::MADV_DONTDUMP) };
    Some(p as u64)
}

/// Unmaps a part of a reservation for good.
///
/// # Safety
/// The range is page-aligned and belongs to a mapping made by [`reserve`] that nobody uses.
pub unsafe fn release(addr: u64, len: u64) {
    if len > 0 {
        // SAFETY: the range is of a mapping that `reserve` made, and nobody uses it any more, as the caller has promised.
        unsafe { libc::munmap(addr as *mut libc::c_void, len as usize) };
    }
}

/// Ranges at least this long are offered to the kernel for huge pages, which streaming kernels live on.
const HUGE_WORTHWHILE: u64 = 4 << 20;

/// Makes `[addr, addr+len)` readable and writable.
///
/// # Safety
/// The range is page-aligned and belongs to a mapping made by [`reserve`] that the caller owns.
pub unsafe fn open(addr: u64, len: u64) -> bool {
    // SAFETY: the range is of a mapping that `reserve` made and the caller owns, so nobody else relies on its protection.
    let ok = unsafe {
        libc::mprotect(
            addr as *mut libc::c_void,
            len as usize,
            libc::PROT_READ | libc::PROT_WRITE,
        )
    } == 0;
    if ok && len >= HUGE_WORTHWHILE {
        // SAFETY: the range is the one that has just been opened; advice changes no contents, and a refusal changes nothing.
        unsafe { libc::madvise(addr as *mut libc::c_void, len as usize, libc::MADV_HUGEPAGE) };
    }
    ok
}

/// Makes `[addr, addr+len)` inaccessible again and gives its pages back.
///
/// # Safety
/// The range is page-aligned and belongs to a mapping made by [`reserve`] that the caller owns; nobody uses the contents any more.
pub unsafe fn close(addr: u64, len: u64) -> bool {
    // SAFETY: replaces the caller's own part of the mapping by an inaccessible one, in one step.
    let p = unsafe {
        libc::mmap(
            addr as *mut libc::c_void,
            len as usize,
            libc::PROT_NONE,
            NONE_FLAGS | libc::MAP_FIXED,
            -1,
            0,
        )
    };
    if p == libc::MAP_FAILED {
        // The kernel may be out of mapping slots: take the pages and the access away in place.
        // SAFETY: the range is the caller's part of a mapping of `reserve`, and nobody uses its contents any more.
        unsafe {
            libc::madvise(addr as *mut libc::c_void, len as usize, libc::MADV_DONTNEED);
            return libc::mprotect(addr as *mut libc::c_void, len as usize, libc::PROT_NONE) == 0;
        }
    }
    true
}
