//! The parameters of a launch.

use crate::image::{Surface, Texture};
use crate::ir::{RuntimeCall, Ty};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The engine that runs a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Engine {
    /// The JIT if it can run the kernel, else the interpreter.
    #[default]
    Auto,
    /// The JIT only.
    Jit,
    /// The JIT only, with vectors of at most 128 bits, as on machines without wider ones.
    JitNarrow,
    /// The JIT only, with per-lane code by LLVM, which is waited for.
    Llvm,
    /// The interpreter only.
    Interpreter,
}

/// The smallest stack of a thread in bytes, if its kernel makes calls that could not be inlined.
pub const MIN_STACK: u32 = 16 << 10;
/// The largest stack of a thread in bytes: the limit of local memory on any device.
pub const MAX_STACK: u32 = 512 << 10;

/// The driver's services for a running kernel. They are called on worker threads.
pub trait Host: Sync {
    /// Prints the output of device `printf` and of assertions.
    fn print(&self, bytes: &[u8]);
    /// Device `malloc`; returns 0 if no memory is left.
    fn malloc(&self, size: u64) -> u64;
    /// Device `free`.
    fn free(&self, address: u64);
    /// Returns the texture object with that handle.
    fn texture(&self, _handle: u64) -> Option<Arc<Texture>> {
        None
    }
    /// Returns true if every memory access is checked against [`Host::allocation`].
    fn checks_memory(&self) -> bool {
        false
    }
    /// Returns start and length of the live allocation that contains `address`. The driver must call
    /// [`crate::memcheck::memory_freed`] when an allocation ends.
    fn allocation(&self, _address: u64) -> Option<(u64, u64)> {
        None
    }
    /// Returns the surface object with that handle.
    fn surface(&self, _handle: u64) -> Option<Arc<Surface>> {
        None
    }
    /// Stops a thread until somebody says how it goes on. Threads of several blocks may come at once.
    fn breakpoint(&self, _at: &Breakpoint<'_>) -> Resume {
        Resume::With(0)
    }
    /// Executes a function of the device runtime for a thread, named by its block's index and its number there. The
    /// arguments and the result are [`RuntimeCall::signature`]'s.
    fn runtime(&self, call: RuntimeCall, _thread: ([u32; 3], u32), _args: &[u64]) -> u64 {
        const NOT_SUPPORTED: u64 = 801;
        match call {
            RuntimeCall::ParameterBuffer | RuntimeCall::ErrorName | RuntimeCall::ErrorString => 0,
            call if call.signature().1 == Ty::B64 => RuntimeCall::ERROR | NOT_SUPPORTED,
            _ => NOT_SUPPORTED,
        }
    }
}

/// A thread at a breakpoint.
#[derive(Clone, Copy, Debug)]
pub struct Breakpoint<'a> {
    /// What the code says about the place: a text without a zero.
    pub place: &'a [u8],
    /// The address of the addresses of the thread's variables.
    pub variables: u64,
    /// `gridDim`.
    pub grid: [u32; 3],
    /// `blockDim`.
    pub block: [u32; 3],
    /// `blockIdx`.
    pub block_index: [u32; 3],
    /// `threadIdx`.
    pub thread_index: [u32; 3],
}

/// What a thread does behind a breakpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// It goes on; the value is the call's result.
    With(u32),
    /// The grid ends.
    Quit,
}

/// A launch of a kernel.
pub struct Launch<'a> {
    /// Blocks along each axis, each at least 1.
    pub grid: [u32; 3],
    /// Threads per block along each axis, at most 1024 in all.
    pub block: [u32; 3],
    /// Blocks per cluster along each axis, if the launch sets it; each divides the grid's.
    pub cluster: Option<[u32; 3]>,
    /// Dynamic shared memory, bytes.
    pub dynamic_shared: u32,
    /// Bytes of stack per thread, for calls that could not be inlined; limited to [`MIN_STACK`] to [`MAX_STACK`].
    pub stack: u32,
    /// The parameters, packed at their PTX offsets, `param_bytes` long.
    pub params: &'a [u8],
    /// True for a cooperative launch.
    pub cooperative: bool,
    /// The number of blocks that the device holds at once: so many make progress together, in `blockIdx` order.
    pub resident: u64,
    /// The numbers of the multiprocessors that may run its blocks (`%smid`): as large a share of the workers does. All
    /// of them if there are none.
    pub multiprocessors: &'a [u32],
    /// The time after which the grid ends with a fault, if there is a limit.
    pub timeout: Option<Duration>,
    /// The engine.
    pub engine: Engine,
    /// Set by another thread to stop the grid at its next back edge or barrier.
    pub cancel: &'a AtomicBool,
    /// The driver.
    pub host: &'a dyn Host,
}
