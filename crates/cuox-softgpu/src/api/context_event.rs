//! Events of whole contexts: recorded behind all of their work, or waited for by all of it.

use crate::api::{driver_functions, event as events, stream as streams};
use crate::code::{INVALID_HANDLE, Res};
use crate::context::Context;
use crate::context_state::StreamOrdering;
use crate::driver::{self, Driver};
use crate::graphs::capture;
use crate::green::Green;
use crate::streams::event::Event;
use crate::streams::stream::{self, Stream};
use crate::streams::stream_op::StreamOp;
use crate::{current, fault};
use cuox_abi::{CUcontext, CUevent, CUgreenCtx};
use std::sync::Arc;

/// A context, or a green one.
pub(super) enum Of {
    Plain(Arc<Context>),
    Green(Arc<Green>),
}

impl Of {
    pub fn context(driver: &Driver, context: CUcontext) -> Res<Of> {
        let handle = context.addr() as u64;
        let base = current::by_handle(driver, handle)?;
        Ok(match current::green_by_context(driver, handle) {
            Some(green) => Of::Green(green),
            None => Of::Plain(base),
        })
    }

    pub fn green(driver: &Driver, green: CUgreenCtx) -> Res<Of> {
        let green = driver.greens.get(green.addr() as u64).ok_or_else(|| {
            fault::explain(
                "the handle is not one of a green context, or that was destroyed".into(),
            );
            INVALID_HANDLE
        })?;
        current::check_alive(driver, &green)?;
        Ok(Of::Green(green))
    }

    fn base(&self) -> &Context {
        match self {
            Of::Plain(context) => context,
            Of::Green(green) => &green.base,
        }
    }

    /// Its streams. Those of green contexts are the primary context's, too, and all have its default streams.
    fn streams(&self, driver: &Driver) -> Vec<Arc<Stream>> {
        let base = self.base();
        let is_of = |stream: &Stream| match self {
            Of::Plain(_) => stream.context.handle == base.handle(),
            Of::Green(green) => is_in(stream, green),
        };
        let mut found = driver.streams.select(is_of);
        found.extend(base.default_streams());
        found
    }

    /// Waits for all of its work.
    pub fn synchronize(&self, driver: &Driver) -> Res {
        let base = self.base();
        match self {
            Of::Plain(context) => {
                capture::check_context(context.handle())?;
                context.state.wait();
            }
            Of::Green(_) => {
                let streams = self.streams(driver);
                streams
                    .iter()
                    .try_for_each(|stream| capture::check_wait(stream))?;
                streams.iter().for_each(|stream| stream.wait());
            }
        }
        base.state.sticky.check()
    }
}

/// True for a stream that was made in a green context.
pub(super) fn is_in(stream: &Stream, green: &Green) -> bool {
    stream
        .green
        .as_ref()
        .is_some_and(|own| own.id == green.part.id)
}

/// A stream of nobody's, for what comes behind several streams. It ends after the work that is put into it.
struct Marker(Arc<Stream>);

impl Marker {
    fn new(context: &Context) -> Marker {
        const NON_BLOCKING: u32 = 1;
        Marker(Arc::new(Stream::new(
            0,
            stream::next_id(),
            NON_BLOCKING,
            0,
            StreamOrdering::NonBlocking,
            context.state.clone(),
        )))
    }
}

impl Drop for Marker {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn event_of(driver: &Driver, of: &Of, event: CUevent) -> Res<Arc<Event>> {
    let event = driver.events.get(event.addr() as u64);
    let event = event.filter(|event| event.context == of.base().handle());
    event.ok_or_else(|| {
        fault::explain("the event is none, or is of another context".into());
        INVALID_HANDLE
    })
}

fn record(driver: &Driver, of: &Of, event: CUevent) -> Res {
    of.base().state.sticky.check()?;
    let event = event_of(driver, of, event)?;
    let streams = of.streams(driver);
    streams
        .iter()
        .try_for_each(|stream| capture::check_wait(stream))?;
    let marker = Marker::new(of.base());
    for point in streams
        .iter()
        .filter_map(|stream| stream.progress.pending())
    {
        capture::submit(&marker.0, StreamOp::Wait(point))?;
    }
    events::record_on(&event, &marker.0)
}

fn wait(driver: &Driver, of: &Of, event: CUevent) -> Res {
    of.base().state.sticky.check()?;
    let event = driver
        .events
        .get(event.addr() as u64)
        .ok_or(INVALID_HANDLE)?;
    let streams = of.streams(driver);
    streams
        .iter()
        .try_for_each(|stream| capture::check_wait(stream))?;
    capture::check_event(&event)?;
    // The point behind the event, also where another process records it.
    let marker = Marker::new(of.base());
    streams::wait_for(&marker.0, &event)?;
    let Some(point) = marker.0.progress.pending() else {
        return Ok(());
    };
    // First for the streams that are made from now on: one that is made meanwhile waits twice.
    match of {
        Of::Plain(context) => context.state.barriers.add(point.clone()),
        Of::Green(green) => green.part.barriers.add(point.clone()),
    }
    for stream in streams {
        capture::submit(&stream, StreamOp::Wait(point.clone()))?;
    }
    Ok(())
}

driver_functions! {
    fn cuCtxRecordEvent(hCtx: CUcontext, hEvent: CUevent) {
        let driver = driver::get()?;
        record(driver, &Of::context(driver, hCtx)?, hEvent)
    }

    fn cuCtxWaitEvent(hCtx: CUcontext, hEvent: CUevent) {
        let driver = driver::get()?;
        wait(driver, &Of::context(driver, hCtx)?, hEvent)
    }

    fn cuGreenCtxRecordEvent(hCtx: CUgreenCtx, hEvent: CUevent) {
        let driver = driver::get()?;
        record(driver, &Of::green(driver, hCtx)?, hEvent)
    }

    fn cuGreenCtxWaitEvent(hCtx: CUgreenCtx, hEvent: CUevent) {
        let driver = driver::get()?;
        wait(driver, &Of::green(driver, hCtx)?, hEvent)
    }
}
