//! `kernelParams` of `cuLaunchKernel` and its like: Python's values for `void **`, checked and put together before the
//! call.

use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::{MaybeUninit, transmute};
use std::ptr::null_mut;
use std::rc::Rc;

use cuox::Signature;
use cuox::launch::Parameters;
use cuox::signature::readable;
use cuox_interpreter::c_values::{table, word_at};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;

use super::kernel_values::{KernelValues, ParamsName, is_address};
use crate::support::fastcall;

/// A launch function of a library: `__self__` of the function that Python calls.
#[pyclass(frozen, module = "cuox._native")]
struct KernelLauncher {
    name: CString,
    doc: CString,
    definition: UnsafeCell<ffi::PyMethodDef>,
    /// The library's function, which takes an address for `kernelParams`.
    raw: Py<PyCFunction>,
    /// The place of `kernelParams`; behind it is at most `extra`, null in most programs.
    place: usize,
    /// The place of the function that is launched.
    function: usize,
    /// `kernelParams`, as the parameter is named.
    parameter: String,
    /// `(value, type, function, index) -> (address, object that has to live until the launch, size or 0)`.
    convert: Py<PyAny>,
    /// `function -> (name, (offset, size) of each parameter, PTX or None)`, or `None` if the driver does not say.
    describe: Py<PyAny>,
    /// The answers of `describe`, by the functions' values. A driver may give a value again after it has unloaded a
    /// module: if an answer does not fit, `describe` is asked anew.
    known: UnsafeCell<Known>,
}

/// The kernels that were launched.
struct Known {
    /// The kernel that was launched last.
    last: Option<(u64, Rc<Parameters>)>,
    all: HashMap<u64, Rc<Parameters>>,
    /// The class of the handle of the last kernel; null before there was one. Such classes live as long as the process.
    class: *mut ffi::PyTypeObject,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            last: None,
            all: HashMap::new(),
            class: null_mut(),
        }
    }
}

/// Kernels that are remembered at most; when there are more, all are forgotten.
const MOST_KNOWN: usize = 1 << 12;

// SAFETY: `definition`, to which the interpreter takes a pointer, is written once, before the function exists; `known`
// is used only with the interpreter's lock held, and never while Python code runs.
unsafe impl Sync for KernelLauncher {}
// SAFETY: nothing here is bound to a thread: `known` is used with the interpreter's lock held, whichever thread holds
// it.
unsafe impl Send for KernelLauncher {}

impl KernelLauncher {
    /// Calls the library's function. Its code is another one once it was called often.
    ///
    /// # Safety
    /// `owner` is the `__self__` of `raw`; the arguments are as the interpreter passes them to a function of this kind.
    unsafe fn call(
        &self,
        owner: *mut ffi::PyObject,
        arguments: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        // SAFETY: `kernel_launcher` has checked that it is a builtin function with these flags, whose code has this
        // type.
        unsafe {
            let code = ffi::PyCFunction_GetFunction(self.raw.as_ptr());
            let code =
                transmute::<Option<ffi::PyCFunction>, ffi::PyCFunctionFastWithKeywords>(code);
            code(owner, arguments, count, names)
        }
    }

    /// A function's value; `None` for objects that the launch itself converts or refuses.
    #[inline]
    fn value_of(&self, function: &Bound<'_, PyAny>) -> Option<u64> {
        let object = function.as_ptr();
        // SAFETY: the interpreter's lock is held, and nothing here runs Python code while `known` is borrowed. An
        // object of the class that is remembered is a handle.
        unsafe {
            let known = &mut *self.known.get();
            let class = ffi::Py_TYPE(object);
            let table = table(function.py());
            if class == known.class && word_at(object, table.flags) & table.elsewhere == 0 {
                return Some(word_at(object, table.value));
            }
            if ffi::PyLong_CheckExact(object) != 0 {
                return function.extract().ok();
            }
            table
                .plain_handle(function)
                .inspect(|_| known.class = class)
        }
    }

    /// The parameters of a function that was launched before.
    fn known(&self, function: u64) -> Option<Rc<Parameters>> {
        // SAFETY: the interpreter's lock is held, and nothing here runs Python code.
        let known = unsafe { &mut *self.known.get() };
        if let Some((last, found)) = &known.last
            && *last == function
        {
            return Some(Rc::clone(found));
        }
        let found = Rc::clone(known.all.get(&function)?);
        known.last = Some((function, Rc::clone(&found)));
        Some(found)
    }

    /// Asks the driver about a function's parameters. `None` if it does not say, as for what is none of its functions.
    fn ask(&self, function: &Bound<'_, PyAny>, value: u64) -> PyResult<Option<Rc<Parameters>>> {
        let answer = self.describe.bind(function.py()).call1((function,))?;
        let answer = answer.extract::<Option<(String, Vec<(usize, usize)>, Option<Vec<u8>>)>>()?;
        let Some((name, layout, ptx)) = answer else {
            return Ok(None);
        };
        let ptx = ptx.as_deref().map(String::from_utf8_lossy);
        let title = readable(&name);
        let signature = Signature::of_kernel(&title, &name, ptx.as_deref(), Some(&layout))
            .unwrap_or_else(|| Signature::from_layout(title, &layout));
        let found = Rc::new(Parameters::new(signature));
        // SAFETY: the interpreter's lock is held, and nothing below runs Python code.
        let known = unsafe { &mut *self.known.get() };
        if known.all.len() >= MOST_KNOWN {
            known.all.clear();
        }
        known.all.insert(value, Rc::clone(&found));
        known.last = Some((value, Rc::clone(&found)));
        Ok(Some(found))
    }

    /// Refuses values that the kernel does not take. `fits` says why, and is asked again if the kernel was another one.
    fn check(
        &self,
        function: Option<&Bound<'_, PyAny>>,
        mut fits: impl FnMut(&Parameters) -> Result<(), String>,
    ) -> PyResult<()> {
        let Some((function, value)) =
            function.and_then(|function| Some((function, self.value_of(function)?)))
        else {
            return Ok(());
        };
        if let Some(known) = self.known(value)
            && fits(&known).is_ok()
        {
            return Ok(());
        }
        match self.ask(function, value)? {
            None => Ok(()),
            Some(known) => fits(&known).map_err(PyTypeError::new_err),
        }
    }

    fn params_name(&self) -> ParamsName<'_> {
        ParamsName {
            function: &self.name,
            parameter: &self.parameter,
        }
    }
}

/// Only for `cuox.cuda.bindings`: a library's launch function that takes Python's values for its parameter
/// `kernelParams`.
#[pyfunction]
#[pyo3(name = "_kernel_launcher")]
pub fn kernel_launcher<'py>(
    raw: &Bound<'py, PyCFunction>,
    place: usize,
    function: usize,
    convert: Py<PyAny>,
    describe: Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = raw.py();
    let name: String = raw.getattr("__name__")?.extract()?;
    let signature: String = raw.getattr("__text_signature__")?.extract()?;
    let parameter = signature
        .trim_matches(['(', ')'])
        .split(", ")
        .nth(place)
        .unwrap_or_default()
        .to_owned();
    let doc: Option<String> = raw.getattr("__doc__")?.extract()?;
    let doc = format!("{name}{signature}\n--\n\n{}", doc.unwrap_or_default());
    // SAFETY: a builtin function.
    if unsafe { ffi::PyCFunction_GetFlags(raw.as_ptr()) } != ffi::METH_FASTCALL | ffi::METH_KEYWORDS
    {
        return Err(PyTypeError::new_err(format!(
            "expected a function of a library, got {name}()"
        )));
    };
    let launcher = KernelLauncher {
        name: CString::new(name)?,
        doc: CString::new(doc)?,
        definition: UnsafeCell::new(ffi::PyMethodDef::zeroed()),
        raw: raw.clone().unbind(),
        place,
        function,
        parameter,
        convert,
        describe,
        known: UnsafeCell::default(),
    };
    let this = Bound::new(py, launcher)?;
    let module = raw.getattr("__module__")?;
    // SAFETY: the definition lies in the object, which the function keeps alive, and is written only here.
    unsafe {
        let launcher = this.get();
        *launcher.definition.get() = ffi::PyMethodDef {
            ml_name: launcher.name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: launch,
            },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: launcher.doc.as_ptr(),
        };
        let definition = launcher.definition.get();
        let function = ffi::PyCFunction_NewEx(definition, this.as_ptr(), module.as_ptr());
        Bound::from_owned_ptr_or_err(py, function)
    }
}

unsafe extern "C" fn launch(
    this: *mut ffi::PyObject,
    arguments: *const *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
    names: *mut ffi::PyObject,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with its lock held, with the object that the function was made with, and with
    // arguments that live until this returns; so do the values that are put in their place.
    unsafe {
        let bound = Bound::ref_from_ptr(Python::assume_attached(), &this);
        let launcher = bound.cast_unchecked::<KernelLauncher>().get();
        let owner = ffi::PyCFunction_GetSelf(launcher.raw.as_ptr());
        let (place, given) = (launcher.place, count as usize);
        let is_int = |at: usize| ffi::Py_TYPE(*arguments.add(at)) == &raw mut ffi::PyLong_Type;
        if names.is_null() && given > place && (place..given).all(is_int) {
            let value = ffi::PyLong_AsUnsignedLongLongMask(*arguments.add(place));
            let function = Bound::ref_from_ptr(bound.py(), &*arguments.add(launcher.function));
            let known = launcher
                .value_of(function)
                .and_then(|value| launcher.known(value));
            let right = known.is_some_and(|known| match value {
                0 => known.is_empty(),
                // SAFETY: whoever passes an address vouches for that many words there, as in C.
                _ => is_address(value) && no_address(value, known.len()).is_none(),
            });
            let extra = (place + 1..given).all(|at| {
                let value = ffi::PyLong_AsUnsignedLongLongMask(*arguments.add(at));
                value == 0
            });
            if extra && right {
                // An address, as in C.
                return launcher.call(owner, arguments, count, names);
            }
        }
        fastcall::enter("a launch", |py| {
            let named = match names.is_null() {
                true => 0,
                false => ffi::PyTuple_Size(names) as usize,
            };
            let all = std::slice::from_raw_parts(arguments, given + named);
            let mut all: SmallVec<[*mut ffi::PyObject; 16]> = SmallVec::from_slice(all);
            for object in all.iter_mut().take(given).skip(place) {
                empty_is_none(py, object)?;
            }
            let mut at = (place < given).then_some(place);
            let mut function = (launcher.function < given).then_some(launcher.function);
            let mut extra = (place + 1 < given).then_some(place + 1);
            for index in 0..named {
                let name = Bound::from_borrowed_ptr(
                    py,
                    ffi::PyTuple_GetItem(names, index as ffi::Py_ssize_t),
                );
                let name = name.cast::<PyString>()?.to_cow()?;
                if *name == launcher.parameter {
                    empty_is_none(py, &mut all[given + index])?;
                    at = Some(given + index);
                } else if name == "f" || name == "func" {
                    function = Some(given + index);
                } else if name == "extra" {
                    empty_is_none(py, &mut all[given + index])?;
                    extra = Some(given + index);
                }
            }
            let function = function.map(|at| all[at]);
            let function = function.as_ref().map(|at| Bound::ref_from_ptr(py, at));
            // `extra` has the parameters in one piece.
            let packed_elsewhere = extra.is_some_and(|at| all[at] != ffi::Py_None());
            if let Some(at) = extra.filter(|_| packed_elsewhere) {
                let object = all[at];
                launcher.check_extra(Bound::ref_from_ptr(py, &object))?;
            }
            let mut values = KernelValues::default();
            let mut address = None;
            if let Some(at) = at {
                let object = all[at];
                let object = Bound::ref_from_ptr(py, &object);
                let name = launcher.params_name();
                if values.put(name, &launcher.convert, object)? {
                    launcher.check(function, |known| values.fit(name, known))?;
                    let address = address.insert(values.address().into_pyobject(py)?);
                    all[at] = address.as_ptr();
                } else if !packed_elsewhere {
                    launcher.check_addresses(function, object)?;
                }
            }
            let result = launcher.call(owner, all.as_ptr(), count, names);
            Bound::from_owned_ptr_or_err(py, result)
        })
    }
}

impl KernelLauncher {
    /// Refuses what cannot be the address of as many addresses as the kernel has parameters.
    fn check_addresses(
        &self,
        function: Option<&Bound<'_, PyAny>>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let name = self.params_name();
        if given.is_none() {
            return self.check(function, |known| match known.len() {
                0 => Ok(()),
                _ => Err(name.all(known.count_error(0))),
            });
        }
        if given.is_instance_of::<PyInt>() {
            let Ok(address) = given.extract::<u64>() else {
                // The call itself says that it is out of range.
                return Ok(());
            };
            if !is_address(address) {
                let expected =
                    "expected a list or tuple of values, or the address of their addresses";
                let text = name.all(format_args!("{expected}, got {address}"));
                self.check(function, |known| {
                    Err(format!("{text}; the kernel is {}", known.signature()))
                })?;
                return Err(PyTypeError::new_err(text));
            }
            return self.check(function, |known| {
                // SAFETY: whoever passes an address vouches for that many words there, as in C.
                match unsafe { no_address(address, known.len()) } {
                    None => Ok(()),
                    Some((index, found)) => Err(name.at(index, NoAddress(found))),
                }
            });
        }
        let mut buffer = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: a live object; what is got is released at once.
        let (start, length) = unsafe {
            if ffi::PyObject_CheckBuffer(given.as_ptr()) == 0
                || ffi::PyObject_GetBuffer(given.as_ptr(), buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE)
                    != 0
            {
                // The call itself knows what to do with it.
                drop(PyErr::take(given.py()));
                return Ok(());
            }
            let buffer = buffer.assume_init_mut();
            let length = buffer.len as usize;
            let start = buffer.buf as u64;
            ffi::PyBuffer_Release(buffer);
            (start, length)
        };
        self.check(function, |known| {
            if length / 8 < known.len() {
                return Err(name.all(format_args!(
                    "expected {} addresses of values, got room for {}; the kernel is {}",
                    known.len(),
                    length / 8,
                    known.signature()
                )));
            }
            // SAFETY: the words lie in an object that the caller of the launch keeps, and that nobody resizes
            // meanwhile: the interpreter's lock is held.
            match unsafe { no_address(start, known.len()) } {
                None => Ok(()),
                Some((index, found)) => Err(name.at(index, NoAddress(found))),
            }
        })
    }

    /// Refuses what cannot be `extra`: pairs of a key and an address.
    fn check_extra(&self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = self.name.to_string_lossy();
        let key_at = |index: usize| -> PyResult<Option<u64>> {
            if given.is_instance_of::<PyInt>() {
                let address: u64 = given.extract()?;
                // SAFETY: whoever passes an address vouches for an array up to CU_LAUNCH_PARAM_END, at which the loop
                // below stops, as in C.
                let word = unsafe { (address as *const u64).add(index).read_unaligned() };
                return Ok(Some(word));
            }
            if !given.is_instance_of::<PyList>() && !given.is_instance_of::<PyTuple>() {
                return Ok(None);
            }
            let item = given.get_item(index);
            // Other objects are the call's business.
            Ok(item.ok().and_then(|item| item.extract::<u64>().ok()))
        };
        if given.is_instance_of::<PyInt>()
            && let Ok(address) = given.extract::<u64>()
            && !is_address(address)
        {
            return Err(PyTypeError::new_err(format!(
                "{name}(): extra: expected the address of an array that ends with CU_LAUNCH_PARAM_END, got {address}"
            )));
        }
        for index in [0, 2] {
            let Some(key @ (1 | 2)) = key_at(index)? else {
                break;
            };
            if let Some(address) = key_at(index + 1)?
                && !is_address(address)
            {
                let key = match key {
                    1 => "CU_LAUNCH_PARAM_BUFFER_POINTER",
                    _ => "CU_LAUNCH_PARAM_BUFFER_SIZE",
                };
                return Err(PyTypeError::new_err(format!(
                    "{name}(): extra: expected an address behind {key}, got {address}"
                )));
            }
        }
        Ok(())
    }
}

/// The first of `count` words that is no address, and its index.
///
/// # Safety
/// `count` words can be read from `start` on.
unsafe fn no_address(start: u64, count: usize) -> Option<(usize, u64)> {
    // SAFETY: one of the words that the caller vouches for.
    let read = |index| unsafe { (start as *const u64).add(index).read_unaligned() };
    let words = (0..count).map(|index| (index, read(index)));
    words.into_iter().find(|&(_, word)| !is_address(word))
}

/// The text for a word that is no address.
struct NoAddress(u64);

impl std::fmt::Display for NoAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected the address of a value, got {}", self.0)
    }
}

/// Replaces 0, False and empty lists and tuples by None: they stand for a null pointer.
///
/// # Safety
/// A borrowed reference to a live object.
unsafe fn empty_is_none(py: Python<'_>, object: &mut *mut ffi::PyObject) -> PyResult<()> {
    // SAFETY: a live object, as the caller promises.
    unsafe {
        // The truth of arrays means something else.
        let plain = ffi::PyLong_Check(*object) != 0
            || ffi::PyTuple_Check(*object) != 0
            || ffi::PyList_Check(*object) != 0;
        if plain {
            match ffi::PyObject_IsTrue(*object) {
                -1 => return Err(PyErr::fetch(py)),
                0 => *object = ffi::Py_None(),
                _ => {}
            }
        }
    }
    Ok(())
}
