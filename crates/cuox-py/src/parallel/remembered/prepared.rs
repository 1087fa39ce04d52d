//! Launches that were made ready for arrays of certain sizes: of the next one with such, only addresses and values are put in.

use std::sync::{Arc, Mutex, PoisonError};

use cuox::launch::ParamBuffer;
use cuox::{Kernel, LaunchConfig};
use cuox_parallel::scratch::{self, User};
use pyo3::prelude::*;

use super::arguments::Sizes;
use crate::array::Array;
use crate::error::OrRaise;
use crate::parallel::launching::{self, ParameterBytes, Recorded};
use crate::stream::ConsumerStream;

/// The launch of a step that is ready, if there is one.
#[derive(Default)]
pub(super) struct Ready(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    /// Those of the last call.
    sizes: Sizes,
    /// Only of sizes that have come twice: to make it ready costs more than it gains once.
    launch: Option<Arc<Prepared>>,
}

/// A launch but for the addresses of arrays, and the bytes of values.
pub(super) struct Prepared {
    kernel: Kernel,
    config: LaunchConfig,
    bytes: ParameterBytes,
    /// Whose scratch memory, how much, and where that was: its address is among the bytes.
    scratch: Option<(User, usize, u64)>,
}

/// A parameter that differs from launch to launch.
pub(super) enum Part<'a, 'py> {
    Address(&'a Bound<'py, Array>),
    Bytes(&'a [u8]),
}

impl Ready {
    /// The launch for these sizes, and otherwise whether they were those of the last call, too.
    #[inline]
    pub(super) fn find(&self, sizes: &Sizes) -> (Option<Arc<Prepared>>, bool) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.sizes == *sizes {
            return (seen.launch.clone(), true);
        }
        seen.sizes.clone_from(sizes);
        let forgotten = seen.launch.take();
        drop(seen);
        drop(forgotten);
        (None, false)
    }

    /// Keeps what was recorded of a launch with these sizes.
    pub(super) fn keep(&self, sizes: &Sizes, recorded: Recorded) {
        let Some((kernel, config, bytes)) = recorded.launch else {
            return;
        };
        if recorded.is_other {
            return;
        }
        let prepared = Prepared {
            kernel,
            config,
            bytes,
            scratch: recorded.scratch,
        };
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.sizes == *sizes {
            seen.launch = Some(Arc::new(prepared));
        }
    }
}

impl Prepared {
    /// Launches with these parts, by the numbers of their parameters. False, and nothing is done, in other contexts, and if scratch memory is elsewhere now.
    #[inline]
    pub(super) fn launch<'a, 'py: 'a>(
        &self,
        py: Python<'py>,
        stream: &cuox::Stream,
        parts: impl Iterator<Item = PyResult<Option<Part<'a, 'py>>>>,
    ) -> PyResult<bool> {
        if self.kernel.context() != stream.context() || self.kernel.context().check().is_err() {
            return Ok(false);
        }
        // Held until the work is in the stream.
        let _scratch = match self.scratch {
            None => None,
            Some((user, bytes, address)) => {
                match scratch::find(user, stream, bytes).or_raise(py)? {
                    Some(buffer) if buffer.ptr() == address => Some(buffer),
                    _ => return Ok(false),
                }
            }
        };
        let parameters = self.kernel.parameters().or_raise(py)?;
        let mut buffer = ParamBuffer::default();
        let bytes = buffer.bytes(parameters);
        if bytes.len() != self.bytes.len() {
            return Ok(false);
        }
        bytes.copy_from_slice(&self.bytes);
        let order = ConsumerStream { py, stream };
        for ((index, part), &(slot, offset)) in parts.enumerate().zip(parameters.slots()) {
            let target = &mut bytes[offset as usize..];
            match part? {
                None => Ok(()),
                Some(Part::Address(array)) => {
                    slot.put_address(array.get().memory(&order)?.address, target)
                }
                Some(Part::Bytes(value)) => slot.put_bytes(value, None, target),
            }
            .map_err(|refusal| parameters.refused(index, refusal, "an argument"))
            .or_raise(py)?;
        }
        launching::submit(py, (&self.kernel, false), &self.config, stream, &mut buffer)?;
        Ok(true)
    }
}
