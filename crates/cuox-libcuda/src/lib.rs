//! The software GPU as a `libcuda.so.1`: the C edge.
//!
//! Every function of `cuda.h` is exported, expanded from `cuox-abi`'s table ([`exports`]). What a call does is, in this
//! order: the edge's own answer ([`proc_address`]: what is about this library, not about the device), the software GPU's
//! (`cuox_softgpu::api`), or `CUDA_ERROR_NOT_SUPPORTED` ([`not_supported`]). Nothing is listed twice: a function that the
//! software GPU learns is exported as soon as it is there, and a name or a signature that the header does not have
//! does not compile. What is exported beside the header is in [`cuox_exports`].

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod call_guard;
mod cuox_exports;
mod exports;
mod not_supported;
mod proc_address;
