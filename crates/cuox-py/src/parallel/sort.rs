//! `cuox._native._Sort`.

use cuox_parallel::Parameter;
use cuox_parallel::sort::{self, Parts};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

use super::launching::Given;
use super::{launching, order, parameters};
use crate::error::OrRaise;
use crate::idle;

/// A stable sort in CUDA C++.
///
/// c_type: the C++ type of items, of `item_size` bytes. parameters: `(c_type, name, is_vector)` for each.
/// load_expr: the item at `i`. less_expr: true if the item `a` comes before `b`. store_statement: what to do with the sorted `item` of each `i`.
/// preamble: declarations before the kernel; options: for NVRTC.
///
/// All items are read before the first is stored. Raises ValueError for names that are none in C++, and for items of more than 1024 bytes.
#[pyclass(frozen, module = "cuox._native", name = "_Sort")]
pub struct Sort {
    inner: sort::Sort,
}

#[pymethods]
impl Sort {
    #[new]
    #[pyo3(signature = (c_type, item_size, parameters, load_expr, less_expr, store_statement, *, name="sort", preamble="", options=None))]
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
            name: name.to_owned(),
            preamble: preamble.to_owned(),
            options: options.unwrap_or_default(),
        });
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// Sort `n` items of these arguments, in the order of `stream`, else in that of the first array.
    ///
    /// Raises TypeError and OverflowError for values that a parameter does not take, CompileError, CUDAError.
    #[pyo3(signature = (*args, n, stream=None))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        n: usize,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let name = self.inner.name();
        let objects = launching::objects(name, self.inner.parameters(), args)?;
        self.run(py, &objects, n, &order(py, args, stream)?)
    }

    /// The kernels that `n` items need: `(text, name, options)` for each. Nothing is compiled.
    #[pyo3(signature = (*_args, n))]
    fn _sources(&self, _args: &Bound<'_, PyTuple>, n: usize) -> Vec<launching::Told> {
        // One kernel for any number.
        let _ = n;
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
    /// Sorts `n` items: one argument for each parameter.
    pub fn run(
        &self,
        py: Python<'_>,
        objects: &[Given<'_, '_>],
        n: usize,
        stream: &cuox::Stream,
    ) -> PyResult<()> {
        let name = self.inner.name();
        let shaped = launching::shaped(objects, self.inner.parameters());
        let device = stream.device();
        if n == 0 {
            return Ok(());
        }
        let (kernel, is_new) = launching::kernel(py, name, self.inner.loaded(device), |stop| {
            self.inner.kernel(device, stop)
        })?;
        let steps = self.inner.steps(n, device.is_soft());
        let made = || self.inner.room(stream, &steps, n);
        let room = idle::submit(py, stream, made).or_raise(py)?;
        let parameters = kernel.parameters().or_raise(py)?;
        for step in &steps {
            launching::launch(
                py,
                (&kernel, is_new),
                &self.inner.config(step, n),
                stream,
                objects,
                &shaped,
                |buffer| sort::Sort::put_step(step, n, &room, parameters, buffer),
            )?;
        }
        Ok(())
    }
}
