//! `kernelParams` of `cuLaunchKernel` and its like: what Python has for `void **`, put together in front of the call.
//!
//! Values of the usual types are written into words on the stack here; `careful`, which is Python, knows all others.

use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::ffi::CString;
use std::mem::{MaybeUninit, transmute};
use std::rc::Rc;

use cuox_call::objects::{self, Kind};
use cuox_call::signature::Scalar;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyInt, PyList, PyString, PyTuple};
use smallvec::SmallVec;

use crate::entry;

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
    /// `function -> (name, sizes of its parameters)`, or `None` if the driver does not say.
    ask: Py<PyAny>,
    /// What was answered, by the functions' values. A driver may give a value again after it has unloaded a module: what does not fit is asked for anew.
    known: UnsafeCell<Known>,
}

/// What is known of functions.
#[derive(Default)]
struct Known {
    /// The function that was launched last.
    last: Option<(u64, Rc<Parameters>)>,
    all: HashMap<u64, Rc<Parameters>>,
}

/// A kernel's parameters.
struct Parameters {
    name: String,
    sizes: Vec<usize>,
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

fn bytes_of(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
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
        let Some((name, sizes)) = answer.extract::<Option<(String, Vec<usize>)>>()? else {
            return Ok(None);
        };
        let found = Rc::new(Parameters { name, sizes });
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
            function.and_then(|function| Some((function, function_value(function)?)))
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

/// The value of a function that a launch is given; `None` for what the launch itself has to look at.
fn function_value(function: &Bound<'_, PyAny>) -> Option<u64> {
    if let Some(value) = plain_handle(function) {
        return Some(value);
    }
    // SAFETY: a live object.
    let int = unsafe { ffi::PyLong_CheckExact(function.as_ptr()) } != 0;
    int.then(|| function.extract().ok())?
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
            let none = || {
                let known = function_value(function).and_then(|value| launching.known(value));
                value == 0 && known.is_some_and(|known| known.sizes.is_empty())
            };
            let extra = (place + 1..given).all(|at| {
                let value = ffi::PyLong_AsUnsignedLongLongMask(*arguments.add(at));
                value == 0 || value >= LEAST_ADDRESS
            });
            if extra && (value >= LEAST_ADDRESS || none()) {
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
            let function = function.map(|at| Bound::ref_from_ptr(py, &all[at]).clone());
            // `extra` has the parameters in one piece.
            let packed_elsewhere = extra.is_some_and(|at| all[at] != ffi::Py_None());
            if let Some(at) = extra
                && let Ok(address @ 1..LEAST_ADDRESS) =
                    Bound::ref_from_ptr(py, &all[at]).extract::<u64>()
            {
                return Err(PyTypeError::new_err(format!(
                    "{}(): extra is the address of an array that CU_LAUNCH_PARAM_END ends, and {address} is none",
                    launching.name.to_string_lossy()
                )));
            }
            let mut packed = Packed::default();
            let mut address = None;
            if let Some(at) = at {
                let object = Bound::from_borrowed_ptr(py, all[at]);
                if packed.put(launching, &object)? {
                    launching.check(function.as_ref(), |known| packed.fit(known))?;
                    let address = address.insert(packed.address().into_pyobject(py)?);
                    all[at] = address.as_ptr();
                } else if !packed_elsewhere {
                    launching.check_addresses(function.as_ref(), &object)?;
                }
            }
            let result = launching.call(owner, all.as_ptr(), count, names);
            Bound::from_owned_ptr_or_err(py, result)
        })
    }
}

/// What is below lies in the first page, where nothing is.
const LEAST_ADDRESS: u64 = 4096;

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
            let address = given.extract::<u64>().unwrap_or(LEAST_ADDRESS);
            if address < LEAST_ADDRESS {
                let number = format!(
                    "{what} is a list or tuple of values, or the address of their addresses, and {address} is none"
                );
                self.check(function, |_| Err(number.clone()))?;
                return Err(PyTypeError::new_err(format!(
                    "{}(): {number}",
                    self.name.to_string_lossy()
                )));
            }
            return Ok(());
        }
        let mut buffer = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: a live object; what is got is released at once.
        let length = unsafe {
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
            ffi::PyBuffer_Release(buffer);
            length
        };
        self.check(function, |known| match length / 8 >= known.sizes.len() {
            true => Ok(()),
            false => Err(format!("{what} has room for {} addresses", length / 8)),
        })
    }
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

/// A list or tuple as a tuple.
fn items<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(tuple.clone());
    }
    object.cast::<PyList>().ok().map(|list| list.to_tuple())
}

/// Where a parameter's value is.
#[derive(Clone, Copy)]
enum Where {
    /// In the word of the same index.
    Word,
    /// There.
    At(u64),
}

/// The values of a kernel's parameters.
#[derive(Default)]
struct Packed<'py> {
    /// The values, if they were given as a list, which may change.
    values: Option<Bound<'py, PyTuple>>,
    /// The types that were given with them.
    types: Option<Bound<'py, PyTuple>>,
    places: SmallVec<[Where; 24]>,
    words: SmallVec<[u64; 24]>,
    /// The values' sizes; 0 where any does that the value fits.
    sizes: SmallVec<[usize; 24]>,
    addresses: SmallVec<[u64; 24]>,
    #[allow(
        clippy::vec_box,
        reason = "an exporter may know where its buffer's description is"
    )]
    buffers: Vec<Box<ffi::Py_buffer>>,
    held: Vec<Bound<'py, PyAny>>,
}

impl Drop for Packed<'_> {
    fn drop(&mut self) {
        for buffer in &mut self.buffers {
            // SAFETY: it was got, and is released once; the GIL is held.
            unsafe { ffi::PyBuffer_Release(&raw mut **buffer) }
        }
    }
}

impl<'py> Packed<'py> {
    /// Takes parameters that are given as a list or tuple; `false` for what C takes as it is.
    fn put(&mut self, launching: &Launching, given: &Bound<'py, PyAny>) -> PyResult<bool> {
        let Some(mut values) = items(given) else {
            return Ok(false);
        };
        let mut types = None;
        if values.len() == 2
            && let Some(first) = items(&values.get_item(0)?)
        {
            let second = values.get_item(1)?;
            types = items(&second);
            if types.is_some() || second.is_none() {
                values = first;
            }
        }
        let count = values.len();
        if let Some(types) = &types
            && types.len() != count
        {
            return Err(PyValueError::new_err(format!(
                "kernelParams has {count} values and {} types",
                types.len()
            )));
        }
        let values = self.values.insert(values).clone();
        self.types.clone_from(&types);
        self.words.resize(count, 0);
        self.sizes.resize(count, 0);
        self.places.resize(count, Where::Word);
        let codes = codes(given.py())?;
        for index in 0..count {
            let value = values.get_borrowed_item(index)?;
            let class = match &types {
                Some(types) => Some(types.get_borrowed_item(index)?),
                None => None,
            };
            let class = class.as_deref().filter(|class| !class.is_none());
            let place = match class {
                Some(class) => self.typed(codes, index, &value, class)?,
                None => self.untyped(codes, index, &value)?,
            };
            self.places[index] = match place {
                Some(place) => place,
                None => {
                    let careful = launching.careful.bind(given.py());
                    let found = careful.call1((&*value, class))?;
                    let (address, held, size) =
                        found.extract::<(u64, Bound<'py, PyAny>, usize)>()?;
                    self.held.push(held);
                    self.sizes[index] = size;
                    Where::At(address)
                }
            };
        }
        Ok(true)
    }

    /// Makes these a kernel's parameters: integers become as large as their parameters. If that cannot be, says why.
    fn fit(&mut self, known: &Parameters) -> Result<(), String> {
        if self.places.len() != known.sizes.len() {
            let count = self.places.len();
            let plural = if count == 1 { "" } else { "s" };
            return Err(format!("kernelParams has {count} value{plural}"));
        }
        for (index, wanted) in known.sizes.iter().copied().enumerate() {
            let mut size = self.sizes[index];
            if size == wanted || size == 0 && matches!(self.places[index], Where::At(_)) {
                continue;
            }
            if size != 0
                && let Some(word) = self.integer(index, size)
            {
                (self.words[index], self.places[index]) = (word, Where::Word);
                (self.sizes[index], size) = (0, 0);
            }
            let word = self.words[index];
            let shift = 64 - 8 * wanted.clamp(1, 8) as u32;
            let fits = size == 0
                && (1..=8).contains(&wanted)
                && (word << shift >> shift == word
                    || (word as i64) << shift >> shift == word as i64);
            if !fits {
                let given = match size {
                    0 => format!(
                        "{}, which does not fit the parameter's {}",
                        word as i64,
                        bytes_of(wanted)
                    ),
                    size => format!(
                        "{}, and the parameter has {}",
                        bytes_of(size),
                        bytes_of(wanted)
                    ),
                };
                return Err(format!("value {index} of kernelParams is {given}"));
            }
        }
        Ok(())
    }

    /// A value of another size than its parameter's, if it is an integer.
    fn integer(&self, index: usize, size: usize) -> Option<u64> {
        let values = self.values.as_ref()?;
        let value = values.get_item(index).ok()?;
        let py = value.py();
        let types = self.types.as_ref();
        let class = types.and_then(|types| types.get_item(index).ok());
        let class = class.filter(|class| !class.is_none());
        let class = class.unwrap_or_else(|| value.get_type().into_any());
        if let Some((code, _)) = codes(py).ok()?.find(class.as_ptr().cast()) {
            let word = self.words[index];
            let shift = 64 - 8 * size as u32;
            return match code {
                Code::Integer { signed: true } => Some(((word << shift) as i64 >> shift) as u64),
                Code::Integer { .. } | Code::Address | Code::Bool => Some(word),
                Code::F32 | Code::F64 => None,
            };
        }
        let found = value.call_method0(pyo3::intern!(py, "item"));
        let found = found.ok().filter(|found| found.is_instance_of::<PyInt>())?;
        let signed = found.extract::<i64>().map(|value| value as u64);
        signed.or_else(|_| found.extract::<u64>()).ok()
    }

    /// The address of the values' addresses, which are good as long as this is not moved; 0 if there are none.
    fn address(&mut self) -> u64 {
        let words = self.words.as_ptr();
        let places = self.places.iter().enumerate();
        self.addresses
            .extend(places.map(|(index, place)| match place {
                Where::Word => words.wrapping_add(index) as u64,
                Where::At(address) => *address,
            }));
        match self.addresses.is_empty() {
            true => 0,
            false => self.addresses.as_ptr() as u64,
        }
    }

    fn word(&mut self, index: usize, value: u64) -> Option<Where> {
        self.words[index] = value;
        Some(Where::Word)
    }

    /// A value as a ctypes type has it, if it is of a usual type.
    fn typed(
        &mut self,
        codes: &Codes,
        index: usize,
        value: &Bound<'py, PyAny>,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Where>> {
        let Some((code, size)) = codes.find(class.as_ptr().cast()) else {
            return Ok(None);
        };
        self.sizes[index] = size;
        let object = value.as_ptr();
        // SAFETY: live objects.
        unsafe {
            let given = ffi::Py_TYPE(object);
            if given == class.as_ptr().cast() {
                return self.bytes(index, value);
            }
            Ok(match code {
                Code::Integer { .. } | Code::Address if ffi::PyLong_Check(object) != 0 => {
                    self.word(index, ffi::PyLong_AsUnsignedLongLongMask(object))
                }
                Code::Address => match plain_handle(value) {
                    Some(value) => self.word(index, value),
                    None => None,
                },
                Code::F32 | Code::F64 if ffi::PyFloat_Check(object) != 0 => {
                    let float = ffi::PyFloat_AsDouble(object);
                    self.word(
                        index,
                        match code {
                            Code::F32 => u64::from((float as f32).to_bits()),
                            _ => float.to_bits(),
                        },
                    )
                }
                Code::Bool if given == &raw mut ffi::PyBool_Type => {
                    self.word(index, u64::from(object == ffi::Py_True()))
                }
                _ => None,
            })
        }
    }

    /// A value that says its type itself, if it is of a usual type.
    fn untyped(
        &mut self,
        codes: &Codes,
        index: usize,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Where>> {
        let object = value.as_ptr();
        // SAFETY: a live object.
        let given = unsafe { ffi::Py_TYPE(object) };
        if given == &raw mut ffi::PyLong_Type {
            // SAFETY: an int.
            return Ok(self.word(index, unsafe { ffi::PyLong_AsUnsignedLongLongMask(object) }));
        }
        if codes.find(given).is_some() {
            return self.bytes(index, value);
        }
        if let Some(this) = objects::as_object(value)
            && this.class().python.as_ptr() == given.cast()
        {
            if this.closed() {
                return Err(this.gone());
            }
            self.sizes[index] = match &this.class().kind {
                Kind::Handle(handle) => handle.scalar.size(),
                Kind::Record(record) => record.size,
                _ => 0,
            };
            return Ok(Some(Where::At(this.location()? as u64)));
        }
        let py = value.py();
        if let Some(method) = value.getattr_opt(pyo3::intern!(py, "getPtr"))? {
            return Ok(Some(Where::At(method.call0()?.extract()?)));
        }
        if value.is_instance(codes.data.bind(py))? || value.hasattr(pyo3::intern!(py, "dtype"))? {
            return self.bytes(index, value);
        }
        Ok(None)
    }

    /// The bytes of a ctypes value, a NumPy scalar or a contiguous array.
    fn bytes(&mut self, index: usize, value: &Bound<'py, PyAny>) -> PyResult<Option<Where>> {
        let object = value.as_ptr();
        let mut buffer = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: a live object; what is got is released, now or with this, and stays where it is until then.
        unsafe {
            if ffi::PyObject_GetBuffer(object, buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                // `careful` knows what to do with other arrays.
                drop(PyErr::take(value.py()));
                return Ok(None);
            }
            let small = buffer.assume_init_mut();
            let length = small.len as usize;
            self.sizes[index] = length;
            if length <= 8 {
                let word = (&raw mut self.words[index]).cast::<u8>();
                word.copy_from_nonoverlapping(small.buf.cast(), length);
                ffi::PyBuffer_Release(small);
                return Ok(Some(Where::Word));
            }
            ffi::PyBuffer_Release(small);
            let mut large = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed().assume_init());
            if ffi::PyObject_GetBuffer(object, &raw mut *large, ffi::PyBUF_SIMPLE) != 0 {
                return Err(PyErr::fetch(value.py()));
            }
            let at = large.buf as u64;
            self.buffers.push(large);
            Ok(Some(Where::At(at)))
        }
    }
}

/// The value of an open handle that may be an address, is of no subclass, and lies nowhere else.
fn plain_handle(value: &Bound<'_, PyAny>) -> Option<u64> {
    let this = objects::as_object(value)?;
    let class = this.class();
    // SAFETY: a live object.
    let exact = class.python.as_ptr() == unsafe { ffi::Py_TYPE(value.as_ptr()) }.cast();
    let word = matches!(
        &class.kind,
        Kind::Handle(kind) if matches!(kind.scalar, Scalar::Pointer | Scalar::U64)
    );
    (exact && word && !this.closed() && this.place().is_none()).then(|| this.value())
}

/// What a ctypes type is.
#[derive(Clone, Copy)]
enum Code {
    Integer {
        signed: bool,
    },
    /// An integer of 64 bits that may be an address.
    Address,
    F32,
    F64,
    Bool,
}

/// The types of ctypes.
struct Codes {
    simple: Vec<(*mut ffi::PyTypeObject, (Code, usize))>,
    /// What all of them descend from.
    data: Py<PyAny>,
}

// SAFETY: the types are never freed: a reference to each is kept.
unsafe impl Send for Codes {}
// SAFETY: as above.
unsafe impl Sync for Codes {}

impl Codes {
    #[inline]
    fn find(&self, class: *mut ffi::PyTypeObject) -> Option<(Code, usize)> {
        let found = self.simple.iter().find(|(known, _)| *known == class);
        found.map(|(_, code)| *code)
    }
}

fn codes(py: Python<'_>) -> PyResult<&'static Codes> {
    static CODES: PyOnceLock<Codes> = PyOnceLock::new();
    CODES.get_or_try_init(py, || {
        let ctypes = py.import("ctypes")?;
        // Some of these names are of the same type.
        let simple = [
            ("c_void_p", Code::Address),
            ("c_int", Code::Integer { signed: true }),
            ("c_float", Code::F32),
            ("c_uint", Code::Integer { signed: false }),
            ("c_ulong", Code::Address),
            ("c_long", Code::Integer { signed: true }),
            ("c_double", Code::F64),
            ("c_bool", Code::Bool),
            ("c_short", Code::Integer { signed: true }),
            ("c_ushort", Code::Integer { signed: false }),
            ("c_byte", Code::Integer { signed: true }),
            ("c_ubyte", Code::Integer { signed: false }),
            ("c_longlong", Code::Integer { signed: true }),
            ("c_ulonglong", Code::Address),
        ];
        let simple = simple.into_iter().map(|(name, code)| {
            let class = ctypes.getattr(name)?;
            let size = ctypes.call_method1("sizeof", (&class,))?.extract()?;
            Ok((class.into_ptr().cast(), (code, size)))
        });
        Ok(Codes {
            simple: simple.collect::<PyResult<_>>()?,
            data: ctypes.getattr("Structure")?.getattr("__base__")?.unbind(),
        })
    })
}
