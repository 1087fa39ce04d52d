//! Under which name something is kept: 128 bits that stand for everything it depends on.

use std::fmt;
use std::hash::{DefaultHasher, Hasher};

/// A hash of 128 bits: SipHash twice, from different beginnings. It guards against accidents; that nobody puts files in
/// the directory on purpose is up to the directory's permissions.
pub struct Digest([DefaultHasher; 2]);

impl Digest {
    /// Nothing yet.
    pub fn new() -> Digest {
        let halves = [1, 2].map(|n: u64| {
            let mut half = DefaultHasher::new();
            half.write_u64(n);
            half
        });
        Digest(halves)
    }

    /// The hash of the bytes written so far.
    pub fn bytes(&self) -> [u8; 16] {
        let [a, b] = &self.0;
        let both = u128::from(a.finish()) << 64 | u128::from(b.finish());
        both.to_le_bytes()
    }
}

impl Hasher for Digest {
    fn write(&mut self, bytes: &[u8]) {
        for half in &mut self.0 {
            half.write(bytes);
        }
    }

    fn finish(&self) -> u64 {
        self.0[0].finish()
    }
}

/// The name of a kept file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key that a hash is.
    pub fn of(digest: &Digest) -> Key {
        Key(digest.bytes())
    }
}

impl Default for Digest {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
