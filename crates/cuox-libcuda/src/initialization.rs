//! The first call of a program.

#![allow(non_snake_case, reason = "the header's functions")]

use core::ffi::c_uint;

use cuox_abi::CUresult;

/// Makes the driver. What the environment says of its cache in vain is said first.
pub unsafe fn cuInit(Flags: c_uint) -> CUresult {
    cuox_cache::complain();
    // SAFETY: the function takes a number.
    unsafe { cuox_softgpu::api::cuInit(Flags) }
}
