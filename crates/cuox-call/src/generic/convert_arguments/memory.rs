//! Memory that C writes, which the caller gives or this makes, its lengths, and copies of texts that C may change.

use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyString};

use crate::convert::memory::{self, ArgumentHold, PointerTarget};
use crate::convert::text;
use crate::errors::type_name;
use crate::generic::prepared::{PassedValue, PreparedCall};
use crate::objects::object_ref::{ObjectRef, as_c_object};
use crate::types::object::CLOSED;
use crate::types::scalar::Scalar;
use crate::types::value::{Element, Stored};

impl<'py> PreparedCall<'_, '_, 'py> {
    /// An output that the caller gave an object for.
    pub(super) fn fill(
        &mut self,
        index: usize,
        stored: &Stored,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let context = self.callable.context(index);
        let class = match stored {
            Stored::Handle { class, .. } | Stored::Record(class) | Stored::Pointer(class) => {
                Some(class)
            }
            _ => None,
        };
        if let (Some(class), Some(object)) = (class, as_c_object(value)) {
            // SAFETY: `object` is what `as_c_object` made of the live `value`; the GIL guards its words.
            unsafe {
                if !std::ptr::eq((*object).class, std::sync::Arc::as_ptr(class)) {
                    return Err(context.wrong_type(&format!("a {} to fill in", class.name), value));
                }
                if (*object).flags & CLOSED != 0 {
                    return Err(memory::closed(context, class));
                }
                let place = match stored {
                    Stored::Record(_) if (*object).value == 0 => {
                        return Err(context.wrong_type("a record that is not null", value));
                    }
                    Stored::Record(_) => (*object).value,
                    _ => ObjectRef { object: value }.location()? as u64,
                };
                self.values[index] = PassedValue::Integer(place);
            }
            return Ok(());
        }
        let element = match (stored, class) {
            (Stored::Scalar(scalar) | Stored::Enum(scalar, _), _) => Element::Scalar(*scalar),
            (Stored::Char, _) => Element::Scalar(Scalar::I8),
            (Stored::Text { .. }, _) => Element::Scalar(Scalar::Pointer),
            (_, Some(class)) => {
                return Err(context.wrong_type(&format!("a {} to fill in", class.name), value));
            }
            _ => Element::Untyped,
        };
        let target = PointerTarget {
            element: &element,
            writable: true,
            nullable: false,
        };
        let found = memory::memory(context, target, value)?;
        let size = self.callable.slots[index].map_or(0, |room| room.size);
        if let Some(bytes) = found.bytes.filter(|bytes| *bytes < size) {
            return Err(PyValueError::new_err(format!(
                "{context}: C writes {size} bytes there, got {} with {bytes}",
                type_name(value)
            )));
        }
        self.values[index] = PassedValue::Integer(found.address);
        self.holds.push(found.hold);
        Ok(())
    }

    /// A buffer that the caller gave for C to write to.
    pub(super) fn fill_buffer(
        &mut self,
        index: usize,
        text: bool,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let element = match text {
            true => Element::Scalar(Scalar::I8),
            false => Element::Untyped,
        };
        let target = PointerTarget {
            element: &element,
            writable: true,
            nullable: true,
        };
        let address = self.pointer(index, target, value)?;
        self.values[index] = PassedValue::Integer(address);
        Ok(())
    }

    pub(super) fn length(
        &mut self,
        index: usize,
        of: usize,
        unit: usize,
        scalar: Scalar,
    ) -> PyResult<()> {
        let context = self.callable.context(index);
        let parameter = &self.callable.signature.parameters[of].name;
        let Some(bytes) = self.extents[of] else {
            return Err(PyTypeError::new_err(format!(
                "{context} is the length of '{parameter}', which is not known for an address: pass a buffer or an array"
            )));
        };
        if !bytes.is_multiple_of(unit) {
            return Err(PyValueError::new_err(format!(
                "{}: the {bytes} bytes of parameter '{parameter}' are not a multiple of {unit}, the size of the units that '{}' counts",
                context.whole, context.name
            )));
        }
        let length = bytes / unit;
        if scalar.range().is_none_or(|(_, most)| length as i128 > most) {
            return Err(PyOverflowError::new_err(format!(
                "{context} cannot hold {length}, the length of '{parameter}'"
            )));
        }
        self.values[index] = PassedValue::Integer(length as u64);
        Ok(())
    }

    pub(super) fn buffer(&mut self, index: usize, length: usize, unit: usize) -> PyResult<()> {
        let context = self.callable.context(index);
        let count = self.count(length);
        let name = &self.callable.signature.parameters[length].name;
        let bytes = usize::try_from(count)
            .ok()
            .and_then(|count| count.checked_mul(unit))
            .filter(|bytes| *bytes <= isize::MAX as usize)
            .ok_or_else(|| {
                PyValueError::new_err(format!(
                    "{}: parameter '{name}' is the length of '{}' and cannot be {count}",
                    context.whole, context.name
                ))
            })?;
        let address = self.memory_of(index, bytes)?;
        self.values[index] = PassedValue::Integer(address);
        Ok(())
    }

    /// Zeroed memory for a parameter.
    pub(super) fn memory_of(&mut self, index: usize, bytes: usize) -> PyResult<u64> {
        let mut memory = Vec::new();
        // One byte more, so that text without a NUL ends, and so that an empty buffer has an address.
        if memory.try_reserve_exact(bytes + 1).is_err() {
            let context = self.callable.context(index);
            return Err(PyMemoryError::new_err(format!(
                "{}: no memory for {bytes} bytes of '{}'",
                context.whole, context.name
            )));
        }
        memory.resize(bytes + 1, 0);
        let address = memory.as_ptr() as u64;
        self.buffers.push((index, memory));
        Ok(address)
    }

    /// A copy of a text that C may change.
    pub(super) fn edited(
        &mut self,
        index: usize,
        room: Option<usize>,
        more: usize,
        found: &[u8],
    ) -> PyResult<u64> {
        let context = self.callable.context(index);
        if room.is_some_and(|room| found.len() > room) {
            return Err(PyValueError::new_err(format!(
                "{context} must have at most {} bytes, got {}",
                room.unwrap_or(0),
                found.len()
            )));
        }
        let size = room.unwrap_or(found.len()).saturating_add(more);
        let address = self.memory_of(index, size)?;
        // SAFETY: the text has that many bytes, and the memory as many or more.
        unsafe { std::ptr::copy_nonoverlapping(found.as_ptr(), address as *mut u8, found.len()) };
        self.measured(index, Some(found.len()));
        Ok(address)
    }

    /// The addresses of texts, and a null behind them.
    pub(super) fn texts(
        &mut self,
        index: usize,
        nullable: bool,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<u64> {
        let context = self.callable.context(index);
        if value.is_none() && nullable {
            self.measured(index, Some(0));
            return Ok(0);
        }
        if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
            return Err(context.wrong_type("a sequence of texts", value));
        }
        let Ok(items) = value.try_iter() else {
            return Err(context.wrong_type("a sequence of texts", value));
        };
        let mut addresses: Vec<u64> = Vec::new();
        for item in items {
            let item = item?;
            let Some(found) = text::text(context, &item)? else {
                return Err(context.wrong_type("a sequence of str, bytes or paths", &item));
            };
            // C may change its arguments, and Python's texts must stay as they are.
            // SAFETY: the text has that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts(found.address, found.length) };
            let copy = PyByteArray::new(self.py, bytes);
            addresses.push(copy.data() as u64);
            self.holds
                .push(ArgumentHold::Object(copy.into_any().unbind()));
        }
        self.measured(index, Some(addresses.len() * 8));
        addresses.push(0);
        let bytes: Vec<u8> = addresses
            .iter()
            .flat_map(|address| address.to_le_bytes())
            .collect();
        let array = self.memory_of(index, bytes.len())?;
        // SAFETY: the memory has room for as many bytes.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), array as *mut u8, bytes.len()) };
        Ok(array)
    }
}
