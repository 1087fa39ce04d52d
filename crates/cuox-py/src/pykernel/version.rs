//! `cuox._native._KernelVersion`: a kernel in Python for arguments of certain types, as it is launched.

use std::mem::MaybeUninit;

use cuox_pykernel::types::Type;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use super::argument::{self, Key};
use super::breakpoints::Waiter;
use super::launches::Launches;
use super::translate::read_type;
use crate::error::OrRaise;
use crate::kernel::Kernel;
use crate::launch::exchanged::Seen;
use crate::launch::submit_pointers;
use crate::stream::ConsumerStream;

/// Room on the stack for the parameters of nearly every kernel: words, and parameters.
const INLINE_WORDS: usize = 96;
const INLINE_PARAMS: usize = 32;

/// The arguments of a launch.
#[derive(Clone, Copy)]
pub(super) struct Given<'a>(&'a [*mut ffi::PyObject]);

impl<'a> Given<'a> {
    /// # Safety
    /// Live objects for as long as this is used.
    #[inline]
    pub(super) unsafe fn new(objects: &'a [*mut ffi::PyObject]) -> Self {
        Self(objects)
    }

    #[inline]
    pub(super) fn iter<'py: 'a>(
        self,
        py: Python<'py>,
    ) -> impl Iterator<Item = &'a Bound<'py, PyAny>> {
        // SAFETY: live objects, as `new` was promised.
        self.0
            .iter()
            .map(move |object| unsafe { Bound::ref_from_ptr(py, object) })
    }

    #[inline]
    fn get<'py: 'a>(self, py: Python<'py>, index: usize) -> PyResult<&'a Bound<'py, PyAny>> {
        match self.0.get(index) {
            // SAFETY: a live object, as `new` was promised.
            Some(object) => Ok(unsafe { Bound::ref_from_ptr(py, object) }),
            None => Err(PyTypeError::new_err(format!(
                "argument {} is missing",
                index + 1
            ))),
        }
    }

    /// As a tuple.
    pub(super) fn tuple<'py: 'a>(self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.iter(py).collect::<SmallVec<[_; 16]>>())
    }
}

/// The objects of a tuple.
pub(super) fn objects_of(tuple: &Bound<'_, PyTuple>) -> SmallVec<[*mut ffi::PyObject; 16]> {
    tuple.iter_borrowed().map(|item| item.as_ptr()).collect()
}

/// One parameter: its name, its type, and the place of its bytes.
struct Parameter {
    name: String,
    ty: Type,
    offset: usize,
}

/// What a launch must have for a version.
pub(super) struct MadeFor {
    /// The shape of the blocks.
    has_block: bool,
    /// Values of arguments that are ints, by their numbers.
    values: Vec<(usize, i128)>,
}

/// A version of a kernel for arguments of certain types.
#[pyclass(frozen, module = "cuox._native", name = "_KernelVersion")]
pub struct KernelVersion {
    pub(super) kernel: Py<Kernel>,
    parameters: Vec<Parameter>,
    /// Words of all parameters together.
    words: usize,
    /// Objects that the kernel refers to.
    _held: Vec<Py<PyAny>>,
    is_cooperative: bool,
    /// The shape that its blocks must have, and the name of what says so.
    block: Option<([u32; 3], String)>,
    /// What it is compiled for, if that is not the types of the arguments alone.
    pub(super) made_for: Option<MadeFor>,
    /// What is called after each launch, if the kernel may raise exceptions.
    launched: Option<Py<PyAny>>,
    /// Where launches are noted, if it may raise some later.
    launches: Option<Py<Launches>>,
    /// A lock that a launch holds until `launched` has been called.
    alone: Option<Py<PyAny>>,
    /// What makes a debugger's session, if the kernel has breakpoints: [`breakpoints::Waiter::serve`].
    debugger: Option<Py<PyAny>>,
}

#[pymethods]
impl KernelVersion {
    /// A kernel with the names and type codes of its parameters, and the objects that it refers to.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "the keywords of Python's call")]
    #[pyo3(signature = (kernel, named, held, *, is_cooperative=false, block=None, launch=(false, Vec::new()), launched=None, launches=None, alone=None, debugger=None))]
    fn new(
        kernel: Py<Kernel>,
        named: Vec<(String, String)>,
        held: Vec<Py<PyAny>>,
        is_cooperative: bool,
        block: Option<((u32, u32, u32), String)>,
        launch: (bool, Vec<(usize, i128)>),
        launched: Option<Py<PyAny>>,
        launches: Option<Py<Launches>>,
        alone: Option<Py<PyAny>>,
        debugger: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        let mut parameters = Vec::new();
        let mut end = 0_usize;
        for (name, code) in &named {
            let ty = read_type(code)?;
            let (Some(align), Some(size)) = (ty.align(), ty.size()) else {
                return Err(PyValueError::new_err(format!(
                    "{code} cannot be a parameter"
                )));
            };
            // The driver is given a pointer to each; places are aligned for a copy of whole words.
            let offset = end.next_multiple_of((align as usize).max(8));
            end = offset + size as usize;
            let name = name.clone();
            parameters.push(Parameter { name, ty, offset });
        }
        let names = named.into_iter().map(|(name, _)| name).collect();
        kernel.get().inner.name_parameters(names);
        Ok(Self {
            kernel,
            parameters,
            words: end.div_ceil(8),
            _held: held,
            is_cooperative,
            block: block.map(|(shape, name)| (shape.into(), name)),
            made_for: match launch {
                (false, values) if values.is_empty() => None,
                (has_block, values) => Some(MadeFor { has_block, values }),
            },
            launched,
            launches,
            alone,
            debugger,
        })
    }

    /// The kernel.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> Py<Kernel> {
        self.kernel.clone_ref(py)
    }

    /// True if it waits for the whole grid.
    #[getter]
    fn is_cooperative(&self) -> bool {
        self.is_cooperative
    }

    /// False once the context that it was loaded into is gone.
    #[getter]
    fn is_loaded(&self) -> bool {
        self.kernel.get().inner.context().check().is_ok()
    }
}

impl KernelVersion {
    /// What a launch adds to the key of the version for it, if types alone do not tell which one it is. Objects of one
    /// type are all ints or none of them.
    #[cold]
    pub(super) fn more_key(
        made_for: &MadeFor,
        told: &mut (bool, bool),
        py: Python<'_>,
        config: &cuox::LaunchConfig,
        arguments: Given<'_>,
    ) -> PyResult<Key> {
        // No word of an argument's type is like this.
        const MARK: u64 = u64::MAX;
        let mut key = Key::new();
        if made_for.has_block && !std::mem::replace(&mut told.0, true) {
            key.push(MARK);
            key.extend([config.block.x, config.block.y, config.block.z].map(u64::from));
        }
        if !made_for.values.is_empty() && !std::mem::replace(&mut told.1, true) {
            key.push(MARK);
            for (index, _) in &made_for.values {
                let value: i128 = arguments.get(py, *index)?.extract()?;
                key.push(value as u64);
                key.push((value >> 64) as u64);
            }
        }
        Ok(key)
    }

    /// The error of a launch with blocks of another shape than what the kernel calls was made for.
    #[cold]
    fn wrong_block(&self, config: &cuox::LaunchConfig, wanted: [u32; 3], name: &str) -> PyErr {
        let shown = |[x, y, z]: [u32; 3]| match (y, z) {
            (1, 1) => format!("{x}"),
            (_, 1) => format!("({x}, {y})"),
            _ => format!("({x}, {y}, {z})"),
        };
        let given = [config.block.x, config.block.y, config.block.z];
        PyValueError::new_err(format!(
            "{}: launched with blocks of {} threads, but {name} was made with threads_per_block={}",
            self.kernel.get().inner.shown_name(),
            shown(given),
            shown(wanted)
        ))
    }

    /// Packs the arguments and launches. tensors: those among them that are other libraries', by their places.
    #[inline]
    pub(super) fn launch(
        &self,
        py: Python<'_>,
        config: &cuox::LaunchConfig,
        stream: &cuox::Stream,
        arguments: Given<'_>,
        tensors: &[Option<Seen>],
    ) -> PyResult<()> {
        if let Some((wanted, name)) = &self.block
            && [config.block.x, config.block.y, config.block.z] != *wanted
        {
            return Err(self.wrong_block(config, *wanted, name));
        }
        let mut inline = [const { MaybeUninit::<u64>::uninit() }; INLINE_WORDS];
        let mut heap;
        let words = match inline.get_mut(..self.words) {
            Some(words) => words,
            None => {
                heap = vec![MaybeUninit::uninit(); self.words];
                &mut heap[..]
            }
        };
        let base = words.as_mut_ptr().cast::<MaybeUninit<u8>>();
        // SAFETY: the same memory as bytes.
        let bytes = unsafe { std::slice::from_raw_parts_mut(base, self.words * 8) };
        let order = ConsumerStream::new(py, stream);
        let name = || self.kernel.get().inner.shown_name();
        for (index, parameter) in self.parameters.iter().enumerate() {
            let target = &mut bytes[parameter.offset..];
            let object = arguments.get(py, index)?;
            let packed = match tensors.get(index) {
                Some(Some(tensor)) => argument::pack_tensor(&parameter.ty, tensor, &order, target),
                _ => argument::pack(&parameter.ty, object, &order, target),
            };
            packed.map_err(|error| in_argument(py, error, index, &parameter.name, &name()))?;
        }
        let mut pointers = [const { MaybeUninit::<*mut u8>::uninit() }; INLINE_PARAMS];
        let mut more;
        let pointers = match pointers.get_mut(..self.parameters.len()) {
            Some(pointers) => pointers,
            None => {
                more = vec![MaybeUninit::uninit(); self.parameters.len()];
                &mut more[..]
            }
        };
        for (pointer, parameter) in pointers.iter_mut().zip(&self.parameters) {
            pointer.write(base.wrapping_add(parameter.offset).cast());
        }
        let mut config = *config;
        config.cooperative |= self.is_cooperative;
        let pointers = pointers.as_mut_ptr().cast();
        let waiter = match &self.debugger {
            Some(_) => Waiter::new(py, stream)?,
            None => None,
        };
        // One launch at a time, where each is to raise what it has raised.
        if let Some(alone) = &self.alone {
            alone.bind(py).call_method0(intern!(py, "acquire"))?;
        }
        let submitted = || -> PyResult<()> {
            // SAFETY: a pointer for each parameter, to a value of its type; the words and the array of pointers live
            // until the call returns.
            unsafe { submit_pointers(py, stream, &config, self.kernel.get(), pointers) }?;
            if let (Some(waiter), Some(debugger)) = (waiter, &self.debugger) {
                waiter.serve(py, stream, debugger.bind(py))?;
            }
            if let Some(launches) = &self.launches {
                launches.get().note(stream).or_raise(py)?;
            }
            if let Some(launched) = &self.launched {
                launched.bind(py).call0()?;
            }
            Ok(())
        };
        let done = submitted();
        if let Some(alone) = &self.alone {
            alone.bind(py).call_method0(intern!(py, "release"))?;
        }
        done
    }
}

/// The error of an argument, with its number, and its name if it is about the value.
#[cold]
fn in_argument(py: Python<'_>, error: PyErr, index: usize, name: &str, kernel: &str) -> PyErr {
    // Its subclasses, of closed objects, say all.
    if error.get_type(py).is(py.get_type::<PyValueError>()) {
        return PyValueError::new_err(format!(
            "{kernel}: parameter {} \"{name}\": {}",
            index + 1,
            error.value(py)
        ));
    }
    if !error.is_instance_of::<PyTypeError>(py) {
        return error;
    }
    PyTypeError::new_err(format!(
        "{kernel}: argument {}: {}",
        index + 1,
        error.value(py)
    ))
}
