//! `cuox::Error` as Python exceptions.

use std::time::{Duration, Instant};

use cuox::Error;
use cuox_interpreter::gate;
use pyo3::exceptions::{PyKeyboardInterrupt, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};

use crate::support::in_debugger::waits_for_itself;

/// A class of `cuox._internal.errors`, imported once.
fn class<'py>(
    py: Python<'py>,
    cell: &'static PyOnceLock<Py<PyType>>,
    name: &str,
) -> PyResult<&'py Bound<'py, PyType>> {
    cell.import(py, "cuox._internal.errors", name)
}

static CUDA_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static OUT_OF_MEMORY: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static COOPERATIVE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static CLOSED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static COMPILE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NOT_FOUND: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// True if an exception is a `NotFoundError`.
pub fn is_not_found(py: Python<'_>, error: &PyErr) -> bool {
    class(py, &NOT_FOUND, "NotFoundError").is_ok_and(|class| error.is_instance(py, class))
}

/// The exception for `error`.
#[cold]
pub fn to_py(py: Python<'_>, error: Error) -> PyErr {
    build(py, &error, error.to_string()).unwrap_or_else(|failure| failure)
}

/// The exception for an error of what the user has called, such as `stream.sync()`.
#[cold]
pub fn to_py_in(py: Python<'_>, error: Error, user: &str) -> PyErr {
    build(py, &error, error.text_in(user)).unwrap_or_else(|failure| failure)
}

fn build(py: Python<'_>, error: &Error, text: String) -> PyResult<PyErr> {
    Ok(match error {
        Error::Driver {
            code,
            name,
            description,
            ..
        } => {
            let class = if error.is_out_of_memory() {
                class(py, &OUT_OF_MEMORY, "OutOfMemoryError")?
            } else if error.is_cooperative_launch_too_large() {
                class(py, &COOPERATIVE, "CooperativeLaunchError")?
            } else {
                class(py, &CUDA_ERROR, "CUDAError")?
            };
            PyErr::from_value(made(class, (text, *code, *name, *description))?)
        }
        Error::Nvrtc {
            code, name, log, ..
        } => PyErr::from_value(made(
            class(py, &COMPILE, "CompileError")?,
            (text, *code, *name, &**log),
        )?),
        Error::NotFound(found) => {
            let class = class(py, &NOT_FOUND, "NotFoundError")?;
            PyErr::from_value(made(class, (text, found.searched.clone(), &found.fix))?)
        }
        Error::NoSuchKernel { .. } => {
            PyErr::from_value(made(class(py, &NOT_FOUND, "NotFoundError")?, (text,))?)
        }
        Error::Closed { .. } | Error::Reset => {
            PyErr::from_value(made(class(py, &CLOSED, "ClosedError")?, (text,))?)
        }
        Error::Argument(argument) if argument.out_of_range => PyOverflowError::new_err(text),
        Error::Argument(_) | Error::ArgumentCount { .. } => PyTypeError::new_err(text),
        Error::Invalid(_) => PyValueError::new_err(text),
        // The signal's own exception is taken in `wait`; without one, it was an interrupt all the same.
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
        _ => PyErr::from_value(made(class(py, &CUDA_ERROR, "CUDAError")?, (text,))?),
    })
}

/// The error of use after close, in other words than the usual ones.
#[cold]
pub fn closed_with(py: Python<'_>, text: &str) -> PyErr {
    let error = class(py, &CLOSED, "ClosedError").and_then(|class| made(class, (text,)));
    error.map_or_else(|error| error, PyErr::from_value)
}

/// An exception, whose class is written in Python.
fn made<'py>(
    class: &Bound<'py, PyType>,
    args: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyResult<Bound<'py, PyAny>> {
    gate::call(class, &args.into_pyobject(class.py())?, None)
}

/// `Result<T, cuox::Error>` to `PyResult<T>`.
pub trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
    /// The message begins with what the user has called.
    fn or_raise_in(self, py: Python<'_>, user: &str) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, Error> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(to_py(py, error)),
        }
    }

    #[inline]
    fn or_raise_in(self, py: Python<'_>, user: &str) -> PyResult<T> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(to_py_in(py, error, user)),
        }
    }
}

/// The time between a wait's looks for signals. Looking takes the GIL, for which another thread may make it wait.
const LOOK: Duration = Duration::from_millis(40);

/// Waits with the GIL released. `work` gets the question that it has to ask now and then; when that says `true`, a
/// signal handler has raised, and its exception is what comes out. `user` is what the user has called.
pub fn wait<T: Send>(
    py: Python<'_>,
    user: &str,
    work: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let mut raised = None;
    let mut looked = Instant::now();
    let begun = looked;
    let done = py.detach(|| {
        work(&mut || {
            if looked.elapsed() < LOOK {
                return false;
            }
            raised = gate::check_signals().or_else(|| waits_for_itself(begun.elapsed()));
            looked = Instant::now();
            raised.is_some()
        })
    });
    match raised {
        Some(error) => Err(error),
        None => done.or_raise_in(py, user),
    }
}
