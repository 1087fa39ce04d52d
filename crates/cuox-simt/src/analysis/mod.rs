//! Facts about a function that passes and code generators ask for. Nothing here changes the IR.
//!
//! * [`dominators`], [`liveness`], [`region`]: the control-flow graph.
//! * [`uniformity`]: how each register varies over the lanes of a gang, with the comparisons of [`affine_compare`] and the bits of
//!   [`known_bits`]; [`shape`] has the rows in which a block's lanes lie.
//! * [`group_loop`]: loops that gang mode runs group by group; [`switch_fork`]: places where threads part, and their answer.
//! * [`access_span`]: memory accesses at constant distances from one address, which are checked together.
//! * [`busy_wait`]: loops in which a thread waits for others.
//! * [`entry_points`]: blocks at which a gang may be entered.
//! * [`nan_payload`]: registers whose NaN payload is never observed.

// A new operation, instruction or terminator must be thought of everywhere here.
#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub(crate) mod access_span;
pub(crate) mod affine_compare;
pub(crate) mod busy_wait;
pub(crate) mod dominators;
pub(crate) mod entry_points;
pub(crate) mod group_loop;
pub(crate) mod known_bits;
pub(crate) mod liveness;
pub(crate) mod nan_payload;
pub(crate) mod region;
pub(crate) mod shape;
pub(crate) mod switch_fork;
pub(crate) mod uniformity;
