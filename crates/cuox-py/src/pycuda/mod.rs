//! The parts of `cuox.pycuda.driver` that a program calls often: functions and memory. The rest is written in Python.

mod allocation;
mod function;
mod last_call;
mod operators;
mod pool;
mod prepared;
mod queue;

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

pub use pool::{Block, DeviceMemoryPool};

/// The exception of `cuox.pycuda.driver` for one of cuox's.
#[cold]
fn translated(py: Python<'_>, error: PyErr) -> PyErr {
    static TRANSLATED: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let made = TRANSLATED
        .import(py, "cuox.pycuda._driver.errors", "translated")
        .and_then(|function| function.call1((error.value(py),)));
    made.map_or_else(|failure| failure, PyErr::from_value)
}

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    function::register(module)?;
    operators::register(module)?;
    module.add_class::<pool::DeviceMemoryPool>()?;
    module.add_class::<queue::PyCudaStream>()?;
    module.add_class::<queue::PyCudaEvent>()?;
    module.add_function(wrap_pyfunction!(allocation::_buffer_as, module)?)?;
    module.add_function(wrap_pyfunction!(pool::_pool_alloc_size, module)?)?;
    module.add_function(wrap_pyfunction!(pool::_pool_bin_number, module)?)
}
