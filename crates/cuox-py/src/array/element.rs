//! The types of elements: a `numpy.dtype`, with all that a launch and a copy want to know of it.

use std::sync::{Mutex, PoisonError};

use cuox::launch::Dtype;
use cuox_interpreter::dlpack::DataType;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyType};

use crate::array::numpy::Numpy;
use crate::support::closable::Counted;
use crate::support::pool::Reference;

/// The type of an array's elements.
pub struct Element {
    pub dtype: Reference<PyAny>,
    /// Bytes of an element.
    pub size: usize,
    /// The type as launches compare it.
    pub launched: Option<Dtype>,
    /// The dimensions that a subarray type such as `(3,)f4` adds to a shape.
    pub inner: Vec<usize>,
}

/// Types that were asked for, by the objects that named them. These are held, so that no others come to lie there.
static KNOWN: Mutex<Known> = Mutex::new(Known {
    entries: Vec::new(),
    next: 0,
});

struct Known {
    entries: Vec<(Reference<PyAny>, Counted<Element>)>,
    /// The entry that is overwritten next, when all are in use.
    next: usize,
}

const MOST_KNOWN: usize = 32;

/// True if an object means the same type for ever.
fn is_constant(numpy: &Numpy, object: &Bound<'_, PyAny>) -> bool {
    if numpy.is_dtype(object) || object.is_exact_instance_of::<PyString>() {
        return true;
    }
    match object.cast::<PyType>() {
        // SAFETY: a live class. A class of an extension cannot be changed.
        Ok(class) => unsafe {
            ffi::PyType_GetFlags(class.as_type_ptr()) & ffi::Py_TPFLAGS_HEAPTYPE == 0
        },
        Err(_) => false,
    }
}

fn known(py: Python<'_>, object: &Bound<'_, PyAny>) -> Option<Counted<Element>> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let found = known
        .entries
        .iter()
        .find(|(key, _)| key.as_ptr() == object.as_ptr());
    found.map(|(_, element)| element.share(py))
}

fn remember(object: &Bound<'_, PyAny>, element: &Counted<Element>) {
    let entry = (Reference::from(object.clone()), element.share(object.py()));
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let old = if known.entries.len() < MOST_KNOWN {
        known.entries.push(entry);
        None
    } else {
        let place = known.next;
        known.next = (place + 1) % MOST_KNOWN;
        Some(std::mem::replace(&mut known.entries[place], entry))
    };
    // To let go of an object may run Python code, which comes back here.
    drop(known);
    drop(old);
}

impl Element {
    /// The type that `object` names, as `numpy.dtype` reads it; float64 for None.
    #[inline]
    pub fn of(py: Python<'_>, object: Option<&Bound<'_, PyAny>>) -> PyResult<Counted<Self>> {
        let default;
        let object = match object {
            Some(object) if !object.is_none() => object,
            _ => {
                // `float` is the type that NumPy means by None.
                default = py.get_type::<pyo3::types::PyFloat>().into_any();
                &default
            }
        };
        match known(py, object) {
            Some(element) => Ok(element),
            None => Self::read(object),
        }
    }

    #[cold]
    fn read(object: &Bound<'_, PyAny>) -> PyResult<Counted<Self>> {
        let py = object.py();
        let numpy = Numpy::get(py)?;
        let dtype = numpy.dtype(object)?;
        if dtype.getattr(intern!(py, "hasobject"))?.is_truthy()? {
            return Err(PyTypeError::new_err(format!(
                "dtype {dtype}: its elements are references to Python objects, which a device cannot follow"
            )));
        }
        let mut inner = Vec::new();
        let mut item = dtype;
        let subdtype = item.getattr(intern!(py, "subdtype"))?;
        if !subdtype.is_none() {
            let (base, shape): (Bound<'_, PyAny>, Vec<usize>) = subdtype.extract()?;
            (item, inner) = (base, shape);
        }
        let element = Counted::new(Self {
            size: item.getattr(intern!(py, "itemsize"))?.extract()?,
            launched: launched(&item)?,
            dtype: item.into(),
            inner,
        });
        if is_constant(numpy, object) {
            remember(object, &element);
        }
        Ok(element)
    }

    /// True if two types are the same.
    pub fn is(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        if self.dtype.as_ptr() == other.dtype.as_ptr() {
            return Ok(true);
        }
        self.dtype.bind(py).eq(other.dtype.bind(py))
    }

    /// The type as DLPack says it.
    pub fn dlpack(&self, py: Python<'_>) -> PyResult<DataType> {
        let dtype = self.dtype.bind(py);
        let no = || {
            PyBufferError::new_err(format!(
                "Unsupported dtype for DLPack export: DLPack has no type for elements of {}; export a view of integers or \
                 bytes: view(dtype=...)",
                shown(dtype)
            ))
        };
        if !dtype.getattr(intern!(py, "fields"))?.is_none() {
            return Err(PyBufferError::new_err(format!(
                "Structured dtypes are not supported for DLPack export: DLPack has no type for elements of {}",
                shown(dtype)
            )));
        }
        if !dtype.getattr(intern!(py, "isnative"))?.is_truthy()? {
            return Err(PyBufferError::new_err(format!(
                "Non-native-endian dtypes are not supported for DLPack export: DLPack has no type for elements of {}",
                shown(dtype)
            )));
        }
        let kind: char = dtype.getattr(intern!(py, "kind"))?.extract()?;
        let code = match kind {
            'i' => 0,
            'u' => 1,
            'f' => 2,
            'c' => 5,
            'b' => 6,
            'V' => extension(dtype)?.ok_or_else(no)?,
            _ => return Err(no()),
        };
        let bits = u8::try_from(self.size * 8).map_err(|_| no())?;
        Ok(DataType {
            code,
            bits,
            lanes: 1,
        })
    }

    /// The type that DLPack means.
    pub fn of_dlpack(py: Python<'_>, dtype: DataType) -> PyResult<Counted<Self>> {
        let bytes = dtype.bits / 8;
        let no = || {
            PyBufferError::new_err(format!(
                "NumPy has no type for DLPack's type {} of {} bits in {} lanes",
                dtype.code, dtype.bits, dtype.lanes
            ))
        };
        if dtype.lanes != 1 || !dtype.bits.is_multiple_of(8) || bytes == 0 {
            return Err(no());
        }
        let name = match dtype.code {
            0 => format!("i{bytes}"),
            1 => format!("u{bytes}"),
            2 => format!("f{bytes}"),
            5 => format!("c{bytes}"),
            6 => "?".to_owned(),
            code => {
                let found = EXTENSIONS.iter().find(|(number, ..)| *number == code);
                let (_, name, size) = found.ok_or_else(no)?;
                if *size != bytes {
                    return Err(no());
                }
                let types = py.import("ml_dtypes").map_err(|_| {
                    PyBufferError::new_err(format!(
                        "NumPy alone has no type for elements of {name}: pip install ml_dtypes, or import a view of integers"
                    ))
                })?;
                return Self::of(py, Some(&types.getattr(*name)?));
            }
        };
        Self::of(py, Some(PyString::intern(py, &name).as_any())).map_err(|error| match error
            .is_instance_of::<PyTypeError>(
            py,
        ) {
            true => no(),
            false => error,
        })
    }
}

/// Types of `ml_dtypes` by their numbers in DLPack, with their sizes in bytes.
const EXTENSIONS: &[(u8, &str, u8)] = &[
    (4, "bfloat16", 2),
    (7, "float8_e3m4", 1),
    (8, "float8_e4m3", 1),
    (9, "float8_e4m3b11fnuz", 1),
    (10, "float8_e4m3fn", 1),
    (11, "float8_e4m3fnuz", 1),
    (12, "float8_e5m2", 1),
    (13, "float8_e5m2fnuz", 1),
    (14, "float8_e8m0fnu", 1),
];

/// The number in DLPack of a type that another package has added to NumPy.
fn extension(dtype: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
    let py = dtype.py();
    // NumPy's own raw bytes and structures are numpy.void.
    let class = dtype.getattr(intern!(py, "type"))?;
    if class.getattr(intern!(py, "__module__"))?.eq("numpy")? {
        return Ok(None);
    }
    let name: String = dtype.getattr(intern!(py, "name"))?.extract()?;
    let found = EXTENSIONS.iter().find(|(_, known, _)| *known == name);
    Ok(found.map(|(code, ..)| *code))
}

fn launched(dtype: &Bound<'_, PyAny>) -> PyResult<Option<Dtype>> {
    let py = dtype.py();
    let text: String = dtype.getattr(intern!(py, "str"))?.extract()?;
    let kind: char = dtype.getattr(intern!(py, "kind"))?.extract()?;
    if kind == 'V' && extension(dtype)? == Some(4) {
        return Ok(Some(Dtype::of_dlpack(4, 16)));
    }
    Ok(Dtype::of_typestr(&text))
}

/// A type by its name, as NumPy's own messages have it.
pub fn shown(dtype: &Bound<'_, PyAny>) -> String {
    dtype
        .str()
        .map_or_else(|_| "?".to_owned(), |text| text.to_string())
}

/// `order="C"` and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderArgument {
    C,
    F,
    /// Fortran's if the array has it.
    A,
    /// The array's own.
    K,
}

impl OrderArgument {
    /// Reads an argument; `allowed` are the letters that the function takes.
    pub fn of(given: Option<&Bound<'_, PyAny>>, default: Self, allowed: &str) -> PyResult<Self> {
        let Some(given) = given.filter(|given| !given.is_none()) else {
            return Ok(default);
        };
        let text = crate::support::plain_args::text("order", given)?;
        let letter = match text.as_str() {
            "C" | "c" => Some((Self::C, 'C')),
            "F" | "f" => Some((Self::F, 'F')),
            "A" | "a" => Some((Self::A, 'A')),
            "K" | "k" => Some((Self::K, 'K')),
            _ => None,
        };
        match letter {
            Some((order, letter)) if allowed.contains(letter) => Ok(order),
            _ => {
                let list: Vec<String> = allowed.chars().map(|c| format!("'{c}'")).collect();
                Err(PyValueError::new_err(format!(
                    "order must be one of {}, got '{text}'",
                    list.join(", ")
                )))
            }
        }
    }
}
