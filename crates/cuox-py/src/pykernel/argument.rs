//! Arguments of a launch: the words that tell their types, and the bytes that they become.

use cuox::memory::uses::Access;
use std::mem::MaybeUninit;
use std::sync::{Mutex, PoisonError};

use cuox::array::Order;
use cuox_interpreter::dlpack::DataType;
use cuox_pykernel::types::{ArrayType, Layout, Type};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyTuple};
use smallvec::SmallVec;

use crate::array::Array;
use crate::array::element::Element;
use crate::array::numpy::Numpy;
use crate::launch::exchanged::Seen;
use crate::stream::ConsumerStream;
use crate::support::host_view::HostView;
use crate::support::names::type_name;

/// The words that tell the types of a call's arguments. Classes and dtypes are told by their addresses, so a version
/// that is found by a key holds them.
pub type Key = SmallVec<[u64; 16]>;

mod tag {
    pub const ARRAY: u64 = 1;
    pub const INT: u64 = 2;
    pub const LARGE_INT: u64 = 3;
    pub const FLOAT: u64 = 4;
    pub const BOOL: u64 = 5;
    pub const COMPLEX: u64 = 6;
    pub const NONE: u64 = 7;
    pub const SCALAR: u64 = 8;
    pub const TUPLE: u64 = 9;
}

fn order_of(layout: &cuox::array::Layout) -> Layout {
    if layout.is_contiguous(Order::C) {
        Layout::C
    } else if layout.is_contiguous(Order::F) {
        Layout::F
    } else {
        Layout::A
    }
}

/// Adds the words of one argument. False: an object of another kind, which Python code converts first.
#[inline]
pub fn add_words(object: &Bound<'_, PyAny>, key: &mut Key) -> bool {
    if let Ok(array) = object.cast_exact::<Array>() {
        add_array(array.get(), key);
        return true;
    }
    let py = object.py();
    let class = object.get_type_ptr();
    let (is_int, is_float) = (
        class == &raw mut ffi::PyLong_Type,
        class == &raw mut ffi::PyFloat_Type,
    );
    if is_int {
        let mut overflow = 0;
        // SAFETY: a live int; overflow is reported without an exception.
        unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
        match overflow {
            0 => key.push(tag::INT),
            1 => key.push(tag::LARGE_INT),
            _ => return false,
        }
        return true;
    }
    if is_float {
        key.push(tag::FLOAT);
        return true;
    }
    if let Ok(array) = object.cast::<Array>() {
        add_array(array.get(), key);
        return true;
    }
    if object.is_exact_instance_of::<PyBool>() {
        key.push(tag::BOOL);
        return true;
    }
    if is_plain_scalar(py, class) {
        key.push(tag::SCALAR);
        key.push(class as u64);
        return true;
    }
    if object.is_exact_instance_of::<PyComplex>() {
        key.push(tag::COMPLEX);
        return true;
    }
    if object.is_none() {
        key.push(tag::NONE);
        return true;
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        key.push(tag::TUPLE | (tuple.len() as u64) << 8);
        // Named tuples by their class.
        key.push(class as u64);
        return tuple.iter_borrowed().all(|item| add_words(&item, key));
    }
    false
}

#[inline]
fn add_array(array: &Array, key: &mut Key) {
    let dtype = array.element().dtype.as_ptr() as u64;
    add_array_words(array.layout(), array.read_only(), dtype, key);
}

#[inline]
fn add_array_words(layout: &cuox::array::Layout, read_only: bool, dtype: u64, key: &mut Key) {
    let order = match order_of(layout) {
        Layout::C => 0,
        Layout::F => 1,
        Layout::A => 2,
    };
    let read_only = u64::from(read_only);
    key.push(tag::ARRAY | (layout.ndim() as u64) << 8 | order << 16 | read_only << 24);
    key.push(dtype);
}

/// A tensor of another library in the memory of a stream's device, whose words are added: those of an array of ours
/// that shows it. None for other objects.
pub fn add_tensor(
    object: &Bound<'_, PyAny>,
    stream: &cuox::Stream,
    key: &mut Key,
) -> PyResult<Option<Seen>> {
    let Some(seen) = Seen::of(object, stream)? else {
        return Ok(None);
    };
    let Some(dtype) = numpy_type(object.py(), seen.dtype()) else {
        return Ok(None);
    };
    add_array_words(&seen.layout, seen.read_only, dtype, key);
    Ok(Some(seen))
}

/// Puts the bytes of a tensor whose words were added.
#[inline]
pub fn pack_tensor(
    ty: &Type,
    seen: &Seen,
    order: &ConsumerStream<'_>,
    target: Bytes<'_>,
) -> PyResult<()> {
    match ty {
        Type::Array(wanted) if seen.layout.ndim() == usize::from(wanted.ndim) => {
            put_array(wanted, seen.address(order)?, &seen.layout, target);
            Ok(())
        }
        _ => Err(PyTypeError::new_err(format!(
            "expected {}, got a tensor",
            ty.shown()
        ))),
    }
}

/// The address of NumPy's object for a type of DLPack's, which stays.
fn numpy_type(py: Python<'_>, dtype: DataType) -> Option<u64> {
    static KNOWN: Mutex<Vec<(u8, u8, Py<PyAny>)>> = Mutex::new(Vec::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let asked = (dtype.code, dtype.bits);
    if let Some((.., found)) = known().iter().find(|one| (one.0, one.1) == asked) {
        return Some(found.as_ptr() as u64);
    }
    let found = Element::of_dlpack(py, dtype).ok()?.dtype.clone_ref(py);
    let address = found.as_ptr() as u64;
    known().push((asked.0, asked.1, found));
    Some(address)
}

/// True for the classes of NumPy's numbers, whose class says all of their type.
fn is_plain_scalar(py: Python<'_>, class: *mut ffi::PyTypeObject) -> bool {
    static CLASSES: PyOnceLock<Vec<usize>> = PyOnceLock::new();
    let known = CLASSES.get_or_try_init(py, || -> PyResult<Vec<usize>> {
        let numpy = py.import("numpy")?;
        let names = [
            "bool_",
            "int8",
            "int16",
            "int32",
            "int64",
            "uint8",
            "uint16",
            "uint32",
            "uint64",
            "longlong",
            "ulonglong",
            "float16",
            "float32",
            "float64",
            "complex64",
            "complex128",
        ];
        names
            .iter()
            .map(|name| Ok(numpy.getattr(*name)?.as_ptr() as usize))
            .collect()
    });
    known.is_ok_and(|known| known.contains(&(class as usize)))
}

/// Adds the objects whose addresses are words of an argument.
pub fn hold<'py>(object: &Bound<'py, PyAny>, held: &mut Vec<Bound<'py, PyAny>>) {
    held.push(object.get_type().into_any());
    if let Ok(array) = object.cast::<Array>() {
        held.push(
            array
                .get()
                .element()
                .dtype
                .bind(object.py())
                .clone()
                .into_any(),
        );
    } else if let Ok(tuple) = object.cast::<PyTuple>() {
        for item in tuple.iter_borrowed() {
            hold(&item, held);
        }
    }
}

/// The type of an argument. `None`: an object of another kind.
pub fn type_of(object: &Bound<'_, PyAny>) -> PyResult<Option<Type>> {
    let py = object.py();
    if let Ok(array) = object.cast::<Array>() {
        let array = array.get();
        let element = dtype_type(array.element().dtype.bind(py))?;
        let ndim = u8::try_from(array.layout().ndim()).unwrap_or(u8::MAX);
        if ndim == 0 && matches!(element, Type::Record(_)) {
            return Ok(Some(element));
        }
        return Ok(Some(Type::array(
            element,
            ndim,
            if ndim == 0 {
                Layout::C
            } else {
                order_of(array.layout())
            },
            !array.read_only(),
        )));
    }
    if object.is_none() {
        return Ok(Some(Type::None));
    }
    // SAFETY: a live object.
    if unsafe { ffi::PyTuple_Check(object.as_ptr()) } != 0 {
        let tuple = object.cast::<PyTuple>()?;
        let mut items = Vec::with_capacity(tuple.len());
        for item in tuple.iter() {
            match type_of(&item)? {
                Some(ty) => items.push(ty),
                None => return Ok(None),
            }
        }
        let fields = object.getattr_opt(intern!(py, "_fields"))?;
        let names = match fields {
            Some(fields) => Some((object.get_type().name()?.to_string(), fields.extract()?)),
            None => None,
        };
        return Ok(Some(Type::Tuple(
            cuox_pykernel::types::TupleType { items, names }.into(),
        )));
    }
    let numpy = Numpy::get(py)?;
    if numpy.is_scalar(object) {
        return dtype_type(&object.getattr(intern!(py, "dtype"))?).map(Some);
    }
    Ok(if object.is_instance_of::<PyBool>() {
        Some(Type::Bool)
    } else if object.is_instance_of::<PyInt>() {
        match object.extract::<i64>() {
            Ok(_) => Some(cuox_pykernel::types::INT64),
            Err(_) if object.extract::<u64>().is_ok() => Some(cuox_pykernel::types::UINT64),
            Err(_) => {
                return Err(PyOverflowError::new_err(format!(
                    "{object} does not fit into 64 bits"
                )));
            }
        }
    } else if object.is_instance_of::<PyFloat>() {
        Some(cuox_pykernel::types::FLOAT64)
    } else if object.is_instance_of::<PyComplex>() {
        Some(cuox_pykernel::types::COMPLEX128)
    } else {
        None
    })
}

/// The type of a NumPy dtype.
pub fn dtype_type(dtype: &Bound<'_, PyAny>) -> PyResult<Type> {
    static OF_DTYPE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = dtype.py();
    let of_dtype = OF_DTYPE.get_or_try_init(py, || {
        py.import("cuox._internal.type_codes")?
            .getattr("of_dtype")
            .map(Bound::unbind)
    })?;
    let code: String = of_dtype.bind(py).call1((dtype,))?.extract()?;
    super::translate::read_type(&code)
}

type Bytes<'a> = &'a mut [MaybeUninit<u8>];

fn put(target: Bytes<'_>, bytes: &[u8]) {
    for (place, byte) in target.iter_mut().zip(bytes) {
        place.write(*byte);
    }
}

#[cold]
fn refused(ty: &Type, object: &Bound<'_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!(
        "expected {}, got {}",
        ty.shown(),
        type_name(object)
    ))
}

/// The bytes of a value, most of them few.
pub type Packed = SmallVec<[u8; 32]>;

/// The bytes of a value of this type, as a kernel has it.
pub fn packed(
    ty: &Type,
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
) -> PyResult<Packed> {
    let size = ty.size().unwrap_or(0) as usize;
    let mut bytes: SmallVec<[MaybeUninit<u8>; 32]> = SmallVec::from_elem(MaybeUninit::new(0), size);
    pack(ty, object, order, &mut bytes)?;
    // SAFETY: all bytes were set above.
    let bytes = bytes.iter().map(|byte| unsafe { byte.assume_init() });
    Ok(bytes.collect())
}

/// Puts an array: its address, its shape and, where these are not known, its strides.
#[inline]
fn put_array(wanted: &ArrayType, address: u64, layout: &cuox::array::Layout, target: Bytes<'_>) {
    put(target, &address.to_le_bytes());
    let ndim = usize::from(wanted.ndim);
    for (axis, length) in layout.shape().iter().enumerate() {
        put(&mut target[8 + 8 * axis..], &(*length as u64).to_le_bytes());
    }
    if wanted.layout == Layout::A {
        for (axis, stride) in layout.strides().iter().enumerate() {
            let place = 8 + 8 * (ndim + axis);
            put(&mut target[place..], &(*stride as i64).to_le_bytes());
        }
    }
}

/// Puts the bytes of a value of this type.
#[inline]
pub fn pack(
    ty: &Type,
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
    target: Bytes<'_>,
) -> PyResult<()> {
    match ty {
        Type::Array(wanted) => {
            let Ok(array) = object.cast::<Array>() else {
                return Err(refused(ty, object));
            };
            let array = array.get();
            if array.layout().ndim() != usize::from(wanted.ndim) {
                return Err(refused(ty, object));
            }
            let memory = array.memory(order, Access::Write)?;
            put_array(wanted, memory.address, array.layout(), target);
            Ok(())
        }
        Type::Int { bits, .. } => {
            let value = integer(ty, object)?;
            put(target, &value.to_le_bytes()[..usize::from(bits / 8)]);
            Ok(())
        }
        Type::Float(64) => {
            put(target, &float(ty, object)?.to_le_bytes());
            Ok(())
        }
        Type::Float(32) => {
            put(target, &(float(ty, object)? as f32).to_le_bytes());
            Ok(())
        }
        _ => pack_other(ty, object, order, target),
    }
}

#[inline]
fn float(ty: &Type, object: &Bound<'_, PyAny>) -> PyResult<f64> {
    // An array's `__float__` would wait for the device.
    if !object.is_exact_instance_of::<PyFloat>() && object.is_instance_of::<Array>() {
        return Err(refused(ty, object));
    }
    // SAFETY: a live object; -1 with an exception set is the error return.
    let value = unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) };
    if value == -1.0
        && let Some(error) = PyErr::take(object.py())
    {
        return Err(if error.is_instance_of::<PyTypeError>(object.py()) {
            refused(ty, object)
        } else {
            error
        });
    }
    Ok(value)
}

#[inline]
fn integer(ty: &Type, object: &Bound<'_, PyAny>) -> PyResult<i64> {
    // SAFETY: a live object.
    if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
        let mut overflow = 0;
        // SAFETY: a live int; overflow is reported without an exception.
        let value =
            unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
        if overflow == 0 {
            return Ok(value);
        }
        return object
            .extract::<u64>()
            .map(|value| value as i64)
            .map_err(|_| {
                PyOverflowError::new_err(format!("{object} does not fit into {}", ty.shown()))
            });
    }
    // SAFETY: a live object; null with an exception set is the error return.
    let number =
        unsafe { Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Index(object.as_ptr())) };
    match number {
        Ok(number) => integer(ty, &number),
        Err(_) => {
            let Ok(value) = object.call_method0(intern!(object.py(), "item")) else {
                // A float for a declared int is cut off, as a cast in C does it.
                return match object.extract::<f64>() {
                    Ok(value) => Ok(value as i64),
                    Err(_) => Err(refused(ty, object)),
                };
            };
            if value.is_instance_of::<PyInt>() {
                integer(ty, &value)
            } else {
                value
                    .extract::<f64>()
                    .map(|value| value as i64)
                    .map_err(|_| refused(ty, object))
            }
        }
    }
}

/// The two parts of a complex or real number.
fn complex(ty: &Type, object: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
    let py = object.py();
    let part = |name| object.getattr(name)?.extract::<f64>();
    match (part(intern!(py, "real")), part(intern!(py, "imag"))) {
        (Ok(real), Ok(imaginary)) => Ok((real, imaginary)),
        _ => Err(refused(ty, object)),
    }
}

#[cold]
fn pack_other(
    ty: &Type,
    object: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
    target: Bytes<'_>,
) -> PyResult<()> {
    let py = object.py();
    match ty {
        Type::Bool => put(target, &[u8::from(object.is_truthy()?)]),
        Type::None => put(target, &[0]),
        Type::Complex(bits) => {
            let (real, imaginary) = complex(ty, object)?;
            if *bits == 64 {
                put(target, &(real as f32).to_le_bytes());
                put(&mut target[4..], &(imaginary as f32).to_le_bytes());
            } else {
                put(target, &real.to_le_bytes());
                put(&mut target[8..], &imaginary.to_le_bytes());
            }
        }
        Type::Float(_) | Type::BFloat16 => {
            let value = float(ty, object)?;
            let bytes = if matches!(ty, Type::BFloat16) {
                cuox::launch::bf16_bits(value).to_le_bytes()
            } else {
                cuox::launch::f16_bits(value).to_le_bytes()
            };
            put(target, &bytes);
        }
        Type::Tuple(tuple) => {
            let items = object.cast::<PyTuple>().map_err(|_| refused(ty, object))?;
            if items.len() != tuple.items.len() {
                return Err(refused(ty, object));
            }
            let Some((offsets, _)) = tuple.layout() else {
                return Err(refused(ty, object));
            };
            for ((item, ty), offset) in items.iter().zip(&tuple.items).zip(offsets) {
                pack(ty, &item, order, &mut target[offset as usize..])?;
            }
        }
        Type::Time { .. } => {
            let numpy = Numpy::get(py)?;
            let int64 = numpy.attribute(py, "int64")?;
            let value: i64 = object
                .call_method1(intern!(py, "astype"), (int64,))?
                .extract()?;
            put(target, &value.to_le_bytes());
        }
        Type::Record(_) | Type::Chars { .. } => {
            let view = HostView::new(object, false)?;
            put(target, view.bytes());
        }
        Type::Pointer(_) => {
            let address = match object.cast::<Array>() {
                Ok(array) => array.get().memory(order, Access::Write)?.address,
                Err(_) => object.extract::<u64>().map_err(|_| refused(ty, object))?,
            };
            put(target, &address.to_le_bytes());
        }
        _ => return Err(refused(ty, object)),
    }
    Ok(())
}
