//! The names that operators use, and what they stand for.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::arguments::Arguments;
use crate::pykernel::argument::{self, Key};
use crate::support::function_parts::function_parts;

/// As `_calls.py` has it: the argument, the watched name of another function, whether that is a wrapper, the place in
/// the closure, the name, how it is compared, and with what.
pub(super) type WatchedName<'py> = (
    usize,
    Option<usize>,
    bool,
    Option<usize>,
    Py<PyAny>,
    String,
    Bound<'py, PyAny>,
);
/// A name that an operator or a function that it calls uses, and what it must stand for.
pub(super) struct Watched {
    /// The operator.
    slot: usize,
    /// The watched name that stands for the function, if it is not the operator; and whether that is a wrapper of it.
    parent: Option<usize>,
    is_wrapped: bool,
    /// The place in the closure; None for a global name.
    cell: Option<usize>,
    name: Py<PyAny>,
    expected: Expected,
}

enum Expected {
    Absent,
    Same(Py<PyAny>),
    /// The object that a weak reference is to.
    Weak(Py<PyAny>),
    /// A function of this code, with these defaults.
    Code(Py<PyAny>, Py<PyAny>),
    /// A value of this type, which is part of the operator's state.
    Typed(Key),
}

impl Watched {
    /// None if a value cannot be told by its type.
    pub(super) fn new(name: WatchedName<'_>) -> PyResult<Option<Self>> {
        let (slot, parent, is_wrapped, cell, name, how, expected) = name;
        let py = expected.py();
        let expected = match how.as_str() {
            "absent" => Expected::Absent,
            "same" => Expected::Same(expected.unbind()),
            "weak" => Expected::Weak(expected.unbind()),
            "code" => Expected::Code(
                expected.getattr(intern!(py, "__code__"))?.unbind(),
                expected.getattr(intern!(py, "__defaults__"))?.unbind(),
            ),
            _ => {
                let mut key = Key::new();
                if !argument::add_words(&expected, &mut key) {
                    return Ok(None);
                }
                Expected::Typed(key)
            }
        };
        Ok(Some(Self {
            slot,
            parent,
            is_wrapped,
            cell,
            name,
            expected,
        }))
    }

    /// The value of the name, None if that is not as expected.
    pub(super) fn look<'py>(
        &self,
        py: Python<'py>,
        arguments: &Arguments<'py>,
        found: &[Bound<'py, PyAny>],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let holder = match self.parent {
            Some(parent) => found.get(parent),
            None => arguments.objects.get(self.slot),
        };
        let Some(holder) = holder else {
            return Ok(None);
        };
        let function = match self.is_wrapped {
            true => holder.getattr(intern!(py, "py_func"))?,
            false => holder.clone(),
        };
        let value = match self.cell {
            Some(place) => {
                let closure = function.getattr(intern!(py, "__closure__"))?;
                let cell = closure.get_item(place)?;
                cell.getattr_opt(intern!(py, "cell_contents"))
                    .ok()
                    .flatten()
            }
            None => {
                let globals = function.getattr(intern!(py, "__globals__"))?;
                globals.cast::<PyDict>()?.get_item(self.name.bind(py))?
            }
        };
        Ok(match (&self.expected, value) {
            (Expected::Absent, None) => Some(py.None().into_bound(py)),
            (Expected::Same(expected), Some(value)) if value.is(expected) => Some(value),
            (Expected::Weak(expected), Some(value)) => {
                expected.bind(py).call0()?.is(&value).then_some(value)
            }
            (Expected::Code(code, defaults), Some(value)) => {
                has_code(&value, code.bind(py), defaults.bind(py))?.then_some(value)
            }
            (Expected::Typed(expected), Some(value)) => {
                let mut key = Key::new();
                (argument::add_words(&value, &mut key) && key == *expected).then_some(value)
            }
            _ => None,
        })
    }
}

/// True for a function of this code with these defaults, which are all that it has.
fn has_code(
    value: &Bound<'_, PyAny>,
    code: &Bound<'_, PyAny>,
    defaults: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let Some(parts) = function_parts(value)? else {
        return Ok(false);
    };
    // A wrapper may be a function, too.
    let wrapped = value.getattr_opt(intern!(value.py(), "py_func"))?;
    Ok(parts.code.is(code)
        && parts.defaults.is(defaults)
        && parts.keyword_defaults.is_none()
        && wrapped.is_none())
}
