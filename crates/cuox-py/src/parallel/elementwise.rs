//! `cuox._native._Elementwise`.

use std::ffi::c_void;

use cuox::launch::ParamBuffer;
use cuox_parallel::elementwise::{self, Indices, Parts, Plan, Shaped};
use cuox_parallel::parameter::put_array;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use super::{order, parameters};
use crate::array::Array;
use crate::error::{OrRaise, to_py_in, wait};
use crate::idle;
use crate::launch::arguments::Arguments;
use crate::stream::ConsumerStream;
use crate::support::plain_args;

/// CUDA C++ that is run for each index, compiled for the layouts that it is called with.
///
/// parameters: `(c_type, name, is_vector)` for each.
/// operation: statements for each `i`, in which a vector `x` is indexed as `x[i]`.
/// preamble: declarations before the kernel; loop_prep and after_loop: statements of each thread around its loop.
/// options: for NVRTC.
///
/// Raises ValueError for names that are none in C++.
#[pyclass(frozen, module = "cuox._native", name = "_Elementwise")]
pub struct Elementwise {
    inner: elementwise::Elementwise,
}

#[pymethods]
impl Elementwise {
    #[new]
    #[pyo3(signature = (parameters, operation, *, name="kernel", preamble="", loop_prep="", after_loop="", options=None))]
    #[allow(clippy::too_many_arguments, reason = "each is a text of the kernel's")]
    fn py_new(
        py: Python<'_>,
        parameters: &Bound<'_, PyAny>,
        operation: String,
        name: &str,
        preamble: &str,
        loop_prep: &str,
        after_loop: &str,
        options: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let inner = elementwise::Elementwise::new(Parts {
            parameters: self::parameters(parameters)?,
            operation,
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            loop_prep: loop_prep.to_owned(),
            after_loop: after_loop.to_owned(),
            options: options.unwrap_or_default(),
            pure: false,
        });
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// Run the operation on these arguments, in the order of `stream`, else in that of the first array.
    ///
    /// n: the number of indices; the size of the first array if it is left out. range: `(start, stop, step)` instead.
    ///
    /// Raises TypeError and OverflowError for values that a parameter does not take, CompileError, CUDAError.
    #[pyo3(signature = (*args, n=None, range=None, stream=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        n: Option<&Bound<'py, PyAny>>,
        range: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let wanted = self.inner.parameters();
        if args.len() != wanted.len() {
            return Err(self.miscounted(args.len()));
        }
        let indices = indices(self.inner.name(), n, range)?;
        let stream = order(py, args, stream)?;
        let objects: SmallVec<[_; 8]> = args.iter_borrowed().collect();
        let mut shaped: SmallVec<[Shaped<'_>; 8]> = SmallVec::new();
        for (object, parameter) in objects.iter().zip(wanted) {
            shaped.push(match object.cast::<Array>() {
                Ok(array) if parameter.vector => Shaped {
                    layout: Some(array.get().layout()),
                    address: array.get().first_address(),
                },
                _ => Shaped {
                    layout: None,
                    address: 0,
                },
            });
        }
        let plan = self
            .inner
            .plan(&shaped, indices, stream.device())
            .or_raise(py)?;
        if plan.is_empty() {
            return Ok(());
        }
        launch(py, &self.inner, &plan, &stream, |arguments, buffer| {
            for (index, object) in objects.iter().enumerate() {
                put(
                    arguments,
                    index,
                    object,
                    shaped[index].layout.is_some(),
                    buffer,
                )?;
            }
            Ok(())
        })
    }

    /// The name of the kernel.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn __repr__(&self) -> String {
        let list: Vec<String> = self
            .inner
            .parameters()
            .iter()
            .map(|parameter| parameter.declaration())
            .collect();
        format!("<_Elementwise {}({})>", self.inner.name(), list.join(", "))
    }
}

impl Elementwise {
    #[cold]
    fn miscounted(&self, got: usize) -> PyErr {
        let wanted = self.inner.parameters();
        let list: Vec<String> = wanted.iter().map(|p| p.declaration()).collect();
        PyTypeError::new_err(format!(
            "{name}() takes {} argument{}, got {got}: {name}({})",
            wanted.len(),
            if wanted.len() == 1 { "" } else { "s" },
            list.join(", "),
            name = self.inner.name()
        ))
    }
}

/// Reads `n` and `range` of a call of the kernel `name`.
pub(super) fn indices(
    name: &str,
    n: Option<&Bound<'_, PyAny>>,
    range: Option<&Bound<'_, PyAny>>,
) -> PyResult<Indices> {
    let n = n.filter(|n| !n.is_none());
    match (n, range.filter(|range| !range.is_none())) {
        (None, None) => Ok(Indices::All),
        (Some(n), None) => {
            let n: u64 = plain_args::count(&format!("{name}: n"), n)?;
            Ok(Indices::Count(n as usize))
        }
        (None, Some(range)) => {
            let (start, stop, step) = range.extract().map_err(|_| {
                plain_args::wrong_kind(
                    &format!("{name}: range"),
                    "a tuple (start, stop, step) of ints",
                    range,
                )
            })?;
            Ok(Indices::Range(start, stop, step))
        }
        (Some(_), Some(_)) => Err(PyValueError::new_err(format!(
            "{name}: n and range: give one of the two"
        ))),
    }
}

/// Puts one argument. An array may have any strides.
#[inline]
pub(super) fn put(
    arguments: &Arguments<'_>,
    index: usize,
    object: &Bound<'_, PyAny>,
    any_strides: bool,
    buffer: &mut ParamBuffer,
) -> PyResult<()> {
    let Some(&(slot, offset)) = arguments.parameters.slots().get(index) else {
        return Ok(());
    };
    let target = &mut buffer.bytes(arguments.parameters)[offset as usize..];
    match object.cast::<Array>() {
        Ok(array) if any_strides => {
            let memory = array.get().memory(arguments.order)?;
            put_array(slot, &memory, target)
                .map_err(|refusal| arguments.refused(index, object, refusal))
        }
        _ => arguments.convert(index, slot, object, target),
    }
}

/// The kernel for a plan, compiled if need be.
#[cold]
pub fn load(
    py: Python<'_>,
    operation: &elementwise::Elementwise,
    plan: &Plan,
    device: cuox::Device,
) -> PyResult<cuox::Kernel> {
    let kernel = wait(py, operation.name(), |stop| {
        operation.kernel(plan, device, stop)
    })?;
    // NVRTC cannot be left at any time: what came meanwhile is raised now.
    py.check_signals()?;
    Ok(kernel)
}

/// Launches the kernel for a plan, with the arguments that `pack` puts.
#[inline]
pub fn launch(
    py: Python<'_>,
    operation: &elementwise::Elementwise,
    plan: &Plan,
    stream: &cuox::Stream,
    pack: impl FnOnce(&Arguments<'_>, &mut ParamBuffer) -> PyResult<()>,
) -> PyResult<()> {
    let device = stream.device();
    let (kernel, is_new) = match operation.loaded(plan, device) {
        Some(kernel) => (kernel, false),
        None => (load(py, operation, plan, device)?, true),
    };
    let parameters = kernel.parameters().or_raise(py)?;
    let mut buffer = ParamBuffer::default();
    let order = &ConsumerStream { py, stream };
    pack(&Arguments { parameters, order }, &mut buffer)?;
    elementwise::Elementwise::put_space(plan, parameters, &mut buffer)
        .map_err(|refusal| {
            let last = parameters.len().saturating_sub(1);
            parameters.refused(last, refusal, "the numbers of a launch")
        })
        .or_raise(py)?;
    let config = elementwise::Elementwise::config(plan, device);
    let done = buffer.with_pointers(parameters, |pointers| {
        // The work may be handed over to code without the GIL, as an address: pointers are bound to their thread.
        let pointers = pointers as usize;
        // SAFETY: one pointer for each parameter, to a value of its size; `buffer` and the array of pointers live until
        // the call returns.
        let work = || unsafe {
            let pointers = pointers as *mut *mut c_void;
            kernel.launch_raw(stream, &config, pointers)
        };
        match is_new {
            true => idle::submit(py, stream, work),
            false => idle::submit_at_once(py, stream, work),
        }
    });
    done.map_err(|error| to_py_in(py, error, &format!("launch of {}", operation.name())))
}
