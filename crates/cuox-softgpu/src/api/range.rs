//! Ranges of managed memory: advice, prefetching, and what is known of them. What an H200 answers was recorded
//! (`tests/python/cudart/ranges.cu`).

use crate::api::{driver_functions, list_of, put};
use crate::code::{INVALID_VALUE, Res};
use crate::context_state::StreamOrdering;
use crate::graphs::capture;
use crate::memory::Allocation;
use crate::memory::advice::{HOST_ID, Location, NO_ID, PageAdvice};
use crate::{current, driver};
use core::ffi::c_void;
use cuox_abi::{
    CUdevice, CUdeviceptr, CUmem_advise as Advise, CUmem_range_attribute as A, CUmemLocation,
    CUmemLocationType as Kind, CUstream,
};
use std::path::Path;
use std::sync::Arc;

/// The allocation of managed memory that a range lies in.
fn managed(at: CUdeviceptr, count: usize) -> Res<Arc<Allocation>> {
    let driver = driver::get()?;
    if count == 0 {
        return Err(INVALID_VALUE);
    }
    let found = driver.memory.find(at).ok_or(INVALID_VALUE)?;
    if !found.kind.is_managed() || !found.covers(at, count as u64) {
        return Err(INVALID_VALUE);
    }
    Ok(found)
}

fn device(number: i32) -> Res<Location> {
    Ok(Location::device(driver::get()?.device(number)?.ordinal))
}

/// The place that a device's number or -1 means in the functions before CUDA 12.
fn older(number: CUdevice) -> Res<Location> {
    match number {
        HOST_ID => Ok(Location::HOST),
        number => device(number),
    }
}

/// The place that the program names.
fn named(location: CUmemLocation) -> Res<Location> {
    let CUmemLocation { type_: kind, id } = location;
    match kind {
        Kind::CU_MEM_LOCATION_TYPE_DEVICE => device(id),
        Kind::CU_MEM_LOCATION_TYPE_HOST => Ok(Location::HOST),
        Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA if is_node(id) => Ok(Location { kind, id }),
        Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT => Ok(Location { kind, id: 0 }),
        _ => Err(INVALID_VALUE),
    }
}

/// True if the host has a NUMA node of that number.
pub fn is_node(id: i32) -> bool {
    id == 0 || (id > 0 && Path::new(&format!("/sys/devices/system/node/node{id}")).exists())
}

fn is_kind_of_place(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::CU_MEM_LOCATION_TYPE_DEVICE
            | Kind::CU_MEM_LOCATION_TYPE_HOST
            | Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA
            | Kind::CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT
    )
}

/// Keeps an advice; `place` is asked for only where the advice has one.
fn advise(at: u64, count: usize, advice: Advise, place: impl Fn() -> Res<Location>) -> Res {
    let found = managed(at, count)?;
    let change = |change: &dyn Fn(&mut PageAdvice)| {
        found.advice.lock().change(at, count as u64, change);
        Ok(())
    };
    match advice {
        Advise::CU_MEM_ADVISE_SET_READ_MOSTLY => change(&|page| page.read_mostly = true),
        Advise::CU_MEM_ADVISE_UNSET_READ_MOSTLY => change(&|page| page.read_mostly = false),
        Advise::CU_MEM_ADVISE_SET_PREFERRED_LOCATION => {
            // Which part of the host is not kept.
            let place = match place()? {
                device if device.kind == Kind::CU_MEM_LOCATION_TYPE_DEVICE => device,
                _ => Location::HOST,
            };
            change(&|page| page.preferred = place)
        }
        Advise::CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION => {
            change(&|page| page.preferred = Location::NONE)
        }
        Advise::CU_MEM_ADVISE_SET_ACCESSED_BY | Advise::CU_MEM_ADVISE_UNSET_ACCESSED_BY => {
            let set = advice == Advise::CU_MEM_ADVISE_SET_ACCESSED_BY;
            match place()? {
                Location::HOST => change(&|page| page.accessed_by_host = set),
                Location {
                    kind: Kind::CU_MEM_LOCATION_TYPE_DEVICE,
                    id,
                } => change(&|page| {
                    let bit = 1 << id;
                    page.accessed_by = page.accessed_by & !bit | if set { bit } else { 0 };
                }),
                _ => Err(INVALID_VALUE),
            }
        }
        _ => Err(INVALID_VALUE),
    }
}

fn prefetch(at: u64, count: usize, place: Location, stream: CUstream) -> Res {
    let found = managed(at, count)?;
    let stream = current::stream(driver::get()?, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    let mut advice = found.advice.lock();
    advice.change(at, count as u64, |page| page.prefetched = place);
    Ok(())
}

/// Checks the ranges of a batch, and the stream.
fn check_batch(starts: &[CUdeviceptr], sizes: &[usize], flags: u64, on: CUstream) -> Res {
    if flags != 0 {
        return Err(INVALID_VALUE);
    }
    let stream = current::stream(driver::get()?, on.addr() as u64)?;
    stream.context.sticky.check()?;
    if matches!(stream.ordering, StreamOrdering::Legacy) {
        return Err(INVALID_VALUE);
    }
    if stream.is_capturing() {
        return capture::forbid(&stream);
    }
    let mut ranges = starts.iter().zip(sizes);
    ranges.try_for_each(|(start, size)| managed(*start, *size).map(drop))
}

/// Prefetches ranges, all of which are checked before. `places[k]` is that of the ranges from `firsts[k]` to
/// `firsts[k + 1]`.
fn prefetch_batch(
    starts: &[CUdeviceptr],
    sizes: &[usize],
    places: &[CUmemLocation],
    firsts: &[usize],
    on: CUstream,
) -> Res {
    let ascends = firsts.is_sorted();
    let within = firsts.last().is_some_and(|last| *last < sizes.len());
    if firsts.first() != Some(&0) || !ascends || !within {
        return Err(INVALID_VALUE);
    }
    let places = places.iter().map(|place| named(*place));
    // As for advice, another code than that of one prefetch.
    let places = places.collect::<Res<Vec<_>>>().map_err(|_| INVALID_VALUE)?;
    for (index, (start, size)) in starts.iter().zip(sizes).enumerate() {
        let run = firsts.partition_point(|first| *first <= index) - 1;
        prefetch(*start, *size, places[run], on)?;
    }
    Ok(())
}

/// Checks that an attribute exists and has that size.
fn check_size(attribute: A, bytes: usize) -> Res {
    let fits = match attribute {
        A::CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY => bytes > 0 && bytes.is_multiple_of(4),
        A::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY
        | A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION
        | A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION
        | A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE
        | A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID
        | A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE
        | A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID => bytes == 4,
        _ => false,
    };
    if fits { Ok(()) } else { Err(INVALID_VALUE) }
}

/// Stores an attribute, whose size was checked.
///
/// # Safety
/// `data` is null or has that many bytes.
unsafe fn put_attribute(advice: PageAdvice, attribute: A, data: *mut c_void, bytes: usize) -> Res {
    let data = data.cast::<i32>();
    let value = match attribute {
        A::CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY => i32::from(advice.read_mostly),
        A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION => advice.preferred.device_or_host(),
        A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION => advice.prefetched.device_or_host(),
        A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE => advice.preferred.kind.0 as i32,
        A::CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID => advice.preferred.id,
        A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE => advice.prefetched.kind.0 as i32,
        A::CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID => advice.prefetched.id,
        // The devices, then the host, then as many as there is room for that say that there are no more.
        _ => {
            let devices = (0..64).filter(|device| advice.accessed_by >> device & 1 == 1);
            let host = advice.accessed_by_host.then_some(HOST_ID);
            let all = devices.chain(host).chain(std::iter::repeat(NO_ID));
            for (i, value) in all.take(bytes / 4).enumerate() {
                // SAFETY: the caller has room for them.
                unsafe { put(data.wrapping_add(i), value)? };
            }
            return Ok(());
        }
    };
    // SAFETY: the caller has room for it.
    unsafe { put(data, value) }
}

driver_functions! {
    fn cuMemAdvise(devPtr: CUdeviceptr, count: usize, advice: Advise, device: CUdevice) {
        advise(devPtr, count, advice, || older(device))
    }

    fn cuMemAdvise_v2(devPtr: CUdeviceptr, count: usize, advice: Advise, location: CUmemLocation) {
        if !is_kind_of_place(location.type_) {
            return Err(INVALID_VALUE);
        }
        // Another code than that of `cuMemPrefetchAsync_v2` for a device that is not there.
        advise(devPtr, count, advice, || named(location).map_err(|_| INVALID_VALUE))
    }

    fn cuMemPrefetchAsync(devPtr: CUdeviceptr, count: usize, dstDevice: CUdevice, hStream: CUstream) {
        prefetch(devPtr, count, older(dstDevice)?, hStream)
    }

    fn cuMemPrefetchAsync_v2(devPtr: CUdeviceptr, count: usize, location: CUmemLocation, flags: u32, hStream: CUstream) {
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        prefetch(devPtr, count, named(location)?, hStream)
    }

    fn cuMemPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: u64, hStream: CUstream) {
        let (starts, sizes) = (list_of(dptrs, count)?, list_of(sizes, count)?);
        check_batch(starts, sizes, flags, hStream)?;
        let (places, firsts) = (list_of(prefetchLocs, numPrefetchLocs)?, list_of(prefetchLocIdxs, numPrefetchLocs)?);
        prefetch_batch(starts, sizes, places, firsts, hStream)
    }

    fn cuMemDiscardBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, flags: u64, hStream: CUstream) {
        // What is given up may as well stay.
        check_batch(list_of(dptrs, count)?, list_of(sizes, count)?, flags, hStream)
    }

    fn cuMemDiscardAndPrefetchBatchAsync(dptrs: *mut CUdeviceptr, sizes: *mut usize, count: usize, prefetchLocs: *mut CUmemLocation, prefetchLocIdxs: *mut usize, numPrefetchLocs: usize, flags: u64, hStream: CUstream) {
        let (starts, sizes) = (list_of(dptrs, count)?, list_of(sizes, count)?);
        check_batch(starts, sizes, flags, hStream)?;
        let (places, firsts) = (list_of(prefetchLocs, numPrefetchLocs)?, list_of(prefetchLocIdxs, numPrefetchLocs)?);
        prefetch_batch(starts, sizes, places, firsts, hStream)
    }

    fn cuMemRangeGetAttribute(data: *mut c_void, dataSize: usize, attribute: A, devPtr: CUdeviceptr, count: usize) {
        check_size(attribute, dataSize)?;
        let found = managed(devPtr, count)?;
        let advice = found.advice.lock().of(devPtr, count as u64);
        put_attribute(advice, attribute, data, dataSize)
    }

    fn cuMemRangeGetAttributes(data: *mut *mut c_void, dataSizes: *mut usize, attributes: *mut A, numAttributes: usize, devPtr: CUdeviceptr, count: usize) {
        if data.is_null() || dataSizes.is_null() || attributes.is_null() || numAttributes == 0 {
            return Err(INVALID_VALUE);
        }
        let at = |i: usize| (*attributes.add(i), *data.add(i), *dataSizes.add(i));
        for (attribute, _, bytes) in (0..numAttributes).map(at) {
            check_size(attribute, bytes)?;
        }
        let found = managed(devPtr, count)?;
        let advice = found.advice.lock().of(devPtr, count as u64);
        for (attribute, data, bytes) in (0..numAttributes).map(at) {
            put_attribute(advice, attribute, data, bytes)?;
        }
        Ok(())
    }
}
