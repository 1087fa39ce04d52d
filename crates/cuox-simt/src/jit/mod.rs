//! The fast engine: a kernel becomes two Cranelift functions, one that steps a gang of lanes and one that steps threads.
//!
//! * [`shape`] says how a block's lanes lie in rows, and [`classes`] how each register varies over them, with [`guardable`]'s
//!   comparisons; [`fast`] turns that into code that does uniform work once ([`fast_scalars`]), and
//!   [`fast_lanes`] does the rest four lanes at a time; [`fast_end`] is how blocks end, [`fast_warp`] in warp operations.
//!   [`fast_guards`] has what must hold for that, [`fast_rows`] what is special in gangs of several rows;
//!   [`superblock`] makes one block of several that gangs mostly go through one after the other.
//!   [`linearize`] makes masked blocks of what a divergent branch decides, and [`fast_masked`] runs those, [`group_loop`] some loops of
//!   them; [`edges`] finds branches that mostly do not diverge and gives them such blocks too. [`wide`] has other code for the lanes on machines with AVX-512, and [`fast_wide`] calls it.
//! * [`entries`] says where gangs can be entered, [`pieces`] which of gang mode's code is made at once, and which when a gang first needs it.
//! * [`jumps`] comes before all that: it makes jumps of calls that inlining has left.
//! * [`slow`] runs single blocks for any set of a warp's lanes: after a divergent branch, in partial warps, and where a guard
//!   of gang mode fails.
//! * [`run`] drives a block's warps through both, breaks gangs up and merges them, and does what diverged lanes do
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
pub use compile::{CodePart, Compiled, Plan};
pub use runtime::block::JitBlock;
