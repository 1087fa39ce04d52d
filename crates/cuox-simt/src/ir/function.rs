//! Blocks, functions, and the parts of a kernel.

use crate::ir::{Inst, Reg, Terminator, Ty};

/// The predicate of a masked block: it selects the threads that run the instructions, and the warp operation at the
/// end. It is evaluated where the block begins. Other threads skip the instructions and follow the terminator.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mask {
    /// The predicate.
    pub reg: Reg,
    /// True if the predicate selects threads for which it is false.
    pub negated: bool,
}

/// Straight-line code and its terminator. `lines[i]` is the PTX line of `insts[i]`, and the last one is the
/// terminator's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The instructions.
    pub insts: Vec<Inst>,
    /// The terminator.
    pub end: Terminator,
    /// PTX source lines (1-based), `insts.len() + 1` of them.
    pub lines: Vec<u32>,
    /// The predicate of a masked block; `None` if all threads run it.
    pub mask: Option<Mask>,
}

/// Bytes passed in or out of a device function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Size.
    pub size: u32,
    /// Alignment.
    pub align: u32,
}

/// The code of one thread: a kernel or a device function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    /// PTX name.
    pub name: String,
    /// Register types.
    pub regs: Vec<Ty>,
    /// The blocks; the first is the entry.
    pub blocks: Vec<Block>,
    /// Call slots.
    pub slots: Vec<Slot>,
    /// Slots that hold the parameters (device functions).
    pub params: Vec<u32>,
    /// Slots that hold the results (device functions).
    pub results: Vec<u32>,
    /// Bytes of local memory of a frame, alignment 16.
    pub local_bytes: u32,
}

impl Function {
    /// Adds a register.
    pub fn new_reg(&mut self, ty: Ty) -> Reg {
        self.regs.push(ty);
        Reg(self.regs.len() as u32 - 1)
    }

    /// Returns the type of a register.
    pub fn ty(&self, reg: Reg) -> Ty {
        self.regs[reg.index()]
    }

    /// Returns true if threads exit immediately.
    pub fn does_nothing(&self) -> bool {
        let ends = |b: &Block| {
            b.insts.is_empty() && matches!(b.end, Terminator::Exit | Terminator::Return)
        };
        matches!(&self.blocks[..], [only] if ends(only))
    }

    /// Returns true if threads wait for each other at a barrier.
    pub fn has_barrier(&self) -> bool {
        let waits = |block: &Block| {
            matches!(
                block.end,
                Terminator::Barrier { .. } | Terminator::Cluster { .. }
            )
        };
        self.blocks.iter().any(waits)
    }

    /// Adds a call slot.
    pub fn new_slot(&mut self, size: u32, align: u32) -> u32 {
        self.slots.push(Slot { size, align });
        self.slots.len() as u32 - 1
    }
}

/// A kernel with every device function it can reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    /// The kernel's code.
    pub kernel: Function,
    /// Device functions still called (recursion, function pointers), by [`FuncId`].
    pub functions: Vec<Function>,
    /// Static shared memory, bytes.
    pub static_shared: u32,
}

impl Unit {
    /// Returns true if threads wait for each other at a barrier.
    pub fn has_barrier(&self) -> bool {
        self.kernel.has_barrier() || self.functions.iter().any(Function::has_barrier)
    }
}
