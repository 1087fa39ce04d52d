//! Kernels that are written in Python.

mod argument;
mod dispatcher;
mod host;
mod translate;
mod tree;

use pyo3::prelude::*;

/// Adds the classes and functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<translate::TranslatedKernel>()?;
    dispatcher::register(module)?;
    module.add_function(wrap_pyfunction!(translate::_translate, module)?)
}
