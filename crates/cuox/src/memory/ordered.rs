//! Uses of an array's memory, put in order whatever streams they are in: [`uses`](super::uses) of each buffer, and for
//! each use the time from when its stream has been put behind others to when it is in the stream.

use smallvec::SmallVec;

use super::uses::{self, Use, Uses};
use super::{Buffer, raw};
use crate::callback;
use crate::driver::sys::CUdeviceptr;
use crate::error::Result;
use crate::stream::Stream;

/// The uses that are being put into a stream. They are in it when this is dropped.
pub struct Begun<'s> {
    stream: &'s Stream,
    /// Those that later ones have to know of, each with the number of [`Uses::before`].
    uses: SmallVec<[(Buffer, Use, u64); 2]>,
}

impl<'s> Begun<'s> {
    /// None yet.
    #[inline]
    pub fn new(stream: &'s Stream) -> Self {
        Self {
            stream,
            uses: SmallVec::new(),
        }
    }

    /// Puts the stream behind what one more use has to wait for.
    ///
    /// # Errors
    /// The errors of the events' calls.
    #[inline]
    pub fn add(&mut self, buffer: &Buffer, used: Use) -> Result<()> {
        if used.bytes.is_empty() || buffer.uses().has(self.stream, &used) {
            return Ok(());
        }
        let (waits, known) = buffer
            .uses()
            .before(buffer.stream(), self.stream, &used, true);
        waits
            .iter()
            .try_for_each(|wait| wait.put_into(self.stream))?;
        self.uses.push((buffer.clone(), used, known));
        Ok(())
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        if self.uses.is_empty() {
            return;
        }
        let mark = uses::needs_mark(self.stream).then(|| uses::mark(self.stream).ok());
        let mark = mark.flatten();
        for (buffer, used, known) in self.uses.drain(..) {
            let own = buffer.stream();
            buffer
                .uses()
                .add(own, self.stream, &used, Some(known), mark.clone());
        }
    }
}

impl Buffer {
    /// Has the last handle free the memory behind these uses.
    pub fn set_uses(&self, uses: Uses) {
        *self.uses() = uses;
    }

    /// Does something with the memory in a stream: the one given, else that of whoever writes these bytes, else the
    /// memory's own, else the legacy default stream.
    ///
    /// # Errors
    /// Those of `work`; those of the events' calls.
    pub fn use_in<R>(
        &self,
        stream: Option<&Stream>,
        used: Use,
        work: impl FnOnce(&Stream) -> Result<R>,
    ) -> Result<R> {
        let stream = match stream {
            Some(stream) => stream.clone(),
            None => {
                let writer = self.uses().writer(self.stream(), &used);
                writer
                    .or_else(|| self.stream().cloned())
                    .unwrap_or_else(|| Stream::legacy(self.context()))
            }
        };
        let mut begun = Begun::new(&stream);
        begun.add(self, used)?;
        work(&stream)
    }
}

/// Frees memory that was allocated in the order of `own` there, behind all that uses it. What may be in use, with no
/// way to wait for that, is not freed.
///
/// # Safety
/// The memory came from `cuMemAllocAsync` in this stream, and nothing frees it again.
pub unsafe fn free(mut uses: Uses, own: &Stream, ptr: CUdeviceptr) {
    let free = move |uses: &mut Uses, own: &Stream| {
        if end(uses, own, own) {
            // SAFETY: as this function's caller promises.
            unsafe { raw::release_async(own, ptr) }
        }
    };
    if callback::inside() && !uses.are_own() {
        let own = own.clone();
        return callback::later(move || free(&mut uses, &own));
    }
    free(&mut uses, own);
}

/// Puts the stream `into` that memory is freed in behind all that uses the memory, which was allocated in the order of
/// `own`. False if it must not be freed: it may be in use, and there is no way to wait.
pub fn end(uses: &mut Uses, own: &Stream, into: &Stream) -> bool {
    if uses.are_own() && own == into || own.context().check().is_err() {
        return true;
    }
    let (_, waits) = uses.end(own, Some(into));
    waits.iter().all(|wait| wait.put_into(into).is_ok())
}
