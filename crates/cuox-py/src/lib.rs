//! The extension module `cuox._native`: Python's face of the crate `cuox`. Conversions, and nothing else.

mod bind;
mod buffer;
mod call;
mod callbacks;
mod copies;
mod device;
mod entry;
mod error;
mod event;
mod foreign;
mod given;
mod graph;
mod held;
mod host;
mod kernel;
mod launch;
mod library;
mod memory;
mod methods;
mod objects;
mod paths;
mod pool;
mod portability;
mod program;
mod quiet;
mod reaper;
mod slot;
mod stream;

use pyo3::exceptions::PyImportError;
use pyo3::ffi;
use pyo3::prelude::*;

use pool::Pooled;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    only_main_interpreter(py)?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<bind::Binding>()?;
    m.add_class::<buffer::Buffer>()?;
    m.add_class::<device::Device>()?;
    m.add_class::<device::DeviceProperties>()?;
    m.add_class::<event::Event>()?;
    m.add_class::<graph::Graph>()?;
    m.add_class::<graph::GraphBuilder>()?;
    m.add_class::<kernel::Kernel>()?;
    m.add_class::<kernel::KernelAttributes>()?;
    m.add_class::<kernel::KernelOccupancy>()?;
    m.add_class::<launch::LaunchConfig>()?;
    m.add_class::<library::Library>()?;
    m.add_class::<library::SymbolTable>()?;
    m.add_class::<memory::DeviceMemoryResource>()?;
    m.add_class::<memory::LegacyPinnedMemoryResource>()?;
    m.add_class::<memory::ManagedMemoryResource>()?;
    m.add_class::<memory::MemoryResource>()?;
    m.add_class::<memory::PinnedMemoryResource>()?;
    m.add_class::<program::ObjectCode>()?;
    m.add_class::<program::Program>()?;
    m.add_class::<stream::Stream>()?;
    m.add(
        "LEGACY_DEFAULT_STREAM",
        Py::new(py, stream::Stream::legacy())?,
    )?;
    m.add(
        "PER_THREAD_DEFAULT_STREAM",
        Py::new(py, stream::Stream::per_thread())?,
    )?;
    call::register(m)?;
    callbacks::set_up(m)?;
    launch::register(m)?;
    cuox_call::objects::register(m)?;
    objects::register(m)?;
    buffer::Buffer::pool().set_up(py)?;
    launch::ConfiguredKernel::pool().set_up(py)?;
    host::set_up(py);
    methods::register(py)?;
    m.add_function(wrap_pyfunction!(device::choice_report, m)?)?;
    m.add_function(wrap_pyfunction!(device::choose_device, m)?)?;
    m.add_function(wrap_pyfunction!(launch::kernel_launcher, m)?)?;
    m.add_function(wrap_pyfunction!(quiet::_others_seen, m)?)?;
    m.add_function(wrap_pyfunction!(library::_set_call_error, m)?)?;
    m.add_function(wrap_pyfunction!(library::driver_path, m)?)?;
    m.add_function(wrap_pyfunction!(paths::_leave_signals_alone, m)?)?;
    m.add_class::<paths::Compilation>()?;
    m.add_function(wrap_pyfunction!(paths::_nvrtc_supported, m)?)?;
    m.add_function(wrap_pyfunction!(paths::_set_up, m)?)?;
    m.add_function(wrap_pyfunction!(paths::cuda_include_dirs, m)?)?;
    m.add_function(wrap_pyfunction!(paths::find_headers, m)?)?;
    m.add_function(wrap_pyfunction!(paths::find_library, m)?)?;
    m.add_function(wrap_pyfunction!(paths::known_names, m)?)?;
    m.add_function(wrap_pyfunction!(paths::nvrtc_info, m)?)?;
    m.add_function(wrap_pyfunction!(paths::cache_info, m)?)?;
    m.add_function(wrap_pyfunction!(paths::clear_cache, m)?)?;
    m.add_function(wrap_pyfunction!(paths::set_path, m)?)?;
    // The public names are gathered in `cuox._api`; this module exports none.
    m.delattr("__all__")
}

/// Classes, and threads of the driver that call back, belong to one interpreter: the process's main one.
fn only_main_interpreter(py: Python<'_>) -> PyResult<()> {
    // SAFETY: the lock is held, so there is a current interpreter.
    match unsafe { ffi::PyInterpreterState_GetID(ffi::PyInterpreterState_Get()) } {
        0 => Ok(()),
        -1 => Err(PyErr::fetch(py)),
        _ => Err(PyImportError::new_err(
            "cuox cannot be used in a subinterpreter, only in a process's main interpreter: \
             use threads or processes (multiprocessing with \"spawn\")",
        )),
    }
}
