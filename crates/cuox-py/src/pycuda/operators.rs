//! `_ArithmeticArray`: the operators of `pycuda.gpuarray.GPUArray`, which the interpreter enters without a method in
//! between.
//!
//! Operands with an allocator of their own are left to `ufuncs.apply`, which is written in Python.

use std::ffi::{c_int, c_void};

use cuox::array::{Layout, Order};
use cuox_interpreter::type_builder::TypeBuilder;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

use crate::array::create::Place;
use crate::array::element::Element;
use crate::array::{Array, OrRaiseLayout};
use crate::parallel::arithmetic::{compute, new_array};
use crate::parallel::operations::Operation;
use crate::support::fastcall::enter;

/// An operation of two operands, or of one if the second is missing.
fn operate<'py>(
    py: Python<'py>,
    operation: Operation,
    a: &Bound<'py, PyAny>,
    b: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    if allocates(a)? || b.map_or(Ok(false), allocates)? {
        static APPLY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let apply = APPLY.import(py, "cuox.pycuda._gpuarray.ufuncs", "apply")?;
        let operands = match b {
            Some(b) => PyTuple::new(py, [a, b])?,
            None => PyTuple::new(py, [a])?,
        };
        return apply.call1((operation.name(), operands));
    }
    compute(py, operation, [Some(a), b], None, None, None)
}

/// True for an array whose results are made in memory of its own allocator: that which it, or the array of which it is
/// a view, was given.
#[inline]
fn allocates(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let mut array = match object.cast::<Array>() {
        Ok(array) if !array.is_exact_instance_of::<Array>() => array.clone(),
        _ => return Ok(false),
    };
    let py = object.py();
    loop {
        let allocator = array.getattr_opt(intern!(py, "_given_allocator"))?;
        if allocator.is_some_and(|allocator| !allocator.is_none()) {
            return Ok(true);
        }
        // A view is made without its array's allocator.
        match array.get().base_of_class(array.get_type_ptr(), py) {
            Some(base) => array = base,
            None => return Ok(false),
        }
    }
}

/// Make an array without dimensions in the order of another's memory, of its class; None if that one has an allocator
/// of its own.
#[pyfunction]
pub fn _scalar_like<'py>(
    array: &Bound<'py, Array>,
    dtype: &Bound<'py, PyAny>,
) -> PyResult<Option<Bound<'py, Array>>> {
    if allocates(array)? {
        return Ok(None);
    }
    let py = array.py();
    let element = Element::of(py, Some(dtype))?;
    let layout = Layout::contiguous(&[], element.size, Order::C).or_raise(py)?;
    let place = Place {
        device: array.get().on_device(),
        stream: array.get().own_order(py)?,
    };
    new_array(array, layout, element, None, place).map(Some)
}

/// The slots of operators, each with the operation's name.
macro_rules! slots {
    ($builder:expr; $($kind:ident $slot:ident $name:literal),* $(,)?) => {
        $builder$(.slot(ffi::$slot, slots!(@$kind $name)))*
    };
    (@binary $name:literal) => {{
        unsafe extern "C" fn slot(a: *mut ffi::PyObject, b: *mut ffi::PyObject) -> *mut ffi::PyObject {
            const OPERATION: Operation = Operation::known($name);
            // SAFETY: the interpreter passes live objects, with the GIL held.
            unsafe {
                enter($name, |py| {
                    let (a, b) = (Bound::ref_from_ptr(py, &a), Bound::ref_from_ptr(py, &b));
                    operate(py, OPERATION, a, Some(b))
                })
            }
        }
        slot as *const c_void
    }};
    (@in_place $name:literal) => {{
        unsafe extern "C" fn slot(a: *mut ffi::PyObject, b: *mut ffi::PyObject) -> *mut ffi::PyObject {
            const OPERATION: Operation = Operation::known($name);
            // SAFETY: as above.
            unsafe {
                enter($name, |py| {
                    let (a, b) = (Bound::ref_from_ptr(py, &a), Bound::ref_from_ptr(py, &b));
                    compute(py, OPERATION, [Some(a), Some(b)], Some(a), None, None)
                })
            }
        }
        slot as *const c_void
    }};
    (@unary $name:literal) => {{
        unsafe extern "C" fn slot(a: *mut ffi::PyObject) -> *mut ffi::PyObject {
            const OPERATION: Operation = Operation::known($name);
            // SAFETY: as above.
            unsafe { enter($name, |py| operate(py, OPERATION, Bound::ref_from_ptr(py, &a), None)) }
        }
        slot as *const c_void
    }};
}

/// The comparisons by the interpreter's numbers, from `Py_LT` on.
const COMPARISONS: [Operation; 6] = [
    Operation::known("less"),
    Operation::known("less_equal"),
    Operation::known("equal"),
    Operation::known("not_equal"),
    Operation::known("greater"),
    Operation::known("greater_equal"),
];

unsafe extern "C" fn compare(
    a: *mut ffi::PyObject,
    b: *mut ffi::PyObject,
    which: c_int,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes live objects, with the GIL held.
    unsafe {
        enter("comparison", |py| {
            let (a, b) = (Bound::ref_from_ptr(py, &a), Bound::ref_from_ptr(py, &b));
            match usize::try_from(which)
                .ok()
                .and_then(|which| COMPARISONS.get(which))
            {
                Some(&operation) => operate(py, operation, a, Some(b)),
                None => Ok(py.NotImplemented().into_bound(py)),
            }
        })
    }
}

/// `__iadd__`, which is a method: of a slot of this name, the interpreter also makes the one that joins sequences, and
/// takes the `NotImplemented` that comes from there for a result.
unsafe extern "C" fn add_in_place(
    this: *mut ffi::PyObject,
    other: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter passes live objects, with the GIL held; the descriptor has checked the first one.
    unsafe {
        enter("add", |py| {
            let this = Bound::ref_from_ptr(py, &this);
            let operands = [Some(this), Some(Bound::ref_from_ptr(py, &other))];
            compute(
                py,
                const { Operation::known("add") },
                operands,
                Some(this),
                None,
                None,
            )
        })
    }
}

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    // Objects are laid out as those of the class below.
    let builder = TypeBuilder::new("cuox._native._ArithmeticArray".to_owned(), 0)?
        .doc(Some("A cuox.Array with operators, which work element by element with NumPy's types and broadcast."))
        .methods(vec![ffi::PyMethodDef {
            ml_name: c"__iadd__".as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunction: add_in_place,
            },
            ml_flags: ffi::METH_O,
            ml_doc: c"__iadd__($self, value, /)\n--\n\nReturn self+=value.".as_ptr(),
        }])
        .slot(ffi::Py_tp_richcompare, compare as *const c_void);
    let class = slots!(builder;
        binary Py_nb_add "add",
        binary Py_nb_subtract "subtract",
        binary Py_nb_multiply "multiply",
        binary Py_nb_true_divide "true_divide",
        binary Py_nb_floor_divide "floor_divide",
        binary Py_nb_remainder "remainder",
        binary Py_nb_and "bitwise_and",
        binary Py_nb_or "bitwise_or",
        binary Py_nb_xor "bitwise_xor",
        binary Py_nb_lshift "left_shift",
        binary Py_nb_rshift "right_shift",
        in_place Py_nb_inplace_subtract "subtract",
        in_place Py_nb_inplace_multiply "multiply",
        in_place Py_nb_inplace_true_divide "true_divide",
        in_place Py_nb_inplace_floor_divide "floor_divide",
        in_place Py_nb_inplace_remainder "remainder",
        in_place Py_nb_inplace_and "bitwise_and",
        in_place Py_nb_inplace_or "bitwise_or",
        in_place Py_nb_inplace_xor "bitwise_xor",
        in_place Py_nb_inplace_lshift "left_shift",
        in_place Py_nb_inplace_rshift "right_shift",
        unary Py_nb_negative "negative",
        unary Py_nb_absolute "absolute",
        unary Py_nb_invert "invert",
    )
    .make(py, Some(&py.get_type::<Array>()), 0)?;
    class.setattr("_given_allocator", py.None())?;
    module.add("_ArithmeticArray", class)?;
    module.add_function(wrap_pyfunction!(_scalar_like, module)?)
}
