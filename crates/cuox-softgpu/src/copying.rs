//! Running copies and fills: at once where the caller cannot tell that from waiting, else in their stream.

use crate::code::{INVALID_VALUE, Res};
use crate::context::Context;
use crate::driver::Driver;
use crate::geometry::{Box3, Fill, Side};
use crate::stream::Stream;
use crate::stream_op::StreamOp;
use cuox_simt::space;
use std::sync::Arc;

/// Pageable sources up to this size are copied aside when their stream is busy; larger ones wait.
const STAGE: u64 = 4 << 20;

/// A synchronous copy on a stream.
pub fn now(stream: &Stream, shape: &Box3) -> Res {
    stream.context.sticky.check()?;
    stream.wait();
    stream.context.sticky.check()?;
    shape.run().map_err(|_| INVALID_VALUE)
}

/// An asynchronous copy. Pageable memory may not be touched after the call returns.
pub fn later(driver: &Driver, stream: &Arc<Stream>, shape: Box3) -> Res {
    stream.context.sticky.check()?;
    if shape.is_empty() {
        return Ok(());
    }
    let pageable =
        |side: &Side| !space::contains(side.at, 1) && driver.memory.find(side.at).is_none();
    if pageable(&shape.dst) {
        return now(stream, &shape);
    }
    if !pageable(&shape.src) {
        return stream.submit(StreamOp::Copy(shape)).map(drop);
    }
    let bytes = shape.width * shape.height * shape.depth;
    if stream.clear() || bytes > STAGE {
        return now(stream, &shape);
    }
    let mut staged = vec![0u8; bytes as usize];
    let packed = |at| Side {
        at,
        pitch: shape.width,
        slice: shape.width * shape.height,
    };
    let aside = packed(staged.as_mut_ptr() as u64);
    Box3 {
        dst: aside,
        ..shape
    }
    .run()
    .map_err(|_| INVALID_VALUE)?;
    // The bytes stay where they are when the vector moves.
    stream
        .submit(StreamOp::Staged(
            staged,
            Box3 {
                src: aside,
                ..shape
            },
        ))
        .map(drop)
}

/// A synchronous fill on the context's default stream.
pub fn fill_now(context: &Context, fill: &Fill) -> Res {
    context.state.sticky.check()?;
    let stream = context.default_stream();
    stream.wait();
    stream.context.sticky.check()?;
    fill.run().map_err(|_| INVALID_VALUE)
}
