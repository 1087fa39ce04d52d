//! Many copies in one call.

use core::ffi::c_void;

use crate::api::convert::{alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaMemcpyAttributes, cudaStream_t};
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaMemcpyBatchAsync(
    dsts: *const *mut c_void,
    srcs: *const *const c_void,
    sizes: *const usize,
    count: usize,
    attrs: *mut cudaMemcpyAttributes,
    attrsIdxs: *mut usize,
    numAttrs: usize,
    stream: cudaStream_t,
) -> Result {
    if dsts.is_null() || srcs.is_null() || sizes.is_null() {
        return Err(cudaError::cudaErrorInvalidValue);
    }
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of these lengths, which the driver reads; pointers are the driver's numbers.
    unsafe {
        current()?
            .driver
            .cuMemcpyBatchAsync_v2(
                alike_mut(dsts.cast_mut()),
                alike_mut(srcs.cast_mut()),
                sizes.cast_mut(),
                count,
                alike_mut(out(attrs)?),
                out(attrsIdxs)?,
                numAttrs,
                on,
            )
            .check()
    }
}
