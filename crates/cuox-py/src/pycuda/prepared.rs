//! `Function.prepared_call` and `prepared_async_call`: launches whose arguments come behind grid and block.

use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::function::{Function, tuple};
use crate::support::fastcall::{self, Definition};
use crate::support::plain_args::given;
use crate::support::vectorcall;

impl Function {
    /// A prepared call: `leading` parameters (the grid, the block and maybe a stream), then the kernel's arguments, and
    /// `shared_size` as a keyword.
    ///
    /// # Safety
    /// Called by the interpreter: `count` values by position, and one for each of the names.
    #[inline(always)]
    unsafe fn prepared<'py>(
        this: &Bound<'py, Self>,
        values: *const *mut ffi::PyObject,
        count: usize,
        names: *mut ffi::PyObject,
        method: &'static PreparedMethod,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = this.py();
        let leading = method.parameters.len() - 1;
        let mut read = [None; 4];
        // SAFETY: as the caller promises.
        let positional = unsafe { vectorcall::objects(values, count) };
        for (parameter, value) in read.iter_mut().zip(&positional[..count.min(leading)]) {
            // SAFETY: a live object.
            *parameter = Some(unsafe { Bound::ref_from_ptr(py, value) });
        }
        if !names.is_null() {
            // SAFETY: as the caller promises.
            unsafe { method.read_names(py, names, values.add(count), &mut read) }?;
        } else if count < leading {
            return Err(method.missing(count));
        }
        let rest = positional.get(leading..).unwrap_or_default();
        let (stream, shared) = match leading {
            2 => (None, read[2]),
            _ => (read[2], read[3]),
        };
        let (Some(grid), Some(block)) = (read[0], read[1]) else {
            return Err(method.missing(usize::from(read[0].is_some())));
        };
        let function = this.get();
        let launched = function
            .configuration(py, Some(grid), block, given(shared))
            // SAFETY: live objects, as the caller promises.
            .and_then(|config| unsafe { function.launch(py, rest, &config, stream) });
        match launched {
            Ok(()) => Ok(fastcall::none(py)),
            Err(error) => {
                // SAFETY: as above.
                let args = unsafe { tuple(py, rest) }?;
                // Tries again, with the arguments converted by the format that was prepared.
                this.call_method1(
                    intern!(py, "_prepared_failed"),
                    (error.value(py), args, grid, block, stream, shared),
                )
            }
        }
    }
}

/// The parameters of a prepared call; the last one is given as a keyword only and may be left out.
struct PreparedMethod {
    name: &'static str,
    parameters: &'static [&'static str],
}

static PREPARED_CALL: PreparedMethod = PreparedMethod {
    name: "prepared_call",
    parameters: &["grid", "block", "shared_size"],
};
static PREPARED_ASYNC_CALL: PreparedMethod = PreparedMethod {
    name: "prepared_async_call",
    parameters: &["grid", "block", "stream", "shared_size"],
};

impl PreparedMethod {
    /// Reads the values with names.
    ///
    /// # Safety
    /// A live tuple, and a live value for each name.
    #[cold]
    unsafe fn read_names<'py>(
        &self,
        py: Python<'py>,
        names: *mut ffi::PyObject,
        values: *const *mut ffi::PyObject,
        read: &mut [Option<&Bound<'py, PyAny>>; 4],
    ) -> PyResult<()> {
        // SAFETY: as the caller promises.
        let names = unsafe { Bound::ref_from_ptr(py, &names) }.cast::<PyTuple>()?;
        for (index, name) in names.iter_borrowed().enumerate() {
            let text: String = name.extract()?;
            let Some(place) = self.parameters.iter().position(|known| *known == text) else {
                return Err(PyTypeError::new_err(format!(
                    "{}() got an unexpected keyword argument '{text}': expected shared_size",
                    self.name
                )));
            };
            // SAFETY: as the caller promises; the references live until the call returns.
            let value = unsafe { Bound::ref_from_ptr(py, &*values.add(index)) };
            if read[place].replace(value).is_some() {
                return Err(PyTypeError::new_err(format!(
                    "{}() got multiple values for argument '{text}'",
                    self.name
                )));
            }
        }
        let needed = self.parameters.len() - 1;
        match read[..needed].iter().position(|value| value.is_none()) {
            Some(place) => Err(self.missing(place)),
            None => Ok(()),
        }
    }

    #[cold]
    fn missing(&self, place: usize) -> PyErr {
        PyTypeError::new_err(format!(
            "{}() missing required argument: '{}'",
            self.name, self.parameters[place]
        ))
    }
}

/// The functions that the interpreter calls for prepared calls.
macro_rules! prepared_entry {
    ($name:ident, $method:ident) => {
        unsafe extern "C" fn $name(
            this: *mut ffi::PyObject,
            values: *const *mut ffi::PyObject,
            count: ffi::Py_ssize_t,
            names: *mut ffi::PyObject,
        ) -> *mut ffi::PyObject {
            // SAFETY: the interpreter passes an object of the class, which the descriptor has checked, and live values,
            // with the GIL held.
            unsafe {
                fastcall::enter($method.name, |py| {
                    let this = Bound::ref_from_ptr(py, &this).cast_unchecked::<Function>();
                    Function::prepared(this, values, count as usize, names, &$method)
                })
            }
        }
    };
}

prepared_entry!(enter_prepared_call, PREPARED_CALL);
prepared_entry!(enter_prepared_async_call, PREPARED_ASYNC_CALL);

static PREPARED_CALL_METHOD: Definition = Definition::keywords(
    c"prepared_call",
    enter_prepared_call,
    c"prepared_call($self, grid, block, *args, shared_size=None)\n--\n\n\
        Launch the kernel in the default stream; the arguments are of the types that were prepared.\n\n\
        grid: blocks in x, y and z.\n\
        block: threads of a block in x, y and z.\n\
        shared_size: dynamic shared memory of a block, in bytes.\n\n\
        Raises TypeError for arguments that do not fit, Error. Driver API manual, `cuLaunchKernel`.",
);

static PREPARED_ASYNC_CALL_METHOD: Definition = Definition::keywords(
    c"prepared_async_call",
    enter_prepared_async_call,
    c"prepared_async_call($self, grid, block, stream, *args, shared_size=None)\n--\n\n\
        Launch the kernel in a stream; the arguments are of the types that were prepared.\n\n\
        stream: a Stream, or None for the default stream.\n\n\
        The rest is as for `prepared_call`.",
);

/// Adds the methods to the class.
pub fn register(py: Python<'_>) -> PyResult<()> {
    PREPARED_CALL_METHOD.add_to_class::<Function>(py)?;
    PREPARED_ASYNC_CALL_METHOD.add_to_class::<Function>(py)
}
