//! Anonymous mappings: reserve, make accessible, release.

use crate::space::Protection;
use std::sync::OnceLock;

/// Returns the size of a page, in bytes.
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

/// Rounds `len` up to whole pages; `None` if that overflows.
pub fn round_to_pages(len: u64) -> Option<u64> {
    let page = page_size();
    Some(len.checked_add(page - 1)? & !(page - 1))
}

const NONE_FLAGS: libc::c_int = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// Reserves `len` bytes of inaccessible address space at any address.
pub fn reserve(len: u64) -> Option<u64> {
    let len = usize::try_from(len).ok()?;
    // SAFETY: a new anonymous mapping at an address that the kernel chooses overlaps nothing.
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
    // SAFETY: the range was just mapped. Advice only: an inaccessible terabyte does not belong in a core file.
    unsafe { libc::madvise(p, len, libc::MADV_DONTDUMP) };
    Some(p as u64)
}

/// Unmaps a part of a reservation permanently.
///
/// # Safety
/// The range must be page-aligned, belong to a mapping made by [`reserve`], and be unused.
pub unsafe fn release(addr: u64, len: u64) {
    if len > 0 {
        // SAFETY: the caller guarantees that the range is part of a mapping of `reserve` and unused.
        unsafe { libc::munmap(addr as *mut libc::c_void, len as usize) };
    }
}

/// The length from which on huge pages are requested for a range; kernels that stream data depend on them.
const HUGE_WORTHWHILE: u64 = 4 << 20;

/// Makes `[addr, addr+len)` readable and writable.
///
/// # Safety
/// The range must be page-aligned and belong to a mapping made by [`reserve`] that the caller owns.
pub unsafe fn open(addr: u64, len: u64) -> bool {
    // SAFETY: the caller guarantees that the range is part of its own mapping of `reserve`, so no other code depends
    // on its protection.
    let ok = unsafe {
        libc::mprotect(
            addr as *mut libc::c_void,
            len as usize,
            libc::PROT_READ | libc::PROT_WRITE,
        )
    } == 0;
    if ok && len >= HUGE_WORTHWHILE {
        // SAFETY: the range was just made accessible. Advice does not change the contents, and a refusal has no
        // effect.
        unsafe { libc::madvise(addr as *mut libc::c_void, len as usize, libc::MADV_HUGEPAGE) };
    }
    ok
}

/// Makes `[addr, addr+len)` inaccessible again and releases its pages.
///
/// # Safety
/// The range must be page-aligned and belong to a mapping made by [`reserve`] that the caller owns. The contents must
/// be unused.
pub unsafe fn close(addr: u64, len: u64) -> bool {
    // SAFETY: the caller owns the range and does not use its contents; an inaccessible mapping replaces it in one
    // step.
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
        // The kernel may be out of mapping slots: release the pages and remove access in place.
        // SAFETY: the range is part of the caller's mapping of `reserve`, and its contents are unused.
        unsafe {
            libc::madvise(addr as *mut libc::c_void, len as usize, libc::MADV_DONTNEED);
            return libc::mprotect(addr as *mut libc::c_void, len as usize, libc::PROT_NONE) == 0;
        }
    }
    true
}

/// Maps the bytes of a file from `offset` on at `[addr, addr+len)`, shared with other processes.
///
/// # Safety
/// The range must be page-aligned and belong to a mapping made by [`reserve`] that the caller owns. The file must be at
/// least as long as is mapped, and stay so.
pub unsafe fn map_file(addr: u64, len: u64, fd: libc::c_int, offset: u64) -> bool {
    let Ok(offset) = libc::off_t::try_from(offset) else {
        return false;
    };
    // SAFETY: the caller owns the range; the file's pages replace it in one step.
    let p = unsafe {
        libc::mmap(
            addr as *mut libc::c_void,
            len as usize,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_FIXED,
            fd,
            offset,
        )
    };
    p != libc::MAP_FAILED
}

/// Copies `[addr, addr+len)` into a file of zeros, from its beginning on.
///
/// # Safety
/// The range must be readable, and nothing may write it meanwhile.
pub unsafe fn copy_to_file(addr: u64, len: u64, fd: libc::c_int) -> bool {
    // A file's page takes memory as soon as it is written: pages of zeros are left out.
    const PIECE: u64 = 64 << 10;
    let mut done = 0;
    while done < len {
        let size = PIECE.min(len - done);
        // SAFETY: the caller guarantees that the range is readable and unchanged.
        let bytes =
            unsafe { std::slice::from_raw_parts((addr + done) as *const u8, size as usize) };
        let mut from = 0;
        if bytes.iter().all(|&b| b == 0) {
            from = bytes.len();
        }
        while from < bytes.len() {
            let rest = &bytes[from..];
            let at = (done + from as u64) as libc::off_t;
            // SAFETY: the bytes are a slice.
            let n = unsafe { libc::pwrite(fd, rest.as_ptr().cast(), rest.len(), at) };
            match usize::try_from(n) {
                Ok(n) if n > 0 => from += n,
                Err(_)
                    if std::io::Error::last_os_error().kind()
                        == std::io::ErrorKind::Interrupted => {}
                _ => return false,
            }
        }
        done += size;
    }
    true
}

/// Changes what may be done with `[addr, addr+len)`.
///
/// # Safety
/// The range must be page-aligned and belong to a mapping made by [`reserve`] that the caller owns.
pub unsafe fn protect(addr: u64, len: u64, protection: Protection) -> bool {
    let protection = match protection {
        Protection::None => libc::PROT_NONE,
        Protection::Read => libc::PROT_READ,
        Protection::ReadWrite => libc::PROT_READ | libc::PROT_WRITE,
    };
    // SAFETY: the caller owns the range.
    unsafe { libc::mprotect(addr as *mut libc::c_void, len as usize, protection) == 0 }
}
