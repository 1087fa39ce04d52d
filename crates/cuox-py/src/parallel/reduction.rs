//! `cuox._native._Reduction`.

use cuox::memory::uses::Access;
use std::cell::RefCell;

use cuox::array::{Layout, Order};
use cuox_parallel::Parameter;
use cuox_parallel::elementwise::{Indices, Shaped};
use cuox_parallel::reduce::{self, Parts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use smallvec::SmallVec;

use super::launching::{Given, Recorded};
use super::{elementwise, launching, order, parameters};
use crate::array::Array;
use crate::error::OrRaise;
use crate::stream::ConsumerStream;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// A reduction in CUDA C++ by an operator that is associative and commutative, compiled for the layouts that it is
/// called with.
///
/// out_type: the C++ type of results, and of all that is combined. neutral: the result of no elements; without one
/// results are combined in memory, and `store` looks at `has_sum`. reduce_expr: the operator, in `a` and `b`; without a
/// neutral element, `cuox_a` and `cuox_b` are the same in memory, which it must not change. map_expr: what is combined,
/// in `i` and the parameters; empty for the first vector's elements. parameters: `(c_type, name, is_vector)` for each.
/// store: a statement that puts the result `sum` somewhere, in place of `out = sum`. preamble: declarations before the
/// kernel; options: for NVRTC.
///
/// The same input gives the same bits on the same device.
///
/// Raises ValueError for names that are none in C++, and for empty expressions.
#[pyclass(frozen, module = "cuox._native", name = "_Reduction")]
pub struct Reduction {
    inner: reduce::Reduction,
}

#[pymethods]
impl Reduction {
    #[new]
    #[pyo3(signature = (out_type, neutral, reduce_expr, map_expr, parameters, *, store=None, name="reduce", preamble="", options=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are Python's, most by keyword"
    )]
    fn py_new(
        py: Python<'_>,
        out_type: String,
        neutral: Option<String>,
        reduce_expr: String,
        map_expr: String,
        parameters: &Bound<'_, PyAny>,
        store: Option<String>,
        name: &str,
        preamble: &str,
        options: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let inner = reduce::Reduction::new(Parts {
            parameters: self::parameters(parameters)?,
            out_type,
            neutral,
            reduce_expr,
            map_expr,
            store,
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            options: options.unwrap_or_default(),
        });
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// Combine the elements of these arguments, in the order of `stream`, else in that of the first array.
    ///
    /// out: an array without dimensions, or if `store` puts the result somewhere, the bytes that one has; with `axis`,
    /// of the shape that remains of the first array's. axis: the axis or axes to combine along. n: the number of
    /// indices, the size of the first array if it is left out; range: `(start, stop, step)` instead.
    ///
    /// Raises TypeError and OverflowError for values that a parameter does not take; ValueError for an `out` that may
    /// only be read or has another shape, and for axes that are not there; CompileError, CUDAError.
    #[pyo3(signature = (*args, out, axis=None, n=None, range=None, stream=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are Python's, most by keyword"
    )]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        out: &Bound<'py, PyAny>,
        axis: Option<&Bound<'py, PyAny>>,
        n: Option<&Bound<'py, PyAny>>,
        range: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let name = self.inner.name();
        let objects = launching::objects(name, self.inner.parameters(), args)?;
        let indices = elementwise::indices(name, n, range)?;
        let stream = order(py, args, stream)?;
        if let Ok(out) = out.cast::<Array>() {
            return self.run(
                py,
                &objects,
                (Out::Array(out), axis),
                indices,
                &stream,
                None,
            );
        }
        if !self.inner.stores() {
            return Err(plain_args::wrong_kind(
                &format!("{name}: out"),
                "a cuox.Array",
                out,
            ));
        }
        let size: usize = plain_args::count(&format!("{name}: out"), out)?;
        self.run(
            py,
            &objects,
            (Out::Stored(size), axis),
            indices,
            &stream,
            None,
        )
    }

    /// The kernels that `n` elements need on devices of any kind, for a result of `out` bytes: `(text, name, options)`
    /// for each. Nothing is compiled.
    #[pyo3(signature = (*args, out, n))]
    fn _sources<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        out: usize,
        n: usize,
    ) -> PyResult<Vec<launching::Told>> {
        let objects = launching::objects(self.inner.name(), self.inner.parameters(), args)?;
        let shaped = launching::shaped(&objects, self.inner.parameters());
        let sources = self.inner.sources(&shaped, out, n).or_raise(py)?;
        Ok(launching::told(sources))
    }

    /// The name of the kernel.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn __repr__(&self) -> String {
        let list = Parameter::declarations(self.inner.parameters());
        format!("<_Reduction {}({list})>", self.inner.name())
    }
}

/// Where a result is put.
#[derive(Clone, Copy)]
pub enum Out<'a, 'py> {
    Array(&'a Bound<'py, Array>),
    /// By the statement `store`: a result has so many bytes.
    Stored(usize),
}

impl Reduction {
    /// Combines the elements: one argument for each parameter. record: where to note what is launched.
    pub fn run(
        &self,
        py: Python<'_>,
        objects: &[Given<'_, '_>],
        (out, axis): (Out<'_, '_>, Option<&Bound<'_, PyAny>>),
        indices: Indices,
        stream: &cuox::Stream,
        record: Option<&RefCell<Recorded>>,
    ) -> PyResult<()> {
        let shaped = launching::shaped(objects, self.inner.parameters());
        let device = stream.device();
        let axes = match given(axis) {
            None => None,
            Some(axis) => Some(axes(&shaped, axis)?),
        };
        let single;
        let consumer = ConsumerStream::new(py, stream);
        let result = match out {
            Out::Array(array) => {
                let memory = array.get().memory(&consumer, Access::Write)?;
                if memory.read_only {
                    return Err(PyValueError::new_err(format!(
                        "{}: out is read-only",
                        self.inner.name()
                    )));
                }
                launching::of_array(array.get())
            }
            Out::Stored(size) => {
                single = Layout::contiguous(&[], size, Order::C)
                    .map_err(|error| crate::array::raised(py, error))?;
                Shaped {
                    layout: Some(&single),
                    address: 0,
                }
            }
        };
        let plan = self
            .inner
            .plan(&shaped, result, axes.as_deref(), indices, device)
            .or_raise(py)?;
        let caller = launching::caller(py, objects, &shaped, record);
        // SAFETY: the expressions are the caller's, who vouches for them; arguments are kept until the work is done, as
        // those of any launch.
        unsafe { self.inner.launch_plan(&caller, stream, &plan) }
    }
}

/// The axes of the first array that an int or a tuple of ints names.
fn axes(shaped: &[Shaped<'_>], axis: &Bound<'_, PyAny>) -> PyResult<SmallVec<[usize; 4]>> {
    let Some(layout) = shaped.iter().find_map(|one| one.layout) else {
        return Err(PyValueError::new_err("axis: no argument is an array"));
    };
    let given: Vec<isize> = match axis.extract::<isize>() {
        Ok(one) => vec![one],
        Err(_) => axis.extract()?,
    };
    let mut axes = SmallVec::new();
    for axis_given in given {
        let one = layout
            .axis(axis_given)
            .map_err(|error| crate::array::raised(axis.py(), error))?;
        if axes.contains(&one) {
            return Err(PyValueError::new_err("duplicate value in 'axis'"));
        }
        axes.push(one);
    }
    Ok(axes)
}
