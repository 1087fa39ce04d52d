//! New arrays.

use cuox::Fill;
use cuox::array::layout::{Dims, MAX_DIMS};
use cuox::array::{Layout, Order};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple, PyType};

use super::element::{Element, OrderArgument};
use super::numpy::{self, Numpy};
use super::{Array, OrRaiseLayout, exchange};
use crate::buffer::Buffer;
use crate::device::device_argument;
use crate::stream::{StreamRef, stream_argument, stream_ref_or_default};
use crate::support::closable::Counted;
use crate::support::names::type_name;
use crate::support::plain_args::given;
use crate::support::pool::Reference;

/// One size of a shape.
fn size(object: &Bound<'_, PyAny>) -> PyResult<usize> {
    match object.extract::<isize>() {
        Ok(size) if size >= 0 => Ok(size as usize),
        Ok(_) => Err(PyValueError::new_err("negative dimensions are not allowed")),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => Err(
            PyValueError::new_err(format!("a dimension of {object} elements is too large")),
        ),
        Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
            Err(PyTypeError::new_err(format!(
                "shape: expected an int or a tuple of ints, got {}",
                type_name(object)
            )))
        }
        // Exceptions of `__index__`.
        Err(error) => Err(error),
    }
}

/// A shape: a number, or several.
pub fn shape_argument(shape: &Bound<'_, PyAny>) -> PyResult<Dims<usize>> {
    if let Ok(tuple) = shape.cast::<PyTuple>() {
        return tuple.iter_borrowed().map(|item| size(&item)).collect();
    }
    if let Ok(list) = shape.cast::<PyList>() {
        return list.iter().map(|item| size(&item)).collect();
    }
    // SAFETY: a live object.
    if unsafe { pyo3::ffi::PyIndex_Check(shape.as_ptr()) } == 0
        && let Ok(items) = shape.try_iter()
    {
        return items.take(MAX_DIMS + 1).map(|item| size(&item?)).collect();
    }
    Ok(Dims::from_slice(&[size(shape)?]))
}

/// The device and the stream that a new array is made on.
pub struct Place {
    pub device: cuox::Device,
    pub stream: StreamRef,
}

impl Place {
    #[inline]
    pub fn of(
        py: Python<'_>,
        device: Option<&Bound<'_, PyAny>>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let device = match (given(device), given(stream)) {
            (None, Some(stream)) => stream_argument(py, stream, None)?.device(),
            (device, _) => device_argument(py, device)?,
        };
        Ok(Self {
            device,
            stream: stream_ref_or_default(py, stream, device)?,
        })
    }

    /// The place of an array, or another one that is asked for.
    pub fn beside(
        py: Python<'_>,
        array: &Array,
        device: Option<&Bound<'_, PyAny>>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        if given(device).is_some() || given(stream).is_some() {
            return Self::of(py, device, stream);
        }
        Ok(Self {
            device: array.buffer.get().device,
            stream: array.own_order(py)?,
        })
    }
}

impl Array {
    /// A new array in memory of its own.
    pub fn allocate<'py>(
        py: Python<'py>,
        class: Option<&Bound<'py, PyType>>,
        layout: Layout,
        element: Counted<Element>,
        place: Place,
    ) -> PyResult<Bound<'py, Self>> {
        Self::new_in(py, layout, element, place)?.finish(py, class)
    }

    fn new_in(
        py: Python<'_>,
        layout: Layout,
        element: Counted<Element>,
        place: Place,
    ) -> PyResult<Self> {
        let buffer = Buffer::allocate_object(py, place.device, layout.nbytes(), place.stream)?;
        Ok(Self::within(buffer.into(), 0, layout, element))
    }

    /// Sets all bytes to zero.
    fn clear(&self, py: Python<'_>, user: &str) -> PyResult<()> {
        let buffer = self.buffer.get();
        if buffer.size == 0 {
            return Ok(());
        }
        let memory = buffer.as_device(py)?;
        let stream = memory.stream().cloned();
        // Nothing has used it before, and its own stream is always taken to use it.
        buffer.submit(py, user, stream.as_ref(), || {
            memory.fill(Fill::U8(0), stream.as_ref())
        })
    }
}

/// The layout of a new array, and its type.
fn new_layout(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    dtype: Option<&Bound<'_, PyAny>>,
    order: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Layout, Counted<Element>)> {
    let element = Element::of(py, dtype)?;
    let mut shape = shape_argument(shape)?;
    shape.extend_from_slice(&element.inner);
    let order = match OrderArgument::of(order, OrderArgument::C, "CF")? {
        OrderArgument::F => Order::F,
        _ => Order::C,
    };
    let layout = Layout::contiguous(&shape, element.size, order).or_raise(py)?;
    Ok((layout, element))
}

/// Make an array without particular values, of float64 if no dtype is given.
///
/// On the current device, or the stream's. Raises OutOfMemoryError, which says how much was free.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, *, order=None, device=None, stream=None))]
pub fn empty<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let (layout, element) = new_layout(py, shape, dtype, order)?;
    let place = Place::of(py, device, stream)?;
    Array::allocate(py, None, layout, element, place)
}

/// Make an array of zeros. The arguments and errors are those of `empty`.
#[pyfunction]
#[pyo3(signature = (shape, dtype=None, *, order=None, device=None, stream=None))]
pub fn zeros<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let array = empty(py, shape, dtype, order, device, stream)?;
    array.get().clear(py, "cuox.zeros()")?;
    Ok(array)
}

/// Make an array of one value everywhere, or of values that are broadcast to its shape. Without a dtype it is the
/// value's.
///
/// The other arguments and the errors are those of `empty`.
#[pyfunction]
#[pyo3(signature = (shape, value, dtype=None, *, order=None, device=None, stream=None))]
pub fn full<'py>(
    py: Python<'py>,
    shape: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let found;
    let dtype = match (given(dtype), value.cast::<Array>()) {
        (Some(dtype), _) => dtype,
        (None, Ok(array)) => {
            found = array.get().element.dtype.bind(py).clone();
            &found
        }
        (None, Err(_)) => {
            found = numpy::dtype_of(&Numpy::get(py)?.asarray(value, None)?)?;
            &found
        }
    };
    let array = empty(py, shape, Some(dtype), order, device, stream)?;
    Array::assign(&array, value, stream, "cuox.full()")?;
    Ok(array)
}

/// A new array like another, or like an array of NumPy's.
struct Like<'a, 'py> {
    prototype: &'a Bound<'py, PyAny>,
    dtype: Option<&'a Bound<'py, PyAny>>,
    order: Option<&'a Bound<'py, PyAny>>,
    shape: Option<&'a Bound<'py, PyAny>>,
    device: Option<&'a Bound<'py, PyAny>>,
    stream: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Like<'_, 'py> {
    fn make(&self) -> PyResult<Bound<'py, Array>> {
        let py = self.prototype.py();
        if let Ok(array) = self.prototype.cast::<Array>() {
            let of = array.get();
            let place = Place::beside(py, of, self.device, self.stream)?;
            let class = Array::subclass(array);
            return self.with(py, class, &of.layout, || Ok(of.element.share(py)), place);
        }
        let host = Numpy::get(py)?.asarray(self.prototype, None)?;
        let element = Element::of(py, Some(&numpy::dtype_of(&host)?))?;
        let layout = Layout::strided(&numpy::shape(&host)?, &numpy::strides(&host)?, element.size)
            .or_raise(py)?;
        let place = Place::of(py, self.device, self.stream)?;
        self.with(py, None, &layout, || Ok(element), place)
    }

    fn with(
        &self,
        py: Python<'py>,
        class: Option<Bound<'py, PyType>>,
        like: &Layout,
        own: impl FnOnce() -> PyResult<Counted<Element>>,
        place: Place,
    ) -> PyResult<Bound<'py, Array>> {
        let element = match given(self.dtype) {
            Some(dtype) => Element::of(py, Some(dtype))?,
            None => own()?,
        };
        let mut shape: Dims<usize> = match given(self.shape) {
            Some(shape) => shape_argument(shape)?,
            None => like.shape().into(),
        };
        shape.extend_from_slice(&element.inner);
        let order = OrderArgument::of(self.order, OrderArgument::K, "CFAK")?;
        let layout = if order == OrderArgument::K && shape.len() == like.ndim() {
            // The order of the prototype, also for another shape.
            like.reshaped_like(&shape, element.size)
        } else {
            Layout::contiguous(&shape, element.size, order.of_new(like))
        };
        Array::allocate(py, class.as_ref(), layout.or_raise(py)?, element, place)
    }
}

impl OrderArgument {
    /// The order of a new array beside one of this layout.
    pub fn of_new(self, layout: &Layout) -> Order {
        let fortran = || layout.is_contiguous(Order::F) && !layout.is_contiguous(Order::C);
        match self {
            Self::F => Order::F,
            Self::A | Self::K if fortran() => Order::F,
            _ => Order::C,
        }
    }
}

/// Make an array of the shape, dtype, order, class and device of another, without particular values.
///
/// prototype: a `cuox.Array`, or a host array. The other arguments replace what it says. Raises OutOfMemoryError.
#[pyfunction]
#[pyo3(signature = (prototype, dtype=None, *, order=None, shape=None, device=None, stream=None))]
pub fn empty_like<'py>(
    prototype: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    Like {
        prototype,
        dtype,
        order,
        shape,
        device,
        stream,
    }
    .make()
}

/// Make an array like another, of zeros. The arguments and errors are those of `empty_like`.
#[pyfunction]
#[pyo3(signature = (prototype, dtype=None, *, order=None, shape=None, device=None, stream=None))]
pub fn zeros_like<'py>(
    prototype: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let array = empty_like(prototype, dtype, order, shape, device, stream)?;
    array.get().clear(array.py(), "cuox.zeros_like()")?;
    Ok(array)
}

/// Make an array like another, of one value everywhere. The other arguments and the errors are those of `empty_like`.
#[pyfunction]
#[pyo3(signature = (prototype, value, dtype=None, *, order=None, shape=None, device=None, stream=None))]
#[allow(clippy::too_many_arguments, reason = "numpy.full_like has as many")]
pub fn full_like<'py>(
    prototype: &Bound<'py, PyAny>,
    value: &Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    order: Option<&Bound<'py, PyAny>>,
    shape: Option<&Bound<'py, PyAny>>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let array = empty_like(prototype, dtype, order, shape, device, stream)?;
    Array::assign(&array, value, stream, "cuox.full_like()")?;
    Ok(array)
}

/// Copy anything that NumPy turns into an array, or an array on a device, to a new array in the same order.
///
/// Without a stream the copy is done on return. Raises TypeError for elements that are Python objects,
/// OutOfMemoryError.
#[pyfunction]
#[pyo3(signature = (x, *, device=None, stream=None))]
pub fn to_device<'py>(
    x: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    const USER: &str = "cuox.to_device()";
    let py = x.py();
    if let Some(array) = exchange::on_device(x, device, stream)? {
        let like = array.get();
        let place = Place::beside(py, like, device, stream)?;
        let layout = like.layout.like(like.element.size).or_raise(py)?;
        let class = Array::subclass(&array);
        let element = like.element.share(py);
        let copy = Array::allocate(py, class.as_ref(), layout, element, place)?;
        Array::assign(&copy, array.as_any(), stream, USER)?;
        return Ok(copy);
    }
    from_host(None, x, device, stream, USER)
}

/// A copy of what NumPy makes of an object.
pub fn from_host<'py>(
    class: Option<&Bound<'py, PyType>>,
    x: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
    user: &str,
) -> PyResult<Bound<'py, Array>> {
    let py = x.py();
    let numpy = Numpy::get(py)?;
    let host = match numpy.is_array(x) {
        true => x.clone(),
        false => numpy.asarray(x, None)?,
    };
    numpy::refuse_mask(&host)?;
    let element = Element::of(py, Some(&numpy::dtype_of(&host)?))?;
    let layout = Layout::strided(&numpy::shape(&host)?, &numpy::strides(&host)?, element.size)
        .and_then(|layout| layout.like(element.size))
        .or_raise(py)?;
    let place = Place::of(py, device, stream)?;
    let array = Array::allocate(py, class, layout, element, place)?;
    Array::assign(&array, &host, stream, user)?;
    Ok(array)
}

/// `Array(shape, dtype, buffer=…)`: an array in memory that is there, or in new memory.
pub struct Constructor<'a, 'py> {
    pub shape: &'a Bound<'py, PyAny>,
    pub dtype: Option<&'a Bound<'py, PyAny>>,
    pub buffer: Option<&'a Bound<'py, PyAny>>,
    pub offset: usize,
    pub strides: Option<&'a Bound<'py, PyAny>>,
    pub order: Option<&'a Bound<'py, PyAny>>,
    pub device: Option<&'a Bound<'py, PyAny>>,
    pub stream: Option<&'a Bound<'py, PyAny>>,
}

impl<'py> Constructor<'_, 'py> {
    pub fn make(&self) -> PyResult<Array> {
        let py = self.shape.py();
        let (mut layout, element) = new_layout(py, self.shape, self.dtype, self.order)?;
        if let Some(strides) = given(self.strides) {
            let mut list: Vec<isize> = strides.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "strides: expected a tuple of ints, got {}",
                    type_name(strides)
                ))
            })?;
            // A subarray's own dimensions are contiguous.
            let inner = layout.ndim().saturating_sub(element.inner.len());
            list.extend_from_slice(&layout.strides()[inner..]);
            layout = Layout::strided(layout.shape(), &list, element.size).or_raise(py)?;
        }
        let Some(buffer) = given(self.buffer) else {
            return self.in_new_memory(py, layout, element);
        };
        let (buffer, base, begin, offset, end, read_only) = self.memory(buffer)?;
        let (low, high) = layout.span();
        let fits = offset
            .checked_add_signed(low)
            .zip(offset.checked_add_signed(high))
            .is_some_and(|(start, last)| start >= begin && last <= end);
        if !fits {
            return Err(PyValueError::new_err(format!(
                "elements at bytes {low} to {high} from byte {} do not fit in a buffer of {} bytes",
                offset - begin,
                end - begin
            )));
        }
        let mut array = Array::within(buffer, offset, layout, element);
        array.base = base;
        array.read_only = read_only;
        Ok(array)
    }

    fn in_new_memory(
        &self,
        py: Python<'py>,
        layout: Layout,
        element: Counted<Element>,
    ) -> PyResult<Array> {
        if self.offset != 0 {
            return Err(PyValueError::new_err(
                "offset: there is no buffer that it could be in",
            ));
        }
        let place = Place::of(py, self.device, self.stream)?;
        let (low, high) = layout.span();
        let buffer =
            Buffer::allocate_object(py, place.device, (high - low) as usize, place.stream)?;
        Ok(Array::within(
            buffer.into(),
            low.unsigned_abs(),
            layout,
            element,
        ))
    }

    /// The buffer; the array that it was given as; where the bytes begin in it that may be used, where the first
    /// element is and where the bytes end; whether they may only be read.
    #[allow(clippy::type_complexity, reason = "used once")]
    fn memory(
        &self,
        object: &Bound<'py, PyAny>,
    ) -> PyResult<(
        Reference<Buffer>,
        Option<Reference<PyAny>>,
        usize,
        usize,
        usize,
        bool,
    )> {
        if given(self.device).is_some() || given(self.stream).is_some() {
            return Err(PyValueError::new_err(
                "device and stream: the buffer is where it is; leave them out",
            ));
        }
        let py = object.py();
        if let Ok(buffer) = object.cast::<Buffer>() {
            buffer.get().open_address(py)?;
            let size = buffer.get().size;
            return Ok((buffer.clone().into(), None, 0, self.offset, size, false));
        }
        let Ok(array) = object.cast::<Array>() else {
            return Err(crate::support::plain_args::wrong_kind(
                "buffer",
                "a cuox.Buffer or a cuox.Array",
                object,
            ));
        };
        let of = array.get();
        if !of.contiguous {
            return Err(PyValueError::new_err(
                "buffer: the array's elements are not contiguous; pass array.buffer, or a copy",
            ));
        }
        let place = of.offset.checked_add(self.offset).ok_or_else(|| {
            PyValueError::new_err(format!("offset: {} is too large", self.offset))
        })?;
        Ok((
            of.buffer.clone_ref(py).into(),
            Some(array.clone().into_any().into()),
            of.offset,
            place,
            of.offset + of.layout.nbytes(),
            of.read_only,
        ))
    }
}
