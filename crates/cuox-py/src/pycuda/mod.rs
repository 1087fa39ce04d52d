//! The parts of `cuox.pycuda.driver` that a program calls often: functions and memory. The rest is written in Python.

mod allocation;
mod function;
mod queue;

use pyo3::prelude::*;

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<function::Function>()?;
    module.add_class::<queue::PyCudaStream>()?;
    module.add_class::<queue::PyCudaEvent>()?;
    module.add_function(wrap_pyfunction!(allocation::_buffer_as, module)?)
}
