//! What the environment decides: architecture, memory size, logging.

use std::sync::OnceLock;

/// Compute capabilities that NVRTC can compile for; another one would be of no use to a client.
const KNOWN: [u32; 12] = [75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121];
const DEFAULT_SM: u32 = 90;

/// The device's compute capability in decimal (`90`), from `CUOX_SOFT_ARCH=sm_XX`.
pub fn sm() -> u32 {
    static SM: OnceLock<u32> = OnceLock::new();
    *SM.get_or_init(|| {
        let Ok(text) = std::env::var("CUOX_SOFT_ARCH") else {
            return DEFAULT_SM;
        };
        let digits = text
            .trim()
            .trim_start_matches("sm_")
            .trim_start_matches("compute_");
        match digits.trim_end_matches(['a', 'f']).parse() {
            Ok(sm) if KNOWN.contains(&sm) => sm,
            _ => {
                eprintln!(
                    "cuox: CUOX_SOFT_ARCH={text} is not one of sm_{KNOWN:?}; using sm_{DEFAULT_SM}"
                );
                DEFAULT_SM
            }
        }
    })
}

/// Whether faults and refusals are explained on standard error.
pub fn log() -> bool {
    static LOG: OnceLock<bool> = OnceLock::new();
    *LOG.get_or_init(|| std::env::var_os("CUOX_LOG").is_some_and(|v| !v.is_empty() && v != "0"))
}

/// Bytes of device memory: `CUOX_SOFT_MEMORY`, or half of what the machine (or its control group) has.
pub fn memory_bytes() -> u64 {
    const SMALLEST: u64 = 1 << 20;
    if let Some(n) = std::env::var("CUOX_SOFT_MEMORY")
        .ok()
        .and_then(|t| t.trim().parse::<u64>().ok())
    {
        return n.max(SMALLEST);
    }
    let (_, range) = cuox_simt::space::range();
    (machine_bytes() / 2).min(range / 4).max(SMALLEST)
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
