//! Cleans up after lowering and inlining.
//!
//! Before: any function without slot accesses other than those of remaining calls. After: every block is reachable;
//! blocks are in reverse post-order; no block only jumps; copies of a single definition are propagated; pure operations
//! without a use are removed; registers are numbered densely. The time is linear in the code, except for dominators of
//! irreducible graphs.

use crate::ir::Function;
use crate::passes::{cfg, dead, propagate};

pub(super) fn run(f: &mut Function) {
    clean_up(f);
    dead::compact(f);
}

/// Cleans up a function without renumbering its registers.
pub(crate) fn clean_up(f: &mut Function) {
    cfg::simplify(f);
    dead::coalesce(f);
    if propagate::run(f) {
        cfg::simplify(f);
    }
    dead::remove(f);
    // Blocks may have become empty.
    cfg::simplify(f);
}
