//! A small hash index over a fixed list of words.

/// Maps words to their place in a list, without owning them.
pub(crate) struct Lookup {
    slots: Vec<u16>,
    mask: usize,
}

const EMPTY: u16 = u16::MAX;

/// A cheap hash for short words.
pub(crate) fn hash(word: &[u8]) -> usize {
    let mut h: u64 = 0xcbf2_9ce4_8422_2325 ^ word.len() as u64;
    let mut chunks = word.chunks_exact(8);
    for c in &mut chunks {
        let mut b = [0; 8];
        b.copy_from_slice(c);
        h = (h ^ u64::from_le_bytes(b)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^= h >> 29;
    }
    let mut tail = 0u64;
    for &b in chunks.remainder() {
        tail = tail << 8 | u64::from(b);
    }
    h = (h ^ tail).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (h ^ h >> 32) as usize
}

impl Lookup {
    pub(crate) fn new<'a>(words: impl Iterator<Item = &'a str> + Clone) -> Self {
        let size = (words.clone().count() * 2 + 1).next_power_of_two();
        let mask = size - 1;
        let mut slots = vec![EMPTY; size];
        for (i, w) in words.enumerate() {
            let mut at = hash(w.as_bytes()) & mask;
            while slots[at] != EMPTY {
                at = (at + 1) & mask;
            }
            slots[at] = i as u16;
        }
        Self { slots, mask }
    }

    pub(crate) fn find(&self, word: &str, name: impl Fn(usize) -> &'static str) -> Option<usize> {
        let mut at = hash(word.as_bytes()) & self.mask;
        loop {
            let i = self.slots[at];
            if i == EMPTY {
                return None;
            }
            if name(i as usize) == word {
                return Some(i as usize);
            }
            at = (at + 1) & self.mask;
        }
    }
}
