//! How blocks end.

use crate::ir::{BlockId, Operand, Reg, WarpOp};

/// What a block barrier does besides waiting.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BarrierKind {
    /// Waits.
    Sync,
    /// Counts without waiting.
    Arrive,
    /// Waits; result: how many threads' predicates held (b32).
    Popc,
    /// Waits; result: whether all held (pred).
    And,
    /// Waits; result: whether any held (pred).
    Or,
}

/// The two steps of the cluster's barrier (`barrier.cluster`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ClusterStep {
    /// Counts without waiting.
    Arrive,
    /// Waits for the phase in which the thread has arrived to end.
    Wait,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Terminator {
    /// To a block.
    Jump(BlockId),
    /// To `then` if the predicate holds, else to `other`.
    Branch {
        /// The predicate.
        cond: Reg,
        /// When it holds.
        then: BlockId,
        /// When it does not.
        other: BlockId,
        /// Where threads that run together go, all of them, when it holds for some of them and not for others: code that does
        /// the same for each as its own way, in masked blocks (see [`Mask`]). No thread goes there by itself.
        mixed: Option<BlockId>,
    },
    /// To `targets[index]`; out of range is a fault.
    Switch {
        /// b32.
        index: Operand,
        /// Where to.
        targets: Vec<BlockId>,
        /// Where threads that run together go when their indices differ, as for a branch.
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
        /// What it does.
        kind: BarrierKind,
        /// Barrier number, b32.
        id: Operand,
        /// Threads expected, b32; all of the block if absent.
        count: Option<Operand>,
        /// The predicate of the reducing kinds.
        pred: Option<Operand>,
        /// The result of the reducing kinds.
        dst: Option<Reg>,
        /// What follows.
        next: BlockId,
    },
    /// Arrives at the cluster's barrier, or waits until every thread of the cluster has arrived or ended; then `next`.
    Cluster {
        /// Which of the two.
        step: ClusterStep,
        /// What follows.
        next: BlockId,
    },
    /// Lets other threads and blocks run first, then `next`: what a thread does that waits for others by looking at memory,
    /// or that sleeps (`nanosleep`).
    Pause {
        /// What follows.
        next: BlockId,
    },
    /// A warp operation, then `next`.
    Warp {
        /// Which.
        op: WarpOp,
        /// Member mask, b32 (all ones for `ActiveMask` and `Step`).
        mask: Operand,
        /// Operands.
        args: Vec<Operand>,
        /// Results; an unwanted one is absent.
        dsts: Vec<Option<Reg>>,
        /// What follows.
        next: BlockId,
    },
}

/// Every block that a terminator can go to, by `iter` or `iter_mut`.
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

/// Every operand that a terminator reads but a branch's condition, which is a register, by `iter` or `iter_mut`.
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

/// Every register that a terminator writes, by `iter` or `iter_mut`.
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
    /// A branch of a thread by itself.
    pub fn branch(cond: Reg, then: BlockId, other: BlockId) -> Terminator {
        Terminator::Branch {
            cond,
            then,
            other,
            mixed: None,
        }
    }

    /// A switch of a thread by itself.
    pub fn switch(index: Operand, targets: Vec<BlockId>) -> Terminator {
        Terminator::Switch {
            index,
            targets,
            mixed: None,
        }
    }

    /// Whether threads that run together stay so however their predicates differ: a branch that goes one of its own ways with
    /// all of them.
    pub fn is_together(&self) -> bool {
        match self {
            Terminator::Branch {
                then, other, mixed, ..
            } => mixed.is_some_and(|m| m == *then || m == *other),
            _ => false,
        }
    }

    /// Whether it is a step of a warp, which asks nothing of it.
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
        let mut f = |block: &BlockId| f(*block);
        each_successor!(self, f, iter);
    }

    /// Calls `f` with every block it names, to change it.
    pub fn successors_mut(&mut self, mut f: impl FnMut(&mut BlockId)) {
        each_successor!(self, f, iter_mut);
    }

    /// Calls `f` with every operand it reads.
    pub fn uses(&self, mut f: impl FnMut(Operand)) {
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
