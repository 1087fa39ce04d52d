//! Callers of algorithms: each algorithm says once which kernels it launches, in which order and with which memory.

use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::Buffer;
use cuox::{Error, Kernel, LaunchConfig, Result, Stream};

use crate::parameter::{Argument, put_all};
use crate::scratch::{self, User};

/// Whoever calls an algorithm. It has the kernels' arguments, and knows how to wait: an interpreter does that without
/// its lock.
pub trait Caller {
    /// The caller's errors.
    type Error;

    /// An error of cuox as one of the caller's.
    fn error(&self, error: Error) -> Self::Error;

    /// The kernel that is `loaded`, else the one that `compile` makes, for the algorithm `name`; and whether it is new.
    /// `compile` asks now and then if it is to stop.
    ///
    /// # Errors
    /// Those of `compile`.
    fn kernel<K: Send>(
        &self,
        name: &str,
        loaded: Option<K>,
        compile: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<K> + Send,
    ) -> Result<(K, bool), Self::Error>;

    /// Does what may wait for work of the device.
    ///
    /// # Errors
    /// Those of `work`.
    fn submit<T: Send>(
        &self,
        stream: &Stream,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> Result<T, Self::Error>;

    /// Launches a kernel with the caller's arguments, and what `finish` puts behind them.
    ///
    /// # Safety
    /// The kernel stays within the memory of its arguments, which lives until it is done.
    ///
    /// # Errors
    /// [`Error::Argument`] for an argument that its parameter does not take; the errors of `cuLaunchKernel`.
    unsafe fn launch(
        &self,
        stream: &Stream,
        kernel: (&Kernel, bool),
        config: &LaunchConfig,
        finish: impl FnOnce(&Parameters, &mut ParamBuffer) -> Result<(), Refusal>,
    ) -> Result<(), Self::Error>;

    /// Scratch memory for the next launch in a stream.
    ///
    /// # Errors
    /// `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    fn scratch(&self, user: User, stream: &Stream, bytes: usize) -> Result<Buffer, Self::Error>;
}

/// A caller in Rust, with these arguments.
#[derive(Debug, Clone, Copy)]
pub struct RustCaller<'a>(pub &'a [Argument<'a>]);

impl Caller for RustCaller<'_> {
    type Error = Error;

    fn error(&self, error: Error) -> Error {
        error
    }

    fn kernel<K: Send>(
        &self,
        _name: &str,
        loaded: Option<K>,
        compile: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<K> + Send,
    ) -> Result<(K, bool)> {
        match loaded {
            Some(kernel) => Ok((kernel, false)),
            None => Ok((compile(&mut || false)?, true)),
        }
    }

    fn submit<T: Send>(
        &self,
        _stream: &Stream,
        work: impl FnOnce() -> Result<T> + Send,
    ) -> Result<T> {
        work()
    }

    fn scratch(&self, user: User, stream: &Stream, bytes: usize) -> Result<Buffer> {
        scratch::get(user, stream, bytes)
    }

    unsafe fn launch(
        &self,
        stream: &Stream,
        (kernel, _): (&Kernel, bool),
        config: &LaunchConfig,
        finish: impl FnOnce(&Parameters, &mut ParamBuffer) -> Result<(), Refusal>,
    ) -> Result<()> {
        let parameters = kernel.parameters()?;
        let mut buffer = ParamBuffer::default();
        put_all(self.0, parameters, &mut buffer)?;
        finish(parameters, &mut buffer).map_err(|refusal| {
            parameters.refused(self.0.len(), refusal, "the numbers of a launch")
        })?;
        // SAFETY: a pointer for each parameter, to a value of its size; the caller vouches for the memory.
        buffer.with_pointers(parameters, |pointers| unsafe {
            kernel.launch_raw(stream, config, pointers)
        })
    }
}
