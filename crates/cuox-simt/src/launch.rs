//! What a launch is made of.

use crate::image::{Surface, Texture};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Which engine runs a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The JIT where it can run the kernel, else the interpreter.
    #[default]
    Auto,
    /// The JIT only.
    Jit,
    /// The JIT only, with vectors of at most 128 bits: what it does on machines that have no wider ones.
    JitNarrow,
    /// The interpreter only.
    Interpreter,
}

/// Bytes of stack that a thread has at least, if its kernel makes calls that could not be inlined.
pub const MIN_STACK: u32 = 16 << 10;
/// Most bytes of stack of a thread: its local memory on any device.
pub const MAX_STACK: u32 = 512 << 10;

/// What a running kernel asks of the driver. Called from worker threads.
pub trait Host: Sync {
    /// Output of device `printf` and of assertions.
    fn print(&self, bytes: &[u8]);
    /// Device `malloc`; 0 when there is none left.
    fn malloc(&self, size: u64) -> u64;
    /// Device `free`.
    fn free(&self, address: u64);
    /// The texture object with that handle.
    fn texture(&self, _handle: u64) -> Option<Arc<Texture>> {
        None
    }
    /// Whether every access to memory is checked against [`Host::allocation`].
    fn checks_memory(&self) -> bool {
        false
    }
    /// Start and length of the live allocation that `address` lies in. When one ends, [`crate::memcheck::memory_freed`] is to be
    /// called.
    fn allocation(&self, _address: u64) -> Option<(u64, u64)> {
        None
    }
    /// The surface object with that handle.
    fn surface(&self, _handle: u64) -> Option<Arc<Surface>> {
        None
    }
}

/// One launch of a kernel.
pub struct Launch<'a> {
    /// Blocks along each axis, each at least 1.
    pub grid: [u32; 3],
    /// Threads of a block along each axis, at most 1024 in all.
    pub block: [u32; 3],
    /// Blocks of a cluster along each axis, if the launch says so; each divides the grid's.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory, bytes.
    pub dynamic_shared: u32,
    /// Bytes of stack of a thread, for calls that could not be inlined; held between [`MIN_STACK`] and [`MAX_STACK`].
    pub stack: u32,
    /// The parameters, packed at their PTX offsets, `param_bytes` long.
    pub params: &'a [u8],
    /// All blocks must make progress together.
    pub cooperative: bool,
    /// Which engine.
    pub engine: Engine,
    /// Set by another thread to stop the grid at its next back edge or barrier.
    pub cancel: &'a AtomicBool,
    /// The driver.
    pub host: &'a dyn Host,
}
