//! Callables, and the choice of the code that makes their calls.

use crate::callable;
use crate::generic::entry::call_generic_without_names;
use cuox_bind::plan::Gil;
use std::ptr::null_mut;
use std::sync::atomic::Ordering;

use pyo3::ffi;
use pyo3::prelude::*;

use crate::callable::{CFunctionObject, Callable, Entry};
use crate::compile::compiler::{CodeState, code_for};
use crate::compile::shape::Shape;
use crate::compile::{function, runtime, shape};
use crate::generic::entry::call_generic;
use crate::interpreter::gil::LIVE_CALLBACKS;
use crate::interpreter::guard::guard;
use crate::interpreter::{gil, layout};
use crate::mode::{self, Mode};
use crate::signature::Signature;

/// The number of calls of a function before code is made for it. Making code takes as long as some hundreds of calls
/// without it, so few calls more than these cost less with code, and many functions are never called so often.
const CALLS_BEFORE_COMPILE: usize = 64;

/// Makes a callable: a builtin function, whose `__self__` owns the signature.
pub fn callable(py: Python<'_>, signature: Signature) -> PyResult<Py<PyAny>> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        return Err(pyo3::exceptions::PyNotImplementedError::new_err(format!(
            "{}(): C functions can be called on x86-64 Linux only; this is {} {}",
            signature.name,
            std::env::consts::ARCH,
            std::env::consts::OS
        )));
    }
    gil::watch_threads(py);
    let mode = mode::mode();
    callable::make(py, signature, |callable| {
        callable.mode.set(mode);
        if mode == Mode::NoJit {
            return generic_entry(callable);
        }
        match code(py, callable, false, mode == Mode::CodeWhenHot) {
            CodeState::Made(made) => made.unwrap_or_else(|| generic_entry(callable)),
            CodeState::Later if callable.takes_names() => later as *const () as Entry,
            CodeState::Later => later_without_names as *const () as Entry,
        }
    })
}

/// The code for a callable. With `later`, code that has yet to be made is not made.
fn code(py: Python<'_>, callable: &Callable, watched: bool, later: bool) -> CodeState {
    let careful;
    let layout = match callable.mode.get() {
        Mode::Api => {
            careful = layout::layout(py).careful();
            &careful
        }
        _ => layout::layout(py),
    };
    let shape = shape::shape(callable, layout)
        .filter(|shape| function::covers(shape, layout))
        .map(|shape| Shape { watched, ..shape });
    code_for(shape, layout, later, dispatch as *const () as usize)
}

/// The code for a callable, made now if need be.
fn made(py: Python<'_>, callable: &Callable, watched: bool) -> Option<Entry> {
    match code(py, callable, watched, false) {
        CodeState::Made(made) => made,
        CodeState::Later => None,
    }
}

/// Makes a call that generated code leaves at once: a call for the code that watches callbacks and gives the lock up,
/// or one that has other arguments than one for each parameter.
///
/// # Safety
/// As for [`call_generic`].
unsafe extern "C" fn dispatch(
    owner: *mut CFunctionObject,
    given: *const *mut ffi::PyObject,
    count: isize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: generated code hands on the arguments that the interpreter gave it: `owner` is a live `CFunctionObject`,
    // and `watched` is the address of a function of this type.
    unsafe {
        let callable = &*(*owner).callable;
        let live = LIVE_CALLBACKS.load(Ordering::Relaxed) != 0;
        let others = callable.signature.gil == Gil::Auto && gil::has_other_threads();
        if !live && !others {
            return match callable.takes_names() {
                true => runtime::named(owner, given, count, names),
                false => call_generic(owner.cast(), given, count, names),
            };
        }
        if callable.watched.get() == 0 {
            (*owner).calls_without_code += 1;
            if callable.mode.get() != Mode::CodeWhenHot
                || (*owner)
                    .calls_without_code
                    .is_multiple_of(CALLS_BEFORE_COMPILE)
            {
                guard((), |py| {
                    let entry = made(py, callable, true);
                    callable
                        .watched
                        .set(entry.unwrap_or(call_generic as *const () as Entry));
                    Ok(())
                });
            }
        }
        let watched = match callable.watched.get() {
            0 => call_generic as *const () as Entry,
            watched => watched,
        };
        let watched = std::mem::transmute::<Entry, ffi::PyCFunctionFastWithKeywords>(watched);
        watched(owner.cast(), given, count, names)
    }
}

/// Makes a call while there is no code, and has code made for the call that is number [`CALLS_BEFORE_COMPILE`].
///
/// # Safety
/// As for [`call_generic`].
unsafe extern "C" fn later(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this as it calls `call_generic` (`# Safety`): `this` is a live `CFunctionObject`,
    // and the GIL guards its words.
    unsafe {
        let owner = this.cast::<CFunctionObject>();
        (*owner).calls_without_code += 1;
        if (*owner).calls_without_code == CALLS_BEFORE_COMPILE {
            guard((), |py| {
                let callable = &*(*owner).callable;
                let entry = made(py, callable, false);
                callable.set_entry(entry.unwrap_or_else(|| generic_entry(callable)));
                Ok(())
            });
        }
        call_generic(this, given, count, keywords)
    }
}

/// [`later`] for a function that takes no keyword arguments.
///
/// # Safety
/// As for [`call_generic`].
unsafe extern "C" fn later_without_names(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
) -> *mut ffi::PyObject {
    // SAFETY: the arguments are handed on; null is an empty set of keywords.
    unsafe { later(this, given, count, null_mut()) }
}

/// The entry of the generic call path.
fn generic_entry(callable: &Callable) -> Entry {
    match callable.takes_names() {
        true => call_generic as *const () as Entry,
        false => call_generic_without_names as *const () as Entry,
    }
}
