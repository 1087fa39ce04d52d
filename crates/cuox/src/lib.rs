//! CUDA from Rust, on NVIDIA's driver or on cuox's software GPU.
//!
//! | CUDA | here |
//! |---|---|
//! | `libcuda.so.1` | [`Driver`]: both kinds can be open in one process |
//! | `CUdevice` and its primary context | [`Device`], [`Context`] |
//! | `CUstream`, `CUevent` | [`Stream`], [`Event`] |
//! | `cuMemAlloc`, `cuMemAllocAsync`, `cuMemHostAlloc` | [`Buffer`], [`PinnedBuffer`]; [`Array`] with a shape and elements of one type |
//! | NVRTC | [`Program`], [`ProgramOptions`] |
//! | `CUlibrary`, `CUkernel` | [`ObjectCode`], [`Kernel`] |
//! | `cuLaunchKernel`, `cuLaunchKernelEx` | [`launch()`], [`LaunchConfig`], [`ArgPacker`] |
//! | `CUresult`, `nvrtcResult` | [`Error`] |
//!
//! ```no_run
//! use cuox::{CodeFormat, Device, LaunchConfig, Program, StreamOptions};
//!
//! # fn main() -> cuox::Result<()> {
//! let source = r#"extern "C" __global__ void twice(float *x, int n) {
//!     int i = blockIdx.x * blockDim.x + threadIdx.x;
//!     if (i < n) x[i] *= 2;
//! }"#;
//! let device = Device::get(0)?;
//! let kernel = Program::new(source, "twice.cu").compile(CodeFormat::Cubin, Some(device), &[])?.code.kernel(device, "twice")?;
//! let stream = device.create_stream(StreamOptions::default())?;
//! let x = device.allocate(4000, Some(&stream))?;
//! x.copy_from_slice(&[1.0f32; 1000], Some(&stream))?;
//! // SAFETY: the buffer holds the 1000 floats that the kernel is told of.
//! unsafe { kernel.launch(&stream, &LaunchConfig::for_elements(1000, 128), &[&x, &1000]) }?;
//! assert_eq!(x.to_vec::<f32>(Some(&stream))?, [2.0; 1000]);
//! # Ok(())
//! # }
//! ```
//!
//! Every object keeps what it lives in: a buffer its stream, a stream its context, a kernel its code. Nothing here
//! needs a driver, a compiler or a toolkit at build time; all are found at run time ([`pathfinder`]).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod array;
pub mod cache;
pub mod callback;
pub mod code;
pub mod context;
pub mod device;
pub mod driver;
pub mod error;
pub mod event;
pub mod green;
mod image;
pub mod kernel;
pub mod launch;
pub mod memory;
pub mod nvrtc;
pub mod pathfinder;
pub mod signature;
pub mod stream;
mod thread_end;
mod wait;

pub use array::Array;
pub use code::{CodeFormat, CodeParts, ObjectCode};
pub use context::Context;
pub use cuox_progress as progress;
pub use device::{Device, Properties};
pub use driver::{
    Choice, ChoiceReport, Driver, DriverKind, choice_report, default_driver, set_choice,
    set_soft_library_path,
};
pub use error::{Error, Result};
pub use event::{Event, EventOptions};
pub use green::GreenContext;
pub use kernel::{Kernel, KernelAttributes};
pub use launch::{ArgPacker, Dim3, KernelArg, LaunchConfig, launch};
pub use memory::{Buffer, Fill, PinnedBuffer, PinnedOptions, Pod};
pub use nvrtc::{Compiled, Nvrtc, PchStatus, Program, ProgramOptions};
pub use signature::{Param, ParamKind, Signature};
pub use stream::{Stream, StreamOptions};
