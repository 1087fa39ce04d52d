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
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyDict, PyTuple, PyType};

use super::interface::{self, Interface, names_streams};
use super::pointer_like::PointerLike;
use crate::array::Array;
use crate::buffer::Buffer;
use crate::idle;
use crate::portability;
use crate::stream::ConsumerStream;
use crate::support::handles::attribute;
use crate::support::names::type_name;

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

/// CUDA Array Interface, versions 0 to 3.
fn cuda_array(interface: &Bound<'_, PyAny>, order: &ConsumerStream<'_>) -> PyResult<PointerLike> {
    let interface = Interface::of(interface, interface::CUDA)?;
    let (address, read_only) = interface.data()?;
    let shape = interface.sizes("shape")?;
    let dtype = interface.dtype()?;
    if interface.get("mask")?.is_some() {
        return Ok(PointerLike::Masked);
    }
    if interface.get("strides")?.is_some() {
        let strides = interface.sizes("strides")?;
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
    interface.after_producer(order)?;
    Ok(PointerLike::Memory {
        address,
        read_only,
        dtype: Some(dtype),
    })
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

/// The place of an array that speaks DLPack.
pub fn dlpack_device(object: &Bound<'_, PyAny>) -> PyResult<dlpack::Device> {
    let py = object.py();
    let device = gate::call0(&gate::getattr(object, intern!(py, "__dlpack_device__"))?)?;
    let (device_type, device_id): (i32, i32) = device.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{}.__dlpack_device__() must return a tuple of two ints, the device's type and number, got {}",
            type_name(object),
            describe(&device)
        ))
    })?;
    Ok(dlpack::Device {
        device_type,
        device_id,
    })
}

/// An array that speaks DLPack. Host memory counts where the device reaches it: pinned memory, and everything that
/// the software GPU itself has allocated.
fn dlpack_array(object: &Bound<'_, PyAny>, order: &ConsumerStream<'_>) -> PyResult<PointerLike> {
    let py = object.py();
    let kind = dlpack_device(object)?.device_type;
    if kind == dlpack::CPU {
        // NumPy's capsules refuse read-only arrays and cost more: its own interface says the same.
        if let Some(value) = attribute(object, intern!(py, "__array_interface__"))?
            && let Ok(interface) = Interface::of(&value, interface::HOST)
            && let Ok((address, read_only)) = interface.data()
        {
            if !order.reaches(address) {
                return Ok(PointerLike::Host);
            }
            return Ok(match interface.get("strides")? {
                None => PointerLike::Memory {
                    address,
                    read_only,
                    dtype: interface.dtype().ok(),
                },
                Some(_) => PointerLike::Strided,
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
    let on_device = kind == dlpack::CUDA || kind == dlpack::CUDA_MANAGED;
    if on_device {
        idle::others_seen();
    }
    match dlpack_export(object, on_device.then(|| order.dlpack_stream() as i64)) {
        Ok(tensor) => Ok(Some(tensor)),
        Err(error) if kind == dlpack::CPU && error.is_instance_of::<PyBufferError>(object.py()) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// The tensor that an object's `__dlpack__` gives, of the newest version that it has.
pub fn dlpack_export(object: &Bound<'_, PyAny>, stream: Option<i64>) -> PyResult<dlpack::Import> {
    let py = object.py();
    static VERSION: PyOnceLock<Py<PyTuple>> = PyOnceLock::new();
    let version = VERSION.get_or_try_init(py, || PyTuple::new(py, [1, 0]).map(Bound::unbind))?;
    let options = PyDict::new(py);
    if let Some(stream) = stream {
        options.set_item(intern!(py, "stream"), stream)?;
    }
    options.set_item(intern!(py, "max_version"), version)?;
    // A launch is a use that a GPU has too, also of a buffer that some object wraps.
    let _portable = portability::quietly();
    let method = gate::getattr(object, intern!(py, "__dlpack__"))?;
    let export = || gate::call(&method, &PyTuple::empty(py), Some(&options));
    let capsule = match export() {
        Err(error) if error.is_instance_of::<PyTypeError>(py) => {
            // A producer from before version 1 does not know `max_version`.
            options.del_item(intern!(py, "max_version"))?;
            export()
        }
        other => other,
    };
    dlpack::import(&capsule?)
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
    let interface = interface.ok()??;
    Interface::of(&interface, interface::HOST)
        .ok()?
        .dtype()
        .ok()
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
