//! The fast engine: a kernel becomes two Cranelift functions, one that steps a whole warp and one that steps threads.
//!
//! * [`classes`] says how each register varies over a warp's lanes; [`fast`] turns that into code that does uniform
//!   work once and the rest four lanes at a time.
//! * [`slow`] runs single blocks for any set of lanes: after a divergent branch, in partial warps, and where a guard
//!   of warp mode fails.
//! * [`run`] drives warps through both, and does barriers and what diverged lanes do together.

mod classes;
mod code;
mod compile;
mod fast;
mod fast_lanes;
mod fast_memory;
mod helpers;
mod layout;
mod liveness;
mod memory;
mod ops;
mod prepare;
mod run;
mod slow;
mod state;
mod value;

pub use classes::Shape;
pub use compile::{Compiled, compile};
pub use run::JitBlock;
