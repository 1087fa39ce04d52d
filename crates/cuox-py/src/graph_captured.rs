//! Graphs that were captured.

use std::sync::Arc;

use cuox::driver::sys::CUgraph;
use pyo3::prelude::*;

use crate::graph_uses::GraphUses;

/// A captured graph.
pub struct Captured {
    pub context: cuox::Context,
    pub raw: CUgraph,
    /// False for a graph of a conditional node, which destroys it.
    pub is_owner: bool,
    pub uses: GraphUses,
}

impl Drop for Captured {
    fn drop(&mut self) {
        if self.is_owner && self.context.bind().is_ok() {
            // SAFETY: it came from cuStreamEndCapture and is destroyed once.
            unsafe { self.context.driver().table().cuGraphDestroy(self.raw) };
        }
    }
}

/// Keeps a captured graph for a definition that shows it.
#[pyclass(frozen, module = "cuox._native", name = "_CapturedGraph")]
pub struct CapturedKeeper(pub Arc<Captured>);
