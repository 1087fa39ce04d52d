//! What a call needs of the objects that stand for C values.

use std::ffi::c_void;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

use crate::objects::{CLOSED, CObject, CallbackInfo, Class, Kind, OWNED};

/// A class's kind.
pub fn kind(class: &Class) -> &Kind {
    &class.kind
}

static BASE: PyOnceLock<Py<PyType>> = PyOnceLock::new();

unsafe extern "C" fn free(object: *mut ffi::PyObject) {
    // SAFETY: called once by the interpreter, for an object of a heap type made here.
    unsafe {
        let this = object.cast::<CObject>();
        if (*this).bytes != 0 && (*this).flags & OWNED != 0 {
            libc::free((*this).value as *mut c_void);
        }
        ffi::Py_DecRef((*this).keep);
        let class = ffi::Py_TYPE(object);
        ffi::PyObject_Free(object.cast());
        ffi::Py_DecRef(class.cast());
    }
}

unsafe extern "C" fn int(object: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: an object of this layout.
    unsafe { ffi::PyLong_FromUnsignedLongLong((*object.cast::<CObject>()).value) }
}

fn make_type<'py>(
    py: Python<'py>,
    name: &str,
    base: Option<&Py<PyType>>,
) -> PyResult<Bound<'py, PyType>> {
    let name = std::ffi::CString::new(name)?.into_raw();
    let mut slots = [
        ffi::PyType_Slot {
            slot: ffi::Py_tp_dealloc,
            pfunc: free as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: ffi::Py_nb_int,
            pfunc: int as *mut c_void,
        },
        ffi::PyType_Slot {
            slot: 0,
            pfunc: std::ptr::null_mut(),
        },
    ];
    let mut spec = ffi::PyType_Spec {
        name,
        basicsize: size_of::<CObject>() as i32,
        itemsize: 0,
        flags: (ffi::Py_TPFLAGS_DEFAULT
            | ffi::Py_TPFLAGS_BASETYPE
            | ffi::Py_TPFLAGS_DISALLOW_INSTANTIATION) as u32,
        slots: slots.as_mut_ptr(),
    };
    let base = base.map_or(std::ptr::null_mut(), |base| base.as_ptr());
    // SAFETY: a complete description, whose name is never freed.
    unsafe {
        Ok(
            Bound::from_owned_ptr_or_err(py, ffi::PyType_FromSpecWithBases(&raw mut spec, base))?
                .cast_into()?,
        )
    }
}

/// A class of this kind.
pub fn make_class(py: Python<'_>, name: &str, c_type: &str, kind: Kind) -> PyResult<Arc<Class>> {
    let base = BASE.get_or_try_init(py, || {
        make_type(py, "cuox.CObject", None).map(Bound::unbind)
    })?;
    let python = make_type(py, &format!("cuox.{name}"), Some(base))?.unbind();
    Ok(Arc::new(Class {
        name: name.into(),
        c_type: c_type.into(),
        kind,
        python,
    }))
}

/// The object's C part, if it is one of ours. No Python code runs.
pub fn as_object(value: &Bound<'_, PyAny>) -> Option<*mut CObject> {
    let base = BASE.get(value.py())?;
    // SAFETY: live types.
    let ours =
        unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(value.as_ptr()), base.as_ptr().cast()) } != 0;
    ours.then(|| value.as_ptr().cast())
}

fn allocate(py: Python<'_>, class: &Arc<Class>) -> PyResult<*mut CObject> {
    // SAFETY: a live heap type with this layout; the memory is zeroed.
    let object =
        unsafe { ffi::PyType_GenericAlloc(class.python.as_ptr().cast(), 0) }.cast::<CObject>();
    if object.is_null() {
        return Err(PyErr::fetch(py));
    }
    // SAFETY: as above.
    unsafe { (*object).class = Arc::as_ptr(class) };
    Ok(object)
}

/// A handle or pointer. It takes a reference of its own to `keep`, which may be null.
pub fn new_value(
    py: Python<'_>,
    class: &Arc<Class>,
    value: u64,
    owned: bool,
    keep: *mut ffi::PyObject,
) -> PyResult<*mut ffi::PyObject> {
    let object = allocate(py, class)?;
    // SAFETY: a new object of this layout; `keep` is live or null.
    unsafe {
        (*object).value = value;
        (*object).flags = if owned { OWNED } else { 0 };
        ffi::Py_IncRef(keep);
        (*object).keep = keep;
    }
    Ok(object.cast())
}

/// A record with zeroed memory of its own.
pub fn new_record(py: Python<'_>, class: &Arc<Class>) -> PyResult<*mut ffi::PyObject> {
    let object = allocate(py, class)?;
    let size = match kind(class) {
        Kind::Record(record) => record.size.max(1),
        _ => 1,
    };
    // SAFETY: a new object of this layout.
    unsafe {
        (*object).value = libc::calloc(1, size) as u64;
        (*object).bytes = size as u64;
        (*object).flags = OWNED;
    }
    Ok(object.cast())
}

/// Closes a handle that C has taken, without destroying it.
///
/// # Safety
/// A live object of this layout.
pub unsafe fn close_consumed(object: *mut CObject) {
    // SAFETY: the caller's promise.
    unsafe {
        (*object).value = 0;
        (*object).flags = (*object).flags & !OWNED | CLOSED;
    }
}

/// How many exceptions of callbacks wait for the calls that they happened in.
pub static PENDING: AtomicUsize = AtomicUsize::new(0);

/// The exception that a callback left for the call that this thread is in.
pub fn take_pending(_: Python<'_>) -> Option<PyErr> {
    None
}

/// A C function pointer for a callable, and what has to live as long as the call.
pub fn callback(
    _: Python<'_>,
    _: &Arc<CallbackInfo>,
    _: &Bound<'_, PyAny>,
    _: bool,
) -> PyResult<(usize, Py<PyAny>)> {
    Err(pyo3::exceptions::PyNotImplementedError::new_err(
        "callbacks are not supported",
    ))
}
