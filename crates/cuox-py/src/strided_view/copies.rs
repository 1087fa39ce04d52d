//! Copies between views, as those of arrays.

use cuox::array::Order;
use pyo3::exceptions::{PyNotImplementedError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::StridedMemoryView;
use crate::array::Array;
use crate::array::element::{Element, shown};
use crate::array::numpy::Numpy;
use crate::buffer::Buffer;
use crate::buffer_memory::Memory;
use crate::device;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::{Stream, stream_or_default};
use crate::support::plain_args::given;

/// Where memory for the time of a copy comes from is not for the caller to say.
pub fn refuse_allocator(user: &str, allocator: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    match given(allocator) {
        None => Ok(()),
        Some(_) => Err(PyNotImplementedError::new_err(format!(
            "{user}: allocator is not supported: memory for the time of a copy comes from the device's default pool"
        ))),
    }
}

/// Copies the elements of one view to another.
pub fn copy<'py>(
    user: &str,
    to: &Bound<'py, StridedMemoryView>,
    from: &Bound<'py, StridedMemoryView>,
    stream: Option<&Bound<'py, PyAny>>,
    blocking: Option<bool>,
) -> PyResult<()> {
    let py = to.py();
    to.get().check_open(py)?;
    from.get().check_open(py)?;
    check(user, to.get(), from.get(), py)?;
    let (to_device, from_device) = (
        to.get().is_device_accessible,
        from.get().is_device_accessible,
    );
    let on = match (to_device, from_device) {
        (true, _) => to.get().device_id,
        (false, true) => from.get().device_id,
        (false, false) => {
            return Err(PyNotImplementedError::new_err(format!(
                "{user}: both views are of host memory; copy with numpy.copyto(numpy.from_dlpack(to), numpy.from_dlpack(from))"
            )));
        }
    };
    let device = device_of(py, on)?;
    let order = stream_or_default(py, stream, device)?;
    let stream = Bound::new(py, Stream::new(order.clone()))?.into_any();
    match (to_device, from_device) {
        (true, true) => {
            let source = array(from)?.into_any();
            Array::assign(&array(to)?, &source, Some(&stream), user)?;
        }
        (true, false) => Array::assign(&array(to)?, &host(from)?, Some(&stream), user)?,
        _ => {
            Array::to_host(&array(from)?, Some(&host(to)?), Some(&stream))?;
        }
    }
    match blocking.unwrap_or(!(to_device && from_device)) {
        true => idle::sync(py, user, &order),
        false => Ok(()),
    }
}

/// Refuses views between which elements cannot be copied.
fn check(
    user: &str,
    to: &StridedMemoryView,
    from: &StridedMemoryView,
    py: Python<'_>,
) -> PyResult<()> {
    if to.read_only {
        return Err(PyValueError::new_err(format!(
            "{user}: the view that is copied to may only be read"
        )));
    }
    let (a, b) = (&to.layout()?.layout, &from.layout()?.layout);
    if a.shape() != b.shape() {
        return Err(PyValueError::new_err(format!(
            "{user}: the shapes differ: {} to {}",
            cuox::array::layout::shown(b.shape()),
            cuox::array::layout::shown(a.shape())
        )));
    }
    let is_same = match (to.element(py)?, from.element(py)?) {
        (Some(to), Some(from)) => {
            if !to.is(py, &from)? {
                return Err(PyTypeError::new_err(format!(
                    "{user}: the dtypes differ: {} to {}; elements are not converted",
                    shown(from.dtype.bind(py)),
                    shown(to.dtype.bind(py))
                )));
            }
            true
        }
        _ => a.itemsize() == b.itemsize(),
    };
    match is_same {
        true => Ok(()),
        false => Err(PyTypeError::new_err(format!(
            "{user}: the elements have {} bytes and {} bytes",
            b.itemsize(),
            a.itemsize()
        ))),
    }
}

/// The device of a number.
fn device_of(py: Python<'_>, number: i64) -> PyResult<cuox::Device> {
    let current = device::current(py)?;
    match usize::try_from(number) {
        Ok(number) if number != current.ordinal() => {
            cuox::Device::of(current.driver(), number).or_raise(py)
        }
        _ => Ok(current),
    }
}

/// Elements as the bytes that they are.
fn raw<'py>(view: &StridedMemoryView, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
    let text = format!("V{}", view.layout()?.layout.itemsize());
    Ok(text.into_pyobject(py)?.into_any())
}

/// A view of a device's memory as an array of bytes.
fn array<'py>(view: &Bound<'py, StridedMemoryView>) -> PyResult<Bound<'py, Array>> {
    let (py, this) = (view.py(), view.get());
    let layout = this.layout()?.layout.clone();
    let (low, high) = layout.span();
    let context = device_of(py, this.device_id)?.context().or_raise(py)?;
    let start = this.ptr.wrapping_add_signed(low as i64);
    // SAFETY: whoever made the view vouches for its elements; the buffer keeps the view.
    let memory = unsafe { cuox::Buffer::borrowed(&context, start, (high - low) as usize, None) };
    let owner = StridedMemoryView::used(view)?;
    let buffer = Bound::new(py, Buffer::owned(Memory::Device(memory), owner))?;
    let element = Element::of(py, Some(&raw(this, py)?))?;
    Array::within(buffer.into(), low.unsigned_abs(), layout, element).finish(py, None)
}

/// A view of host memory as an array of NumPy's.
fn host<'py>(view: &Bound<'py, StridedMemoryView>) -> PyResult<Bound<'py, PyAny>> {
    let (py, this) = (view.py(), view.get());
    let layout = &this.layout()?.layout;
    let interface = PyDict::new(py);
    interface.set_item("version", 3)?;
    interface.set_item("data", (this.ptr, this.read_only))?;
    interface.set_item("shape", pyo3::types::PyTuple::new(py, layout.shape())?)?;
    interface.set_item("typestr", format!("|V{}", layout.itemsize()))?;
    if !layout.is_contiguous(Order::C) {
        interface.set_item("strides", pyo3::types::PyTuple::new(py, layout.strides())?)?;
    }
    let holder = py
        .import("types")?
        .getattr("SimpleNamespace")?
        .call((), None)?;
    holder.setattr("__array_interface__", interface)?;
    holder.setattr("memory", StridedMemoryView::used(view)?)?;
    holder.setattr("view", view)?;
    Numpy::get(py)?.asarray(&holder, None)
}
