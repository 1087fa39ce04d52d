//! `cuox.Device` and its properties.

use cuox::driver::{self, Choice, Driver, DriverKind};
use cuox_interpreter::gate;
use pyo3::exceptions::{
    PyBufferError, PyNotImplementedError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::buffer::{Buffer, size_argument};
use crate::buffer_memory;
use crate::context::{Context, resources_of};
use crate::device_properties::DeviceProperties;
use crate::error::OrRaise;
use crate::event::{Event, event_options};
use crate::graph_builder::{self, GraphBuilder};
use crate::idle;
use crate::memory_resource::{DeviceMemoryResource, MemoryResource};
use crate::stream::{Stream, stream_options, stream_ref_or_default};
use crate::support::closable::Guarded;
use crate::support::fastcall::Arguments;
use crate::support::handles;
use crate::support::names;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// A GPU, or the software GPU. `Device(0)` is always the same device.
///
/// device_id: its number, from 0 on; None is the current device, or device 0.
/// kind: "gpu", "soft" or "auto", for this object; None is what `choose_device` or `CUOX_DEVICE` says.
///
/// Raises NotFoundError if there is no driver of that kind, ValueError if there is no such device.
#[pyclass(frozen, weakref, module = "cuox", name = "Device")]
pub struct Device {
    inner: cuox::Device,
    /// The resource that `allocate` goes through, if the program has set one.
    resource: Guarded<Option<Py<PyAny>>>,
    /// The resource of the default pool, and the default stream, once they were asked for.
    own_resource: PyOnceLock<Py<PyAny>>,
    default_stream: Guarded<Option<Py<Stream>>>,
}

/// The calling thread's current device; device 0 where none was set.
pub fn current(py: Python<'_>) -> PyResult<cuox::Device> {
    match cuox::Device::current() {
        Some(device) => Ok(device),
        None => py.detach(|| cuox::Device::get(0)).or_raise(py),
    }
}

/// `auto`, `gpu`, `soft` as `CUOX_DEVICE` spells them.
fn choice(kind: &Bound<'_, PyAny>) -> PyResult<Choice> {
    match plain_args::text("device kind", kind)?.as_str() {
        "auto" => Ok(Choice::Auto),
        "gpu" => Ok(Choice::Gpu),
        "soft" => Ok(Choice::Soft),
        other => Err(PyValueError::new_err(format!(
            "device kind must be \"auto\", \"gpu\" or \"soft\", not \"{other}\""
        ))),
    }
}

/// Choose where devices come from: "gpu", "soft" or "auto" (a GPU if there is one).
///
/// It goes before `CUOX_DEVICE`. None gives the choice back to the environment. Raises ValueError for other words.
#[pyfunction]
#[pyo3(signature = (kind, /))]
pub fn choose_device(kind: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    driver::set_choice(kind.map(choice).transpose()?);
    Ok(())
}

impl Device {
    /// The calling thread's object of a device, of which there is one.
    #[inline]
    pub fn object(py: Python<'_>, inner: cuox::Device) -> PyResult<Bound<'_, Self>> {
        // SAFETY: the thread has a state, as it holds the GIL; the reference is borrowed of that.
        let state = unsafe { Bound::from_borrowed_ptr_or_opt(py, ffi::PyThreadState_GetDict()) };
        let Some(state) = state else {
            return Bound::new(py, Self::new(inner));
        };
        let state = state.cast_into::<PyDict>()?;
        let key = intern!(py, "cuox.devices");
        let devices = match state.get_item(key)? {
            Some(devices) => devices.cast_into::<PyDict>()?,
            None => {
                let devices = PyDict::new(py);
                state.set_item(key, &devices)?;
                devices
            }
        };
        let number = number_of(inner);
        if let Some(known) = devices.get_item(number)? {
            return Ok(known.cast_into::<Self>()?);
        }
        let made = Bound::new(py, Self::new(inner))?;
        devices.set_item(number, &made)?;
        Ok(made)
    }

    fn new(inner: cuox::Device) -> Self {
        Self {
            inner,
            resource: Guarded::new(None),
            own_resource: PyOnceLock::new(),
            default_stream: Guarded::new(None),
        }
    }

    /// The resource of the device's default pool: always the same object.
    pub fn own_resource<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let made = self.own_resource.get_or_try_init(py, || {
            DeviceMemoryResource::of(py, self.inner).map(Bound::unbind)
        })?;
        Ok(made.bind(py).clone())
    }

    /// The resource that the program has set.
    fn set_resource<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        // SAFETY: counting runs no Python code.
        unsafe {
            self.resource
                .look(py, |held| held.as_ref().map(|it| it.bind(py).clone()))
        }
    }

    pub fn inner(&self) -> cuox::Device {
        self.inner
    }

    /// Refuses a priority that the device does not have.
    fn check_priority(&self, py: Python<'_>, priority: i32) -> PyResult<()> {
        if priority == 0 {
            return Ok(());
        }
        let context = self.inner.context().or_raise(py)?;
        let (least, greatest) = context.stream_priorities().or_raise(py)?;
        if (greatest..=least).contains(&priority) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!(
            "create_stream: priority={priority} is out of range; the device has {greatest} (first) to {least} (last)"
        )))
    }

    /// `allocate` of the resource that the program has set.
    #[cold]
    fn allocate_elsewhere<'py>(
        &self,
        py: Python<'py>,
        size: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stream = match given(stream) {
            Some(stream) => stream.clone(),
            None => self.default_stream(py)?.into_bound(py).into_any(),
        };
        let keywords = PyDict::new(py);
        keywords.set_item(intern!(py, "stream"), stream)?;
        let resource = self.memory_resource(py)?;
        let allocate = gate::getattr(&resource, intern!(py, "allocate"))?;
        gate::call(&allocate, &PyTuple::new(py, size)?, Some(&keywords))
    }

    /// `allocate`, as `methods` lists it.
    #[inline]
    pub fn allocate<'py>(
        this: &Bound<'py, Self>,
        [size, stream]: Arguments<'_, 'py, 2>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, device) = (this.py(), this.get().inner);
        // SAFETY: looking runs no Python code.
        if unsafe { this.get().resource.look(py, |held| held.is_some()) } {
            return this.get().allocate_elsewhere(py, size, stream);
        }
        let size = size.map_or(Ok(0), size_argument)?;
        let stream = stream_ref_or_default(py, stream, device)?;
        Ok(Buffer::allocate_object(py, device, size, stream)?.into_any())
    }
}

/// One for each device of each driver.
fn number_of(device: cuox::Device) -> usize {
    device.ordinal() * 2 + usize::from(device.is_soft())
}

/// `Device 0 (soft, …)`.
pub fn shown(device: cuox::Device) -> String {
    let kind = if device.is_soft() { "soft" } else { "gpu" };
    format!("Device {} ({kind}, {})", device.ordinal(), device.name())
}

/// A device given as a `Device`, a number or None (the current one).
pub fn device_argument(
    py: Python<'_>,
    object: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::Device> {
    match object {
        None => current(py),
        Some(object) if object.is_none() => current(py),
        Some(object) => match object.cast::<Device>() {
            Ok(device) => Ok(device.get().inner),
            Err(_) => numbered(py, object, None),
        },
    }
}

fn numbered(
    py: Python<'_>,
    number: &Bound<'_, PyAny>,
    kind: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::Device> {
    let number: i64 = number.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "device_id: expected an int or None, got {}",
            names::type_name(number)
        ))
    })?;
    let ordinal = usize::try_from(number).map_err(|_| {
        PyValueError::new_err(format!(
            "device_id: no device {number}; devices count from 0"
        ))
    })?;
    let kind = kind.map(choice).transpose()?;
    let found = py.detach(|| match kind {
        None | Some(Choice::Auto) => cuox::Device::get(ordinal),
        Some(Choice::Gpu) => cuox::Device::of(Driver::nvidia()?, ordinal),
        Some(Choice::Soft) => cuox::Device::of(Driver::soft()?, ordinal),
    });
    match found {
        Err(error) if error.driver_code() == Some(101) => {
            let user = format!("Device({number})");
            Err(PyValueError::new_err(error.text_in(&user)))
        }
        other => other.or_raise(py),
    }
}

static COMPUTE_CAPABILITY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();

const ARRAYS: &str = "cuox._internal.textures.arrays";
const OBJECTS: &str = "cuox._internal.textures.objects";

/// Calls a function with a device and what it is given.
fn made_by<'py, const N: usize>(
    device: &Bound<'py, Device>,
    (module, function): (&str, &str),
    given: [Option<&Bound<'py, PyAny>>; N],
) -> PyResult<Bound<'py, PyAny>> {
    let py = device.py();
    gate::hang_if_thread_exits(|| {
        let function = py.import(module)?.getattr(function)?;
        let given = given.map(|one| one.map_or_else(|| py.None().into_bound(py), Bound::clone));
        let arguments = std::iter::once(device.as_any().clone()).chain(given);
        function.call1(PyTuple::new(py, arguments.collect::<Vec<_>>())?)
    })
}

/// The context of a device, or the green one that is current in this thread.
fn current_context(py: Python<'_>, device: cuox::Device) -> PyResult<Bound<'_, Context>> {
    let context = device.context().or_raise_in(py, "device.context")?;
    let green = cuox::GreenContext::current();
    let green = green.filter(|green| *green.context() == context);
    Context::object(py, context, green)
}

/// The bytes of the software GPU that PyTorch's allocator has, whose operations read and write them as host memory.
fn held_by_torch(py: Python<'_>, device: cuox::Device) -> PyResult<u64> {
    if !device.is_soft() {
        return Ok(0);
    }
    let modules = py
        .import(intern!(py, "sys"))?
        .getattr(intern!(py, "modules"))?;
    let start = modules.call_method1(intern!(py, "get"), (intern!(py, "cuox.torch._start"),))?;
    if start.is_none() {
        return Ok(0);
    }
    start
        .call_method1(intern!(py, "held"), (device.ordinal(),))?
        .extract()
}

#[pymethods]
impl Device {
    /// `Device()` is the current device of this thread (device 0 if none was set), `Device(1)` the second one.
    /// `kind` is "gpu" or "soft" to take it from that driver, whatever the default is.
    #[new]
    #[pyo3(signature = (device_id=None, *, kind=None))]
    fn py_new<'py>(
        py: Python<'py>,
        device_id: Option<&Bound<'py, PyAny>>,
        kind: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let inner = match (device_id, kind) {
            (None, None) => current(py)?,
            (None, kind) => numbered(py, 0i32.into_pyobject(py)?.as_any(), kind)?,
            (Some(number), kind) => match number.cast::<Self>() {
                Ok(device) => device.get().inner,
                Err(_) => numbered(py, number, kind)?,
            },
        };
        Self::object(py, inner)
    }

    /// Return a tuple of all devices of the driver that was chosen.
    #[staticmethod]
    fn get_all_devices(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        let count = py.detach(cuox::Device::count).or_raise(py)?;
        let devices: Vec<_> = (0..count)
            .map(|ordinal| Self::object(py, cuox::Device::get(ordinal).or_raise(py)?))
            .collect::<PyResult<_>>()?;
        PyTuple::new(py, devices)
    }

    /// Make this the current device of the calling thread. Driver API manual, `cuCtxSetCurrent`.
    ///
    /// ctx: a context of this device to make current instead, as `Device.context` gives it; then the context that was
    /// current is returned, or None if there was none. Raises RuntimeError for a context of another device.
    #[pyo3(signature = (ctx=None))]
    fn set_current(
        &self,
        py: Python<'_>,
        ctx: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Py<Context>>> {
        const USER: &str = "device.set_current()";
        let device = self.inner;
        let Some(ctx) = given(ctx) else {
            py.detach(|| device.set_current()).or_raise_in(py, USER)?;
            return Ok(None);
        };
        let wanted = ctx.cast::<Context>().map_err(|_| {
            plain_args::wrong_kind("device.set_current: ctx", "a cuox.Context or None", ctx)
        })?;
        let green = wanted.get().green(py)?;
        let wanted = wanted.get().get(py)?;
        if wanted.device() != device {
            return Err(PyRuntimeError::new_err(format!(
                "device.set_current: ctx: the provided context was created on the device with id={}, which is different \
                 from the target id={}",
                wanted.device().ordinal(),
                device.ordinal()
            )));
        }
        let before = match cuox::Device::current() {
            Some(before) => Some(current_context(py, before)?.unbind()),
            None => None,
        };
        py.detach(|| match &green {
            Some(green) => green.set_current(),
            None => device.set_current(),
        })
        .or_raise_in(py, USER)?;
        Ok(before)
    }

    /// The context of the device, which all libraries of the process share: its primary context; or a green context of
    /// the device that is current in this thread.
    #[getter]
    fn context<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Context>> {
        current_context(py, self.inner)
    }

    /// Create a green context: kernels in its streams run on a part of the device's multiprocessors.
    ///
    /// options: ContextOptions, or a dict with its field: the parts, which `resources.sm.split` gives.
    ///
    /// Raises ValueError without parts or for parts of a dry run, TypeError, CUDAError. Driver API manual, *Green
    /// Contexts*, `cuGreenCtxCreate`.
    #[pyo3(signature = (options=None))]
    fn create_context<'py>(
        slf: &Bound<'py, Self>,
        options: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let module = slf.py().import("cuox._internal.resources")?;
        module.getattr("create_context")?.call1((slf, options))
    }

    /// The resources of the device that green contexts share out: DeviceResources.
    #[getter]
    fn resources<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        resources_of(slf.as_any())
    }

    /// Create an array for textures and surfaces.
    ///
    /// options: OpaqueArrayOptions, or a dict with its fields.
    ///
    /// Returns OpaqueArray. Raises TypeError and ValueError for options that are wrong, CUDAError. Driver API manual,
    /// `cuArray3DCreate`.
    fn create_opaque_array<'py>(
        slf: &Bound<'py, Self>,
        options: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        made_by(slf, (ARRAYS, "create_opaque_array"), [Some(options)])
    }

    /// Create an array with levels, for textures.
    ///
    /// options: MipmappedArrayOptions, or a dict with its fields.
    ///
    /// Returns MipmappedArray. Raises TypeError and ValueError for options that are wrong, CUDAError. Driver API
    /// manual, `cuMipmappedArrayCreate`.
    fn create_mipmapped_array<'py>(
        slf: &Bound<'py, Self>,
        options: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        made_by(slf, (ARRAYS, "create_mipmapped_array"), [Some(options)])
    }

    /// Create a texture, through which kernels read memory.
    ///
    /// resource: the memory, a ResourceDescriptor.
    /// options: how it is read: TextureObjectOptions, a dict with some of its fields, or None.
    ///
    /// Returns TextureObject. Raises TypeError and ValueError, CUDAError. Driver API manual, `cuTexObjectCreate`.
    #[pyo3(signature = (*, resource, options=None))]
    fn create_texture_object<'py>(
        slf: &Bound<'py, Self>,
        resource: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        made_by(
            slf,
            (OBJECTS, "create_texture_object"),
            [Some(resource), options],
        )
    }

    /// Return the same device as NVML knows it: a `cuox.cuda.core.system.Device` with this UUID.
    ///
    /// Raises NvmlError, such as NotFoundError if the device is not of the driver that NVML tells of.
    fn to_system_device<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        const SYSTEM: &str = "cuox.cuda.core.system._device";
        made_by(slf, (SYSTEM, "of_cuda_device"), [])
    }

    /// Create a surface, through which kernels read and write an array.
    ///
    /// resource: the array, a ResourceDescriptor of one that was made with `is_surface_load_store`.
    ///
    /// Returns SurfaceObject. Raises TypeError and ValueError, CUDAError. Driver API manual, `cuSurfObjectCreate`.
    #[pyo3(signature = (*, resource))]
    fn create_surface_object<'py>(
        slf: &Bound<'py, Self>,
        resource: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        made_by(slf, (OBJECTS, "create_surface_object"), [Some(resource)])
    }

    /// Make this the current device of the calling thread; the same as `set_current`.
    #[pyo3(name = "use")]
    fn use_(&self, py: Python<'_>) -> PyResult<()> {
        self.set_current(py, None).map(drop)
    }

    /// Wait until all work on the device is done; Ctrl-C ends the wait.
    ///
    /// Raises CUDAError, also for a kernel that has failed. Driver API manual, `cuCtxSynchronize`.
    fn sync(&self, py: Python<'_>) -> PyResult<()> {
        let context = self.inner.context().or_raise_in(py, "device.sync()")?;
        idle::sync_all(py, "device.sync()", &context)
    }

    /// Wait until all work on the device is done; the same as `sync`.
    fn synchronize(&self, py: Python<'_>) -> PyResult<()> {
        self.sync(py)
    }

    /// End everything on the device (buffers, streams, events, loaded code), of cuox and of every other library in the
    /// process, and start afresh. This is the way on after a kernel has failed with an error that stays, such as
    /// CUDA_ERROR_ILLEGAL_ADDRESS.
    ///
    /// Objects that were made before raise `ClosedError` when they are used; programs that are compiled are loaded
    /// again by `get_kernel`. Running work is waited for by the driver, or cancelled.
    ///
    /// Raises BufferError while NumPy arrays, memoryviews or tensors still show memory of the device, and while PyTorch
    /// has memory of the software GPU or pinned memory (`cuox.torch`), CUDAError
    /// (CUDA_ERROR_NOT_PERMITTED) while green contexts of the device are alive, which their streams and events keep so,
    /// and CUDAError if the driver cannot start afresh: then the process has to be started again. (Driver API manual,
    /// `cuDevicePrimaryCtxReset`.)
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        let device = self.inner;
        let views = buffer_memory::views(device);
        if views > 0 {
            let (are, arrays) = match views {
                1 => ("is", "array or memoryview"),
                _ => ("are", "arrays or memoryviews"),
            };
            return Err(PyBufferError::new_err(format!(
                "Device.reset(): there {are} {views} {arrays} of the device's memory, which would be freed under them: \
                 delete them first"
            )));
        }
        let held = held_by_torch(py, device)?;
        if held > 0 {
            return Err(PyBufferError::new_err(format!(
                "Device.reset(): PyTorch has {held} bytes of the device's memory or pinned, which would be freed under its \
                 tensors: delete them and call torch.cuda.empty_cache(), or start the process again if a kernel has failed"
            )));
        }
        py.detach(|| {
            idle::forget_idle();
            // SAFETY: no view of host memory is left, and every use of a buffer asks whether the device was reset
            // since.
            unsafe { device.reset() }
        })
        .or_raise_in(py, "device.reset()")
    }

    /// Create a stream on the device, or wrap a foreign one.
    ///
    /// obj: an object with `__cuda_stream__`, whose stream is wrapped and stays its own; None makes a new stream.
    /// options: StreamOptions, or a dict with some of its fields.
    ///
    /// Raises TypeError for unknown options, CUDAError. Driver API manual, `cuStreamCreateWithPriority`.
    #[pyo3(signature = (obj=None, options=None))]
    fn create_stream(
        &self,
        py: Python<'_>,
        obj: Option<Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Stream> {
        let Some(obj) = obj else {
            let options = stream_options(options)?;
            self.check_priority(py, options.priority)?;
            return Ok(Stream::new(
                self.inner
                    .create_stream(options)
                    .or_raise_in(py, "device.create_stream()")?,
            ));
        };
        match handles::stream_handle(&obj)? {
            Some(handle) => Stream::from_raw(py, self.inner, handle, Some(obj.unbind())),
            None => Err(PyTypeError::new_err(format!(
                "create_stream: obj: expected an object with __cuda_stream__, got {}",
                names::type_name(&obj)
            ))),
        }
    }

    /// Create an event, in no stream yet.
    ///
    /// options: EventOptions, or a dict with some of its fields.
    ///
    /// Raises TypeError for unknown options, CUDAError. Driver API manual, `cuEventCreate`.
    #[pyo3(signature = (options=None))]
    fn create_event(&self, py: Python<'_>, options: Option<&Bound<'_, PyAny>>) -> PyResult<Event> {
        let context = self.inner.context().or_raise(py)?;
        let options = event_options(options)?;
        if options.interprocess {
            return Err(PyTypeError::new_err(
                "IPC-enabled events must be bound; use Stream.record for creation.",
            ));
        }
        Ok(Event::new(
            cuox::Event::new(&context, options).or_raise_in(py, "device.create_event()")?,
        ))
    }

    /// Create a builder of graphs, on a stream of its own. Driver API manual, *Graph Management*.
    fn create_graph_builder(&self, py: Python<'_>) -> PyResult<GraphBuilder> {
        graph_builder::builder(py, self.inner, None)
    }

    /// Allocate device memory of `nbytes` bytes, at once and in no stream's order.
    ///
    /// Raises OutOfMemoryError, TypeError and OverflowError for other values. Driver API manual, `cuMemAlloc`.
    fn mem_alloc(&self, py: Python<'_>, nbytes: &Bound<'_, PyAny>) -> PyResult<Buffer> {
        Buffer::allocate(py, self.inner, size_argument(nbytes)?, None)
    }

    /// The default stream of the device, which work goes to that names no stream: always the same object.
    #[getter]
    fn default_stream(&self, py: Python<'_>) -> PyResult<Py<Stream>> {
        let stream = self.inner.default_stream().or_raise(py)?;
        // SAFETY: counting runs no Python code.
        let known = unsafe {
            self.default_stream
                .look(py, |held| held.as_ref().map(|it| it.clone_ref(py)))
        };
        // It may have been closed, or be one of before a reset.
        if let Some(known) = known
            && let Ok(below) = known.get().get(py)
            && below == stream
            && below.context().check().is_ok()
        {
            return Ok(known);
        }
        let made = Py::new(py, Stream::new(stream))?;
        // SAFETY: a swap runs no Python code; the old one is dropped behind it.
        let old = unsafe {
            self.default_stream
                .look(py, |held| held.replace(made.clone_ref(py)))
        };
        drop(old);
        Ok(made)
    }

    /// The memory resource that `allocate` takes memory from: always the same object; one of the device's default pool
    /// unless another one is set, for this thread.
    #[getter]
    fn memory_resource<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.set_resource(py) {
            Some(resource) => Ok(resource),
            None => self.own_resource(py),
        }
    }

    #[setter]
    fn set_memory_resource(&self, py: Python<'_>, mr: Bound<'_, PyAny>) -> PyResult<()> {
        if !mr.is_instance_of::<MemoryResource>() {
            return Err(plain_args::wrong_kind(
                "device.memory_resource",
                "a cuox.MemoryResource",
                &mr,
            ));
        }
        let is_own = self.own_resource(py)?.is(&mr);
        let new = (!is_own).then(|| mr.unbind());
        // SAFETY: a swap runs no Python code; the old one is dropped behind it.
        let old = unsafe { self.resource.look(py, |held| std::mem::replace(held, new)) };
        drop(old);
        Ok(())
    }

    /// Return whether kernels of this device can be allowed to use memory of another; True for the device itself.
    ///
    /// peer: a device, or its number. Raises CUDAError. Driver API manual, `cuDeviceCanAccessPeer`.
    fn can_access_peer(&self, py: Python<'_>, peer: &Bound<'_, PyAny>) -> PyResult<bool> {
        let peer = device_argument(py, Some(peer))?;
        if peer == self.inner {
            return Ok(true);
        }
        self.inner
            .can_access_peer(peer)
            .or_raise_in(py, "device.can_access_peer()")
    }

    /// Allow kernels of this device to use memory of another, also what is allocated later. Doing so twice is fine.
    ///
    /// peer: a device, or its number. Raises ValueError if the two devices cannot, CUDAError. Driver API manual,
    /// `cuCtxEnablePeerAccess`, `cuMemPoolSetAccess`.
    fn enable_peer_access(&self, py: Python<'_>, peer: &Bound<'_, PyAny>) -> PyResult<()> {
        let peer = device_argument(py, Some(peer))?;
        self.inner
            .enable_peer_access(peer)
            .or_raise_in(py, "device.enable_peer_access()")
    }

    /// Return the free and the total memory, in bytes. Driver API manual, `cuMemGetInfo`.
    fn memory_info(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        self.inner
            .memory_info()
            .or_raise_in(py, "device.memory_info()")
    }

    /// The number of the device, from 0 on.
    #[getter]
    fn device_id(&self) -> usize {
        self.inner.ordinal()
    }

    /// The name of the device. Driver API manual, `cuDeviceGetName`.
    #[getter]
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    /// The UUID of the device, as text. Driver API manual, `cuDeviceGetUuid`.
    #[getter]
    fn uuid(&self) -> String {
        self.inner.uuid_text()
    }

    /// The PCI address of the device: `0000:3b:00.0`. Driver API manual, `cuDeviceGetPCIBusId`.
    #[getter]
    fn pci_bus_id(&self, py: Python<'_>) -> PyResult<String> {
        self.inner.pci_bus_id().or_raise_in(py, "device.pci_bus_id")
    }

    /// The compute capability: a named tuple of `major` and `minor`.
    #[getter]
    fn compute_capability<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (major, minor) = self.inner.compute_capability();
        COMPUTE_CAPABILITY
            .import(py, "cuox._internal.errors", "ComputeCapability")?
            .call1((major, minor))
    }

    /// The compute capability as architecture names spell it: "90".
    #[getter]
    fn arch(&self) -> String {
        self.inner.arch()
    }

    /// True for cuox's software GPU.
    #[getter]
    fn is_soft(&self) -> bool {
        self.inner.is_soft()
    }

    /// The checks of the software GPU while kernels run: "memory" for every access to global memory, None for none.
    ///
    /// Set to "memory", None or "off" for kernels that start from then on; `CUOX_SOFT_CHECK=memory` in the environment
    /// is where a
    /// process begins. A bad access raises CUDAError (`CUDA_ERROR_ILLEGAL_ADDRESS`) where the kernel is waited for.
    /// Setting it
    /// to "memory" raises NotImplementedError on a GPU: use NVIDIA's compute-sanitizer there. See
    /// docs/checking-memory.md.
    #[getter]
    fn check(&self) -> Option<&'static str> {
        self.inner.checks_memory().then_some("memory")
    }

    #[setter]
    fn set_check(&self, what: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let text = what.map(|given| {
            given.extract::<String>().map_err(|_| {
                PyTypeError::new_err(format!(
                    "device.check must be \"memory\", \"off\" or None, got {}",
                    names::type_name(given)
                ))
            })
        });
        let text = text.transpose()?;
        let what = text.as_deref();
        let on = match what {
            Some("memory") => true,
            None | Some("off") => false,
            Some(other) => {
                return Err(PyValueError::new_err(format!(
                    "device.check = {other:?}: it must be \"memory\", \"off\" or None"
                )));
            }
        };
        let done = self.inner.check_memory(on);
        done.map_err(|error| PyNotImplementedError::new_err(format!("device.check: {error}")))
    }

    /// The attributes of the device by name: `device.properties.warp_size`.
    #[getter]
    fn properties(&self) -> DeviceProperties {
        DeviceProperties { device: self.inner }
    }

    fn __int__(&self) -> usize {
        self.inner.ordinal()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other
            .cast::<Self>()
            .is_ok_and(|other| other.get().inner == self.inner)
    }

    fn __hash__(&self) -> usize {
        number_of(self.inner)
    }

    fn __repr__(&self) -> String {
        format!("<{}>", shown(self.inner))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let class = slf.get_type().into_any();
        Ok((class, PyTuple::new(py, [slf.get().inner.ordinal()])?))
    }
}

/// Return the kind of driver that is chosen: "gpu", "soft", or None. The software GPU is not loaded for it.
#[pyfunction]
pub fn chosen_driver(py: Python<'_>) -> Option<&'static str> {
    py.detach(driver::chosen).map(DriverKind::as_str)
}

/// Return the choice of the driver and the reasons, as a dict of texts.
#[pyfunction]
pub fn choice_report(py: Python<'_>) -> PyResult<Bound<'_, pyo3::types::PyDict>> {
    let report = py.detach(driver::choice_report);
    let dict = pyo3::types::PyDict::new(py);
    dict.set_item("asked", report.asked)?;
    dict.set_item("asked_by", report.asked_by)?;
    dict.set_item("chosen", report.chosen.map(DriverKind::as_str))?;
    dict.set_item("reason", report.reason)?;
    dict.set_item("nvidia", report.nvidia)?;
    dict.set_item("soft", report.soft)?;
    Ok(dict)
}

/// What the driver says of this thread's newest failed call besides the code; None on a GPU.
#[pyfunction]
pub fn _last_fault(py: Python<'_>) -> PyResult<Option<String>> {
    Ok(current(py)?.driver().last_fault())
}
