//! The fast engine: a kernel becomes two Cranelift functions, one that steps a gang of lanes and one that steps threads.
//!
//! * [`plan`] has the IR as it is to be compiled (the passes are in [`crate::passes`], the analyses in [`crate::analysis`]) and all that follows
//!   from it; [`compile`] makes code of it when that is first needed.
//! * [`gang`] generates gang mode: uniform work once, the rest four lanes at a time; [`avx512`] has other code for the lanes on machines that
//!   have it. [`thread`] generates thread mode: single blocks for any set of a warp's lanes, after a divergent branch, in partial warps, and
//!   where a guard of gang mode fails. Both emit single operations with [`emit`].
//! * [`code`] is machine code as data, in memory and on disk.
//! * [`runtime`] is everything that exists while code runs: blocks, which drive their warps through both modes, and the functions that
//!   generated code calls.

pub(crate) mod avx512;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod emit;
pub(crate) mod gang;
pub(crate) mod plan;
pub(crate) mod runtime;
pub(crate) mod thread;

pub use crate::analysis::shape::Shape;
pub use crate::passes::hot_cold::CodePart;
pub use avx512::available as has_wide;
pub use code::cache;
pub use compile::Compiled;
pub use plan::Plan;
pub use runtime::block::JitBlock;
