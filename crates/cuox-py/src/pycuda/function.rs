//! `pycuda.driver.Function`: `function(*args, block=, grid=, stream=, shared=)` and prepared calls.
//!
//! A call with nothing unusual in it is done here. All others go to methods of the subclass in Python: `_call_slowly` for
//! arguments that have to be looked at (`In`, `Out`, objects with `gpudata`) and for rare keywords, `_call_failed` for errors.

use cuox::Dim3;
use cuox::launch::Slot;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use smallvec::SmallVec;

use crate::array::Array;
use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::kernel::Kernel;
use crate::launch::{LaunchConfig, submit};
use crate::stream::{Stream, stream_or_default};
use crate::support::pool::Reference;

/// The base class of `pycuda.driver.Function`: a kernel that is called with its block and grid as keywords.
#[pyclass(frozen, subclass, module = "cuox._native", name = "_Function")]
pub struct Function {
    kernel: Reference<Kernel>,
}

/// A size that is a plain int; the others are read, or refused, with more ado.
fn size_of(value: &Bound<'_, PyAny>) -> Option<u32> {
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

/// One to three sizes that are a tuple of plain ints.
fn sizes_of(value: &Bound<'_, PyAny>) -> Option<Dim3> {
    let tuple = value.cast::<PyTuple>().ok()?;
    if tuple.len() > 3 || tuple.is_empty() {
        return None;
    }
    let mut sizes = [1; 3];
    for (size, item) in sizes.iter_mut().zip(tuple.iter_borrowed()) {
        *size = size_of(&item)?;
    }
    let [x, y, z] = sizes;
    Some(Dim3 { x, y, z })
}

/// The grid and block of a call, with its dynamic shared memory.
fn configuration(
    grid: Option<&Bound<'_, PyAny>>,
    block: &Bound<'_, PyAny>,
    shared: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::LaunchConfig> {
    const ONE: Dim3 = Dim3 { x: 1, y: 1, z: 1 };
    let read = match grid {
        Some(grid) => sizes_of(grid),
        None => Some(ONE),
    };
    if let (Some(grid), Some(block), None) = (read, sizes_of(block), shared) {
        return Ok(cuox::LaunchConfig {
            grid,
            block,
            shared_bytes: 0,
            cooperative: false,
            cluster: None,
        });
    }
    let one = PyTuple::new(block.py(), [1])?.into_any();
    let grid = grid.unwrap_or(&one);
    Ok(LaunchConfig::build(Some(grid), Some(block), shared, None)?.config)
}

/// True if an argument is one that only Python code knows how to pass: an object of a class that is written in Python.
fn is_unusual(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live class.
    let written_in_python =
        unsafe { ffi::PyType_GetFlags(object.get_type_ptr()) & ffi::Py_TPFLAGS_HEAPTYPE != 0 };
    written_in_python && !object.is_instance_of::<Buffer>() && !object.is_instance_of::<Array>()
}

impl Function {
    /// Launches with arguments that `launch` knows.
    fn launch(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        config: &cuox::LaunchConfig,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let kernel = self.kernel.get();
        let objects: SmallVec<[*mut ffi::PyObject; 32]> =
            args.iter_borrowed().map(|item| item.as_ptr()).collect();
        if let Some(Ok(stream)) = stream.map(|stream| stream.cast::<Stream>())
            && let Some(slot) = stream.get().own()
            // SAFETY: counting runs no Python code.
            && let Some(shared) = unsafe { slot.look(py, |stream| stream.share(py)) }
        {
            // SAFETY: the tuple holds the references and cannot change.
            return unsafe { submit(py, &shared, config, kernel, &objects) };
        }
        let stream = stream_or_default(py, stream, kernel.inner.device())?;
        // SAFETY: as above.
        unsafe { submit(py, &stream, config, kernel, &objects) }
    }

    /// Tries a prepared call again that was refused: the arguments are converted by the format that was prepared.
    #[cold]
    fn prepared_failed<'py>(
        slf: &Bound<'py, Self>,
        error: PyErr,
        args: &Bound<'py, PyTuple>,
        config: (&Bound<'py, PyAny>, &Bound<'py, PyAny>),
        stream: Option<&Bound<'py, PyAny>>,
        shared: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let py = slf.py();
        let (grid, block) = config;
        slf.call_method1(
            intern!(py, "_prepared_failed"),
            (error.value(py), args, grid, block, stream, shared),
        )?;
        Ok(())
    }
}

#[pymethods]
impl Function {
    #[new]
    fn new(kernel: Bound<'_, Kernel>) -> Self {
        Self {
            kernel: kernel.into(),
        }
    }

    /// The kernel that is called.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> Py<Kernel> {
        self.kernel.clone_ref(py)
    }

    /// Launch the kernel: `function(*args, block=(x, y, z), grid=(x, y), stream=None, shared=0)`.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let slowly = || slf.call_method(intern!(py, "_call_slowly"), args, kwargs);
        let (mut block, mut grid, mut stream, mut shared) = (None, None, None, None);
        for (name, value) in kwargs.into_iter().flatten() {
            let place = match name.as_ptr() {
                name if name == intern!(py, "block").as_ptr() => &mut block,
                name if name == intern!(py, "grid").as_ptr() => &mut grid,
                name if name == intern!(py, "stream").as_ptr() => &mut stream,
                name if name == intern!(py, "shared").as_ptr() => &mut shared,
                _ => return slowly(),
            };
            *place = Some(value);
        }
        let block = match block {
            Some(block) if !block.is_none() => block,
            _ => return slowly(),
        };
        if args.iter_borrowed().any(|argument| is_unusual(&argument)) {
            return slowly();
        }
        let launched = configuration(grid.as_ref(), &block, shared.as_ref())
            .and_then(|config| slf.get().launch(py, args, &config, stream.as_ref()));
        match launched {
            Ok(()) => Ok(py.None().into_bound(py)),
            Err(error) => {
                slf.call_method1(intern!(py, "_call_failed"), (error.value(py), args, kwargs))
            }
        }
    }

    /// Launch with arguments that cuox knows, without another look at them.
    #[pyo3(signature = (args, grid, block, stream, shared))]
    fn _launch(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
        shared: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let config = configuration(Some(grid), block, shared)?;
        self.launch(py, args, &config, stream)
    }

    /// Return the arguments with addresses in place of arrays whose elements have the size of those that the parameter points to, but another type.
    ///
    /// PyCUDA asks for no type, and programs keep bits in arrays of another one. Elements of another size are never meant.
    fn _by_element_size<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let parameters = self.kernel.get().inner.parameters().or_raise(py)?;
        let mut made = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            made.push(match (argument.cast::<Array>(), parameters.slot(index)) {
                (
                    Ok(array),
                    Some(Slot::Pointer {
                        element: Some(element),
                        ..
                    }),
                ) if array.get().is_of_size(element.size()) => {
                    array.get().address(py)?.into_pyobject(py)?.into_any()
                }
                _ => argument,
            });
        }
        PyTuple::new(py, made)
    }

    /// Launch the kernel in the default stream; the arguments are of the types that were prepared.
    ///
    /// grid: blocks in x, y and z.
    /// block: threads of a block in x, y and z.
    /// shared_size: dynamic shared memory of a block, in bytes.
    ///
    /// Raises TypeError for arguments that do not fit, Error. Driver API manual, `cuLaunchKernel`.
    #[pyo3(signature = (grid, block, *args, shared_size=None))]
    fn prepared_call<'py>(
        slf: &Bound<'py, Self>,
        grid: &Bound<'py, PyAny>,
        block: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
        shared_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        configuration(Some(grid), block, shared_size)
            .and_then(|config| slf.get().launch(slf.py(), args, &config, None))
            .or_else(|error| {
                Self::prepared_failed(slf, error, args, (grid, block), None, shared_size)
            })
    }

    /// Launch the kernel in a stream; the arguments are of the types that were prepared.
    ///
    /// stream: a Stream, or None for the default stream.
    ///
    /// The rest is as for `prepared_call`.
    #[pyo3(signature = (grid, block, stream, *args, shared_size=None))]
    fn prepared_async_call<'py>(
        slf: &Bound<'py, Self>,
        grid: &Bound<'py, PyAny>,
        block: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
        args: &Bound<'py, PyTuple>,
        shared_size: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        configuration(Some(grid), block, shared_size)
            .and_then(|config| slf.get().launch(slf.py(), args, &config, stream))
            .or_else(|error| {
                Self::prepared_failed(slf, error, args, (grid, block), stream, shared_size)
            })
    }

    fn __repr__(&self) -> String {
        let kernel = &self.kernel.get().inner;
        match kernel.signature() {
            Some(signature) => format!("<Function {signature}>"),
            None => format!("<Function {}>", kernel.shown_name()),
        }
    }
}
