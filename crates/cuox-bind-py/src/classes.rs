//! Classes of C values from descriptions that are written down in Python: for tests.
//!
//! The type of a stored value is a scalar's name (`"i32"`, `"f64"`, `"long double"`, `"pointer"`, ...), `"text"`,
//! `("text", free)`, a class, `("owned", class)`, `("enum", scalar, class)` or a kind of callback. A field is that,
//! `("bits", scalar, width)`, `("array", field, lengths)` or `("chars", lengths)`. An element is `"void"` or a field.

use std::sync::Arc;

use cuox_call::callbacks::{function_pointer::function_pointer, pending};
use cuox_call::objects::class_table::{callback_class, class_of};
use cuox_call::objects::object_ref::as_object;
use cuox_call::types::abi::Passing;
use cuox_call::types::callback_info::{CallbackInfo, CallbackValue};
use cuox_call::types::class::{Class, ClassName, Destructor, HandleKind, Kind, RecordForm};
use cuox_call::types::scalar::Scalar;
use cuox_call::types::status::{Status, Success};
use cuox_call::types::value::{ArrayForm, Element, FieldInfo, FieldKind, Stored};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::binding::gil_choice;

/// A class of C values.
#[pyclass(frozen, module = "cuox_bind._native", name = "_CClass")]
pub struct CClass(pub Arc<Class>);

/// A field as it is written down: name, C type, offset in bits, kind.
type Field<'py> = (String, String, u64, Bound<'py, PyAny>);

#[pymethods]
impl CClass {
    /// The Python class.
    #[getter]
    fn python(&self, py: Python<'_>) -> Py<PyType> {
        self.0.python.clone_ref(py)
    }

    /// The way in which a record is passed by value: `"memory"`, the reason why not, or for each register whether it is
    /// a vector register.
    #[getter]
    fn passing(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.0.as_record().map(|record| record.passing()) {
            Some(Passing::Registers(parts)) => parts.clone().into_pyobject(py)?.into_any().unbind(),
            Some(Passing::Memory) => "memory".into_pyobject(py)?.into_any().unbind(),
            Some(Passing::Refused(why)) => why.into_pyobject(py)?.into_any().unbind(),
            None => py.None(),
        })
    }

    /// Gives a class of records its fields.
    fn define(&self, py: Python<'_>, fields: Vec<Field<'_>>) -> PyResult<()> {
        let fields = fields
            .into_iter()
            .map(|(name, c_type, offset, kind)| {
                Ok(FieldInfo {
                    name,
                    c_type,
                    doc: None,
                    offset,
                    constant: false,
                    kind: self::kind(&kind)?,
                })
            })
            .collect::<PyResult<Vec<_>>>()?;
        self.0.define(py, fields)
    }
}

/// A kind of callback.
#[pyclass(frozen, module = "cuox_bind._native", name = "_CCallback")]
pub struct CCallback(pub Arc<CallbackInfo>);

#[pymethods]
impl CCallback {
    /// The Python class.
    #[getter]
    fn python(&self, py: Python<'_>) -> PyResult<Py<PyType>> {
        Ok(callback_class(py, &self.0)?.python.clone_ref(py))
    }

    /// A C function pointer for a callable, and what must live as long as it is used.
    #[pyo3(signature = (value, kept=false))]
    fn pointer(&self, value: &Bound<'_, PyAny>, kept: bool) -> PyResult<(u64, Option<Py<PyAny>>)> {
        function_pointer(value.py(), &self.0, value, kept)
    }
}

/// A scalar by its name.
pub fn scalar(name: &str) -> PyResult<Scalar> {
    Ok(match name {
        "bool" => Scalar::Bool,
        "i8" => Scalar::I8,
        "u8" => Scalar::U8,
        "i16" => Scalar::I16,
        "u16" => Scalar::U16,
        "i32" => Scalar::I32,
        "u32" => Scalar::U32,
        "i64" => Scalar::I64,
        "u64" => Scalar::U64,
        "i128" => Scalar::I128,
        "u128" => Scalar::U128,
        "f32" => Scalar::F32,
        "f64" => Scalar::F64,
        "long double" => Scalar::Long,
        "pointer" => Scalar::Pointer,
        _ => return Err(PyValueError::new_err(format!("'{name}' is not a scalar"))),
    })
}

/// A string, or a tuple that begins with one.
pub fn parts<'py>(found: &Bound<'py, PyAny>) -> PyResult<(String, Vec<Bound<'py, PyAny>>)> {
    match found.cast::<PyTuple>() {
        Ok(tuple) if !tuple.is_empty() => Ok((
            tuple.get_item(0)?.extract()?,
            tuple.iter().skip(1).collect(),
        )),
        _ => Ok((found.extract()?, Vec::new())),
    }
}

/// The stored value of a class.
pub fn of_class(class: Arc<Class>, owned: bool) -> PyResult<Stored> {
    Ok(match &class.kind {
        Kind::Handle(_) => Stored::Handle { class, owned },
        Kind::Pointer(_) => Stored::Pointer(class),
        Kind::Record(_) => Stored::Record(class),
        Kind::Callback(info) => Stored::Callback(Arc::clone(info)),
        Kind::Array(_) => return Err(PyTypeError::new_err("an array is a kind of field")),
    })
}

/// The type of a stored value.
pub fn stored(found: &Bound<'_, PyAny>) -> PyResult<Stored> {
    if let Ok(class) = found.cast::<CClass>() {
        return of_class(Arc::clone(&class.get().0), false);
    }
    if let Ok(callback) = found.cast::<CCallback>() {
        return Ok(Stored::Callback(Arc::clone(&callback.get().0)));
    }
    let (name, rest) = parts(found)?;
    Ok(match (name.as_str(), &rest[..]) {
        ("text", []) => Stored::Text {
            free: None,
            copied: false,
        },
        ("text", [free]) => Stored::Text {
            free: Some(free.extract()?),
            copied: false,
        },
        ("owned", [class]) => of_class(Arc::clone(&class.cast::<CClass>()?.get().0), true)?,
        ("enum", [name, class]) => Stored::Enum(
            scalar(&name.extract::<String>()?)?,
            class.cast::<PyType>()?.clone().unbind(),
        ),
        (name, []) => Stored::Scalar(scalar(name)?),
        _ => return Err(PyValueError::new_err(format!("{found} is not stored"))),
    })
}

fn kind(found: &Bound<'_, PyAny>) -> PyResult<FieldKind> {
    let Ok((name, rest)) = parts(found) else {
        return Ok(FieldKind::One(stored(found)?));
    };
    Ok(match (name.as_str(), &rest[..]) {
        ("bits", [name, width]) => FieldKind::Bits(stored(name)?, width.extract()?),
        ("array", [inner, lengths]) => FieldKind::Array(
            Box::new(kind(inner)?),
            lengths.extract()?,
            ArrayForm::InPlace,
        ),
        ("chars", [lengths]) => {
            let char = FieldKind::One(Stored::Scalar(Scalar::I8));
            FieldKind::Array(Box::new(char), lengths.extract()?, ArrayForm::Text)
        }
        _ => FieldKind::One(stored(found)?),
    })
}

/// The type that a pointer points at.
pub fn element(found: &Bound<'_, PyAny>) -> PyResult<Element> {
    match found.extract::<String>() {
        Ok(name) if name == "void" => Ok(Element::Untyped),
        _ => Ok(kind(found)?.as_element()),
    }
}

fn value(found: &Bound<'_, PyAny>) -> PyResult<CallbackValue> {
    match found.extract::<String>() {
        Ok(name) if name == "user data" => Ok(CallbackValue::UserData),
        _ => Ok(CallbackValue::Stored(stored(found)?)),
    }
}

/// The size in bytes of what C has for an object of a class.
#[pyfunction]
fn size_of_c(class: &Bound<'_, PyType>) -> PyResult<usize> {
    let unknown = || PyTypeError::new_err(format!("{class} has no C type"));
    match &class_of(class).ok_or_else(unknown)?.kind {
        Kind::Record(record) => Ok(record.size),
        Kind::Handle(handle) => Ok(handle.scalar.size()),
        Kind::Pointer(_) | Kind::Callback(_) => Ok(Scalar::Pointer.size()),
        Kind::Array(_) => Err(unknown()),
    }
}

/// Return the address of the value that a handle was made of with `_ptr=`; None for any other object.
#[pyfunction]
fn external_value_address(value: &Bound<'_, PyAny>) -> Option<u64> {
    as_object(value)?.external_address()
}

/// A class of handles. `destroy` is a name, an address and whether a result that is not 0 is a failure.
#[pyfunction]
#[pyo3(signature = (name, scalar="pointer", takes_int=false, destroy=None, by_address=false, gil="hold"))]
fn _c_handle(
    py: Python<'_>,
    name: &str,
    scalar: &str,
    takes_int: bool,
    destroy: Option<(String, usize, bool)>,
    by_address: bool,
    gil: &str,
) -> PyResult<CClass> {
    let c_type = format!("{name} *");
    let named = ClassName {
        name,
        c_type: &c_type,
        ..ClassName::default()
    };
    let gil = gil_choice(gil)?;
    let destroy = destroy.map(|(name, target, status)| Destructor {
        name,
        target,
        by_address,
        gil,
        status: status.then_some(Status {
            returned: false,
            scalar: Scalar::I32,
            class: None,
            success: Success::Zero,
            raise: None,
        }),
    });
    let kind = HandleKind {
        scalar: self::scalar(scalar)?,
        destroy,
        takes_int,
        plain: false,
    };
    Class::handle(py, named, kind).map(CClass)
}

/// A class of pointers.
#[pyfunction]
#[pyo3(signature = (name, to, c_type=None))]
fn _c_pointer(
    py: Python<'_>,
    name: &str,
    to: &Bound<'_, PyAny>,
    c_type: Option<&str>,
) -> PyResult<CClass> {
    let named = ClassName {
        name,
        c_type: c_type.unwrap_or(name),
        ..ClassName::default()
    };
    Class::pointer(py, named, element(to)?).map(CClass)
}

/// A class of records, without its fields.
#[pyfunction]
#[pyo3(signature = (name, size, align, union=false))]
fn _c_record(
    py: Python<'_>,
    name: &str,
    size: usize,
    align: usize,
    union: bool,
) -> PyResult<CClass> {
    let word = if union { "union" } else { "struct" };
    let c_type = format!("{word} {name}");
    let named = ClassName {
        name,
        c_type: &c_type,
        ..ClassName::default()
    };
    let form = RecordForm {
        union,
        ..RecordForm::default()
    };
    Class::record(py, named, size, align, form).map(CClass)
}

/// A kind of callback.
#[pyfunction]
#[pyo3(signature = (name, parameters, result=None))]
fn _c_callback(
    name: String,
    parameters: Vec<(String, Bound<'_, PyAny>)>,
    result: Option<&Bound<'_, PyAny>>,
) -> PyResult<CCallback> {
    let parameters = parameters
        .into_iter()
        .map(|(name, found)| Ok((name, value(&found)?)))
        .collect::<PyResult<Vec<_>>>()?;
    let result = result.map(value).transpose()?;
    Ok(CCallback(CallbackInfo::new(
        name,
        parameters,
        result,
        false,
        false,
        Vec::new(),
    )))
}

/// Calls a C function of up to six integers as a bound call does when there are callbacks.
#[pyfunction]
#[pyo3(signature = (address, arguments, release_gil=false))]
fn _c_call(
    py: Python<'_>,
    address: usize,
    arguments: Vec<u64>,
    release_gil: bool,
) -> PyResult<u64> {
    let mut words = [0; 6];
    if address == 0 || arguments.len() > words.len() {
        return Err(PyValueError::new_err(
            "a function and at most six arguments",
        ));
    }
    words[..arguments.len()].copy_from_slice(&arguments);
    // SAFETY: a test says that such a function is there.
    let function: extern "C" fn(u64, u64, u64, u64, u64, u64) -> u64 =
        unsafe { std::mem::transmute(address) };
    let [a, b, c, d, e, f] = words;
    let saved = pending::enter();
    let result = if release_gil {
        py.detach(|| function(a, b, c, d, e, f))
    } else {
        function(a, b, c, d, e, f)
    };
    // SAFETY: the GIL is held, and `enter` was called.
    match unsafe { pending::leave(saved) } {
        0 => Ok(result),
        _ => Err(PyErr::fetch(py)),
    }
}

/// Adds all of it to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CClass>()?;
    module.add_class::<CCallback>()?;
    module.add_function(wrap_pyfunction!(size_of_c, module)?)?;
    module.add_function(wrap_pyfunction!(external_value_address, module)?)?;
    module.add_function(wrap_pyfunction!(_c_handle, module)?)?;
    module.add_function(wrap_pyfunction!(_c_pointer, module)?)?;
    module.add_function(wrap_pyfunction!(_c_record, module)?)?;
    module.add_function(wrap_pyfunction!(_c_callback, module)?)?;
    module.add_function(wrap_pyfunction!(_c_call, module)?)
}
