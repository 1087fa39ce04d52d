//! Register liveness at block boundaries, and the register set that other analyses use.
//!
//! The data-flow problem is solved backwards over the blocks. Masked blocks need care: a masked-off lane keeps the old
//! value of a register that the block writes.

use crate::ir::{Block, BlockId, Function, Operand, Reg, work};

/// Set of registers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RegSet {
    words: Vec<u64>,
}

impl RegSet {
    /// Creates an empty set for `n` registers.
    pub fn new(n: usize) -> Self {
        RegSet {
            words: vec![0; n.div_ceil(64)],
        }
    }

    /// Counts a walk through the set: eight words are a step.
    fn count(&self) {
        work::count(self.words.len().div_ceil(8));
    }

    /// Adds a register and tells whether it was new.
    pub fn insert(&mut self, reg: Reg) -> bool {
        let (word, bit) = (reg.index() / 64, 1u64 << (reg.index() % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Removes a register.
    pub fn remove(&mut self, reg: Reg) {
        self.words[reg.index() / 64] &= !(1u64 << (reg.index() % 64));
    }

    /// Tells whether the set contains a register.
    pub fn contains(&self, reg: Reg) -> bool {
        self.words[reg.index() / 64] >> (reg.index() % 64) & 1 != 0
    }

    /// Adds all registers of another set and tells whether any was new.
    pub fn union(&mut self, other: &RegSet) -> bool {
        let mut changed = false;
        self.count();
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    /// Removes all registers that are not in another set.
    pub fn intersect(&mut self, other: &RegSet) {
        self.count();
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= b;
        }
    }

    /// Removes all registers of another set.
    pub fn subtract(&mut self, other: &RegSet) {
        self.count();
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= !b;
        }
    }

    /// Tells whether the sets have a register in common.
    pub fn meets(&self, other: &RegSet) -> bool {
        self.words.iter().zip(&other.words).any(|(a, b)| a & b != 0)
    }

    /// Grows the set to hold registers below `n`.
    pub fn grow(&mut self, n: usize) {
        self.words.resize(n.div_ceil(64).max(self.words.len()), 0);
    }

    /// Iterates over the registers in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
        self.count();
        self.words.iter().enumerate().flat_map(|(i, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    Reg(i as u32 * 64 + bit)
                })
            })
        })
    }
}

/// Adds the registers that a block reads.
pub fn add_read(block: &Block, to: &mut RegSet) {
    let mut read = |operand| {
        if let Operand::Reg(reg) = operand {
            to.insert(reg);
        }
    };
    block.insts.iter().for_each(|inst| inst.uses(&mut read));
    block.end.uses(&mut read);
    block.mask.iter().for_each(|mask| _ = to.insert(mask.reg));
}

/// Adds the registers that a block writes.
pub fn add_written(block: &Block, to: &mut RegSet) {
    let insts = block.insts.iter();
    insts.for_each(|inst| inst.defs(|reg| _ = to.insert(reg)));
    block.end.defs(|reg| _ = to.insert(reg));
}

/// Makes the registers that are read after a block's code those that are read from its start on. A masked block's write
/// to a register of `kept` does not kill it, since masked-off lanes keep the old value.
pub fn read_before(block: &Block, kept: &RegSet, live: &mut RegSet) {
    let kills = |reg| block.mask.is_none() || !kept.contains(reg);
    let kill = |live: &mut RegSet, reg| {
        if kills(reg) {
            live.remove(reg);
        }
    };
    let add = |live: &mut RegSet, operand: Operand| {
        if let Operand::Reg(reg) = operand {
            live.insert(reg);
        }
    };
    block.end.defs(|reg| kill(live, reg));
    block.end.uses(|operand| add(live, operand));
    for inst in block.insts.iter().rev() {
        inst.defs(|reg| kill(live, reg));
        inst.uses(|operand| add(live, operand));
    }
}

/// Registers live at the start of every block.
pub struct Liveness {
    live_in: Vec<RegSet>,
}

impl Liveness {
    /// Solves the data-flow problem for a function whose blocks are in reverse post-order.
    ///
    /// [`read_before`] says what `kept` is for. Registers of `own` belong to masked copies alone: they are not live into
    /// other blocks, even where the graph has a path that bypasses their definition.
    pub fn new(func: &Function, kept: &RegSet, own: &RegSet) -> Self {
        let n = func.regs.len();
        let mut live_in = vec![RegSet::new(n); func.blocks.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for (index, block) in func.blocks.iter().enumerate().rev() {
                let mut live = RegSet::new(n);
                block.end.successors(|s| {
                    live.union(&live_in[s.index()]);
                });
                read_before(block, kept, &mut live);
                let passes_over = block.insts.is_empty() && block.end.is_together();
                match block.mask {
                    Some(mask) => _ = live.insert(mask.reg),
                    None if passes_over => {}
                    None => live.subtract(own),
                }
                changed |= live_in[index].union(&live);
            }
        }
        Liveness { live_in }
    }

    /// Returns the registers live at the start of `block`.
    pub fn live_in(&self, block: BlockId) -> &RegSet {
        &self.live_in[block.index()]
    }

    /// Returns the registers live at the end of `block`, i.e. live into any successor.
    pub fn live_out(&self, func: &Function, block: BlockId) -> RegSet {
        let mut live = RegSet::new(func.regs.len());
        func.blocks[block.index()].end.successors(|s| {
            live.union(&self.live_in[s.index()]);
        });
        live
    }
}
