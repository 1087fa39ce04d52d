//! The Python class `cuox.Array`.

use std::sync::atomic::{AtomicUsize, Ordering};

use cuox::array::Order;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pyclass::CompareOp;
use pyo3::types::{PyComplex, PyDict, PyFloat, PyInt, PyList, PyNotImplemented, PyString, PyTuple};

use super::create::Constructor;
use super::element::{OrderArgument, shown};
use super::{Array, OrRaiseLayout, fill};
use crate::buffer::Buffer;
use crate::device::Device;
use crate::support::names::class_name;

#[pymethods]
impl Array {
    /// Make an array in memory that is there (`buffer`, from byte `offset` on, with `strides` in bytes), or in new
    /// memory, as `numpy.ndarray` does.
    ///
    /// Raises ValueError if the elements would lie outside the buffer.
    #[new]
    #[pyo3(signature = (shape, dtype=None, *, buffer=None, offset=0, strides=None, order=None, device=None, stream=None))]
    #[allow(clippy::too_many_arguments, reason = "numpy.ndarray has as many")]
    fn py_new(
        shape: &Bound<'_, PyAny>,
        dtype: Option<&Bound<'_, PyAny>>,
        buffer: Option<&Bound<'_, PyAny>>,
        offset: usize,
        strides: Option<&Bound<'_, PyAny>>,
        order: Option<&Bound<'_, PyAny>>,
        device: Option<&Bound<'_, PyAny>>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Constructor {
            shape,
            dtype,
            buffer,
            offset,
            strides,
            order,
            device,
            stream,
        }
        .make()
    }

    /// The sizes of the dimensions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.layout.shape())
    }

    /// Bytes from one element of each dimension to the next.
    #[getter]
    fn strides<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.layout.strides())
    }

    /// The NumPy type of the elements.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.element.dtype.bind(py).clone()
    }

    /// The number of dimensions.
    #[getter]
    fn ndim(&self) -> usize {
        self.layout.ndim()
    }

    /// The number of elements.
    #[getter]
    fn size(&self) -> usize {
        self.layout.len()
    }

    /// Bytes of an element.
    #[getter]
    fn itemsize(&self) -> usize {
        self.element.size
    }

    /// Bytes of all elements, without gaps between them.
    #[getter]
    fn nbytes(&self) -> usize {
        self.layout.nbytes()
    }

    /// The device that the memory is on.
    #[getter]
    fn device<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, Device>> {
        Device::object(py, self.buffer.get().device)
    }

    /// The memory that the elements lie in. Closing it closes all its arrays.
    #[getter]
    pub fn buffer<'py>(&self, py: Python<'py>) -> Bound<'py, Buffer> {
        self.buffer.bind(py).clone()
    }

    /// The device address of the first element. Raises ClosedError.
    #[getter]
    fn ptr(&self, py: Python<'_>) -> PyResult<u64> {
        self.address(py)
    }

    /// The array of which this is a view, or the object that owns the memory; None for memory of its own.
    #[getter]
    fn base(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.base.as_ref().map(|base| base.clone_ref(py))
    }

    /// True if the elements lie one after another in C's order, the last dimension fastest.
    #[getter]
    fn is_c_contiguous(&self) -> bool {
        self.layout.is_contiguous(Order::C)
    }

    /// True if the elements lie one after another in Fortran's order, the first dimension fastest.
    #[getter]
    fn is_f_contiguous(&self) -> bool {
        self.layout.is_contiguous(Order::F)
    }

    /// True if the elements may not be written to: a view of `broadcast_to`, or memory whose owner says so.
    #[getter]
    fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// A view with the dimensions reversed.
    #[getter(T)]
    fn reversed_axes<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let layout = slf.get().layout.transpose(None).or_raise(slf.py())?;
        Self::part(slf, layout, 0)
    }

    /// Copy the elements to a NumPy array: a new one of the same order, or `out`, of any strides. Returns it.
    ///
    /// Done on return; with a stream and an `out` in pinned memory in that stream's order. Raises ValueError for an
    /// `out` of another shape or one that is read-only, TypeError for one of another dtype, ClosedError.
    #[pyo3(signature = (out=None, *, stream=None), name = "to_host")]
    fn py_to_host<'py>(
        slf: &Bound<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::to_host(slf, out, stream)
    }

    /// Copy a host array, a number or an array on a device to all elements, broadcast to the array's shape.
    ///
    /// Values from the host are converted as NumPy does in assignments; those on a device must have the same dtype.
    /// From the host it is done on return if no stream is given. Raises ValueError for shapes that do not fit and for
    /// read-only arrays, TypeError for another dtype, ClosedError.
    #[pyo3(signature = (src, *, stream=None))]
    fn copy_from<'py>(
        slf: &Bound<'py, Self>,
        src: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        Self::assign(slf, src, stream, "array.copy_from()")
    }

    /// Copy to a new array on the same device: in C's order, with "F" Fortran's, with "K" the array's own, with "A"
    /// Fortran's if the array has it. Returns the new array.
    #[pyo3(signature = (order=None, *, stream=None))]
    fn copy<'py>(
        slf: &Bound<'py, Self>,
        order: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        // The default of NumPy's method: contiguous, as kernels take it.
        let order = OrderArgument::of(order, OrderArgument::C, "CFAK")?;
        Self::copied(slf, order, stream, "array.copy()")
    }

    /// Set all elements to one value, in the order of the stream.
    ///
    /// Raises ValueError for read-only arrays and for values that the dtype does not take, ClosedError.
    #[pyo3(signature = (value, *, stream=None))]
    fn fill<'py>(
        slf: &Bound<'py, Self>,
        value: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<()> {
        let (py, array) = (slf.py(), slf.get());
        array.check_writable()?;
        let value = match value.cast::<Self>() {
            Ok(other) if other.get().layout.ndim() == 0 => Self::to_host(other, None, None)?,
            _ => value.clone(),
        };
        let item = fill::item(py, &array.element, &value)?;
        array.fill_with(py, &item, stream, "array.fill()")
    }

    /// Show the elements under another shape: a view if that is possible, else of a copy. One size may be -1.
    ///
    /// Raises ValueError if the shape has another number of elements.
    #[pyo3(signature = (*shape, order=None))]
    fn reshape<'py>(
        slf: &Bound<'py, Self>,
        shape: &Bound<'py, PyTuple>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::reshaped(slf, shape, order)
    }

    /// Show the elements in one dimension without gaps: a view if that is possible, else of a copy.
    #[pyo3(signature = (order=None))]
    fn ravel<'py>(
        slf: &Bound<'py, Self>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::raveled(slf, order)
    }

    /// Copy the elements to one dimension.
    #[pyo3(signature = (order=None))]
    fn flatten<'py>(
        slf: &Bound<'py, Self>,
        order: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::flattened(slf, order)
    }

    /// Return a view with the dimensions in the order `axes`; reversed without it.
    ///
    /// Raises ValueError if `axes` is no permutation of the dimensions.
    #[pyo3(signature = (*axes))]
    fn transpose<'py>(
        slf: &Bound<'py, Self>,
        axes: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::transposed(slf, axes)
    }

    /// Return a view with two dimensions exchanged. Raises numpy.exceptions.AxisError for a dimension that there is
    /// not.
    fn swapaxes<'py>(
        slf: &Bound<'py, Self>,
        axis1: isize,
        axis2: isize,
    ) -> PyResult<Bound<'py, Self>> {
        Self::swapped(slf, axis1, axis2)
    }

    /// Return a view without the dimensions of size 1, or without those of `axis`.
    ///
    /// Raises ValueError if one of them has another size.
    #[pyo3(signature = (axis=None))]
    fn squeeze<'py>(
        slf: &Bound<'py, Self>,
        axis: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::squeezed(slf, axis)
    }

    /// Show the elements under a larger shape, in which they are repeated. The view is read-only.
    ///
    /// Raises ValueError if the shapes do not fit.
    fn broadcast_to<'py>(
        slf: &Bound<'py, Self>,
        shape: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::broadcasted(slf, shape)
    }

    /// Show the bytes as elements of another type.
    ///
    /// Raises ValueError if the size of the elements changes where the last dimension is not contiguous or no multiple
    /// of it.
    #[pyo3(signature = (dtype=None), name = "view")]
    fn py_view<'py>(
        slf: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::viewed(slf, dtype)
    }

    /// Copy the only element to the host, as a Python number. Raises ValueError if there are more or none.
    fn item<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        if slf.get().layout.len() != 1 {
            return Err(PyValueError::new_err(
                "can only convert an array of size 1 to a Python scalar",
            ));
        }
        Self::to_host(slf, None, None)?.call_method0(intern!(slf.py(), "item"))
    }

    /// Copy the elements to the host, as nested lists of Python numbers.
    fn tolist<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::to_host(slf, None, None)?.call_method0(intern!(slf.py(), "tolist"))
    }

    /// Return a view: integers, slices, `...`, None and names of fields. Integers for all dimensions give an array of
    /// no dimensions. Raises IndexError.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::subscript(slf, key)
    }

    /// Copy to a part, as `copy_from` does.
    fn __setitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<()> {
        let part = Self::subscript(slf, key)?;
        Self::assign(&part, value, None, "array[...] = value")
    }

    fn __delitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<()> {
        let _ = key;
        Err(PyValueError::new_err("cannot delete array elements"))
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.layout.shape().first();
        first
            .copied()
            .ok_or_else(|| PyTypeError::new_err("len() of unsized object"))
    }

    fn __iter__(slf: &Bound<'_, Self>) -> PyResult<ArrayIterator> {
        if slf.get().layout.ndim() == 0 {
            return Err(PyTypeError::new_err("iteration over a 0-d array"));
        }
        Ok(ArrayIterator {
            array: slf.clone().unbind(),
            next: AtomicUsize::new(0),
        })
    }

    fn __contains__(&self, value: &Bound<'_, PyAny>) -> PyResult<bool> {
        let _ = value;
        Err(PyTypeError::new_err(
            "the elements of a cuox.Array are on a device and are not compared here; search a host array: array.to_host()",
        ))
    }

    fn __bool__(slf: &Bound<'_, Self>) -> PyResult<bool> {
        match slf.get().layout.len() {
            1 => Self::to_host(slf, None, None)?.is_truthy(),
            0 => Err(PyValueError::new_err(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an array is not empty.",
            )),
            _ => Err(PyValueError::new_err(
                "The truth value of an array with more than one element is ambiguous. Use a.to_host().any() or a.to_host().all()",
            )),
        }
    }

    /// The only element of an array of no dimensions, which `array[i, j]` is. There are no `__int__` and `__index__`:
    /// what has them is an address where memory is expected.
    fn __float__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        number(slf, "float")
    }

    fn __complex__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        number(slf, "complex")
    }

    fn __format__<'py>(
        slf: &Bound<'py, Self>,
        spec: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if spec.is_empty()? {
            return Ok(slf.str()?.into_any());
        }
        if slf.get().layout.ndim() != 0 {
            return Err(PyTypeError::new_err(format!(
                "unsupported format string passed to {}.__format__: only an array of no dimensions takes one",
                class_name(&slf.get_type()),
            )));
        }
        let builtins = slf.py().import(intern!(slf.py(), "builtins"))?;
        builtins.call_method1(intern!(slf.py(), "format"), (element(slf)?, spec))
    }

    /// Compares the element of an array of no dimensions. Refuses for others: that two arrays are not one object says
    /// nothing about their elements.
    fn __richcmp__<'py>(
        slf: &Bound<'py, Self>,
        other: &Bound<'py, PyAny>,
        operation: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        if !has_elements(other)? {
            return Ok(PyNotImplemented::get(slf.py()).to_owned().into_any());
        }
        if slf.get().layout.ndim() == 0
            && let Some(other) = only_element(other)?
        {
            return element(slf)?.rich_compare(other, operation);
        }
        let (operator, same) = match operation {
            CompareOp::Eq => ("==", "; \"a is b\" says whether two names are of one array"),
            CompareOp::Ne => (
                "!=",
                "; \"a is not b\" says whether two names are of different arrays",
            ),
            CompareOp::Lt => ("<", ""),
            CompareOp::Le => ("<=", ""),
            CompareOp::Gt => (">", ""),
            CompareOp::Ge => (">=", ""),
        };
        Err(PyTypeError::new_err(format!(
            "the elements of a cuox.Array are on a device and are not compared here; compare on the host: \
             a.to_host() {operator} b{same}"
        )))
    }

    /// As of any object: an array is a key by what it is, not by its elements.
    fn __hash__(slf: &Bound<'_, Self>) -> usize {
        // Objects lie at multiples of 16.
        slf.as_ptr().addr().rotate_right(4)
    }

    /// The conversion that NumPy asks for. Without this, it would read the elements one by one.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__(&self, dtype: Option<&Bound<'_, PyAny>>, copy: Option<bool>) -> PyResult<()> {
        let _ = (dtype, copy);
        Err(PyTypeError::new_err(
            "a cuox.Array is device memory, which NumPy does not read; copy it: array.to_host()",
        ))
    }

    /// The CUDA Array Interface, version 3. Raises ClosedError.
    #[getter]
    fn __cuda_array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.interface(py)
    }

    /// Return a DLPack capsule of the elements; with `copy=True` of a copy.
    ///
    /// Raises BufferError for dtypes and strides that DLPack does not have, and for another device than the memory's.
    #[pyo3(signature = (*, stream=None, max_version=None, dl_device=None, copy=None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<&Bound<'py, PyAny>>,
        dl_device: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Py<PyAny>> {
        if copy == Some(true) {
            let copy = Self::copied(slf, OrderArgument::K, None, "array.__dlpack__()")?;
            return copy.get().capsule(slf.py(), stream, max_version, dl_device);
        }
        slf.get().capsule(slf.py(), stream, max_version, dl_device)
    }

    /// The DLPack device of the memory, as `Buffer.__dlpack_device__` says it.
    fn __dlpack_device__(&self, py: Python<'_>) -> PyResult<(i32, i32)> {
        self.buffer.get().__dlpack_device__(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        Self::reduced(slf)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        Self::copied(slf, OrderArgument::K, None, "copy.copy()")
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        memo: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, Self>> {
        let _ = memo;
        Self::copied(slf, OrderArgument::K, None, "copy.deepcopy()")
    }

    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let (py, array) = (slf.py(), slf.get());
        let buffer = array.buffer.get();
        let place = match buffer.open_address(py) {
            Ok(_) => crate::device::shown(buffer.device),
            Err(_) => "a buffer that is closed".to_owned(),
        };
        format!(
            "<{} shape={} dtype={} on {place}>",
            class_name(&slf.get_type()),
            cuox::array::layout::shown(array.layout.shape()),
            shown(array.element.dtype.bind(py)),
        )
    }

    fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        in_text(slf, "text")
    }

    /// What the cells of notebooks show.
    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        in_text(slf, "as_html")
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let Some(base) = &self.base {
            visit.call(&**base)?;
        }
        visit.call(&*self.buffer)
    }
}

/// The only element of an array without dimensions, as a built-in class makes a number of it.
fn number<'py>(array: &Bound<'py, Array>, class: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    if array.get().layout.ndim() != 0 {
        return Err(PyTypeError::new_err(format!(
            "{class}() takes an array of no dimensions, not one of shape {}: name the element, {class}(array[0])",
            cuox::array::layout::shown(array.get().layout.shape()),
        )));
    }
    let item = Array::item(array)?;
    py.import(intern!(py, "builtins"))?
        .call_method1(class, (item,))
}

/// The element of an array of no dimensions, as a scalar of NumPy's.
fn element<'py>(array: &Bound<'py, Array>) -> PyResult<Bound<'py, PyAny>> {
    Array::to_host(array, None, None)?.get_item(PyTuple::empty(array.py()))
}

/// What an operand of a comparison has on the host: of an array its element, None if it has dimensions.
fn only_element<'py>(operand: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    match operand.cast::<Array>() {
        Ok(array) if array.get().layout.ndim() == 0 => element(array).map(Some),
        Ok(_) => Ok(None),
        Err(_) => Ok(Some(operand.clone())),
    }
}

/// True if an object is a number, or has elements that could be compared with an array's.
fn has_elements(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_none() || object.is_instance_of::<PyString>() {
        return Ok(false);
    }
    if object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyComplex>()
        || object.is_instance_of::<PyList>()
        || object.is_instance_of::<PyTuple>()
        || object.is_instance_of::<Array>()
    {
        return Ok(true);
    }
    let py = object.py();
    Ok(object.hasattr(intern!(py, "__array_interface__"))?
        || object.hasattr(intern!(py, "__cuda_array_interface__"))?
        || object.hasattr(intern!(py, "__dlpack__"))?)
}

/// What a function of `cuox._internal.array_text` says of an array.
fn in_text<'py>(array: &Bound<'py, Array>, function: &str) -> PyResult<Bound<'py, PyAny>> {
    let module = array.py().import("cuox._internal.array_text")?;
    module.call_method1(function, (array,))
}

/// The iterator of `iter(array)`.
#[pyclass(frozen, module = "cuox._native", name = "_ArrayIterator")]
pub struct ArrayIterator {
    array: Py<Array>,
    next: AtomicUsize,
}

#[pymethods]
impl ArrayIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, Array>>> {
        let array = self.array.bind(py);
        let layout = &array.get().layout;
        let next = self.next.load(Ordering::Relaxed);
        if next >= layout.shape().first().copied().unwrap_or(0) {
            return Ok(None);
        }
        self.next.store(next + 1, Ordering::Relaxed);
        let at = cuox::array::Index::At(next as isize);
        let (part, moved) = layout.index(&[at]).or_raise(py)?;
        Array::part(array, part, moved).map(Some)
    }
}
