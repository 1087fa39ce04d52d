//! What each thread has of its own. Nothing here has a destructor: C++ destructors and handlers of exit call the
//! runtime when thread-locals with one are gone.

use core::cell::Cell;
use core::sync::atomic::{AtomicI32, Ordering};

use cuox_abi::{CUstream, StreamClass};

use crate::generated::{cudaError, cudaStream_t, dim3};

/// The configuration between `<<<` and `>>>`.
#[derive(Clone, Copy)]
pub struct Configuration {
    pub grid: dim3,
    pub block: dim3,
    pub shared: usize,
    pub stream: cudaStream_t,
}

const NO_SHAPE: dim3 = dim3 { x: 1, y: 1, z: 1 };
const NO_CONFIGURATION: Configuration = Configuration {
    grid: NO_SHAPE,
    block: NO_SHAPE,
    shared: 0,
    stream: cudaStream_t::null(),
};

/// Launches nest while the arguments of one are computed, which happens after its configuration is pushed.
const DEPTH: usize = 32;

/// No device has been chosen.
const UNSET: i32 = -1;
static DEFAULT_DEVICE: AtomicI32 = AtomicI32::new(0);

struct Thread {
    last_error: Cell<cudaError>,
    device: Cell<i32>,
    per_thread_stream: Cell<bool>,
    generation: Cell<u64>,
    depth: Cell<usize>,
    configurations: [Cell<Configuration>; DEPTH],
}

thread_local! {
    static THREAD: Thread = const {
        Thread {
            last_error: Cell::new(cudaError::cudaSuccess),
            device: Cell::new(UNSET),
            per_thread_stream: Cell::new(false),
            generation: Cell::new(0),
            depth: Cell::new(0),
            configurations: [const { Cell::new(NO_CONFIGURATION) }; DEPTH],
        }
    };
}

/// Notes a failure for `cudaGetLastError`.
#[cold]
pub fn record(error: cudaError) {
    THREAD.with(|thread| thread.last_error.set(error));
}

pub fn last_error() -> cudaError {
    THREAD.with(|thread| thread.last_error.get())
}

/// The device that calls of this thread mean while no context is current.
pub fn device() -> i32 {
    match THREAD.with(|thread| thread.device.get()) {
        UNSET => DEFAULT_DEVICE.load(Ordering::Acquire),
        device => device,
    }
}

/// Sets the device of threads that have not chosen one.
pub fn set_default_device(device: i32) {
    DEFAULT_DEVICE.store(device, Ordering::Release);
}

pub fn set_device(device: i32) {
    THREAD.with(|thread| thread.device.set(device));
}

/// The generation of contexts (`runtime::Runtime::generation`) in which this thread last made sure of one; 0 is none.
#[inline]
pub fn generation() -> u64 {
    THREAD.with(|thread| thread.generation.get())
}

pub fn set_generation(generation: u64) {
    THREAD.with(|thread| thread.generation.set(generation));
}

/// Makes a call in which stream 0 is what `class` says.
#[inline]
pub fn with_class<R>(class: StreamClass, call: impl FnOnce() -> R) -> R {
    if class == StreamClass::Plain {
        return call();
    }
    let before = THREAD.with(|thread| thread.per_thread_stream.replace(true));
    let result = call();
    THREAD.with(|thread| thread.per_thread_stream.set(before));
    result
}

/// Forgets a class after a panic.
pub fn reset_class() {
    THREAD.with(|thread| thread.per_thread_stream.set(false));
}

/// True in functions whose stream 0 is the calling thread's.
#[inline]
pub fn per_thread_stream() -> bool {
    THREAD.with(|thread| thread.per_thread_stream.get())
}

/// The driver's stream for a stream argument.
#[inline]
pub fn stream(stream: cudaStream_t) -> CUstream {
    if stream.is_null() && per_thread_stream() {
        cuox_abi::CU_STREAM_PER_THREAD
    } else {
        CUstream(stream.0)
    }
}

/// False if too many launches are nested.
#[inline]
pub fn push(configuration: Configuration) -> bool {
    THREAD.with(|thread| {
        let depth = thread.depth.get();
        let Some(slot) = thread.configurations.get(depth) else {
            return false;
        };
        slot.set(configuration);
        thread.depth.set(depth + 1);
        true
    })
}

#[inline]
pub fn pop() -> Option<Configuration> {
    THREAD.with(|thread| {
        let depth = thread.depth.get().checked_sub(1)?;
        thread.depth.set(depth);
        Some(thread.configurations[depth].get())
    })
}
