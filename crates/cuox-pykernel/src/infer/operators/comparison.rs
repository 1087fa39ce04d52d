//! Comparisons: `==`, `<` and the like, `is`, `in`, and chains of them.

use super::super::convert::wrap;
use super::super::expression::{both, has_assignment};
use super::super::frame::Frame;
use super::constant_folding::compared;
use super::{infix, is_tuple};
use crate::ast::{self, CompareOp};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, Type, promote};

impl Frame<'_, '_> {
    /// `a < b <= c`.
    pub(in crate::infer) fn comparison(
        &mut self,
        first: &ast::Expr,
        rest: &[(CompareOp, ast::Expr)],
    ) -> Result<Operand> {
        let left = self.expr(first)?;
        self.comparisons(left, rest)
    }

    /// The rest of a chain: what stands behind a comparison is evaluated if that one is true.
    fn comparisons(&mut self, left: Operand, rest: &[(CompareOp, ast::Expr)]) -> Result<Operand> {
        let Some(((operator, right), rest)) = rest.split_first() else {
            return Err(Failure::new(Code::Unsupported, "an empty comparison"));
        };
        let mark = self.mark();
        let mut right = self.expr(right)?;
        let left = self.since(mark, left)?;
        if !rest.is_empty()
            && let Operand::Value(value) = right
        {
            right = self.hoist(value).into();
        }
        let one = self.compare(*operator, left, right.clone())?;
        match one.constant {
            _ if rest.is_empty() => return Ok(one.into()),
            Some(Value::Bool(true)) => return self.comparisons(right, rest),
            Some(Value::Bool(false)) => return Ok(one.into()),
            _ => {}
        }
        let assigns = rest.iter().any(|(_, other)| has_assignment(other));
        let before = self.scope.clone();
        let mut ways = Vec::new();
        let more = self.alternative(assigns, &mut ways, |frame| frame.comparisons(right, rest))?;
        if more.0.is_empty() {
            let more = self.value(more.1)?;
            return Ok(both(&one, &more, true).into());
        }
        if assigns {
            self.scope = before;
        }
        let no = Operand::known(Value::Bool(false));
        let no = self.alternative(assigns, &mut ways, |_| Ok(no))?;
        if assigns {
            self.meet(&ways);
        }
        self.chosen(&one, more, no)
    }

    /// One comparison.
    pub(crate) fn compare(
        &mut self,
        operator: CompareOp,
        left: Operand,
        right: Operand,
    ) -> Result<Expr> {
        if let Some(known) = compared(operator, &left, &right) {
            return bool_expr(known);
        }
        match operator {
            CompareOp::Is | CompareOp::IsNot => return self.identity(operator, &left, &right),
            CompareOp::In | CompareOp::NotIn => return self.membership(operator, left, right),
            _ => {}
        }
        let is_none = |operand: &Operand| matches!(operand, Operand::Constant(Value::None));
        if is_none(&left) || is_none(&right) {
            return bool_expr((is_none(&left) && is_none(&right)) == (operator == CompareOp::Eq));
        }
        if is_tuple(&left) && is_tuple(&right) {
            return self.compare_tuples(operator, left, right);
        }
        let (left, right) = self.compared_characters(left, right)?;
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.compare_values(operator, left, right)
    }

    fn compare_values(&mut self, operator: CompareOp, left: Expr, right: Expr) -> Result<Expr> {
        let refused = |left: &Expr, right: &Expr| {
            Failure::new(
                Code::Type,
                format!(
                    "{} cannot compare {} and {}",
                    operator.sign(),
                    left.ty.shown(),
                    right.ty.shown()
                ),
            )
        };
        if left.ty == Type::Never || right.ty == Type::Never {
            return Ok(Expr::new(BOOL, "false"));
        }
        if let Some(done) = (self.program.library.comparison)(self, operator, &left, &right) {
            return done;
        }
        let ordering = !matches!(operator, CompareOp::Eq | CompareOp::NotEq);
        let ty = if left.ty.is_integral() && right.ty.is_integral() {
            if left.ty == right.ty || fits(&right, &left.ty) {
                left.ty.clone()
            } else if fits(&left, &right.ty) {
                right.ty.clone()
            } else if left.ty.is_unsigned() != right.ty.is_unsigned()
                && (left.ty == crate::types::UINT64 || right.ty == crate::types::UINT64)
                && left.constant_int().is_none_or(|value| value < 0)
                && right.constant_int().is_none_or(|value| value < 0)
            {
                self.need("compare");
                let name = match operator {
                    CompareOp::Eq => "equal",
                    CompareOp::NotEq => "not_equal",
                    CompareOp::Lt => "less",
                    CompareOp::LtE => "less_equal",
                    CompareOp::Gt => "greater",
                    _ => "greater_equal",
                };
                let text = format!("py::{name}({}, {})", left.text, right.text);
                return Ok(Expr::new(BOOL, text));
            } else {
                promote::integers(&left.ty, &right.ty)
            }
        } else {
            promote::numbers(&left.ty, &right.ty).ok_or_else(|| refused(&left, &right))?
        };
        if ordering && ty.is_complex() {
            return Err(refused(&left, &right));
        }
        let values = self.in_order(vec![left, right]);
        let mut converted = Vec::new();
        for value in values {
            converted.push(self.convert(value, &ty)?);
        }
        let [left, right]: [Expr; 2] = match converted.try_into() {
            Ok(values) => values,
            Err(_) => return Err(Failure::new(Code::Type, "expected two operands")),
        };
        let binding = if ordering {
            Binding::Less
        } else {
            Binding::Equal
        };
        Ok(infix(BOOL, &left, operator.sign(), &right, binding))
    }

    fn compare_tuples(
        &mut self,
        operator: CompareOp,
        left: Operand,
        right: Operand,
    ) -> Result<Expr> {
        let (left, right) = (self.items(left)?, self.items(right)?);
        let same = left.len() == right.len();
        match operator {
            CompareOp::Eq | CompareOp::NotEq => {
                if !same {
                    return bool_expr(operator == CompareOp::NotEq);
                }
                let mut texts = Vec::new();
                for (a, b) in left.into_iter().zip(right) {
                    let one = self.compare(operator, a, b)?;
                    if let Some(Value::Bool(known)) = one.constant {
                        if known == (operator == CompareOp::NotEq) {
                            return bool_expr(known);
                        }
                        continue;
                    }
                    texts.push(one);
                }
                let (sign, binding) = if operator == CompareOp::Eq {
                    (" && ", Binding::And)
                } else {
                    (" || ", Binding::Or)
                };
                if texts.is_empty() {
                    return bool_expr(operator == CompareOp::Eq);
                }
                let texts: Vec<_> = texts.iter().map(|one| one.inside(binding)).collect();
                let binding = if texts.len() == 1 {
                    Binding::Equal
                } else {
                    binding
                };
                Ok(Expr::bound(BOOL, texts.join(sign), binding))
            }
            _ => {
                // From left to right: the first items that differ decide.
                let strict = match operator {
                    CompareOp::Lt | CompareOp::LtE => CompareOp::Lt,
                    _ => CompareOp::Gt,
                };
                let at_end = match operator {
                    CompareOp::Lt => left.len() < right.len(),
                    CompareOp::LtE => left.len() <= right.len(),
                    CompareOp::Gt => left.len() > right.len(),
                    _ => left.len() >= right.len(),
                };
                let mut text = at_end.to_string();
                for (a, b) in left
                    .into_iter()
                    .zip(right)
                    .collect::<Vec<_>>()
                    .into_iter()
                    .rev()
                {
                    let (a, b) = (self.settled(a)?, self.settled(b)?);
                    let before = self.compare(strict, a.clone(), b.clone())?;
                    let equal = self.compare(CompareOp::Eq, a, b)?;
                    text = format!(
                        "({} || ({} && {text}))",
                        before.inside(Binding::And),
                        equal.inside(Binding::And)
                    );
                }
                Ok(Expr::new(BOOL, text))
            }
        }
    }

    fn identity(&mut self, operator: CompareOp, left: &Operand, right: &Operand) -> Result<Expr> {
        let is_none = |operand: &Operand| match operand {
            Operand::Constant(Value::None) => true,
            Operand::Value(value) => value.ty == Type::None,
            _ => false,
        };
        let same = match (is_none(left), is_none(right)) {
            (true, true) => true,
            (true, false) | (false, true) => false,
            _ => {
                let bools =
                    |operand: &Operand| operand.as_value().is_some_and(|value| value.ty == BOOL);
                if bools(left) && bools(right) {
                    let operator = if operator == CompareOp::Is {
                        CompareOp::Eq
                    } else {
                        CompareOp::NotEq
                    };
                    return self.compare(operator, left.clone(), right.clone());
                }
                match (left, right) {
                    (Operand::Constant(a), Operand::Constant(b)) => a == b,
                    _ => {
                        return Err(Failure::new(
                            Code::Unsupported,
                            format!(
                                "{} compares with None or a bool only, in a kernel",
                                operator.sign()
                            ),
                        )
                        .help("compare values with =="));
                    }
                }
            }
        };
        bool_expr(same == (operator == CompareOp::Is))
    }

    fn membership(&mut self, operator: CompareOp, left: Operand, right: Operand) -> Result<Expr> {
        if let Operand::Value(Expr {
            ty: Type::Array(_), ..
        }) = &right
        {
            self.need("slice");
            let (array, value) = (self.value(right)?, self.value(left)?);
            let sign = if operator == CompareOp::In { "" } else { "!" };
            return Ok(Expr::bound(
                BOOL,
                format!("{sign}py::contains({}, {})", array.text, value.text),
                Binding::Unary,
            ));
        }
        if let Operand::Range(range) = right {
            let value = self.value(left)?;
            if !value.ty.is_integral() {
                return bool_expr(operator == CompareOp::NotIn);
            }
            self.need("range");
            let sign = if operator == CompareOp::In { "" } else { "!" };
            let [start, stop, step] = *range;
            let text = format!(
                "{sign}py::range_has(int64({}), int64({}), int64({}), int64({}))",
                start.text, stop.text, step.text, value.text
            );
            return Ok(Expr::bound(BOOL, text, Binding::Unary));
        }
        if let (Some(Value::Str(part)), Some(Value::Str(text))) =
            (left.constant(), right.constant())
        {
            return bool_expr(text.contains(part.as_str()) == (operator == CompareOp::In));
        }
        let left = self.settled(left)?;
        let mut texts = Vec::new();
        for item in self.items(right)? {
            let one = self.compare(CompareOp::Eq, left.clone(), item)?;
            if let Some(Value::Bool(known)) = one.constant {
                if known {
                    return bool_expr(operator == CompareOp::In);
                }
                continue;
            }
            texts.push(one.inside(Binding::Or));
        }
        if texts.is_empty() {
            return bool_expr(operator == CompareOp::NotIn);
        }
        let any = texts.join(" || ");
        Ok(if operator == CompareOp::In {
            Expr::bound(BOOL, any, Binding::Or)
        } else {
            Expr::bound(BOOL, format!("!({any})"), Binding::Unary)
        })
    }
}

fn bool_expr(value: bool) -> Result<Expr> {
    Expr::number(&Value::Bool(value)).ok_or_else(|| Failure::new(Code::Type, "expected a bool"))
}

/// True for a number that is known and that an integer type has.
fn fits(value: &Expr, ty: &Type) -> bool {
    match (value.constant_int(), ty) {
        (Some(number), Type::Int { bits, signed }) => wrap(number, *bits, *signed) == number,
        _ => false,
    }
}
