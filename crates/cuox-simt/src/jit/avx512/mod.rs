//! The second phase of gang mode for machines with AVX-512: sixteen lanes at a time.
//!
//! Gang mode's control flow and everything that is uniform or affine stay with Cranelift, whose vectors end at 128 bits.
//! What the lanes do in a block is straight code: [`lower`] turns it into instructions over virtual 512-bit vectors
//! ([`vcode`]; [`values`] has their operands, [`ops`], [`ints`], [`bits`], [`floats`], [`halves`], [`convert`], [`casts`], [`memory`], [`records`] and [`rows`] know the instructions, which [`forms`] lists), [`assign`] gives them registers and writes a function that loops over
//! the gang's groups ([`encode`]). Gang mode calls it where its own loop over groups of four would be. A block with something that is
//! not known here keeps that loop.

pub(crate) mod emit;
pub(crate) mod encode;
pub(crate) mod forms;
pub(crate) mod helpers;
pub(crate) mod lower;
pub(crate) mod memory;
pub(crate) mod ops;
pub(crate) mod regalloc;
pub(crate) mod values;
pub(crate) mod vcode;

pub use lower::{Body, GroupWant, Want, Window, Work, lower};
pub use ops::shuffle::shuffle;
pub use regalloc::LANES;
pub use vcode::{RESULT, SCRATCH, args};

/// Whether this machine runs wide code.
pub fn available() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512cd")
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("bmi1")
            && std::is_x86_feature_detected!("bmi2")
            && std::is_x86_feature_detected!("lzcnt")
            && std::is_x86_feature_detected!("popcnt")
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        false
    }
}

/// What generated code depends on, of the machine.
pub fn features() -> [bool; 2] {
    [available(), has_popcount()]
}

/// Whether it counts bits in vectors.
fn has_popcount() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx512vpopcntdq");
    #[cfg(not(target_arch = "x86_64"))]
    false
}
