//! Functions that generated code calls.
//!
//! # Safety
//! All of these are called by generated code alone, with the interpreter's lock held, with `this` the
//! [`CFunctionObject`] of the callable, `args` its arguments, and addresses of values that are there.

use crate::interpreter::numpy::ndarray;
use std::ffi::c_char;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::callable::{CFunctionObject, Callable};
use crate::convert;
use crate::generic::entry::call_generic;
use crate::generic::results;
use crate::generic::results::KeepAlive;
use crate::interpreter::guard::{guard, guard_attached};
use crate::interpreter::numpy::{DTYPES, SCALARS, dtype_index};
use crate::objects::allocate::new_handle;
use crate::signature::{Outputs, Return, Role};
use crate::types::class::Class;
use crate::types::status::Status;

/// An object of the interpreter.
type PyPtr = *mut ffi::PyObject;

/// The callable.
unsafe fn callable<'a>(this: *mut CFunctionObject) -> &'a Callable {
    // SAFETY: `this` is the live `self` of the running call (module's `# Safety`), which owns the callable.
    unsafe { &*(*this).callable }
}

/// The argument for a parameter, or null.
unsafe fn argument(callable: &Callable, args: *const PyPtr, parameter: usize) -> PyPtr {
    match callable.taken.binary_search(&parameter) {
        // SAFETY: `args` has as many live objects as the callable takes (module's `# Safety`), and `position` is below
        // that.
        Ok(position) => unsafe { *args.add(position) },
        Err(_) => null_mut(),
    }
}

fn status_of(callable: &Callable) -> Option<&Status> {
    match &callable.signature.result {
        Return::Status(status) => Some(status),
        _ => None,
    }
}

/// Puts arguments in the order of the parameters, at `to`: those that are given by name, and defaults. Answers whether
/// that takes no more than looking.
unsafe fn arrange(
    callable: &Callable,
    args: *const PyPtr,
    count: usize,
    names: PyPtr,
    to: &mut [PyPtr],
) -> bool {
    if count > to.len() {
        return false;
    }
    // SAFETY: `args` has `count` live objects, followed by one for each name (module's `# Safety`).
    unsafe {
        for (index, to) in to.iter_mut().take(count).enumerate() {
            *to = *args.add(index);
        }
        let named = match names.is_null() {
            true => 0,
            false => ffi::PyTuple_Size(names),
        };
        for index in 0..named {
            let name = ffi::PyTuple_GetItem(names, index);
            let mut keywords = callable.keywords.iter();
            match keywords.position(|keyword| keyword.as_ptr() == name) {
                Some(at) if to[at].is_null() => to[at] = *args.add(count + index as usize),
                _ => return false,
            }
        }
    }
    let parameters = &callable.signature.parameters;
    for (to, parameter) in to.iter_mut().zip(&callable.taken).skip(count) {
        if to.is_null() {
            match &parameters[*parameter].default {
                Some(default) => *to = default.as_ptr(),
                None => return false,
            }
        }
    }
    true
}

/// Makes the call if not all arguments are given, or some by name: with all of them in order, the generated code is
/// called once more.
pub unsafe extern "C" fn named(
    this: *mut CFunctionObject,
    args: *const PyPtr,
    count: isize,
    names: PyPtr,
) -> PyPtr {
    // SAFETY: `this` is the live `self` of the running call (module's `# Safety`); `entry` takes arguments as the
    // interpreter gives them.
    unsafe {
        let callable = callable(this);
        let mut all: SmallVec<[PyPtr; 12]> = SmallVec::new();
        all.resize(callable.taken.len(), null_mut());
        if arrange(callable, args, count as usize, names, &mut all) {
            let all = (all.as_ptr(), all.len() as isize);
            return callable.entry()(this.cast(), all.0, all.1, null_mut());
        }
        call_generic(this.cast(), args, count, names)
    }
}

/// True if a status means success.
pub unsafe extern "C" fn succeeded(this: *mut CFunctionObject, code: i64) -> usize {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    status_of(callable).map_or(0, |status| {
        usize::from(results::succeeded(&status.success, code))
    })
}

/// The object that is returned for a failed status: null with an exception, or the status and `None` for each output.
pub unsafe extern "C" fn failed(this: *mut CFunctionObject, code: i64) -> PyPtr {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    // SAFETY: generated code runs with the interpreter's lock held (module's `# Safety`); its arguments live until the
    // call returns.
    unsafe {
        guard_attached(null_mut(), |py| {
            let Some(status) = status_of(callable) else {
                return Ok(null_mut());
            };
            if callable.signature.outputs != Outputs::StatusTuple {
                return Err(results::failure(py, callable, status, code));
            }
            // Programs that poll get the same failure again and again, so its object is kept.
            let (known, object) = (*this).last_failure;
            let object = if known == code && !object.is_null() {
                ffi::Py_NewRef(object)
            } else {
                let object = results::status(py, status, code)?.into_ptr();
                let now = (code, ffi::Py_NewRef(object));
                let before = std::mem::replace(&mut (*this).last_failure, now);
                ffi::Py_DecRef(before.1);
                object
            };
            new_tuple(object, 1 + callable.outputs as isize)
        })
    }
}

/// A tuple of an object, whose reference it takes, and as many times `None` as there is room for; without an object, of
/// `None` alone.
unsafe fn new_tuple(first: PyPtr, count: isize) -> PyResult<PyPtr> {
    // SAFETY: the lock is held and `first` is a reference that the tuple takes (module's `# Safety`); the tuple is new
    // and gets all its items.
    unsafe {
        let tuple = ffi::PyTuple_New(count);
        if tuple.is_null() {
            ffi::Py_DecRef(first);
            return Err(PyErr::fetch(Python::assume_attached()));
        }
        for index in 0..count {
            let item = match index {
                0 if !first.is_null() => first,
                _ => ffi::Py_NewRef(ffi::Py_None()),
            };
            ffi::PyTuple_SetItem(tuple, index, item);
        }
        Ok(tuple)
    }
}

/// The object for a status. That for 0 is kept, and generated code returns it from then on.
pub unsafe extern "C" fn status(this: *mut CFunctionObject, code: i64) -> PyPtr {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    // SAFETY: generated code runs with the interpreter's lock held (module's `# Safety`); its arguments live until the
    // call returns.
    unsafe {
        guard(null_mut(), |py| match status_of(callable) {
            Some(status) => {
                let object = results::status(py, status, code)?;
                if code == 0 && (*this).zero_status.is_null() {
                    (*this).zero_status = object.clone().into_ptr();
                }
                Ok(object.into_ptr())
            }
            None => Ok(py.None().into_ptr()),
        })
    }
}

/// A tuple of so many items, of which the first is the status 0 if one is returned. The callable keeps it, too.
pub unsafe extern "C" fn tuple(this: *mut CFunctionObject, count: isize) -> PyPtr {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    unsafe {
        guard_attached(null_mut(), |py| {
            let mut first = null_mut();
            if callable(this).signature.outputs == Outputs::StatusTuple {
                first = status(this, 0);
                if first.is_null() {
                    return Err(PyErr::fetch(py));
                }
            }
            let tuple = new_tuple(first, count)?;
            let before = std::mem::replace(&mut (*this).last_tuple, ffi::Py_NewRef(tuple));
            ffi::Py_DecRef(before);
            Ok(tuple)
        })
    }
}

/// Raises the exception for an `errno`.
pub unsafe extern "C" fn os_error(this: *mut CFunctionObject, args: *const PyPtr, errno: i32) {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    // SAFETY: generated code runs with the interpreter's lock held (module's `# Safety`); its arguments live until the
    // call returns.
    unsafe {
        guard_attached((), |py| {
            let argument = |parameter: usize| argument(callable, args, parameter);
            Err(results::os_error(py, callable, errno, &argument))
        })
    }
}

/// Raises the exception for a null result.
pub unsafe extern "C" fn null_result(this: *mut CFunctionObject) {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    // SAFETY: generated code runs with the interpreter's lock held (module's `# Safety`); its arguments live until the
    // call returns.
    unsafe { guard_attached((), |py| Err(results::null_result(py, callable))) }
}

/// The object for a value in memory, of an output parameter or (-1) of the result.
pub unsafe extern "C" fn box_stored(
    this: *mut CFunctionObject,
    args: *const PyPtr,
    which: i64,
    at: *const u8,
) -> PyPtr {
    // SAFETY: generated code passes its own `self`, a live `CFunctionObject` (module's `# Safety`).
    let callable = unsafe { callable(this) };
    // SAFETY: generated code runs with the interpreter's lock held (module's `# Safety`); its arguments live until the
    // call returns.
    unsafe {
        guard(null_mut(), |py| {
            let argument = |parameter: usize| argument(callable, args, parameter);
            let keep = KeepAlive::new(callable, &argument);
            let role = usize::try_from(which)
                .ok()
                .and_then(|which| callable.signature.parameters.get(which))
                .map(|parameter| &parameter.role);
            let object = match role {
                Some(Role::Output(stored) | Role::InOut(stored)) => {
                    Some(results::stored(py, stored, at, &keep)?)
                }
                Some(_) => None,
                None => results::result(py, callable, at, &keep)?,
            };
            Ok(object
                .unwrap_or_else(|| py.None().into_bound(py))
                .into_ptr())
        })
    }
}

/// A handle that is not null.
pub unsafe extern "C" fn handle(class: *const Class, value: u64) -> PyPtr {
    // SAFETY: the lock is held; the callable holds the class.
    unsafe { new_handle(&*class, value, false) }
}

/// A handle that is not null and that is owned.
pub unsafe extern "C" fn owned_handle(class: *const Class, value: u64) -> PyPtr {
    // SAFETY: the lock is held (module's `# Safety`), and the callable's signature keeps the class alive.
    unsafe { new_handle(&*class, value, true) }
}

/// The str for text that is not UTF-8, called with the exception that says so.
pub unsafe extern "C" fn text(address: *const c_char) -> PyPtr {
    // SAFETY: the lock is held, `PyUnicode_FromString` has just failed with an exception, and `address` is the
    // NUL-terminated text that it read.
    unsafe {
        guard_attached(null_mut(), |py| {
            let error = PyErr::fetch(py);
            if !error.is_instance_of::<pyo3::exceptions::PyUnicodeDecodeError>(py) {
                return Err(error);
            }
            convert::text::to_python(py, address).map(Bound::into_ptr)
        })
    }
}

/// The index of the first NUL.
pub unsafe extern "C" fn first_nul(address: *const c_char) -> usize {
    // SAFETY: a Python string or bytes object, which ends with a NUL.
    unsafe { libc::strlen(address) }
}

/// The number of bytes of an ndarray of scalars; -1, which is shorter than any extent, for any other.
pub unsafe extern "C" fn array_bytes(array: PyPtr) -> isize {
    // SAFETY: an ndarray, whose struct is as it was found to be.
    let dtype = unsafe { array.cast::<u8>().add(ndarray::DTYPE as usize) };
    // SAFETY: `array` is an ndarray, as generated code has compared its type, and `probe_numpy` has found its struct to
    // have these words.
    let dtype = unsafe { dtype.cast::<usize>().read() };
    let known = SCALARS
        .iter()
        .find(|scalar| DTYPES[dtype_index(**scalar)].load(Ordering::Relaxed) == dtype);
    // SAFETY: `array` is an ndarray, as generated code has compared its type, and `probe_numpy` has found its struct to
    // have these words.
    let count = || unsafe { array_count(array) };
    known.map_or(-1, |scalar| count().wrapping_mul(scalar.size()) as isize)
}

/// The number of elements of an ndarray.
pub unsafe extern "C" fn array_count(array: PyPtr) -> usize {
    // SAFETY: an ndarray, whose struct is as it was found to be.
    unsafe {
        let array = array.cast::<u8>();
        let dimensions = array.add(ndarray::DIMENSIONS as usize).cast::<i32>().read();
        let shape = array
            .add(ndarray::SHAPE as usize)
            .cast::<*const isize>()
            .read();
        (0..dimensions as usize).fold(1, |count: usize, index| {
            count.wrapping_mul(*shape.add(index) as usize)
        })
    }
}
