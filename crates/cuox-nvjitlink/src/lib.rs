//! A stand-in for `libnvJitLink.so.13`, for programs that link device code and load the result: where NVIDIA's library
//! gives machine code, this one gives PTX, which the software GPU runs. It is used on demand only (`cuox run --shims
//! nvjitlink`).
//!
//! LTO-IR is compiled by NVIDIA's own library, with `-ptx` ([`real`]). PTX, and what comes of LTO-IR, is linked by the
//! process's driver (`cuLink…`,
//! [`driver`]), whose result is an image that it loads. [`link`] is a link in progress, [`exports`] the C functions, each under its plain name and under the one
//! that `nvJitLink.h` of CUDA 13.0 gives it.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod driver;
mod exports;
mod library;
mod link;
mod real;
mod status;
