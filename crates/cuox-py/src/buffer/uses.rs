//! The order of an array's uses in different streams: `cuox::memory::uses` for each buffer, and for each use the time
//! from when its stream has been put behind others to when it is in the stream.
//!
//! Buffers that are used as such, as `cuox.cuda.core` has them, are put into no order.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

use cuox::memory::uses::{self, Access, Use, Uses, Wait, Waits, captures};
use cuox::{Event, callback};
use pyo3::prelude::*;

use super::Buffer;
use crate::buffer_memory::{Held, Memory};
use crate::error::OrRaise;
use crate::graph_uses;
use crate::idle;
use crate::support::pool::Reference;

/// One use that is being put into a stream.
struct One {
    buffer: Reference<Buffer>,
    used: Use,
    /// None if it waited for no others that asked for no order either.
    known: Option<u64>,
}

/// The uses that are being put into a stream, those aside that it need not wait for.
#[derive(Default)]
pub struct Begun(RefCell<Vec<One>>);

impl Begun {
    /// Puts the stream behind what the use has to wait for.
    #[cold]
    pub fn begin(
        &self,
        py: Python<'_>,
        stream: &cuox::Stream,
        buffer: &Reference<Buffer>,
        used: Use,
    ) -> PyResult<()> {
        if used.bytes.is_empty() {
            return Ok(());
        }
        let this = buffer.get();
        // SAFETY: looking runs no Python code.
        let is_ordered = unsafe { this.uses.look(py, |uses| uses.unordered == 0) };
        if (captures::any() || uses::needs_mark(stream))
            && let Some(capture) = stream.capture().or_raise(py)?
        {
            return graph_uses::add_use(py, capture, stream, buffer, used, is_ordered);
        }
        let own = this.own_stream(py);
        // SAFETY: looking runs no Python code.
        let (waits, known) = unsafe {
            this.uses.look(py, |uses| {
                uses.of.before(own.as_ref(), stream, &used, is_ordered)
            })
        };
        put(py, &waits, stream)?;
        self.0.borrow_mut().push(One {
            buffer: buffer.clone_ref(py).into(),
            used,
            known: is_ordered.then_some(known),
        });
        Ok(())
    }

    /// The uses are in the stream.
    #[inline]
    pub fn end(&mut self, py: Python<'_>, stream: &cuox::Stream) {
        if !self.0.get_mut().is_empty() {
            self.end_some(py, stream);
        }
    }

    #[cold]
    fn end_some(&mut self, py: Python<'_>, stream: &cuox::Stream) {
        let mark = needed_mark(py, stream);
        for One {
            buffer,
            used,
            known,
        } in self.0.get_mut().drain(..)
        {
            let this = buffer.get();
            let own = this.own_stream(py);
            // SAFETY: looking runs no Python code.
            unsafe {
                this.uses.look(py, |uses| {
                    uses.of
                        .add(own.as_ref(), stream, &used, known, mark.clone());
                });
            }
        }
    }
}

/// The event that uses in this stream bring along, if they do and it can be recorded.
fn needed_mark(py: Python<'_>, stream: &cuox::Stream) -> Option<Event> {
    let mark = || idle::submit_at_once(py, stream, || uses::mark(stream)).ok();
    uses::needs_mark(stream).then(mark).flatten()
}

/// Puts a stream behind others.
fn put(py: Python<'_>, waits: &[Wait], stream: &cuox::Stream) -> PyResult<()> {
    if waits.is_empty() {
        return Ok(());
    }
    idle::submit_at_once(py, stream, || {
        waits.iter().try_for_each(|wait| wait.put_into(stream))
    })
    .or_raise(py)
}

/// A buffer's uses, and how many have asked that they be put into no order.
pub struct OfBuffer {
    pub of: Uses,
    pub unordered: usize,
    /// The stream that the memory is to be freed in, where that is not its own.
    free_in: Option<cuox::Stream>,
}

impl From<Uses> for OfBuffer {
    #[inline]
    fn from(of: Uses) -> Self {
        Self {
            of,
            unordered: 0,
            free_in: None,
        }
    }
}

/// Memory that nobody has any more, but that can be freed in no stream as long as its own is captured.
static LEFT: Mutex<Vec<Left>> = Mutex::new(Vec::new());

/// What had to wait for the end of a capture.
struct Left {
    /// It frees itself behind its uses.
    memory: cuox::Buffer,
    /// The work that is captured has allocated it.
    is_of_capture: bool,
}

/// Frees what had to wait: what the work that is `captured` in this stream has allocated, which such work frees as
/// well; with None what no capture holds any more.
pub fn free_what_is_left(captured: Option<&cuox::Stream>) {
    let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
    let (now, later) = std::mem::take(&mut *left).into_iter().partition(|one| {
        let own = one.memory.stream();
        match captured {
            Some(captured) => one.is_of_capture && own == Some(captured),
            None => own.is_none_or(|own| captures::before(own).is_none()),
        }
    });
    *left = later;
    drop(left);
    drop::<Vec<Left>>(now);
}

impl Buffer {
    /// True if this use needs neither wait nor be remembered.
    #[inline]
    pub fn has_use(&self, py: Python<'_>, stream: &cuox::Stream, used: &Use) -> bool {
        // SAFETY: comparing runs no Python code.
        unsafe { self.uses.look(py, |uses| uses.of.has(stream, used)) }
    }

    /// A use of all bytes.
    #[inline]
    pub fn whole_use(&self, access: Access) -> Use {
        Use {
            bytes: 0..self.size,
            access,
        }
    }

    /// Other libraries may have written all of it, in streams that this one has been put behind.
    pub fn is_written_by(&self, py: Python<'_>, stream: &cuox::Stream) {
        let mark = needed_mark(py, stream);
        let whole = self.whole_use(Access::Write);
        // SAFETY: looking runs no Python code.
        unsafe {
            self.uses
                .look(py, |uses| uses.of.add(None, stream, &whole, Some(0), mark));
        }
    }

    /// The stream that memory was allocated in the order of.
    fn stream_of(&self, held: &Held) -> Option<cuox::Stream> {
        match held {
            Held::Ordered(ordered) => Some(cuox::Stream::clone(&ordered.stream)),
            Held::Pooled(_) => self.device.default_stream().ok(),
            Held::Shared(memory) => memory.ordered_by().cloned(),
        }
    }

    /// The same of the memory that is held.
    fn own_stream(&self, py: Python<'_>) -> Option<cuox::Stream> {
        // SAFETY: a clone runs no Python code.
        let own = unsafe { self.held.look(py, |held| self.stream_of(held)) };
        own.flatten()
    }

    /// The stream to read bytes in for the host, if that is not the memory's own.
    pub fn writer(&self, py: Python<'_>, used: &Use) -> Option<cuox::Stream> {
        // SAFETY: looking runs no Python code.
        if unsafe { self.uses.look(py, |uses| uses.of.are_own()) } {
            return None;
        }
        let own = self.own_stream(py);
        // SAFETY: as above.
        unsafe {
            self.uses
                .look(py, |uses| uses.of.writer(own.as_ref(), used))
        }
    }

    /// Puts the memory's own stream behind all that uses it, before it goes to someone who asks for that stream.
    pub fn gather(&self, py: Python<'_>, own: &cuox::Stream) -> PyResult<()> {
        // SAFETY: looking runs no Python code.
        let waits = unsafe {
            self.uses.look(py, |uses| match uses.of.are_own() {
                true => Waits::new(),
                false => {
                    let all = self.whole_use(Access::Write);
                    uses.of.before(Some(own), own, &all, true).0
                }
            })
        };
        put(py, &waits, own)
    }

    /// The uses that are asked to be in no order, counted up or down.
    pub fn count_unordered(&self, py: Python<'_>, is_one_more: bool) {
        // SAFETY: counting runs no Python code.
        unsafe {
            self.uses.look(py, |uses| {
                uses.unordered = match is_one_more {
                    true => uses.unordered + 1,
                    false => uses.unordered.saturating_sub(1),
                };
            });
        }
    }

    /// True if the memory can be freed in its own stream without a thought of others.
    #[inline]
    pub fn is_used_by_its_own_stream_only(&self, py: Python<'_>) -> bool {
        // SAFETY: looking runs no Python code.
        !captures::any()
            && unsafe {
                self.uses
                    .look(py, |uses| uses.of.are_own() && uses.free_in.is_none())
            }
    }

    /// The stream that the memory is to be freed in, if the program has said one.
    pub fn free_in(&self, py: Python<'_>) -> Option<cuox::Stream> {
        // SAFETY: cloning runs no Python code.
        unsafe { self.uses.look(py, |uses| uses.free_in.clone()) }
    }

    /// Sets it.
    pub fn remember_free_in(&self, py: Python<'_>, stream: cuox::Stream) {
        // SAFETY: a swap runs no Python code; the old handle is dropped behind it.
        let old = unsafe { self.uses.look(py, |uses| uses.free_in.replace(stream)) };
        drop(old);
    }

    /// Takes the memory, to be freed in its own stream: what other streams use is first put in front of that, or freed
    /// in `into` if that is given.
    #[inline]
    pub fn take_held(&self, py: Python<'_>, into: Option<&cuox::Stream>) -> Option<Held> {
        let held = self.held.take(py)?;
        let said = match into {
            None => self.free_in(py),
            Some(_) => None,
        };
        let into = into.or(said.as_ref());
        // Someone who gives a stream may use that from now on.
        match into.is_none() && self.is_used_by_its_own_stream_only(py) {
            true => Some(held),
            false => self.end_uses(py, held, into),
        }
    }

    /// Puts what frees the memory behind all that uses it: memory in a stream's order is freed here, in the stream that
    /// used it last if none is given.
    #[cold]
    fn end_uses(&self, py: Python<'_>, held: Held, into: Option<&cuox::Stream>) -> Option<Held> {
        let own = self.stream_of(&held);
        let Some(own) = own.filter(|own| own.context().check().is_ok()) else {
            return Some(held);
        };
        // SAFETY: moving runs no Python code.
        let mut uses = unsafe {
            self.uses
                .look(py, |uses| std::mem::replace(&mut uses.of, Uses::none()))
        };
        let is_captured = |stream: &cuox::Stream| captures::before(stream).is_some();
        if callback::inside() || is_captured(&own) || into.is_some_and(is_captured) {
            let is_of_capture = uses.is_of_capture();
            let memory = match held {
                Held::Ordered(ordered) => ordered.used(uses),
                Held::Shared(Memory::Device(memory)) => {
                    memory.set_uses(uses);
                    memory
                }
                held => return Some(held),
            };
            if is_captured(&own) {
                let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
                left.push(Left {
                    memory,
                    is_of_capture,
                });
            }
            return None;
        }
        let Held::Ordered(ordered) = held else {
            // Whoever else holds shared memory frees it in its own stream.
            let (_, waits) = uses.end(&own, Some(&own));
            let _ = put(py, &waits, &own);
            if let Some(into) = into.filter(|into| **into != own) {
                let _ = idle::submit_at_once(py, into, || into.wait_stream(&own));
            }
            return Some(held);
        };
        let (stream, waits) = uses.end(&own, into);
        // Without the waits it stays: memory that may be in use is not freed.
        match put(py, &waits, &stream) {
            Ok(()) => drop(ordered.free_on(&stream)),
            Err(_) => ordered.leave(),
        }
        None
    }
}
