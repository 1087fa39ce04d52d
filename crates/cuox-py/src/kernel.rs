//! `cuox.Kernel`, its attributes and its occupancy.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use cuox::driver::sys::{CUfunction, CUkernel, CUlibrary, CUresult};
use cuox_interpreter::gate;
use pyo3::exceptions::{PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

use crate::device::{self, Device, device_argument};
use crate::error::OrRaise;
use crate::launch::{ConfiguredKernel, LaunchConfig};
use crate::object_code::ObjectCode;
use crate::stream::stream_or_default;
use crate::support::block_to_shared::{self, SharedOfBlock};
use crate::support::handles;
use crate::support::names::not_by_hand;
use crate::support::plain_args;
use crate::support::pool::Pooled;
use crate::support::reaper::Reaped;

/// A kernel, ready to be launched: `kernel[grid, block](*args)`, or with a stream `kernel[grid, block, stream](*args)`.
///
/// `ObjectCode.get_kernel` gets it.
#[pyclass(frozen, weakref, module = "cuox", name = "Kernel")]
pub struct Kernel {
    pub inner: Reaped<cuox::Kernel>,
    launched: AtomicBool,
}

impl Kernel {
    pub fn new(inner: cuox::Kernel) -> Self {
        Self {
            inner: Reaped::new(inner),
            launched: AtomicBool::new(false),
        }
    }

    /// True if it was launched before. The first time a driver may load or compile it, or wait for the device.
    #[inline]
    pub fn was_launched(&self) -> bool {
        self.launched.load(Relaxed)
    }

    #[cold]
    pub fn set_launched(&self) {
        self.launched.store(true, Relaxed);
    }
}

#[pymethods]
impl Kernel {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand(
            "Kernel objects",
            "ObjectCode.get_kernel and Kernel.from_handle give them",
        ))
    }

    /// `kernel[grid, block, stream, shmem_size](*args)`, or `kernel[config, stream](*args)`.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, ConfiguredKernel>> {
        let configured = ConfiguredKernel::new(slf, key)?;
        ConfiguredKernel::pool().make(slf.py(), || configured)
    }

    /// A kernel needs a configuration before its arguments: raises TypeError, which says how.
    #[pyo3(signature = (*_args, **_kwargs))]
    fn __call__(
        &self,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let name = self.inner.shown_name();
        Err(PyTypeError::new_err(format!(
            "{name}: a kernel is called with its grid and block: kernel[grid, block](...), \
             or cuox.launch(stream, config, kernel, ...)"
        )))
    }

    /// Wrap a kernel of another library, which must stay loaded as long as the kernel is used.
    ///
    /// handle: the `CUkernel`. mod: the code that the kernel is of, if there is an object of it, which is kept.
    ///
    /// Warns if the kernel is not of that code. Raises TypeError, CUDAError. Driver API manual, `cuKernelGetFunction`.
    #[staticmethod]
    #[pyo3(signature = (handle, r#mod=None))]
    fn from_handle(
        py: Python<'_>,
        handle: &Bound<'_, PyAny>,
        r#mod: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        const USER: &str = "Kernel.from_handle()";
        let handle = handles::handle_argument("Kernel.from_handle: handle", handle)?;
        let raw = CUkernel(handle as usize as *mut _);
        let code = match r#mod.filter(|code| !code.is_none()) {
            None => None,
            Some(code) => Some(code.cast::<ObjectCode>().map_err(|_| {
                plain_args::wrong_kind("Kernel.from_handle: mod", "a cuox.ObjectCode or None", code)
            })?),
        };
        let device = device::current(py)?;
        let context = device.context().or_raise_in(py, USER)?;
        let code = code.map(|code| code.get().inner().clone());
        if let Some(code) = &code {
            let mut library = CUlibrary::null();
            context.bind().or_raise_in(py, USER)?;
            // SAFETY: the caller promises a kernel; the pointer is to a live local.
            let found = unsafe {
                context
                    .driver()
                    .table()
                    .cuKernelGetLibrary(&mut library, raw)
            };
            if found == CUresult::CUDA_SUCCESS && code.loaded_handle(device) != Some(library) {
                gate::hang_if_thread_exits(|| {
                    PyErr::warn(
                        py,
                        &py.get_type::<PyUserWarning>(),
                        c"Kernel.from_handle: mod does not match the code that the kernel is of, which has to stay loaded",
                        1,
                    )
                })?;
            }
        }
        // SAFETY: the caller promises a kernel that stays loaded.
        let kernel = unsafe { cuox::Kernel::from_raw(&context, raw, code.as_ref()) };
        kernel.map(Self::new).or_raise_in(py, USER)
    }

    /// The kernel of a `CUfunction` that cuox has given out, as an int; None if there is no object of it any more.
    #[staticmethod]
    fn _of_function(function: usize) -> Option<Self> {
        cuox::Kernel::of_function(CUfunction(function as *mut _)).map(Self::new)
    }

    /// Raise ClosedError after `Device.reset`.
    fn _check(&self, py: Python<'_>) -> PyResult<()> {
        self.inner.context().check().or_raise(py)
    }

    /// The name in the code (mangled, for C++).
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    /// The signature as text, as far as it is known: `saxpy(float a, const float *x, float *y, int n)`.
    #[getter]
    fn signature(&self) -> Option<String> {
        self.inner.signature().map(ToString::to_string)
    }

    /// The number of parameters. Raises ValueError if the parameters are not known.
    #[getter]
    fn num_arguments(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.inner.parameters().or_raise(py)?.len())
    }

    /// The `(offset, size)` of each parameter, in bytes. Raises ValueError if the parameters are not known.
    #[getter]
    fn arguments_info<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        static PARAM_INFO: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = PARAM_INFO.import(py, "cuox._internal.errors", "ParamInfo")?;
        self.inner
            .parameters()
            .or_raise(py)?
            .signature()
            .layout()
            .into_iter()
            .map(|pair| class.call1(pair))
            .collect()
    }

    /// The registers, memory and limits of the kernel, by name.
    #[getter]
    fn attributes(&self) -> KernelAttributes {
        KernelAttributes {
            kernel: (*self.inner).clone(),
            device: self.inner.device(),
        }
    }

    /// The numbers of blocks that fit on a device.
    #[getter]
    fn occupancy(&self) -> KernelOccupancy {
        KernelOccupancy {
            kernel: (*self.inner).clone(),
        }
    }

    /// The device that the kernel was loaded for.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.inner.device())
    }

    /// The `CUkernel`, as an int.
    #[getter]
    fn handle(&self) -> usize {
        self.inner.raw().addr()
    }

    /// The code that the kernel is in.
    #[getter]
    fn code(&self) -> ObjectCode {
        ObjectCode::new(self.inner.code().clone())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = &other.get().inner;
            other.raw() == self.inner.raw() && other.device() == self.inner.device()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.inner.raw().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("<Kernel handle={:#x}>", self.inner.raw().addr())
    }
}

/// The registers, memory and limits of a kernel. Driver API manual, `CUfunction_attribute`.
#[pyclass(frozen, module = "cuox", name = "KernelAttributes")]
pub struct KernelAttributes {
    kernel: cuox::Kernel,
    device: cuox::Device,
}

/// `CUfunction_attribute` numbers (cuda.h).
mod attribute {
    pub const MAX_THREADS_PER_BLOCK: u32 = 0;
    pub const SHARED_SIZE_BYTES: u32 = 1;
    pub const CONST_SIZE_BYTES: u32 = 2;
    pub const LOCAL_SIZE_BYTES: u32 = 3;
    pub const NUM_REGS: u32 = 4;
    pub const PTX_VERSION: u32 = 5;
    pub const BINARY_VERSION: u32 = 6;
    pub const CACHE_MODE_CA: u32 = 7;
    pub const MAX_DYNAMIC_SHARED_SIZE_BYTES: u32 = 8;
    pub const PREFERRED_SHARED_MEMORY_CARVEOUT: u32 = 9;
    pub const CLUSTER_SIZE_MUST_BE_SET: u32 = 10;
    pub const REQUIRED_CLUSTER_WIDTH: u32 = 11;
    pub const REQUIRED_CLUSTER_HEIGHT: u32 = 12;
    pub const REQUIRED_CLUSTER_DEPTH: u32 = 13;
    pub const NON_PORTABLE_CLUSTER_SIZE_ALLOWED: u32 = 14;
    pub const CLUSTER_SCHEDULING_POLICY_PREFERENCE: u32 = 15;
}

const ATTRIBUTES: &str = "kernel.attributes";
const OCCUPANCY: &str = "kernel.occupancy";

impl KernelAttributes {
    fn read(&self, py: Python<'_>, number: u32) -> PyResult<i32> {
        self.kernel
            .attribute_on(self.device, number)
            .or_raise_in(py, ATTRIBUTES)
    }
}

#[pymethods]
impl KernelAttributes {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand("KernelAttributes", "Kernel.attributes is one"))
    }

    /// The attributes on a device, given as a `Device` or its number. Raises ValueError for one that is not there.
    fn __getitem__(&self, py: Python<'_>, device: &Bound<'_, PyAny>) -> PyResult<Self> {
        let asked = device_argument(py, Some(device))?;
        if asked.driver().kind() != self.kernel.device().driver().kind() {
            return Err(PyValueError::new_err(format!(
                "kernel.attributes[device]: expected a device of the kernel's driver, got {asked:?}"
            )));
        }
        Ok(Self {
            kernel: self.kernel.clone(),
            device: asked,
        })
    }

    /// The largest number of threads in a block, which registers may limit.
    #[getter]
    fn max_threads_per_block(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::MAX_THREADS_PER_BLOCK)
    }

    /// The static shared memory of a block, in bytes.
    #[getter]
    fn shared_size_bytes(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::SHARED_SIZE_BYTES)
    }

    /// The constant memory of the kernel, in bytes.
    #[getter]
    fn const_size_bytes(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::CONST_SIZE_BYTES)
    }

    /// The local memory of a thread, in bytes.
    #[getter]
    fn local_size_bytes(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::LOCAL_SIZE_BYTES)
    }

    /// The registers of a thread.
    #[getter]
    fn num_regs(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::NUM_REGS)
    }

    /// The PTX version that the kernel was compiled for: 90 is 9.0.
    #[getter]
    fn ptx_version(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::PTX_VERSION)
    }

    /// The architecture that the kernel was compiled for: 90 is 9.0.
    #[getter]
    fn binary_version(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::BINARY_VERSION)
    }

    /// True if the kernel was compiled with `-Xptxas --dlcm=ca`.
    #[getter]
    fn cache_mode_ca(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.read(py, attribute::CACHE_MODE_CA)? != 0)
    }

    /// The most dynamic shared memory of a block, in bytes; can be set. A launch that needs more sets it by itself.
    #[getter]
    fn max_dynamic_shared_size_bytes(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES)
    }

    #[setter]
    fn set_max_dynamic_shared_size_bytes(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let value = plain_args::count("max_dynamic_shared_size_bytes", value)?;
        self.kernel
            .set_attribute(attribute::MAX_DYNAMIC_SHARED_SIZE_BYTES, value)
            .or_raise_in(py, ATTRIBUTES)
    }

    /// True if a launch needs a cluster's size.
    #[getter]
    fn cluster_size_must_be_set(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.read(py, attribute::CLUSTER_SIZE_MUST_BE_SET)? != 0)
    }

    /// The blocks of a cluster in x that the kernel was compiled for; 0 for any.
    #[getter]
    fn required_cluster_width(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::REQUIRED_CLUSTER_WIDTH)
    }

    /// The blocks of a cluster in y that the kernel was compiled for; 0 for any.
    #[getter]
    fn required_cluster_height(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::REQUIRED_CLUSTER_HEIGHT)
    }

    /// The blocks of a cluster in z that the kernel was compiled for; 0 for any.
    #[getter]
    fn required_cluster_depth(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::REQUIRED_CLUSTER_DEPTH)
    }

    /// True if clusters may be larger than all devices of this compute capability allow.
    #[getter]
    fn non_portable_cluster_size_allowed(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.read(py, attribute::NON_PORTABLE_CLUSTER_SIZE_ALLOWED)? != 0)
    }

    /// The preferred way to spread a cluster's blocks (`CUclusterSchedulingPolicy`).
    #[getter]
    fn cluster_scheduling_policy_preference(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::CLUSTER_SCHEDULING_POLICY_PREFERENCE)
    }

    /// The part of the L1 cache that is preferably shared memory, in percent; can be set. -1 is the driver's choice.
    #[getter]
    fn preferred_shared_memory_carveout(&self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, attribute::PREFERRED_SHARED_MEMORY_CARVEOUT)
    }

    #[setter]
    fn set_preferred_shared_memory_carveout(
        &self,
        py: Python<'_>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        // -1 is the driver's own choice.
        let value = value.extract().map_err(|_| {
            plain_args::wrong_kind(
                "preferred_shared_memory_carveout",
                "an int from -1 to 100",
                value,
            )
        })?;
        self.kernel
            .set_attribute(attribute::PREFERRED_SHARED_MEMORY_CARVEOUT, value)
            .or_raise_in(py, ATTRIBUTES)
    }
}

/// The numbers of blocks of a kernel that fit on a device. Driver API manual, *Occupancy*.
#[pyclass(frozen, module = "cuox", name = "KernelOccupancy")]
pub struct KernelOccupancy {
    kernel: cuox::Kernel,
}

#[pymethods]
impl KernelOccupancy {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(not_by_hand("KernelOccupancy", "Kernel.occupancy is one"))
    }

    /// Return the number of blocks that one multiprocessor holds.
    ///
    /// block_size: threads in a block.
    /// dynamic_shared_memory_size: dynamic shared memory of a block, in bytes.
    ///
    /// Driver API manual, `cuOccupancyMaxActiveBlocksPerMultiprocessor`.
    fn max_active_blocks_per_multiprocessor(
        &self,
        py: Python<'_>,
        block_size: &Bound<'_, PyAny>,
        dynamic_shared_memory_size: &Bound<'_, PyAny>,
    ) -> PyResult<i32> {
        let block_size = plain_args::count("block_size", block_size)?;
        let dynamic_shared_memory_size =
            plain_args::count("dynamic_shared_memory_size", dynamic_shared_memory_size)?;
        self.kernel
            .max_active_blocks(block_size, dynamic_shared_memory_size)
            .or_raise_in(py, OCCUPANCY)
    }

    /// Return the dynamic shared memory of a block, in bytes, with which so many blocks fit on a multiprocessor.
    ///
    /// num_blocks_per_multiprocessor: blocks at once on a multiprocessor.
    /// block_size: threads in a block.
    ///
    /// Driver API manual, `cuOccupancyAvailableDynamicSMemPerBlock`.
    fn available_dynamic_shared_memory_per_block(
        &self,
        py: Python<'_>,
        num_blocks_per_multiprocessor: &Bound<'_, PyAny>,
        block_size: &Bound<'_, PyAny>,
    ) -> PyResult<usize> {
        let blocks = plain_args::count(
            "num_blocks_per_multiprocessor",
            num_blocks_per_multiprocessor,
        )?;
        let block_size = plain_args::count("block_size", block_size)?;
        self.kernel
            .available_shared(blocks, block_size)
            .or_raise_in(py, OCCUPANCY)
    }

    /// Return the largest number of blocks that a cluster of a launch may have; its cluster's size does not count.
    ///
    /// config: the launch. stream: the stream that it would go into.
    ///
    /// Driver API manual, `cuOccupancyMaxPotentialClusterSize`.
    #[pyo3(signature = (config, *, stream=None))]
    fn max_potential_cluster_size(
        &self,
        py: Python<'_>,
        config: &Bound<'_, LaunchConfig>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i32> {
        let stream = stream_or_default(py, stream, self.kernel.device())?;
        self.kernel
            .max_cluster_size(&config.get().config, &stream)
            .or_raise_in(py, OCCUPANCY)
    }

    /// Return the number of clusters of a launch that the device holds at once.
    ///
    /// config: the launch, with a cluster's size. stream: the stream that it would go into.
    ///
    /// Driver API manual, `cuOccupancyMaxActiveClusters`.
    #[pyo3(signature = (config, *, stream=None))]
    fn max_active_clusters(
        &self,
        py: Python<'_>,
        config: &Bound<'_, LaunchConfig>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<i32> {
        let stream = stream_or_default(py, stream, self.kernel.device())?;
        self.kernel
            .max_active_clusters(&config.get().config, &stream)
            .or_raise_in(py, OCCUPANCY)
    }

    /// Return the block size with the most threads in flight, and the smallest grid that fills the device with it.
    ///
    /// dynamic_shared_memory_needed: dynamic shared memory of a block, in bytes; or a `CUoccupancyB2DSize`, a function
    ///     of C that says it for a number of threads.
    /// block_size_limit: the largest block size; 0 is the kernel's own limit.
    ///
    /// Driver API manual, `cuOccupancyMaxPotentialBlockSize`.
    fn max_potential_block_size<'py>(
        &self,
        py: Python<'py>,
        dynamic_shared_memory_needed: &Bound<'py, PyAny>,
        block_size_limit: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shared =
            block_to_shared::read("dynamic_shared_memory_needed", dynamic_shared_memory_needed)?;
        let block_size_limit = plain_args::count("block_size_limit", block_size_limit)?;
        static RESULT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let best = match shared {
            SharedOfBlock::Bytes(bytes) => self
                .kernel
                .max_potential_block_size(bytes, block_size_limit),
            // SAFETY: the caller's argument says that it is such a function.
            SharedOfBlock::Function(function) => unsafe {
                self.kernel
                    .max_potential_block_size_by(function, block_size_limit)
            },
        };
        let best = best.or_raise_in(py, OCCUPANCY)?;
        RESULT
            .import(
                py,
                "cuox._internal.errors",
                "MaxPotentialBlockSizeOccupancyResult",
            )?
            .call1(best)
    }
}
