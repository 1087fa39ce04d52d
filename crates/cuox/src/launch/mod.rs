//! Launching kernels (Driver API manual, *Execution Control*).
//!
//! | | |
//! |---|---|
//! | `slot` | **the rule**: which values one parameter takes, and which bytes they become |
//! | `refusal` | the reasons for which it takes none, and the texts of the errors |
//! | `c_value` | the rule for values in C's form (`kernelParams`) |
//! | `dtype` | element types of arrays, against those that a pointer parameter points to |
//! | `parameters` | a kernel's slots, and the buffer that its arguments are packed into |
//! | `named` | names of parameters, for reports of the software GPU |
//! | `packer` | Rust values as arguments |
//! | `config` | grid, block, shared memory |
//! | `f16` | rounding to `__half` and `__nv_bfloat16` |
//!
//! Everything that launches a kernel goes by this rule: [`Kernel::launch`], Python's `kernel[grid, block](…)` and
//! `cuox.launch`, and `kernelParams` of `cuLaunchKernel` in `cuox.cuda.bindings`.

mod c_value;
mod config;
mod dtype;
mod f16;
pub(crate) mod last;
pub(crate) mod named;
mod packer;
pub(crate) mod parameters;
mod refusal;
mod slot;

pub use c_value::{CCount, CSize, CValue, Passed};
pub use config::{Dim3, LaunchConfig};
pub use dtype::Dtype;
pub use f16::{bf16_bits, f16_bits};
pub use packer::{ArgPacker, KernelArg};
pub use parameters::{ParamBuffer, Parameters};
pub use refusal::Refusal;
pub use slot::{ArrayMemory, Slot};

use std::ffi::c_void;

use crate::driver::sys::{CUfunction, call};
use crate::error::{Error, Result};
use crate::kernel::Kernel;
use crate::stream::Stream;

impl Kernel {
    /// Launches with Rust values, each checked against the kernel's signature.
    ///
    /// # Safety
    /// The kernel runs on its own: it must stay within the memory it is given, and that memory must live until it is
    /// done (buffers freed in this stream's order do).
    ///
    /// # Errors
    /// [`Error::Argument`] and [`Error::ArgumentCount`]; the errors of `cuLaunchKernel`.
    pub unsafe fn launch(
        &self,
        stream: &Stream,
        config: &LaunchConfig,
        args: &[&dyn KernelArg],
    ) -> Result<()> {
        let mut packer = ArgPacker::new(self)?;
        if args.len() != packer.signature().params().len() {
            return Err(packer.count_error(args.len()));
        }
        for arg in args {
            arg.push(&mut packer)?;
        }
        // SAFETY: every argument fitted its parameter; the caller vouches for the memory that the kernel uses.
        unsafe { packer.launch(stream, config) }
    }

    /// Launches with C's array of pointers to the arguments; nothing is checked.
    ///
    /// # Safety
    /// `params` points to as many pointers as the kernel has parameters, each to a value of the parameter's type;
    /// and what [`Kernel::launch`] asks.
    ///
    /// # Errors
    /// The errors of `cuLaunchKernel`.
    #[inline]
    pub unsafe fn launch_raw(
        &self,
        stream: &Stream,
        config: &LaunchConfig,
        params: *mut *mut c_void,
    ) -> Result<()> {
        let context = stream.context();
        let function = if context.is(self.context()) {
            self.function()
        } else {
            self.elsewhere(stream)?
        };
        context.bind()?;
        last::note(self.number());
        let LaunchConfig {
            grid,
            block,
            shared_bytes,
            ..
        } = *config;
        let launched = if config.is_plain() {
            // SAFETY: function and stream are alive; the caller vouches for the parameters and the memory that the
            // kernel uses.
            unsafe {
                call!(
                    context.driver(),
                    cuLaunchKernel(
                        function,
                        grid.x,
                        grid.y,
                        grid.z,
                        block.x,
                        block.y,
                        block.z,
                        shared_bytes,
                        stream.raw(),
                        params,
                        std::ptr::null_mut(),
                    )
                )
            }
        } else {
            // SAFETY: the same function, stream and parameters as this function's caller vouches for.
            unsafe { self.launch_extended(function, stream, config, params) }
        };
        match launched {
            Ok(()) => Ok(()),
            // SAFETY: the launch that failed did not start, so parameters and memory are still as the caller vouches.
            Err(error) => unsafe { self.launch_failed(error, function, stream, config, params) },
        }
    }

    /// The handle for a stream of another context than the kernel was loaded for: a `CUkernel` stands for the
    /// function in each context of its driver.
    #[cold]
    fn elsewhere(&self, stream: &Stream) -> Result<CUfunction> {
        self.context().check()?;
        if !std::ptr::eq(stream.context().driver(), self.context().driver()) {
            return Err(Error::invalid(format!(
                "{} was loaded for {:?} and cannot run in a stream of {:?}",
                self.shown_name(),
                self.device(),
                stream.device()
            )));
        }
        Ok(CUfunction(self.raw().0))
    }

    /// # Safety
    /// As [`Kernel::launch_raw`].
    unsafe fn launch_extended(
        &self,
        function: CUfunction,
        stream: &Stream,
        config: &LaunchConfig,
        params: *mut *mut c_void,
    ) -> Result<()> {
        config.with_driver_config(stream, |raw| {
            // SAFETY: the configuration is alive; the caller vouches for the parameters and the memory that the kernel
            // uses.
            unsafe {
                call!(
                    self.context().driver(),
                    cuLaunchKernelEx(raw, function, params, std::ptr::null_mut())
                )
            }
        })
    }

    /// Opts in to more dynamic shared memory and tries again, when that is what failed; else says which limit the
    /// configuration breaks.
    ///
    /// # Safety
    /// As [`Kernel::launch_raw`].
    #[cold]
    unsafe fn launch_failed(
        &self,
        error: Error,
        function: CUfunction,
        stream: &Stream,
        config: &LaunchConfig,
        params: *mut *mut c_void,
    ) -> Result<()> {
        const MAX_DYNAMIC_SHARED: u32 = 8;
        if !matches!(error.driver_code(), Some(1 | 701)) {
            return Err(error);
        }
        if let Some(why) = config.problem(stream.device()) {
            return Err(error.with_hint(why));
        }
        let shared = i32::try_from(config.shared_bytes).unwrap_or(i32::MAX);
        let allowed = self.attribute(MAX_DYNAMIC_SHARED).unwrap_or(0);
        if shared > allowed
            && stream.device() == self.device()
            && self.set_attribute(MAX_DYNAMIC_SHARED, shared).is_ok()
        {
            // SAFETY: the first attempt did not start, so parameters and memory are still as the caller vouches.
            return unsafe { self.launch_extended(function, stream, config, params) };
        }
        if let Ok(limit) = self.attribute(0)
            && i64::from(limit) < config.block.volume() as i64
        {
            return Err(error.with_hint(format!(
                "{} was compiled for at most {limit} threads per block",
                self.shown_name()
            )));
        }
        Err(error)
    }
}

/// Launches a kernel; see [`Kernel::launch`].
///
/// # Safety
/// As [`Kernel::launch`].
///
/// # Errors
/// As [`Kernel::launch`].
pub unsafe fn launch(
    stream: &Stream,
    config: &LaunchConfig,
    kernel: &Kernel,
    args: &[&dyn KernelArg],
) -> Result<()> {
    // SAFETY: the same arguments and memory as this function's caller vouches for.
    unsafe { kernel.launch(stream, config, args) }
}
