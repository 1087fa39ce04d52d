//! Operands of instructions: registers, constants, addresses.

use serde::{Deserialize, Serialize};

/// A register of a [`Function`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Reg(pub u32);

/// A block of a [`Function`]; block 0 is the entry.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct BlockId(pub u32);

impl Reg {
    /// Returns the register's index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// Returns the block's index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An operand that an instruction reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// A register.
    Reg(Reg),
    /// Constant bits.
    Imm(u64),
}

impl Operand {
    /// Returns the register, if it is one.
    pub fn reg(self) -> Option<Reg> {
        match self {
            Operand::Reg(r) => Some(r),
            Operand::Imm(_) => None,
        }
    }
}

impl From<Reg> for Operand {
    fn from(reg: Reg) -> Self {
        Operand::Reg(reg)
    }
}

/// Up to four operands, stored in place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Args {
    items: [Operand; Args::MOST],
    len: u8,
}

impl Args {
    /// The largest number of operands.
    pub const MOST: usize = 4;

    /// Creates the operand list `items` (at most four).
    pub fn new(items: &[Operand]) -> Self {
        let mut all = [Operand::Imm(0); Self::MOST];
        all[..items.len()].copy_from_slice(items);
        Args {
            items: all,
            len: items.len() as u8,
        }
    }
}

impl std::ops::Deref for Args {
    type Target = [Operand];
    fn deref(&self) -> &[Operand] {
        &self.items[..self.len as usize]
    }
}

impl std::ops::DerefMut for Args {
    fn deref_mut(&mut self) -> &mut [Operand] {
        &mut self.items[..self.len as usize]
    }
}

/// A state space of the IR.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Space {
    /// A host address: global, generic and constant memory.
    Flat,
    /// Offset into the block's shared window.
    Shared,
    /// Offset into the thread's local window.
    Local,
    /// Offset into the launch's parameters (read only).
    Param,
    /// Offset into a call slot of the function; gone after `passes::call_slots`.
    Slot(u32),
}

/// `base + offset` in a space. `base` is b64 (or b32 for the window spaces) or an immediate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address {
    /// The space.
    pub space: Space,
    /// The varying part.
    pub base: Operand,
    /// The constant part, added with wrap-around at 64 bits (32 in window spaces).
    pub offset: i64,
}

/// The ordering of a memory access.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum Order {
    /// May be merged with its neighbours.
    #[default]
    Plain,
    /// Each access happens (`.volatile`, `.relaxed`, `.mmio`).
    Relaxed,
    /// Later accesses are not moved before it.
    Acquire,
    /// Earlier accesses are not moved behind it.
    Release,
    /// Both, with a single total order of all such accesses.
    AcqRel,
}
