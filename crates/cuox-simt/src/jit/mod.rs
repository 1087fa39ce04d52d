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

mod barrier;
pub mod cache;
mod classes;
mod cluster;
mod code;
mod compile;
mod decisions;
mod edges;
mod entries;
mod fast;
mod fast_address;
mod fast_end;
mod fast_fixed;
mod fast_guards;
mod fast_lanes;
mod fast_masked;
mod fast_memory;
mod fast_rows;
mod fast_scalars;
mod fast_warp;
mod fast_wide;
mod fork;
mod group_loop;
mod guardable;
mod helpers;
mod image;
mod jumps;
mod layout;
mod linearize;
mod liveness;
mod low_bits;
mod memory;
mod nans;
mod object;
mod ops;
mod pieces;
mod places;
mod prepare;
mod region;
mod run;
mod runtime;
mod shape;
mod slow;
mod spans;
mod state;
mod superblock;
mod symbol;
mod unit;
mod value;
mod wide;

pub use compile::{Compiled, Part, Plan};
pub use run::JitBlock;
pub use shape::Shape;
pub use wide::available as has_wide;
