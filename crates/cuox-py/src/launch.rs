//! `cuox.LaunchConfig`, `cuox.launch` and `kernel[...]`.

use std::ffi::c_void;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::mem::MaybeUninit;

use cuox::Dim3;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyTuple};

use crate::args::Packed;
use crate::entry::{self, Definition};
use crate::error::to_py_in;
use crate::foreign::{self, Consumer};
use crate::given;
use crate::kernel::Kernel;
use crate::pool::{Pool, Pooled, Reference};
use crate::quiet;
use crate::stream::{Hold, Order, Stream, accept, hold_or_default};

/// How many threads a kernel is launched with.
#[pyclass(frozen, module = "cuox", name = "LaunchConfig")]
pub struct LaunchConfig {
    pub config: cuox::LaunchConfig,
    /// As the user gave it: in clusters, where there are clusters.
    grid: Dim3,
    programmatic: bool,
}

/// One to three sizes: an int, or a tuple of ints.
fn dimensions(what: &str, value: &Bound<'_, PyAny>) -> PyResult<Dim3> {
    let one = |value: &Bound<'_, PyAny>| -> PyResult<u32> {
        // SAFETY: a live object.
        if unsafe { ffi::PyIndex_Check(value.as_ptr()) } == 0 {
            return Err(PyTypeError::new_err(format!(
                "LaunchConfig: {what} must be an int or a tuple of up to 3 ints, not {}",
                foreign::type_name(value)
            )));
        }
        match value.extract::<u32>() {
            Ok(0) => Err(PyValueError::new_err(format!(
                "LaunchConfig: {what} must be at least 1 in each dimension, not 0"
            ))),
            Ok(size) => Ok(size),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => {
                Err(PyValueError::new_err(format!(
                    "LaunchConfig: {what} must be from 1 to 2^32 - 1, not {value}"
                )))
            }
            Err(error) => Err(error),
        }
    };
    let sizes = match value.cast::<PyTuple>() {
        Ok(tuple) => tuple.iter().collect::<Vec<_>>(),
        Err(_) => match value.cast::<pyo3::types::PyList>() {
            Ok(list) => list.iter().collect(),
            Err(_) => {
                return Ok(Dim3 {
                    x: one(value)?,
                    y: 1,
                    z: 1,
                });
            }
        },
    };
    match &sizes[..] {
        [x] => Ok(Dim3 {
            x: one(x)?,
            y: 1,
            z: 1,
        }),
        [x, y] => Ok(Dim3 {
            x: one(x)?,
            y: one(y)?,
            z: 1,
        }),
        [x, y, z] => Ok(Dim3 {
            x: one(x)?,
            y: one(y)?,
            z: one(z)?,
        }),
        other => Err(PyValueError::new_err(format!(
            "LaunchConfig: {what} must have 1 to 3 sizes, not {}",
            other.len()
        ))),
    }
}

impl LaunchConfig {
    fn build(
        grid: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        shared: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let needed = |what: &str, value: Option<&Bound<'_, PyAny>>| match value {
            Some(value) if !value.is_none() => dimensions(what, value),
            _ => Err(PyTypeError::new_err(format!(
                "LaunchConfig: {what} is missing"
            ))),
        };
        let (grid, block) = (needed("grid", grid)?, needed("block", block)?);
        let shared_bytes = match shared {
            Some(shared) if !shared.is_none() => shared.extract::<u32>().map_err(|error| {
                let py = shared.py();
                if error.is_instance_of::<PyTypeError>(py) {
                    return given::wrong_kind("LaunchConfig: shmem_size", "an int", shared);
                }
                if !error.is_instance_of::<PyOverflowError>(py) {
                    return error;
                }
                PyValueError::new_err(format!(
                    "LaunchConfig: shmem_size: {shared} is not a number of bytes"
                ))
            })?,
            _ => 0,
        };
        let cluster = match cluster {
            Some(cluster) if !cluster.is_none() => Some(dimensions("cluster", cluster)?),
            _ => None,
        };
        let blocks = match cluster {
            None => grid,
            Some(c) => {
                let times = |a: u32, b: u32| {
                    a.checked_mul(b).ok_or_else(|| {
                        PyValueError::new_err("LaunchConfig: grid times cluster is too large")
                    })
                };
                Dim3 {
                    x: times(grid.x, c.x)?,
                    y: times(grid.y, c.y)?,
                    z: times(grid.z, c.z)?,
                }
            }
        };
        let config = cuox::LaunchConfig {
            grid: blocks,
            block,
            shared_bytes,
            cooperative: false,
            cluster,
        };
        Ok(Self {
            config,
            grid,
            programmatic: false,
        })
    }
}

fn triple(size: Dim3) -> (u32, u32, u32) {
    (size.x, size.y, size.z)
}

#[pymethods]
impl LaunchConfig {
    /// `grid` blocks of `block` threads: each an int or a tuple of up to three. With `cluster`, the grid counts
    /// clusters. `programmatic_stream_serialization` is permission to overlap, of which no use is made yet.
    #[new]
    #[pyo3(
        signature = (
            grid=None, cluster=None, block=None, shmem_size=None, is_cooperative=None,
            programmatic_stream_serialization=None
        ),
        text_signature = "(grid=None, cluster=None, block=None, shmem_size=None, is_cooperative=False, programmatic_stream_serialization=False)"
    )]
    fn py_new(
        grid: Option<&Bound<'_, PyAny>>,
        cluster: Option<&Bound<'_, PyAny>>,
        block: Option<&Bound<'_, PyAny>>,
        shmem_size: Option<&Bound<'_, PyAny>>,
        is_cooperative: Option<&Bound<'_, PyAny>>,
        programmatic_stream_serialization: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let flag = |what: &str, value: Option<&Bound<'_, PyAny>>| {
            value.map_or(Ok(false), |value| given::truth(what, value))
        };
        let mut made = Self::build(grid, block, shmem_size, cluster)?;
        made.config.cooperative = flag("LaunchConfig: is_cooperative", is_cooperative)?;
        made.programmatic = flag(
            "LaunchConfig: programmatic_stream_serialization",
            programmatic_stream_serialization,
        )?;
        Ok(made)
    }

    #[getter]
    fn grid(&self) -> (u32, u32, u32) {
        triple(self.grid)
    }

    #[getter]
    fn block(&self) -> (u32, u32, u32) {
        triple(self.config.block)
    }

    #[getter]
    fn cluster(&self) -> Option<(u32, u32, u32)> {
        self.config.cluster.map(triple)
    }

    #[getter]
    fn shmem_size(&self) -> u32 {
        self.config.shared_bytes
    }

    #[getter]
    fn is_cooperative(&self) -> bool {
        self.config.cooperative
    }

    #[getter]
    fn programmatic_stream_serialization(&self) -> bool {
        self.programmatic
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            other.get().config == self.config && other.get().programmatic == self.programmatic
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let c = &self.config;
        (
            c.grid,
            c.block,
            c.cluster,
            c.shared_bytes,
            c.cooperative,
            self.programmatic,
        )
            .hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let this = slf.get();
        let arguments = (
            this.grid(),
            this.cluster(),
            this.block(),
            this.shmem_size(),
            this.is_cooperative(),
            this.programmatic,
        );
        let arguments = arguments.into_pyobject(slf.py())?;
        Ok((slf.get_type().into_any(), arguments))
    }

    fn __repr__(&self) -> String {
        let cluster = self
            .cluster()
            .map_or("None".into(), |cluster| format!("{cluster:?}"));
        format!(
            "LaunchConfig(grid={:?}, cluster={cluster}, block={:?}, shmem_size={}, is_cooperative={}, \
             programmatic_stream_serialization={})",
            self.grid(),
            self.block(),
            self.config.shared_bytes,
            python_bool(self.config.cooperative),
            python_bool(self.programmatic),
        )
    }
}

fn python_bool(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}

/// A size that is a plain int of a plausible value; the others are read, or refused, with more ado.
#[inline]
fn size_of_int(value: &Bound<'_, PyAny>) -> Option<u32> {
    // SAFETY: a live object, whose exact class is looked at: reading an int runs no Python code and cannot fail but
    // for an overflow.
    let size = unsafe {
        if ffi::PyLong_CheckExact(value.as_ptr()) == 0 {
            return None;
        }
        ffi::PyLong_AsSsize_t(value.as_ptr())
    };
    if size == -1 {
        drop(PyErr::take(value.py()));
    }
    u32::try_from(size).ok().filter(|size| *size > 0)
}

const INLINE_PARAMETERS: usize = 32;

/// Converts the arguments and launches.
///
/// # Safety
/// `arguments` are borrowed references to live objects.
#[inline]
unsafe fn submit(
    py: Python<'_>,
    stream: &cuox::Stream,
    config: &cuox::LaunchConfig,
    kernel: &Kernel,
    arguments: &[*mut ffi::PyObject],
) -> PyResult<()> {
    let plan = kernel.plan()?;
    let mut packed = Packed::new();
    let consumer = Consumer {
        order: Order { py, stream },
    };
    // SAFETY: the caller's promise.
    unsafe { plan.pack(py, arguments, &consumer, &mut packed) }?;
    let base = packed.base(plan.size());
    let mut inline = [const { MaybeUninit::<*mut c_void>::uninit() }; INLINE_PARAMETERS];
    let mut heap;
    let pointers = if plan.len() <= INLINE_PARAMETERS {
        &mut inline[..plan.len()]
    } else {
        heap = vec![MaybeUninit::uninit(); plan.len()];
        &mut heap[..]
    };
    for (pointer, offset) in pointers.iter_mut().zip(plan.offsets()) {
        pointer.write(base.wrapping_add(offset as usize).cast());
    }
    let pointers = pointers.as_mut_ptr() as usize;
    // SAFETY: one pointer for each parameter, to a value of its size, all alive until the call returns.
    let work = || unsafe {
        kernel
            .inner
            .launch_raw(stream, config, pointers as *mut *mut c_void)
    };
    if kernel.was_launched() {
        return quiet::submit_at_once(py, stream, work).map_err(|error| failed(py, kernel, error));
    }
    quiet::submit(py, stream, work).map_err(|error| failed(py, kernel, error))?;
    kernel.set_launched();
    Ok(())
}

#[cold]
fn failed(py: Python<'_>, kernel: &Kernel, error: cuox::Error) -> PyErr {
    to_py_in(
        py,
        error,
        &format!("launch of {}", kernel.inner.shown_name()),
    )
}

unsafe fn launch(py: Python<'_>, arguments: &[*mut ffi::PyObject]) -> PyResult<()> {
    let [stream, config, kernel, rest @ ..] = arguments else {
        return Err(PyTypeError::new_err(format!(
            "launch(stream, config, kernel, *args) takes at least 3 arguments, not {}",
            arguments.len()
        )));
    };
    // SAFETY: borrowed references that the caller of the entry holds.
    let (stream, config, kernel) = unsafe {
        (
            Bound::ref_from_ptr(py, stream),
            Bound::ref_from_ptr(py, config),
            Bound::ref_from_ptr(py, kernel),
        )
    };
    let Ok(kernel) = kernel.cast::<Kernel>() else {
        return Err(wrong("kernel", "a cuox.Kernel", kernel));
    };
    let Ok(config) = config.cast::<LaunchConfig>() else {
        return Err(wrong("config", "a cuox.LaunchConfig", config));
    };
    let kernel = kernel.get();
    let stream = accept(py, stream, Some(kernel.inner.device()))?;
    // SAFETY: as above.
    unsafe { submit(py, &stream, &config.get().config, kernel, rest) }
}

#[cold]
fn wrong(what: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "launch: {what}: expected {expected}, got {}: launch(stream, config, kernel, *args)",
        foreign::type_name(got)
    ))
}

/// The entry that the interpreter calls, with no tuple in between.
unsafe extern "C" fn launch_entry(
    _module: *mut ffi::PyObject,
    arguments: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with the GIL held and `count` non-null references.
    unsafe {
        entry::enter("launch", |py| {
            let arguments = if count == 0 {
                &[][..]
            } else {
                std::slice::from_raw_parts(arguments, count as usize)
            };
            launch(py, arguments)?;
            Ok(entry::none(py))
        })
    }
}

static LAUNCH: Definition = Definition::positional(
    c"launch",
    launch_entry,
    c"launch($module, stream, config, kernel, /, *kernel_args)\n--\n\n\
        Launch a kernel. The arguments become what the kernel's signature declares.",
);

/// Adds `launch` to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    LAUNCH.add_to_module(module)
}

/// `kernel[grid, block, stream, shmem]`: a kernel with its configuration, to be called with its arguments.
#[pyclass(frozen, module = "cuox", name = "_ConfiguredKernel")]
pub struct ConfiguredKernel {
    kernel: Reference<Kernel>,
    config: cuox::LaunchConfig,
    stream: Hold,
    /// What owns a foreign stream.
    _stream: Option<Reference<PyAny>>,
}

static POOL: Pool<ConfiguredKernel> = Pool::new();

impl Pooled for ConfiguredKernel {
    fn pool() -> &'static Pool<Self> {
        &POOL
    }
}

impl ConfiguredKernel {
    /// From what stands in the brackets.
    pub fn new(kernel: &Bound<'_, Kernel>, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = kernel.py();
        let device = kernel.get().inner.device();
        let parts = match key.cast::<PyTuple>() {
            Ok(tuple) => {
                let mut parts = [None; 5];
                for (place, part) in parts.iter_mut().zip(tuple.iter_borrowed()) {
                    *place = Some(part);
                }
                parts
            }
            Err(_) => [Some(key.as_borrowed()), None, None, None, None],
        };
        let (config, stream) = match &parts {
            [Some(config), stream, None, ..] if config.is_instance_of::<LaunchConfig>() => {
                (config.cast::<LaunchConfig>()?.get().config, stream.as_ref())
            }
            [Some(grid), Some(block), stream, shared, None] => {
                let config = match (size_of_int(grid), size_of_int(block), shared) {
                    (Some(grid), Some(block), None) => cuox::LaunchConfig {
                        grid: Dim3 {
                            x: grid,
                            y: 1,
                            z: 1,
                        },
                        block: Dim3 {
                            x: block,
                            y: 1,
                            z: 1,
                        },
                        shared_bytes: 0,
                        cooperative: false,
                        cluster: None,
                    },
                    _ => {
                        LaunchConfig::build(Some(grid), Some(block), shared.as_deref(), None)?
                            .config
                    }
                };
                (config, stream.as_ref())
            }
            _ => {
                return Err(PyTypeError::new_err(
                    "kernel[...]: expected [config], [config, stream] or [grid, block, stream, shmem_size], \
                     of which the last two may be left out",
                ));
            }
        };
        // 0 and None are the default stream, as in other libraries.
        let stream = stream.filter(|stream| {
            stream.is_instance_of::<Stream>()
                || !(stream.is_none()
                    || stream.is_instance_of::<PyInt>()
                        && stream.extract::<i64>().is_ok_and(|n| n == 0))
        });
        Ok(Self {
            kernel: kernel.clone().into(),
            config,
            stream: hold_or_default(py, stream.map(|stream| &**stream), device)?,
            _stream: stream.map(|stream| (**stream).clone().into()),
        })
    }
}

impl ConfiguredKernel {
    #[cold]
    fn named(&self, kwargs: &Bound<'_, PyDict>) -> PyErr {
        let kernel = &self.kernel.get().inner;
        let shown = kernel
            .signature()
            .map_or_else(|| kernel.shown_name(), |signature| signature.to_string());
        PyTypeError::new_err(format!(
            "a kernel's arguments are given by position, not as {}: {shown}",
            kwargs.keys()
        ))
    }
}

#[pymethods]
impl ConfiguredKernel {
    /// Launch the kernel with these arguments.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        kwargs: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        if let Some(kwargs) = kwargs {
            return Err(self.named(kwargs));
        }
        let mut inline = [std::ptr::null_mut(); INLINE_PARAMETERS];
        let mut heap;
        let count = args.len();
        let arguments = if count <= INLINE_PARAMETERS {
            &mut inline[..count]
        } else {
            heap = vec![std::ptr::null_mut(); count];
            &mut heap[..]
        };
        for (argument, item) in arguments.iter_mut().zip(args.iter_borrowed()) {
            *argument = item.as_ptr();
        }
        // SAFETY: the tuple holds the references and cannot change.
        unsafe { submit(py, &self.stream, &self.config, self.kernel.get(), arguments) }
    }
}
