//! Ranges of managed memory: advice, prefetching, and what is known of them.

use core::ffi::c_void;

use cuox_abi::CUmem_range_attribute;

use crate::api::convert::{alike, alike_mut, device_pointer, out};
use crate::error::{Check as _, Result};
use crate::generated::{cudaMemLocation, cudaMemRangeAttribute, cudaMemoryAdvise, cudaStream_t};
use crate::runtime::current;
use crate::thread::stream;

pub unsafe fn cudaMemPrefetchAsync(
    devPtr: *const c_void,
    count: usize,
    location: cudaMemLocation,
    flags: u32,
    stream: cudaStream_t,
) -> Result {
    let on = self::stream(stream);
    // SAFETY: both APIs have the same locations; the driver knows its allocations.
    unsafe {
        current()?
            .driver
            .cuMemPrefetchAsync_v2(device_pointer(devPtr), count, alike(location), flags, on)
            .check()
    }
}

pub unsafe fn cudaMemPrefetchBatchAsync(
    dptrs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut cudaMemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: u64,
    stream: cudaStream_t,
) -> Result {
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of these lengths.
    unsafe {
        current()?
            .driver
            .cuMemPrefetchBatchAsync(
                alike_mut(out(dptrs)?),
                out(sizes)?,
                count,
                alike_mut(out(prefetchLocs)?),
                out(prefetchLocIdxs)?,
                numPrefetchLocs,
                flags,
                on,
            )
            .check()
    }
}

pub unsafe fn cudaMemDiscardBatchAsync(
    dptrs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    flags: u64,
    stream: cudaStream_t,
) -> Result {
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of this length.
    unsafe {
        current()?
            .driver
            .cuMemDiscardBatchAsync(alike_mut(out(dptrs)?), out(sizes)?, count, flags, on)
            .check()
    }
}

pub unsafe fn cudaMemDiscardAndPrefetchBatchAsync(
    dptrs: *mut *mut c_void,
    sizes: *mut usize,
    count: usize,
    prefetchLocs: *mut cudaMemLocation,
    prefetchLocIdxs: *mut usize,
    numPrefetchLocs: usize,
    flags: u64,
    stream: cudaStream_t,
) -> Result {
    let on = self::stream(stream);
    // SAFETY: the caller gives lists of these lengths.
    unsafe {
        current()?
            .driver
            .cuMemDiscardAndPrefetchBatchAsync(
                alike_mut(out(dptrs)?),
                out(sizes)?,
                count,
                alike_mut(out(prefetchLocs)?),
                out(prefetchLocIdxs)?,
                numPrefetchLocs,
                flags,
                on,
            )
            .check()
    }
}

pub unsafe fn cudaMemAdvise(
    devPtr: *const c_void,
    count: usize,
    advice: cudaMemoryAdvise,
    location: cudaMemLocation,
) -> Result {
    // SAFETY: both APIs have the same advice and locations; the driver knows its allocations.
    unsafe {
        current()?
            .driver
            .cuMemAdvise_v2(
                device_pointer(devPtr),
                count,
                alike(advice),
                alike(location),
            )
            .check()
    }
}

pub unsafe fn cudaMemRangeGetAttribute(
    data: *mut c_void,
    dataSize: usize,
    attribute: cudaMemRangeAttribute,
    devPtr: *const c_void,
    count: usize,
) -> Result {
    // SAFETY: both APIs number attributes alike; the caller gives `dataSize` bytes.
    unsafe {
        let attribute: CUmem_range_attribute = alike(attribute);
        current()?
            .driver
            .cuMemRangeGetAttribute(
                out(data)?,
                dataSize,
                attribute,
                device_pointer(devPtr),
                count,
            )
            .check()
    }
}

pub unsafe fn cudaMemRangeGetAttributes(
    data: *mut *mut c_void,
    dataSizes: *mut usize,
    attributes: *mut cudaMemRangeAttribute,
    numAttributes: usize,
    devPtr: *const c_void,
    count: usize,
) -> Result {
    // SAFETY: both APIs number attributes alike; the caller gives lists of this length.
    unsafe {
        current()?
            .driver
            .cuMemRangeGetAttributes(
                out(data)?,
                out(dataSizes)?,
                alike_mut(out(attributes)?),
                numAttributes,
                device_pointer(devPtr),
                count,
            )
            .check()
    }
}
