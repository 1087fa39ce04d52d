//! Calls that survive faults.
//!
//! [`protected`] calls a function through a small trampoline that saves the callee-saved registers on the stack and
//! stores the stack pointer in a [`Frame`]. When a fault is raised on that thread inside the call, the signal handler
//! records it in the frame. It makes the interrupted context continue at the trampoline's recovery path, as if the
//! function had returned. A fault on a thread outside such a call goes to the previously installed handler.

use super::{region, replacing};
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::mem::{MaybeUninit, offset_of};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A fault that was caught.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trap {
    /// The address whose access failed (for arithmetic and instruction faults: the instruction's address).
    pub address: u64,
    /// The address of the instruction that failed.
    pub pc: u64,
    /// `SIGSEGV`, `SIGBUS`, `SIGFPE` or `SIGILL`.
    pub signal: i32,
}

/// A protected call in progress. The trampoline accesses the first two fields by their offset.
#[repr(C)]
struct Frame {
    /// The stack pointer for the recovery.
    sp: u64,
    /// The address at which to recover.
    recover: u64,
    trap: Cell<Trap>,
}

/// The trampoline's result; two registers on both architectures.
#[repr(C)]
struct Outcome {
    value: u64,
    trapped: u64,
}

type Callee = unsafe extern "C" fn(*mut u8) -> u64;

/// Calls `f(arg)` so that the handler can return here.
///
/// # Safety
/// It must be valid to call `f(arg)` and to discard its frames where it faults. `frame` must be writable and be the
/// thread's current frame during the call.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn trampoline(_f: Callee, _arg: *mut u8, _frame: *mut Frame) -> Outcome {
    core::arch::naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_adjust_cfa_offset 8",
        ".cfi_rel_offset rbp, 0",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        // The floating-point control words are callee-saved, too.
        "sub rsp, 8",
        "stmxcsr [rsp]",
        "fnstcw [rsp + 4]",
        "mov [rdx + {sp}], rsp",
        "lea rax, [rip + 2f]",
        "mov [rdx + {recover}], rax",
        "mov rax, rdi",
        "mov rdi, rsi",
        "call rax",
        "xor edx, edx",
        "jmp 3f",
        "2:",
        "ldmxcsr [rsp]",
        "fninit",
        "fldcw [rsp + 4]",
        "xor eax, eax",
        "mov edx, 1",
        "3:",
        "add rsp, 8",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        ".cfi_def_cfa rsp, 8",
        "ret",
        ".cfi_endproc",
        sp = const offset_of!(Frame, sp),
        recover = const offset_of!(Frame, recover),
    )
}

/// Calls `f(arg)` so that the handler can return here.
///
/// # Safety
/// It must be valid to call `f(arg)` and to discard its frames where it faults. `frame` must be writable and be the
/// thread's current frame during the call.
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
unsafe extern "C" fn trampoline(_f: Callee, _arg: *mut u8, _frame: *mut Frame) -> Outcome {
    core::arch::naked_asm!(
        ".cfi_startproc",
        "stp x29, x30, [sp, #-176]!",
        ".cfi_adjust_cfa_offset 176",
        ".cfi_rel_offset x29, 0",
        ".cfi_rel_offset x30, 8",
        "mov x29, sp",
        "stp x19, x20, [sp, #16]",
        "stp x21, x22, [sp, #32]",
        "stp x23, x24, [sp, #48]",
        "stp x25, x26, [sp, #64]",
        "stp x27, x28, [sp, #80]",
        "stp d8, d9, [sp, #96]",
        "stp d10, d11, [sp, #112]",
        "stp d12, d13, [sp, #128]",
        "stp d14, d15, [sp, #144]",
        "mrs x9, fpcr",
        "str x9, [sp, #160]",
        "mov x9, sp",
        "str x9, [x2, #{sp}]",
        "adr x9, 2f",
        "str x9, [x2, #{recover}]",
        "mov x9, x0",
        "mov x0, x1",
        "blr x9",
        "mov x1, #0",
        "b 3f",
        "2:",
        "ldr x9, [sp, #160]",
        "msr fpcr, x9",
        "mov x0, #0",
        "mov x1, #1",
        "3:",
        "ldp d14, d15, [sp, #144]",
        "ldp d12, d13, [sp, #128]",
        "ldp d10, d11, [sp, #112]",
        "ldp d8, d9, [sp, #96]",
        "ldp x27, x28, [sp, #80]",
        "ldp x25, x26, [sp, #64]",
        "ldp x23, x24, [sp, #48]",
        "ldp x21, x22, [sp, #32]",
        "ldp x19, x20, [sp, #16]",
        "ldp x29, x30, [sp], #176",
        ".cfi_adjust_cfa_offset -176",
        "ret",
        ".cfi_endproc",
        sp = const offset_of!(Frame, sp),
        recover = const offset_of!(Frame, recover),
    )
}

// `const` and without a destructor: readable from a signal handler and after thread-local teardown.
thread_local! {
    static CURRENT: Cell<*const Frame> = const { Cell::new(ptr::null()) };
    static HAS_STACK: Cell<bool> = const { Cell::new(false) };
    static FORWARDING: Cell<bool> = const { Cell::new(false) };
}

const SIGNALS: [c_int; 4] = [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL];
/// Large enough for the widest vector state that the kernel saves, and for other handlers.
const STACK_BYTES: usize = 128 << 10;
/// An existing signal stack is kept if it is at least this large.
const STACK_ENOUGH: usize = 16 << 10;

/// The previously installed action of each signal, written before our handler can run.
static mut PREVIOUS: [MaybeUninit<libc::sigaction>; 4] = [const { MaybeUninit::zeroed() }; 4];
static INSTALLED: AtomicBool = AtomicBool::new(false);

fn slot(signal: c_int) -> Option<usize> {
    SIGNALS.iter().position(|&s| s == signal)
}

type SigactionHandler = extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void);

fn our_action() -> libc::sigaction {
    // SAFETY: all-zero is a valid sigaction; the mask is made by sigemptyset.
    let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
    new.sa_sigaction = handle as SigactionHandler as usize;
    new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
    // SAFETY: the mask is a field of the local action, which is initialised.
    unsafe { libc::sigemptyset(&mut new.sa_mask) };
    new
}

/// Installs the signal handlers; the first [`protected`] call does that. Further calls are cheap, and reinstall the
/// handlers if another library has replaced them.
pub fn install() {
    static LOCK: std::sync::Mutex<()> = std::sync::Mutex::new(());
    if INSTALLED.load(Ordering::Acquire) {
        // SAFETY: a query into local storage.
        let ours = unsafe {
            let mut now = MaybeUninit::<libc::sigaction>::zeroed();
            libc::sigaction(libc::SIGSEGV, ptr::null(), now.as_mut_ptr()) == 0
                && now.assume_init().sa_sigaction == handle as SigactionHandler as usize
        };
        if ours {
            return;
        }
    }
    let _guard = LOCK
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    let new = our_action();
    for (i, &signal) in SIGNALS.iter().enumerate() {
        // SAFETY: PREVIOUS is written under the lock. It is stored before the new handler is installed; a
        // reinstallation only replaces it by the action that was found.
        unsafe {
            let mut old = MaybeUninit::<libc::sigaction>::zeroed();
            if libc::sigaction(signal, ptr::null(), old.as_mut_ptr()) != 0
                || old.assume_init_ref().sa_sigaction == new.sa_sigaction
            {
                continue;
            }
            (&raw mut PREVIOUS)
                .cast::<MaybeUninit<libc::sigaction>>()
                .add(i)
                .write(old);
            libc::sigaction(signal, &new, ptr::null_mut());
        }
    }
    INSTALLED.store(true, Ordering::Release);
}

/// Gives this thread a signal stack, so that a stack overflow can be handled. The stack is freed when the thread
/// ends.
fn ensure_stack() {
    static KEY: OnceLock<Option<libc::pthread_key_t>> = OnceLock::new();
    extern "C" fn release(stack: *mut c_void) {
        // SAFETY: `ensure_stack` mapped `stack` for this thread. If it is still the thread's signal stack, it is
        // first disabled.
        unsafe {
            let mut now = MaybeUninit::<libc::stack_t>::zeroed();
            if libc::sigaltstack(ptr::null(), now.as_mut_ptr()) == 0
                && now.assume_init_ref().ss_sp == stack
            {
                let mut off: libc::stack_t = std::mem::zeroed();
                off.ss_flags = libc::SS_DISABLE;
                if libc::sigaltstack(&off, ptr::null_mut()) != 0 {
                    return;
                }
            }
            HAS_STACK.with(|h| h.set(false));
            libc::munmap(stack, STACK_BYTES);
        }
    }
    HAS_STACK.with(|h| h.set(true));
    // SAFETY: queries and sets this thread's signal stack; the new one is mapped for this purpose only.
    unsafe {
        let mut now = MaybeUninit::<libc::stack_t>::zeroed();
        if libc::sigaltstack(ptr::null(), now.as_mut_ptr()) != 0 {
            return;
        }
        let now = now.assume_init();
        if now.ss_flags & libc::SS_DISABLE == 0 && now.ss_size >= STACK_ENOUGH {
            return;
        }
        let Some(key) = *KEY.get_or_init(|| {
            let mut key = 0;
            (libc::pthread_key_create(&mut key, Some(release)) == 0).then_some(key)
        }) else {
            return;
        };
        let stack = libc::mmap(
            ptr::null_mut(),
            STACK_BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_STACK,
            -1,
            0,
        );
        if stack == libc::MAP_FAILED {
            return;
        }
        let new = libc::stack_t {
            ss_sp: stack,
            ss_flags: 0,
            ss_size: STACK_BYTES,
        };
        if libc::sigaltstack(&new, ptr::null_mut()) != 0
            || libc::pthread_setspecific(key, stack) != 0
        {
            libc::sigaltstack(&now, ptr::null_mut());
            libc::munmap(stack, STACK_BYTES);
        }
    }
}

/// Calls `f(arg)` on this thread and survives a `SIGSEGV`, `SIGBUS`, `SIGFPE` or `SIGILL` that is raised in it, a
/// stack overflow included.
///
/// # Safety
/// It must be valid to call `f(arg)`. Where it can fault, it must hold no lock and have no pending destructor, since
/// its frames are discarded. It must not unwind.
pub unsafe fn protected(f: Callee, arg: *mut u8) -> Result<u64, Trap> {
    if !INSTALLED.load(Ordering::Acquire) {
        install();
    }
    if !HAS_STACK.with(Cell::get) {
        ensure_stack();
    }
    let mut frame = Frame {
        sp: 0,
        recover: 0,
        trap: Cell::new(Trap {
            address: 0,
            pc: 0,
            signal: 0,
        }),
    };
    let frame: *mut Frame = &raw mut frame;
    let outer = CURRENT.with(|c| c.replace(frame));
    // SAFETY: the caller guarantees that `f(arg)` may be called and its frames discarded; `frame` lives until the
    // trampoline has returned.
    let outcome = unsafe { trampoline(f, arg, frame) };
    CURRENT.with(|c| c.set(outer));
    if outcome.trapped == 0 {
        Ok(outcome.value)
    } else {
        // SAFETY: the frame is this function's own; the handler no longer uses it.
        Err(unsafe { (*frame).trap.get() })
    }
}

/// Runs `f` outside the protected call that this thread is in, for host callbacks from device code. A fault in it is
/// handled like any fault of the host program.
pub fn unprotected<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(*const Frame);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.with(|c| c.set(self.0));
        }
    }
    let _restore = Restore(CURRENT.with(|c| c.replace(ptr::null())));
    f()
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    let frame = CURRENT.with(Cell::get);
    // SAFETY: the kernel passes valid pointers to a handler installed with SA_SIGINFO.
    let from_kernel = unsafe { (*info).si_code } > 0;
    // SAFETY: as above; a SIGSEGV of the kernel's has an address.
    let address = unsafe { (*info).si_addr() } as u64;
    if signal == libc::SIGSEGV && from_kernel && replacing::wait_for(address) {
        return;
    }
    if frame.is_null() || !from_kernel {
        // SAFETY: the arguments are those that the kernel passed.
        unsafe { forward(signal, info, context, from_kernel) };
        return;
    }
    // SAFETY: a non-null current frame is a protected call of this thread, still on its stack. The trampoline filled
    // in `sp` and `recover` before it called anything that can fault.
    unsafe {
        let context = &mut *context.cast::<libc::ucontext_t>();
        let pc = program_counter(context);
        (*frame).trap.set(Trap {
            address: (*info).si_addr() as u64,
            pc,
            signal,
        });
        resume_at(context, (*frame).recover, (*frame).sp);
    }
}

#[cfg(target_arch = "x86_64")]
fn program_counter(context: &libc::ucontext_t) -> u64 {
    context.uc_mcontext.gregs[libc::REG_RIP as usize] as u64
}

#[cfg(target_arch = "x86_64")]
fn resume_at(context: &mut libc::ucontext_t, pc: u64, sp: u64) {
    const DIRECTION_FLAG: i64 = 0x400;
    let gregs = &mut context.uc_mcontext.gregs;
    gregs[libc::REG_RIP as usize] = pc as i64;
    gregs[libc::REG_RSP as usize] = sp as i64;
    // A backwards string copy that faulted would leave the flag set, which the ABI forbids.
    gregs[libc::REG_EFL as usize] &= !DIRECTION_FLAG;
}

#[cfg(target_arch = "aarch64")]
fn program_counter(context: &libc::ucontext_t) -> u64 {
    context.uc_mcontext.pc
}

#[cfg(target_arch = "aarch64")]
fn resume_at(context: &mut libc::ucontext_t, pc: u64, sp: u64) {
    context.uc_mcontext.pc = pc;
    context.uc_mcontext.sp = sp;
}

/// Forwards a signal to the previously installed handler.
///
/// # Safety
/// The arguments must be those of a signal handler in progress.
unsafe fn forward(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void, fault: bool) {
    let Some(i) = slot(signal) else { return };
    // SAFETY: PREVIOUS[i] was written before our handler was installed; zeroes are SIG_DFL.
    let previous = unsafe {
        (&raw const PREVIOUS)
            .cast::<MaybeUninit<libc::sigaction>>()
            .add(i)
            .read()
            .assume_init()
    };
    // The handler got the same fault again while it was busy with it: it has reinstalled this handler and raised the
    // signal, in order to get the default action.
    let again = FORWARDING.with(|f| f.replace(true));
    match previous.sa_sigaction {
        libc::SIG_IGN if !fault => {}
        libc::SIG_DFL | libc::SIG_IGN => die_of(signal, fault),
        _ if again => die_of(signal, fault),
        handler => {
            if previous.sa_flags & libc::SA_RESETHAND != 0 {
                // SAFETY: PREVIOUS[i] was written before our handler was installed; the zeroed action is SIG_DFL.
                unsafe {
                    (&raw mut PREVIOUS)
                        .cast::<MaybeUninit<libc::sigaction>>()
                        .add(i)
                        .write(MaybeUninit::zeroed());
                }
            }
            if previous.sa_flags & libc::SA_SIGINFO != 0 {
                // SAFETY: SA_SIGINFO says that the value is a three-argument handler.
                let handler = unsafe { std::mem::transmute::<usize, SigactionHandler>(handler) };
                handler(signal, info, context);
            } else {
                // SAFETY: without SA_SIGINFO the value is a one-argument handler.
                let handler =
                    unsafe { std::mem::transmute::<usize, extern "C" fn(c_int)>(handler) };
                handler(signal);
            }
        }
    }
    FORWARDING.with(|f| f.set(again));
}

/// Restores the default action. A fault then occurs again on return; a sent signal is sent again.
fn die_of(signal: c_int, fault: bool) {
    // SAFETY: sigaction, sigprocmask and raise are async-signal-safe; all-zero is SIG_DFL.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, &default, ptr::null_mut());
        if !fault {
            libc::raise(signal);
        }
    }
}

#[repr(C)]
struct Bytes {
    dst: u64,
    src: u64,
    len: usize,
}

unsafe extern "C" fn copy_bytes(arg: *mut u8) -> u64 {
    // SAFETY: `copy` passes a pointer to its own Bytes; bad addresses in it end the protected call.
    unsafe {
        let b = &*arg.cast::<Bytes>();
        libc::memmove(b.dst as *mut c_void, b.src as *const c_void, b.len);
    }
    0
}

unsafe extern "C" fn fill_bytes(arg: *mut u8) -> u64 {
    // SAFETY: `fill` passes a pointer to its own Bytes, in which `src` is the byte; bad addresses in it end the
    // protected call.
    unsafe {
        let b = &*arg.cast::<Bytes>();
        libc::memset(b.dst as *mut c_void, b.src as c_int, b.len);
    }
    0
}

/// Copies `len` bytes (ranges may overlap). If an address is inaccessible, it returns an error, and the destination
/// may be partly written.
///
/// # Safety
/// The accessible part of the destination may be overwritten. No Rust code may depend on the two ranges' contents at
/// that time.
pub unsafe fn copy(dst: u64, src: u64, len: usize) -> Result<(), Trap> {
    if len == 0 {
        return Ok(());
    }
    let mut b = Bytes { dst, src, len };
    // SAFETY: copy_bytes gets a pointer to `b`, which outlives the call, and holds no lock when it faults; the caller
    // guarantees that the destination may be overwritten.
    unsafe { protected(copy_bytes, (&raw mut b).cast()) }.map(drop)
}

/// Sets `len` bytes. If an address is inaccessible, it returns an error, and the range may be partly written.
///
/// # Safety
/// The accessible part of the range may be overwritten. No Rust code may depend on its contents at that time.
pub unsafe fn fill(dst: u64, byte: u8, len: usize) -> Result<(), Trap> {
    if len == 0 {
        return Ok(());
    }
    let mut b = Bytes {
        dst,
        src: u64::from(byte),
        len,
    };
    // SAFETY: fill_bytes gets a pointer to `b`, which outlives the call, and holds no lock when it faults; the caller
    // guarantees that the range may be overwritten.
    unsafe { protected(fill_bytes, (&raw mut b).cast()) }.map(drop)
}

/// Returns the size of a page, the unit of protection.
pub fn page_size() -> u64 {
    region::page_size()
}

#[cfg(test)]
#[path = "trap_tests.rs"]
mod tests;
