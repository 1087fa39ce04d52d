//! Addresses: of buffers, arrays, device memory and C objects.

use crate::objects::object_ref::as_c_object;
use cuox_interpreter::integer::is_integer;
use std::ffi::{CStr, c_void};
use std::sync::Arc;

use pyo3::exceptions::{PyBufferError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{
    PyBool, PyByteArray, PyBytes, PyCapsule, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple,
};

use crate::convert::{sequence, text};
use crate::errors::{ArgumentContext, describe, type_name};
use crate::interpreter::gil;
use crate::interpreter::numpy::learn_numpy;
use crate::objects::object_ref::ObjectRef;
use crate::types::class::{Class, Kind};
use crate::types::compatible::same;
use crate::types::object::{CLOSED, CObject};
use crate::types::scalar::Scalar;
use crate::types::value::Element;

pub use crate::types::value::MIN_ADDRESS;

/// An address for C, the length of its memory, and a hold on it.
pub struct Address {
    /// The address.
    pub address: u64,
    /// The number of bytes there, if it is known.
    pub bytes: Option<usize>,
    /// The object that must live until the call has returned.
    pub hold: ArgumentHold,
}

/// A hold on memory during a call.
pub enum ArgumentHold {
    /// Nothing but the argument itself.
    Argument,
    /// Another object.
    Object(#[allow(dead_code, reason = "held, not read")] Py<PyAny>),
    /// A buffer that its owner cannot move or free meanwhile.
    BufferGuard(#[allow(dead_code, reason = "held, not read")] BufferGuard),
    /// A C array made of a sequence.
    SequenceArray(#[allow(dead_code, reason = "held, not read")] sequence::SequenceArray),
}

impl Address {
    #[inline]
    fn at(address: u64) -> Self {
        Self {
            address,
            bytes: None,
            hold: ArgumentHold::Argument,
        }
    }
}

/// The memory that a pointer parameter expects.
#[derive(Clone, Copy)]
pub struct PointerTarget<'a> {
    /// The elements.
    pub element: &'a Element,
    /// True if C writes there.
    pub writable: bool,
    /// True if `None` is taken.
    pub nullable: bool,
}

/// A `Py_buffer`, given back when dropped. It is dropped with the interpreter's lock held.
pub struct BufferGuard(Box<ffi::Py_buffer>);

impl BufferGuard {
    /// A contiguous buffer with its format.
    fn get(value: &Bound<'_, PyAny>, writable: bool) -> PyResult<Self> {
        let flags = ffi::PyBUF_FORMAT
            | ffi::PyBUF_ANY_CONTIGUOUS
            | if writable { ffi::PyBUF_WRITABLE } else { 0 };
        let mut buffer = Box::new(ffi::Py_buffer::new());
        // SAFETY: a live object, and a place for the buffer that does not move.
        match unsafe { ffi::PyObject_GetBuffer(value.as_ptr(), &raw mut *buffer, flags) } {
            0 => Ok(Self(buffer)),
            _ => Err(PyErr::fetch(value.py())),
        }
    }

    fn format(&self) -> &str {
        if self.0.format.is_null() {
            return "B";
        }
        // SAFETY: a buffer's format is text with a NUL, which lives as long as the buffer.
        unsafe { CStr::from_ptr(self.0.format) }
            .to_str()
            .unwrap_or("?")
    }
}

impl Drop for BufferGuard {
    fn drop(&mut self) {
        // SAFETY: it was filled by PyObject_GetBuffer and is given back once.
        unsafe { ffi::PyBuffer_Release(&raw mut *self.0) }
    }
}

/// The address that a value stands for, as an argument for a pointer.
#[inline]
pub fn memory(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Address> {
    if value.is_none() {
        return match target.nullable {
            true => Ok(Address {
                bytes: Some(0),
                ..Address::at(0)
            }),
            false => Err(PyTypeError::new_err(format!(
                "{context} must not be None: C needs an address there"
            ))),
        };
    }
    if let Some(object) = as_c_object(value) {
        // SAFETY: `object` is what `as_c_object` made of the live `value`.
        return unsafe { of_object(context, target, value, object) };
    }
    if value.is_instance_of::<PyBool>() || value.is_instance_of::<PyFloat>() {
        return Err(wrong(context, target, value));
    }
    if let Ok(int) = value.cast::<PyInt>() {
        return number(context, target, int.as_any());
    }
    if let Ok(string) = value.cast::<PyString>() {
        // Of text C reads as many bytes as another argument says.
        if !target.writable && matches!(target.element, Element::Scalar(Scalar::I8)) {
            let text = text::utf8(context, string)?;
            return Ok(Address {
                address: text.address as u64,
                bytes: Some(text.length),
                hold: ArgumentHold::Object(text.object.unbind()),
            });
        }
        if !target.writable && context.c_type.starts_with("const wchar_t ") {
            let wide = wide_text(context, string)?;
            return Ok(Address {
                address: wide.as_bytes().as_ptr() as u64,
                bytes: Some(wide.as_bytes().len() - 4),
                hold: ArgumentHold::Object(wide.into_any().unbind()),
            });
        }
        let hint = "; for text as bytes use .encode()";
        return Err(PyTypeError::new_err(format!(
            "{}{hint}",
            wrong(context, target, value).value(value.py())
        )));
    }
    if !target.writable
        && let Element::Record(class) = target.element
        && (value.is_instance_of::<PyDict>() || is_fields(value))
        && let Some(made) = class.record_of(value)
    {
        let made = made.map_err(|error| context.inside(value.py(), error))?;
        let record = ObjectRef { object: &made };
        return Ok(Address {
            address: record.value(),
            bytes: Some(record.bytes() as usize),
            hold: ArgumentHold::Object(made.unbind()),
        });
    }
    if (!target.writable || is_of_pointers(target.element, value))
        && (value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>())
        && let Some(array) = sequence::array(context, target.element, value)?
    {
        return Ok(Address {
            address: array.address(),
            bytes: Some(array.bytes()),
            hold: ArgumentHold::SequenceArray(array),
        });
    }
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    if unsafe { ffi::PyObject_CheckBuffer(value.as_ptr()) } != 0 {
        let refused = match of_buffer(context, target, value) {
            Ok(found) => return Ok(found),
            Err(error) => error,
        };
        // Device memory has a buffer only where the device is the host.
        let interface = pyo3::intern!(value.py(), "__cuda_array_interface__");
        return match optional(value, interface)? {
            Some(found) => of_cuda_array(context, target, value, &found),
            None => Err(refused),
        };
    }
    let py = value.py();
    if let Some(found) = optional(value, pyo3::intern!(py, "__cuda_array_interface__"))? {
        return of_cuda_array(context, target, value, &found);
    }
    if let Some(export) = optional(value, pyo3::intern!(py, "__dlpack__"))? {
        return of_dlpack(context, target, value, &export);
    }
    if let Some(ctypes) = optional(value, pyo3::intern!(py, "ctypes"))?
        && let Some(data) = optional(&ctypes, pyo3::intern!(py, "data"))?
    {
        let found = address(context, &data)?;
        return Ok(Address {
            hold: ArgumentHold::Object(ctypes.unbind()),
            ..Address::at(found)
        });
    }
    if is_integer(value) {
        return number(context, target, value);
    }
    Err(wrong(context, target, value))
}

/// Text as C's `wchar_t`, with a NUL behind it.
fn wide_text<'py>(
    context: ArgumentContext<'_>,
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyBytes>> {
    let ended = text.add("\0")?;
    let bytes = ended
        .call_method1("encode", ("utf-32-le",))?
        .cast_into::<PyBytes>()?;
    let letters = bytes.as_bytes().chunks_exact(4);
    match letters.filter(|letter| *letter == [0; 4]).count() {
        1 => Ok(bytes),
        _ => Err(PyValueError::new_err(format!(
            "{context}: C's text ends at a NUL, and this has one inside"
        ))),
    }
}

/// True for a list of handles or other objects of C where C takes an array of pointers: there is nothing to be written.
fn is_of_pointers(element: &Element, value: &Bound<'_, PyAny>) -> bool {
    matches!(element, Element::Scalar(Scalar::Pointer))
        && value.try_iter().is_ok_and(|mut items| {
            value.len().is_ok_and(|length| length > 0)
                && items.all(|item| item.is_ok_and(|item| as_c_object(&item).is_some()))
        })
}

/// True if a tuple is one record's fields rather than several records.
fn is_fields(value: &Bound<'_, PyAny>) -> bool {
    let Ok(tuple) = value.cast::<PyTuple>() else {
        return false;
    };
    let is_record = |item: Bound<'_, PyAny>| {
        as_c_object(&item).is_some()
            || item.is_instance_of::<PyTuple>()
            || item.is_instance_of::<PyDict>()
    };
    !tuple.is_empty() && !tuple.iter().all(is_record)
}

/// The address of device memory that another library, or cuox itself, shows by the CUDA array interface or DLPack; None
/// for other objects.
pub fn device_pointer(
    context: ArgumentContext<'_>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Option<u64>> {
    let py = value.py();
    let target = PointerTarget {
        element: &Element::Untyped,
        writable: false,
        nullable: true,
    };
    if let Some(found) = optional(value, pyo3::intern!(py, "__cuda_array_interface__"))? {
        return Ok(Some(of_cuda_array(context, target, value, &found)?.address));
    }
    let Some(export) = optional(value, pyo3::intern!(py, "__dlpack__"))? else {
        return Ok(None);
    };
    let (kind, _): (i32, i32) = value
        .call_method0(pyo3::intern!(py, "__dlpack_device__"))?
        .extract()?;
    match kind == DLPACK_CPU {
        true => Ok(None),
        false => Ok(Some(of_dlpack(context, target, value, &export)?.address)),
    }
}

/// DLPack's `kDLCPU`.
const DLPACK_CPU: i32 = 1;

/// An attribute, if there is one.
fn optional<'py>(
    value: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    value.getattr_opt(name)
}

#[cold]
fn wrong(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
) -> PyErr {
    let mut takes = match target.element {
        Element::Untyped | Element::Field(_) => {
            "a buffer, an array, a pointer or an address as an int".to_owned()
        }
        Element::Scalar(scalar) => format!(
            "a buffer or array of {}, a pointer or an address as an int",
            scalar.element_name()
        ),
        Element::Record(class) => format!(
            "a {}, a buffer of such records, a pointer or an address as an int",
            class.name
        ),
    };
    if target.nullable {
        takes.push_str(", or None");
    }
    context.wrong_type(&takes, value)
}

/// An int as the address of what a pointer points at.
fn number(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Address> {
    let found = address(context, value)?;
    // Small numbers mean something to some `void *`, such as `SIG_IGN`, but no element of a known type lies there.
    if !matches!(target.element, Element::Untyped) && (1..MIN_ADDRESS).contains(&found) {
        return Err(no_memory(context, found));
    }
    Ok(Address::at(found))
}

/// The error for a number that is no address of memory.
#[cold]
pub fn no_memory(context: ArgumentContext<'_>, address: u64) -> PyErr {
    PyValueError::new_err(format!(
        "{context} must be memory or its address, got {address}"
    ))
}

/// An int as an address.
pub fn address(context: ArgumentContext<'_>, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    // SAFETY: a live object; the result is a new reference or null with an exception.
    let int =
        unsafe { Bound::from_owned_ptr_or_err(value.py(), ffi::PyNumber_Index(value.as_ptr())) }?;
    // SAFETY: `PyNumber_Index` returns an int.
    let read = unsafe { ffi::PyLong_AsUnsignedLongLong(int.as_ptr()) };
    if read == u64::MAX && PyErr::take(value.py()).is_some() {
        return Err(PyOverflowError::new_err(format!(
            "{context} cannot hold {}: an address has 64 bits and no sign",
            describe(&int)
        )));
    }
    Ok(read)
}

/// # Safety
/// `object` is the value's.
#[inline]
unsafe fn of_object(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
    object: *mut CObject,
) -> PyResult<Address> {
    // SAFETY: `object` is that of the live `value` (`# Safety`); a class lives as long as the process.
    let (class, flags, bytes) = unsafe { (&*(*object).class, (*object).flags, (*object).bytes) };
    let this = ObjectRef { object: value };
    if flags & CLOSED != 0 {
        return Err(closed(context, class));
    }
    if let (Kind::Handle(handle), Element::Scalar(scalar)) = (&class.kind, target.element)
        && handle.scalar == *scalar
    {
        // A pointer to a handle: C reads or writes its value where it is.
        return Ok(Address {
            bytes: Some(scalar.size()),
            ..Address::at(this.location()? as u64)
        });
    }
    if !object_fits(class, target.element) {
        return Err(wrong(context, target, value));
    }
    let stored = this.value();
    if stored == 0 && !target.nullable {
        return Err(PyTypeError::new_err(format!(
            "{context} must not be null, got a null {}",
            class.name
        )));
    }
    Ok(Address {
        bytes: (bytes != 0).then_some(bytes as usize),
        ..Address::at(stored)
    })
}

/// The error for an object that has been closed.
#[cold]
pub fn closed(context: ArgumentContext<'_>, class: &Class) -> PyErr {
    PyValueError::new_err(format!("{context}: this {} is closed", class.name))
}

/// True if an object of the class may be passed, by its value, for a pointer to such elements.
#[inline]
pub fn object_fits(class: &Class, element: &Element) -> bool {
    match (&class.kind, element) {
        (_, Element::Untyped) => true,
        (Kind::Pointer(found), wanted) => {
            same(wanted, found) || matches!(found, Element::Field(_)) && same(wanted, &found.flat())
        }
        (Kind::Record(_), Element::Record(wanted)) => std::ptr::eq(class, Arc::as_ptr(wanted)),
        (Kind::Array(array), wanted) => {
            let innermost = array.element.innermost().0;
            same(wanted, &array.element.as_element())
                || same(wanted, &innermost.as_element())
                || same(wanted, &innermost.flat())
        }
        _ => false,
    }
}

/// True if an element with this code of the `struct` module is such a scalar.
pub fn code_fits(code: &str, size: usize, scalar: Scalar) -> bool {
    let code = code.trim_start_matches(['@', '=', '<', '^', '|']);
    // A complex number is two of its parts, as C has it: `typedef double fftw_complex[2]`.
    if let (Some(part), Scalar::F32 | Scalar::F64) = (code.strip_prefix('Z'), scalar) {
        return size == 2 * scalar.size() && code_fits(part, size / 2, scalar);
    }
    if size != scalar.size() {
        return false;
    }
    match scalar {
        Scalar::Bool => matches!(code, "?" | "B"),
        Scalar::I8 | Scalar::U8 => matches!(code, "b" | "B" | "c" | "?" | "1s" | "s"),
        Scalar::I16 | Scalar::I32 | Scalar::I64 => matches!(code, "h" | "i" | "l" | "q" | "n"),
        Scalar::U16 | Scalar::U32 | Scalar::U64 => matches!(code, "H" | "I" | "L" | "Q" | "N"),
        Scalar::F32 => code == "f",
        Scalar::F64 => code == "d",
        Scalar::Long => code == "g",
        Scalar::Pointer => {
            matches!(code, "P" | "z" | "Z" | "L" | "Q" | "N" | "l" | "q" | "n")
                || code.starts_with('&')
        }
        Scalar::I128 | Scalar::U128 => false,
    }
}

/// A buffer's or array's elements.
struct Elements<'a> {
    code: &'a str,
    size: usize,
    bytes: usize,
    /// True if it is bytes with no type of their own.
    raw: bool,
}

fn check_elements(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
    found: &Elements<'_>,
) -> PyResult<()> {
    let (fits, wanted, size) = match target.element {
        Element::Untyped | Element::Field(_) => return Ok(()),
        Element::Scalar(scalar) => (
            code_fits(found.code, found.size, *scalar),
            scalar.element_name().to_owned(),
            scalar.size(),
        ),
        Element::Record(class) => {
            let size = match &class.kind {
                Kind::Record(record) => record.size,
                _ => 0,
            };
            (size != 0 && found.size == size, class.name.clone(), size)
        }
    };
    if fits || found.raw && size != 0 && found.bytes.is_multiple_of(size) {
        return Ok(());
    }
    if found.raw && size != 0 {
        return Err(PyValueError::new_err(format!(
            "{context} takes elements of {size} bytes ({wanted}), got {} bytes, which are not a multiple of that",
            found.bytes
        )));
    }
    Err(PyTypeError::new_err(format!(
        "{context} takes elements of {wanted}, got {} with elements '{}' of {} bytes",
        type_name(value),
        found.code,
        found.size
    )))
}

fn of_buffer(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
) -> PyResult<Address> {
    learn_numpy(value);
    let py = value.py();
    let buffer = match BufferGuard::get(value, target.writable) {
        Ok(buffer) => buffer,
        Err(error)
            if error.is_instance_of::<PyBufferError>(py)
                || error.is_instance_of::<PyValueError>(py) =>
        {
            let what = match (target.writable, BufferGuard::get(value, false)) {
                (true, Ok(_)) => "writable memory: C writes there",
                _ => "contiguous memory",
            };
            return Err(PyTypeError::new_err(format!(
                "{context} takes {what}, got {} ({})",
                type_name(value),
                error.value(py)
            )));
        }
        Err(error) => return Err(error),
    };
    let format = buffer.format();
    if buffer.0.ndim == 0 {
        // A scalar of ctypes or NumPy: its memory is a copy that nobody else sees.
        if matches!(format.trim_start_matches(['@', '=', '<']), "P" | "z" | "Z")
            || format.contains('&')
            || format.starts_with('X')
        {
            let stored = match buffer.0.len {
                // SAFETY: a pointer of ctypes, whose buffer is the pointer.
                8 => unsafe { buffer.0.buf.cast::<u64>().read_unaligned() },
                _ => 0,
            };
            if format.starts_with('X') {
                // A function pointer of ctypes, behind which may be Python code.
                gil::assume_callbacks();
            }
            return Ok(Address {
                hold: ArgumentHold::BufferGuard(buffer),
                ..Address::at(stored)
            });
        }
        let array = value.get_type().name().is_ok_and(|name| name == "ndarray");
        if !array && is_integer(value) {
            return number(context, target, value);
        }
        if !array && buffer.0.readonly != 0 {
            return Err(wrong(context, target, value));
        }
    }
    let bytes = buffer.0.len as usize;
    check_elements(
        context,
        target,
        value,
        &Elements {
            code: format,
            size: buffer.0.itemsize as usize,
            bytes,
            raw: value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyByteArray>(),
        },
    )?;
    let found = buffer.0.buf as u64;
    Ok(Address {
        address: found,
        bytes: Some(bytes),
        hold: ArgumentHold::BufferGuard(buffer),
    })
}

/// The product of a shape, or an error for a negative or too large one.
fn count(context: ArgumentContext<'_>, shape: &[i64]) -> PyResult<usize> {
    shape
        .iter()
        .try_fold(1usize, |count, extent| {
            usize::try_from(*extent)
                .ok()
                .and_then(|extent| count.checked_mul(extent))
        })
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "{context}: the array's shape is negative or too large"
            ))
        })
}

fn contiguous(shape: &[i64], strides: &[i64], unit: i64) -> bool {
    let mut expected = unit;
    shape.len() == strides.len()
        && shape.iter().zip(strides).rev().all(|(extent, stride)| {
            let fits = *extent <= 1 || *stride == expected;
            expected = expected.wrapping_mul(*extent);
            fits
        })
}

/// The CUDA array interface, version 3. Stream order is left to the caller: no stream is waited for.
fn of_cuda_array(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
    interface: &Bound<'_, PyAny>,
) -> PyResult<Address> {
    let interface = interface.cast::<PyDict>()?;
    let get = |key: &str| {
        interface.get_item(key)?.ok_or_else(|| {
            PyValueError::new_err(format!(
                "{context}: __cuda_array_interface__ of {} has no '{key}'",
                type_name(value)
            ))
        })
    };
    let (found, readonly): (Option<u64>, bool) = get("data")?.extract()?;
    let shape: Vec<i64> = get("shape")?.extract()?;
    let kind: String = get("typestr")?.extract()?;
    let size: usize = kind
        .get(2..)
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| {
            PyValueError::new_err(format!(
                "{context}: __cuda_array_interface__ has the invalid typestr '{kind}'"
            ))
        })?;
    if let Some(strides) = interface
        .get_item("strides")?
        .filter(|strides| !strides.is_none())
        && !contiguous(&shape, &strides.extract::<Vec<i64>>()?, size as i64)
    {
        return Err(PyTypeError::new_err(format!(
            "{context} takes contiguous memory, got {} with strides",
            type_name(value)
        )));
    }
    if readonly && target.writable {
        return Err(PyTypeError::new_err(format!(
            "{context} takes writable memory: C writes there; this {} is read-only",
            type_name(value)
        )));
    }
    let bytes = count(context, &shape)?.saturating_mul(size);
    let code = numpy_code(&kind, size);
    // Exporters of untyped device memory say that it is bytes; arrays of bytes have a `dtype` too.
    let raw = size == 1
        && matches!(code, "b" | "B")
        && optional(value, pyo3::intern!(value.py(), "dtype"))?.is_none();
    check_elements(
        context,
        target,
        value,
        &Elements {
            code,
            size,
            bytes,
            raw,
        },
    )?;
    Ok(Address {
        address: found.unwrap_or(0),
        bytes: Some(bytes),
        hold: ArgumentHold::Argument,
    })
}

/// A typestr of the array interface as a code of the `struct` module.
fn numpy_code(kind: &str, size: usize) -> &'static str {
    match (kind.as_bytes().get(1), size) {
        _ if kind.starts_with('>') && size > 1 => "non-native byte order",
        (Some(b'b'), 1) => "?",
        (Some(b'i'), 1) => "b",
        (Some(b'i'), 2) => "h",
        (Some(b'i'), 4) => "i",
        (Some(b'i'), 8) => "q",
        (Some(b'u'), 1) => "B",
        (Some(b'u'), 2) => "H",
        (Some(b'u'), 4) => "I",
        (Some(b'u'), 8) => "Q",
        (Some(b'f'), 2) => "e",
        (Some(b'f'), 4) => "f",
        (Some(b'f'), 8) => "d",
        (Some(b'f'), 16) => "g",
        _ => "V",
    }
}

/// `DLTensor` of DLPack.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device: [i32; 2],
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *const i64,
    strides: *const i64,
    offset: u64,
}

fn of_dlpack(
    context: ArgumentContext<'_>,
    target: PointerTarget<'_>,
    value: &Bound<'_, PyAny>,
    export: &Bound<'_, PyAny>,
) -> PyResult<Address> {
    let capsule = export.call0()?;
    let tensor = capsule
        .cast::<PyCapsule>()?
        .pointer_checked(Some(c"dltensor"))
        .map_err(|_| {
            PyTypeError::new_err(format!(
                "{context}: __dlpack__ of {} must return a 'dltensor' capsule",
                type_name(value)
            ))
        })?;
    // SAFETY: a capsule of this name begins with a DLTensor, which lives as long as the capsule, which is held.
    let tensor = unsafe { tensor.cast::<Tensor>().as_ref() };
    let extents = |at: *const i64| match at.is_null() || tensor.ndim <= 0 {
        true => &[][..],
        // SAFETY: `ndim` of them.
        false => unsafe { std::slice::from_raw_parts(at, tensor.ndim as usize) },
    };
    let (shape, strides) = (extents(tensor.shape), extents(tensor.strides));
    if !tensor.strides.is_null() && !contiguous(shape, strides, 1) {
        return Err(PyTypeError::new_err(format!(
            "{context} takes contiguous memory, got {} with strides",
            type_name(value)
        )));
    }
    let size = (usize::from(tensor.bits) * usize::from(tensor.lanes)).div_ceil(8);
    let bytes = count(context, shape)?.saturating_mul(size);
    // kDLInt, kDLUInt, kDLFloat, kDLBool
    let kind = match tensor.code {
        0 => "|i",
        1 => "|u",
        2 => "|f",
        6 => "|b",
        _ => "|V",
    };
    let code = if tensor.lanes == 1 {
        numpy_code(kind, size)
    } else {
        "V"
    };
    check_elements(
        context,
        target,
        value,
        &Elements {
            code,
            size,
            bytes,
            raw: false,
        },
    )?;
    let found = (tensor.data as u64).wrapping_add(tensor.offset);
    Ok(Address {
        address: found,
        bytes: Some(bytes),
        hold: ArgumentHold::Object(capsule.unbind()),
    })
}
