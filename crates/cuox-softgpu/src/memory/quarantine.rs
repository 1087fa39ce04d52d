//! Quarantine: freed memory rests before it is used again, so that a stale pointer faults instead of finding somebody
//! else's data.

use crate::memory::slab::{self, AllSlabs};
use cuox_simt::space;
use std::collections::VecDeque;

/// The number of allocations with pages of their own that rest: they take address space and nothing else.
const PAGES: usize = 256;
/// Bytes of small allocations that rest, where accesses are checked.
const SMALL: u64 = 64 << 20;

/// An allocation that has ended.
pub struct Quarantined {
    start: u64,
    len: u64,
    /// Bytes of address space; 0 for a block of a slab.
    reserved: u64,
}

impl Quarantined {
    /// An allocation that had a block of a slab.
    pub fn small(start: u64, len: u64) -> Quarantined {
        Quarantined {
            start,
            len,
            reserved: 0,
        }
    }

    /// An allocation that had pages of its own, which are decommitted.
    pub fn pages(start: u64, len: u64, reserved: u64) -> Quarantined {
        Quarantined {
            start,
            len,
            reserved,
        }
    }

    /// Gives its memory back.
    pub fn end(self, slabs: &AllSlabs) {
        match self.reserved {
            0 => slabs.give(self.start, self.len),
            // SAFETY: the range was decommitted when it came to rest, and this value, which only one place owns, gives
            // it back once.
            reserved => unsafe { space::unreserve(self.start, reserved) },
        }
    }
}

/// Memory that rests, the oldest first.
#[derive(Default)]
pub struct Quarantine {
    pages: VecDeque<Quarantined>,
    small: VecDeque<Quarantined>,
    small_bytes: u64,
}

impl Quarantine {
    /// Puts an allocation into quarantine; returns the allocations that have rested long enough.
    pub fn add(&mut self, gone: Quarantined) -> Vec<Quarantined> {
        let mut ended = Vec::new();
        if gone.reserved > 0 {
            self.pages.push_back(gone);
            if self.pages.len() > PAGES {
                ended.extend(self.pages.pop_front());
            }
            return ended;
        }
        self.small_bytes += slab::rounded(gone.len);
        self.small.push_back(gone);
        while self.small_bytes > SMALL
            && let Some(oldest) = self.small.pop_front()
        {
            self.small_bytes -= slab::rounded(oldest.len);
            ended.push(oldest);
        }
        ended
    }

    /// Takes all with pages of their own.
    pub fn take_pages(&mut self) -> Vec<Quarantined> {
        self.pages.drain(..).collect()
    }

    /// Takes all that had blocks of slabs.
    pub fn take_small(&mut self) -> Vec<Quarantined> {
        self.small_bytes = 0;
        self.small.drain(..).collect()
    }

    /// Start and length of the newest allocation that had a byte at `at`.
    pub fn find(&self, at: u64) -> Option<(u64, u64)> {
        let all = self.small.iter().rev().chain(self.pages.iter().rev());
        all.map(|rest| (rest.start, rest.len))
            .find(|&(start, len)| at.wrapping_sub(start) < len)
    }
}
