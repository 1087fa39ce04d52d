//! Callables from signatures that are written down in Python: for tests, and for libraries without a header.
//!
//! A role is a string, or a tuple of a string and what belongs to it:
//!
//! | role | |
//! |---|---|
//! | `"i32"`, `"f64"`, `"bool"`, `"long double"`, `"pointer"` ... | a scalar ([`scalar`]) |
//! | `"char"`, `"text"`, `"text?"` | a character, text; with `?` also `None` |
//! | `("in", element)`, `("in?", element)`, `("inout", element)`, `("inout?", element)` | an address of memory that C reads, or writes too |
//! | `("handle", class)`, `("handle?", class)`, `("consumed", class)`, `("handle by address", class)` | a handle |
//! | `("record", class)` | a record by value |
//! | `("callback", kind)`, `("kept", kind)` | a callable, which lives as long as the call or is kept; with `?` also `None` |
//! | `("out", stored)`, `("in/out", stored)` | stored by C, and returned |
//! | `("buffer", length, unit)`, `("text buffer", length)` | a buffer as long as another parameter says |
//! | `("length", of, unit, scalar)`, `("fixed", scalar, value)` | not taken |
//!
//! An element is `"void"`, a scalar or a class; what is stored is a scalar, `"text"`, `("text", free)`, a class,
//! `("owned", class)` or `("enum", scalar, class)`; a result is that, `"void"`, `"char"`, `("not null", stored)` or
//! `("status", scalar, success, ...)`.

use std::sync::Arc;

use cuox_call::compile;
use cuox_call::mode::{self, Mode};
use cuox_call::signature::{Errno, Outputs, Parameter, Return, Role, Signature};
use cuox_call::types::class::{Class, ClassName, HandleKind, RecordForm};
use cuox_call::types::scalar::Scalar;
use cuox_call::types::status::{Status, Success};
use cuox_call::types::value::{FieldInfo, FieldKind, Stored};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::binding::gil_choice;
use crate::classes::{CCallback, CClass, element, of_class, parts, scalar, stored};

fn named<'a>(name: &'a str, c_type: &'a str) -> ClassName<'a> {
    ClassName {
        name,
        c_type,
        ..ClassName::default()
    }
}

/// A class of handles.
#[pyfunction]
#[pyo3(signature = (name, scalar="pointer", takes_int=false))]
fn _handle_class(py: Python<'_>, name: &str, scalar: &str, takes_int: bool) -> PyResult<CClass> {
    let kind = HandleKind {
        scalar: self::scalar(scalar)?,
        destroy: None,
        takes_int,
        plain: false,
    };
    let c_type = format!("{name} *");
    Class::handle(py, named(name, &c_type), kind).map(CClass)
}

/// A class of records without fields; `registers` says for each eightbyte whether it is in a vector register, or `None`
/// if it is in memory.
#[pyfunction]
#[pyo3(signature = (name, size, align, registers))]
fn _record_class(
    py: Python<'_>,
    name: &str,
    size: usize,
    align: usize,
    registers: Option<Vec<bool>>,
) -> PyResult<CClass> {
    // Such fields are passed so.
    let words = registers.unwrap_or_else(|| vec![false; size.div_ceil(8)]);
    let mut fields = Vec::new();
    for (index, vector) in words.iter().enumerate() {
        let left = size - 8 * index;
        let scalar = match (vector, left) {
            (true, 8..) => Scalar::F64,
            (true, _) => Scalar::F32,
            (false, 8..) => Scalar::U64,
            (false, 4..) => Scalar::U32,
            (false, _) => Scalar::U8,
        };
        fields.push(FieldInfo {
            name: format!("f{index}"),
            c_type: "word".into(),
            doc: None,
            offset: 64 * index as u64,
            constant: false,
            kind: FieldKind::One(Stored::Scalar(scalar)),
        });
    }
    let c_type = format!("struct {name}");
    let class = Class::record(py, named(name, &c_type), size, align, RecordForm::default())?;
    class.define(py, fields)?;
    Ok(CClass(class))
}

/// A class of pointers.
#[pyfunction]
fn _pointer_class(py: Python<'_>, name: &str, to: &Bound<'_, PyAny>) -> PyResult<CClass> {
    let c_type = format!("{name} *");
    Class::pointer(py, named(name, &c_type), element(to)?).map(CClass)
}

fn bad<T>(what: &str, found: &Bound<'_, PyAny>) -> PyResult<T> {
    Err(PyValueError::new_err(format!("{found} is not a {what}")))
}

fn class(found: &Bound<'_, PyAny>) -> PyResult<Arc<Class>> {
    Ok(Arc::clone(&found.cast::<CClass>()?.get().0))
}

fn role(found: &Bound<'_, PyAny>) -> PyResult<Role> {
    let (name, rest) = parts(found)?;
    let nullable = name.ends_with('?');
    Ok(match (name.trim_end_matches('?'), &rest[..]) {
        ("char", []) => Role::Char,
        ("text", []) => Role::Text { nullable },
        (way @ ("in" | "inout"), [to]) => Role::Pointer {
            to: element(to)?,
            writable: way == "inout",
            nullable,
        },
        (way @ ("handle" | "consumed" | "handle by address"), [found]) => Role::Handle {
            class: class(found)?,
            nullable,
            consumed: way == "consumed",
            by_address: way == "handle by address",
        },
        ("record", [found]) => Role::Record(class(found)?),
        (way @ ("callback" | "kept"), [found]) => Role::Callback {
            info: Arc::clone(&found.cast::<CCallback>()?.get().0),
            nullable,
            persistent: way == "kept",
        },
        ("out", [found]) => Role::Output(stored(found)?),
        ("in/out", [found]) => Role::InOut(stored(found)?),
        ("buffer", [length, unit]) => Role::OutputBuffer {
            length: length.extract()?,
            unit: unit.extract()?,
            text: false,
        },
        ("text buffer", [length]) => Role::OutputBuffer {
            length: length.extract()?,
            unit: 1,
            text: true,
        },
        ("length", [of, unit, kind]) => Role::Length {
            of: of.extract()?,
            unit: unit.extract()?,
            scalar: scalar(&kind.extract::<String>()?)?,
        },
        ("fixed", [kind, value]) => Role::Fixed(
            scalar(&kind.extract::<String>()?)?,
            value
                .extract::<i64>()
                .map(|value| value as u64)
                .or_else(|_| value.extract::<u64>())?,
        ),
        (name, []) if !nullable => Role::Scalar(scalar(name)?),
        _ => return bad("role", found),
    })
}

fn result(found: &Bound<'_, PyAny>, raise: Option<Py<PyAny>>) -> PyResult<Return> {
    if let Ok(class) = class(found) {
        return Ok(Return::Value(of_class(class, false)?));
    }
    if found.is_instance_of::<CCallback>() {
        return Ok(Return::Value(stored(found)?));
    }
    let (name, rest) = parts(found)?;
    Ok(match (name.as_str(), &rest[..]) {
        ("void", []) => Return::Nothing,
        ("char", []) => Return::Char,
        ("not null", [found]) => Return::NotNull(stored(found)?),
        ("status", [kind, success, class @ ..]) => Return::Status(Status {
            returned: false,
            scalar: scalar(&kind.extract::<String>()?)?,
            class: match class {
                [] => None,
                [class] => Some(class.cast::<PyType>()?.clone().unbind()),
                _ => return bad("result", found),
            },
            success: match success.extract::<String>().as_deref() {
                Ok("zero") => Success::Zero,
                Ok("nonzero") => Success::NonZero,
                Ok("not negative") => Success::NotNegative,
                _ => Success::OneOf(success.extract()?),
            },
            raise,
        }),
        _ => Return::Value(stored(found)?),
    })
}

/// Which calls have failed of those that have set `errno`: those with this result, "status", or "set" for all.
fn errno(found: &Bound<'_, PyAny>) -> PyResult<Errno> {
    if let Ok(failure) = found.extract() {
        return Ok(Errno::Result(failure));
    }
    match found.extract::<String>()?.as_str() {
        "status" => Ok(Errno::Status),
        "set" => Ok(Errno::Set),
        _ => bad("way to tell a failure", found),
    }
}

/// A callable for a C function: `parameters` are (name, role) or (name, role, default).
#[pyfunction]
#[pyo3(signature = (name, address, result, parameters, *, doc="", c_types=None, module=None, gil="hold", errno=None, variadic=false, status_tuple=false, keep=None, raises=None))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
fn _callable(
    py: Python<'_>,
    name: String,
    address: usize,
    result: &Bound<'_, PyAny>,
    parameters: Vec<Bound<'_, PyTuple>>,
    doc: &str,
    c_types: Option<Vec<String>>,
    module: Option<String>,
    gil: &str,
    errno: Option<Bound<'_, PyAny>>,
    variadic: bool,
    status_tuple: bool,
    keep: Option<Py<PyAny>>,
    raises: Option<Py<PyAny>>,
) -> PyResult<Py<PyAny>> {
    let parameters = parameters
        .iter()
        .enumerate()
        .map(|(index, found)| {
            if !matches!(found.len(), 2 | 3) {
                return Err(PyTypeError::new_err(
                    "a parameter is (name, role) or (name, role, default)",
                ));
            }
            Ok(Parameter {
                name: found.get_item(0)?.extract()?,
                c_type: c_types
                    .as_ref()
                    .and_then(|types| types.get(index).cloned())
                    .unwrap_or_default(),
                role: role(&found.get_item(1)?)?,
                default: (found.len() == 3)
                    .then(|| found.get_item(2).map(Bound::unbind))
                    .transpose()?,
                check: None,
                extent: None,
            })
        })
        .collect::<PyResult<_>>()?;
    compile::callable(
        py,
        Signature {
            name,
            doc: doc.into(),
            module,
            target: address,
            parameters,
            result: self::result(result, raises)?,
            gil: gil_choice(gil)?,
            errno: errno.as_ref().map(self::errno).transpose()?,
            variadic,
            cuts_floats: false,
            outputs: if status_tuple {
                Outputs::StatusTuple
            } else {
                Outputs::Plain
            },
            keep,
        },
    )
}

/// Choose the way in which callables made from now on make their calls: "later", "code", "api" or "nojit".
#[pyfunction]
fn _call_mode(mode: &str) -> PyResult<&'static str> {
    let before = mode::set_mode(match mode {
        "later" => Mode::CodeWhenHot,
        "code" => Mode::Code,
        "api" => Mode::Api,
        "nojit" => Mode::NoJit,
        _ => return Err(PyValueError::new_err(format!("'{mode}' is not a mode"))),
    });
    Ok(match before {
        Mode::CodeWhenHot => "later",
        Mode::Code => "code",
        Mode::Api => "api",
        Mode::NoJit => "nojit",
    })
}

/// The layout of this interpreter's objects, as far as known.
#[pyfunction]
fn _call_layout(py: Python<'_>) -> String {
    format!("{:?}", cuox_call::layout::layout(py))
}

/// Adds what is here to the module.
pub fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    cuox_call::layout::check_interpreter(m.py())?;
    m.add_function(wrap_pyfunction!(_call_layout, m)?)?;
    m.add_function(wrap_pyfunction!(_call_mode, m)?)?;
    m.add_function(wrap_pyfunction!(_callable, m)?)?;
    m.add_function(wrap_pyfunction!(_handle_class, m)?)?;
    m.add_function(wrap_pyfunction!(_pointer_class, m)?)?;
    m.add_function(wrap_pyfunction!(_record_class, m)?)
}
