//! Views of what others show: DLPack, in C and in Python, the array interfaces, and buffers.

use cuox_interpreter::dlpack::exchange_api::ExchangeApi;
use cuox_interpreter::dlpack::{self, Tensor};
use cuox_interpreter::gate;
use pyo3::exceptions::{PyBufferError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use smallvec::smallvec;

use super::layout::{StridedLayout, divided, itemsize_argument};
use super::{Elements, StridedMemoryView};
use crate::array::Array;
use crate::array::element::Element;
use crate::array::exchange::{self, sizes};
use crate::buffer::{Buffer, Reach};
use crate::device;
use crate::error::OrRaise;
use crate::idle;
use crate::launch::interface::{self, Interface};
use crate::launch::{exchanged, foreign};
use crate::stream::ConsumerStream;
use crate::support::closable::Guarded;
use crate::support::handles::attribute;
use crate::support::plain_args;
use crate::support::plain_args::given;
use crate::support::pool::Reference;

/// Keeps what DLPack has given out.
pub enum Kept {
    Tensor(#[allow(dead_code, reason = "held, never read")] exchange::Kept),
    /// The view that has the tensor.
    View(#[allow(dead_code, reason = "held, never read")] Reference<StridedMemoryView>),
}

/// The stream that uses a view.
#[derive(Clone, Copy)]
enum Consumer {
    Unsaid,
    /// -1: it asks for no order.
    Unordered,
    Stream(u64),
}

impl Consumer {
    #[inline]
    fn of(stream_ptr: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(stream) = given(stream_ptr) else {
            return Ok(Self::Unsaid);
        };
        // Handles of `cuda.bindings` are ints by `__int__` only.
        let number = match stream.extract::<i64>() {
            Ok(number) => number,
            Err(_) => {
                let read = attribute(stream, intern!(stream.py(), "__int__"))?
                    .map(|method| gate::call0(&method)?.extract::<i64>());
                read.transpose()?.ok_or_else(|| {
                    plain_args::wrong_kind("stream_ptr", "a CUstream as an int, or -1", stream)
                })?
            }
        };
        match number {
            -1 => Ok(Self::Unordered),
            // Null is the legacy default stream, whose other name is 1.
            0 => Ok(Self::Stream(cuox::stream::LEGACY as u64)),
            number => u64::try_from(number).map(Self::Stream).map_err(|_| {
                PyValueError::new_err(format!(
                    "stream_ptr must be a stream's handle or -1, got {number}"
                ))
            }),
        }
    }

    /// The same, said.
    fn said(self) -> PyResult<Self> {
        match self {
            Self::Unsaid => Err(PyBufferError::new_err(
                "stream=None is ambiguous with view(): pass the handle of the stream that uses the view, or -1 for no order",
            )),
            said => Ok(said),
        }
    }

    /// Puts the stream behind another one of the same device.
    fn after(self, py: Python<'_>, device_id: i32, producer: u64) -> PyResult<()> {
        let Self::Stream(consumer) = self else {
            return Ok(());
        };
        let producer = if producer == 0 {
            cuox::stream::LEGACY as u64
        } else {
            producer
        };
        if consumer == producer {
            return Ok(());
        }
        self.in_order(py, device_id, |order| order.after(producer))
    }

    /// Calls `work` with the stream.
    fn in_order(
        self,
        py: Python<'_>,
        device_id: i32,
        work: impl FnOnce(&ConsumerStream<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let Self::Stream(consumer) = self else {
            return Ok(());
        };
        let mut device = device::current(py)?;
        if let Ok(ordinal) = usize::try_from(device_id)
            && ordinal != device.ordinal()
        {
            device = cuox::Device::of(device.driver(), ordinal).or_raise(py)?;
        }
        let context = device.context().or_raise(py)?;
        idle::others_seen();
        // SAFETY: the caller promises a live stream of this device.
        let stream = unsafe { cuox::Stream::from_raw(&context, consumer as usize) };
        work(&ConsumerStream::new(py, &stream))
    }
}

/// Refuses memory of devices that are not CUDA's.
fn check_kind(device: dlpack::Device) -> PyResult<()> {
    match device.device_type {
        dlpack::CPU | dlpack::CUDA | dlpack::CUDA_HOST | dlpack::CUDA_MANAGED => Ok(()),
        other => Err(PyBufferError::new_err(format!(
            "device not supported: DLPack's device type {other}; the host's memory and CUDA's are (1, 2, 3, 13)"
        ))),
    }
}

/// True for an object that speaks DLPack, False for one with the CUDA Array Interface. Raises BufferError for others.
pub fn has_dlpack(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    if attribute(object, intern!(py, "__dlpack__"))?.is_some()
        && attribute(object, intern!(py, "__dlpack_device__"))?.is_some()
    {
        return Ok(true);
    }
    match attribute(object, intern!(py, "__cuda_array_interface__"))? {
        Some(_) => Ok(false),
        None => Err(PyBufferError::new_err(
            "the input object does not support any data exchange protocol: expected __dlpack__ with __dlpack_device__, or \
             __cuda_array_interface__",
        )),
    }
}

impl StridedMemoryView {
    /// A view of a tensor, whose dimensions are copied.
    #[inline]
    pub fn of_tensor(
        object: Option<&Bound<'_, PyAny>>,
        py: Python<'_>,
        tensor: &Tensor,
    ) -> PyResult<Self> {
        let place = tensor.device();
        check_kind(place)?;
        let dtype = tensor.dtype();
        let bits = usize::from(dtype.bits) * usize::from(dtype.lanes);
        if !bits.is_multiple_of(8) {
            return Err(PyValueError::new_err(format!(
                "dl_tensor.dtype.bits must be a multiple of 8, got elements of {bits} bits"
            )));
        }
        // SAFETY: no Python code has run since the tensor was filled in, or it is kept.
        let (shape, strides) = unsafe { (tensor.shape(), tensor.strides()) };
        let layout = StridedLayout::of(py, sizes(shape)?, strides, bits / 8)?;
        let is_host = place.device_type == dlpack::CPU;
        Ok(Self {
            ptr: tensor.address(),
            device_id: if is_host {
                -1
            } else {
                i64::from(place.device_id)
            },
            is_device_accessible: !is_host,
            exporting_obj: object.map(|object| object.clone().into()),
            elements: Elements::Dlpack(dtype),
            layout: Some(layout),
            place: Some(place),
            ..Self::empty()
        })
    }

    /// By the functions of the object's class, in C; None if these do not show an object.
    #[inline]
    fn of_exchange_api(object: &Bound<'_, PyAny>, consumer: Consumer) -> PyResult<Option<Self>> {
        let Some(api) = ExchangeApi::of(object)? else {
            return Ok(None);
        };
        let Some(tensor) = api.borrow(object)? else {
            return Ok(None);
        };
        let view = Self::of_tensor(Some(object), object.py(), &tensor)?;
        let place = tensor.device();
        if !exchanged::tells_all(object, &tensor)? {
            return Ok(None);
        }
        if place.device_type == dlpack::CPU || place.device_type == dlpack::CUDA {
            consumer.said()?;
        }
        if place.device_type != dlpack::CPU
            && matches!(consumer, Consumer::Stream(_))
            && let Some(producer) = api.stream(object.py(), &tensor)?
        {
            consumer.after(object.py(), place.device_id, producer as u64)?;
        }
        Ok(Some(view))
    }

    /// By DLPack.
    pub fn of_dlpack(
        object: &Bound<'_, PyAny>,
        stream_ptr: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let consumer = Consumer::of(stream_ptr)?;
        match Self::at_once(object, consumer)? {
            Some(view) => Ok(view),
            None => Self::of_dlpack_methods(object, consumer),
        }
    }

    /// By neither attributes nor methods in Python: of what is ours, else by the functions in C.
    #[inline]
    fn at_once(object: &Bound<'_, PyAny>, consumer: Consumer) -> PyResult<Option<Self>> {
        // A class whose functions in C are known is none of ours, but that of views, which have them, too.
        if ExchangeApi::seen(object).is_none()
            && let Some(view) = Self::of_ours(object, consumer)?
        {
            return Ok(Some(view));
        }
        Self::of_exchange_api(object, consumer)
    }

    /// By `__dlpack_device__` and `__dlpack__`.
    fn of_dlpack_methods(object: &Bound<'_, PyAny>, consumer: Consumer) -> PyResult<Self> {
        let place = foreign::dlpack_device(object)?;
        check_kind(place)?;
        let on_device = place.device_type == dlpack::CUDA;
        if on_device || place.device_type == dlpack::CPU {
            consumer.said()?;
        }
        if on_device {
            idle::others_seen();
        }
        let stream = match consumer {
            Consumer::Unordered if place.device_type != dlpack::CPU => Some(-1),
            Consumer::Stream(stream) if place.device_type != dlpack::CPU => Some(stream as i64),
            _ => None,
        };
        let tensor = foreign::dlpack_export(object, stream)?;
        let mut view = Self::of_tensor(Some(object), object.py(), tensor.tensor())?;
        view.read_only = tensor.read_only;
        view.tensor = Some(Kept::Tensor(exchange::Kept::new(tensor)));
        Ok(view)
    }

    /// A view of an array or a buffer of ours: of the software GPU's, DLPack would say that it is the host's.
    fn of_ours(object: &Bound<'_, PyAny>, consumer: Consumer) -> PyResult<Option<Self>> {
        let py = object.py();
        let (buffer, mut view) = if let Ok(array) = object.cast::<Array>() {
            let array = array.get();
            let layout = array.layout();
            let strides: Vec<i64> = layout.strides().iter().map(|&it| it as i64).collect();
            divided(&strides, layout.itemsize())?;
            let layout = StridedLayout::whole(layout.clone(), true);
            let view = Self {
                ptr: array.address(py)?,
                read_only: array.read_only(),
                elements: Elements::Known(array.element().share(py)),
                layout: Some(layout),
                ..Self::empty()
            };
            (array.buffer(py), view)
        } else if let Ok(buffer) = object.cast::<Buffer>() {
            let size = buffer.get().size;
            let layout = StridedLayout::of(py, smallvec![size], None, 1)?;
            let bytes = Element::of(py, Some(intern!(py, "u1").as_any()))?;
            let view = Self {
                ptr: buffer.get().open_address(py)?,
                elements: Elements::Known(bytes),
                layout: Some(layout),
                ..Self::empty()
            };
            (buffer.clone(), view)
        } else {
            return Ok(None);
        };
        let memory = buffer.get();
        view.device_id = memory.device_id(py)?;
        view.is_device_accessible = memory.is_device_accessible(py)?;
        view.exporting_obj = Some(object.clone().into());
        let is_host = memory.is_host_accessible(py)?;
        if !(is_host && view.is_device_accessible) {
            consumer.said()?;
        }
        if let Consumer::Stream(stream) = consumer {
            memory.hand_over(py, stream as usize)?;
        }
        Ok(Some(view))
    }

    /// By the CUDA Array Interface.
    pub fn of_cuda_array(
        object: &Bound<'_, PyAny>,
        stream_ptr: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let consumer = Consumer::of(stream_ptr)?;
        // PyTorch's interface is of version 2 and names no stream: its functions in C say that.
        match Self::of_exchange_api(object, consumer)? {
            Some(view) => Ok(view),
            None => Self::of_cuda_array_attribute(object, consumer),
        }
    }

    /// By `__cuda_array_interface__`.
    fn of_cuda_array_attribute(object: &Bound<'_, PyAny>, consumer: Consumer) -> PyResult<Self> {
        let py = object.py();
        let value = gate::getattr(object, intern!(py, "__cuda_array_interface__"))?;
        let interface = Interface::of(&value, interface::CUDA)?;
        let mut view = Self::of_interface(object, &interface, "CUDA Array Interface")?;
        let consumer = consumer.said()?;
        let device = device::current(py)?;
        view.is_device_accessible = true;
        view.device_id = device.ordinal() as i64;
        if view.ptr != 0 {
            let reach = Reach::of(py, &device.context().or_raise(py)?, view.ptr)?;
            if !reach.by_device {
                return Err(PyValueError::new_err(format!(
                    "__cuda_array_interface__: 'data' has address {:#x}, which is not memory of a device",
                    view.ptr
                )));
            }
            view.device_id = reach.device_id;
        }
        consumer.in_order(py, view.device_id as i32, |order| {
            interface.after_producer(order)
        })?;
        Ok(view)
    }

    /// By NumPy's array interface.
    pub fn of_host_array(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let value = gate::getattr(object, intern!(py, "__array_interface__"))?;
        let interface = Interface::of(&value, interface::HOST)?;
        let mut view = Self::of_interface(object, &interface, "NumPy Array Interface")?;
        view.device_id = device::current(py)?.ordinal() as i64;
        Ok(view)
    }

    /// What both interfaces say.
    fn of_interface<'py>(
        object: &Bound<'py, PyAny>,
        interface: &Interface<'_, 'py>,
        name: &str,
    ) -> PyResult<Self> {
        let py = object.py();
        if interface.version()? < 3 {
            return Err(PyBufferError::new_err(format!(
                "only {name} v3 or above is supported"
            )));
        }
        if interface.get("mask")?.is_some() {
            return Err(PyBufferError::new_err(format!(
                "{name}: mask is not supported"
            )));
        }
        let typestr = interface.item("typestr")?;
        let element = Element::of(py, Some(&typestr)).map_err(|_| interface.no_type(&typestr))?;
        let shape = sizes(&interface.sizes("shape")?)?;
        let strides = match interface.get("strides")? {
            Some(_) => Some(divided(&interface.sizes("strides")?, element.size)?),
            None => None,
        };
        let (ptr, read_only) = interface.data()?;
        Ok(Self {
            ptr,
            read_only,
            layout: Some(StridedLayout::of(
                py,
                shape,
                strides.as_deref(),
                element.size,
            )?),
            exporting_obj: Some(object.clone().into()),
            elements: Elements::Known(element),
            ..Self::empty()
        })
    }

    /// By what the object has.
    #[inline]
    pub fn of_any(
        object: &Bound<'_, PyAny>,
        stream_ptr: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let consumer = Consumer::of(stream_ptr)?;
        if let Some(view) = Self::at_once(object, consumer)? {
            return Ok(view);
        }
        match has_dlpack(object)? {
            true => Self::of_dlpack_methods(object, consumer),
            false => Self::of_cuda_array_attribute(object, consumer),
        }
    }

    /// A view of a buffer.
    pub fn of_buffer(buffer: &Bound<'_, Buffer>, layout: StridedLayout) -> PyResult<Self> {
        let (py, memory) = (buffer.py(), buffer.get());
        let start = memory.open_address(py)?;
        check_inside(memory, py, start, &layout)?;
        Ok(Self {
            ptr: start.wrapping_add_signed(layout.offset as i64),
            device_id: memory.device_id(py)?,
            is_device_accessible: memory.is_device_accessible(py)?,
            exporting_obj: Some(buffer.clone().into_any().into()),
            layout: Some(layout),
            layout_object: Guarded::new(None),
            ..Self::empty()
        })
    }
}

/// Refuses a layout at the address `start` that leaves a buffer. Of memory of other libraries nobody knows the size.
pub fn check_inside(
    buffer: &Buffer,
    py: Python<'_>,
    start: u64,
    layout: &StridedLayout,
) -> PyResult<()> {
    if buffer.memory_resource(py)?.is_none() {
        return Ok(());
    }
    let required = layout.required_size_in_bytes()?.max(0) as u64;
    let before = start.saturating_sub(buffer.open_address(py)?);
    let size = (buffer.size as u64).saturating_sub(before);
    match size < required {
        true => Err(PyValueError::new_err(format!(
            "Buffer size is too small for the layout. Expected at least {required} bytes, got {size} bytes."
        ))),
        false => Ok(()),
    }
}

/// The argument `buffer`.
pub fn buffer_argument<'a, 'py>(buffer: &'a Bound<'py, PyAny>) -> PyResult<&'a Bound<'py, Buffer>> {
    buffer.cast::<Buffer>().map_err(|_| {
        plain_args::wrong_kind(
            "StridedMemoryView.from_buffer: buffer",
            "a cuox.Buffer",
            buffer,
        )
    })
}

/// An argument that is a view.
pub fn view_argument<'a, 'py>(
    user: &str,
    view: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, StridedMemoryView>> {
    view.cast::<StridedMemoryView>()
        .map_err(|_| plain_args::wrong_kind(&format!("{user}: other"), "a StridedMemoryView", view))
}

/// The type of elements, and their bytes.
pub fn elements_argument(
    itemsize: Option<&Bound<'_, PyAny>>,
    dtype: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Elements, usize)> {
    let itemsize = given(itemsize).map(itemsize_argument).transpose()?;
    let Some(dtype) = given(dtype) else {
        let Some(itemsize) = itemsize else {
            return Err(PyValueError::new_err(
                "Either itemsize or dtype must be specified",
            ));
        };
        return Ok((Elements::Unknown, itemsize));
    };
    let element = Element::of(dtype.py(), Some(dtype))?;
    if !element.inner.is_empty() {
        return Err(PyValueError::new_err(format!(
            "dtype {dtype} has dimensions of its own: give them in the shape"
        )));
    }
    match itemsize {
        Some(itemsize) if itemsize != element.size => Err(PyValueError::new_err(format!(
            "itemsize ({itemsize}) does not match dtype.itemsize ({})",
            element.size
        ))),
        _ => {
            let size = element.size;
            Ok((Elements::Known(element), size))
        }
    }
}
