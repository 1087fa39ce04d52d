//! NumPy, as far as arrays need it: imported when the first array is made.

use pyo3::exceptions::{PyImportError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};

use cuox_interpreter::gate;

/// Objects of NumPy's that are used again and again.
pub struct Numpy {
    module: Py<PyAny>,
    dtype: Py<PyType>,
    ndarray: Py<PyType>,
    generic: Py<PyType>,
    empty: Py<PyAny>,
    asarray: Py<PyAny>,
}

static NUMPY: PyOnceLock<Numpy> = PyOnceLock::new();

impl Numpy {
    /// The module; an ImportError that says how to get it.
    #[inline]
    pub fn get(py: Python<'_>) -> PyResult<&Self> {
        match NUMPY.get(py) {
            Some(numpy) => Ok(numpy),
            None => Self::import(py),
        }
    }

    #[cold]
    fn import(py: Python<'_>) -> PyResult<&Self> {
        NUMPY.get_or_try_init(py, || {
            let module = py.import("numpy").map_err(|error| {
                if !error.is_instance_of::<PyImportError>(py) {
                    return error;
                }
                let hint = PyImportError::new_err(
                    "cuox.Array needs NumPy for the types of elements: pip install numpy",
                );
                hint.set_cause(py, Some(error));
                hint
            })?;
            let class = |name: &str| -> PyResult<Py<PyType>> {
                Ok(module.getattr(name)?.cast_into::<PyType>()?.unbind())
            };
            Ok(Self {
                dtype: class("dtype")?,
                ndarray: class("ndarray")?,
                generic: class("generic")?,
                empty: module.getattr("empty")?.unbind(),
                asarray: module.getattr("asarray")?.unbind(),
                module: module.into_any().unbind(),
            })
        })
    }

    /// An attribute of the module.
    pub fn attribute<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.module.bind(py).getattr(name)
    }

    /// True if it is an array of NumPy's.
    #[inline]
    pub fn is_array(&self, object: &Bound<'_, PyAny>) -> bool {
        // SAFETY: a live object and a live class.
        unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), self.ndarray.as_ptr().cast()) != 0 }
    }

    /// True if it is a scalar of NumPy's.
    pub fn is_scalar(&self, object: &Bound<'_, PyAny>) -> bool {
        // SAFETY: a live object and a live class.
        unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), self.generic.as_ptr().cast()) != 0 }
    }

    /// True if it is a `numpy.dtype`.
    #[inline]
    pub fn is_dtype(&self, object: &Bound<'_, PyAny>) -> bool {
        // SAFETY: a live object and a live class.
        unsafe { ffi::PyObject_TypeCheck(object.as_ptr(), self.dtype.as_ptr().cast()) != 0 }
    }

    /// `numpy.dtype(object)`.
    pub fn dtype<'py>(&self, object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if self.is_dtype(object) {
            return Ok(object.clone());
        }
        let arguments = PyTuple::new(object.py(), [object])?;
        gate::call(self.dtype.bind(object.py()), &arguments, None)
    }

    /// `numpy.empty(shape, dtype, order)`.
    pub fn empty<'py>(
        &self,
        dtype: &Bound<'py, PyAny>,
        shape: &[usize],
        order: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = dtype.py();
        self.empty
            .bind(py)
            .call1((PyTuple::new(py, shape)?, dtype, order))
    }

    /// `numpy.asarray(object, dtype)`, on a thread that may be ended in it.
    pub fn asarray<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = object.py();
        let arguments = (object, dtype).into_pyobject(py)?;
        gate::call(self.asarray.bind(py), &arguments, None)
    }

    /// `numpy.ndarray(shape, dtype, buffer, offset, strides)`.
    pub fn view<'py>(
        &self,
        dtype: &Bound<'py, PyAny>,
        shape: &[usize],
        strides: &[isize],
        buffer: Option<&Bound<'py, PyAny>>,
        offset: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = dtype.py();
        let (shape, strides) = (PyTuple::new(py, shape)?, PyTuple::new(py, strides)?);
        self.ndarray
            .bind(py)
            .call1((shape, dtype, buffer, offset, strides))
    }
}

/// `to[...] = from`, as NumPy does it.
pub fn assign<'py>(to: &Bound<'py, PyAny>, from: &Bound<'py, PyAny>) -> PyResult<()> {
    let py = to.py();
    gate::hang_if_thread_exits(|| to.set_item(py.Ellipsis(), from))
}

/// The shape of an array of NumPy's.
pub fn shape(array: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    array.getattr(intern!(array.py(), "shape"))?.extract()
}

/// Its strides.
pub fn strides(array: &Bound<'_, PyAny>) -> PyResult<Vec<isize>> {
    array.getattr(intern!(array.py(), "strides"))?.extract()
}

/// Its dtype.
pub fn dtype_of<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    array.getattr(intern!(array.py(), "dtype"))
}

/// Refuses arrays whose mask hides elements: only the values below would be copied.
pub fn refuse_mask(array: &Bound<'_, PyAny>) -> PyResult<()> {
    let py = array.py();
    if array.get_type_ptr().cast() == Numpy::get(py)?.ndarray.as_ptr() {
        return Ok(());
    }
    let modules = py.import("sys")?.getattr("modules")?;
    let Some(masked) = modules.cast::<PyDict>()?.get_item("numpy.ma")? else {
        return Ok(());
    };
    if !array.is_instance(&masked.getattr("MaskedArray")?)? {
        return Ok(());
    }
    let mask = masked.call_method1("getmaskarray", (array,))?;
    match mask.call_method0("any")?.is_truthy()? {
        true => Err(PyTypeError::new_err(
            "a masked array with hidden elements: the mask is not copied, and the hidden values would be; \
             pass array.filled(value), or array.data",
        )),
        false => Ok(()),
    }
}
