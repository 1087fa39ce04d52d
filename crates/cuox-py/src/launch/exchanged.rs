//! Arrays of other libraries by DLPack's functions in C (`__dlpack_c_exchange_api__`), above all PyTorch's tensors:
//! what they show, and the stream in which their library works.

use cuox::array::layout::Dims;
use cuox::array::{Layout, Order};
use cuox::launch::Dtype;
use cuox::memory::uses::Access;
use cuox_interpreter::dlpack::exchange_api::{ExchangeApi, Found};
use cuox_interpreter::dlpack::{self, Tensor};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;

use super::pointer_like::PointerLike;
use crate::array::numpy::Numpy;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::{ConsumerStream, StreamRef};
use crate::support::handles::attribute;
use crate::support::names::type_name;

/// DLPack's number of complex types.
const COMPLEX: u8 = 5;

/// The functions of an object's class, if they are another library's.
#[inline]
fn functions(object: &Bound<'_, PyAny>) -> PyResult<Option<Found>> {
    let found = ExchangeApi::found(object)?;
    // Our own views say more by their methods.
    Ok(found.filter(|found| !found.api.is_own()))
}

/// What an object shows, and the tensor that keeps it where a borrowed one does not tell enough.
fn shown(
    found: Found,
    object: &Bound<'_, PyAny>,
    access: Access,
) -> PyResult<Option<(Tensor, Option<dlpack::Import>)>> {
    // A borrowed tensor does not say that it may only be read.
    let taken = match access {
        Access::Write if !found.is_writable => found.api.take(object)?,
        _ => None,
    };
    Ok(match taken {
        Some(taken) => Some((*taken.tensor(), Some(taken))),
        None => found.api.borrow(object)?.map(|tensor| (tensor, None)),
    })
}

/// True if a tensor tells all about an object that shows it.
pub fn tells_all(object: &Bound<'_, PyAny>, tensor: &Tensor) -> PyResult<bool> {
    let py = object.py();
    // A tensor on the host does not say that it may only be read, as arrays of NumPy's may.
    if tensor.device().device_type == dlpack::CPU && Numpy::get(py)?.is_array(object) {
        return Ok(false);
    }
    // Of complex numbers that are still to be conjugated, PyTorch tells in Python alone.
    Ok(tensor.dtype().code != COMPLEX
        || attribute(object, intern!(py, "__dlpack_device__"))?.is_none())
}

/// True for memory on a CUDA device.
fn is_on_device(place: dlpack::Device) -> bool {
    matches!(place.device_type, dlpack::CUDA | dlpack::CUDA_MANAGED)
}

/// True if the stream can be ordered with the one of a tensor: both are of one device.
fn is_here(place: dlpack::Device, stream: &cuox::Stream) -> bool {
    !is_on_device(place) || usize::try_from(place.device_id) == Ok(stream.device().ordinal())
}

/// Puts the consumer's stream behind the one in which a tensor's library works.
#[inline]
fn put_behind(api: &ExchangeApi, tensor: &Tensor, order: &ConsumerStream<'_>) -> PyResult<()> {
    let place = tensor.device();
    if !is_on_device(place) || order.is_behind(std::ptr::from_ref(api).addr(), place.device_id) {
        return Ok(());
    }
    idle::others_seen();
    match api.stream(order.py, tensor)? {
        Some(producer) => order.after_handle(producer),
        None => Ok(()),
    }
}

/// The error of an object that shows no memory, such as a tensor inside of `torch.vmap`.
#[cold]
fn no_memory(object: &Bound<'_, PyAny>, error: PyErr) -> PyErr {
    let py = object.py();
    let text = error.value(py).to_string();
    // PyTorch's goes on with the frames of its call stack.
    let why = text.lines().next().unwrap_or_default();
    let told = PyValueError::new_err(format!("{} shows no memory: {why}", type_name(object)));
    told.set_cause(py, Some(error));
    told
}

/// An object as a device pointer. None if its class has no such functions, or these do not tell all.
#[inline]
pub fn pointer(
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
    access: Access,
) -> PyResult<Option<PointerLike>> {
    let Some(found) = functions(object)? else {
        return Ok(None);
    };
    let shown = shown(found, object, access).map_err(|error| no_memory(object, error));
    let Some((tensor, taken)) = shown? else {
        return Ok(None);
    };
    if !tells_all(object, &tensor)? || !is_here(tensor.device(), order.stream) {
        return Ok(None);
    }
    let address = tensor.address();
    match tensor.device().device_type {
        dlpack::CUDA | dlpack::CUDA_MANAGED | dlpack::CUDA_HOST => {}
        dlpack::CPU if order.reaches(address) => {}
        dlpack::CPU => return Ok(Some(PointerLike::Host)),
        _ => return Ok(Some(PointerLike::Nothing)),
    }
    // SAFETY: the object is alive, and no Python code has changed it since.
    if !unsafe { tensor.is_contiguous() } {
        return Ok(Some(PointerLike::Strided));
    }
    put_behind(found.api, &tensor, order)?;
    let dtype = tensor.dtype();
    Ok(Some(PointerLike::Memory {
        address,
        read_only: taken.is_some_and(|taken| taken.read_only),
        dtype: Some(Dtype::of_dlpack(dtype.code, dtype.bits)),
    }))
}

/// The dimensions of a tensor, strides in bytes. None for those of elements that are not whole bytes.
fn layout_of(tensor: &Tensor) -> Option<Layout> {
    let dtype = tensor.dtype();
    let size = usize::from(dtype.bits / 8);
    if dtype.lanes != 1 || !dtype.bits.is_multiple_of(8) || size == 0 {
        return None;
    }
    // SAFETY: the object is alive, and no Python code has changed it since.
    let (shape, strides) = unsafe { (tensor.shape(), tensor.strides()) };
    let shape: Dims<usize> = shape
        .iter()
        .map(|&extent| usize::try_from(extent).ok())
        .collect::<Option<_>>()?;
    match strides {
        None => Layout::contiguous(&shape, size, Order::C).ok(),
        Some(strides) => {
            let strides: Dims<isize> = strides
                .iter()
                .map(|&stride| (stride as isize).checked_mul(size as isize))
                .collect::<Option<_>>()?;
            Layout::strided(&shape, &strides, size).ok()
        }
    }
}

/// True for a tensor in the memory of a stream's device that tells all about an object.
fn is_usable(object: &Bound<'_, PyAny>, tensor: &Tensor, stream: &cuox::Stream) -> PyResult<bool> {
    let place = tensor.device();
    Ok(is_on_device(place) && is_here(place, stream) && tells_all(object, tensor)?)
}

/// A tensor in the memory of a device. It is there until Python code runs.
pub struct Seen {
    api: &'static ExchangeApi,
    tensor: Tensor,
    /// The dimensions.
    pub layout: Layout,
    /// True if it may only be read.
    pub read_only: bool,
}

impl Seen {
    /// What an object on a stream's device shows. None for others.
    pub fn of(object: &Bound<'_, PyAny>, stream: &cuox::Stream) -> PyResult<Option<Self>> {
        let Some(found) = functions(object)? else {
            return Ok(None);
        };
        let Some((tensor, taken)) = shown(found, object, Access::Write)? else {
            return Ok(None);
        };
        if !is_usable(object, &tensor, stream)? {
            return Ok(None);
        }
        Ok(layout_of(&tensor).map(|layout| Self {
            api: found.api,
            tensor,
            layout,
            read_only: taken.is_some_and(|taken| taken.read_only),
        }))
    }

    /// The type of the elements.
    pub fn dtype(&self) -> dlpack::DataType {
        self.tensor.dtype()
    }

    /// The address, for a stream that is put behind the one in which the tensor's library works.
    pub fn address(&self, order: &ConsumerStream<'_>) -> PyResult<u64> {
        put_behind(self.api, &self.tensor, order)?;
        Ok(self.tensor.address())
    }
}

/// True if the class of an object has such functions.
#[inline]
pub fn is_exchanged(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(functions(object)?.is_some())
}

/// The tensor of an object, to keep, behind whose library's stream the consumer's is put. None as for [`pointer`].
pub fn take(
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
) -> PyResult<Option<dlpack::Import>> {
    let Some(Found { api, .. }) = functions(object)? else {
        return Ok(None);
    };
    let taken = api.take(object).map_err(|error| no_memory(object, error));
    let Some(taken) = taken? else {
        return Ok(None);
    };
    let tensor = *taken.tensor();
    if !tells_all(object, &tensor)? || !is_here(tensor.device(), order.stream) {
        return Ok(None);
    }
    put_behind(api, &tensor, order)?;
    Ok(Some(taken))
}

/// The stream of a launch that names none: that in which the library of its first tensor on the device works now, such
/// as `torch.cuda.current_stream()`. None without such a tensor, and if that is the default stream.
#[inline]
pub fn current_stream<'a, 'py: 'a>(
    py: Python<'py>,
    objects: impl Iterator<Item = &'a Bound<'py, PyAny>>,
    device: cuox::Device,
) -> PyResult<Option<cuox::Stream>> {
    for object in objects {
        let Some(Found { api, .. }) = functions(object)? else {
            continue;
        };
        // An object that shows nothing is refused as the parameter that it is given for.
        let Ok(Some(tensor)) = api.borrow(object) else {
            continue;
        };
        let place = tensor.device();
        if !is_on_device(place) || usize::try_from(place.device_id) != Ok(device.ordinal()) {
            continue;
        }
        return match api.stream(py, &tensor)? {
            Some(handle) if handle > cuox::stream::LEGACY => {
                let context = device.context().or_raise(py)?;
                idle::others_seen();
                // SAFETY: the library's current stream is alive as long as it is current.
                Ok(Some(unsafe { cuox::Stream::from_raw(&context, handle) }))
            }
            _ => Ok(None),
        };
    }
    Ok(None)
}

/// The stream of a launch: the one that it names, else that of [`current_stream`], else the default stream.
#[inline]
pub fn stream_for<'a, 'py: 'a>(
    py: Python<'py>,
    given: &StreamRef,
    is_named: bool,
    objects: impl Iterator<Item = &'a Bound<'py, PyAny>>,
) -> PyResult<StreamRef> {
    if !is_named && let Some(current) = current_stream(py, objects, given.device())? {
        return Ok(StreamRef::Own(current));
    }
    Ok(given.share(py))
}
