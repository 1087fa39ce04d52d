//! `cuox.Program` and `cuox.ObjectCode`.

use std::collections::{BTreeMap, HashMap};
use std::ffi::CString;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use cuox::{CodeFormat, CodeParts, ProgramOptions};
use cuox_interpreter::gate;
use pyo3::exceptions::{
    PyAttributeError, PyNotImplementedError, PyTypeError, PyUserWarning, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::device;
use crate::error::{OrRaise, is_not_found, to_py, wait};
use crate::kernel::Kernel;
use crate::support::host_view::HostView;
use crate::support::names;
use crate::support::plain_args;
use crate::support::reaper::Reaped;

/// Compiled code, to be loaded onto devices. `Program.compile` makes it.
#[pyclass(frozen, weakref, module = "cuox", name = "ObjectCode")]
pub struct ObjectCode {
    code: Reaped<cuox::ObjectCode>,
    /// Kernels that were asked for, by name and device.
    kernels: Mutex<HashMap<(String, bool, usize), Py<Kernel>>>,
}

impl ObjectCode {
    pub fn new(code: cuox::ObjectCode) -> Self {
        Self {
            code: Reaped::new(code),
            kernels: Mutex::new(HashMap::new()),
        }
    }

    /// The code below.
    pub fn inner(&self) -> &cuox::ObjectCode {
        &self.code
    }

    /// A kernel for the current device.
    fn kernel(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
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
        let bytes = code_bytes(py, format, module)?;
        let code = cuox::ObjectCode::new(CodeParts {
            format: format.or_ptx(&bytes),
            bytes,
            name,
            ptx: None,
            source: None,
            lowered_names: mapping,
        });
        code.check().or_raise(py)?;
        Ok(Self::new(code))
    }
}

/// The code itself, or the file that a path names. Text of several lines is PTX, not a path.
fn code_bytes(py: Python<'_>, format: CodeFormat, module: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(text) = module.cast::<PyString>() {
        let text = text.to_cow()?;
        if text.is_empty() {
            return Err(PyValueError::new_err(
                "module: expected the code or a path, got ''",
            ));
        }
        if format == CodeFormat::Ptx && (text.contains('\n') || text.contains(".version")) {
            return Ok(text.into_owned().into_bytes());
        }
    } else if let Ok(view) = HostView::new(module, false) {
        return Ok(view.bytes().to_vec());
    }
    let path: std::path::PathBuf = module.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "module: expected the code as bytes or a path, got {}",
            names::type_name(module)
        ))
    })?;
    // Python's own, for its errors.
    let file = py.import("io")?.call_method1("open", (path, "rb"))?;
    let bytes = file.call_method0("read");
    file.call_method0("close")?;
    bytes?.extract()
}

#[pymethods]
impl ObjectCode {
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

    /// The bytes of the code.
    #[getter]
    fn code<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
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

/// CUDA C++ (or PTX) to be compiled. A kernel is an attribute: `program.saxpy[grid, block](*args)`.
///
/// code: the source text.
/// code_type: "c++" or "ptx".
/// options: ProgramOptions, or a dict with some of its fields.
///
/// Raises TypeError and ValueError. NVRTC manual.
#[pyclass(frozen, weakref, module = "cuox", name = "Program")]
pub struct Program {
    source: Source,
    name: String,
    options: ProgramOptions,
    /// The code that was compiled last, for `program.kernel_name`.
    compiled: Mutex<Option<Py<ObjectCode>>>,
    closed: std::sync::atomic::AtomicBool,
    /// The arguments that it was made with, for `pickle` and `copy`.
    made_with: Py<PyTuple>,
}

enum Source {
    Cxx(String),
    Ptx(String),
}

impl Program {
    /// The name of the compiler.
    fn compiler(&self) -> &'static str {
        match self.source {
            Source::Cxx(_) => "NVRTC",
            Source::Ptx(_) => "driver",
        }
    }
}

/// `ProgramOptions` of Python, as the words of a command line.
fn read_options(py: Python<'_>, options: Option<&Bound<'_, PyAny>>) -> PyResult<ProgramOptions> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(options) = options.filter(|options| !options.is_none()) else {
        return Ok(ProgramOptions::default());
    };
    gate::hang_if_thread_exits(|| {
        let class = CLASS.import(py, "cuox._internal.options", "ProgramOptions")?;
        let options = match options.cast::<PyDict>() {
            Ok(fields) => class.call((), Some(fields))?,
            Err(_) if options.is_instance(class)? => options.clone(),
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "options: expected cuox.ProgramOptions or a dict, got {}",
                    names::type_name(options)
                )));
            }
        };
        let words: Vec<String> = options.call_method0("_nvrtc")?.extract()?;
        let mut read = ProgramOptions::from_args(words).or_raise(py)?;
        read.name = options.getattr("name")?.extract()?;
        Ok(read)
    })
}

/// The compiler's options as a list; each is text.
fn words_of(what: &str, options: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let wrong = |got: String| {
        PyTypeError::new_err(format!(
            "{what}: expected a list of options such as [\"--use_fast_math\"], got {got}"
        ))
    };
    if options.is_instance_of::<PyString>() || options.is_instance_of::<PyBytes>() {
        return Err(wrong(options.repr()?.to_string()));
    }
    let items = options
        .try_iter()
        .map_err(|_| wrong(names::type_name(options)))?;
    items
        .map(|word| {
            let word = word?;
            word.extract::<OptionWord>()
                .map(|word| word.0)
                .map_err(|_| wrong(format!("{} in it", names::type_name(&word))))
        })
        .collect()
}

/// The expressions that `compile` is given; one text is one of them.
fn expressions_of(names: &Bound<'_, PyAny>) -> PyResult<Vec<OptionWord>> {
    if let Ok(one) = names.extract() {
        return Ok(vec![one]);
    }
    names.try_iter()?.map(|name| name?.extract()).collect()
}

/// True if source code is a file's name by mistake.
fn is_file_name(text: &str) -> bool {
    [".cu", ".cuh", ".ptx"]
        .iter()
        .any(|end| text.ends_with(end))
        && !text.contains(['\n', '(', '{', ';', '#', '"', '\''])
}

#[pymethods]
impl Program {
    /// `Program(source)` or `Program(source, code_type="c++", options=ProgramOptions(...))`. A second argument that
    /// is no code type is the name that the compiler's messages use: `Program(source, "saxpy.cu")`.
    #[new]
    #[pyo3(
        signature = (code, code_type=None, options=None),
        text_signature = "(code, code_type='c++', options=None)"
    )]
    fn py_new(
        py: Python<'_>,
        code: &Bound<'_, PyAny>,
        code_type: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let code_type = plain_args::text_or_none("Program: code_type", code_type)?;
        let code_type = code_type.as_deref().unwrap_or("c++");
        let text = if let Ok(text) = code.cast::<PyString>() {
            text.to_cow()?.into_owned()
        } else if let Ok(view) = HostView::new(code, false) {
            String::from_utf8(view.bytes().to_vec())
                .map_err(|_| PyValueError::new_err("Program: code: expected UTF-8"))?
        } else {
            return Err(PyTypeError::new_err(format!(
                "Program: expected source code as a str, got {}{}",
                names::type_name(code),
                if code.hasattr("read_text")? {
                    "; pass its text: path.read_text()"
                } else {
                    ""
                }
            )));
        };
        if is_file_name(&text) {
            return Err(PyValueError::new_err(format!(
                "Program: '{text}' is a file's name, not source code: pass its text, \
                 Program(open('{text}').read(), '{text}')"
            )));
        }
        let asked = options;
        let mut options = read_options(py, asked)?;
        let source = match code_type.to_ascii_lowercase().as_str() {
            "c++" | "cuda" => Source::Cxx(text),
            "ptx" => Source::Ptx(text),
            other if !other.contains(['.', '/', '_']) => {
                return Err(PyValueError::new_err(format!(
                    "Program: code_type must be \"c++\" or \"ptx\", or a file name for the compiler's messages (\"saxpy.cu\"), not \"{code_type}\""
                )));
            }
            _ => {
                options.name = Some(code_type.to_owned());
                Source::Cxx(text)
            }
        };
        let name = options
            .name
            .clone()
            .unwrap_or_else(|| "default_program".into());
        let made_with = (code, code_type, asked).into_pyobject(py)?.unbind();
        Ok(Self {
            source,
            name,
            options,
            compiled: Mutex::new(None),
            closed: false.into(),
            made_with,
        })
    }

    /// Compile to "ptx", "cubin" or "ltoir"; or with the compiler's options as a list, to PTX.
    ///
    /// target_type: None is what the current device runs. The architecture is that of the current device unless the
    ///     options say
    ///     another. The software GPU runs PTX: for it "cubin" gives PTX too.
    /// name_expressions: instances of templates to compile: `"add<float>"`.
    /// logs: an object with `write`, which gets the compiler's messages.
    /// options: further options of the compiler's command line.
    ///
    /// Returns ObjectCode. Raises CompileError with the compiler's messages, NotFoundError if there is no NVRTC. NVRTC
    /// manual, `nvrtcCompileProgram`.
    #[pyo3(signature = (target_type=None, name_expressions=None, logs=None, *, options=None, cache=None))]
    fn compile(
        &self,
        py: Python<'_>,
        target_type: Option<&Bound<'_, PyAny>>,
        name_expressions: Option<&Bound<'_, PyAny>>,
        logs: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
        cache: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<ObjectCode>> {
        if self.closed.load(std::sync::atomic::Ordering::Relaxed) {
            return Err(to_py(py, cuox::Error::Closed { what: "program" }));
        }
        if cache.is_some_and(|cache| !cache.is_none()) {
            return Err(PyNotImplementedError::new_err(
                "Program.compile: cache= is not supported",
            ));
        }
        let mut words = match options.filter(|options| !options.is_none()) {
            Some(options) => words_of("compile: options", options)?,
            None => Vec::new(),
        };
        let target = match target_type.filter(|target| !target.is_none()) {
            None => CodeFormat::Ptx,
            Some(target) => match target.extract::<String>() {
                Ok(text) => CodeFormat::parse(&text).or_raise(py)?,
                Err(_) => {
                    words.extend(words_of(
                        "compile: target_type (\"ptx\", \"cubin\", \"ltoir\") or options",
                        target,
                    )?);
                    CodeFormat::Ptx
                }
            },
        };
        let expressions: Vec<OptionWord> = match name_expressions.filter(|names| !names.is_none()) {
            Some(names) => expressions_of(names).map_err(|_| {
                PyTypeError::new_err(format!(
                    "compile: name_expressions: expected texts such as \"scale<float>\", got {names}"
                ))
            })?,
            None => Vec::new(),
        };
        let code = match &self.source {
            Source::Ptx(text) => match target {
                CodeFormat::Ptx | CodeFormat::Cubin => cuox::ObjectCode::new(CodeParts {
                    format: CodeFormat::Ptx,
                    bytes: text.clone().into_bytes(),
                    name: self.name.clone(),
                    ptx: None,
                    source: None,
                    lowered_names: BTreeMap::new(),
                }),
                other => {
                    return Err(PyValueError::new_err(format!(
                        "compile: PTX does not become {}",
                        other.as_str()
                    )));
                }
            },
            Source::Cxx(text) => {
                let mut options = self.options.clone();
                options.add_args(words).or_raise(py)?;
                let needs_device = options.arch.is_none() || target == CodeFormat::Cubin;
                let program =
                    cuox::Program::new(text.clone(), self.name.clone()).with_options(options);
                // Without a device the compiler's own default architecture is taken.
                let device = needs_device.then(|| device::current(py).ok()).flatten();
                let names: Vec<&str> = expressions.iter().map(|word| word.0.as_str()).collect();
                let compiled = wait(py, "program.compile()", |stop| {
                    program.compile_with(target, device, &names, stop)
                })?;
                // NVRTC cannot be left at any time: what came meanwhile is raised now.
                py.check_signals()?;
                for warning in &compiled.warnings {
                    let text = CString::new(warning.as_str()).unwrap_or_default();
                    gate::hang_if_thread_exits(|| {
                        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
                    })?;
                }
                if let Some(logs) = logs.filter(|logs| !logs.is_none()) {
                    let write = gate::getattr(logs, pyo3::intern!(py, "write"))?;
                    gate::call(&write, &(&compiled.log,).into_pyobject(py)?, None)?;
                }
                compiled.code
            }
        };
        let code = Py::new(py, ObjectCode::new(code))?;
        *self.compiled.lock().unwrap_or_else(PoisonError::into_inner) = Some(code.clone_ref(py));
        Ok(code)
    }

    /// After `compile`, a kernel by its name: `program.saxpy`.
    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<Kernel>> {
        let compiled = self
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_ref()
            .map(|c| c.clone_ref(py));
        let missing = |why: &str| {
            PyAttributeError::new_err(format!(
                "program {} has no attribute '{name}'{why}",
                self.name
            ))
        };
        if name.starts_with("__") {
            return Err(missing(""));
        }
        let Some(code) = compiled else {
            let hint = if name.starts_with("get_") {
                format!("; what compile() returns has it: program.compile(\"ptx\").{name}(...)")
            } else {
                "; call compile() before asking for a kernel".into()
            };
            return Err(missing(&hint));
        };
        match code.get().kernel(py, name) {
            Err(error) if is_not_found(py, &error) => {
                let names = code.get().code.shown_kernel_names().join(", ");
                Err(missing(&format!(" and no such kernel; available: {names}")))
            }
            found => found,
        }
    }

    /// Forget the code that was compiled.
    fn close(&self, py: Python<'_>) {
        self.closed
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let old = self
            .compiled
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(old) = old {
            old.drop_ref(py);
        }
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self) -> bool {
        self.closed.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The name for messages: `ProgramOptions.name`.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The compiler, a `CompilerBackendType`: "NVRTC"; "driver" for PTX, which the driver compiles when it is loaded.
    #[getter]
    fn backend<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = CLASS.import(py, "cuox.cuda.core.typing", "CompilerBackendType")?;
        class.call1((self.compiler(),))
    }

    /// Another program of the same source and options, not compiled yet.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Py<PyTuple>) {
        let arguments = slf.get().made_with.clone_ref(slf.py());
        (slf.get_type().into_any(), arguments)
    }

    fn __repr__(&self) -> String {
        format!("<Program backend='{}'>", self.compiler())
    }
}

/// `str`, or `bytes` as C's users write it.
struct OptionWord(String);

impl<'a, 'py> FromPyObject<'a, 'py> for OptionWord {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.cast::<PyBytes>() {
            let text = String::from_utf8(bytes.as_bytes().to_vec());
            return text
                .map(Self)
                .map_err(|_| PyValueError::new_err("Program.compile: options: expected UTF-8"));
        }
        object.extract::<String>().map(Self)
    }
}
