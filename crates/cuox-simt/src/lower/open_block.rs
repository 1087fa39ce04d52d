//! A block while instructions are added to it.

use crate::ir::{Inst, Terminator};

/// A block that may still be open.
#[derive(Default)]
pub(super) struct Open {
    pub insts: Vec<Inst>,
    pub lines: Vec<u32>,
    pub end: Option<Terminator>,
    /// The arithmetic among them that may be joined with other such: it has no rounding modifier.
    pub free: Vec<usize>,
    /// Where stretches of straight code begin among them, besides where the one before goes on.
    pub breaks: Vec<usize>,
}
