//! Program caches, which are objects of Python: the way of `Program.compile` through them.

use cuox::{CodeFormat, CodeParts};
use cuox_interpreter::gate;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::device;
use crate::error::OrRaise;
use crate::support::host_view::HostView;
use crate::support::names;

/// The compilation that a cache is asked for.
pub struct Asked<'a, 'py> {
    pub code: &'a str,
    pub code_type: &'a str,
    /// `ProgramOptions`.
    pub options: Option<&'a Bound<'py, PyAny>>,
    pub name: &'a str,
    pub target: CodeFormat,
    pub has_expressions: bool,
}

impl<'py> Asked<'_, 'py> {
    /// The key of the compilation, and the bytes that the cache has for it.
    pub fn look_up(
        &self,
        cache: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
        static LOOK_UP: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let py = cache.py();
        gate::hang_if_thread_exits(|| {
            LOOK_UP
                .import(py, "cuox._internal.program_caches.compiling", "look_up")?
                .call1((
                    cache,
                    self.code,
                    self.code_type,
                    self.options,
                    self.name,
                    self.target.as_str(),
                    self.has_expressions,
                ))?
                .extract()
        })
    }

    /// The code that a cache's bytes are.
    pub fn code_of(&self, kept: &Bound<'py, PyAny>) -> PyResult<cuox::ObjectCode> {
        let Ok(view) = HostView::new(kept, false) else {
            return Err(PyTypeError::new_err(format!(
                "compile: cache: get() must return bytes or None, got {}",
                names::type_name(kept)
            )));
        };
        let bytes = view.bytes().to_vec();
        let code = cuox::ObjectCode::new(CodeParts {
            source: (self.code_type == "c++").then(|| self.code.to_owned()),
            ..CodeParts::new(self.target.or_ptx(&bytes), bytes, self.name)
        });
        code.check().or_raise_in(kept.py(), "program.compile()")?;
        Ok(code)
    }
}

/// Return a text for what NVRTC makes of a program besides its source and options: the compiler, the architecture, and
/// the folders of CUDA's headers if the source includes any.
///
/// words: the compiler's command line. Raises NotFoundError if there is no NVRTC.
#[pyfunction]
pub fn compiler_text(
    py: Python<'_>,
    source: &str,
    words: Vec<String>,
    target: &str,
) -> PyResult<String> {
    let target = CodeFormat::parse(target).or_raise(py)?;
    let options = cuox::ProgramOptions::from_args(words).or_raise(py)?;
    let needs_device = options.arch.is_none() || target == CodeFormat::Cubin;
    let device = needs_device.then(|| device::current(py).ok()).flatten();
    let program = cuox::Program::new(source, "").with_options(options);
    py.detach(|| program.compiler_text(target, device))
        .or_raise(py)
}
