//! Events that several processes record and wait for: a page of shared memory with the number of the newest recording,
//! and of those that have been reached.

use crate::code::{INVALID_CONTEXT, INVALID_HANDLE, OUT_OF_MEMORY, Res};
use crate::fault::explain;
use crate::ipc::{Bytes, Handle, Shareable, has_ended};
use std::fs::File;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

const MAGIC: &[u8; 8] = b"cuoxIPCe";
const BYTES: usize = 4096;
/// Recordings that can be under way at once, in different streams, and be told apart.
const SLOTS: usize = 64;
/// Bits of a process's number (`PID_MAX_LIMIT` is 2^22).
const PID_BITS: u32 = 22;
/// Time after which a waiting thread looks if the process that it waits for still exists.
const LOOK: Duration = Duration::from_millis(50);

/// The shared page. A new file's zeros are an event that was never recorded.
#[repr(C)]
struct Page {
    nonce: [u64; 2],
    /// Number of the newest recording, and the process that made it.
    newest: AtomicU64,
    /// Changes whenever a recording is reached: what sleepers wait for.
    wake: AtomicU32,
    reached: [AtomicU64; SLOTS],
}

/// A recording: its number and the process that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    number: u64,
    pid: u32,
}

/// An event in shared memory.
pub struct SharedEvent {
    page: *const Page,
    /// Where it was made: other processes open it there.
    file: Option<Shareable>,
}

// SAFETY: the page is mapped until the value is dropped, and is only accessed by atomic operations.
unsafe impl Send for SharedEvent {}
// SAFETY: as above.
unsafe impl Sync for SharedEvent {}

impl Drop for SharedEvent {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own.
        unsafe { libc::munmap(self.page.cast_mut().cast(), BYTES) };
    }
}

fn map(file: &File) -> Res<*const Page> {
    // SAFETY: a new mapping at an address that the system chooses.
    let at = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            BYTES,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    match at {
        libc::MAP_FAILED => Err(OUT_OF_MEMORY),
        at => Ok(at.cast_const().cast()),
    }
}

impl SharedEvent {
    pub fn new() -> Res<SharedEvent> {
        let file = Shareable::new(BYTES as u64, 0)?;
        let page = map(&file.file)?;
        Ok(SharedEvent {
            page,
            file: Some(file),
        })
    }

    /// The handle for other processes. Only the process that made the event has it.
    pub fn handle(&self) -> Res<Bytes> {
        let Some(file) = &self.file else {
            explain("the event was opened from another process's handle; use that handle".into());
            return Err(INVALID_HANDLE);
        };
        Ok(file.handle(MAGIC, 0, [0; 3]).to_bytes())
    }

    /// The event of another process.
    pub fn open(bytes: &Bytes) -> Res<SharedEvent> {
        let handle = Handle::of_bytes(bytes, MAGIC)?;
        if handle.is_own() {
            explain("the event's handle is of this very process; use the event itself".into());
            return Err(INVALID_CONTEXT);
        }
        let file = handle.open()?;
        if file.metadata().map(|m| m.len()).ok() != Some(BYTES as u64) {
            return Err(INVALID_HANDLE);
        }
        Ok(SharedEvent {
            page: map(&file)?,
            file: None,
        })
    }

    fn page(&self) -> &Page {
        // SAFETY: the mapping lives as long as `self`; the file is sealed against shrinking, and is as long as a page.
        unsafe { &*self.page }
    }

    fn reached(&self, number: u64) -> &AtomicU64 {
        &self.page().reached[number as usize % SLOTS]
    }

    /// Begins a recording of this process's; gives its number.
    pub fn begin(&self) -> u64 {
        let pid = u64::from(std::process::id());
        let next = |newest: u64| Some(((newest >> PID_BITS) + 1) << PID_BITS | pid);
        let order = Ordering::SeqCst;
        let before = match self.page().newest.fetch_update(order, order, next) {
            Ok(newest) | Err(newest) => newest,
        };
        (before >> PID_BITS) + 1
    }

    /// The recording with that number is reached.
    pub fn finish(&self, number: u64) {
        self.reached(number).fetch_max(number, Ordering::SeqCst);
        let wake = &self.page().wake;
        wake.fetch_add(1, Ordering::SeqCst);
        // SAFETY: the word is alive; waking has no other effect.
        unsafe { libc::syscall(libc::SYS_futex, wake.as_ptr(), libc::FUTEX_WAKE, i32::MAX) };
    }

    /// The newest recording, unless it is reached or there is none.
    pub fn pending(&self) -> Option<Mark> {
        let newest = self.page().newest.load(Ordering::SeqCst);
        let mark = Mark {
            number: newest >> PID_BITS,
            pid: (newest & ((1 << PID_BITS) - 1)) as u32,
        };
        (mark.number > 0 && !self.is_over(mark)).then_some(mark)
    }

    /// True if the recording is reached, or never will be because its process has ended and its work with it.
    fn is_over(&self, mark: Mark) -> bool {
        self.is_reached(mark) || self.has_lost(mark)
    }

    fn is_reached(&self, mark: Mark) -> bool {
        self.reached(mark.number).load(Ordering::SeqCst) >= mark.number
    }

    /// True if the recording's process has ended. It is marked as reached then, so that nobody has to ask again.
    fn has_lost(&self, mark: Mark) -> bool {
        let lost = has_ended(mark.pid);
        if lost {
            self.finish(mark.number);
        }
        lost
    }

    /// Waits for a recording, or until `cancelled`.
    pub fn wait(&self, mark: Mark, cancelled: impl Fn() -> bool) {
        let wake = &self.page().wake;
        let timeout = libc::timespec {
            tv_sec: 0,
            tv_nsec: LOOK.as_nanos() as _,
        };
        loop {
            let seen = wake.load(Ordering::SeqCst);
            if self.is_reached(mark) || cancelled() || self.is_over(mark) {
                return;
            }
            // SAFETY: the word and the time are alive during the call.
            unsafe {
                libc::syscall(
                    libc::SYS_futex,
                    wake.as_ptr(),
                    libc::FUTEX_WAIT,
                    seen,
                    &timeout,
                )
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    const _: () = assert!(size_of::<Page>() <= BYTES);

    #[test]
    fn the_newest_recording_counts() {
        let event = Arc::new(SharedEvent::new().unwrap());
        assert_eq!(event.pending(), None, "never recorded is complete");
        let first = event.begin();
        let mark = event.pending().unwrap();
        let second = event.begin();
        event.finish(second);
        assert_eq!(event.pending(), None);
        assert!(!event.is_reached(mark), "its own stream has not reached it");
        let waiter = std::thread::spawn({
            let event = event.clone();
            move || event.wait(mark, || false)
        });
        event.finish(first);
        waiter.join().unwrap();
        let third = event.begin();
        event.wait(event.pending().unwrap(), || true);
        event.finish(third);
    }

    #[test]
    fn work_of_a_process_that_has_ended_is_over() {
        let event = SharedEvent::new().unwrap();
        let nobody = u64::from(u32::MAX >> 11);
        event
            .page()
            .newest
            .store(5 << PID_BITS | nobody, Ordering::SeqCst);
        assert_eq!(event.pending(), None);
        event.wait(
            Mark {
                number: 5,
                pid: nobody as u32,
            },
            || false,
        );
    }

    #[test]
    fn an_event_is_not_opened_where_it_was_made() {
        let event = SharedEvent::new().unwrap();
        let code = SharedEvent::open(&event.handle().unwrap()).err();
        assert_eq!(code, Some(INVALID_CONTEXT));
    }
}
