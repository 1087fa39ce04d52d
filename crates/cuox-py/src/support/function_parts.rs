//! A Python function's code and defaults. To read these attributes raises audit events, which take a quarter of a
//! microsecond where the process has a hook.

use std::sync::LazyLock;

use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;

/// The parts of a function; None of Python's where it has none.
pub struct FunctionParts<'py> {
    /// `__code__`.
    pub code: Bound<'py, PyAny>,
    /// `__defaults__`.
    pub defaults: Bound<'py, PyAny>,
    /// `__kwdefaults__`.
    pub keyword_defaults: Bound<'py, PyAny>,
}

type Get = unsafe extern "C" fn(*mut ffi::PyObject) -> *mut ffi::PyObject;

/// `PyFunction_GetCode`, `…GetDefaults` and `…GetKwDefaults`, of the same type since Python 3.0. They are not part of
/// the limited API, so they are looked for.
static GETTERS: LazyLock<Option<[Get; 3]>> = LazyLock::new(|| {
    let this = libloading::os::unix::Library::this();
    // SAFETY: the functions have this type.
    let get = |name: &std::ffi::CStr| unsafe { this.get::<Get>(name).ok().map(|found| *found) };
    Some([
        get(c"PyFunction_GetCode")?,
        get(c"PyFunction_GetDefaults")?,
        get(c"PyFunction_GetKwDefaults")?,
    ])
});

/// The parts of a function; None for other objects.
pub fn function_parts<'py>(function: &Bound<'py, PyAny>) -> PyResult<Option<FunctionParts<'py>>> {
    static TYPE: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let py = function.py();
    if !function
        .get_type()
        .is(TYPE.import(py, "types", "FunctionType")?)
    {
        return Ok(None);
    }
    let [code, defaults, keyword_defaults] = match &*GETTERS {
        Some(getters) => (*getters).map(|get| {
            // SAFETY: a function; the result is borrowed, or null for what it does not have.
            let found = unsafe { Bound::from_borrowed_ptr_or_opt(py, get(function.as_ptr())) };
            found.unwrap_or_else(|| py.None().into_bound(py))
        }),
        None => [
            function.getattr(intern!(py, "__code__"))?,
            function.getattr(intern!(py, "__defaults__"))?,
            function.getattr(intern!(py, "__kwdefaults__"))?,
        ],
    };
    Ok(Some(FunctionParts {
        code,
        defaults,
        keyword_defaults,
    }))
}
