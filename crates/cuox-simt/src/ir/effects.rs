//! Effects of instructions and terminators on things outside a thread's registers: the one list that analyses and passes go by.

use crate::ir::{Inst, Order, Terminator};

/// Effects of an instruction on memory and on other threads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Its results depend on memory that can be written while the kernel runs.
    pub reads: bool,
    /// It may write memory.
    pub writes: bool,
    /// It orders accesses of its thread that come before it and after it.
    pub fences: bool,
    /// Other threads may rely on when it takes place: anything but plain accesses.
    pub strong: bool,
}

impl Effects {
    /// Those of code that nothing is known of.
    const ALL: Effects = Effects {
        reads: true,
        writes: true,
        fences: true,
        strong: true,
    };

    /// Whether what comes before and what comes after it must stay there.
    pub fn writes_or_fences(self) -> bool {
        self.writes || self.fences
    }
}

impl Inst {
    /// What it does besides writing its registers. A fault is no effect.
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
            // A texture is not written while a kernel reads it, a surface may be.
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
    /// Whether it is done together with other threads, or lets them run: these are the places at which a thread stops.
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
