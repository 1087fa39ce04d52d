//! State and services of running generated code.
//!
//! [`block`] runs a block's warps in both modes. [`state`] and [`layout`] define where registers' values are, [`lane_pcs`] has
//! the per-lane PCs of thread mode. [`barrier`] and [`cluster`] keep track of arrivals. [`helpers`] are the functions
//! that code calls at the addresses from [`link`], each behind the panic [`guard`]; [`services`] is their view of the
//! block. [`later`] has additions to memory that wait.

pub(crate) mod barrier;
pub(crate) mod block;
pub(crate) mod cluster;
pub(crate) mod guard;
pub(crate) mod helpers;
pub(crate) mod lane_pcs;
pub(crate) mod later;
pub(crate) mod layout;
pub(crate) mod link;
pub(crate) mod services;
pub(crate) mod state;
