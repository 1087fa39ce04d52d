//! Kernels that are written in Python.

pub mod argument;
mod breakpoints;
mod collective;
mod compiled_texts;
mod dispatcher;
mod host;
mod launches;
mod random;
pub mod translate;
mod tree;
mod version;

use pyo3::prelude::*;

/// The functions of a namespace that kernels know, each with a docstring.
#[pyfunction]
fn _kernel_functions(namespace: &str) -> Vec<(String, String)> {
    cuox_pykernel::documented(namespace)
}

/// Adds the classes and functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<translate::TranslatedKernel>()?;
    module.add_class::<launches::Launches>()?;
    dispatcher::register(module)?;
    module.add_function(wrap_pyfunction!(_kernel_functions, module)?)?;
    module.add_function(wrap_pyfunction!(collective::_collective_storage, module)?)?;
    module.add_function(wrap_pyfunction!(collective::_collective_operators, module)?)?;
    module.add_function(wrap_pyfunction!(
        compiled_texts::_keep_compiled_texts,
        module
    )?)?;
    module.add_function(wrap_pyfunction!(compiled_texts::_compiled_texts, module)?)?;
    module.add_function(wrap_pyfunction!(random::_xoroshiro128p_states, module)?)?;
    module.add_function(wrap_pyfunction!(translate::_best_overloads, module)?)?;
    for function in [
        wrap_pyfunction!(breakpoints::_read_kernel_memory, module)?,
        wrap_pyfunction!(breakpoints::_write_kernel_memory, module)?,
        wrap_pyfunction!(breakpoints::_pin_kernel_memory, module)?,
    ] {
        module.add_function(function)?;
    }
    module.add_function(wrap_pyfunction!(translate::_translate, module)?)
}
