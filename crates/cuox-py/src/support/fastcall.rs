//! Functions that the interpreter calls as they are: no tuple, no dict and no general reading of arguments in between.
//! For the calls whose cost is measured in tens of nanoseconds; all others are pyo3's. `methods` lists them.

use std::any::Any;
use std::cell::Cell;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cuox_interpreter::gate;
use cuox_interpreter::guard::panic_text;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use pyo3::{PyClass, ffi};

/// A text that ends in a zero byte.
#[allow(
    clippy::panic,
    reason = "used in constants only: evaluated when the crate is compiled"
)]
pub const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("no zero byte at the end, or one before it"),
    }
}

/// A PyMethodDef that lives as long as the process.
pub struct Definition(ffi::PyMethodDef);

// SAFETY: it holds pointers to constants.
unsafe impl Sync for Definition {}

impl Definition {
    /// A function of positional arguments.
    pub const fn positional(
        name: &'static CStr,
        call: ffi::PyCFunctionFast,
        doc: &'static CStr,
    ) -> Self {
        Self(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFast: call,
            },
            ml_flags: ffi::METH_FASTCALL,
            ml_doc: doc.as_ptr(),
        })
    }

    /// A function that takes keywords too. The text begins with the signature, as `inspect` reads it.
    pub const fn keywords(
        name: &'static CStr,
        call: ffi::PyCFunctionFastWithKeywords,
        doc: &'static CStr,
    ) -> Self {
        Self(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer {
                PyCFunctionFastWithKeywords: call,
            },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: doc.as_ptr(),
        })
    }

    fn raw(&'static self) -> *mut ffi::PyMethodDef {
        (&raw const self.0).cast_mut()
    }

    fn name(&self) -> &'static CStr {
        // SAFETY: both constructors took it from a `&'static CStr`.
        unsafe { CStr::from_ptr(self.0.ml_name) }
    }

    /// Adds it to a module, as a function.
    pub fn add_to_module(&'static self, module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        let name = module.name()?;
        // SAFETY: the definition is static; the interpreter only reads it.
        let function = unsafe {
            Bound::from_owned_ptr_or_err(
                py,
                ffi::PyCFunction_NewEx(self.raw(), module.as_ptr(), name.as_ptr()),
            )
        }?;
        module.add(PyString::new(py, &self.name().to_string_lossy()), function)
    }

    /// Adds it to a class, as a method.
    pub fn add_to_class<C: PyClass>(&'static self, py: Python<'_>) -> PyResult<()> {
        let class: Bound<'_, PyType> = py.get_type::<C>();
        // SAFETY: the definition lives as long as the process; the descriptor checks the class of the object that it
        // is called with.
        let method = unsafe {
            Bound::from_owned_ptr_or_err(
                py,
                ffi::PyDescr_NewMethod(class.as_type_ptr(), self.raw()),
            )
        }?;
        class.setattr(PyString::new(py, &self.name().to_string_lossy()), method)
    }
}

/// The parameters of a method.
pub struct Signature<const N: usize> {
    method: &'static str,
    names: [&'static str; N],
    /// The numbers of parameters that may be given by position, and by position only.
    by_position: usize,
    position_only: usize,
    /// The number of parameters without a default.
    required: usize,
}

/// The names that a signature was called with last.
pub struct Names<const N: usize> {
    /// The parameters' names as Python's own strings.
    interned: PyOnceLock<[Py<PyString>; N]>,
    /// The names of the last call with keywords, held so that no other tuple comes to lie there, and how many values
    /// came by position. A call in a program's text has the same tuple each time.
    last: Cell<(*mut ffi::PyObject, usize)>,
    /// The index of each parameter among that call's values; `LEFT_OUT` if it has none.
    places: Cell<[usize; N]>,
}

/// The place of a parameter that is not given.
const LEFT_OUT: usize = usize::MAX;

// SAFETY: the cells are used with the GIL held only.
unsafe impl<const N: usize> Sync for Names<N> {}

impl<const N: usize> Names<N> {
    pub const fn new() -> Self {
        Self {
            interned: PyOnceLock::new(),
            last: Cell::new((std::ptr::null_mut(), 0)),
            places: Cell::new([LEFT_OUT; N]),
        }
    }

    /// Keeps where the parameters of a call are. To let go of the last call's names may run Python code, which comes
    /// back here: so that is done at the end, and the caller goes by its own places.
    ///
    /// # Safety
    /// A live tuple; the GIL is held.
    unsafe fn keep(&self, keywords: *mut ffi::PyObject, count: usize, places: [usize; N]) {
        // SAFETY: the caller vouches for a live tuple and the GIL; the reference to the old tuple was this object's
        // own.
        unsafe {
            ffi::Py_INCREF(keywords);
            self.places.set(places);
            let (old, _) = self.last.replace((keywords, count));
            ffi::Py_XDECREF(old);
        }
    }
}

/// The number of parameters that a text like `size, *, stream=None` names.
pub const fn count(parameters: &str) -> usize {
    let mut rest = parameters;
    let mut count = 0;
    while !rest.is_empty() {
        let (word, behind) = next(rest);
        if !matches!(word.as_bytes(), b"*" | b"/") {
            count += 1;
        }
        rest = behind;
    }
    count
}

/// The text up to a comma without blanks around it, and what is behind the comma.
const fn next(text: &str) -> (&str, &str) {
    let (word, behind) = before(text, b',');
    (word.trim_ascii(), behind.trim_ascii())
}

/// The text on either side of the first `mark`.
const fn before(text: &str, mark: u8) -> (&str, &str) {
    let mut i = 0;
    while i < text.len() {
        if text.as_bytes()[i] == mark {
            let (word, behind) = text.split_at(i);
            return (word, behind.split_at(1).1);
        }
        i += 1;
    }
    (text, "")
}

/// The arguments of a method; those that were left out are `None`.
pub type Arguments<'a, 'py, const N: usize> = [Option<&'a Bound<'py, PyAny>>; N];

impl<const N: usize> Signature<N> {
    /// Reads the parameters as Python writes them: what stands before `/` is given by position only, what stands
    /// behind `*` by keyword only, and what has `=None` may be left out.
    pub const fn new(method: &'static str, parameters: &'static str) -> Self {
        let mut read = Self {
            method,
            names: [""; N],
            by_position: N,
            position_only: 0,
            required: 0,
        };
        let mut rest = parameters;
        let mut i = 0;
        while !rest.is_empty() {
            let (word, behind) = next(rest);
            match word.as_bytes() {
                b"*" => read.by_position = i,
                b"/" => read.position_only = i,
                _ => {
                    let (name, default) = before(word, b'=');
                    read.names[i] = name.trim_ascii();
                    if default.is_empty() {
                        assert!(read.required == i, "a default comes before");
                        read.required += 1;
                    }
                    i += 1;
                }
            }
            rest = behind;
        }
        assert!(i == N, "another number of parameters");
        read
    }

    /// # Safety
    /// The three are what the interpreter calls a function of this kind with.
    #[inline(always)]
    unsafe fn read<'a, 'py>(
        &self,
        names: &Names<N>,
        py: Python<'py>,
        arguments: *const *mut ffi::PyObject,
        count: usize,
        keywords: *mut ffi::PyObject,
    ) -> PyResult<Arguments<'a, 'py, N>> {
        let mut read = [None; N];
        if keywords.is_null() {
            if count < self.required || count > self.by_position {
                return Err(self.miscounted(count));
            }
            for (i, value) in read.iter_mut().enumerate() {
                if i < count {
                    // SAFETY: `count` references, which outlive the call.
                    *value = Some(unsafe { Bound::ref_from_ptr(py, &*arguments.add(i)) });
                }
            }
            return Ok(read);
        }
        let places = if names.last.get() == (keywords, count) {
            names.places.get()
        } else {
            // SAFETY: the caller vouches for the tuple of names and as many values behind the positional ones.
            unsafe { self.learn(names, py, count, keywords) }?
        };
        for (value, place) in read.iter_mut().zip(places) {
            if place != LEFT_OUT {
                // SAFETY: the place was found for these names and this count, so it is one of the values.
                *value = Some(unsafe { Bound::ref_from_ptr(py, &*arguments.add(place)) });
            }
        }
        Ok(read)
    }

    /// Finds out where each parameter's value is in calls with these names.
    ///
    /// # Safety
    /// A tuple of strings; `count` values come by position.
    #[cold]
    unsafe fn learn(
        &self,
        names: &Names<N>,
        py: Python<'_>,
        count: usize,
        keywords: *mut ffi::PyObject,
    ) -> PyResult<[usize; N]> {
        if count > self.by_position {
            return Err(self.miscounted(count));
        }
        let mut places: [usize; N] = std::array::from_fn(|i| if i < count { i } else { LEFT_OUT });
        // SAFETY: the caller vouches for a live tuple of names, and as many values behind the positional ones.
        unsafe {
            for i in 0..ffi::PyTuple_Size(keywords) as usize {
                let name = ffi::PyTuple_GetItem(keywords, i as ffi::Py_ssize_t);
                let place = self.place(names, Bound::ref_from_ptr(py, &name))?;
                if std::mem::replace(&mut places[place], count + i) != LEFT_OUT {
                    return Err(self.twice(place));
                }
            }
        }
        if let Some(i) = places[..self.required]
            .iter()
            .position(|at| *at == LEFT_OUT)
        {
            return Err(self.missing(i));
        }
        // SAFETY: the tuple of names lives, as the caller vouches, and the token proves the GIL.
        unsafe { names.keep(keywords, count, places) };
        Ok(places)
    }

    /// Which parameter a keyword names.
    fn place(&self, names: &Names<N>, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        let py = name.py();
        let interned = names.interned.get_or_init(py, || {
            self.names.map(|name| PyString::intern(py, name).unbind())
        });
        // Names in a program's text are interned: one object each.
        for (i, known) in interned.iter().enumerate().skip(self.position_only) {
            if known.as_ptr() == name.as_ptr() {
                return Ok(i);
            }
        }
        self.place_by_text(name)
    }

    fn place_by_text(&self, name: &Bound<'_, PyAny>) -> PyResult<usize> {
        let text: String = name.extract()?;
        let known = self.names.iter().skip(self.position_only);
        match known.clone().position(|known| *known == text) {
            Some(i) => Ok(i + self.position_only),
            None => Err(PyTypeError::new_err(format!(
                "{}() got an unexpected keyword argument '{text}'",
                self.method
            ))),
        }
    }

    /// The error of so many values by position, which are too many or, with no keywords, too few.
    #[cold]
    fn miscounted(&self, count: usize) -> PyErr {
        if count < self.required {
            return self.missing(count);
        }
        PyTypeError::new_err(format!(
            "{}() takes at most {} positional argument{} ({count} given)",
            self.method,
            self.by_position,
            if self.by_position == 1 { "" } else { "s" }
        ))
    }

    #[cold]
    fn twice(&self, place: usize) -> PyErr {
        PyTypeError::new_err(format!(
            "{}() got multiple values for argument '{}'",
            self.method, self.names[place]
        ))
    }

    #[cold]
    fn missing(&self, place: usize) -> PyErr {
        PyTypeError::new_err(format!(
            "{}() missing required argument: '{}'",
            self.method, self.names[place]
        ))
    }

    /// The body of an entry: reads the arguments and calls `method`, whose exception or panic becomes Python's.
    ///
    /// # Safety
    /// Called by the interpreter, with the GIL held, as a method of class `C`.
    #[inline(always)]
    pub unsafe fn call<C: PyClass>(
        &self,
        names: &Names<N>,
        (this, arguments, count, keywords): Call,
        method: impl for<'a, 'py> FnOnce(
            &'a Bound<'py, C>,
            Arguments<'a, 'py, N>,
        ) -> PyResult<Bound<'py, PyAny>>,
    ) -> *mut ffi::PyObject {
        // SAFETY: the interpreter passes live arguments with the GIL held; the descriptor has checked that `this` is
        // a `C`.
        unsafe {
            enter(self.method, |py| {
                let this = Bound::ref_from_ptr(py, &this).cast_unchecked::<C>();
                let arguments = self.read(names, py, arguments, count as usize, keywords)?;
                method(this, arguments)
            })
        }
    }
}

/// The arguments of the interpreter's call of a method: the object, the values, the number of those given by position,
/// and the names of the others.
pub type Call = (
    *mut ffi::PyObject,
    *const *mut ffi::PyObject,
    ffi::Py_ssize_t,
    *mut ffi::PyObject,
);

/// Runs what the interpreter has called, and gives its result the way the interpreter takes it.
///
/// # Safety
/// The GIL is held.
#[inline(always)]
pub unsafe fn enter<'py>(
    what: &str,
    body: impl FnOnce(Python<'py>) -> PyResult<Bound<'py, PyAny>>,
) -> *mut ffi::PyObject {
    // SAFETY: the interpreter calls with the GIL held, as the caller vouches.
    let py = unsafe { Python::assume_attached() };
    let run = || match gate::hang_if_thread_exits(|| body(py)) {
        Ok(value) => value.into_ptr(),
        Err(error) => raise(py, error),
    };
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(value) => value,
        Err(panic) => raise(py, panicked(what, &*panic)),
    }
}

#[cold]
fn raise(py: Python<'_>, error: PyErr) -> *mut ffi::PyObject {
    error.restore(py);
    std::ptr::null_mut()
}

#[cold]
fn panicked(what: &str, panic: &(dyn Any + Send)) -> PyErr {
    PyRuntimeError::new_err(format!(
        "cuox: internal error in {what}: {}",
        panic_text(panic)
    ))
}

/// `None`, as a method returns it.
#[inline]
pub fn none(py: Python<'_>) -> Bound<'_, PyAny> {
    py.None().into_bound(py)
}
