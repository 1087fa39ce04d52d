//! A CUDA driver for the software GPU: contexts, memory, streams, events, modules, launches. One process has one
//! driver, made by `cuInit`, never dropped, reachable from any thread and from exit handlers.
//!
//! * [`api`]: the functions of `cuda.h` that this driver has, under their names: they check arguments and call the rest
//!   of the crate. `cuox-libcuda` exports them; [`implemented_functions!`] lists them.
//! * `driver`: the tables of all objects; `handle`: such a table; `current`: the context and stream that a call means;
//!   `thread`: state of a thread.
//! * `context`, `context_state`: contexts, and the part of one that its streams share; `fault`: the error that stays in
//!   a context, and explanations.
//! * `streams`: queues, their work (launches, copies, fills, output of `printf`), events, and waiting.
//! * `green`: green contexts; `multiprocessors`: parts of a device.
//! * `graphs`: graphs, their execution, and recording them from streams.
//! * `memory`: allocations and pools; `images`: arrays, textures and surfaces.
//! * `ipc`: memory and events of other processes.
//! * `loading`: modules and libraries, fat binaries, linking, JIT options, names.
//! * [`breakpoint`]: threads that stop in a debugger of the process.
//! * `device`, `settings`, `code`: attributes, the environment, result codes; [`description`]: the part of these for
//!   libraries that have no driver; [`statistics`]: counts for the summary at
//!   the end of a process; `busy`: the time in which kernels ran.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod api;
mod architecture;
pub mod breakpoint;
mod busy;
mod code;
mod context;
mod context_state;
mod current;
mod device;
mod driver;
mod fault;
mod graphs;
mod green;
mod handle;
mod images;
mod ipc;
mod loading;
mod memory;
mod multiprocessors;
mod settings;
pub mod statistics;
mod streams;
mod thread;

/// What a library can tell of the devices where the process has no driver: `libnvidia-ml.so.1` does.
pub mod description {
    pub use crate::device::{
        DRIVER_VERSION, NAME, attribute, pci_bus, pci_bus_id, pci_place, uuid,
    };
    pub use crate::settings::{devices, expected_memory_bytes, sm};
}

pub use driver::{device_busy_time, device_memory, kernel_name, set_checks_memory};
pub use fault::{call_failed, last_fault};
pub use loading::module_image::fatbin::{
    Text as FatbinText, best_ptx_of_bytes as read_fatbin, write as write_fatbin,
};
pub use settings::{checks_memory, is_set};
pub use streams::progress::await_progress;
