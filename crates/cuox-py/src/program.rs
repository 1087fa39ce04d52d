//! `cuox.Program`.

use std::ffi::CString;
use std::sync::{Mutex, PoisonError};

use cuox::{CodeFormat, CodeParts, PchStatus, ProgramOptions};
use cuox_interpreter::gate;
use pyo3::exceptions::{
    PyAttributeError, PyRuntimeError, PyTypeError, PyUserWarning, PyValueError,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::device;
use crate::error::{OrRaise, is_not_found, to_py, wait};
use crate::kernel::Kernel;
use crate::object_code::ObjectCode;
use crate::program_cache;
use crate::support::host_view::HostView;
use crate::support::names;
use crate::support::plain_args;
use crate::support::plain_args::given;

/// CUDA C++ (or PTX, or NVVM IR) to be compiled. A kernel is an attribute: `program.saxpy[grid, block](*args)`.
///
/// code: the source text; NVVM IR may be bitcode.
/// code_type: "c++", "ptx" or "nvvm".
/// options: ProgramOptions, or a dict with some of its fields.
///
/// Raises TypeError, ValueError, and RuntimeError for another code_type. NVRTC manual; libNVVM API.
#[pyclass(frozen, weakref, module = "cuox", name = "Program")]
pub struct Program {
    source: Source,
    name: String,
    options: ProgramOptions,
    /// The same as a copy of the `ProgramOptions` of Python; `None` where none were given.
    given: Option<Py<PyAny>>,
    /// The code that was compiled last, for `program.kernel_name`.
    compiled: Mutex<Option<Py<ObjectCode>>>,
    closed: std::sync::atomic::AtomicBool,
    /// What has become of the precompiled header of the last compilation.
    pch: Mutex<Option<PchStatus>>,
    /// The target of the last compilation.
    target: Mutex<Option<CodeFormat>>,
    /// The compiler's own object, if it was asked for.
    own: Mutex<Option<Py<PyAny>>>,
    /// The arguments that it was made with, for `pickle` and `copy`.
    made_with: Py<PyTuple>,
}

enum Source {
    Cxx(String),
    Ptx(String),
    Nvvm(Vec<u8>),
}

/// What `compile` is asked for.
struct Request {
    target: CodeFormat,
    /// Further options of the compiler's command line.
    words: Vec<String>,
    expressions: Vec<OptionWord>,
}

impl Request {
    fn new(
        py: Python<'_>,
        target_type: Option<&Bound<'_, PyAny>>,
        name_expressions: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut words = match given(options) {
            Some(options) => words_of("compile: options", options)?,
            None => Vec::new(),
        };
        let target = match target_type.filter(|target| !target.is_none()) {
            None => CodeFormat::Ptx,
            Some(target) => match target.extract::<String>() {
                Ok(text) => CodeFormat::parse(&text.to_ascii_lowercase()).or_raise(py)?,
                Err(_) => {
                    words.extend(words_of(
                        "compile: target_type (\"ptx\", \"cubin\", \"ltoir\") or options",
                        target,
                    )?);
                    CodeFormat::Ptx
                }
            },
        };
        let expressions = match name_expressions.filter(|names| !names.is_none()) {
            Some(names) => expressions_of(names).map_err(|_| {
                PyTypeError::new_err(format!(
                    "compile: name_expressions: expected texts such as \"scale<float>\", got {names}"
                ))
            })?,
            None => Vec::new(),
        };
        Ok(Self {
            target,
            words,
            expressions,
        })
    }
}

impl Program {
    /// The name of the compiler.
    fn compiler(&self, py: Python<'_>) -> PyResult<String> {
        let name = match self.source {
            Source::Cxx(_) => "NVRTC",
            Source::Ptx(_) => {
                static BACKEND: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                return gate::hang_if_thread_exits(|| {
                    BACKEND
                        .import(py, "cuox._internal.ptx_program", "backend")?
                        .call0()?
                        .extract()
                });
            }
            Source::Nvvm(_) => "NVVM",
        };
        Ok(name.to_owned())
    }

    /// What becomes of PTX.
    fn make_of_ptx(
        &self,
        py: Python<'_>,
        text: &str,
        target: CodeFormat,
        logs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::ObjectCode> {
        match target {
            CodeFormat::Ptx => Ok(cuox::ObjectCode::new(CodeParts::new(
                CodeFormat::Ptx,
                text.as_bytes().to_vec(),
                self.name.as_str(),
            ))),
            CodeFormat::Cubin => {
                static COMPILE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                let code = PyBytes::new(py, text.as_bytes());
                let options = self.given.as_ref().map(|given| given.bind(py));
                let made = gate::hang_if_thread_exits(|| {
                    COMPILE
                        .import(py, "cuox._internal.ptx_program", "compile_to_cubin")?
                        .call1((code, &self.name, options, given(logs)))
                })?;
                Ok(made.cast::<ObjectCode>()?.get().inner().clone())
            }
            other => Err(PyValueError::new_err(format!(
                "compile: PTX does not become {}",
                other.as_str()
            ))),
        }
    }

    /// Compiles.
    fn make(
        &self,
        py: Python<'_>,
        request: Request,
        logs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::ObjectCode> {
        match &self.source {
            Source::Ptx(text) => self.make_of_ptx(py, text, request.target, logs),
            Source::Nvvm(code) => self.make_of_ir(py, code, &request, logs),
            Source::Cxx(text) => {
                let mut options = self.options.clone();
                options.add_args(request.words).or_raise(py)?;
                let needs_device = options.arch.is_none() || request.target == CodeFormat::Cubin;
                let program =
                    cuox::Program::new(text.clone(), self.name.clone()).with_options(options);
                // Without a device the compiler's own default architecture is taken.
                let device = needs_device.then(|| device::current(py).ok()).flatten();
                let names: Vec<&str> = request
                    .expressions
                    .iter()
                    .map(|word| word.0.as_str())
                    .collect();
                let compiled = wait(py, "program.compile()", |stop| {
                    program.compile_with(request.target, device, &names, stop)
                })?;
                // NVRTC cannot be left at any time: what came meanwhile is raised now.
                py.check_signals()?;
                *self.pch.lock().unwrap_or_else(PoisonError::into_inner) = compiled.pch;
                for warning in &compiled.warnings {
                    let text = CString::new(warning.as_str()).unwrap_or_default();
                    gate::hang_if_thread_exits(|| {
                        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
                    })?;
                }
                if let Some(logs) = given(logs) {
                    let write = gate::getattr(logs, pyo3::intern!(py, "write"))?;
                    gate::call(&write, &(&compiled.log,).into_pyobject(py)?, None)?;
                }
                Ok(compiled.code)
            }
        }
    }

    /// The compiler's own object, if it was asked for.
    fn own(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        let own = self.own.lock().unwrap_or_else(PoisonError::into_inner);
        own.as_ref().map(|own| own.clone_ref(py))
    }

    /// Compiles the compiler's own object, as `compile` has compiled.
    fn compile_own(&self, own: &Bound<'_, PyAny>, target: CodeFormat) -> PyResult<()> {
        let py = own.py();
        let device = device::current(py).ok();
        let words: Vec<String> = match &self.source {
            Source::Cxx(text) => {
                let program = cuox::Program::new(text.clone(), self.name.clone())
                    .with_options(self.options.clone());
                program.command_line(target, device).or_raise(py)?
            }
            Source::Nvvm(_) => gate::hang_if_thread_exits(|| {
                static WORDS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
                let given = self.given.as_ref().map(|given| given.bind(py));
                WORDS
                    .import(py, "cuox._internal.nvvm_program", "words")?
                    .call1((given, target.as_str(), arch_of(device)))?
                    .extract()
            })?,
            Source::Ptx(_) => return Ok(()),
        };
        gate::hang_if_thread_exits(|| own.call_method1("compile", (words,)).map(drop))
    }

    /// Compiles NVVM IR.
    fn make_of_ir(
        &self,
        py: Python<'_>,
        code: &[u8],
        request: &Request,
        logs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<cuox::ObjectCode> {
        if !request.words.is_empty() || !request.expressions.is_empty() {
            return Err(PyValueError::new_err(
                "compile: options and name_expressions are NVRTC's: give the program ProgramOptions",
            ));
        }
        if request.target == CodeFormat::Cubin {
            return Err(PyValueError::new_err(
                "Unsupported target_type=\"cubin\" for NVVM (supported_targets=('ptx', 'ltoir')): \
                 compile to \"ptx\", which is loaded as it is",
            ));
        }
        static COMPILE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let bytes: Vec<u8> = gate::hang_if_thread_exits(|| {
            COMPILE
                .import(py, "cuox._internal.nvvm_program", "compile_ir")?
                .call1((
                    PyBytes::new(py, code),
                    self.given.as_ref().map(|given| given.bind(py)),
                    arch_of(device::current(py).ok()),
                    request.target.as_str(),
                    given(logs),
                ))?
                .extract()
        })?;
        Ok(cuox::ObjectCode::new(CodeParts::new(
            request.target,
            bytes,
            self.name.as_str(),
        )))
    }

    /// `compile` with a program cache: what it has of this program, else the code that is compiled now, which it keeps.
    fn compile_through(
        &self,
        py: Python<'_>,
        cache: &Bound<'_, PyAny>,
        request: Request,
        logs: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<ObjectCode>> {
        if !request.words.is_empty() {
            return Err(PyValueError::new_err(
                "compile: options cannot be given with cache=: give the program ProgramOptions",
            ));
        }
        let (code, code_type) = match &self.source {
            Source::Cxx(text) => (text.as_str(), "c++"),
            Source::Ptx(text) => (text.as_str(), "ptx"),
            Source::Nvvm(code) => match std::str::from_utf8(code) {
                Ok(text) => (text, "nvvm"),
                Err(_) => {
                    return Err(PyValueError::new_err(
                        "compile: cache= takes NVVM IR as text, not bitcode",
                    ));
                }
            },
        };
        let asked = program_cache::Asked {
            code,
            code_type,
            options: self.given.as_ref().map(|given| given.bind(py)),
            name: &self.name,
            target: request.target,
            has_expressions: !request.expressions.is_empty(),
        };
        let (key, kept) = asked.look_up(cache)?;
        if let Some(kept) = kept {
            return Py::new(py, ObjectCode::new(asked.code_of(&kept)?));
        }
        let made = self.make(py, request, logs)?;
        let is_whole = made.is_whole();
        let made = Bound::new(py, ObjectCode::new(made))?;
        if is_whole {
            gate::hang_if_thread_exits(|| cache.set_item(key, &made))?;
        }
        Ok(made.unbind())
    }
}

/// The architecture of NVVM IR whose options say none, such as "90".
fn arch_of(device: Option<cuox::Device>) -> String {
    let (major, minor) = device.map_or((7, 5), cuox::Device::compute_capability);
    format!("{major}{minor}")
}

/// `ProgramOptions` of Python, as the words of a command line, and a copy of it.
fn read_options(
    py: Python<'_>,
    options: Option<&Bound<'_, PyAny>>,
    code_type: &str,
) -> PyResult<(ProgramOptions, Option<Py<PyAny>>)> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    static COPY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(options) = given(options) else {
        return Ok((ProgramOptions::default(), None));
    };
    gate::hang_if_thread_exits(|| {
        let class = CLASS.import(py, "cuox._internal.options", "ProgramOptions")?;
        let options = match options.cast::<PyDict>() {
            Ok(fields) => class.call((), Some(fields))?,
            // The program's options stay what they were when it was made.
            Err(_) if options.is_instance(class)? => {
                COPY.import(py, "copy", "copy")?.call1((options,))?
            }
            Err(_) => {
                return Err(PyTypeError::new_err(format!(
                    "options: expected cuox.ProgramOptions or a dict, got {}",
                    names::type_name(options)
                )));
            }
        };
        if code_type == "ptx" && !options.getattr("extra_sources")?.is_none() {
            return Err(PyValueError::new_err(
                "extra_sources is not supported by the PTX backend: it is an option of NVVM",
            ));
        }
        let mut read = match code_type {
            "nvvm" => ProgramOptions::default(),
            _ => {
                let words: Vec<String> = options.call_method0("_nvrtc")?.extract()?;
                ProgramOptions::from_args(words).or_raise(py)?
            }
        };
        read.name = options.getattr("name")?.extract()?;
        Ok((read, Some(options.unbind())))
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

impl Program {
    /// A program of NVVM IR, as text or bitcode.
    fn of_ir(
        py: Python<'_>,
        code: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let ir = if let Ok(text) = code.cast::<PyString>() {
            text.to_cow()?.into_owned().into_bytes()
        } else if let Ok(view) = HostView::new(code, false) {
            view.bytes().to_vec()
        } else {
            return Err(PyTypeError::new_err(format!(
                "NVVM IR code must be provided as str, bytes, or bytearray, got {}",
                names::type_name(code)
            )));
        };
        let (options, given) = read_options(py, options, "nvvm")?;
        let copy = given.as_ref().map(|given| given.clone_ref(py));
        // Of a buffer that can change it has what is in it now.
        let kept = match code.cast::<PyString>() {
            Ok(text) => text.clone().into_any(),
            Err(_) => PyBytes::new(py, &ir).into_any(),
        };
        Ok(Self {
            source: Source::Nvvm(ir),
            name: options
                .name
                .clone()
                .unwrap_or_else(|| "default_program".into()),
            options,
            given,
            compiled: Mutex::new(None),
            closed: false.into(),
            pch: Mutex::new(None),
            target: Mutex::new(None),
            own: Mutex::new(None),
            made_with: (kept, "nvvm", copy).into_pyobject(py)?.unbind(),
        })
    }
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
        if code_type.eq_ignore_ascii_case("nvvm") {
            return Self::of_ir(py, code, options);
        }
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
        let (mut options, given) = read_options(py, options, &code_type.to_ascii_lowercase())?;
        let source = match code_type.to_ascii_lowercase().as_str() {
            "c++" | "cuda" => Source::Cxx(text),
            "ptx" => Source::Ptx(text),
            other if !other.contains(['.', '/', '_']) => {
                // A name for messages has a dot in it.
                return Err(PyRuntimeError::new_err(format!(
                    "Unsupported code_type='{other}' (supported_code_types=('c++', 'ptx', 'nvvm'))"
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
        let copy = given.as_ref().map(|given| given.clone_ref(py));
        let made_with = (code, code_type, copy).into_pyobject(py)?.unbind();
        Ok(Self {
            source,
            name,
            options,
            given,
            compiled: Mutex::new(None),
            closed: false.into(),
            pch: Mutex::new(None),
            target: Mutex::new(None),
            own: Mutex::new(None),
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
    /// cache: a `ProgramCacheResource` (`cuox.cuda.core.utils`): code that it has is taken without compiling, else what
    ///     is compiled is kept in it. Not with name_expressions or options=.
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
        let request = Request::new(py, target_type, name_expressions, options)?;
        let target = request.target;
        let code = match given(cache) {
            Some(cache) => self.compile_through(py, cache, request, logs)?,
            None => Py::new(py, ObjectCode::new(self.make(py, request, logs)?))?,
        };
        *self.compiled.lock().unwrap_or_else(PoisonError::into_inner) = Some(code.clone_ref(py));
        *self.target.lock().unwrap_or_else(PoisonError::into_inner) = Some(target);
        let own = self.own(py);
        if let Some(own) = own {
            self.compile_own(own.bind(py), target)?;
        }
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
                let names = code.get().inner().shown_kernel_names().join(", ");
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
        let own = self
            .own
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(own) = own {
            let closed = own.bind(py).call_method0("close");
            if let Err(error) = closed {
                error.write_unraisable(py, None);
            }
        }
    }

    /// True after `close`.
    #[getter]
    fn is_closed(&self) -> bool {
        self.closed.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// The compiler's own object for this source, for functions of its C API: a `nvrtcProgram`, a `nvvmProgram` as an
    /// int, of PTX the linker's. It is made when it is asked for, compiled as the program is, and destroyed by `close`.
    /// What `compile` returns does not come from it.
    ///
    /// Raises CUDAError, ClosedError, NotFoundError if there is no such compiler. NVRTC manual, `nvrtcCreateProgram`.
    #[getter]
    fn handle<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        if self.is_closed() {
            return Err(to_py(py, cuox::Error::Closed { what: "program" }));
        }
        let own = match self.own(py) {
            Some(own) => own.into_bound(py),
            None => gate::hang_if_thread_exits(|| {
                let (code, code_type) = match &self.source {
                    Source::Cxx(text) => (text.as_bytes(), "c++"),
                    Source::Ptx(text) => (text.as_bytes(), "ptx"),
                    Source::Nvvm(code) => (code.as_slice(), "nvvm"),
                };
                let made = CLASS
                    .import(py, "cuox._internal.program_handle", "ProgramHandle")?
                    .call1((code_type, PyBytes::new(py, code), &self.name))?;
                let target = *self.target.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(target) = target {
                    self.compile_own(&made, target)?;
                }
                let kept = made.clone().unbind();
                *self.own.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
                Ok::<_, PyErr>(made)
            })?,
        };
        gate::getattr(&own, pyo3::intern!(py, "value"))
    }

    /// What has become of the precompiled header that the last `compile` was asked to write, a `PCHStatusType`; None
    /// before it, and without the options `pch` and `create_pch`. NVRTC manual, `nvrtcGetPCHCreateStatus`.
    #[getter]
    fn pch_status<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let status = *self.pch.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(status) = status else {
            return Ok(None);
        };
        let class = CLASS.import(py, "cuox.cuda.core.typing", "PCHStatusType")?;
        class.call1((status.as_str(),)).map(Some)
    }

    /// The name for messages: `ProgramOptions.name`.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// The compiler, a `CompilerBackendType`: "NVRTC", "NVVM"; "driver" for PTX, which the driver compiles when it is
    /// loaded, or "nvJitLink", which compiles PTX to a cubin for a GPU where it is installed.
    #[getter]
    fn backend<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let class = CLASS.import(py, "cuox.cuda.core.typing", "CompilerBackendType")?;
        class.call1((self.compiler(py)?,))
    }

    /// Another program of the same source and options, not compiled yet.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, Py<PyTuple>) {
        let arguments = slf.get().made_with.clone_ref(slf.py());
        (slf.get_type().into_any(), arguments)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Program backend='{}'>", self.compiler(py)?))
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
