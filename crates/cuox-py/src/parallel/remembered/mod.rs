//! `cuox._native._RememberedCalls`: what an algorithm has launched for arguments of certain types, launched again without Python code.

use std::sync::{Arc, PoisonError, RwLock};

use cuox::array::Order;
use cuox_parallel::elementwise::Indices;
use cuox_parallel::radix::Order as KeyOrder;
use cuox_parallel::sort::Extent;
use cuox_pykernel::types::Type;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::elementwise::Elementwise;
use super::launching::Given;
use super::radix::RadixSort;
use super::reduction::{Out, Reduction};
use super::scan::Scan;
use super::sort::Sort;
use crate::array::Array;
use crate::array::exchange::as_array;
use crate::device;
use crate::pykernel::argument::{self, Key, Packed, packed};
use crate::pykernel::translate::read_type;
use crate::stream::{ConsumerStream, StreamRef, default_stream, stream_argument};
use crate::support::host_view::HostView;

/// More than a program has kinds of calls. What is forgotten is found again.
const MOST_KNOWN: usize = 256;

/// Words of a key, other than those of [`argument::add_words`].
mod tag {
    pub const SAME: u64 = 101;
    pub const FUNCTION: u64 = 102;
    pub const HOST: u64 = 103;
    pub const NUMBER: u64 = 104;
    pub const COUNT: u64 = 105;
}

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An array on the device, of any library; an iterator, told by its identity; or None.
    Array,
    /// A number of items.
    Count,
    /// A number that a kernel is made for, or another object, told by its identity.
    Fixed,
    /// A Python function, told by its code; or an operator of another kind, told by its identity.
    Operator,
    /// A host value of one item, or an array on the device.
    Value,
}

impl Kind {
    fn of(letter: char) -> PyResult<Self> {
        Ok(match letter {
            'a' => Self::Array,
            'n' => Self::Count,
            'k' => Self::Fixed,
            'f' => Self::Operator,
            'v' => Self::Value,
            _ => {
                return Err(PyValueError::new_err(format!(
                    "kinds: expected letters of 'ankfv', got {letter:?}"
                )));
            }
        })
    }
}

/// Launches of an algorithm that are told by the types of its arguments.
///
/// kinds: a letter for each argument: `a` for an array or iterator, `n` for a number of items, `k` for what texts are made of, `f` for an operator,
/// `v` for a host value. slow: a function of a stream and the arguments that does the work; it returns what it has launched, None if that must not
/// be remembered. iterator: the class of iterators. function: the class of functions.
#[pyclass(frozen, module = "cuox._native", name = "_RememberedCalls")]
pub struct RememberedCalls {
    kinds: Vec<Kind>,
    slow: Py<PyAny>,
    iterator: Py<PyAny>,
    function: Py<PyAny>,
    known: RwLock<FxHashMap<Key, SmallVec<[Arc<Call>; 1]>>>,
}

/// An array, and the items that it must have: a count among the arguments, else the number behind it. Without an array the count must be at most that
/// number.
type Room = (Option<usize>, Option<usize>, usize);

/// Arrays to read and to write, and the count of their items: they have none in common, or begin at the same place.
type Apart = (usize, usize, Option<usize>);

/// The launches of a call.
struct Call {
    /// What is told by its address: it must not be freed.
    _held: Vec<Py<PyAny>>,
    rooms: Vec<Room>,
    apart: Vec<Apart>,
    watched: Vec<Watched>,
    states: Vec<State>,
    steps: Vec<Step>,
}

/// A name that an operator uses, and what it must stand for.
struct Watched {
    /// The argument, unless it is another function.
    slot: usize,
    base: Option<Py<PyAny>>,
    /// The place in the closure; None for a global name.
    cell: Option<usize>,
    name: Py<PyAny>,
    expected: Expected,
}

enum Expected {
    Absent,
    Same(Py<PyAny>),
    /// A value of this type, which is part of the operator's state.
    Typed(Key),
}

/// The bytes of what an operator captures.
struct State {
    ty: Type,
    /// Places among the watched names, in order.
    values: Vec<usize>,
}

struct Step {
    kernel: StepKernel,
    sources: Vec<Source>,
    count: StepCount,
}

enum StepKernel {
    Elementwise(Py<Elementwise>),
    /// The kernel, and the bytes of a result.
    Reduction(Py<Reduction>, usize),
    Scan(Py<Scan>),
    /// The kernel, and the number of segments.
    Sort(Py<Sort>, StepCount),
    /// Its values are keys, values, bits and the direction.
    RadixSort(Py<RadixSort>),
}

#[derive(Clone, Copy)]
enum StepCount {
    /// So many times the number that is this argument.
    Argument(usize, usize),
    Constant(usize),
}

enum Source {
    /// The array that is this argument.
    Array(usize),
    /// The value that is this argument.
    Value(usize, Type),
    /// The state of an operator.
    State(usize),
    Constant(Py<PyAny>),
    /// A constant as the kernel has it.
    Bytes(Packed),
}

/// The arguments of a call: what stands for them, and the key of their types.
struct Arguments<'py> {
    objects: SmallVec<[Bound<'py, PyAny>; 8]>,
    key: Key,
    /// What the key tells by its address.
    held: SmallVec<[Bound<'py, PyAny>; 8]>,
}

#[pymethods]
impl RememberedCalls {
    #[new]
    fn new(
        kinds: &str,
        slow: Py<PyAny>,
        iterator: Py<PyAny>,
        function: Py<PyAny>,
    ) -> PyResult<Self> {
        Ok(Self {
            kinds: kinds.chars().map(Kind::of).collect::<PyResult<_>>()?,
            slow,
            iterator,
            function,
            known: RwLock::default(),
        })
    }

    /// Do the work, in the order of a stream, for one argument of each kind.
    #[pyo3(signature = (stream, *args))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        stream: &Bound<'py, PyAny>,
        args: &Bound<'py, PyTuple>,
    ) -> PyResult<()> {
        let arguments = self.arguments(args)?;
        if let Some(arguments) = &arguments
            && let Some(order) = arguments.order(py, stream)?
        {
            for call in self.find(&arguments.key) {
                if call.run(py, arguments, &order)? {
                    return Ok(());
                }
            }
        }
        let mut given: SmallVec<[Bound<'py, PyAny>; 8]> = SmallVec::new();
        given.push(stream.clone());
        given.extend(args.iter());
        let made = self.slow.bind(py).call1(PyTuple::new(py, given)?)?;
        if let Some(arguments) = arguments
            && !made.is_none()
            && let Some(call) = Call::new(&arguments, &made)?
        {
            self.keep(arguments.key, call);
        }
        Ok(())
    }

    /// Forget all calls.
    fn clear(&self) {
        let forgotten = std::mem::take(&mut *self.write());
        // Without the lock: to free objects may run code.
        drop(forgotten);
    }

    /// The number of calls that are known.
    fn __len__(&self) -> usize {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.values().map(|calls| calls.len()).sum()
    }
}

impl RememberedCalls {
    fn write(&self) -> std::sync::RwLockWriteGuard<'_, FxHashMap<Key, SmallVec<[Arc<Call>; 1]>>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline]
    fn find(&self, key: &Key) -> SmallVec<[Arc<Call>; 1]> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(key).cloned().unwrap_or_default()
    }

    fn keep(&self, key: Key, call: Call) {
        let mut known = self.write();
        let mut forgotten = None;
        if known.values().map(|calls| calls.len()).sum::<usize>() >= MOST_KNOWN {
            forgotten = Some(std::mem::take(&mut *known));
        }
        // The newest first: names that a program has bound anew stay so.
        known.entry(key).or_default().insert(0, Arc::new(call));
        drop(known);
        drop(forgotten);
    }

    /// None for arguments that cannot be told by a key.
    fn arguments<'py>(&self, args: &Bound<'py, PyTuple>) -> PyResult<Option<Arguments<'py>>> {
        let mut arguments = Arguments {
            objects: SmallVec::new(),
            key: Key::new(),
            held: SmallVec::new(),
        };
        if args.len() != self.kinds.len() {
            return Ok(None);
        }
        for (kind, object) in self.kinds.iter().zip(args.iter_borrowed()) {
            let known = match kind {
                Kind::Array => self.add_array(&object, &mut arguments)?,
                Kind::Count => arguments.add_count(&object),
                Kind::Fixed => arguments.add_fixed(&object),
                Kind::Operator => self.add_operator(&object, &mut arguments)?,
                Kind::Value => arguments.add_value(&object)?,
            };
            if !known {
                return Ok(None);
            }
        }
        Ok(Some(arguments))
    }

    fn add_array<'py>(
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
        // What is no array is told so by the algorithm.
        match as_array(object, None) {
            Ok(array) => Ok(arguments.add_native(&array)),
            Err(_) => Ok(false),
        }
    }

    fn add_operator<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        arguments: &mut Arguments<'py>,
    ) -> PyResult<bool> {
        let py = object.py();
        if !object.get_type().is(self.function.bind(py)) {
            arguments.add_same(object);
            return Ok(true);
        }
        // A dict, which may change.
        if !object.getattr(intern!(py, "__kwdefaults__"))?.is_none() {
            return Ok(false);
        }
        let code = object.getattr(intern!(py, "__code__"))?;
        let defaults = object.getattr(intern!(py, "__defaults__"))?;
        arguments.key.extend([
            tag::FUNCTION,
            code.as_ptr() as u64,
            defaults.as_ptr() as u64,
        ]);
        arguments.held.extend([code, defaults]);
        arguments.objects.push(object.clone());
        Ok(true)
    }
}

impl<'py> Arguments<'py> {
    fn add_same(&mut self, object: &Bound<'py, PyAny>) {
        self.key.extend([tag::SAME, object.as_ptr() as u64]);
        self.held.push(object.clone());
        self.objects.push(object.clone());
    }

    /// False for arrays of several dimensions, and with gaps.
    fn add_native(&mut self, array: &Bound<'py, Array>) -> bool {
        let layout = array.get().layout();
        if layout.ndim() != 1 || !layout.is_contiguous(Order::C) {
            return false;
        }
        self.held
            .push(array.get().element().dtype.bind(array.py()).clone());
        self.objects.push(array.as_any().clone());
        argument::add_words(array.as_any(), &mut self.key)
    }

    /// False for no items, for which algorithms do something else, and for what is no number of items.
    fn add_count(&mut self, object: &Bound<'py, PyAny>) -> bool {
        self.key.push(tag::COUNT);
        self.objects.push(object.clone());
        count_of(object).is_some_and(|count| count > 0)
    }

    fn add_fixed(&mut self, object: &Bound<'py, PyAny>) -> bool {
        if object.is_exact_instance_of::<pyo3::types::PyInt>() {
            let Ok(value) = object.extract::<i64>() else {
                return false;
            };
            self.key.extend([tag::NUMBER, value as u64]);
            self.objects.push(object.clone());
        } else {
            self.add_same(object);
        }
        true
    }

    fn add_value(&mut self, object: &Bound<'py, PyAny>) -> PyResult<bool> {
        if let Ok(array) = object.cast_exact::<Array>() {
            return Ok(self.add_native(array));
        }
        let py = object.py();
        // SAFETY: a live object.
        let has_bytes = unsafe { ffi::PyObject_CheckBuffer(object.as_ptr()) } != 0;
        if has_bytes && let Some(dtype) = object.getattr_opt(intern!(py, "dtype"))? {
            self.key.extend([tag::HOST, dtype.as_ptr() as u64]);
            self.held.push(dtype);
        } else if object.is_none() || !argument::add_words(object, &mut self.key) {
            self.add_same(object);
            return Ok(object.is_none());
        }
        self.objects.push(object.clone());
        Ok(true)
    }

    /// The stream; None for what the algorithm itself makes one of.
    fn order(&self, py: Python<'py>, stream: &Bound<'py, PyAny>) -> PyResult<Option<StreamRef>> {
        if stream.is_none() {
            return default_stream(py, device::current(py)?).map(Some);
        }
        if stream.is_instance_of::<pyo3::types::PyInt>() {
            return Ok(None);
        }
        let of_array = self
            .objects
            .iter()
            .find_map(|object| object.cast_exact::<Array>().ok());
        let found = match of_array {
            Some(array) => array.get().order(py, Some(stream)),
            None => stream_argument(py, stream, None),
        };
        // What is no stream is told so by the algorithm.
        Ok(found.ok().map(StreamRef::Own))
    }
}

impl Arguments<'_> {
    /// True if arrays have items in common, but do not begin at the same place.
    fn share(&self, (given, out, count): Apart) -> bool {
        let array = |slot: usize| self.objects.get(slot)?.cast_exact::<Array>().ok();
        let (Some(given), Some(out)) = (array(given), array(out)) else {
            return false;
        };
        let place = |array: &Array| (array.first_address(), array.layout().itemsize() as u64);
        let (given, out) = (place(given.get()), place(out.get()));
        let count = count.and_then(|slot| count_of(self.objects.get(slot)?));
        let bytes = |size: u64| (count.unwrap_or(usize::MAX) as u64).saturating_mul(size);
        given != out
            && given.0 < out.0.saturating_add(bytes(out.1))
            && out.0 < given.0.saturating_add(bytes(given.1))
    }
}

#[inline]
fn count_of(object: &Bound<'_, PyAny>) -> Option<usize> {
    if !object.is_exact_instance_of::<pyo3::types::PyInt>() {
        return None;
    }
    object.extract().ok()
}

/// As `_calls.py` has it: the argument, another function, the place in its closure, the name, how it is compared, and what it stands for.
type MadeName<'py> = (
    usize,
    Option<Py<PyAny>>,
    Option<usize>,
    Py<PyAny>,
    String,
    Bound<'py, PyAny>,
);
/// Where a value comes from, what that is, and a type code.
type MadeSource<'py> = (String, Bound<'py, PyAny>, Option<String>);
/// An argument that is a count and what it is multiplied by, else the count.
type MadeCount = (Option<usize>, usize);
/// The kernel, its values, the number of items, and that of a sort's segments or of the bytes of a reduction's result.
type MadeStep<'py> = (
    Bound<'py, PyAny>,
    Vec<MadeSource<'py>>,
    MadeCount,
    MadeCount,
);

#[derive(FromPyObject)]
struct Made<'py> {
    rooms: Vec<Room>,
    apart: Vec<Apart>,
    watched: Vec<MadeName<'py>>,
    states: Vec<(String, Vec<usize>)>,
    steps: Vec<MadeStep<'py>>,
}

impl Call {
    /// None if a name's value cannot be told by its type.
    fn new(arguments: &Arguments<'_>, made: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let made: Made<'_> = made.extract()?;
        let mut watched = Vec::new();
        for (slot, base, cell, name, how, expected) in made.watched {
            let expected = match how.as_str() {
                "absent" => Expected::Absent,
                "same" => Expected::Same(expected.unbind()),
                _ => {
                    let mut key = Key::new();
                    if !argument::add_words(&expected, &mut key) {
                        return Ok(None);
                    }
                    Expected::Typed(key)
                }
            };
            watched.push(Watched {
                slot,
                base,
                cell,
                name,
                expected,
            });
        }
        let states = made.states.into_iter().map(|(code, values)| {
            Ok(State {
                ty: read_type(&code)?,
                values,
            })
        });
        let steps = made
            .steps
            .into_iter()
            .map(|(kernel, sources, count, more)| {
                let sources = sources.into_iter().map(|(how, what, code)| {
                    Ok(match (how.as_str(), code) {
                        ("array", _) => Source::Array(what.extract()?),
                        ("value", Some(code)) => Source::Value(what.extract()?, read_type(&code)?),
                        ("state", _) => Source::State(what.extract()?),
                        _ => match what.cast_exact::<PyBytes>() {
                            Ok(bytes) => Source::Bytes(Packed::from_slice(bytes.as_bytes())),
                            Err(_) => Source::Constant(what.unbind()),
                        },
                    })
                });
                Ok(Step {
                    sources: sources.collect::<PyResult<_>>()?,
                    kernel: StepKernel::of(&kernel, more)?,
                    count: StepCount::of(count),
                })
            });
        Ok(Some(Self {
            _held: arguments
                .held
                .iter()
                .map(|held| held.clone().unbind())
                .collect(),
            rooms: made.rooms,
            apart: made.apart,
            watched,
            states: states.collect::<PyResult<_>>()?,
            steps: steps.collect::<PyResult<_>>()?,
        }))
    }

    /// Launches. False, and nothing is done, if a name stands for something else or an array has too few items.
    fn run<'py>(
        &self,
        py: Python<'py>,
        arguments: &Arguments<'py>,
        stream: &cuox::Stream,
    ) -> PyResult<bool> {
        for &(array, slot, number) in &self.rooms {
            let count = match slot {
                Some(slot) => arguments.objects.get(slot).and_then(count_of),
                None => Some(number),
            };
            let most = match array.map(|array| arguments.objects.get(array)) {
                None => number,
                Some(Some(array)) => match array.cast_exact::<Array>() {
                    Ok(array) => array.get().layout().len(),
                    Err(_) => continue,
                },
                Some(None) => return Ok(false),
            };
            if count.is_none_or(|count| count > most) {
                return Ok(false);
            }
        }
        if self.apart.iter().any(|pair| arguments.share(*pair)) {
            return Ok(false);
        }
        let mut found: SmallVec<[Bound<'py, PyAny>; 4]> = SmallVec::new();
        for watched in &self.watched {
            match watched.look(py, arguments)? {
                Some(value) => found.push(value),
                None => return Ok(false),
            }
        }
        let order = ConsumerStream { py, stream };
        let mut states: SmallVec<[Packed; 2]> = SmallVec::new();
        for state in &self.states {
            let values = state
                .values
                .iter()
                .filter_map(|place| found.get(*place))
                .collect::<SmallVec<[_; 4]>>();
            states.push(packed(
                &state.ty,
                PyTuple::new(py, values)?.as_any(),
                &order,
            )?);
        }
        let mut values: SmallVec<[(usize, Packed); 2]> = SmallVec::new();
        for step in &self.steps {
            for source in &step.sources {
                if let Source::Value(slot, ty) = source
                    && !values.iter().any(|(known, _)| known == slot)
                {
                    let Some(value) = arguments.objects.get(*slot) else {
                        return Ok(false);
                    };
                    let Some(bytes) = value_bytes(ty, value, &order)? else {
                        return Ok(false);
                    };
                    values.push((*slot, bytes));
                }
            }
        }
        for step in &self.steps {
            step.launch(py, arguments, &states, &values, stream)?;
        }
        Ok(true)
    }
}

/// The bytes of a host value; None if it has more than one item.
fn value_bytes(
    ty: &Type,
    value: &Bound<'_, PyAny>,
    order: &ConsumerStream<'_>,
) -> PyResult<Option<Packed>> {
    // SAFETY: a live object.
    if unsafe { ffi::PyObject_CheckBuffer(value.as_ptr()) } == 0 {
        return packed(ty, value, order).map(Some);
    }
    let view = HostView::new(value, false)?;
    let bytes = view.bytes();
    Ok((Some(bytes.len() as u64) == ty.size()).then(|| Packed::from_slice(bytes)))
}

impl Watched {
    /// What the name stands for, None if that is not as expected.
    fn look<'py>(
        &self,
        py: Python<'py>,
        arguments: &Arguments<'py>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let function = match &self.base {
            Some(base) => base.bind(py),
            None => match arguments.objects.get(self.slot) {
                Some(function) => function,
                None => return Ok(None),
            },
        };
        let value = match self.cell {
            Some(place) => {
                let closure = function.getattr(intern!(py, "__closure__"))?;
                let cell = closure.get_item(place)?;
                cell.getattr_opt(intern!(py, "cell_contents"))
                    .ok()
                    .flatten()
            }
            None => {
                let globals = function.getattr(intern!(py, "__globals__"))?;
                globals.cast::<PyDict>()?.get_item(self.name.bind(py))?
            }
        };
        Ok(match (&self.expected, value) {
            (Expected::Absent, None) => Some(py.None().into_bound(py)),
            (Expected::Same(expected), Some(value)) if value.is(expected) => Some(value),
            (Expected::Typed(expected), Some(value)) => {
                let mut key = Key::new();
                (argument::add_words(&value, &mut key) && key == *expected).then_some(value)
            }
            _ => None,
        })
    }
}

impl StepKernel {
    fn of(kernel: &Bound<'_, PyAny>, more: MadeCount) -> PyResult<Self> {
        if let Ok(kernel) = kernel.cast::<Elementwise>() {
            return Ok(Self::Elementwise(kernel.clone().unbind()));
        }
        if let Ok(kernel) = kernel.cast::<Reduction>() {
            return Ok(Self::Reduction(kernel.clone().unbind(), more.1));
        }
        if let Ok(kernel) = kernel.cast::<Scan>() {
            return Ok(Self::Scan(kernel.clone().unbind()));
        }
        if let Ok(kernel) = kernel.cast::<Sort>() {
            let segments = StepCount::of(more);
            return Ok(Self::Sort(kernel.clone().unbind(), segments));
        }
        Ok(Self::RadixSort(
            kernel.cast::<RadixSort>()?.clone().unbind(),
        ))
    }
}

impl StepCount {
    fn of((slot, number): MadeCount) -> Self {
        match slot {
            Some(slot) => Self::Argument(slot, number),
            None => Self::Constant(number),
        }
    }

    fn get(self, arguments: &Arguments<'_>) -> Option<usize> {
        match self {
            Self::Constant(count) => Some(count),
            Self::Argument(slot, times) => {
                let count = arguments.objects.get(slot).and_then(count_of);
                count.map(|count| count.saturating_mul(times))
            }
        }
    }
}

impl Step {
    fn launch(
        &self,
        py: Python<'_>,
        arguments: &Arguments<'_>,
        states: &[Packed],
        values: &[(usize, Packed)],
        stream: &cuox::Stream,
    ) -> PyResult<()> {
        let mut given: SmallVec<[Given<'_, '_>; 8]> = SmallVec::new();
        let missing = || PyValueError::new_err("an argument that a launch needs is missing");
        for source in &self.sources {
            given.push(match source {
                Source::Array(slot) => {
                    let array = arguments.objects.get(*slot).ok_or_else(missing)?;
                    Given::Object(array.as_borrowed())
                }
                Source::Value(slot, _) => {
                    let known = values.iter().find(|(known, _)| known == slot);
                    Given::Bytes(&known.ok_or_else(missing)?.1)
                }
                Source::State(place) => Given::Bytes(states.get(*place).ok_or_else(missing)?),
                Source::Constant(object) => Given::Object(object.bind_borrowed(py)),
                Source::Bytes(bytes) => Given::Bytes(bytes),
            });
        }
        let count = self.count.get(arguments).ok_or_else(missing)?;
        let indices = Indices::Count(count);
        match &self.kernel {
            StepKernel::Elementwise(kernel) => kernel.get().run(py, &given, indices, stream),
            StepKernel::Scan(kernel) => kernel.get().run(py, &given, indices, stream),
            StepKernel::Sort(kernel, segments) => {
                let segments = segments.get(arguments).ok_or_else(missing)?;
                let extent = Extent { count, segments };
                kernel.get().run(py, &given, extent, stream)
            }
            StepKernel::RadixSort(kernel) => radix_sort(py, kernel.get(), &given, count, stream),
            StepKernel::Reduction(kernel, size) => {
                kernel
                    .get()
                    .run(py, &given, Out::Stored(*size), None, indices, stream)
            }
        }
    }
}

/// Sorts by digits, as [`RadixSort`] is called.
fn radix_sort(
    py: Python<'_>,
    kernel: &RadixSort,
    given: &[Given<'_, '_>],
    count: usize,
    stream: &cuox::Stream,
) -> PyResult<()> {
    let object = |place: usize| match given.get(place) {
        Some(Given::Object(object)) => Ok(object),
        _ => Err(PyValueError::new_err(
            "an argument that a sort needs is missing",
        )),
    };
    let array = |place: usize| -> PyResult<Option<Borrowed<'_, '_, Array>>> {
        let object = object(place)?;
        Ok(match object.is_none() {
            true => None,
            false => Some(object.cast::<Array>()?),
        })
    };
    let order = KeyOrder {
        count,
        begin_bit: object(4)?.extract()?,
        end_bit: object(5)?.extract()?,
        descends: object(6)?.extract()?,
    };
    let arrays = [array(0)?, array(1)?, array(2)?, array(3)?];
    kernel.run(py, arrays, &order, None, stream)
}
