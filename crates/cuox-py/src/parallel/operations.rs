//! The operations of arithmetic by name, and their kernels for the types that they are called with.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use cuox_parallel::arithmetic::{self, Number, Operand};
use cuox_parallel::elementwise::Elementwise;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyTuple, PyType};

use crate::array::Array;
use crate::array::element::{Element, shown};
use crate::array::numpy::Numpy;
use crate::error::OrRaise;
use crate::support::closable::Counted;
use crate::support::names::type_name;

/// Names that operations are asked for by, and those that NumPy has for them.
const NAMES: &[(&str, &str)] = &[
    ("add", "add"),
    ("subtract", "subtract"),
    ("multiply", "multiply"),
    ("true_divide", "true_divide"),
    ("floor_divide", "floor_divide"),
    ("remainder", "remainder"),
    ("power", "power"),
    ("less", "less"),
    ("less_equal", "less_equal"),
    ("greater", "greater"),
    ("greater_equal", "greater_equal"),
    ("equal", "equal"),
    ("not_equal", "not_equal"),
    ("maximum", "maximum"),
    ("minimum", "minimum"),
    ("fmax", "fmax"),
    ("fmin", "fmin"),
    ("fmod", "fmod"),
    ("bitwise_and", "bitwise_and"),
    ("bitwise_or", "bitwise_or"),
    ("bitwise_xor", "bitwise_xor"),
    ("logical_and", "logical_and"),
    ("logical_or", "logical_or"),
    ("logical_xor", "logical_xor"),
    ("left_shift", "left_shift"),
    ("right_shift", "right_shift"),
    ("arctan2", "arctan2"),
    ("atan2", "arctan2"),
    ("hypot", "hypot"),
    ("copysign", "copysign"),
    ("negative", "negative"),
    ("positive", "positive"),
    ("absolute", "absolute"),
    ("conjugate", "conjugate"),
    ("real", "real"),
    ("imag", "imag"),
    ("invert", "invert"),
    ("logical_not", "logical_not"),
    ("sign", "sign"),
    ("square", "square"),
    ("reciprocal", "reciprocal"),
    ("isnan", "isnan"),
    ("isinf", "isinf"),
    ("isfinite", "isfinite"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "arcsin"),
    ("acos", "arccos"),
    ("atan", "arctan"),
    ("arcsin", "arcsin"),
    ("arccos", "arccos"),
    ("arctan", "arctan"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("arcsinh", "arcsinh"),
    ("arccosh", "arccosh"),
    ("arctanh", "arctanh"),
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("expm1", "expm1"),
    ("log", "log"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("log1p", "log1p"),
    ("sqrt", "sqrt"),
    ("cbrt", "cbrt"),
    ("ceil", "ceil"),
    ("floor", "floor"),
    ("trunc", "trunc"),
    ("rint", "rint"),
    ("fabs", "fabs"),
];

const fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// An operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Operation(u8);

impl Operation {
    pub const POWER: Self = Self::known("power");

    /// The operation of a name that there is.
    #[allow(
        clippy::panic,
        reason = "used in constants only: evaluated when the crate is compiled"
    )]
    pub const fn known(name: &str) -> Self {
        let mut place = 0;
        while place < NAMES.len() {
            if is_same(NAMES[place].0.as_bytes(), name.as_bytes()) {
                return Self(place as u8);
            }
            place += 1;
        }
        panic!("no operation of this name")
    }

    /// The operation of this name.
    pub fn named(name: &Bound<'_, PyAny>) -> PyResult<Self> {
        let text: &str = name.extract()?;
        match NAMES.iter().position(|(known, _)| *known == text) {
            Some(place) => Ok(Self(place as u8)),
            None => Err(PyValueError::new_err(format!(
                "no operation {text:?}; available: {}",
                NAMES
                    .iter()
                    .map(|(known, _)| *known)
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
        }
    }

    /// NumPy's name for it.
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)].1
    }

    /// True for comparisons, which take numbers of any size.
    pub fn is_comparison(self) -> bool {
        const FIRST: u8 = Operation::known("less").0;
        const LAST: u8 = Operation::known("not_equal").0;
        (FIRST..=LAST).contains(&self.0)
    }
}

/// The type of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An array.
    Array(Number),
    /// One number that has a type.
    Scalar(Number),
    /// Python's own numbers, which take the type of the other operand.
    Int,
    Float,
    Complex,
    /// Not there.
    None,
}

impl Kind {
    /// The kind of an object; `None` for those that there is no arithmetic with.
    pub fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        if let Ok(array) = object.cast::<Array>() {
            return number(array.get()).map(|number| Some(Self::Array(number)));
        }
        if object.is_exact_instance_of::<PyFloat>() {
            return Ok(Some(Self::Float));
        }
        if object.is_exact_instance_of::<PyInt>() {
            return Ok(Some(Self::Int));
        }
        if object.is_exact_instance_of::<PyBool>() {
            return Ok(Some(Self::Scalar(Number::Bool)));
        }
        if object.is_exact_instance_of::<PyComplex>() {
            return Ok(Some(Self::Complex));
        }
        Self::of_other(object)
    }

    #[cold]
    fn of_other(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let py = object.py();
        let numpy = Numpy::get(py)?;
        let zero_dimensional =
            numpy.is_array(object) && object.getattr(intern!(py, "ndim"))?.extract::<usize>()? == 0;
        if numpy.is_scalar(object) || zero_dimensional {
            let element = Element::of(py, Some(&object.getattr(intern!(py, "dtype"))?))?;
            return Ok(element.launched.and_then(Number::of).map(Self::Scalar));
        }
        Ok(match () {
            () if object.is_instance_of::<PyFloat>() => Some(Self::Float),
            () if object.is_instance_of::<PyInt>() => Some(Self::Int),
            () if object.is_instance_of::<PyComplex>() => Some(Self::Complex),
            () => None,
        })
    }
}

/// The type of an array's elements, which must be numbers.
pub fn number(array: &Array) -> PyResult<Number> {
    let found = array.element().launched.and_then(Number::of);
    found.ok_or_else(|| Python::attach(|py| no_number(py, array)))
}

#[cold]
fn no_number(py: Python<'_>, array: &Array) -> PyErr {
    PyTypeError::new_err(format!(
        "there is no arithmetic for elements of {}; write a kernel (cuox.Program), or view or convert them",
        shown(array.element().dtype.bind(py))
    ))
}

/// An operation's kernel for types.
pub struct Entry {
    pub kernel: Elementwise,
    /// The type of the results.
    pub out: Counted<Element>,
    /// The types that the operands are converted to.
    pub inputs: [Option<Counted<Element>>; 2],
    /// True if the operands are integers.
    pub integers: bool,
}

type Key = (Operation, [Kind; 2], Option<Number>);

/// There are as many as a program has combinations of types; they are kept.
static ENTRIES: LazyLock<Mutex<HashMap<Key, &'static Entry>>> = LazyLock::new(Mutex::default);

/// The entry that each operation had last.
struct LastEntries([Cell<Option<(Key, &'static Entry)>>; NAMES.len()]);

// SAFETY: the cells are used with the GIL held only, whose token `get` has.
unsafe impl Sync for LastEntries {}

static LAST: LastEntries = LastEntries([const { Cell::new(None) }; NAMES.len()]);

impl Entry {
    /// The kernel for an operation on objects of these kinds.
    pub fn get(
        py: Python<'_>,
        operation: Operation,
        kinds: [Kind; 2],
        objects: [Option<&Bound<'_, PyAny>>; 2],
        out: Option<&Array>,
    ) -> PyResult<&'static Self> {
        let out_number = out.map(number).transpose()?;
        let key = (operation, kinds, out_number);
        let last = &LAST.0[usize::from(operation.0)];
        if let Some((known, entry)) = last.get()
            && known == key
        {
            return Ok(entry);
        }
        let entries = || ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
        let found = entries().get(&key).copied();
        let entry = match found {
            Some(entry) => entry,
            None => {
                let made = Self::make(py, operation, kinds, objects, out)?;
                // Making it runs Python code, in which another thread may have been as far.
                *entries()
                    .entry(key)
                    .or_insert_with(|| Box::leak(Box::new(made)))
            }
        };
        last.set(Some((key, entry)));
        Ok(entry)
    }

    #[cold]
    fn make(
        py: Python<'_>,
        operation: Operation,
        kinds: [Kind; 2],
        objects: [Option<&Bound<'_, PyAny>>; 2],
        out: Option<&Array>,
    ) -> PyResult<Self> {
        let types = resolved(py, operation, kinds, objects, out)?;
        let elements: Vec<Counted<Element>> = types
            .iter()
            .map(|dtype| Element::of(py, Some(dtype)))
            .collect::<PyResult<_>>()?;
        let numbers: Vec<Number> = elements
            .iter()
            .map(|element| element.launched.and_then(Number::of))
            .collect::<Option<_>>()
            .ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "{}: there is no arithmetic for elements of {}",
                    operation.name(),
                    types
                        .iter()
                        .map(|dtype| shown(dtype))
                        .collect::<Vec<_>>()
                        .join(", ")
                ))
            })?;
        let [inputs @ .., result] = numbers.as_slice() else {
            return Err(PyTypeError::new_err("no types"));
        };
        if inputs.iter().any(|n| n.is_complex())
            && !arithmetic::is_complex_operation(operation.name())
        {
            return Err(PyTypeError::new_err(format!(
                "{} is not supported for complex numbers",
                operation.name()
            )));
        }
        let operands: Vec<Operand> = inputs
            .iter()
            .zip(kinds)
            .map(|(&in_type, kind)| match kind {
                Kind::Array(has) => Operand {
                    has,
                    in_type,
                    vector: true,
                },
                _ => Operand {
                    has: in_type,
                    in_type,
                    vector: false,
                },
            })
            .collect();
        let out = match out {
            Some(out) => out.element().share(py),
            None => elements[inputs.len()].share(py),
        };
        let to = out.launched.and_then(Number::of).unwrap_or(*result);
        let kernel = arithmetic::operation(operation.name(), &operands, *result, to);
        Ok(Self {
            kernel: kernel.or_raise(py)?,
            out,
            inputs: std::array::from_fn(|i| (i < inputs.len()).then(|| elements[i].share(py))),
            integers: inputs
                .iter()
                .all(|n| (Number::Int8..=Number::UInt64).contains(n)),
        })
    }
}

/// The types that NumPy computes with: of the operands and of the result.
fn resolved<'py>(
    py: Python<'py>,
    operation: Operation,
    kinds: [Kind; 2],
    objects: [Option<&Bound<'py, PyAny>>; 2],
    out: Option<&Array>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let numpy = Numpy::get(py)?;
    let mut types: Vec<Bound<'py, PyAny>> = Vec::new();
    for (kind, object) in kinds.into_iter().zip(objects) {
        let Some(object) = object else { continue };
        let plain = |class: Bound<'py, PyType>| class.into_any();
        types.push(match kind {
            Kind::Int => plain(py.get_type::<PyInt>()),
            Kind::Float => plain(py.get_type::<PyFloat>()),
            Kind::Complex => plain(py.get_type::<PyComplex>()),
            Kind::Scalar(_) if object.is_exact_instance_of::<PyBool>() => {
                numpy.dtype(plain(py.get_type::<PyBool>()).as_any())?
            }
            _ => object.getattr(intern!(py, "dtype"))?,
        });
    }
    let name = operation.name();
    if matches!(name, "real" | "imag") {
        let of = types.remove(0);
        let part = numpy
            .empty(&of, &[0], "C")?
            .getattr(name)?
            .getattr(intern!(py, "dtype"))?;
        return Ok(vec![of, part]);
    }
    let function = numpy.attribute(py, name)?;
    let takes: usize = function.getattr(intern!(py, "nin"))?.extract()?;
    if takes != types.len() {
        return Err(PyTypeError::new_err(format!(
            "{name} takes {takes} operand{}, got {}",
            if takes == 1 { "" } else { "s" },
            types.len()
        )));
    }
    let out = out.map(|out| out.element().dtype.bind(py).clone());
    types.push(out.unwrap_or_else(|| py.None().into_bound(py)));
    let types = PyTuple::new(py, types)?;
    let found = function
        .call_method1(intern!(py, "resolve_dtypes"), (types,))
        .map_err(|error| explained(py, name, objects, error))?;
    found.extract()
}

/// NumPy's error says nothing of the operands.
#[cold]
fn explained(
    py: Python<'_>,
    name: &str,
    objects: [Option<&Bound<'_, PyAny>>; 2],
    error: PyErr,
) -> PyErr {
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    let shown: Vec<String> = objects
        .iter()
        .flatten()
        .map(|object| match object.getattr(intern!(py, "dtype")) {
            Ok(dtype) => shown(&dtype),
            Err(_) => type_name(object),
        })
        .collect();
    let mapped = PyTypeError::new_err(format!(
        "{name} is not defined for {}: {}",
        shown.join(" and "),
        error.value(py)
    ));
    mapped.set_cause(py, Some(error));
    mapped
}
