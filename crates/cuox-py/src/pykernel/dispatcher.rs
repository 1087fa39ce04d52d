//! `cuox._native._PythonKernel`: a Python function whose versions are found by the types of a launch's arguments.

use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::{Arc, PoisonError, RwLock};

use cuox_pykernel::types::Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use smallvec::SmallVec;

use super::argument::{self, Key};
use super::translate::read_type;
use super::version::{Given, KernelVersion, objects_of};
use crate::array::exchange;
use crate::device;
use crate::error::OrRaise;
use crate::launch::exchanged::Seen;
use crate::launch::{exchanged, in_brackets, named_stream};
use crate::stream::{ConsumerStream, Stream, StreamRef, stream_ref_or_default};
use crate::support::fastcall;
use crate::support::names::type_name;
use crate::support::pool::{Pool, Pooled, Reference};
use crate::support::vectorcall::{self, Entry};

/// Grids of fewer blocks leave most GPUs idle, if the user wants to know.
const FEW_BLOCKS: u64 = 128;

fn warns_of_few_blocks(py: Python<'_>) -> PyResult<bool> {
    static CONFIG: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let import = || Ok::<_, PyErr>(py.import("cuox.numba.cuda.core.config")?.unbind());
    let config = CONFIG.get_or_try_init(py, import)?.bind(py);
    config
        .getattr(intern!(py, "CUDA_LOW_OCCUPANCY_WARNINGS"))?
        .is_truthy()
}

/// The error of an object that no kernel takes.
#[cold]
fn not_taken(kernel: &Bound<'_, PythonKernel>, index: usize, object: &Bound<'_, PyAny>) -> PyErr {
    let name = kernel
        .getattr(intern!(kernel.py(), "__name__"))
        .and_then(|name| name.extract::<String>())
        .unwrap_or_default();
    let instead = if object.is_instance_of::<PyList>() {
        ": give a tuple, or an array of it"
    } else if object.hasattr("__array__").unwrap_or(false) {
        // Such as a tensor on the CPU.
        ": give numpy.asarray() of it, or cuda.to_device() of that"
    } else {
        ""
    };
    PyTypeError::new_err(format!(
        "{name}: argument {}: a kernel cannot take {}{instead}",
        index + 1,
        type_name(object)
    ))
}

/// A Python function as a kernel. `kernel[grid, block, stream, shared](*args)` finds the version for the arguments'
/// types.
///
/// Subclasses have `_version(codes)`, which makes a version, `_launch_converted(configured, args)`, which launches with
/// arguments that are neither numbers nor device arrays, `_warn_of_few_blocks(blocks)`, and `_traceback(error)`, the
/// part of a launch's error's traceback that is shown.
#[pyclass(frozen, subclass, module = "cuox._native", name = "_PythonKernel")]
pub struct PythonKernel {
    versions: RwLock<HashMap<Key, Known>>,
}

#[derive(Clone)]
struct Known {
    version: Arc<Py<KernelVersion>>,
    /// Classes and dtypes whose addresses are in the key.
    _held: Arc<Py<PyTuple>>,
}

/// The tensors of other libraries among a launch's arguments, by their places.
type Tensors = SmallVec<[Option<Seen>; 8]>;

/// The word of a key that tells the device.
fn device_word(device: cuox::Device) -> u64 {
    (device.ordinal() as u64) << 1 | u64::from(device.is_soft())
}

impl PythonKernel {
    #[inline]
    fn find(&self, key: &Key) -> Option<Arc<Py<KernelVersion>>> {
        let versions = self.versions.read().unwrap_or_else(PoisonError::into_inner);
        versions.get(key).map(|known| known.version.clone())
    }

    /// The version for arguments of new types.
    #[cold]
    fn make(
        this: &Bound<'_, Self>,
        key: Key,
        configured: &ConfiguredPythonKernel,
        arguments: Given<'_>,
    ) -> PyResult<Arc<Py<KernelVersion>>> {
        let py = this.py();
        let device = configured.stream.device();
        let codes = PyList::empty(py);
        let mut values = Vec::new();
        let mut held = Vec::new();
        for (index, argument) in arguments.iter(py).enumerate() {
            match argument::type_of(argument)? {
                Some(ty) => {
                    codes.append(ty.to_string())?;
                    values.push(match ty {
                        Type::Int { .. } => argument.extract::<i128>().ok(),
                        _ => None,
                    });
                }
                None => return Err(not_taken(this, index, argument)),
            }
            argument::hold(argument, &mut held);
        }
        // It is loaded on the current device, which the stream's need not be.
        let current = device::current(py)?;
        if current != device {
            py.detach(|| device.set_current()).or_raise(py)?;
        }
        let block = configured.config.block;
        let launch = ((block.x, block.y, block.z), values);
        let version = this.call_method1(intern!(py, "_version"), (codes.to_tuple(), launch));
        if current != device {
            py.detach(|| current.set_current()).or_raise(py)?;
        }
        let version = version?.cast_into::<KernelVersion>()?;
        let known = Known {
            version: Arc::new(version.unbind()),
            _held: Arc::new(PyTuple::new(py, held)?.unbind()),
        };
        let mut versions = this
            .get()
            .versions
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        let replaced = versions.insert(key, known.clone());
        drop(versions);
        drop(replaced);
        Ok(known.version)
    }
}

#[pymethods]
impl PythonKernel {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self {
            versions: RwLock::default(),
        }
    }

    /// Refused: here and not in Python, so that the traceback ends where the program calls it.
    #[pyo3(signature = (*_args, **_kwargs))]
    fn __call__(
        slf: &Bound<'_, Self>,
        _args: &Bound<'_, PyTuple>,
        _kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let name = slf.getattr(intern!(slf.py(), "__name__"))?;
        Err(PyValueError::new_err(format!(
            "Kernel launch configuration was not specified. Use the syntax: {name}[blocks, threads](...)"
        )))
    }

    /// `kernel[grid, block, stream=0, shared=0]`.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, ConfiguredPythonKernel>> {
        let parts = match key.cast::<PyTuple>() {
            Ok(tuple) if (2..=5).contains(&tuple.len()) => {
                let mut parts = [None; 5];
                for (place, part) in parts.iter_mut().zip(tuple.iter_borrowed()) {
                    *place = Some(part);
                }
                parts
            }
            _ => {
                return Err(PyValueError::new_err(
                    "a kernel's configuration is kernel[grid, block], kernel[grid, block, stream] or kernel[grid, block, stream, shared_bytes]",
                ));
            }
        };
        let [grid, block, stream, shared, cluster] = &parts;
        let configured = ConfiguredPythonKernel::new(
            slf,
            grid.as_deref(),
            block.as_deref(),
            stream.as_deref(),
            shared.as_deref(),
            cluster.as_deref(),
        )?;
        let blocks = configured.config.grid.volume();
        if blocks < FEW_BLOCKS && warns_of_few_blocks(slf.py())? {
            slf.call_method1(intern!(slf.py(), "_warn_of_few_blocks"), (blocks,))?;
        }
        POOL.make(slf.py(), || configured)
    }

    /// Launch with arguments that are numbers, device arrays or tuples of them.
    #[pyo3(signature = (configured, args))]
    fn _launch(
        slf: &Bound<'_, Self>,
        configured: &ConfiguredPythonKernel,
        args: &Bound<'_, PyTuple>,
    ) -> PyResult<()> {
        let mut key = Key::new();
        for (index, argument) in args.iter_borrowed().enumerate() {
            if !argument::add_words(&argument, &mut key) {
                // Objects whose class does not tell their type: by the type's code.
                match argument::type_of(&argument)? {
                    Some(ty) => {
                        key.push(0);
                        key.extend(ty.to_string().bytes().map(u64::from));
                    }
                    None => return Err(not_taken(slf, index, &argument)),
                }
            }
        }
        let objects = objects_of(args);
        // SAFETY: the tuple holds them.
        let arguments = unsafe { Given::new(&objects) };
        PythonKernel::run(slf, configured, &configured.stream, key, arguments)
    }
}

impl PythonKernel {
    /// The version for the shape of a launch's blocks and for its values.
    #[cold]
    fn for_launch(
        this: &Bound<'_, Self>,
        configured: &ConfiguredPythonKernel,
        mut key: Key,
        args: Given<'_>,
        mut version: Arc<Py<KernelVersion>>,
    ) -> PyResult<Arc<Py<KernelVersion>>> {
        let py = this.py();
        let mut told = (false, false);
        while let Some(made_for) = &version.get().made_for {
            let config = &configured.config;
            let more = KernelVersion::more_key(made_for, &mut told, py, config, args)?;
            if more.is_empty() {
                break;
            }
            key.extend(more);
            version = match this.get().find(&key) {
                Some(found) if found.get().kernel.get().inner.context().check().is_ok() => found,
                _ => Self::make(this, key.clone(), configured, args)?,
            };
        }
        Ok(version)
    }

    #[inline]
    fn run(
        this: &Bound<'_, Self>,
        configured: &ConfiguredPythonKernel,
        stream: &cuox::Stream,
        mut key: Key,
        args: Given<'_>,
    ) -> PyResult<()> {
        let py = this.py();
        let device = stream.device();
        key.push(device_word(device));
        let version = match this.get().find(&key) {
            Some(version) if version.get().kernel.get().inner.context().check().is_ok() => version,
            _ => Self::make(this, key.clone(), configured, args)?,
        };
        let version = match version.get().made_for {
            None => version,
            Some(_) => Self::for_launch(this, configured, key, args, version)?,
        };
        version
            .get()
            .launch(py, &configured.config, stream, args, &[])
    }
}

/// A kernel with its configuration, to be called with its arguments.
#[pyclass(frozen, module = "cuox._native", name = "_ConfiguredPythonKernel")]
pub struct ConfiguredPythonKernel {
    /// The function that the interpreter calls, which finds it here.
    entry: Entry,
    kernel: Reference<PythonKernel>,
    config: cuox::LaunchConfig,
    stream: StreamRef,
    given_stream: Option<Reference<PyAny>>,
}

static POOL: Pool<ConfiguredPythonKernel> = Pool::new();

impl Pooled for ConfiguredPythonKernel {
    fn pool() -> &'static Pool<Self> {
        &POOL
    }
}

/// The function that the interpreter calls for `kernel[grid, block](...)`.
unsafe extern "C" fn enter_call(
    this: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let count = vectorcall::positional(count);
    // SAFETY: the interpreter passes an object of the class, which has no subclasses, `count` live values and one for
    // each name, with the GIL held.
    unsafe {
        fastcall::enter("kernel[grid, block]()", |py| {
            let this = Bound::ref_from_ptr(py, &this).cast_unchecked::<ConfiguredPythonKernel>();
            if !names.is_null() {
                let names = Bound::ref_from_ptr(py, &names).cast_unchecked::<PyTuple>();
                if !names.is_empty() {
                    return Err(named(names.as_any()));
                }
            }
            ConfiguredPythonKernel::call(this, Given::new(vectorcall::objects(values, count)))?;
            Ok(py.None().into_bound(py))
        })
    }
}

#[cold]
fn named(names: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "a kernel's arguments are given by position, not as {names}"
    ))
}

/// An error of a launch with the traceback that the kernel's author reads.
#[cold]
fn from_launch(kernel: &Bound<'_, PythonKernel>, error: PyErr) -> PyErr {
    let py = kernel.py();
    // Before Python 3.12 an error that passes through native code keeps its traceback apart from its value.
    if let Some(traceback) = error.traceback(py)
        && error
            .value(py)
            .setattr(intern!(py, "__traceback__"), traceback)
            .is_ok()
        && let Ok(shown) = kernel.call_method1(intern!(py, "_traceback"), (error.value(py),))
    {
        error.set_traceback(py, shown.cast_into().ok());
    }
    error
}

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<KernelVersion>()?;
    module.add_class::<PythonKernel>()?;
    module.add_class::<ConfiguredPythonKernel>()?;
    module.add_function(wrap_pyfunction!(_argument_type, module)?)?;
    module.add_function(wrap_pyfunction!(_packed, module)?)?;
    POOL.set_up(py)?;
    let offset = offset_of!(ConfiguredPythonKernel, entry);
    vectorcall::set_up::<ConfiguredPythonKernel>(py, offset)?;
    Ok(())
}

impl ConfiguredPythonKernel {
    #[inline]
    fn call(this: &Bound<'_, Self>, arguments: Given<'_>) -> PyResult<()> {
        let kernel = this.get().kernel.bind(this.py());
        Self::launch(this, kernel, arguments).map_err(|error| from_launch(kernel, error))
    }

    #[inline]
    fn launch(
        this: &Bound<'_, Self>,
        kernel: &Bound<'_, PythonKernel>,
        arguments: Given<'_>,
    ) -> PyResult<()> {
        let py = this.py();
        let configured = this.get();
        let mut key = Key::new();
        for argument in arguments.iter(py) {
            if !argument::add_words(argument, &mut key) {
                return Self::launch_others(this, kernel, arguments);
            }
        }
        PythonKernel::run(kernel, configured, &configured.stream, key, arguments)
    }

    /// Launches with tensors of other libraries, in the stream in which these work where none is named. What is left is
    /// converted by Python code.
    fn launch_others(
        this: &Bound<'_, Self>,
        kernel: &Bound<'_, PythonKernel>,
        arguments: Given<'_>,
    ) -> PyResult<()> {
        let py = this.py();
        let configured = this.get();
        let is_named = configured.given_stream.is_some();
        let stream = exchanged::stream_for(py, &configured.stream, is_named, arguments.iter(py))?;
        // Extensions are given arguments as they are.
        let is_extended = kernel.getattr(intern!(py, "extensions"))?.is_truthy()?;
        if !is_extended
            && let Some((version, tensors)) = Self::known_version(kernel, &stream, arguments)
        {
            let version = version.get();
            return version.launch(py, &configured.config, &stream, arguments, &tensors);
        }
        let mut arrays: SmallVec<[Bound<'_, PyAny>; 16]> = SmallVec::new();
        let mut key = Key::new();
        for argument in arguments.iter(py) {
            let array = match !is_extended && exchanged::is_exchanged(argument)? {
                true => exchange::exchanged_array(argument, &stream)?.map(Bound::into_any),
                false => None,
            };
            let argument = array.unwrap_or_else(|| argument.clone());
            if !argument::add_words(&argument, &mut key) {
                let arguments = arguments.tuple(py)?;
                return match stream {
                    StreamRef::Own(stream) if !is_named => {
                        let stream = Bound::new(py, Stream::new(stream))?;
                        let configured = configured.in_stream(py, stream)?;
                        let configured = POOL.make(py, || configured)?;
                        let name = intern!(py, "_launch_converted");
                        kernel.call_method1(name, (configured, arguments))
                    }
                    _ => kernel.call_method1(intern!(py, "_launch_converted"), (this, arguments)),
                }
                .map(drop);
            }
            arrays.push(argument);
        }
        let objects: SmallVec<[*mut ffi::PyObject; 16]> =
            arrays.iter().map(Bound::as_ptr).collect();
        // SAFETY: `arrays` holds them.
        let arguments = unsafe { Given::new(&objects) };
        PythonKernel::run(kernel, configured, &stream, key, arguments)
    }

    /// The version that tensors as they are can be launched with, and these by the places of the arguments.
    fn known_version(
        kernel: &Bound<'_, PythonKernel>,
        stream: &cuox::Stream,
        arguments: Given<'_>,
    ) -> Option<(Arc<Py<KernelVersion>>, Tensors)> {
        let py = kernel.py();
        let mut key = Key::new();
        let mut tensors = Tensors::new();
        for argument in arguments.iter(py) {
            let tensor = match argument::add_words(argument, &mut key) {
                true => None,
                // What a tensor that shows nothing raises is told where it is converted.
                false => Some(argument::add_tensor(argument, stream, &mut key).ok()??),
            };
            tensors.push(tensor);
        }
        key.push(device_word(stream.device()));
        let version = kernel.get().find(&key)?;
        let known = version.get();
        let is_ready =
            known.made_for.is_none() && known.kernel.get().inner.context().check().is_ok();
        is_ready.then_some((version, tensors))
    }

    /// The same in another stream, as if it were named.
    fn in_stream(&self, py: Python<'_>, stream: Bound<'_, Stream>) -> PyResult<Self> {
        let device = self.stream.device();
        Ok(Self {
            entry: enter_call,
            kernel: self.kernel.bind(py).clone().into(),
            config: self.config,
            stream: stream_ref_or_default(py, Some(stream.as_any()), device)?,
            given_stream: Some(stream.into_any().into()),
        })
    }

    fn new(
        kernel: &Bound<'_, PythonKernel>,
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        stream: Option<&Bound<'_, PyAny>>,
        shared: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let py = kernel.py();
        let device = device::current(py)?;
        let config = in_brackets(grid, block, shared, cluster)?;
        let stream = named_stream(stream);
        Ok(Self {
            entry: enter_call,
            kernel: kernel.clone().into(),
            config,
            stream: stream_ref_or_default(py, stream, device)?,
            given_stream: stream.map(|stream| stream.clone().into()),
        })
    }
}

#[pymethods]
impl ConfiguredPythonKernel {
    /// Launch the kernel with these arguments.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        slf: &Bound<'_, Self>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        if let Some(kwargs) = kwargs
            && !kwargs.is_empty()
        {
            return Err(named(kwargs.keys().as_any()));
        }
        let objects = objects_of(args);
        // SAFETY: the tuple holds them.
        Self::call(slf, unsafe { Given::new(&objects) })
    }

    /// The kernel.
    #[getter]
    fn dispatcher(&self, py: Python<'_>) -> Py<PythonKernel> {
        self.kernel.clone_ref(py)
    }

    /// The stream that was given; None for the default one.
    #[getter]
    fn stream(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.given_stream
            .as_ref()
            .map(|stream| stream.clone_ref(py))
    }

    /// Blocks of the grid, as a tuple.
    #[getter]
    fn griddim(&self) -> (u32, u32, u32) {
        let grid = self.config.grid;
        (grid.x, grid.y, grid.z)
    }

    /// Threads of a block, as a tuple.
    #[getter]
    fn blockdim(&self) -> (u32, u32, u32) {
        let block = self.config.block;
        (block.x, block.y, block.z)
    }

    /// Bytes of dynamic shared memory.
    #[getter]
    fn sharedmem(&self) -> u32 {
        self.config.shared_bytes
    }

    /// Blocks of a cluster, as a tuple; None without clusters.
    #[getter]
    fn cluster(&self) -> Option<(u32, u32, u32)> {
        self.config.cluster.map(|size| (size.x, size.y, size.z))
    }

    /// The brackets again; a stream must be one that can be pickled, such as 0.
    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, this) = (slf.py(), slf.get());
        let (x, y, z) = this.griddim();
        // With clusters the brackets count these.
        let (a, b, c) = this.cluster().unwrap_or((1, 1, 1));
        let grid = (x / a, y / b, z / c);
        let key = (
            grid,
            this.blockdim(),
            this.stream(py),
            this.sharedmem(),
            this.cluster(),
        );
        let made = py.import("operator")?.getattr("getitem")?;
        Ok((made, (this.dispatcher(py), key).into_pyobject(py)?))
    }
}

/// Return the bytes of a value of this type, as a kernel has it that the calling thread is about to launch in a stream;
/// None is the default stream.
#[pyfunction]
#[pyo3(signature = (code, object, stream=None))]
pub fn _packed<'py>(
    code: &str,
    object: &Bound<'py, PyAny>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let py = object.py();
    let stream = crate::stream::stream_or_default(py, stream, device::current(py)?)?;
    let order = ConsumerStream::new(py, &stream);
    let bytes = argument::packed(&read_type(code)?, object, &order)?;
    Ok(PyBytes::new(py, &bytes))
}

/// Return the type code of a kernel's argument; None for an object that is no number, tuple or device array.
#[pyfunction]
pub fn _argument_type(object: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    Ok(argument::type_of(object)?.map(|ty| ty.to_string()))
}
