//! `CUOX_DEVICE`: which driver devices come from when the program does not say.

use std::fmt;
use std::io::Write as _;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

use super::loader::{Driver, DriverKind};
use crate::error::{Error, Result};

/// The kind of device to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Choice {
    /// A GPU if NVIDIA's driver shows one, else the software GPU.
    #[default]
    Auto,
    /// A GPU, or an error.
    Gpu,
    /// The software GPU.
    Soft,
}

impl FromStr for Choice {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Self::Auto),
            "gpu" => Ok(Self::Gpu),
            "soft" => Ok(Self::Soft),
            other => Err(Error::invalid(format!(
                "CUOX_DEVICE is {other:?}; it takes auto, gpu or soft"
            ))),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Gpu => "gpu",
            Self::Soft => "soft",
        })
    }
}

struct State {
    asked: Option<Choice>,
    decided: Option<&'static Driver>,
}

static STATE: Mutex<State> = Mutex::new(State {
    asked: None,
    decided: None,
});

/// Chooses in code; goes before `CUOX_DEVICE`. Devices that are already held stay what they are. `None` gives the
/// choice back to the environment.
pub fn set_choice(choice: Option<Choice>) {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    state.asked = choice;
    state.decided = None;
}

/// The choice that was asked for, and by what.
fn asked(state: &State) -> Result<(Choice, &'static str)> {
    if let Some(choice) = state.asked {
        return Ok((choice, "code"));
    }
    match std::env::var_os("CUOX_DEVICE") {
        Some(value) if !value.is_empty() => Ok((value.to_string_lossy().parse()?, "CUOX_DEVICE")),
        _ => Ok((Choice::Auto, "default")),
    }
}

/// The driver that [`Device::get`](crate::Device::get) uses.
///
/// # Errors
/// [`Error::Invalid`] for a `CUOX_DEVICE` that is not one of its values; else what opening the driver reports.
pub fn default_driver() -> Result<&'static Driver> {
    let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(driver) = state.decided {
        return Ok(driver);
    }
    let (choice, _) = asked(&state)?;
    let driver = match choice {
        Choice::Gpu => usable_gpu()?,
        Choice::Soft => Driver::soft()?,
        Choice::Auto => match usable_gpu() {
            Ok(driver) => driver,
            Err(gpu) => {
                let soft = Driver::soft().map_err(|soft| neither(&gpu, soft))?;
                if let Some(why) = defect(&gpu) {
                    // The program may have closed its standard error.
                    let _ = writeln!(
                        std::io::stderr(),
                        "cuox: warning: NVIDIA's driver is here and cannot be used, so devices are software GPUs: {why}; \
                         CUOX_DEVICE=gpu makes this an error, CUOX_DEVICE=soft silences it"
                    );
                }
                soft
            }
        },
    };
    if !driver.is_soft() {
        // The software GPU does so itself, for all programs.
        cuox_cache::complain();
    }
    state.decided = Some(driver);
    Ok(driver)
}

/// The version of CUDA that a GPU's driver serves, `(major, minor)`; `None` where devices are the software GPU's.
pub(crate) fn gpu_driver_version() -> Option<(i32, i32)> {
    let driver = default_driver().ok()?;
    (!driver.is_soft()).then(|| driver.version())
}

/// What is wrong with a driver that is there: not that there is none, nor that it shows no device.
fn defect(error: &Error) -> Option<String> {
    const NO_DEVICE: i32 = 100;
    match error {
        Error::NotFound(missing) => missing.defective.clone(),
        error if error.driver_code() == Some(NO_DEVICE) => None,
        error => error.to_string().lines().next().map(str::to_owned),
    }
}

/// The software GPU's error, with what became of the GPU as the first thing that was tried.
fn neither(gpu: &Error, soft: Error) -> Error {
    match soft {
        Error::NotFound(mut missing) => {
            let why = gpu.to_string();
            missing.searched.insert(
                0,
                format!("a GPU: {}", why.lines().next().unwrap_or_default()),
            );
            Error::NotFound(missing)
        }
        other => other,
    }
}

/// NVIDIA's driver with at least one device.
fn usable_gpu() -> Result<&'static Driver> {
    let driver = Driver::nvidia()?;
    if driver.devices()?.is_empty() {
        return Err(Error::driver(100, "cuDeviceGetCount"));
    }
    Ok(driver)
}

/// The choice and its reasons, for people.
#[derive(Debug, Clone)]
pub struct ChoiceReport {
    /// `auto`, `gpu` or `soft`, or the bad value of `CUOX_DEVICE`.
    pub asked: String,
    /// The asker: `code`, `CUOX_DEVICE` or `default`.
    pub asked_by: &'static str,
    /// The kind of driver that devices come from; `None` when no driver can be used.
    pub chosen: Option<DriverKind>,
    /// One sentence.
    pub reason: String,
    /// NVIDIA's driver: its file and version, or why not.
    pub nvidia: String,
    /// The software GPU: its file and version, or why not.
    pub soft: String,
}

/// Tries both drivers and says what would be, or was, chosen. NVIDIA's is left alone where the software GPU was asked
/// for: starting it takes long on some machines, and may fail in ways that end the process.
pub fn choice_report() -> ChoiceReport {
    let described = |driver: Result<&'static Driver>| match driver {
        Ok(driver) => {
            let (major, minor) = driver.version();
            let count = driver.devices().map_or(0, <[_]>::len);
            let devices = if count == 1 {
                "1 device".to_owned()
            } else {
                format!("{count} devices")
            };
            format!(
                "{} (CUDA {major}.{minor}, {devices})",
                driver.path().display()
            )
        }
        Err(error) => error
            .to_string()
            .lines()
            .next()
            .unwrap_or_default()
            .to_owned(),
    };
    let wanted = asked(&STATE.lock().unwrap_or_else(PoisonError::into_inner));
    let nvidia = gpu_if_asked(wanted.as_ref().ok().map(|&(choice, _)| choice));
    let soft = Driver::soft();
    let (asked, asked_by, chosen, reason) = match wanted {
        Err(error) => {
            let value = std::env::var_os("CUOX_DEVICE").unwrap_or_default();
            (
                value.to_string_lossy().into_owned(),
                "CUOX_DEVICE",
                None,
                error.to_string(),
            )
        }
        Ok((choice, by)) => {
            let (chosen, reason) = decide(choice, &nvidia, &soft);
            (choice.to_string(), by, chosen, reason)
        }
    };
    ChoiceReport {
        asked,
        asked_by,
        chosen,
        reason,
        // Of a file that is no library, what is wrong with it says more than that none was found.
        nvidia: match nvidia.as_ref().err().and_then(defect) {
            Some(why) => why,
            None => described(nvidia),
        },
        soft: described(soft),
    }
}

/// The kind of driver that is chosen, without opening the software GPU's, which a report does. `None` if a GPU is asked
/// for and none can be used, or `CUOX_DEVICE` is not one of its values.
pub fn chosen() -> Option<DriverKind> {
    let (choice, _) = asked(&STATE.lock().unwrap_or_else(PoisonError::into_inner)).ok()?;
    decide(choice, &gpu_if_asked(Some(choice)).map(drop), &Ok(())).0
}

/// NVIDIA's driver if it can be used, left alone where the software GPU is asked for.
fn gpu_if_asked(choice: Option<Choice>) -> Result<&'static Driver> {
    match choice {
        Some(Choice::Soft) => Err(Error::invalid("not asked for")),
        _ => usable_gpu(),
    }
}

fn decide<T>(choice: Choice, nvidia: &Result<T>, soft: &Result<T>) -> (Option<DriverKind>, String) {
    let first_line = |e: &Error| e.to_string().lines().next().unwrap_or_default().to_owned();
    match (choice, nvidia, soft) {
        (Choice::Gpu, Ok(_), _) => (
            Some(DriverKind::Nvidia),
            "a GPU was asked for, and there is one".into(),
        ),
        (Choice::Gpu, Err(e), _) => (
            None,
            format!("a GPU was asked for, and there is none: {}", first_line(e)),
        ),
        (Choice::Soft, _, Ok(_)) => (
            Some(DriverKind::Soft),
            "the software GPU was asked for".into(),
        ),
        (Choice::Soft, _, Err(e)) => (
            None,
            format!("the software GPU was asked for: {}", first_line(e)),
        ),
        (Choice::Auto, Ok(_), _) => (
            Some(DriverKind::Nvidia),
            "NVIDIA's driver shows a GPU".into(),
        ),
        (Choice::Auto, Err(e), Ok(_)) => (
            Some(DriverKind::Soft),
            format!("no GPU can be used: {}", first_line(e)),
        ),
        (Choice::Auto, Err(e), Err(s)) => (
            None,
            format!(
                "no GPU can be used: {}; nor the software GPU: {}",
                first_line(e).trim_end_matches('.'),
                first_line(s)
            ),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_a_bad_one() {
        assert_eq!("soft".parse::<Choice>().unwrap(), Choice::Soft);
        let error = "cpu".parse::<Choice>().unwrap_err().to_string();
        assert_eq!(error, "CUOX_DEVICE is \"cpu\"; it takes auto, gpu or soft");
    }

    #[test]
    fn auto_prefers_a_gpu_and_says_why_not() {
        let (yes, no) = (Ok(()), Err(Error::driver(100, "cuInit")));
        assert_eq!(decide(Choice::Auto, &yes, &yes).0, Some(DriverKind::Nvidia));
        let (kind, why) = decide(Choice::Auto, &no, &yes);
        assert_eq!(kind, Some(DriverKind::Soft));
        assert!(why.contains("CUDA_ERROR_NO_DEVICE"), "{why}");
        assert_eq!(decide(Choice::Gpu, &no, &yes).0, None);
        assert_eq!(decide(Choice::Soft, &yes, &yes).0, Some(DriverKind::Soft));
    }
}
