//! The values of a kernel's parameters in C's form: an array of their addresses.
//!
//! Values of the usual types are written into words on the stack here; Python code converts all others. The rule for
//! them is [`cuox::launch::CValue`]'s.

use std::ffi::CStr;
use std::mem::MaybeUninit;

use cuox::launch::{CCount, CSize, CValue, Parameters, Passed};
use cuox_interpreter::c_values::{Location, MIN_ADDRESS, table};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyList, PyTuple, PyType};
use smallvec::SmallVec;

use crate::support::names::class_name;

/// The end of a process's addresses: a number with higher bits faults everywhere.
const END_OF_ADDRESSES: u64 = if cfg!(target_arch = "x86_64") {
    1 << 47
} else {
    1 << 56
};

/// True if host memory may be there.
#[inline]
pub fn is_address(value: u64) -> bool {
    (MIN_ADDRESS..END_OF_ADDRESSES).contains(&value)
}

/// A list or tuple as a tuple.
fn items<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Some(tuple.clone());
    }
    object.cast::<PyList>().ok().map(|list| list.to_tuple())
}

/// The parameter of a launch function that has the values, for messages.
#[derive(Clone, Copy)]
pub struct ParamsName<'a> {
    /// `cuLaunchKernel`.
    pub function: &'a CStr,
    /// `kernelParams`.
    pub parameter: &'a str,
}

impl ParamsName<'_> {
    /// `cuLaunchKernel(): kernelParams[2]: ` and a text.
    pub fn at(&self, index: usize, text: impl std::fmt::Display) -> String {
        self.whole(format_args!("[{index}]: {text}"))
    }

    /// `cuLaunchKernel(): kernelParams: ` and a text.
    pub fn all(&self, text: impl std::fmt::Display) -> String {
        self.whole(format_args!(": {text}"))
    }

    fn whole(&self, text: std::fmt::Arguments<'_>) -> String {
        format!(
            "{}(): {}{text}",
            self.function.to_string_lossy(),
            self.parameter
        )
    }
}

/// One value.
#[derive(Clone, Copy, Default)]
struct Value {
    /// The value, if it is here.
    word: u64,
    /// Its address; 0 for `word`.
    at: u64,
    /// The size of its type; 0 for an integer without a type, and for an object that only gives its address.
    size: usize,
    count: CCount,
    /// The kind of number, for the usual types of ctypes.
    number: Option<Number>,
}

impl Value {
    /// Puts the value here. Returns true: it is known.
    #[inline]
    fn set(&mut self, word: u64) -> bool {
        self.word = word;
        true
    }
}

/// The values of a kernel's parameters.
#[derive(Default)]
pub struct KernelValues<'py> {
    /// The values as they were given: a tuple, since a list may change.
    given: Option<Bound<'py, PyTuple>>,
    /// The types that were given with them.
    types: Option<Bound<'py, PyTuple>>,
    values: SmallVec<[Value; 24]>,
    addresses: SmallVec<[u64; 24]>,
    #[allow(
        clippy::vec_box,
        reason = "an exporter may know where its buffer's description is"
    )]
    buffers: Vec<Box<ffi::Py_buffer>>,
    held: Vec<Bound<'py, PyAny>>,
}

impl Drop for KernelValues<'_> {
    fn drop(&mut self) {
        for buffer in &mut self.buffers {
            // SAFETY: it was got, and is released once; the GIL is held.
            unsafe { ffi::PyBuffer_Release(&raw mut **buffer) }
        }
    }
}

impl<'py> KernelValues<'py> {
    /// Takes parameters that are given as a list or tuple; `false` for everything else, which C takes as it is.
    ///
    /// `convert` is `(value, type, function, index) -> (address, object that has to live until the launch, size or 0)`,
    /// for values that are not of the usual types.
    pub fn put(
        &mut self,
        name: ParamsName<'_>,
        convert: &Py<PyAny>,
        given: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
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
            return Err(PyValueError::new_err(name.all(format_args!(
                "expected a type for each of {count} values, got {} types",
                types.len()
            ))));
        }
        let values = self.given.insert(values).clone();
        self.values.resize(count, Value::default());
        let ctypes = ctypes(given.py())?;
        for index in 0..count {
            let value = values.get_borrowed_item(index)?;
            let class = match &types {
                Some(types) => Some(types.get_borrowed_item(index)?),
                None => None,
            };
            let class = class.as_deref().filter(|class| !class.is_none());
            let known = match class {
                Some(class) => self.typed(name, ctypes, index, &value, class)?,
                None => self.untyped(name, ctypes, index, &value)?,
            };
            if !known {
                let function = name.function.to_str().unwrap_or_default();
                let found = convert
                    .bind(given.py())
                    .call1((&*value, class, function, index))?;
                let (at, held, size) = found.extract::<(u64, Bound<'py, PyAny>, usize)>()?;
                self.held.push(held);
                // A value of a usual type is read here, as those are that needed no conversion.
                let mut word = 0u64;
                if self.values[index].number.is_some() && is_address(at) && size <= 8 {
                    // SAFETY: `size` bytes at `at`, in the object that `held` keeps.
                    unsafe {
                        (&raw mut word)
                            .cast::<u8>()
                            .copy_from_nonoverlapping(at as *const u8, size);
                    }
                }
                let Value { count, number, .. } = self.values[index];
                self.values[index] = Value {
                    word,
                    at,
                    size,
                    count,
                    number: number.filter(|_| size != 0),
                };
            }
        }
        self.types = types;
        Ok(true)
    }

    /// Makes these the arguments of a kernel: integers become as large as their parameters. The error says why that
    /// cannot be.
    pub fn fit(&mut self, name: ParamsName<'_>, parameters: &Parameters) -> Result<(), String> {
        if self.values.len() != parameters.len() {
            return Err(name.all(parameters.count_error(self.values.len())));
        }
        for (index, (slot, _)) in parameters.slots().iter().enumerate() {
            let one = One {
                values: self,
                index,
            };
            match slot.accept(&one) {
                Ok(Passed::AsIs) => {}
                Ok(Passed::Word(word)) => {
                    let value = &mut self.values[index];
                    value.word = word;
                    value.at = 0;
                }
                Err((refusal, number)) => {
                    let shown = match number {
                        Some(number) => number.to_string(),
                        None => self.shown(index),
                    };
                    return Err(name.at(index, parameters.refused(index, refusal, &shown)));
                }
            }
        }
        Ok(())
    }

    /// A value as it was given, and its class: that of the ctypes type that was given with it, or its own.
    fn given(&self, index: usize) -> Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let value = self.given.as_ref()?.get_item(index).ok()?;
        let types = self.types.as_ref();
        let class = types.and_then(|types| types.get_item(index).ok());
        let class = class.filter(|class| !class.is_none());
        let class = class.unwrap_or_else(|| value.get_type().into_any());
        Some((value, class))
    }

    /// The class of a value, for messages.
    fn shown(&self, index: usize) -> String {
        let class = self.given(index).map(|(_, class)| class);
        let class = class.and_then(|class| class.cast_into::<PyType>().ok());
        class.map_or_else(|| "a value".into(), |class| class_name(&class))
    }

    /// The address of the values' addresses, which are good as long as this is not moved; 0 if there are none.
    pub fn address(&mut self) -> u64 {
        self.addresses.resize(self.values.len(), 0);
        for (address, value) in self.addresses.iter_mut().zip(&self.values) {
            *address = match value.at {
                0 => &raw const value.word as u64,
                at => at,
            };
        }
        match self.addresses.is_empty() {
            true => 0,
            false => self.addresses.as_ptr() as u64,
        }
    }

    /// Puts a value as its ctypes type has it. False if the type is none of the usual ones.
    fn typed(
        &mut self,
        name: ParamsName<'_>,
        ctypes: &CTypes,
        index: usize,
        value: &Bound<'py, PyAny>,
        class: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
        let Some((number, size)) = ctypes.find(class.as_ptr().cast()) else {
            return Ok(false);
        };
        let target = &mut self.values[index];
        target.size = size;
        target.number = Some(number);
        let object = value.as_ptr();
        // SAFETY: live objects, whose classes are compared before they are read as ints or floats.
        unsafe {
            let given = ffi::Py_TYPE(object);
            if given == class.as_ptr().cast() {
                return self.bytes(index, value);
            }
            Ok(match number {
                Number::Integer { .. } | Number::Address if ffi::PyLong_Check(object) != 0 => {
                    let word = whole(value).filter(|&word| {
                        let bits = 8 * size as u32;
                        word >= -(1 << (bits - 1)) && word < 1 << bits
                    });
                    let Some(word) = word else {
                        let class = class.getattr("__name__")?;
                        let text = format!(
                            "expected a number of {} bits for ctypes.{class}, got {value}",
                            8 * size
                        );
                        return Err(PyOverflowError::new_err(name.at(index, text)));
                    };
                    target.set(word as u64)
                }
                Number::Address => table(value.py())
                    .plain_handle(value)
                    .is_some_and(|value| target.set(value)),
                Number::F32 | Number::F64 if ffi::PyFloat_Check(object) != 0 => {
                    let float = ffi::PyFloat_AsDouble(object);
                    target.set(match number {
                        Number::F32 => u64::from((float as f32).to_bits()),
                        _ => float.to_bits(),
                    })
                }
                Number::Bool if given == &raw mut ffi::PyBool_Type => {
                    target.set(u64::from(object == ffi::Py_True()))
                }
                _ => false,
            })
        }
    }

    /// Puts a value that says its type itself. False if the type is none of the usual ones.
    fn untyped(
        &mut self,
        name: ParamsName<'_>,
        ctypes: &CTypes,
        index: usize,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<bool> {
        let object = value.as_ptr();
        // SAFETY: a live object.
        let given = unsafe { ffi::Py_TYPE(object) };
        if given == &raw mut ffi::PyLong_Type {
            let Some(word) = whole(value) else {
                let text = format!("expected an integer of 64 bits, got {value}");
                return Err(PyOverflowError::new_err(name.at(index, text)));
            };
            return Ok(self.values[index].set(word as u64));
        }
        if let Some((number, _)) = ctypes.find(given) {
            self.values[index].number = Some(number);
            return self.bytes(index, value);
        }
        if let Some(Location { address, size }) = table(value.py()).location(value)? {
            self.values[index] = Value {
                at: address,
                size,
                ..Value::default()
            };
            return Ok(true);
        }
        let py = value.py();
        if let Some(method) = value.getattr_opt(pyo3::intern!(py, "getPtr"))? {
            let at: u64 = method.call0()?.extract()?;
            if !is_address(at) {
                let text = format!("getPtr() must return the value's address, got {at}");
                return Err(PyTypeError::new_err(name.at(index, text)));
            }
            self.values[index].at = at;
            return Ok(true);
        }
        if value.is_instance(ctypes.data.bind(py))? {
            return self.bytes(index, value);
        }
        if value.hasattr(pyo3::intern!(py, "dtype"))? {
            // SAFETY: a live class, of which a slot is asked. NumPy's numbers have none, its arrays and records do.
            if !unsafe { ffi::PyType_GetSlot(given, ffi::Py_mp_ass_subscript) }.is_null() {
                self.values[index].count = count_of(name, index, value)?;
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
                // Other arrays are converted by Python code.
                drop(PyErr::take(value.py()));
                return Ok(false);
            }
            let small = buffer.assume_init_mut();
            let length = small.len as usize;
            self.values[index].size = length;
            if length <= 8 {
                let word = (&raw mut self.values[index].word).cast::<u8>();
                word.copy_from_nonoverlapping(small.buf.cast(), length);
                ffi::PyBuffer_Release(small);
                return Ok(true);
            }
            ffi::PyBuffer_Release(small);
            let mut large = Box::new(MaybeUninit::<ffi::Py_buffer>::zeroed().assume_init());
            if ffi::PyObject_GetBuffer(object, &raw mut *large, ffi::PyBUF_SIMPLE) != 0 {
                return Err(PyErr::fetch(value.py()));
            }
            self.values[index].at = large.buf as u64;
            self.buffers.push(large);
            Ok(true)
        }
    }
}

/// One of the values, as the rule asks about it.
struct One<'a, 'py> {
    values: &'a KernelValues<'py>,
    index: usize,
}

impl One<'_, '_> {
    fn value(&self) -> &Value {
        &self.values.values[self.index]
    }

    /// True if the value was given as an `int`, and no type with it.
    fn is_int(&self) -> bool {
        let given = self.values.given.as_ref();
        let value = given.and_then(|given| given.get_borrowed_item(self.index).ok());
        value.is_some_and(|value| value.is_instance_of::<PyInt>())
    }
}

impl CValue for One<'_, '_> {
    #[inline]
    fn size(&self) -> CSize {
        match self.value().size {
            0 if self.is_int() => CSize::AnyInteger,
            0 => CSize::Unknown,
            size => CSize::Known(size),
        }
    }

    #[inline]
    fn count(&self) -> CCount {
        self.value().count
    }

    fn is_integer(&self) -> bool {
        if self.value().size == 0 {
            return self.is_int();
        }
        if let Some(number) = self.value().number {
            return !matches!(number, Number::F32 | Number::F64);
        }
        let given = self.values.given.as_ref();
        let value = given.and_then(|given| given.get_borrowed_item(self.index).ok());
        value.is_some_and(|value| {
            // SAFETY: a live object.
            let indexes = unsafe { ffi::PyIndex_Check(value.as_ptr()) } != 0;
            indexes && self.integer().is_some()
        })
    }

    fn integer(&self) -> Option<i128> {
        let Value {
            size, word, number, ..
        } = *self.value();
        if let (Some(number), 1..) = (number, size) {
            let shift = 64 - 8 * size.clamp(1, 8) as u32;
            return match number {
                Number::Integer { signed: true } => Some(((word << shift) as i64 >> shift).into()),
                Number::Integer { .. } | Number::Address | Number::Bool => {
                    Some((word << shift >> shift).into())
                }
                Number::F32 | Number::F64 => None,
            };
        }
        let value = self.values.given.as_ref()?.get_item(self.index).ok()?;
        if size == 0 {
            return value.extract().ok();
        }
        let py = value.py();
        let found = value.call_method0(pyo3::intern!(py, "item"));
        let found = found.ok().filter(|found| found.is_instance_of::<PyInt>())?;
        found.extract().ok()
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

/// The number of elements of an array or a record. Raises TypeError for the order of bytes that no CUDA device has.
fn count_of(name: ParamsName<'_>, index: usize, value: &Bound<'_, PyAny>) -> PyResult<CCount> {
    let dtype = value.getattr("dtype")?;
    // Other libraries' types need not say it.
    if let Some(native) = dtype.getattr_opt("isnative")?
        && !native.is_truthy()?
    {
        let text = format!(
            "expected little-endian bytes as on the device, got big-endian ({dtype}); \
             convert it: value.astype(value.dtype.newbyteorder('<'))"
        );
        return Err(PyTypeError::new_err(name.at(index, text)));
    }
    let Some(axes) = value.getattr_opt("ndim")? else {
        return Ok(CCount::One);
    };
    if axes.extract::<usize>().unwrap_or(0) == 0 {
        return Ok(CCount::One);
    }
    if value.len()? != 1 || axes.extract::<usize>()? != 1 {
        return Ok(CCount::Array);
    }
    let kind = dtype.getattr_opt("kind")?;
    let kind = kind.and_then(|kind| kind.extract::<char>().ok());
    Ok(match kind {
        Some('i' | 'u') => CCount::ArrayOfOneInteger,
        // A record is one value, whatever its fields.
        Some('V') => CCount::One,
        _ => CCount::ArrayOfOne,
    })
}

/// The kind of number that a ctypes type has.
#[derive(Clone, Copy)]
enum Number {
    Integer {
        signed: bool,
    },
    /// An integer of 64 bits that may be an address.
    Address,
    F32,
    F64,
    Bool,
}

/// The types of ctypes that are numbers.
struct CTypes {
    simple: Vec<(*mut ffi::PyTypeObject, (Number, usize))>,
    /// The class that all of ctypes' classes descend from.
    data: Py<PyAny>,
}

// SAFETY: the types are only compared by address, and `into_ptr` has kept a reference to each, so none is freed.
unsafe impl Send for CTypes {}
// SAFETY: nothing here changes after it was made.
unsafe impl Sync for CTypes {}

impl CTypes {
    #[inline]
    fn find(&self, class: *mut ffi::PyTypeObject) -> Option<(Number, usize)> {
        let found = self.simple.iter().find(|(known, _)| *known == class);
        found.map(|(_, number)| *number)
    }
}

fn ctypes(py: Python<'_>) -> PyResult<&'static CTypes> {
    static CTYPES: PyOnceLock<CTypes> = PyOnceLock::new();
    CTYPES.get_or_try_init(py, || {
        let ctypes = py.import("ctypes")?;
        // Some of these names are of the same type.
        let simple = [
            ("c_void_p", Number::Address),
            ("c_int", Number::Integer { signed: true }),
            ("c_float", Number::F32),
            ("c_uint", Number::Integer { signed: false }),
            ("c_ulong", Number::Address),
            ("c_long", Number::Integer { signed: true }),
            ("c_double", Number::F64),
            ("c_bool", Number::Bool),
            ("c_short", Number::Integer { signed: true }),
            ("c_ushort", Number::Integer { signed: false }),
            ("c_byte", Number::Integer { signed: true }),
            ("c_ubyte", Number::Integer { signed: false }),
            ("c_longlong", Number::Integer { signed: true }),
            ("c_ulonglong", Number::Address),
        ];
        let simple = simple.into_iter().map(|(name, number)| {
            let class = ctypes.getattr(name)?;
            let size = ctypes.call_method1("sizeof", (&class,))?.extract()?;
            Ok((class.into_ptr().cast(), (number, size)))
        });
        Ok(CTypes {
            simple: simple.collect::<PyResult<_>>()?,
            data: ctypes.getattr("Structure")?.getattr("__base__")?.unbind(),
        })
    })
}
