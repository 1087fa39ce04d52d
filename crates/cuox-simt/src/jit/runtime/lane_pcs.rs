//! Per-lane PCs: the block that each lane of a warp runs next in thread mode.
//!
//! Each block has a mask of the lanes that are about to run it, and a bit set tells which blocks have lanes. Generated
//! code takes the lanes of the first such block, runs it and adds the lanes to its successors, so that lanes reconverge
//! where their PCs agree.

use std::ptr;

/// Lanes about to run each block. Generated code removes lanes when it runs a block and adds them at the successor.
#[repr(C)]
pub struct LanePcs {
    /// Lanes at each block. Points into `masks`, while code runs.
    pub at: *mut u32,
    /// Bit set of the blocks that have lanes. Points into `bits`.
    pub busy: *mut u64,
    /// Number of blocks that may run before control returns to the runtime.
    pub steps_left: u32,
    /// Rest of that number when a thread took a back edge of a loop in which it may wait, upon which the runtime is
    /// called at once.
    pub steps_unused: u32,
    /// Number of such back edges since a block other than the first was favoured.
    pub waits: u32,
    /// Lanes that stop when they all are at one block; 0 if there is no such limit.
    pub stop_if_together: u32,
    /// Block that ran last.
    pub block: u32,
    /// Lanes that it ran for.
    pub lanes: u32,
    masks: Vec<u32>,
    bits: Vec<u64>,
}

impl Default for LanePcs {
    fn default() -> Self {
        LanePcs {
            at: ptr::null_mut(),
            busy: ptr::null_mut(),
            steps_left: 0,
            steps_unused: 0,
            waits: 0,
            stop_if_together: 0,
            block: 0,
            lanes: 0,
            masks: Vec::new(),
            bits: Vec::new(),
        }
    }
}

impl LanePcs {
    /// Sets the size to `blocks` blocks, with no lanes at any.
    pub fn clear(&mut self, blocks: usize) {
        self.masks.clear();
        self.masks.resize(blocks, 0);
        self.bits.clear();
        self.bits.resize(blocks.div_ceil(64), 0);
    }

    /// Returns the lanes at a block.
    pub fn lanes_at(&self, block: usize) -> u32 {
        self.masks[block]
    }

    /// Adds lanes at a block.
    pub fn add(&mut self, block: usize, lanes: u32) {
        self.masks[block] |= lanes;
        if lanes != 0 {
            self.bits[block / 64] |= 1 << (block % 64);
        }
    }

    /// Removes lanes from a block.
    pub fn take(&mut self, block: usize, lanes: u32) {
        self.masks[block] &= !lanes;
        if self.masks[block] == 0 {
            self.bits[block / 64] &= !(1 << (block % 64));
        }
    }

    /// Returns the first block from `start` on that has lanes other than `without`.
    pub fn first(&self, start: usize, without: u32) -> Option<usize> {
        let mut word = start / 64;
        let mut bits = self.bits.get(word)? & (u64::MAX << (start % 64));
        loop {
            while bits == 0 {
                word += 1;
                bits = *self.bits.get(word)?;
            }
            let block = word * 64 + bits.trailing_zeros() as usize;
            if self.masks[block] & !without != 0 {
                return Some(block);
            }
            bits &= bits - 1;
        }
    }

    /// Returns the block that all 32 lanes are at.
    pub fn common_block(&self) -> Option<usize> {
        self.first(0, 0)
            .filter(|&block| self.lanes_at(block) == u32::MAX)
    }

    /// Prepares to enter code that runs `block` for `lanes`, which are removed from it, and then up to `steps - 1`
    /// other blocks.
    pub fn enter(&mut self, block: usize, lanes: u32, steps: u32, stop_if_together: u32) {
        self.take(block, lanes);
        (self.block, self.lanes) = (block as u32, lanes);
        (self.steps_left, self.steps_unused, self.stop_if_together) =
            (steps.max(1), 0, stop_if_together);
        self.at = self.masks.as_mut_ptr();
        self.busy = self.bits.as_mut_ptr();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_block_is_found_across_words() {
        let mut places = LanePcs::default();
        places.clear(200);
        assert_eq!(places.first(0, 0), None);
        places.add(130, 6);
        places.add(7, 0);
        assert_eq!(places.first(0, 0), Some(130));
        places.add(70, 1);
        assert_eq!(places.first(0, 0), Some(70));
        assert_eq!(places.first(0, 1), Some(130));
        assert_eq!(places.first(71, 0), Some(130));
        assert_eq!(places.first(131, 0), None);
        assert_eq!(places.first(500, 0), None);
        places.take(130, 2);
        assert_eq!((places.lanes_at(130), places.first(71, 0)), (4, Some(130)));
        places.take(130, 4);
        assert_eq!(places.first(71, 0), None);
        assert_eq!(places.common_block(), None);
        places.add(70, !1);
        assert_eq!(places.common_block(), Some(70));
    }
}
