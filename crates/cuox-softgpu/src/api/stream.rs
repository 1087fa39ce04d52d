//! Streams and host functions.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, NOT_READY, OUT_OF_MEMORY, Res};
use crate::context::{Context, GREATEST_PRIORITY, LEAST_PRIORITY};
use crate::context_state::StreamOrdering;
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::multiprocessors::Part;
use crate::streams::event::Event;
use crate::streams::stream::{self, Stream};
use crate::streams::stream_op::{HostCall, StreamOp};
use crate::{current, thread};
use core::ffi::c_void;
use cuox_abi::{
    CUcontext, CUdevice, CUevent, CUhostFn, CUstream, CUstreamAttrID, CUstreamAttrValue,
    CUstreamCallback, CUstreamCaptureMode,
};
use std::sync::Arc;

const NON_BLOCKING: u32 = 1;

fn create(flags: u32, priority: i32) -> Res<CUstream> {
    let driver = driver::get()?;
    let now = current::healthy(driver)?;
    let green = current::green_by_context(driver, thread::top());
    let green = green.map(|green| green.part.clone());
    create_in(driver, &now, green, flags, priority)
}

/// Lets a new stream wait for what its context waits for.
fn begin_behind_barriers(stream: &Arc<Stream>) -> Res {
    let of_green = stream.green.iter().flat_map(|part| part.barriers.ahead());
    for point in stream.context.barriers.ahead().into_iter().chain(of_green) {
        capture::submit(stream, StreamOp::Wait(point))?;
    }
    Ok(())
}

/// Makes a stream of a context, or of a green one.
pub(super) fn create_in(
    driver: &Driver,
    now: &Context,
    green: Option<Arc<Part>>,
    flags: u32,
    priority: i32,
) -> Res<CUstream> {
    if flags & !NON_BLOCKING != 0 {
        return Err(INVALID_VALUE);
    }
    let ordering = if flags & NON_BLOCKING != 0 {
        StreamOrdering::NonBlocking
    } else {
        StreamOrdering::Blocking
    };
    // A priority out of range is moved into it.
    let priority = priority.clamp(GREATEST_PRIORITY, LEAST_PRIORITY);
    let id = stream::next_id();
    let core = now.state.clone();
    let made = driver.streams.insert(|handle| {
        Stream::new(handle, id, flags, priority, ordering, core).of_green(green.clone())
    });
    let made = made.ok_or(OUT_OF_MEMORY)?;
    begin_behind_barriers(&made).inspect_err(|_| {
        driver.streams.remove(made.handle);
        made.close();
    })?;
    Ok(CUstream::from_addr(made.handle as usize))
}

/// Queued work goes on: the queue's thread holds the stream. Where its green context was destroyed the answer says so.
fn destroy(stream: CUstream) -> Res {
    let driver = driver::get()?;
    let removed = driver.streams.remove(stream.addr() as u64);
    let gone = removed.ok_or(INVALID_HANDLE)?;
    capture::abandon(&gone);
    gone.close();
    current::check_green(driver, &gone)
}

/// The handle of the context that a stream was made in: that of a green one as a `CUcontext`.
pub(super) fn context_of(driver: &Driver, stream: &Stream) -> CUcontext {
    let green = current::green_of(driver, stream).map(|green| green.as_context());
    CUcontext::from_addr(green.unwrap_or(stream.context.handle) as usize)
}

/// Lets a stream wait for the newest recording of an event.
pub(super) fn wait_for(stream: &Arc<Stream>, event: &Event) -> Res {
    if let Some(shared) = &event.shared {
        return match shared.pending() {
            Some(mark) => {
                capture::submit(stream, StreamOp::WaitShared(shared.clone(), mark)).map(drop)
            }
            None => Ok(()),
        };
    }
    match event.latest() {
        // The order within a stream is the order anyway.
        Some(r) if !r.point.reached() && !Arc::ptr_eq(&r.point.progress, &stream.progress) => {
            capture::submit(stream, StreamOp::Wait(r.point)).map(drop)
        }
        _ => Ok(()),
    }
}

fn named(stream: CUstream) -> Res<Arc<Stream>> {
    current::stream(driver::get()?, stream.addr() as u64)
}

driver_functions! {
    fn cuStreamCreate(phStream: *mut CUstream, Flags: u32) {
        if phStream.is_null() {
            return Err(INVALID_VALUE);
        }
        put(phStream, create(Flags, 0)?)
    }

    fn cuStreamCreateWithPriority(phStream: *mut CUstream, flags: u32, priority: i32) {
        if phStream.is_null() {
            return Err(INVALID_VALUE);
        }
        put(phStream, create(flags, priority)?)
    }

    fn cuStreamDestroy(hStream: CUstream) { destroy(hStream) }

    fn cuStreamDestroy_v2(hStream: CUstream) { destroy(hStream) }

    fn cuStreamSynchronize(hStream: CUstream) {
        let stream = named(hStream)?;
        capture::check_wait(&stream)?;
        stream.wait();
        stream.context.sticky.check()
    }

    fn cuStreamQuery(hStream: CUstream) {
        let stream = named(hStream)?;
        // Looked at first: work that fails and ends between two looks must not pass for work that went well.
        let clear = stream.clear();
        stream.context.sticky.check()?;
        capture::check_wait(&stream)?;
        if clear { Ok(()) } else { Err(NOT_READY) }
    }

    fn cuStreamWaitEvent(hStream: CUstream, hEvent: CUevent, Flags: u32) {
        let stream = named(hStream)?;
        stream.context.sticky.check()?;
        if Flags > 1 {
            return Err(INVALID_VALUE);
        }
        let event = driver::get()?.events.get(hEvent.addr() as u64).ok_or(INVALID_HANDLE)?;
        if capture::wait_event(&stream, &event, Flags == 1)? {
            return Ok(());
        }
        wait_for(&stream, &event)
    }

    fn cuStreamGetFlags(hStream: CUstream, flags: *mut u32) {
        put(flags, named(hStream)?.flags)
    }

    fn cuStreamGetPriority(hStream: CUstream, priority: *mut i32) {
        put(priority, named(hStream)?.priority)
    }

    fn cuStreamGetId(hStream: CUstream, streamId: *mut u64) {
        put(streamId, named(hStream)?.id)
    }

    fn cuStreamGetCtx(hStream: CUstream, pctx: *mut CUcontext) {
        put(pctx, context_of(driver::get()?, &*named(hStream)?))
    }

    fn cuStreamGetDevice(hStream: CUstream, device: *mut CUdevice) {
        put(device, named(hStream)?.context.device as i32)
    }

    fn cuStreamGetAttribute(hStream: CUstream, attr: CUstreamAttrID, value: *mut CUstreamAttrValue) {
        let stream = named(hStream)?;
        let mut answer = CUstreamAttrValue::default();
        let hints = *stream.hints.lock();
        match attr {
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_PRIORITY => answer.priority = stream.priority,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => answer.accessPolicyWindow = hints.access_policy_window,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => answer.syncPolicy = hints.sync_policy,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => answer.memSyncDomain = hints.sync_domain,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => answer.memSyncDomainMap = hints.sync_domain_map,
            _ => return Err(INVALID_VALUE),
        }
        put(value, answer)
    }

    fn cuStreamSetAttribute(hStream: CUstream, attr: CUstreamAttrID, param: *const CUstreamAttrValue) {
        let stream = named(hStream)?;
        let param = param.as_ref().ok_or(INVALID_VALUE)?;
        let mut hints = stream.hints.lock();
        match attr {
            // A stream keeps the priority that it was made with.
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_PRIORITY => {}
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => hints.access_policy_window = param.accessPolicyWindow,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => {
                param.syncPolicy.name().ok_or(INVALID_VALUE)?;
                hints.sync_policy = param.syncPolicy;
            }
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN => hints.sync_domain = param.memSyncDomain,
            CUstreamAttrID::CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP => hints.sync_domain_map = param.memSyncDomainMap,
            _ => return Err(INVALID_VALUE),
        }
        Ok(())
    }

    fn cuStreamCopyAttributes(dstStream: CUstream, srcStream: CUstream) {
        let (to, from) = (named(dstStream)?, named(srcStream)?);
        let hints = *from.hints.lock();
        *to.hints.lock() = hints;
        Ok(())
    }

    fn cuLaunchHostFunc(hStream: CUstream, fn_: CUhostFn, userData: *mut c_void) {
        let stream = named(hStream)?;
        stream.context.sticky.check()?;
        let call = HostCall::Function(fn_.ok_or(INVALID_VALUE)?);
        capture::submit(&stream, StreamOp::Call(call, userData as usize)).map(drop)
    }

    fn cuStreamAddCallback(hStream: CUstream, callback: CUstreamCallback, userData: *mut c_void, flags: u32) {
        let stream = named(hStream)?;
        stream.context.sticky.check()?;
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        let call = HostCall::Callback(callback.ok_or(INVALID_VALUE)?, hStream.addr() as u64);
        capture::submit(&stream, StreamOp::Call(call, userData as usize)).map(drop)
    }

    fn cuThreadExchangeStreamCaptureMode(mode: *mut CUstreamCaptureMode) {
        driver::get()?;
        let new = *mode.as_ref().ok_or(INVALID_VALUE)?;
        if new.0 > CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED.0 {
            return Err(INVALID_VALUE);
        }
        put(mode, crate::thread::exchange_capture_mode(new))
    }
}
