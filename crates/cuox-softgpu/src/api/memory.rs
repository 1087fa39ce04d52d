//! Device and managed memory.

use crate::api::{driver_functions, put, put_if};
use crate::code::{INVALID_VALUE, Res};
use crate::device::{MAX_PITCH, PITCH_ALIGN};
use crate::graphs::{self, capture};
use crate::memory::{Allocation, Kind, Request, pool};
use crate::{current, driver};
use cuox_abi::{CUdeviceptr, CUstream};

const ATTACH_GLOBAL: u32 = 1;
const ATTACH_HOST: u32 = 2;
const ATTACH_SINGLE: u32 = 4;

fn allocate(len: usize, kind: Kind, flags: u32) -> Res<u64> {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    capture::check_unsafe_call()?;
    let mut request = Request::new(len as u64, kind, now.state.owner());
    request.flags = flags;
    Ok(driver.memory.allocate(request)?.start)
}

driver_functions! {
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let driver = driver::get()?;
        let device = current::healthy(driver)?.state.device;
        put_if(free, driver.memory.free_bytes(device) as usize);
        put_if(total, driver.memory.total() as usize);
        Ok(())
    }

    fn cuMemAlloc_v2(dptr: *mut CUdeviceptr, bytesize: usize) {
        if dptr.is_null() {
            return Err(INVALID_VALUE);
        }
        put(dptr, allocate(bytesize, Kind::Device, 0)?)
    }

    fn cuMemAllocPitch_v2(dptr: *mut CUdeviceptr, pPitch: *mut usize, WidthInBytes: usize, Height: usize, ElementSizeBytes: u32) {
        if dptr.is_null() || pPitch.is_null() || ![4, 8, 16].contains(&ElementSizeBytes) || WidthInBytes as u64 > MAX_PITCH {
            return Err(INVALID_VALUE);
        }
        let pitch = (WidthInBytes as u64).next_multiple_of(PITCH_ALIGN);
        let len = pitch.checked_mul(Height as u64).ok_or(crate::code::OUT_OF_MEMORY)?;
        put(dptr, allocate(len as usize, Kind::Device, 0)?)?;
        put(pPitch, pitch as usize)
    }

    fn cuMemAllocManaged(dptr: *mut CUdeviceptr, bytesize: usize, flags: u32) {
        if dptr.is_null() || ![ATTACH_GLOBAL, ATTACH_HOST].contains(&flags) {
            return Err(INVALID_VALUE);
        }
        put(dptr, allocate(bytesize, Kind::Managed, flags)?)
    }

    fn cuMemFree_v2(dptr: CUdeviceptr) {
        let driver = driver::get()?;
        let found = driver.memory.find(dptr).filter(|a| a.start == dptr);
        let now = match &found {
            Some(found) => current::healthy_or_owner(driver, found.owner.context)?,
            None => current::healthy(driver)?,
        };
        if dptr == 0 {
            return Ok(());
        }
        let found = found.ok_or(INVALID_VALUE)?;
        capture::check_unsafe_call()?;
        if found.kind.is_of_graph() {
            // The address stays the graph's, for its next launch.
            now.state.wait();
            graphs::memory::free(dptr);
            graphs::memory::note_free(dptr);
            return Ok(());
        }
        let freeable = |a: &Allocation| a.kind == Kind::Managed || pool::is_stream_ordered(a);
        if !freeable(&found) {
            return Err(INVALID_VALUE);
        }
        // Whoever works on it must be done.
        now.state.wait();
        if found.owner.context != now.handle()
            && let Ok(owner) = current::by_handle(driver, found.owner.context)
        {
            owner.state.wait();
        }
        pool::free(&driver.memory, &driver.pools, dptr, |a| a.id == found.id && freeable(a))
    }

    fn cuMemGetAddressRange_v2(pbase: *mut CUdeviceptr, psize: *mut usize, dptr: CUdeviceptr) {
        let driver = driver::get()?;
        current::context(driver)?;
        let found = driver.memory.find(dptr).ok_or(crate::code::NOT_FOUND)?;
        put_if(pbase, found.start);
        put_if(psize, found.len as usize);
        Ok(())
    }

    fn cuStreamAttachMemAsync(hStream: CUstream, dptr: CUdeviceptr, _length: usize, flags: u32) {
        let driver = driver::get()?;
        current::stream(driver, hStream.addr() as u64)?.context.sticky.check()?;
        let found = driver.memory.find(dptr).ok_or(INVALID_VALUE)?;
        if !found.kind.is_managed() || ![ATTACH_GLOBAL, ATTACH_HOST, ATTACH_SINGLE].contains(&flags) {
            return Err(INVALID_VALUE);
        }
        Ok(())
    }
}
