//! [`Array`]: elements of one type in device memory.

use std::fmt;
use std::marker::PhantomData;

use super::layout::{Index, Layout, LayoutError, Order};
use crate::device::Device;
use crate::driver::sys::CUdeviceptr;
use crate::error::{Error, Result};
use crate::launch::{ArgPacker, KernelArg};
use crate::memory::uses::{Access, Use};
use crate::memory::{Buffer, Fill, Pod};
use crate::stream::Stream;

/// Device memory with a shape, strides and elements of type `T`. A cheap handle: clones and views share the memory,
/// which is freed when the last one is dropped.
///
/// Uses are put in order, whatever streams and threads they are in: a launch or a copy that reads waits on the device
/// for those that write bytes that it shares, one that writes for all that share bytes, and the memory is freed behind
/// them. A parameter `const T *` of a kernel reads. A stream is where the work is done; without one it is that of
/// whoever writes the array. Kernels that signal each other through one array get its [`buffer`](Array::buffer), of
/// which nothing is put in order. What other libraries, and captures that they make, do with the memory is not seen.
///
/// ```no_run
/// use cuox::{Array, Device, StreamOptions};
///
/// # fn main() -> cuox::Result<()> {
/// let device = Device::get(0)?;
/// let stream = device.create_stream(StreamOptions::default())?;
/// let x = Array::from_slice(device, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], &[2, 3], Some(&stream))?;
/// assert_eq!(x.transpose(None)?.to_vec(Some(&stream))?, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
/// # Ok(())
/// # }
/// ```
pub struct Array<T> {
    buffer: Buffer,
    /// Bytes from the buffer's start to the first element.
    offset: usize,
    layout: Layout,
    elements: PhantomData<T>,
}

impl<T> Clone for Array<T> {
    fn clone(&self) -> Self {
        Self {
            buffer: self.buffer.clone(),
            offset: self.offset,
            layout: self.layout.clone(),
            elements: PhantomData,
        }
    }
}

impl<T> fmt::Debug for Array<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Array")
            .field("elements", &std::any::type_name::<T>())
            .field("shape", &self.layout.shape())
            .field("strides", &self.layout.strides())
            .field("device", &self.buffer.device())
            .finish()
    }
}

impl From<LayoutError> for Error {
    fn from(error: LayoutError) -> Self {
        Self::invalid(error.to_string())
    }
}

impl<T: Pod> Array<T> {
    /// An array whose elements have no particular values, in C order. Shapes count elements.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a shape that is too large; `CUDA_ERROR_OUT_OF_MEMORY`, among others.
    pub fn empty(device: Device, shape: &[usize], stream: Option<&Stream>) -> Result<Self> {
        let layout = Layout::contiguous(shape, size_of::<T>(), Order::C)?;
        let buffer = device.allocate(layout.nbytes(), stream)?;
        Self::new(buffer, 0, layout)
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// As for [`Array::empty`]; what the fill reports.
    pub fn zeros(device: Device, shape: &[usize], stream: Option<&Stream>) -> Result<Self> {
        let array = Self::empty(device, shape, stream)?;
        let whole = array.used(Access::Write);
        let fill = |stream: &Stream| array.buffer.fill(Fill::U8(0), Some(stream));
        array.buffer.use_in(stream, whole, fill)?;
        Ok(array)
    }

    /// An array of one value everywhere.
    ///
    /// # Errors
    /// As for [`Array::empty`]; what the copy reports.
    pub fn full(
        device: Device,
        shape: &[usize],
        value: T,
        stream: Option<&Stream>,
    ) -> Result<Self> {
        let array = Self::empty(device, shape, stream)?;
        array.copy_from_slice(&vec![value; array.len()], stream)?;
        Ok(array)
    }

    /// A copy of host memory, whose elements are in C order.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the shape has another number of elements; as for [`Array::empty`]; what the copy reports.
    pub fn from_slice(
        device: Device,
        values: &[T],
        shape: &[usize],
        stream: Option<&Stream>,
    ) -> Result<Self> {
        let array = Self::empty(device, shape, stream)?;
        array.copy_from_slice(values, stream)?;
        Ok(array)
    }

    /// An array in memory that is there already.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the elements do not lie inside the buffer, or have another size than `T`.
    pub fn new(buffer: Buffer, offset: usize, layout: Layout) -> Result<Self> {
        if layout.itemsize() != size_of::<T>() {
            return Err(Error::invalid(format!(
                "a layout for elements of {} bytes cannot be one of {}, which has {}",
                layout.itemsize(),
                std::any::type_name::<T>(),
                size_of::<T>()
            )));
        }
        let (low, high) = layout.span();
        let outside = || {
            Error::invalid(format!(
                "an array whose elements lie at bytes {low} to {high} from byte {offset} does not fit in a buffer of {} bytes",
                buffer.len()
            ))
        };
        let start = offset.checked_add_signed(low).ok_or_else(outside)?;
        buffer
            .check_range(start, (high - low) as usize)
            .map_err(|_| outside())?;
        Ok(Self {
            buffer,
            offset,
            layout,
            elements: PhantomData,
        })
    }

    /// Copies values in C order to an array in C order, and waits.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the number of elements differs or the array has gaps; what the copy reports.
    pub fn copy_from_slice(&self, values: &[T], stream: Option<&Stream>) -> Result<()> {
        if values.len() != self.len() {
            return Err(Error::invalid(format!(
                "{} values were given for an array of {} elements",
                values.len(),
                self.len()
            )));
        }
        if !self.layout.is_contiguous(Order::C) {
            return Err(Error::invalid(
                "the array's elements are not one after the other: copy to an array of its own first",
            ));
        }
        if values.is_empty() {
            return Ok(());
        }
        let (start, bytes) = (values.as_ptr().cast(), size_of_val(values));
        self.buffer
            .use_in(stream, self.used(Access::Write), |stream| {
                // SAFETY: the slice is readable for that long, and the copy is waited for before the borrow ends.
                let copied = unsafe {
                    self.buffer
                        .copy_from_host(self.offset, start, bytes, Some(stream))
                };
                stream.sync().and(copied)
            })
    }

    /// The elements in C order, whatever their strides. Waits for the copy.
    ///
    /// # Errors
    /// The copy's errors.
    pub fn to_vec(&self, stream: Option<&Stream>) -> Result<Vec<T>> {
        let (low, high) = self.layout.span();
        let count = (high - low) as usize / size_of::<T>().max(1);
        if self.layout.is_empty() || count == 0 {
            return Ok(Vec::new());
        }
        // Strides of views are multiples of the element's size only where all layouts are made here; bytes are right
        // for any.
        let mut bytes = vec![0u8; (high - low) as usize];
        let start = self.offset.wrapping_add_signed(low);
        self.buffer
            .use_in(stream, self.used(Access::Read), |stream| {
                // SAFETY: the memory is this function's own, and the copy is waited for before it goes.
                let copied = unsafe {
                    self.buffer
                        .copy_to_host(start, bytes.as_mut_ptr(), bytes.len(), Some(stream))
                };
                stream.sync().and(copied)
            })?;
        let mut values = Vec::with_capacity(self.len());
        let mut index = vec![0usize; self.layout.ndim()];
        let mut at = -low;
        for _ in 0..self.len() {
            let element = bytes.as_ptr().wrapping_offset(at).cast::<T>();
            // SAFETY: every element lies inside the span that was copied, and every bit pattern is a `T`.
            values.push(unsafe { element.read_unaligned() });
            for axis in (0..index.len()).rev() {
                let (size, stride) = (self.layout.shape()[axis], self.layout.strides()[axis]);
                index[axis] += 1;
                at += stride;
                if index[axis] < size {
                    break;
                }
                at -= stride * size as isize;
                index[axis] = 0;
            }
        }
        Ok(values)
    }

    /// A use of all bytes from the first to the last that belongs to an element.
    fn used(&self, access: Access) -> Use {
        let (low, high) = self.layout.span();
        let from = |at: isize| self.offset.wrapping_add_signed(at);
        Use {
            bytes: from(low)..from(high),
            access,
        }
    }

    fn part(&self, layout: Layout, offset: isize) -> Self {
        Self {
            buffer: self.buffer.clone(),
            // A part lies inside the array, whose elements lie inside the buffer.
            offset: self.offset.wrapping_add_signed(offset),
            layout,
            elements: PhantomData,
        }
    }

    /// The part that a subscript names; it shares the memory.
    ///
    /// # Errors
    /// [`Error::Invalid`] for a subscript out of bounds.
    pub fn index(&self, items: &[Index]) -> Result<Self> {
        let (layout, offset) = self.layout.index(items)?;
        Ok(self.part(layout, offset))
    }

    /// The same elements under another shape; shares the memory.
    ///
    /// # Errors
    /// [`Error::Invalid`] for another number of elements, or if the elements would have to be copied.
    pub fn reshape(&self, shape: &[usize]) -> Result<Self> {
        match self.layout.reshape(shape, Order::C)? {
            Some(layout) => Ok(self.part(layout, 0)),
            None => Err(Error::invalid(format!(
                "an array of shape {:?} and strides {:?} has no view of shape {shape:?}: its elements would have to be copied",
                self.layout.shape(),
                self.layout.strides()
            ))),
        }
    }

    /// The dimensions in another order, or reversed; shares the memory.
    ///
    /// # Errors
    /// [`Error::Invalid`] for axes that are no permutation.
    pub fn transpose(&self, axes: Option<&[isize]>) -> Result<Self> {
        Ok(self.part(self.layout.transpose(axes)?, 0))
    }

    /// Elements of each dimension.
    pub fn shape(&self) -> &[usize] {
        self.layout.shape()
    }

    /// Shape, strides and the size of an element.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.layout.len()
    }

    /// True if it has no elements.
    pub fn is_empty(&self) -> bool {
        self.layout.is_empty()
    }

    /// The address of the first element on the device.
    pub fn ptr(&self) -> CUdeviceptr {
        self.buffer.ptr() + self.offset as u64
    }

    /// The memory that it lies in.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }
}

impl<T: Pod> KernelArg for Array<T> {
    fn push(&self, packer: &mut ArgPacker<'_>) -> Result<()> {
        packer.push_array(&self.buffer, self.ptr(), self.used(Access::Read).bytes)
    }
}
