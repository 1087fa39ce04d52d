//! Code addresses for callbacks, on x86-64.
//!
//! A thunk is a few instructions that say which thunk they are and go to the common entry. A first lot of them is in
//! this library's text, so that callbacks work where memory cannot be made executable; more are made at run time when
//! they run out.

use std::cell::UnsafeCell;
use std::collections::VecDeque;

use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;

/// The registers with which C called a thunk, and those that it gets back. The assembly of [`common`] relies on this
/// layout.
#[repr(C)]
pub struct Frame {
    /// rdi, rsi, rdx, rcx, r8, r9.
    pub general: [u64; 6],
    /// The low halves of xmm0 to xmm7.
    pub vector: [u64; 8],
    /// Arguments in memory.
    pub stack: *const u8,
    /// rax and rdx.
    pub integers: [u64; 2],
    /// The low halves of xmm0 and xmm1.
    pub vectors: [u64; 2],
    /// True if `long` goes to st(0).
    pub has_long: u64,
    /// A `long double`.
    pub long: [u8; 16],
}

/// The number of thunks in the library's text.
const IN_TEXT: usize = 1024;

/// The number of thunks in a block of memory made at run time.
const PER_BLOCK: usize = 2048;

/// The size of one there.
const BLOCK_THUNK_SIZE: usize = 32;

std::arch::global_asm!(
    ".text",
    ".p2align 4",
    ".local cuox_call_thunks",
    "cuox_call_thunks:",
    ".rept 1024",
    "endbr64",
    "lea r11, [rip]",
    "jmp {common}",
    ".p2align 4",
    ".endr",
    common = sym common,
);

#[unsafe(naked)]
unsafe extern "C" fn start() -> usize {
    std::arch::naked_asm!("lea rax, [rip + cuox_call_thunks]", "ret")
}

/// The offset of the address that a thunk leaves in r11: it is behind `endbr64` and `lea`.
const R11_OFFSET: usize = 11;

#[unsafe(naked)]
unsafe extern "C" fn common() {
    std::arch::naked_asm!(
        "push rbp",
        "mov rbp, rsp",
        "sub rsp, 176",
        "mov [rsp], rdi",
        "mov [rsp + 8], rsi",
        "mov [rsp + 16], rdx",
        "mov [rsp + 24], rcx",
        "mov [rsp + 32], r8",
        "mov [rsp + 40], r9",
        "movsd [rsp + 48], xmm0",
        "movsd [rsp + 56], xmm1",
        "movsd [rsp + 64], xmm2",
        "movsd [rsp + 72], xmm3",
        "movsd [rsp + 80], xmm4",
        "movsd [rsp + 88], xmm5",
        "movsd [rsp + 96], xmm6",
        "movsd [rsp + 104], xmm7",
        "lea rax, [rbp + 16]",
        "mov [rsp + 112], rax",
        "mov rdi, r11",
        "mov rsi, rsp",
        "call {entry}",
        "mov rax, [rsp + 120]",
        "mov rdx, [rsp + 128]",
        "movsd xmm0, [rsp + 136]",
        "movsd xmm1, [rsp + 144]",
        "cmp qword ptr [rsp + 152], 0",
        "je 2f",
        "fld tbyte ptr [rsp + 160]",
        "2:",
        "leave",
        "ret",
        entry = sym super::service::callback_entry,
    )
}

/// All thunks. A thunk in use has the callback object that it calls.
struct Thunks {
    objects: Vec<*mut ffi::PyObject>,
    /// Free thunks, the one that was given back longest ago first: C code that calls a closed callback should find no
    /// other in its place.
    free: VecDeque<usize>,
    /// Blocks of memory with further thunks.
    made: Vec<usize>,
}

/// The thunks of the process, guarded by the GIL.
struct Shared(UnsafeCell<Thunks>);

// SAFETY: they are used with the GIL held alone.
unsafe impl Sync for Shared {}

static THUNKS: Shared = Shared(UnsafeCell::new(Thunks {
    objects: Vec::new(),
    free: VecDeque::new(),
    made: Vec::new(),
}));

/// # Safety
/// The GIL is held, and nothing else of this lives: no Python code may run meanwhile.
unsafe fn thunks<'a>() -> &'a mut Thunks {
    // SAFETY: the GIL is held and no other reference is alive (`# Safety`), so this is the only one.
    unsafe { &mut *THUNKS.0.get() }
}

/// A code address that calls [`callback_entry`](super::service::callback_entry) for this object, whose reference is not
/// counted.
///
/// # Safety
/// The GIL is held.
pub unsafe fn take(object: *mut ffi::PyObject) -> PyResult<usize> {
    // SAFETY: the GIL is held (`# Safety`), and nothing below runs Python code.
    let thunks = unsafe { thunks() };
    if thunks.free.is_empty() {
        grow(thunks)?;
    }
    let Some(index) = thunks.free.pop_front() else {
        return Err(PyRuntimeError::new_err(
            "no code is left for another callback: close those that C does not call any more",
        ));
    };
    thunks.objects[index] = object;
    Ok(address(thunks, index))
}

/// Gives a code address back.
///
/// # Safety
/// The GIL is held.
pub unsafe fn give_back(code: usize) {
    // SAFETY: the GIL is held (`# Safety`), and nothing below runs Python code.
    let thunks = unsafe { thunks() };
    if let Some(index) = index(thunks, code)
        && !thunks.objects[index].is_null()
    {
        thunks.objects[index] = std::ptr::null_mut();
        thunks.free.push_back(index);
    }
}

/// The object of a thunk that has been called, by what it left in r11; null if it was given back.
///
/// # Safety
/// The GIL is held.
pub unsafe fn object(at: usize) -> *mut ffi::PyObject {
    // SAFETY: the GIL is held (`# Safety`), and nothing below runs Python code.
    let thunks = unsafe { thunks() };
    match index(thunks, at.wrapping_sub(R11_OFFSET)) {
        Some(index) => thunks.objects[index],
        None => std::ptr::null_mut(),
    }
}

fn first() -> usize {
    // SAFETY: returns an address.
    unsafe { start() }
}

fn address(thunks: &Thunks, index: usize) -> usize {
    match index.checked_sub(IN_TEXT) {
        None => first() + 16 * index,
        Some(made) => thunks.made[made / PER_BLOCK] + made % PER_BLOCK * BLOCK_THUNK_SIZE,
    }
}

fn index(thunks: &Thunks, code: usize) -> Option<usize> {
    let in_text = code.wrapping_sub(first());
    let index = if in_text < 16 * IN_TEXT {
        in_text / 16
    } else {
        let (piece, at) = thunks.made.iter().enumerate().find_map(|(piece, start)| {
            let at = code.wrapping_sub(*start);
            (at < PER_BLOCK * BLOCK_THUNK_SIZE).then_some((piece, at))
        })?;
        IN_TEXT + piece * PER_BLOCK + at / BLOCK_THUNK_SIZE
    };
    (index < thunks.objects.len()).then_some(index)
}

fn grow(thunks: &mut Thunks) -> PyResult<()> {
    let (from, count) = if thunks.objects.is_empty() {
        (0, IN_TEXT)
    } else {
        thunks.made.push(make()?);
        (thunks.objects.len(), PER_BLOCK)
    };
    thunks.objects.resize(from + count, std::ptr::null_mut());
    thunks.free.extend(from..from + count);
    Ok(())
}

/// Makes a block of memory with further thunks.
fn make() -> PyResult<usize> {
    let size = PER_BLOCK * BLOCK_THUNK_SIZE;
    let forbidden = || {
        let error = std::io::Error::last_os_error();
        PyRuntimeError::new_err(format!(
            "{IN_TEXT} callbacks are in use, and memory for more cannot be made executable: {error}; close callbacks that C does not call any more"
        ))
    };
    // SAFETY: new memory, which nobody else knows of until it is complete.
    unsafe {
        let start = libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        );
        if start == libc::MAP_FAILED {
            return Err(forbidden());
        }
        // endbr64; lea r11, [rip]; jmp [rip]; and the address.
        let mut thunk = [0xcc; BLOCK_THUNK_SIZE];
        thunk[..17].copy_from_slice(&[
            0xf3, 0x0f, 0x1e, 0xfa, 0x4c, 0x8d, 0x1d, 0, 0, 0, 0, 0xff, 0x25, 0, 0, 0, 0,
        ]);
        let common = common as *const () as usize;
        thunk[17..25].copy_from_slice(&common.to_le_bytes());
        for i in 0..PER_BLOCK {
            let to = start.cast::<u8>().add(i * BLOCK_THUNK_SIZE);
            to.copy_from(thunk.as_ptr(), BLOCK_THUNK_SIZE);
        }
        if libc::mprotect(start, size, libc::PROT_READ | libc::PROT_EXEC) != 0 {
            let error = forbidden();
            libc::munmap(start, size);
            return Err(error);
        }
        Ok(start as usize)
    }
}
