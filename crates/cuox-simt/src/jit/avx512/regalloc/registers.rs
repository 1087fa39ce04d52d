//! Register state of one kind of value during allocation.

/// Locations of the values of one kind.
pub struct RegFile {
    /// Register of each value, if it is in one.
    pub register: Vec<Option<u8>>,
    /// Stack slot of each value, if it was spilled.
    pub slot: Vec<Option<i32>>,
    /// Uses of each value, the last one first.
    pub uses: Vec<Vec<u32>>,
    /// Value in each register.
    pub holds: Vec<Option<u32>>,
    /// First register that may be used.
    pub first: u8,
}

impl RegFile {
    pub fn new(values: usize, first: u8, registers: u8) -> RegFile {
        RegFile {
            register: vec![None; values],
            slot: vec![None; values],
            uses: vec![Vec::new(); values],
            holds: vec![None; registers as usize],
            first,
        }
    }

    pub fn needed_after(&self, value: u32, at: u32) -> Option<u32> {
        let uses = &self.uses[value as usize];
        let later = uses.partition_point(|&u| u > at);
        uses[..later].last().copied()
    }

    pub fn put(&mut self, value: u32, register: u8) {
        self.register[value as usize] = Some(register);
        self.holds[register as usize] = Some(value);
    }

    pub fn free(&mut self, register: u8) {
        if let Some(value) = self.holds[register as usize].take() {
            self.register[value as usize] = None;
        }
    }

    /// Returns a free register, or else the register not in `keep` whose value is needed last, and that value.
    pub fn choose(&self, at: u32, keep: &[u8]) -> (u8, Option<u32>) {
        let all = self.first..self.holds.len() as u8;
        if let Some(free) = all
            .clone()
            .find(|&r| self.holds[r as usize].is_none() && !keep.contains(&r))
        {
            return (free, None);
        }
        let furthest = all
            .filter(|r| !keep.contains(r))
            .max_by_key(|&r| {
                let value = self.holds[r as usize].unwrap_or(0);
                self.needed_after(value, at.saturating_sub(1))
                    .unwrap_or(u32::MAX)
            })
            .unwrap_or(self.first);
        (furthest, self.holds[furthest as usize])
    }
}
