//! What `cuox._internal.graphs` makes nodes of: the arguments of kernels, and arrays that are filled and copied.

use cuox::launch::ParamBuffer;
use cuox::memory::uses::Access;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};

use crate::array::Array;
use crate::error::OrRaise;
use crate::graph_uses::NodeUses;
use crate::kernel::Kernel;
use crate::launch::arguments;
use crate::stream::ConsumerStream;

/// Bytes, the offset and size of each value in them, and the arrays that they are about.
type Packed<'py> = (Bound<'py, PyBytes>, Vec<(usize, usize)>, NodeUses);

/// The bytes of a kernel's arguments, as a launch puts them together, the place of each in them, and what they use.
#[pyfunction]
pub fn _pack_arguments<'py>(
    py: Python<'py>,
    kernel: &Bound<'py, Kernel>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Packed<'py>> {
    let kernel = kernel.get();
    let parameters = kernel.inner.parameters().or_raise(py)?;
    let stream = kernel.inner.device().default_stream().or_raise(py)?;
    let order = ConsumerStream::new(py, &stream);
    let mut buffer = ParamBuffer::default();
    let objects: Vec<*mut ffi::PyObject> = args.iter_borrowed().map(|it| it.as_ptr()).collect();
    // SAFETY: the tuple holds the objects.
    unsafe { arguments::pack(py, parameters, &objects, &order, &mut buffer) }?;
    let layout = parameters.signature().layout();
    let size = layout
        .iter()
        .map(|(offset, size)| offset + size)
        .max()
        .unwrap_or(0);
    let mut bytes = vec![0u8; size];
    buffer.with_pointers(parameters, |pointers| {
        for (place, (offset, size)) in layout.iter().enumerate() {
            // SAFETY: one pointer for each parameter, to a value of its size, and room for it in `bytes`.
            unsafe {
                let from = (*pointers.add(place)).cast::<u8>();
                std::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr().add(*offset), *size);
            }
        }
    });
    let slots = parameters.slots().iter();
    let arrays = slots.zip(args).filter_map(|((slot, _), argument)| {
        let array = argument.cast::<Array>().ok()?;
        Some(array.get().held_use(py, slot.access()))
    });
    let uses = NodeUses::new(arrays);
    Ok((PyBytes::new(py, &bytes), layout, uses))
}

/// The address of an array that a node fills or copies, and the use.
#[pyfunction]
pub fn _node_memory(array: &Bound<'_, Array>, is_written: bool) -> PyResult<(u64, NodeUses)> {
    let (py, this) = (array.py(), array.get());
    let access = match is_written {
        true => {
            this.check_writable()?;
            Access::Write
        }
        false => Access::Read,
    };
    let uses = NodeUses::new([this.held_use(py, access)]);
    Ok((this.address(py)?, uses))
}
