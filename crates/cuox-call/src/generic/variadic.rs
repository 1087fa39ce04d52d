//! Further arguments of variadic functions.

use crate::objects::object_ref::as_c_object;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyInt, PyMemoryView, PyString, PyTuple, PyType};
use pyo3::{ffi, intern};
use smallvec::SmallVec;

use crate::convert::memory::{ArgumentHold, PointerTarget};
use crate::convert::{memory, number, text};
use crate::errors::{ArgumentContext, describe, type_name};
use crate::generic::sysv::SysvArguments;
use crate::types::class::Kind;
use crate::types::object::CLOSED;
use crate::types::scalar::Scalar;
use crate::types::value::Element;

/// Passes an argument as C's default promotions have it; `whole` is the function's name for errors. What
/// must live as long as the call goes to `holds`.
pub fn pass(
    whole: &str,
    arguments: &mut SysvArguments,
    index: usize,
    value: &Bound<'_, PyAny>,
    holds: &mut SmallVec<[ArgumentHold; 4]>,
) -> PyResult<()> {
    if value.is_exact_instance_of::<PyInt>() {
        let mut overflow = 0;
        // SAFETY: `value` is exactly an int.
        let number = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &mut overflow) };
        if overflow == 0 {
            arguments.integer(number as u64);
            return Ok(());
        }
    } else if let Ok(float) = value.cast_exact::<PyFloat>() {
        arguments.vector(float.value().to_bits());
        return Ok(());
    }
    let name = format!("...[{index}]");
    let context = ArgumentContext {
        whole,
        what: "argument",
        name: &name,
        c_type: "",
        cuts_floats: false,
    };
    if let Some(object) = as_c_object(value) {
        // SAFETY: a live object of that layout; a class lives as long as its objects.
        let (class, at, flags) = unsafe { (&*(*object).class, (*object).value, (*object).flags) };
        if let Kind::Record(record) = &class.kind {
            if flags & CLOSED != 0 || at == 0 {
                return Err(memory::closed(context, class));
            }
            // SAFETY: a record's value is the address of that many bytes.
            let bytes = unsafe { std::slice::from_raw_parts(at as *const u8, record.size) };
            arguments.record(bytes, record.align, record.passing());
            return Ok(());
        }
    } else if is_a(value, "_ctypes", &["Structure", "Union"]) {
        return Err(PyTypeError::new_err(format!(
            "{context} is a {}, and a structure by value needs a header: bind(library, headers); for its address pass ctypes.pointer(it)",
            type_name(value)
        )));
    }
    let value = &match is_a(value, "numpy", &["ndarray"])
        && value.getattr(intern!(value.py(), "ndim"))?.eq(0)?
    {
        // An array without dimensions is the number in it.
        true => value.get_item(PyTuple::empty(value.py()))?,
        false => value.clone(),
    };
    let value = &match simple(value)? {
        Simple::Other => value.clone(),
        Simple::Value(inner) => inner,
        Simple::Long(words) => {
            arguments.long(words);
            return Ok(());
        }
        Simple::Refused => return Err(wrong(context, value)),
    };
    if let Ok(float) = value.cast::<PyFloat>() {
        arguments.vector(float.value().to_bits());
    } else if value.is_instance_of::<PyInt>() {
        let signed = number::scalar(context, Scalar::I64, value);
        let bits = signed.or_else(|_| number::scalar(context, Scalar::U64, value));
        let bits = bits.map_err(|_| {
            PyOverflowError::new_err(format!(
                "{context} cannot hold {}: an integer has 64 bits there, with a sign or without",
                describe(value)
            ))
        })?;
        arguments.integer(bits as u64);
    } else if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
        if let Some(found) = text::text(context, value)? {
            arguments.integer(found.address as u64);
            holds.push(ArgumentHold::Object(found.object.unbind()));
        }
    } else {
        let target = PointerTarget {
            element: &Element::Untyped,
            writable: false,
            nullable: true,
        };
        let found = match memory::memory(context, target, value) {
            Ok(found) => found,
            Err(error) if error.is_instance_of::<PyTypeError>(value.py()) => {
                return Err(wrong(context, value));
            }
            Err(error) => return Err(error),
        };
        arguments.integer(found.address);
        holds.push(found.hold);
        holds.push(ArgumentHold::Object(value.clone().unbind()));
    }
    Ok(())
}

/// True if a value is of one of these classes of a module, which may not have been imported.
fn is_a(value: &Bound<'_, PyAny>, module: &str, names: &[&str]) -> bool {
    value.get_type().mro().iter().any(|base| {
        base.cast::<PyType>().is_ok_and(|base| {
            names
                .iter()
                .any(|name| base.name().is_ok_and(|it| it == *name))
                && base.module().is_ok_and(|it| it == module)
        })
    })
}

#[cold]
fn wrong(context: ArgumentContext<'_>, value: &Bound<'_, PyAny>) -> PyErr {
    let hint = match value.is_callable() {
        true => "; for a callback pass an object that C can call, such as ctypes.CFUNCTYPE(...)(f)",
        false => "",
    };
    let takes = "a number, text, a buffer or array, a pointer or None";
    PyTypeError::new_err(format!(
        "{context} takes {takes}, got {}{hint}",
        describe(value)
    ))
}

/// A number of `ctypes` or NumPy, as C's default promotions have it.
enum Simple<'py> {
    /// Any other object.
    Other,
    /// Python's own number, text or address of the same value.
    Value(Bound<'py, PyAny>),
    /// A `long double`.
    Long([u64; 2]),
    /// A scalar that C has no such type for.
    Refused,
}

fn simple<'py>(value: &Bound<'py, PyAny>) -> PyResult<Simple<'py>> {
    let py = value.py();
    let class = value.get_type();
    // A simple type of ctypes, or a class that is derived from one.
    if let Some(code) = class.getattr_opt(intern!(py, "_type_"))?
        && let Ok(code) = code.cast::<PyString>()
        && let Some(inner) = value.getattr_opt(intern!(py, "value"))?
    {
        return Ok(match &*code.to_string_lossy() {
            "g" => long(value)?,
            // A character is promoted to an int.
            "c" => {
                // Other classes than ctypes' may have such attributes, too.
                let code = inner.cast::<PyBytes>().map(|text| text.as_bytes());
                match code {
                    Ok(&[code]) => Simple::Value((code as i8).into_pyobject(py)?.into_any()),
                    _ => Simple::Refused,
                }
            }
            _ => Simple::Value(inner),
        });
    }
    let Some(dtype) = value.getattr_opt(intern!(py, "dtype"))? else {
        return Ok(Simple::Other);
    };
    let scalar = class.mro().iter().any(|base| {
        base.getattr("__module__")
            .is_ok_and(|it| it.eq("numpy").unwrap_or(false))
            && base
                .getattr("__name__")
                .is_ok_and(|it| it.eq("generic").unwrap_or(false))
    });
    let text = value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>();
    if !scalar || text {
        return Ok(Simple::Other);
    }
    let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
    let size: usize = dtype.getattr(intern!(py, "itemsize"))?.extract()?;
    Ok(match kind.as_str() {
        "f" if size > 8 => long(value)?,
        "f" => Simple::Value(PyFloat::new(py, value.extract()?).into_any()),
        "b" | "i" | "u" => Simple::Value(py.get_type::<PyInt>().call1((value,))?),
        _ => Simple::Refused,
    })
}

/// The bytes of a `long double`.
fn long<'py>(value: &Bound<'py, PyAny>) -> PyResult<Simple<'py>> {
    let view = PyMemoryView::from(value)?.call_method0(intern!(value.py(), "tobytes"))?;
    let bytes = view.cast::<PyBytes>()?.as_bytes();
    let mut words = [[0; 8]; 2];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        word.copy_from_slice(bytes);
    }
    Ok(Simple::Long(words.map(u64::from_le_bytes)))
}
