//! A launch of a graph, as the kernels in it see it.

use crate::graphs::condition::Conditions;
use std::sync::atomic::{AtomicU32, Ordering};

/// The flag of instantiation (`CUgraphInstantiate_flags`).
pub const DEVICE_LAUNCH: u64 = 4;

/// What a kernel can ask of the graph that it is a node of.
pub trait RunningGraph: Send + Sync {
    /// Those that its kernels set.
    fn conditions(&self) -> &Conditions;

    /// `cudaGetCurrentGraphExec` in its kernels: 0 in a graph that kernels cannot launch.
    fn seen_handle(&self) -> u64;

    /// A kernel launches a graph. Returns false if it cannot: if there is no such graph that kernels can launch, it was
    /// not uploaded since it was made or changed, one of its launches by kernels has not ended (but a graph may launch
    /// itself in its tail once), the stream is none of the three, or there are too many.
    fn launch(&self, exec: u64, stream: u64) -> bool;
}

/// Kernels' launches of an executable graph.
#[derive(Default)]
pub struct DeviceLaunches {
    /// Those that have not ended.
    count: AtomicU32,
}

impl DeviceLaunches {
    /// Counts one more. Returns false if there is one already, unless it is the graph's launch of `itself`.
    pub fn begin(&self, itself: bool) -> bool {
        self.count
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| {
                (n == 0 || itself).then_some(n + 1)
            })
            .is_ok()
    }

    pub fn end(&self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
    }
}
