//! Green contexts: the primary context of a device with a part of its multiprocessors.
//!
//! Memory, modules, errors and default streams are the primary context's. What a green context has of its own is the
//! part: kernels that are submitted to its streams, or to a default stream while it is current, run with as large a
//! share of the workers.

use crate::context::Context;
use crate::handle::HandleKind;
use crate::multiprocessors::Part;
use std::sync::Arc;

/// A green context.
pub struct Green {
    pub part: Arc<Part>,
    /// The primary context.
    pub base: Arc<Context>,
    /// The number of its multiprocessors' set.
    pub resource: u64,
}

impl Green {
    pub fn handle(&self) -> u64 {
        self.part.handle
    }

    /// Its handle as a `CUcontext`.
    pub fn as_context(&self) -> u64 {
        HandleKind::GreenAsContext.with_rest_of(self.part.handle)
    }
}
