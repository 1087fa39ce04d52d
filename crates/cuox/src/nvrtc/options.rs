//! The options of a compilation (NVRTC manual, *Supported Compile Options*).

use super::arch::Arch;
use crate::error::{Error, Result};

/// Options for compiling a [`Program`](super::Program). NVRTC decides where they are `None` or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each field is NVRTC's option of the same name")]
pub struct ProgramOptions {
    /// The program's name in messages. `default_program` when not given.
    pub name: Option<String>,
    /// `sm_90`, `compute_90`; the device's own when not given.
    pub arch: Option<String>,
    pub relocatable_device_code: Option<bool>,
    pub extensible_whole_program: bool,
    pub debug: bool,
    pub lineinfo: bool,
    pub device_code_optimize: Option<bool>,
    pub ptxas_options: Vec<String>,
    pub max_register_count: Option<u32>,
    pub ftz: Option<bool>,
    pub prec_sqrt: Option<bool>,
    pub prec_div: Option<bool>,
    pub fma: Option<bool>,
    pub use_fast_math: bool,
    pub extra_device_vectorization: bool,
    pub link_time_optimization: bool,
    pub gen_opt_lto: bool,
    /// Names with their values.
    pub define_macro: Vec<(String, Option<String>)>,
    pub undefine_macro: Vec<String>,
    pub include_path: Vec<String>,
    pub pre_include: Vec<String>,
    pub no_source_include: bool,
    /// `c++17`, …
    pub std: Option<String>,
    pub builtin_move_forward: Option<bool>,
    pub builtin_initializer_list: Option<bool>,
    pub disable_warnings: bool,
    pub restrict: bool,
    pub device_as_default_execution_space: bool,
    pub device_int128: bool,
    pub device_float128: bool,
    pub optimization_info: Option<String>,
    pub no_display_error_number: bool,
    pub diag_error: Vec<u32>,
    pub diag_suppress: Vec<u32>,
    pub diag_warn: Vec<u32>,
    pub brief_diagnostics: Option<bool>,
    pub time: Option<String>,
    pub split_compile: Option<u32>,
    pub fdevice_syntax_only: bool,
    pub fdevice_time_trace: Option<String>,
    pub minimal: bool,
    pub no_cache: bool,
    pub frandom_seed: Option<String>,
    pub ofast_compile: Option<String>,
    pub pch: bool,
    pub create_pch: Option<String>,
    pub use_pch: Option<String>,
    pub pch_dir: Option<String>,
    pub pch_verbose: bool,
    pub pch_messages: Option<bool>,
    pub instantiate_templates_in_pch: bool,
    /// Compiles as NVRTC alone does: with no CUDA headers that the pathfinder finds on the include path, and with
    /// nothing that nvcc has and NVRTC lacks.
    pub no_default_headers: bool,
    /// More options, passed on as they are.
    pub extra: Vec<String>,
}

impl ProgramOptions {
    /// From a command line such as `["--gpu-architecture=compute_90", "-lineinfo"]`. The architecture is read, so
    /// that it can be checked; the rest is passed on as it is.
    ///
    /// # Errors
    /// [`Error::Invalid`] when an option lacks its value.
    pub fn from_args<S: AsRef<str>>(args: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut options = Self::default();
        options.add_args(args)?;
        Ok(options)
    }

    /// Adds options of a command line to these.
    ///
    /// # Errors
    /// As [`ProgramOptions::from_args`].
    pub fn add_args<S: AsRef<str>>(&mut self, args: impl IntoIterator<Item = S>) -> Result<()> {
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let arg = arg.as_ref();
            match arch_in(arg) {
                ArchOption::Value(value) => self.arch = Some(value.to_owned()),
                ArchOption::Next => match args.next() {
                    Some(value) => self.arch = Some(value.as_ref().to_owned()),
                    None => {
                        return Err(Error::invalid(format!("the option {arg} lacks its value")));
                    }
                },
                ArchOption::No => self.extra.push(arg.to_owned()),
            }
        }
        Ok(())
    }

    /// As NVRTC's command line, without the architecture.
    pub fn to_args(&self) -> Vec<String> {
        let mut list = Vec::new();
        let mut flag = |on: bool, text: &str| {
            if on {
                list.push(text.to_owned());
            }
        };
        flag(self.extensible_whole_program, "--extensible-whole-program");
        flag(self.debug, "--device-debug");
        flag(self.lineinfo, "--generate-line-info");
        flag(self.device_code_optimize == Some(true), "--dopt=on");
        flag(self.use_fast_math, "--use_fast_math");
        flag(
            self.extra_device_vectorization,
            "--extra-device-vectorization",
        );
        flag(self.link_time_optimization, "--dlink-time-opt");
        flag(self.gen_opt_lto, "--gen-opt-lto");
        flag(self.no_source_include, "--no-source-include");
        flag(self.disable_warnings, "--disable-warnings");
        flag(self.restrict, "--restrict");
        flag(
            self.device_as_default_execution_space,
            "--device-as-default-execution-space",
        );
        flag(self.device_int128, "--device-int128");
        flag(self.device_float128, "--device-float128");
        flag(self.no_display_error_number, "--no-display-error-number");
        flag(self.fdevice_syntax_only, "--fdevice-syntax-only");
        flag(self.minimal, "--minimal");
        flag(self.no_cache, "--no-cache");
        flag(self.pch, "--pch");
        flag(self.pch_verbose, "--pch-verbose=true");
        flag(
            self.instantiate_templates_in_pch,
            "--instantiate-templates-in-pch=true",
        );
        let mut value = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                list.push(format!("--{name}={value}"));
            }
        };
        let bool_text = |b: Option<bool>| b.map(|b| b.to_string());
        value(
            "relocatable-device-code",
            bool_text(self.relocatable_device_code),
        );
        value("ftz", bool_text(self.ftz));
        value("prec-sqrt", bool_text(self.prec_sqrt));
        value("prec-div", bool_text(self.prec_div));
        value("fmad", bool_text(self.fma));
        value("builtin-move-forward", bool_text(self.builtin_move_forward));
        value(
            "builtin-initializer-list",
            bool_text(self.builtin_initializer_list),
        );
        value("brief-diagnostics", bool_text(self.brief_diagnostics));
        value("pch-messages", bool_text(self.pch_messages));
        value(
            "maxrregcount",
            self.max_register_count.map(|n| n.to_string()),
        );
        value("split-compile", self.split_compile.map(|n| n.to_string()));
        value("std", self.std.clone());
        value("optimization-info", self.optimization_info.clone());
        value("time", self.time.clone());
        value("fdevice-time-trace", self.fdevice_time_trace.clone());
        value("frandom-seed", self.frandom_seed.clone());
        value("Ofast-compile", self.ofast_compile.clone());
        value("create-pch", self.create_pch.clone());
        value("use-pch", self.use_pch.clone());
        value("pch-dir", self.pch_dir.clone());
        for option in &self.ptxas_options {
            value("ptxas-options", Some(option.clone()));
        }
        for (name, with) in &self.define_macro {
            value(
                "define-macro",
                Some(
                    with.as_ref()
                        .map_or_else(|| name.clone(), |with| format!("{name}={with}")),
                ),
            );
        }
        for name in &self.undefine_macro {
            value("undefine-macro", Some(name.clone()));
        }
        for path in &self.include_path {
            value("include-path", Some(path.clone()));
        }
        for header in &self.pre_include {
            value("pre-include", Some(header.clone()));
        }
        for (name, numbers) in [
            ("diag-error", &self.diag_error),
            ("diag-suppress", &self.diag_suppress),
            ("diag-warn", &self.diag_warn),
        ] {
            if !numbers.is_empty() {
                let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
                value(name, Some(numbers.join(",")));
            }
        }
        list.extend(self.extra.iter().cloned());
        list
    }
}

/// True if an option of a command line names the architecture.
enum ArchOption<'a> {
    /// It does, behind its `=`.
    Value(&'a str),
    /// The word after it does.
    Next,
    /// It does not.
    No,
}

fn arch_in(arg: &str) -> ArchOption<'_> {
    match arg.split_once('=') {
        Some(("--gpu-architecture" | "-arch" | "--gpu-arch", value)) => ArchOption::Value(value),
        None if matches!(arg, "--gpu-architecture" | "-arch") => ArchOption::Next,
        _ => ArchOption::No,
    }
}

/// A command line for NVRTC, in place, whose architectures are brought into the supported ones (ascending), as
/// [`Program::compile`](super::Program::compile) does it. What is no architecture is left for NVRTC to refuse. Answers the warnings.
pub fn bring_into(args: &mut [String], archs: &[u32]) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut next = false;
    for arg in args {
        let text = arg.as_str();
        let value = match arch_in(text) {
            _ if std::mem::take(&mut next) => text,
            ArchOption::Value(value) => value,
            ArchOption::Next => {
                next = true;
                continue;
            }
            ArchOption::No => continue,
        };
        let named = value.starts_with("sm_") || value.starts_with("compute_");
        let Some(asked) = Arch::parse(value).ok().filter(|_| named) else {
            continue;
        };
        if let (arch, Some(warning)) = asked.supported(archs) {
            let option = &text[..text.len() - value.len()];
            *arg = format!("{option}{arch}");
            warnings.push(warning);
        }
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn architectures_are_brought_into_the_supported_ones_in_place() {
        let bring = |line: &[&str]| {
            let mut line: Vec<String> = line.iter().map(ToString::to_string).collect();
            let warnings = bring_into(&mut line, &[75, 90]);
            (line.join(" "), warnings.len())
        };
        for (line, wanted, warnings) in [
            (
                "-G --gpu-architecture=compute_70",
                "-G --gpu-architecture=compute_75",
                1,
            ),
            ("-arch sm_52 -lineinfo", "-arch sm_75 -lineinfo", 1),
            ("-arch=sm_90a -DX=sm_35", "-arch=sm_90a -DX=sm_35", 0),
            ("-arch=native", "-arch=native", 0),
            ("-arch=70", "-arch=70", 0),
            ("-arch", "-arch", 0),
        ] {
            let words: Vec<&str> = line.split(' ').collect();
            assert_eq!(bring(&words), (wanted.to_owned(), warnings));
        }
    }

    #[test]
    fn a_command_line_keeps_its_rest_and_gives_up_its_architecture() {
        let o = ProgramOptions::from_args(["-lineinfo", "--gpu-architecture=compute_70", "-DN=3"])
            .unwrap();
        assert_eq!(o.arch.as_deref(), Some("compute_70"));
        assert_eq!(o.to_args(), ["-lineinfo", "-DN=3"]);
        let o = ProgramOptions::from_args(["-arch", "sm_90"]).unwrap();
        assert_eq!(o.arch.as_deref(), Some("sm_90"));
        assert!(ProgramOptions::from_args(["-arch"]).is_err());
    }

    #[test]
    fn fields_become_options() {
        let o = ProgramOptions {
            fma: Some(false),
            lineinfo: true,
            define_macro: vec![("A".into(), None), ("B".into(), Some("2".into()))],
            diag_suppress: vec![177, 550],
            ..ProgramOptions::default()
        };
        assert_eq!(
            o.to_args(),
            [
                "--generate-line-info",
                "--fmad=false",
                "--define-macro=A",
                "--define-macro=B=2",
                "--diag-suppress=177,550"
            ]
        );
    }
}
