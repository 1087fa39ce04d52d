//! C values as Python values: results, outputs, statuses and errors.

use crate::objects::object_ref::as_c_object;
use std::ffi::c_char;

use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::callable::Callable;
use crate::errors::call_error;
use crate::objects::allocate::{new_record, wrap};
use crate::objects::class_table::callback_class;
use crate::objects::{complex, load};
use crate::signature::{Errno, Return, Role};
use crate::types::class::Kind;
use crate::types::scalar::Scalar;
use crate::types::status::{Status, Success};
use crate::types::value::Stored;
use crate::{callable, convert};

/// The Python object for a stored value; `keep` gives the objects that a new handle keeps alive.
///
/// # Safety
/// `at` is where such a value lies, readable in whole words.
pub unsafe fn stored<'py>(
    py: Python<'py>,
    stored: &Stored,
    at: *const u8,
    keep: &KeepAlive<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: such a value lies at `at`, in whole readable words (`# Safety`).
    let word = || unsafe { at.cast::<u64>().read_unaligned() };
    // SAFETY: new references.
    let _own = |object: *mut ffi::PyObject| unsafe { Bound::from_owned_ptr(py, object) };
    match stored {
        // SAFETY: such a value lies at `at`, in whole readable words (`# Safety`).
        Stored::Scalar(scalar) => unsafe { convert::number::to_python(py, *scalar, at) },
        // SAFETY: such a value lies at `at` (`# Safety`).
        Stored::Char => Ok(load::character(py, unsafe { *at })),
        // SAFETY: such a value lies at `at`, in whole readable words (`# Safety`).
        Stored::Enum(scalar, class) => unsafe {
            enumerated(class.bind(py), convert::number::to_python(py, *scalar, at)?)
        },
        Stored::Handle { class, owned } => {
            let pointer = !matches!(&class.kind, Kind::Handle(handle) if handle.plain || handle.scalar != Scalar::Pointer);
            let value = match &class.kind {
                Kind::Handle(handle) => extended(handle.scalar, word()),
                _ => word(),
            };
            if pointer && value == 0 {
                return Ok(py.None().into_bound(py));
            }
            let keep_alive = if *owned {
                keep.parents(py)?
            } else {
                keep.library()
            };
            wrap(py, class, value, *owned, keep_alive)
        }
        Stored::Pointer(class) => match word() {
            0 => Ok(py.None().into_bound(py)),
            value => wrap(py, class, value, false, keep.library()),
        },
        Stored::Callback(info) => match word() {
            0 => Ok(py.None().into_bound(py)),
            value => {
                let class = callback_class(py, info)?;
                wrap(py, &class, value, false, keep.library())
            }
        },
        Stored::Text { free, .. } => match word() as *const c_char {
            text if text.is_null() => Ok(py.None().into_bound(py)),
            text => {
                // SAFETY: C gave a `char *` that is text; the plan says so.
                let read = unsafe { convert::text::to_python(py, text) };
                if let Some(free) = free {
                    // SAFETY: the plan says that this function frees such text.
                    unsafe {
                        std::mem::transmute::<usize, unsafe extern "C" fn(*const c_char)>(*free)(
                            text,
                        )
                    }
                }
                read
            }
        },
        Stored::Record(class) if class.complex_part().is_some() => {
            let part = class.complex_part().unwrap_or(Scalar::F64);
            // SAFETY: such a value lies at `at` (`# Safety`).
            Ok(unsafe { complex::read(py, part, at as usize) })
        }
        Stored::Record(class) => {
            let object = new_record(py, class)?;
            if let (Some(record), Kind::Record(kind)) = (as_c_object(&object), &class.kind) {
                // SAFETY: the new record has `kind.size` bytes of its own, and as many lie at `at` (`# Safety`).
                unsafe { std::ptr::copy_nonoverlapping(at, (*record).value as *mut u8, kind.size) }
            }
            Ok(object)
        }
    }
}

/// The integer in the low bytes of a word, extended by its own sign.
#[inline]
fn extended(scalar: Scalar, word: u64) -> u64 {
    let shift = 64u32.saturating_sub(8 * scalar.size() as u32);
    match scalar.signed() {
        true => (((word << shift) as i64) >> shift) as u64,
        false => (word << shift) >> shift,
    }
}

/// A number as a member of an enumeration, or as it is where there is no such member.
fn enumerated<'py>(
    class: &Bound<'py, PyType>,
    number: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = class.py();
    if let Some(members) = class.getattr_opt(pyo3::intern!(py, "_value2member_map_"))?
        && let Ok(member) = members.get_item(&number)
    {
        return Ok(member);
    }
    // A set of flags makes members when they are asked for.
    match class.call1((&number,)) {
        Ok(member) => Ok(member),
        Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(number),
        Err(error) => Err(error),
    }
}

/// The objects that new objects of a call may have to keep alive.
pub struct KeepAlive<'a> {
    callable: &'a Callable,
    /// The arguments by parameter, null where there is none.
    arguments: &'a dyn Fn(usize) -> *mut ffi::PyObject,
}

impl<'a> KeepAlive<'a> {
    /// For a call with these arguments.
    pub fn new(callable: &'a Callable, arguments: &'a dyn Fn(usize) -> *mut ffi::PyObject) -> Self {
        Self {
            callable,
            arguments,
        }
    }
    fn library<'py>(&self) -> Option<Bound<'py, PyAny>> {
        // SAFETY: calls are made with the interpreter's lock held.
        let py = unsafe { Python::assume_attached() };
        self.callable
            .signature
            .keep
            .as_ref()
            .map(|keep| keep.bind(py).clone())
    }

    /// The handles that the call was given, of which the new object may be a part; the library if there are none.
    fn parents<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mut parents = Vec::new();
        for (index, parameter) in self.callable.signature.parameters.iter().enumerate() {
            if matches!(
                parameter.role,
                Role::Handle {
                    consumed: false,
                    ..
                }
            ) {
                // SAFETY: the arguments live as long as the call.
                let given = unsafe { Bound::from_borrowed_ptr_or_opt(py, (self.arguments)(index)) };
                parents.extend(given.filter(|given| as_c_object(given).is_some()));
            }
        }
        Ok(match parents.len() {
            0 => self.library(),
            1 => parents.pop(),
            _ => Some(PyTuple::new(py, parents)?.into_any()),
        })
    }
}

/// True if a status means success.
#[inline]
pub fn succeeded(success: &Success, code: i64) -> bool {
    match success {
        Success::Zero => code == 0,
        Success::NonZero => code != 0,
        Success::NotNegative => code >= 0,
        Success::OneOf(codes) => codes.contains(&code),
    }
}

/// The status in a result's word.
#[inline]
pub fn code(status: &Status, word: u64) -> i64 {
    extended(status.scalar, word) as i64
}

/// The Python object for a status.
pub fn status<'py>(py: Python<'py>, status: &Status, code: i64) -> PyResult<Bound<'py, PyAny>> {
    let number = match status.scalar {
        Scalar::U64 => (code as u64).into_pyobject(py)?.into_any(),
        _ => code.into_pyobject(py)?.into_any(),
    };
    match &status.class {
        Some(class) => enumerated(class.bind(py), number),
        None => Ok(number),
    }
}

/// The exception for a failed status.
#[cold]
pub fn failure(py: Python<'_>, callable: &Callable, status: &Status, code: i64) -> PyErr {
    let name = &callable.signature.name;
    let Some(raise) = &status.raise else {
        return call_error(py, name, Some(code), &format!("failed with status {code}"));
    };
    self::status(py, status, code)
        .and_then(|code| raise.bind(py).call1((name, code)))
        .map_or_else(|error| error, PyErr::from_value)
}

/// True if a result is one of those that `errno` says the reason of, if it is set.
pub fn told(callable: &Callable, word: u64) -> bool {
    let result = &callable.signature.result;
    match (callable.signature.errno, result) {
        (Some(Errno::Set), _) => true,
        (Some(Errno::Status), Return::Status(status)) => {
            !succeeded(&status.success, code(status, word))
        }
        (Some(Errno::Result(failure)), _) => result
            .scalar()
            .is_some_and(|scalar| extended(scalar, word) == extended(scalar, failure as u64)),
        _ => false,
    }
}

/// The exception for an `errno`, with the function's first text argument, which mostly is a path.
#[cold]
pub fn os_error(
    py: Python<'_>,
    callable: &Callable,
    errno: i32,
    argument: &dyn Fn(usize) -> *mut ffi::PyObject,
) -> PyErr {
    let make = || {
        let text = py.import("os")?.call_method1("strerror", (errno,))?;
        let class = py.get_type::<PyOSError>();
        let parameters = callable.signature.parameters.iter();
        let path = parameters
            .enumerate()
            .find(|(_, parameter)| matches!(parameter.role, Role::Text { .. }))
            // SAFETY: the arguments live as long as the call.
            .and_then(|(index, _)| unsafe { Bound::from_borrowed_ptr_or_opt(py, argument(index)) })
            .filter(|path| as_c_object(path).is_none() && !path.is_none());
        match path {
            Some(path) => class.call1((errno, text, path)),
            None => class.call1((errno, text)),
        }
    };
    make().map_or_else(|error| error, PyErr::from_value)
}

/// The exception for a null result.
#[cold]
pub fn null_result(py: Python<'_>, callable: &Callable) -> PyErr {
    call_error(py, &callable.signature.name, None, "returned NULL")
}

/// True if all bytes of a stored value are 0.
///
/// # Safety
/// As for [`stored`].
unsafe fn is_null(value: &Stored, at: *const u8) -> bool {
    let size = callable::extent(value).map_or(8, |(size, _)| size);
    // SAFETY: `at` has as many readable bytes as the value (`# Safety`).
    unsafe { std::slice::from_raw_parts(at, size) }
        .iter()
        .all(|byte| *byte == 0)
}

/// The Python object for the C function's own result; `None` for `void` and for a status.
///
/// # Safety
/// `at` is where the result lies, readable in whole words.
pub unsafe fn result<'py>(
    py: Python<'py>,
    callable: &Callable,
    at: *const u8,
    keep: &KeepAlive<'_>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    // SAFETY: the result lies at `at`, in whole readable words (`# Safety`).
    unsafe {
        match &callable.signature.result {
            Return::Status(status) if status.returned => {
                let word = at.cast::<u64>().read_unaligned();
                self::status(py, status, code(status, word)).map(Some)
            }
            Return::Nothing | Return::Status(_) => Ok(None),
            Return::Value(value) => stored(py, value, at, keep).map(Some),
            Return::NotNull(value) if is_null(value, at) => Err(null_result(py, callable)),
            Return::NotNull(value) => stored(py, value, at, keep).map(Some),
            Return::Char => Ok(Some(load::character(py, *at))),
            Return::Object => {
                let object = at.cast::<*mut ffi::PyObject>().read_unaligned();
                Bound::from_owned_ptr_or_err(py, object).map(Some)
            }
        }
    }
}
