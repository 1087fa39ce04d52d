//! From source to a loaded kernel.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use cuox::{
    CodeFormat, CodeParts, Device, Error, Kernel, ObjectCode, Program, ProgramOptions, Result,
};

use crate::shipped;

/// CUDA C++ with one kernel that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Source {
    /// The text.
    pub text: String,
    /// The kernel's name in it.
    pub kernel: String,
    /// Options for NVRTC, as on a command line.
    pub options: Vec<String>,
}

/// The number of sources whose code is kept in memory; the rest is found on disk again.
const MOST_KEPT: usize = 2048;

/// Sources with an option that begins so, which is none of NVRTC's, are never compiled: their texts may be anybody's.
pub const SUPPLIED_ONLY: &str = "--cuox-supplied=";

type Kept = HashMap<Source, Vec<(Device, ObjectCode)>>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// Code that was compiled elsewhere, until it is taken back.
static SUPPLIED: LazyLock<Mutex<HashMap<Source, ObjectCode>>> = LazyLock::new(Mutex::default);

impl Source {
    /// The kernel, loaded for the primary context of a device. It is compiled if its code is neither shipped nor known
    /// to this process or the cache on disk. `stop` is asked now and then meanwhile, and ends that with
    /// [`cuox::Error::Interrupted`].
    ///
    /// # Errors
    /// [`cuox::Error::Nvrtc`] with the compiler's log; [`cuox::Error::NotFound`] without NVRTC; the driver's errors.
    pub fn kernel(&self, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<Kernel> {
        let code = match self.kept(device).or_else(|| shipped::code(self, device)) {
            Some(code) => code,
            // Without the lock: threads that ask for the same source at once compile it twice, and others do not wait.
            None => {
                let code = match self.supplied() {
                    Some(code) => return code.kernel(device, &self.kernel),
                    None => self.compile(device, stop)?,
                };
                let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
                let forgotten = (kept.len() >= MOST_KEPT).then(|| std::mem::take(&mut *kept));
                let devices = kept.entry(self.clone()).or_default();
                devices.push((device, code.clone()));
                drop(kept);
                // Without the lock: the driver unloads what no kernel uses.
                drop(forgotten);
                code
            }
        };
        code.kernel(device, &self.kernel)
    }

    fn kept(&self, device: Device) -> Option<ObjectCode> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let mut devices = kept.get(self)?.iter();
        let found = devices.find(|(known, _)| *known == device);
        found.map(|(_, code)| code.clone())
    }

    /// The PTX for an architecture such as `90`, without a device. `stop` is asked now and then meanwhile.
    ///
    /// # Errors
    /// As [`Source::kernel`], but the driver's.
    pub fn ptx(&self, arch: &str, stop: &mut dyn FnMut() -> bool) -> Result<ObjectCode> {
        let mut options = ProgramOptions::from_args(&self.options)?;
        options.add_args([format!("--gpu-architecture=compute_{arch}")])?;
        let compiled = self
            .program(options)
            .compile_with(CodeFormat::Ptx, None, &[], stop)?;
        Ok(compiled.code)
    }

    /// Makes PTX the code of this source in this process, until [`take_back`]. Nothing is written to the cache on disk.
    pub fn supply(self, ptx: Vec<u8>) {
        let code = ObjectCode::new(CodeParts {
            source: Some(self.text.clone()),
            ..CodeParts::new(CodeFormat::Ptx, ptx, format!("{}.cu", self.kernel))
        });
        let mut supplied = SUPPLIED.lock().unwrap_or_else(PoisonError::into_inner);
        supplied.insert(self, code);
    }

    fn supplied(&self) -> Option<ObjectCode> {
        let supplied = SUPPLIED.lock().unwrap_or_else(PoisonError::into_inner);
        supplied.get(self).cloned()
    }

    fn program(&self, options: ProgramOptions) -> Program {
        Program::new(&self.text, format!("{}.cu", self.kernel)).with_options(options)
    }

    fn compile(&self, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<ObjectCode> {
        if self
            .options
            .iter()
            .any(|one| one.starts_with(SUPPLIED_ONLY))
        {
            return Err(Error::invalid(format!(
                "the kernel {} for these arguments is not among those that were compiled when the algorithm was serialized",
                self.kernel
            )));
        }
        let program = self.program(ProgramOptions::from_args(&self.options)?);
        let compiled = program.compile_with(CodeFormat::Cubin, Some(device), &[], stop)?;
        Ok(compiled.code)
    }
}

/// Forgets the code that was supplied for sources with this option.
pub fn take_back(option: &str) {
    let has = |source: &Source| source.options.iter().any(|one| one == option);
    let mut supplied = SUPPLIED.lock().unwrap_or_else(PoisonError::into_inner);
    let gone: Vec<_> = supplied.extract_if(|source, _| has(source)).collect();
    drop(supplied);
    // Without the lock: the driver unloads what no kernel uses.
    drop(gone);
}

/// Each source once, in order.
pub(crate) fn distinct(sources: impl IntoIterator<Item = Source>) -> Vec<Source> {
    let mut found: Vec<Source> = Vec::new();
    for source in sources {
        if !found.contains(&source) {
            found.push(source);
        }
    }
    found
}
