//! The layout of a view's elements, which users of `cuda.core` slice.

use cuox::array::layout::{Dims, LayoutError};
use cuox::array::{Layout, Order};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::OrRaiseLayout;
use crate::array::create::shape_argument;
use crate::array::subscript;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// The shape and the strides of a `StridedMemoryView`: `view.view(view._layout[1:, ::2])` shows a part.
///
/// shape: the sizes; strides: elements from one of a dimension to the next, None in C order without gaps; itemsize:
/// bytes of an element; divide_strides: the strides are in bytes.
///
/// Raises ValueError for strides that are no multiples of the element's size, or of another length than the shape.
#[pyclass(frozen, module = "cuox._native", name = "_StridedLayout")]
pub struct StridedLayout {
    pub layout: Layout,
    /// Bytes from the first element of the layout that this is a part of.
    pub offset: isize,
    /// False if the strides follow from the shape.
    pub has_strides: bool,
}

impl StridedLayout {
    /// A layout of all elements.
    pub fn whole(layout: Layout, has_strides: bool) -> Self {
        Self {
            layout,
            offset: 0,
            has_strides,
        }
    }

    /// A layout with strides in elements.
    #[inline]
    pub fn of(
        py: Python<'_>,
        shape: Dims<usize>,
        strides: Option<&[i64]>,
        itemsize: usize,
    ) -> PyResult<Self> {
        let layout = match strides {
            None => Layout::contiguous(&shape, itemsize, Order::C),
            Some(strides) if strides.len() != shape.len() => {
                Err(LayoutError::OtherStrides(strides.len(), shape.len()))
            }
            Some(strides) => {
                // What is too large stays too large.
                let bytes = |&stride: &i64| (stride as isize).saturating_mul(itemsize as isize);
                Layout::of_dims(shape, strides.iter().map(bytes).collect(), itemsize)
            }
        };
        Ok(Self::whole(layout.or_raise(py)?, strides.is_some()))
    }

    /// The strides of a layout, in elements.
    pub fn counts(layout: &Layout) -> impl Iterator<Item = isize> + '_ {
        let size = layout.itemsize().max(1) as isize;
        layout.strides().iter().map(move |stride| stride / size)
    }
}

/// Strides that are given in bytes, as a number of elements.
pub fn divided(strides: &[i64], itemsize: usize) -> PyResult<Vec<i64>> {
    let size = itemsize.max(1) as i64;
    let divided = strides.iter().map(|&stride| match stride % size {
        0 => Ok(stride / size),
        _ => Err(PyValueError::new_err(format!(
            "strides must be divisible by itemsize: {stride} bytes, and elements of {itemsize} bytes"
        ))),
    });
    divided.collect()
}

/// An optional tuple of strides.
pub fn strides_argument(strides: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<i64>>> {
    given(strides)
        .map(|strides| {
            let read = strides.extract::<Vec<i64>>();
            read.map_err(|_| {
                plain_args::wrong_kind("strides", "a tuple of 64-bit ints or None", strides)
            })
        })
        .transpose()
}

#[pymethods]
impl StridedLayout {
    #[new]
    #[pyo3(signature = (shape, strides, itemsize, divide_strides=false))]
    fn py_new(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        strides: Option<&Bound<'_, PyAny>>,
        itemsize: &Bound<'_, PyAny>,
        divide_strides: bool,
    ) -> PyResult<Self> {
        let (shape, itemsize) = (shape_argument(shape)?, itemsize_argument(itemsize)?);
        let mut strides = strides_argument(strides)?;
        if divide_strides && let Some(strides) = &mut strides {
            *strides = divided(strides, itemsize)?;
        }
        Self::of(py, shape, strides.as_deref(), itemsize)
    }

    /// Return a layout without gaps. stride_order: "C", or "F" for the first dimension fastest.
    #[staticmethod]
    #[pyo3(signature = (shape, itemsize, stride_order="C"))]
    fn dense(
        py: Python<'_>,
        shape: &Bound<'_, PyAny>,
        itemsize: &Bound<'_, PyAny>,
        stride_order: &str,
    ) -> PyResult<Self> {
        let order = match stride_order {
            "C" => Order::C,
            "F" => Order::F,
            other => {
                return Err(PyValueError::new_err(format!(
                    "stride_order must be \"C\" or \"F\", got {other:?}"
                )));
            }
        };
        let layout =
            Layout::contiguous(&shape_argument(shape)?, itemsize_argument(itemsize)?, order);
        Ok(Self::whole(layout.or_raise(py)?, true))
    }

    /// The number of dimensions.
    #[getter]
    fn ndim(&self) -> usize {
        self.layout.ndim()
    }

    /// The sizes of the dimensions.
    #[getter]
    pub fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.layout.shape())
    }

    /// Elements from one of a dimension to the next; None in C order without gaps, where none were given.
    #[getter]
    pub fn strides<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let strides = self.has_strides.then(|| {
            let counts: Vec<isize> = Self::counts(&self.layout).collect();
            PyTuple::new(py, counts)
        });
        strides.transpose()
    }

    /// The same in bytes.
    #[getter]
    fn strides_in_bytes<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let strides = self
            .has_strides
            .then(|| PyTuple::new(py, self.layout.strides()));
        strides.transpose()
    }

    /// Bytes of an element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.layout.itemsize()
    }

    /// The number of elements.
    #[getter]
    fn volume(&self) -> usize {
        self.layout.len()
    }

    /// Elements from the first one of the layout that this is a part of.
    #[getter]
    fn slice_offset(&self) -> isize {
        self.offset / self.layout.itemsize().max(1) as isize
    }

    /// The same in bytes.
    #[getter]
    fn slice_offset_in_bytes(&self) -> isize {
        self.offset
    }

    /// True if the elements lie without gaps from the first one on, in any order of the dimensions.
    #[getter]
    fn is_dense(&self) -> bool {
        self.offset == 0 && self.layout.is_dense_forwards()
    }

    /// True if the last dimension is the fastest, without gaps.
    #[getter]
    fn is_contiguous_c(&self) -> bool {
        self.layout.is_contiguous(Order::C)
    }

    /// True if the first dimension is the fastest, without gaps.
    #[getter]
    fn is_contiguous_f(&self) -> bool {
        self.layout.is_contiguous(Order::F)
    }

    /// Return the bytes that memory needs which begins where the whole layout does.
    ///
    /// Raises ValueError if an element lies before that.
    pub fn required_size_in_bytes(&self) -> PyResult<isize> {
        let (low, high) = self.layout.span();
        if self.layout.is_empty() {
            return Ok(0);
        }
        let first = self.offset.saturating_add(low);
        match first < 0 {
            true => Err(PyValueError::new_err(format!(
                "the layout has elements before the start of the memory, from byte {first} on"
            ))),
            false => Ok(self.offset.saturating_add(high)),
        }
    }

    /// A part of the layout: ints, slices, `...` and None, as NumPy's subscripts.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (layout, moved) = subscript::part(&self.layout, key)?;
        Ok(Self {
            layout,
            offset: self.offset.saturating_add(moved),
            has_strides: true,
        })
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.layout == other.layout && self.offset == other.offset
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let strides = match self.strides(py)? {
            Some(strides) => strides.to_string(),
            None => "None".into(),
        };
        Ok(format!(
            "_StridedLayout(shape={}, strides={strides}, itemsize={}, slice_offset={})",
            self.shape(py)?,
            self.layout.itemsize(),
            self.slice_offset()
        ))
    }
}

/// The bytes of an element.
pub fn itemsize_argument(itemsize: &Bound<'_, PyAny>) -> PyResult<usize> {
    plain_args::count("itemsize", itemsize)
}
