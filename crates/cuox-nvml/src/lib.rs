//! A stand-in for NVIDIA's management library, `libnvidia-ml.so.1`, that tells of the software GPU. It is beside
//! cuox's `libcuda.so.1` and is found as that is.
//!
//! Every function of `nvml.h` of CUDA 13.0 is exported, and the older versions of functions that programs may have been
//! linked with. Those in [`api`] answer with what the software GPU's driver would say; all others say
//! `NVML_ERROR_NOT_SUPPORTED`. Nothing here needs a driver: names, capability and sizes come from the settings that the
//! driver reads, too ([`devices`]), and memory in use from the driver if the process has one ([`driver`]).
//!
//! * [`exports`]: the C functions, [`call_guard`] their frame; [`not_supported`]: those that nobody implements;
//! * [`state`]: the count of initialisations; [`code`]: results and their texts; [`put`]: what is written for callers;
//! * `generated`: the declarations, by `cargo xtask gen`.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod api;
pub mod call_guard;
pub mod code;
pub mod devices;
pub mod driver;
pub mod exports;
#[allow(
    dead_code,
    unused_imports,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    missing_docs,
    clippy::all,
    reason = "the header's names, of which not all are used"
)]
pub mod generated;
mod not_supported;
mod put;
mod state;
