//! Running copies and fills: at once where the caller cannot tell that from waiting, else in their stream.

use crate::code::{INVALID_VALUE, Res};
use crate::context::Context;
use crate::context_state::{self, StreamOrdering};
use crate::driver::Driver;
use crate::graphs::capture;
use crate::streams::geometry::{Copy3d, CopySide, Fill};
use crate::streams::stream::Stream;
use crate::streams::stream_op::StreamOp;
use cuox_simt::space;
use std::sync::Arc;

/// Pageable sources up to this size are copied aside when their stream is busy; larger ones wait.
const STAGE: u64 = 4 << 20;

/// The other devices whose memory takes part in a copy.
fn other_devices(driver: &Driver, stream: &Stream, shape: &Copy3d) -> Vec<usize> {
    if driver.devices.len() == 1 {
        return Vec::new();
    }
    let owner = |side: &CopySide| driver.memory.find(side.at).filter(|a| !a.kind.is_host());
    let owners = [&shape.dst, &shape.src].into_iter().filter_map(owner);
    let devices = owners.map(|a| a.owner.device);
    devices.filter(|&d| d != stream.context.device).collect()
}

/// Waits for the null streams of other contexts whose memory takes part in a copy, as NVIDIA's driver does.
fn wait_for_other_contexts(driver: &Driver, stream: &Stream, shape: &Copy3d) {
    if context_state::count() == 1 {
        return;
    }
    let owner = |side: &CopySide| Some(driver.memory.find(side.at)?.owner.context);
    let owners = [owner(&shape.dst), owner(&shape.src)];
    for context in driver.all_contexts() {
        let handle = context.state.handle;
        if handle != stream.context.handle
            && owners.contains(&Some(handle))
            && let Some(point) = context.state.legacy.pending()
        {
            point.wait();
        }
    }
}

/// A synchronous copy on a stream.
pub fn copy_sync(driver: &Driver, stream: &Stream, shape: &Copy3d) -> Res {
    stream.context.sticky.check()?;
    capture::check_wait(stream)?;
    stream.wait();
    for device in other_devices(driver, stream, shape) {
        driver.wait_for_device(device);
    }
    wait_for_other_contexts(driver, stream, shape);
    stream.context.sticky.check()?;
    shape.run().map_err(|_| INVALID_VALUE)
}

/// An asynchronous copy. Pageable memory may not be touched after the call returns.
pub fn copy_async(driver: &Driver, stream: &Arc<Stream>, shape: Copy3d) -> Res {
    stream.context.sticky.check()?;
    if shape.is_empty() {
        return Ok(());
    }
    if stream.is_capturing() {
        return capture::submit(stream, StreamOp::Copy(shape)).map(drop);
    }
    // In the default stream a copy between devices is in order with all work of both (CUDA C++ Programming Guide,
    // "Peer-to-Peer Memory Copy").
    if stream.ordering == StreamOrdering::Legacy
        && !other_devices(driver, stream, &shape).is_empty()
    {
        return copy_sync(driver, stream, &shape);
    }
    let pageable =
        |side: &CopySide| !space::contains(side.at, 1) && driver.memory.find(side.at).is_none();
    if pageable(&shape.dst) {
        return copy_sync(driver, stream, &shape);
    }
    if !pageable(&shape.src) {
        return capture::submit(stream, StreamOp::Copy(shape)).map(drop);
    }
    let bytes = shape.width * shape.height * shape.depth;
    if stream.clear() || bytes > STAGE {
        return copy_sync(driver, stream, &shape);
    }
    let mut staged = vec![0u8; bytes as usize];
    let packed = |at| CopySide {
        at,
        pitch: shape.width,
        slice: shape.width * shape.height,
    };
    let aside = packed(staged.as_mut_ptr() as u64);
    Copy3d {
        dst: aside,
        ..shape
    }
    .run()
    .map_err(|_| INVALID_VALUE)?;
    // The bytes stay where they are when the vector moves.
    capture::submit(
        stream,
        StreamOp::Staged(
            staged,
            Copy3d {
                src: aside,
                ..shape
            },
        ),
    )
    .map(drop)
}

/// A synchronous fill on the context's default stream.
pub fn fill_sync(context: &Context, fill: &Fill) -> Res {
    context.state.sticky.check()?;
    let stream = context.default_stream();
    capture::check_wait(&stream)?;
    stream.wait();
    stream.context.sticky.check()?;
    fill.run().map_err(|_| INVALID_VALUE)
}
