//! Events.

use crate::api::{driver_functions, put};
use crate::code::{INVALID_HANDLE, INVALID_VALUE, NOT_READY, OUT_OF_MEMORY, Res};
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::graphs::node::NodeWork;
use crate::ipc::event::SharedEvent;
use crate::streams::event::{Event, Record, Recorded};
use crate::streams::progress::Point;
use crate::streams::stream::Stream;
use crate::streams::stream_op::StreamOp;
use crate::{current, fault};
use cuox_abi::{CUevent, CUstream};
use std::sync::Arc;
use std::sync::atomic::Ordering;

const CREATE_FLAGS: u32 = 0x7;
const EXTERNAL: u32 = 1;

fn named(driver: &Driver, event: CUevent) -> Res<Arc<Event>> {
    driver.events.get(event.addr() as u64).ok_or(INVALID_HANDLE)
}

/// Puts a recording of an event at the end of a stream.
pub(super) fn record_on(event: &Event, stream: &Arc<Stream>) -> Res {
    if event.context != stream.context.handle {
        return Err(INVALID_HANDLE);
    }
    if stream.is_capturing() {
        return capture::record_event(event, stream);
    }
    capture::check_implicit(stream)?;
    capture::forget_event(event);
    if let Some(shared) = &event.shared {
        let number = shared.begin();
        if stream.clear() {
            shared.finish(number);
            return Ok(());
        }
        let submitted = capture::submit(stream, StreamOp::RecordShared(shared.clone(), number));
        if submitted.is_err() {
            shared.finish(number);
        }
        return submitted.map(drop);
    }
    let record = Arc::new(Record::default());
    let point = if stream.clear() {
        // The end of an idle stream is now: no thread has to wake up for it.
        record.stamp();
        Point {
            progress: stream.progress.clone(),
            seq: stream.progress.completed(),
        }
    } else {
        capture::submit(stream, StreamOp::Record(record.clone()))?
    };
    *event.latest.lock() = Some(Recorded { record, point });
    Ok(())
}

fn record(event: CUevent, stream: CUstream) -> Res {
    let driver = driver::get()?;
    let stream = current::stream(driver, stream.addr() as u64)?;
    stream.context.sticky.check()?;
    record_on(&*named(driver, event)?, &stream)
}

fn destroy(event: CUevent) -> Res {
    driver::get()?
        .events
        .remove(event.addr() as u64)
        .map(drop)
        .ok_or(INVALID_HANDLE)
}

fn check_health(driver: &Driver, event: &Event) -> Res {
    match current::by_handle(driver, event.context) {
        Ok(owner) => owner.state.sticky.check(),
        Err(code) => Err(code),
    }
}

fn elapsed(start: CUevent, end: CUevent) -> Res<f32> {
    let driver = driver::get()?;
    let (start, end) = (named(driver, start)?, named(driver, end)?);
    if start.context != end.context || !start.timed() || !end.timed() {
        return Err(INVALID_HANDLE);
    }
    let (from, to) = (start.latest(), end.latest());
    let [from, to] = [from, to].map(|latest| latest.map(|l| l.record.time()));
    // Behind the times: what failed before `end` has been said by then.
    check_health(driver, &start)?;
    let from = from.ok_or(INVALID_HANDLE)?.ok_or(NOT_READY)?;
    let to = to.ok_or(INVALID_HANDLE)?.ok_or(NOT_READY)?;
    Ok((to as i64 - from as i64) as f32 / 1e6)
}

driver_functions! {
    fn cuEventCreate(phEvent: *mut CUevent, Flags: u32) {
        let driver = driver::get()?;
        let now = current::healthy(driver)?;
        if phEvent.is_null() || Flags & !CREATE_FLAGS != 0 {
            return Err(INVALID_VALUE);
        }
        let shared = match Flags & Event::INTERPROCESS {
            0 => None,
            _ if Flags & Event::DISABLE_TIMING == 0 => {
                fault::explain("CU_EVENT_INTERPROCESS must be combined with CU_EVENT_DISABLE_TIMING".into());
                return Err(INVALID_VALUE);
            }
            _ => Some(Arc::new(SharedEvent::new()?)),
        };
        let context = now.handle();
        let make = |handle| Event { handle, flags: Flags, context, latest: Default::default(), shared };
        let made = driver.events.insert(make).ok_or(OUT_OF_MEMORY)?;
        put(phEvent, CUevent::from_addr(made.handle as usize))
    }

    fn cuEventDestroy(hEvent: CUevent) { destroy(hEvent) }

    fn cuEventDestroy_v2(hEvent: CUevent) { destroy(hEvent) }

    fn cuEventRecord(hEvent: CUevent, hStream: CUstream) { record(hEvent, hStream) }

    fn cuEventRecordWithFlags(hEvent: CUevent, hStream: CUstream, flags: u32) {
        if flags & !EXTERNAL != 0 {
            return Err(INVALID_VALUE);
        }
        let driver = driver::get()?;
        let stream = current::stream(driver, hStream.addr() as u64)?;
        if flags & EXTERNAL != 0 && stream.is_capturing() {
            let event = named(driver, hEvent)?;
            return capture::add(&stream, NodeWork::RecordEvent(event)).map(drop);
        }
        record(hEvent, hStream)
    }

    fn cuEventQuery(hEvent: CUevent) {
        let driver = driver::get()?;
        let event = named(driver, hEvent)?;
        // Looked at first: work that fails and ends between two looks must not pass for work that went well.
        let complete = event.is_complete();
        check_health(driver, &event)?;
        capture::check_event(&event)?;
        if complete { Ok(()) } else { Err(NOT_READY) }
    }

    fn cuEventSynchronize(hEvent: CUevent) {
        let driver = driver::get()?;
        let event = named(driver, hEvent)?;
        capture::check_event(&event)?;
        let owner = current::by_handle(driver, event.context);
        event.wait(|| owner.as_ref().is_ok_and(|o| o.state.cancel.load(Ordering::Relaxed)));
        check_health(driver, &event)
    }

    fn cuEventElapsedTime(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) {
        put(pMilliseconds, elapsed(hStart, hEnd)?)
    }

    fn cuEventElapsedTime_v2(pMilliseconds: *mut f32, hStart: CUevent, hEnd: CUevent) {
        put(pMilliseconds, elapsed(hStart, hEnd)?)
    }
}
