//! Limits that depend on the compute capability which the device presents.

use crate::settings;
use std::sync::LazyLock;

/// The limits of a multiprocessor and of its blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    pub threads: u32,
    pub blocks: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Bytes of it that a block can have when the program asks for more than the default.
    pub shared_optin: u32,
    /// Bytes that each block loses to the system.
    pub shared_reserved: u32,
    /// True if blocks can be launched in clusters.
    pub clusters: bool,
}

/// The limits of a compute capability, as in the programming guide's table. Capabilities that are not in it are like
/// the nearest older one.
fn limits_of(sm: u32) -> Limits {
    let (threads, blocks, shared) = match sm {
        ..80 => (1024, 16, 64),
        80..86 => (2048, 32, 164),
        87 => (1536, 16, 164),
        86..89 => (1536, 16, 100),
        89 => (1536, 24, 100),
        90..110 => (2048, 32, 228),
        110..120 => (1536, 24, 228),
        _ => (1536, 24, 100),
    };
    let reserved = u32::from(sm >= 80);
    Limits {
        threads,
        blocks,
        shared: shared << 10,
        shared_optin: (shared - reserved) << 10,
        shared_reserved: reserved << 10,
        clusters: sm >= 90,
    }
}

/// The limits of the device.
pub fn limits() -> Limits {
    static LIMITS: LazyLock<Limits> = LazyLock::new(|| limits_of(settings::sm()));
    *LIMITS
}

#[cfg(test)]
mod tests {
    use super::limits_of;

    #[test]
    fn limits_follow_the_compute_capability() {
        let shared = |sm| {
            let limits = limits_of(sm);
            (limits.shared >> 10, limits.shared_optin >> 10)
        };
        assert_eq!(shared(75), (64, 64));
        assert_eq!(shared(80), (164, 163));
        assert_eq!(shared(86), (100, 99));
        assert_eq!(shared(87), (164, 163));
        assert_eq!(shared(90), (228, 227));
        assert_eq!(shared(121), (100, 99));
        assert!(!limits_of(89).clusters && limits_of(90).clusters);
        assert_eq!((limits_of(75).threads, limits_of(80).threads), (1024, 2048));
    }
}
