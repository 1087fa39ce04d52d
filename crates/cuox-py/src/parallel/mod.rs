//! The algorithms of `cuox-parallel` as classes that Python calls. Private: what people use is built on these.

pub mod arithmetic;
mod cast;
pub mod copy;
mod elementwise;
mod launching;
mod loops;
pub mod operations;
mod radix;
mod reduction;
mod remembered;
mod scan;
mod sort;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::array::Array;
use crate::buffer::Buffer;
use crate::device;
use crate::error::OrRaise;
use crate::stream::stream_argument;
use crate::support::plain_args::given;

/// The stream of an operation: the one given, else that of the first array, else its buffer's device's default stream.
pub fn order<'py>(
    py: Python<'py>,
    arguments: &Bound<'py, PyTuple>,
    stream: Option<&Bound<'py, PyAny>>,
) -> PyResult<cuox::Stream> {
    let stream = given(stream);
    let mut device = None;
    for argument in arguments.iter_borrowed() {
        if let Ok(array) = argument.cast::<Array>() {
            return array.get().order(py, stream);
        }
        if let (None, Ok(buffer)) = (device, argument.cast::<Buffer>()) {
            device = Some(buffer.get().device);
        }
    }
    let device = match device {
        Some(device) => device,
        None => device::current(py)?,
    };
    match stream {
        Some(stream) => stream_argument(py, stream, Some(device)),
        None => device.default_stream().or_raise(py),
    }
}

/// Reads `[(c_type, name, is_vector), ...]`.
pub fn parameters(list: &Bound<'_, PyAny>) -> PyResult<Vec<cuox_parallel::Parameter>> {
    list.try_iter()?
        .map(|item| {
            let (c_type, name, vector): (String, String, bool) = item?.extract()?;
            Ok(cuox_parallel::Parameter::new(c_type, name, vector))
        })
        .collect()
}

/// Adds the classes to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<elementwise::Elementwise>()?;
    module.add_class::<reduction::Reduction>()?;
    module.add_class::<scan::Scan>()?;
    module.add_class::<sort::Sort>()?;
    module.add_class::<radix::RadixSort>()?;
    module.add_class::<remembered::RememberedCalls>()?;
    module.add_function(wrap_pyfunction!(loops::_histogram, module)?)?;
    module.add_function(wrap_pyfunction!(loops::_segmented_reduction, module)?)?;
    module.add_function(wrap_pyfunction!(loops::_search, module)?)?;
    module.add_function(wrap_pyfunction!(launching::_source_ptx, module)?)?;
    module.add_function(wrap_pyfunction!(launching::_supply_code, module)?)?;
    module.add_function(wrap_pyfunction!(launching::_take_code_back, module)?)?;
    module.add_function(wrap_pyfunction!(arithmetic::_binary, module)?)?;
    module.add_function(wrap_pyfunction!(arithmetic::_unary, module)?)?;
    module.add_function(wrap_pyfunction!(cast::_cast, module)?)
}
