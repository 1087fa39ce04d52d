//! Facts about a function that passes and code generators ask for. Nothing here changes the IR.
//!
//! * [`dominators`], [`liveness`], [`region`]: the control-flow graph.
//! * [`uniformity`]: uniformity of each register over the lanes of a gang, with the comparisons of [`affine_compare`]
//!   and the bits of [`known_bits`]; [`shape`]: layout of a block's lanes in rows.
//! * [`group_loop`]: masked loops that gang mode runs group by group; [`multiway_branch`]: branches and switches at
//!   which threads may diverge.
//! * [`access_span`]: memory accesses at constant distances from one address, which are checked together.
//! * [`lane_address`]: for accesses of the lanes of a warp, what their addresses are derived from and whether they may
//!   meet.
//! * [`loop_nest`]: loops around each block, and which of two positions is behind.
//! * [`busy_wait`]: loops in which a thread polls memory.
//! * [`entry_points`]: blocks at which gang mode may be entered.
//! * [`nan_payload`]: registers whose NaN payload is never observed.
//! * [`flushing`]: functions whose floating-point operations all flush subnormal numbers.
//! * [`last_adds`]: atomic additions that no later access of their threads can tell the time of.

// The lint makes a new operation, instruction or terminator a compile error in every analysis that must handle it.
#![cfg_attr(not(test), deny(clippy::wildcard_enum_match_arm))]

pub(crate) mod access_span;
pub(crate) mod affine_compare;
pub(crate) mod busy_wait;
pub(crate) mod dominators;
pub(crate) mod entry_points;
pub(crate) mod flushing;
pub(crate) mod group_loop;
pub(crate) mod known_bits;
pub(crate) mod lane_address;
pub(crate) mod last_adds;
pub(crate) mod liveness;
pub(crate) mod loop_nest;
pub(crate) mod multiway_branch;
pub(crate) mod nan_payload;
pub(crate) mod region;
pub(crate) mod shape;
pub(crate) mod uniformity;
