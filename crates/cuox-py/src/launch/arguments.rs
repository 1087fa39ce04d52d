//! Python objects as a kernel's arguments: each object is told to the parameter's [`Slot`] as the number, memory or
//! bytes that it is.

use std::mem::MaybeUninit;

use cuox::Error;
use cuox::launch::{ArrayMemory, Dtype, ParamBuffer, Parameters, Refusal, Slot};
use cuox_interpreter::integer::is_truth;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyComplexMethods, PyInt};
use smallvec::SmallVec;

use super::pointer_like::PointerLike;
use super::{exchanged, foreign};
use crate::array::Array;
use crate::buffer::Buffer;
use crate::error::to_py;
use crate::stream::ConsumerStream;
use crate::support::host_view::HostView;
use crate::support::names::type_name;

/// Converts `objects` into `buffer`.
///
/// # Safety
/// `objects` are borrowed, non-null references to live Python objects.
#[inline]
pub unsafe fn pack(
    py: Python<'_>,
    parameters: &Parameters,
    objects: &[*mut ffi::PyObject],
    order: &ConsumerStream<'_>,
    buffer: &mut ParamBuffer,
) -> PyResult<()> {
    if objects.len() != parameters.len() {
        return Err(to_py(py, parameters.count_error(objects.len())));
    }
    let arguments = Arguments { parameters, order };
    let bytes = buffer.bytes(parameters);
    for (index, (&(slot, offset), object)) in parameters.slots().iter().zip(objects).enumerate() {
        let target = &mut bytes[offset as usize..];
        // SAFETY: a live object, as the caller promises.
        let object = unsafe { Bound::ref_from_ptr(py, object) };
        arguments.convert(index, slot, object, target)?;
    }
    Ok(())
}

/// True for objects that are no other library's, told by their class alone.
#[inline]
pub fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type_ptr();
    class == &raw mut ffi::PyLong_Type
        || class == &raw mut ffi::PyFloat_Type
        || object.is_exact_instance_of::<Array>()
        || object.is_exact_instance_of::<Buffer>()
}

/// The object that shows its bytes in place of another one, as for ctypes. Whether a parameter is a structure does not
/// matter: of code without PTX only the size is known.
fn in_its_place<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if object.is_instance_of::<PyInt>() {
        return Ok(None);
    }
    let other = object.getattr_opt(intern!(object.py(), "_as_parameter_"))?;
    // SAFETY: a live object.
    Ok(other.filter(|other| unsafe { ffi::PyObject_CheckBuffer(other.as_ptr()) } != 0))
}

/// The arguments of one launch.
pub struct Arguments<'a> {
    pub parameters: &'a Parameters,
    pub order: &'a ConsumerStream<'a>,
}

impl Arguments<'_> {
    /// Puts one object, the value of parameter `index`.
    #[inline]
    pub fn convert(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        let put = match slot {
            Slot::Pointer { .. } | Slot::PointerOrInt => {
                if let Ok(buffer) = object.cast_exact::<Buffer>() {
                    let address = buffer.get().pointer_for(self.order);
                    slot.put_address(self.named(index, address)?, target)
                } else if let Ok(array) = object.cast_exact::<Array>()
                    && let Some(memory) =
                        self.named(index, array.get().argument(self.order, slot.access()))?
                {
                    slot.put_array(&memory, target)
                } else if let Some(found) =
                    self.named(index, exchanged::pointer(object, self.order, slot.access()))?
                {
                    return self.put_pointer(index, slot, object, found, target);
                } else if let Ok(buffer) = object.cast::<Buffer>() {
                    let address = buffer.get().pointer_for(self.order);
                    slot.put_address(self.named(index, address)?, target)
                } else if let Ok(array) = object.cast::<Array>()
                    && let Some(memory) =
                        self.named(index, array.get().argument(self.order, slot.access()))?
                {
                    slot.put_array(&memory, target)
                } else {
                    return self.pointer(index, slot, object, target);
                }
            }
            Slot::F32 => slot.put_float(self.float(index, object)?, target),
            Slot::F64 => slot.put_float(self.float(index, object)?, target),
            Slot::F16 | Slot::BF16 => slot.put_float(self.float(index, object)?, target),
            Slot::Int {
                bits: 8 | 16 | 32 | 64,
                ..
            } => slot.put_integer(self.integer(index, object)?, target),
            Slot::Bool => match object.extract::<bool>() {
                Ok(value) => slot.put_bool(value, target),
                Err(_) => slot.put_integer(self.integer(index, object)?, target),
            },
            Slot::Int { .. } | Slot::Struct { .. } | Slot::Unknown(_) => {
                return self.bytes(index, slot, object, target);
            }
        };
        put.map_err(|refusal| self.refused(index, object, refusal))
    }

    /// A result whose error, if it is about the value, names the parameter.
    #[inline]
    fn named<T>(&self, index: usize, result: PyResult<T>) -> PyResult<T> {
        result.map_err(|error| self.in_parameter(index, error))
    }

    #[cold]
    fn in_parameter(&self, index: usize, error: PyErr) -> PyErr {
        let py = self.order.py;
        match self.parameters.shown(index) {
            // Its subclasses, of closed objects, say all.
            Some(parameter) if error.get_type(py).is(py.get_type::<PyValueError>()) => {
                PyValueError::new_err(format!("{parameter}: {}", error.value(py)))
            }
            _ => error,
        }
    }

    /// A Python number as `f64`; anything with `__float__` or `__index__`, but no text and no array.
    #[inline]
    fn float(&self, index: usize, object: &Bound<'_, PyAny>) -> PyResult<f64> {
        // SAFETY: a live object.
        let plain = unsafe {
            ffi::PyFloat_Check(object.as_ptr()) != 0 || ffi::PyLong_Check(object.as_ptr()) != 0
        };
        if !plain && (foreign::is_complex(object) || object.is_instance_of::<Array>()) {
            return Err(self.refused(index, object, Refusal::Kind));
        }
        // SAFETY: a live object; -1 with an exception set is the error return.
        let value = unsafe { ffi::PyFloat_AsDouble(object.as_ptr()) };
        if value == -1.0
            && let Some(error) = PyErr::take(object.py())
        {
            if error.is_instance_of::<PyOverflowError>(object.py())
                && object.is_instance_of::<PyInt>()
            {
                return Err(self.refused(index, object, Refusal::Range));
            }
            if !error.is_instance_of::<PyTypeError>(object.py()) {
                return Err(error);
            }
            if let Some(inner) = foreign::ctypes_value(object)? {
                return self.float(index, &inner);
            }
            return Err(self.refused(index, object, Refusal::Kind));
        }
        Ok(value)
    }

    /// A Python integer; anything with `__index__`, and the integers of ctypes.
    #[inline]
    fn integer(&self, index: usize, object: &Bound<'_, PyAny>) -> PyResult<i128> {
        let mut overflow = 0;
        // SAFETY: a live object.
        if unsafe { ffi::PyLong_Check(object.as_ptr()) } != 0 {
            // SAFETY: a live object that is an `int`; overflow is reported in `overflow`, with no exception.
            let value =
                unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut overflow) };
            if overflow == 0 {
                return Ok(i128::from(value));
            }
            return object
                .extract::<i128>()
                .map_err(|_| self.refused(index, object, Refusal::Range));
        }
        // NumPy warns of their `__index__` before version 2, and has none later.
        if is_truth(object) {
            return Ok(i128::from(object.is_truthy()?));
        }
        // SAFETY: a live object; null with an exception set is the error return.
        let number = unsafe {
            Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Index(object.as_ptr()))
        };
        match number {
            Ok(number) => self.integer(index, &number),
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => {
                match foreign::ctypes_value(object)? {
                    Some(inner) => self.integer(index, &inner),
                    None => Err(self.refused(index, object, Refusal::Kind)),
                }
            }
            Err(error) => Err(error),
        }
    }

    #[cold]
    fn pointer(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        let found = foreign::pointer(object, self.order, slot.access());
        self.put_pointer(index, slot, object, self.named(index, found)?, target)
    }

    /// Puts what an object points to.
    fn put_pointer(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        found: PointerLike,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        let put = match found {
            PointerLike::Address(address) => slot.put_address(address, target),
            PointerLike::Memory {
                address,
                read_only,
                dtype,
            } => {
                let array = ArrayMemory {
                    address,
                    read_only,
                    dtype,
                };
                slot.put_array(&array, target)
            }
            PointerLike::Masked => Err(Refusal::Masked),
            PointerLike::Host => Err(Refusal::HostMemory),
            PointerLike::Strided => Err(Refusal::Strided),
            // Eight bytes of which only the PTX is known may be a signed integer too.
            PointerLike::OutOfRange => match foreign::ctypes_value(object)?
                .as_ref()
                .unwrap_or(object)
                .extract::<i128>()
            {
                Ok(value) => slot.put_integer(value, target),
                Err(_) => Err(Refusal::Range),
            },
            PointerLike::Nothing if object.is_instance_of::<PyBool>() => {
                slot.put_bool(object.is_truthy()?, target)
            }
            PointerLike::Nothing => Err(Refusal::Kind),
        };
        put.map_err(|refusal| self.refused(index, object, refusal))
    }

    /// A structure: any object that shows its bytes (`bytes`, a NumPy record, a ctypes structure), or has another one
    /// to pass in its place, as for ctypes (`_as_parameter_`). A parameter that is no structure takes integers too.
    #[cold]
    fn bytes(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
        target: &mut [MaybeUninit<u8>],
    ) -> PyResult<()> {
        let is_struct = matches!(slot, Slot::Struct { .. });
        // From Python 3.12 on, device memory has a buffer where the device is the host.
        let put = if let Ok(buffer) = object.cast::<Buffer>()
            && !is_struct
        {
            slot.put_address(buffer.get().address()?, target)
        } else if object.is_instance_of::<Array>() && !is_struct {
            return self.pointer(index, slot, object, target);
        // SAFETY: a live object.
        } else if unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0 {
            let dtype = foreign::host_dtype(object);
            slot.put_bytes(HostView::new(object, false)?.bytes(), dtype, target)
        } else if let Some(parts) = self.complex_bytes(index, slot, object) {
            let dtype = Dtype::of_typestr(&format!("<c{}", parts.len()));
            slot.put_bytes(&parts, dtype, target)
        } else if let Some(other) = in_its_place(object)? {
            return self.bytes(index, slot, &other, target);
        } else if is_struct {
            Err(Refusal::Kind)
        } else {
            slot.put_integer(self.integer(index, object)?, target)
        };
        put.map_err(|refusal| self.refused(index, object, refusal))
    }

    /// The bytes of a complex number of Python's, if the parameter is a complex number in C++: its type says so, or the
    /// arguments of the kernel's template do, or it is a vector of two.
    fn complex_bytes(
        &self,
        index: usize,
        slot: Slot,
        object: &Bound<'_, PyAny>,
    ) -> Option<SmallVec<[u8; 16]>> {
        let number = object.cast::<PyComplex>().ok()?;
        let Slot::Struct { size, element } = slot else {
            return None;
        };
        let signature = self.parameters.signature();
        let ty = signature.params().get(index)?.type_text();
        let is_complex = [ty.as_str(), signature.name()]
            .iter()
            .any(|text| text.to_ascii_lowercase().contains("complex"));
        if !is_complex && element.is_none_or(|element| element.lanes != 2) {
            return None;
        }
        let parts = [number.real(), number.imag()];
        match size {
            8 => Some(
                parts
                    .iter()
                    .flat_map(|part| (*part as f32).to_le_bytes())
                    .collect(),
            ),
            16 => Some(parts.iter().flat_map(|part| part.to_le_bytes()).collect()),
            _ => None,
        }
    }

    /// The error for an object that the parameter does not take.
    #[cold]
    pub fn refused(&self, index: usize, object: &Bound<'_, PyAny>, refusal: Refusal) -> PyErr {
        let shown = match refusal {
            Refusal::Range => object.repr().ok().map(|text| text.to_string()),
            _ => None,
        };
        let shown = shown.unwrap_or_else(|| type_name(object));
        let mut error = self.parameters.refused(index, refusal, &shown);
        if let (Error::Argument(error), Some(Slot::Struct { .. } | Slot::Unknown(_))) =
            (&mut error, self.parameters.slot(index))
            && !matches!(refusal, Refusal::VectorElements { .. })
        {
            error.expected += " (bytes, a NumPy record or a ctypes structure)";
        }
        if let (Error::Argument(error), Refusal::Strided, true) =
            (&mut error, refusal, object.is_instance_of::<Array>())
        {
            error.got += ": array.copy()";
        }
        to_py(object.py(), error)
    }
}
