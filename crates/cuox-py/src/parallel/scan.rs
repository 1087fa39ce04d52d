//! `cuox._native._Scan`.

use std::cell::RefCell;

use cuox_parallel::Parameter;
use cuox_parallel::elementwise::Indices;
use cuox_parallel::scan::{self, Fetch, Parts};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use super::launching::{Given, Recorded};
use super::{elementwise, launching, order, parameters};
use crate::error::OrRaise;

/// A scan in CUDA C++ by an associative operator, which need not be commutative.
///
/// c_type: the C++ type of items. parameters: `(c_type, name, is_vector)` for each. input_expr: the element to combine,
/// in `i`, the parameters and what is fetched. scan_expr: the operator, in `a` and `b` (`cuox_a` and `cuox_b` are the
/// same in memory, which it must not change); `across_seg_boundary` is true if a segment starts in `b`. neutral: the
/// item before the first one, or None. output_statement: what to do with `item` for each `i`; it may use `prev_item`
/// (the neutral element where a segment starts),
///     `last_item` (at the price of a second pass) and `N`.
/// is_segment_start_expr: true where a segment starts. input_fetch_exprs: `(name, vector, offset)` with the offset 0 or
/// -1: names for the vector's elements at `i` and `i - 1`, as they
///     are before any output is written.
/// has_long_expressions: true if `input_expr` and `output_statement` are much code, which is not repeated then.
/// preamble: declarations before the kernel; options: for NVRTC.
///
/// The output may overwrite the input's elements. The same input gives the same bits.
///
/// Raises ValueError for names that are none in C++, for empty expressions, and for `prev_item` without `neutral`.
#[pyclass(frozen, module = "cuox._native", name = "_Scan")]
pub struct Scan {
    inner: scan::Scan,
}

#[pymethods]
impl Scan {
    #[new]
    #[pyo3(signature = (c_type, parameters, input_expr, scan_expr, neutral, output_statement, *, is_segment_start_expr=None,
        input_fetch_exprs=None, has_long_expressions=false, name="scan", preamble="", options=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are Python's, most by keyword"
    )]
    fn py_new(
        py: Python<'_>,
        c_type: String,
        parameters: &Bound<'_, PyAny>,
        input_expr: String,
        scan_expr: String,
        neutral: Option<String>,
        output_statement: String,
        is_segment_start_expr: Option<String>,
        input_fetch_exprs: Option<Vec<(String, String, i64)>>,
        has_long_expressions: bool,
        name: &str,
        preamble: &str,
        options: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let fetch = |(fetched, vector, offset): (String, String, i64)| match offset {
            0 | -1 => Ok(Fetch {
                name: fetched,
                vector,
                previous: offset == -1,
            }),
            _ => Err(PyValueError::new_err(format!(
                "{name}: input_fetch_exprs: the offset of {fetched} must be 0 or -1, got {offset}"
            ))),
        };
        let fetches = input_fetch_exprs.unwrap_or_default().into_iter();
        let inner = scan::Scan::new(Parts {
            c_type,
            parameters: self::parameters(parameters)?,
            input_expr,
            scan_expr,
            neutral,
            output_statement,
            is_segment_start_expr,
            fetches: fetches.map(fetch).collect::<PyResult<_>>()?,
            has_long_expressions,
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            options: options.unwrap_or_default(),
        });
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// Scan the elements of these arguments, in the order of `stream`, else in that of the first array.
    ///
    /// n: the number of indices; the size of the first array if it is left out.
    ///
    /// Raises TypeError and OverflowError for values that a parameter does not take, CompileError, CUDAError.
    #[pyo3(signature = (*args, n=None, stream=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        n: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let name = self.inner.name();
        let objects = launching::objects(name, self.inner.parameters(), args)?;
        let indices = elementwise::indices(name, n, None)?;
        self.run(py, &objects, indices, &order(py, args, stream)?, None)
    }

    /// The kernels that `n` elements need on devices of any kind: `(text, name, options)` for each. Nothing is
    /// compiled.
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
        format!("<_Scan {}({list})>", self.inner.name())
    }
}

impl Scan {
    /// Scans the elements: one argument for each parameter. record: where to note what is launched.
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
