//! Tests that statements stand behind, and threads that have left for somewhere else.

use std::sync::Arc;

use crate::ast;

/// A test that the statements of now stand behind.
#[derive(Debug, Clone)]
pub struct Branch {
    pub(super) kind: BranchKind,
    pub(super) test: Arc<ast::Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchKind {
    /// The body of an `if`, or its `else`.
    If(bool),
    /// A loop's body.
    While,
    /// The body of a loop over this.
    For,
    /// Behind a loop over this that had a turn.
    Entered,
}

/// Threads that no longer go on with the others.
#[derive(Debug, Clone)]
pub struct Leaving {
    /// The tests that led there.
    pub(super) path: Vec<Branch>,
    /// The number of loops whose end brings them back; 0 for a return.
    pub(super) until: usize,
    /// True if the loop's next turn has them again.
    pub(super) is_back: bool,
    /// True if they left in a turn that there may not have been.
    pub(super) was_before: bool,
}
