//! The compilers whose code a GPU's driver takes.
//!
//! A driver refuses PTX of a newer CUDA than its own. It takes machine code of any compiler of its major version (CUDA
//! Compatibility, *Minor Version Compatibility*), and whatever an older one made.

use crate::driver::gpu_driver_version;
use crate::error::Error;
use crate::pathfinder::Candidates;

/// A version of CUDA, `(major, minor)`.
pub(super) type Version = (i32, i32);

/// The part of a compiler's output that a driver takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    /// PTX and machine code.
    All,
    /// Machine code for its own devices only.
    MachineCode,
    /// Neither.
    Nothing,
}

/// The driver that code is made for: the version of a GPU's. The software GPU takes the PTX of every compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Target(Option<Version>);

impl Target {
    /// The driver that devices come from by default.
    pub fn of_process() -> Self {
        Self(gpu_driver_version())
    }

    /// The part of a compiler's output that it takes.
    pub fn takes(self, compiler: Version) -> Fit {
        match self.0 {
            Some(driver) if compiler <= driver => Fit::All,
            Some((major, _)) if compiler.0 == major => Fit::MachineCode,
            Some(_) => Fit::Nothing,
            None => Fit::All,
        }
    }

    /// Stands for it where a choice is kept.
    pub fn identity(self) -> Vec<u8> {
        let (major, minor) = self.0.unwrap_or_default();
        format!("{major}.{minor};").into_bytes()
    }

    /// Why a compiler is passed over.
    pub fn refusal(self, (major, minor): Version) -> String {
        let (to_major, to_minor) = self.0.unwrap_or_default();
        format!(
            "it is of CUDA {major}.{minor}, whose code the driver of CUDA {to_major}.{to_minor} does not take"
        )
    }

    /// The error when none of the candidates fits, or there are none.
    pub fn none_fits(self, found: Candidates) -> Error {
        match self.0 {
            Some((12, minor)) => Error::not_found(
                format!("NVRTC for the driver of CUDA 12.{minor}"),
                found.searched,
                format!(
                    "Run `pip install {}`, set CUOX_NVRTC_PATH, or update the driver.",
                    CUDA_12_PACKAGES.join(" ")
                ),
            ),
            _ => found.into_error(),
        }
    }
}

/// The packages for a driver of CUDA 12, as the extra `cu12` of cuox names them.
const CUDA_12_PACKAGES: [&str; 4] = [
    "nvidia-cuda-nvrtc-cu12",
    "nvidia-cuda-runtime-cu12",
    "nvidia-cuda-nvcc-cu12",
    "nvidia-cuda-cccl-cu12",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pathfinder::library_candidates;

    #[test]
    fn a_driver_takes_what_is_not_newer_and_machine_code_of_its_major_version() {
        let driver = Target(Some((12, 4)));
        for (compiler, fit) in [
            ((11, 8), Fit::All),
            ((12, 4), Fit::All),
            ((12, 9), Fit::MachineCode),
            ((13, 0), Fit::Nothing),
        ] {
            assert_eq!(driver.takes(compiler), fit, "{compiler:?}");
            assert_eq!(Target(None).takes(compiler), Fit::All);
        }
    }

    #[test]
    fn packages_for_an_older_driver_are_named() {
        let found = || library_candidates("nvrtc").unwrap();
        let error = Target(Some((12, 4))).none_fits(found()).to_string();
        assert!(
            error.contains("CUDA 12.4") && error.contains("nvidia-cuda-nvrtc-cu12"),
            "{error}"
        );
        for target in [Target(None), Target(Some((13, 0)))] {
            let general = found().into_error().to_string();
            assert_eq!(target.none_fits(found()).to_string(), general);
        }
    }
}
