//! Which streams may still be using an allocation: what a use in another stream has to wait for.
//!
//! A use that reads waits for those that write bytes that it shares, one that writes for all that share bytes. Uses in
//! one stream are in its order anyway, so a stream that goes on using what it used costs a comparison. An event is
//! recorded when another stream asks: it then stands for all that the stream has had put into it until then, which may
//! be more than the use, and costs nothing where nobody asks. A stream that its owner may destroy cannot be asked
//! later, and the per-thread default stream is another one on each thread: their uses bring an event along.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use smallvec::SmallVec;

use crate::error::Result;
use crate::event::{Event, EventOptions};
use crate::stream::{LEGACY, Stream};
use crate::wait;

/// What is done to the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// They stay as they are.
    Read,
    /// They may change.
    Write,
}

/// A use of some bytes, counted from the allocation's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// The bytes.
    pub bytes: Range<usize>,
    /// What is done to them.
    pub access: Access,
}

impl Use {
    /// True if the two must not happen at once.
    pub fn conflicts(&self, other: &Self) -> bool {
        (self.access == Access::Write || other.access == Access::Write)
            && self.bytes.start < other.bytes.end
            && other.bytes.start < self.bytes.end
    }

    /// Makes it a use that stands for both.
    pub fn extend(&mut self, other: &Self) {
        self.bytes = self.bytes.start.min(other.bytes.start)..self.bytes.end.max(other.bytes.end);
        if other.access == Access::Write {
            self.access = Access::Write;
        }
    }

    /// True if whoever waits for this, or comes behind it in its stream, need not think of the other.
    #[inline]
    fn covers(&self, other: &Self) -> bool {
        (self.access == Access::Write || other.access == Access::Read)
            && self.bytes.start <= other.bytes.start
            && other.bytes.end <= self.bytes.end
    }
}

/// A use that may not be over.
struct Pending {
    used: Use,
    by: User,
    number: u64,
    /// Its stream has waited for all uses up to this number that the use had to wait for. Another thread may have added
    /// later ones before this one was.
    known: u64,
    /// Whoever put it into its stream asked for no order.
    is_unordered: bool,
}

/// The stream of a use, and what to wait for if it is not to be asked.
#[derive(Clone)]
struct User {
    stream: Stream,
    mark: Option<Event>,
}

impl User {
    /// True if work that is put into `stream` comes behind the use.
    fn is(&self, stream: &Stream) -> bool {
        self.mark.is_none() && self.stream == *stream
    }

    /// The event to wait for in place of the stream, if there is one.
    fn mark(&self) -> Option<Event> {
        self.mark.clone().or_else(|| captures::before(&self.stream))
    }
}

/// What a use has to wait for.
pub type Waits = SmallVec<[Wait; 2]>;

/// The end of uses in a stream.
#[derive(Clone)]
pub struct Wait(User);

impl Wait {
    /// Makes what is put into `stream` later wait. Work that was lost with its context or has failed is not waited for.
    ///
    /// # Errors
    /// The errors of the event's calls.
    pub fn put_into(&self, stream: &Stream) -> Result<()> {
        let other = &self.0.stream;
        if other.context().check().is_err() {
            return Ok(());
        }
        if let Some(mark) = self.0.mark() {
            // A capture that nobody has told of here: work from outside of it cannot be waited for.
            if stream.is_capturing()? {
                return Ok(());
            }
            return match mark.is_over() {
                true => Ok(()),
                false => stream.wait(&mark),
            };
        }
        if are_in_order(other, stream) {
            return Ok(());
        }
        // Captures that nobody has told of here: a question would spoil them, and there is no way to wait.
        if other.is_capturing()? || stream.is_capturing()? {
            return Ok(());
        }
        match wait::is_over(other.is_done()) {
            true => Ok(()),
            false => stream.wait_stream(other),
        }
    }

    /// True if the uses are over, as far as that can be asked.
    fn is_over(&self) -> bool {
        match self.0.mark() {
            Some(mark) => mark.is_over(),
            None => self.0.stream.is_over(),
        }
    }
}

/// True if nothing but what belongs to a capture may be put into the stream.
fn is_captured(stream: &Stream) -> bool {
    captures::any()
        && (captures::before(stream).is_some() || matches!(stream.is_capturing(), Ok(true)))
}

/// True if the driver itself puts the work of the two streams in order: of the legacy default stream and of a stream
/// that blocks.
fn are_in_order(a: &Stream, b: &Stream) -> bool {
    let blocks =
        |stream: &Stream| stream.handle() > LEGACY && matches!(stream.is_nonblocking(), Ok(false));
    a.context() == b.context()
        && (a.handle() <= LEGACY && blocks(b) || b.handle() <= LEGACY && blocks(a))
}

/// The number of uses of an allocation that are kept apart; more are put together by streams.
const MANY: usize = 16;

/// The uses of one allocation that may not be over.
pub struct Uses {
    /// The stream of the last use, which is kept alive by that use; null if there is none.
    last: *const (),
    last_use: Use,
    /// All bytes were given out in the order of the allocation's own stream, which `pending` does not say yet.
    is_fresh: bool,
    pending: Vec<Pending>,
    /// So many are kept before some are dropped.
    most: usize,
    number: u64,
    /// The memory was allocated by work that was being captured, and is freed by such work.
    is_of_capture: bool,
}

// SAFETY: the pointer is only compared.
unsafe impl Send for Uses {}
// SAFETY: as above.
unsafe impl Sync for Uses {}

impl Uses {
    /// Of new memory, allocated in the order of `stream`.
    #[inline]
    pub fn fresh(stream: &Stream, bytes: usize) -> Self {
        Self {
            last: stream.identity(),
            last_use: Use {
                bytes: 0..bytes,
                access: Access::Write,
            },
            is_fresh: true,
            is_of_capture: captures::any() && captures::before(stream).is_some(),
            ..Self::none()
        }
    }

    /// True if the memory was allocated by work that was being captured.
    pub fn is_of_capture(&self) -> bool {
        self.is_of_capture
    }

    /// Of memory that nothing uses.
    #[inline]
    pub fn none() -> Self {
        Self {
            last: std::ptr::null(),
            last_use: Use {
                bytes: 0..0,
                access: Access::Read,
            },
            is_fresh: false,
            pending: Vec::new(),
            most: MANY,
            number: 0,
            is_of_capture: false,
        }
    }

    /// True if the stream needs to wait for nothing, and the use need not be added: it has just done as much.
    #[inline]
    pub fn has(&self, stream: &Stream, used: &Use) -> bool {
        std::ptr::eq(self.last, stream.identity()) && self.last_use.covers(used) && !captures::any()
    }

    /// True if no stream but `own`, the allocation's, is known to use it.
    #[inline]
    pub fn are_own(&self) -> bool {
        self.pending.is_empty()
    }

    /// True if all uses are over, as far as that can be asked.
    pub fn are_over(&mut self) -> bool {
        self.drop_what_is_over();
        self.pending.is_empty()
    }

    fn settle(&mut self, own: Option<&Stream>) {
        if let (true, Some(own)) = (std::mem::take(&mut self.is_fresh), own) {
            self.number += 1;
            self.pending.push(Pending {
                used: self.last_use.clone(),
                by: User {
                    stream: own.clone(),
                    mark: None,
                },
                number: self.number,
                known: 0,
                is_unordered: false,
            });
        }
    }

    /// What the use has to wait for in this stream, and a number for [`Uses::add`]. `own` is the stream in whose order
    /// the memory was allocated. One that is not `is_ordered` waits only for those that are.
    pub fn before(
        &mut self,
        own: Option<&Stream>,
        stream: &Stream,
        used: &Use,
        is_ordered: bool,
    ) -> (Waits, u64) {
        self.settle(own);
        let mut waits = Waits::new();
        for pending in &self.pending {
            if pending.is_unordered && !is_ordered {
                continue;
            }
            let known = |of: &&Pending| {
                of.known >= pending.number
                    && of.by.is(stream)
                    && of.used.bytes.start <= used.bytes.start
                    && used.bytes.end <= of.used.bytes.end
                    && (of.used.access == Access::Write || pending.used.access == Access::Write)
            };
            if pending.by.is(stream)
                || !pending.used.conflicts(used)
                || self.pending.iter().any(|of| known(&of))
            {
                continue;
            }
            push(&mut waits, &pending.by);
        }
        (waits, self.number)
    }

    /// Adds a use that was put into a stream. `known` is the number that came with what it had to wait for; None if it
    /// was put into no order. `mark` is an event behind the use, if the stream [needs one](needs_mark).
    pub fn add(
        &mut self,
        own: Option<&Stream>,
        stream: &Stream,
        used: &Use,
        known: Option<u64>,
        mark: Option<Event>,
    ) {
        self.settle(own);
        self.pending.retain(|pending| {
            let is_behind = pending.by.is(stream) || used.access == Access::Write;
            let is_known = known.is_some_and(|known| pending.number <= known);
            !(is_behind && is_known && used.covers(&pending.used))
        });
        // What another thread has added meanwhile is still to be waited for.
        let is_last = !needs_mark(stream)
            && known.is_some_and(|known| {
                let mut others = self.pending.iter().filter(|of| !of.by.is(stream));
                others.all(|of| of.number <= known)
            });
        let is_unordered = known.is_none();
        let known = known.unwrap_or(0);
        self.number += 1;
        self.pending.push(Pending {
            used: used.clone(),
            by: User {
                stream: stream.clone(),
                mark,
            },
            number: self.number,
            known,
            is_unordered,
        });
        self.last = match is_last {
            true => stream.identity(),
            false => std::ptr::null(),
        };
        self.last_use = used.clone();
        if self.pending.len() > self.most {
            self.put_together();
        }
    }

    /// Drops what is over.
    fn drop_what_is_over(&mut self) {
        let mut over = Waits::new();
        let mut asked = Waits::new();
        for pending in &self.pending {
            if push(&mut asked, &pending.by) && Wait(pending.by.clone()).is_over() {
                push(&mut over, &pending.by);
            }
        }
        let is_over = |by: &User| over.iter().any(|wait| is_same(&wait.0, by));
        self.pending.retain(|pending| !is_over(&pending.by));
        // The last use may have been over, and be no longer among them.
        self.last = std::ptr::null();
    }

    /// Drops what is over, and has one use for each stream if that is not enough.
    #[cold]
    fn put_together(&mut self) {
        self.drop_what_is_over();
        if self.pending.len() > MANY {
            let mut together: Vec<Pending> = Vec::new();
            for pending in self.pending.drain(..) {
                let same = |of: &&mut Pending| is_same(&of.by, &pending.by);
                match together.iter_mut().find(same) {
                    Some(of) => {
                        of.used.extend(&pending.used);
                        of.number = of.number.max(pending.number);
                        of.known = 0;
                        of.is_unordered &= pending.is_unordered;
                    }
                    None => together.push(pending),
                }
            }
            self.pending = together;
        }
        // Streams are asked again when there are twice as many, or each use would ask all of them.
        self.most = MANY.max(2 * self.pending.len());
    }

    /// The stream to read these bytes in for the host, which waits for it: that of whoever writes them, if that is one
    /// stream.
    pub fn writer(&mut self, own: Option<&Stream>, used: &Use) -> Option<Stream> {
        if self.pending.is_empty() {
            return None;
        }
        self.settle(own);
        // Streams that are closed end with the last use that is remembered.
        self.drop_what_is_over();
        let mut writers = Waits::new();
        for pending in &self.pending {
            if pending.used.conflicts(used) {
                push(&mut writers, &pending.by);
            }
        }
        // A copy is put into a stream of the memory's own device.
        let is_here = |stream: &Stream| own.is_none_or(|own| own.context() == stream.context());
        match writers.as_slice() {
            [Wait(User { stream, mark: None })] if is_here(stream) && !is_captured(stream) => {
                Some(stream.clone())
            }
            _ => None,
        }
    }

    /// All uses end here: the stream to free the memory in, and what that has to wait for. `own` is the stream in whose
    /// order it was allocated; `into` the one to free it in, if that is to be no other.
    pub fn end(&mut self, own: &Stream, into: Option<&Stream>) -> (Stream, Waits) {
        self.settle(Some(own));
        self.last = std::ptr::null();
        let mut waits = Waits::new();
        for pending in &self.pending {
            push(&mut waits, &pending.by);
        }
        let last = self.pending.last().map(|last| last.by.clone());
        self.pending = Vec::new();
        let stream = match last {
            _ if let Some(into) = into => into.clone(),
            Some(User { stream, mark: None })
                if stream.context() == own.context()
                    && !is_captured(&stream)
                    && stream.context().check().is_ok() =>
            {
                stream
            }
            _ => own.clone(),
        };
        waits.retain(|wait| !wait.0.is(&stream));
        (stream, waits)
    }
}

/// True if the two are one stream, and one mark stands for both.
fn is_same(a: &User, b: &User) -> bool {
    match (&a.mark, &b.mark) {
        (None, None) => a.stream == b.stream,
        (Some(a), Some(b)) => a == b,
        _ => false,
    }
}

/// Adds it, if it is not there.
fn push(waits: &mut Waits, by: &User) -> bool {
    let is_new = !waits.iter().any(|wait| is_same(&wait.0, by));
    if is_new {
        waits.push(Wait(by.clone()));
    }
    is_new
}

/// True if uses in this stream bring an event along.
pub fn needs_mark(stream: &Stream) -> bool {
    !stream.is_owned() && stream.handle() > LEGACY
}

/// An event behind what is now in the stream, for [`Uses::add`].
///
/// # Errors
/// The errors of the event's calls.
pub fn mark(stream: &Stream) -> Result<Event> {
    stream.record(EventOptions {
        timing: false,
        ..EventOptions::default()
    })
}

/// Streams that are being captured: what is put into them does not run, and nothing may be asked of them.
pub mod captures {
    use std::sync::{Mutex, PoisonError};

    use super::{AtomicUsize, Event, Relaxed, Result, Stream, mark};

    static COUNT: AtomicUsize = AtomicUsize::new(0);
    static BEFORE: Mutex<Vec<Before>> = Mutex::new(Vec::new());

    /// A stream that may not be asked, and an event behind what was in it before.
    struct Before {
        stream: Stream,
        mark: Event,
        /// The stream that is being captured.
        captured: Stream,
    }

    /// True while a stream is being captured.
    #[inline]
    pub fn any() -> bool {
        COUNT.load(Relaxed) != 0
    }

    /// The stream is going to be captured. While that is one that the legacy default stream waits for, nothing may be
    /// asked of that either.
    ///
    /// # Errors
    /// The errors of the event's calls.
    pub fn begin(stream: &Stream) -> Result<()> {
        let mut marks = vec![(stream.clone(), mark(stream)?)];
        if !stream.is_nonblocking()? {
            let legacy = Stream::legacy(stream.context());
            let mark = mark(&legacy)?;
            marks.push((legacy, mark));
        }
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        before.extend(marks.into_iter().map(|(one, mark)| Before {
            stream: one,
            mark,
            captured: stream.clone(),
        }));
        COUNT.store(before.len(), Relaxed);
        Ok(())
    }

    /// It is captured no more.
    pub fn end(stream: &Stream) {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        before.retain(|one| one.captured != *stream);
        COUNT.store(before.len(), Relaxed);
    }

    /// An event behind what was in the stream before it was captured, if it is being captured.
    pub fn before(stream: &Stream) -> Option<Event> {
        if !any() {
            return None;
        }
        let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        let found = before.iter().find(|one| one.stream == *stream);
        found.map(|one| one.mark.clone())
    }
}
