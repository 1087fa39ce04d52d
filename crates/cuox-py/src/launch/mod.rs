//! Launches: `cuox.launch`, `kernel[grid, block](…)`, and `kernelParams` of `cuox.cuda.bindings`.
//!
//! The values that a parameter takes are [`cuox::launch::Slot`]'s business; here Python's objects are told apart.

pub mod arguments;
mod config;
mod configured;
pub mod exchanged;
pub mod foreign;
pub mod interface;
mod kernel_params;
mod kernel_values;
pub mod pointer_like;

use std::ffi::c_void;

use cuox::launch::ParamBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;

use crate::error::{OrRaise, to_py_in};
use crate::idle;
use crate::kernel::Kernel;
use crate::stream::{ConsumerStream, stream_argument};
use crate::support::fastcall::{self, Definition};
use crate::support::names;
use crate::support::vectorcall;

pub use config::{LaunchConfig, in_brackets, named_stream, plain_size};
pub use configured::ConfiguredKernel;
pub use kernel_params::kernel_launcher;

/// Converts the arguments and launches.
///
/// # Safety
/// `objects` are borrowed references to live objects.
#[inline]
pub unsafe fn submit(
    py: Python<'_>,
    stream: &cuox::Stream,
    config: &cuox::LaunchConfig,
    kernel: &Kernel,
    objects: &[*mut ffi::PyObject],
) -> PyResult<()> {
    let parameters = kernel.inner.parameters().or_raise(py)?;
    let mut buffer = ParamBuffer::default();
    let order = ConsumerStream::new(py, stream);
    // SAFETY: live objects, as this function's caller promises.
    unsafe { arguments::pack(py, parameters, objects, &order, &mut buffer) }?;
    buffer.with_pointers(parameters, |pointers| {
        // SAFETY: one pointer for each parameter, to a value of its size; `buffer` and the array of pointers live until
        // the call returns.
        unsafe { submit_pointers(py, stream, config, kernel, pointers) }
    })
}

/// Launches with arguments that are converted.
///
/// # Safety
/// One pointer for each parameter, to a value of its size; all live until this returns.
#[inline]
pub unsafe fn submit_pointers(
    py: Python<'_>,
    stream: &cuox::Stream,
    config: &cuox::LaunchConfig,
    kernel: &Kernel,
    pointers: *mut *mut c_void,
) -> PyResult<()> {
    // The work may be handed over to code without the GIL, as an address: pointers are bound to their thread.
    let pointers = pointers as usize;
    // SAFETY: as the caller promises.
    let work = || unsafe {
        let pointers = pointers as *mut *mut c_void;
        kernel.inner.launch_raw(stream, config, pointers)
    };
    let done = match kernel.was_launched() {
        true => idle::submit_at_once(py, stream, work),
        false => idle::submit(py, stream, work).inspect(|()| kernel.set_launched()),
    };
    done.map_err(|error| failed(py, kernel, error))
}

#[cold]
fn failed(py: Python<'_>, kernel: &Kernel, error: cuox::Error) -> PyErr {
    to_py_in(
        py,
        error,
        &format!("launch of {}", kernel.inner.shown_name()),
    )
}

unsafe fn launch(py: Python<'_>, arguments: &[*mut ffi::PyObject]) -> PyResult<()> {
    let [stream, config, kernel, rest @ ..] = arguments else {
        return Err(PyTypeError::new_err(format!(
            "launch(stream, config, kernel, *args) takes at least 3 arguments, not {}",
            arguments.len()
        )));
    };
    // SAFETY: borrowed references that the caller of the entry holds.
    let (stream, config, kernel) = unsafe {
        (
            Bound::ref_from_ptr(py, stream),
            Bound::ref_from_ptr(py, config),
            Bound::ref_from_ptr(py, kernel),
        )
    };
    let Ok(kernel) = kernel.cast::<Kernel>() else {
        return Err(wrong("kernel", "a cuox.Kernel", kernel));
    };
    let Ok(config) = config.cast::<LaunchConfig>() else {
        return Err(wrong("config", "a cuox.LaunchConfig", config));
    };
    let kernel = kernel.get();
    let stream = stream_argument(py, stream, Some(kernel.inner.device()))?;
    // SAFETY: the rest of the references that the caller of the entry holds.
    unsafe { submit(py, &stream, &config.get().config, kernel, rest) }
}

#[cold]
fn wrong(what: &str, expected: &str, got: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "launch: {what}: expected {expected}, got {}: launch(stream, config, kernel, *args)",
        names::type_name(got)
    ))
}

/// The entry that the interpreter calls, with no tuple in between.
unsafe extern "C" fn launch_entry(
    _module: *mut ffi::PyObject,
    arguments: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with the GIL held and `count` non-null references.
    unsafe {
        fastcall::enter("launch", |py| {
            launch(py, vectorcall::objects(arguments, count as usize))?;
            Ok(fastcall::none(py))
        })
    }
}

static LAUNCH: Definition = Definition::positional(
    c"launch",
    launch_entry,
    c"launch($module, stream, config, kernel, /, *kernel_args)\n--\n\n\
        Launch a kernel on a stream.\n\n\
        config: the grid and the block.\n\
        kernel_args: one value for each parameter of the kernel; numbers become the declared types, an array passes its address.\n\n\
        Raises TypeError for a value that a parameter does not take, with its name and type; OverflowError for a number out of\n\
        its range; CUDAError. Driver API manual, `cuLaunchKernel`.",
);

/// Adds `launch` to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    LAUNCH.add_to_module(module)
}
