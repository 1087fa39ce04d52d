//! The end of a thread that has used its default stream.
//!
//! NVIDIA's driver destroys that stream when the thread ends. With work in it, and memory from a pool
//! (`cuMemAllocAsync`) in use, the ending thread and the next call of another one wait for each other without an end
//! (seen with driver 580.159). So the thread waits for its work first, before the driver's destructors run.

use std::cell::RefCell;

use crate::context::Context;
use crate::stream::Stream;
use crate::wait;

/// The contexts in which this thread has used its default stream.
struct Used(Vec<Context>);

thread_local! {
    static USED: RefCell<Used> = const { RefCell::new(Used(Vec::new())) };
}

/// This thread uses its default stream.
#[cold]
pub(crate) fn note(context: &Context) {
    // Not in a destructor of the thread, nor inside of the drop of a list that has just grown.
    let _ = USED.try_with(|used| {
        if let Ok(mut used) = used.try_borrow_mut()
            && !used.0.contains(context)
        {
            used.0.retain(|other| other.check().is_ok());
            used.0.push(context.clone());
        }
    });
}

impl Drop for Used {
    fn drop(&mut self) {
        // At the end of the process nothing is waited for.
        if self.0.is_empty() || is_main_thread() || crate::driver::forked() {
            return;
        }
        for context in &self.0 {
            let stream = Stream::per_thread(context);
            // Work that fails is over; so is that of a device that was reset.
            let _ = wait::poll(&mut || stream.is_done(), &mut || false);
        }
    }
}

fn is_main_thread() -> bool {
    // SAFETY: these have no arguments.
    unsafe { libc::gettid() == libc::getpid() }
}
