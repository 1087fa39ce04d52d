//! Operations of the lanes of a warp.

use crate::ir::matrix::MatrixOp;
use crate::ir::types::Ty;
use serde::{Deserialize, Serialize};

/// Shuffle modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Shuffle {
    /// From `lane - b`.
    Up,
    /// From `lane + b`.
    Down,
    /// From `lane ^ b`.
    Butterfly,
    /// From lane `b`.
    Index,
}

/// Vote modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Vote {
    /// True if all predicates hold; pred.
    All,
    /// True if any predicate holds; pred.
    Any,
    /// True if all predicates are equal; pred.
    Uni,
    /// The lanes whose predicates hold; b32.
    Ballot,
}

/// Integer reductions over a warp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Redux {
    /// Sum.
    Add,
    /// Unsigned minimum.
    MinU,
    /// Signed minimum.
    MinS,
    /// Unsigned maximum.
    MaxU,
    /// Signed maximum.
    MaxS,
    /// And.
    And,
    /// Or.
    Or,
    /// Exclusive or.
    Xor,
}

/// An operation of a warp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum WarpOp {
    /// `shfl.sync`: args (value b32, b b32, c b32); results (value b32, in-range pred).
    Shuffle(Shuffle),
    /// `vote.sync`: args (pred); result by mode.
    Vote(Vote),
    /// `match.any.sync`: args (value of that type); result b32 mask.
    MatchAny(Ty),
    /// `match.all.sync`: args (value); results (mask b32, pred).
    MatchAll(Ty),
    /// `redux.sync`: args (b32); result b32.
    Redux(Redux),
    /// `bar.warp.sync`: only waits.
    Sync,
    /// `activemask`: result b32; does not wait.
    ActiveMask,
    /// A lockstep boundary: earlier accesses of the lanes that run together come before later ones; does not wait
    /// (see `passes::lockstep`).
    Step,
    /// `elect.sync`: results (leader lane b32, is-leader pred).
    Elect,
    /// An operation on matrices in the registers of a whole warp; all lanes must be active.
    Matrix(MatrixOp),
}

impl WarpOp {
    /// Returns the number of operands.
    pub fn args(self) -> usize {
        match self {
            WarpOp::Shuffle(_) => 3,
            WarpOp::Vote(_) | WarpOp::MatchAny(_) | WarpOp::MatchAll(_) | WarpOp::Redux(_) => 1,
            WarpOp::Sync | WarpOp::Step | WarpOp::ActiveMask | WarpOp::Elect => 0,
            WarpOp::Matrix(op) => op.signature().0.len(),
        }
    }

    /// Returns the PTX name of an operation with a member mask, which must contain each lane that executes it.
    pub fn with_mask(self) -> Option<&'static str> {
        Some(match self {
            WarpOp::Shuffle(_) => "shfl.sync",
            WarpOp::Vote(_) => "vote.sync",
            WarpOp::MatchAny(_) => "match.any.sync",
            WarpOp::MatchAll(_) => "match.all.sync",
            WarpOp::Redux(_) => "redux.sync",
            WarpOp::Sync => "bar.warp.sync",
            WarpOp::Elect => "elect.sync",
            WarpOp::ActiveMask | WarpOp::Step | WarpOp::Matrix(_) => return None,
        })
    }

    /// Returns the number of results.
    pub fn results(self) -> usize {
        match self {
            WarpOp::Shuffle(_) | WarpOp::MatchAll(_) | WarpOp::Elect => 2,
            WarpOp::Vote(_) | WarpOp::MatchAny(_) | WarpOp::Redux(_) | WarpOp::ActiveMask => 1,
            WarpOp::Sync | WarpOp::Step => 0,
            WarpOp::Matrix(op) => op.signature().1.len(),
        }
    }

    /// Returns the types of the operands and of the results.
    pub fn signature(self) -> (Vec<Ty>, Vec<Ty>) {
        let (args, results): (&[Ty], &[Ty]) = match self {
            WarpOp::Shuffle(_) => (&[Ty::B32; 3], &[Ty::B32, Ty::Pred]),
            WarpOp::Vote(Vote::Ballot) => (&[Ty::Pred], &[Ty::B32]),
            WarpOp::Vote(_) => (&[Ty::Pred], &[Ty::Pred]),
            WarpOp::MatchAny(ty) => return (vec![ty], vec![Ty::B32]),
            WarpOp::MatchAll(ty) => return (vec![ty], vec![Ty::B32, Ty::Pred]),
            WarpOp::Redux(_) => (&[Ty::B32], &[Ty::B32]),
            WarpOp::Sync | WarpOp::Step => (&[], &[]),
            WarpOp::ActiveMask => (&[], &[Ty::B32]),
            WarpOp::Elect => (&[], &[Ty::B32, Ty::Pred]),
            WarpOp::Matrix(op) => return op.signature(),
        };
        (args.to_vec(), results.to_vec())
    }
}
