//! Copies, prefetches and discards of several buffers at once, for `cuox.cuda.core.utils`.

use cuox::driver::sys::{
    CUmemLocation, CUmemLocationType, CUmemcpyAttributes, CUmemcpySrcAccessOrder,
};
use cuox::memory::batch::{self, Copy, Range};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::stream_argument;
use crate::support::plain_args;

/// The numbers of a place: its type and its id.
type Place = (u32, i32);

/// The number of a `CUmemcpySrcAccessOrder`, the places that the source and the target are said to be in, and flags.
type Attributes = (u32, Option<Place>, Option<Place>, u32);

fn place(place: Option<Place>) -> CUmemLocation {
    let (kind, id) = place.unwrap_or((0, 0));
    CUmemLocation {
        type_: CUmemLocationType(kind),
        id,
    }
}

fn attributes((order, source, target, flags): Attributes) -> CUmemcpyAttributes {
    CUmemcpyAttributes {
        srcAccessOrder: CUmemcpySrcAccessOrder(order),
        srcLocHint: place(source),
        dstLocHint: place(target),
        flags,
    }
}

/// The memory of a buffer, which is held.
fn memory(py: Python<'_>, user: &str, buffer: &Bound<'_, PyAny>) -> PyResult<cuox::Buffer> {
    let buffer = buffer
        .cast::<Buffer>()
        .map_err(|_| plain_args::wrong_kind(user, "cuox.Buffer objects", buffer))?;
    buffer.get().as_device(py)
}

/// Copies each source to the destination of the same place in the lists, which are as long as each other.
#[pyfunction]
#[pyo3(signature = (user, stream, sources, destinations, options))]
pub fn _copy_batch(
    py: Python<'_>,
    user: &str,
    stream: &Bound<'_, PyAny>,
    sources: Vec<Bound<'_, PyAny>>,
    destinations: Vec<Bound<'_, PyAny>>,
    options: Vec<Attributes>,
) -> PyResult<()> {
    let held = |buffers: &[Bound<'_, PyAny>]| -> PyResult<Vec<cuox::Buffer>> {
        let held = buffers.iter().map(|buffer| memory(py, user, buffer));
        held.collect()
    };
    let (from, to) = (held(&sources)?, held(&destinations)?);
    let mut copies = Vec::with_capacity(from.len());
    for (index, ((from, to), options)) in from.iter().zip(&to).zip(options).enumerate() {
        if from.len() != to.len() {
            return Err(PyValueError::new_err(format!(
                "{user}: buffer {index}: the source has {} bytes, the destination {}: the sizes must match",
                from.len(),
                to.len()
            )));
        }
        copies.push(Copy {
            to: to.ptr(),
            from: from.ptr(),
            bytes: from.len(),
            attributes: attributes(options),
        });
    }
    let stream = stream_argument(py, stream, to.first().map(cuox::Buffer::device))?;
    if stream.handle() <= cuox::stream::LEGACY {
        return Err(PyTypeError::new_err(format!(
            "{user}: the driver takes no LEGACY_DEFAULT_STREAM here; it takes PER_THREAD_DEFAULT_STREAM and streams of your own"
        )));
    }
    if stream.is_capturing().or_raise_in(py, user)? {
        return Err(PyTypeError::new_err(format!(
            "{user}: the stream is captured, which the driver has no node for; add copies by copy_to without options, or \
             GraphNode.memcpy"
        )));
    }
    // SAFETY: the memory is held until the copies are in the stream; what frees it later is behind them, or waits.
    idle::submit(py, &stream, || unsafe { batch::copy(&stream, &copies) }).or_raise_in(py, user)
}

/// Brings managed memory to places (`places` has one for each buffer), gives it up (`discard`, without places), or
/// both.
#[pyfunction]
#[pyo3(signature = (user, stream, buffers, places, discard))]
pub fn _prefetch_batch(
    py: Python<'_>,
    user: &str,
    stream: &Bound<'_, PyAny>,
    buffers: Vec<Bound<'_, PyAny>>,
    places: Option<Vec<Place>>,
    discard: bool,
) -> PyResult<()> {
    let mut held = Vec::with_capacity(buffers.len());
    for buffer in &buffers {
        let memory = memory(py, user, buffer)?;
        if !buffer.cast::<Buffer>()?.get().is_managed(py)? {
            return Err(PyValueError::new_err(format!(
                "{user}: expected a managed-memory allocation (ManagedMemoryResource), got other memory"
            )));
        }
        held.push(memory);
    }
    let to = |index: usize| {
        place(
            places
                .as_ref()
                .and_then(|places| places.get(index).copied()),
        )
    };
    let ranges: Vec<Range> = held
        .iter()
        .enumerate()
        .filter(|(_, memory)| !memory.is_empty())
        .map(|(index, memory)| Range {
            start: memory.ptr(),
            bytes: memory.len(),
            to: to(index),
        })
        .collect();
    let stream = stream_argument(py, stream, held.first().map(cuox::Buffer::device))?;
    // SAFETY: as in `_copy_batch`.
    let work = || unsafe {
        match (discard, places.is_some()) {
            (true, true) => batch::discard_and_prefetch(&stream, &ranges),
            (true, false) => batch::discard(&stream, &ranges),
            _ => batch::prefetch(&stream, &ranges),
        }
    };
    idle::submit(py, &stream, work).or_raise_in(py, user)
}
