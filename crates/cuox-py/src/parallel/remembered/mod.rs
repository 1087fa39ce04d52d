//! `cuox._native._RememberedCalls`: what an algorithm has launched for arguments of certain types, launched again
//! without Python code.

mod arguments;
mod prepared;
mod watched;

use std::cell::RefCell;
use std::sync::{Arc, PoisonError, RwLock};

use cuox_parallel::elementwise::Indices;
use cuox_parallel::radix::Order as KeyOrder;
use cuox_parallel::sort::Extent;
use cuox_pykernel::types::Type;
use pyo3::exceptions::PyValueError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyInt, PyTuple};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::arguments::{Arguments, Kind, OverlapCheck};
use self::prepared::Ready;
use self::watched::{Watched, WatchedName};
use super::elementwise::Elementwise;
use super::launching::Given;
use super::radix::RadixSort;
use super::reduction::{Out, Reduction};
use super::scan::Scan;
use super::sort::Sort;
use crate::array::Array;
use crate::device;
use crate::launch::exchanged;
use crate::pykernel::argument::{Key, Packed, packed};
use crate::pykernel::translate::read_type;
use crate::stream::{ConsumerStream, Stream};
use crate::support::host_view::HostView;

/// More than a program has kinds of calls. What is forgotten is found again.
const MOST_KNOWN: usize = 256;

/// The most calls with arguments of the same types: with other names in operators, and other memory in common.
const MOST_ALIKE: usize = 16;

/// Launches of an algorithm that are told by the types of its arguments.
///
/// kinds: a letter for each argument: `a` for an array or iterator, `n` for a number of items, `N` for one that texts
/// hang on by the bits that it needs, `k` for what texts are made of, `f` for an operator, `v` for a host value. slow:
/// a function of a stream and the arguments that does the work; it returns what it has launched, None if that must not
/// be remembered. iterator: the class of iterators.
#[pyclass(frozen, module = "cuox._native", name = "_RememberedCalls")]
pub struct RememberedCalls {
    kinds: Vec<Kind>,
    slow: Py<PyAny>,
    iterator: Py<PyAny>,
    known: RwLock<FxHashMap<Key, SmallVec<[Arc<Call>; 1]>>>,
}

/// An array, and the items that it must have: a count among the arguments, else the number behind it. Without an array
/// the count must be at most that number.
type SizeCheck = (Option<usize>, Option<usize>, usize);

/// The launches of a call.
struct Call {
    /// The objects that are told by their addresses: they must not be freed.
    _held: Vec<Py<PyAny>>,
    size_checks: Vec<SizeCheck>,
    overlap_checks: Vec<OverlapCheck>,
    /// True if the kernels are those for outputs that have memory in common with inputs.
    in_place: bool,
    watched: Vec<Watched>,
    states: Vec<State>,
    steps: Vec<Step>,
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
    /// None for what is more than one launch.
    ready: Option<Ready>,
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

#[pymethods]
impl RememberedCalls {
    #[new]
    fn new(kinds: &str, slow: Py<PyAny>, iterator: Py<PyAny>) -> PyResult<Self> {
        Ok(Self {
            kinds: kinds.chars().map(Kind::of).collect::<PyResult<_>>()?,
            slow,
            iterator,
            known: RwLock::default(),
        })
    }

    /// Do the work, in the order of a stream, which comes first, for one argument of each kind.
    #[pyo3(signature = (*args))]
    fn __call__<'py>(&self, py: Python<'py>, args: &Bound<'py, PyTuple>) -> PyResult<()> {
        let in_stream = in_current_stream(py, args)?;
        let args = in_stream.as_ref().unwrap_or(args);
        let mut arguments = Arguments::default();
        let are_told = self.add_all(args, &mut arguments)?;
        if are_told
            && let Ok(stream) = args.get_borrowed_item(0)
            && let Some(order) = arguments.order(py, &stream)?
        {
            let mut tried = 0;
            while let Some(call) = self.find(&arguments.key, tried) {
                if call.run(py, &arguments, &order)? {
                    return Ok(());
                }
                tried += 1;
            }
        }
        self.work(py, args, are_told.then_some(&arguments.key))
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
    /// Does the work by Python code, and remembers it if the arguments are told by a key.
    #[cold]
    fn work<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        key: Option<&Key>,
    ) -> PyResult<()> {
        let launches = self.slow.bind(py).call1(args)?;
        let Some(key) = key.filter(|_| !launches.is_none()) else {
            return Ok(());
        };
        let mut held = Arguments::holding();
        // Meanwhile the work may have changed what the arguments are told by.
        if self.add_all(args, &mut held)?
            && held.key == *key
            && let Some(call) = Call::new(held.held, &launches)?
        {
            self.keep(held.key, call);
        }
        Ok(())
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, FxHashMap<Key, SmallVec<[Arc<Call>; 1]>>> {
        self.known.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call for this key, if there are so many before it.
    #[inline]
    fn find(&self, key: &Key, before: usize) -> Option<Arc<Call>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.get(key)?.get(before).cloned()
    }

    fn keep(&self, key: Key, call: Call) {
        let mut known = self.write();
        let mut forgotten = None;
        if known.values().map(|calls| calls.len()).sum::<usize>() >= MOST_KNOWN {
            forgotten = Some(std::mem::take(&mut *known));
        }
        // The newest first: names that a program has bound anew stay so.
        let alike = known.entry(key).or_default();
        alike.insert(0, Arc::new(call));
        let oldest = match alike.len() > MOST_ALIKE {
            true => alike.pop(),
            false => None,
        };
        drop(known);
        // Without the lock: to free objects may run code.
        drop((forgotten, oldest));
    }

    /// Adds what stands behind the stream. False for arguments that cannot be told by a key.
    fn add_all<'py>(
        &self,
        args: &Bound<'py, PyTuple>,
        arguments: &mut Arguments<'py>,
    ) -> PyResult<bool> {
        if args.len() != self.kinds.len() + 1 {
            return Ok(false);
        }
        // An integer is a handle, which `as_array` does not take.
        let stream = args.get_item(0)?;
        if !stream.is_none() && !stream.is_exact_instance_of::<PyInt>() {
            arguments.stream = Some(stream);
        }
        for (kind, object) in self.kinds.iter().zip(args.iter_borrowed().skip(1)) {
            let known = match kind {
                Kind::Array => self.add_array(&object, arguments)?,
                Kind::Count => arguments.add_count(&object, false),
                Kind::CountByBits => arguments.add_count(&object, true),
                Kind::Fixed => arguments.add_fixed(&object),
                Kind::Operator => arguments.add_operator(&object)?,
                Kind::Value => arguments.add_value(&object)?,
            };
            if !known {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The arguments of a call that names no stream, in the stream in which the library of its tensors works. None for
/// others.
fn in_current_stream<'py>(
    py: Python<'py>,
    args: &Bound<'py, PyTuple>,
) -> PyResult<Option<Bound<'py, PyTuple>>> {
    let mut objects: SmallVec<[Bound<'py, PyAny>; 12]> = args.iter().collect();
    let Some((named, given)) = objects.split_first_mut() else {
        return Ok(None);
    };
    if !named.is_none() || given.iter().all(|one| one.is_exact_instance_of::<Array>()) {
        return Ok(None);
    }
    let device = device::current(py)?;
    let Some(stream) = exchanged::current_stream(py, given.iter(), device)? else {
        return Ok(None);
    };
    *named = Bound::new(py, Stream::new(stream))?.into_any();
    PyTuple::new(py, objects).map(Some)
}

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
struct Launches<'py> {
    size_checks: Vec<SizeCheck>,
    overlap_checks: Vec<OverlapCheck>,
    in_place: bool,
    watched: Vec<WatchedName<'py>>,
    states: Vec<(String, Vec<usize>)>,
    steps: Vec<MadeStep<'py>>,
}

impl Call {
    /// None if a name's value cannot be told by its type.
    fn new(held: Option<Vec<Bound<'_, PyAny>>>, made: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let made: Launches<'_> = made.extract()?;
        let mut watched = Vec::new();
        for name in made.watched {
            let Some(name) = Watched::new(name)? else {
                return Ok(None);
            };
            watched.push(name);
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
                let kernel = StepKernel::of(&kernel, more)?;
                let is_single = !matches!(kernel, StepKernel::Sort(..) | StepKernel::RadixSort(_));
                Ok(Step {
                    sources: sources.collect::<PyResult<_>>()?,
                    kernel,
                    count: StepCount::of(count),
                    ready: is_single.then(Ready::default),
                })
            });
        Ok(Some(Self {
            _held: held.into_iter().flatten().map(Bound::unbind).collect(),
            size_checks: made.size_checks,
            overlap_checks: made.overlap_checks,
            in_place: made.in_place,
            watched,
            states: states.collect::<PyResult<_>>()?,
            steps: steps.collect::<PyResult<_>>()?,
        }))
    }

    /// Launches. False, and nothing is done, if a name stands for something else, an array has too few items, or memory
    /// is shared in another way.
    fn run<'py>(
        &self,
        py: Python<'py>,
        arguments: &Arguments<'py>,
        stream: &cuox::Stream,
    ) -> PyResult<bool> {
        for &(array, slot, number) in &self.size_checks {
            let count = match slot {
                Some(slot) => arguments.count(slot),
                None => Some(number),
            };
            let most = match array.map(|array| arguments.objects.get(array)) {
                None => number,
                Some(Some(array)) => match array.cast::<Array>() {
                    Ok(array) => array.get().layout().len(),
                    Err(_) => return Ok(false),
                },
                Some(None) => return Ok(false),
            };
            if count.is_none_or(|count| count > most) {
                return Ok(false);
            }
        }
        let mut shares = false;
        for pair in &self.overlap_checks {
            match arguments.shares(*pair) {
                Some(one) => shares |= one,
                None => return Ok(false),
            }
        }
        if self.in_place && !shares {
            return Ok(false);
        }
        let mut found: SmallVec<[Bound<'py, PyAny>; 4]> = SmallVec::new();
        for watched in &self.watched {
            match watched.look(py, arguments, &found)? {
                Some(value) => found.push(value),
                None => return Ok(false),
            }
        }
        let order = ConsumerStream::new(py, stream);
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
                    let bytes = match arguments.count(*slot) {
                        Some(count) => count_bytes(ty, count),
                        None => value_bytes(ty, value, &order)?,
                    };
                    let Some(bytes) = bytes else {
                        return Ok(false);
                    };
                    values.push((*slot, bytes));
                }
            }
        }
        let inputs = Inputs {
            arguments,
            states: &states,
            values: &values,
        };
        for step in &self.steps {
            step.launch(py, &inputs, stream)?;
        }
        Ok(true)
    }
}

/// The bytes of a number of items; None for other types than integers of 64 bits.
fn count_bytes(ty: &Type, count: usize) -> Option<Packed> {
    let bytes = (count as u64).to_ne_bytes();
    (ty.size() == Some(8)).then(|| Packed::from_slice(&bytes))
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
    // It has the dtype that it is told by, which is one of numbers, or of structures of numbers.
    let view = HostView::of_numbers(value)?;
    let bytes = view.bytes();
    Ok((Some(bytes.len() as u64) == ty.size()).then(|| Packed::from_slice(bytes)))
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
                let count = arguments.count(slot)?;
                Some(count.saturating_mul(times))
            }
        }
    }
}

/// The objects and bytes that the parameters of a call's launches come from.
struct Inputs<'a, 'py> {
    arguments: &'a Arguments<'py>,
    states: &'a [Packed],
    /// The bytes of the values that are arguments, with their places.
    values: &'a [(usize, Packed)],
}

impl<'py> Inputs<'_, 'py> {
    /// A parameter's object or bytes.
    #[inline]
    fn given<'a>(&'a self, py: Python<'py>, source: &'a Source) -> PyResult<Given<'a, 'py>> {
        Ok(match source {
            Source::Array(slot) => {
                let array = self.arguments.objects.get(*slot).ok_or_else(missing)?;
                Given::Object(array.as_borrowed())
            }
            Source::Value(slot, _) => {
                let known = self.values.iter().find(|(known, _)| known == slot);
                Given::Bytes(&known.ok_or_else(missing)?.1)
            }
            Source::State(place) => Given::Bytes(self.states.get(*place).ok_or_else(missing)?),
            Source::Constant(object) => Given::Object(object.bind_borrowed(py)),
            Source::Bytes(bytes) => Given::Bytes(bytes),
        })
    }
}

impl Step {
    fn launch<'py>(
        &self,
        py: Python<'py>,
        inputs: &Inputs<'_, 'py>,
        stream: &cuox::Stream,
    ) -> PyResult<()> {
        let Some(ready) = &self.ready else {
            return self.launch_anew(py, inputs, stream, None);
        };
        let sizes = &inputs.arguments.sizes;
        let mut tried = 0;
        while let Some(launch) = ready.find(sizes, tried) {
            let varying = self.sources.iter().map(|source| match source {
                Source::Constant(_) | Source::Bytes(_) => Ok(None),
                _ => inputs.given(py, source).map(Some),
            });
            if launch.launch(py, stream, varying)? {
                return Ok(());
            }
            tried += 1;
        }
        let keeps = ready.come_again(sizes).then_some(ready);
        self.launch_anew(py, inputs, stream, keeps)
    }

    /// Plans, launches, and keeps the launch among those that are ready.
    #[inline(never)]
    fn launch_anew<'py>(
        &self,
        py: Python<'py>,
        inputs: &Inputs<'_, 'py>,
        stream: &cuox::Stream,
        keeps: Option<&Ready>,
    ) -> PyResult<()> {
        let recorded = RefCell::default();
        let record = keeps.map(|_| &recorded);
        let arguments = inputs.arguments;
        let mut given: SmallVec<[Given<'_, '_>; 8]> = SmallVec::new();
        for source in &self.sources {
            given.push(inputs.given(py, source)?);
        }
        let count = self.count.get(arguments).ok_or_else(missing)?;
        let indices = Indices::Count(count);
        match &self.kernel {
            StepKernel::Elementwise(kernel) => {
                kernel.get().run(py, &given, indices, stream, record)?
            }
            StepKernel::Scan(kernel) => kernel.get().run(py, &given, indices, stream, record)?,
            StepKernel::Sort(kernel, segments) => {
                let segments = segments.get(arguments).ok_or_else(missing)?;
                let extent = Extent { count, segments };
                kernel.get().run(py, &given, extent, stream)?;
            }
            StepKernel::RadixSort(kernel) => radix_sort(py, kernel.get(), &given, count, stream)?,
            StepKernel::Reduction(kernel, size) => {
                let out = Out::Stored(*size);
                kernel
                    .get()
                    .run(py, &given, (out, None), indices, stream, record)?;
            }
        }
        if let Some(ready) = keeps {
            ready.keep(&arguments.sizes, recorded.take());
        }
        Ok(())
    }
}

#[cold]
fn missing() -> PyErr {
    PyValueError::new_err("an argument that a launch needs is missing")
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
