//! What the work of graphs uses of arrays' memory: what is captured until its graph keeps that, and what the nodes of
//! definitions are given.

use std::sync::Arc;

use cuox::memory::uses::Use;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::support::closable::Guarded;
use crate::support::pool::Reference;

/// A use of an array's memory by work that is being captured.
struct CapturedUse {
    buffer: Reference<Buffer>,
    stream: cuox::Stream,
    used: Use,
}

/// Uses of which memory, which is held.
pub type HeldUses = Vec<(Reference<Buffer>, Use)>;

/// What the work of a graph uses: each launch is such a use.
pub type GraphUses = Arc<Guarded<HeldUses>>;

/// The uses by work that is being captured, each with its capture's number.
static USES: Guarded<Vec<(u64, CapturedUse)>> = Guarded::new(Vec::new());

/// Adds a use by work that is put into a stream whose work is captured. Uses in several streams of one capture get the
/// edges that put them in order, if `is_ordered`.
pub fn add_use(
    py: Python<'_>,
    capture: u64,
    stream: &cuox::Stream,
    buffer: &Reference<Buffer>,
    used: Use,
    is_ordered: bool,
) -> PyResult<()> {
    // SAFETY: neither comparing nor cloning runs Python code.
    let (is_known, others) = unsafe {
        USES.look(py, |uses| {
            let same = uses
                .iter()
                .filter(|(of, one)| *of == capture && one.buffer.is(&**buffer));
            let mut others: SmallVec<[cuox::Stream; 2]> = SmallVec::new();
            let mut is_known = false;
            for (_, one) in same {
                if one.stream == *stream {
                    is_known |= one.used == used;
                } else if is_ordered && one.used.conflicts(&used) && !others.contains(&one.stream) {
                    others.push(one.stream.clone());
                }
            }
            (is_known, others)
        })
    };
    for other in &others {
        // One that has not joined the capture yet has nothing in it to wait for.
        if other.capture().or_raise(py)? == Some(capture) {
            stream.wait_stream(other).or_raise(py)?;
        }
    }
    if !is_known {
        let one = CapturedUse {
            buffer: buffer.clone_ref(py).into(),
            stream: stream.clone(),
            used,
        };
        // SAFETY: as above.
        unsafe { USES.look(py, |uses| uses.push((capture, one))) };
    }
    Ok(())
}

/// The uses of a capture that has ended, one for each buffer.
pub fn take_uses(py: Python<'_>, capture: u64) -> HeldUses {
    // SAFETY: moving values runs no Python code.
    let taken: Vec<_> = unsafe {
        USES.look(py, |uses| {
            uses.extract_if(.., |(of, _)| *of == capture).collect()
        })
    };
    let mut found = HeldUses::new();
    for (_, one) in taken {
        add(&mut found, one.buffer, one.used);
    }
    found
}

/// Adds a use: in a graph's launch all uses of a buffer are one.
fn add(to: &mut HeldUses, buffer: Reference<Buffer>, used: Use) {
    match to.iter_mut().find(|(of, _)| of.is(&*buffer)) {
        Some((_, known)) => known.extend(&used),
        None => to.push((buffer, used)),
    }
}

/// Adds what others use.
pub fn add_all(py: Python<'_>, to: &mut HeldUses, others: &HeldUses) {
    for (buffer, used) in others {
        add(to, buffer.clone_ref(py).into(), used.clone());
    }
}

/// What a node of a definition uses; it keeps that memory.
#[pyclass(frozen, module = "cuox._native", name = "_NodeUses")]
pub struct NodeUses(pub HeldUses);

impl NodeUses {
    pub fn new(uses: impl IntoIterator<Item = (Reference<Buffer>, Use)>) -> Self {
        let mut held = HeldUses::new();
        for (buffer, used) in uses {
            add(&mut held, buffer, used);
        }
        Self(held)
    }
}
