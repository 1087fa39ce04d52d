//! Contexts: owners of memory, modules and streams, which share one error.

use crate::code::{INVALID_CONTEXT, Res, UNSUPPORTED_LIMIT};
use crate::context_state::{ContextState, StreamOrdering};
use crate::graphs::capture;
use crate::streams::stream::{self, Stream};
use crate::streams::stream_op::StreamOp;
use crate::thread;
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Limits, by their number in the header, with their defaults. Most are only remembered.
const LIMITS: [u64; 7] = [1024, 1 << 20, 8 << 20, 2, 2048, 64, 0];
const STACK_LIMIT: usize = 0;
const HEAP_LIMIT: usize = 2;
const LAUNCH_LIMIT: usize = 4;

/// A context.
pub struct Context {
    pub state: Arc<ContextState>,
    pub primary: bool,
    pub flags: AtomicU32,
    limits: [AtomicU64; LIMITS.len()],
    pub cache_config: AtomicU32,
    pub shared_config: AtomicU32,
    /// `cuCtxAttach` and `cuCtxDetach`.
    pub attached: AtomicU32,
    legacy: Arc<Stream>,
    per_thread: Mutex<HashMap<u64, Arc<Stream>>>,
}

/// Ids of contexts, green ones too: each is used once.
pub fn next_id() -> u64 {
    static NEXT_ID: AtomicU64 = AtomicU64::new(1);
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

/// Stream handles with a meaning of their own.
pub const STREAM_LEGACY: u64 = 1;
pub const STREAM_PER_THREAD: u64 = 2;

impl Context {
    pub fn new(handle: u64, device: usize, flags: u32, primary: bool) -> Context {
        let state = Arc::new(ContextState::new(
            handle,
            device,
            next_id(),
            LIMITS[HEAP_LIMIT],
            LIMITS[STACK_LIMIT],
        ));
        let id = stream::next_id();
        let legacy = Stream::new(
            STREAM_LEGACY,
            id,
            0,
            0,
            StreamOrdering::Legacy,
            state.clone(),
        );
        Context {
            state,
            primary,
            flags: AtomicU32::new(flags),
            limits: LIMITS.map(AtomicU64::new),
            cache_config: AtomicU32::new(0),
            shared_config: AtomicU32::new(1),
            attached: AtomicU32::new(1),
            legacy: Arc::new(legacy),
            per_thread: Mutex::default(),
        }
    }

    pub fn handle(&self) -> u64 {
        self.state.handle
    }

    pub fn limit(&self, which: usize) -> Option<u64> {
        self.limits.get(which).map(|l| l.load(Ordering::Relaxed))
    }

    pub fn set_limit(&self, which: usize, value: u64) -> Res {
        let limit = self.limits.get(which).ok_or(UNSUPPORTED_LIMIT)?;
        limit.store(value, Ordering::Relaxed);
        match which {
            STACK_LIMIT => self.state.stack_limit.store(value, Ordering::Relaxed),
            LAUNCH_LIMIT => self.state.launch_limit.store(value, Ordering::Relaxed),
            HEAP_LIMIT => self.state.heap_limit.store(value, Ordering::Relaxed),
            _ => {}
        }
        Ok(())
    }

    /// The stream that 0 means for the calling thread's present call.
    pub fn default_stream(&self) -> Arc<Stream> {
        if thread::per_thread_default() {
            self.per_thread_stream()
        } else {
            self.legacy.clone()
        }
    }

    pub fn legacy_stream(&self) -> Arc<Stream> {
        self.legacy.clone()
    }

    pub fn per_thread_stream(&self) -> Arc<Stream> {
        let mut streams = self.per_thread.lock();
        let make = || {
            let id = stream::next_id();
            let made = Arc::new(Stream::new(
                STREAM_PER_THREAD,
                id,
                0,
                0,
                StreamOrdering::Blocking,
                self.state.clone(),
            ));
            for point in self.state.barriers.ahead() {
                // Without a thread for the queue, what comes next says so.
                let _ = made.enqueue(StreamOp::Wait(point));
            }
            made
        };
        streams.entry(thread::number()).or_insert_with(make).clone()
    }

    /// The default streams that there are.
    pub fn default_streams(&self) -> Vec<Arc<Stream>> {
        let per_thread = self.per_thread.lock();
        std::iter::once(&self.legacy)
            .chain(per_thread.values())
            .cloned()
            .collect()
    }

    /// Closes the default streams: the context ends.
    pub fn close_streams(&self) {
        self.legacy.close();
        for stream in self.per_thread.lock().values() {
            capture::abandon(stream);
            stream.close();
        }
    }
}

/// The handle of device 0's primary context is always the same, as those of the others are, below it; a table's handle
/// never looks like these.
const FIRST_PRIMARY: u64 = 0x0011_0000_0fff_fff0;
const PRIMARY_STEP: u64 = 16;

/// The device whose primary context would have that handle.
pub fn device_of_primary(handle: u64) -> Option<usize> {
    let below = FIRST_PRIMARY.checked_sub(handle)?;
    (below % PRIMARY_STEP == 0).then_some((below / PRIMARY_STEP) as usize)
}

/// The primary context of a device.
pub struct Primary {
    device: usize,
    state: Mutex<PrimaryState>,
    active: RwLock<Option<Arc<Context>>>,
}

#[derive(Default)]
struct PrimaryState {
    retained: u32,
    flags: u32,
}

impl Primary {
    pub fn new(device: usize) -> Primary {
        Primary {
            device,
            state: Mutex::default(),
            active: RwLock::new(None),
        }
    }

    /// The handle, whether the context is active or not.
    pub fn handle(&self) -> u64 {
        FIRST_PRIMARY - PRIMARY_STEP * self.device as u64
    }

    pub fn active(&self) -> Option<Arc<Context>> {
        self.active.read().clone()
    }

    /// Flags, and whether the context is active.
    pub fn state(&self) -> (u32, bool) {
        let flags = self.state.lock().flags;
        (flags, self.active().is_some())
    }

    pub fn set_flags(&self, flags: u32) {
        let mut state = self.state.lock();
        state.flags = flags;
        if let Some(active) = self.active() {
            active.flags.store(flags, Ordering::Relaxed);
        }
    }

    pub fn retain(&self) {
        let mut state = self.state.lock();
        state.retained += 1;
        let mut active = self.active.write();
        if active.is_none() {
            let context = Context::new(self.handle(), self.device, state.flags, true);
            *active = Some(Arc::new(context));
        }
    }

    /// Gives one retention back. The last one gives the context, which is to be ended.
    pub fn release(&self) -> Res<Option<Arc<Context>>> {
        let mut state = self.state.lock();
        state.retained = state.retained.checked_sub(1).ok_or(INVALID_CONTEXT)?;
        match state.retained {
            0 => Ok(self.active.write().take()),
            _ => Ok(None),
        }
    }

    /// Takes the context, which is to be ended, whoever retains it. A thread that holds it current finds it inactive
    /// until it is retained again, under the same handle.
    pub fn reset(&self) -> Option<Arc<Context>> {
        let mut state = self.state.lock();
        state.retained = 0;
        self.active.write().take()
    }
}

/// Flags that a context may be made with.
pub const FLAGS: u32 = 0xff;
/// Stream priorities are accepted and remembered.
pub const LEAST_PRIORITY: i32 = 0;
/// See [`LEAST_PRIORITY`].
pub const GREATEST_PRIORITY: i32 = -5;
