//! Subscripts: integers, slices, `...`, None and the names of fields.

use cuox::array::layout::Dims;
use cuox::array::{Index, Layout};
use pyo3::exceptions::{PyIndexError, PyKeyError, PyOverflowError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyString, PyTuple};

use super::element::Element;
use super::{Array, OrRaiseLayout};
use crate::support::names::type_name;

/// A slice of an axis with so many elements.
fn range(slice: &Bound<'_, PySlice>, size: usize) -> PyResult<Index> {
    let (mut start, mut stop, mut step) = (0, 0, 0);
    // SAFETY: a live slice and places for three numbers; -1 with an exception set is the error return.
    let len = unsafe {
        if ffi::PySlice_Unpack(slice.as_ptr(), &mut start, &mut stop, &mut step) < 0 {
            return Err(PyErr::fetch(slice.py()));
        }
        ffi::PySlice_AdjustIndices(size as isize, &mut start, &mut stop, step)
    };
    Ok(Index::Range {
        // Of an empty slice, the start may be anywhere.
        start: start.max(0) as usize,
        step,
        len: len.max(0) as usize,
    })
}

fn at(object: &Bound<'_, PyAny>) -> PyResult<Index> {
    let error = match object.extract::<isize>() {
        Ok(index) => return Ok(Index::At(index)),
        Err(error) => error,
    };
    if error.is_instance_of::<PyOverflowError>(object.py()) {
        return Err(PyIndexError::new_err(
            "cannot fit 'int' into an index-sized integer",
        ));
    }
    match error.is_instance_of::<PyTypeError>(object.py()) {
        true => Err(unknown(object)),
        false => Err(error),
    }
}

#[cold]
fn unknown(object: &Bound<'_, PyAny>) -> PyErr {
    PyIndexError::new_err(format!(
        "only integers, slices (`:`), ellipsis (`...`), None and names of fields are valid indices of a cuox.Array, got {}; \
         to select elements by other arrays, do it on the host (to_host()) or in a kernel",
        type_name(object)
    ))
}

/// True for what names an axis: everything but None and `...`.
fn names_axis(object: &Bound<'_, PyAny>) -> bool {
    !object.is_none() && !object.is_instance_of::<PyEllipsis>()
}

/// Reads the entries of a subscript, of which `named` name an axis.
fn read<'a, 'py: 'a>(
    layout: &Layout,
    named: usize,
    items: impl Iterator<Item = Borrowed<'a, 'py, PyAny>>,
) -> PyResult<Dims<Index>> {
    let mut axis = 0;
    let mut read = Dims::new();
    for item in items {
        let index = if item.is_none() {
            Index::NewAxis
        } else if let Ok(slice) = item.cast::<PySlice>() {
            axis += 1;
            // Of too many subscripts, the layout tells.
            range(&slice, layout.shape().get(axis - 1).copied().unwrap_or(0))?
        } else if item.is_instance_of::<PyEllipsis>() {
            axis += layout.ndim().saturating_sub(named);
            Index::Ellipsis
        // SAFETY: a live object.
        } else if unsafe { ffi::PyIndex_Check(item.as_ptr()) } != 0
            && !item.is_instance_of::<PyBool>()
        {
            axis += 1;
            at(&item)?
        } else {
            return Err(unknown(&item));
        };
        read.push(index);
    }
    Ok(read)
}

/// The part of a layout that a subscript names, and the bytes from the first element to the part's.
pub fn part(layout: &Layout, key: &Bound<'_, PyAny>) -> PyResult<(Layout, isize)> {
    let items = match key.cast::<PyTuple>() {
        Ok(tuple) => {
            let named = tuple.iter_borrowed().filter(|item| names_axis(item));
            read(layout, named.count(), tuple.iter_borrowed())?
        }
        Err(_) => {
            let named = usize::from(names_axis(key));
            read(layout, named, std::iter::once(key.as_borrowed()))?
        }
    };
    layout.index(&items).or_raise(key.py())
}

impl Array {
    /// `array[key]`: a view.
    pub fn subscript<'py>(
        this: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        let layout = &this.get().layout;
        if key.is_instance_of::<PyString>() {
            return Self::field(this, key);
        }
        let (part, moved) = part(layout, key)?;
        Self::part(this, part, moved)
    }

    /// A view of one field of a structured type.
    fn field<'py>(this: &Bound<'py, Self>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (this.py(), this.get());
        let dtype = array.element.dtype.bind(py);
        let fields = dtype.getattr(intern!(py, "fields"))?;
        if fields.is_none() {
            return Err(unknown(name));
        }
        let field = fields.get_item(name).map_err(|error| {
            match error.is_instance_of::<PyKeyError>(py) {
                true => pyo3::exceptions::PyValueError::new_err(format!("no field of name {name}")),
                false => error,
            }
        })?;
        let element = Element::of(py, Some(&field.get_item(0)?))?;
        let moved: isize = field.get_item(1)?.extract()?;
        let layout = array
            .layout
            .field(element.size, &element.inner)
            .or_raise(py)?;
        Self::view(this, layout, moved, element)
    }
}
