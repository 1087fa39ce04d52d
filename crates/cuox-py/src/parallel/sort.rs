//! `cuox._native._Sort`.

use cuox_parallel::Parameter;
use cuox_parallel::sort::{self, Extent, Parts};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use super::launching::Given;
use super::{launching, order, parameters};
use crate::error::OrRaise;

/// A stable sort in CUDA C++.
///
/// c_type: the C++ type of items, of `item_size` bytes. parameters: `(c_type, name, is_vector)` for each. load_expr:
/// the item at `i`. less_expr: true if the item `a` comes before `b`. store_statement: what to do with the sorted
/// `item` of each `i`. segments: two expressions in `i`, where the segment `i` begins and where it ends, if the items
/// of each are sorted alone. preamble: declarations before the kernel; options: for NVRTC.
///
/// All items are read before the first is stored; with segments, all of a segment. Raises ValueError for names that are
/// none in C++, and for items of more than 1024 bytes.
#[pyclass(frozen, module = "cuox._native", name = "_Sort")]
pub struct Sort {
    inner: sort::Sort,
}

#[pymethods]
impl Sort {
    #[new]
    #[pyo3(signature = (c_type, item_size, parameters, load_expr, less_expr, store_statement, *, segments=None, name="sort", preamble="",
        options=None))]
    #[allow(
        clippy::too_many_arguments,
        reason = "they are Python's, most by keyword"
    )]
    fn py_new(
        py: Python<'_>,
        c_type: String,
        item_size: usize,
        parameters: &Bound<'_, PyAny>,
        load_expr: String,
        less_expr: String,
        store_statement: String,
        segments: Option<(String, String)>,
        name: &str,
        preamble: &str,
        options: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let inner = sort::Sort::new(Parts {
            c_type,
            item_size,
            parameters: self::parameters(parameters)?,
            load_expr,
            less_expr,
            store_statement,
            segments,
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            options: options.unwrap_or_default(),
        });
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// Sort `n` items of these arguments, or of each of `segments` segments, in the order of `stream`, else in that of
    /// the first array.
    ///
    /// Raises TypeError and OverflowError for values that a parameter does not take, CompileError, CUDAError.
    #[pyo3(signature = (*args, n, segments=0, stream=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        n: usize,
        segments: usize,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let name = self.inner.name();
        let objects = launching::objects(name, self.inner.parameters(), args)?;
        let extent = Extent { count: n, segments };
        self.run(py, &objects, extent, &order(py, args, stream)?)
    }

    /// The kernels that `n` items need: `(text, name, options)` for each. Nothing is compiled.
    #[pyo3(signature = (*_args, n, segments=0))]
    fn _sources(
        &self,
        _args: &Bound<'_, PyTuple>,
        n: usize,
        segments: usize,
    ) -> Vec<launching::Told> {
        // One kernel for any number.
        let _ = (n, segments);
        launching::told(self.inner.sources())
    }

    /// The name of the kernel.
    #[getter]
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn __repr__(&self) -> String {
        let list = Parameter::declarations(self.inner.parameters());
        format!("<_Sort {}({list})>", self.inner.name())
    }
}

impl Sort {
    /// Sorts so many items: one argument for each parameter.
    pub fn run(
        &self,
        py: Python<'_>,
        objects: &[Given<'_, '_>],
        extent: Extent,
        stream: &cuox::Stream,
    ) -> PyResult<()> {
        let shaped = launching::shaped(objects, self.inner.parameters());
        let caller = launching::caller(py, objects, &shaped, None);
        // SAFETY: the expressions are the caller's, who vouches for them; arguments are kept until the work is done, as
        // those of any launch.
        unsafe { self.inner.launch_steps(&caller, stream, extent) }
    }
}
