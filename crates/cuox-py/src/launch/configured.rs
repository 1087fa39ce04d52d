//! `kernel[grid, block, stream, shmem_size]`.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use super::config::{LaunchConfig, in_brackets, named_stream};
use super::{arguments, exchanged, submit};
use crate::kernel::Kernel;
use crate::stream::{StreamRef, stream_ref_or_default};
use crate::support::pool::{Pool, Pooled, Reference};

/// Arguments that need no heap.
const INLINE_ARGUMENTS: usize = 32;

/// `kernel[grid, block, stream, shmem]`: a kernel with its configuration, to be called with its arguments.
#[pyclass(frozen, module = "cuox", name = "_ConfiguredKernel")]
pub struct ConfiguredKernel {
    kernel: Reference<Kernel>,
    config: cuox::LaunchConfig,
    stream: StreamRef,
    /// The stream that was named: the owner of a foreign one.
    named_stream: Option<Reference<PyAny>>,
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
                let config = in_brackets(Some(grid), Some(block), shared.as_deref(), None)?;
                (config, stream.as_ref())
            }
            _ => {
                return Err(PyTypeError::new_err(
                    "kernel[...]: expected [config], [config, stream] or [grid, block, stream, shmem_size], \
                     of which the last two may be left out",
                ));
            }
        };
        let stream = named_stream(stream.map(|stream| &**stream));
        Ok(Self {
            kernel: kernel.clone().into(),
            config,
            stream: stream_ref_or_default(py, stream, device)?,
            named_stream: stream.map(|stream| stream.clone().into()),
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
        let mut inline = [std::ptr::null_mut(); INLINE_ARGUMENTS];
        let mut heap;
        let count = args.len();
        let given = if count <= INLINE_ARGUMENTS {
            &mut inline[..count]
        } else {
            heap = vec![std::ptr::null_mut(); count];
            &mut heap[..]
        };
        for (argument, item) in given.iter_mut().zip(args.iter_borrowed()) {
            *argument = item.as_ptr();
        }
        if self.named_stream.is_none() {
            // SAFETY: as below.
            let objects = given
                .iter()
                .map(|object| unsafe { Bound::ref_from_ptr(py, object) })
                .filter(|object| !arguments::is_plain(object));
            let device = self.stream.device();
            if let Some(stream) = exchanged::current_stream(py, objects, device)? {
                // SAFETY: as below.
                return unsafe { submit(py, &stream, &self.config, self.kernel.get(), given) };
            }
        }
        // SAFETY: the tuple holds the references and cannot change.
        unsafe { submit(py, &self.stream, &self.config, self.kernel.get(), given) }
    }
}
