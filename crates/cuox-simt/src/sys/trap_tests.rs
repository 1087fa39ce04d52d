//! Deliberate faults of every kind.

use super::*;
use crate::space;

unsafe extern "C" fn read_at(arg: *mut u8) -> u64 {
    // SAFETY: the tests pass bad addresses on purpose, inside a protected call.
    unsafe { u64::from(arg.read_volatile()) }
}

unsafe extern "C" fn illegal(_: *mut u8) -> u64 {
    // SAFETY: the instruction faults, inside a protected call.
    unsafe {
        #[cfg(target_arch = "x86_64")]
        core::arch::asm!("ud2");
        #[cfg(target_arch = "aarch64")]
        core::arch::asm!("udf #0");
    }
    0
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn divide(_: *mut u8) -> u64 {
    // SAFETY: the division faults, inside a protected call.
    unsafe {
        core::arch::asm!("xor ecx, ecx", "mov eax, 1", "cdq", "idiv ecx", out("eax") _, out("ecx") _, out("edx") _)
    };
    0
}

#[allow(unconditional_recursion, reason = "the overflow is the test")]
unsafe extern "C" fn overflow(arg: *mut u8) -> u64 {
    let mut pad = [0u8; 512];
    pad[arg as usize % 512] = 1;
    std::hint::black_box(&mut pad);
    // SAFETY: ends in the guard page, inside a protected call.
    let below = unsafe { overflow(arg.wrapping_add(1)) };
    below + u64::from(std::hint::black_box(pad)[0])
}

fn trap_of(f: Callee, arg: u64) -> Trap {
    // SAFETY: the functions of this file hold no lock when they fault.
    unsafe { protected(f, arg as *mut u8) }.unwrap_err()
}

#[test]
fn a_good_call_returns_its_value() {
    let byte = 42u8;
    // SAFETY: the address is valid.
    let got = unsafe { protected(read_at, (&raw const byte).cast_mut()) };
    assert_eq!(got, Ok(42));
}

#[test]
fn null_and_guarded_pages() {
    let t = trap_of(read_at, 0);
    assert_eq!((t.address, t.signal), (0, libc::SIGSEGV));
    assert_ne!(t.pc, 0);
    let a = space::reserve(1 << 16, 1 << 12).unwrap();
    assert_eq!(trap_of(read_at, a + 5).address, a + 5);
    // Not a canonical address: the processor does not report it.
    assert_eq!(trap_of(read_at, 1 << 62).signal, libc::SIGSEGV);
}

#[test]
fn instructions_that_fault() {
    assert_eq!(trap_of(illegal, 0).signal, libc::SIGILL);
    #[cfg(target_arch = "x86_64")]
    assert_eq!(trap_of(divide, 0).signal, libc::SIGFPE);
}

#[test]
fn stack_overflow_is_a_trap() {
    let t = std::thread::spawn(|| {
        let first = trap_of(overflow, 0);
        let second = trap_of(overflow, 0);
        (first, second)
    });
    let (first, second) = t.join().unwrap();
    assert_eq!(
        (first.signal, second.signal),
        (libc::SIGSEGV, libc::SIGSEGV)
    );
}

#[test]
fn copies_and_fills() {
    let mut b = [1u8; 64];
    let at = b.as_mut_ptr() as u64;
    // SAFETY: valid addresses are the test's own; the others are inaccessible.
    unsafe {
        assert_eq!(copy(at, at + 32, 32), Ok(()));
        assert_eq!(fill(at, 9, 64), Ok(()));
        let hole = space::reserve(8192, 4096).unwrap();
        space::commit(hole, 4096).unwrap();
        assert_eq!(copy(hole, at, 64), Ok(()));
        // Across the end of the accessible range.
        assert!(copy(at, hole + 4096 - 32, 64).is_err());
        let t = fill(hole + 4000, 1, 200).unwrap_err();
        assert!((hole + 4096..hole + 4200).contains(&t.address), "{t:x?}");
        assert!(copy(8, at, 8).is_err());
        assert_eq!(copy(0, 0, 0), Ok(()));
    }
    assert!(b[..32].iter().all(|&x| x == 9));
}

#[test]
fn nested_calls_restore_the_outer_frame() {
    unsafe extern "C" fn outer(_: *mut u8) -> u64 {
        assert!(trap_of(read_at, 0x10).address == 0x10);
        // SAFETY: the address is bad on purpose; the outer call catches the fault.
        unsafe { read_at(0x20 as *mut u8) }
    }
    assert_eq!(trap_of(outer, 0).address, 0x20);
    assert!(CURRENT.with(Cell::get).is_null());
}

#[test]
fn unprotected_parts_keep_the_frame() {
    unsafe extern "C" fn body(_: *mut u8) -> u64 {
        unprotected(|| assert!(CURRENT.with(Cell::get).is_null()));
        // SAFETY: the address is bad on purpose; the protected call catches the fault.
        unsafe { read_at(0x30 as *mut u8) }
    }
    assert_eq!(trap_of(body, 0).address, 0x30);
}

#[test]
fn eight_threads_at_once() {
    let gate = std::sync::Barrier::new(8);
    std::thread::scope(|s| {
        for n in 0..8u64 {
            let gate = &gate;
            s.spawn(move || {
                gate.wait();
                for i in 0..500 {
                    let at = 0x40 + n * 0x100 + i % 16;
                    assert_eq!(trap_of(read_at, at).address, at);
                }
            });
        }
    });
}

/// Runs `name` of this test binary alone, with a switch that enables the dangerous part.
fn in_child(name: &str) -> std::process::Output {
    std::process::Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture", "--test-threads=1"])
        .env("CUOX_TRAP_CHILD", "1")
        .output()
        .unwrap()
}

fn is_child() -> bool {
    std::env::var_os("CUOX_TRAP_CHILD").is_some()
}

#[test]
fn a_foreign_fault_reaches_the_previous_handler() {
    extern "C" fn theirs(signal: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
        // SAFETY: siginfo is valid; _exit is async-signal-safe.
        unsafe {
            libc::_exit(if (*info).si_addr() as u64 == 0x77 {
                40 + signal
            } else {
                1
            })
        }
    }
    if !is_child() {
        let out = in_child("sys::trap::tests::a_foreign_fault_reaches_the_previous_handler");
        assert_eq!(out.status.code(), Some(40 + libc::SIGSEGV), "{out:?}");
        return;
    }
    // SAFETY: this process is meant to die in the handler.
    unsafe {
        let mut a = our_action();
        a.sa_sigaction = theirs as SigactionHandler as usize;
        libc::sigaction(libc::SIGSEGV, &a, ptr::null_mut());
        assert_eq!(trap_of(read_at, 0x10).address, 0x10);
        read_at(0x77 as *mut u8);
    }
}

#[test]
fn a_foreign_fault_without_a_handler_kills() {
    use std::os::unix::process::ExitStatusExt;
    if !is_child() {
        let out = in_child("sys::trap::tests::a_foreign_fault_without_a_handler_kills");
        assert_eq!(out.status.signal(), Some(libc::SIGSEGV), "{out:?}");
        return;
    }
    // SAFETY: this process is meant to die.
    unsafe {
        let default: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGSEGV, &default, ptr::null_mut());
        assert_eq!(trap_of(read_at, 0x10).address, 0x10);
        read_at(0x77 as *mut u8);
    }
}

#[test]
fn a_handler_installed_later_is_chained() {
    extern "C" fn theirs(_: c_int) {
        // SAFETY: _exit is async-signal-safe.
        unsafe { libc::_exit(55) }
    }
    if !is_child() {
        let out = in_child("sys::trap::tests::a_handler_installed_later_is_chained");
        assert_eq!(out.status.code(), Some(55), "{out:?}");
        return;
    }
    // SAFETY: this process is meant to die in the handler.
    unsafe {
        assert_eq!(trap_of(read_at, 0x10).address, 0x10);
        let mut a: libc::sigaction = std::mem::zeroed();
        a.sa_sigaction = theirs as extern "C" fn(c_int) as usize;
        libc::sigaction(libc::SIGSEGV, &a, ptr::null_mut());
        install();
        assert_eq!(trap_of(read_at, 0x10).address, 0x10);
        read_at(0x77 as *mut u8);
    }
}
