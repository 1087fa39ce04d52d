//! The functions that the interpreter calls where there is no machine code.

use crate::generic::bind_arguments;
use pyo3::ffi;

use crate::callable::CFunctionObject;
use crate::generic::call;
use crate::interpreter::guard::guard_attached;

/// As [`call_generic`], for a function that takes nothing by name.
///
/// # Safety
/// As for [`call_generic`].
pub unsafe extern "C" fn call_generic_without_names(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls this as it calls `call_generic` (`# Safety`); null is an empty set of keywords.
    unsafe { call_generic(this, given, count, std::ptr::null_mut()) }
}

/// Makes a call, as the interpreter asks for it.
///
/// # Safety
/// `this` is an [`CFunctionObject`]; the rest is as for any function of this kind.
pub unsafe extern "C" fn call_generic(
    this: *mut ffi::PyObject,
    given: *const *mut ffi::PyObject,
    count: isize,
    keywords: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let owner = this.cast::<CFunctionObject>();
    // SAFETY: the interpreter calls this with its lock held, and with what it promises for a function of this kind. The
    // object owns the callable and is alive during the call.
    unsafe {
        guard_attached(std::ptr::null_mut(), |py| {
            let callable = &*(*owner).callable;
            let mut bound = bind_arguments::BoundArguments::default();
            let count = count as usize;
            bind_arguments::bind(py, callable, given, count, keywords, &mut bound)?;
            call::call(py, owner, callable, &bound).map(|result| result.into_ptr())
        })
    }
}
