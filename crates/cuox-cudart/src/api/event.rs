//! Events.

use cuox_abi::CUevent;

use crate::api::convert::{alike, alike_mut, out};
use crate::error::{Check as _, Result};
use crate::generated::{cudaError, cudaEvent_t, cudaEventDefault, cudaStream_t};
use crate::runtime::current;

/// A handle of the program's as the driver's.
fn known(event: cudaEvent_t) -> Result<CUevent> {
    if event.is_null() {
        Err(cudaError::cudaErrorInvalidResourceHandle)
    } else {
        Ok(CUevent(event.0))
    }
}

pub unsafe fn cudaEventCreate(event: *mut cudaEvent_t) -> Result {
    // SAFETY: as here.
    unsafe { cudaEventCreateWithFlags(event, cudaEventDefault) }
}

pub unsafe fn cudaEventCreateWithFlags(event: *mut cudaEvent_t, flags: u32) -> Result {
    let event = alike_mut(out(event)?);
    // SAFETY: the caller gives a pointer that may be written to.
    unsafe { current()?.driver.cuEventCreate(event, flags).check() }
}

pub unsafe fn cudaEventRecord(event: cudaEvent_t, stream: cudaStream_t) -> Result {
    let event = known(event)?;
    // SAFETY: the driver knows its streams and events.
    unsafe {
        current()?
            .driver
            .cuEventRecord(event, crate::thread::stream(stream))
            .check()
    }
}

pub unsafe fn cudaEventRecordWithFlags(
    event: cudaEvent_t,
    stream: cudaStream_t,
    flags: u32,
) -> Result {
    let event = known(event)?;
    // SAFETY: the driver knows its streams and events.
    unsafe {
        current()?
            .driver
            .cuEventRecordWithFlags(event, crate::thread::stream(stream), flags)
            .check()
    }
}

pub unsafe fn cudaEventQuery(event: cudaEvent_t) -> Result {
    let event = known(event)?;
    // SAFETY: the driver knows its events.
    unsafe { current()?.driver.cuEventQuery(event).check() }
}

pub unsafe fn cudaEventSynchronize(event: cudaEvent_t) -> Result {
    let event = known(event)?;
    // SAFETY: the driver knows its events.
    unsafe { current()?.driver.cuEventSynchronize(event).check() }
}

pub unsafe fn cudaEventDestroy(event: cudaEvent_t) -> Result {
    let event = known(event)?;
    // SAFETY: the driver knows its events.
    unsafe { current()?.driver.cuEventDestroy_v2(event).check() }
}

pub unsafe fn cudaEventElapsedTime(ms: *mut f32, start: cudaEvent_t, end: cudaEvent_t) -> Result {
    let ms = out(ms)?;
    known(start)?;
    known(end)?;
    // SAFETY: the driver knows its events; the caller gives a pointer that may be written to.
    unsafe {
        current()?
            .driver
            .cuEventElapsedTime_v2(ms, alike(start), alike(end))
            .check()
    }
}
