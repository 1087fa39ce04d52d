//! `cuox._native._Launches`: whether the launches of a kernel are over.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use cuox::memory::uses::{Access, Use, Uses, mark, needs_mark};
use pyo3::prelude::*;

/// The streams into which a kernel was launched. What the kernel writes is read by the host alone, so that launches in
/// different streams need not wait for each other.
#[pyclass(frozen, module = "cuox._native", name = "_Launches")]
pub struct Launches {
    uses: Mutex<Uses>,
    /// A graph has the kernel, and may be launched at any time.
    is_in_graph: AtomicBool,
}

const LAUNCH: Use = Use {
    bytes: 0..1,
    access: Access::Read,
};

impl Launches {
    /// Notes a launch that was put into a stream.
    pub fn note(&self, stream: &cuox::Stream) -> cuox::Result<()> {
        if stream.is_capturing()? {
            self.is_in_graph.store(true, Relaxed);
            return Ok(());
        }
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        if !uses.has(stream, &LAUNCH) {
            let mark = needs_mark(stream).then(|| mark(stream)).transpose()?;
            uses.add(None, stream, &LAUNCH, Some(u64::MAX), mark);
        }
        Ok(())
    }
}

#[pymethods]
impl Launches {
    #[new]
    fn new() -> Self {
        Self {
            uses: Mutex::new(Uses::none()),
            is_in_graph: AtomicBool::new(false),
        }
    }

    /// True if all launches so far are over, and no graph has the kernel.
    #[getter]
    fn are_over(&self) -> bool {
        let mut uses = self.uses.lock().unwrap_or_else(PoisonError::into_inner);
        uses.are_over() && !self.is_in_graph.load(Relaxed)
    }
}
