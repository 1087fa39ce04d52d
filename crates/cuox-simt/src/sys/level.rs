//! The level of x86-64 that code is made for (x86-64 psABI, *Micro-Architecture Levels*).

use std::sync::OnceLock;

/// A level; each has what those before it have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// SSE4.2, or another processor than x86-64.
    V2,
    /// AVX2 and FMA.
    V3,
    /// AVX-512.
    V4,
}

/// The variable that asks for a lower level than the processor's.
const WANTED: &str = "CUOX_SOFT_CPU";

impl Level {
    const ALL: [Level; 3] = [Level::V2, Level::V3, Level::V4];

    /// The level's name, LLVM's too.
    pub fn name(self) -> &'static str {
        match self {
            Level::V2 => "x86-64-v2",
            Level::V3 => "x86-64-v3",
            Level::V4 => "x86-64-v4",
        }
    }
}

/// The processor's level, or a lower one that `CUOX_SOFT_CPU` asks for. What it asks for wrongly is told of once.
pub fn level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        let own = highest();
        let wanted = std::env::var(WANTED).unwrap_or_default();
        if wanted.is_empty() {
            return own;
        }
        match Level::ALL.into_iter().find(|level| level.name() == wanted) {
            Some(level) if level <= own => level,
            Some(level) => {
                eprintln!(
                    "cuox: {WANTED}: this processor has {}, not {}",
                    own.name(),
                    level.name()
                );
                own
            }
            None => {
                eprintln!(
                    "cuox: {WANTED}: expected x86-64-v2, x86-64-v3 or x86-64-v4, not {wanted:?}"
                );
                own
            }
        }
    })
}

#[cfg(target_arch = "x86_64")]
fn highest() -> Level {
    use std::is_x86_feature_detected as has;
    let third = has!("avx2")
        && has!("fma")
        && has!("bmi1")
        && has!("bmi2")
        && has!("f16c")
        && has!("lzcnt")
        && has!("popcnt");
    let fourth = has!("avx512f")
        && has!("avx512bw")
        && has!("avx512cd")
        && has!("avx512dq")
        && has!("avx512vl");
    match (third, fourth) {
        (true, true) => Level::V4,
        (true, false) => Level::V3,
        (false, _) => Level::V2,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn highest() -> Level {
    Level::V2
}
