//! What the lanes of a warp do together.

use crate::ir::matrix::MatrixOp;
use crate::ir::types::Ty;

/// Shuffle modes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Vote {
    /// Whether all hold; pred.
    All,
    /// Whether any holds; pred.
    Any,
    /// Whether all agree; pred.
    Uni,
    /// The lanes that hold; b32.
    Ballot,
}

/// Integer reductions over a warp.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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

/// An operation of the lanes of a warp together.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
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
    /// `bar.warp.sync`: nothing but waiting.
    Sync,
    /// `activemask`: result b32; waits for nobody.
    ActiveMask,
    /// What the lanes that run together did before comes before what they do next; waits for nobody (see `passes::lockstep`).
    Step,
    /// `elect.sync`: results (leader lane b32, is-leader pred).
    Elect,
    /// Matrices in the registers of a whole warp; never in parts.
    Matrix(MatrixOp),
}

impl WarpOp {
    /// How many operands it has.
    pub fn args(self) -> usize {
        match self {
            WarpOp::Shuffle(_) => 3,
            WarpOp::Vote(_) | WarpOp::MatchAny(_) | WarpOp::MatchAll(_) | WarpOp::Redux(_) => 1,
            WarpOp::Sync | WarpOp::Step | WarpOp::ActiveMask | WarpOp::Elect => 0,
            WarpOp::Matrix(op) => op.signature().0.len(),
        }
    }

    /// How many results it has.
    pub fn results(self) -> usize {
        match self {
            WarpOp::Shuffle(_) | WarpOp::MatchAll(_) | WarpOp::Elect => 2,
            WarpOp::Vote(_) | WarpOp::MatchAny(_) | WarpOp::Redux(_) | WarpOp::ActiveMask => 1,
            WarpOp::Sync | WarpOp::Step => 0,
            WarpOp::Matrix(op) => op.signature().1.len(),
        }
    }

    /// The types of the operands and of the results.
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
