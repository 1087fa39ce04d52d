//! `cuox._native._Elementwise`.

use std::cell::RefCell;

use cuox::launch::ParamBuffer;
use cuox_parallel::Parameter;
use cuox_parallel::elementwise::{self, Indices, Parts, Plan};
use cuox_parallel::parameter::put_array;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::launching::{Given, PythonCaller, Recorded};
use super::{launching, order, parameters};
use crate::array::Array;
use crate::error::{OrRaise, to_py};
use crate::launch::arguments::Arguments;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// CUDA C++ that is run for each index, compiled for the layouts that it is called with.
///
/// parameters: `(c_type, name, is_vector)` for each. operation: statements for each `i`, in which a vector `x` is
/// indexed as `x[i]`. preamble: declarations before the kernel; loop_prep and after_loop: statements of each thread
/// around its loop. options: for NVRTC. pure: vectors are indexed by `i` only, those that are const are only read, the
/// others only written to.
///
/// Raises ValueError for names that are none in C++.
#[pyclass(frozen, module = "cuox._native", name = "_Elementwise")]
pub struct Elementwise {
    inner: elementwise::Elementwise,
}

impl From<elementwise::Elementwise> for Elementwise {
    fn from(inner: elementwise::Elementwise) -> Self {
        Self { inner }
    }
}

#[pymethods]
impl Elementwise {
    #[new]
    #[pyo3(signature = (parameters, operation, *, name="kernel", preamble="", loop_prep="", after_loop="", options=None, pure=false))]
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
        pure: bool,
    ) -> PyResult<Self> {
        let inner = elementwise::Elementwise::new(Parts {
            parameters: self::parameters(parameters)?,
            operation,
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            loop_prep: loop_prep.to_owned(),
            after_loop: after_loop.to_owned(),
            options: options.unwrap_or_default(),
            pure,
            blocks: 0,
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
        let name = self.inner.name();
        let objects = launching::objects(name, self.inner.parameters(), args)?;
        let indices = indices(name, n, range)?;
        self.run(py, &objects, indices, &order(py, args, stream)?, None)
    }

    /// The kernels that `n` indices need on devices of any kind: `(text, name, options)` for each. Nothing is compiled.
    #[pyo3(signature = (*args, n))]
    fn _sources<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        n: usize,
    ) -> PyResult<Vec<launching::Told>> {
        let objects = launching::objects(self.inner.name(), self.inner.parameters(), args)?;
        let shaped = launching::shaped(&objects, self.inner.parameters());
        let sources = self.inner.sources(&shaped, n).or_raise(py)?;
        Ok(launching::told(sources))
    }

    /// The name of the kernel.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn __repr__(&self) -> String {
        let list = Parameter::declarations(self.inner.parameters());
        format!("<_Elementwise {}({list})>", self.inner.name())
    }
}

impl Elementwise {
    /// Runs the operation: one argument for each parameter. record: where to note what is launched.
    pub fn run(
        &self,
        py: Python<'_>,
        objects: &[Given<'_, '_>],
        indices: Indices,
        stream: &cuox::Stream,
        record: Option<&RefCell<Recorded>>,
    ) -> PyResult<()> {
        let shaped = launching::shaped(objects, self.inner.parameters());
        let plan = self
            .inner
            .plan(&shaped, indices, stream.device())
            .or_raise(py)?;
        let caller = launching::caller(py, objects, &shaped, record);
        // SAFETY: the expressions are the caller's, who vouches for them; arguments are kept until the work is done, as
        // those of any launch.
        unsafe { self.inner.launch_plan(&caller, stream, &plan) }
    }
}

/// Reads `n` and `range` of a call of the kernel `name`.
pub(super) fn indices(
    name: &str,
    n: Option<&Bound<'_, PyAny>>,
    range: Option<&Bound<'_, PyAny>>,
) -> PyResult<Indices> {
    let n = given(n);
    match (n, given(range)) {
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
    given: Given<'_, '_>,
    any_strides: bool,
    buffer: &mut ParamBuffer,
) -> PyResult<()> {
    let Some(&(slot, offset)) = arguments.parameters.slots().get(index) else {
        return Ok(());
    };
    let target = &mut buffer.bytes(arguments.parameters)[offset as usize..];
    let object = match given {
        Given::Object(object) => object,
        Given::Bytes(bytes) => {
            return slot.put_bytes(bytes, None, target).map_err(|refusal| {
                to_py(
                    arguments.order.py,
                    arguments.parameters.refused(index, refusal, "bytes"),
                )
            });
        }
    };
    match object.cast::<Array>() {
        Ok(array) if any_strides => {
            let memory = array.get().memory(arguments.order, slot.access())?;
            put_array(slot, &memory, target)
                .map_err(|refusal| arguments.refused(index, &object, refusal))
        }
        _ => arguments.convert(index, slot, &object, target),
    }
}

/// The kernel for a plan, compiled if need be.
#[cold]
pub fn load(
    py: Python<'_>,
    operation: &elementwise::Elementwise,
    plan: &Plan,
    device: cuox::Device,
) -> PyResult<(cuox::Kernel, bool)> {
    launching::kernel(py, operation.name(), None, |stop| {
        operation.kernel(plan, device, stop)
    })
}

/// Launches the kernel for a plan, with the arguments that `pack` puts.
#[inline]
pub fn launch(
    py: Python<'_>,
    operation: &elementwise::Elementwise,
    plan: &Plan,
    stream: &cuox::Stream,
    pack: impl Fn(&Arguments<'_>, &mut ParamBuffer) -> PyResult<()>,
) -> PyResult<()> {
    // SAFETY: the operations are cuox's own, and stay within the arrays that the plan was made for.
    unsafe { operation.launch_plan(&PythonCaller::new(py, pack), stream, plan) }
}
