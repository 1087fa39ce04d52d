//! Graphs that were captured.

use std::sync::Arc;

use cuox::driver::sys::{self, CUgraph};
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
        if self.is_owner {
            destroy(&self.context, self.raw);
        }
    }
}

/// Destroys a graph, which nobody uses any more.
pub fn destroy(context: &cuox::Context, raw: CUgraph) {
    context.release(move |driver| {
        // SAFETY: the driver looks the graph up, and it is destroyed once.
        let code = unsafe { driver.table().cuGraphDestroy(raw) };
        sys::check(driver, code, "cuGraphDestroy")
    });
}

/// Keeps a captured graph for a definition that shows it.
#[pyclass(frozen, module = "cuox._native", name = "_CapturedGraph")]
pub struct CapturedKeeper(pub Arc<Captured>);
