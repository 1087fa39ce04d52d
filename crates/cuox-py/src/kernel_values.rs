//! The values of a kernel's parameters, as C takes them: an array of their addresses.
//!
//! Those of the usual types are written into words on the stack here; Python knows all others.

use std::mem::MaybeUninit;

use cuox_call::convert::memory::LEAST_ADDRESS;
use cuox_call::objects::{self, Kind};
use cuox_call::signature::Scalar;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyTuple};
use smallvec::SmallVec;

/// A size, in words.
pub fn bytes_of(count: usize) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

/// Behind the last address of a process: what is no address in its upper bits faults everywhere.
const END_OF_ADDRESSES: u64 = if cfg!(target_arch = "x86_64") {
    1 << 47
} else {
    1 << 56
};

/// Whether host memory may be there.
#[inline]
pub fn is_address(value: u64) -> bool {
    (LEAST_ADDRESS..END_OF_ADDRESSES).contains(&value)
}

/// A list or tuple as a tuple.
fn items<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(tuple.clone());
    }
    object.cast::<PyList>().ok().map(|list| list.to_tuple())
}

/// A parameter's value.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// The value, if it is here.
    word: u64,
    /// Where it is; 0 for `word`.
    at: u64,
    /// Its size; 0 where any does that the value fits.
    size: usize,
    form: Form,
}

/// How many numbers a value is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Form {
    #[default]
    One,
    /// An array of one integer: an address is often kept so.
    ArrayOfInteger,
    /// An array of one other number.
    ArrayOfOne,
    Array,
}

impl Slot {
    /// Is this word. Says that it is known.
    #[inline]
    fn set(&mut self, word: u64) -> bool {
        self.word = word;
        true
    }
}

/// The values of a kernel's parameters.
#[derive(Default)]
pub struct Packed<'py> {
    /// The values, if they were given as a list, which may change.
    values: Option<Bound<'py, PyTuple>>,
    /// The types that were given with them.
    types: Option<Bound<'py, PyTuple>>,
    slots: SmallVec<[Slot; 24]>,
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
    ///
    /// `careful` is `(value, type) -> (address, what has to live until the launch, its size or 0)`, for values that are not of the usual types.
    pub fn put(&mut self, careful: &Py<PyAny>, given: &Bound<'py, PyAny>) -> PyResult<bool> {
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
        self.slots.resize(count, Slot::default());
        let codes = codes(given.py())?;
        for index in 0..count {
            let value = values.get_borrowed_item(index)?;
            let class = match &types {
                Some(types) => Some(types.get_borrowed_item(index)?),
                None => None,
            };
            let class = class.as_deref().filter(|class| !class.is_none());
            let known = match class {
                Some(class) => self.typed(codes, index, &value, class)?,
                None => self.untyped(codes, index, &value)?,
            };
            if !known {
                let found = careful.bind(given.py()).call1((&*value, class))?;
                let (at, held, size) = found.extract::<(u64, Bound<'py, PyAny>, usize)>()?;
                self.held.push(held);
                let form = self.slots[index].form;
                self.slots[index] = Slot {
                    word: 0,
                    at,
                    size,
                    form,
                };
            }
        }
        self.types = types;
        Ok(true)
    }

    /// Makes these a kernel's parameters: integers become as large as their parameters. If that cannot be, says why.
    ///
    /// `kinds` are letters, as `_ptx_kinds` has them, or nothing.
    pub fn fit(&mut self, name: &str, sizes: &[usize], kinds: &[u8]) -> Result<(), String> {
        if self.slots.len() != sizes.len() {
            let count = self.slots.len();
            let plural = if count == 1 { "" } else { "s" };
            return Err(format!("{name} has {count} value{plural}"));
        }
        for (index, &wanted) in sizes.iter().enumerate() {
            let slot = self.slots[index];
            let kind = kinds.get(index).copied();
            if kind == Some(b'f') && self.is_integer(index) {
                return Err(format!(
                    "value {index} of {name} is an integer, whose bits are no number of the floating-point parameter; \
                     pass numpy.float{0}(value), or ctypes.c_{1}(value)",
                    8 * wanted,
                    if wanted == 8 { "double" } else { "float" },
                ));
            }
            let host_array = match slot.form {
                Form::One | Form::ArrayOfInteger => false,
                Form::ArrayOfOne => wanted == 8 && matches!(kind, None | Some(b'p')),
                Form::Array => wanted <= 8 && kind != Some(b's'),
            };
            if host_array && slot.size == wanted {
                return Err(format!(
                    "value {index} of {name} is a host array; pass the device pointer"
                ));
            }
            // Eight bytes of which nothing is known may be a double or an address, that no smaller integer is.
            if kind.is_none() && (1..wanted).contains(&slot.size) && self.is_integer(index) {
                return Err(format!(
                    "value {index} of {name} is {}, and the parameter has {}",
                    bytes_of(slot.size),
                    bytes_of(wanted)
                ));
            }
            if slot.size != wanted && (slot.size != 0 || slot.at == 0) {
                self.resize(index, wanted)
                    .map_err(|given| format!("value {index} of {name} is {given}"))?;
            }
        }
        Ok(())
    }

    /// Makes an integer as large as its parameter. For other values, and if it does not fit, says what is given and what is wanted.
    #[cold]
    fn resize(&mut self, index: usize, wanted: usize) -> Result<(), String> {
        let slot = &self.slots[index];
        if slot.size != 0 {
            let size = slot.size;
            let Some(word) = self.integer(index, size) else {
                let (given, wanted) = (bytes_of(size), bytes_of(wanted));
                return Err(format!("{given}, and the parameter has {wanted}"));
            };
            self.slots[index] = Slot {
                word,
                ..Slot::default()
            };
        }
        let word = self.slots[index].word;
        let shift = 64 - 8 * wanted.clamp(1, 8) as u32;
        let unsigned = word << shift >> shift == word;
        let signed = (word as i64) << shift >> shift == word as i64;
        match (1..=8).contains(&wanted) && (unsigned || signed) {
            true => Ok(()),
            false => {
                let (word, wanted) = (word as i64, bytes_of(wanted));
                Err(format!(
                    "{word}, which does not fit the parameter's {wanted}"
                ))
            }
        }
    }

    /// Whether a value is an integer, and not what a floating-point type has made of one.
    fn is_integer(&self, index: usize) -> bool {
        let Some(values) = &self.values else {
            return false;
        };
        let Ok(value) = values.get_borrowed_item(index) else {
            return false;
        };
        let slot = &self.slots[index];
        // SAFETY: a live object.
        let (is_int, indexes) = unsafe {
            let object = value.as_ptr();
            (ffi::PyLong_Check(object), ffi::PyIndex_Check(object))
        };
        if slot.size == 0 {
            return is_int != 0;
        }
        let types = self.types.as_ref();
        let class = types.and_then(|types| types.get_borrowed_item(index).ok());
        let class = class.filter(|class| !class.is_none());
        let class = match class {
            Some(class) => class.as_ptr().cast(),
            None => value.get_type_ptr(),
        };
        match codes(value.py()).ok().and_then(|codes| codes.find(class)) {
            Some((code, _)) => !matches!(code, Code::F32 | Code::F64),
            None => indexes != 0 && self.integer(index, slot.size).is_some(),
        }
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
            let word = self.slots[index].word;
            let shift = 64 - 8 * size.clamp(1, 8) as u32;
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
    pub fn address(&mut self) -> u64 {
        self.addresses.resize(self.slots.len(), 0);
        for (address, slot) in self.addresses.iter_mut().zip(&self.slots) {
            *address = match slot.at {
                0 => &raw const slot.word as u64,
                at => at,
            };
        }
        match self.addresses.is_empty() {
            true => 0,
            false => self.addresses.as_ptr() as u64,
        }
    }

    /// A value as a ctypes type has it, if it is of a usual type.
    fn typed(
        &mut self,
        codes: &Codes,
        index: usize,
        value: &Bound<'py, PyAny>,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
        let Some((code, size)) = codes.find(class.as_ptr().cast()) else {
            return Ok(false);
        };
        let slot = &mut self.slots[index];
        slot.size = size;
        let object = value.as_ptr();
        // SAFETY: live objects.
        unsafe {
            let given = ffi::Py_TYPE(object);
            if given == class.as_ptr().cast() {
                return self.bytes(index, value);
            }
            Ok(match code {
                Code::Integer { .. } | Code::Address if ffi::PyLong_Check(object) != 0 => {
                    let word = whole(value).filter(|&word| {
                        let bits = 8 * size as u32;
                        word >= -(1 << (bits - 1)) && word < 1 << bits
                    });
                    let Some(word) = word else {
                        let class = class.getattr("__name__")?;
                        return Err(PyOverflowError::new_err(format!(
                            "value {index} of kernelParams: {value} does not fit ctypes.{class}, which has {}",
                            bytes_of(size)
                        )));
                    };
                    slot.set(word as u64)
                }
                Code::Address => plain_handle(value).is_some_and(|value| slot.set(value)),
                Code::F32 | Code::F64 if ffi::PyFloat_Check(object) != 0 => {
                    let float = ffi::PyFloat_AsDouble(object);
                    slot.set(match code {
                        Code::F32 => u64::from((float as f32).to_bits()),
                        _ => float.to_bits(),
                    })
                }
                Code::Bool if given == &raw mut ffi::PyBool_Type => {
                    slot.set(u64::from(object == ffi::Py_True()))
                }
                _ => false,
            })
        }
    }

    /// A value that says its type itself, if it is of a usual type.
    fn untyped(
        &mut self,
        codes: &Codes,
        index: usize,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
        let object = value.as_ptr();
        // SAFETY: a live object.
        let given = unsafe { ffi::Py_TYPE(object) };
        if given == &raw mut ffi::PyLong_Type {
            let Some(word) = whole(value) else {
                return Err(PyOverflowError::new_err(format!(
                    "value {index} of kernelParams: {value} does not fit 64 bits"
                )));
            };
            return Ok(self.slots[index].set(word as u64));
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
            let size = match &this.class().kind {
                Kind::Handle(handle) => handle.scalar.size(),
                Kind::Record(record) => record.size,
                _ => 0,
            };
            let at = this.location()? as u64;
            self.slots[index] = Slot {
                at,
                size,
                ..Slot::default()
            };
            return Ok(true);
        }
        let py = value.py();
        if let Some(method) = value.getattr_opt(pyo3::intern!(py, "getPtr"))? {
            let at: u64 = method.call0()?.extract()?;
            if !is_address(at) {
                return Err(PyTypeError::new_err(format!(
                    "value {index} of kernelParams: getPtr() says where the value is, and {at} is no address"
                )));
            }
            self.slots[index].at = at;
            return Ok(true);
        }
        if value.is_instance(codes.data.bind(py))? {
            return self.bytes(index, value);
        }
        if value.hasattr(pyo3::intern!(py, "dtype"))? {
            // SAFETY: a live class, of which a slot is asked. NumPy's numbers have none, its arrays and records do.
            if !unsafe { ffi::PyType_GetSlot(given, ffi::Py_mp_ass_subscript) }.is_null() {
                self.slots[index].form = form(index, value)?;
            }
            return self.bytes(index, value);
        }
        Ok(false)
    }

    /// The bytes of a ctypes value, a NumPy scalar or a contiguous array.
    fn bytes(&mut self, index: usize, value: &Bound<'py, PyAny>) -> PyResult<bool> {
        let object = value.as_ptr();
        let mut buffer = MaybeUninit::<ffi::Py_buffer>::zeroed();
        // SAFETY: a live object; what is got is released, now or with this, and stays where it is until then.
        unsafe {
            if ffi::PyObject_GetBuffer(object, buffer.as_mut_ptr(), ffi::PyBUF_SIMPLE) != 0 {
                // `careful` knows what to do with other arrays.
                drop(PyErr::take(value.py()));
                return Ok(false);
            }
            let small = buffer.assume_init_mut();
            let length = small.len as usize;
            self.slots[index].size = length;
            if length <= 8 {
                let word = (&raw mut self.slots[index].word).cast::<u8>();
                word.copy_from_nonoverlapping(small.buf.cast(), length);
                ffi::PyBuffer_Release(small);
                return Ok(true);
            }
            ffi::PyBuffer_Release(small);
            let mut large = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed().assume_init());
            if ffi::PyObject_GetBuffer(object, &raw mut *large, ffi::PyBUF_SIMPLE) != 0 {
                return Err(PyErr::fetch(value.py()));
            }
            self.slots[index].at = large.buf as u64;
            self.buffers.push(large);
            Ok(true)
        }
    }
}

/// An `int`, if 64 bits have room for it with or without a sign.
#[inline]
fn whole(value: &Bound<'_, PyAny>) -> Option<i128> {
    let mut overflow = 0;
    // SAFETY: an int; that it is too large is said in `overflow`.
    let word = unsafe { ffi::PyLong_AsLongLongAndOverflow(value.as_ptr(), &raw mut overflow) };
    match overflow {
        0 => Some(i128::from(word)),
        _ => value.extract::<u64>().ok().map(i128::from),
    }
}

/// What an array or a record is as a value. Raises TypeError for the order of bytes that no CUDA device has.
fn form(index: usize, value: &Bound<'_, PyAny>) -> PyResult<Form> {
    let dtype = value.getattr("dtype")?;
    // Other libraries' types need not say it.
    if let Some(native) = dtype.getattr_opt("isnative")?
        && !native.is_truthy()?
    {
        return Err(PyTypeError::new_err(format!(
            "value {index} of kernelParams is big-endian ({dtype}), and the device's byte order is little-endian; \
             convert it: value.astype(value.dtype.newbyteorder('<'))"
        )));
    }
    let Some(axes) = value.getattr_opt("ndim")? else {
        return Ok(Form::One);
    };
    if axes.extract::<usize>().unwrap_or(0) == 0 {
        return Ok(Form::One);
    }
    if value.len()? != 1 || axes.extract::<usize>()? != 1 {
        return Ok(Form::Array);
    }
    let kind = dtype.getattr_opt("kind")?;
    let kind = kind.and_then(|kind| kind.extract::<char>().ok());
    Ok(match kind {
        Some('i' | 'u') => Form::ArrayOfInteger,
        // A record says what it is.
        Some('V') => Form::One,
        _ => Form::ArrayOfOne,
    })
}

/// The value of an open handle that may be an address, is of no subclass, and lies nowhere else.
pub fn plain_handle(value: &Bound<'_, PyAny>) -> Option<u64> {
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
