//! The lane phase of gang mode for machines with AVX-512: sixteen lanes at a time.
//!
//! Cranelift, whose vectors have at most 128 bits, generates gang mode's control flow and all scalar instructions. The
//! per-lane instructions of a block are straight-line code. [`lower`] translates them to instructions over virtual
//! 512-bit vectors ([`vcode`]); [`values`] has their operands, [`emit`] appends instructions, [`ops`] and [`memory`]
//! select the instructions, whose opcodes are in [`forms`]. [`regalloc`] allocates registers and generates a function
//! that loops over the gang's groups, with the assembler of [`encode`]; [`helpers`] are functions that it calls. Gang
//! mode calls that function in place of its own loop over groups of four lanes. A block with an unsupported instruction
//! keeps the narrow loop.

pub(crate) mod emit;
pub(crate) mod encode;
pub(crate) mod forms;
pub(crate) mod group_loop;
pub(crate) mod helpers;
pub(crate) mod lower;
pub(crate) mod memory;
pub(crate) mod ops;
pub(crate) mod regalloc;
pub(crate) mod values;
pub(crate) mod vcode;

pub use lower::{Body, GroupInput, LanePhaseInput, WideCode, WideInput, Window, lower};
pub use ops::shuffle::shuffle;
pub use regalloc::LANES;
pub use vcode::{RESULT, SCRATCH, args};

#[cfg(target_arch = "x86_64")]
use crate::sys::level::{Level, level};

/// Tells whether this machine can run wide code.
pub fn available() -> bool {
    level() == Level::V4
}

/// Returns the machine features that generated code depends on.
pub fn features() -> [bool; 2] {
    [available(), has_popcount()]
}

/// Tells whether the machine has vector population counts.
fn has_popcount() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512vpopcntdq");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
