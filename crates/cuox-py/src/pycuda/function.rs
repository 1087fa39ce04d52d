//! `pycuda.driver.Function`: `function(*args, block=, grid=, stream=, shared=)` and prepared calls.
//!
//! A call with nothing unusual in it is done here, entered without a tuple or a dict of its arguments. All others go to
//! methods of the subclass in Python: `_call_slowly` for arguments that have to be looked at (`In`, `Out`, objects with
//! `gpudata`) and for rare keywords, `_call_failed` for errors.

use std::ffi::c_void;
use std::mem::offset_of;
use std::sync::atomic::AtomicPtr;
use std::sync::atomic::Ordering::Relaxed;

use cuox::Dim3;
use cuox::launch::Slot;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple, PyType};
use smallvec::SmallVec;

use crate::array::Array;
use crate::array::numpy::Numpy;
use crate::buffer::Buffer;
use crate::error::OrRaise;
use crate::kernel::Kernel;
use crate::launch::{LaunchConfig, plain_size, submit};
use crate::stream::{Stream, stream_argument};
use crate::support::fastcall;
use crate::support::plain_args::given;
use crate::support::pool::Reference;
use crate::support::vectorcall::{self, Entry};

use super::last_call::LastCall;
use super::prepared;

/// The base class of `pycuda.driver.Function`: a kernel that is called with its block and grid as keywords.
#[pyclass(frozen, subclass, module = "cuox._native", name = "_Function")]
pub struct Function {
    /// The function that the interpreter calls, which finds it here.
    entry: Entry,
    kernel: Reference<Kernel>,
    last: LastCall,
}

/// The keywords of a call, in this order.
const KEYWORDS: usize = 4;

type Keywords<'a, 'py> = [Option<&'a Bound<'py, PyAny>>; KEYWORDS];

/// One to three sizes that are a tuple of plain ints.
fn sizes_of(value: &Bound<'_, PyAny>) -> Option<Dim3> {
    let tuple = value.cast::<PyTuple>().ok()?;
    if tuple.len() > 3 || tuple.is_empty() {
        return None;
    }
    let mut sizes = [1; 3];
    for (size, item) in sizes.iter_mut().zip(tuple.iter_borrowed()) {
        *size = plain_size(&item).filter(|size| *size > 0)?;
    }
    let [x, y, z] = sizes;
    Some(Dim3 { x, y, z })
}

/// The grid and block of a call, with its dynamic shared memory, if they are plain ints.
fn plain_configuration(
    grid: Option<&Bound<'_, PyAny>>,
    block: &Bound<'_, PyAny>,
) -> Option<cuox::LaunchConfig> {
    const ONE: Dim3 = Dim3 { x: 1, y: 1, z: 1 };
    Some(cuox::LaunchConfig {
        grid: match grid {
            Some(grid) => sizes_of(grid)?,
            None => ONE,
        },
        block: sizes_of(block)?,
        shared_bytes: 0,
        cooperative: false,
        cluster: None,
    })
}

/// A configuration of other objects, or the error for them.
#[cold]
fn other_configuration(
    grid: Option<&Bound<'_, PyAny>>,
    block: &Bound<'_, PyAny>,
    shared: Option<&Bound<'_, PyAny>>,
) -> PyResult<cuox::LaunchConfig> {
    let one = PyTuple::new(block.py(), [1])?.into_any();
    let grid = grid.unwrap_or(&one);
    Ok(LaunchConfig::build(Some(grid), Some(block), shared, None)?.config)
}

/// An optional argument as it is; null if it was left out.
fn raw(argument: Option<&Bound<'_, PyAny>>) -> *mut ffi::PyObject {
    argument.map_or(std::ptr::null_mut(), |argument| argument.as_ptr())
}

/// True if an argument is one that only Python code knows how to pass, or to refuse: None, and objects of classes that
/// are written in Python.
fn is_unusual(object: &Bound<'_, PyAny>) -> bool {
    if object.is_none() {
        return true;
    }
    // SAFETY: a live class.
    let written_in_python =
        unsafe { ffi::PyType_GetFlags(object.get_type_ptr()) & ffi::Py_TPFLAGS_HEAPTYPE != 0 };
    written_in_python && !object.is_instance_of::<Buffer>() && !object.is_instance_of::<Array>()
}

/// The arguments of a call as they came.
enum Given<'a, 'py> {
    /// From the interpreter, with the names of the last ones.
    Values {
        positional: &'a [*mut ffi::PyObject],
        named: *const *mut ffi::PyObject,
        names: *mut ffi::PyObject,
    },
    Objects(&'a Bound<'py, PyTuple>, Option<&'a Bound<'py, PyDict>>),
}

impl<'py> Given<'_, 'py> {
    /// As a tuple and a dict.
    ///
    /// # Safety
    /// The values are live.
    #[cold]
    unsafe fn objects(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        match *self {
            Given::Objects(args, Some(kwargs)) => Ok((args.clone(), kwargs.clone())),
            Given::Objects(args, None) => Ok((args.clone(), PyDict::new(py))),
            Given::Values {
                positional,
                named,
                names,
            } => {
                let kwargs = PyDict::new(py);
                // SAFETY: live objects, as the caller promises: a tuple of names and a value for each of them.
                let args = unsafe {
                    if !names.is_null() {
                        let names = Bound::ref_from_ptr(py, &names).cast::<PyTuple>()?;
                        for (index, name) in names.iter_borrowed().enumerate() {
                            kwargs.set_item(name, Bound::ref_from_ptr(py, &*named.add(index)))?;
                        }
                    }
                    tuple(py, positional)?
                };
                Ok((args, kwargs))
            }
        }
    }
}

/// A tuple of borrowed objects.
///
/// # Safety
/// They are live.
pub unsafe fn tuple<'py>(
    py: Python<'py>,
    objects: &[*mut ffi::PyObject],
) -> PyResult<Bound<'py, PyTuple>> {
    // SAFETY: live objects, as the caller promises.
    let each = objects
        .iter()
        .map(|object| unsafe { Bound::ref_from_ptr(py, object) });
    PyTuple::new(py, each)
}

impl Function {
    /// The grid and block of a call, with its dynamic shared memory.
    #[inline]
    pub fn configuration(
        &self,
        py: Python<'_>,
        grid: Option<&Bound<'_, PyAny>>,
        block: &Bound<'_, PyAny>,
        shared: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::LaunchConfig> {
        let mut config = match self.last.configuration(py, raw(grid), block.as_ptr()) {
            Some(config) => config,
            None => match plain_configuration(grid, block) {
                Some(config) => {
                    self.last.keep_configuration(grid, block, config);
                    config
                }
                None => return other_configuration(grid, block, shared),
            },
        };
        if let Some(shared) = shared {
            match plain_size(shared) {
                Some(bytes) => config.shared_bytes = bytes,
                None => return other_configuration(grid, block, Some(shared)),
            }
        }
        Ok(config)
    }

    /// Launches with arguments that `launch` knows.
    ///
    /// # Safety
    /// `objects` are borrowed references to live objects.
    #[inline]
    pub unsafe fn launch(
        &self,
        py: Python<'_>,
        objects: &[*mut ffi::PyObject],
        config: &cuox::LaunchConfig,
        stream: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let kernel = self.kernel.get();
        let device = kernel.inner.device();
        let Some(stream) = given(stream) else {
            let stream = device.default_stream_ref().or_raise(py)?;
            // SAFETY: as the caller promises.
            return unsafe { submit(py, stream, config, kernel, objects) };
        };
        if let Ok(stream) = stream.cast::<Stream>()
            && let Some(slot) = stream.get().own()
            // SAFETY: counting runs no Python code.
            && let Some(shared) = unsafe { slot.look(py, |stream| stream.share(py)) }
        {
            // SAFETY: as the caller promises.
            return unsafe { submit(py, &shared, config, kernel, objects) };
        }
        let stream = stream_argument(py, stream, Some(device))?;
        // SAFETY: as above.
        unsafe { submit(py, &stream, config, kernel, objects) }
    }

    /// The places of the keywords among the values of a call; `None` if there are others.
    #[inline]
    fn places(&self, py: Python<'_>, names: *mut ffi::PyObject) -> Option<[u8; KEYWORDS]> {
        match self.last.places(py, names) {
            Some(places) => Some(places),
            None => self.find_places(py, names),
        }
    }

    #[cold]
    fn find_places(&self, py: Python<'_>, names: *mut ffi::PyObject) -> Option<[u8; KEYWORDS]> {
        // SAFETY: the interpreter passes a live tuple.
        let names = unsafe { Bound::ref_from_ptr(py, &names) };
        let names = names.cast_exact::<PyTuple>().ok()?;
        let mut places = [LastCall::LEFT_OUT; KEYWORDS];
        for (index, name) in names.iter_borrowed().enumerate() {
            // Names in a program's text are interned: one object each.
            *places.get_mut(keyword(py, name.as_ptr())?)? = u8::try_from(index).ok()?;
        }
        self.last.keep_places(names, places);
        Some(places)
    }

    /// Launches, or leaves it to a method in Python.
    ///
    /// # Safety
    /// `objects` are borrowed references to live objects, those that `given` has by position.
    #[inline]
    unsafe fn call<'py>(
        this: &Bound<'py, Self>,
        objects: &[*mut ffi::PyObject],
        keywords: Option<Keywords<'_, 'py>>,
        given: Given<'_, 'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, function) = (this.py(), this.get());
        let Some([Some(block), grid, stream, shared]) = keywords.filter(|[block, ..]| {
            block.is_some_and(|block| !block.is_none())
                // SAFETY: live objects, as the caller promises.
                && !unsafe { function.any_unusual(py, objects) }
        }) else {
            // SAFETY: as the caller promises.
            let (args, kwargs) = unsafe { given.objects(py) }?;
            return this.call_method(intern!(py, "_call_slowly"), args, Some(&kwargs));
        };
        let launched = function
            .configuration(py, grid, block, shared)
            // SAFETY: as the caller promises.
            .and_then(|config| unsafe { function.launch(py, objects, &config, stream) });
        match launched {
            Ok(()) => Ok(fastcall::none(py)),
            Err(error) => {
                // SAFETY: as the caller promises.
                let (args, kwargs) = unsafe { given.objects(py) }?;
                this.call_method1(intern!(py, "_call_failed"), (error.value(py), args, kwargs))
            }
        }
    }

    /// True if an argument is one that only Python code knows how to pass.
    ///
    /// # Safety
    /// The objects are live.
    #[inline]
    unsafe fn any_unusual(&self, py: Python<'_>, objects: &[*mut ffi::PyObject]) -> bool {
        for (index, &object) in objects.iter().enumerate() {
            // SAFETY: a live object.
            let class = unsafe { ffi::Py_TYPE(object) };
            if !self.last.class_is(py, index, class) {
                // SAFETY: a live object.
                if is_unusual(unsafe { Bound::ref_from_ptr(py, &object) }) {
                    return true;
                }
                self.last.keep_class(py, index, class);
            }
        }
        false
    }
}

/// The place of a keyword's name in [`Keywords`].
fn keyword(py: Python<'_>, name: *mut ffi::PyObject) -> Option<usize> {
    let known: [&Bound<'_, PyString>; KEYWORDS] = [
        intern!(py, "block"),
        intern!(py, "grid"),
        intern!(py, "stream"),
        intern!(py, "shared"),
    ];
    known.iter().position(|known| known.as_ptr() == name)
}

/// The class's own `tp_call`. Before Python 3.12 the entry is called even after a program has given the class another
/// one.
static TP_CALL: AtomicPtr<c_void> = AtomicPtr::new(std::ptr::null_mut());

/// The function that the interpreter calls for `function(...)`.
unsafe extern "C" fn enter_call(
    this: *mut ffi::PyObject,
    values: *const *mut ffi::PyObject,
    count: usize,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    let count = vectorcall::positional(count);
    // SAFETY: the interpreter passes an object of the class, `count` live values and one for each name, with the GIL
    // held.
    unsafe {
        fastcall::enter("Function()", |py| {
            let this = Bound::ref_from_ptr(py, &this).cast_unchecked::<Function>();
            let function = this.get();
            let positional = vectorcall::objects(values, count);
            let named = values.add(count);
            let given = Given::Values {
                positional,
                named,
                names,
            };
            if vectorcall::call_slot(this.as_ptr()) != TP_CALL.load(Relaxed) {
                let (args, kwargs) = given.objects(py)?;
                return this
                    .getattr(intern!(py, "__call__"))?
                    .call(args, Some(&kwargs));
            }
            let mut keywords = None;
            if !names.is_null()
                && let Some(places) = function.places(py, names)
            {
                let mut read = [None; KEYWORDS];
                for (value, place) in read.iter_mut().zip(places) {
                    if place != LastCall::LEFT_OUT {
                        *value = Some(Bound::ref_from_ptr(py, &*named.add(usize::from(place))));
                    }
                }
                keywords = Some(read);
            }
            Function::call(this, positional, keywords, given)
        })
    }
}

/// Adds the class to the module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<Function>()?;
    prepared::register(py)?;
    let call = vectorcall::set_up::<Function>(py, offset_of!(Function, entry))?;
    TP_CALL.store(call, Relaxed);
    Ok(())
}

#[pymethods]
impl Function {
    #[new]
    fn new(kernel: Bound<'_, Kernel>) -> Self {
        Self {
            entry: enter_call,
            kernel: kernel.into(),
            last: LastCall::new(),
        }
    }

    /// Subclasses are called like the class.
    #[classmethod]
    fn __init_subclass__(class: &Bound<'_, PyType>) {
        vectorcall::inherit::<Self>(class);
    }

    /// The kernel that is called.
    #[getter]
    fn kernel(&self, py: Python<'_>) -> Py<Kernel> {
        self.kernel.clone_ref(py)
    }

    /// Launch the kernel: `function(*args, block=(x, y, z), grid=(x, y), stream=None, shared=0)`.
    #[pyo3(signature = (*args, **kwargs))]
    fn __call__<'py>(
        slf: &Bound<'py, Self>,
        args: &Bound<'py, PyTuple>,
        kwargs: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let objects: SmallVec<[*mut ffi::PyObject; 32]> =
            args.iter_borrowed().map(|item| item.as_ptr()).collect();
        let pairs: SmallVec<[(Bound<'_, PyAny>, Bound<'_, PyAny>); KEYWORDS]> =
            kwargs.into_iter().flatten().collect();
        let mut keywords = Some([None; KEYWORDS]);
        for (name, value) in &pairs {
            match (&mut keywords, keyword(py, name.as_ptr())) {
                (Some(read), Some(place)) => read[place] = Some(value),
                _ => keywords = None,
            }
        }
        // SAFETY: the tuple holds the references and cannot change.
        unsafe { Self::call(slf, &objects, keywords, Given::Objects(args, kwargs)) }
    }

    /// Launch with arguments that cuox knows, without another look at them.
    #[pyo3(signature = (args, grid, block, stream, shared))]
    fn _launch(
        &self,
        py: Python<'_>,
        args: &Bound<'_, PyTuple>,
        grid: &Bound<'_, PyAny>,
        block: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyAny>>,
        shared: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let config = self.configuration(py, Some(grid), block, shared)?;
        let objects: SmallVec<[*mut ffi::PyObject; 32]> =
            args.iter_borrowed().map(|item| item.as_ptr()).collect();
        // SAFETY: the tuple holds the references and cannot change.
        unsafe { self.launch(py, &objects, &config, stream) }
    }

    /// Return the arguments as PyCUDA takes them, which asks for no type: the bits in place of arrays whose elements
    /// have the size of those that the parameter points to, or any with `any_size`, but another type, and numbers in
    /// place of NumPy's arrays of one element, where the parameter is a number.
    ///
    /// Programs keep bits in arrays of another type. Elements of another size are only meant where a prepared call says
    /// that a parameter is an address.
    #[pyo3(signature = (args, any_size=false))]
    fn _untyped<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        any_size: bool,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let parameters = self.kernel.get().inner.parameters().or_raise(py)?;
        let mut made = Vec::with_capacity(args.len());
        for (index, argument) in args.iter().enumerate() {
            made.push(match (argument.cast::<Array>(), parameters.slot(index)) {
                (
                    Ok(array),
                    Some(Slot::Pointer {
                        element: Some(element),
                        ..
                    }),
                ) if any_size || array.get().is_of_size(element.size()) => {
                    Array::bits(array)?.into_any()
                }
                (
                    Err(_),
                    Some(
                        Slot::Int { .. }
                        | Slot::Bool
                        | Slot::F16
                        | Slot::BF16
                        | Slot::F32
                        | Slot::F64,
                    ),
                ) if Numpy::get(py)?.is_array(&argument)
                    && argument.getattr(intern!(py, "size"))?.eq(1)? =>
                {
                    let alone =
                        argument.call_method1(intern!(py, "reshape"), (PyTuple::empty(py),))?;
                    alone.get_item(PyTuple::empty(py))?
                }
                _ => argument,
            });
        }
        PyTuple::new(py, made)
    }

    fn __repr__(&self) -> String {
        let kernel = &self.kernel.get().inner;
        match kernel.signature() {
            Some(signature) => format!("<Function {signature}>"),
            None => format!("<Function {}>", kernel.shown_name()),
        }
    }
}
