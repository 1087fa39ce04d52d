//! The steps of a launch that reductions and scans share.

use std::ffi::c_void;

use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::Buffer;
use cuox::{Kernel, LaunchConfig};
use cuox_parallel::Parameter;
use cuox_parallel::code::{self, Source};
use cuox_parallel::elementwise::Shaped;
use cuox_parallel::scratch::{self, User};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use super::elementwise::put;
use crate::array::Array;
use crate::error::{OrRaise, to_py_in, wait};
use crate::idle;
use crate::launch::arguments::Arguments;
use crate::stream::ConsumerStream;

/// An argument of a launch.
#[derive(Clone, Copy)]
pub enum Given<'a, 'py> {
    /// An object, converted to what the parameter is.
    Object(Borrowed<'a, 'py, PyAny>),
    /// What the kernel gets.
    Bytes(&'a [u8]),
}

/// The objects of a call of the kernel `name`: one for each parameter.
pub fn objects<'a, 'py>(
    name: &str,
    parameters: &[Parameter],
    args: &'a Bound<'py, PyTuple>,
) -> PyResult<SmallVec<[Given<'a, 'py>; 8]>> {
    match Parameter::miscounted(name, parameters, args.len()) {
        None => Ok(args.iter_borrowed().map(Given::Object).collect()),
        Some(text) => Err(PyTypeError::new_err(text)),
    }
}

/// Shapes and strides of the arrays among the objects.
pub fn shaped<'a>(
    objects: &'a [Given<'_, '_>],
    parameters: &[Parameter],
) -> SmallVec<[Shaped<'a>; 8]> {
    let each = objects.iter().zip(parameters);
    each.map(|(given, parameter)| match given {
        Given::Object(object)
            if parameter.vector
                && let Ok(array) = object.cast::<Array>() =>
        {
            of_array(array.get())
        }
        _ => Shaped {
            layout: None,
            address: 0,
        },
    })
    .collect()
}

/// Shape and strides of an array.
pub fn of_array(array: &Array) -> Shaped<'_> {
    Shaped {
        layout: Some(array.layout()),
        address: array.first_address(),
    }
}

/// A kernel's text, its name and the options for NVRTC.
pub type Told = (String, String, Vec<String>);

/// Sources as Python has them.
pub fn told(sources: Vec<Source>) -> Vec<Told> {
    let each = sources.into_iter();
    each.map(|source| (source.text, source.kernel, source.options))
        .collect()
}

/// The PTX of a kernel for an architecture such as `90`, which needs no device.
///
/// Raises CompileError.
#[pyfunction]
pub fn _source_ptx(
    py: Python<'_>,
    text: String,
    kernel: String,
    options: Vec<String>,
    arch: &str,
) -> PyResult<Vec<u8>> {
    let source = Source {
        text,
        kernel,
        options,
    };
    let code = wait(py, &source.kernel.clone(), |stop| source.ptx(arch, stop))?;
    py.check_signals()?;
    Ok(code.bytes().to_vec())
}

/// Make PTX the code of a kernel in this process, until `_take_code_back` is called with one of its options.
#[pyfunction]
pub fn _supply_code(text: String, kernel: String, options: Vec<String>, ptx: Vec<u8>) {
    let source = Source {
        text,
        kernel,
        options,
    };
    source.supply(ptx);
}

/// Forget the code that was supplied for kernels with this option.
#[pyfunction]
pub fn _take_code_back(option: &str) {
    code::take_back(option);
}

/// A kernel, and whether it is new: one that is loaded, or compiled now, while Ctrl-C is looked for.
pub fn kernel<K: Send>(
    py: Python<'_>,
    name: &str,
    loaded: Option<K>,
    compile: impl FnOnce(&mut dyn FnMut() -> bool) -> cuox::Result<K> + Send,
) -> PyResult<(K, bool)> {
    if let Some(kernel) = loaded {
        return Ok((kernel, false));
    }
    let kernel = wait(py, name, compile)?;
    // NVRTC cannot be left at any time: what came meanwhile is raised now.
    py.check_signals()?;
    Ok((kernel, true))
}

/// Scratch memory for the next launch in a stream. To make room may wait for work that needs the GIL.
pub fn scratch(
    py: Python<'_>,
    user: User,
    stream: &cuox::Stream,
    bytes: usize,
) -> PyResult<Buffer> {
    if let Some(buffer) = scratch::find(user, stream, bytes).or_raise(py)? {
        return Ok(buffer);
    }
    idle::submit(py, stream, || scratch::get(user, stream, bytes)).or_raise(py)
}

/// Packs the arguments, then what `finish` adds to them, and launches.
pub fn launch(
    py: Python<'_>,
    (kernel, is_new): (&Kernel, bool),
    config: &LaunchConfig,
    stream: &cuox::Stream,
    objects: &[Given<'_, '_>],
    shaped: &[Shaped<'_>],
    finish: impl FnOnce(&mut ParamBuffer) -> Result<(), Refusal>,
) -> PyResult<()> {
    let pack = |arguments: &Arguments<'_>, buffer: &mut ParamBuffer| {
        put_all(arguments, objects, shaped, buffer)
    };
    let finish = |_: &Parameters, buffer: &mut ParamBuffer| finish(buffer);
    launch_packed(py, kernel, config, stream, !is_new, pack, finish)
}

/// Puts the arguments of a call.
#[inline]
pub fn put_all(
    arguments: &Arguments<'_>,
    objects: &[Given<'_, '_>],
    shaped: &[Shaped<'_>],
    buffer: &mut ParamBuffer,
) -> PyResult<()> {
    for (index, (&given, shaped)) in objects.iter().zip(shaped).enumerate() {
        put(arguments, index, given, shaped.layout.is_some(), buffer)?;
    }
    Ok(())
}

/// Launches a kernel with the arguments that `pack` puts, and the numbers that `finish` puts behind them. A kernel that is launched for the
/// first time may take the driver longer: not `at_once` then.
#[inline]
pub fn launch_packed(
    py: Python<'_>,
    kernel: &Kernel,
    config: &LaunchConfig,
    stream: &cuox::Stream,
    at_once: bool,
    pack: impl FnOnce(&Arguments<'_>, &mut ParamBuffer) -> PyResult<()>,
    finish: impl FnOnce(&Parameters, &mut ParamBuffer) -> Result<(), Refusal>,
) -> PyResult<()> {
    let parameters = kernel.parameters().or_raise(py)?;
    let mut buffer = ParamBuffer::default();
    let order = &ConsumerStream { py, stream };
    pack(&Arguments { parameters, order }, &mut buffer)?;
    finish(parameters, &mut buffer)
        .map_err(|refusal| {
            let last = parameters.len().saturating_sub(1);
            parameters.refused(last, refusal, "the numbers of a launch")
        })
        .or_raise(py)?;
    let done = buffer.with_pointers(parameters, |pointers| {
        // The work may be handed over to code without the GIL, as an address: pointers are bound to their thread.
        let pointers = pointers as usize;
        // SAFETY: one pointer for each parameter, to a value of its size; `buffer` and the array of pointers live until
        // the call returns.
        let work = || unsafe {
            let pointers = pointers as *mut *mut c_void;
            kernel.launch_raw(stream, config, pointers)
        };
        match at_once {
            true => idle::submit_at_once(py, stream, work),
            false => idle::submit(py, stream, work),
        }
    });
    done.map_err(|error| to_py_in(py, error, &format!("launch of {}", kernel.shown_name())))
}
