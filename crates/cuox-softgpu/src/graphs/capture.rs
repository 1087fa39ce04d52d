//! Captures: what is submitted to a stream becomes nodes of a graph (Programming guide, *CUDA Graphs*, stream capture).

use crate::code::{
    CAPTURED_EVENT, ILLEGAL_STATE, INVALID_VALUE, Res, STREAM_CAPTURE_IMPLICIT,
    STREAM_CAPTURE_INVALIDATED, STREAM_CAPTURE_ISOLATION, STREAM_CAPTURE_MERGE,
    STREAM_CAPTURE_UNJOINED, STREAM_CAPTURE_UNMATCHED, STREAM_CAPTURE_UNSUPPORTED,
    STREAM_CAPTURE_WRONG_THREAD,
};
use crate::context_state::StreamOrdering;
use crate::graphs::graph::{Graph, Tables};
use crate::graphs::node::{CopyNode, HostNode, KernelNode, NodeWork};
use crate::streams::event::Event;
use crate::streams::progress::Point;
use crate::streams::stream::Stream;
use crate::streams::stream_op::{HostCall, StreamOp};
use crate::thread;
use cuox_abi::{CUstreamCaptureMode as Mode, CUstreamCaptureStatus as Status};
use parking_lot::Mutex;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Weak};

/// A capture in progress.
pub struct Capture {
    pub id: u64,
    pub graph: Arc<Graph>,
    tables: Tables,
    mode: Mode,
    /// The number of the thread that has begun it.
    thread: u64,
    /// The id of the stream in which it has begun.
    origin: u64,
    context: u64,
    valid: AtomicBool,
    streams: Mutex<Vec<Weak<Stream>>>,
}

/// A stream's part in a capture.
struct Part {
    capture: Arc<Capture>,
    /// The nodes that the stream's next one waits for.
    tail: Vec<u64>,
    /// The same, as it was last given to the program, and the kinds of these dependencies.
    shown: Vec<cuox_abi::CUgraphNode>,
    kinds: Vec<cuox_abi::CUgraphEdgeData>,
}

/// A recording of an event in a capture.
type CapturedEvent = (Arc<Capture>, Vec<u64>);

/// The parts of streams that are captured, by their ids.
static PARTS: LazyLock<Mutex<HashMap<u64, Part>>> = LazyLock::new(Mutex::default);
/// Recordings of events in captures in progress, by the events' handles.
static EVENTS: LazyLock<Mutex<HashMap<u64, CapturedEvent>>> = LazyLock::new(Mutex::default);
/// The captures in progress.
static ACTIVE: Mutex<Vec<Arc<Capture>>> = Mutex::new(Vec::new());
/// Their number: while it is 0 nobody needs to look at them.
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// What a program may ask about a stream's capture.
pub struct Info {
    pub status: Status,
    pub id: u64,
    pub graph: u64,
    pub tail: *const cuox_abi::CUgraphNode,
    pub kinds: *const cuox_abi::CUgraphEdgeData,
    pub tail_len: usize,
}

impl Capture {
    fn invalidate(&self) {
        self.valid.store(false, Ordering::Release);
    }

    fn is_valid(&self) -> bool {
        self.valid.load(Ordering::Acquire)
    }

    fn check(&self) -> Res {
        if self.is_valid() {
            Ok(())
        } else {
            Err(STREAM_CAPTURE_INVALIDATED)
        }
    }
}

fn active(wanted: impl Fn(&Capture) -> bool) -> Vec<Arc<Capture>> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return Vec::new();
    }
    ACTIVE
        .lock()
        .iter()
        .filter(|c| wanted(c))
        .cloned()
        .collect()
}

/// Begins a capture. `after` are nodes of the graph that the first new ones wait for.
pub fn begin(
    stream: &Arc<Stream>,
    graph: Arc<Graph>,
    tables: Tables,
    after: Vec<u64>,
    mode: Mode,
) -> Res {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    if stream.ordering == StreamOrdering::Legacy {
        return Err(STREAM_CAPTURE_UNSUPPORTED);
    }
    let mut parts = PARTS.lock();
    if parts.contains_key(&stream.id) {
        return Err(ILLEGAL_STATE);
    }
    let nodes: HashSet<u64> = graph.nodes().into_iter().collect();
    if !after.iter().all(|n| nodes.contains(n)) {
        return Err(INVALID_VALUE);
    }
    let capture = Arc::new(Capture {
        id: NEXT.fetch_add(1, Ordering::Relaxed),
        graph,
        tables,
        mode,
        thread: thread::number(),
        origin: stream.id,
        context: stream.context.handle,
        valid: AtomicBool::new(true),
        streams: Mutex::new(vec![Arc::downgrade(stream)]),
    });
    let part = Part {
        capture: capture.clone(),
        tail: after,
        shown: Vec::new(),
        kinds: Vec::new(),
    };
    parts.insert(stream.id, part);
    stream.capturing.store(true, Ordering::Release);
    let mut list = ACTIVE.lock();
    list.push(capture);
    COUNT.store(list.len(), Ordering::Release);
    Ok(())
}

/// Ends the capture of a stream and gives its graph. The streams are free in any case.
pub fn end(stream: &Arc<Stream>) -> Res<Arc<Graph>> {
    let capture = capture_of(stream).ok_or(ILLEGAL_STATE)?;
    if capture.origin != stream.id {
        capture.invalidate();
        return Err(STREAM_CAPTURE_UNMATCHED);
    }
    let mut tails = retire(&capture);
    // Another thread may have been faster.
    let own = tails.remove(&stream.id).ok_or(ILLEGAL_STATE)?;
    // Recorded on an H200 (driver 580.159): this ends the capture, too.
    if capture.mode != Mode::CU_STREAM_CAPTURE_MODE_RELAXED && capture.thread != thread::number() {
        return Err(STREAM_CAPTURE_WRONG_THREAD);
    }
    capture.check()?;
    let mut joined = ancestors(&capture.graph, &own);
    joined.extend(&own);
    let unjoined = tails.values().flatten().any(|node| !joined.contains(node));
    if unjoined {
        return Err(STREAM_CAPTURE_UNJOINED);
    }
    Ok(capture.graph.clone())
}

/// Ends the captures that have begun in a stream, without a graph: the stream goes away.
pub fn abandon(stream: &Stream) {
    let Some(capture) = capture_of(stream).filter(|c| c.origin == stream.id) else {
        return;
    };
    capture.invalidate();
    retire(&capture);
}

/// Takes a capture out of the tables and frees its streams. Gives the nodes at the end of each stream.
fn retire(capture: &Arc<Capture>) -> HashMap<u64, Vec<u64>> {
    for stream in capture.streams.lock().drain(..) {
        if let Some(stream) = stream.upgrade() {
            stream.capturing.store(false, Ordering::Release);
        }
    }
    let own = |of: &Arc<Capture>| Arc::ptr_eq(of, capture);
    let mut tails = HashMap::new();
    PARTS.lock().retain(|&id, part| {
        let gone = own(&part.capture);
        if gone {
            tails.insert(id, std::mem::take(&mut part.tail));
        }
        !gone
    });
    EVENTS.lock().retain(|_, (of, _)| !own(of));
    let mut list = ACTIVE.lock();
    list.retain(|c| !own(c));
    COUNT.store(list.len(), Ordering::Release);
    tails
}

/// All nodes that these wait for, directly or not.
fn ancestors(graph: &Graph, of: &[u64]) -> HashSet<u64> {
    let mut before: HashMap<u64, Vec<u64>> = HashMap::new();
    for (from, to) in graph.edges() {
        before.entry(to).or_default().push(from);
    }
    let mut found = HashSet::new();
    let mut open: Vec<u64> = of.to_vec();
    while let Some(node) = open.pop() {
        for &from in before.get(&node).into_iter().flatten() {
            if found.insert(from) {
                open.push(from);
            }
        }
    }
    found
}

/// Adds a node behind what the stream has recorded.
pub fn add(stream: &Stream, work: NodeWork) -> Res<u64> {
    add_behind(stream, |_, _| Ok(work))
}

/// Adds a node whose work depends on the graph and the nodes that it comes behind.
pub fn add_behind(stream: &Stream, work: impl FnOnce(&Graph, &[u64]) -> Res<NodeWork>) -> Res<u64> {
    let mut parts = PARTS.lock();
    let part = parts.get_mut(&stream.id).ok_or(ILLEGAL_STATE)?;
    let capture = &part.capture;
    capture.check()?;
    let work = work(&capture.graph, &part.tail)?;
    let node = capture.graph.add(capture.tables, work, &part.tail, 0)?;
    part.tail = vec![node];
    Ok(node)
}

fn capture_of(stream: &Stream) -> Option<Arc<Capture>> {
    PARTS
        .lock()
        .get(&stream.id)
        .map(|part| part.capture.clone())
}

/// Puts work at the end of a stream, or records it; answers the point after it.
pub fn submit(stream: &Arc<Stream>, op: StreamOp) -> Res<Point> {
    if !stream.is_capturing() {
        stream.wait_for_room(op.size());
    }
    if stream.is_capturing() {
        record(stream, op)?;
        return Ok(Point {
            progress: stream.progress.clone(),
            seq: 0,
        });
    }
    check_implicit(stream)?;
    stream.enqueue(op)
}

/// Records work that would otherwise be queued.
fn record(stream: &Stream, op: StreamOp) -> Res {
    let work = match op {
        StreamOp::Launch(launch) => {
            let function = launch.functions.get(launch.function);
            let function = function.ok_or(crate::code::INVALID_HANDLE)?;
            NodeWork::Kernel(KernelNode::new(function, *launch, Vec::new()))
        }
        StreamOp::Copy(shape) => NodeWork::Copy(Arc::new(CopyNode::recorded(shape))),
        StreamOp::Fill(fill) => NodeWork::Fill(fill),
        StreamOp::Call(HostCall::Function(call), data) => NodeWork::Host(HostNode { call, data }),
        // Each of these has a meaning of its own in a capture, or none.
        _ => return forbid(stream),
    };
    add(stream, work).map(drop)
}

/// A call that a capture does not allow on its streams ends it.
pub fn forbid(stream: &Stream) -> Res {
    if let Some(capture) = capture_of(stream) {
        capture.invalidate();
    }
    Err(STREAM_CAPTURE_UNSUPPORTED)
}

/// Refuses to wait for a stream that is captured, or, for the legacy default stream, that waits for such streams.
pub fn check_wait(stream: &Stream) -> Res {
    if stream.capturing.load(Ordering::Acquire) {
        return forbid(stream);
    }
    check_implicit(stream)
}

/// Refuses work for the legacy default stream while a stream that it would wait for is captured.
pub fn check_implicit(stream: &Stream) -> Res {
    if stream.ordering != StreamOrdering::Legacy {
        return Ok(());
    }
    let context = stream.context.handle;
    let blocking = |stream: &Weak<Stream>| {
        let stream = stream.upgrade();
        stream.is_some_and(|s| s.ordering == StreamOrdering::Blocking)
    };
    let captures = active(|c| c.context == context && c.streams.lock().iter().any(blocking));
    captures.iter().for_each(|c| c.invalidate());
    if captures.is_empty() {
        Ok(())
    } else {
        Err(STREAM_CAPTURE_IMPLICIT)
    }
}

/// Refuses to wait for a whole context in which something is captured.
pub fn check_context(context: u64) -> Res {
    let captures = active(|c| c.context == context);
    captures.iter().for_each(|c| c.invalidate());
    if captures.is_empty() {
        Ok(())
    } else {
        Err(STREAM_CAPTURE_UNSUPPORTED)
    }
}

/// Refuses calls that may wait for work, such as allocations, as the modes of captures and of this thread ask
/// (Driver API, `cuThreadExchangeStreamCaptureMode`).
pub fn check_unsafe_call() -> Res {
    let own = thread::capture_mode();
    if COUNT.load(Ordering::Acquire) == 0 || own == Mode::CU_STREAM_CAPTURE_MODE_RELAXED {
        return Ok(());
    }
    let me = thread::number();
    let global = |mode| mode == Mode::CU_STREAM_CAPTURE_MODE_GLOBAL;
    let captures = active(|c| {
        let mine = c.thread == me && c.mode != Mode::CU_STREAM_CAPTURE_MODE_RELAXED;
        mine || (global(own) && global(c.mode))
    });
    captures.iter().for_each(|c| c.invalidate());
    if captures.is_empty() {
        Ok(())
    } else {
        Err(STREAM_CAPTURE_UNSUPPORTED)
    }
}

/// Records an event in a captured stream: it stands for what the stream has recorded so far.
pub fn record_event(event: &Event, stream: &Stream) -> Res {
    let parts = PARTS.lock();
    let part = parts.get(&stream.id).ok_or(ILLEGAL_STATE)?;
    part.capture.check()?;
    let recording = (part.capture.clone(), part.tail.clone());
    // Still with the parts locked, so that the capture cannot end in between.
    EVENTS.lock().insert(event.handle, recording);
    Ok(())
}

/// An event is recorded outside of captures.
pub fn forget_event(event: &Event) {
    if COUNT.load(Ordering::Acquire) != 0 {
        EVENTS.lock().remove(&event.handle);
    }
}

/// The capture in which an event was recorded last, if that goes on.
fn captured(event: &Event) -> Option<CapturedEvent> {
    if COUNT.load(Ordering::Acquire) == 0 {
        return None;
    }
    EVENTS.lock().get(&event.handle).cloned()
}

/// Refuses to ask for, or wait for, an event of a capture.
pub fn check_event(event: &Event) -> Res {
    match captured(event) {
        Some((capture, _)) => {
            capture.invalidate();
            Err(CAPTURED_EVENT)
        }
        None => Ok(()),
    }
}

/// Makes a stream wait for an event, if one of the two belongs to a capture. False if none does.
pub fn wait_event(stream: &Arc<Stream>, event: &Arc<Event>, external: bool) -> Res<bool> {
    let capturing = stream.capturing.load(Ordering::Acquire);
    if external && capturing {
        add(stream, NodeWork::WaitEvent(event.clone()))?;
        return Ok(true);
    }
    let Some((capture, tail)) = captured(event) else {
        if capturing {
            let _ = forbid(stream);
            return Err(STREAM_CAPTURE_ISOLATION);
        }
        return Ok(false);
    };
    capture.check()?;
    if stream.ordering == StreamOrdering::Legacy {
        capture.invalidate();
        return Err(STREAM_CAPTURE_IMPLICIT);
    }
    let mut parts = PARTS.lock();
    let part = parts.entry(stream.id).or_insert_with(|| {
        capture.streams.lock().push(Arc::downgrade(stream));
        stream.capturing.store(true, Ordering::Release);
        Part {
            capture: capture.clone(),
            tail: Vec::new(),
            shown: Vec::new(),
            kinds: Vec::new(),
        }
    });
    if !Arc::ptr_eq(&part.capture, &capture) {
        part.capture.invalidate();
        capture.invalidate();
        return Err(STREAM_CAPTURE_MERGE);
    }
    for node in tail {
        if !part.tail.contains(&node) {
            part.tail.push(node);
        }
    }
    Ok(true)
}

/// The state of a stream's capture.
pub fn info(stream: &Stream) -> Info {
    let mut parts = PARTS.lock();
    let Some(part) = parts.get_mut(&stream.id) else {
        return Info {
            status: Status::CU_STREAM_CAPTURE_STATUS_NONE,
            id: 0,
            graph: 0,
            tail: core::ptr::null(),
            kinds: core::ptr::null(),
            tail_len: 0,
        };
    };
    let handle = |&node: &u64| cuox_abi::CUgraphNode::from_addr(node as usize);
    part.shown = part.tail.iter().map(handle).collect();
    part.kinds = vec![cuox_abi::CUgraphEdgeData::default(); part.shown.len()];
    let (id, graph) = (part.capture.id, part.capture.graph.handle);
    let status = if part.capture.is_valid() {
        Status::CU_STREAM_CAPTURE_STATUS_ACTIVE
    } else {
        Status::CU_STREAM_CAPTURE_STATUS_INVALIDATED
    };
    Info {
        status,
        id,
        graph,
        tail: part.shown.as_ptr(),
        kinds: part.kinds.as_ptr(),
        tail_len: part.shown.len(),
    }
}

/// Changes the nodes that a stream's next one waits for.
pub fn set_tail(stream: &Stream, nodes: Vec<u64>, keep: bool) -> Res {
    let mut parts = PARTS.lock();
    let part = parts.get_mut(&stream.id).ok_or(ILLEGAL_STATE)?;
    part.capture.check()?;
    let known: HashSet<u64> = part.capture.graph.nodes().into_iter().collect();
    if !nodes.iter().all(|n| known.contains(n)) {
        return Err(INVALID_VALUE);
    }
    if !keep {
        part.tail.clear();
    }
    for node in nodes {
        if !part.tail.contains(&node) {
            part.tail.push(node);
        }
    }
    Ok(())
}
