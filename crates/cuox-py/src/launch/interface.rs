//! The dict of an array interface: CUDA's, and NumPy's, whose entries are the same but for `stream`.

use cuox::launch::Dtype;
use cuox_interpreter::describe::describe;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt};

use crate::stream::ConsumerStream;
use crate::support::names::type_name;

/// The attribute of arrays on a device.
pub const CUDA: &str = "__cuda_array_interface__";

/// That of arrays in host memory.
pub const HOST: &str = "__array_interface__";

/// What an object says of its array.
pub struct Interface<'a, 'py> {
    dict: &'a Bound<'py, PyDict>,
    /// The attribute, for errors.
    name: &'static str,
}

impl<'a, 'py> Interface<'a, 'py> {
    /// The value of the attribute `name`.
    pub fn of(value: &'a Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        let dict = value
            .cast::<PyDict>()
            .map_err(|_| PyTypeError::new_err(format!("{name} must be a dict")))?;
        Ok(Self { dict, name })
    }

    /// An entry that need not be there; None is as good as none.
    pub fn get(&self, key: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.dict.get_item(key)?.filter(|value| !value.is_none()))
    }

    /// An entry that must be there.
    pub fn item(&self, key: &str) -> PyResult<Bound<'py, PyAny>> {
        self.dict
            .get_item(key)?
            .ok_or_else(|| PyValueError::new_err(format!("{} has no '{key}'", self.name)))
    }

    /// The version; 0 if it is missing.
    pub fn version(&self) -> PyResult<i64> {
        match self.dict.get_item("version")? {
            Some(version) => version.extract(),
            None => Ok(0),
        }
    }

    /// The address, and whether that may only be read.
    pub fn data(&self) -> PyResult<(u64, bool)> {
        let data = self.item("data")?;
        let (address, read_only): (Option<u64>, bool) = data.extract().map_err(|_| {
            PyValueError::new_err(format!(
                "{}: 'data' must be a pair (address, read-only), the address an int of 0 to 2**64 - 1, got {data:?}",
                self.name
            ))
        })?;
        Ok((address.unwrap_or(0), read_only))
    }

    /// A tuple of sizes or strides.
    pub fn sizes(&self, key: &str) -> PyResult<Vec<i64>> {
        let (value, name) = (self.item(key)?, self.name);
        value.extract().map_err(|error: PyErr| {
            if error.is_instance_of::<PyOverflowError>(value.py()) {
                return PyOverflowError::new_err(format!(
                    "{name}: '{key}' has numbers that do not fit 64 bits: {value}"
                ));
            }
            PyTypeError::new_err(format!(
                "{name}: '{key}' must be a tuple of ints, got {}",
                type_name(&value)
            ))
        })
    }

    /// The error for elements of a type that is none.
    pub fn no_type(&self, text: &Bound<'_, PyAny>) -> PyErr {
        PyValueError::new_err(format!(
            "{}: 'typestr' must be a type such as '<f4', got {text:?}",
            self.name
        ))
    }

    /// The type of the elements.
    pub fn dtype(&self) -> PyResult<Dtype> {
        let text = self.item("typestr")?;
        let dtype = text
            .extract::<String>()
            .ok()
            .and_then(|text| Dtype::of_typestr(&text));
        dtype.ok_or_else(|| self.no_type(&text))
    }

    /// Puts the consumer's stream behind the one that the interface names.
    pub fn after_producer(&self, order: &ConsumerStream<'_>) -> PyResult<()> {
        let Some(stream) = self.get("stream")? else {
            return Ok(());
        };
        // 1 and 2 are the default streams, which the driver knows by the same numbers.
        let number = stream.extract::<u64>().map_err(|_| {
            let expected = format!(
                "{}: 'stream' must be a stream's handle, 1, 2 or None",
                self.name
            );
            match stream.is_instance_of::<PyInt>() {
                true => PyValueError::new_err(format!("{expected}, got {stream}")),
                false => PyTypeError::new_err(format!("{expected}, got {}", describe(&stream))),
            }
        })?;
        if number == 0 {
            return Err(PyValueError::new_err(format!(
                "{} has stream 0, which the interface forbids",
                self.name
            )));
        }
        order.after(number).map_err(|error| {
            let py = error.value(order.py);
            let text = format!("the array's {} names stream {number}: {py}", self.name);
            match py.setattr("args", (text,)) {
                Ok(()) => error,
                Err(other) => other,
            }
        })
    }
}

/// True if an interface is of a version that says on which stream its producer works.
pub fn names_streams(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    match Interface::of(value, CUDA) {
        Ok(interface) => Ok(interface.version()? >= 3),
        Err(_) => Ok(true),
    }
}
