//! Many copies, prefetches or discards in one call of the driver (Driver API manual, `cuMemcpyBatchAsync`,
//! `cuMemPrefetchBatchAsync`, `cuMemDiscardBatchAsync`). All are in the stream's order; among themselves they have
//! none.

use crate::driver::sys::{CUdeviceptr, CUmemLocation, CUmemcpyAttributes, CUmemcpySrcAccessOrder};
use crate::driver::{Driver, sys::call};
use crate::error::Result;
use crate::stream::{LEGACY, Stream};

/// One copy of a batch.
#[derive(Clone, Copy)]
pub struct Copy {
    /// The address that is copied to.
    pub to: CUdeviceptr,
    /// The address that is copied from.
    pub from: CUdeviceptr,
    /// The number of bytes.
    pub bytes: usize,
    /// When the source is read, and hints.
    pub attributes: CUmemcpyAttributes,
}

/// A range of managed memory, and the place that it is to go to.
#[derive(Clone, Copy)]
pub struct Range {
    /// Its first address.
    pub start: CUdeviceptr,
    /// The number of bytes.
    pub bytes: usize,
    /// The place.
    pub to: CUmemLocation,
}

/// The values of a list of which neighbours are often the same, each once, and the index of the first that has it.
fn runs<T: PartialEq + std::marker::Copy>(values: impl Iterator<Item = T>) -> (Vec<T>, Vec<usize>) {
    let (mut different, mut firsts) = (Vec::new(), Vec::new());
    for (index, value) in values.enumerate() {
        if different.last() != Some(&value) {
            different.push(value);
            firsts.push(index);
        }
    }
    (different, firsts)
}

fn has(driver: &Driver, function: &'static str) -> bool {
    !driver.table().missing().contains(&function)
}

/// Copies of memory. A driver before CUDA 13 makes them one by one.
///
/// # Safety
/// The memory of both sides is as large as each copy says, and stays as long as the stream has not made it. No copy
/// writes what another one reads or writes.
///
/// # Errors
/// `CUDA_ERROR_INVALID_VALUE` for the legacy default stream, `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`; the error of a
/// missing function, if a source is to be read during the call and the driver is older.
pub unsafe fn copy(stream: &Stream, copies: &[Copy]) -> Result<()> {
    // The driver refuses copies of nothing.
    let copies: Vec<&Copy> = copies.iter().filter(|copy| copy.bytes > 0).collect();
    if copies.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    let driver = stream.driver();
    let at_once = CUmemcpySrcAccessOrder::CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    let needs_batch = copies
        .iter()
        .any(|copy| copy.attributes.srcAccessOrder == at_once);
    if !needs_batch && !has(driver, "cuMemcpyBatchAsync_v2") {
        return copies.iter().try_for_each(|copy| {
            // SAFETY: as the caller says.
            unsafe {
                call!(
                    driver,
                    cuMemcpyAsync(copy.to, copy.from, copy.bytes, stream.raw())
                )
            }
        });
    }
    let list = |part: fn(&Copy) -> CUdeviceptr| copies.iter().map(|copy| part(copy)).collect();
    let mut to: Vec<CUdeviceptr> = list(|copy| copy.to);
    let mut from: Vec<CUdeviceptr> = list(|copy| copy.from);
    let mut bytes: Vec<usize> = copies.iter().map(|copy| copy.bytes).collect();
    let (mut attributes, mut firsts) = runs(copies.iter().map(|copy| copy.attributes));
    // SAFETY: as the caller says; the lists have as many entries as the numbers say.
    unsafe {
        call!(
            driver,
            cuMemcpyBatchAsync_v2(
                to.as_mut_ptr(),
                from.as_mut_ptr(),
                bytes.as_mut_ptr(),
                to.len(),
                attributes.as_mut_ptr(),
                firsts.as_mut_ptr(),
                attributes.len(),
                stream.raw(),
            )
        )
    }
}

/// The lists that the driver takes.
struct Lists {
    starts: Vec<CUdeviceptr>,
    bytes: Vec<usize>,
    places: Vec<CUmemLocation>,
    firsts: Vec<usize>,
}

impl Lists {
    fn of(ranges: &[Range]) -> Self {
        let (places, firsts) = runs(ranges.iter().map(|range| range.to));
        Self {
            starts: ranges.iter().map(|range| range.start).collect(),
            bytes: ranges.iter().map(|range| range.bytes).collect(),
            places,
            firsts,
        }
    }
}

/// Brings ranges of managed memory to their places. A driver before CUDA 13, and the legacy default stream, take them
/// one by one.
///
/// # Safety
/// Nothing frees the memory before the stream has come so far.
///
/// # Errors
/// `CUDA_ERROR_INVALID_VALUE` for other memory, `CUDA_ERROR_INVALID_DEVICE` for a place that is not there.
pub unsafe fn prefetch(stream: &Stream, ranges: &[Range]) -> Result<()> {
    if ranges.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    let driver = stream.driver();
    if stream.handle() <= LEGACY || !has(driver, "cuMemPrefetchBatchAsync") {
        return ranges.iter().try_for_each(|range| {
            // SAFETY: as the caller says.
            unsafe {
                call!(
                    driver,
                    cuMemPrefetchAsync_v2(range.start, range.bytes, range.to, 0, stream.raw())
                )
            }
        });
    }
    let mut lists = Lists::of(ranges);
    // SAFETY: as the caller says; the lists have as many entries as the numbers say.
    unsafe {
        call!(
            driver,
            cuMemPrefetchBatchAsync(
                lists.starts.as_mut_ptr(),
                lists.bytes.as_mut_ptr(),
                ranges.len(),
                lists.places.as_mut_ptr(),
                lists.firsts.as_mut_ptr(),
                lists.places.len(),
                0,
                stream.raw(),
            )
        )
    }
}

/// Gives up what is in ranges of managed memory; the places have no say.
///
/// # Safety
/// As [`prefetch`]; nobody reads the bytes before they are written again.
///
/// # Errors
/// As [`prefetch`]; that of a missing function before CUDA 13.
pub unsafe fn discard(stream: &Stream, ranges: &[Range]) -> Result<()> {
    if ranges.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    let mut lists = Lists::of(ranges);
    // SAFETY: as in `prefetch`.
    unsafe {
        call!(
            stream.driver(),
            cuMemDiscardBatchAsync(
                lists.starts.as_mut_ptr(),
                lists.bytes.as_mut_ptr(),
                ranges.len(),
                0,
                stream.raw(),
            )
        )
    }
}

/// The same, and brings the ranges to their places.
///
/// # Safety
/// As [`discard`].
///
/// # Errors
/// As [`discard`].
pub unsafe fn discard_and_prefetch(stream: &Stream, ranges: &[Range]) -> Result<()> {
    if ranges.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    let mut lists = Lists::of(ranges);
    // SAFETY: as in `prefetch`.
    unsafe {
        call!(
            stream.driver(),
            cuMemDiscardAndPrefetchBatchAsync(
                lists.starts.as_mut_ptr(),
                lists.bytes.as_mut_ptr(),
                ranges.len(),
                lists.places.as_mut_ptr(),
                lists.firsts.as_mut_ptr(),
                lists.places.len(),
                0,
                stream.raw(),
            )
        )
    }
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn neighbours_that_are_the_same_are_one_run() {
        let (values, firsts) = runs([7, 7, 3, 7, 7, 7].into_iter());
        assert_eq!(values, [7, 3, 7]);
        assert_eq!(firsts, [0, 2, 3]);
        assert_eq!(runs(std::iter::empty::<u8>()), (vec![], vec![]));
    }
}
