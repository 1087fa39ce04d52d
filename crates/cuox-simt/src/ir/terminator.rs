//! Terminators: the ends of blocks.

use crate::ir::{BlockId, Operand, Reg, WarpOp, work};
use serde::{Deserialize, Serialize};

/// The operation of a block barrier.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BarrierKind {
    /// Waits.
    Sync,
    /// Counts without waiting.
    Arrive,
    /// Waits; the result is the number of threads whose predicates hold (b32).
    Popc,
    /// Waits; the result is true if all predicates hold (pred).
    And,
    /// Waits; the result is true if any predicate holds (pred).
    Or,
    /// Waits for the other warps of the warpgroup. The barrier is one that no program can name.
    Warpgroup,
}

impl BarrierKind {
    /// The number of barriers of a block that programs can name.
    pub const NAMED: u32 = 16;
    /// The number of barriers of a block; the last ones are those of the warpgroups.
    pub const COUNT: usize = 16 + 8;

    /// Returns true if there is a barrier of that number for operations of this kind.
    pub fn has(self, number: u32) -> bool {
        let named = number < Self::NAMED;
        match self {
            BarrierKind::Warpgroup => !named && number < Self::COUNT as u32,
            _ => named,
        }
    }
}

/// The two steps of the cluster's barrier (`barrier.cluster`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ClusterStep {
    /// Counts without waiting.
    Arrive,
    /// Waits for the phase in which the thread has arrived to end.
    Wait,
}

/// The end of a block.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// Jumps to a block.
    Jump(BlockId),
    /// Branches to `then` if the predicate holds, else to `other`.
    Branch {
        /// The predicate.
        cond: Reg,
        /// The target if it holds.
        then: BlockId,
        /// The target if it does not hold.
        other: BlockId,
        /// The target of a gang whose lanes disagree: masked blocks (see [`Mask`]) that do for each lane the same as
        /// its own way. A single thread never goes there.
        mixed: Option<BlockId>,
    },
    /// Branches to `targets[index]`; an index out of range is a fault.
    Switch {
        /// The index, b32.
        index: Operand,
        /// The targets.
        targets: Vec<BlockId>,
        /// The target of a gang whose lanes have different indices, as for a branch.
        mixed: Option<BlockId>,
    },
    /// The thread ends.
    Exit,
    /// Returns from a device function.
    Return,
    /// The grid ends with an error (`trap`).
    Trap,
    /// A barrier of the thread block, then `next`.
    Barrier {
        /// The operation.
        kind: BarrierKind,
        /// Barrier number, b32.
        id: Operand,
        /// Threads expected, b32; all of the block if absent.
        count: Option<Operand>,
        /// The predicate of the reducing kinds.
        pred: Option<Operand>,
        /// The result of the reducing kinds.
        dst: Option<Reg>,
        /// The next block.
        next: BlockId,
    },
    /// Arrives at the cluster's barrier, or waits until every thread of the cluster has arrived or ended; then `next`.
    Cluster {
        /// The step.
        step: ClusterStep,
        /// The next block.
        next: BlockId,
    },
    /// Lets other threads and blocks run first, then `next`: for threads that wait for others by reading memory, or
    /// that sleep (`nanosleep`).
    Pause {
        /// The next block.
        next: BlockId,
    },
    /// A warp operation, then `next`.
    Warp {
        /// The operation.
        op: WarpOp,
        /// Member mask, b32 (all ones for `ActiveMask` and `Step`).
        mask: Operand,
        /// Operands.
        args: Vec<Operand>,
        /// Results; `None` for a discarded one.
        dsts: Vec<Option<Reg>>,
        /// The next block.
        next: BlockId,
    },
}

/// Visits every successor of a terminator, by `iter` or `iter_mut`.
macro_rules! each_successor {
    ($end:expr, $f:ident, $iter:ident) => {
        match $end {
            Terminator::Branch {
                then, other, mixed, ..
            } => {
                $f(then);
                $f(other);
                mixed.$iter().for_each($f);
            }
            Terminator::Switch { targets, mixed, .. } => targets.$iter().chain(mixed).for_each($f),
            Terminator::Exit | Terminator::Return | Terminator::Trap => {}
            Terminator::Jump(next)
            | Terminator::Barrier { next, .. }
            | Terminator::Cluster { next, .. }
            | Terminator::Pause { next }
            | Terminator::Warp { next, .. } => $f(next),
        }
    };
}

/// Visits every operand that a terminator reads, by `iter` or `iter_mut`. A branch's condition is a register and not
/// visited.
macro_rules! each_use {
    ($end:expr, $f:ident, $iter:ident) => {
        match $end {
            Terminator::Switch { index, .. } => $f(index),
            Terminator::Barrier {
                id, count, pred, ..
            } => {
                $f(id);
                count.$iter().chain(pred).for_each($f);
            }
            Terminator::Warp { mask, args, .. } => {
                $f(mask);
                args.$iter().for_each($f);
            }
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
        }
    };
}

/// Visits every register that a terminator writes, by `iter` or `iter_mut`.
macro_rules! each_def {
    ($end:expr, $f:ident, $iter:ident) => {
        match $end {
            Terminator::Barrier { dst, .. } => dst.$iter().for_each($f),
            Terminator::Warp { dsts, .. } => dsts.$iter().flatten().for_each($f),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Switch { .. }
            | Terminator::Exit
            | Terminator::Return
            | Terminator::Trap
            | Terminator::Cluster { .. }
            | Terminator::Pause { .. } => {}
        }
    };
}

impl Terminator {
    /// Returns a branch without a target for gangs whose lanes disagree.
    pub fn branch(cond: Reg, then: BlockId, other: BlockId) -> Terminator {
        Terminator::Branch {
            cond,
            then,
            other,
            mixed: None,
        }
    }

    /// Returns a switch without a target for gangs whose lanes disagree.
    pub fn switch(index: Operand, targets: Vec<BlockId>) -> Terminator {
        Terminator::Switch {
            index,
            targets,
            mixed: None,
        }
    }

    /// Returns true if lanes that disagree stay together: the target for them is one of the branch's own ways.
    pub fn is_together(&self) -> bool {
        match self {
            Terminator::Branch {
                then, other, mixed, ..
            } => mixed.is_some_and(|m| m == *then || m == *other),
            _ => false,
        }
    }

    /// Returns true for a lockstep boundary of a warp, which involves no other threads.
    pub fn is_step(&self) -> bool {
        matches!(
            self,
            Terminator::Warp {
                op: WarpOp::Step,
                ..
            }
        )
    }

    /// Calls `f` with every block it can go to.
    pub fn successors(&self, mut f: impl FnMut(BlockId)) {
        work::count(1);
        let mut f = |block: &BlockId| f(*block);
        each_successor!(self, f, iter);
    }

    /// Calls `f` with every block it names, to change it.
    pub fn successors_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        work::count(1);
        each_successor!(self, f, iter_mut);
    }

    /// Calls `f` with every operand it reads.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
        work::count(1);
        if let Terminator::Branch { cond, .. } = self {
            f(Operand::Reg(*cond));
        }
        let mut f = |operand: &Operand| f(*operand);
        each_use!(self, f, iter);
    }

    /// Calls `f` with every operand it reads, to change it. A branch's condition stays a register.
    pub fn uses_mut(&mut self, mut f: impl FnMut(&mut Operand)) {
        if let Terminator::Branch { cond, .. } = self {
            let mut operand = Operand::Reg(*cond);
            f(&mut operand);
            if let Operand::Reg(reg) = operand {
                *cond = reg;
            }
        }
        each_use!(self, f, iter_mut);
    }

    /// Calls `f` with every register it writes.
    pub fn defs(&self, mut f: impl FnMut(Reg)) {
        let f = |reg: &Reg| f(*reg);
        each_def!(self, f, iter);
    }

    /// Calls `f` with every register it writes, to change it.
    pub fn defs_mut(&mut self, f: impl FnMut(&mut Reg)) {
        each_def!(self, f, iter_mut);
    }
}
