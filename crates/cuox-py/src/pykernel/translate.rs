//! A Python function as CUDA C++.

use cuox_pykernel::host::FunctionId;
use cuox_pykernel::types::{Type, overload};
use cuox_pykernel::{Breakpoints, Compiled, DeviceForm, DeviceFunction, Launch, Options};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

use super::host::PythonHost;

/// The exception of a diagnostic.
#[cold]
fn refused(py: Python<'_>, diagnostic: &cuox_pykernel::diagnostic::Diagnostic) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS
        .import(py, "cuox._internal.kernel_errors", "KernelTypeError")
        .and_then(|class| {
            class.call1((
                diagnostic.to_string(),
                diagnostic.code.number(),
                &*diagnostic.file,
                diagnostic.span.line,
            ))
        });
    match made {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Translates the first function of an environment.
pub fn translate(
    environment: &Bound<'_, PyAny>,
    types: &[Type],
    options: &Options,
) -> PyResult<Compiled> {
    let py = environment.py();
    let mut host = PythonHost::new(environment.clone());
    let done = cuox_pykernel::compile(&mut host, FunctionId(0), types, options);
    if let Some(error) = host.raised {
        return Err(error);
    }
    done.map_err(|diagnostic| refused(py, &diagnostic))
}

/// Reads options from keyword arguments.
pub fn read_options(given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut options = Options {
        wraparound: true,
        ..Options::default()
    };
    let mut device = DeviceFunction {
        name: None,
        result: None,
        numba_abi: false,
        form: DeviceForm::Linked,
    };
    let mut is_device = false;
    for (name, value) in given.into_iter().flatten() {
        let name: String = name.extract()?;
        match name.as_str() {
            "boundscheck" => options.boundscheck = value.is_truthy()?,
            "wraparound" => options.wraparound = value.is_truthy()?,
            "debug" => options.debug = value.is_truthy()?,
            "breakpoints" => {
                options.breakpoints = match value.extract::<String>()?.as_str() {
                    "refused" => Breakpoints::Refused,
                    "ignored" => Breakpoints::Ignored,
                    "called" => Breakpoints::Called,
                    "instruction" => Breakpoints::Instruction,
                    other => return Err(PyValueError::new_err(format!("breakpoints: {other:?}"))),
                }
            }
            "fastmath" => options.fastmath = value.is_truthy()?,
            "index32" => options.index32 = value.is_truthy()?,
            "launch_bounds" => options.launch_bounds = launch_bounds(&value)?,
            "for_software_gpu" => options.for_software_gpu = value.is_truthy()?,
            "launch" => options.launch = launch(&value)?,
            "limits_registers" => options.limits_registers = value.is_truthy()?,
            "max_registers" => options.max_registers = value.extract()?,
            "device" => is_device = value.is_truthy()?,
            "name" => device.name = value.extract()?,
            "result" => {
                let code: Option<String> = value.extract()?;
                device.result = code.map(|code| read_type(&code)).transpose()?;
            }
            "numba_abi" => device.numba_abi = value.is_truthy()?,
            "form" => {
                device.form = match value.extract::<String>()?.as_str() {
                    "linked" => DeviceForm::Linked,
                    "inline" => DeviceForm::Inline,
                    "object" => DeviceForm::Object,
                    other => return Err(PyValueError::new_err(format!("form: {other:?}"))),
                }
            }
            other => return Err(PyValueError::new_err(format!("no option {other:?}"))),
        }
    }
    if is_device {
        options.device = Some(device);
    }
    Ok(options)
}

/// `(block, values)`: the shape of its blocks, and the values of arguments that are ints, `None` for others.
fn launch(value: &Bound<'_, PyAny>) -> PyResult<Option<Launch>> {
    type Told = ((u32, u32, u32), Vec<Option<i128>>);
    let told: Option<Told> = value.extract()?;
    Ok(told.map(|(block, values)| Launch {
        block: block.into(),
        values,
    }))
}

type LaunchBounds = (u32, Option<u32>, Option<u32>);

fn launch_bounds(value: &Bound<'_, PyAny>) -> PyResult<Option<LaunchBounds>> {
    if value.is_none() {
        return Ok(None);
    }
    if let Ok(threads) = value.extract::<u32>() {
        return Ok(Some((threads, None, None)));
    }
    let parts: Vec<u32> = value.extract().map_err(|_| {
        PyValueError::new_err(
            "launch_bounds: expected the most threads in a block, or a tuple (threads, blocks, clusters)",
        )
    })?;
    match parts[..] {
        [threads] => Ok(Some((threads, None, None))),
        [threads, blocks] => Ok(Some((threads, Some(blocks), None))),
        [threads, blocks, clusters] => Ok(Some((threads, Some(blocks), Some(clusters)))),
        _ => Err(PyValueError::new_err(format!(
            "launch_bounds: expected one to three numbers. Got {} launch bounds: {value}",
            parts.len()
        ))),
    }
}

/// Reads a type code.
pub fn read_type(code: &str) -> PyResult<Type> {
    Type::parse(code)
        .ok_or_else(|| PyValueError::new_err(format!("{code:?} is not a type that kernels know")))
}

/// Return the numbers of the signatures that arguments of these types fit best: one, none, or several that are equally
/// good.
#[pyfunction]
pub fn _best_overloads(declared: Vec<Vec<String>>, given: Vec<String>) -> PyResult<Vec<usize>> {
    let types = |codes: &Vec<String>| codes.iter().map(|code| read_type(code)).collect();
    let declared: Vec<Vec<Type>> = declared.iter().map(types).collect::<PyResult<_>>()?;
    let given: Vec<Type> = types(&given)?;
    Ok(overload::best(declared.iter().map(Vec::as_slice), &given))
}

/// The CUDA C++ of a Python function.
#[pyclass(frozen, module = "cuox._native", name = "_TranslatedKernel")]
pub struct TranslatedKernel {
    pub inner: Compiled,
}

#[pymethods]
impl TranslatedKernel {
    /// The user's functions in CUDA C++.
    #[getter]
    fn text(&self) -> &str {
        &self.inner.text
    }

    /// The whole text for NVRTC.
    #[getter]
    fn source(&self) -> String {
        self.inner.source()
    }

    /// The name in the code.
    #[getter]
    fn symbol(&self) -> &str {
        &self.inner.symbol
    }

    /// Names and type codes of the parameters.
    #[getter]
    fn parameters(&self) -> Vec<(String, String)> {
        let all = self.inner.parameters.iter();
        all.map(|(name, ty)| (name.clone(), ty.to_string()))
            .collect()
    }

    /// The type code of the result.
    #[getter]
    fn result(&self) -> String {
        self.inner.result.to_string()
    }

    /// Numbers and type codes of the values that are put into constants `state_N` of the module.
    #[getter]
    fn state(&self) -> Vec<(u32, String)> {
        let all = self.inner.state.iter();
        all.map(|(number, ty)| (*number, ty.to_string())).collect()
    }

    /// `(class, arguments, function, file, line)` of each exception that it may raise; the arguments as Python writes
    /// them.
    #[getter]
    fn exceptions(&self) -> Vec<(String, Vec<String>, String, String, u32)> {
        let all = self.inner.exceptions.iter();
        all.map(|e| {
            (
                e.class.clone(),
                e.arguments.clone(),
                e.function.clone(),
                e.file.clone(),
                e.line,
            )
        })
        .collect()
    }

    /// True if it waits for the whole grid.
    #[getter]
    fn is_cooperative(&self) -> bool {
        self.inner.is_cooperative
    }

    /// True if it has `breakpoint()` somewhere.
    #[getter]
    fn has_breakpoints(&self) -> bool {
        self.inner.has_breakpoints
    }

    /// The shape of the blocks that it must be launched with, and the name of what says so.
    #[getter]
    fn block(&self) -> Option<((u32, u32, u32), String)> {
        let (block, name) = self.inner.block.as_ref()?;
        Some(((*block).into(), name.clone()))
    }

    /// `(message, file, line)` of each warning about the program.
    #[getter]
    fn warnings(&self) -> Vec<(String, String, u32)> {
        let all = self.inner.warnings.iter();
        all.map(|one| (one.message.clone(), one.file.clone(), one.line))
            .collect()
    }

    /// True if it has checks that `for_software_gpu` asks for.
    #[getter]
    fn has_checks(&self) -> bool {
        self.inner.has_checks
    }

    /// What it is compiled for: True if that is the shape of a launch's blocks, and the numbers of arguments with their
    /// values.
    #[getter]
    fn launch(&self) -> (bool, Vec<(usize, i128)>) {
        (
            self.inner.has_launch_block,
            self.inner.launch_values.clone(),
        )
    }

    /// Functions of CUDA C++ that it calls.
    #[getter]
    fn external(&self) -> Vec<String> {
        self.inner.external.clone()
    }
}

/// Translate the first function of an environment for arguments of these types.
///
/// types: type codes, one for each parameter. options: `boundscheck`, `debug`, `fastmath`, …
///
/// Raises KernelTypeError with the user's line.
#[pyfunction]
#[pyo3(signature = (environment, types, **options))]
pub fn _translate(
    environment: &Bound<'_, PyAny>,
    types: Vec<String>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<TranslatedKernel> {
    let types = types.iter().map(|code| read_type(code));
    let types = types.collect::<PyResult<Vec<_>>>()?;
    let options = read_options(options)?;
    let inner = translate(environment, &types, &options)?;
    Ok(TranslatedKernel { inner })
}
