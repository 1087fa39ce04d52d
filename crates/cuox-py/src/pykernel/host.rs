//! The program around a kernel: `cuox._internal.kernel_environment` tells what names mean, in tuples that are read
//! here.

use std::sync::Arc;

use cuox_pykernel::host::{
    ArrayOrder, External, FunctionId, FunctionSource, Host, ObjectId, ObjectKind, Value, Within,
};
use cuox_pykernel::types::Type;
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyTuple};

use super::tree::Reader;

/// The environment of one kernel.
pub struct PythonHost<'py> {
    environment: Bound<'py, PyAny>,
    /// An exception of Python's on the way; it is raised once the compiler is done.
    pub raised: Option<PyErr>,
}

impl<'py> PythonHost<'py> {
    pub fn new(environment: Bound<'py, PyAny>) -> Self {
        Self {
            environment,
            raised: None,
        }
    }

    /// What a method of the environment answers for an object and a value.
    fn asked_with(
        &mut self,
        method: &Bound<'py, PyString>,
        object: ObjectId,
        value: &Value,
    ) -> Option<Value> {
        let answer = key(self.environment.py(), value)
            .and_then(|value| self.environment.call_method1(method, (object.0, value)));
        self.asked(answer)
    }

    fn asked(&mut self, answer: PyResult<Bound<'py, PyAny>>) -> Option<Value> {
        match answer.and_then(|answer| {
            if answer.is_none() {
                Ok(None)
            } else {
                value(&answer).map(Some)
            }
        }) {
            Ok(value) => value,
            Err(error) => {
                self.raised.get_or_insert(error);
                None
            }
        }
    }
}

pub fn read_type(code: &Bound<'_, PyAny>) -> PyResult<Type> {
    let code: String = code.extract()?;
    Type::parse(&code)
        .ok_or_else(|| PyValueError::new_err(format!("{code:?} is not a type that kernels know")))
}

/// The order of a captured array: `True` for Fortran's, `False` for C's, or the strides and the first element's offset.
fn array_order(told: &Bound<'_, PyAny>) -> PyResult<ArrayOrder> {
    if let Ok((strides, first)) = told.extract() {
        return Ok(ArrayOrder::Strides(strides, first));
    }
    Ok(match told.extract()? {
        true => ArrayOrder::Fortran,
        false => ArrayOrder::C,
    })
}

/// A value as the environment tells it.
pub fn value(told: &Bound<'_, PyAny>) -> PyResult<Value> {
    let told = told.cast::<PyTuple>()?;
    let kind = told.get_item(0)?;
    let kind: String = kind.extract()?;
    let item = |index| told.get_item(index);
    let all = |items: Bound<'_, PyAny>| -> PyResult<Vec<Value>> {
        items.try_iter()?.map(|item| value(&item?)).collect()
    };
    Ok(match kind.as_str() {
        "none" => Value::None,
        "bool" => Value::Bool(item(1)?.extract()?),
        "int" => Value::Int(item(1)?.extract()?),
        "float" => Value::Float(item(1)?.extract()?),
        "complex" => Value::Complex(item(1)?.extract()?, item(2)?.extract()?),
        "typed" => Value::Typed(read_type(&item(1)?)?, Box::new(value(&item(2)?)?)),
        "str" => Value::Str(item(1)?.extract()?),
        "bytes" => Value::Bytes(item(1)?.extract()?),
        "tuple" => Value::Tuple(all(item(1)?)?),
        "slice" => match <[Value; 3]>::try_from(all(item(1)?)?) {
            Ok(parts) => Value::Slice(Box::new(parts)),
            Err(_) => return Err(PyValueError::new_err("a slice has three parts")),
        },
        "range" => Value::Range(
            item(1)?.extract()?,
            item(2)?.extract()?,
            item(3)?.extract()?,
        ),
        "path" => Value::Path(item(1)?.extract()?),
        "type" => Value::Type(read_type(&item(1)?)?),
        "function" => Value::Function(FunctionId(item(1)?.extract()?)),
        "namedtuple" => {
            let names: Vec<String> = item(2)?.extract()?;
            let types = item(3)?.try_iter()?.map(|ty| {
                let ty = ty?;
                (!ty.is_none()).then(|| read_type(&ty)).transpose()
            });
            let types = types.collect::<PyResult<Vec<_>>>()?;
            Value::NamedTuple(item(1)?.extract()?, names.into_iter().zip(types).collect())
        }
        "array" => Value::Array {
            element: read_type(&item(1)?)?,
            shape: item(2)?.extract()?,
            data: item(3)?.cast::<PyBytes>()?.as_bytes().to_vec(),
            order: array_order(&item(4)?)?,
        },
        "record" => Value::Record(
            read_type(&item(1)?)?,
            item(2)?.cast::<PyBytes>()?.as_bytes().to_vec(),
        ),
        "state" => Value::State(item(1)?.extract()?, read_type(&item(2)?)?),
        "struct" => {
            let names: Vec<String> = item(2)?.extract()?;
            let values = all(item(3)?)?;
            Value::Struct(item(1)?.extract()?, names.into_iter().zip(values).collect())
        }
        "collective" => Value::Collective(Arc::new(super::collective::read(
            item(1)?.cast::<PyTuple>()?,
        )?)),
        _ => Value::Object(ObjectId(item(1)?.extract()?), item(2)?.extract()?),
    })
}

/// A value as Python's object, for keys of items.
fn key<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Str(value) => value.into_pyobject(py)?.into_any(),
        Value::Tuple(items) => {
            let items: Vec<_> = items
                .iter()
                .map(|item| key(py, item))
                .collect::<PyResult<_>>()?;
            PyTuple::new(py, items)?.into_any()
        }
        Value::Typed(_, value) => return key(py, value),
        _ => py.None().into_bound(py),
    })
}

impl Host for PythonHost<'_> {
    fn name(&mut self, function: FunctionId, name: &str) -> Option<Value> {
        let py = self.environment.py();
        let answer = self
            .environment
            .call_method1(intern!(py, "name"), (function.0, name));
        self.asked(answer)
    }

    fn attribute(&mut self, object: ObjectId, name: &str) -> Option<Value> {
        let py = self.environment.py();
        let answer = self
            .environment
            .call_method1(intern!(py, "attribute"), (object.0, name));
        self.asked(answer)
    }

    fn member(&mut self, path: &str, name: &str) -> Option<Value> {
        let py = self.environment.py();
        let answer = self
            .environment
            .call_method1(intern!(py, "member"), (path, name));
        self.asked(answer)
    }

    fn item(&mut self, object: ObjectId, wanted: &Value) -> Option<Value> {
        self.asked_with(intern!(self.environment.py(), "item"), object, wanted)
    }

    fn called(&mut self, object: ObjectId, value: &Value) -> Option<Value> {
        self.asked_with(intern!(self.environment.py(), "called"), object, value)
    }

    fn kind(&mut self, object: ObjectId) -> ObjectKind {
        let py = self.environment.py();
        let asked = self
            .environment
            .call_method1(intern!(py, "kind"), (object.0,))
            .and_then(|kind| kind.extract::<String>());
        match asked.as_deref() {
            Ok("enumeration") => ObjectKind::Enumeration,
            Ok("class") => ObjectKind::Class,
            _ => ObjectKind::Other,
        }
    }

    fn meant(&mut self, within: Within<'_>, name: &str) -> Option<String> {
        let py = self.environment.py();
        let asked = match within {
            Within::Function(id, own) => self
                .environment
                .call_method1(intern!(py, "meant_name"), (id.0, own, name)),
            Within::Object(id) => self
                .environment
                .call_method1(intern!(py, "meant_attribute"), (id.0, name)),
            Within::Path(path) => self
                .environment
                .call_method1(intern!(py, "meant_member"), (path, name)),
        };
        // The message is worth more than why nothing like the name was found.
        asked.and_then(|meant| meant.extract()).unwrap_or_default()
    }

    fn function(&mut self, id: FunctionId) -> Result<FunctionSource, String> {
        let py = self.environment.py();
        self.environment
            .call_method1(intern!(py, "function"), (id.0,))
            .and_then(|told| source(&told))
            .map_err(|error| {
                let text = error.value(py).to_string();
                self.raised.get_or_insert(error);
                text
            })
    }
}

/// What the environment tells of a function: a dict-like object with attributes.
fn source(told: &Bound<'_, PyAny>) -> PyResult<FunctionSource> {
    let mut reader = Reader::new(told.getattr("line_offset")?.extract()?);
    let tree = reader.function(&told.getattr("node")?)?;
    let lines = told.getattr("lines")?;
    let lines: Vec<String> = lines.cast::<PyList>()?.extract()?;
    let file: String = told.getattr("file")?.extract()?;
    let mut defaults = Vec::new();
    for pair in told.getattr("defaults")?.try_iter()? {
        let (name, told): (String, Bound<'_, PyAny>) = pair?.extract()?;
        defaults.push((name, value(&told)?));
    }
    let mut signatures = Vec::new();
    for signature in told.getattr("signatures")?.try_iter()? {
        let (types, result): (Vec<Bound<'_, PyAny>>, Option<Bound<'_, PyAny>>) =
            signature?.extract()?;
        let types = types.iter().map(read_type).collect::<PyResult<_>>()?;
        let result = result.as_ref().map(read_type).transpose()?;
        signatures.push((types, result));
    }
    let external = told.getattr("external")?;
    let external = if external.is_none() {
        None
    } else {
        let (symbol, numba_abi) = external.extract()?;
        Some(External { symbol, numba_abi })
    };
    Ok(FunctionSource {
        tree: Arc::new(tree),
        file: file.into(),
        lines: lines.into(),
        first_line: told.getattr("first_line")?.extract()?,
        defaults,
        signatures,
        external,
        inline: told.getattr("inline")?.extract()?,
    })
}
