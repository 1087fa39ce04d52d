//! `cuox._native._RadixSort`.

use cuox::memory::uses::Access;
use cuox_parallel::radix::{self, KeyKind, Order, Places, Tuning};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::launching;
use crate::array::Array;
use crate::error::OrRaise;
use crate::idle;
use crate::stream::ConsumerStream;

/// A stable sort of arrays of numbers, and of values with them.
///
/// kind: `"u"` for unsigned keys, `"i"` for signed ones, `"f"` for floats. key_size, value_size: their bytes; no values
/// are sorted with 0. value_align: the alignment of values. options: for NVRTC, in place of the usual ones.
#[pyclass(frozen, module = "cuox._native", name = "_RadixSort")]
pub struct RadixSort {
    inner: radix::RadixSort,
}

#[pymethods]
impl RadixSort {
    #[new]
    #[pyo3(signature = (kind, key_size, value_size, value_align, *, options=None))]
    fn py_new(
        py: Python<'_>,
        kind: &str,
        key_size: usize,
        value_size: usize,
        value_align: usize,
        options: Option<Vec<String>>,
    ) -> PyResult<Self> {
        let kind = match kind {
            "u" => KeyKind::Unsigned,
            "i" => KeyKind::Signed,
            "f" => KeyKind::Float,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "kind: expected 'u', 'i' or 'f', got {kind:?}"
                )));
            }
        };
        let options = options.unwrap_or_else(radix::RadixSort::usual_options);
        let inner = radix::RadixSort::new(kind, key_size, value_size, value_align, options);
        Ok(Self {
            inner: inner.or_raise(py)?,
        })
    }

    /// The kernels that `n` keys need on devices of any kind: `(text, name, options)` for each. Nothing is compiled.
    #[pyo3(signature = (n, descends))]
    fn _sources(&self, n: usize, descends: bool) -> Vec<launching::Told> {
        let order = Order {
            count: n,
            begin_bit: 0,
            end_bit: 0,
            descends,
        };
        launching::told(self.inner.sources(&order))
    }

    /// Sort `n` keys and values, in the order of `stream`. Only bits from `begin_bit` up to the one before `end_bit`
    /// are compared.
    ///
    /// blocks: `(threads, keys of a thread, blocks at once, one by one)` in place of what suits the device.
    ///
    /// Raises ValueError for arrays with fewer items or gaps, and for bits that keys have not; CompileError, CUDAError.
    #[pyo3(signature = (keys, out_keys, values, out_values, n, begin_bit, end_bit, descends, *, stream, blocks=None))]
    #[allow(clippy::too_many_arguments, reason = "they are Python's")]
    fn __call__(
        &self,
        py: Python<'_>,
        keys: &Bound<'_, Array>,
        out_keys: &Bound<'_, Array>,
        values: Option<&Bound<'_, Array>>,
        out_values: Option<&Bound<'_, Array>>,
        n: usize,
        begin_bit: usize,
        end_bit: usize,
        descends: bool,
        stream: &Bound<'_, PyAny>,
        blocks: Option<(usize, usize, usize, bool)>,
    ) -> PyResult<()> {
        let stream = keys.get().order(py, Some(stream))?;
        let arrays = [Some(keys), Some(out_keys), values, out_values];
        let arrays = arrays.map(|array| array.map(|array| array.as_borrowed()));
        let order = Order {
            count: n,
            begin_bit,
            end_bit,
            descends,
        };
        self.run(py, arrays, &order, blocks, &stream)
    }
}

impl RadixSort {
    /// Sorts keys into others, and values into others.
    pub fn run(
        &self,
        py: Python<'_>,
        arrays: [Option<Borrowed<'_, '_, Array>>; 4],
        order: &Order,
        blocks: Option<(usize, usize, usize, bool)>,
        stream: &cuox::Stream,
    ) -> PyResult<()> {
        let n = order.count;
        if order.begin_bit > order.end_bit || order.end_bit > 64 {
            return Err(PyValueError::new_err(format!(
                "begin_bit and end_bit must be between 0 and the bits of a key, in this order; got {} and {}",
                order.begin_bit, order.end_bit
            )));
        }
        let consumer = ConsumerStream::new(py, stream);
        let address = |array: Option<Borrowed<'_, '_, Array>>, written: bool| -> PyResult<u64> {
            let Some(array) = array else { return Ok(0) };
            let array = array.get();
            if array.layout().len() < n || !array.layout().is_contiguous(cuox::array::Order::C) {
                return Err(PyValueError::new_err(format!(
                    "radix sort: {n} items need arrays of as many, without gaps"
                )));
            }
            let access = match written {
                true => Access::Write,
                false => Access::Read,
            };
            let memory = array.memory(&consumer, access)?;
            if written && memory.read_only {
                return Err(PyValueError::new_err("radix sort: an output is read-only"));
            }
            Ok(memory.address)
        };
        let places = Places {
            from: address(arrays[0], false)?,
            to: address(arrays[1], true)?,
            from_values: address(arrays[2], false)?,
            to_values: address(arrays[3], true)?,
        };
        let device = stream.device();
        let tuning = match blocks {
            Some((threads, each, blocks, serial)) => Tuning {
                threads,
                each,
                blocks,
                serial,
            },
            None => self.inner.tuning(device, n),
        };
        let loaded = self.inner.loaded(order, tuning, device);
        let (kernels, _) = launching::kernel(py, "radix sort", loaded, |stop| {
            self.inner.kernels(order, tuning, device, stop)
        })?;
        // SAFETY: the arrays were checked above, and live as those of any launch do.
        let work = || unsafe { self.inner.launch(&kernels, stream, places, order, tuning) };
        idle::submit(py, stream, work).or_raise(py)
    }
}
