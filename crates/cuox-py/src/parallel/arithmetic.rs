//! `cuox._native._binary`, `_unary` and `_convert`: arithmetic on arrays with NumPy's types and values.

use std::mem::MaybeUninit;

use cuox::array::layout::Dims;
use cuox::array::{Layout, Order};
use cuox::launch::Slot;
use cuox_parallel::elementwise::{Indices, Shaped};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use smallvec::SmallVec;

use super::elementwise::launch;
use super::operations::{Entry, Kind, Operation};
use crate::array::create::Place;
use crate::array::element::Element;
use crate::array::numpy::Numpy;
use crate::array::{Array, OrRaiseLayout, fill};
use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::launch::arguments::Arguments;
use crate::stream::{StreamRef, stream_argument};
use crate::support::closable::Counted;
use crate::support::names::type_name;
use crate::support::plain_args::given;

type Object<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

/// Compute `op` of two operands, arrays or numbers, into `out` or a new array of the class of the first array.
///
/// Types, broadcasting and values are NumPy's, in which Python's own numbers take the type of the other operand.
/// `allocator` is called with the number of bytes of a new array and returns a Buffer. Without a stream it is done in
/// the order of the first array.
///
/// Returns NotImplemented for other operands. Raises TypeError for types that the operation does not take, ValueError
/// for shapes that do not fit together.
#[pyfunction]
#[pyo3(signature = (op, a, b, out=None, *, allocator=None, stream=None))]
pub fn _binary<'py>(
    op: &Bound<'py, PyAny>,
    a: &Bound<'py, PyAny>,
    b: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    allocator: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    compute(
        op.py(),
        Operation::named(op)?,
        [Some(a), Some(b)],
        out,
        allocator,
        stream,
    )
}

/// Compute `op` of one array. The rest is as for `_binary`.
#[pyfunction]
#[pyo3(signature = (op, a, out=None, *, allocator=None, stream=None))]
pub fn _unary<'py>(
    op: &Bound<'py, PyAny>,
    a: &Bound<'py, PyAny>,
    out: Option<&Bound<'py, PyAny>>,
    allocator: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    compute(
        op.py(),
        Operation::named(op)?,
        [Some(a), None],
        out,
        allocator,
        stream,
    )
}

/// Computes an operation of operands, the second of which may be missing. `NotImplemented` for operands that are
/// neither arrays nor numbers.
pub fn compute<'py>(
    py: Python<'py>,
    operation: Operation,
    operands: [Object<'_, 'py>; 2],
    out: Object<'_, 'py>,
    allocator: Object<'_, 'py>,
    stream: Object<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut kinds = [Kind::None; 2];
    for (kind, operand) in kinds.iter_mut().zip(operands) {
        let Some(operand) = operand else { continue };
        match Kind::of(operand)? {
            Some(found) => *kind = found,
            None => return Ok(py.NotImplemented().into_bound(py)),
        }
    }
    let out = match given(out) {
        Some(out) => match out.cast::<Array>() {
            Ok(array) => {
                array.get().check_writable()?;
                Some(array)
            }
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "{}: out: expected a cuox.Array, got {}",
                    operation.name(),
                    type_name(out)
                )));
            }
        },
        None => None,
    };
    let arrays: [Option<&Bound<'py, Array>>; 2] =
        operands.map(|operand| operand.and_then(|operand| operand.cast::<Array>().ok()));
    let Some(first) = arrays[0].or(arrays[1]) else {
        return Err(PyTypeError::new_err(format!(
            "{}: no operand is a cuox.Array",
            operation.name()
        )));
    };
    if operation.is_comparison()
        && let Some((place, value)) = beyond(&kinds, &operands)?
    {
        // Every integer of the array is on the same side of it.
        let infinite = Numpy::get(py)?.attribute(py, "float64")?.call1((value,))?;
        let mut finite = operands;
        finite[place] = Some(&infinite);
        return compute(
            py,
            operation,
            finite,
            out.map(|out| out.as_any()),
            allocator,
            stream,
        );
    }
    let entry = Entry::get(py, operation, kinds, operands, out.map(|out| out.get()))?;
    if entry.integers
        && operation == Operation::POWER
        && kinds[1] == Kind::Int
        && let Some(power) = operands[1]
        && power.lt(0)?
    {
        return Err(PyValueError::new_err(
            "Integers to negative integer powers are not allowed.",
        ));
    }
    let (order, made) = place(first, out, stream)?;
    let layout = result_layout(py, arrays, &entry.out)?;
    let target = match out {
        Some(out) => {
            if out.get().layout().shape() != layout.shape() {
                return Err(PyValueError::new_err(format!(
                    "{}: out has shape {}, the result {}",
                    operation.name(),
                    cuox::array::layout::shown(out.get().layout().shape()),
                    cuox::array::layout::shown(layout.shape())
                )));
            }
            let overlapping = arrays
                .iter()
                .flatten()
                .any(|array| is_read_after_written(out.get(), array.get()));
            if overlapping {
                let aside = new_array(first, layout, entry.out.share(py), None, made)?;
                run(py, entry, &aside, operands, arrays, &order)?;
                Array::assign(out, aside.as_any(), stream, operation.name())?;
                return Ok(out.clone().into_any());
            }
            out.clone()
        }
        None => new_array(first, layout, entry.out.share(py), allocator, made)?,
    };
    run(py, entry, &target, operands, arrays, &order)?;
    Ok(target.into_any())
}

/// A Python integer that the integers of the array that it is compared with do not reach: its place, and which infinity
/// it is as good as.
fn beyond(kinds: &[Kind; 2], operands: &[Object<'_, '_>; 2]) -> PyResult<Option<(usize, f64)>> {
    use cuox_parallel::arithmetic::Number;
    let (place, other) = match kinds {
        [Kind::Int, Kind::Array(other)] => (0, other),
        [Kind::Array(other), Kind::Int] => (1, other),
        _ => return Ok(None),
    };
    let bits = match other {
        Number::Int8 | Number::UInt8 => 8,
        Number::Int16 | Number::UInt16 => 16,
        Number::Int32 | Number::UInt32 => 32,
        Number::Int64 | Number::UInt64 => 64,
        _ => return Ok(None),
    };
    let (low, high) = match (Number::UInt8..=Number::UInt64).contains(other) {
        true => (0, (1i128 << bits) - 1),
        false => (-1i128 << (bits - 1), (1i128 << (bits - 1)) - 1),
    };
    let Some(operand) = operands[place] else {
        return Ok(None);
    };
    let value = match operand.extract::<i128>() {
        Ok(value) => value,
        Err(error) if error.is_instance_of::<PyOverflowError>(operand.py()) => {
            match operand.lt(0)? {
                true => i128::MIN,
                false => i128::MAX,
            }
        }
        Err(error) => return Err(error),
    };
    Ok(match value {
        value if value < low => Some((place, f64::NEG_INFINITY)),
        value if value > high => Some((place, f64::INFINITY)),
        _ => None,
    })
}

/// The stream of an operation, and the place of a new array.
fn place<'py>(
    first: &Bound<'py, Array>,
    out: Option<&Bound<'py, Array>>,
    stream: Object<'_, 'py>,
) -> PyResult<(StreamRef, Place)> {
    let py = first.py();
    let device = first.get().on_device();
    if let Some(stream) = given(stream) {
        let order = stream_argument(py, stream, Some(device))?;
        return Ok((order.into(), Place::of(py, None, Some(stream))?));
    }
    let order = out.unwrap_or(first).get().own_order(py)?;
    let made = Place {
        device,
        stream: order.share(py),
    };
    Ok((order, made))
}

/// True if elements would be written before they are read: the arrays overlap, and not element by element.
fn is_read_after_written(out: &Array, input: &Array) -> bool {
    let range = |array: &Array| {
        let (low, high) = array.layout().span();
        let first = array.first_address();
        (
            first.wrapping_add_signed(low as i64),
            first.wrapping_add_signed(high as i64),
        )
    };
    let ((a, a_end), (b, b_end)) = (range(out), range(input));
    let same = out.first_address() == input.first_address() && out.layout() == input.layout();
    a < b_end && b < a_end && !same
}

fn result_layout(
    py: Python<'_>,
    arrays: [Option<&Bound<'_, Array>>; 2],
    element: &Element,
) -> PyResult<Layout> {
    let layouts: SmallVec<[&Layout; 2]> = arrays
        .iter()
        .flatten()
        .map(|array| array.get().layout())
        .collect();
    let fortran = layouts
        .iter()
        .all(|layout| layout.is_contiguous(Order::F) && !layout.is_contiguous(Order::C));
    let order = if fortran { Order::F } else { Order::C };
    let same = layouts
        .iter()
        .all(|layout| layout.shape() == layouts[0].shape());
    let shape: Dims<usize> = match same {
        true => layouts[0].shape().into(),
        false => {
            let shapes: SmallVec<[&[usize]; 2]> =
                layouts.iter().map(|layout| layout.shape()).collect();
            Layout::broadcast_shapes(&shapes).or_raise(py)?
        }
    };
    Layout::contiguous(&shape, element.size, order).or_raise(py)
}

/// A new array of the class of another.
pub fn new_array<'py>(
    like: &Bound<'py, Array>,
    layout: Layout,
    element: Counted<Element>,
    allocator: Object<'_, 'py>,
    place: Place,
) -> PyResult<Bound<'py, Array>> {
    let py = like.py();
    let class = Array::subclass(like);
    let Some(allocator) = given(allocator) else {
        return Array::allocate(py, class.as_ref(), layout, element, place);
    };
    let memory = allocator.call1((layout.nbytes(),))?;
    let Ok(buffer) = memory.cast_into::<Buffer>() else {
        return Err(PyTypeError::new_err(
            "allocator: expected it to return a cuox.Buffer",
        ));
    };
    if buffer.get().size < layout.nbytes() {
        return Err(PyValueError::new_err(format!(
            "allocator: asked for {} bytes, got {}",
            layout.nbytes(),
            buffer.get().size
        )));
    }
    Array::within(buffer.into(), 0, layout, element).finish(py, class.as_ref())
}

/// Launches an operation on operands, broadcast to the result's shape.
fn run<'py>(
    py: Python<'py>,
    entry: &Entry,
    out: &Bound<'py, Array>,
    operands: [Object<'_, 'py>; 2],
    arrays: [Option<&Bound<'py, Array>>; 2],
    order: &cuox::Stream,
) -> PyResult<()> {
    let target = out.get();
    let shape = target.layout().shape();
    let mut broadcast: [Option<Layout>; 2] = [None, None];
    for (made, array) in broadcast.iter_mut().zip(arrays) {
        if let Some(array) = array
            && array.get().layout().shape() != shape
        {
            *made = Some(array.get().layout().broadcast_to(shape).or_raise(py)?);
        }
    }
    let mut shaped: SmallVec<[Shaped<'_>; 3]> = SmallVec::new();
    shaped.push(Shaped {
        layout: Some(target.layout()),
        address: target.first_address(),
    });
    for (place, operand) in operands.iter().enumerate() {
        if operand.is_some() {
            let array = arrays[place].map(|array| array.get());
            shaped.push(Shaped {
                layout: array.map(|array| broadcast[place].as_ref().unwrap_or(array.layout())),
                address: array.map_or(0, Array::first_address),
            });
        }
    }
    let plan = entry
        .kernel
        .plan(&shaped, Indices::All, order.device())
        .or_raise(py)?;
    if plan.is_empty() {
        return Ok(());
    }
    launch(py, &entry.kernel, &plan, order, |arguments, buffer| {
        let parameters = arguments.parameters;
        let bytes = buffer.bytes(parameters);
        for (index, &(slot, offset)) in parameters.slots().iter().enumerate() {
            let bytes = &mut bytes[offset as usize..];
            let array = match index {
                0 => Some(out),
                1 | 2 => arrays[index - 1],
                _ => break,
            };
            if let Some(array) = array {
                let memory = array.get().memory(arguments.order, slot.access())?;
                slot.put_address(memory.address, bytes)
                    .map_err(|refusal| arguments.refused(index, array.as_any(), refusal))?;
            } else if let Some(value) = operands[index - 1]
                && let Some(element) = &entry.inputs[index - 1]
            {
                put_number(arguments, index, (slot, bytes), element, value)?;
            }
        }
        Ok(())
    })
}

/// Puts a number of the type that the operation takes, converted as NumPy does it.
fn put_number(
    arguments: &Arguments<'_>,
    index: usize,
    (slot, target): (Slot, &mut [MaybeUninit<u8>]),
    element: &Element,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let py = value.py();
    // SAFETY: a live object, whose exact class is looked at before it is read.
    unsafe {
        if slot.is_float() && ffi::PyFloat_CheckExact(value.as_ptr()) != 0 {
            let number = ffi::PyFloat_AsDouble(value.as_ptr());
            if slot.put_float(number, target).is_ok() {
                return Ok(());
            }
        } else if ffi::PyLong_CheckExact(value.as_ptr()) != 0
            && matches!(slot, Slot::Int { .. } | Slot::F64)
        {
            let mut overflow = 0;
            let number = ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &raw mut overflow);
            if overflow == 0 && slot.put_integer(i128::from(number), target).is_ok() {
                return Ok(());
            }
        }
    }
    let bytes = fill::item(py, element, value)?;
    slot.put_bytes(&bytes, None, target)
        .map_err(|refusal| arguments.refused(index, value, refusal))
}
