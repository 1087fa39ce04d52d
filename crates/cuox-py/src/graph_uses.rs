//! What work that is captured uses of arrays' memory, until its graph keeps that.

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
        // In the graph's launch all of its uses are one.
        match found.iter_mut().find(|(of, _)| of.is(&*one.buffer)) {
            Some((_, used)) => used.extend(&one.used),
            None => found.push((one.buffer, one.used)),
        }
    }
    found
}
