//! Whether all threads of a group get to a statement: what the tests around it depend on.
//!
//! A test of the position of a thread is evaluated for each thread of a block whose shape is known, so that
//! `threadIdx.x < 64` divides a block of 128 threads, and no warp. Other values are the same for all threads, or may
//! differ.

use std::sync::Arc;

use super::branch::{Branch, BranchKind, Leaving};
use super::frame::Frame;
use crate::ast::{self, ExprKind};
use crate::collective::{Group, WARP, shown};
use crate::compiled::Warning;
use crate::diagnostic::{Code, Failure, Result};
use spread::{Look, MOST_STEPS, Spread};

pub(super) mod spread;

/// Whether all threads of a group get to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// As far as can be seen they do.
    All,
    /// A test that they may pass differently.
    Maybe(ast::Span),
    /// A test that some pass and others do not.
    Some(ast::Span),
}

impl Frame<'_, '_> {
    /// Enters statements behind a test.
    pub(super) fn enter_branch(&mut self, kind: BranchKind, test: &ast::Expr) {
        let test = Arc::new(test.clone());
        self.branches.push(Branch { kind, test });
    }

    pub(super) fn leave_branch(&mut self) {
        self.branches.pop();
    }

    /// Notes that the threads here go no further, up to the end of so many loops, or of this turn of the inner one.
    pub(super) fn threads_leave(&mut self, until: usize, is_back: bool) {
        if !self.branches.is_empty() {
            self.left.push(Leaving {
                path: self.branches.clone(),
                until,
                is_back,
                was_before: false,
            });
        }
    }

    /// The threads that left in a loop's turn, from an index of those that have left on, as the next turn has them.
    pub(super) fn left_before(&self, from: usize, until: usize) -> Vec<Leaving> {
        let left = self.left.iter().skip(from);
        left.filter(|one| one.until <= until && !one.is_back)
            .map(|one| Leaving {
                was_before: true,
                ..one.clone()
            })
            .collect()
    }

    /// The threads that breaks took out of the loop whose test is the last one, from an index of those that have left
    /// on, as the loop's `else` has them.
    pub(super) fn left_by_breaks(&self, from: usize) -> Vec<Leaving> {
        let around = self.loops.len();
        let left = self.left.iter().skip(from);
        left.filter(|one| one.until == around + 1 && !one.is_back)
            .map(|one| {
                let mut left = Leaving {
                    until: around,
                    was_before: true,
                    ..one.clone()
                };
                if let Some(own) = left.path.get_mut(self.branches.len() - 1)
                    && own.kind == BranchKind::For
                {
                    own.kind = BranchKind::Entered;
                }
                left
            })
            .collect()
    }

    /// Refuses a call that some threads of its group get to and others do not, and warns of one where that may be.
    pub(crate) fn check_reach(&mut self, group: Group, name: &str) -> Result<()> {
        let (what, threads) = match group {
            Group::Block(shape) | Group::Warps(shape, _) => ("block", shown(shape)),
            Group::Warp(count) => ("warp", format!("{count} threads")),
        };
        match self.reach(group) {
            Reach::All => Ok(()),
            Reach::Some(test) => Err(Failure::new(
                Code::Unsupported,
                format!(
                    "{name}() is called by a part of the {threads} of a {what}: the test in line {} divides them",
                    test.line
                ),
            )
            .help("call it where all threads get to, and let others pass a value that changes nothing")),
            Reach::Maybe(test) => {
                if group.block().is_some() {
                    let warning = Warning {
                        message: format!(
                            "{name}() must be called by all threads of the block: the test in line {} may divide them",
                            test.line
                        ),
                        file: self.source.file.to_string(),
                        line: self.span.line,
                    };
                    if !self.program.warnings.contains(&warning) {
                        self.program.warnings.push(warning);
                    }
                }
                if self.options().for_software_gpu {
                    self.program.has_checks = true;
                    self.need("raise");
                    let message =
                        format!("{name}() was called by a part of the {threads} of a {what}");
                    let number = self.exception("RuntimeError", Some(message));
                    let class = group.class();
                    self.code.statement(format!(
                        "if (!{class}::all_are_here()) py::raise({number});"
                    ));
                }
                Ok(())
            }
        }
    }

    /// Whether all threads of a group get here.
    fn reach(&mut self, group: Group) -> Reach {
        if self.branches.is_empty() && self.left.is_empty() {
            return Reach::All;
        }
        let launch = self.program.options.launch.as_ref();
        let block = self.program.block.as_ref().map(|(block, _)| *block);
        let Some(shape) = block.or_else(|| launch.map(|launch| launch.block)) else {
            return Reach::All;
        };
        let count: usize = shape.iter().map(|size| *size as usize).product();
        self.look = Look::default();
        let mut here = vec![true; count];
        let (mut maybe, mut known) = (None, None);
        for branch in self.branches.clone() {
            match self.passes(&branch, shape) {
                None => maybe = maybe.or(Some(branch.test.span)),
                Some(passes) if passes.is_empty() => {}
                Some(passes) => {
                    for (here, passes) in here.iter_mut().zip(&passes) {
                        *here &= *passes;
                    }
                    if passes.contains(&false) {
                        known = Some(branch.test.span);
                    }
                }
            }
        }
        for leaving in self.left.clone() {
            let Some(last) = leaving.path.last().map(|branch| branch.test.span) else {
                continue;
            };
            let mut gone = vec![true; count];
            let mut is_sure = !leaving.was_before;
            // Tests that the call stands behind, too, were passed.
            let is_shared = |one: &Branch, all: &[Branch]| {
                all.iter()
                    .any(|other| other.kind == one.kind && Arc::ptr_eq(&other.test, &one.test))
            };
            let path: Vec<_> = leaving
                .path
                .iter()
                .filter(|one| !is_shared(one, &self.branches))
                .cloned()
                .collect();
            for branch in &path {
                match self.passes(branch, shape) {
                    None => is_sure = false,
                    // The same for all, but who knows what.
                    Some(passes) if passes.is_empty() => is_sure &= branch.kind == BranchKind::For,
                    Some(passes) => {
                        for (gone, passes) in gone.iter_mut().zip(passes) {
                            *gone &= passes;
                        }
                    }
                }
            }
            if gone.iter().all(|gone| !gone) {
                continue;
            }
            let apart = gone.contains(&false);
            let is_any = path
                .iter()
                .any(|branch| self.passes(branch, shape).is_none());
            if is_sure && apart {
                for (here, gone) in here.iter_mut().zip(&gone) {
                    *here &= !gone;
                }
                known = Some(last);
            } else if is_any || apart {
                maybe = maybe.or(Some(last));
            }
        }
        let size = match group {
            Group::Block(_) | Group::Warps(..) => count,
            Group::Warp(width) => width as usize,
        };
        // Lanes at the end of a warp that make no whole group are none.
        let is_divided = here.chunks(WARP as usize).any(|warp| match group {
            Group::Block(_) | Group::Warps(..) => false,
            Group::Warp(_) => warp.chunks_exact(size).any(divided),
        }) || group.block().is_some() && divided(&here);
        match (known, maybe) {
            (Some(span), _) if is_divided => Reach::Some(span),
            (_, Some(span)) => Reach::Maybe(span),
            _ => Reach::All,
        }
    }

    /// The threads that pass a test; none are listed if all do the same, and `None` is returned if that is not known.
    fn passes(&mut self, branch: &Branch, shape: [u32; 3]) -> Option<Vec<bool>> {
        let all = |value: Spread, truth: bool| match value {
            Spread::Known(values) => {
                Some(values.iter().map(|value| (*value != 0) == truth).collect())
            }
            Spread::Same => Some(Vec::new()),
            Spread::Any => None,
        };
        match branch.kind {
            BranchKind::If(truth) => all(self.in_threads(&branch.test, shape, 0), truth),
            BranchKind::While => match self.in_threads(&branch.test, shape, 0) {
                value if value.is_same() => Some(Vec::new()),
                _ => None,
            },
            BranchKind::For => match self.turns(&branch.test, shape, 0) {
                Spread::Same => Some(Vec::new()),
                Spread::Any => None,
                Spread::Known(turns) => {
                    let most = turns.iter().copied().max().unwrap_or(0);
                    Some(turns.iter().map(|turns| *turns == most).collect())
                }
            },
            BranchKind::Entered => all(self.turns(&branch.test, shape, 0), true),
        }
    }

    /// The number of a loop's turns.
    fn turns(&mut self, iterable: &ast::Expr, shape: [u32; 3], depth: u32) -> Spread {
        if depth > MOST_STEPS {
            return Spread::Any;
        }
        let deeper = depth + 1;
        let arguments = match &iterable.kind {
            ExprKind::Call {
                function,
                arguments,
                ..
            } => match self.path_of(function).as_deref() {
                Some("builtins.range") => arguments,
                Some("builtins.zip" | "builtins.enumerate" | "builtins.reversed") => {
                    let parts: Vec<_> = arguments
                        .iter()
                        .map(|one| self.turns(one, shape, deeper))
                        .collect();
                    return Spread::of(&parts);
                }
                _ => return Spread::Same,
            },
            // A part of an array.
            ExprKind::Subscript { value, index } => {
                let mut parts = vec![self.turns(value, shape, deeper)];
                if let ExprKind::Slice { lower, upper, step } = &index.kind {
                    for bound in [lower, upper, step].into_iter().flatten() {
                        parts.push(self.in_threads(bound, shape, deeper));
                    }
                }
                return Spread::of(&parts);
            }
            ExprKind::Conditional { test, body, orelse } => {
                let parts = [
                    self.in_threads(test, shape, deeper),
                    self.turns(body, shape, deeper),
                    self.turns(orelse, shape, deeper),
                ];
                return Spread::of(&parts);
            }
            ExprKind::Name(name) => return self.turns_of_name(name, shape, deeper),
            _ => return Spread::Same,
        };
        let parts: Vec<_> = arguments
            .iter()
            .map(|one| self.in_threads(one, shape, deeper))
            .collect();
        let known: Option<Vec<_>> = parts
            .iter()
            .map(|part| match part {
                Spread::Known(values) => Some(values),
                _ => None,
            })
            .collect();
        let Some(known) = known else {
            return Spread::of(&parts);
        };
        let count: usize = shape.iter().map(|size| *size as usize).product();
        let turns = (0..count).map(|thread| {
            let at = |index: usize| known.get(index).map(|values| values[thread]);
            let (start, stop, step) = match known.len() {
                1 => (0, at(0)?, 1),
                _ => (at(0)?, at(1)?, at(2).unwrap_or(1)),
            };
            match step {
                0 => None,
                step if step > 0 => Some(((stop - start + step - 1) / step).max(0)),
                step => Some(((start - stop - step - 1) / -step).max(0)),
            }
        });
        match turns.collect::<Option<Vec<_>>>() {
            Some(turns) => Spread::Known(turns),
            None => Spread::Any,
        }
    }
}

/// True if some are true and others false.
fn divided(here: &[bool]) -> bool {
    here.contains(&true) && here.contains(&false)
}
