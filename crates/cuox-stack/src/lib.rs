//! Compilers need some hundred kibibytes of stack. A program's threads may have less: 16 KiB is the least that POSIX
//! allows. On such a thread, [`with_room`] does the work on a thread of its own.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

use std::io;
use std::mem::MaybeUninit;

/// The least that a thread must have left to do the work itself.
const ENOUGH: usize = 1 << 20;
/// The stack of a thread that does another's work.
const STACK: usize = 8 << 20;

/// Does some work with at least a mebibyte of stack. It must not need what belongs to the calling thread.
///
/// # Errors
/// The thread that the work needs cannot be made.
pub fn with_room<R: Send>(work: impl FnOnce() -> R + Send) -> io::Result<R> {
    if has_room() {
        return Ok(work());
    }
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("cuox-compile".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, work)?;
        match thread.join() {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// True if the calling thread is the first of its process.
pub fn is_main_thread() -> bool {
    // The function gettid is in glibc since 2.30; cuox is for older ones, too.
    // SAFETY: the calls have no arguments and cannot fail.
    unsafe { libc::syscall(libc::SYS_gettid) == libc::c_long::from(libc::getpid()) }
}

/// True if the calling thread has enough left.
fn has_room() -> bool {
    if is_main_thread() {
        // The first thread's stack grows when it is used. The system's list of mappings, where its end stands, is long.
        return true;
    }
    stack_left().is_some_and(|left| left >= ENOUGH)
}

/// Bytes between the end of the calling thread's stack and the place where it is now; none if it is elsewhere, as
/// coroutines are that have stacks of their own.
fn stack_left() -> Option<usize> {
    let mut attributes = MaybeUninit::<libc::pthread_attr_t>::uninit();
    let (mut end, mut size) = (std::ptr::null_mut(), 0);
    // SAFETY: the attributes are initialised by the first call if it succeeds, and destroyed once after that; the
    // pointers are to live locals.
    unsafe {
        if libc::pthread_getattr_np(libc::pthread_self(), attributes.as_mut_ptr()) != 0 {
            return None;
        }
        let code = libc::pthread_attr_getstack(attributes.as_ptr(), &mut end, &mut size);
        libc::pthread_attr_destroy(attributes.as_mut_ptr());
        if code != 0 {
            return None;
        }
    }
    let here = (&raw const size).addr();
    here.checked_sub(end.addr()).filter(|left| *left < size)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses so many kibibytes of stack.
    fn deep(kibibytes: usize) -> usize {
        let room = std::hint::black_box([1u8; 1024]);
        match kibibytes {
            0 => 0,
            more => usize::from(room[more % 1024]) + deep(more - 1),
        }
    }

    fn in_a_thread<R: Send>(stack: usize, work: impl FnOnce() -> R + Send) -> R {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(stack);
            let thread = builder.spawn_scoped(scope, work).unwrap();
            thread.join().unwrap()
        })
    }

    #[test]
    fn work_has_room_whatever_the_thread_has() {
        for stack in [64 << 10, 8 << 20] {
            let (own, done) = in_a_thread(stack, || {
                let caller = std::thread::current().id();
                let work = || (std::thread::current().id() == caller, deep(700));
                with_room(work).unwrap()
            });
            assert_eq!((own, done), (stack > ENOUGH, 700));
        }
    }

    #[test]
    fn a_panic_comes_back_to_the_caller() {
        let caught = in_a_thread(64 << 10, || {
            std::panic::catch_unwind(|| with_room(|| panic!("on purpose")).is_ok()).is_err()
        });
        assert!(caught);
    }
}
