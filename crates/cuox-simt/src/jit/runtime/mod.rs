//! Everything that exists while generated code runs.
//!
//! [`block`] drives a block's warps through both modes; [`state`] and [`layout`] say where the values of registers are; [`lane_pcs`] where the
//! lanes of a warp are in thread mode; [`barrier`] and [`cluster`] who has arrived; [`helpers`] are the functions that code calls
//! at the addresses that [`link`] gives, each in a [`guard`] against panics, and [`services`] what those see of their block.

pub(crate) mod barrier;
pub(crate) mod block;
pub(crate) mod cluster;
pub(crate) mod guard;
pub(crate) mod helpers;
pub(crate) mod lane_pcs;
pub(crate) mod layout;
pub(crate) mod link;
pub(crate) mod services;
pub(crate) mod state;
