//! Compiled code and how it is loaded (Driver API manual, *Library Management*).

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::context::Context;
use crate::device::Device;
use crate::driver::Driver;
use crate::driver::sys::{CUdeviceptr, CUjit_option, CUkernel, CUlibrary, call};
use crate::error::{Error, Result};
use crate::image;
use crate::kernel::Kernel;
use crate::signature::{base_name, entry_names, example_instance, parameter_types, readable};

/// The format of the bytes of an [`ObjectCode`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CodeFormat {
    /// PTX text.
    Ptx,
    /// Machine code for one architecture.
    Cubin,
    /// Several of the former in one.
    Fatbin,
    /// NVRTC's intermediate code for link-time optimisation. It cannot be loaded as it is.
    LtoIr,
    /// An object file with device code, for a linker. It cannot be loaded as it is.
    Object,
    /// A static library of such. It cannot be loaded as it is.
    Library,
}

impl CodeFormat {
    /// `ptx`, `cubin`, `fatbin`, `ltoir`, `object` or `library`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ptx => "ptx",
            Self::Cubin => "cubin",
            Self::Fatbin => "fatbin",
            Self::LtoIr => "ltoir",
            Self::Object => "object",
            Self::Library => "library",
        }
    }

    /// Reads the name of a format.
    ///
    /// # Errors
    /// [`Error::Invalid`] that lists the names.
    pub fn parse(text: &str) -> Result<Self> {
        match text {
            "ptx" => Ok(Self::Ptx),
            "cubin" => Ok(Self::Cubin),
            "fatbin" => Ok(Self::Fatbin),
            "ltoir" => Ok(Self::LtoIr),
            "object" => Ok(Self::Object),
            "library" => Ok(Self::Library),
            other => Err(Error::invalid(format!(
                "the code format must be \"ptx\", \"cubin\", \"fatbin\", \"ltoir\", \"object\" or \"library\", not \"{other}\""
            ))),
        }
    }

    /// This format, or PTX if that is what the bytes are: what was compiled to a cubin on the software GPU is PTX.
    pub fn or_ptx(self, bytes: &[u8]) -> Self {
        match self {
            Self::Cubin | Self::Fatbin if image::is_ptx(bytes) => Self::Ptx,
            format => format,
        }
    }

    /// Guesses from the first bytes; text is taken for PTX.
    pub fn detect(bytes: &[u8]) -> Self {
        match bytes {
            [0x7f, b'E', b'L', b'F', ..] => Self::Cubin,
            [0x50, 0xed, 0x55, 0xba, ..] | [0xb1, 0x43, 0x62, 0x46, ..] => Self::Fatbin,
            _ => Self::Ptx,
        }
    }
}

/// The parts of an [`ObjectCode`].
#[derive(Debug, Clone)]
pub struct CodeParts {
    /// The format of `bytes`.
    pub format: CodeFormat,
    /// The code.
    pub bytes: Vec<u8>,
    /// A name for messages; may be empty.
    pub name: String,
    /// The PTX that the code was made from, for signatures. Not needed when the code is PTX.
    pub ptx: Option<String>,
    /// The CUDA C++ source, for names and types of parameters.
    pub source: Option<String>,
    /// From name expressions (`add<float>`) to names in the code.
    pub lowered_names: BTreeMap<String, String>,
}

impl CodeParts {
    /// Code of which nothing else is known.
    pub fn new(format: CodeFormat, bytes: Vec<u8>, name: impl Into<String>) -> Self {
        Self {
            format,
            bytes,
            name: name.into(),
            ptx: None,
            source: None,
            lowered_names: BTreeMap::new(),
        }
    }
}

/// Compiled code. Cheap to clone; loaded by a driver when its first kernel is asked for, unloaded with the last
/// handle.
#[derive(Clone)]
pub struct ObjectCode(Arc<CodeState>);

struct CodeState {
    parts: CodeParts,
    /// The same code for devices whose driver does not take the PTX.
    machine_code: Option<MachineCode>,
    loaded: Mutex<Vec<Arc<Library>>>,
}

/// A cubin for the devices of one architecture.
pub(crate) struct MachineCode {
    /// `90`, `100a`, ….
    pub arch: String,
    pub bytes: Vec<u8>,
}

/// Code that a driver has loaded.
pub(crate) struct Library {
    driver: &'static Driver,
    context: Context,
    raw: CUlibrary,
    logs: Logs,
}

const LOG_SIZE: usize = 16 * 1024;

/// The buffers that the JIT compiler writes to: in any call about the library when it compiles lazily, so all of this
/// lives as long as the library. Atomics, since the driver writes behind Rust's back.
struct Logs {
    _info: Box<[AtomicU8]>,
    error: Box<[AtomicU8]>,
    /// The values of [`Logs::OPTIONS`]: addresses and sizes; the driver puts the sizes it used here.
    values: Box<[AtomicUsize; 4]>,
}

impl Logs {
    const OPTIONS: [CUjit_option; 4] = [
        CUjit_option::CU_JIT_INFO_LOG_BUFFER,
        CUjit_option::CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER,
        CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
    ];

    fn new() -> Self {
        let buffer = || -> Box<[AtomicU8]> { (0..LOG_SIZE).map(|_| AtomicU8::new(0)).collect() };
        let (info, error) = (buffer(), buffer());
        let values = [
            info.as_ptr().expose_provenance(),
            LOG_SIZE,
            error.as_ptr().expose_provenance(),
            LOG_SIZE,
        ];
        Self {
            _info: info,
            error,
            values: Box::new(values.map(AtomicUsize::new)),
        }
    }

    /// Adds what the compiler said to an error.
    fn explain(&self, error: Error) -> Error {
        let bytes: Vec<u8> = self
            .error
            .iter()
            .map(|b| b.load(Ordering::Relaxed))
            .take_while(|&b| b != 0)
            .collect();
        match String::from_utf8_lossy(&bytes).trim_end() {
            "" => error,
            log => error.with_hint(format!("\n{log}")),
        }
    }
}

impl ObjectCode {
    /// From all its parts.
    pub fn new(parts: CodeParts) -> Self {
        Self::with_machine_code(parts, None)
    }

    /// From all its parts, with machine code that is loaded instead on the devices that it is for.
    pub(crate) fn with_machine_code(
        mut parts: CodeParts,
        machine_code: Option<MachineCode>,
    ) -> Self {
        if parts.format == CodeFormat::Ptx {
            // The driver reads PTX up to a zero byte.
            while parts.bytes.last() == Some(&0) {
                parts.bytes.pop();
            }
            if parts.ptx.is_none() {
                parts.ptx = Some(String::from_utf8_lossy(&parts.bytes).into_owned());
            }
            parts.bytes.push(0);
        }
        Self(Arc::new(CodeState {
            parts,
            machine_code,
            loaded: Mutex::new(Vec::new()),
        }))
    }

    fn plain(format: CodeFormat, bytes: Vec<u8>) -> Self {
        Self::new(CodeParts::new(format, bytes, ""))
    }

    /// PTX text.
    pub fn from_ptx(text: impl Into<Vec<u8>>) -> Self {
        Self::plain(CodeFormat::Ptx, text.into())
    }

    /// A cubin.
    pub fn from_cubin(bytes: impl Into<Vec<u8>>) -> Self {
        Self::plain(CodeFormat::Cubin, bytes.into())
    }

    /// A fatbin.
    pub fn from_fatbin(bytes: impl Into<Vec<u8>>) -> Self {
        Self::plain(CodeFormat::Fatbin, bytes.into())
    }

    /// A file of PTX, cubin or fatbin, told apart by its first bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] when the file cannot be read.
    pub fn from_file(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path)
            .map_err(|e| Error::invalid(format!("{} cannot be read: {e}", path.display())))?;
        Ok(Self::plain(CodeFormat::detect(&bytes), bytes))
    }

    /// Checks that the bytes can be code of their format: that they begin as such code does, and have all that their
    /// headers speak of. Loading asks this first.
    ///
    /// # Errors
    /// [`Error::Invalid`] with what is wrong.
    pub fn check(&self) -> Result<()> {
        image::check(self.format(), self.bytes())
    }

    /// True if [`ObjectCode::bytes`] is all of the code: there is no machine code besides for a driver that does not
    /// take the PTX.
    pub fn is_whole(&self) -> bool {
        self.0.machine_code.is_none()
    }

    /// The format of [`ObjectCode::bytes`].
    pub fn format(&self) -> CodeFormat {
        self.0.parts.format
    }

    /// The code, PTX without the zero byte that ends it.
    pub fn bytes(&self) -> &[u8] {
        let bytes = &self.0.parts.bytes;
        match self.format() {
            CodeFormat::Ptx => bytes.strip_suffix(&[0]).unwrap_or(bytes),
            _ => bytes,
        }
    }

    /// Code that another library has loaded: nothing is known of it.
    pub(crate) fn unknown(name: &str) -> Self {
        Self::new(CodeParts::new(CodeFormat::Cubin, Vec::new(), name))
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.0.parts.name
    }

    /// The PTX, of the code itself or what it was made from.
    pub fn ptx(&self) -> Option<&str> {
        self.0.parts.ptx.as_deref()
    }

    /// The CUDA C++ source.
    pub fn source(&self) -> Option<&str> {
        self.0.parts.source.as_deref()
    }

    /// From name expressions to names in the code.
    pub fn lowered_names(&self) -> &BTreeMap<String, String> {
        &self.0.parts.lowered_names
    }

    /// The kernels in the code, by the names they have there, as far as the PTX is known.
    pub fn kernel_names(&self) -> Vec<String> {
        self.ptx().map(entry_names).unwrap_or_default()
    }

    /// The kernels in the code by the names that [`ObjectCode::kernel`] takes and people write: name expressions, or
    /// what the names in the code stand for (`k2<int>`).
    pub fn shown_kernel_names(&self) -> Vec<String> {
        let expression = |name: &str| {
            let mut all = self.lowered_names().iter();
            all.find(|(_, lowered)| *lowered == name)
                .map(|(expression, _)| expression.clone())
        };
        let names = self.kernel_names();
        let shown: Vec<String> = names
            .iter()
            .map(|name| expression(name).unwrap_or_else(|| readable(name)))
            .collect();
        // Of overloads only the code's own names tell which one is meant.
        let is_one = |text: &String| shown.iter().filter(|other| *other == text).count() == 1;
        let told = |name: &str, text: &String| match parameter_types(name) {
            Some(types) if !is_one(text) => format!("{name} ({text}({types}))"),
            _ => text.clone(),
        };
        names
            .iter()
            .zip(&shown)
            .map(|(name, text)| told(name, text))
            .collect()
    }

    /// A kernel, loaded for a device's primary context.
    ///
    /// `name` is the kernel's name in the code, a name expression that the program was compiled with, or the plain
    /// name of a C++ kernel (`add` for `_Z3addPfi`) when only one kernel has it.
    ///
    /// # Errors
    /// [`Error::NoSuchKernel`]; with bad code, the driver's error with the JIT compiler's log.
    pub fn kernel(&self, device: Device, name: &str) -> Result<Kernel> {
        self.kernel_in(&device.context()?, name)
    }

    /// As [`ObjectCode::kernel`], for any context.
    ///
    /// # Errors
    /// As [`ObjectCode::kernel`].
    pub fn kernel_in(&self, context: &Context, name: &str) -> Result<Kernel> {
        let library = self.library(context)?;
        let (lowered, raw) = self.find(&library, context, name)?;
        Kernel::new(context, self, library, raw, name, lowered)
    }

    /// Loads the code now, which reports what is wrong with it.
    ///
    /// # Errors
    /// As [`ObjectCode::kernel`].
    pub fn load(&self, device: Device) -> Result<()> {
        self.library(&device.context()?).map(drop)
    }

    /// The library that the driver has made of the code, loaded now if it is not yet. It lives as long as this object,
    /// or a copy of it.
    ///
    /// # Errors
    /// As [`ObjectCode::kernel`].
    pub fn handle(&self, device: Device) -> Result<CUlibrary> {
        Ok(self.library(&device.context()?)?.raw)
    }

    /// The same, if the code is loaded.
    pub fn loaded_handle(&self, device: Device) -> Option<CUlibrary> {
        let loaded = self.0.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let found = loaded
            .iter()
            .find(|library| std::ptr::eq(library.driver, device.driver()));
        found.map(|library| library.raw)
    }

    /// Address and size in bytes of a `__device__` or `__constant__` variable.
    ///
    /// # Errors
    /// `CUDA_ERROR_NOT_FOUND`; with bad code as [`ObjectCode::kernel`].
    pub fn global(&self, device: Device, name: &str) -> Result<(CUdeviceptr, usize)> {
        let context = device.context()?;
        let library = self.library(&context)?;
        context.bind()?;
        let name = self.lowered_names().get(name).map_or(name, String::as_str);
        let c_name = c_string(name)?;
        let (mut ptr, mut bytes) = (0, 0);
        // SAFETY: the library is loaded and all pointers are to live locals.
        unsafe {
            call!(
                library.driver,
                cuLibraryGetGlobal(&mut ptr, &mut bytes, library.raw, c_name.as_ptr())
            )
        }
        .map_err(|e| e.with_hint(format!("no variable \"{name}\"")))?;
        Ok((ptr, bytes))
    }

    /// The bytes that a context's driver loads, text with the zero byte that ends it.
    fn bytes_for(&self, context: &Context) -> &[u8] {
        let device = context.device();
        match &self.0.machine_code {
            Some(code) if !device.is_soft() && device.arch() == code.arch => &code.bytes,
            _ => &self.0.parts.bytes,
        }
    }

    fn library(&self, context: &Context) -> Result<Arc<Library>> {
        let mut loaded = self.0.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = loaded
            .iter()
            .find(|l| std::ptr::eq(l.driver, context.driver()) && l.context.check().is_ok())
        {
            return Ok(Arc::clone(library));
        }
        loaded.retain(|library| library.context.check().is_ok());
        let library = Arc::new(Library::load(context, self)?);
        loaded.push(Arc::clone(&library));
        Ok(library)
    }

    fn find(&self, library: &Library, context: &Context, name: &str) -> Result<(String, CUkernel)> {
        context.bind()?;
        let asked = self.lowered_names().get(name).map_or(name, String::as_str);
        let error = match library.kernel(asked) {
            Ok(raw) => return Ok((asked.to_owned(), raw)),
            Err(error) if error.driver_code() == Some(500) => error,
            Err(error) => return Err(error),
        };
        let names = self.kernel_names();
        // `k2<int>` is there without a name expression where something in the source has made it.
        let wanted = name.replace(' ', "");
        let is_name = |n: &&String| base_name(n) == name || readable(n).replace(' ', "") == wanted;
        let mut same = names.iter().filter(is_name);
        if let (Some(only), None) = (same.next(), same.next()) {
            return Ok((only.clone(), library.kernel(only)?));
        }
        if names.is_empty() && self.ptx().is_none() {
            return Err(error.with_hint(format!("no kernel \"{name}\"")));
        }
        let hint = self
            .source()
            .and_then(|source| example_instance(source, base_name(name)))
            .map(|instance| {
                format!(
                    "; {} is a template: say which instances to make, compile(\"ptx\", name_expressions=[\"{instance}\"]), and ask for one by that name, get_kernel(\"{instance}\")",
                    base_name(name)
                )
            });
        Err(Error::NoSuchKernel {
            name: readable(name).into(),
            available: self.shown_kernel_names().into(),
            hint: hint.unwrap_or_default().into(),
        })
    }
}

impl Library {
    fn load(context: &Context, code: &ObjectCode) -> Result<Self> {
        if matches!(code.format(), CodeFormat::Object | CodeFormat::Library) {
            return Err(Error::Unloadable {
                format: code.format().as_str(),
            });
        }
        if code.format() == CodeFormat::LtoIr {
            return Err(Error::invalid(
                "ltoir cannot be loaded: link it first, or compile to cubin or ptx",
            ));
        }
        code.check()?;
        context.bind()?;
        let driver = context.driver();
        let logs = Logs::new();
        let mut options = Logs::OPTIONS;
        let mut raw = CUlibrary::null();
        // SAFETY: the code ends in a zero byte if it is text, and says its own size otherwise; the logs have the
        // stated size and live as long as the library.
        let loaded = unsafe {
            call!(
                driver,
                cuLibraryLoadData(
                    &mut raw,
                    code.bytes_for(context).as_ptr().cast(),
                    options.as_mut_ptr(),
                    logs.values.as_ptr().cast_mut().cast(),
                    options.len() as u32,
                    std::ptr::null_mut(),
                    std::ptr::null_mut(),
                    0,
                )
            )
        };
        loaded.map_err(|error| logs.explain(error))?;
        Ok(Self {
            driver,
            context: context.clone(),
            raw,
            logs,
        })
    }

    /// Adds the JIT compiler's log to the error of a call that made it compile.
    pub(crate) fn explain(&self, error: Error) -> Error {
        match error.driver_code() {
            // Not found: then the code is good.
            Some(500) => error,
            _ => self.logs.explain(error),
        }
    }

    fn kernel(&self, name: &str) -> Result<CUkernel> {
        let c_name = c_string(name)?;
        let mut raw = CUkernel::null();
        // SAFETY: the library is loaded and the pointers are to live locals.
        unsafe {
            call!(
                self.driver,
                cuLibraryGetKernel(&mut raw, self.raw, c_name.as_ptr())
            )
        }
        .map_err(|error| self.explain(error))?;
        Ok(raw)
    }
}

impl Drop for Library {
    fn drop(&mut self) {
        let raw = self.raw;
        // SAFETY: kernels hold the library, so none is left.
        self.context
            .release(move |driver| unsafe { call!(driver, cuLibraryUnload(raw)) });
    }
}

fn c_string(name: &str) -> Result<CString> {
    CString::new(name)
        .map_err(|_| Error::invalid(format!("expected a name without a zero byte, got {name:?}")))
}

impl std::fmt::Debug for ObjectCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "ObjectCode({:?}, {}, {} bytes)",
            self.name(),
            self.format().as_str(),
            self.bytes().len()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_is_ended_by_a_zero_byte_that_is_not_shown() {
        let code = ObjectCode::from_ptx(".entry k() {}\0");
        assert_eq!(code.bytes(), b".entry k() {}");
        assert_eq!(code.0.parts.bytes.last(), Some(&0));
        assert_eq!(code.kernel_names(), ["k"]);
    }

    #[test]
    fn formats_by_their_first_bytes() {
        assert_eq!(CodeFormat::detect(b"\x7fELF"), CodeFormat::Cubin);
        assert_eq!(
            CodeFormat::detect(&0xBA55_ED50_u32.to_le_bytes()),
            CodeFormat::Fatbin
        );
        assert_eq!(
            CodeFormat::detect(&0x4662_43B1_u32.to_le_bytes()),
            CodeFormat::Fatbin
        );
        assert_eq!(CodeFormat::detect(b"//\n.version"), CodeFormat::Ptx);
        assert!(
            CodeFormat::parse("elf")
                .unwrap_err()
                .to_string()
                .contains("ltoir")
        );
    }
}
