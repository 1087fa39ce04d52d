//! Memory behind a pointer with a shape and a type, for NumPy, CuPy, PyTorch and their like.

use crate::kinds::buffer_export::{export, release_buffer};
use std::ffi::c_int;

use pyo3::exceptions::{PyAttributeError, PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyString, PyTuple};

use crate::dlpack;
use crate::kinds::buffer_export::ExportedArray;
use crate::objects::buffer_format;
use crate::types::value::FieldKind;

/// An array that C owns, on the host or on a device.
#[pyclass(frozen, module = "cuox_bind", name = "ArrayView")]
pub struct ArrayView {
    address: u64,
    shape: Vec<u64>,
    typestr: String,
    item: usize,
    device: Option<i32>,
    read_only: bool,
    keep: Py<PyAny>,
}

impl ArrayView {
    /// An array at an address. Its elements are of `dtype`, or of `kind`.
    pub fn new(
        address: u64,
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        kind: Option<&FieldKind>,
        device: Option<i32>,
        read_only: bool,
        keep: Py<PyAny>,
    ) -> PyResult<Self> {
        let mut shape: Vec<u64> = if shape.is_instance_of::<PyInt>() {
            vec![shape.extract()?]
        } else {
            shape.extract()?
        };
        let typestr = match (dtype, kind) {
            (Some(dtype), _) => typestr_of(dtype)?,
            (None, Some(kind)) => {
                let (element, inner) = kind.innermost();
                shape.extend_from_slice(inner);
                buffer_format::typestr(element)
            }
            (None, None) => {
                return Err(PyTypeError::new_err(
                    "as_array() needs 'dtype': the type of the elements is not known",
                ));
            }
        };
        let item: usize = typestr[2..].parse().map_err(|_| unknown(&typestr))?;
        let bytes = shape
            .iter()
            .try_fold(item as u64, |bytes, n| bytes.checked_mul(*n));
        if bytes.is_none_or(|bytes| bytes > i64::MAX as u64) {
            return Err(PyValueError::new_err(
                "as_array(): 'shape' is larger than the address space",
            ));
        }
        Ok(Self {
            address,
            shape,
            typestr,
            item,
            device,
            read_only,
            keep,
        })
    }

    fn interface<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        dict.set_item("version", 3)?;
        dict.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        dict.set_item("typestr", &self.typestr)?;
        dict.set_item("data", (self.address, self.read_only))?;
        dict.set_item("strides", py.None())?;
        Ok(dict)
    }

    fn letter(&self) -> Option<&'static str> {
        Some(match (&self.typestr[1..2], self.item) {
            ("b", 1) => "?",
            ("i", 1) => "b",
            ("i", 2) => "h",
            ("i", 4) => "i",
            ("i", 8) => "q",
            ("u", 1) => "B",
            ("u", 2) => "H",
            ("u", 4) => "I",
            ("u", 8) => "Q",
            ("f", 2) => "e",
            ("f", 4) => "f",
            ("f", 8) => "d",
            ("c", 8) => "Zf",
            ("c", 16) => "Zd",
            _ => return None,
        })
    }
}

fn unknown(what: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "expected a type of array elements, such as 'float32', got '{what}'"
    ))
}

/// The `typestr` of a data type of NumPy, PyTorch or others, or of its name.
fn typestr_of(dtype: &Bound<'_, PyAny>) -> PyResult<String> {
    let text: String = if let Ok(text) = dtype.cast::<PyString>() {
        text.to_string()
    } else if let Some(text) = dtype
        .getattr_opt("str")?
        .filter(|text| text.is_instance_of::<PyString>())
    {
        text.extract()?
    } else if let Some(name) = dtype.getattr_opt("__name__")? {
        name.extract()?
    } else {
        dtype.str()?.to_string()
    };
    let name = text.rsplit('.').next().unwrap_or(&text);
    let (letter, bits) = match name {
        "bool" | "bool_" => ("b", "8"),
        "float" => ("f", "64"),
        "double" => ("f", "64"),
        "half" => ("f", "16"),
        "int" => ("i", "64"),
        "long" => ("i", "64"),
        name => ["float", "uint", "int", "complex"]
            .iter()
            .find_map(|kind| Some((&kind[..1], name.strip_prefix(kind)?)))
            .unwrap_or(("", "")),
    };
    let text = if let Ok(bits) = bits.parse::<usize>() {
        format!("<{letter}{}", bits / 8)
    } else if text.starts_with(['<', '|', '=']) {
        format!("<{}", &text[1..])
    } else {
        format!("<{text}")
    };
    let item: Option<usize> = text.get(2..).and_then(|size| size.parse().ok());
    let known = match (text.get(1..2), item) {
        (Some("b"), Some(1)) | (Some("V"), Some(_)) => true,
        (Some("i" | "u"), Some(size)) => matches!(size, 1 | 2 | 4 | 8),
        (Some("f"), Some(size)) => matches!(size, 2 | 4 | 8),
        (Some("c"), Some(size)) => matches!(size, 8 | 16),
        _ => false,
    };
    if !known {
        return Err(unknown(&dtype.str()?.to_string_lossy()));
    }
    Ok(match (&text[1..2], item) {
        (_, Some(1)) | ("V", _) => format!("|{}", &text[1..]),
        _ => text,
    })
}

#[pymethods]
impl ArrayView {
    /// The dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shape)
    }

    /// The elements' type, as the array interface calls it.
    #[getter]
    fn typestr(&self) -> &str {
        &self.typestr
    }

    /// The address.
    #[getter]
    fn address(&self) -> u64 {
        self.address
    }

    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.device.is_some() {
            return Err(PyAttributeError::new_err(
                "the array is in device memory: it has __cuda_array_interface__",
            ));
        }
        self.interface(py)
    }

    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        if self.device.is_none() {
            return Err(PyAttributeError::new_err(
                "the array is in host memory: it has __array_interface__",
            ));
        }
        self.interface(py)
    }

    /// The device: DLPack's device type and index.
    fn __dlpack_device__(&self) -> (i32, i32) {
        match self.device {
            Some(index) => (dlpack::CUDA, index),
            None => (dlpack::CPU, 0),
        }
    }

    /// A DLPack capsule.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__(
        slf: &Bound<'_, Self>,
        stream: Option<&Bound<'_, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        // C owns the memory, so there is no stream to wait for.
        let _ = stream;
        let this = slf.get();
        if copy == Some(true) {
            return Err(PyBufferError::new_err(
                "__dlpack__(copy=True) is not supported: copy the array after it was imported",
            ));
        }
        let here = this.__dlpack_device__();
        if dl_device.is_some_and(|wanted| wanted != here) {
            return Err(PyBufferError::new_err(
                "the array is on another device than 'dl_device'",
            ));
        }
        let code = match &this.typestr[1..2] {
            "i" => 0,
            "u" => 1,
            "f" => 2,
            "c" => 5,
            "b" => 6,
            _ => {
                return Err(PyBufferError::new_err(format!(
                    "DLPack has no type for '{}'",
                    this.typestr
                )));
            }
        };
        let mut stride = 1;
        let mut strides = vec![0; this.shape.len()];
        for (place, extent) in strides.iter_mut().zip(&this.shape).rev() {
            *place = stride;
            stride *= *extent as i64;
        }
        let export = dlpack::Export {
            owner: slf.clone().into_any().unbind(),
            data: this.address,
            device: dlpack::Device {
                device_type: here.0,
                device_id: here.1,
            },
            dtype: dlpack::DataType {
                code,
                bits: (8 * this.item) as u8,
                lanes: 1,
            },
            shape: this.shape.iter().map(|n| *n as i64).collect(),
            strides,
            read_only: this.read_only,
        };
        dlpack::export(
            slf.py(),
            export,
            max_version.is_some_and(|(major, _)| major >= 1),
        )
    }

    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let this = slf.get();
        // SAFETY: the interpreter asks for it to be filled.
        unsafe { (*view).obj = std::ptr::null_mut() };
        if this.device.is_some() {
            return Err(PyBufferError::new_err(
                "the array is in device memory, which has no buffer: use __cuda_array_interface__",
            ));
        }
        let other = format!("{}s", this.item);
        let letter = this.letter().unwrap_or(&other);
        let array = ExportedArray {
            address: this.address as usize,
            shape: &this.shape,
            format: letter,
            item: this.item,
            read_only: this.read_only,
        };
        // SAFETY: the interpreter has passed `view` to be filled for this object.
        unsafe { export(view, slf.as_any(), &array, flags) }
    }

    unsafe fn __releasebuffer__(&self, view: *mut ffi::Py_buffer) {
        // SAFETY: filled by `__getbuffer__`.
        unsafe { release_buffer(std::ptr::null_mut(), view) };
    }

    fn __repr__(&self) -> String {
        let place = match self.device {
            Some(index) => format!(" on device {index}"),
            None => String::new(),
        };
        format!(
            "<ArrayView {:#x} shape={:?} {}{place}>",
            self.address, self.shape, self.typestr
        )
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        visit.call(&self.keep)
    }
}
