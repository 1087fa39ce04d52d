//! The CUDA runtime as a `libcudart.so.13`, over the driver ABI: over cuox's software GPU and over NVIDIA's driver.
//!
//! A call is answered by the first of these that has the function: [`api`], [`not_supported`]. Nothing is listed twice:
//! a function that [`api`] learns is exported as soon as it is there, and a name or a signature that the header does
//! not have does not compile.
//!
//! * [`generated`]: what `cuda_runtime_api.h` and the headers of its types declare (`cargo xtask gen`).
//! * [`exports`]: every function of `cuda_runtime_api.h`, expanded from the table; [`registration_exports`]: the
//!   functions that code made by nvcc calls;
//!   [`interop_exports`]: names of graphics interfaces, so that programs link.
//! * [`call_guard`]: the frame of every call: panics, the thread's last error, the default stream, the log;
//!   [`report`]: failed calls, told to cuox's driver.
//! * [`driver`]: finding `libcuda.so.1`; [`runtime`]: devices and contexts; [`thread`]: what a thread has of its own;
//!   [`error`]: codes.
//! * [`registration`]: modules, kernels and variables of the program.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
#![cfg_attr(test, allow(dead_code, unused_imports, unused_macros))]

mod api;
mod call_guard;
mod driver;
mod error;
// Unit tests need none of the functions, whose expansion takes most of the time that this crate compiles.
#[cfg(not(test))]
mod exports;
#[allow(
    missing_docs,
    dead_code,
    unused_imports,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    reason = "names are the C header's, which documents them"
)]
pub mod generated;
#[cfg(not(test))]
mod interop_exports;
mod log;
mod not_supported;
mod registration;
#[cfg(not(test))]
mod registration_exports;
mod report;
mod runtime;
mod thread;
