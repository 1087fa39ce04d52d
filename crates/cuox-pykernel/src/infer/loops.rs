//! Loops.

use std::collections::BTreeMap;

use super::branch::{BranchKind, Leaving};
use super::frame::{Bound, Frame, Loop, Scope, Way, identifier};
use super::scan::assigned_in;
use crate::ast::{self, CompareOp, ExprKind, Stmt};
use crate::code::{Fixup, Variable};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{INT32, INT64, Type, promote};

/// The number of times that a loop's body is gone through until the types must have settled.
const MOST_TRIES: usize = 8;
/// The bits of lengths: an address has 49.
pub(crate) const MOST_LENGTH_BITS: u8 = 49;
/// Items of a tuple that loops are unrolled for.
const MOST_UNROLLED: usize = 256;

/// The numbers of a loop's turns.
#[derive(Clone, Copy)]
pub(super) enum Count<'a> {
    /// From 0 to this length.
    UpTo(&'a str),
    /// From the position in a variable, which every turn moves on, to this length.
    From(Variable, &'a str),
}

/// The ways out of a loop by `break`.
struct Breaks {
    ways: Vec<Way>,
    threads: Vec<Leaving>,
}

impl Frame<'_, '_> {
    /// `break` or `continue`.
    pub(super) fn jump(&mut self, is_break: bool) -> Result<()> {
        let fixup = self.code.fixup();
        let way = Way {
            scope: self.scope.clone(),
            fixup,
            open_storage: self.open_storage,
        };
        let word = if is_break { "break" } else { "continue" };
        self.threads_leave(self.loops.len(), !is_break);
        let Some(inner) = self.loops.last_mut() else {
            return Err(Failure::new(
                Code::Unsupported,
                format!("{word} outside of a loop"),
            ));
        };
        if inner.is_unrolled {
            return Err(Failure::new(
                Code::Unsupported,
                format!("{word} in a loop over a tuple whose items have several types"),
            ));
        }
        if is_break {
            inner.breaks.push(way);
        } else {
            inner.continues.push(way);
        }
        self.code.statement(format!("{word};"));
        self.is_reachable = false;
        Ok(())
    }

    /// Translates a loop until the types of its variables no longer change. `inside` adds what is between the braces
    /// and returns the head; it is called with the scope at the begin of a turn. Returns all breaks.
    fn repeated(
        &mut self,
        changed: &std::collections::HashSet<String>,
        mut inside: impl FnMut(&mut Self) -> Result<String>,
    ) -> Result<Breaks> {
        self.forget_constants(changed);
        let line = self.code.line;
        let mut open_storage = self.open_storage;
        let mut left_before = Vec::new();
        let left_around = self.left.len();
        for _ in 0..MOST_TRIES {
            self.open_storage = open_storage;
            self.left.truncate(left_around);
            self.left.extend_from_slice(&left_before);
            let left_at_begin = self.left.len();
            let calls_together = self.calls_together;
            // Assignments before the loop, should a variable need a wider type.
            let entry = self.code.fixup();
            let before = self.scope.clone();
            self.loops.push(Loop {
                assigned: changed.clone(),
                ..Loop::default()
            });
            self.code.begin();
            self.is_reachable = true;
            let head = inside(self);
            let mut ends = Vec::new();
            self.end_way(&mut ends);
            let body = self.code.take();
            let done = self.loops.pop().unwrap_or_default();
            let head = head?;
            ends.extend(done.continues);
            let start = Way {
                scope: before.clone(),
                fixup: entry,
                open_storage,
            };
            let mut all = vec![start];
            all.extend(ends);
            // A name that the loop's turns begin without has no value there before the first one.
            let joined = self.join(&all).unwrap_or_else(|| before.clone());
            let carried = self.carried(done.carried, &joined, entry)?;
            let same = before
                .iter()
                .all(|(name, bound)| same_place(joined.get(name), bound));
            let open_at_begin = all.iter().fold(0, |open, way| open | way.open_storage);
            let is_closed = open_at_begin == open_storage;
            open_storage = open_at_begin;
            self.open_storage = open_storage;
            // Calls that a turn begins with are made by those that did not leave in the one before.
            let mut has_left = false;
            if left_before.is_empty() && self.calls_together > calls_together {
                left_before = self.left_before(left_at_begin, self.loops.len() + 1);
                has_left = !left_before.is_empty();
            }
            if !same || !carried.is_empty() || !is_closed || has_left {
                self.scope = widened(before, joined);
                self.scope.extend(carried);
                continue;
            }
            self.code.line = line;
            self.code.block(head, body, line);
            self.left
                .drain(left_around..left_around + left_before.len());
            let threads = self.left_by_breaks(left_around);
            self.left
                .retain(|leaving| leaving.until <= self.loops.len());
            // After the loop: as at the begin of a turn, but for names that only turns give values.
            let mut scope = before;
            for (name, bound) in joined {
                scope.entry(name).or_insert(bound);
            }
            self.scope = scope;
            return Ok(Breaks {
                ways: done.breaks,
                threads,
            });
        }
        Err(Failure::new(
            Code::Type,
            "the types of the loop's variables grow with each turn",
        ))
    }

    /// The variables of names that a turn leaves to the next one, for names without a value before the loop. They begin
    /// as zeros, which a program that Python runs does not read.
    fn carried(
        &mut self,
        names: BTreeMap<String, ast::Span>,
        joined: &Scope,
        entry: Fixup,
    ) -> Result<Scope> {
        let mut found = Scope::new();
        for (name, span) in names {
            match joined.get(&name) {
                Some(Bound::Variable { variable, ty, .. }) => {
                    self.code.fix(entry, *variable, "{}".to_owned());
                    let bound = Bound::Variable {
                        variable: *variable,
                        ty: ty.clone(),
                        constant: None,
                        below: 0,
                    };
                    found.insert(name, bound);
                }
                _ if self
                    .loops
                    .iter()
                    .any(|around| around.carried.contains_key(&name)) => {}
                _ => return Err(super::scope::unset(&name).at(span)),
            }
        }
        Ok(found)
    }

    pub(super) fn while_loop(
        &mut self,
        test: &ast::Expr,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let mut changed = assigned_in(body);
        if super::expression::has_assignment(test) {
            changed.extend(assigned_in(&[Stmt {
                kind: ast::StmtKind::Expr(test.clone()),
                span: test.span,
            }]));
        }
        let entry = self.code.fixup();
        let mut is_endless = false;
        let mut is_never = false;
        // The names where the loop ends, if the test changes them.
        let mut at_end = None;
        self.enter_branch(BranchKind::While, test);
        let breaks = self.repeated(&changed, |frame| {
            frame.span = test.span;
            let truth = frame.expr_truth(test)?;
            at_end = super::expression::has_assignment(test).then(|| frame.scope.clone());
            is_endless = truth.constant == Some(Value::Bool(true));
            is_never = truth.constant == Some(Value::Bool(false));
            if is_never {
                frame.is_reachable = false;
                return Ok("while (false)".to_owned());
            }
            let head = if frame.code.len() == 0 || is_endless {
                format!("while ({})", if is_endless { "true" } else { &truth.text })
            } else {
                // The test needs statements: they are in the loop.
                let line = frame.code.line;
                frame.code.begin();
                frame.code.statement("break;");
                let leave = frame.code.take();
                frame
                    .code
                    .block(format!("if (!({}))", truth.text), leave, line);
                "while (true)".to_owned()
            };
            if !super::expression::has_assignment(test) {
                frame.bound_by(test);
            }
            frame.body(body)?;
            Ok(head)
        });
        let done = breaks.and_then(|breaks| {
            if let Some(scope) = at_end {
                self.scope = scope;
            }
            self.after_loop(breaks, is_endless, orelse, entry)
        });
        self.leave_branch();
        done
    }

    /// Notes the bits of a variable where `variable < number` holds.
    fn bound_by(&mut self, test: &ast::Expr) {
        match &test.kind {
            ExprKind::And(tests) => {
                for test in tests {
                    self.bound_by(test);
                }
            }
            ExprKind::Compare { first, rest } => {
                let mut left = &**first;
                for (operator, right) in rest {
                    if let (ExprKind::Name(name), CompareOp::Lt | CompareOp::LtE) =
                        (&left.kind, operator)
                    {
                        // No loop counts as far as an int of 63 bits.
                        let most = self.known_bits(right).unwrap_or(62);
                        if let Some(Bound::Variable { below, .. }) = self.scope.get_mut(name) {
                            *below = (*below).min(most);
                        }
                    }
                    left = right;
                }
            }
            _ => {}
        }
    }

    /// The bits of a name or number, if it is known not to be negative.
    fn known_bits(&self, expr: &ast::Expr) -> Option<u8> {
        match &expr.kind {
            ExprKind::Name(name) => match self.scope.get(name)? {
                Bound::Variable { below, .. } => Some(*below).filter(|bits| *bits != 0),
                Bound::Operand(Operand::Value(value)) => value.bits(),
                _ => None,
            },
            ExprKind::Constant(ast::Constant::Int(number)) => {
                Expr::number(&Value::Int(*number))?.bits()
            }
            _ => None,
        }
    }

    /// Goes on behind a loop, at whose own end the scope is that of now. `entry` is a place in front of the loop.
    fn after_loop(
        &mut self,
        breaks: Breaks,
        is_endless: bool,
        orelse: &[Stmt],
        entry: Fixup,
    ) -> Result<()> {
        self.is_reachable = !is_endless;
        let left: Vec<_> = breaks.ways.iter().map(|way| way.fixup).collect();
        let mut ways = breaks.ways;
        // Only done at the loop's own end: its `else`, and assignments that make the values fit those of breaks.
        let line = self.code.line;
        self.code.begin();
        // All threads get there but those that a break took out.
        let own = self.branches.pop();
        let (begin, count) = (self.left.len(), breaks.threads.len());
        self.left.extend(breaks.threads);
        let done = self.body(orelse);
        self.left.drain(begin..begin + count);
        self.branches.extend(own);
        let at_end = self.end_way(&mut ways);
        let items = self.code.take();
        done?;
        self.code.line = line;
        self.meet(&ways);
        let is_needed = !orelse.is_empty() || at_end.is_some_and(|end| self.code.is_fixed(end));
        if left.is_empty() || !is_needed {
            self.code.append(items);
            return Ok(());
        }
        let flag = self.new_variable("broken", &Type::Bool);
        self.code.fix(entry, flag, "false".to_owned());
        for fixup in left {
            self.code.fix(fixup, flag, "true".to_owned());
        }
        self.code
            .block(format!("if (!{})", flag.token()), items, line);
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        target: &ast::Expr,
        iterable: &ast::Expr,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let operand = self.expr(iterable)?;
        let mut changed = assigned_in(body);
        collect_names(target, &mut changed);
        self.enter_branch(BranchKind::For, iterable);
        let done = match operand {
            Operand::Range(range) => self.for_range(target, *range, &changed, body, orelse),
            other => self.for_each(target, other, &changed, body, orelse),
        };
        self.leave_branch();
        done
    }

    fn for_range(
        &mut self,
        target: &ast::Expr,
        [start, stop, step]: [Expr; 3],
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let ty = range_type(&[&start, &stop, &step], self.program.options.index32);
        let start = self.convert(start, &ty)?;
        let stop = self.convert(stop, &ty)?;
        let step = self.convert(step, &ty)?;
        let by = step.constant_int();
        // The bounds are read once.
        let stop = self.stable(stop, changed);
        let step = self.stable(step, changed);
        let entry = self.code.fixup();
        let ExprKind::Name(name) = &target.kind else {
            return Err(Failure::new(
                Code::Unsupported,
                "the target of a loop over a range must be a name",
            ));
        };
        let is_own = self.scan.loop_only.contains(name);
        let counter_name = identifier(name);
        let counter = if is_own && !self.is_taken(&counter_name) {
            let counter = self.declare(counter_name, &ty);
            self.variables[counter.0 as usize].is_declared = true;
            counter
        } else {
            let counter = self.new_variable(&format!("{name}_next"), &ty);
            self.variables[counter.0 as usize].is_declared = true;
            counter
        };
        let token = counter.token();
        let test = match by {
            Some(by) if by > 0 => format!("{token} < {}", stop.inside(Binding::Shift)),
            Some(_) => format!("{token} > {}", stop.inside(Binding::Shift)),
            None => {
                self.need("range");
                format!("py::in_range({token}, {}, {})", stop.text, step.text)
            }
        };
        let advance = match by {
            Some(1) => format!("++{token}"),
            Some(-1) => format!("--{token}"),
            _ => format!("{token} += {}", step.text),
        };
        let head = format!(
            "for ({} {token} = {}; {test}; {advance})",
            ty.cxx(),
            start.text
        );
        let below = counted_bits(&start, &stop, &step).unwrap_or(0);
        let breaks = self.repeated(changed, |frame| {
            let value = Expr::new(ty.clone(), token.clone()).natural(below);
            if is_own {
                frame.scope.insert(
                    name.clone(),
                    Bound::Variable {
                        variable: counter,
                        ty: ty.clone(),
                        constant: None,
                        below: value.below,
                    },
                );
            } else {
                frame.bind(name, value.into())?;
            }
            frame.body(body)?;
            if is_own {
                frame.scope.remove(name);
                if let Some(inner) = frame.loops.last_mut() {
                    for way in inner.breaks.iter_mut().chain(&mut inner.continues) {
                        way.scope.remove(name);
                    }
                }
            }
            Ok(head.clone())
        })?;
        self.after_loop(breaks, false, orelse, entry)
    }

    /// A value that the loop cannot change.
    fn stable(&mut self, value: Expr, changed: &std::collections::HashSet<String>) -> Expr {
        if value.constant.is_some() && value.ty.is_number() {
            return self.kept(value);
        }
        // A name has a variable for each type, any of which the body may assign.
        let mut is_changed = false;
        crate::code::variables_in(&value.text, |found| {
            is_changed |= self.by_type.iter().any(|((name, _), own)| {
                // The parts of ranges have the range's name before a dot.
                let name = name.split('.').next().unwrap_or(name);
                *own == found && changed.contains(name)
            });
        });
        let is_plain = value.is_pure
            && value
                .text
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '\u{1}' | '.' | '[' | ']'));
        if is_plain && !is_changed && (!value.is_place || value.text.starts_with('\u{1}')) {
            value
        } else {
            self.kept(value)
        }
    }

    fn for_each(
        &mut self,
        target: &ast::Expr,
        operand: Operand,
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let operand = match operand {
            Operand::Constant(Value::Array { .. } | Value::State(..)) => {
                self.value(operand)?.into()
            }
            other => other,
        };
        if let Operand::Value(array) = &operand
            && let Type::Array(ty) = array.ty.clone()
        {
            if ty.ndim == 0 {
                return Err(Failure::new(
                    Code::Type,
                    "an array without dimensions has no items",
                ));
            }
            let array = self.kept(array.clone());
            let length = format!("{}.shape[0]", array.inside(Binding::Primary));
            return self.for_counted(target, &length, changed, body, orelse, |frame, index| {
                frame.item_of(array.clone(), vec![index])
            });
        }
        if let Operand::Begun(iterator, position) = operand {
            return self.for_begun(target, &iterator, position, changed, body, orelse);
        }
        if let Operand::Iterator(kind, parts) = operand {
            return self.for_iterator(target, kind, parts, changed, body, orelse);
        }
        let items = self.items(operand)?;
        let has_jump = jumps(body);
        let common = if has_jump || items.len() > 4 {
            self.common_type(&items)
        } else {
            None
        };
        if let Some(ty) = common {
            let mut texts = Vec::new();
            for item in items {
                let value = self.value(item)?;
                texts.push(self.convert(value, &ty)?.text);
            }
            let array = self.new_variable("items", &ty);
            let length = texts.len();
            self.variables[array.0 as usize].is_declared = true;
            let declaration = format!(
                "const {} {}[{}] = {{{}}};",
                ty.cxx(),
                array.token(),
                length.max(1),
                texts.join(", ")
            );
            self.code.statement(declaration);
            return self.for_counted(
                target,
                &length.to_string(),
                changed,
                body,
                orelse,
                |_, index| {
                    let index = index.as_value().map(|value| value.text.clone());
                    let text = format!("{}[{}]", array.token(), index.unwrap_or_default());
                    Ok(Expr::new(ty.clone(), text).into())
                },
            );
        }
        if items.len() > MOST_UNROLLED {
            return Err(Failure::new(
                Code::Unsupported,
                format!("a loop over a tuple of more than {MOST_UNROLLED} items of several types"),
            ));
        }
        let mut kept = Vec::new();
        for item in items {
            kept.push(self.settled(item));
        }
        self.loops.push(Loop {
            is_unrolled: true,
            ..Loop::default()
        });
        let line = self.code.line;
        let mut done = Ok(());
        for item in kept {
            if !self.is_reachable {
                break;
            }
            self.code.line = line;
            done = self.assign(target, item).and_then(|()| self.body(body));
            if done.is_err() {
                break;
            }
        }
        self.loops.pop();
        done?;
        if self.is_reachable {
            self.body(orelse)
        } else {
            Ok(())
        }
    }

    /// The type that all items have, or that holds them as the ints or floats that they are.
    fn common_type(&mut self, items: &[Operand]) -> Option<Type> {
        let mut common: Option<Type> = None;
        for item in items {
            let ty = self.runtime_type(item)?;
            common = Some(match common {
                Some(known) if known != ty => {
                    let wider = promote::unify(&known, &ty)?;
                    let same_kind =
                        |test: fn(&Type) -> bool| [&known, &ty, &wider].into_iter().all(test);
                    if !same_kind(Type::is_int) && !same_kind(|ty| matches!(ty, Type::Float(_))) {
                        return None;
                    }
                    wider
                }
                _ => ty,
            });
        }
        common
    }

    /// A loop over numbers from 0, each of which `item` makes the target's value of.
    pub(super) fn for_counted(
        &mut self,
        target: &ast::Expr,
        length: &str,
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
        item: impl FnMut(&mut Self, Operand) -> Result<Operand>,
    ) -> Result<()> {
        self.for_numbered(target, Count::UpTo(length), changed, body, orelse, item)
    }

    /// The same, counted in a way.
    pub(super) fn for_numbered(
        &mut self,
        target: &ast::Expr,
        count: Count<'_>,
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
        mut item: impl FnMut(&mut Self, Operand) -> Result<Operand>,
    ) -> Result<()> {
        let entry = self.code.fixup();
        let counter = self.new_variable("k", &INT64);
        self.variables[counter.0 as usize].is_declared = true;
        let token = counter.token();
        let head = match count {
            Count::UpTo(length) => {
                format!("for (int64 {token} = 0; {token} < {length}; ++{token})")
            }
            Count::From(position, length) => {
                format!("while ({} < {length})", position.token())
            }
        };
        let breaks = self.repeated(changed, |frame| {
            if let Count::From(position, _) = count {
                let next = format!("const int64 {token} = {}++;", position.token());
                frame.code.statement(next);
            }
            let index = Expr::new(INT64, token.clone()).natural(MOST_LENGTH_BITS);
            let value = item(frame, index.into())?;
            frame.assign(target, value)?;
            frame.body(body)?;
            Ok(head.clone())
        })?;
        self.after_loop(breaks, false, orelse, entry)
    }
}

/// The bits of the numbers of a range, none of which is negative.
fn counted_bits(start: &Expr, stop: &Expr, step: &Expr) -> Option<u8> {
    if step.constant_int().is_some_and(|by| by < 0) {
        // Down to an end that is known: it is never passed.
        return stop
            .constant_int()
            .filter(|end| *end >= -1)
            .map(|_| start.bits().unwrap_or(63));
    }
    let (from, by) = (start.bits()?, step.bits()?);
    // No loop has as many turns as it takes from there to an int of 63 bits.
    let most = if from <= MOST_LENGTH_BITS && by <= MOST_LENGTH_BITS {
        62
    } else {
        63
    };
    Some(stop.bits().unwrap_or(most).min(most))
}

/// The type of a range's numbers: 64 bits, or 32 where all bounds have no more.
fn range_type(bounds: &[&Expr], index32: bool) -> Type {
    let is_small = |value: &&&Expr| match &value.ty {
        Type::Int { bits: 64, .. } => {
            index32
                || value
                    .constant_int()
                    .is_some_and(|number| i32::try_from(number).is_ok())
        }
        Type::Int {
            bits: 32,
            signed: false,
        } => false,
        _ => true,
    };
    let any_typed = bounds.iter().any(|value| value.constant.is_none());
    if (any_typed || index32) && bounds.iter().all(|value| is_small(&value)) {
        INT32
    } else if bounds.iter().any(|value| value.ty == crate::types::UINT64) {
        crate::types::UINT64
    } else {
        INT64
    }
}

fn collect_names(target: &ast::Expr, names: &mut std::collections::HashSet<String>) {
    match &target.kind {
        ExprKind::Name(name) => {
            names.insert(name.clone());
        }
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            for item in items {
                collect_names(item, names);
            }
        }
        _ => {}
    }
}

/// True if a `break` or `continue` of this body leaves the loop that it is the body of.
fn jumps(body: &[Stmt]) -> bool {
    body.iter().any(|stmt| match &stmt.kind {
        ast::StmtKind::Break | ast::StmtKind::Continue => true,
        ast::StmtKind::If { body, orelse, .. } => jumps(body) || jumps(orelse),
        _ => false,
    })
}

/// True if a name is in the same variable, or stands for the same.
fn same_place(joined: Option<&Bound>, before: &Bound) -> bool {
    match (joined, before) {
        (
            Some(Bound::Variable {
                variable: a,
                below: found,
                ..
            }),
            Bound::Variable {
                variable: b, below, ..
            },
        ) => a == b && (*below == 0 || *found != 0 && found <= below),
        (Some(a), b) => a == b,
        (None, _) => true,
    }
}

/// The scope to go through the loop again with.
fn widened(mut before: Scope, joined: Scope) -> Scope {
    for (name, bound) in &mut before {
        if let Some(wider) = joined.get(name) {
            let known = match bound {
                Bound::Variable { below, .. } => *below,
                _ => 0,
            };
            *bound = wider.clone();
            // Numbers that grow with each turn have no bound, but may never be negative.
            if let Bound::Variable { below, ty, .. } = bound
                && *below > known
            {
                *below = match ty {
                    Type::Int { bits, .. } if known != 0 && known + 1 < *bits => *bits - 1,
                    _ => 0,
                };
            }
        }
    }
    before
}
