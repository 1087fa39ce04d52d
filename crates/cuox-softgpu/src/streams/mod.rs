//! Streams and their work: queues, launches, copies and fills, events, waiting.

pub(crate) mod device_runtime;
pub(crate) mod event;
pub(crate) mod geometry;
pub(crate) mod host_call;
pub(crate) mod launch;
pub(crate) mod print;
pub(crate) mod progress;
mod room;
pub(crate) mod stream;
pub(crate) mod stream_op;
pub(crate) mod transfer;
