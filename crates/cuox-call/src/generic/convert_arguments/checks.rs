//! Values and memory that are refused before C sees them: the plan's checks, and extents.

use std::cmp::Ordering;

use cuox_bind::plan::Check;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::convert::memory::{self, MIN_ADDRESS};
use crate::errors::type_name;
use crate::generic::prepared::{PassedValue, PreparedCall};
use crate::signature::{Extent, Role};
use crate::types::scalar::Scalar;

impl PreparedCall<'_, '_, '_> {
    /// Refuses values that the plan does not pass on.
    #[inline]
    pub(super) fn check(&self) -> PyResult<()> {
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
    pub(super) fn reaches(&self, index: usize, extent: &Extent) -> PyResult<()> {
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
}
