//! Settings from the environment: architecture, devices, engine, memory size, logging, checks.

use cuox_simt::Engine;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Compute capabilities that NVRTC can compile for; another one would be of no use to a client.
const KNOWN: [u32; 12] = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121];
const DEFAULT_SM: u32 = 90;
/// There are never more devices.
pub const MOST_DEVICES: usize = 16;

/// The value of a variable, if it is one that the variable takes; any other value is ignored with a message.
fn read<T>(name: &str, takes: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    let value = parse(text.trim());
    if value.is_none() {
        eprintln!("cuox: {name}={text} is ignored: expected {takes}");
    }
    value
}

/// A compute capability in decimal: `90` for `sm_90`, `compute_90`, `90` and `9.0`. A device has all features of its
/// capability, so the letter of `sm_90a` means nothing.
fn capability(text: &str) -> Option<u32> {
    let text = text.trim_start_matches("sm_");
    let text = text.trim_start_matches("compute_");
    let text = text.trim_end_matches(['a', 'f']);
    // Numbers of Rust's may have a sign.
    if !text.bytes().all(|c| c.is_ascii_digit() || c == b'.') {
        return None;
    }
    let sm = match text.split_once('.') {
        Some((major, minor)) if minor.len() == 1 => {
            let (major, minor) = (major.parse::<u32>().ok()?, minor.parse::<u32>().ok()?);
            major.checked_mul(10)?.checked_add(minor)?
        }
        Some(_) => return None,
        None => text.parse().ok()?,
    };
    KNOWN.contains(&sm).then_some(sm)
}

/// The device's compute capability in decimal (`90`), from `CUOX_SOFT_ARCH=sm_XX`.
pub fn sm() -> u32 {
    static SM: OnceLock<u32> = OnceLock::new();
    *SM.get_or_init(|| {
        let takes = format!("sm_ followed by one of {KNOWN:?}, or the same as 8.0");
        read("CUOX_SOFT_ARCH", &takes, capability).unwrap_or(DEFAULT_SM)
    })
}

/// A number of devices.
fn devices_of(text: &str) -> Option<usize> {
    let plain = text.bytes().all(|c| c.is_ascii_digit());
    let count = text.parse().ok().filter(|_| plain)?;
    (1..=MOST_DEVICES).contains(&count).then_some(count)
}

/// The number of devices, from `CUOX_SOFT_DEVICES`.
pub fn devices() -> usize {
    let takes = format!("a number of devices from 1 to {MOST_DEVICES}");
    read("CUOX_SOFT_DEVICES", &takes, devices_of).unwrap_or(1)
}

/// The engine that runs kernels, from `CUOX_SOFT_ENGINE`.
pub fn engine() -> Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    *ENGINE.get_or_init(|| {
        let parse = |text: &str| match text {
            "auto" => Some(Engine::Auto),
            "jit" => Some(Engine::Jit),
            "jit-narrow" => Some(Engine::JitNarrow),
            "llvm" => Some(Engine::Llvm),
            "interpreter" => Some(Engine::Interpreter),
            _ => None,
        };
        let takes = "auto, jit, jit-narrow, llvm or interpreter";
        read("CUOX_SOFT_ENGINE", takes, parse).unwrap_or(Engine::Auto)
    })
}

/// True if the environment asks for checks of memory: `CUOX_SOFT_CHECK=memory`. Then their findings are written to
/// standard error too, for programs that only see a code.
pub fn reports_memory() -> bool {
    static ASKED: OnceLock<bool> = OnceLock::new();
    *ASKED.get_or_init(|| {
        let parse = |text: &str| match text {
            "memory" => Some(true),
            "off" | "0" => Some(false),
            _ => None,
        };
        read("CUOX_SOFT_CHECK", "memory or off", parse).unwrap_or(false)
    })
}

fn memory_checks() -> &'static AtomicBool {
    static CHECKS: OnceLock<AtomicBool> = OnceLock::new();
    CHECKS.get_or_init(|| AtomicBool::new(reports_memory()))
}

/// True if kernels' accesses are checked against the allocations: at first as the environment asks, then as
/// [`set_checks_memory`] has said.
pub fn checks_memory() -> bool {
    memory_checks().load(Ordering::Relaxed)
}

/// Sets the value of [`checks_memory`].
pub fn set_checks_memory(on: bool) {
    memory_checks().store(on, Ordering::Relaxed);
}

/// The time that a kernel may take, from `CUOX_SOFT_TIMEOUT`; no limit if it is not set.
pub fn timeout() -> Option<Duration> {
    static TIMEOUT: OnceLock<Option<Duration>> = OnceLock::new();
    let takes = "a number of seconds greater than 0, such as 60 or 0.5";
    *TIMEOUT.get_or_init(|| read("CUOX_SOFT_TIMEOUT", takes, seconds))
}

/// A number of seconds. Neither signs nor exponents, which a float's text may have, are meant.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let number = text.parse::<f64>().ok().filter(|_| plain)?;
    let limit = Duration::try_from_secs_f64(number).ok()?;
    (!limit.is_zero()).then_some(limit)
}

/// True if a variable is set, to anything but `0`.
pub fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some_and(|value| !value.is_empty() && value != "0")
}

/// True if faults and refusals are explained on standard error.
pub fn log() -> bool {
    static LOG: OnceLock<bool> = OnceLock::new();
    *LOG.get_or_init(|| is_set("CUOX_LOG"))
}

/// Bytes of each device's memory: `CUOX_SOFT_MEMORY`, or half of the machine's memory (or its control group's).
pub fn memory_bytes() -> u64 {
    let (_, range) = cuox_simt::space::range();
    memory_within(range)
}

/// The same for a library that has no device: nothing is reserved, so the range is taken to be as long as it mostly is.
pub fn expected_memory_bytes() -> u64 {
    memory_within(cuox_simt::space::WANTED)
}

fn memory_within(range: u64) -> u64 {
    const SMALLEST: u64 = 1 << 20;
    let takes = "a number of bytes, or one with a unit such as 512M, 4G or 4GiB";
    if let Some(n) = read("CUOX_SOFT_MEMORY", takes, bytes) {
        return n.max(SMALLEST);
    }
    (machine_bytes() / 2).min(range / 4).max(SMALLEST)
}

/// A number of bytes: `4294967296`, `4G`, `4GiB`, `0.5g`. `K`, `M`, `G` and `T` are powers of 1024, as `Ki`, `Mi`, `Gi`
/// and `Ti` are; a `B` may follow.
fn bytes(text: &str) -> Option<u64> {
    let text = text.to_ascii_lowercase();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text.get(digits.len()..)? {
        "" | "b" => 0,
        "k" | "ki" | "kb" | "kib" => 10,
        "m" | "mi" | "mb" | "mib" => 20,
        "g" | "gi" | "gb" | "gib" => 30,
        "t" | "ti" | "tb" | "tib" => 40,
        _ => return None,
    };
    let digits = digits.trim_end();
    if let Ok(whole) = digits.parse::<u64>() {
        return whole.checked_mul(1 << shift);
    }
    // Parts of a unit. Neither signs nor exponents, which a float's text may have, are meant.
    let plain = digits.bytes().all(|c| c.is_ascii_digit() || c == b'.');
    let number = digits.parse::<f64>().ok().filter(|_| plain && shift > 0)?;
    let total = number * (1u64 << shift) as f64;
    (total < u64::MAX as f64).then_some(total as u64)
}

fn machine_bytes() -> u64 {
    const UNKNOWN: u64 = 4 << 30;
    let total = std::fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| {
            let line = text.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
            line.trim()
                .trim_end_matches("kB")
                .trim()
                .parse::<u64>()
                .ok()
                .map(|kb| kb * 1024)
        });
    let group = [
        "/sys/fs/cgroup/memory.max",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
    ]
    .iter()
    .find_map(|p| std::fs::read_to_string(p).ok()?.trim().parse::<u64>().ok());
    total.unwrap_or(UNKNOWN).min(group.unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::{bytes, capability, devices_of, seconds};
    use std::time::Duration;

    #[test]
    fn compute_capabilities_are_read() {
        for text in ["sm_80", "80", "8.0", "compute_80", "sm_80a"] {
            assert_eq!(capability(text), Some(80), "{text}");
        }
        assert_eq!(capability("12.1"), Some(121));
        for text in [
            "",
            "8",
            "8.",
            ".0",
            "8.05",
            "8.0.0",
            "sm_81",
            "+8.0",
            "8.+0",
            "99999999999.0",
            "429496730.0",
        ] {
            assert_eq!(capability(text), None, "{text}");
        }
    }

    #[test]
    fn devices_are_counted() {
        for (text, count) in [("1", 1), ("2", 2), ("16", 16)] {
            assert_eq!(devices_of(text), Some(count), "{text}");
        }
        for text in [
            "",
            "0",
            "17",
            "-1",
            "+2",
            "2.0",
            "two",
            "99999999999999999999",
        ] {
            assert_eq!(devices_of(text), None, "{text}");
        }
    }

    #[test]
    fn seconds_are_read() {
        for (text, milliseconds) in [("60", 60_000), ("0.5", 500), ("1.", 1000), (".25", 250)] {
            let limit = Duration::from_millis(milliseconds);
            assert_eq!(seconds(text), Some(limit), "{text}");
        }
        for text in [
            "",
            "0",
            "0.0",
            "-1",
            "+1",
            "1e3",
            "1s",
            "inf",
            "nan",
            "one",
            ".",
            "1.1.1",
            "999999999999999999999999",
        ] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn sizes_may_have_units() {
        for (text, size) in [
            ("0", 0),
            ("67108864", 64 << 20),
            ("12B", 12),
            ("3k", 3 << 10),
            ("512M", 512 << 20),
            ("512 MiB", 512 << 20),
            ("4G", 4 << 30),
            ("4gi", 4 << 30),
            ("4GiB", 4 << 30),
            ("4GB", 4 << 30),
            ("1.5G", 3 << 29),
            ("2T", 2 << 40),
        ] {
            assert_eq!(bytes(text), Some(size), "{text}");
        }
        for text in [
            "",
            "much",
            "G",
            "-1",
            "-1G",
            "+1.5G",
            "1.5",
            "1e3",
            "4X",
            "4GiBs",
            "1 2",
            "99999999T",
            "1.1.1G",
            "infG",
            "nan",
            "é",
            "4é",
        ] {
            assert_eq!(bytes(text), None, "{text}");
        }
    }
}
