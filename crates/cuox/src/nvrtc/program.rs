//! A CUDA C++ program and its compilation.

use super::arch::Arch;
use super::attempt::Job;
use super::kept::Compiler;
use super::library::Output;
use super::log::Line;
use super::options::ProgramOptions;
use crate::cache::Cache;
use crate::code::{CodeFormat, CodeParts, ObjectCode};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pathfinder;

/// CUDA C++ source, ready to be compiled any number of times.
#[derive(Debug, Clone)]
pub struct Program {
    source: String,
    name: String,
    headers: Vec<(String, String)>,
    options: ProgramOptions,
}

/// The result of a compilation.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// The code, with PTX and source for signatures.
    pub code: ObjectCode,
    /// NVRTC's log: warnings, mostly.
    pub log: String,
    /// Departures from the given options, for the user to see.
    pub warnings: Vec<String>,
}

impl Program {
    /// A program; `name` is what diagnostics call the source, such as `saxpy.cu`.
    pub fn new(source: impl Into<String>, name: impl Into<String>) -> Self {
        let (source, name) = (source.into(), name.into());
        Self {
            source,
            name,
            headers: Vec::new(),
            options: ProgramOptions::default(),
        }
    }

    /// With these options.
    #[must_use]
    pub fn with_options(mut self, options: ProgramOptions) -> Self {
        if let Some(name) = &options.name {
            self.name.clone_from(name);
        }
        self.options = options;
        self
    }

    /// With a header that `#include "name"` finds.
    #[must_use]
    pub fn with_header(mut self, name: impl Into<String>, source: impl Into<String>) -> Self {
        self.headers.push((name.into(), source.into()));
        self
    }

    /// The source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The name in diagnostics.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options.
    pub fn options(&self) -> &ProgramOptions {
        &self.options
    }

    /// Compiles to `target`.
    ///
    /// Without an architecture in the options, that of `device` is taken, else of the compiler's oldest. For the
    /// software GPU [`CodeFormat::Cubin`] gives PTX, which is what that device runs. An architecture that this NVRTC
    /// does not know is raised to the next one that it does, with a warning in [`Compiled::warnings`].
    ///
    /// `name_expressions` are kernels to instantiate and to find by that name (`add<float>`).
    ///
    /// # Errors
    /// [`Error::Nvrtc`] with the compiler's log; [`Error::NotFound`] without NVRTC.
    pub fn compile(
        &self,
        target: CodeFormat,
        device: Option<Device>,
        name_expressions: &[&str],
    ) -> Result<Compiled> {
        self.compile_with(target, device, name_expressions, &mut || false)
    }

    /// As [`Program::compile`], calling `stop` now and then while the code is optimised (if NVRTC has
    /// `nvrtcSetFlowCallback`); ends with [`Error::Interrupted`] when it says `true`.
    ///
    /// # Errors
    /// As [`Program::compile`], and `Interrupted`.
    pub fn compile_with(
        &self,
        target: CodeFormat,
        device: Option<Device>,
        name_expressions: &[&str],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<Compiled> {
        let cache = Cache::installed();
        let compiler = Compiler::get(cache)?;
        let mut warnings = Vec::new();
        let (arch, output) = self.target(&compiler.archs, target, device, &mut warnings)?;
        let mut args = vec![format!("--gpu-architecture={arch}")];
        if output == CodeFormat::LtoIr && !self.options.link_time_optimization {
            args.push("--dlink-time-opt".into());
        }
        args.extend(self.options.to_args());
        let name = if self.name.is_empty() {
            "default_program"
        } else {
            &self.name
        };
        let job = Job {
            source: &self.source,
            name,
            headers: &self.headers,
            args,
            cuda_folders: (!self.options.no_default_headers)
                .then(|| pathfinder::cuda_include_dirs().unwrap_or_default()),
            expressions: name_expressions,
            output: match output {
                CodeFormat::Cubin => Output::Cubin,
                CodeFormat::LtoIr => Output::LtoIr,
                _ => Output::Ptx,
            },
        };
        let line = Line::begin(name, || format!("{arch}, {}", output.as_str()));
        let (made, origin) = match job.run(&compiler, cache, stop) {
            Ok(done) => done,
            Err(error) => {
                if let Some(line) = line {
                    line.failed(&error);
                }
                return Err(error);
            }
        };
        let code = ObjectCode::new(CodeParts {
            format: output,
            bytes: made.bytes,
            name: self.name.clone(),
            ptx: made.ptx,
            source: Some(self.source.clone()),
            lowered_names: made.lowered_names,
        });
        if let Some(line) = line {
            line.end(origin, &code);
        }
        Ok(Compiled {
            code,
            log: made.log,
            warnings,
        })
    }

    /// The architecture to compile for and what will come out.
    fn target(
        &self,
        archs: &[u32],
        target: CodeFormat,
        device: Option<Device>,
        warnings: &mut Vec<String>,
    ) -> Result<(Arch, CodeFormat)> {
        if target == CodeFormat::Fatbin {
            return Err(Error::invalid(
                "NVRTC makes ptx, cubin or ltoir, not fatbin",
            ));
        }
        let asked = match (&self.options.arch, device) {
            (Some(text), _) => Arch::parse(text)?,
            (None, Some(device)) => Arch::parse(&device.arch())?,
            (None, None) => {
                let oldest = archs.first().copied().unwrap_or(75);
                Arch {
                    real: false,
                    number: oldest,
                    suffix: String::new(),
                }
            }
        };
        let output = match target {
            CodeFormat::Cubin if device.is_some_and(Device::is_soft) => CodeFormat::Ptx,
            other => other,
        };
        let mut arch = asked;
        // The format decides: PTX is made for `compute_`, machine code for `sm_`.
        arch.real = output == CodeFormat::Cubin;
        let (arch, warning) = arch.supported(archs);
        warnings.extend(warning);
        let output = if output == CodeFormat::Cubin && !arch.real {
            CodeFormat::Ptx
        } else {
            output
        };
        Ok((arch, output))
    }
}
