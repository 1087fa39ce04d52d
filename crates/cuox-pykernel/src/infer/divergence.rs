//! Whether all threads of a group get to a statement: what the tests around it depend on.
//!
//! A test of the position of a thread is evaluated for each thread of a block whose shape is known, so that
//! `threadIdx.x < 64` divides a block of 128 threads, and no warp. Other values are the same for all threads, or may
//! differ.

use std::sync::Arc;

use super::frame::{Bound, Frame};
use crate::ast::{self, BinaryOp, CompareOp, Constant, ExprKind, Stmt, StmtKind, UnaryOp};
use crate::collective::{Group, Part, Threads, WARP, shown};
use crate::compiled::Warning;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::Operand;

/// Names and expressions are followed no deeper than this.
const MOST_STEPS: u32 = 64;

/// A test that the statements of now stand behind.
#[derive(Debug, Clone)]
pub struct Branch {
    kind: BranchKind,
    test: Arc<ast::Expr>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BranchKind {
    /// The body of an `if`, or its `else`.
    If(bool),
    /// A loop's body.
    While,
    /// The body of a loop over this.
    For,
}

/// Threads that no longer go on with the others.
#[derive(Debug, Clone)]
pub struct Leaving {
    /// The tests that led there.
    path: Vec<Branch>,
    /// The number of loops whose end brings them back; 0 for a return.
    pub(super) until: usize,
    /// True if the loop's next turn has them again.
    is_back: bool,
    /// True if they left in a turn before this one, if any.
    was_before: bool,
}

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

/// A value in all threads of a block.
#[derive(Debug, Clone, PartialEq)]
enum Spread {
    /// The value of each.
    Known(Vec<i128>),
    /// The same, whatever it is.
    Same,
    /// Nothing is known.
    Any,
}

impl Spread {
    fn is_same(&self) -> bool {
        match self {
            Self::Known(values) => values.windows(2).all(|pair| pair[0] == pair[1]),
            Self::Same => true,
            Self::Any => false,
        }
    }

    /// A value that is made of others.
    fn of(parts: &[Self]) -> Self {
        if parts.iter().all(Self::is_same) {
            Self::Same
        } else {
            Self::Any
        }
    }
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

    /// Refuses a call that some threads of its group get to and others do not, and warns of one where that may be.
    pub(crate) fn check_reach(&mut self, group: Group, name: &str) -> Result<()> {
        let (what, threads) = match group {
            Group::Block(shape) => ("block", shown(shape)),
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
                if let Group::Block(_) = group {
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
                if self.options().checks_groups {
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
            Group::Block(_) => count,
            Group::Warp(width) => width as usize,
        };
        // Lanes at the end of a warp that make no whole group are none.
        let is_divided = here.chunks(WARP as usize).any(|warp| match group {
            Group::Block(_) => false,
            Group::Warp(_) => warp.chunks_exact(size).any(divided),
        }) || matches!(group, Group::Block(_)) && divided(&here);
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
            BranchKind::For => match self.turns(&branch.test, shape) {
                Spread::Same => Some(Vec::new()),
                Spread::Any => None,
                Spread::Known(turns) => {
                    let most = turns.iter().copied().max().unwrap_or(0);
                    Some(turns.iter().map(|turns| *turns == most).collect())
                }
            },
        }
    }

    /// The number of a loop's turns.
    fn turns(&mut self, iterable: &ast::Expr, shape: [u32; 3]) -> Spread {
        let ExprKind::Call {
            function,
            arguments,
            ..
        } = &iterable.kind
        else {
            return Spread::Same;
        };
        if self.path_of(function).as_deref() != Some("builtins.range") {
            return Spread::Same;
        }
        let parts: Vec<_> = arguments
            .iter()
            .map(|one| self.in_threads(one, shape, 0))
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

    /// The dotted path of what the compiler knows by one.
    fn path_of(&mut self, expr: &ast::Expr) -> Option<String> {
        match self.outside(expr)? {
            Value::Path(path) => Some(path),
            _ => None,
        }
    }

    /// What a name from outside of the kernel, and attributes of it, stand for.
    fn outside(&mut self, expr: &ast::Expr) -> Option<Value> {
        match &expr.kind {
            ExprKind::Name(name) if !self.is_local(name) => {
                self.program.host.name(self.owner, name)
            }
            ExprKind::Attribute { value, name } => match self.outside(value)? {
                Value::Path(path) => {
                    let member = self.program.host.member(&path, name);
                    Some(member.unwrap_or_else(|| Value::Path(format!("{path}.{name}"))))
                }
                Value::Object(object, _) => self.program.host.attribute(object, name),
                _ => None,
            },
            _ => None,
        }
    }

    /// The value of an expression in all threads.
    fn in_threads(&mut self, expr: &ast::Expr, shape: [u32; 3], depth: u32) -> Spread {
        if depth > MOST_STEPS {
            return Spread::Any;
        }
        let deeper = depth + 1;
        let count: usize = shape.iter().map(|size| *size as usize).product();
        let constant = |value: i128| Spread::Known(vec![value; count]);
        match &expr.kind {
            ExprKind::Constant(Constant::Int(value)) => constant(*value),
            ExprKind::Constant(Constant::Bool(value)) => constant(i128::from(*value)),
            ExprKind::Constant(_) => Spread::Same,
            ExprKind::Name(name) => self.spread_of_name(name, shape, deeper),
            ExprKind::Attribute { value, .. } => match self.path_of(expr) {
                Some(path) => position(&path, shape),
                // The shape of an array and the like.
                None => match self.in_threads(value, shape, deeper) {
                    value if value.is_same() => Spread::Same,
                    _ => Spread::Any,
                },
            },
            ExprKind::Subscript { value, index } => {
                let parts = [
                    self.in_threads(value, shape, deeper),
                    self.in_threads(index, shape, deeper),
                ];
                Spread::of(&parts)
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.spread_of_all(items, shape, deeper)
            }
            ExprKind::Unary { operator, operand } => {
                match (self.in_threads(operand, shape, deeper), operator) {
                    (Spread::Known(values), UnaryOp::Neg) => each(values, |value| -value),
                    (Spread::Known(values), UnaryOp::Invert) => each(values, |value| !value),
                    (Spread::Known(values), UnaryOp::Not) => {
                        each(values, |value| i128::from(value == 0))
                    }
                    (value, _) => value,
                }
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let pair = [
                    self.in_threads(left, shape, deeper),
                    self.in_threads(right, shape, deeper),
                ];
                pairwise(&pair, |a, b| binary(*operator, a, b))
            }
            ExprKind::And(tests) => self.all_tests(tests, shape, deeper, true),
            ExprKind::Or(tests) => self.all_tests(tests, shape, deeper, false),
            ExprKind::Compare { first, rest } => {
                let mut left = self.in_threads(first, shape, deeper);
                let mut all = constant(1);
                for (operator, right) in rest {
                    let right = self.in_threads(right, shape, deeper);
                    let one = pairwise(&[left, right.clone()], |a, b| compared(*operator, a, b));
                    all = both(all, one, true);
                    left = right;
                }
                all
            }
            ExprKind::Call {
                function,
                arguments,
                keywords,
            } => self.spread_of_call(function, arguments, keywords, shape, deeper),
            ExprKind::Conditional { test, body, orelse } => {
                let parts = [test, body, orelse].map(|part| self.in_threads(part, shape, deeper));
                Spread::of(&parts)
            }
            _ => Spread::Any,
        }
    }

    fn spread_of_all(&mut self, items: &[ast::Expr], shape: [u32; 3], depth: u32) -> Spread {
        let parts: Vec<_> = items
            .iter()
            .map(|item| self.in_threads(item, shape, depth))
            .collect();
        Spread::of(&parts)
    }

    fn all_tests(&mut self, tests: &[ast::Expr], shape: [u32; 3], depth: u32, all: bool) -> Spread {
        let mut tests = tests.iter();
        let Some(first) = tests.next() else {
            return Spread::Any;
        };
        let mut value = truth(self.in_threads(first, shape, depth));
        for test in tests {
            let next = truth(self.in_threads(test, shape, depth));
            value = both(value, next, all);
        }
        value
    }

    fn spread_of_call(
        &mut self,
        function: &ast::Expr,
        arguments: &[ast::Expr],
        keywords: &[(String, ast::Expr)],
        shape: [u32; 3],
        depth: u32,
    ) -> Spread {
        if let ExprKind::Attribute { value, name } = &function.kind
            && let ExprKind::Name(group) = &value.kind
            && let Some(Bound::Operand(Operand::Constant(Value::Part(Part::Group(threads))))) =
                self.scope.get(group)
        {
            return match (name.as_str(), threads, arguments.is_empty()) {
                ("rank", Threads::Block, true) => position("rank", shape),
                ("rank", Threads::Warp(width), true) => {
                    let width = i128::from(*width);
                    match position("rank", shape) {
                        Spread::Known(ranks) => each(ranks, |rank| rank % 32 % width),
                        other => other,
                    }
                }
                ("count", ..) => Spread::Same,
                _ => Spread::Any,
            };
        }
        match self.path_of(function).as_deref() {
            Some("cuda.grid" | "cuda.local.array") | None => Spread::Any,
            // These tell all threads the same.
            Some("cuda.syncthreads_and" | "cuda.syncthreads_or" | "cuda.syncthreads_count") => {
                Spread::Same
            }
            Some("cuda.coop.sum" | "cuda.coop.reduce")
                if arguments.first().is_some_and(|group| self.is_block(group))
                    && keywords.iter().all(|(name, value)| {
                        name != "broadcast"
                            || matches!(value.kind, ExprKind::Constant(Constant::Bool(true)))
                    }) =>
            {
                Spread::Same
            }
            Some(path) if path.starts_with("cuda.coop.") || path.starts_with("cuda.atomic.") => {
                Spread::Any
            }
            // Masks of lanes, clocks.
            Some(path) if path.starts_with("cuda.") && arguments.is_empty() => Spread::Any,
            Some("builtins.int") if arguments.len() == 1 => {
                self.in_threads(&arguments[0], shape, depth)
            }
            Some(_) => {
                let mut parts = vec![self.spread_of_all(arguments, shape, depth)];
                for (_, argument) in keywords {
                    parts.push(self.in_threads(argument, shape, depth));
                }
                Spread::of(&parts)
            }
        }
    }

    /// True for the group of all threads of a block.
    fn is_block(&mut self, group: &ast::Expr) -> bool {
        match &group.kind {
            ExprKind::Name(name) => matches!(
                self.scope.get(name),
                Some(Bound::Operand(Operand::Constant(Value::Part(Part::Group(
                    Threads::Block
                )))))
            ),
            ExprKind::Call { function, .. } => {
                self.path_of(function).as_deref() == Some("cuda.coop.this_block")
            }
            _ => false,
        }
    }

    fn spread_of_name(&mut self, name: &str, shape: [u32; 3], depth: u32) -> Spread {
        let tree = self.tree.clone();
        let mut given = Vec::new();
        assignments(&tree.body, name, &mut given);
        let is_parameter = tree.parameters.iter().any(|one| one.name == name);
        if given.is_empty() {
            if !is_parameter
                && !self.is_local(name)
                && let Some(Value::Int(value)) = self.program.host.name(self.owner, name)
            {
                let count: usize = shape.iter().map(|size| *size as usize).product();
                return Spread::Known(vec![value; count]);
            }
            // What the kernel takes is the same for all, as is what it finds outside.
            let is_own = self.is_local(name) || self.captured_names.iter().any(|own| own == name);
            return match is_own && !(is_parameter && self.is_kernel) {
                true => Spread::Any,
                false => Spread::Same,
            };
        }
        let mut parts = Vec::new();
        for given in &given {
            parts.push(match given {
                Given::Value(value) => self.in_threads(value, shape, depth),
                Given::Changed(value) => match self.in_threads(value, shape, depth) {
                    value if value.is_same() => Spread::Same,
                    _ => Spread::Any,
                },
                Given::Turn(iterable) => match self.spread_of_turns(iterable, shape, depth) {
                    true => Spread::Same,
                    false => Spread::Any,
                },
                Given::Unknown => Spread::Any,
            });
        }
        match parts.len() {
            1 if !is_parameter => parts.remove(0),
            _ => Spread::of(&parts),
        }
    }

    /// True if a loop gives all threads the same items.
    fn spread_of_turns(&mut self, iterable: &ast::Expr, shape: [u32; 3], depth: u32) -> bool {
        match &iterable.kind {
            ExprKind::Call { arguments, .. } => {
                self.spread_of_all(arguments, shape, depth).is_same()
            }
            _ => self.in_threads(iterable, shape, depth).is_same(),
        }
    }
}

/// How a name gets a value.
enum Given<'a> {
    Value(&'a ast::Expr),
    /// From its value before and this.
    Changed(&'a ast::Expr),
    /// By a loop over this.
    Turn(&'a ast::Expr),
    Unknown,
}

/// The statements that give a name a value.
fn assignments<'a>(body: &'a [Stmt], name: &str, found: &mut Vec<Given<'a>>) {
    let is_it = |target: &ast::Expr| matches!(&target.kind, ExprKind::Name(own) if own == name);
    let is_in = |target: &ast::Expr| match &target.kind {
        ExprKind::Tuple(items) | ExprKind::List(items) => items.iter().any(is_it),
        _ => false,
    };
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                for target in targets {
                    if is_it(target) {
                        found.push(Given::Value(value));
                    } else if is_in(target) {
                        found.push(match (&target.kind, &value.kind) {
                            (ExprKind::Tuple(names), ExprKind::Tuple(values))
                                if names.len() == values.len() =>
                            {
                                let at = names.iter().position(is_it).unwrap_or(0);
                                Given::Value(&values[at])
                            }
                            _ => Given::Unknown,
                        });
                    }
                }
            }
            StmtKind::AugAssign { target, value, .. } if is_it(target) => {
                found.push(Given::Changed(value));
            }
            StmtKind::If { test, body, orelse } | StmtKind::While { test, body, orelse } => {
                let before = found.len();
                assignments(body, name, found);
                assignments(orelse, name, found);
                if found.len() > before {
                    found.push(Given::Changed(test));
                }
            }
            StmtKind::For {
                target,
                iterable,
                body,
                orelse,
            } => {
                if is_it(target) {
                    found.push(Given::Turn(iterable));
                } else if is_in(target) {
                    found.push(Given::Unknown);
                }
                assignments(body, name, found);
                assignments(orelse, name, found);
            }
            StmtKind::FunctionDef(function) if function.name == name => found.push(Given::Unknown),
            _ => {}
        }
    }
}

/// True if some are true and others false.
fn divided(here: &[bool]) -> bool {
    here.contains(&true) && here.contains(&false)
}

fn each(values: Vec<i128>, make: impl Fn(i128) -> i128) -> Spread {
    Spread::Known(values.into_iter().map(make).collect())
}

fn truth(value: Spread) -> Spread {
    match value {
        Spread::Known(values) => each(values, |value| i128::from(value != 0)),
        other => other,
    }
}

/// `a and b`, or `a or b`, of tests.
fn both(a: Spread, b: Spread, all: bool) -> Spread {
    match (a, b) {
        (Spread::Known(a), Spread::Known(b)) => Spread::Known(
            a.into_iter()
                .zip(b)
                .map(|(a, b)| if all { a & b } else { a | b })
                .collect(),
        ),
        (a, b) => {
            // What decides already needs no second test.
            let decides = |one: &Spread| matches!(one, Spread::Known(values) if values.iter().all(|value| (*value == 0) == all));
            if decides(&a) {
                a
            } else if decides(&b) {
                b
            } else {
                Spread::of(&[a, b])
            }
        }
    }
}

fn pairwise(pair: &[Spread; 2], make: impl Fn(i128, i128) -> Option<i128>) -> Spread {
    if let [Spread::Known(a), Spread::Known(b)] = pair {
        let made = a.iter().zip(b).map(|(a, b)| make(*a, *b));
        if let Some(values) = made.collect() {
            return Spread::Known(values);
        }
    }
    Spread::of(pair)
}

fn binary(operator: BinaryOp, a: i128, b: i128) -> Option<i128> {
    Some(match operator {
        BinaryOp::Add => a.checked_add(b)?,
        BinaryOp::Sub => a.checked_sub(b)?,
        BinaryOp::Mul => a.checked_mul(b)?,
        BinaryOp::FloorDiv => a.checked_div_euclid(b).filter(|_| b > 0)?,
        BinaryOp::Mod => a.checked_rem_euclid(b).filter(|_| b > 0)?,
        BinaryOp::LShift => a.checked_shl(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
        BinaryOp::RShift => a.checked_shr(u32::try_from(b).ok().filter(|b| *b < 64)?)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => return None,
    })
}

fn compared(operator: CompareOp, a: i128, b: i128) -> Option<i128> {
    Some(i128::from(match operator {
        CompareOp::Eq => a == b,
        CompareOp::NotEq => a != b,
        CompareOp::Lt => a < b,
        CompareOp::LtE => a <= b,
        CompareOp::Gt => a > b,
        CompareOp::GtE => a >= b,
        _ => return None,
    }))
}

/// What CUDA tells a thread of its place.
fn position(path: &str, [x, y, z]: [u32; 3]) -> Spread {
    let count = u64::from(x) * u64::from(y) * u64::from(z);
    let of_each = |make: &dyn Fn(u64) -> u64| {
        Spread::Known((0..count).map(|rank| i128::from(make(rank))).collect())
    };
    let (x, y) = (u64::from(x.max(1)), u64::from(y.max(1)));
    match path {
        "cuda.threadIdx.x" => of_each(&|rank| rank % x),
        "cuda.threadIdx.y" => of_each(&|rank| rank / x % y),
        "cuda.threadIdx.z" => of_each(&|rank| rank / (x * y)),
        "cuda.blockDim.x" => of_each(&|_| x),
        "cuda.blockDim.y" => of_each(&|_| y),
        "cuda.blockDim.z" => of_each(&|_| u64::from(z)),
        "cuda.laneid" => of_each(&|rank| rank % WARP),
        "cuda.warpsize" => of_each(&|_| WARP),
        "rank" => of_each(&|rank| rank),
        _ => Spread::Same,
    }
}
