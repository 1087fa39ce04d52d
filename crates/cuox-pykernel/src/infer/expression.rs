//! Expressions.

use std::sync::Arc;

use super::MOST_NESTED;
use super::frame::Frame;
use super::scan;
use crate::ast::{self, Constant, ExprKind};
use crate::code::Item;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Closure, Expr, Operand};
use crate::types::{BOOL, Type, promote};

impl Frame<'_, '_> {
    /// What an expression stands for. Statements that it needs are added before.
    pub(crate) fn expr(&mut self, expr: &ast::Expr) -> Result<Operand> {
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

    /// An expression as true or false.
    pub(super) fn expr_truth(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let operand = self.expr(expr)?;
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
                let mut parts = [None, None, None];
                for (part, given) in parts.iter_mut().zip([lower, upper, step]) {
                    if let Some(given) = given {
                        *part = Some(self.expr(given)?);
                    }
                }
                Ok(Operand::Slice(Box::new(parts)))
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                let mut operands = Vec::with_capacity(items.len());
                for item in items {
                    if let ExprKind::Starred(inner) = &item.kind {
                        let inner = self.expr(inner)?;
                        operands.extend(self.items(inner)?);
                    } else {
                        operands.push(self.expr(item)?);
                    }
                }
                Ok(Operand::Tuple(operands))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.expr(left)?;
                let left = self.before_statements_of(left, right)?;
                let right = self.expr(right)?;
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
                let value = self.expr(value)?;
                self.bind(target, value)?;
                self.name(target)
            }
            ExprKind::Unsupported(what) => Err(Failure::new(
                Code::Unsupported,
                format!("a kernel cannot have {what}"),
            )),
        }
    }

    /// What was read already, safe from assignments inside of an expression that is read next.
    fn before_statements_of(&mut self, operand: Operand, next: &ast::Expr) -> Result<Operand> {
        if has_assignment(next) {
            self.settled(operand)
        } else {
            Ok(operand)
        }
    }

    /// What a name stands for.
    pub(super) fn name(&mut self, name: &str) -> Result<Operand> {
        if let Some(local) = self.local(name)? {
            return Ok(local);
        }
        match self.program.host.name(self.owner, name) {
            Some(value) => Ok(Operand::known(value)),
            None => Err(Failure::new(
                Code::UndefinedName,
                format!("name '{name}' is not defined"),
            )),
        }
    }

    /// `a and b`, `a or b`: the value of the last one that was looked at.
    fn connected(&mut self, items: &[ast::Expr], is_and: bool) -> Result<Operand> {
        let Some((first, rest)) = items.split_first() else {
            return Err(Failure::new(Code::Unsupported, "an empty expression"));
        };
        let left = self.expr(first)?;
        if rest.is_empty() {
            return Ok(left);
        }
        let truth = self.truth(left.clone())?;
        if let Some(Value::Bool(known)) = truth.constant {
            return if known == is_and {
                self.connected(rest, is_and)
            } else {
                Ok(left)
            };
        }
        // The right side is evaluated only if the left one does not decide.
        self.code.begin();
        let scope = self.scope.clone();
        let right = self.connected(rest, is_and);
        let statements = self.code.take();
        let right = right?;
        let is_bool = truth.ty == BOOL
            && left.as_value().is_some_and(|value| value.ty == BOOL)
            && right.as_value().is_some_and(|value| value.ty == BOOL);
        if statements.is_empty() && is_bool {
            let right = self.value(right)?;
            let (sign, binding) = if is_and {
                ("&&", Binding::And)
            } else {
                ("||", Binding::Or)
            };
            let text = format!(
                "{} {sign} {}",
                truth.inside(binding),
                // The same operator again needs parentheses only on the right.
                right.inside(binding)
            );
            let mut value = Expr::bound(BOOL, text, binding);
            value.is_pure = truth.is_pure && right.is_pure;
            return Ok(value.into());
        }
        let left = self.value(left)?;
        let left = self.hoist(left);
        let test = self.truth(left.clone().into())?;
        let (body, orelse) = if is_and {
            ((statements, right), (Vec::new(), left.into()))
        } else {
            ((Vec::new(), left.into()), (statements, right))
        };
        let own = self.scope.clone();
        self.scope = scope;
        self.scope.extend(own);
        self.chosen(&test, body, orelse)
    }

    fn conditional(
        &mut self,
        test: &ast::Expr,
        body: &ast::Expr,
        orelse: &ast::Expr,
    ) -> Result<Operand> {
        let test = self.expr_truth(test)?;
        match test.constant {
            Some(Value::Bool(true)) => return self.expr(body),
            Some(Value::Bool(false)) => return self.expr(orelse),
            _ => {}
        }
        let test = if has_assignment(body) || has_assignment(orelse) {
            self.kept(test)
        } else {
            test
        };
        self.code.begin();
        let first = self.expr(body);
        let first = (self.code.take(), first?);
        self.code.begin();
        let second = self.expr(orelse);
        let second = (self.code.take(), second?);
        self.chosen(&test, first, second)
    }

    /// `test ? body : orelse`, as statements if one of the two needs statements.
    fn chosen(
        &mut self,
        test: &Expr,
        body: (Vec<Item>, Operand),
        orelse: (Vec<Item>, Operand),
    ) -> Result<Operand> {
        if body.1 == orelse.1 && body.0.is_empty() && orelse.0.is_empty() {
            return Ok(body.1);
        }
        let (first, second) = (self.value(body.1)?, self.value(orelse.1)?);
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
        let (first, second) = (self.convert(first, &ty)?, self.convert(second, &ty)?);
        if body.0.is_empty() && orelse.0.is_empty() {
            let text = format!(
                "{} ? {} : {}",
                test.inside(Binding::Or),
                first.inside(Binding::Or),
                second.inside(Binding::Conditional)
            );
            let mut value = Expr::bound(ty, text, Binding::Conditional);
            value.is_pure = test.is_pure && first.is_pure && second.is_pure;
            return Ok(value.into());
        }
        let variable = self.new_variable("tmp", &ty);
        let line = self.code.line;
        self.code.begin();
        self.code.append(body.0);
        self.code.assign(variable, first.text);
        let body = self.code.take();
        self.code.begin();
        self.code.append(orelse.0);
        self.code.assign(variable, second.text);
        let orelse = self.code.take();
        self.code.block(format!("if ({})", test.text), body, line);
        self.code.block("else", orelse, line);
        Ok(Expr::new(ty, variable.token()).into())
    }

    /// A function defined inside.
    pub(super) fn closure(&mut self, function: &ast::Function) -> Result<Operand> {
        let mut captured = Vec::new();
        let own: Vec<_> = function.parameters.iter().map(|p| &p.name).collect();
        let assigned = scan::assigned_in(&function.body);
        let mut read: Vec<_> = scan::read_in(function).into_iter().collect();
        read.sort();
        for name in read {
            if own.contains(&&name) || assigned.contains(&name) {
                continue;
            }
            if let Ok(Some(operand)) = self.local(&name) {
                captured.push((name, operand));
            }
        }
        let mut defaults = Vec::new();
        for parameter in &function.parameters {
            if let Some(default) = &parameter.default {
                let value = self.expr(default)?;
                defaults.push((parameter.name.clone(), self.settled(value)?));
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
                    None => Err(Failure::new(
                        Code::Attribute,
                        format!("{path} has no attribute '{name}'"),
                    )),
                }
            }
            Operand::Constant(Value::Object(id, described)) => {
                match self.program.host.attribute(*id, name) {
                    Some(Value::Path(path)) => match (self.program.library.value)(self, &path) {
                        Some(found) => found,
                        None => Ok(Operand::Constant(Value::Path(path))),
                    },
                    Some(found) => Ok(Operand::known(found)),
                    None => Err(Failure::new(
                        Code::Attribute,
                        format!("{described} has no attribute '{name}'"),
                    )),
                }
            }
            Operand::Constant(Value::Struct(class, fields)) => {
                match fields.iter().find(|(field, _)| field == name) {
                    Some((_, value)) => Ok(Operand::known(value.clone())),
                    None => Err(Failure::new(
                        Code::Attribute,
                        format!("{class} has no attribute '{name}'"),
                    )),
                }
            }
            _ => {
                if matches!(
                    value,
                    Operand::Constant(Value::Array { .. } | Value::State(..))
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
            other => Err(Failure::new(
                Code::Type,
                format!("{} cannot be unpacked", other.described()),
            )),
        }
    }

    /// One item of a tuple.
    pub(crate) fn tuple_item(&mut self, tuple: &Expr, index: usize, ty: &Type) -> Expr {
        self.need("tuple");
        let mut item = Expr::new(ty.clone(), format!("py::get<{index}>({})", tuple.text));
        item.is_pure = tuple.is_pure;
        item
    }
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
        ExprKind::Lambda(_) | ExprKind::FString(_) => false,
    }
}
