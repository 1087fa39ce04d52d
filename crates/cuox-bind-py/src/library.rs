//! `cuox.Library`: a shared library whose functions, classes and constants are attributes.

use std::collections::HashMap;
use std::path::PathBuf;

use cuox_call::library::{
    BoundLibrary, CallableSymbols, FieldRules, Hooks, Libraries, Refusal, Symbols,
};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyOSError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};

use crate::binding::Binding;

/// A shared library with a header.
///
/// Functions, classes, enumerations, constants and variables are attributes, each made when it is first asked for;
/// `library["name"]` gives those whose names this class has itself. A variable's attribute is its value now, and
/// assigning to it writes the variable; nothing else can be assigned to.
#[pyclass(module = "cuox_bind", frozen, dict, weakref)]
pub struct Library {
    bound: BoundLibrary,
}

#[pymethods]
impl Library {
    /// Only for `cuox_bind._internal.bind`. `libraries` is a list of paths (empty: the process itself), or a callable
    /// that gives a symbol's address; the symbols of the first `shared` of them serve libraries that are opened later.
    #[new]
    #[pyo3(signature = (binding, libraries, make_enum, make_raise, *, module = None, name = None, shared = 0, inline = None, plain = false, as_swig = false, lengths = HashMap::new(), defaults = HashMap::new()))]
    #[allow(clippy::too_many_arguments, reason = "keywords, in Python")]
    fn new(
        binding: PyRef<'_, Binding>,
        libraries: &Bound<'_, PyAny>,
        make_enum: Py<PyAny>,
        make_raise: Py<PyAny>,
        module: Option<String>,
        name: Option<String>,
        shared: usize,
        inline: Option<Py<PyAny>>,
        plain: bool,
        as_swig: bool,
        lengths: HashMap<String, String>,
        defaults: HashMap<String, i64>,
    ) -> PyResult<Self> {
        let symbols: Box<dyn Symbols> = if libraries.is_callable() {
            let searched = name.unwrap_or_else(|| "the library".into());
            Box::new(CallableSymbols {
                find: libraries.clone().unbind(),
                searched,
            })
        } else {
            let paths: Vec<PathBuf> = libraries.extract()?;
            Box::new(Libraries::open(&paths, shared).map_err(PyOSError::new_err)?)
        };
        let hooks = Hooks {
            make_enum,
            make_raise,
            inline,
        };
        let (header, plan) = (binding.header.clone(), binding.plan.clone());
        let mut bound = BoundLibrary::new(header, plan, symbols, module, hooks);
        bound.plain = plain;
        bound.as_swig = as_swig;
        bound.fields = FieldRules { lengths, defaults };
        Ok(Self { bound })
    }

    /// Only for `cuox_bind._internal.bind`: makes functions of C that are called as methods of this class are
    /// (`explain`, `address_of`) attributes that hide them.
    fn _hide_methods(slf: &Bound<'_, Self>) -> PyResult<()> {
        for method in ["explain", "address_of", "is_of"] {
            let bound = &slf.get().bound;
            if bound.item(method).is_some()
                && let Ok(Some(found)) = bound.get(slf.py(), method)
            {
                keep(slf, method, found.bind(slf.py()))?;
            }
        }
        Ok(())
    }

    /// Called for attributes that are not there yet; what is found stays.
    fn __getattr__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        match Self::get(slf, name)? {
            Some(found) => Ok(found),
            None if name == "names" => Ok(slf.get().names(slf.py())?.unbind()),
            None => Err(slf.get().missing(name)),
        }
    }

    /// The object of a name of the header, also where this class has an attribute of that name.
    fn __getitem__(slf: &Bound<'_, Self>, name: &str) -> PyResult<Py<PyAny>> {
        Self::get(slf, name)?.ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// Write a variable. Raises AttributeError for other names and for constant variables, TypeError, ValueError and
    /// OverflowError for values that do not fit.
    fn __setattr__(slf: &Bound<'_, Self>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let bound = &slf.get().bound;
        // Names of an interface file's Python code, which are the file's own.
        if bound.item(name).is_none()
            && slf.getattr("__dict__")?.cast::<PyDict>()?.contains(name)?
        {
            return keep(slf, name, value);
        }
        bound.set(py, name, value).map_err(raised)
    }

    fn __contains__(&self, name: &str) -> bool {
        self.bound.item(name).is_some()
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let own = slf.py().get_type::<Self>().as_any().dir()?;
        let mut names: Vec<String> = own.extract()?;
        names.push("names".to_owned());
        names.extend(slf.get().bound.names().into_iter().map(str::to_owned));
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    fn __repr__(&self) -> String {
        let plan = &self.bound.plan;
        format!(
            "<Library {} ({}): {} functions, {} classes, {} constants>",
            self.bound.symbols.searched(),
            self.bound.header.name,
            plan.functions.len(),
            plan.handles.len() + plan.records.len() + plan.enums.len(),
            plan.constants.len(),
        )
    }

    /// Say in words how a function is called, and why; without a name, for the whole header.
    ///
    /// Returns the text. Raises AttributeError for a name that is not in the header.
    #[pyo3(signature = (name = None))]
    fn explain(&self, name: Option<&str>) -> PyResult<String> {
        use cuox_bind::plan::explain;
        let (header, plan) = (&self.bound.header, &self.bound.plan);
        match name {
            None => Ok(explain::header(header, plan)),
            Some(name) => explain::function(header, plan, name).ok_or_else(|| self.missing(name)),
        }
    }

    /// Only for `cuox.cuda.bindings`: a function that returns, as a `kind`, what C stores through its pointer at a
    /// place.
    fn _returning(
        &self,
        py: Python<'_>,
        name: &str,
        place: usize,
        kind: &str,
    ) -> PyResult<Py<PyAny>> {
        self.bound.returning(py, name, place, kind).map_err(raised)
    }

    /// Tell whether the library was made of this header and plan.
    fn is_of(&self, binding: PyRef<'_, Binding>) -> bool {
        *self.bound.header == *binding.header && *self.bound.plan == *binding.plan
    }

    /// The names of variables.
    #[getter]
    fn _variables(&self) -> Vec<String> {
        let variables = self.bound.plan.variables.iter();
        variables.map(|(_, name)| name.clone()).collect()
    }

    /// The name in Python of a function, a variable or a record of C; the name itself if it is not bound.
    fn _python_name(&self, name: &str) -> String {
        use cuox_bind::decl::Type;
        let (header, plan) = (&self.bound.header, &self.bound.plan);
        let mut functions = plan.functions.iter();
        if let Some(found) =
            functions.find(|it| header.functions[it.function as usize].name == name)
        {
            return found.name.clone();
        }
        let mut variables = plan.variables.iter();
        if let Some((_, found)) =
            variables.find(|(at, _)| header.variables[*at as usize].name == name)
        {
            return found.clone();
        }
        let typedef = header.typedefs.iter().find(|it| it.name == name);
        let defined = typedef.and_then(|it| match header.resolve(&it.ty) {
            Type::Record(id) => Some(*id),
            _ => None,
        });
        let mut records = plan.records.iter();
        let found = records.find(|(id, _)| Some(*id) == defined || header.record(*id).name == name);
        found.map_or_else(|| name.to_owned(), |(_, python)| python.clone())
    }

    /// Return the address of a symbol of the library, whether the header has it or not; None if there is none.
    fn address_of(&self, symbol: &str) -> Option<usize> {
        self.bound.symbols.find(symbol)
    }
}

/// Makes an object an attribute, as any other class does.
fn keep(library: &Bound<'_, Library>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let name = PyString::new(library.py(), name);
    // SAFETY: live objects, with the GIL held.
    match unsafe { ffi::PyObject_GenericSetAttr(library.as_ptr(), name.as_ptr(), value.as_ptr()) } {
        0 => Ok(()),
        _ => Err(PyErr::fetch(library.py())),
    }
}

/// The exception for a name that there is nothing for.
fn raised(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Raised(error) => error,
        Refusal::Because(text) => PyAttributeError::new_err(text),
    }
}

impl Library {
    /// The names of the header that are attributes: what `names` is, unless the header has something of that name.
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, self.bound.names())?.into_any())
    }

    fn get(slf: &Bound<'_, Self>, name: &str) -> PyResult<Option<Py<PyAny>>> {
        let py = slf.py();
        let found = slf.get().bound.get(py, name).map_err(raised)?;
        if let Some(found) = &found
            && !slf.get().bound.is_variable(name)
            && !py.get_type::<Self>().hasattr(name)?
            && !slf.getattr("__dict__")?.contains(name)?
        {
            // Next time the interpreter finds it without asking, unless the class has such an attribute itself.
            keep(slf, name, found.bind(py))?;
        }
        Ok(found)
    }

    /// The error for a name that is not there: left out, or never heard of.
    fn missing(&self, name: &str) -> PyErr {
        let (header, plan) = (&self.bound.header, &self.bound.plan);
        let left_out = plan.left_out.iter().find(|(left, _)| left == name);
        let refused = header.refused.iter().find(|refused| refused.name == name);
        let typedef = header.typedefs.iter().find(|it| it.name == name);
        PyAttributeError::new_err(match (left_out, refused) {
            (Some((_, why)), _) => format!("{name} of {} is not bound: {why}", header.name),
            (None, Some(refused)) => {
                format!("{name} of {} is not bound: {}", header.name, refused.reason)
            }
            (None, None) if let Some(typedef) = typedef => format!(
                "{name} of {} is a name for {}, which has no class of its own",
                header.name,
                header.c_type(&typedef.ty)
            ),
            (None, None) => format!("{} declares no '{name}'{}", header.name, self.nearest(name)),
        })
    }

    /// A name that may have been meant.
    fn nearest(&self, name: &str) -> String {
        let lower = name.to_lowercase();
        let names = self.bound.names();
        let found = names.iter().find(|known| {
            let known = known.to_lowercase();
            known == lower || known.ends_with(&format!("_{lower}"))
        });
        found.map_or(String::new(), |found| format!("; did you mean '{found}'?"))
    }
}

/// Shared libraries without a header: the addresses of their symbols.
#[pyclass(module = "cuox_bind._native", frozen, name = "Symbols")]
pub struct SymbolTable {
    libraries: Libraries,
}

#[pymethods]
impl SymbolTable {
    /// Opens libraries by path, or by a name that the loader knows; none is the process itself. Raises OSError.
    #[new]
    #[pyo3(signature = (libraries, *, share_symbols = false))]
    fn new(libraries: Vec<PathBuf>, share_symbols: bool) -> PyResult<Self> {
        let shared = if share_symbols { libraries.len() } else { 0 };
        let libraries = Libraries::open(&libraries, shared).map_err(PyOSError::new_err)?;
        Ok(Self { libraries })
    }

    /// A symbol's address; None if there is none.
    fn find(&self, symbol: &str) -> Option<usize> {
        self.libraries.find(symbol)
    }
}

/// The class of exceptions for calls that fail, once, when `cuox_bind._internal.bind` is imported.
#[pyfunction]
pub fn _set_call_error(py: Python<'_>, class: Py<PyType>) {
    cuox_call::errors::set_call_error(py, class);
}

/// Gives a class of C values a type of its own: the attributes of the class, and of those made of it, follow its rules.
#[pyfunction]
pub fn _set_metaclass(class: &Bound<'_, PyType>, metaclass: &Bound<'_, PyType>) -> PyResult<()> {
    cuox_call::kinds::root::set_metaclass(class, metaclass)
}
