//! What a driver is: contexts, memory, streams, events, modules, faults.
//!
//! [`api`] holds the functions of `cuda.h` that this driver has, under their names; the edge crate exports
//! them. [`implemented_functions!`] lists them. Everything else is private: one process has one driver, made
//! by `cuInit`, never dropped, reachable from any thread and from exit handlers.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod api;
mod array;
mod code;
mod context;
mod context_state;
mod current;
mod demangle;
mod device;
mod driver;
mod event;
mod fault;
mod geometry;
mod handle;
mod jit_options;
mod launch;
mod linker;
mod memory;
mod module;
mod module_image;
mod pool;
mod print;
mod progress;
mod ptx_link;
mod settings;
mod stream;
mod stream_op;
mod texture;
mod thread;
mod transfer;

pub use driver::set_checks_memory;
pub use fault::{call_failed, last_fault};
pub use module_image::fatbin::{best_ptx_of_bytes as read_fatbin, write as write_fatbin};
pub use settings::checks_memory;
