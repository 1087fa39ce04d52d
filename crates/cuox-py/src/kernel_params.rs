//! `kernelParams` of `cuLaunchKernel` and its like: what Python has for `void **`, put together in front of the call.

use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::{MaybeUninit, transmute};
use std::ptr::null_mut;
use std::rc::Rc;

use cuox::signature::{ParamKind, entry_params};
use cuox_call::objects::{CLOSED, CObject, PLACED};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyCFunction, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;

use crate::entry;
use crate::kernel_values::{Packed, bytes_of, is_address, plain_handle};

/// A launch: `__self__` of the function that Python calls.
#[pyclass(frozen, module = "cuox._native")]
struct Launching {
    name: CString,
    doc: CString,
    definition: UnsafeCell<ffi::PyMethodDef>,
    /// The driver's function, which takes an address for `kernelParams`.
    raw: Py<PyCFunction>,
    /// The place of `kernelParams`; behind it is at most `extra`, null in most programs.
    place: usize,
    /// The place of the function that is launched.
    function: usize,
    /// `kernelParams`, as the parameter is named.
    parameter: String,
    /// `(value, type) -> (address, what has to live until the launch, its size or 0)`.
    careful: Py<PyAny>,
    /// `function -> (name, sizes of its parameters, their kinds as far as they are known)`, or `None` if the driver does not say.
    ask: Py<PyAny>,
    /// What was answered, by the functions' values. A driver may give a value again after it has unloaded a module: what does not fit is asked for anew.
    known: UnsafeCell<Known>,
}

/// What is known of functions.
struct Known {
    /// The function that was launched last.
    last: Option<(u64, Rc<Parameters>)>,
    all: HashMap<u64, Rc<Parameters>>,
    /// The class of handles that the last function was of; null before there was one. Such classes live as long as the process.
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

/// A kernel's parameters.
struct Parameters {
    name: String,
    sizes: Vec<usize>,
    /// Letters, as `_ptx_kinds` has them; none if the program's text is not known.
    kinds: String,
}

/// Functions that are remembered; what is launched is asked for again when there are more.
const MOST_KNOWN: usize = 1 << 12;

impl Parameters {
    /// `saxpy(4 bytes, 8 bytes)`.
    fn shown(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(|size| bytes_of(*size)).collect();
        format!("{}({})", self.name, sizes.join(", "))
    }
}

// SAFETY: the definition, to which the interpreter takes a pointer, is written once; what is known is used with the interpreter's lock held, and never
// while Python code runs.
unsafe impl Sync for Launching {}
// SAFETY: as above.
unsafe impl Send for Launching {}

impl Launching {
    /// Calls the driver's function. Its code is another one once it was called often.
    ///
    /// # Safety
    /// As the interpreter calls it, `owner` being what it was made with.
    unsafe fn call(
        &self,
        owner: *mut ffi::PyObject,
        arguments: *const *mut ffi::PyObject,
        count: ffi::Py_ssize_t,
        names: *mut ffi::PyObject,
    ) -> *mut ffi::PyObject {
        // SAFETY: a builtin function of this kind, as `_launching` has seen to.
        unsafe {
            let code = ffi::PyCFunction_GetFunction(self.raw.as_ptr());
            let code =
                transmute::<Option<ffi::PyCFunction>, ffi::PyCFunctionFastWithKeywords>(code);
            code(owner, arguments, count, names)
        }
    }

    /// A function's value; `None` for what the launch itself has to look at.
    #[inline]
    fn value_of(&self, function: &Bound<'_, PyAny>) -> Option<u64> {
        let object = function.as_ptr();
        // SAFETY: as in `known`. What is of such a class is laid out so.
        unsafe {
            let known = &mut *self.known.get();
            let class = ffi::Py_TYPE(object);
            let read = object.cast::<CObject>();
            if class == known.class && (*read).flags & (CLOSED | PLACED) == 0 {
                return Some((*read).value);
            }
            if ffi::PyLong_CheckExact(object) != 0 {
                return function.extract().ok();
            }
            plain_handle(function).inspect(|_| known.class = class)
        }
    }

    /// What is known of a function's parameters.
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
    fn asked(&self, function: &Bound<'_, PyAny>, value: u64) -> PyResult<Option<Rc<Parameters>>> {
        let answer = self.ask.bind(function.py()).call1((function,))?;
        let Some((name, sizes, kinds)) =
            answer.extract::<Option<(String, Vec<usize>, String)>>()?
        else {
            return Ok(None);
        };
        let found = Rc::new(Parameters { name, sizes, kinds });
        // SAFETY: as in `known`.
        let known = unsafe { &mut *self.known.get() };
        if known.all.len() >= MOST_KNOWN {
            known.all.clear();
        }
        known.all.insert(value, Rc::clone(&found));
        known.last = Some((value, Rc::clone(&found)));
        Ok(Some(found))
    }

    /// Refuses values that are not what the kernel takes.
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
        match self.asked(function, value)? {
            None => Ok(()),
            Some(known) => fits(&known).map_err(|message| {
                PyTypeError::new_err(format!(
                    "{}(): {message}; the kernel is {}",
                    self.name.to_string_lossy(),
                    known.shown()
                ))
            }),
        }
    }
}

/// Only for `cuox.cuda.bindings`: the same function for a launch, with all that Python has for its parameter `kernelParams`.
#[pyfunction]
pub fn _launching<'py>(
    raw: &Bound<'py, PyCFunction>,
    place: usize,
    function: usize,
    careful: Py<PyAny>,
    ask: Py<PyAny>,
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
            "{name}() is no function of a library"
        )));
    };
    let launching = Launching {
        name: CString::new(name)?,
        doc: CString::new(doc)?,
        definition: UnsafeCell::new(ffi::PyMethodDef::zeroed()),
        raw: raw.clone().unbind(),
        place,
        function,
        parameter,
        careful,
        ask,
        known: UnsafeCell::default(),
    };
    let this = Bound::new(py, launching)?;
    let module = raw.getattr("__module__")?;
    // SAFETY: the definition is in the object, which the function keeps; nobody else writes it.
    unsafe {
        let launching = this.get();
        *launching.definition.get() = ffi::PyMethodDef {
            ml_name: launching.name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: launch,
            },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: launching.doc.as_ptr(),
        };
        let definition = launching.definition.get();
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
    // SAFETY: called by the interpreter, with the object that the function was made with. What the raw function is called with outlives the call.
    unsafe {
        let bound = Bound::ref_from_ptr(Python::assume_attached(), &this);
        let launching = bound.cast_unchecked::<Launching>().get();
        let owner = ffi::PyCFunction_GetSelf(launching.raw.as_ptr());
        let (place, given) = (launching.place, count as usize);
        let is_int = |at: usize| ffi::Py_TYPE(*arguments.add(at)) == &raw mut ffi::PyLong_Type;
        if names.is_null() && given > place && (place..given).all(is_int) {
            let value = ffi::PyLong_AsUnsignedLongLongMask(*arguments.add(place));
            let function = Bound::ref_from_ptr(bound.py(), &*arguments.add(launching.function));
            let known = launching
                .value_of(function)
                .and_then(|value| launching.known(value));
            let right = known.is_some_and(|known| match value {
                0 => known.sizes.is_empty(),
                // SAFETY: the caller's promise, as in C.
                _ => is_address(value) && no_address(value, known.sizes.len()).is_none(),
            });
            let extra = (place + 1..given).all(|at| {
                let value = ffi::PyLong_AsUnsignedLongLongMask(*arguments.add(at));
                value == 0
            });
            if extra && right {
                // An address, as in C.
                return launching.call(owner, arguments, count, names);
            }
        }
        entry::enter("a launch", |py| {
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
            let mut function = (launching.function < given).then_some(launching.function);
            let mut extra = (place + 1 < given).then_some(place + 1);
            for index in 0..named {
                let name = Bound::from_borrowed_ptr(
                    py,
                    ffi::PyTuple_GetItem(names, index as ffi::Py_ssize_t),
                );
                let name = name.cast::<PyString>()?.to_cow()?;
                if *name == launching.parameter {
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
                launching.check_extra(Bound::ref_from_ptr(py, &object))?;
            }
            let mut packed = Packed::default();
            let mut address = None;
            if let Some(at) = at {
                let object = all[at];
                let object = Bound::ref_from_ptr(py, &object);
                if packed.put(&launching.careful, object)? {
                    launching.check(function, |known| {
                        packed.fit(&launching.parameter, &known.sizes, known.kinds.as_bytes())
                    })?;
                    let address = address.insert(packed.address().into_pyobject(py)?);
                    all[at] = address.as_ptr();
                } else if !packed_elsewhere {
                    launching.check_addresses(function, object)?;
                }
            }
            let result = launching.call(owner, all.as_ptr(), count, names);
            Bound::from_owned_ptr_or_err(py, result)
        })
    }
}

impl Launching {
    /// Refuses what cannot be the address of as many addresses as the kernel has parameters.
    fn check_addresses(
        &self,
        function: Option<&Bound<'_, PyAny>>,
        given: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let what = &self.parameter;
        if given.is_none() {
            return self.check(function, |known| match known.sizes.len() {
                0 => Ok(()),
                _ => Err(format!("{what} has no values")),
            });
        }
        if given.is_instance_of::<PyInt>() {
            let Ok(address) = given.extract::<u64>() else {
                // The call itself says that it is out of range.
                return Ok(());
            };
            if !is_address(address) {
                let number = format!(
                    "{what} is a list or tuple of values, or the address of their addresses, and {address} is none"
                );
                self.check(function, |_| Err(number.clone()))?;
                return Err(PyTypeError::new_err(format!(
                    "{}(): {number}",
                    self.name.to_string_lossy()
                )));
            }
            return self.check(function, |known| {
                // SAFETY: the caller's promise, as in C.
                match unsafe { no_address(address, known.sizes.len()) } {
                    None => Ok(()),
                    Some((index, found)) => Err(not_there(what, index, found)),
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
            if length / 8 < known.sizes.len() {
                return Err(format!("{what} has room for {} addresses", length / 8));
            }
            // SAFETY: so many words of an object that the caller of the launch keeps, and that nobody else resizes meanwhile.
            match unsafe { no_address(start, known.sizes.len()) } {
                None => Ok(()),
                Some((index, found)) => Err(not_there(what, index, found)),
            }
        })
    }

    /// Refuses what cannot be `extra`: pairs of a key and an address.
    fn check_extra(&self, given: &Bound<'_, PyAny>) -> PyResult<()> {
        let name = self.name.to_string_lossy();
        let key_at = |index: usize| -> PyResult<Option<u64>> {
            if given.is_instance_of::<PyInt>() {
                let address: u64 = given.extract()?;
                // SAFETY: the caller's promise, as in C: the array goes on up to its end, which the loop below stops at.
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
                "{name}(): extra is the address of an array that CU_LAUNCH_PARAM_END ends, and {address} is none"
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
                    "{name}(): behind {key} in extra is an address, and {address} is none"
                )));
            }
        }
        Ok(())
    }
}

/// The first of so many words that is no address, and its place.
///
/// # Safety
/// So many words are there.
unsafe fn no_address(start: u64, count: usize) -> Option<(usize, u64)> {
    // SAFETY: the caller's promise.
    let read = |index| unsafe { (start as *const u64).add(index).read_unaligned() };
    let words = (0..count).map(|index| (index, read(index)));
    words.into_iter().find(|&(_, word)| !is_address(word))
}

fn not_there(what: &str, index: usize, found: u64) -> String {
    format!("{what} has the addresses of the values, and number {index}, {found}, is none")
}

/// Only for `cuox.cuda.bindings`: a letter for each parameter of a kernel in PTX: `f`loating-point, `p`ointer or 64-bit integer, `i`nteger, `s`tructure. None if there
/// is no such kernel, or its header cannot be read.
#[pyfunction]
pub fn _ptx_kinds(ptx: &str, kernel: &str) -> Option<(String, Vec<u32>)> {
    let params = entry_params(ptx, kernel)?;
    let letter = |kind: &ParamKind| match kind {
        ParamKind::Float { .. } | ParamKind::BFloat16 => 'f',
        ParamKind::Pointer { .. } | ParamKind::PointerOrInt => 'p',
        ParamKind::Struct { .. } | ParamKind::Unknown { .. } => 's',
        ParamKind::Int { .. } | ParamKind::Bool => 'i',
    };
    let letters = params.iter().map(letter).collect();
    Some((letters, params.iter().map(ParamKind::size).collect()))
}

/// What is 0, false or empty stands for a null pointer.
///
/// # Safety
/// A borrowed reference.
unsafe fn empty_is_none(py: Python<'_>, object: &mut *mut ffi::PyObject) -> PyResult<()> {
    // SAFETY: the caller's promise.
    unsafe {
        // Arrays say otherwise what they are, or nothing.
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
