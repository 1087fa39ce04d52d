//! Errors, as values.
//!
//! Formatting an [`Error`] only reads what the value holds: it never calls the driver, so an error can be printed
//! from a `Drop`, after a fork or with no driver loaded.

use std::fmt;
use std::path::PathBuf;

/// The result of every fallible function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Everything that this crate reports.
///
/// `Debug` prints the message, as `Display` does, since that is what `fn main() -> cuox::Result<()>`, `unwrap` and
/// `expect` show. `match` has the parts.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A CUDA driver call answered something else than `CUDA_SUCCESS` (CUDA Driver API manual, section 6.1).
    #[error("{}", DriverText { user: None, name, code, description, call, hint: hint.as_deref() })]
    Driver {
        /// The `CUresult` value.
        code: i32,
        /// Its name, `CUDA_ERROR_…`.
        name: &'static str,
        /// The meaning, in one sentence.
        description: &'static str,
        /// The C function that answered it.
        call: &'static str,
        /// The likely remedy, or the driver's own log (JIT compiler, linker).
        hint: Option<Box<str>>,
    },
    /// NVRTC refused a program (NVRTC manual, `nvrtcResult`).
    #[error("{name} ({code}) from {call}{}", LogText { log, hint })]
    Nvrtc {
        /// The `nvrtcResult` value.
        code: i32,
        /// Its name, `NVRTC_ERROR_…`.
        name: &'static str,
        /// The C function that answered it.
        call: &'static str,
        /// The compiler's log: file, line and message of each diagnostic.
        log: Box<str>,
        /// The remedy, where that is known; may be empty.
        hint: Box<str>,
    },
    /// A library or a folder of headers that is not on this machine.
    #[error("{}", NotFoundText(.0))]
    NotFound(Box<NotFound>),
    /// A kernel argument that does not fit the kernel's parameter.
    #[error("{}", ArgumentText(.0))]
    Argument(Box<ArgumentError>),
    /// A launch with too few or too many arguments.
    #[error("{kernel} takes {expected} argument{}, not {got}: {signature}", if *expected == 1 { "" } else { "s" })]
    ArgumentCount {
        /// The kernel's name as the source spells it.
        kernel: Box<str>,
        /// The number of parameters it declares.
        expected: usize,
        /// The number of arguments that came.
        got: usize,
        /// The whole signature.
        signature: Box<str>,
    },
    /// The object was closed (or the thing it belongs to was).
    #[error("this {what} is closed")]
    Closed {
        /// The kind of object.
        what: &'static str,
    },
    /// The object was made before [`Device::reset`](crate::Device::reset), which has ended everything on the device.
    #[error("this was made before device.reset(), which has ended it: make a new one")]
    Reset,
    /// A value that no driver call could accept: a size, a name, an option.
    #[error("{0}")]
    Invalid(Box<str>),
    /// The loaded driver has no such function.
    #[error("{function} is not in the CUDA driver at {driver} (it reports CUDA {})", Version(*version))]
    MissingFunction {
        /// The exported symbol.
        function: &'static str,
        /// The library that lacks it.
        driver: Box<str>,
        /// The answer of `cuDriverGetVersion`, `1000 × major + 10 × minor`.
        version: i32,
    },
    /// A kernel, a variable or a library entry that the code does not hold.
    #[error("no kernel \"{name}\"{}{hint}", Available(available))]
    NoSuchKernel {
        /// The name that was asked for.
        name: Box<str>,
        /// The kernels that are there, as far as known, by the names that people write.
        available: Box<[String]>,
        /// The way to get it, where that is known; begins with a mark that joins it to the text before.
        hint: Box<str>,
    },
    /// Code that only a linker reads.
    #[error(
        "Unsupported code type \"{format}\": it cannot be loaded; a linker makes ptx, cubin or fatbin of it"
    )]
    Unloadable {
        /// Its kind.
        format: &'static str,
    },
    /// A wait that the caller's check ended. The work goes on.
    #[error("the wait was interrupted; the work it waited for was not")]
    Interrupted,
    /// This process was forked from one that had opened a driver.
    #[error(
        "CUDA was in use before this process was forked, and does not survive a fork: \
             start workers with \"spawn\", or first use CUDA in the child"
    )]
    Forked,
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The parts of [`Error::NotFound`].
#[derive(Debug, Clone)]
pub struct NotFound {
    /// The thing that was looked for, such as `NVRTC (libnvrtc.so.13)`.
    pub what: String,
    /// Each place that was tried, in order, with what was found there when it was not good.
    pub searched: Vec<String>,
    /// The command or setting that mends it.
    pub fix: String,
    /// Of these places the first that has the file, which cannot be used.
    pub defective: Option<String>,
}

/// The parts of [`Error::Argument`].
#[derive(Debug, Clone)]
pub struct ArgumentError {
    /// The kernel's name as the source spells it.
    pub kernel: String,
    /// The parameter's position, counted from 1.
    pub index: usize,
    /// The parameter's name, where the source is known.
    pub name: Option<String>,
    /// The parameter's type as the source spells it, or as the PTX says.
    pub declared: String,
    /// The values that the parameter takes, such as `a device pointer`.
    pub expected: String,
    /// The value that came instead.
    pub got: String,
    /// The value is of a kind that the parameter takes, and out of its range.
    pub out_of_range: bool,
}

impl Error {
    /// An [`Error::Invalid`] with this text.
    pub fn invalid(text: impl Into<String>) -> Self {
        Self::Invalid(text.into().into_boxed_str())
    }

    /// The error for a driver's answer.
    ///
    /// ```
    /// let e = cuox::Error::driver(2, "cuMemAlloc_v2");
    /// assert!(e.to_string().starts_with("CUDA_ERROR_OUT_OF_MEMORY (2) from cuMemAlloc_v2"));
    /// ```
    pub fn driver(code: i32, call: &'static str) -> Self {
        let (description, hint) = describe(code);
        Self::Driver {
            code,
            name: name_of(code),
            description,
            call,
            hint: hint.map(Into::into),
        }
    }

    /// This driver error with one more hint. Other errors stay as they are.
    #[must_use]
    pub(crate) fn with_more(mut self, text: &str) -> Self {
        if let Self::Driver { hint, .. } = &mut self {
            *hint = Some(match hint.take() {
                Some(hint) => format!("{hint}; {text}").into_boxed_str(),
                None => text.into(),
            });
        }
        self
    }

    /// This driver error with another hint (a JIT log, say). Other errors stay as they are.
    #[must_use]
    pub fn with_hint(mut self, text: impl Into<String>) -> Self {
        if let Self::Driver { hint, .. } = &mut self {
            *hint = Some(text.into().into_boxed_str());
        }
        self
    }

    /// The `CUresult` of a driver error.
    pub fn driver_code(&self) -> Option<i32> {
        match self {
            Self::Driver { code, .. } => Some(*code),
            _ => None,
        }
    }

    /// The text of this error where `user` is what the user has called, such as `stream.sync()`: for layers above this
    /// one, whose users know nothing of driver calls.
    ///
    /// ```
    /// let e = cuox::Error::driver(1, "cuStreamQuery");
    /// assert!(e.text_in("stream.sync()").starts_with("stream.sync(): CUDA_ERROR_INVALID_VALUE (1, cuStreamQuery): "));
    /// ```
    pub fn text_in(&self, user: &str) -> String {
        match self {
            Self::Driver {
                code,
                name,
                description,
                call,
                hint,
            } => DriverText {
                user: Some(user),
                name,
                code,
                description,
                call,
                hint: hint.as_deref(),
            }
            .to_string(),
            Self::Nvrtc {
                code,
                name,
                call,
                log,
                hint,
            } => format!("{user}: {name} ({code}, {call}){}", LogText { log, hint }),
            other => other.to_string(),
        }
    }

    /// True if device memory ran out.
    pub fn is_out_of_memory(&self) -> bool {
        self.driver_code() == Some(2)
    }

    /// True if a cooperative launch has more blocks than the device holds at once.
    pub fn is_cooperative_launch_too_large(&self) -> bool {
        self.driver_code() == Some(720)
    }

    /// True if a kernel failed while it ran, which leaves its context unusable.
    pub fn is_sticky(&self) -> bool {
        self.driver_code().is_some_and(is_sticky)
    }

    pub(crate) fn not_found(
        what: impl Into<String>,
        searched: Vec<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self::NotFound(Box::new(NotFound {
            what: what.into(),
            searched,
            fix: fix.into(),
            defective: None,
        }))
    }
}

/// True for a `CUresult` that ends its context.
fn is_sticky(code: i32) -> bool {
    matches!(code, 700 | 702 | 710 | 714..=719)
}

/// Makes the sentence for "tried this file, and it did not open".
pub(crate) fn tried(path: &std::path::Path, why: impl fmt::Display) -> String {
    format!("{}: {why}", PathBuf::from(path).display())
}

/// The compiler's output and the remedy, behind an error's first line.
struct LogText<'a> {
    log: &'a str,
    hint: &'a str,
}

impl fmt::Display for LogText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.log.is_empty() {
            write!(f, ", compilation log:\n{}", self.log)?;
        }
        if !self.hint.is_empty() {
            write!(f, "\n{}", self.hint)?;
        }
        Ok(())
    }
}

struct DriverText<'a> {
    user: Option<&'a str>,
    name: &'a str,
    code: &'a i32,
    description: &'a str,
    call: &'a str,
    hint: Option<&'a str>,
}

impl fmt::Display for DriverText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name, code, call, ..
        } = self;
        match self.user {
            Some(user) => write!(f, "{user}: {name} ({code}, {call}): ")?,
            None => write!(f, "{name} ({code}) from {call}: ")?,
        }
        f.write_str(self.description)?;
        match self.hint {
            Some(hint) if hint.contains('\n') => write!(f, "\n{}", hint.trim_end())?,
            Some(hint) => write!(f, " ({hint})")?,
            None => {}
        }
        if is_sticky(*self.code) {
            f.write_str(
                "\nAll memory and streams of the device are lost. On the software GPU cuox.Device().reset() starts afresh; NVIDIA's driver needs a new process.",
            )?;
        }
        Ok(())
    }
}

struct NotFoundText<'a>(&'a NotFound);

impl fmt::Display for NotFoundText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} was not found. {}", self.0.what, self.0.fix)?;
        if !self.0.searched.is_empty() {
            f.write_str("\nLooked in:")?;
            for place in &self.0.searched {
                write!(f, "\n  {place}")?;
            }
        }
        Ok(())
    }
}

struct ArgumentText<'a>(&'a ArgumentError);

impl fmt::Display for ArgumentText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let a = self.0;
        write!(f, "{}: parameter {}", a.kernel, a.index)?;
        if let Some(name) = &a.name {
            write!(f, " \"{name}\"")?;
        }
        write!(f, " ({}) takes {}, not {}", a.declared, a.expected, a.got)
    }
}

/// Prints a `1000 × major + 10 × minor` version.
struct Version(i32);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.0 / 1000, self.0 % 1000 / 10)
    }
}

struct Available<'a>(&'a [String]);

impl fmt::Display for Available<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        if self.0.is_empty() {
            return Ok(());
        }
        f.write_str("; available: ")?;
        for (i, name) in self.0.iter().take(SHOWN).enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            f.write_str(name)?;
        }
        if self.0.len() > SHOWN {
            write!(f, " and {} more", self.0.len() - SHOWN)?;
        }
        Ok(())
    }
}

/// A sentence for a `CUresult`, and what usually mends it.
fn describe(code: i32) -> (&'static str, Option<&'static str>) {
    let text = u32::try_from(code)
        .ok()
        .and_then(|c| cuox_abi::result_description(cuox_abi::CUresult(c)));
    let text = text
        .and_then(|t| t.to_str().ok())
        .unwrap_or("see CUresult in the CUDA Driver API manual");
    let hint = match code {
        4 => "the process is ending; free CUDA objects earlier",
        34 => "take the stubs folder out of LD_LIBRARY_PATH",
        100 => "check nvidia-smi and CUDA_VISIBLE_DEVICES, or use CUOX_DEVICE=soft",
        209 => "compile for this device, or to PTX",
        222 => {
            "the PTX is of a newer CUDA than the driver: compile to \"cubin\", install the driver's NVRTC \
             (pip install \"cuda-toolkit[cccl,crt,cudart,nvrtc]==13.0.*\"), or update the driver"
        }
        700 => "CUOX_DEVICE=soft says which thread did it",
        701 => "use a smaller block or less shared memory",
        720 => "use fewer blocks: all must fit on the device at once",
        803 => "reboot after a driver update",
        _ => return (text, None),
    };
    (text, Some(hint))
}

fn name_of(code: i32) -> &'static str {
    let name = u32::try_from(code)
        .ok()
        .and_then(|c| cuox_abi::result_name(cuox_abi::CUresult(c)));
    name.and_then(|n| n.to_str().ok())
        .unwrap_or("CUDA_ERROR_UNKNOWN_CODE")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_of_a_wrong_argument_names_parameter_and_type() {
        let e = Error::Argument(Box::new(ArgumentError {
            kernel: "saxpy".into(),
            index: 2,
            name: Some("x".into()),
            declared: "const float *".into(),
            expected: "a device pointer".into(),
            got: "float".into(),
            out_of_range: false,
        }));
        assert_eq!(
            e.to_string(),
            "saxpy: parameter 2 \"x\" (const float *) takes a device pointer, not float"
        );
    }

    #[test]
    fn a_log_goes_on_its_own_lines() {
        let e = Error::driver(218, "cuLibraryLoadData")
            .with_hint("ptxas line 3; error: x\nline 4; error: y\n");
        let text = e.to_string();
        assert!(
            text.ends_with("\nptxas line 3; error: x\nline 4; error: y"),
            "{text}"
        );
        assert_eq!(e.driver_code(), Some(218));
    }

    #[test]
    fn a_program_whose_main_returns_an_error_shows_the_message() {
        let e =
            Error::driver(218, "cuLibraryLoadData").with_hint("line 3; error: x\nline 4; error: y");
        assert_eq!(format!("{e:?}"), e.to_string());
        assert_eq!(format!("{e:#?}"), e.to_string());
        let done: Result<()> = Err(e.clone());
        assert_eq!(format!("{done:?}"), format!("Err({e})"));
    }

    #[test]
    fn what_was_searched_is_listed() {
        let e = Error::not_found(
            "NVRTC",
            vec!["/a: no such file".into()],
            "pip install nvidia-cuda-nvrtc",
        );
        assert_eq!(
            e.to_string(),
            "NVRTC was not found. pip install nvidia-cuda-nvrtc\nLooked in:\n  /a: no such file"
        );
    }

    #[test]
    fn the_type_stays_small_enough_to_return_by_value() {
        assert!(size_of::<Error>() <= 96, "{}", size_of::<Error>());
    }
}
