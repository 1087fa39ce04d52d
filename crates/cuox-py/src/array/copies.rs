//! Copies to, from and between arrays, whatever their strides.

use cuox::array::layout::Dims;
use cuox::array::{Layout, Order, StridedCopy};
use cuox::memory::raw;
use cuox::memory::uses::Access;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::create::Place;
use super::element::{Element, OrderArgument, shown};
use super::numpy::{self, Numpy};
use super::{Array, OrRaiseLayout, exchange, fill};
use crate::error::{OrRaise, wait};
use crate::idle;
use crate::parallel::copy;
use crate::stream::{ConsumerStream, StreamRef, stream_argument};
use crate::support::host_view::HostView;
use crate::support::names::type_name;
use crate::support::plain_args::given;

/// One side of a copy on a device.
struct Side {
    memory: cuox::Buffer,
    /// From the memory's start to the first element.
    offset: usize,
    layout: Layout,
}

impl Side {
    fn of(py: Python<'_>, array: &Array) -> PyResult<Self> {
        Ok(Self {
            memory: array.buffer.get().as_device(py)?,
            offset: array.offset,
            layout: array.layout.clone(),
        })
    }

    fn address(&self) -> u64 {
        self.memory.ptr() + self.offset as u64
    }

    /// The address of the lowest byte of an element, and the one past the highest.
    fn range(&self) -> (u64, u64) {
        let (low, high) = self.layout.span();
        let first = self.address();
        (
            first.wrapping_add_signed(low as i64),
            first.wrapping_add_signed(high as i64),
        )
    }

    fn overlaps(&self, other: &Self) -> bool {
        let ((a, a_end), (b, b_end)) = (self.range(), other.range());
        std::ptr::eq(
            self.memory.context().driver(),
            other.memory.context().driver(),
        ) && a < b_end
            && b < a_end
    }
}

/// About the time that one of the driver's copies takes, as bytes that the host could move meanwhile.
const BYTES_PER_CALL: usize = 16 << 10;

/// The same for one run of bytes in such a copy, above its bytes.
const BYTES_PER_RUN: usize = 16;

/// The most calls of the driver's that a small copy is made of: a kernel may have to be compiled.
const FEW_CALLS: usize = 4;

/// Runs of bytes that the driver's copies of rows are fast for.
const LONG_RUN: usize = 256;

/// A copy that is worth a kernel also where the driver has a single call for it.
const LARGE: usize = 256 << 10;

/// True for a copy that a kernel makes faster than the driver's calls.
fn suits_kernel(plan: &StridedCopy, bytes: usize) -> bool {
    let run = bytes / plan.runs().max(1);
    !plan.is_single_run() && (plan.calls() > FEW_CALLS || bytes >= LARGE && run < LONG_RUN)
}

/// Copies all elements of one side to the other: the one place that all strided copies on a device come through. In the
/// stream's order; it may return before the copy is done.
fn copy_strided(
    py: Python<'_>,
    user: &str,
    to: &Side,
    from: &Side,
    stream: &cuox::Stream,
) -> PyResult<()> {
    let plan = StridedCopy::new(&to.layout, &from.layout);
    let calls = plan.calls();
    if calls == 0 {
        return Ok(());
    }
    let (here, there) = (to.memory.context(), from.memory.context());
    if to.memory.is_of_another_device_than(&from.memory) {
        return copy_between_devices(py, user, to, from, &plan, stream);
    }
    let same_driver = std::ptr::eq(here.driver(), there.driver());
    let reachable = same_driver && (calls == 1 && plan.is_single_run() || here == there);
    if reachable
        && suits_kernel(&plan, to.layout.nbytes())
        && copy::copy(
            py,
            (&to.layout, to.address()),
            (&from.layout, from.address()),
            stream,
        )?
    {
        return Ok(());
    }
    let (low, high) = from.layout.span();
    let moved = (high - low) as usize + 2 * to.layout.nbytes();
    let on_device =
        calls.saturating_mul(BYTES_PER_CALL) + plan.runs().saturating_mul(BYTES_PER_RUN);
    let by_host = calls > 8 && on_device > moved && !stream.is_capturing().or_raise_in(py, user)?;
    if !reachable || by_host {
        let order = match same_driver {
            true => stream.clone(),
            false => there.device().default_stream().or_raise_in(py, user)?,
        };
        return copy_by_host(py, user, to, (from, &order), stream);
    }
    here.check().or_raise_in(py, user)?;
    there.check().or_raise_in(py, user)?;
    // SAFETY: the elements of both lie in memory that is held here; what frees it is in some stream's order, or waits.
    idle::submit(py, stream, || unsafe {
        plan.run_on_device(stream.context(), to.address(), from.address(), Some(stream))
    })
    .or_raise_in(py, user)
}

/// The same between two devices: elements that do not lie one after another are put together on the one and taken apart
/// on the other.
fn copy_between_devices(
    py: Python<'_>,
    user: &str,
    to: &Side,
    from: &Side,
    plan: &StridedCopy,
    stream: &cuox::Stream,
) -> PyResult<()> {
    let (here, there) = (to.memory.context(), from.memory.context());
    if plan.is_single_run() {
        let (target, source) = (to.range().0, from.range().0);
        // SAFETY: the elements of both lie one after another in memory that is held here.
        return idle::submit(py, stream, || unsafe {
            raw::copy_between_devices(
                (here, target),
                (there, source),
                to.layout.nbytes(),
                Some(stream),
            )
        })
        .or_raise_in(py, user);
    }
    let dense = to.layout.like(to.layout.itemsize()).or_raise(py)?;
    let aside = |stream: &cuox::Stream| -> PyResult<Side> {
        Ok(Side {
            memory: allocate(py, user, dense.nbytes(), stream)?,
            offset: 0,
            layout: dense.clone(),
        })
    };
    // Each side is worked on in a stream of its device.
    let side = |context: &cuox::Context| match stream.device() == context.device() {
        true => Ok(stream.clone()),
        false => context.device().default_stream().or_raise_in(py, user),
    };
    let (before, after) = (side(there)?, side(here)?);
    let behind = |stream: &cuox::Stream, other: &cuox::Stream| {
        if stream == other {
            return Ok(());
        }
        idle::submit(py, stream, || stream.wait_stream(other)).or_raise_in(py, user)
    };
    behind(&before, stream)?;
    let together = aside(&before)?;
    copy_strided(py, user, &together, from, &before)?;
    behind(&after, &before)?;
    behind(&after, stream)?;
    let arrived = aside(&after)?;
    copy_strided(py, user, &arrived, &together, &after)?;
    copy_strided(py, user, to, &arrived, &after)?;
    // What was put together is freed in the one stream, and later work is put into the other.
    behind(&before, &after)?;
    behind(stream, &after)
}

/// A layout of the same order as another, also backwards where that runs backwards, without gaps: its memory is a copy
/// of a dense array's, byte by byte.
pub fn image(layout: &Layout) -> Result<Layout, cuox::array::LayoutError> {
    let like = layout.like(layout.itemsize())?;
    let strides: Dims<isize> = like
        .strides()
        .iter()
        .zip(layout.strides())
        .map(|(&stride, &given)| if given < 0 { -stride } else { stride })
        .collect();
    Layout::strided(like.shape(), &strides, layout.itemsize())
}

/// The same through the host's memory: for what the driver would copy in very many parts, and between two drivers.
fn copy_by_host(
    py: Python<'_>,
    user: &str,
    to: &Side,
    (from, order): (&Side, &cuox::Stream),
    stream: &cuox::Stream,
) -> PyResult<()> {
    let (low, high) = from.layout.span();
    let mut read = vec![0u8; (high - low) as usize];
    let start = from.offset.wrapping_add_signed(low);
    read_bytes(py, user, &from.memory, start, &mut read, order)?;
    let image = image(&to.layout).or_raise(py)?;
    let mut dense = vec![0u8; image.nbytes()];
    let first = image.span().0.unsigned_abs();
    py.detach(|| {
        let plan = StridedCopy::new(&image, &from.layout);
        // SAFETY: both vectors have the bytes that their layouts span.
        unsafe {
            plan.run_on_host(
                dense.as_mut_ptr().wrapping_add(first),
                read.as_ptr().wrapping_offset(-low),
            );
        }
    });
    drop(read);
    if to.layout.is_dense() {
        let start = to.offset.wrapping_add_signed(to.layout.span().0);
        return write_bytes(py, user, &to.memory, start, &dense, stream);
    }
    let memory = allocate(py, user, dense.len(), stream)?;
    write_bytes(py, user, &memory, 0, &dense, stream)?;
    let staged = Side {
        memory,
        offset: first,
        layout: image,
    };
    let plan = StridedCopy::new(&to.layout, &staged.layout);
    // SAFETY: as in `copy_strided`; the staging memory is freed in the stream's order.
    idle::submit(py, stream, || unsafe {
        plan.run_on_device(
            stream.context(),
            to.address(),
            staged.address(),
            Some(stream),
        )
    })
    .or_raise_in(py, user)
}

/// Reads device memory; done on return.
fn read_bytes(
    py: Python<'_>,
    user: &str,
    memory: &cuox::Buffer,
    offset: usize,
    target: &mut [u8],
    stream: &cuox::Stream,
) -> PyResult<()> {
    if target.is_empty() {
        return Ok(());
    }
    idle::wait_for_work(py, user, memory.device(), Some(stream))?;
    // SAFETY: the memory is borrowed until the wait below is over; if that ends early, pageable memory has been written
    // already.
    let copied = idle::submit(py, stream, || unsafe {
        memory.copy_to_host(offset, target.as_mut_ptr(), target.len(), Some(stream))
    });
    copied.or_raise_in(py, user)?;
    wait(py, user, |stop| stream.sync_with(stop))
}

/// Pageable memory up to this size is set aside by an asynchronous copy; for more, the driver waits for the stream.
const SET_ASIDE: usize = 64 << 10;

/// Writes to device memory, in the stream's order. The bytes have been read on return.
pub fn write_bytes(
    py: Python<'_>,
    user: &str,
    memory: &cuox::Buffer,
    offset: usize,
    source: &[u8],
    stream: &cuox::Stream,
) -> PyResult<()> {
    if source.is_empty() {
        return Ok(());
    }
    // Where the driver would wait, Ctrl-C would not end the wait: wait here.
    if source.len() > SET_ASIDE {
        idle::wait_for_work(py, user, memory.device(), Some(stream))?;
    }
    // SAFETY: pageable memory has been read when the copy returns.
    let copied = idle::submit(py, stream, || unsafe {
        memory.copy_from_host(offset, source.as_ptr(), source.len(), Some(stream))
    });
    copied.or_raise_in(py, user)
}

/// True if two lists of strides lead to the same elements: the stride of a dimension of one element has no say.
fn same_strides(shape: &[usize], a: &[isize], b: &[isize]) -> bool {
    shape
        .iter()
        .zip(a.iter().zip(b))
        .all(|(&size, (a, b))| size <= 1 || a == b)
}

/// A host array of a shape without gaps, in the order of a layout: the array, and where its memory is.
struct Host<'py> {
    array: Bound<'py, PyAny>,
    /// The owner of the memory, as the buffer protocol gives it: the array itself, or the bytes below.
    bytes: Bound<'py, PyAny>,
    layout: Layout,
}

impl<'py> Host<'py> {
    /// A new array whose memory is an image of `layout`'s if that is dense.
    fn new(py: Python<'py>, element: &Element, layout: &Layout) -> PyResult<Self> {
        let numpy = Numpy::get(py)?;
        let dtype = element.dtype.bind(py);
        let plain = match () {
            () if layout.is_contiguous(Order::C) => Some(("C", Order::C)),
            () if layout.is_contiguous(Order::F) => Some(("F", Order::F)),
            () => None,
        };
        if let Some((letter, order)) = plain {
            let array = numpy.empty(dtype, layout.shape(), letter)?;
            return Ok(Self {
                bytes: array.clone(),
                array,
                layout: Layout::contiguous(layout.shape(), element.size, order).or_raise(py)?,
            });
        }
        let layout = image(layout).or_raise(py)?;
        let bytes_type = Element::of(py, Some(pyo3::intern!(py, "u1").as_any()))?;
        let bytes = numpy.empty(bytes_type.dtype.bind(py), &[layout.nbytes()], "C")?;
        let first = layout.span().0.unsigned_abs();
        let array = numpy.view(dtype, layout.shape(), layout.strides(), Some(&bytes), first)?;
        Ok(Self {
            array,
            bytes,
            layout,
        })
    }
}

impl Array {
    /// Sets the elements to those of `src`, a host array, a number or an array on a device, broadcast to this one's
    /// shape. Done on return if no stream is given and `src` is in host memory.
    pub fn assign<'py>(
        this: &Bound<'py, Self>,
        src: &Bound<'py, PyAny>,
        stream: Option<&Bound<'py, PyAny>>,
        user: &str,
    ) -> PyResult<()> {
        let py = this.py();
        let array = this.get();
        array.check_writable()?;
        if let Some(source) = exchange::on_device(src, None, stream)? {
            return array.assign_array(py, source.get(), stream, user);
        }
        array.buffer.get().open_address(py)?;
        array.assign_host(py, src, stream, user)
    }

    fn assign_array(
        &self,
        py: Python<'_>,
        source: &Self,
        stream: Option<&Bound<'_, PyAny>>,
        user: &str,
    ) -> PyResult<()> {
        if !self.element.is(py, &source.element)? {
            return Err(PyTypeError::new_err(format!(
                "{user}: the source has elements of {}, the destination of {}; elements on a device are not converted here: \
                 convert them with a kernel, or on the host (to_host())",
                shown(source.element.dtype.bind(py)),
                shown(self.element.dtype.bind(py))
            )));
        }
        let (to, mut from) = (Side::of(py, self)?, Side::of(py, source)?);
        from.layout = broadcast(&from.layout, to.layout.shape())?;
        let order = self.order(py, stream)?;
        let before = source.order(py, None)?;
        // No stream of the one driver waits for one of the other.
        let is_elsewhere = !std::ptr::eq(before.context().driver(), order.context().driver());
        let reader = if is_elsewhere { &before } else { &order };
        let (writer, reader) = (
            ConsumerStream::new(py, &order),
            ConsumerStream::new(py, reader),
        );
        self.begin(&writer, Access::Write)?;
        source.begin(&reader, Access::Read)?;
        if is_elsewhere {
            idle::sync(py, user, &before)?;
        }
        if to.overlaps(&from) && !to.layout.is_empty() {
            if to.address() == from.address() && to.layout == from.layout {
                return Ok(());
            }
            // Of what is written, nothing may be read later.
            let layout = from.layout.like(from.layout.itemsize()).or_raise(py)?;
            let memory = allocate(py, user, layout.nbytes(), &order)?;
            let aside = Side {
                memory,
                offset: 0,
                layout,
            };
            copy_strided(py, user, &aside, &from, &order)?;
            return copy_strided(py, user, &to, &aside, &order);
        }
        copy_strided(py, user, &to, &from, &order)
    }

    fn assign_host(
        &self,
        py: Python<'_>,
        src: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
        user: &str,
    ) -> PyResult<()> {
        let numpy = Numpy::get(py)?;
        if fill::is_one_element(numpy, src)? {
            let item = fill::item(py, &self.element, src)?;
            return self.fill_with(py, &item, stream, user);
        }
        let image = image(&self.layout).or_raise(py)?;
        let is_array = numpy.is_array(src);
        if is_array {
            numpy::refuse_mask(src)?;
        }
        // Without a copy on the host, if its memory is what the array's is to be.
        let direct = is_array
            && numpy::dtype_of(src)?.eq(self.element.dtype.bind(py))?
            && numpy::shape(src)? == self.layout.shape()
            && same_strides(image.shape(), &numpy::strides(src)?, image.strides());
        let view = match direct {
            true => HostView::new(src, false).ok(),
            false => None,
        };
        let view = match view {
            Some(view) => view,
            None => {
                let host = Host::new(py, &self.element, &image)?;
                numpy::assign(&host.array, src)?;
                HostView::new(&host.bytes, false)?
            }
        };
        if view.len() == 0 {
            return Ok(());
        }
        let buffer = self.buffer.get();
        if self.layout.is_dense() {
            let start = self.offset.wrapping_add_signed(self.layout.span().0);
            let own = given(stream)
                .map(|stream| stream_argument(py, stream, Some(buffer.device)))
                .transpose()?;
            let order = self.order(py, stream)?;
            let consumer = ConsumerStream::new(py, &order);
            self.begin(&consumer, Access::Write)?;
            return buffer.write_view(py, user, start, view, own);
        }
        let order = self.order(py, stream)?;
        let consumer = ConsumerStream::new(py, &order);
        self.begin(&consumer, Access::Write)?;
        let memory = allocate(py, user, view.len(), &order)?;
        // Pinned memory would be read later: these bytes are read now.
        let bytes = view.bytes();
        write_bytes(py, user, &memory, 0, bytes, &order)?;
        wait_if_pinned(py, user, &order, &view)?;
        let staged = Side {
            memory,
            offset: image.span().0.unsigned_abs(),
            layout: image,
        };
        copy_strided(py, user, &Side::of(py, self)?, &staged, &order)?;
        match given(stream) {
            Some(_) => Ok(()),
            None => wait(py, user, |stop| order.sync_with(stop)),
        }
    }

    /// A new host array with the elements, or `out` with them.
    pub fn to_host<'py>(
        this: &Bound<'py, Self>,
        out: Option<&Bound<'py, PyAny>>,
        stream: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, array) = (this.py(), this.get());
        array.buffer.get().open_address(py)?;
        let Some(out) = given(out) else {
            // Positive strides, as NumPy's copies have them.
            let like = array.layout.like(array.element.size).or_raise(py)?;
            let host = Host::new(py, &array.element, &like)?;
            let view = HostView::new(&host.bytes, true)?;
            array.read_into(py, &host.layout, view, stream)?;
            return Ok(host.array);
        };
        array.check_out(out)?;
        let strides = numpy::strides(out)?;
        let layout =
            Layout::strided(array.layout.shape(), &strides, array.element.size).or_raise(py)?;
        let view = match super::is_contiguous(&layout) {
            true => HostView::new(out, true).ok(),
            false => None,
        };
        match view {
            Some(view) => {
                array.read_into(py, &layout, view, stream)?;
            }
            None => numpy::assign(out, &Self::to_host(this, None, stream)?)?,
        }
        Ok(out.clone())
    }

    fn check_out(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = out.py();
        if !Numpy::get(py)?.is_array(out) {
            return Err(PyTypeError::new_err(format!(
                "to_host: out: expected a numpy.ndarray, got {}",
                type_name(out)
            )));
        }
        let shape = numpy::shape(out)?;
        if shape != self.layout.shape() {
            return Err(PyValueError::new_err(format!(
                "to_host: out has shape {}, the array {}",
                cuox::array::layout::shown(&shape),
                cuox::array::layout::shown(self.layout.shape())
            )));
        }
        let dtype = numpy::dtype_of(out)?;
        if !dtype.eq(self.element.dtype.bind(py))? {
            return Err(PyTypeError::new_err(format!(
                "to_host: out has elements of {}, the array of {}",
                shown(&dtype),
                shown(self.element.dtype.bind(py))
            )));
        }
        match out.getattr("flags")?.getattr("writeable")?.is_truthy()? {
            true => Ok(()),
            false => Err(PyValueError::new_err("to_host: out is read-only")),
        }
    }

    /// The stream to read the elements in: without one that is given, that of whoever writes them, else their own.
    fn order_for_host(
        &self,
        py: Python<'_>,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::Stream> {
        let writer = match given(stream) {
            Some(_) => None,
            None => self.buffer.get().writer(py, &self.used(Access::Read)),
        };
        match writer {
            Some(writer) => Ok(writer),
            None => self.order(py, stream),
        }
    }

    /// Reads the elements into host memory without gaps. With a stream and pinned memory it may return before the copy
    /// is done.
    fn read_into(
        &self,
        py: Python<'_>,
        target: &Layout,
        view: HostView,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        const USER: &str = "array.to_host()";
        if self.layout.is_empty() || view.len() == 0 {
            return Ok(());
        }
        let buffer = self.buffer.get();
        let (low, high) = self.layout.span();
        let span = (high - low) as usize;
        let start = self.offset.wrapping_add_signed(low);
        let order = self.order_for_host(py, stream)?;
        let consumer = ConsumerStream::new(py, &order);
        self.begin(&consumer, Access::Read)?;
        if self.layout.is_dense()
            && same_strides(target.shape(), self.layout.strides(), target.strides())
        {
            let given = given(stream).map(|_| order.clone());
            return buffer.read_view(py, USER, start, view, given, Some(&order));
        }
        let from = Side::of(py, self)?;
        let mut bytes;
        let layout;
        if span <= 4 * self.layout.nbytes() + (64 << 10) {
            bytes = vec![0u8; span];
            read_bytes(py, USER, &from.memory, start, &mut bytes, &order)?;
            layout = self.layout.clone();
        } else {
            // Gathered on the device: most of the bytes in between are of no use.
            layout = self.layout.like(self.element.size).or_raise(py)?;
            let memory = allocate(py, USER, layout.nbytes(), &order)?;
            let dense = Side {
                memory,
                offset: 0,
                layout: layout.clone(),
            };
            copy_strided(py, USER, &dense, &from, &order)?;
            bytes = vec![0u8; layout.nbytes()];
            read_bytes(py, USER, &dense.memory, 0, &mut bytes, &order)?;
        }
        let first = layout.span().0.unsigned_abs();
        let to = view.address() as usize + target.span().0.unsigned_abs();
        py.detach(|| {
            let plan = StridedCopy::new(target, &layout);
            // SAFETY: the view has the bytes that `target` spans, and the vector those of `layout`.
            unsafe { plan.run_on_host(to as *mut u8, bytes.as_ptr().wrapping_add(first)) };
        });
        Ok(())
    }

    /// A new array with the same elements, in this order.
    pub fn copied<'py>(
        this: &Bound<'py, Self>,
        order: OrderArgument,
        stream: Option<&Bound<'py, PyAny>>,
        user: &str,
    ) -> PyResult<Bound<'py, Self>> {
        let (py, array) = (this.py(), this.get());
        let layout = match order {
            OrderArgument::K => array.layout.like(array.element.size),
            order => Layout::contiguous(
                array.layout.shape(),
                array.element.size,
                order.of_new(&array.layout),
            ),
        }
        .or_raise(py)?;
        let stream = array.order(py, stream)?;
        let place = Place {
            device: array.buffer.get().device,
            stream: StreamRef::from(stream.clone()),
        };
        let class = Self::subclass(this);
        let element = array.element.share(py);
        let copy = Self::allocate(py, class.as_ref(), layout, element, place)?;
        let (to, from) = (Side::of(py, copy.get())?, Side::of(py, array)?);
        let consumer = ConsumerStream::new(py, &stream);
        array.begin(&consumer, Access::Read)?;
        copy_strided(py, user, &to, &from, &stream)?;
        Ok(copy)
    }
}

/// Memory for the time of an operation, in the order of its stream.
pub fn allocate(
    py: Python<'_>,
    user: &str,
    bytes: usize,
    stream: &cuox::Stream,
) -> PyResult<cuox::Buffer> {
    let device = stream.device();
    match device.has_memory_pools() {
        true => device.allocate(bytes, Some(stream)).or_raise_in(py, user),
        // Freeing waits for the device.
        false => py
            .detach(|| device.allocate(bytes, None))
            .or_raise_in(py, user),
    }
}

/// Waits for a copy from pinned memory, which the driver reads in its own time.
fn wait_if_pinned(
    py: Python<'_>,
    user: &str,
    stream: &cuox::Stream,
    view: &HostView,
) -> PyResult<()> {
    let order = ConsumerStream::new(py, stream);
    match order.reaches(view.address() as u64) {
        true => wait(py, user, |stop| stream.sync_with(stop)),
        false => Ok(()),
    }
}

/// The elements of a layout in a larger shape. As NumPy does it in assignments, leading dimensions of one element go
/// first.
fn broadcast(from: &Layout, shape: &[usize]) -> PyResult<Layout> {
    let too_many = from.ndim().saturating_sub(shape.len());
    let leading: Vec<isize> = (0..too_many)
        .take_while(|&axis| from.shape()[axis] == 1)
        .map(|axis| axis as isize)
        .collect();
    let fitting = from
        .squeeze(Some(&leading))
        .and_then(|from| from.broadcast_to(shape));
    fitting.map_err(|_| {
        PyValueError::new_err(format!(
            "could not broadcast input array from shape {} into shape {}",
            cuox::array::layout::shown(from.shape()),
            cuox::array::layout::shown(shape)
        ))
    })
}
