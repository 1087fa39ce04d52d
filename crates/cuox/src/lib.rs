//! CUDA from Rust, on NVIDIA's driver or on cuox's software GPU.
//!
//! | CUDA | here |
//! |---|---|
//! | `libcuda.so.1` | [`Driver`]: both kinds can be open in one process |
//! | `CUdevice` and its primary context | [`Device`], [`Context`] |
//! | `CUstream`, `CUevent` | [`Stream`], [`Event`] |
//! | `cuMemAlloc`, `cuMemAllocAsync`, `cuMemHostAlloc` | [`Buffer`], [`PinnedBuffer`] |
//! | NVRTC | [`Program`], [`ProgramOptions`] |
//! | `CUlibrary`, `CUkernel` | [`ObjectCode`], [`Kernel`] |
//! | `cuLaunchKernel`, `cuLaunchKernelEx` | [`launch`], [`LaunchConfig`], [`ArgPacker`] |
//! | `CUresult`, `nvrtcResult` | [`Error`] |
//!
//! Every object keeps what it lives in: a buffer its stream, a stream its context, a kernel its code. Nothing here
//! needs a driver, a compiler or a toolkit at build time; all are found at run time ([`pathfinder`]).

pub mod code;
pub mod context;
pub mod device;
pub mod driver;
pub mod error;
pub mod event;
pub mod kernel;
pub mod launch;
pub mod memory;
pub mod nvrtc;
pub mod pathfinder;
pub mod signature;
pub mod stream;
mod wait;

pub use code::{CodeFormat, CodeParts, ObjectCode};
pub use context::Context;
pub use device::{Device, Properties};
pub use driver::{
    Choice, ChoiceReport, Driver, DriverKind, choice_report, default_driver, set_choice,
    set_soft_library_path,
};
pub use error::{Error, Result};
pub use event::{Event, EventOptions};
pub use kernel::{Kernel, KernelAttributes};
pub use launch::{ArgPacker, Dim3, KernelArg, LaunchConfig, launch};
pub use memory::{Buffer, Fill, PinnedBuffer, PinnedOptions, Pod};
pub use nvrtc::{Compiled, Nvrtc, Program, ProgramOptions};
pub use signature::{Param, ParamKind, Signature};
pub use stream::{Stream, StreamOptions};
