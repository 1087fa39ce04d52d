//! Architecture names: `sm_90`, `compute_100f`.

use crate::error::{Error, Result};

/// An architecture as options name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arch {
    /// True for machine code (`sm_`), false for PTX (`compute_`).
    pub real: bool,
    pub number: u32,
    /// `a`, `f` or nothing.
    pub suffix: String,
}

impl Arch {
    /// Reads `sm_90a`, `compute_70` or just `90`.
    pub fn parse(text: &str) -> Result<Self> {
        let bad = || {
            Error::invalid(format!(
                "{text:?} is not an architecture; write it like sm_90 or compute_90"
            ))
        };
        let (real, rest) = match (text.strip_prefix("sm_"), text.strip_prefix("compute_")) {
            (Some(rest), _) => (true, rest),
            (_, Some(rest)) => (false, rest),
            (None, None) => (false, text),
        };
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, suffix) = rest.split_at(digits);
        if !matches!(suffix, "" | "a" | "f") {
            return Err(bad());
        }
        Ok(Self {
            real,
            number: number.parse().map_err(|_| bad())?,
            suffix: suffix.to_owned(),
        })
    }

    /// Machine code for a device, by its architecture.
    pub fn of_code(device: &str) -> Result<Self> {
        Ok(Self {
            real: true,
            ..Self::parse(device)?
        })
    }

    /// Brings it into what the compiler supports (ascending), and says so when that changed it.
    pub fn supported(mut self, archs: &[u32]) -> (Self, Option<String>) {
        if archs.is_empty() || archs.contains(&self.number) {
            return (self, None);
        }
        let asked = self.to_string();
        let above = archs.iter().copied().find(|&a| a > self.number);
        let (to, verb) = match (above, archs.last()) {
            (Some(to), _) => (to, "raised"),
            (None, Some(&last)) => {
                // Machine code of an older architecture does not run on a newer one; PTX does.
                self.real = false;
                (last, "lowered")
            }
            (None, None) => return (self, None),
        };
        self.number = to;
        self.suffix.clear();
        let warning = format!("this NVRTC does not support {asked}; it was {verb} to {self}");
        (self, Some(warning))
    }
}

impl std::fmt::Display for Arch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{}{}{}",
            if self.real { "sm_" } else { "compute_" },
            self.number,
            self.suffix
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NVRTC_13: &[u32] = &[75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121];

    fn brought(text: &str) -> (String, bool) {
        let (arch, warning) = Arch::parse(text).unwrap().supported(NVRTC_13);
        (arch.to_string(), warning.is_some())
    }

    #[test]
    fn old_ones_are_raised_and_too_new_ones_lowered_to_ptx() {
        assert_eq!(brought("compute_70"), ("compute_75".into(), true));
        assert_eq!(brought("sm_35"), ("sm_75".into(), true));
        assert_eq!(brought("sm_90a"), ("sm_90a".into(), false));
        assert_eq!(brought("sm_130"), ("compute_121".into(), true));
        let (_, warning) = Arch::parse("compute_70").unwrap().supported(NVRTC_13);
        assert_eq!(
            warning.unwrap(),
            "this NVRTC does not support compute_70; it was raised to compute_75"
        );
    }

    #[test]
    fn what_is_no_architecture() {
        for bad in ["", "sm_", "sm_x", "sm_90z", "lto_90", "compute_99999999999"] {
            assert!(Arch::parse(bad).is_err(), "{bad}");
        }
        assert_eq!(Arch::parse("90").unwrap().to_string(), "compute_90");
    }
}
