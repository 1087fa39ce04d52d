//! What the interpreter calls: slots, methods and properties of this module's classes.

use std::any::Any;
use std::ffi::{CStr, CString, c_int, c_ulong, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::gate;

/// Runs what the interpreter has called. An exception is set for it, and so is a panic; `failure` is returned then.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn run<'py, R>(failure: R, body: impl FnOnce(Python<'py>) -> PyResult<R>) -> R {
    // SAFETY: the caller's promise.
    let py = unsafe { Python::assume_attached() };
    let error = match catch_unwind(AssertUnwindSafe(|| gate::kept(|| body(py)))) {
        Ok(Ok(value)) => return value,
        Ok(Err(error)) => error,
        Err(panic) => {
            PyRuntimeError::new_err(format!("cuox: internal error: {}", panic_text(&*panic)))
        }
    };
    restore(error);
    failure
}

/// What a panic said.
#[cold]
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic")
}

/// Sets an exception.
#[cold]
pub fn restore(error: PyErr) {
    // What an error lets go of while pyo3 does not know that the GIL is held waits until it does.
    Python::attach(|py| error.restore(py));
}

/// Drops an exception that has been dealt with.
#[cold]
pub fn forget(error: PyErr) {
    // See `restore`.
    Python::attach(|_| drop(error));
}

/// As [`run`], for what returns an object.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn object<'py>(
    body: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: the caller's promise.
    unsafe { run(std::ptr::null_mut(), |py| Ok(body(py)?.into_ptr())) }
}

/// As [`run`], for what returns 0.
///
/// # Safety
/// The GIL is held.
#[inline]
pub unsafe fn status(body: impl FnOnce(Python<'_>) -> PyResult<()>) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        run(-1, |py| {
            body(py)?;
            Ok(0)
        })
    }
}

/// The arguments of a method: those named first may be given by position; what was left out is `None`.
///
/// # Safety
/// `arguments` is a tuple, `keywords` a dict or null.
pub unsafe fn read<'py, const N: usize>(
    py: Python<'py>,
    method: &str,
    names: [&str; N],
    required: usize,
    arguments: *mut ffi::PyObject,
    keywords: *mut ffi::PyObject,
) -> PyResult<[Option<Bound<'py, PyAny>>; N]> {
    let mut read = [const { None }; N];
    // SAFETY: the caller's promise; references are borrowed from the tuple and the dict, and counted here.
    unsafe {
        let count = ffi::PyTuple_Size(arguments) as usize;
        if count > N {
            let plural = if count == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "{method}() got {count} argument{plural}: {method}({})",
                names.join(", ")
            )));
        }
        for (i, place) in read.iter_mut().enumerate().take(count) {
            let value = ffi::PyTuple_GetItem(arguments, i as ffi::Py_ssize_t);
            *place = Some(Bound::from_borrowed_ptr(py, value));
        }
        if !keywords.is_null() {
            let mut position = 0;
            let (mut key, mut value) = (std::ptr::null_mut(), std::ptr::null_mut());
            while ffi::PyDict_Next(keywords, &mut position, &mut key, &mut value) != 0 {
                let name: String = Bound::from_borrowed_ptr(py, key).extract()?;
                let Some(place) = names.iter().position(|known| *known == name) else {
                    return Err(PyTypeError::new_err(format!(
                        "{method}() got an unexpected keyword argument '{name}'"
                    )));
                };
                let value = Bound::from_borrowed_ptr(py, value);
                if read[place].replace(value).is_some() {
                    return Err(PyTypeError::new_err(format!(
                        "{method}() got multiple values for argument '{name}'"
                    )));
                }
            }
        }
    }
    for (name, place) in names.iter().zip(&read).take(required) {
        if place.is_none() {
            return Err(PyTypeError::new_err(format!(
                "{method}() missing required argument: '{name}'"
            )));
        }
    }
    Ok(read)
}

/// A `PyMethodDef`: name, flags, parameters, how many are required, the function, the docstring.
macro_rules! method {
    ($name:literal, [$($parameter:literal),*], $required:literal, $body:expr, $doc:literal) => {
        $crate::objects::entry::method!($name, 0, [$($parameter),*], $required, $body, $doc)
    };
    ($name:literal, $flags:expr, [$($parameter:literal),*], $required:literal, $body:expr, $doc:literal) => {{
        unsafe extern "C" fn call(
            this: *mut pyo3::ffi::PyObject,
            arguments: *mut pyo3::ffi::PyObject,
            keywords: *mut pyo3::ffi::PyObject,
        ) -> *mut pyo3::ffi::PyObject {
            const COUNT: usize = <[&str]>::len(&[$($parameter),*]);
            const NAMES: [&str; COUNT] = [$($parameter),*];
            // SAFETY: the interpreter calls this as a method.
            unsafe {
                $crate::objects::entry::object(|py| {
                    let name = stringify!($name).trim_start_matches("c\"").trim_end_matches('"');
                    let read = $crate::objects::entry::read(py, name, NAMES, $required, arguments, keywords)?;
                    let this = pyo3::Bound::from_borrowed_ptr(py, this);
                    $body(&this, read)
                })
            }
        }
        pyo3::ffi::PyMethodDef {
            ml_name: std::ffi::CStr::as_ptr($name),
            ml_meth: pyo3::ffi::PyMethodDefPointer {
                PyCFunctionWithKeywords: call,
            },
            ml_flags: pyo3::ffi::METH_VARARGS | pyo3::ffi::METH_KEYWORDS | $flags,
            ml_doc: std::ffi::CStr::as_ptr($doc),
        }
    }};
}
pub(crate) use method;

/// A `PyGetSetDef` that is read only.
macro_rules! property {
    ($name:literal, $body:expr, $doc:literal) => {{
        unsafe extern "C" fn get(
            this: *mut pyo3::ffi::PyObject,
            _: *mut std::ffi::c_void,
        ) -> *mut pyo3::ffi::PyObject {
            // SAFETY: the interpreter calls this as a property.
            unsafe {
                $crate::objects::entry::object(|py| {
                    $body(&pyo3::Bound::from_borrowed_ptr(py, this))
                })
            }
        }
        pyo3::ffi::PyGetSetDef {
            name: std::ffi::CStr::as_ptr($name),
            get: Some(get),
            set: None,
            doc: std::ffi::CStr::as_ptr($doc),
            closure: std::ptr::null_mut(),
        }
    }};
}
pub(crate) use property;

/// `__enter__`.
pub fn itself<'py>(
    this: &Bound<'py, PyAny>,
    _: [Option<Bound<'py, PyAny>>; 0],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(this.clone())
}

/// A class in the making.
pub struct Making {
    name: &'static CStr,
    slots: Vec<ffi::PyType_Slot>,
    size: usize,
}

impl Making {
    /// A class of this full name, whose objects have this size.
    pub fn new(name: String, size: usize) -> PyResult<Self> {
        // CPython 3.11 keeps the pointer.
        let name = Box::leak(CString::new(name)?.into_boxed_c_str());
        Ok(Self {
            name,
            slots: Vec::new(),
            size,
        })
    }

    /// Adds a slot.
    pub fn slot(mut self, slot: c_int, value: *const c_void) -> Self {
        self.slots.push(ffi::PyType_Slot {
            slot,
            pfunc: value.cast_mut(),
        });
        self
    }

    /// Adds the docstring.
    pub fn doc(self, doc: Option<&str>) -> Self {
        match doc.and_then(|doc| CString::new(doc).ok()) {
            // Copied when the class is made; there are not many classes.
            Some(doc) => self.slot(ffi::Py_tp_doc, doc.into_raw().cast()),
            None => self,
        }
    }

    /// Adds methods.
    pub fn methods(self, mut methods: Vec<ffi::PyMethodDef>) -> Self {
        methods.push(ffi::PyMethodDef::zeroed());
        self.slot(ffi::Py_tp_methods, methods.leak().as_ptr().cast())
    }

    /// Adds properties.
    pub fn properties(self, mut properties: Vec<ffi::PyGetSetDef>) -> Self {
        properties.push(ffi::PyGetSetDef::default());
        self.slot(ffi::Py_tp_getset, properties.leak().as_ptr().cast())
    }

    /// Makes it. It takes part in garbage collection as its base does.
    pub fn make<'py>(
        mut self,
        py: Python<'py>,
        base: Option<&Bound<'py, PyType>>,
        flags: c_ulong,
    ) -> PyResult<Bound<'py, PyType>> {
        self.slots.push(ffi::PyType_Slot::default());
        let size = c_int::try_from(self.size)
            .map_err(|_| PyRuntimeError::new_err("cuox: a class with too large objects"))?;
        let mut spec = ffi::PyType_Spec {
            name: self.name.as_ptr(),
            basicsize: size,
            itemsize: 0,
            flags: (ffi::Py_TPFLAGS_DEFAULT | ffi::Py_TPFLAGS_BASETYPE | flags) as _,
            slots: self.slots.as_mut_ptr(),
        };
        let base = base.map_or(std::ptr::null_mut(), |base| base.as_ptr());
        // SAFETY: the slots are terminated and their functions are of the slots' types; what they point at is never freed.
        unsafe {
            let class = ffi::PyType_FromSpecWithBases(&mut spec, base);
            Ok(Bound::from_owned_ptr_or_err(py, class)?.cast_into_unchecked())
        }
    }
}
