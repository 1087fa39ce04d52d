//! What a graph that can be launched keeps: what its nodes use now, and what launches that are under way may use still.

use std::collections::BTreeMap;

use cuox::event::EventOptions;
use cuox::memory::uses::Use;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use smallvec::SmallVec;

use crate::buffer::Buffer;
use crate::graph_captured::CapturedKeeper;
use crate::graph_uses::{HeldUses, NodeUses, add_all};
use crate::host_function::HostFunction;
use crate::support::closable::Guarded;
use crate::support::pool::Reference;

/// What is used by nodes and captured graphs: `kept` are lists and tuples of captured graphs and of dicts of what nodes
/// use, as `cuox._internal.graphs` puts them together.
fn uses_of(kept: &Bound<'_, PyAny>) -> HeldUses {
    let py = kept.py();
    let mut found = HeldUses::new();
    let mut left = vec![kept.clone()];
    while let Some(one) = left.pop() {
        if let Ok(list) = one.cast::<PyList>() {
            left.extend(list);
        } else if let Ok(tuple) = one.cast::<PyTuple>() {
            left.extend(tuple);
        } else if let Ok(of_node) = one.cast::<PyDict>() {
            for (_, value) in of_node {
                if let Ok(uses) = value.cast::<NodeUses>() {
                    add_all(py, &mut found, &uses.get().0);
                }
            }
        } else if let Ok(captured) = one.cast::<CapturedKeeper>() {
            let uses = &captured.get().0.uses;
            // SAFETY: cloning runs no Python code.
            unsafe { uses.look(py, |uses| add_all(py, &mut found, uses)) };
        }
    }
    found
}

/// True if functions in Python are among it, which launches call.
fn has_functions(kept: &Bound<'_, PyAny>) -> bool {
    let mut left = vec![kept.clone()];
    while let Some(one) = left.pop() {
        if let Ok(list) = one.cast::<PyList>() {
            left.extend(list);
        } else if let Ok(tuple) = one.cast::<PyTuple>() {
            left.extend(tuple);
        } else if let Ok(of_node) = one.cast::<PyDict>() {
            left.extend(of_node.values());
        } else if one.is_instance_of::<HostFunction>() {
            return true;
        }
    }
    false
}

/// The key of all that was not set for one node.
pub const ALL: usize = 0;

/// From so many streams on it is asked which of them are over.
const MANY_STREAMS: usize = 8;

type Streams = SmallVec<[cuox::Stream; 2]>;

/// What nodes use.
struct Used {
    #[allow(dead_code, reason = "held, never read")]
    object: Py<PyAny>,
    uses: HeldUses,
    has_functions: bool,
}

impl Used {
    fn new(object: Bound<'_, PyAny>) -> Self {
        Self {
            uses: uses_of(&object),
            has_functions: has_functions(&object),
            object: object.unbind(),
        }
    }
}

/// What nodes have used.
struct Old {
    /// The events behind the launches that may use it.
    until: Vec<cuox::Event>,
    /// The streams of such launches that have no event yet.
    unmarked: Streams,
    /// One of the launches was captured: who knows when that runs.
    is_captured: bool,
    #[allow(dead_code, reason = "held, never read")]
    used: Vec<Used>,
}

impl Old {
    /// True if nothing uses it any more, as far as that can be asked.
    fn is_over(&mut self) -> bool {
        if self.is_captured {
            return false;
        }
        let until = &mut self.until;
        self.unmarked.retain(|stream| match mark(stream) {
            Ok(Some(event)) => {
                until.push(event);
                false
            }
            Ok(None) => true,
            // What is lost with its context is over; a driver that refuses, as inside a host function, says nothing.
            Err(error) => stream.context().check().is_ok() && !error.is_sticky(),
        });
        self.unmarked.is_empty() && self.until.iter().all(cuox::Event::is_over)
    }
}

/// Marks what has been put into a stream so far; `None` if the event would become a part of what is captured.
fn mark(stream: &cuox::Stream) -> cuox::Result<Option<cuox::Event>> {
    if stream.is_capturing()? {
        return Ok(None);
    }
    let options = EventOptions {
        timing: false,
        ..EventOptions::default()
    };
    let event = cuox::Event::new(stream.context(), options)?;
    event.record(stream)?;
    Ok(Some(event))
}

/// What graphs that are gone have left behind.
static LEFT: Guarded<Vec<Old>> = Guarded::new(Vec::new());

/// What a graph keeps.
pub struct Kept {
    /// By nodes, what was set for one; by [`ALL`] what the graph was made with or updated to, which the driver keeps
    /// with it, too.
    current: BTreeMap<usize, Used>,
    /// Where it was launched, but for streams that are known to be over.
    streams: Streams,
    /// A launch was captured.
    is_captured: bool,
    old: Vec<Old>,
}

impl Kept {
    pub fn new(object: Bound<'_, PyAny>) -> Self {
        put_aside(object.py(), Vec::new());
        let used = Used::new(object);
        Self {
            current: BTreeMap::from([(ALL, used)]),
            streams: SmallVec::new(),
            is_captured: false,
            old: Vec::new(),
        }
    }

    /// What arrays' memory a launch uses.
    fn uses(&self, py: Python<'_>) -> HeldUses {
        if let (1, Some(used)) = (self.current.len(), self.current.get(&ALL)) {
            let of = |(buffer, used): &(Reference<Buffer>, Use)| {
                (buffer.clone_ref(py).into(), used.clone())
            };
            return used.uses.iter().map(of).collect();
        }
        let mut found = HeldUses::new();
        for used in self.current.values() {
            add_all(py, &mut found, &used.uses);
        }
        found
    }

    /// What nodes have used until now: launches that are under way may use it still.
    fn until_now(&self, used: Vec<Used>) -> Old {
        Old {
            until: Vec::new(),
            unmarked: self.streams.clone(),
            is_captured: self.is_captured,
            used,
        }
    }
}

/// The graph is being launched: what arrays' memory it uses.
pub fn launched(kept: &Guarded<Option<Kept>>, py: Python<'_>, stream: &cuox::Stream) -> HeldUses {
    // SAFETY: what is asked of the driver runs no Python code, nor does dropping streams.
    unsafe {
        kept.look(py, |kept| {
            let Some(kept) = kept else {
                return HeldUses::new();
            };
            // The driver keeps the rest with what is captured.
            if kept.current.len() > 1 && stream.is_capturing().unwrap_or(false) {
                kept.is_captured = true;
            } else if !kept.streams.contains(stream) {
                if kept.streams.len() >= MANY_STREAMS {
                    kept.streams.retain(|known| !known.is_over());
                }
                kept.streams.push(stream.clone());
            }
            kept.uses(py)
        })
    }
}

/// True if launches call functions in Python.
pub fn calls_python(kept: &Guarded<Option<Kept>>, py: Python<'_>) -> bool {
    // SAFETY: looking at it runs no Python code.
    unsafe {
        kept.look(py, |kept| {
            let mut all = kept.iter().flat_map(|kept| kept.current.values());
            all.any(|used| used.has_functions)
        })
    }
}

/// Keeps something for a node, or for [`ALL`] nodes, in place of what was kept for these.
pub fn replace(kept: &Guarded<Option<Kept>>, node: usize, object: Bound<'_, PyAny>) {
    let py = object.py();
    let new = Used::new(object);
    // SAFETY: neither moving nor what is asked of the driver runs Python code.
    let over = unsafe {
        kept.look(py, |kept| {
            let Some(kept) = kept else {
                return Vec::new();
            };
            let mut gone: Vec<Used> = Vec::new();
            if node == ALL {
                gone.extend(std::mem::take(&mut kept.current).into_values());
            } else {
                gone.extend(kept.current.remove(&node));
            }
            kept.current.insert(node, new);
            if !gone.is_empty() {
                let old = kept.until_now(gone);
                kept.old.push(old);
            }
            take_over(&mut kept.old)
        })
    };
    // Dropped here, since this runs Python code.
    drop(over);
}

fn take_over(old: &mut Vec<Old>) -> Vec<Old> {
    old.extract_if(.., |one| one.is_over()).collect()
}

/// A graph goes: what launches that are under way may use stays until they are over.
pub fn leave(mut kept: Kept, py: Python<'_>) {
    // The driver keeps this until then (recorded on an H100: an executable graph that is destroyed in flight).
    drop(kept.current.remove(&ALL));
    let used: Vec<Used> = std::mem::take(&mut kept.current).into_values().collect();
    let mut old = std::mem::take(&mut kept.old);
    if !used.is_empty() {
        old.push(kept.until_now(used));
    }
    put_aside(py, old);
}

/// Keeps more of what graphs leave behind, and lets go of what is over.
fn put_aside(py: Python<'_>, mut old: Vec<Old>) {
    // SAFETY: as in `replace`.
    let over = unsafe {
        LEFT.look(py, |left| {
            left.append(&mut old);
            take_over(left)
        })
    };
    drop(over);
}
