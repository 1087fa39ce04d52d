//! The extension module `cuox._native`: Python's face of the crate `cuox`. Conversions, and nothing else.

#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod array;
mod batches;
mod buffer;
mod buffer_memory;
mod context;
mod copies;
mod device;
mod device_properties;
mod disk_cache;
mod error;
mod event;
mod fastcall_methods;
mod graph;
mod graph_attachments;
mod graph_builder;
mod graph_captured;
mod graph_kept;
mod graph_nodes;
mod graph_uses;
mod host_function;
mod idle;
mod kernel;
mod launch;
mod memory_resource;
mod object_code;
mod parallel;
mod pathfinder;
mod portability;
mod program;
mod program_cache;
mod progress;
mod pycuda;
mod pykernel;
mod stream;
mod stream_callbacks;
mod strided_view;
mod support;

use cuox_interpreter::c_values;
use cuox_interpreter::only_main_interpreter;
use pyo3::prelude::*;

use support::host_span;
use support::pool::Pooled;

#[pymodule]
fn _native(m: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = m.py();
    only_main_interpreter(py)?;
    c_values::find(py, env!("CARGO_PKG_VERSION"))?;
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add_class::<buffer::Buffer>()?;
    m.add_class::<context::Context>()?;
    m.add_class::<device::Device>()?;
    m.add_class::<device_properties::DeviceProperties>()?;
    m.add_class::<event::Event>()?;
    m.add_class::<graph::Graph>()?;
    m.add_class::<graph_builder::GraphBuilder>()?;
    m.add_class::<kernel::Kernel>()?;
    m.add_class::<kernel::KernelAttributes>()?;
    m.add_class::<kernel::KernelOccupancy>()?;
    m.add_class::<launch::LaunchConfig>()?;
    m.add_class::<memory_resource::DeviceMemoryResource>()?;
    m.add_class::<memory_resource::LegacyPinnedMemoryResource>()?;
    m.add_class::<memory_resource::ManagedMemoryResource>()?;
    m.add_class::<memory_resource::MemoryResource>()?;
    m.add_class::<memory_resource::PinnedMemoryResource>()?;
    m.add_class::<object_code::ObjectCode>()?;
    m.add_class::<memory_resource::PoolResource>()?;
    m.add_class::<memory_resource::MemoryPoolAttributes>()?;
    m.add_class::<program::Program>()?;
    m.add_class::<progress::PyProgress>()?;
    m.add_class::<stream::Stream>()?;
    m.add_class::<host_function::HostFunction>()?;
    m.add(
        "LEGACY_DEFAULT_STREAM",
        Py::new(py, stream::Stream::legacy())?,
    )?;
    m.add(
        "PER_THREAD_DEFAULT_STREAM",
        Py::new(py, stream::Stream::per_thread())?,
    )?;
    array::register(m)?;
    strided_view::register(m)?;
    stream_callbacks::set_up(m)?;
    launch::register(m)?;
    parallel::register(m)?;
    pycuda::register(m)?;
    pykernel::register(m)?;
    buffer::Buffer::pool().set_up(py)?;
    launch::ConfiguredKernel::pool().set_up(py)?;
    host_span::set_up(py);
    fastcall_methods::register(py)?;
    m.add_function(wrap_pyfunction!(device::choice_report, m)?)?;
    m.add_function(wrap_pyfunction!(device::chosen_driver, m)?)?;
    m.add_function(wrap_pyfunction!(device::choose_device, m)?)?;
    m.add_function(wrap_pyfunction!(context::_green_context, m)?)?;
    m.add_function(wrap_pyfunction!(device::_last_fault, m)?)?;
    m.add_function(wrap_pyfunction!(batches::_copy_batch, m)?)?;
    m.add_function(wrap_pyfunction!(batches::_prefetch_batch, m)?)?;
    m.add_function(wrap_pyfunction!(graph::_instantiate_graph, m)?)?;
    m.add_class::<context::ContextMark>()?;
    m.add_function(wrap_pyfunction!(graph::_attach, m)?)?;
    m.add_function(wrap_pyfunction!(graph::_detach, m)?)?;
    m.add_function(wrap_pyfunction!(graph::_update_graph, m)?)?;
    m.add_function(wrap_pyfunction!(graph::_destroy_graph, m)?)?;
    m.add_function(wrap_pyfunction!(graph_nodes::_node_memory, m)?)?;
    m.add_function(wrap_pyfunction!(graph_nodes::_pack_arguments, m)?)?;
    m.add_function(wrap_pyfunction!(launch::kernel_launcher, m)?)?;
    m.add_function(wrap_pyfunction!(idle::_note_foreign_use, m)?)?;
    m.add_function(wrap_pyfunction!(idle::_note_work, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::driver_path, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::_leave_signals_alone, m)?)?;
    m.add_class::<pathfinder::Compilation>()?;
    m.add_function(wrap_pyfunction!(pathfinder::_nvrtc_supported, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::_set_up, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::cuda_include_dirs, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::find_headers, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::find_library, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::known_names, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::catalogue, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::locate, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::raise_not_found, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::nvrtc_info, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::nvrtc_include_dirs, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::package_of_header, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::nvcc_hints, m)?)?;
    m.add_function(wrap_pyfunction!(disk_cache::cache_info, m)?)?;
    m.add_function(wrap_pyfunction!(disk_cache::clear_cache, m)?)?;
    m.add_function(wrap_pyfunction!(disk_cache::load_result, m)?)?;
    m.add_function(wrap_pyfunction!(disk_cache::save_result, m)?)?;
    m.add_function(wrap_pyfunction!(pathfinder::set_path, m)?)?;
    m.add_function(wrap_pyfunction!(program_cache::compiler_text, m)?)?;
    // The public names are gathered in `cuox._internal.api`; this module exports none.
    m.delattr("__all__")
}
