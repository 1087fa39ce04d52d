//! Other libraries' objects as kernel arguments: `__cuda_array_interface__`, DLPack, NumPy, ctypes.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicPtr, Ordering};

use cuox::launch::Dtype;
use cuox_call::convert::error::describe;
use cuox_call::dlpack;
use cuox_call::gate;
use pyo3::exceptions::{
    PyAttributeError, PyBufferError, PyOverflowError, PyTypeError, PyValueError,
};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyTuple, PyType};

use crate::buffer::Buffer;
use crate::portability;
use crate::quiet;
use crate::stream::Order;

/// Who is going to use the memory: the stream that a kernel is launched on.
pub struct Consumer<'a> {
    pub order: Order<'a>,
}

/// What an object is, seen as a device pointer.
pub enum Found {
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
pub fn pointer(object: &Bound<'_, PyAny>, consumer: &Consumer<'_>) -> PyResult<Found> {
    let py = object.py();
    if object.is_none() {
        return Ok(Found::Address(0));
    }
    if let Ok(buffer) = object.cast::<Buffer>() {
        return Ok(Found::Address(buffer.get().pointer_for(consumer)?));
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
        return integer(object);
    }
    if let Some(interface) = attribute(object, intern!(py, "__cuda_array_interface__"))? {
        quiet::others_seen();
        // Before version 3 nothing is said about streams (PyTorch's is one of these); DLPack says it.
        if names_streams(&interface)?
            || attribute(object, intern!(py, "__dlpack_device__"))?.is_none()
        {
            return cuda_array(&interface, consumer);
        }
        return dlpack_array(object, consumer);
    }
    if attribute(object, intern!(py, "__dlpack_device__"))?.is_some() {
        return dlpack_array(object, consumer);
    }
    if let Some(inner) = ctypes_value(object)? {
        return if inner.is_none() {
            Ok(Found::Address(0))
        } else {
            integer(&inner)
        };
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyIndex_Check(object.as_ptr()) } != 0 {
        // SAFETY: a live object; null with an exception set is the error return.
        let number =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyNumber_Index(object.as_ptr())) }?;
        return integer(&number);
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
        return Ok(Found::Host);
    }
    Ok(Found::Nothing)
}

/// An integer as an address. Truth values are integers too, and addresses never.
fn integer(number: &Bound<'_, PyAny>) -> PyResult<Found> {
    if number.is_instance_of::<PyBool>() {
        return Ok(Found::Nothing);
    }
    match number.extract::<u64>() {
        Ok(address) => Ok(Found::Address(address)),
        Err(error) if error.is_instance_of::<PyOverflowError>(number.py()) => Ok(Found::OutOfRange),
        Err(error) => Err(error),
    }
}

/// A handle or an address that a caller promises to be one.
pub fn handle_argument(what: &str, object: &Bound<'_, PyAny>) -> PyResult<u64> {
    // SAFETY: a live object.
    let is_integer = unsafe { ffi::PyIndex_Check(object.as_ptr()) } != 0;
    if !is_integer || object.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err(format!(
            "{what}: expected an int, got {}",
            type_name(object)
        )));
    }
    let value: PyResult<u64> = object.extract();
    value.map_err(|_| {
        PyOverflowError::new_err(format!("{what}: {object} does not fit a 64-bit address"))
    })
}

/// An attribute that need not be there.
fn attribute<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, pyo3::types::PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match gate::getattr(object, name) {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_instance_of::<PyAttributeError>(object.py()) => Ok(None),
        Err(error) => Err(error),
    }
}

fn names_streams(interface: &Bound<'_, PyAny>) -> PyResult<bool> {
    match interface.cast::<PyDict>() {
        Ok(dict) => match dict.get_item("version")? {
            Some(version) => Ok(version.extract::<i64>()? >= 3),
            None => Ok(false),
        },
        Err(_) => Ok(true),
    }
}

/// CUDA Array Interface, versions 0 to 3.
fn cuda_array(interface: &Bound<'_, PyAny>, consumer: &Consumer<'_>) -> PyResult<Found> {
    let interface = interface
        .cast::<PyDict>()
        .map_err(|_| PyTypeError::new_err("__cuda_array_interface__ is not a dict"))?;
    let data = item(interface, "data")?;
    let (address, read_only): (Option<u64>, bool) = data.extract().map_err(|_| {
        PyValueError::new_err(format!(
            "__cuda_array_interface__: 'data' must be a pair (address, read-only), the address an int of 0 to 2**64 - 1, got {data:?}"
        ))
    })?;
    let shape = sizes(interface, "shape")?;
    let dtype = typestr(interface)?;
    if let Some(mask) = interface.get_item("mask")?
        && !mask.is_none()
    {
        return Ok(Found::Masked);
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
            return Ok(Found::Strided);
        }
    }
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
            number => consumer.order.after(number).map_err(|error| {
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
    Ok(Found::Memory {
        address: address.unwrap_or(0),
        read_only,
        dtype: Some(dtype),
    })
}

/// A tuple of sizes in the interface.
fn sizes(interface: &Bound<'_, PyDict>, key: &str) -> PyResult<Vec<i64>> {
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

fn item<'py>(dict: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    dict.get_item(key)?
        .ok_or_else(|| PyValueError::new_err(format!("__cuda_array_interface__ has no '{key}'")))
}

/// Whether elements lie one after another, in row-major or column-major order.
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

/// An array that speaks DLPack. Host memory counts where the device reaches it: pinned memory, and everything that
/// the software GPU itself has allocated.
fn dlpack_array(object: &Bound<'_, PyAny>, consumer: &Consumer<'_>) -> PyResult<Found> {
    let py = object.py();
    let device = gate::call0(&gate::getattr(object, intern!(py, "__dlpack_device__"))?)?;
    let (kind, _): (i32, i32) = device.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "{}.__dlpack_device__() must return a tuple of two ints, the device's type and number, got {}",
            type_name(object),
            describe(&device)
        ))
    })?;
    if kind == dlpack::CPU {
        // NumPy's capsules refuse read-only arrays and cost more: its own interface says the same.
        if let Some(interface) = attribute(object, intern!(py, "__array_interface__"))?
            && let Ok(interface) = interface.cast_into::<PyDict>()
            && let Some(data) = interface.get_item("data")?
            && let Ok((address, read_only)) = data.extract::<(u64, bool)>()
        {
            if !consumer.order.reaches(address) {
                return Ok(Found::Host);
            }
            let plain = interface
                .get_item("strides")?
                .is_none_or(|strides| strides.is_none());
            return Ok(if plain {
                let dtype = typestr(&interface).ok();
                Found::Memory {
                    address,
                    read_only,
                    dtype,
                }
            } else {
                Found::Strided
            });
        }
    }
    let options = PyDict::new(py);
    if kind == dlpack::CUDA || kind == dlpack::CUDA_MANAGED {
        quiet::others_seen();
        options.set_item("stream", consumer.order.dlpack_stream())?;
    } else if kind != dlpack::CPU && kind != dlpack::CUDA_HOST {
        return Ok(Found::Nothing);
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
    let tensor = match capsule {
        Ok(capsule) => dlpack::import(&capsule)?,
        Err(error) if kind == dlpack::CPU && error.is_instance_of::<PyBufferError>(py) => {
            return Ok(Found::Host);
        }
        Err(error) => return Err(error),
    };
    if kind == dlpack::CPU && !consumer.order.reaches(tensor.data) {
        return Ok(Found::Host);
    }
    if !tensor.contiguous {
        return Ok(Found::Strided);
    }
    Ok(Found::Memory {
        address: tensor.data,
        read_only: tensor.read_only,
        dtype: Some(Dtype::of_dlpack(tensor.dtype.code, tensor.dtype.bits)),
    })
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

/// Whether an object is a complex number of NumPy's, whose `__float__` drops a part.
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

/// Whether the elements of an array, for whose type there is no format, have references to objects of Python in them.
fn dtype_has_objects(object: &Bound<'_, PyAny>) -> bool {
    let dtype = object.getattr("dtype");
    let has = dtype.and_then(|dtype| dtype.getattr("hasobject"));
    has.and_then(|has| has.is_truthy()).unwrap_or(false)
}

/// Whether an array is one of `numpy.ma` with a mask that is set somewhere.
fn hides_elements(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live class. Arrays of NumPy itself, and all that is built in, are of no heap type.
    let own = unsafe { ffi::PyType_GetFlags(object.get_type_ptr()) } & ffi::Py_TPFLAGS_HEAPTYPE;
    if own == 0 {
        return false;
    }
    let py = object.py();
    let Ok(Some(_)) = object.getattr_opt(intern!(py, "fill_value")) else {
        return false;
    };
    let mask = object.getattr_opt(intern!(py, "mask")).ok().flatten();
    let any = mask.and_then(|mask| mask.call_method0(intern!(py, "any")).ok());
    any.is_some_and(|any| any.is_truthy().unwrap_or(false))
}

/// An object's host memory, held for as long as this lives.
pub struct HostView {
    view: ffi::Py_buffer,
}

// SAFETY: a Py_buffer may move between threads; the release takes the GIL.
unsafe impl Send for HostView {}

impl HostView {
    /// The contiguous memory of `object`; writable, or an exception, if asked for. References to Python's objects are no bytes that
    /// another place could have.
    pub fn new(object: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        let write = if writable { ffi::PyBUF_WRITABLE } else { 0 };
        let flags = ffi::PyBUF_ANY_CONTIGUOUS | write;
        let (view, has_objects) = match Self::with(object, flags | ffi::PyBUF_FORMAT) {
            Ok(view) => {
                let has_objects = view.has_objects();
                (view, has_objects)
            }
            // There is no format for some of NumPy's types, such as dates.
            Err(_) => (Self::with(object, flags)?, dtype_has_objects(object)),
        };
        if !writable && hides_elements(object) {
            return Err(PyTypeError::new_err(format!(
                "{} whose mask hides elements: the mask is not copied, and the hidden values would be; pass array.filled(value), or array.data",
                type_name(object)
            )));
        }
        if has_objects {
            return Err(PyTypeError::new_err(format!(
                "{} of Python objects: its memory is references to them; use an array of numbers",
                type_name(object)
            )));
        }
        Ok(view)
    }

    fn with(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        // `shape` may point into the structure itself, which moves; it is never read here.
        let mut view = ffi::Py_buffer::new();
        // SAFETY: a live object and a buffer to fill; -1 with an exception set is the error return.
        if unsafe { ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut view, flags) } != 0 {
            return Err(PyErr::fetch(object.py()));
        }
        Ok(Self { view })
    }

    /// Whether an element is, or has in it, a reference to an object of Python's (`O` in the format).
    fn has_objects(&self) -> bool {
        if self.view.format.is_null() {
            return false;
        }
        // SAFETY: the exporter's text, which lives as long as the view.
        let format = unsafe { CStr::from_ptr(self.view.format) }.to_bytes();
        // Between colons are the names of fields.
        let types = format.split(|&c| c == b':').step_by(2);
        types.flatten().any(|&c| c == b'O')
    }

    /// Why an object that has memory does not give it contiguous, or writable; None if that is not it.
    pub fn refusal(object: &Bound<'_, PyAny>, writable: bool) -> Option<String> {
        let view = Self::with(object, ffi::PyBUF_FULL_RO).ok()?;
        let name = type_name(object);
        // SAFETY: a view with its shape and strides.
        let contiguous = unsafe { ffi::PyBuffer_IsContiguous(&raw const view.view, b'A' as _) };
        if contiguous == 0 {
            return Some(format!(
                "the elements of {name} are not contiguous in memory; pass a contiguous copy"
            ));
        }
        let read_only = writable && view.view.readonly != 0;
        read_only.then(|| format!("{name} is read-only"))
    }

    pub fn address(&self) -> *mut u8 {
        self.view.buf.cast()
    }

    pub fn len(&self) -> usize {
        self.view.len.max(0) as usize
    }

    pub fn bytes(&self) -> &[u8] {
        if self.len() == 0 {
            return &[];
        }
        // SAFETY: the exporter vouches for `len` bytes at `buf` until the view is released.
        unsafe { std::slice::from_raw_parts(self.address(), self.len()) }
    }
}

impl Drop for HostView {
    fn drop(&mut self) {
        // SAFETY: filled by PyObject_GetBuffer, released once, under the GIL. After the interpreter's end there is
        // nobody to give it back to.
        let _ = gate::visit(|_| unsafe { ffi::PyBuffer_Release(&raw mut self.view) });
    }
}

/// The name of an object's class as users write it: `numpy.ndarray`, `float`.
pub fn type_name(object: &Bound<'_, PyAny>) -> String {
    if object.is_none() {
        return "None".into();
    }
    class_name(&object.get_type())
}

/// A class's name as users write it.
pub fn class_name(class: &Bound<'_, PyType>) -> String {
    let name = class
        .qualname()
        .map_or_else(|_| "?".into(), |name| name.to_string());
    match class.module() {
        Ok(module) if module != "builtins" => format!("{module}.{name}"),
        _ => name,
    }
}

/// A raw stream handle from an object with `__cuda_stream__`.
pub fn stream_handle(object: &Bound<'_, PyAny>) -> PyResult<Option<u64>> {
    let py = object.py();
    let Some(method) = attribute(object, intern!(py, "__cuda_stream__"))? else {
        return Ok(None);
    };
    // Some early producers made it a property.
    let pair = if method.is_callable() {
        gate::call0(&method)?
    } else {
        method
    };
    let pair = pair
        .cast_into::<PyTuple>()
        .map_err(|_| PyTypeError::new_err("__cuda_stream__ did not return a tuple"))?;
    let (version, handle): (u32, u64) = pair.extract()?;
    if version != 0 {
        return Err(PyTypeError::new_err(format!(
            "__cuda_stream__ has version {version}; cuox knows version 0"
        )));
    }
    Ok(Some(handle))
}
