//! Launches that were made ready for arrays of certain sizes: of the next one with such, only addresses and values are
//! put in.

use std::sync::{Arc, Mutex, PoisonError};

use cuox::launch::ParamBuffer;
use cuox::{Kernel, LaunchConfig};
use cuox_parallel::scratch::{self, User};
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::arguments::Sizes;
use crate::array::Array;
use crate::error::OrRaise;
use crate::parallel::launching::{self, Given, ParameterBytes, Recorded};
use crate::stream::ConsumerStream;

/// The most launches of a step that are ready: of other sizes, and for other streams, whose scratch memory is
/// elsewhere.
const MOST_READY: usize = 4;

/// The launches of a step that are ready.
#[derive(Default)]
pub(super) struct Ready(Mutex<Seen>);

#[derive(Default)]
struct Seen {
    /// The newest first, of sizes that have come twice: to make one ready costs more than it gains once.
    launches: SmallVec<[(Sizes, Arc<Prepared>); 1]>,
    /// The sizes of calls for which nothing was ready, and the place of the next.
    sizes: SmallVec<[Sizes; MOST_READY]>,
    next: usize,
}

/// A launch but for the addresses of arrays, and the bytes of values.
pub(super) struct Prepared {
    kernel: Kernel,
    config: LaunchConfig,
    bytes: ParameterBytes,
    /// Whose scratch memory, how much, and where that was: its address is among the bytes.
    scratch: Option<(User, usize, u64)>,
}

impl Ready {
    /// The launch for these sizes, if there are so many before it.
    #[inline]
    pub(super) fn find(&self, sizes: &Sizes, before: usize) -> Option<Arc<Prepared>> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut fits = seen.launches.iter().filter(|(known, _)| known == sizes);
        fits.nth(before).map(|(_, launch)| launch.clone())
    }

    /// True if these sizes have come before.
    pub(super) fn come_again(&self, sizes: &Sizes) -> bool {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.sizes.contains(sizes) {
            return true;
        }
        let next = seen.next;
        match seen.sizes.get_mut(next) {
            Some(oldest) => oldest.clone_from(sizes),
            None => seen.sizes.push(sizes.clone()),
        }
        seen.next = (next + 1) % MOST_READY;
        false
    }

    /// Keeps what was recorded of a launch with these sizes.
    pub(super) fn keep(&self, sizes: &Sizes, recorded: Recorded) {
        let Some((kernel, config, bytes)) = recorded.launch else {
            return;
        };
        if recorded.has_other_work {
            return;
        }
        let prepared = Arc::new(Prepared {
            kernel,
            config,
            bytes,
            scratch: recorded.scratch,
        });
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let oldest = match seen.launches.len() < MOST_READY {
            true => None,
            false => seen.launches.pop(),
        };
        seen.launches.insert(0, (sizes.clone(), prepared));
        drop(seen);
        // Without the lock: with it may go the last use of a kernel.
        drop(oldest);
    }
}

impl Prepared {
    /// Launches with what varies: arrays and bytes, for each parameter, None for those that stay. False, and nothing is
    /// done, in other contexts, while work is captured, and where scratch memory is elsewhere.
    #[inline]
    pub(super) fn launch<'a, 'py: 'a>(
        &self,
        py: Python<'py>,
        stream: &cuox::Stream,
        varying: impl Iterator<Item = PyResult<Option<Given<'a, 'py>>>>,
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
        let order = ConsumerStream::new(py, stream);
        for ((index, varying), &(slot, offset)) in varying.enumerate().zip(parameters.slots()) {
            let target = &mut bytes[offset as usize..];
            match varying? {
                None => Ok(()),
                Some(Given::Object(array)) => {
                    let memory = array.cast::<Array>()?.get().memory(&order, slot.access())?;
                    slot.put_address(memory.address, target)
                }
                Some(Given::Bytes(value)) => slot.put_bytes(value, None, target),
            }
            .map_err(|refusal| parameters.refused(index, refusal, "an argument"))
            .or_raise(py)?;
        }
        // SAFETY: the parameters are those of a launch by arrays of the same sizes and types, whose addresses are put
        // in: no other address is among them but that of the scratch memory, which was found to be the same.
        unsafe {
            let kernel = (&self.kernel, false);
            launching::submit(py, kernel, &self.config, stream, parameters, &mut buffer)?;
        }
        Ok(true)
    }
}
