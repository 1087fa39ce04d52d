//! A function between lowering and inlining.

use super::{Function, Reg};

/// The most local memory a thread can have.
pub(crate) const MAX_LOCAL: u64 = 512 << 10;

/// A function as lowering leaves it, before inlining.
#[derive(Clone)]
pub(crate) struct Lowered {
    /// The code.
    pub function: Function,
    /// Holds the offset of the function's own frame in local memory; set by a `Mov` of an immediate.
    pub frame: Reg,
    /// Holds the size of all local memory; set by a `Mov` of an immediate.
    pub frame_size: Reg,
}
