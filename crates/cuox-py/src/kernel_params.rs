//! `kernelParams` of `cuLaunchKernel` and its like: what Python has for `void **`, put together in front of the call.
//!
//! Values of the usual types are written into words on the stack here; `careful`, which is Python, knows all others.

use std::cell::UnsafeCell;
use std::ffi::CString;
use std::mem::{MaybeUninit, transmute};

use cuox_call::objects::{self, Kind};
use cuox_call::signature::Scalar;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyCFunction, PyList, PyTuple};
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
    /// `(value, type) -> (address, what has to live until the launch)`.
    careful: Py<PyAny>,
}

// SAFETY: the definition, to which the interpreter takes a pointer, is written once.
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
}

/// Only for `cuox.cuda.bindings`: the same function for a launch, with all that Python has for its parameter `kernelParams`.
#[pyfunction]
pub fn _launching<'py>(
    raw: &Bound<'py, PyCFunction>,
    place: usize,
    careful: Py<PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = raw.py();
    let name: String = raw.getattr("__name__")?.extract()?;
    let signature: String = raw.getattr("__text_signature__")?.extract()?;
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
        careful,
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
            // An address, as in C.
            return launching.call(owner, arguments, count, names);
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
            for index in 0..named {
                let name = ffi::PyTuple_GetItem(names, index as ffi::Py_ssize_t);
                if ffi::PyUnicode_CompareWithASCIIString(name, c"kernelParams".as_ptr()) == 0 {
                    empty_is_none(py, &mut all[given + index])?;
                    at = Some(given + index);
                }
            }
            let mut packed = Packed::default();
            let mut address = None;
            if let Some(at) = at
                && packed.put(launching, Bound::ref_from_ptr(py, &all[at]))?
            {
                let address = address.insert(packed.address().into_pyobject(py)?);
                all[at] = address.as_ptr();
            }
            let result = launching.call(owner, all.as_ptr(), count, names);
            Bound::from_owned_ptr_or_err(py, result)
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
    places: SmallVec<[Where; 24]>,
    words: SmallVec<[u64; 24]>,
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
        self.words.resize(count, 0);
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
                    let (address, held) = found.extract::<(u64, Bound<'py, PyAny>)>()?;
                    self.held.push(held);
                    Where::At(address)
                }
            };
        }
        Ok(true)
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
        let Some(code) = codes.find(class.as_ptr().cast()) else {
            return Ok(None);
        };
        let object = value.as_ptr();
        // SAFETY: live objects.
        unsafe {
            let given = ffi::Py_TYPE(object);
            if given == class.as_ptr().cast() {
                return self.bytes(index, value);
            }
            Ok(match code {
                Code::Integer | Code::Address if ffi::PyLong_Check(object) != 0 => {
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
    Integer,
    /// An integer of 64 bits that may be an address.
    Address,
    F32,
    F64,
    Bool,
}

/// The types of ctypes.
struct Codes {
    simple: Vec<(*mut ffi::PyTypeObject, Code)>,
    /// What all of them descend from.
    data: Py<PyAny>,
}

// SAFETY: the types are never freed: a reference to each is kept.
unsafe impl Send for Codes {}
// SAFETY: as above.
unsafe impl Sync for Codes {}

impl Codes {
    #[inline]
    fn find(&self, class: *mut ffi::PyTypeObject) -> Option<Code> {
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
            ("c_int", Code::Integer),
            ("c_float", Code::F32),
            ("c_uint", Code::Integer),
            ("c_ulong", Code::Address),
            ("c_long", Code::Integer),
            ("c_double", Code::F64),
            ("c_bool", Code::Bool),
            ("c_short", Code::Integer),
            ("c_ushort", Code::Integer),
            ("c_byte", Code::Integer),
            ("c_ubyte", Code::Integer),
            ("c_longlong", Code::Integer),
            ("c_ulonglong", Code::Address),
        ];
        let simple = simple.into_iter().map(|(name, code)| {
            let class = ctypes.getattr(name)?;
            Ok((class.into_ptr().cast(), code))
        });
        Ok(Codes {
            simple: simple.collect::<PyResult<_>>()?,
            data: ctypes.getattr("Structure")?.getattr("__base__")?.unbind(),
        })
    })
}
