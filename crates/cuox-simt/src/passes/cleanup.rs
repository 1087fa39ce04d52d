//! What is left after lowering and inlining is tidied up.
//!
//! Before: any function without slot accesses (but for those of calls that are left).
//! After: every block is reachable; blocks are in reverse post-order; no block only jumps; a copy that its
//! single definition explains is gone; pure operations without a reader are gone; registers are dense. Time is
//! linear in the code, but for dominators of graphs that are not reducible.

use crate::ir::Function;
use crate::passes::{cfg, dead, propagate};

pub(super) fn run(f: &mut Function) {
    tidy(f);
    dead::compact(f);
}

/// The same, but registers keep their numbers.
pub(crate) fn tidy(f: &mut Function) {
    cfg::simplify(f);
    dead::coalesce(f);
    if propagate::run(f) {
        cfg::simplify(f);
    }
    dead::remove(f);
    // Blocks may have become empty.
    cfg::simplify(f);
}
