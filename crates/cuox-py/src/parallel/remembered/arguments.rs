//! What tells calls from one another: the types of their arguments.

use cuox::array::Order;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};
use smallvec::SmallVec;

use super::RememberedCalls;
use crate::array::Array;
use crate::array::exchange::as_array;
use crate::device;
use crate::pykernel::argument::{self, Key};
use crate::stream::{StreamRef, default_stream, stream_argument};
use crate::support::function_parts::function_parts;

/// Words of a key, other than those of [`argument::add_words`].
mod tag {
    pub const SAME: u64 = 101;
    pub const FUNCTION: u64 = 102;
    pub const HOST: u64 = 103;
    pub const NUMBER: u64 = 104;
    pub const COUNT: u64 = 105;
    pub const LONG_COUNT: u64 = 106;
    pub const VECTOR: u64 = 107;
    pub const READ_ONLY_VECTOR: u64 = 108;
}

/// The kind of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An array on the device, of any library; an iterator, told by its identity; or None.
    Array,
    /// A number of items.
    Count,
    /// One that kernels hang on by the bits that it needs: 32 or 64.
    CountByBits,
    /// A number that a kernel is made for, or another object, told by its identity.
    Fixed,
    /// A Python function, told by its code; or an operator of another kind, told by its identity.
    Operator,
    /// A host value of one item, or an array on the device.
    Value,
}

impl Kind {
    pub(super) fn of(letter: char) -> PyResult<Self> {
        Ok(match letter {
            'a' => Self::Array,
            'n' => Self::Count,
            'N' => Self::CountByBits,
            'k' => Self::Fixed,
            'f' => Self::Operator,
            'v' => Self::Value,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "kinds: expected letters of 'anNkfv', got {letter:?}"
                )));
            }
        })
    }
}

/// A range of memory: that of an argument, else its first byte and that behind the last; and the bytes of an item, 0 if
/// not all lie in their order.
pub(super) type MemoryRange = (Option<usize>, u64, u64, u64);

/// A number of items: the argument that it is and how often, else the number.
type Limit = (Option<usize>, usize);

/// Memory to read and to write, of so many items each, and the number of a [`Sharing`].
pub(super) type OverlapCheck = (MemoryRange, MemoryRange, Limit, Limit, u8);

/// The memory that an output may have in common with an input. Python has the same numbers.
enum Sharing {
    None,
    /// Both begin at the same place, with items of one size.
    SameStart,
    /// The output may also begin before the input.
    ToTheLeft,
}

impl Sharing {
    fn of(number: u8) -> Self {
        match number {
            2 => Self::ToTheLeft,
            1 => Self::SameStart,
            _ => Self::None,
        }
    }
}

/// The numbers that a launch hangs on besides types: sizes of arrays, their alignment, and numbers of items.
pub(super) type Sizes = SmallVec<[u64; 8]>;

/// The arguments of a call: what stands for them, and the key of their types.
#[derive(Default)]
pub(super) struct Arguments<'py> {
    pub(super) objects: SmallVec<[Bound<'py, PyAny>; 8]>,
    /// The stream, if one is named.
    pub(super) stream: Option<Bound<'py, PyAny>>,
    /// The numbers of items among them, and their places.
    counts: SmallVec<[(usize, usize); 2]>,
    pub(super) sizes: Sizes,
    pub(super) key: Key,
    /// The objects that the key tells by their addresses; None where nobody is to hold it.
    pub(super) held: Option<Vec<Bound<'py, PyAny>>>,
}

impl RememberedCalls {
    pub(super) fn add_array<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        arguments: &mut Arguments<'py>,
    ) -> PyResult<bool> {
        if let Ok(array) = object.cast_exact::<Array>() {
            return Ok(arguments.add_native(array));
        }
        if object.is_none() || object.is_instance(self.iterator.bind(object.py()))? {
            arguments.add_same(object);
            return Ok(true);
        }
        // The algorithm says of other objects that they are no arrays.
        match as_array(object, arguments.stream.as_ref()) {
            Ok(array) => Ok(arguments.add_native(&array)),
            Err(_) => Ok(false),
        }
    }
}

impl<'py> Arguments<'py> {
    /// None yet; what the key will tell by its address is held.
    pub(super) fn holding() -> Self {
        Self {
            held: Some(Vec::new()),
            ..Self::default()
        }
    }

    fn hold(&mut self, object: &Bound<'py, PyAny>) {
        if let Some(held) = &mut self.held {
            held.push(object.clone());
        }
    }

    fn add_same(&mut self, object: &Bound<'py, PyAny>) {
        self.key.extend([tag::SAME, object.as_ptr() as u64]);
        self.hold(object);
        self.objects.push(object.clone());
    }

    pub(super) fn add_operator(&mut self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(parts) = function_parts(object)? else {
            self.add_same(object);
            return Ok(true);
        };
        // A dict, which may change.
        if !parts.keyword_defaults.is_none() {
            return Ok(false);
        }
        self.key.extend([
            tag::FUNCTION,
            parts.code.as_ptr() as u64,
            parts.defaults.as_ptr() as u64,
        ]);
        self.hold(&parts.code);
        self.hold(&parts.defaults);
        self.objects.push(object.clone());
        Ok(true)
    }

    /// False for arrays of several dimensions, and with gaps.
    fn add_native(&mut self, array: &Bound<'py, Array>) -> bool {
        let found = array.get();
        let layout = found.layout();
        if layout.ndim() != 1 || !layout.is_contiguous(Order::C) {
            return false;
        }
        let dtype = &found.element().dtype;
        self.hold(dtype.bind(array.py()));
        self.objects.push(array.as_any().clone());
        let tag = if found.read_only() {
            tag::READ_ONLY_VECTOR
        } else {
            tag::VECTOR
        };
        self.key.extend([tag, dtype.as_ptr() as u64]);
        // Wide loads are of 16 bytes.
        self.sizes
            .extend([layout.len() as u64, found.first_address() % 16]);
        true
    }

    /// False for no items, for which algorithms do something else, and for what is no number of items.
    pub(super) fn add_count(&mut self, object: &Bound<'py, PyAny>, by_bits: bool) -> bool {
        let count = count_of(object).unwrap_or(0);
        self.key.push(match by_bits && count >= 1 << 31 {
            true => tag::LONG_COUNT,
            false => tag::COUNT,
        });
        self.counts.push((self.objects.len(), count));
        self.sizes.push(count as u64);
        self.objects.push(object.clone());
        count > 0
    }

    /// The number of items that is this argument.
    #[inline]
    pub(super) fn count(&self, slot: usize) -> Option<usize> {
        let found = self.counts.iter().find(|(place, _)| *place == slot);
        found.map(|(_, count)| *count)
    }

    pub(super) fn add_fixed(&mut self, object: &Bound<'py, PyAny>) -> bool {
        if !is_integer(object) {
            self.add_same(object);
            return true;
        }
        let Ok(value) = object.extract::<i64>() else {
            return false;
        };
        self.key.extend([tag::NUMBER, value as u64]);
        self.objects.push(object.clone());
        true
    }

    pub(super) fn add_value(&mut self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        if object.is_none() {
            self.add_same(object);
            return Ok(true);
        }
        if let Ok(array) = object.cast::<Array>() {
            return Ok(self.add_native(array));
        }
        let py = object.py();
        // SAFETY: a live object.
        let has_bytes = unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0;
        if has_bytes && let Some(dtype) = object.getattr_opt(intern!(py, "dtype"))? {
            self.key.extend([tag::HOST, dtype.as_ptr() as u64]);
            self.hold(&dtype);
        } else if let Some(record) = object.getattr_opt(intern!(py, "_record"))? {
            // A structure, whose class has but one dtype.
            let class = object.get_type().into_any();
            self.key.extend([tag::HOST, class.as_ptr() as u64]);
            self.hold(&class);
            self.objects.push(record);
            return Ok(true);
        } else if !argument::add_words(object, &mut self.key) {
            return Ok(false);
        }
        self.objects.push(object.clone());
        Ok(true)
    }

    /// The stream; None for what the algorithm itself makes one of.
    pub(super) fn order(
        &self,
        py: Python<'py>,
        stream: &Bound<'py, PyAny>,
    ) -> PyResult<Option<StreamRef>> {
        if stream.is_none() {
            return default_stream(py, device::current(py)?).map(Some);
        }
        if stream.is_instance_of::<PyInt>() {
            return Ok(None);
        }
        let of_array = self
            .objects
            .iter()
            .find_map(|object| object.cast::<Array>().ok());
        let found = match of_array {
            Some(array) => array.get().order(py, Some(stream)),
            None => stream_argument(py, stream, None),
        };
        // The algorithm says of other objects that they are no streams.
        Ok(found.ok().map(StreamRef::Own))
    }
}

impl Arguments<'_> {
    /// True if an output has memory in common with an input; None if it must not have that.
    pub(super) fn shares(
        &self,
        (given, out, given_limit, out_limit, sharing): OverlapCheck,
    ) -> Option<bool> {
        let given = self.memory(given, given_limit);
        let (Some(given), Some(out)) = (given, self.memory(out, out_limit)) else {
            return None;
        };
        if given.0.max(out.0) >= given.1.min(out.1) {
            return Some(false);
        }
        let one_size = given.2 != 0 && given.2 == out.2;
        let may = match Sharing::of(sharing) {
            Sharing::None => false,
            Sharing::SameStart => one_size && out.0 == given.0,
            Sharing::ToTheLeft => one_size && out.0 <= given.0,
        };
        may.then_some(true)
    }

    /// The first byte of so many items, that behind the last, and the bytes of each. None for what is no array.
    fn memory(&self, range: MemoryRange, limit: Limit) -> Option<(u64, u64, u64)> {
        let (slot, mut first, mut end, mut size) = range;
        if let Some(slot) = slot {
            let array = self.objects.get(slot)?.cast::<Array>().ok()?.get();
            first = array.first_address();
            size = array.layout().itemsize() as u64;
            end = first.saturating_add((array.layout().len() as u64).saturating_mul(size));
        }
        if size != 0 {
            let count = match limit {
                (Some(slot), times) => self.count(slot)?.saturating_mul(times),
                (None, count) => count,
            };
            end = end.min(first.saturating_add((count as u64).saturating_mul(size)));
        }
        Some((first, end, size))
    }
}

/// True for integers, of Python's or NumPy's, but no truth values.
fn is_integer(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: a live object.
    object.is_exact_instance_of::<PyInt>()
        || !object.is_instance_of::<PyBool>() && unsafe { ffi::PyIndex_Check(object.as_ptr()) } != 0
}

/// A number of items.
#[inline]
fn count_of(object: &Bound<'_, PyAny>) -> Option<usize> {
    is_integer(object).then(|| object.extract().ok())?
}
