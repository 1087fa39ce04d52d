//! Keeping NVRTC from handling the process's signals.
//!
//! For as long as it compiles, NVRTC has handlers of its own for SIGINT and SIGTERM, which end the process without a
//! word, and the handlers that it puts back afterwards restart interrupted system calls. Two compilations at a time
//! even put back each other's handlers: then Ctrl-C ends the process for good. Where a signal is delivered is not for
//! the compiling thread to choose, so it would not do to block them there. But NVRTC sets them with the C library's
//! `signal`, which it finds through its table of imported functions; in that table there is [`no_change`] afterwards.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Stands in for `signal`: changes nothing, and says that the signal is ignored. A signal that the program ignores is
/// left alone by NVRTC, as by any Unix program.
extern "C" fn no_change(_signal: c_int, _handler: libc::sighandler_t) -> libc::sighandler_t {
    libc::SIG_IGN
}

/// Has the library in which `inside` is an address leave the process's signals alone. NVRTC is a library that stays
/// loaded.
///
/// # Safety
/// `inside` is the address of a function of NVRTC.
pub unsafe fn leave_alone(inside: *const c_void) {
    let mut search = Search {
        inside: inside as usize,
        found: None,
    };
    // SAFETY: the function only reads what the loader shows it, and writes to `search`.
    unsafe { libc::dl_iterate_phdr(Some(look), (&raw mut search).cast()) };
    if let Some(object) = search.found {
        // SAFETY: the object is loaded and stays so.
        unsafe { object.replace(c"signal", no_change as *const () as usize) };
    }
}

/// The object of [`look`]'s search.
struct Search {
    inside: usize,
    found: Option<Object>,
}

/// A loaded object.
#[derive(Clone, Copy)]
struct Object {
    base: usize,
    /// Its dynamic section.
    dynamic: usize,
    /// Begin and end of the part that the loader makes read-only after filling it in.
    read_only: (usize, usize),
}

unsafe extern "C" fn look(
    info: *mut libc::dl_phdr_info,
    _size: usize,
    search: *mut c_void,
) -> c_int {
    // SAFETY: the loader's record, and what `leave_alone` gave.
    let (info, search) = unsafe { (&*info, &mut *search.cast::<Search>()) };
    let base = info.dlpi_addr as usize;
    // SAFETY: the loader says that there are so many.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    let range = |header: &libc::Elf64_Phdr| {
        let begin = base + header.p_vaddr as usize;
        (begin, begin + header.p_memsz as usize)
    };
    let holds = |header: &libc::Elf64_Phdr| {
        let (begin, end) = range(header);
        header.p_type == libc::PT_LOAD && (begin..end).contains(&search.inside)
    };
    if !headers.iter().any(holds) {
        return 0;
    }
    let of_type = |wanted| headers.iter().find(|header| header.p_type == wanted);
    if let Some(dynamic) = of_type(libc::PT_DYNAMIC) {
        search.found = Some(Object {
            base,
            dynamic: range(dynamic).0,
            read_only: of_type(libc::PT_GNU_RELRO).map_or((0, 0), range),
        });
    }
    1
}

/// An entry of a dynamic section (`Elf64_Dyn`).
#[repr(C)]
struct Entry {
    tag: i64,
    value: usize,
}

// Tags of `Entry` (elf.h).
const END: i64 = 0;
const CALL_RELOCATIONS_SIZE: i64 = 2;
const STRINGS: i64 = 5;
const SYMBOLS: i64 = 6;
const RELOCATIONS: i64 = 7;
const RELOCATIONS_SIZE: i64 = 8;
const CALL_RELOCATIONS: i64 = 23;

/// The kinds of relocation that fill in an imported function's address: for data and for calls.
const FILLS_IN: [u32; 2] = if cfg!(target_arch = "x86_64") {
    [6, 7]
} else {
    [1025, 1026]
};

impl Object {
    /// Replaces what the object imports as `name`.
    ///
    /// # Safety
    /// The object is loaded and stays so; `function` can be called as what it replaces.
    unsafe fn replace(self, name: &CStr, function: usize) {
        // SAFETY: the loader has relocated the object by these very tables, which end as they say.
        unsafe {
            let symbols = self.table(SYMBOLS) as *const libc::Elf64_Sym;
            let strings = self.table(STRINGS) as *const c_char;
            if symbols.is_null() || strings.is_null() {
                return;
            }
            for (tag, size) in [
                (RELOCATIONS, RELOCATIONS_SIZE),
                (CALL_RELOCATIONS, CALL_RELOCATIONS_SIZE),
            ] {
                let first = self.table(tag) as *const libc::Elf64_Rela;
                let count = self.value(size) / size_of::<libc::Elf64_Rela>();
                for index in 0..if first.is_null() { 0 } else { count } {
                    let relocation = &*first.add(index);
                    let symbol = (relocation.r_info >> 32) as usize;
                    if !FILLS_IN.contains(&(relocation.r_info as u32)) || symbol == 0 {
                        continue;
                    }
                    let named = strings.add((*symbols.add(symbol)).st_name as usize);
                    if CStr::from_ptr(named) == name {
                        self.fill_in(self.base + relocation.r_offset as usize, function);
                    }
                }
            }
        }
    }

    /// # Safety
    /// `place` is a word of the object's table of imported functions.
    unsafe fn fill_in(self, place: usize, function: usize) {
        let (begin, end) = self.read_only;
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
        // The loader makes whole pages read-only.
        let is_read_only = (begin / page * page..end / page * page).contains(&place);
        let at = (place / page * page) as *mut c_void;
        // SAFETY: the word's page is the object's; it is what it was when this is done. The word is aligned, and
        // whoever calls through it at this moment finds the old function or the new one.
        unsafe {
            if is_read_only && libc::mprotect(at, page, libc::PROT_READ | libc::PROT_WRITE) != 0 {
                return;
            }
            (*(place as *const AtomicUsize)).store(function, Relaxed);
            if is_read_only {
                libc::mprotect(at, page, libc::PROT_READ);
            }
        }
    }

    /// The dynamic section's value for a tag; 0 if it has none.
    ///
    /// # Safety
    /// The object is loaded.
    unsafe fn value(self, tag: i64) -> usize {
        let mut entry = self.dynamic as *const Entry;
        // SAFETY: the section ends with an entry of its own.
        unsafe {
            while (*entry).tag != END {
                if (*entry).tag == tag {
                    return (*entry).value;
                }
                entry = entry.add(1);
            }
        }
        0
    }

    /// An address that the dynamic section says. Some loaders leave it as it is in the file.
    ///
    /// # Safety
    /// The object is loaded.
    unsafe fn table(self, tag: i64) -> usize {
        // SAFETY: the caller guarantees that the object is loaded.
        match unsafe { self.value(tag) } {
            0 => 0,
            address if address < self.base => self.base + address,
            address => address,
        }
    }
}
