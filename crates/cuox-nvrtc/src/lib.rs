//! A stand-in for `libnvrtc.so.13`, for programs that ask NVRTC for machine code and load that: it gives them the PTX,
//! which the software GPU runs. It is used on demand only (`cuox run --shims nvrtc`).
//!
//! All work is done by NVIDIA's own library ([`real`]). The functions of `nvrtc.h` go on to it as they come, but for
//! those about machine code ([`exports`]).

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod exports;
mod real;
