//! The functions of the runtime API, under the names that the header's table calls them by (without `_ptds` and
//! `_ptsz`).

#![allow(
    non_snake_case,
    clippy::too_many_arguments,
    reason = "the header's functions and parameters"
)]

mod array;
mod array_copy;
mod batch;
mod box_peer;
mod capture;
mod convert;
mod copy;
mod device;
mod driver_entry;
mod errors;
mod event;
mod external;
mod function;
mod graph;
mod graph_exec;
mod graph_memcpy;
mod graph_node;
mod graph_params;
mod host_memory;
mod ipc;
mod launch;
mod library;
mod logs;
mod memory;
mod memset;
mod occupancy;
mod peer;
mod pointer;
mod pool;
mod profiler;
mod properties;
mod range;
mod stream;
mod texture;
mod version;

pub use array::*;
pub use array_copy::*;
pub use batch::*;
pub use box_peer::*;
pub use capture::*;
pub use copy::*;
pub use device::*;
pub use driver_entry::*;
pub use errors::*;
pub use event::*;
pub use external::*;
pub use function::*;
pub use graph::*;
pub use graph_exec::*;
pub use graph_memcpy::*;
pub use graph_node::*;
pub use graph_params::*;
pub use host_memory::*;
pub use ipc::*;
pub use launch::*;
pub use library::*;
pub use logs::*;
pub use memory::*;
pub use memset::*;
pub use occupancy::*;
pub use peer::*;
pub use pointer::*;
pub use pool::*;
pub use profiler::*;
pub use properties::*;
pub use range::*;
pub use stream::*;
pub use texture::*;
pub use version::*;
