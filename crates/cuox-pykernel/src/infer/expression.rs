//! Expressions.

use std::sync::Arc;

use super::MOST_NESTED;
use super::branch::BranchKind;
use super::frame::{Frame, Way};
use super::order::Mark;
use super::scan;
use crate::ast::{self, Constant, ExprKind};
use crate::code::Item;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{Value, Within};
use crate::operand::{Binding, Captured, Closure, Expr, Operand};
use crate::types::{self, BOOL, Type, promote};

/// What ranges and slices are made of.
const RANGE: [&str; 3] = ["start", "stop", "step"];

impl Frame<'_, '_> {
    /// What an expression stands for. Statements that it needs are added before, its effects among them.
    pub(crate) fn expr(&mut self, expr: &ast::Expr) -> Result<Operand> {
        let operand = self.expr_at_once(expr)?;
        Ok(self.after_effects(operand))
    }

    /// The same, for one whose text becomes a statement before anything else is evaluated: it may have an effect.
    pub(super) fn expr_at_once(&mut self, expr: &ast::Expr) -> Result<Operand> {
        self.depth += 1;
        let outer = std::mem::replace(&mut self.span, expr.span);
        let done = if self.depth > MOST_NESTED {
            Err(Failure::new(
                Code::Unsupported,
                "the expression is nested too deeply",
            ))
        } else {
            self.inner_expr(expr)
        };
        self.depth -= 1;
        let done = done.map_err(|failure| failure.at(expr.span));
        self.span = outer;
        done
    }

    /// An expression as true or false, for the head of a statement: it may have an effect.
    pub(super) fn expr_truth(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let operand = self.expr_at_once(expr)?;
        self.truth(operand).map_err(|failure| failure.at(expr.span))
    }

    fn inner_expr(&mut self, expr: &ast::Expr) -> Result<Operand> {
        match &expr.kind {
            ExprKind::Constant(constant) => Ok(Operand::known(match constant {
                Constant::None => Value::None,
                Constant::Bool(value) => Value::Bool(*value),
                Constant::Int(value) => {
                    if i64::try_from(*value).is_err() && u64::try_from(*value).is_err() {
                        return Err(Failure::new(
                            Code::Range,
                            format!("{value} does not fit into 64 bits"),
                        ));
                    }
                    Value::Int(*value)
                }
                Constant::Float(value) => Value::Float(*value),
                Constant::Imaginary(value) => Value::Complex(0.0, *value),
                Constant::Str(text) => Value::Str(text.clone()),
                Constant::Bytes(bytes) => Value::Bytes(bytes.clone()),
                Constant::Ellipsis => Value::Path("builtins.Ellipsis".to_owned()),
            })),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Attribute { value, name } => {
                let value = self.expr(value)?;
                self.attribute(value, name)
            }
            ExprKind::Subscript { value, index } => self.subscript(value, index),
            ExprKind::Slice { lower, upper, step } => {
                let given = [lower, upper, step];
                let written: Vec<_> = given.into_iter().flatten().map(|part| &**part).collect();
                let mut written = self.operands(&written)?.into_iter();
                let parts = given.map(|part| part.as_ref().and_then(|_| written.next()));
                Ok(Operand::Slice(Box::new(parts)))
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let mut held = Vec::with_capacity(items.len());
                for item in items {
                    self.spread(item, &mut held)?;
                }
                Ok(Operand::Tuple(self.together(held)))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let (left, right) = self.pair(left, right)?;
                self.binary(*operator, left, right)
            }
            ExprKind::Unary { operator, operand } => {
                let operand = self.expr(operand)?;
                self.unary(*operator, operand)
            }
            ExprKind::And(items) => self.connected(items, true),
            ExprKind::Or(items) => self.connected(items, false),
            ExprKind::Compare { first, rest } => self.comparison(first, rest),
            ExprKind::Call {
                function,
                arguments,
                keywords,
            } => self.call_expr(function, arguments, keywords),
            ExprKind::Conditional { test, body, orelse } => self.conditional(test, body, orelse),
            ExprKind::Lambda(function) => Ok(self.closure(function)?),
            ExprKind::FString(parts) => self.fstring(parts),
            ExprKind::Starred(_) => Err(Failure::new(
                Code::Unsupported,
                "a starred expression can stand in a call or a tuple only",
            )),
            ExprKind::Named { target, value } => {
                let value = self.expr_at_once(value)?;
                self.bind(target, value)?;
                self.name(target)
            }
            ExprKind::Unsupported(what) => Err(Failure::new(
                Code::Unsupported,
                format!("a kernel cannot have {what}"),
            )),
        }
    }

    /// An item of a tuple or an argument, with the place behind it; those of a starred one.
    pub(super) fn spread(
        &mut self,
        item: &ast::Expr,
        held: &mut Vec<(Operand, Mark)>,
    ) -> Result<()> {
        if let ExprKind::Starred(inner) = &item.kind {
            let inner = self.expr(inner)?;
            let items = self.items(inner)?;
            let mark = self.mark();
            held.extend(items.into_iter().map(|item| (item, mark)));
        } else {
            let operand = self.expr(item)?;
            held.push((operand, self.mark()));
        }
        Ok(())
    }

    /// What a name stands for.
    pub(super) fn name(&mut self, name: &str) -> Result<Operand> {
        if let Some(local) = self.local(name)? {
            return Ok(local);
        }
        match self.program.host.name(self.owner, name) {
            Some(value) => Ok(Operand::known(value)),
            None => {
                let mut own: Vec<_> = self.by_type.keys().map(|(name, _)| name.clone()).collect();
                own.extend(self.parameters.iter().cloned());
                own.sort();
                let failure =
                    Failure::new(Code::UndefinedName, format!("name '{name}' is not defined"));
                Err(self.with_meant(failure, Within::Function(self.owner, &own), name))
            }
        }
    }

    /// A failure about a name that was not found, with the one that was probably meant.
    fn with_meant(&mut self, failure: Failure, within: Within<'_>, name: &str) -> Failure {
        match self.program.host.meant(within, name) {
            Some(meant) => failure.help(format!("did you mean '{meant}'?")),
            None => failure,
        }
    }

    /// `a and b`, `a or b`: the value of the last one that was looked at.
    fn connected(&mut self, items: &[ast::Expr], is_and: bool) -> Result<Operand> {
        let Some((first, rest)) = items.split_first() else {
            return Err(Failure::new(Code::Unsupported, "an empty expression"));
        };
        let left = self.expr_at_once(first)?;
        if rest.is_empty() {
            return Ok(left);
        }
        let left = match left {
            Operand::Value(value) if value.ty == BOOL => value.into(),
            other => self.after_effects(other),
        };
        let truth = self.truth(left.clone())?;
        if let Some(Value::Bool(known)) = truth.constant {
            return if known == is_and {
                self.connected(rest, is_and)
            } else {
                Ok(left)
            };
        }
        // The right side is evaluated only if the left one does not decide.
        let assigns = rest.iter().any(has_assignment);
        let before = self.scope.clone();
        let mut ways = Vec::new();
        let open_storage = self.open_storage;
        self.enter_branch(BranchKind::If(is_and), first);
        let right = self.alternative(assigns, &mut ways, |frame| frame.connected(rest, is_and));
        self.leave_branch();
        self.open_storage |= open_storage;
        let (statements, right) = right?;
        let is_bool = left.as_value().is_some_and(|value| value.ty == BOOL)
            && right.as_value().is_some_and(|value| value.ty == BOOL);
        if statements.is_empty() && is_bool {
            let right = self.value(right)?;
            return Ok(both(&truth, &right, is_and).into());
        }
        let left = self.value(left)?;
        let left = self.hoist(left);
        let test = self.truth(left.clone().into())?;
        self.scope = before;
        let other = self.alternative(assigns, &mut ways, |_| Ok(left.into()))?;
        if assigns {
            self.meet(&ways);
        }
        let right = (statements, right);
        if is_and {
            self.chosen(&test, right, other)
        } else {
            self.chosen(&test, other, right)
        }
    }

    /// What is evaluated on one of two ways, with its statements.
    pub(super) fn alternative(
        &mut self,
        assigns: bool,
        ways: &mut Vec<Way>,
        inner: impl FnOnce(&mut Self) -> Result<Operand>,
    ) -> Result<(Vec<Item>, Operand)> {
        self.code.begin();
        let mut operand = inner(self);
        if assigns && let Ok(found) = operand {
            let found = self.after_effects(found);
            operand = Ok(self.settled(found));
            self.end_way(ways);
        }
        let statements = self.code.take();
        Ok((statements, operand?))
    }

    fn conditional(
        &mut self,
        test: &ast::Expr,
        body: &ast::Expr,
        orelse: &ast::Expr,
    ) -> Result<Operand> {
        let test_tree = test;
        let test = self.expr_truth(test)?;
        match test.constant {
            Some(Value::Bool(true)) => return self.expr_at_once(body),
            Some(Value::Bool(false)) => return self.expr_at_once(orelse),
            _ => {}
        }
        let assigns = has_assignment(body) || has_assignment(orelse);
        let before = self.scope.clone();
        let mut ways = Vec::new();
        let open_storage = self.open_storage;
        self.enter_branch(BranchKind::If(true), test_tree);
        let first = self.alternative(assigns, &mut ways, |frame| frame.expr_at_once(body));
        self.leave_branch();
        let first = first?;
        let own = std::mem::replace(&mut self.scope, before);
        let open_after_first = std::mem::replace(&mut self.open_storage, open_storage);
        self.enter_branch(BranchKind::If(false), test_tree);
        let second = self.alternative(assigns, &mut ways, |frame| frame.expr_at_once(orelse));
        self.leave_branch();
        let second = second?;
        self.open_storage |= open_after_first;
        if assigns {
            self.meet(&ways);
        } else {
            self.scope = own;
        }
        self.chosen(&test, first, second)
    }

    /// `test ? body : orelse`, as statements if one of the two needs statements.
    pub(super) fn chosen(
        &mut self,
        test: &Expr,
        body: (Vec<Item>, Operand),
        orelse: (Vec<Item>, Operand),
    ) -> Result<Operand> {
        let is_plain = body.0.is_empty() && orelse.0.is_empty();
        if body.1 == orelse.1 && is_plain && test.is_pure {
            return Ok(body.1);
        }
        let (first_statements, first) = self.resumed(body.0, |frame| frame.value(body.1))?;
        let (second_statements, second) = self.resumed(orelse.0, |frame| frame.value(orelse.1))?;
        let Some(ty) = promote::unify(&first.ty, &second.ty) else {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "the value is {} or {}, by the condition",
                    first.ty.shown(),
                    second.ty.shown()
                ),
            ));
        };
        let are_places = [&first, &second]
            .iter()
            .all(|one| one.is_place && one.ty == ty);
        let (first_statements, first) =
            self.resumed(first_statements, |frame| frame.convert(first, &ty))?;
        let (second_statements, second) =
            self.resumed(second_statements, |frame| frame.convert(second, &ty))?;
        let bits = first.bits().zip(second.bits());
        let bits = bits.map_or(0, |(a, b)| a.max(b));
        if first_statements.is_empty() && second_statements.is_empty() {
            let (text, binding) = if are_places && self.is_large(&ty) {
                let text = format!(
                    "*({} ? &{} : &{})",
                    test.inside(Binding::Or),
                    first.inside(Binding::Unary),
                    second.inside(Binding::Unary)
                );
                (text, Binding::Unary)
            } else {
                let text = format!(
                    "{} ? {} : {}",
                    test.inside(Binding::Or),
                    first.inside(Binding::Or),
                    second.inside(Binding::Conditional)
                );
                (text, Binding::Conditional)
            };
            let mut value = Expr::bound(ty, text, binding);
            value.is_pure = test.is_pure && first.is_pure && second.is_pure;
            return Ok(value.natural(bits).into());
        }
        let variable = self.new_variable("tmp", &ty);
        self.temporaries.insert(variable);
        let line = self.code.line;
        let assigned = |frame: &mut Self, statements, value: Expr| {
            frame.code.begin();
            frame.code.append(statements);
            if ty == Type::Never {
                frame.code.statement(format!("{};", value.text));
            } else {
                frame.code.assign(variable, value.text);
            }
            frame.code.take()
        };
        let body = assigned(self, first_statements, first);
        let orelse = assigned(self, second_statements, second);
        self.code.block(format!("if ({})", test.text), body, line);
        self.code.block("else", orelse, line);
        self.code.effects += 1;
        if ty == Type::Never {
            return Ok(Expr::new(ty, "none{}").into());
        }
        Ok(Expr::new(ty, variable.token()).natural(bits).into())
    }

    /// Goes on behind statements that were taken.
    fn resumed<T>(
        &mut self,
        statements: Vec<Item>,
        inner: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(Vec<Item>, T)> {
        self.code.begin();
        self.code.append(statements);
        let done = inner(self);
        let statements = self.code.take();
        Ok((statements, done?))
    }

    /// A function defined inside.
    pub(super) fn closure(&mut self, function: &ast::Function) -> Result<Operand> {
        // Names are those of the functions around it, which Python's compiler tells by what they assign.
        let mut captured = Vec::new();
        for name in scan::free_in(function) {
            if self.is_local(&name) {
                captured.push((name, Captured::Live));
            }
        }
        let mut defaults = Vec::new();
        for parameter in &function.parameters {
            if let Some(default) = &parameter.default {
                let value = self.expr(default)?;
                defaults.push((parameter.name.clone(), self.settled(value)));
            }
        }
        Ok(Operand::Closure(Arc::new(Closure {
            tree: Arc::new(function.clone()),
            owner: self.owner,
            captured,
            defaults,
        })))
    }

    /// `value.name`.
    pub(crate) fn attribute(&mut self, value: Operand, name: &str) -> Result<Operand> {
        match &value {
            Operand::Constant(Value::Path(path)) => {
                if let Some(found) = (self.program.library.value)(self, &format!("{path}.{name}")) {
                    return found;
                }
                match self.program.host.member(path, name) {
                    Some(found) => {
                        if let Value::Path(path) = &found
                            && let Some(found) = (self.program.library.value)(self, path)
                        {
                            return found;
                        }
                        Ok(Operand::known(found))
                    }
                    None => {
                        let failure = Failure::no_attribute(path, name);
                        Err(self.with_meant(failure, Within::Path(path), name))
                    }
                }
            }
            Operand::Constant(Value::Object(id, described)) => {
                match self.program.host.attribute(*id, name) {
                    Some(Value::Path(path)) => match (self.program.library.value)(self, &path) {
                        Some(found) => found,
                        None => Ok(Operand::Constant(Value::Path(path))),
                    },
                    Some(found) => Ok(Operand::known(found)),
                    None => {
                        let failure = Failure::no_attribute(described, name);
                        Err(self.with_meant(failure, Within::Object(*id), name))
                    }
                }
            }
            Operand::Constant(Value::Struct(class, fields)) => {
                match fields.iter().find(|(field, _)| field == name) {
                    Some((_, value)) => Ok(Operand::known(value.clone())),
                    None => Err(Failure::no_attribute(class, name)),
                }
            }
            Operand::Constant(Value::Record(ty, data))
                if let Some(part) = crate::record::captured_part(ty, data, name) =>
            {
                Ok(Operand::Constant(part))
            }
            Operand::Range(parts) if RANGE.contains(&name) => {
                let part = RANGE.iter().position(|one| *one == name).unwrap_or(0);
                let mut part = parts[part].clone();
                part.is_place = false;
                Ok(part.into())
            }
            Operand::Slice(parts) if RANGE.contains(&name) => {
                let part = RANGE.iter().position(|one| *one == name).unwrap_or(0);
                let part = parts[part].clone();
                Ok(part.unwrap_or(Operand::Constant(Value::None)))
            }
            _ => {
                if matches!(
                    value,
                    Operand::Constant(Value::Array { .. } | Value::State(..) | Value::Record(..))
                ) {
                    let value = self.value(value)?;
                    return (self.program.library.attribute)(self, value.into(), name);
                }
                (self.program.library.attribute)(self, value, name)
            }
        }
    }

    /// The items of something that can be spread: a tuple, a constant list.
    pub(crate) fn items(&mut self, operand: Operand) -> Result<Vec<Operand>> {
        match operand {
            Operand::Tuple(items) => Ok(items),
            Operand::Constant(Value::Struct(_, fields)) => Ok(fields
                .into_iter()
                .map(|(_, value)| Operand::known(value))
                .collect()),
            Operand::Value(value) => match &value.ty {
                Type::Tuple(tuple) => {
                    let tuple = tuple.clone();
                    let known = match &value.constant {
                        Some(Value::Tuple(items)) => Some(items.clone()),
                        _ => None,
                    };
                    let value = self.hoist(value);
                    let items = tuple.items.iter().enumerate();
                    Ok(items
                        .map(|(index, ty)| {
                            let mut item = self.tuple_item(&value, index, ty);
                            item.constant = known.as_ref().and_then(|k| k.get(index).cloned());
                            item.into()
                        })
                        .collect())
                }
                Type::Vector(element, count) => {
                    let (element, count) = ((**element).clone(), *count);
                    let value = self.hoist(value);
                    Ok((0..usize::from(count))
                        .map(|index| {
                            let name = ["x", "y", "z", "w"].get(index).copied().unwrap_or("x");
                            let text = format!("{}.{name}", value.inside(Binding::Primary));
                            Expr::new(element.clone(), text).into()
                        })
                        .collect())
                }
                Type::Array(array) if array.ndim == 1 && array.shape.is_some() => {
                    let count = array.shape.as_ref().and_then(|s| s.first().copied());
                    let count = count.unwrap_or(0).min(64);
                    let value = self.hoist(value);
                    (0..count)
                        .map(|index| {
                            let index = Operand::known(Value::Int(i128::from(index)));
                            self.item_of(value.clone(), vec![index])
                        })
                        .collect()
                }
                ty => Err(Failure::new(
                    Code::Type,
                    format!("{} cannot be unpacked", ty.shown()),
                )),
            },
            other => {
                let text = format!("{} cannot be unpacked", other.described());
                let failure = Failure::new(Code::Type, text);
                Err(self.with_members_hint(failure, &other))
            }
        }
    }

    /// One item of a tuple.
    pub(crate) fn tuple_item(&mut self, tuple: &Expr, index: usize, ty: &Type) -> Expr {
        self.need("tuple");
        // The structure behind others is named: to find it by templates takes time by the square of the items' number.
        let text = match index / types::FLAT {
            0 => tuple.text.clone(),
            behind => tuple.inside(Binding::Primary) + &".rest".repeat(behind),
        };
        let index = index % types::FLAT;
        let mut item = Expr::new(ty.clone(), format!("py::get<{index}>({text})"));
        item.is_pure = tuple.is_pure;
        item
    }
}

/// `left && right`, `left || right`.
pub(super) fn both(left: &Expr, right: &Expr, is_and: bool) -> Expr {
    let (sign, binding) = if is_and {
        ("&&", Binding::And)
    } else {
        ("||", Binding::Or)
    };
    let text = format!("{} {sign} {}", left.inside(binding), right.inside(binding));
    let mut value = Expr::bound(BOOL, text, binding);
    value.is_pure = left.is_pure && right.is_pure;
    value
}

/// True if an expression assigns a variable with `:=`.
pub(super) fn has_assignment(expr: &ast::Expr) -> bool {
    match &expr.kind {
        ExprKind::Named { .. } => true,
        ExprKind::Constant(_) | ExprKind::Name(_) | ExprKind::Unsupported(_) => false,
        ExprKind::Attribute { value, .. } | ExprKind::Starred(value) => has_assignment(value),
        ExprKind::Subscript { value, index } => has_assignment(value) || has_assignment(index),
        ExprKind::Slice { lower, upper, step } => [lower, upper, step]
            .into_iter()
            .flatten()
            .any(|part| has_assignment(part)),
        ExprKind::Tuple(items)
        | ExprKind::List(items)
        | ExprKind::And(items)
        | ExprKind::Or(items) => items.iter().any(has_assignment),
        ExprKind::Binary { left, right, .. } => has_assignment(left) || has_assignment(right),
        ExprKind::Unary { operand, .. } => has_assignment(operand),
        ExprKind::Compare { first, rest } => {
            has_assignment(first) || rest.iter().any(|(_, other)| has_assignment(other))
        }
        ExprKind::Call {
            function,
            arguments,
            keywords,
        } => {
            has_assignment(function)
                || arguments.iter().any(has_assignment)
                || keywords
                    .iter()
                    .any(|(_, argument)| has_assignment(argument))
        }
        ExprKind::Conditional { test, body, orelse } => {
            has_assignment(test) || has_assignment(body) || has_assignment(orelse)
        }
        ExprKind::FString(parts) => parts.iter().any(|part| match part {
            ast::FStringPart::Value { value, .. } => has_assignment(value),
            ast::FStringPart::Text(_) => false,
        }),
        ExprKind::Lambda(_) => false,
    }
}
