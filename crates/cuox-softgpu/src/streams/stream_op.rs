//! The kinds of work that a stream does.

use crate::code::Code;
use crate::graphs::exec::Run;
use crate::graphs::memory::InFlight;
use crate::handle::Table;
use crate::ipc::event::{Mark, SharedEvent};
use crate::memory::Memory;
use crate::memory::pool::Pool;
use crate::streams::event::Record;
use crate::streams::geometry::{Copy3d, Fill};
use crate::streams::launch::GridLaunch;
use crate::streams::progress::Point;
use std::sync::Arc;

/// A function of the program's that a stream calls.
pub enum HostCall {
    /// `cuLaunchHostFunc`.
    Function(unsafe extern "C" fn(*mut core::ffi::c_void)),
    /// `cuStreamAddCallback`, with the stream handle as the caller wrote it.
    Callback(
        unsafe extern "C" fn(cuox_abi::CUstream, Code, *mut core::ffi::c_void),
        u64,
    ),
}

/// A piece of work.
pub enum StreamOp {
    Launch(Box<GridLaunch>),
    Copy(Copy3d),
    /// A copy from a staged host buffer.
    Staged(Vec<u8>, Copy3d),
    Fill(Fill),
    Record(Arc<Record>),
    /// The recording with that number of an event that other processes know.
    RecordShared(Arc<SharedEvent>, u64),
    Wait(Point),
    /// Waits for a recording that another process may have made.
    WaitShared(Arc<SharedEvent>, Mark),
    Call(HostCall, usize),
    /// A launch of an executable graph.
    Graph(Run),
    /// A stream-ordered free of the allocation at this address.
    Free(u64, &'static Memory, &'static Table<Pool>),
    /// A stream-ordered free of what a graph has allocated at this address.
    FreeOfGraph(u64, InFlight),
}

impl StreamOp {
    /// Bytes that it holds, if it takes room in the queue.
    pub fn size(&self) -> Option<usize> {
        match self {
            StreamOp::Launch(grid) => Some(grid.params.len()),
            StreamOp::Staged(bytes, _) => Some(bytes.len()),
            StreamOp::Copy(_) | StreamOp::Fill(_) | StreamOp::Graph(_) => Some(0),
            StreamOp::Record(_)
            | StreamOp::RecordShared(..)
            | StreamOp::Wait(_)
            | StreamOp::WaitShared(..)
            | StreamOp::Call(..)
            | StreamOp::Free(..)
            | StreamOp::FreeOfGraph(..) => None,
        }
    }
}
