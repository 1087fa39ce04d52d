//! `cuox.cuda.core.utils.StridedMemoryView`: what any library's array says of itself.

mod copies;
mod exchange_api;
mod layout;
mod make;

pub use layout::StridedLayout;

use std::sync::OnceLock;

use cuox_interpreter::dlpack;
use pyo3::PyTypeInfo;
use pyo3::exceptions::{PyBufferError, PyNotImplementedError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyTuple, PyType};

use crate::array::Array;
use crate::array::element::Element;
use crate::buffer::{Buffer, Reach, dlpack_place, is_place, is_versioned};
use crate::device;
use crate::error::OrRaise;
use crate::portability;
use crate::support::closable::{Counted, Guarded};
use crate::support::names::class_name;
use crate::support::plain_args;
use crate::support::plain_args::given;
use crate::support::pool::{Pool, Pooled, Reference};

/// The type of a view's elements.
enum Elements {
    /// Nobody has said it.
    Unknown,
    Known(Counted<Element>),
    /// As DLPack says it; NumPy's type is looked up when it is asked for.
    Dlpack(dlpack::DataType),
}

/// A strided array of any library: where it is, its shape, strides and type of elements.
///
/// `from_any_interface(obj, stream_ptr)` and its like make views; nothing is copied. `exporting_obj` keeps the memory.
#[pyclass(
    frozen,
    subclass,
    weakref,
    module = "cuox.cuda.core.utils",
    name = "StridedMemoryView"
)]
pub struct StridedMemoryView {
    ptr: u64,
    device_id: i64,
    is_device_accessible: bool,
    read_only: bool,
    exporting_obj: Option<Reference<PyAny>>,
    elements: Elements,
    /// None in a view of nothing.
    layout: Option<StridedLayout>,
    /// The same as an object, once it was asked for.
    layout_object: Guarded<Option<Reference<StridedLayout>>>,
    /// Where DLPack has said that it is.
    place: Option<dlpack::Device>,
    /// The tensor that DLPack has given out.
    #[allow(dead_code, reason = "held, never read")]
    tensor: Option<make::Kept>,
    /// Shape and strides in elements, once a consumer in C has asked for them.
    dimensions: OnceLock<Dimensions>,
}

/// Shape and strides in elements.
type Dimensions = (Box<[i64]>, Box<[i64]>);

static POOL: Pool<StridedMemoryView> = Pool::new();

impl Pooled for StridedMemoryView {
    fn pool() -> &'static Pool<Self> {
        &POOL
    }
}

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<StridedLayout>()?;
    module.add_class::<StridedMemoryView>()?;
    POOL.set_up(module.py())?;
    exchange_api::register(module.py())
}

impl StridedMemoryView {
    /// A view of nothing.
    fn empty() -> Self {
        Self {
            ptr: 0,
            device_id: 0,
            is_device_accessible: false,
            read_only: false,
            exporting_obj: None,
            elements: Elements::Unknown,
            layout: None,
            layout_object: Guarded::new(None),
            place: None,
            tensor: None,
            dimensions: OnceLock::new(),
        }
    }

    /// An object of the class, or of a subclass, whose `__new__` and `__init__` are not called.
    #[inline]
    fn finish<'py>(self, class: &Bound<'py, PyType>) -> PyResult<Bound<'py, Self>> {
        let py = class.py();
        let made = match class.as_type_ptr() == Self::type_object_raw(py) {
            true => POOL.make(py, || self)?,
            false => return POOL.make_subclass(class, self),
        };
        // SAFETY: a new object, complete. Only what may be part of a cycle is worth the collector's time.
        unsafe {
            let exporter = made.get().exporting_obj.as_ref();
            let tracked =
                exporter.is_some_and(|it| pyo3::ffi::PyObject_GC_IsTracked(it.as_ptr()) != 0);
            if tracked && pyo3::ffi::PyObject_GC_IsTracked(made.as_ptr()) == 0 {
                pyo3::ffi::PyObject_GC_Track(made.as_ptr().cast());
            }
        }
        Ok(made)
    }

    fn layout(&self) -> PyResult<&StridedLayout> {
        self.layout.as_ref().ok_or_else(|| {
            PyValueError::new_err("Cannot infer layout: the view was made without an object")
        })
    }

    /// NumPy's type of the elements.
    fn element(&self, py: Python<'_>) -> PyResult<Option<Counted<Element>>> {
        match &self.elements {
            Elements::Unknown => Ok(None),
            Elements::Known(element) => Ok(Some(element.share(py))),
            Elements::Dlpack(dtype) => Element::of_dlpack(py, *dtype).map(Some).map_err(|error| {
                match error.is_instance_of::<PyBufferError>(py) {
                    true => PyNotImplementedError::new_err(error.value(py).to_string()),
                    false => error,
                }
            }),
        }
    }

    /// The same as DLPack has it.
    fn dlpack_type(&self, py: Python<'_>) -> PyResult<dlpack::DataType> {
        match &self.elements {
            Elements::Dlpack(dtype) => Ok(*dtype),
            Elements::Known(element) => element.dlpack(py),
            Elements::Unknown => Err(PyBufferError::new_err(
                "DLPack has to say a dtype: make the view with one (from_buffer(..., dtype=...), view(dtype=...))",
            )),
        }
    }

    /// The buffer whose memory this is, if that is ours: also by an array, or by another view.
    fn buffer<'py>(&self, py: Python<'py>) -> Option<Bound<'py, Buffer>> {
        let mut exporter = self.exporting_obj.as_ref()?.bind(py);
        while let Ok(view) = exporter.cast::<Self>() {
            exporter = view.get().exporting_obj.as_ref()?.bind(py);
        }
        match exporter.cast::<Array>() {
            Ok(array) => Some(array.get().buffer(py)),
            Err(_) => exporter.cast::<Buffer>().ok().cloned(),
        }
    }

    /// Refuses memory of ours that was closed, or is gone with a reset.
    fn check_open(&self, py: Python<'_>) -> PyResult<()> {
        match self.buffer(py) {
            Some(buffer) => buffer.get().check(py),
            None => Ok(()),
        }
    }

    /// Keeps the memory for work that uses it: what our buffer has, else the view itself. Raises ClosedError.
    fn used(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        match slf.get().buffer(slf.py()) {
            Some(buffer) => Ok(buffer.get().used(slf.py())?.into_any()),
            None => Ok(slf.clone().into_any().unbind()),
        }
    }

    /// Where DLPack says that the memory is.
    fn place(&self, py: Python<'_>) -> PyResult<dlpack::Device> {
        if let Some(place) = self.place {
            return Ok(place);
        }
        if let Some(buffer) = self.buffer(py) {
            let (device_type, device_id) = buffer.get().__dlpack_device__(py)?;
            return Ok(dlpack::Device {
                device_type,
                device_id,
            });
        }
        let mut reach = Reach {
            device_id: self.device_id,
            by_device: self.is_device_accessible,
            by_host: !self.is_device_accessible,
            is_managed: false,
        };
        let device = device::current(py)?;
        if self.is_device_accessible && self.ptr != 0 {
            reach = Reach::of(py, &device.context().or_raise(py)?, self.ptr)?;
        }
        let (device_type, device_id) = dlpack_place(reach, device.is_soft())?;
        Ok(dlpack::Device {
            device_type,
            device_id,
        })
    }

    /// The view as DLPack gives it on, which keeps the memory: of our buffers also after their `close`.
    fn export(slf: &Bound<'_, Self>) -> PyResult<dlpack::Export> {
        let (py, this) = (slf.py(), slf.get());
        this.check_open(py)?;
        let dtype = this.dlpack_type(py)?;
        let layout = &this.layout()?.layout;
        let device = this.place(py)?;
        if this.is_device_accessible && device.device_type == dlpack::CPU {
            portability::exported_to_the_cpu(py, "view.copy_to(view of a host array)")?;
        }
        let (owner, host_may_only_read) = match this.buffer(py) {
            None => (slf.clone().into_any().unbind(), false),
            Some(buffer) => {
                let keeper = buffer.get().keeper(py)?.into_any();
                (
                    keeper,
                    buffer.get().is_read_only_at(py, device.device_type)?,
                )
            }
        };
        Ok(dlpack::Export {
            owner,
            data: this.ptr,
            device,
            dtype,
            shape: layout.shape().iter().map(|&size| size as i64).collect(),
            strides: StridedLayout::counts(layout)
                .map(|stride| stride as i64)
                .collect(),
            read_only: this.read_only || host_may_only_read,
        })
    }
}

#[pymethods]
impl StridedMemoryView {
    /// Make a view as `from_any_interface` does, or one of nothing. Deprecated: call one of the functions `from_...`.
    #[new]
    #[pyo3(signature = (obj=None, stream_ptr=None))]
    fn py_new(
        py: Python<'_>,
        obj: Option<&Bound<'_, PyAny>>,
        stream_ptr: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let warn = |text: &std::ffi::CStr| {
            let warning = py.get_type::<pyo3::exceptions::PyDeprecationWarning>();
            PyErr::warn(py, &warning, text, 1)
        };
        let Some(obj) = given(obj) else {
            warn(
                c"Constructing an empty StridedMemoryView is deprecated; use from_any_interface, from_dlpack or \
                from_cuda_array_interface",
            )?;
            return Ok(Self::empty());
        };
        match make::has_dlpack(obj)? {
            true => {
                warn(
                    c"Constructing a StridedMemoryView directly from a DLPack-supporting object is deprecated; use \
                    StridedMemoryView.from_dlpack or StridedMemoryView.from_any_interface",
                )?;
                Self::of_dlpack(obj, stream_ptr)
            }
            false => {
                warn(
                    c"Constructing a StridedMemoryView directly from a CUDA-array-interface-supporting object is deprecated; \
                    use StridedMemoryView.from_cuda_array_interface or StridedMemoryView.from_any_interface",
                )?;
                Self::of_cuda_array(obj, stream_ptr)
            }
        }
    }

    /// Make a view of an object that speaks DLPack.
    ///
    /// stream_ptr: the `CUstream` that uses the view, as an int, which is put behind the producer's work; -1 for no
    /// order. For an object with `__dlpack_c_exchange_api__`, no Python code runs.
    ///
    /// Raises BufferError for memory of other devices, and for `stream_ptr=None` but of pinned and managed memory.
    #[classmethod]
    #[pyo3(signature = (obj, stream_ptr=None))]
    fn from_dlpack<'py>(
        cls: &Bound<'py, PyType>,
        obj: &Bound<'py, PyAny>,
        stream_ptr: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::of_dlpack(obj, stream_ptr)?.finish(cls)
    }

    /// Make a view of an object with the CUDA Array Interface, version 3.
    ///
    /// stream_ptr: as for `from_dlpack`. The type of elements is that of `typestr`.
    ///
    /// Raises BufferError for older versions, masks and `stream_ptr=None`, ValueError for strides that are no multiples
    /// of the element's size.
    #[classmethod]
    #[pyo3(signature = (obj, stream_ptr=None))]
    fn from_cuda_array_interface<'py>(
        cls: &Bound<'py, PyType>,
        obj: &Bound<'py, PyAny>,
        stream_ptr: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::of_cuda_array(obj, stream_ptr)?.finish(cls)
    }

    /// Make a view of an object in host memory with NumPy's array interface.
    ///
    /// Raises BufferError for versions before 3 and masks, ValueError for strides that are no multiples of the
    /// element's size.
    #[classmethod]
    fn from_array_interface<'py>(
        cls: &Bound<'py, PyType>,
        obj: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::of_host_array(obj)?.finish(cls)
    }

    /// Make a view of an object that speaks DLPack, else of one with the CUDA Array Interface.
    ///
    /// stream_ptr: the `CUstream` that uses the view, as an int, which is put behind the producer's work; -1 for no
    /// order.
    ///
    /// Raises BufferError for other objects, and as `from_dlpack` and `from_cuda_array_interface` do.
    #[classmethod]
    #[pyo3(signature = (obj, stream_ptr=None))]
    fn from_any_interface<'py>(
        cls: &Bound<'py, PyType>,
        obj: &Bound<'py, PyAny>,
        stream_ptr: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::of_any(obj, stream_ptr)?.finish(cls)
    }

    /// Make a view of a buffer's memory. Nothing is put into an order.
    ///
    /// shape: the sizes; strides: in elements, None in C order without gaps; itemsize: bytes of an element, where there
    /// is no `dtype`.
    ///
    /// Raises ValueError for elements outside the buffer, and if neither or differing `itemsize` and `dtype` are given.
    #[classmethod]
    #[pyo3(signature = (buffer, shape, strides=None, *, itemsize=None, dtype=None, is_readonly=false))]
    fn from_buffer<'py>(
        cls: &Bound<'py, PyType>,
        buffer: &Bound<'py, PyAny>,
        shape: &Bound<'py, PyAny>,
        strides: Option<&Bound<'py, PyAny>>,
        itemsize: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
        is_readonly: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let buffer = make::buffer_argument(buffer)?;
        let (elements, itemsize) = make::elements_argument(itemsize, dtype)?;
        let strides = layout::strides_argument(strides)?;
        let shape = crate::array::create::shape_argument(shape)?;
        let layout = StridedLayout::of(cls.py(), shape, strides.as_deref(), itemsize)?;
        let mut view = Self::of_buffer(buffer, layout)?;
        view.elements = elements;
        view.read_only = is_readonly;
        view.finish(cls)
    }

    /// Make a view of the same memory with another layout (a part of `_layout`), or another dtype of the same size.
    ///
    /// Returns the view itself if neither is given. Raises ValueError for another size of elements.
    #[pyo3(signature = (layout=None, dtype=None))]
    fn view<'py>(
        slf: &Bound<'py, Self>,
        layout: Option<&Bound<'py, PyAny>>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        if given(layout).is_none() && given(dtype).is_none() {
            return Ok(slf.clone());
        }
        Self::other(slf, given(layout), given(dtype))?.finish(&slf.get_type())
    }

    /// Make a tensor map of the memory, by which kernels copy boxes of it to shared memory and back
    /// (`cp.async.bulk.tensor`): a `TensorMapDescriptor`, which launches take.
    ///
    /// box_dim: the elements that a copy moves along each dimension, from 1 to 256, in the order of the view's shape.
    /// options: a `TensorMapDescriptorOptions` or a mapping with its names, in place of all other arguments.
    /// data_type: the type of elements, where it is not the view's: of their size; a view of bytes is one of as many
    /// elements as they make, along its last dimension.
    ///
    /// The others are as those of `TensorMapDescriptorOptions`; None is the default. The view has one to five
    /// dimensions, the last of which is contiguous.
    ///
    /// Raises TypeError for arguments of other types, ValueError for a view that the current device does not reach,
    /// whose address is no multiple of 16 or whose dimensions do not fit, or for a `data_type` of another size than the
    /// elements where these are not bytes, ClosedError for memory of a buffer that was closed, also in launches,
    /// CUDAError for values that the driver refuses (CUDA Driver API, `cuTensorMapEncodeTiled`).
    #[pyo3(signature = (box_dim=None, *, options=None, element_strides=None, data_type=None, interleave=None, swizzle=None, l2_promotion=None, oob_fill=None))]
    #[allow(clippy::too_many_arguments, reason = "the parameters of cuda.core")]
    fn as_tensor_map<'py>(
        slf: &Bound<'py, Self>,
        box_dim: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyAny>>,
        element_strides: Option<&Bound<'py, PyAny>>,
        data_type: Option<&Bound<'py, PyAny>>,
        interleave: Option<&Bound<'py, PyAny>>,
        swizzle: Option<&Bound<'py, PyAny>>,
        l2_promotion: Option<&Bound<'py, PyAny>>,
        oob_fill: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        static AS_TENSOR_MAP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = slf.py();
        let others = [
            ("element_strides", element_strides),
            ("data_type", data_type),
            ("interleave", interleave),
            ("swizzle", swizzle),
            ("l2_promotion", l2_promotion),
            ("oob_fill", oob_fill),
        ]
        .into_py_dict(py)?;
        AS_TENSOR_MAP
            .import(py, "cuox._internal.tensor_maps", "as_tensor_map")?
            .call1((slf, box_dim, options, others))
    }

    /// Copy the elements of another view of the same shape and dtype to this one.
    ///
    /// stream: the stream of the copy; None is the default stream.
    /// blocking: True waits for the copy; None does so where one of the two is in host memory. Host memory that is not
    /// pinned may be waited for in any case.
    ///
    /// Raises NotImplementedError for two views of host memory and for an `allocator`, ValueError for differing shapes
    /// and views that may only be read, TypeError for differing dtypes, ClosedError for memory of a buffer that was
    /// closed.
    #[pyo3(signature = (other, stream, allocator=None, blocking=None))]
    fn copy_from<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
        allocator: Option<&Bound<'py, PyAny>>,
        blocking: Option<bool>,
    ) -> PyResult<()> {
        let user = "StridedMemoryView.copy_from";
        let source = make::view_argument(user, other)?;
        copies::refuse_allocator(user, allocator)?;
        copies::copy(user, slf, source, stream, blocking)
    }

    /// Copy the elements of this view to another one of the same shape and dtype: as its `copy_from`.
    #[pyo3(signature = (other, stream=None, allocator=None, blocking=None))]
    fn copy_to<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
        allocator: Option<&Bound<'py, PyAny>>,
        blocking: Option<bool>,
    ) -> PyResult<()> {
        let user = "StridedMemoryView.copy_to";
        let target = make::view_argument(user, other)?;
        copies::refuse_allocator(user, allocator)?;
        copies::copy(user, target, slf, stream, blocking)
    }

    /// The view as a DLPack capsule, which keeps the memory. Nothing is put into an order: the stream is not looked at.
    ///
    /// Raises BufferError for dtypes that DLPack does not have, for `copy=True`, another device, and what the host is
    /// to get and may not read, ClosedError. Device memory of the software GPU is exported as the CPU's, with a warning
    /// (`cuox.PortabilityWarning`).
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        slf: &Bound<'_, Self>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<&Bound<'_, PyAny>>,
        dl_device: Option<&Bound<'_, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        let _ = stream;
        let py = slf.py();
        let versioned = is_versioned(max_version)?;
        if let Some(wanted) = given(dl_device) {
            let device = slf.get().place(py)?;
            if !is_place(wanted, (device.device_type, device.device_id)) {
                return Err(PyBufferError::new_err(format!(
                    "Sorry, not supported: dl_device other than None or where the memory is, ({}, {})",
                    device.device_type, device.device_id
                )));
            }
        }
        if copy == Some(true) {
            return Err(PyBufferError::new_err(
                "Sorry, not supported: copy=True; copy_to copies to another view",
            ));
        }
        dlpack::export(py, Self::export(slf)?, versioned)
    }

    /// The place of the memory: (1, 0) the CPU, (2, n) GPU n, (3, 0) pinned, (13, n) managed memory.
    fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        let device = self.place(py)?;
        Ok((device.device_type, device.device_id))
    }

    /// Raises ClosedError if the memory is a buffer's that was closed.
    fn _check_open(&self, py: Python<'_>) -> PyResult<()> {
        self.check_open(py)
    }

    /// The address of the first element.
    #[getter]
    fn ptr(&self) -> u64 {
        self.ptr
    }

    /// The number of the device; -1 for memory that the host alone reaches.
    #[getter]
    fn device_id(&self) -> i64 {
        self.device_id
    }

    /// True if kernels reach the memory.
    #[getter]
    fn is_device_accessible(&self) -> bool {
        self.is_device_accessible
    }

    /// True if the memory may only be read.
    #[getter]
    fn readonly(&self) -> bool {
        self.read_only
    }

    /// The object whose memory this is.
    #[getter]
    fn exporting_obj(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.exporting_obj.as_ref().map(|it| it.clone_ref(py))
    }

    /// The shape and the strides as an object that can be sliced, for `view`.
    #[getter(_layout)]
    fn layout_of<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, StridedLayout>> {
        // SAFETY: counting runs no Python code.
        let made = unsafe {
            self.layout_object
                .look(py, |held| held.as_ref().map(|it| it.clone_ref(py)))
        };
        if let Some(made) = made {
            return Ok(made.into_bound(py));
        }
        let layout = self.layout()?;
        let made = Bound::new(
            py,
            StridedLayout {
                layout: layout.layout.clone(),
                ..*layout
            },
        )?;
        // SAFETY: a swap runs no Python code; what was there is dropped behind it.
        let old = unsafe {
            self.layout_object
                .look(py, |held| held.replace(made.clone().into()))
        };
        drop(old);
        Ok(made)
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> PyResult<usize> {
        Ok(self.layout()?.layout.len())
    }

    /// The sizes of the dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.layout()?.shape(py)
    }

    /// Elements (not bytes) from one of a dimension to the next; None in C order without gaps, where nobody has said
    /// them.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        self.layout()?.strides(py)
    }

    /// The NumPy type of the elements; None if nobody has said it.
    ///
    /// Raises NotImplementedError for types that NumPy has not, such as bfloat16 without `ml_dtypes`.
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let element = self.element(py)?;
        Ok(element.map(|element| element.dtype.clone_ref(py)))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        match &self.exporting_obj {
            Some(exporter) => visit.call(&**exporter),
            None => Ok(()),
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let layout = self.layout()?;
        let simple = |object: Option<Py<PyAny>>| match object {
            Some(object) => class_name(&object.bind(py).get_type()),
            None => "NoneType".into(),
        };
        let strides = match self.strides(py)? {
            Some(strides) => strides.to_string(),
            None => "None".into(),
        };
        let dtype = match self.dtype(py)? {
            Some(dtype) => dtype.bind(py).str()?.to_string(),
            None => "NoneType".into(),
        };
        let said = |truth| if truth { "True" } else { "False" };
        let lines = [
            format!("ptr={}", self.ptr),
            format!("shape={}", layout.shape(py)?),
            format!("strides={strides}"),
            format!("itemsize={}", layout.layout.itemsize()),
            format!("dtype={dtype}"),
            format!("device_id={}", self.device_id),
            format!("is_device_accessible={}", said(self.is_device_accessible)),
            format!("readonly={}", said(self.read_only)),
            format!("exporting_obj={}", simple(self.exporting_obj(py))),
        ];
        Ok(format!(
            "StridedMemoryView({})",
            lines.join(",\n                  ")
        ))
    }
}

impl StridedMemoryView {
    /// A view of the same memory with another layout or dtype.
    fn other(
        slf: &Bound<'_, Self>,
        layout: Option<&Bound<'_, PyAny>>,
        dtype: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (py, this) = (slf.py(), slf.get());
        let own = this.layout()?;
        let object = match layout {
            None => None,
            Some(layout) => Some(layout.cast::<StridedLayout>().map_err(|_| {
                plain_args::wrong_kind(
                    "StridedMemoryView.view: layout",
                    "a part of view._layout or None",
                    layout,
                )
            })?),
        };
        let layout = object.map_or(own, |object| object.get());
        let elements = match dtype {
            Some(_) => make::elements_argument(None, dtype)?.0,
            None => match &this.elements {
                Elements::Unknown => Elements::Unknown,
                Elements::Known(element) => Elements::Known(element.share(py)),
                Elements::Dlpack(dtype) => Elements::Dlpack(*dtype),
            },
        };
        let size = match &elements {
            Elements::Unknown => layout.layout.itemsize(),
            Elements::Known(element) => element.size,
            Elements::Dlpack(_) => own.layout.itemsize(),
        };
        if size != layout.layout.itemsize() {
            return Err(PyValueError::new_err(format!(
                "StridedMemoryView.view: the dtype's itemsize ({size}) does not match the layout's itemsize ({})",
                layout.layout.itemsize()
            )));
        }
        let start = this.ptr.wrapping_sub(own.offset as u64);
        if let Some(buffer) = this.buffer(py) {
            make::check_inside(buffer.get(), py, start, layout)?;
        }
        Ok(Self {
            ptr: start.wrapping_add_signed(layout.offset as i64),
            elements,
            layout: Some(StridedLayout {
                layout: layout.layout.clone(),
                ..*layout
            }),
            layout_object: Guarded::new(object.map(|object| object.clone().into())),
            exporting_obj: this
                .exporting_obj
                .as_ref()
                .map(|it| Reference::from(it.clone_ref(py))),
            // The tensor is kept by the view that has it.
            tensor: this
                .tensor
                .as_ref()
                .map(|_| make::Kept::View(slf.clone().into())),
            place: this.place,
            ..Self::empty_like(this)
        })
    }

    fn empty_like(this: &Self) -> Self {
        Self {
            device_id: this.device_id,
            is_device_accessible: this.is_device_accessible,
            read_only: this.read_only,
            ..Self::empty()
        }
    }
}
