//! Registers and stack places of a callback's arguments and result.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::types::abi::{ArgLocation, CallbackLocations, CallbackResultLocation, Passing};
use crate::types::callback_info::{CallbackInfo, CallbackValue};
use crate::types::scalar::Scalar;
use crate::types::value::Stored;

/// The way one value is passed.
fn passing(value: &CallbackValue) -> Passing {
    match value {
        CallbackValue::UserData => Passing::Registers(vec![false]),
        CallbackValue::Stored(stored) => match stored {
            Stored::Scalar(Scalar::F32 | Scalar::F64) => Passing::Registers(vec![true]),
            Stored::Scalar(Scalar::I128 | Scalar::U128) => Passing::Registers(vec![false; 2]),
            Stored::Scalar(Scalar::Long) => Passing::Memory,
            Stored::Record(class) => match class.as_record() {
                Some(record) => record.passing().clone(),
                None => Passing::Refused("it is not a record"),
            },
            _ => Passing::Registers(vec![false]),
        },
    }
}

impl CallbackInfo {
    /// The places of its values; an error if they cannot be passed.
    pub(crate) fn locations(&self) -> PyResult<&CallbackLocations> {
        if let Some(known) = self.locations.get() {
            return Ok(known);
        }
        let refuse = |what: &str, why: &str| {
            PyTypeError::new_err(format!(
                "{}: {what} cannot be passed by value: {why}",
                self.name
            ))
        };
        let (mut general, mut vector) = (0, 0);
        let result_location = match &self.result {
            None => CallbackResultLocation::Nothing,
            Some(CallbackValue::Stored(Stored::Scalar(Scalar::Long))) => {
                CallbackResultLocation::X87
            }
            Some(value) => match passing(value) {
                Passing::Registers(registers) => CallbackResultLocation::Registers(registers),
                Passing::Memory => {
                    general = 1;
                    CallbackResultLocation::Memory
                }
                Passing::Refused(why) => return Err(refuse("the result", why)),
            },
        };
        let mut arguments = Vec::new();
        for (name, value) in &self.parameters {
            let (size, align) = match value {
                CallbackValue::UserData => (8, 8),
                CallbackValue::Stored(stored) => (stored.size(), stored.align()),
            };
            let stack = ArgLocation::Stack {
                size,
                align: align.max(8),
            };
            arguments.push(match passing(value) {
                Passing::Memory => stack,
                Passing::Refused(why) => return Err(refuse(&format!("parameter '{name}'"), why)),
                Passing::Registers(registers) => {
                    let vectors = registers.iter().filter(|vector| **vector).count();
                    // A value is in registers as a whole, or not at all.
                    if general + registers.len() - vectors > 6 || vector + vectors > 8 {
                        stack
                    } else {
                        ArgLocation::Registers(
                            registers
                                .iter()
                                .map(|is_vector| {
                                    let next = if *is_vector {
                                        &mut vector
                                    } else {
                                        &mut general
                                    };
                                    *next += 1;
                                    (*is_vector, *next - 1)
                                })
                                .collect(),
                        )
                    }
                }
            });
        }
        let result_type = match &self.result {
            Some(CallbackValue::Stored(stored)) => stored.c_type(),
            _ => String::new(),
        };
        Ok(self.locations.get_or_init(|| CallbackLocations {
            arguments,
            result: result_location,
            result_type,
        }))
    }
}
