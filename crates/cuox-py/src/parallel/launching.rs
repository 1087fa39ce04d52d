//! Launches of algorithms from Python.

use std::cell::RefCell;
use std::ffi::c_void;
use std::mem::MaybeUninit;

use cuox::launch::{ParamBuffer, Parameters, Refusal};
use cuox::memory::Buffer;
use cuox::{Kernel, LaunchConfig};
use cuox_parallel::Parameter;
use cuox_parallel::caller::Caller;
use cuox_parallel::code::{self, Source};
use cuox_parallel::elementwise::Shaped;
use cuox_parallel::scratch::{self, User};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use super::elementwise::put;
use crate::array::Array;
use crate::error::{OrRaise, to_py, to_py_in, wait};
use crate::idle;
use crate::launch::arguments::Arguments;
use crate::stream::ConsumerStream;

/// An argument of a launch.
#[derive(Clone, Copy)]
pub enum Given<'a, 'py> {
    /// An object, converted to what the parameter is.
    Object(Borrowed<'a, 'py, PyAny>),
    /// The bytes that the kernel gets.
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

/// Python's calls of algorithms.
pub struct PythonCaller<'a, 'py, F> {
    py: Python<'py>,
    /// Puts the arguments of a launch.
    pack: F,
    record: Option<&'a RefCell<Recorded>>,
}

/// The bytes of a launch's parameters; not all are written.
pub type ParameterBytes = SmallVec<[MaybeUninit<u8>; 128]>;

/// The launches and memory of an algorithm's run.
#[derive(Default)]
pub struct Recorded {
    /// The scratch memory that it has got: whose, so many bytes, and where.
    pub scratch: Option<(User, usize, u64)>,
    /// The kernel, and the bytes of its parameters.
    pub launch: Option<(Kernel, LaunchConfig, ParameterBytes)>,
    /// True if there was more.
    pub has_other_work: bool,
}

impl Recorded {
    fn add_launch(&mut self, kernel: &Kernel, config: &LaunchConfig, bytes: &[MaybeUninit<u8>]) {
        self.has_other_work |= self.launch.is_some();
        self.launch = Some((kernel.clone(), *config, bytes.into()));
    }
}

impl<'py, F> PythonCaller<'_, 'py, F> {
    /// The caller whose arguments `pack` puts.
    pub fn new(py: Python<'py>, pack: F) -> Self {
        let record = None;
        Self { py, pack, record }
    }
}

/// The caller with these objects, and their shapes, as arguments; and where to note what is done.
pub fn caller<'a, 'py>(
    py: Python<'py>,
    objects: &'a [Given<'a, 'py>],
    shaped: &'a [Shaped<'a>],
    record: Option<&'a RefCell<Recorded>>,
) -> PythonCaller<'a, 'py, impl Fn(&Arguments<'_>, &mut ParamBuffer) -> PyResult<()>> {
    let pack = move |arguments: &Arguments<'_>, buffer: &mut ParamBuffer| {
        for (index, (&given, shaped)) in objects.iter().zip(shaped).enumerate() {
            put(arguments, index, given, shaped.layout.is_some(), buffer)?;
        }
        Ok(())
    };
    PythonCaller { py, pack, record }
}

impl<F> Caller for PythonCaller<'_, '_, F>
where
    F: Fn(&Arguments<'_>, &mut ParamBuffer) -> PyResult<()>,
{
    type Error = PyErr;

    fn error(&self, error: cuox::Error) -> PyErr {
        to_py(self.py, error)
    }

    #[inline]
    fn kernel<K: Send>(
        &self,
        name: &str,
        loaded: Option<K>,
        compile: impl FnOnce(&mut dyn FnMut() -> bool) -> cuox::Result<K> + Send,
    ) -> PyResult<(K, bool)> {
        kernel(self.py, name, loaded, compile)
    }

    fn submit<T: Send>(
        &self,
        stream: &cuox::Stream,
        work: impl FnOnce() -> cuox::Result<T> + Send,
    ) -> PyResult<T> {
        if let Some(recorded) = self.record {
            recorded.borrow_mut().has_other_work = true;
        }
        idle::submit(self.py, stream, work).or_raise(self.py)
    }

    fn scratch(&self, user: User, stream: &cuox::Stream, bytes: usize) -> PyResult<Buffer> {
        let found = scratch::find(user, stream, bytes).or_raise(self.py)?;
        let buffer = match found {
            Some(buffer) => buffer,
            // New memory, of this launch alone in a graph that is being captured.
            None => self.submit(stream, || scratch::get(user, stream, bytes))?,
        };
        if let Some(recorded) = self.record {
            recorded.borrow_mut().scratch = Some((user, bytes, buffer.ptr()));
        }
        Ok(buffer)
    }

    #[inline]
    unsafe fn launch(
        &self,
        stream: &cuox::Stream,
        (kernel, is_new): (&Kernel, bool),
        config: &LaunchConfig,
        finish: impl FnOnce(&Parameters, &mut ParamBuffer) -> Result<(), Refusal>,
    ) -> PyResult<()> {
        let py = self.py;
        let parameters = kernel.parameters().or_raise(py)?;
        let mut buffer = ParamBuffer::default();
        let order = &ConsumerStream::new(py, stream);
        (self.pack)(&Arguments { parameters, order }, &mut buffer)?;
        finish(parameters, &mut buffer)
            .map_err(|refusal| {
                let last = parameters.len().saturating_sub(1);
                parameters.refused(last, refusal, "the numbers of a launch")
            })
            .or_raise(py)?;
        // SAFETY: this function's caller vouches.
        unsafe {
            submit(
                py,
                (kernel, is_new),
                config,
                stream,
                parameters,
                &mut buffer,
            )
        }?;
        if let Some(recorded) = self.record {
            recorded
                .borrow_mut()
                .add_launch(kernel, config, buffer.bytes(parameters));
        }
        Ok(())
    }
}

/// Launches a kernel with the parameters in a buffer. One that is launched for the first time may take the driver
/// longer: another thread may run Python code meanwhile.
///
/// # Safety
/// The parameters are of the kernel's types; it stays within the memory of their addresses, which lives until it is
/// done.
#[inline]
pub unsafe fn submit(
    py: Python<'_>,
    (kernel, is_new): (&Kernel, bool),
    config: &LaunchConfig,
    stream: &cuox::Stream,
    parameters: &Parameters,
    buffer: &mut ParamBuffer,
) -> PyResult<()> {
    let done = buffer.with_pointers(parameters, |pointers| {
        // The work may be handed over to code without the GIL, as an address: pointers are bound to their thread.
        let pointers = pointers as usize;
        // SAFETY: one pointer for each parameter, to a value of its size; `buffer` and the array of pointers live until
        // the call returns. This function's caller vouches for the memory.
        let work = || unsafe {
            let pointers = pointers as *mut *mut c_void;
            kernel.launch_raw(stream, config, pointers)
        };
        match is_new {
            false => idle::submit_at_once(py, stream, work),
            true => idle::submit(py, stream, work),
        }
    });
    done.map_err(|error| to_py_in(py, error, &format!("launch of {}", kernel.shown_name())))
}
