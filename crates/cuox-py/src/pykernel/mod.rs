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
    module.add_class::<dispatcher::KernelVersion>()?;
    module.add_class::<dispatcher::PythonKernel>()?;
    module.add_class::<dispatcher::ConfiguredPythonKernel>()?;
    module.add_function(wrap_pyfunction!(dispatcher::_argument_type, module)?)?;
    module.add_function(wrap_pyfunction!(dispatcher::_packed, module)?)?;
    module.add_function(wrap_pyfunction!(translate::_translate, module)?)
}
