//! Giving a buffer's memory back.

use std::sync::Arc;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use super::Buffer;
use super::foreign::Origin;
use crate::buffer_memory::{Held, Memory};
use crate::error::OrRaise;
use crate::idle;
use crate::stream::stream_argument;
use crate::support::fastcall::{Arguments, none};
use crate::support::reaper;

const CLOSE: &str = "buffer.close()";

impl Buffer {
    /// Give the memory back, in the stream's order if one is given, else in the order it was allocated in. Closing
    /// twice is fine.
    #[inline]
    pub fn close(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        if matches!(self.origin, Origin::Foreign(_) | Origin::Resource(_)) {
            return self.close_foreign(py, stream);
        }
        let stream = self.stream_argument(py, stream)?;
        let stream = stream.or_else(|| self.free_in(py));
        // A reset has freed it: then there is nothing to do in the given stream's order.
        let stream = stream.filter(|_| self.resets == self.device.resets());
        match (self.take_held(py, stream.as_ref()), stream) {
            (Some(Held::Ordered(ordered)), Some(stream)) => {
                ordered.free_on(&stream).or_raise_in(py, CLOSE)
            }
            (Some(Held::Shared(memory)), stream) => Self::close_shared(py, memory, stream),
            _ => Ok(()),
        }
    }

    /// `close`, as `methods` lists it.
    #[inline(always)]
    pub fn close_method<'py>(
        this: &Bound<'py, Self>,
        [stream]: Arguments<'_, 'py, 1>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, buffer) = (this.py(), this.get());
        // SAFETY: looking at what it is runs no Python code.
        let ordered = unsafe {
            buffer
                .held
                .look(py, |held| matches!(held, Held::Ordered(_)))
        };
        if stream.is_none() && ordered == Some(true) && buffer.is_used_by_its_own_stream_only(py) {
            if let Some(Held::Ordered(ordered)) = buffer.held.take(py) {
                ordered.free();
            }
        } else {
            buffer.close(py, stream)?;
        }
        Ok(none(py))
    }

    /// Frees the memory later in the order of another stream, if no other is given then.
    pub fn set_free_in(&self, py: Python<'_>, stream: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check(py)?;
        let given = stream_argument(py, stream, Some(self.device))?;
        match &self.origin {
            Origin::Resource(deallocation) => {
                if let Some(deallocation) = deallocation.upgrade() {
                    deallocation.set_stream(py, stream.clone().unbind());
                }
            }
            // Whoever else has it frees it.
            Origin::Foreign(_) => {}
            Origin::Own | Origin::Pool(_) | Origin::Mapped(_) => self.remember_free_in(py, given),
        }
        Ok(())
    }

    /// Closes memory that cuox has not allocated: whoever has frees it, or its resource.
    #[cold]
    fn close_foreign(&self, py: Python<'_>, stream: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let given = self.stream_argument(py, stream)?;
        let deallocation = match &self.origin {
            Origin::Resource(deallocation) => deallocation.upgrade(),
            _ => None,
        };
        if let (Some(deallocation), Some(stream), Some(_)) = (&deallocation, stream, &given) {
            deallocation.set_stream(py, stream.clone().unbind());
        }
        let held = self.take_held(py, None);
        // SAFETY: moving the owner out runs no Python code; it is dropped behind that.
        let owner = unsafe { self.owner.look(py, Option::take) };
        drop((held, owner));
        match deallocation {
            // Nothing else shares the memory: what its resource raises is raised here.
            Some(last) if Arc::strong_count(&last) == 1 => last.run(py),
            _ => Ok(()),
        }
    }

    fn close_shared(py: Python<'_>, memory: Memory, stream: Option<cuox::Stream>) -> PyResult<()> {
        match (memory, stream) {
            (Memory::Device(buffer), Some(stream)) if buffer.stream().is_some() => {
                buffer.free_on(&stream).map(|_| ()).or_raise_in(py, CLOSE)
            }
            (memory, _) if memory.frees_at_once() => {
                // The driver waits for all work before it frees; wait here, where Ctrl-C ends it.
                let context = memory.context().clone();
                let waited = idle::wait_for_all(py, CLOSE, &context);
                if waited.is_ok() {
                    py.detach(move || drop(memory));
                } else {
                    reaper::discard(memory);
                }
                // A kernel that failed has nothing to do with this buffer: its error comes out where it is waited for.
                match waited {
                    Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => Err(error),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Gives the memory of a buffer that is collected back, in the order of the stream that was said for that.
    pub fn free_collected(&self, py: Python<'_>) {
        let Some(Held::Shared(memory)) = self.take_held(py, None) else {
            return;
        };
        let stream = self
            .free_in(py)
            .filter(|_| self.resets == self.device.resets());
        match (memory, stream) {
            (Memory::Device(buffer), Some(stream)) if buffer.stream().is_some() => {
                // There is nobody to tell of an error.
                let _ = buffer.free_on(&stream);
            }
            (memory, _) => Self::release(memory),
        }
    }

    /// Frees what `take` gave out, where nothing may wait.
    pub fn release(memory: Memory) {
        if memory.frees_at_once() {
            reaper::discard(memory);
        } else {
            drop(memory);
        }
    }
}
