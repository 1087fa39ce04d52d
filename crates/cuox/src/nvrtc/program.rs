//! A CUDA C++ program and its compilation.

use super::arch::Arch;
use super::attempt::Job;
use super::fit::Fit;
use super::kept::Compiler;
use super::library::{Output, identity_of};
use super::log::Line;
use super::options::ProgramOptions;
use super::pch::PchStatus;
use crate::cache::Cache;
use crate::code::{CodeFormat, CodeParts, MachineCode, ObjectCode};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pathfinder;
use crate::progress::Progress;

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
    /// What has become of the precompiled header, if the options ask for one and NVRTC tells.
    pub pch: Option<PchStatus>,
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
        let (arch, format) = self.target(&compiler.archs, target, device, &mut warnings)?;
        let mut run = |arch: &Arch, format: CodeFormat| {
            let line = Line::begin(self.shown_name(), || format!("{arch}, {}", format.as_str()));
            let _progress = Progress::begin(&format!("compiling {}", self.shown_name()));
            match self
                .job(&compiler, arch, format, name_expressions)
                .run(&compiler, cache, stop)
            {
                Ok((made, origin)) => Ok((made, line.map(|line| (line, origin)))),
                Err(error) => {
                    if let Some(line) = line {
                        line.failed(&error);
                    }
                    Err(error)
                }
            }
        };
        let (made, line) = run(&arch, format)?;
        // A driver that does not take the PTX takes machine code for its own device.
        let mut machine_code = None;
        if format == CodeFormat::Ptx
            && compiler.fit() == Fit::MachineCode
            && let Some(gpu) = device
                .or_else(|| Device::get(0).ok())
                .filter(|gpu| !gpu.is_soft())
        {
            let (arch, _) = Arch::of_code(&gpu.arch())?.supported(&compiler.archs);
            if arch.real {
                let (made, _) = run(&arch, CodeFormat::Cubin)?;
                machine_code = Some(MachineCode {
                    arch: gpu.arch(),
                    bytes: made.bytes,
                });
            }
        }
        let parts = CodeParts {
            format,
            bytes: made.bytes,
            name: self.name.clone(),
            ptx: made.ptx,
            source: Some(self.source.clone()),
            lowered_names: made.lowered_names,
        };
        let code = ObjectCode::with_machine_code(parts, machine_code);
        if let Some((line, origin)) = line {
            line.end(origin, &code);
        }
        Ok(Compiled {
            code,
            log: made.log,
            warnings,
            pch: made.pch,
        })
    }

    /// A text for what the output of [`Program::compile`] depends on besides the program, for those who keep it: the
    /// compiler's version, the architecture and format that come out, and the folders of CUDA's headers, with the times
    /// when they changed, if the source includes anything.
    ///
    /// # Errors
    /// [`Error::NotFound`] without NVRTC.
    pub fn compiler_text(&self, target: CodeFormat, device: Option<Device>) -> Result<String> {
        let compiler = Compiler::get(Cache::installed())?;
        let (arch, format) = self.target(&compiler.archs, target, device, &mut Vec::new())?;
        let (major, minor) = compiler.version;
        let folders: Vec<Vec<u8>> = match self.source.contains("include") {
            true => pathfinder::include_dirs_of(&compiler.path)
                .iter()
                .map(|folder| identity_of(folder))
                .collect(),
            false => Vec::new(),
        };
        Ok(format!(
            "NVRTC {major}.{minor}, {}, {arch}, {}, {:?}, {folders:?}",
            env!("CUOX_NVRTC_SOURCES"),
            format.as_str(),
            compiler.fit()
        ))
    }

    /// The command line that NVRTC is given first for this program, with the folders of CUDA's headers: for those who
    /// hand the program to NVRTC themselves.
    ///
    /// # Errors
    /// [`Error::NotFound`] without NVRTC.
    pub fn command_line(&self, target: CodeFormat, device: Option<Device>) -> Result<Vec<String>> {
        let compiler = Compiler::get(Cache::installed())?;
        let (arch, format) = self.target(&compiler.archs, target, device, &mut Vec::new())?;
        let job = self.job(&compiler, &arch, format, &[]);
        let folders = job.cuda_folders.unwrap_or_default();
        let folders = folders
            .iter()
            .map(|folder| format!("--include-path={}", folder.display()));
        Ok(job.args.into_iter().chain(folders).collect())
    }

    /// The name in messages.
    fn shown_name(&self) -> &str {
        if self.name.is_empty() {
            "default_program"
        } else {
            &self.name
        }
    }

    /// What the compiler is given.
    fn job<'a>(
        &'a self,
        compiler: &Compiler,
        arch: &Arch,
        format: CodeFormat,
        expressions: &'a [&'a str],
    ) -> Job<'a> {
        let mut args = vec![format!("--gpu-architecture={arch}")];
        if format == CodeFormat::LtoIr && !self.options.link_time_optimization {
            args.push("--dlink-time-opt".into());
        }
        args.extend(self.options.to_args());
        Job {
            source: &self.source,
            name: self.shown_name(),
            headers: &self.headers,
            args,
            cuda_folders: (!self.options.no_default_headers)
                .then(|| pathfinder::include_dirs_of(&compiler.path)),
            expressions,
            output: match format {
                CodeFormat::Cubin => Output::Cubin,
                CodeFormat::LtoIr => Output::LtoIr,
                _ => Output::Ptx,
            },
        }
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
