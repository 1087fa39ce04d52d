//! From source to a loaded kernel.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::shipped;
use cuox::{CodeFormat, Device, Kernel, ObjectCode, Program, ProgramOptions, Result};

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

type Kept = HashMap<Source, Vec<(Device, ObjectCode)>>;

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

impl Source {
    /// The kernel, loaded for the primary context of a device. It is compiled if its code is neither shipped nor known to this process or the cache on disk. `stop`
    /// is asked now and then meanwhile, and ends that with [`cuox::Error::Interrupted`].
    ///
    /// # Errors
    /// [`cuox::Error::Nvrtc`] with the compiler's log; [`cuox::Error::NotFound`] without NVRTC; the driver's errors.
    pub fn kernel(&self, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<Kernel> {
        let code = match self.kept(device).or_else(|| shipped::code(self, device)) {
            Some(code) => code,
            // Without the lock: threads that ask for the same source at once compile it twice, and others do not wait.
            None => {
                let code = self.compile(device, stop)?;
                let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
                if kept.len() >= MOST_KEPT {
                    kept.clear();
                }
                let devices = kept.entry(self.clone()).or_default();
                devices.push((device, code.clone()));
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

    fn compile(&self, device: Device, stop: &mut dyn FnMut() -> bool) -> Result<ObjectCode> {
        let options = ProgramOptions::from_args(&self.options)?;
        let program = Program::new(&self.text, format!("{}.cu", self.kernel)).with_options(options);
        let compiled = program.compile_with(CodeFormat::Cubin, Some(device), &[], stop)?;
        Ok(compiled.code)
    }
}
