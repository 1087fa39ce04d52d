//! A range of numbers, parts of which are free: addresses, or places in a file.

use std::collections::{BTreeMap, BTreeSet};

/// Free ranges, by address (to merge) and by length (to fit).
#[derive(Default)]
pub struct FreeRanges {
    by_address: BTreeMap<u64, u64>,
    by_length: BTreeSet<(u64, u64)>,
}

impl FreeRanges {
    /// Adds a range, which neither overlaps nor touches another.
    pub fn insert(&mut self, addr: u64, len: u64) {
        if len > 0 {
            self.by_address.insert(addr, len);
            self.by_length.insert((len, addr));
        }
    }

    fn remove(&mut self, addr: u64, len: u64) {
        self.by_address.remove(&addr);
        self.by_length.remove(&(len, addr));
    }

    /// Takes a range of `len`, at a multiple of `align` (a power of two), from the smallest one that has it.
    pub fn take(&mut self, len: u64, align: u64) -> Option<u64> {
        let (start, have, at) = self
            .by_length
            .range((len, 0)..)
            .find_map(|&(have, start)| {
                let at = start.checked_add(align - 1)? & !(align - 1);
                let end = at.checked_add(len)?;
                (end <= start + have).then_some((start, have, at))
            })?;
        self.remove(start, have);
        self.insert(start, at - start);
        self.insert(at + len, start + have - (at + len));
        Some(at)
    }

    /// Frees a range; returns false if it overlaps a free range.
    pub fn give_back(&mut self, addr: u64, len: u64) -> bool {
        let (mut start, mut end) = (addr, addr + len);
        let before = self
            .by_address
            .range(..end)
            .next_back()
            .map(|(&a, &l)| (a, l));
        if before.is_some_and(|(a, l)| a + l > start) {
            return false;
        }
        if let Some((a, l)) = before.filter(|&(a, l)| a + l == start) {
            self.remove(a, l);
            start = a;
        }
        if let Some(l) = self.by_address.get(&end).copied() {
            self.remove(end, l);
            end += l;
        }
        self.insert(start, end - start);
        true
    }

    /// Takes a given range; false unless all of it is free.
    pub fn take_at(&mut self, addr: u64, len: u64) -> bool {
        let before = self.by_address.range(..=addr).next_back();
        let Some((start, have)) = before.map(|(&start, &have)| (start, have)) else {
            return false;
        };
        let end = addr.checked_add(len).filter(|&end| end <= start + have);
        let Some(end) = end else { return false };
        self.remove(start, have);
        self.insert(start, addr - start);
        self.insert(end, start + have - end);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_fit_aligns_and_merges() {
        let mut f = FreeRanges::default();
        f.insert(0x1000, 0x10000);
        let a = f.take(0x1000, 0x1000).unwrap();
        let b = f.take(0x2000, 0x4000).unwrap();
        assert_eq!((a, b), (0x1000, 0x4000));
        // The hole before the aligned block fits best.
        assert_eq!(f.take(0x2000, 0x1000), Some(0x2000));
        assert!(f.give_back(0x2000, 0x2000));
        assert!(!f.give_back(0x2000, 0x1000), "a second return is noticed");
        assert!(f.give_back(b, 0x2000));
        assert!(f.give_back(a, 0x1000));
        assert_eq!(
            f.by_address
                .iter()
                .map(|(&a, &l)| (a, l))
                .collect::<Vec<_>>(),
            [(0x1000, 0x10000)]
        );
        assert_eq!(f.by_length.len(), 1);
        assert!(f.take_at(0x3000, 0x1000) && !f.take_at(0x2000, 0x2000) && !f.take_at(0x3000, 1));
        assert!(!f.take_at(0x10000, 0x1001) && !f.take_at(0x11000, 1) && !f.take_at(0, 1));
        assert!(!f.take_at(0x4000, u64::MAX) && f.give_back(0x3000, 0x1000));
        assert_eq!(f.by_length.len(), 1);
        assert_eq!(f.take(0x10001, 0x1000), None);
        assert_eq!(f.take(0x1000, 1 << 63), None);
    }
}
