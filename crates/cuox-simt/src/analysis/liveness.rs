//! Which registers are live where blocks begin.

use crate::ir::{Block, BlockId, Function, Operand, Reg};

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct RegSet {
    words: Vec<u64>,
}

impl RegSet {
    /// An empty set over `n` registers.
    pub fn new(n: usize) -> Self {
        RegSet {
            words: vec![0; n.div_ceil(64)],
        }
    }

    /// Adds a register; says whether it was new.
    pub fn insert(&mut self, reg: Reg) -> bool {
        let (word, bit) = (reg.index() / 64, 1u64 << (reg.index() % 64));
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Takes a register out.
    pub fn remove(&mut self, reg: Reg) {
        self.words[reg.index() / 64] &= !(1u64 << (reg.index() % 64));
    }

    /// Whether it holds a register.
    pub fn contains(&self, reg: Reg) -> bool {
        self.words[reg.index() / 64] >> (reg.index() % 64) & 1 != 0
    }

    /// Adds all of another set; says whether anything was new.
    pub fn union(&mut self, other: &RegSet) -> bool {
        let mut changed = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            changed |= *b & !*a != 0;
            *a |= b;
        }
        changed
    }

    /// Takes all of another set out.
    pub fn subtract(&mut self, other: &RegSet) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= !b;
        }
    }

    /// Makes room for registers below `n`.
    pub fn grow(&mut self, n: usize) {
        self.words.resize(n.div_ceil(64).max(self.words.len()), 0);
    }

    /// The registers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = Reg> + '_ {
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

/// Live registers at the start of every block.
pub struct Liveness {
    live_in: Vec<RegSet>,
}

impl Liveness {
    /// Solves the data-flow problem for a function whose blocks are in reverse post-order. What a masked block writes of `kept`
    /// leaves the old value where threads still need it. Registers that masked copies have for their `own` hold nothing elsewhere, although
    /// ways seem to lead past what writes them.
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
                let kills = |block: &Block, reg| block.mask.is_none() || !kept.contains(reg);
                let add = |live: &mut RegSet, operand: Operand| {
                    if let Operand::Reg(reg) = operand {
                        live.insert(reg);
                    }
                };
                block.end.defs(|reg| {
                    if kills(block, reg) {
                        live.remove(reg);
                    }
                });
                block.end.uses(|operand| add(&mut live, operand));
                for inst in block.insts.iter().rev() {
                    inst.defs(|reg| {
                        if kills(block, reg) {
                            live.remove(reg);
                        }
                    });
                    inst.uses(|operand| add(&mut live, operand));
                }
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

    /// Registers live where `block` begins.
    pub fn live_in(&self, block: BlockId) -> &RegSet {
        &self.live_in[block.index()]
    }

    /// Registers live where `block` has ended: live into any successor.
    pub fn live_out(&self, func: &Function, block: BlockId) -> RegSet {
        let mut live = RegSet::new(func.regs.len());
        func.blocks[block.index()].end.successors(|s| {
            live.union(&self.live_in[s.index()]);
        });
        live
    }
}
