//! The fast engine: a kernel becomes two Cranelift functions, one that steps a team of lanes and one that steps threads.
//!
//! * [`shape`] says how a block's lanes lie in rows, and [`classes`] how each register varies over them, with [`guardable`]'s
//!   comparisons; [`fast`] turns that into code that does uniform work once ([`fast_scalars`]), and
//!   [`fast_lanes`] does the rest four lanes at a time; [`fast_end`] is how blocks end, [`fast_warp`] in warp operations.
//!   [`fast_guards`] has what must hold for that, [`fast_rows`] what is special in teams of several rows;
//!   [`superblock`] makes one block of several that teams mostly go through one after the other.
//!   [`linearize`] makes masked blocks of what a divergent branch decides, and [`fast_masked`] runs those, [`group_loop`] some loops of
//!   them; [`edges`] finds branches that mostly do not diverge and gives them such blocks too. [`wide`] has other code for the lanes on machines with AVX-512, and [`fast_wide`] calls it.
//! * [`entries`] says where teams can be entered, [`pieces`] which of team mode's code is made at once, and which when a team first needs it.
//! * [`jumps`] comes before all that: it makes jumps of calls that inlining has left.
//! * [`slow`] runs single blocks for any set of a warp's lanes: after a divergent branch, in partial warps, and where a guard
//!   of team mode fails.
//! * [`run`] drives a block's warps through both, breaks teams up and merges them, and does what diverged lanes do
//!   together; [`runtime`] serves the helpers that code calls; [`barrier`] has the block's barriers; [`state`] knows where the values of registers are kept.

pub(crate) mod avx512;
pub(crate) mod code;
pub(crate) mod compile;
pub(crate) mod emit;
pub(crate) mod gang;
pub(crate) mod runtime;
pub(crate) mod thread;

pub use crate::analysis::shape::Shape;
pub use avx512::available as has_wide;
pub use code::cache;
pub use compile::{Compiled, Part, Plan};
pub use runtime::block::JitBlock;
