//! One value for all elements.

use cuox::Fill;
use cuox::array::{Layout, StridedCopy};
use cuox::memory::raw;
use cuox::memory::uses::Access;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyFloat, PyInt, PyString, PyTuple};

use super::copies::{allocate, write_bytes};
use super::element::Element;
use super::numpy::{self, Numpy};
use super::{Array, OrRaiseLayout};
use crate::error::OrRaise;
use crate::idle;
use crate::parallel::copy;
use crate::stream::ConsumerStream;

/// True if `src` is one element for all: a number, or an array of one element.
pub fn is_one_element(numpy: &Numpy, src: &Bound<'_, PyAny>) -> PyResult<bool> {
    if numpy.is_array(src) {
        let dimensions: usize = src.getattr(intern!(src.py(), "ndim"))?.extract()?;
        return Ok(dimensions == 0);
    }
    Ok(src.is_instance_of::<PyFloat>()
        || src.is_instance_of::<PyInt>()
        || src.is_instance_of::<PyBool>()
        || src.is_instance_of::<PyComplex>()
        || src.is_instance_of::<PyString>()
        || src.is_instance_of::<PyBytes>()
        || numpy.is_scalar(src) && !src.is_instance_of::<PyTuple>())
}

/// The bytes of one element with this value.
pub fn item(py: Python<'_>, element: &Element, value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let one = Numpy::get(py)?.empty(element.dtype.bind(py), &[], "C")?;
    numpy::assign(&one, value)?;
    let bytes = one.call_method0(intern!(py, "tobytes"))?;
    Ok(bytes.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// The shortest pattern of 1, 2 or 4 bytes that the item repeats.
fn pattern(item: &[u8], address: u64) -> Option<Fill> {
    let repeats = |size: usize| {
        item.len().is_multiple_of(size)
            && address.is_multiple_of(size as u64)
            && item.chunks_exact(size).all(|part| part == &item[..size])
    };
    match *item {
        [a, ..] if repeats(1) => Some(Fill::U8(a)),
        [a, b, ..] if repeats(2) => Some(Fill::U16(u16::from_ne_bytes([a, b]))),
        [a, b, c, d, ..] if repeats(4) => Some(Fill::U32(u32::from_ne_bytes([a, b, c, d]))),
        _ => None,
    }
}

/// The bytes that are written from the host before the rest is copied on the device.
const FIRST: usize = 4 << 10;

/// Fills memory without gaps with an item, in the stream's order.
fn fill_dense(
    py: Python<'_>,
    user: &str,
    memory: &cuox::Buffer,
    (start, bytes): (usize, usize),
    item: &[u8],
    stream: &cuox::Stream,
) -> PyResult<()> {
    let address = memory.ptr() + start as u64;
    if let Some(fill) = pattern(item, address) {
        // SAFETY: so many bytes of the memory, which is held by the caller.
        return idle::submit(py, stream, || unsafe {
            raw::fill(
                stream.context(),
                address,
                fill,
                bytes / fill.size(),
                Some(stream),
            )
        })
        .or_raise_in(py, user);
    }
    let first = item.repeat((FIRST / item.len()).clamp(1, bytes / item.len()));
    write_bytes(py, user, memory, start, &first, stream)?;
    // The filled part is copied behind itself.
    idle::submit(py, stream, || {
        let mut done = first.len();
        while done < bytes {
            let more = done.min(bytes - done);
            // SAFETY: both parts lie in the array, whose memory `memory` keeps, and they do not overlap.
            unsafe {
                raw::copy(
                    stream.context(),
                    address + done as u64,
                    address,
                    more,
                    Some(stream),
                )
            }?;
            done += more;
        }
        Ok(())
    })
    .or_raise_in(py, user)
}

impl Array {
    /// Sets all elements to these bytes, in the stream's order.
    pub fn fill_with(
        &self,
        py: Python<'_>,
        item: &[u8],
        stream: Option<&Bound<'_, PyAny>>,
        user: &str,
    ) -> PyResult<()> {
        let memory = self.buffer.get().as_device(py)?;
        let bytes = self.layout.nbytes();
        if bytes == 0 || item.is_empty() {
            return Ok(());
        }
        let order = self.order(py, stream)?;
        let consumer = ConsumerStream::new(py, &order);
        self.begin(&consumer, Access::Write)?;
        if self.layout.is_dense() {
            let start = self.offset.wrapping_add_signed(self.layout.span().0);
            return fill_dense(py, user, &memory, (start, bytes), item, &order);
        }
        let first = (&self.layout, memory.ptr() + self.offset as u64);
        if copy::fill(py, first, item, &order)? {
            return Ok(());
        }
        // Elsewhere first, and from there to where the elements are: rows of the same order are copied at once.
        let from = self.signed_image(py)?;
        let aside = allocate(py, user, bytes, &order)?;
        fill_dense(py, user, &aside, (0, bytes), item, &order)?;
        let plan = StridedCopy::new(&self.layout, &from);
        let (to, first) = (
            memory.ptr() + self.offset as u64,
            aside.ptr() + from.span().0.unsigned_abs() as u64,
        );
        // SAFETY: both are memory that the layouts span, and held here; the other memory is freed in the stream's
        // order.
        idle::submit(py, &order, || unsafe {
            plan.run_on_device(order.context(), to, first, Some(&order))
        })
        .or_raise_in(py, user)
    }

    fn signed_image(&self, py: Python<'_>) -> PyResult<Layout> {
        super::copies::image(&self.layout).or_raise(py)
    }
}
