//! Other libraries' objects as kernel arguments: `__cuda_array_interface__`, DLPack, NumPy, ctypes.

use cuox::memory::uses::Access;
use std::sync::atomic::{AtomicPtr, Ordering};

use cuox::launch::Dtype;
use cuox_interpreter::describe::describe;
use cuox_interpreter::dlpack;
use cuox_interpreter::gate;
use cuox_interpreter::integer::is_integer;
use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple, PyType};

use crate::array::Array;
use crate::buffer::Buffer;
use crate::idle;
use crate::portability;
use crate::stream::ConsumerStream;
use crate::support::handles::attribute;
use crate::support::names::type_name;

/// An object, seen as a device pointer.
pub enum PointerLike {
    /// An integer or a handle: an address, as it is.
    Address(u64),
    /// Memory that says where it is.
    Memory {
        address: u64,
        read_only: bool,
        /// None where the producer does not say it.
        dtype: Option<Dtype>,
    },
    /// An array of which a mask says what elements count.
    Masked,
    /// Host memory that the device does not reach.
    Host,
    /// Memory whose elements are not one after another.
    Strided,
    /// An integer outside 0..2^64.
    OutOfRange,
    /// Nothing that points.
    Nothing,
}

/// Looks at `object` as a device pointer, and puts the consumer's stream behind the stream that the object names.
pub fn pointer(
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
    access: Access,
) -> PyResult<PointerLike> {
    let py = object.py();
    if object.is_none() {
        return Ok(PointerLike::Address(0));
    }
    if let Ok(buffer) = object.cast::<Buffer>() {
        return Ok(PointerLike::Address(buffer.get().pointer_for(order)?));
    }
    if let Ok(array) = object.cast::<Array>() {
        return array.get().found(order, access);
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
        return integer(object);
    }
    if let Some(interface) = attribute(object, intern!(py, "__cuda_array_interface__"))? {
        idle::others_seen();
        // Before version 3 nothing is said about streams (PyTorch's is one of these); DLPack says it.
        if names_streams(&interface)?
            || attribute(object, intern!(py, "__dlpack_device__"))?.is_none()
        {
            return cuda_array(&interface, order);
        }
        return dlpack_array(object, order);
    }
    if attribute(object, intern!(py, "__dlpack_device__"))?.is_some() {
        return dlpack_array(object, order);
    }
    if let Some(inner) = ctypes_value(object)? {
        return if inner.is_none() {
            Ok(PointerLike::Address(0))
        } else {
            integer(&inner)
        };
    }
    if is_integer(object) {
        // SAFETY: a live object; null with an exception set is the error return.
        let number =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyNumber_Index(object.as_ptr())) }?;
        return integer(&number);
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
        return Ok(PointerLike::Host);
    }
    Ok(PointerLike::Nothing)
}

/// An integer as an address. Truth values are integers too, and addresses never.
fn integer(number: &Bound<'_, PyAny>) -> PyResult<PointerLike> {
    if number.is_instance_of::<PyBool>() {
        return Ok(PointerLike::Nothing);
    }
    match number.extract::<u64>() {
        Ok(address) => Ok(PointerLike::Address(address)),
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => {
            Ok(PointerLike::OutOfRange)
        }
        Err(error) => Err(error),
    }
}

/// True if an interface is of a version that says on which stream its producer works.
pub fn names_streams(interface: &Bound<'_, PyAny>) -> PyResult<bool> {
    match interface.cast::<PyDict>() {
        Ok(dict) => match dict.get_item("version")? {
            Some(version) => Ok(version.extract::<i64>()? >= 3),
            None => Ok(false),
        },
        Err(_) => Ok(true),
    }
}

/// The CUDA Array Interface of an object.
pub fn interface_dict<'a, 'py>(
    interface: &'a Bound<'py, PyAny>,
) -> PyResult<&'a Bound<'py, PyDict>> {
    interface
        .cast::<PyDict>()
        .map_err(|_| PyTypeError::new_err("__cuda_array_interface__ must be a dict"))
}

/// Its address, and whether that may only be read.
pub fn interface_data(interface: &Bound<'_, PyDict>) -> PyResult<(u64, bool)> {
    let data = item(interface, "data")?;
    let (address, read_only): (Option<u64>, bool) = data.extract().map_err(|_| {
        PyValueError::new_err(format!(
            "__cuda_array_interface__: 'data' must be a pair (address, read-only), the address an int of 0 to 2**64 - 1, got {data:?}"
        ))
    })?;
    Ok((address.unwrap_or(0), read_only))
}

/// CUDA Array Interface, versions 0 to 3.
fn cuda_array(interface: &Bound<'_, PyAny>, order: &ConsumerStream<'_>) -> PyResult<PointerLike> {
    let interface = interface_dict(interface)?;
    let (address, read_only) = interface_data(interface)?;
    let shape = sizes(interface, "shape")?;
    let dtype = typestr(interface)?;
    if let Some(mask) = interface.get_item("mask")?
        && !mask.is_none()
    {
        return Ok(PointerLike::Masked);
    }
    if let Some(strides) = interface.get_item("strides")?
        && !strides.is_none()
    {
        let strides = sizes(interface, "strides")?;
        if strides.len() != shape.len() {
            return Err(PyValueError::new_err(format!(
                "__cuda_array_interface__ has {} sizes in 'shape' and {} in 'strides'",
                shape.len(),
                strides.len()
            )));
        }
        if !contiguous(&shape, &strides, i64::from(dtype.size())) {
            return Ok(PointerLike::Strided);
        }
    }
    after_producer(interface, order)?;
    Ok(PointerLike::Memory {
        address,
        read_only,
        dtype: Some(dtype),
    })
}

/// Puts the consumer's stream behind the one that an interface names.
pub fn after_producer(interface: &Bound<'_, PyDict>, order: &ConsumerStream<'_>) -> PyResult<()> {
    if let Some(stream) = interface.get_item("stream")?
        && !stream.is_none()
    {
        // 1 and 2 are the default streams, which the driver knows by the same numbers.
        let number = stream.extract::<u64>().map_err(|_| {
            let expected =
                "__cuda_array_interface__: 'stream' must be a stream's handle, 1, 2 or None";
            match stream.is_instance_of::<PyInt>() {
                true => PyValueError::new_err(format!("{expected}, got {stream}")),
                false => PyTypeError::new_err(format!("{expected}, got {}", describe(&stream))),
            }
        })?;
        match number {
            0 => {
                return Err(PyValueError::new_err(
                    "__cuda_array_interface__ has stream 0, which the interface forbids",
                ));
            }
            number => order.after(number).map_err(|error| {
                let py = error.value(interface.py());
                let text =
                    format!("the array's __cuda_array_interface__ names stream {number}: {py}");
                match py.setattr("args", (text,)) {
                    Ok(()) => error,
                    Err(other) => other,
                }
            })?,
        }
    }
    Ok(())
}

/// A tuple of sizes in the interface.
pub fn sizes(interface: &Bound<'_, PyDict>, key: &str) -> PyResult<Vec<i64>> {
    let value = item(interface, key)?;
    value.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            return PyOverflowError::new_err(format!(
                "__cuda_array_interface__: '{key}' has numbers that do not fit 64 bits: {value}"
            ));
        }
        PyTypeError::new_err(format!(
            "__cuda_array_interface__: '{key}' must be a tuple of ints, got {}",
            type_name(&value)
        ))
    })
}

/// The element type that an array interface names.
fn typestr(interface: &Bound<'_, PyDict>) -> PyResult<Dtype> {
    let text = item(interface, "typestr")?;
    let dtype = text
        .extract::<String>()
        .ok()
        .and_then(|text| Dtype::of_typestr(&text));
    dtype.ok_or_else(|| {
        let shown = text
            .repr()
            .map_or_else(|_| "?".into(), |text| text.to_string());
        PyValueError::new_err(format!(
            "__cuda_array_interface__: 'typestr' must be a type such as '<f4', got {shown}"
        ))
    })
}

/// An entry that an interface must have.
pub fn item<'py>(dict: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    dict.get_item(key)?
        .ok_or_else(|| PyValueError::new_err(format!("__cuda_array_interface__ has no '{key}'")))
}

/// True if elements lie one after another, in row-major or column-major order.
fn contiguous(shape: &[i64], strides: &[i64], size: i64) -> bool {
    fn in_order<'a>(axes: impl Iterator<Item = (&'a i64, &'a i64)>, size: i64) -> bool {
        let mut expected = size;
        for (&extent, &stride) in axes {
            if extent == 0 {
                return true;
            }
            if extent > 1 && stride != expected {
                return false;
            }
            expected *= extent;
        }
        true
    }
    shape.contains(&0)
        || in_order(shape.iter().zip(strides).rev(), size)
        || in_order(shape.iter().zip(strides), size)
}

/// The kind of memory that an array which speaks DLPack is in.
pub fn dlpack_kind(object: &Bound<'_, PyAny>) -> PyResult<i32> {
    let py = object.py();
    let device = gate::call0(&gate::getattr(object, intern!(py, "__dlpack_device__"))?)?;
    let (kind, _): (i32, i32) = device.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{}.__dlpack_device__() must return a tuple of two ints, the device's type and number, got {}",
            type_name(object),
            describe(&device)
        ))
    })?;
    Ok(kind)
}

/// An array that speaks DLPack. Host memory counts where the device reaches it: pinned memory, and everything that
/// the software GPU itself has allocated.
fn dlpack_array(object: &Bound<'_, PyAny>, order: &ConsumerStream<'_>) -> PyResult<PointerLike> {
    let py = object.py();
    let kind = dlpack_kind(object)?;
    if kind == dlpack::CPU {
        // NumPy's capsules refuse read-only arrays and cost more: its own interface says the same.
        if let Some(interface) = attribute(object, intern!(py, "__array_interface__"))?
            && let Ok(interface) = interface.cast_into::<PyDict>()
            && let Some(data) = interface.get_item("data")?
            && let Ok((address, read_only)) = data.extract::<(u64, bool)>()
        {
            if !order.reaches(address) {
                return Ok(PointerLike::Host);
            }
            let plain = interface
                .get_item("strides")?
                .is_none_or(|strides| strides.is_none());
            return Ok(if plain {
                let dtype = typestr(&interface).ok();
                PointerLike::Memory {
                    address,
                    read_only,
                    dtype,
                }
            } else {
                PointerLike::Strided
            });
        }
    }
    if !matches!(
        kind,
        dlpack::CPU | dlpack::CUDA | dlpack::CUDA_HOST | dlpack::CUDA_MANAGED
    ) {
        return Ok(PointerLike::Nothing);
    }
    let Some(tensor) = dlpack_import(object, kind, order)? else {
        return Ok(PointerLike::Host);
    };
    if kind == dlpack::CPU && !order.reaches(tensor.data) {
        return Ok(PointerLike::Host);
    }
    if !tensor.contiguous {
        return Ok(PointerLike::Strided);
    }
    Ok(PointerLike::Memory {
        address: tensor.data,
        read_only: tensor.read_only,
        dtype: Some(Dtype::of_dlpack(tensor.dtype.code, tensor.dtype.bits)),
    })
}

/// The tensor of an array of this kind of memory, behind whose producer the consumer's stream is put. None for host
/// memory that is not given out.
pub fn dlpack_import(
    object: &Bound<'_, PyAny>,
    kind: i32,
    order: &ConsumerStream<'_>,
) -> PyResult<Option<dlpack::Import>> {
    let py = object.py();
    let options = PyDict::new(py);
    if kind == dlpack::CUDA || kind == dlpack::CUDA_MANAGED {
        idle::others_seen();
        options.set_item("stream", order.dlpack_stream())?;
    }
    options.set_item("max_version", (1, 0))?;
    // A launch is a use that a GPU has too, also of a buffer that some object wraps.
    let _portable = portability::quietly();
    let method = gate::getattr(object, intern!(py, "__dlpack__"))?;
    let export = || gate::call(&method, &PyTuple::empty(py), Some(&options));
    let capsule = match export() {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            // A producer from before version 1 does not know `max_version`.
            options.del_item("max_version")?;
            export()
        }
        other => other,
    };
    match capsule {
        Ok(capsule) => dlpack::import(&capsule).map(Some),
        Err(error) if kind == dlpack::CPU && error.is_instance_of::<PyBufferError>(py) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The `.value` of a simple ctypes object (`c_int`, `c_void_p`, ...).
pub fn ctypes_value<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    let base = object.get_type().mro();
    let simple = base.iter().any(|class| {
        let class: Result<Bound<'_, PyType>, _> = class.cast_into();
        class.is_ok_and(|class| {
            class.name().is_ok_and(|name| name == "_SimpleCData")
                && class.module().is_ok_and(|module| module == "_ctypes")
        })
    });
    if simple {
        object.getattr(intern!(py, "value")).map(Some)
    } else {
        Ok(None)
    }
}

/// The type of the elements of an array in host memory, if it says it as NumPy's do.
pub fn host_dtype(object: &Bound<'_, PyAny>) -> Option<Dtype> {
    let interface = object.getattr_opt(intern!(object.py(), "__array_interface__"));
    let interface = interface.ok()??.cast_into::<PyDict>().ok()?;
    typestr(&interface).ok()
}

/// True if an object is a complex number of NumPy's, whose `__float__` drops a part.
pub fn is_complex(object: &Bound<'_, PyAny>) -> bool {
    // A type of an extension that is no heap type lives as long as the process: its address stays its own.
    static LAST_REAL: AtomicPtr<ffi::PyTypeObject> = AtomicPtr::new(std::ptr::null_mut());
    let class = object.get_type_ptr();
    if LAST_REAL.load(Ordering::Relaxed) == class {
        return false;
    }
    let kind = object.getattr_opt(intern!(object.py(), "dtype"));
    let kind = kind.and_then(|dtype| match dtype {
        Some(dtype) => dtype.getattr_opt(intern!(object.py(), "kind")),
        None => Ok(None),
    });
    let Ok(Some(kind)) = kind else { return false };
    let complex = kind.extract::<char>().is_ok_and(|kind| kind == 'c');
    // SAFETY: a live class. An array's class has items, and says nothing about their type.
    let lasting = unsafe {
        ffi::PyType_GetFlags(class) & ffi::Py_TPFLAGS_HEAPTYPE == 0
            && ffi::PyType_GetSlot(class, ffi::Py_mp_ass_subscript).is_null()
    };
    if !complex && lasting {
        LAST_REAL.store(class, Ordering::Relaxed);
    }
    complex
}
