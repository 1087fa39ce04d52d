//! Contexts: who owns memory, modules and streams, and what error they share.

use crate::code::{CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_HANDLE, Res};
use crate::driver::{self, Driver};
use crate::fault::Sticky;
use crate::progress::{Point, Progress};
use crate::stream::{Ordering3, Stream};
use crate::{code, thread};
use parking_lot::{Mutex, RwLock};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The part of a context that its streams share: it outlives the context while work is queued.
pub struct Core {
    pub handle: u64,
    pub id: u64,
    pub sticky: Sticky,
    /// Set when the context goes away under running work.
    pub cancel: AtomicBool,
    /// How far the legacy default stream is.
    pub legacy: Arc<Progress>,
    queues: RwLock<Vec<(Arc<Progress>, Ordering3)>>,
    blocking: AtomicUsize,
    /// Bytes that kernels may allocate, and have allocated.
    pub heap_limit: AtomicU64,
    /// Bytes of stack of a thread.
    pub stack_limit: AtomicU64,
    pub heap_used: AtomicU64,
}

impl Core {
    fn new(handle: u64, id: u64) -> Core {
        Core {
            handle,
            id,
            sticky: Sticky::default(),
            cancel: AtomicBool::new(false),
            legacy: Arc::default(),
            queues: RwLock::default(),
            blocking: AtomicUsize::new(0),
            heap_limit: AtomicU64::new(LIMITS[HEAP_LIMIT]),
            stack_limit: AtomicU64::new(LIMITS[STACK_LIMIT]),
            heap_used: AtomicU64::new(0),
        }
    }

    /// Makes a queue known to the others; forgets queues that nobody has any more.
    pub fn enlist(&self, progress: &Arc<Progress>, ordering: Ordering3) {
        let mut queues = self.queues.write();
        queues.retain(|(p, _)| Arc::strong_count(p) > 1);
        queues.push((progress.clone(), ordering));
        let blocking = queues
            .iter()
            .filter(|(_, o)| *o == Ordering3::Blocking)
            .count();
        self.blocking.store(blocking, Ordering::SeqCst);
    }

    /// What new work on a stream of that kind has to wait for.
    pub fn before(&self, ordering: Ordering3) -> Vec<Point> {
        match ordering {
            Ordering3::Free => Vec::new(),
            Ordering3::Blocking => self.legacy.pending().into_iter().collect(),
            Ordering3::Legacy if self.blocking.load(Ordering::SeqCst) == 0 => Vec::new(),
            Ordering3::Legacy => {
                let queues = self.queues.read();
                let blocking = queues.iter().filter(|(_, o)| *o == Ordering3::Blocking);
                blocking.filter_map(|(p, _)| p.pending()).collect()
            }
        }
    }

    fn pending(&self) -> Vec<Point> {
        self.queues
            .read()
            .iter()
            .filter_map(|(p, _)| p.pending())
            .collect()
    }

    /// Waits for all work of the context.
    pub fn wait(&self) {
        for point in self.pending() {
            point.wait();
        }
    }

    fn wait_until(&self, deadline: Instant) -> bool {
        self.pending()
            .iter()
            .all(|p| p.progress.wait_until(p.seq, Some(deadline)))
    }

    /// Whether nothing is queued or running.
    pub fn idle(&self) -> bool {
        self.queues.read().iter().all(|(p, _)| p.idle())
    }
}

/// Limits, by their number in the header, with their defaults. Most are only remembered.
const LIMITS: [u64; 7] = [1024, 1 << 20, 8 << 20, 2, 2048, 64, 0];
const STACK_LIMIT: usize = 0;
const HEAP_LIMIT: usize = 2;

/// A context.
pub struct Context {
    pub core: Arc<Core>,
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

/// Stream handles with a meaning of their own.
pub const STREAM_LEGACY: u64 = 1;
pub const STREAM_PER_THREAD: u64 = 2;

impl Context {
    pub fn new(handle: u64, flags: u32, primary: bool) -> Context {
        static NEXT_ID: AtomicU64 = AtomicU64::new(1);
        let core = Arc::new(Core::new(handle, NEXT_ID.fetch_add(1, Ordering::Relaxed)));
        let id = driver::next_stream_id();
        let legacy = Stream::new(STREAM_LEGACY, id, 0, 0, Ordering3::Legacy, core.clone());
        Context {
            core,
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
        self.core.handle
    }

    pub fn limit(&self, which: usize) -> Option<u64> {
        self.limits.get(which).map(|l| l.load(Ordering::Relaxed))
    }

    pub fn set_limit(&self, which: usize, value: u64) -> Res {
        let limit = self.limits.get(which).ok_or(code::UNSUPPORTED_LIMIT)?;
        limit.store(value, Ordering::Relaxed);
        match which {
            STACK_LIMIT => self.core.stack_limit.store(value, Ordering::Relaxed),
            HEAP_LIMIT => self.core.heap_limit.store(value, Ordering::Relaxed),
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
            let id = driver::next_stream_id();
            Arc::new(Stream::new(
                STREAM_PER_THREAD,
                id,
                0,
                0,
                Ordering3::Blocking,
                self.core.clone(),
            ))
        };
        streams.entry(thread::number()).or_insert_with(make).clone()
    }
}

/// The primary context's handle is always the same; a table's handle never looks like this one.
pub const PRIMARY_HANDLE: u64 = 0x0011_0000_0fff_fff0;

/// The primary context of the device.
pub struct Primary {
    state: Mutex<PrimaryState>,
    active: RwLock<Option<Arc<Context>>>,
}

#[derive(Default)]
struct PrimaryState {
    retained: u32,
    flags: u32,
}

impl Primary {
    pub fn new() -> Primary {
        Primary {
            state: Mutex::default(),
            active: RwLock::new(None),
        }
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
            *active = Some(Arc::new(Context::new(PRIMARY_HANDLE, state.flags, true)));
        }
    }

    /// Gives one retention back; the last one ends the context.
    pub fn release(&self, driver: &Driver) -> Res {
        let gone = {
            let mut state = self.state.lock();
            state.retained = state.retained.checked_sub(1).ok_or(INVALID_CONTEXT)?;
            if state.retained > 0 {
                return Ok(());
            }
            self.active.write().take()
        };
        if let Some(context) = gone {
            end(driver, &context);
        }
        Ok(())
    }

    /// Ends the context whoever retains it. A thread that holds it current finds it inactive until it is
    /// retained again, under the same handle.
    pub fn reset(&self, driver: &Driver) {
        let gone = {
            let mut state = self.state.lock();
            state.retained = 0;
            self.active.write().take()
        };
        if let Some(context) = gone {
            end(driver, &context);
        }
    }
}

/// How long the end of a context waits for its work before it cancels it, and then for the cancelling.
const PATIENCE: Duration = Duration::from_secs(2);

/// Ends a context that no table holds any more: waits for or stops its work, frees what it owns.
pub fn end(driver: &Driver, context: &Context) {
    let core = &*context.core;
    let mut stopped = core.wait_until(Instant::now() + PATIENCE);
    if !stopped {
        core.cancel.store(true, Ordering::Release);
        core.sticky.set(code::LAUNCH_TIMEOUT, || {
            "the context was destroyed while work was running".into()
        });
        stopped = core.wait_until(Instant::now() + PATIENCE);
    }
    let mine = core.handle;
    for stream in driver.streams.select(|s| s.core.handle == mine) {
        driver.streams.remove(stream.handle);
        stream.close();
    }
    context.legacy.close();
    for stream in context.per_thread.lock().values() {
        stream.close();
    }
    for event in driver.events.select(|e| e.context == mine) {
        driver.events.remove(event.handle);
    }
    for array in driver.arrays.select(|a| a.context == mine) {
        driver.arrays.remove(array.handle);
    }
    for mipmap in driver.mipmaps.select(|m| m.context == mine) {
        driver.mipmaps.remove(mipmap.handle);
    }
    for texture in driver.textures.select(|t| t.context == mine) {
        driver.textures.remove(texture.handle);
    }
    for surface in driver.surfaces.select(|s| s.context == mine) {
        driver.surfaces.remove(surface.handle);
    }
    for module in driver.modules.select(|m| m.context == mine) {
        module.forget(driver);
    }
    // What a kernel that does not stop may still touch is better lost than given to somebody else.
    if stopped {
        driver.memory.free_where(|a| a.context == mine);
    }
    if context.primary {
        for library in driver.libraries.select(|_| true) {
            library.module.restore_variables();
        }
    }
}

/// The context with that handle.
pub fn resolve(driver: &Driver, handle: u64) -> Res<Arc<Context>> {
    if handle == PRIMARY_HANDLE {
        return driver.primary.active().ok_or(CONTEXT_IS_DESTROYED);
    }
    driver.contexts.get(handle).ok_or(INVALID_CONTEXT)
}

/// Whether a thread may make that handle current.
pub fn known(driver: &Driver, handle: u64) -> bool {
    handle == PRIMARY_HANDLE || driver.contexts.get(handle).is_some()
}

/// The calling thread's context.
pub fn current(driver: &Driver) -> Res<Arc<Context>> {
    match thread::top() {
        0 => Err(INVALID_CONTEXT),
        handle => resolve(driver, handle).map_err(|_| CONTEXT_IS_DESTROYED),
    }
}

/// The calling thread's context, if it has no error.
pub fn healthy(driver: &Driver) -> Res<Arc<Context>> {
    let context = current(driver)?;
    context.core.sticky.check()?;
    Ok(context)
}

/// The stream with that handle.
pub fn stream(driver: &Driver, handle: u64) -> Res<Arc<Stream>> {
    match handle {
        0 => Ok(current(driver)?.default_stream()),
        STREAM_LEGACY => Ok(current(driver)?.legacy_stream()),
        STREAM_PER_THREAD => Ok(current(driver)?.per_thread_stream()),
        _ => driver.streams.get(handle).ok_or(INVALID_HANDLE),
    }
}

/// Flags that a context may be made with.
pub const FLAGS: u32 = 0xff;
/// Stream priorities are accepted and remembered.
pub const LEAST_PRIORITY: i32 = 0;
/// See [`LEAST_PRIORITY`].
pub const GREATEST_PRIORITY: i32 = -5;
