//! `cuox._native._cast`: elements converted to another type.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use cuox::array::Layout;
use cuox_parallel::arithmetic::{self, Number};
use cuox_parallel::elementwise::{Elementwise, Indices, Shaped};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use super::arithmetic::new_array;
use super::elementwise::launch;
use super::operations::number;
use crate::array::create::Place;
use crate::array::element::{Element, OrderArgument, shown};
use crate::array::{Array, OrRaiseLayout};
use crate::error::OrRaise;
use crate::stream::{StreamRef, stream_argument};
use crate::support::plain_args::given;

type Kernels = HashMap<(Number, Number), Arc<Elementwise>>;

static KERNELS: LazyLock<Mutex<Kernels>> = LazyLock::new(Mutex::default);

fn kernel(py: Python<'_>, from: Number, to: Number) -> PyResult<Arc<Elementwise>> {
    let kernels = || KERNELS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = kernels().get(&(from, to)) {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(arithmetic::conversion(from, to).or_raise(py)?);
    kernels().insert((from, to), Arc::clone(&made));
    Ok(made)
}

/// Copy an array to a new one whose elements are converted to `dtype`, as NumPy's `astype` does; numbers that an
/// integer does not have become the nearest that it has, or what is left of 64 bits.
///
/// order: of the new array; "K" is the array's own. `allocator` and `stream` are as for `_binary`.
///
/// Raises TypeError for types that are no numbers, if they differ.
#[pyfunction]
#[pyo3(signature = (a, dtype, *, order=None, allocator=None, stream=None))]
pub fn _cast<'py>(
    a: &Bound<'py, Array>,
    dtype: &Bound<'py, PyAny>,
    order: Option<&Bound<'py, PyAny>>,
    allocator: Option<&Bound<'py, PyAny>>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, Array>> {
    let (py, array) = (a.py(), a.get());
    let element = Element::of(py, Some(dtype))?;
    let order = OrderArgument::of(order, OrderArgument::K, "CFAK")?;
    let layout = match order {
        OrderArgument::K => array.layout().like(element.size),
        _ => Layout::contiguous(
            array.layout().shape(),
            element.size,
            order.of_new(array.layout()),
        ),
    }
    .or_raise(py)?;
    let device = array.on_device();
    let (at, place) = match given(stream) {
        Some(given) => (
            stream_argument(py, given, Some(device))?,
            Place::of(py, None, Some(given))?,
        ),
        None => {
            let at = array.order(py, None)?;
            let stream = StreamRef::from(at.clone());
            (at, Place { device, stream })
        }
    };
    let same = element.is(py, array.element())?;
    let numbers = match same {
        true => None,
        false => {
            let to = element.launched.and_then(Number::of).ok_or_else(|| {
                PyTypeError::new_err(format!(
                    "elements are not converted to {} on a device; convert them on the host (to_host())",
                    shown(element.dtype.bind(py))
                ))
            })?;
            Some((number(array)?, to))
        }
    };
    let made = new_array(a, layout, element, allocator, place)?;
    let Some((from, to)) = numbers else {
        Array::assign(&made, a.as_any(), stream, "array.astype()")?;
        return Ok(made);
    };
    let kernel = kernel(py, from, to)?;
    let sides = [made.get(), array];
    let shaped = sides.map(|side| Shaped {
        layout: Some(side.layout()),
        address: side.first_address(),
    });
    let plan = kernel.plan(&shaped, Indices::All, device).or_raise(py)?;
    if plan.is_empty() {
        return Ok(made);
    }
    launch(py, &kernel, &plan, &at, |arguments, buffer| {
        let parameters = arguments.parameters;
        for (index, side) in sides.into_iter().enumerate() {
            let (slot, offset) = parameters.slots()[index];
            let target = &mut buffer.bytes(parameters)[offset as usize..];
            let memory = side.memory(arguments.order, slot.access())?;
            slot.put_address(memory.address, target)
                .map_err(|refusal| parameters.refused(index, refusal, "an address"))
                .or_raise(py)?;
        }
        Ok(())
    })?;
    Ok(made)
}
