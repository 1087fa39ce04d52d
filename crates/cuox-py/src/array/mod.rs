//! `cuox.Array`: device memory with a shape, strides and a type of elements.
//!
//! The rules of shapes and strides are `cuox::array::Layout`'s; the names and the errors are NumPy's.

mod class;
pub mod copies;
pub mod create;
pub mod element;
pub mod exchange;
pub mod fill;
pub mod numpy;
mod shapes;
pub mod subscript;
mod unordered;

use cuox::array::{Layout, LayoutError};
use cuox::launch::ArrayMemory;
use cuox::memory::uses::{Access, Use};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::buffer::Buffer;
use crate::buffer_memory::Held;
use crate::launch::pointer_like::PointerLike;
use crate::stream::{ConsumerStream, StreamRef, default_stream, stream_argument};
use crate::support::closable::Counted;
use crate::support::plain_args::given;
use crate::support::pool::{Pool, Pooled, Reference};

use element::Element;

/// Device memory with a shape, strides and a NumPy type of elements.
///
/// Views (`array[1:, ::2]`, `array.T`) share the memory. A kernel's pointer parameter takes an array whose elements are
/// those that it points to and lie one after another. There is no arithmetic: kernels do that. Operations without a
/// stream go to the stream that the memory was allocated on. See docs/arrays.md.
#[pyclass(frozen, subclass, module = "cuox", name = "Array")]
pub struct Array {
    buffer: Reference<Buffer>,
    /// The array of which this is a view, or what owns the memory.
    base: Option<Reference<PyAny>>,
    /// Bytes from the buffer's start to the first element.
    offset: usize,
    layout: Layout,
    element: Counted<Element>,
    /// The elements lie one behind the other, in C's order or Fortran's: a kernel takes it.
    contiguous: bool,
    read_only: bool,
}

static POOL: Pool<Array> = Pool::new();

impl Pooled for Array {
    fn pool() -> &'static Pool<Self> {
        &POOL
    }
}

impl Array {
    /// An array in a buffer. Its elements lie inside.
    pub fn within(
        buffer: Reference<Buffer>,
        offset: usize,
        layout: Layout,
        element: Counted<Element>,
    ) -> Self {
        Self {
            buffer,
            base: None,
            offset,
            contiguous: is_contiguous(&layout),
            layout,
            element,
            read_only: false,
        }
    }

    /// A new object: of the subclass `class`, if it is given.
    pub fn finish<'py>(
        self,
        py: Python<'py>,
        class: Option<&Bound<'py, PyType>>,
    ) -> PyResult<Bound<'py, Self>> {
        let tracked = self
            .base
            .as_ref()
            // SAFETY: a live object.
            .is_some_and(|base| unsafe { ffi::PyObject_GC_IsTracked(base.as_ptr()) } != 0);
        if let Some(class) = class {
            return POOL.make_subclass(class, self);
        }
        let made = POOL.make(py, || self)?;
        if tracked {
            // SAFETY: a new object, complete. Only what may be part of a cycle is worth the collector's time.
            unsafe {
                if ffi::PyObject_GC_IsTracked(made.as_ptr()) == 0 {
                    ffi::PyObject_GC_Track(made.as_ptr().cast());
                }
            }
        }
        Ok(made)
    }

    /// The class that views of an array and its copies have, if it is a subclass.
    #[inline]
    pub fn subclass<'py>(this: &Bound<'py, Self>) -> Option<Bound<'py, PyType>> {
        match this.is_exact_instance_of::<Self>() {
            true => None,
            false => Some(this.get_type()),
        }
    }

    /// A view of the same memory, `moved` bytes further on.
    fn view<'py>(
        this: &Bound<'py, Self>,
        layout: Layout,
        moved: isize,
        element: Counted<Element>,
    ) -> PyResult<Bound<'py, Self>> {
        Self::view_as(this, layout, moved, element, this.get().read_only)
    }

    /// The same elements as bytes, which can be passed for a pointer to anything.
    pub fn bits<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, Self>> {
        let (py, layout) = (this.py(), this.get().layout.clone());
        let dtype = format!("V{}", layout.itemsize()).into_pyobject(py)?;
        Self::view(this, layout, 0, Element::of(py, Some(dtype.as_any()))?)
    }

    #[inline]
    fn view_as<'py>(
        this: &Bound<'py, Self>,
        layout: Layout,
        moved: isize,
        element: Counted<Element>,
        read_only: bool,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (this.py(), this.get());
        // A view of a view is one of the array that has the memory.
        let base = match &array.base {
            Some(base) if base.bind(py).get_type_ptr() == this.get_type_ptr() => base.clone_ref(py),
            _ => this.clone().into_any().unbind(),
        };
        let view = Self {
            buffer: array.buffer.clone_ref(py).into(),
            base: Some(base.into()),
            // A part lies inside the array, whose elements lie inside the buffer.
            offset: array.offset.wrapping_add_signed(moved),
            contiguous: is_contiguous(&layout),
            layout,
            element,
            read_only,
        };
        view.finish(py, Self::subclass(this).as_ref())
    }

    /// A view with elements of the same type.
    #[inline]
    fn part<'py>(
        this: &Bound<'py, Self>,
        layout: Layout,
        moved: isize,
    ) -> PyResult<Bound<'py, Self>> {
        let element = this.get().element.share(this.py());
        Self::view(this, layout, moved, element)
    }

    /// The memory as a kernel takes it; None if the elements are not one after another.
    #[inline]
    pub fn argument(
        &self,
        consumer: &ConsumerStream<'_>,
        access: Access,
    ) -> PyResult<Option<ArrayMemory>> {
        match self.contiguous {
            true => self.memory(consumer, access).map(Some),
            false => Ok(None),
        }
    }

    /// The first element, for kernels that know the strides.
    #[inline]
    pub fn memory(&self, consumer: &ConsumerStream<'_>, access: Access) -> PyResult<ArrayMemory> {
        let start = self.buffer.get().pointer_for(consumer)?;
        self.begin(consumer, access)?;
        Ok(ArrayMemory {
            address: start + self.offset as u64,
            read_only: self.read_only,
            dtype: self.element.launched,
        })
    }

    /// Puts the consumer's stream behind what a use of the elements there has to wait for.
    #[inline]
    pub fn begin(&self, consumer: &ConsumerStream<'_>, access: Access) -> PyResult<()> {
        // The bytes of a part are only looked for where that matters.
        let buffer = self.buffer.get();
        if buffer.has_use(consumer.py, consumer.stream, &buffer.whole_use(access)) {
            return Ok(());
        }
        self.begin_part(consumer, access)
    }

    #[inline(never)]
    fn begin_part(&self, consumer: &ConsumerStream<'_>, access: Access) -> PyResult<()> {
        consumer.begin(&self.buffer, self.used(access))
    }

    /// A use of all elements.
    #[inline]
    fn used(&self, access: Access) -> Use {
        let bytes = match self.contiguous {
            true => self.offset..self.offset + self.layout.nbytes(),
            false => {
                let (low, high) = self.layout.span();
                self.offset.wrapping_add_signed(low)..self.offset.wrapping_add_signed(high)
            }
        };
        Use { bytes, access }
    }

    /// Such a use, with the memory.
    pub fn held_use(&self, py: Python<'_>, access: Access) -> (Reference<Buffer>, Use) {
        (self.buffer.clone_ref(py).into(), self.used(access))
    }

    /// The array of which this is a view, if its class is `class`.
    #[inline]
    pub fn base_of_class<'py>(
        &self,
        class: *mut ffi::PyTypeObject,
        py: Python<'py>,
    ) -> Option<Bound<'py, Self>> {
        let base = self.base.as_ref()?.bind(py);
        if base.get_type_ptr() != class {
            return None;
        }
        base.cast::<Self>().ok().cloned()
    }

    /// The stream of an operation: the one given, else the one in whose order the memory was allocated, else the
    /// default one.
    pub fn order(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::Stream> {
        match given(stream) {
            Some(stream) => stream_argument(py, stream, Some(self.buffer.get().device)),
            None => Ok(cuox::Stream::clone(&*self.own_order(py)?)),
        }
    }

    /// The stream that the memory was allocated on, else the default stream.
    #[inline]
    pub fn own_order(&self, py: Python<'_>) -> PyResult<StreamRef> {
        let buffer = self.buffer.get();
        buffer.check(py)?;
        // SAFETY: counting runs no Python code.
        let found = unsafe {
            buffer.held.look(py, |held| match held {
                Held::Ordered(ordered) => Some(ordered.stream.share(py)),
                Held::Pooled(_) => None,
                Held::Shared(memory) => memory.ordered_by().cloned().map(StreamRef::Own),
            })
        };
        match found.flatten() {
            Some(stream) => Ok(stream),
            None => default_stream(py, buffer.device),
        }
    }

    /// Shape and strides.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The type of the elements.
    #[inline]
    pub fn element(&self) -> &Counted<Element> {
        &self.element
    }

    /// The device of the memory.
    #[inline]
    pub fn on_device(&self) -> cuox::Device {
        self.buffer.get().device
    }

    /// The address that the memory was made at, also if it is closed.
    #[inline]
    pub fn first_address(&self) -> u64 {
        self.buffer.get().address + self.offset as u64
    }

    /// The same, for all who ask `foreign::pointer`.
    pub fn found(&self, consumer: &ConsumerStream<'_>, access: Access) -> PyResult<PointerLike> {
        Ok(match self.argument(consumer, access)? {
            Some(memory) => PointerLike::Memory {
                address: memory.address,
                read_only: memory.read_only,
                dtype: memory.dtype,
            },
            None => PointerLike::Strided,
        })
    }

    /// The address of the first element.
    pub fn address(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.buffer.get().open_address(py)? + self.offset as u64)
    }

    /// True for numbers of so many bytes each, one after another and open to writing.
    pub fn is_of_size(&self, size: u32) -> bool {
        self.contiguous
            && !self.read_only
            && self
                .element
                .launched
                .is_some_and(|dtype| dtype.size() == size && !dtype.is_big_endian())
    }

    /// True for memory that may only be read.
    #[inline]
    pub fn read_only(&self) -> bool {
        self.read_only
    }

    /// Refuses to write to what may only be read.
    pub fn check_writable(&self) -> PyResult<()> {
        match self.read_only {
            true => Err(PyValueError::new_err("assignment destination is read-only")),
            false => Ok(()),
        }
    }
}

fn is_contiguous(layout: &Layout) -> bool {
    use cuox::array::Order;
    layout.is_contiguous(Order::C) || layout.is_contiguous(Order::F)
}

/// A layout's error as NumPy's exception.
#[cold]
pub fn raised(py: Python<'_>, error: LayoutError) -> PyErr {
    match error {
        LayoutError::OutOfBounds { .. }
        | LayoutError::TooManyIndices(..)
        | LayoutError::TwoEllipses => PyIndexError::new_err(error.to_string()),
        LayoutError::NoAxis(axis, ndim) => {
            let class = numpy::Numpy::get(py).and_then(|numpy| {
                numpy
                    .attribute(py, "exceptions")?
                    .getattr("AxisError")?
                    .call1((axis, ndim))
            });
            match class {
                Ok(error) => PyErr::from_value(error),
                Err(_) => PyValueError::new_err(error.to_string()),
            }
        }
        error => PyValueError::new_err(error.to_string()),
    }
}

/// `Result<T, LayoutError>` to `PyResult<T>`.
pub trait OrRaiseLayout<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaiseLayout<T> for Result<T, LayoutError> {
    #[inline]
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, error))
    }
}

/// Adds the class and its functions to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Array>()?;
    module.add_class::<class::ArrayIterator>()?;
    module.add_class::<unordered::Unordered>()?;
    module.add_function(wrap_pyfunction!(unordered::unordered, module)?)?;
    module.add_function(wrap_pyfunction!(create::empty, module)?)?;
    module.add_function(wrap_pyfunction!(create::zeros, module)?)?;
    module.add_function(wrap_pyfunction!(create::full, module)?)?;
    module.add_function(wrap_pyfunction!(create::empty_like, module)?)?;
    module.add_function(wrap_pyfunction!(create::zeros_like, module)?)?;
    module.add_function(wrap_pyfunction!(create::full_like, module)?)?;
    module.add_function(wrap_pyfunction!(create::to_device, module)?)?;
    module.add_function(wrap_pyfunction!(exchange::as_array, module)?)?;
    module.add_function(wrap_pyfunction!(exchange::from_dlpack, module)?)?;
    module.add_function(wrap_pyfunction!(exchange::_restore_array, module)?)?;
    POOL.set_up(module.py())
}
