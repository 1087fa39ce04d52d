//! A block under construction.

use crate::ir::{Inst, Terminator};

/// A block that may still be open.
#[derive(Default)]
pub(super) struct Open {
    pub insts: Vec<Inst>,
    pub lines: Vec<u32>,
    pub end: Option<Terminator>,
    /// The indices of arithmetic without a rounding modifier, which may be contracted.
    pub free: Vec<usize>,
    /// The indices at which stretches of straight-line code begin, besides those that the block's order implies.
    pub breaks: Vec<usize>,
}
