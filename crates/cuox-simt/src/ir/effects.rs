//! Effects of instructions and terminators beyond a thread's registers. All analyses and passes use these
//! definitions.

use crate::ir::{Inst, Order, Terminator};

/// Effects of an instruction on memory and on other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Its results depend on memory that can be written while the kernel runs.
    pub reads: bool,
    /// It may write memory.
    pub writes: bool,
    /// It orders its thread's earlier and later accesses.
    pub fences: bool,
    /// Other threads may depend on its timing. False for plain accesses only.
    pub strong: bool,
}

impl Effects {
    /// The effects of unknown code.
    const ALL: Effects = Effects {
        reads: true,
        writes: true,
        fences: true,
        strong: true,
    };

    /// Returns true if accesses must not be moved across it.
    pub fn writes_or_fences(self) -> bool {
        self.writes || self.fences
    }
}

impl Inst {
    /// Returns its effects besides register writes. A fault does not count as an effect.
    pub fn effects(&self) -> Effects {
        let none = Effects::default();
        match self {
            Inst::Op { .. }
            | Inst::Special { .. }
            | Inst::SymbolAddress { .. }
            | Inst::FunctionAddress { .. }
            | Inst::Check { .. } => none,
            Inst::Load { order, .. } => Effects {
                reads: true,
                strong: *order != Order::Plain,
                ..none
            },
            Inst::Store { order, .. } => Effects {
                writes: true,
                strong: *order != Order::Plain,
                ..none
            },
            Inst::Atomic { .. } => Effects {
                reads: true,
                writes: true,
                strong: true,
                ..none
            },
            Inst::Fence(_) => Effects {
                fences: true,
                strong: true,
                ..none
            },
            // A texture is not written while a kernel reads it; a surface may be.
            Inst::Image { op, .. } => Effects {
                reads: true,
                writes: op.writes(),
                strong: op.writes(),
                ..none
            },
            Inst::Syscall { .. } | Inst::Call { .. } => Effects::ALL,
        }
    }
}

impl Terminator {
    /// Returns true if it involves other threads or lets them run. Threads stop at these terminators only.
    pub fn concerns_others(&self) -> bool {
        match self {
            Terminator::Barrier { .. }
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. }
            | Terminator::Warp { .. } => true,
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap => false,
        }
    }
}
