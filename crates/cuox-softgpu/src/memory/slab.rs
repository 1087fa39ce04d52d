//! Small allocations: blocks of a few fixed sizes cut from chunks.
//!
//! A page of its own for every small buffer would cost a system call and a mapping each.

use cuox_simt::space;
use parking_lot::Mutex;
use std::collections::{BTreeSet, VecDeque};

/// Allocations above this own their pages.
pub const LARGEST: u64 = 64 << 10;
/// CUDA promises at least this alignment.
pub const ALIGN: u64 = 256;
/// Addresses of blocks are multiples of this, as textures ask of memory that they read in place
/// (`CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT`).
const PLACE: u64 = 512;
/// Bytes of a chunk.
pub const CHUNK: u64 = 1 << 20;
const FINE: usize = 16;
const CLASSES: usize = FINE + 4;

/// Index of the smallest class that holds `len` bytes, for `len` in `1..=LARGEST`.
fn class_of(len: u64) -> usize {
    let steps = len.div_ceil(ALIGN) as usize;
    if steps <= FINE {
        steps.saturating_sub(1)
    } else {
        let pages = len.next_power_of_two() / (FINE as u64 * ALIGN);
        FINE - 1 + pages.trailing_zeros() as usize
    }
}

fn class_bytes(class: usize) -> u64 {
    if class < FINE {
        (class as u64 + 1) * ALIGN
    } else {
        (FINE as u64 * ALIGN) << (class - FINE + 1)
    }
}

/// Bytes behind each block that are nobody's: a write a little past an allocation harms no other.
const GAP: u64 = 1 << 10;
/// Bytes of free blocks of a class that rest while fresh ones are to be had in their chunk, so that a write through a
/// stale pointer does not at once harm another allocation.
const REST: u64 = 64 << 10;

/// Bytes of a block that an allocation of `len` takes from the device's memory.
pub fn rounded(len: u64) -> u64 {
    class_bytes(class_of(len.clamp(1, LARGEST)))
}

/// Free blocks by class, and the rest of each class's newest chunk.
#[derive(Default)]
pub struct Slabs {
    free: [VecDeque<u64>; CLASSES],
    fresh: [(u64, u64); CLASSES],
    chunks: BTreeSet<u64>,
}

impl Slabs {
    /// A block for `len <= LARGEST` bytes.
    pub fn take(&mut self, len: u64) -> Option<u64> {
        let class = class_of(len.clamp(1, LARGEST));
        let bytes = class_bytes(class);
        let stride = (bytes + GAP).next_multiple_of(PLACE);
        let (next, end) = self.fresh[class];
        let fresh = next + stride <= end;
        let free = &mut self.free[class];
        // The one that has been free for longest.
        if (!fresh || free.len() as u64 * bytes > REST)
            && let Some(at) = free.pop_front()
        {
            return Some(at);
        }
        if fresh {
            self.fresh[class].0 += stride;
            return Some(next);
        }
        // The page after the chunk stays inaccessible.
        let at = space::reserve(CHUNK + cuox_simt::trap::page_size(), ALIGN)?;
        // SAFETY: the range was reserved just now.
        if unsafe { space::commit(at, CHUNK) }.is_err() {
            // SAFETY: the whole range that `reserve` gave goes back, and no address in it was handed out.
            unsafe { space::unreserve(at, CHUNK + cuox_simt::trap::page_size()) };
            return None;
        }
        self.fresh[class] = (at + stride, at + CHUNK);
        self.chunks.insert(at);
        Some(at)
    }

    /// The first address of the chunk that contains a block.
    pub fn chunk_of(&self, at: u64) -> Option<u64> {
        let chunk = *self.chunks.range(..=at).next_back()?;
        (at - chunk < CHUNK).then_some(chunk)
    }

    /// Gives a block of [`Slabs::take`]`(len)` back.
    pub fn give(&mut self, at: u64, len: u64) {
        self.free[class_of(len.clamp(1, LARGEST))].push_back(at);
    }
}

/// The slabs of memory that only devices access, and those of memory that programs access too: the pages of the first
/// may be moved to a file while something runs, and a system call that is given an address may not come upon such
/// pages.
#[derive(Default)]
pub struct AllSlabs {
    device: Mutex<Slabs>,
    host: Mutex<Slabs>,
}

impl AllSlabs {
    /// A block for `len <= LARGEST` bytes.
    pub fn take(&self, len: u64, for_host: bool) -> Option<u64> {
        let slabs = if for_host { &self.host } else { &self.device };
        slabs.lock().take(len)
    }

    /// Gives a block of [`AllSlabs::take`] back.
    pub fn give(&self, at: u64, len: u64) {
        let mut device = self.device.lock();
        if device.chunk_of(at).is_some() {
            return device.give(at, len);
        }
        drop(device);
        self.host.lock().give(at, len);
    }

    /// The first address of the chunk that contains a block of device memory.
    pub fn chunk_of(&self, at: u64) -> Option<u64> {
        self.device.lock().chunk_of(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_hold_their_sizes() {
        for len in 1..=LARGEST {
            let class = class_of(len);
            assert!(class_bytes(class) >= len, "{len}");
            assert!(
                class == 0 || class_bytes(class - 1) < len,
                "{len} wastes class {class}"
            );
        }
        assert_eq!(class_of(LARGEST), CLASSES - 1);
    }
}
