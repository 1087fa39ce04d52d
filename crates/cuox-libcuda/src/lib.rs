//! The software GPU as a `libcuda.so.1`: the C functions.
//!
//! A call is answered by the first of these that has the function: [`initialization`], [`proc_address`],
//! [`check::allocations`], the software GPU
//! (`cuox_softgpu::api`), [`not_supported`]. Nothing is listed twice: a function that the software GPU learns is
//! exported as soon as it is there, and a name or a signature that the header does not have does not compile.
//!
//! * [`exports`]: every function of `cuda.h`, expanded from `cuox-abi`'s table.
//! * [`call_guard`]: the frame of every call: panics, the default stream, the log.
//! * [`proc_address`]: functions about the library's own exports; [`not_supported`]: the answer of functions that
//!   nobody implements.
//! * [`nvidia_runtime`]: a word to programs with NVIDIA's runtime inside.
//! * [`trace`], [`summary`]: what `CUOX_TRACE` and `CUOX_SUMMARY` ask for.
//! * [`check`]: the report that `cuox run --check` asks for.
//! * [`cuox_exports`]: exports beside the header.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]
#![cfg_attr(test, allow(dead_code, unused_imports, unused_macros))]

mod call_guard;
mod check;
mod cuox_exports;
// Unit tests need none of the functions, whose expansion takes most of the time that this crate compiles.
#[cfg(not(test))]
mod exports;
mod initialization;
mod not_supported;
mod nvidia_runtime;
#[cfg(not(test))]
mod proc_address;
mod summary;
mod trace;
