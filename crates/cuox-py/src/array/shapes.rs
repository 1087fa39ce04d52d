//! The same elements under another shape: views where that is possible.

use cuox::array::{Layout, LayoutError, Order};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use super::create::shape_argument;
use super::element::{Element, OrderArgument};
use super::{Array, OrRaiseLayout};
use crate::support::names::type_name;
use crate::support::plain_args::given;

/// Numbers that are given one by one, or as one tuple.
fn numbers(what: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<Vec<isize>> {
    let py = arguments.py();
    let one = match arguments.len() {
        1 => Some(arguments.get_item(0)?),
        _ => None,
    };
    let list = match &one {
        Some(one) if one.is_instance_of::<PyTuple>() || one.is_instance_of::<PyList>() => {
            one.clone()
        }
        _ => arguments.clone().into_any(),
    };
    let mut read = Vec::new();
    for item in list.try_iter()? {
        let item = item?;
        match item.extract::<isize>() {
            Ok(number) => read.push(number),
            Err(error) if error.is_instance_of::<PyTypeError>(py) => {
                return Err(PyTypeError::new_err(format!(
                    "{what}: expected ints or a tuple of ints, got {}",
                    type_name(&item)
                )));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

impl Array {
    /// `array.reshape(*shape, order=)`.
    pub fn reshaped<'py>(
        this: &Bound<'py, Self>,
        shape: &Bound<'py, PyTuple>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        if shape.is_empty() {
            return Err(PyTypeError::new_err("reshape: shape is missing"));
        }
        let order = OrderArgument::of(order, OrderArgument::C, "CFA")?;
        let shape = numbers("reshape", shape)?;
        Self::reshape_to(this, &shape, order, "array.reshape()")
    }

    fn reshape_to<'py>(
        this: &Bound<'py, Self>,
        shape: &[isize],
        order: OrderArgument,
        user: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), &this.get().layout);
        let shape = layout.complete_shape(shape).or_raise(py)?;
        let order = order.of_new(layout);
        if let Some(view) = layout.reshape(&shape, order).or_raise(py)? {
            return Self::part(this, view, 0);
        }
        let copy = Self::copied(this, OrderArgument::from(order), None, user)?;
        let view = Layout::contiguous(&shape, layout.itemsize(), order).or_raise(py)?;
        Self::part(&copy, view, 0)
    }

    /// `array.ravel(order)`: one dimension without gaps.
    pub fn raveled<'py>(
        this: &Bound<'py, Self>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), &this.get().layout);
        let order = OrderArgument::of(order, OrderArgument::C, "CFAK")?;
        let flat = Layout::contiguous(&[layout.len()], layout.itemsize(), Order::C).or_raise(py)?;
        let here = match order {
            // In the order of the memory, whatever that is.
            OrderArgument::K => layout.is_dense_forwards(),
            order => layout.is_contiguous(order.of_new(layout)),
        };
        if here {
            return Self::part(this, flat, 0);
        }
        Self::flat_copy(this, order, flat, "array.ravel()")
    }

    /// A copy of one dimension, in this order.
    fn flat_copy<'py>(
        this: &Bound<'py, Self>,
        order: OrderArgument,
        flat: Layout,
        user: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), &this.get().layout);
        let copy = match order {
            OrderArgument::K => {
                let axes: Vec<isize> = layout.by_memory().iter().map(|&i| i as isize).collect();
                let walked = layout.transpose(Some(&axes)).or_raise(py)?;
                Self::copied(&Self::part(this, walked, 0)?, OrderArgument::C, None, user)?
            }
            order => Self::copied(this, order.of_new(layout).into(), None, user)?,
        };
        Self::part(&copy, flat, 0)
    }

    /// `array.flatten(order)`: always a copy.
    pub fn flattened<'py>(
        this: &Bound<'py, Self>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), &this.get().layout);
        let order = OrderArgument::of(order, OrderArgument::C, "CFAK")?;
        let flat = Layout::contiguous(&[layout.len()], layout.itemsize(), Order::C).or_raise(py)?;
        Self::flat_copy(this, order, flat, "array.flatten()")
    }

    /// `array.transpose(*axes)`.
    pub fn transposed<'py>(
        this: &Bound<'py, Self>,
        axes: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let reversed = axes.is_empty() || axes.len() == 1 && axes.get_item(0)?.is_none();
        let axes = match reversed {
            true => None,
            false => Some(numbers("transpose", axes)?),
        };
        let layout = this.get().layout.transpose(axes.as_deref()).or_raise(py)?;
        Self::part(this, layout, 0)
    }

    /// `array.swapaxes(a, b)`.
    pub fn swapped<'py>(this: &Bound<'py, Self>, a: isize, b: isize) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), &this.get().layout);
        let swap = || {
            let (a, b) = (layout.axis(a)?, layout.axis(b)?);
            let mut axes: Vec<isize> = (0..layout.ndim() as isize).collect();
            axes.swap(a, b);
            layout.transpose(Some(&axes))
        };
        let layout = swap().or_raise(py)?;
        Self::part(this, layout, 0)
    }

    /// `array.squeeze(axis)`.
    pub fn squeezed<'py>(
        this: &Bound<'py, Self>,
        axis: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let py = this.py();
        let axes = match given(axis) {
            // NumPy takes a number for the last dimension of none, and so does this.
            Some(axis)
                if this.get().layout.ndim() == 0
                    && matches!(axis.extract::<isize>(), Ok(0 | -1)) =>
            {
                None
            }
            Some(axis) => Some(numbers("squeeze", &PyTuple::new(py, [axis])?)?),
            None => None,
        };
        let layout = this.get().layout.squeeze(axes.as_deref()).or_raise(py)?;
        Self::part(this, layout, 0)
    }

    /// `array.broadcast_to(shape)`: read-only, as one element may be many.
    pub fn broadcasted<'py>(
        this: &Bound<'py, Self>,
        shape: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (this.py(), this.get());
        let shape = shape_argument(shape)?;
        let layout = array.layout.broadcast_to(&shape).map_err(|error| match error {
            LayoutError::NoBroadcast(from, to) => PyValueError::new_err(format!(
                "operands could not be broadcast together with remapped shapes [original->remapped]: {from} and requested shape {to}"
            )),
            error => super::raised(py, error),
        })?;
        Self::view_as(this, layout, 0, array.element.share(py), true)
    }

    /// `array.view(dtype)`.
    pub fn viewed<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (this.py(), this.get());
        let element = match given(dtype) {
            Some(dtype) => Element::of(py, Some(dtype))?,
            None => array.element.share(py),
        };
        if !element.inner.is_empty() {
            return Err(PyTypeError::new_err(
                "view: a type with a shape of its own is not an element; view the item's type and reshape",
            ));
        }
        let layout = array.layout.view(element.size).or_raise(py)?;
        Self::view(this, layout, 0, element)
    }
}

impl From<Order> for OrderArgument {
    fn from(order: Order) -> Self {
        match order {
            Order::C => Self::C,
            Order::F => Self::F,
        }
    }
}
