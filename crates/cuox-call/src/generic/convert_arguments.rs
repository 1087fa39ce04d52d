//! Arguments converted as their parameters' roles say, and room for outputs.

use std::cmp::Ordering;

use crate::convert::memory::MIN_ADDRESS;
use crate::objects::object_ref::as_c_object;
use cuox_bind::plan::Check;
use cuox_interpreter::integer::is_integer;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyByteArray, PyBytes, PyInt, PyString, PyTuple};

use crate::callable;
use crate::callbacks::function_pointer::function_pointer;
use crate::convert::memory::{ArgumentHold, PointerTarget};
use crate::convert::{memory, number, text};
use crate::errors::{ArgumentContext, type_name};
use crate::generic::prepared::{PassedValue, PreparedCall};
use crate::interpreter::gil;
use crate::objects::complex;
use crate::objects::object_ref::ObjectRef;
use crate::signature::{Extent, Role};
use crate::types::callback_info::CallbackInfo;
use crate::types::class::{Class, Kind};
use crate::types::object::{CLOSED, CObject};
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

    /// Refuses values that the plan does not pass on.
    #[inline]
    fn check(&self) -> PyResult<()> {
        for (index, parameter) in self.callable.signature.parameters.iter().enumerate() {
            if let Some(check) = parameter.check
                && !self.passes(index, &parameter.role, check)
            {
                let given = self.given.arguments[index].map_or_else(String::new, |value| {
                    value
                        .repr()
                        .map_or_else(|_| type_name(value), |text| text.to_string())
                });
                let said = check.message();
                let error = match check {
                    Check::NonNull => PyTypeError::new_err(said),
                    _ => PyValueError::new_err(said),
                };
                // The message is SWIG's; programs may compare it.
                let more = format!(
                    "{} must be {}, got {given}",
                    self.callable.context(index),
                    check.words()
                );
                error
                    .value(self.py)
                    .call_method1(pyo3::intern!(self.py, "add_note"), (more,))?;
                return Err(error);
            }
        }
        Ok(())
    }

    fn passes(&self, index: usize, role: &Role, check: Check) -> bool {
        let order = match (role, self.values[index]) {
            (Role::Scalar(Scalar::F32), PassedValue::Vector(bits)) => {
                f64::from(f32::from_bits(bits as u32)).partial_cmp(&0.0)
            }
            (Role::Scalar(Scalar::F64), PassedValue::Vector(bits)) => {
                f64::from_bits(bits).partial_cmp(&0.0)
            }
            (Role::Scalar(_), PassedValue::Integer(_)) => Some(self.count(index).cmp(&0)),
            (_, PassedValue::Integer(address)) => {
                return match check {
                    Check::Aligned(bytes) => address.is_multiple_of(u64::from(bytes)),
                    Check::NonNull | Check::NonZero => address != 0,
                    _ => true,
                };
            }
            // Numbers of other sizes are checked by nobody.
            _ => return true,
        };
        match check {
            Check::Positive => order == Some(Ordering::Greater),
            Check::Negative => order == Some(Ordering::Less),
            Check::NonZero => order != Some(Ordering::Equal),
            Check::NonNegative => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            Check::NonPositive => matches!(order, Some(Ordering::Less | Ordering::Equal)),
            Check::NonNull | Check::Aligned(_) => true,
        }
    }

    /// Refuses memory that is known to be shorter than what C reads or writes there.
    fn reaches(&self, index: usize, extent: &Extent) -> PyResult<()> {
        let given = self.given.arguments[index].filter(|argument| !argument.is_none());
        let Some(given) = given else {
            return Ok(());
        };
        let needed = extent.bytes(|index| self.count(index));
        if let PassedValue::Integer(address @ 1..MIN_ADDRESS) = self.values[index]
            && needed > 0
        {
            return Err(memory::no_memory(self.callable.context(index), address));
        }
        let Some(bytes) = self.extents[index] else {
            return Ok(());
        };
        if bytes as i128 >= needed {
            return Ok(());
        }
        let parameters = &self.callable.signature.parameters;
        let told: Vec<String> = extent
            .counts()
            .map(|index| format!("'{}' is {}", parameters[index].name, self.count(index)))
            .collect();
        let told = match told.is_empty() {
            true if extent.unit > 1 => format!(" ({} elements)", extent.plus),
            true => String::new(),
            false => format!(" ({})", told.join(", ")),
        };
        let uses = match parameters[index].role {
            Role::Pointer {
                writable: false, ..
            } => "reads",
            _ => "writes",
        };
        let context = self.callable.context(index);
        Err(PyValueError::new_err(format!(
            "{context}: C {uses} {needed} bytes there{told}, got {} with {bytes}",
            type_name(given)
        )))
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
        let found = memory::memory(context, target, value)?;
        self.measured(index, found.bytes);
        if let Some(object) = as_c_object(value) {
            // SAFETY: a live object of that layout; the owner has a word for each parameter.
            unsafe {
                let passes_value = found.address == (*object).value && found.address != 0;
                if passes_value && memory::object_fits(&*(*object).class, target.element) {
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

    /// An output that the caller gave an object for.
    fn fill(&mut self, index: usize, stored: &Stored, value: &Bound<'py, PyAny>) -> PyResult<()> {
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
    fn fill_buffer(&mut self, index: usize, text: bool, value: &Bound<'py, PyAny>) -> PyResult<()> {
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

    fn length(&mut self, index: usize, of: usize, unit: usize, scalar: Scalar) -> PyResult<()> {
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

    fn buffer(&mut self, index: usize, length: usize, unit: usize) -> PyResult<()> {
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
    fn memory_of(&mut self, index: usize, bytes: usize) -> PyResult<u64> {
        let mut memory = Vec::new();
        // One byte more, so that text without a NUL ends, and so that an empty buffer has an address.
        if memory.try_reserve_exact(bytes + 1).is_err() {
            let context = self.callable.context(index);
            return Err(pyo3::exceptions::PyMemoryError::new_err(format!(
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
    fn edited(
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
    fn texts(&mut self, index: usize, nullable: bool, value: &Bound<'py, PyAny>) -> PyResult<u64> {
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

/// The bytes of a `str` (as UTF-8) or of `bytes`, NULs among them.
fn binary(value: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(Some(text.to_str()?.as_bytes().to_vec()));
    }
    Ok(value
        .cast::<PyBytes>()
        .ok()
        .map(|bytes| bytes.as_bytes().to_vec()))
}

/// True for what is a number by itself.
fn number_like(value: &Bound<'_, PyAny>) -> bool {
    // SAFETY: `value` is a `Bound`, so a live object with the GIL held.
    let number = unsafe { ffi::PyNumber_Check(value.as_ptr()) } != 0;
    number && as_c_object(value).is_none() && !value.hasattr("__len__").unwrap_or(false)
}

/// A number, or the value of an integer handle or pointer object.
#[inline]
fn scalar_of(
    context: ArgumentContext<'_>,
    scalar: Scalar,
    value: &Bound<'_, PyAny>,
) -> PyResult<u128> {
    if scalar == Scalar::Pointer {
        let target = PointerTarget {
            element: &Element::Untyped,
            writable: false,
            nullable: true,
        };
        return Ok(u128::from(memory::memory(context, target, value)?.address));
    }
    number::scalar(context, scalar, value)
}

/// The driver's type of addresses on a device.
const DEVICE_POINTER: &str = "CUdeviceptr";

/// A handle's value, and the object that it came from.
#[inline]
fn handle(
    context: ArgumentContext<'_>,
    class: &Class,
    nullable: bool,
    value: &Bound<'_, PyAny>,
) -> PyResult<(u64, Option<*mut CObject>)> {
    let Kind::Handle(kind) = &class.kind else {
        return Err(context.wrong_type("a handle", value));
    };
    let null = || PyTypeError::new_err(format!("{context} must not be a null {}", class.name));
    if value.is_none() {
        return if nullable {
            Ok((0, None))
        } else {
            Err(PyTypeError::new_err(format!(
                "{context} must not be None: C needs a {}",
                class.name
            )))
        };
    }
    if let Some(object) = as_c_object(value) {
        // SAFETY: `object` is what `as_c_object` made of the live `value`; the GIL guards its words.
        let (found, flags) = unsafe { ((*object).class, (*object).flags) };
        let stored = ObjectRef { object: value }.value();
        // SAFETY: a class lives as long as its objects.
        let same =
            std::ptr::eq(found, class) || kind.takes_int && unsafe { &*found }.is_as_plain(class);
        if !same {
            return Err(context.wrong_type(&format!("a {}", class.name), value));
        }
        if flags & CLOSED != 0 {
            return Err(memory::closed(context, class));
        }
        if stored == 0 && kind.scalar == Scalar::Pointer && !nullable {
            return Err(null());
        }
        return Ok((stored, Some(object)));
    }
    if kind.takes_int && is_integer(value) {
        let bits = match kind.scalar {
            Scalar::Pointer => u128::from(memory::address(context, value)?),
            scalar => number::scalar(context, scalar, value)?,
        };
        if bits == 0 && kind.scalar == Scalar::Pointer && !nullable {
            return Err(null());
        }
        return Ok((bits as u64, None));
    }
    let is_device_pointer = class.c_type == DEVICE_POINTER;
    // A number to C, an address to its readers.
    if is_device_pointer && let Some(address) = memory::device_pointer(context, value)? {
        return Ok((address, None));
    }
    let mut takes = format!("a {}", class.name);
    if kind.takes_int {
        takes.push_str(" or its value as an int");
    }
    if is_device_pointer {
        takes.push_str(", an array on the device");
    }
    if nullable {
        takes.push_str(" or None");
    }
    Err(context.wrong_type(&takes, value))
}

/// The address of a record's bytes, and a hold on the record if it was made of a tuple or a dict.
#[inline]
fn record(
    context: ArgumentContext<'_>,
    class: &Class,
    value: &Bound<'_, PyAny>,
) -> PyResult<(*const u8, Option<ArgumentHold>)> {
    if let Some(part) = class.complex_part() {
        let made = class.python.bind(value.py()).call0()?;
        let address = ObjectRef { object: &made }.address()?;
        // SAFETY: the new record has room for both parts.
        return match unsafe { complex::write(part, address, value)? } {
            Some(()) => Ok((
                address as *const u8,
                Some(ArgumentHold::Object(made.unbind())),
            )),
            None => Err(context.wrong_type("a complex number", value)),
        };
    }
    let own = |value: &Bound<'_, PyAny>| {
        // SAFETY: `as_c_object` answers only for live objects that begin with a `CObject`; the GIL guards its words.
        as_c_object(value).filter(|object| unsafe { std::ptr::eq((**object).class, class) })
    };
    let made = match (own(value), class.record_of(value)) {
        (Some(_), _) => None,
        (None, Some(made)) => Some(made.map_err(|error| context.inside(value.py(), error))?),
        (None, None) => {
            return Err(context.wrong_type(&format!("a {}, a tuple or a dict", class.name), value));
        }
    };
    let object = own(made.as_ref().unwrap_or(value));
    // SAFETY: `object` came from `own`, so it is a live record, which `value` or `made` keeps alive.
    match object.map_or(0, |object| unsafe { (*object).value }) {
        0 => Err(memory::closed(context, class)),
        address => Ok((
            address as *const u8,
            made.map(|made| ArgumentHold::Object(made.unbind())),
        )),
    }
}

/// The address of a C function, as an int, or a number that means something in the header, such as `SIG_IGN` and
/// `SQLITE_TRANSIENT`.
fn function_address(
    context: ArgumentContext<'_>,
    info: &CallbackInfo,
    value: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    match value.extract::<i64>() {
        Ok(number) if info.stands_for_function(number) => return Ok(number as u64),
        Ok(_) => {}
        Err(_) => return memory::address(context, value),
    }
    Err(PyTypeError::new_err(format!(
        "{context} must be a callable or a function's address, got {value}"
    )))
}
