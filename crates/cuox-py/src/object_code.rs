//! `cuox.ObjectCode`.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use cuox::driver::sys::CUmodule;
use cuox::{CodeFormat, CodeParts};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::device;
use crate::error::OrRaise;
use crate::kernel::Kernel;
use crate::support::driver_call::call;
use crate::support::host_view::HostView;
use crate::support::names;
use crate::support::plain_args;
use crate::support::reaper::Reaped;

/// Compiled code, to be loaded onto devices. `Program.compile` makes it.
#[pyclass(frozen, weakref, module = "cuox", name = "ObjectCode")]
pub struct ObjectCode {
    code: Reaped<cuox::ObjectCode>,
    /// The path that it was read from.
    path: Option<Py<PyAny>>,
    /// Kernels that were asked for, by name and device.
    kernels: Mutex<HashMap<(String, bool, usize), Py<Kernel>>>,
}

impl ObjectCode {
    pub fn new(code: cuox::ObjectCode) -> Self {
        Self {
            code: Reaped::new(code),
            path: None,
            kernels: Mutex::new(HashMap::new()),
        }
    }

    /// The code below.
    pub fn inner(&self) -> &cuox::ObjectCode {
        &self.code
    }

    /// A kernel for the current device.
    pub fn kernel(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
        let format = self.code.format();
        if let CodeFormat::LtoIr | CodeFormat::Object | CodeFormat::Library = format {
            return Err(PyRuntimeError::new_err(format!(
                "Unsupported code type \"{}\": it cannot be loaded; link it first (cuox.cuda.core.Linker), or compile to cubin or ptx",
                format.as_str()
            )));
        }
        let device = device::current(py)?;
        let key = (name.to_owned(), device.is_soft(), device.ordinal());
        if let Some(kernel) = self
            .kernels
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            && kernel.get().inner.context().check().is_ok()
        {
            return Ok(kernel.clone_ref(py));
        }
        let found = py
            .detach(|| self.code.kernel(device, name))
            .or_raise_in(py, "get_kernel()")?;
        let kernel = Py::new(py, Kernel::new(found))?;
        self.kernels
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key, kernel.clone_ref(py));
        Ok(kernel)
    }

    fn of(
        py: Python<'_>,
        format: CodeFormat,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mapping = match symbol_mapping.filter(|mapping| !mapping.is_none()) {
            Some(mapping) => mapping.extract().map_err(|_| {
                PyTypeError::new_err(format!(
                    "symbol_mapping: expected a dict of names, got {}",
                    names::type_name(mapping)
                ))
            })?,
            None => BTreeMap::new(),
        };
        let name = plain_args::text_or_none("ObjectCode: name", name)?.unwrap_or_default();
        let (bytes, path) = code_bytes(py, format, module)?;
        let code = cuox::ObjectCode::new(CodeParts {
            lowered_names: mapping,
            ..CodeParts::new(format.or_ptx(&bytes), bytes, name)
        });
        Ok(Self {
            path,
            ..Self::new(code)
        })
    }
}

/// The code itself, or that in the file which a path names, and the path. Text of several lines is PTX, not a path.
fn code_bytes(
    py: Python<'_>,
    format: CodeFormat,
    module: &Bound<'_, PyAny>,
) -> PyResult<(Vec<u8>, Option<Py<PyAny>>)> {
    if let Ok(text) = module.cast::<PyString>() {
        let text = text.to_cow()?;
        if text.is_empty() {
            return Err(PyValueError::new_err(
                "module: expected the code or a path, got ''",
            ));
        }
        if format == CodeFormat::Ptx && (text.contains('\n') || text.contains(".version")) {
            return Ok((text.into_owned().into_bytes(), None));
        }
    } else if let Ok(view) = HostView::new(module, false) {
        return Ok((view.bytes().to_vec(), None));
    }
    let path: std::path::PathBuf = module.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "module: expected the code as bytes or a path, got {}",
            names::type_name(module)
        ))
    })?;
    // Python's own, for its errors.
    let file = py.import("io")?.call_method1("open", (&path, "rb"))?;
    let bytes = file.call_method0("read");
    file.call_method0("close")?;
    let path = path.as_os_str().into_pyobject(py)?.into_any().unbind();
    Ok((bytes?.extract()?, Some(path)))
}

#[pymethods]
impl ObjectCode {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn by_hand(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        Err(names::not_by_hand(
            "ObjectCode objects",
            "Program.compile makes them, ObjectCode.from_cubin and its like take code that is there",
        ))
    }

    /// Take PTX that was compiled elsewhere.
    ///
    /// module: the text, or the path of a file with it.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_ptx(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::Ptx, module, name, symbol_mapping)
    }

    /// Take machine code for one architecture that was compiled elsewhere.
    ///
    /// module: the bytes, or the path of a file with them.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_cubin(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::Cubin, module, name, symbol_mapping)
    }

    /// Take a fat binary, which has code for several architectures that was compiled elsewhere.
    ///
    /// module: the bytes, or the path of a file with them.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_fatbin(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::Fatbin, module, name, symbol_mapping)
    }

    /// Take code for link-time optimisation that was compiled elsewhere.
    ///
    /// module: the bytes, or the path of a file with them.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read. The driver reads the code when a kernel is asked for.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_ltoir(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::LtoIr, module, name, symbol_mapping)
    }

    /// Take an object file with device code that was compiled elsewhere, for a linker: it has no kernels to get.
    ///
    /// module: the bytes, or the path of a file with them.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_object(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::Object, module, name, symbol_mapping)
    }

    /// Take a static library with device code that was compiled elsewhere, for a linker: it has no kernels to get.
    ///
    /// module: the bytes, or the path of a file with them.
    /// name: a name for messages.
    /// symbol_mapping: from name expressions to the names in the code.
    ///
    /// Raises TypeError, OSError if the file cannot be read.
    #[staticmethod]
    #[pyo3(signature = (module, *, name=None, symbol_mapping=None))]
    fn from_library(
        py: Python<'_>,
        module: &Bound<'_, PyAny>,
        name: Option<&Bound<'_, PyAny>>,
        symbol_mapping: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        Self::of(py, CodeFormat::Library, module, name, symbol_mapping)
    }

    /// Get a kernel for the current device: by its name in the code, by a name expression, or by the plain name of a
    /// C++
    /// kernel that no other one shares.
    ///
    /// Raises NotFoundError if there is none, CUDAError if the driver refuses the code. Driver API manual,
    /// `cuLibraryGetKernel`.
    fn get_kernel(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<Py<Kernel>> {
        if let Ok(bytes) = name.cast::<PyBytes>() {
            let text = std::str::from_utf8(bytes.as_bytes()).map_err(|_| {
                PyValueError::new_err("ObjectCode.get_kernel: name: expected UTF-8")
            })?;
            return self.kernel(py, text);
        }
        match name.extract::<std::borrow::Cow<'_, str>>() {
            Ok(text) => self.kernel(py, &text),
            Err(_) => Err(PyTypeError::new_err(format!(
                "get_kernel: expected a name, got {}",
                names::type_name(name)
            ))),
        }
    }

    /// Return the address and the size in bytes of a `__device__` or `__constant__` variable on the current device.
    ///
    /// Raises NotFoundError, CUDAError. Driver API manual, `cuLibraryGetGlobal`.
    fn get_global(&self, py: Python<'_>, name: &Bound<'_, PyAny>) -> PyResult<(u64, usize)> {
        let name = &plain_args::text("get_global: name", name)?;
        let device = device::current(py)?;
        py.detach(|| self.code.global(device, name))
            .or_raise_in(py, "get_global()")
    }

    /// The `CUlibrary` on the current device, as an int: the code is loaded now if it is not yet.
    ///
    /// Raises CUDAError if the driver refuses the code. Driver API manual, `cuLibraryLoadData`.
    #[getter]
    fn handle(&self, py: Python<'_>) -> PyResult<usize> {
        let device = device::current(py)?;
        let raw = py.detach(|| self.code.handle(device));
        Ok(raw.or_raise_in(py, "ObjectCode.handle")?.addr())
    }

    /// Return the `CUmodule` of the library in the current context, as an int: for functions of the driver that take
    /// modules. It is the library's, and unloaded with it.
    ///
    /// Raises CUDAError if the driver refuses the code. Driver API manual, `cuLibraryGetModule`.
    fn get_module(&self, py: Python<'_>) -> PyResult<usize> {
        const USER: &str = "ObjectCode.get_module()";
        let device = device::current(py)?;
        let library = py
            .detach(|| self.code.handle(device))
            .or_raise_in(py, USER)?;
        let context = device.context().or_raise_in(py, USER)?;
        let mut module = CUmodule::null();
        call(py, USER, &context, "cuLibraryGetModule", |table| {
            // SAFETY: the library is loaded, and the pointer is to a live local.
            unsafe { table.cuLibraryGetModule(&mut module, library) }
        })?;
        Ok(module.addr())
    }

    /// The bytes of the code; or the path, if it was taken from a file: `bytes(code)` are the bytes either way.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        match &self.path {
            Some(path) => path.bind(py).clone(),
            None => self.__bytes__(py).into_any(),
        }
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.code.bytes())
    }

    /// The name for messages.
    #[getter]
    fn name(&self) -> &str {
        self.code.name()
    }

    /// The kind of code: "ptx", "cubin", "fatbin", "ltoir", "object" or "library".
    #[getter]
    fn code_type(&self) -> &'static str {
        self.code.format().as_str()
    }

    /// The names in the code, by name expressions.
    #[getter]
    fn symbol_mapping(&self) -> BTreeMap<String, String> {
        self.code.lowered_names().clone()
    }

    /// The kernels in the code, by the names they have there; empty where the PTX is not known.
    #[getter]
    fn kernel_names(&self) -> Vec<String> {
        self.code.kernel_names()
    }

    /// The same names as people write them, in that order.
    fn _shown_kernel_names(&self) -> Vec<String> {
        self.code.shown_kernel_names()
    }

    /// Only for `pickle` and `copy`.
    #[staticmethod]
    fn _restore(
        code_type: &str,
        code: &[u8],
        name: String,
        symbol_mapping: BTreeMap<String, String>,
        ptx: Option<String>,
        source: Option<String>,
    ) -> PyResult<Self> {
        let format = CodeFormat::parse(code_type)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self::new(cuox::ObjectCode::new(CodeParts {
            format,
            bytes: code.to_vec(),
            name,
            ptx,
            source,
            lowered_names: symbol_mapping,
        })))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (py, code) = (slf.py(), &*slf.get().code);
        // The PTX of PTX is the code itself.
        let ptx = code.ptx().filter(|_| code.format() != CodeFormat::Ptx);
        let arguments = (
            code.format().as_str(),
            PyBytes::new(py, code.bytes()),
            code.name(),
            code.lowered_names().clone(),
            ptx,
            code.source(),
        );
        let restore = slf.get_type().getattr("_restore")?;
        Ok((restore, arguments.into_pyobject(py)?))
    }

    /// True if the code and its names are the same.
    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let (a, b) = (&*self.code, &*other.get().code);
            a.format() == b.format()
                && a.bytes() == b.bytes()
                && a.name() == b.name()
                && a.lowered_names() == b.lowered_names()
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.code.bytes().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        // Where no device has loaded it, no driver knows it.
        let loaded = cuox::Device::current().and_then(|device| self.code.loaded_handle(device));
        let handle = loaded.map_or(0, |handle| handle.addr());
        format!(
            "<ObjectCode handle={handle:#x} code_type='{}'>",
            self.code.format().as_str()
        )
    }
}
