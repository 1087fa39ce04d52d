//! Arrays of other libraries as arrays of ours, and the other way round; pickles.

use std::mem::ManuallyDrop;

use cuox::array::Layout;
use cuox::array::layout::Dims;
use cuox::driver::sys;
use cuox_interpreter::{dlpack, gate};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyTuple, PyType};

use super::create::from_host;
use super::element::{Element, shown};
use super::numpy::Numpy;
use super::{Array, OrRaiseLayout};
use crate::buffer::{Buffer, Exported, is_place, is_versioned};
use crate::buffer_memory::Memory;
use crate::device::device_argument;
use crate::error::OrRaise;
use crate::idle;
use crate::launch::interface::{self, Interface};
use crate::launch::{exchanged, foreign};
use crate::stream::{ConsumerStream, stream_argument};
use crate::support::closable::Counted;
use crate::support::handles::attribute;
use crate::support::names::type_name;
use crate::support::plain_args::given;

/// The way to copy an array to the host.
const COPY: &str = "array.to_host()";

/// Another library's tensor, which is given back with the GIL held.
pub struct Kept(ManuallyDrop<dlpack::Import>);

impl Kept {
    pub fn new(tensor: dlpack::Import) -> Self {
        Self(ManuallyDrop::new(tensor))
    }
}

// SAFETY: it is only dropped, with the GIL held, which any thread may do by DLPack's rules.
unsafe impl Send for Kept {}
// SAFETY: a shared reference gives access to nothing; only its owner drops it.
unsafe impl Sync for Kept {}

impl Drop for Kept {
    fn drop(&mut self) {
        // After the interpreter's end there is nobody to give it back to.
        // SAFETY: dropped once, here, if at all.
        let _ = gate::visit(|_| unsafe { ManuallyDrop::drop(&mut self.0) });
    }
}

/// Whoever shows memory, and the stream that this is going to be used on.
struct Import<'a, 'py> {
    object: &'a Bound<'py, PyAny>,
    stream: &'a cuox::Stream,
}

impl<'py> Import<'_, 'py> {
    fn consumer(&self) -> ConsumerStream<'_> {
        ConsumerStream::new(self.object.py(), self.stream)
    }

    /// An array at an address, in a buffer that has nothing but its elements.
    fn array(
        &self,
        first: u64,
        layout: Layout,
        element: Counted<Element>,
        device: cuox::Device,
        keep: Option<Kept>,
    ) -> PyResult<Array> {
        let py = self.object.py();
        let (low, high) = layout.span();
        let context = device.context().or_raise(py)?;
        let start = first.wrapping_add_signed(low as i64);
        let keep = keep.map(|keep| Box::new(keep) as _);
        // SAFETY: the producer vouches for its elements; the tensor, or else the object, is kept with the buffer.
        let memory =
            unsafe { cuox::Buffer::borrowed(&context, start, (high - low) as usize, keep) };
        let owner = self.object.clone().unbind();
        let buffer = Bound::new(py, Buffer::owned(Memory::Device(memory), owner))?;
        buffer.get().is_written_by(py, self.stream);
        let mut array = Array::within(buffer.into(), low.unsigned_abs(), layout, element);
        array.base = Some(self.object.clone().into());
        Ok(array)
    }

    /// The device that an address is on, as the driver says.
    fn device_of(&self, address: u64) -> cuox::Device {
        let here = self.stream.device();
        let mut ordinal = -1i32;
        let attribute = sys::CUpointer_attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL;
        if address == 0 || self.stream.context().bind().is_err() {
            return here;
        }
        // SAFETY: the attribute is an i32, and the pointer is to a live local.
        let code = unsafe {
            here.driver().table().cuPointerGetAttribute(
                (&raw mut ordinal).cast(),
                attribute,
                address,
            )
        };
        match usize::try_from(ordinal) {
            Ok(ordinal) if code == sys::CUresult::CUDA_SUCCESS && ordinal != here.ordinal() => {
                cuox::Device::of(here.driver(), ordinal).unwrap_or(here)
            }
            _ => here,
        }
    }

    /// By the CUDA Array Interface.
    fn interface(&self, interface: &Bound<'py, PyAny>) -> PyResult<Array> {
        let py = self.object.py();
        let interface = &Interface::of(interface, interface::CUDA)?;
        let (address, read_only) = interface.data()?;
        let shape = sizes(&interface.sizes("shape")?)?;
        let element = self.element(interface)?;
        if interface.get("mask")?.is_some() {
            return Err(PyValueError::new_err(format!(
                "{} with a mask, which a cuox.Array does not have; import the mask as an array of its own",
                type_name(self.object)
            )));
        }
        let layout = match interface.get("strides")? {
            Some(_) => {
                let strides = interface.sizes("strides")?;
                let strides: Vec<isize> = strides.iter().map(|&stride| stride as isize).collect();
                Layout::strided(&shape, &strides, element.size)
            }
            None => Layout::contiguous(&shape, element.size, cuox::array::Order::C),
        }
        .or_raise(py)?;
        interface.after_producer(&self.consumer())?;
        if address == 0 && layout.nbytes() != 0 {
            return Err(PyValueError::new_err(
                "__cuda_array_interface__: 'data' has address 0 for an array with elements",
            ));
        }
        let device = self.device_of(address);
        let mut array = self.array(address, layout, element, device, None)?;
        array.read_only = read_only;
        Ok(array)
    }

    /// The type of the elements that an interface names.
    fn element(&self, interface: &Interface<'_, 'py>) -> PyResult<Counted<Element>> {
        let py = self.object.py();
        let typestr = interface.item("typestr")?;
        // The object's own type says more of structures, and of what other packages have added to NumPy.
        if let Some(dtype) = self.object.getattr_opt(intern!(py, "dtype"))?
            && Numpy::get(py)?.is_dtype(&dtype)
            && dtype.getattr(intern!(py, "str"))?.eq(&typestr)?
        {
            return Element::of(py, Some(&dtype));
        }
        let element = Element::of(py, Some(&typestr)).map_err(|_| interface.no_type(&typestr))?;
        if let Some(fields) = interface.get("descr")?
            && typestr.str()?.to_string_lossy().contains('V')
            && let Ok(structured) = Element::of(py, Some(&fields))
            && structured.size == element.size
        {
            return Ok(structured);
        }
        Ok(element)
    }

    /// By DLPack; None for host memory that the device does not reach.
    fn dlpack(&self) -> PyResult<Option<Array>> {
        let py = self.object.py();
        let (kind, tensor) = if self.object.is_instance_of::<PyCapsule>() {
            let tensor = dlpack::import(self.object)?;
            (tensor.device().device_type, tensor)
        } else if let Some(tensor) = exchanged::take(self.object, &self.consumer())? {
            (tensor.device().device_type, tensor)
        } else {
            let kind = foreign::dlpack_device(self.object)?.device_type;
            match foreign::dlpack_import(self.object, kind, &self.consumer())? {
                Some(tensor) => (kind, tensor),
                None => return Ok(None),
            }
        };
        let on_gpu = matches!(kind, dlpack::CUDA | dlpack::CUDA_MANAGED);
        let has_elements = !tensor.shape().contains(&0);
        if !on_gpu && has_elements && !self.consumer().reaches(tensor.data) {
            return Ok(None);
        }
        let device = match usize::try_from(tensor.device().device_id) {
            Ok(ordinal) if on_gpu && ordinal != self.stream.device().ordinal() => {
                cuox::Device::of(self.stream.device().driver(), ordinal).or_raise(py)?
            }
            _ => self.stream.device(),
        };
        let element = Element::of_dlpack(py, tensor.dtype)?;
        let shape = sizes(tensor.shape())?;
        let layout = match tensor.strides() {
            Some(strides) => {
                let strides: Option<Vec<isize>> = strides
                    .iter()
                    .map(|&stride| (stride as isize).checked_mul(element.size as isize))
                    .collect();
                let strides = strides
                    .ok_or_else(|| PyBufferError::new_err("DLPack: strides are too large"))?;
                Layout::strided(&shape, &strides, element.size)
            }
            None => Layout::contiguous(&shape, element.size, cuox::array::Order::C),
        }
        .or_raise(py)?;
        let (address, read_only) = (tensor.data, tensor.read_only);
        let keep = Kept::new(tensor);
        let mut array = self.array(address, layout, element, device, Some(keep))?;
        array.read_only = read_only;
        Ok(Some(array))
    }
}

/// Sizes of a shape, which are not negative.
#[inline]
pub fn sizes(shape: &[i64]) -> PyResult<Dims<usize>> {
    match shape.iter().all(|&size| size >= 0) {
        true => Ok(shape.iter().map(|&size| size as usize).collect()),
        false => Err(negative(shape)),
    }
}

#[cold]
fn negative(shape: &[i64]) -> PyErr {
    PyValueError::new_err(format!("a shape has no negative sizes, got {shape:?}"))
}

/// An object that is on a device as an array: ours, or another library's. None for everything else.
pub fn on_device<'py>(
    x: &Bound<'py, PyAny>,
    device: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, Array>>> {
    let py = x.py();
    if let Ok(array) = x.cast::<Array>() {
        return Ok(Some(array.clone()));
    }
    if let Ok(buffer) = x.cast::<Buffer>() {
        buffer.get().open_address(py)?;
        let bytes = Element::of(py, Some(intern!(py, "u1").as_any()))?;
        let layout =
            Layout::contiguous(&[buffer.get().size], 1, cuox::array::Order::C).or_raise(py)?;
        let array = Array::within(buffer.clone().into(), 0, layout, bytes);
        return array.finish(py, None).map(Some);
    }
    // Built-in types are not.
    if Numpy::get(py)?.is_array(x)
        || x.is_instance_of::<pyo3::types::PyFloat>()
        || x.is_instance_of::<pyo3::types::PyInt>()
        || x.is_instance_of::<pyo3::types::PyList>()
        || x.is_instance_of::<PyTuple>()
    {
        return Ok(None);
    }
    // PyTorch's attributes are functions in Python.
    let is_exchanged = exchanged::is_exchanged(x)?;
    let interface = match is_exchanged {
        true => None,
        false => attribute(x, intern!(py, "__cuda_array_interface__"))?,
    };
    let speaks_dlpack = is_exchanged || attribute(x, intern!(py, "__dlpack_device__"))?.is_some();
    if interface.is_none() && !speaks_dlpack {
        return Ok(None);
    }
    let stream = match given(stream) {
        Some(stream) => stream_argument(py, stream, None)?,
        None => device_argument(py, device)?.default_stream().or_raise(py)?,
    };
    let import = Import {
        object: x,
        stream: &stream,
    };
    let array = match interface {
        // Before version 3 nothing is said about streams; DLPack says it.
        Some(interface) if !speaks_dlpack || interface::names_streams(&interface)? => {
            idle::others_seen();
            Some(import.interface(&interface)?)
        }
        _ => import.dlpack()?,
    };
    array.map(|array| array.finish(py, None)).transpose()
}

/// An object of another library as an array of the same memory, by DLPack, for work in a stream. None for host memory
/// that the device does not reach.
pub fn exchanged_array<'py>(
    object: &Bound<'py, PyAny>,
    stream: &cuox::Stream,
) -> PyResult<Option<Bound<'py, Array>>> {
    let array = Import { object, stream }.dlpack()?;
    array
        .map(|array| array.finish(object.py(), None))
        .transpose()
}

/// Show another library's array on a device as an array of the same memory, or a `Buffer` as bytes.
///
/// stream: put behind the work that the producer has in its own; the default stream if it is left out. Raises TypeError
/// for host memory: use `to_device`. CUDA Array Interface, versions 0 to 3; DLPack.
#[pyfunction]
#[pyo3(signature = (x, *, stream=None))]
pub fn as_array<'py>(
    x: &Bound<'py, PyAny>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    if let Some(array) = on_device(x, None, stream)? {
        return Ok(array);
    }
    // Pinned and managed memory may be an array of NumPy's too.
    let array = match Numpy::get(x.py())?.is_array(x) {
        true => by_dlpack(x, stream)?,
        false => None,
    };
    array.ok_or_else(|| not_on_device("as_array", x))
}

/// By DLPack; None for host memory that the device does not reach.
fn by_dlpack<'py>(
    x: &Bound<'py, PyAny>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Option<Bound<'py, Array>>> {
    let py = x.py();
    let stream = match given(stream) {
        Some(stream) => stream_argument(py, stream, None)?,
        None => device_argument(py, None)?.default_stream().or_raise(py)?,
    };
    exchanged_array(x, &stream)
}

/// Show the memory of an object that speaks DLPack, or of a DLPack capsule, as an array.
///
/// stream: as for `as_array`. Raises TypeError for host memory that the device does not reach.
#[pyfunction]
#[pyo3(signature = (x, *, stream=None))]
pub fn from_dlpack<'py>(
    x: &Bound<'py, PyAny>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let py = x.py();
    if x.is_instance_of::<Array>() || x.is_instance_of::<Buffer>() {
        return as_array(x, stream);
    }
    if !x.is_instance_of::<PyCapsule>() && attribute(x, intern!(py, "__dlpack_device__"))?.is_none()
    {
        return Err(crate::support::plain_args::wrong_kind(
            "from_dlpack",
            "an object with __dlpack__ and __dlpack_device__",
            x,
        ));
    }
    by_dlpack(x, stream)?.ok_or_else(|| not_on_device("from_dlpack", x))
}

#[cold]
fn not_on_device(function: &str, x: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "{function}: {} is not memory of a device; copy it there: cuox.to_device(x)",
        type_name(x)
    ))
}

/// The function that `pickle` calls.
#[pyfunction]
pub fn _restore_array<'py>(
    class: &Bound<'py, PyAny>,
    host: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, Array>> {
    let py = class.py();
    let wrong = || {
        crate::support::plain_args::wrong_kind("_restore_array", "a subclass of cuox.Array", class)
    };
    let class = class.cast::<PyType>().map_err(|_| wrong())?;
    let own = py.get_type::<Array>();
    if !class.is_subclass(&own)? {
        return Err(wrong());
    }
    let subclass = match class.is(&own) {
        true => None,
        false => Some(class),
    };
    from_host(subclass, host, None, None, "unpickling a cuox.Array")
}

impl Array {
    /// The value that `pickle` writes: the class, the elements in host memory and a subclass's attributes.
    pub fn reduced<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = this.py();
        let restore = py.import("cuox._native")?.getattr("_restore_array")?;
        let host = Self::to_host(this, None, None)?;
        let state = this.getattr_opt(intern!(py, "__dict__"))?;
        (restore, (this.get_type(), host), state).into_pyobject(py)
    }

    /// CUDA Array Interface, version 3.
    pub fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dtype = self.element.dtype.bind(py);
        let dict = PyDict::new(py);
        let address = match self.layout.nbytes() {
            0 => 0,
            _ => self.address(py)?,
        };
        let stream = self.buffer.get().producer(py)?;
        if let Some(own) = &stream {
            self.buffer.get().gather(py, own)?;
        }
        dict.set_item("shape", PyTuple::new(py, self.layout.shape())?)?;
        dict.set_item("typestr", dtype.getattr(intern!(py, "str"))?)?;
        dict.set_item("data", (address, self.read_only))?;
        dict.set_item("version", 3)?;
        let strides = match self.layout.is_contiguous(cuox::array::Order::C) {
            true => None,
            false => Some(PyTuple::new(py, self.layout.strides())?),
        };
        dict.set_item("strides", strides)?;
        dict.set_item("stream", stream.map(|stream| stream.handle()))?;
        if !dtype.getattr(intern!(py, "fields"))?.is_none() {
            dict.set_item("descr", dtype.getattr(intern!(py, "descr"))?)?;
        }
        Ok(dict)
    }

    /// A DLPack capsule.
    pub fn capsule(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<&Bound<'_, PyAny>>,
        dl_device: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let versioned = is_versioned(max_version)?;
        if let Some(wanted) = given(dl_device) {
            let place = self.buffer.get().__dlpack_device__(py)?;
            if !is_place(wanted, place) {
                return Err(PyBufferError::new_err(format!(
                    "__dlpack__: dl_device must be {place:?}, where the memory is; copy it first: {COPY}"
                )));
            }
        }
        let dtype = self.element.dlpack(py)?;
        let size = self.element.size.max(1) as isize;
        let strides: Option<Vec<i64>> = self
            .layout
            .shape()
            .iter()
            .zip(self.layout.strides())
            .map(|(&length, &stride)| match stride % size {
                0 => Some((stride / size) as i64),
                // Of one element or none, it has no say.
                _ if length <= 1 => Some(1),
                _ => None,
            })
            .collect();
        let strides = strides.ok_or_else(|| {
            PyBufferError::new_err(format!(
                "DLPack counts strides in elements; those of this array, {} bytes, are no multiples of {size} bytes ({}): \
                 export a copy",
                cuox::array::layout::shown(self.layout.strides()),
                shown(self.element.dtype.bind(py))
            ))
        })?;
        let what = Exported {
            offset: self.offset,
            dtype,
            shape: self
                .layout
                .shape()
                .iter()
                .map(|&size| size as i64)
                .collect(),
            strides,
            read_only: self.read_only,
            copy: COPY,
        };
        self.buffer.get().export(py, what, stream, versioned)
    }
}
