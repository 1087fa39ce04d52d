//! Memory that algorithms use while they run, kept for each stream: the next launch in the stream finds it as the last
//! one left it.

use std::sync::{Mutex, PoisonError};

use cuox::memory::{Buffer, Fill};
use cuox::{Context, Result, Stream};

/// The algorithms, each of which leaves its memory in a state of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// Counters, all 0; then anything.
    Reduce,
    /// A header and tagged words; see `templates/scan.cu`.
    Scan,
}

struct Kept {
    user: User,
    context: Context,
    stream: u64,
    buffer: Buffer,
}

impl Kept {
    fn is_of(&self, user: User, stream: &Stream, id: u64) -> bool {
        self.user == user
            && self.stream == id
            && self.context == *stream.context()
            && self.context.check().is_ok()
    }
}

/// The streams whose memory is kept; those that were used last come last.
static KEPT: Mutex<Vec<Kept>> = Mutex::new(Vec::new());
const MOST_KEPT: usize = 64;

/// At least this many bytes for the next launch in a stream, if they are there. Hold the buffer until the launch is in
/// the stream. Never waits.
///
/// # Errors
/// The errors of the driver.
pub fn find(user: User, stream: &Stream, bytes: usize) -> Result<Option<Buffer>> {
    if stream.is_capturing()? {
        return Ok(None);
    }
    let id = stream.id()?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let fits = |one: &Kept| one.is_of(user, stream, id) && one.buffer.len() >= bytes;
    let Some(place) = kept.iter().rposition(fits) else {
        return Ok(None);
    };
    if place + 1 < kept.len() {
        let used = kept.remove(place);
        kept.push(used);
    }
    Ok(kept.last().map(|one| one.buffer.clone()))
}

/// The same, allocated and set to 0 if need be. To free what was there before may wait for work of the device.
///
/// # Errors
/// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
pub fn get(user: User, stream: &Stream, bytes: usize) -> Result<Buffer> {
    if let Some(buffer) = find(user, stream, bytes)? {
        return Ok(buffer);
    }
    if stream.is_capturing()? {
        // A graph may run at any time, also twice at once with other work: it allocates and frees its own.
        let buffer = Buffer::allocate_async(stream, bytes)?;
        buffer.fill(Fill::U8(0), Some(stream))?;
        return Ok(buffer);
    }
    // Not in the stream's order: the memory must not keep the stream alive, and freeing it waits for the work that uses
    // it.
    let buffer = Buffer::allocate(stream.context(), bytes.next_power_of_two())?;
    buffer.fill(Fill::U8(0), Some(stream))?;
    let id = stream.id()?;
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let gone = |one: &Kept| one.is_of(user, stream, id) || one.context.check().is_err();
    let mut dropped: Vec<Kept> = Vec::new();
    while let Some(place) = kept.iter().position(gone) {
        dropped.push(kept.remove(place));
    }
    if kept.len() >= MOST_KEPT {
        dropped.push(kept.remove(0));
    }
    kept.push(Kept {
        user,
        context: stream.context().clone(),
        stream: id,
        buffer: buffer.clone(),
    });
    drop(kept);
    // Without the lock: this may wait.
    drop(dropped);
    Ok(buffer)
}

/// Sets the first bytes of some memory to 0, in a stream's order.
///
/// # Errors
/// The errors of the driver.
pub fn clear(memory: &Buffer, bytes: usize, stream: &Stream) -> Result<()> {
    debug_assert!(bytes <= memory.len(), "more than there is");
    // SAFETY: the beginning of that memory, for the time of this call.
    let first = unsafe { Buffer::borrowed(stream.context(), memory.ptr(), bytes, None) };
    first.fill(Fill::U8(0), Some(stream))
}
