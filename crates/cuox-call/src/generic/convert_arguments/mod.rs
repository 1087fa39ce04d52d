//! Arguments converted as their parameters' roles say, and room for outputs.
//!
//! `values.rs` converts single values, `memory.rs` what C writes and how long it is, `checks.rs` refuses what does not
//! fit.

mod checks;
mod memory;
mod values;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyTuple};

use self::values::{binary, function_address, handle, number_like, record, scalar_of};
use crate::callable;
use crate::callbacks::function_pointer::function_pointer;
use crate::convert::memory::{ArgumentHold, PointerTarget, memory, object_fits};
use crate::convert::{number, text};
use crate::errors::ArgumentContext;
use crate::generic::prepared::{PassedValue, PreparedCall};
use crate::interpreter::gil;
use crate::objects::object_ref::as_c_object;
use crate::signature::{Extent, Role};
use crate::types::class::Kind;
use crate::types::scalar::Scalar;
use crate::types::value::{Element, Stored};

impl<'py> PreparedCall<'_, '_, 'py> {
    /// Converts all arguments: first those that may run Python code, then objects of C values, which such code could
    /// have closed; then those that depend on others.
    #[inline]
    pub fn convert(&mut self) -> PyResult<()> {
        let parameters = &self.callable.signature.parameters;
        let mut objects = false;
        for (index, parameter) in parameters.iter().enumerate() {
            match (self.given.arguments[index], &parameter.role) {
                (Some(argument), _) if as_c_object(argument).is_some() => objects = true,
                (Some(argument), Role::Output(stored)) => self.fill(index, stored, argument)?,
                (Some(argument), Role::OutputBuffer { text, .. }) => {
                    self.fill_buffer(index, *text, argument)?
                }
                (Some(argument), role) => self.argument(index, role, argument)?,
                (None, Role::Output(_) | Role::OutputText { .. } | Role::Counter(_)) => {
                    self.values[index] = PassedValue::Integer(self.room(index))
                }
                (None, Role::OutputRoom { size, .. }) => {
                    let address = self.memory_of(index, *size)?;
                    self.values[index] = PassedValue::Integer(address);
                }
                (None, Role::Rest) => {
                    let rest = PyTuple::new(self.py, self.given.more)?.into_any();
                    self.values[index] = PassedValue::Integer(rest.as_ptr() as u64);
                    self.holds.push(ArgumentHold::Object(rest.unbind()));
                }
                (None, Role::Fixed(scalar, value)) => {
                    self.values[index] = PassedValue::scalar(*scalar, u128::from(*value))
                }
                (None, _) => {}
            }
        }
        if !objects && !self.callable.measures {
            return self.check();
        }
        for (index, parameter) in parameters.iter().enumerate() {
            match (self.given.arguments[index], &parameter.role) {
                (Some(argument), Role::Output(stored)) if as_c_object(argument).is_some() => {
                    self.fill(index, stored, argument)?
                }
                (Some(argument), Role::OutputBuffer { text, .. })
                    if as_c_object(argument).is_some() =>
                {
                    self.fill_buffer(index, *text, argument)?
                }
                (Some(argument), role) if as_c_object(argument).is_some() => {
                    self.argument(index, role, argument)?
                }
                _ => {}
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if let Role::Length { of, unit, scalar } = &parameter.role {
                self.length(index, *of, *unit, *scalar)?;
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            match &parameter.role {
                Role::OutputBuffer { length, unit, .. }
                    if self.given.arguments[index].is_some() =>
                {
                    let extent = Extent {
                        of: Some(*length),
                        plus: 0,
                        unit: *unit,
                        rows: None,
                    };
                    self.reaches(index, &extent)?;
                }
                Role::OutputBuffer { length, unit, .. } => self.buffer(index, *length, *unit)?,
                _ => {}
            }
            if let Some(extent) = &parameter.extent {
                self.reaches(index, extent)?;
            }
        }
        self.check()
    }

    #[inline]
    fn measured(&mut self, index: usize, bytes: Option<usize>) {
        if let Some(extent) = self.extents.get_mut(index) {
            *extent = bytes;
        }
    }

    #[inline]
    fn store(&mut self, index: usize, bytes: &[u8]) {
        let Some(room) = self.callable.slots[index] else {
            return;
        };
        let length = bytes.len().min(room.size);
        // SAFETY: the storage has room for it there.
        unsafe {
            let to = self.storage.as_mut_ptr().cast::<u8>().add(room.offset);
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, length);
        }
    }

    #[inline]
    fn argument(&mut self, index: usize, role: &Role, value: &Bound<'py, PyAny>) -> PyResult<()> {
        let callable = self.callable;
        let context = callable.context(index);
        self.values[index] = match role {
            Role::Scalar(scalar) => {
                PassedValue::scalar(*scalar, scalar_of(context, *scalar, value)?)
            }
            Role::Char => PassedValue::Integer(number::character(context, value)?),
            Role::Text { nullable } => PassedValue::Integer(self.text(index, *nullable, value)?),
            Role::Pointer {
                to,
                writable,
                nullable,
            } => {
                let target = PointerTarget {
                    element: to,
                    writable: *writable,
                    nullable: *nullable,
                };
                PassedValue::Integer(self.pointer(index, target, value)?)
            }
            Role::Handle {
                class,
                nullable,
                consumed,
                by_address,
            } => {
                let (address, object) = handle(context, class, *nullable, value)?;
                if let Some(object) = object {
                    if *consumed {
                        self.consumed.push(object);
                    }
                    // SAFETY: the owner has a word for each parameter.
                    unsafe { callable::remember(self.owner, index, value.as_ptr()) }
                }
                if *by_address && !value.is_none() {
                    self.store(index, &address.to_le_bytes());
                    PassedValue::Integer(self.room(index))
                } else {
                    PassedValue::Integer(address)
                }
            }
            Role::Record(class) => {
                let (address, hold) = record(context, class, value)?;
                self.holds.extend(hold);
                PassedValue::Record(address)
            }
            Role::Callback {
                info,
                nullable,
                persistent,
            } => {
                if value.is_none() {
                    if !*nullable {
                        return Err(PyTypeError::new_err(format!(
                            "{context} must not be None: C calls what is given there"
                        )));
                    }
                    PassedValue::Integer(0)
                } else if value.is_instance_of::<PyInt>() && !value.is_instance_of::<PyBool>() {
                    let address = function_address(context, info, value)?;
                    gil::assume_callbacks();
                    PassedValue::Integer(address)
                } else if let Some(object) = as_c_object(value)
                    // SAFETY: a live object of that layout; classes live as long as the process.
                    && !matches!(unsafe { &(*(*object).class).kind }, Kind::Callback(_))
                {
                    let target = PointerTarget {
                        element: &Element::Untyped,
                        writable: false,
                        nullable: *nullable,
                    };
                    gil::assume_callbacks();
                    PassedValue::Integer(self.pointer(index, target, value)?)
                } else if value.is_callable() {
                    let (address, hold) = function_pointer(self.py, info, value, *persistent)
                        .map_err(|error| match error.is_instance_of::<PyTypeError>(self.py) {
                            true => {
                                PyTypeError::new_err(format!("{context}: {}", error.value(self.py)))
                            }
                            false => error,
                        })?;
                    if as_c_object(value).is_some() {
                        // SAFETY: the owner has a word for each parameter.
                        unsafe { callable::remember(self.owner, index, value.as_ptr()) }
                    }
                    self.holds.extend(hold.map(ArgumentHold::Object));
                    PassedValue::Integer(address)
                } else {
                    return Err(context.wrong_type("a callable", value));
                }
            }
            Role::InOut(stored) => {
                self.in_out(index, context, stored, value)?;
                PassedValue::Integer(self.room(index))
            }
            Role::Pointed(stored) => match number_like(value) {
                true => {
                    self.in_out(index, context, stored, value)?;
                    PassedValue::Integer(self.room(index))
                }
                // Memory with such a value.
                false => {
                    let element = match stored {
                        Stored::Scalar(scalar) | Stored::Enum(scalar, _) => {
                            Element::Scalar(*scalar)
                        }
                        _ => Element::Untyped,
                    };
                    let target = PointerTarget {
                        element: &element,
                        writable: false,
                        nullable: false,
                    };
                    PassedValue::Integer(self.pointer(index, target, value)?)
                }
            },
            Role::Edited {
                returned,
                nullable,
                room,
                more,
            } => {
                // A length that goes with it counts NULs, too.
                let bytes = match !*returned && self.callable.measures {
                    true => binary(value)?,
                    false => None,
                };
                let copied = match (*returned, bytes) {
                    (_, Some(bytes)) => Some(self.edited(index, None, *more, &bytes)?),
                    (_, None) if value.is_none() => None,
                    (returned, None) => match text::text(context, value)? {
                        Some(found) => {
                            // SAFETY: the text has that many bytes.
                            let bytes =
                                unsafe { std::slice::from_raw_parts(found.address, found.length) };
                            Some(self.edited(index, *room, *more, bytes)?)
                        }
                        None if returned => {
                            return Err(context.wrong_type("str, bytes or a path", value));
                        }
                        None => None,
                    },
                };
                if *returned && copied.is_none() {
                    return Err(context.wrong_type("str, bytes or a path", value));
                }
                let target = PointerTarget {
                    element: &Element::Scalar(Scalar::I8),
                    writable: true,
                    nullable: *nullable,
                };
                PassedValue::Integer(match copied {
                    Some(address) => address,
                    None => self.pointer(index, target, value)?,
                })
            }
            Role::Texts { nullable } => PassedValue::Integer(self.texts(index, *nullable, value)?),
            // The caller keeps it alive.
            Role::Object => PassedValue::Integer(value.as_ptr() as u64),
            // The caller gives no argument for these.
            Role::Output(_)
            | Role::OutputBuffer { .. }
            | Role::OutputRoom { .. }
            | Role::OutputText { .. }
            | Role::Counter(_)
            | Role::Rest
            | Role::Length { .. }
            | Role::Fixed(..) => {
                return Ok(());
            }
        };
        Ok(())
    }

    #[inline]
    fn pointer(
        &mut self,
        index: usize,
        target: PointerTarget<'_>,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<u64> {
        let context = self.callable.context(index);
        let found = memory(context, target, value)?;
        self.measured(index, found.bytes);
        if let Some(object) = as_c_object(value) {
            // SAFETY: a live object of that layout; the owner has a word for each parameter.
            unsafe {
                let passes_value = found.address == (*object).value && found.address != 0;
                if passes_value && object_fits(&*(*object).class, target.element) {
                    callable::remember(self.owner, index, value.as_ptr());
                }
            }
        }
        if !matches!(found.hold, ArgumentHold::Argument) {
            self.holds.push(found.hold);
        }
        Ok(found.address)
    }

    #[inline]
    fn text(&mut self, index: usize, nullable: bool, value: &Bound<'py, PyAny>) -> PyResult<u64> {
        let context = self.callable.context(index);
        if value.is_none() {
            if nullable {
                self.measured(index, Some(0));
                return Ok(0);
            }
            return Err(PyTypeError::new_err(format!(
                "{context} must not be None: C reads text there"
            )));
        }
        if let Some(found) = text::text(context, value)? {
            self.measured(index, Some(found.length));
            self.holds.push(ArgumentHold::Object(found.object.unbind()));
            return Ok(found.address as u64);
        }
        if as_c_object(value).is_some() {
            let target = PointerTarget {
                element: &Element::Scalar(Scalar::I8),
                writable: false,
                nullable,
            };
            return self.pointer(index, target, value);
        }
        let takes = if nullable {
            "str, bytes, a path or None"
        } else {
            "str, bytes or a path"
        };
        Err(context.wrong_type(takes, value))
    }

    fn in_out(
        &mut self,
        index: usize,
        context: ArgumentContext<'_>,
        stored: &Stored,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        match stored {
            Stored::Scalar(scalar) | Stored::Enum(scalar, _) => {
                let bits = scalar_of(context, *scalar, value)?;
                self.store(index, &bits.to_le_bytes());
            }
            Stored::Char => {
                let byte = number::character(context, value)?;
                self.store(index, &byte.to_le_bytes());
            }
            Stored::Handle { class, .. } => {
                let (address, _) = handle(context, class, true, value)?;
                self.store(index, &address.to_le_bytes());
            }
            Stored::Pointer(class) => {
                let element = match &class.kind {
                    Kind::Pointer(element) => element.clone(),
                    _ => Element::Untyped,
                };
                let target = PointerTarget {
                    element: &element,
                    writable: false,
                    nullable: true,
                };
                let address = self.pointer(index, target, value)?;
                self.store(index, &address.to_le_bytes());
            }
            Stored::Record(class) => {
                let (bytes, hold) = record(context, class, value)?;
                self.holds.extend(hold);
                let size = self.callable.slots[index].map_or(0, |room| room.size);
                // SAFETY: a record's value is the address of that many bytes.
                self.store(index, unsafe { std::slice::from_raw_parts(bytes, size) });
            }
            // Refused when the callable was made.
            Stored::Text { .. } | Stored::Callback(_) => {}
        }
        Ok(())
    }
}
