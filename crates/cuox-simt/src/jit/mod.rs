//! The JIT engine: compiles a kernel to gang code, which runs many lanes together, and thread code, which runs single
//! lanes.
//!
//! * [`plan`] prepares the IR for compilation (with the passes of [`crate::passes`] and the analyses of
//!   [`crate::analysis`]) and computes everything derived from it. [`compile`] compiles it when code is first needed.
//! * [`gang`] generates gang code: scalar instructions once, the rest for four lanes at a time. [`avx512`] generates
//!   the per-lane code on machines with AVX-512. [`thread`] generates thread code: single blocks for any set of a
//!   warp's lanes, for diverged lanes, partial warps and failed guards. Both emit single operations through [`emit`].
//! * [`code`] represents machine code, in memory and on disk.
//! * [`runtime`] is the state of running kernels: thread blocks, which run their warps in both modes, and the helper
//!   functions that generated code calls.

pub(crate) mod avx512;
pub(crate) mod chaos;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod emit;
pub(crate) mod gang;
pub(crate) mod llvm;
pub(crate) mod plan;
pub(crate) mod runtime;
pub(crate) mod sharing;
pub(crate) mod thread;

pub use crate::analysis::shape::{Shape, Warps};
pub use crate::passes::hot_cold::CodePart;
pub use avx512::available as has_wide;
pub use code::cache;
pub use compile::Compiled;
pub use llvm::available as has_llvm;
pub(crate) use llvm::child::is_wanted as is_llvm_wanted;
pub(crate) use llvm::warp::{plan as plan_for_llvm, plan_for_warps};
pub use plan::{Maker, Plan};
pub use runtime::block::JitBlock;
