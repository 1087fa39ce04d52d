//! Comparisons: `==`, `<` and the like, `is`, `in`, and chains of them.

use super::super::branch::BranchKind;
use super::super::convert::wrap;
use super::super::expression::{both, has_assignment};
use super::super::frame::Frame;
use super::constant_folding::compared;
use super::{infix, is_tuple};
use crate::ast::{self, CompareOp, ExprKind};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, TupleType, Type, promote};
use std::ops::Range;

/// The items of tuples that are compared by a branch each.
const MOST_BRANCHES: usize = 32;
/// Of more, so many have one branch together: both compilers take long for a branch.
const TOGETHER: usize = 16;
/// So many neighbours of one type, in memory, are compared by a loop.
const RUN: usize = 6;

/// Conditions that are joined by a bitwise operator, so that some have one branch together.
fn together(items: Vec<String>, bitwise: &str) -> Vec<String> {
    let some = items.chunks(TOGETHER);
    some.map(|some| format!("({})", some.join(bitwise)))
        .collect()
}

/// The order of two tuples by the texts of `a < b` and `a == b` for each item, if the first items that differ decide.
/// `at_end`: the text for equal ones.
fn lexicographic(items: &[[String; 2]], at_end: String) -> String {
    items.rchunks(TOGETHER).fold(at_end, |behind, some| {
        let decides = some
            .iter()
            .rev()
            .fold("false".to_owned(), |behind, [before, equal]| {
                format!("({before} | ({equal} & {behind}))")
            });
        let equal: Vec<_> = some.iter().map(|[_, equal]| equal.as_str()).collect();
        format!("({decides} || ({} && {behind}))", equal.join(" & "))
    })
}

/// The items of a tuple, cut where others than numbers of one type, one behind the other, come next.
fn runs(tuple: &TupleType) -> Vec<Range<usize>> {
    let offsets = tuple
        .layout()
        .map(|(offsets, _)| offsets)
        .unwrap_or_default();
    let is_number = |ty: &Type| matches!(ty, Type::Int { .. } | Type::Float(32 | 64));
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, ty) in tuple.items.iter().enumerate() {
        match runs.last_mut() {
            Some(run)
                if is_number(ty)
                    && tuple.items[run.start] == *ty
                    && offsets.get(index).zip(offsets.get(run.start)).is_some_and(
                        |(here, start)| {
                            Some(here - start) == ty.size().map(|size| size * run.len() as u64)
                        },
                    ) =>
            {
                run.end = index + 1;
            }
            _ => runs.push(index..index + 1),
        }
    }
    runs
}

impl Frame<'_, '_> {
    /// `a < b <= c`.
    pub(in crate::infer) fn comparison(
        &mut self,
        first: &ast::Expr,
        rest: &[(CompareOp, ast::Expr)],
    ) -> Result<Operand> {
        let left = self.expr(first)?;
        self.comparisons(left, first, rest)
    }

    /// The rest of a chain: what stands behind a comparison is evaluated if that one is true.
    fn comparisons(
        &mut self,
        left: Operand,
        left_tree: &ast::Expr,
        rest: &[(CompareOp, ast::Expr)],
    ) -> Result<Operand> {
        let Some(((operator, right_tree), rest)) = rest.split_first() else {
            return Err(Failure::new(Code::Unsupported, "an empty comparison"));
        };
        let mark = self.mark();
        let mut right = self.expr(right_tree)?;
        let left = self.since(mark, left);
        if !rest.is_empty()
            && let Operand::Value(value) = right
        {
            right = self.hoist(value).into();
        }
        let one = self.compare(*operator, left, right.clone())?;
        match one.constant {
            _ if rest.is_empty() => return Ok(one.into()),
            Some(Value::Bool(true)) => return self.comparisons(right, right_tree, rest),
            Some(Value::Bool(false)) => return Ok(one.into()),
            _ => {}
        }
        let assigns = rest.iter().any(|(_, other)| has_assignment(other));
        let before = self.scope.clone();
        let mut ways = Vec::new();
        let open_storage = self.open_storage;
        let test = ExprKind::Compare {
            first: Box::new(left_tree.clone()),
            rest: vec![(*operator, right_tree.clone())],
        };
        let test = ast::Expr {
            kind: test,
            span: left_tree.span,
        };
        self.enter_branch(BranchKind::If(true), &test);
        let more = self.alternative(assigns, &mut ways, |frame| {
            frame.comparisons(right, right_tree, rest)
        });
        self.leave_branch();
        self.open_storage |= open_storage;
        let more = more?;
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
        if let Some(done) = self.compare_parts(operator, &left, &right) {
            return done;
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
        if let Some(done) = self.compare_in_memory(operator, &left, &right)? {
            return Ok(done);
        }
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
                let (sign, bitwise, binding) = if operator == CompareOp::Eq {
                    (" && ", " & ", Binding::And)
                } else {
                    (" || ", " | ", Binding::Or)
                };
                if texts.is_empty() {
                    return bool_expr(operator == CompareOp::Eq);
                }
                let texts: Vec<_> = if texts.len() > MOST_BRANCHES {
                    let items = texts.iter().map(|one| one.inside(Binding::Unary));
                    together(items.collect(), bitwise)
                } else {
                    texts.iter().map(|one| one.inside(binding)).collect()
                };
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
                let pairs: Vec<_> = left.into_iter().zip(right).collect();
                if pairs.len() > MOST_BRANCHES {
                    let mut items = Vec::new();
                    for (a, b) in pairs {
                        let (a, b) = (self.settled(a), self.settled(b));
                        items.push(self.ordered(strict, a, b)?);
                    }
                    return Ok(Expr::new(BOOL, lexicographic(&items, text)));
                }
                for (a, b) in pairs.into_iter().rev() {
                    let (a, b) = (self.settled(a), self.settled(b));
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

    /// The texts of `a < b` and `a == b`, as operands of any operator.
    fn ordered(&mut self, strict: CompareOp, a: Operand, b: Operand) -> Result<[String; 2]> {
        let before = self.compare(strict, a.clone(), b.clone())?;
        let equal = self.compare(CompareOp::Eq, a, b)?;
        Ok([before, equal].map(|one| one.inside(Binding::Unary)))
    }

    /// A comparison of two large tuples of one type in memory, by loops over many neighbours of one type. `None` if
    /// there are none.
    fn compare_in_memory(
        &mut self,
        operator: CompareOp,
        left: &Operand,
        right: &Operand,
    ) -> Result<Option<Expr>> {
        let (Operand::Value(left), Operand::Value(right)) = (left, right) else {
            return Ok(None);
        };
        let is_place = |one: &Expr| one.is_place && one.is_pure && self.is_large(&one.ty);
        let Type::Tuple(tuple) = left.ty.clone() else {
            return Ok(None);
        };
        if left.ty != right.ty || !is_place(left) || !is_place(right) {
            return Ok(None);
        }
        let runs = runs(&tuple);
        if runs.iter().all(|run| run.len() < RUN) {
            return Ok(None);
        }
        let strict = match operator {
            CompareOp::Eq | CompareOp::NotEq | CompareOp::Lt | CompareOp::LtE => CompareOp::Lt,
            _ => CompareOp::Gt,
        };
        let mut items = Vec::new();
        for run in runs {
            if run.len() >= RUN {
                self.need("compare_runs");
                let ty = &tuple.items[run.start];
                let [a, b] = [left, right].map(|one| self.tuple_item(one, run.start, ty).text);
                let call = |name: &str| format!("py::{name}_run<{}>(&{a}, &{b})", run.len());
                let before = match strict {
                    CompareOp::Lt => "less",
                    _ => "greater",
                };
                items.push([call(before), call("equal")]);
                continue;
            }
            for index in run {
                let ty = &tuple.items[index];
                let [a, b] = [left, right].map(|one| self.tuple_item(one, index, ty).into());
                items.push(self.ordered(strict, a, b)?);
            }
        }
        let ordering = !matches!(operator, CompareOp::Eq | CompareOp::NotEq);
        if ordering {
            let at_end = matches!(operator, CompareOp::LtE | CompareOp::GtE);
            let text = lexicographic(&items, at_end.to_string());
            return Ok(Some(Expr::new(BOOL, text)));
        }
        let items = items.into_iter().map(|[_, equal]| equal).collect();
        let text = format!("({})", together(items, " & ").join(" && "));
        Ok(Some(match operator {
            CompareOp::Eq => Expr::new(BOOL, text),
            _ => Expr::bound(BOOL, format!("!{text}"), Binding::Unary),
        }))
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
                // Numbers of one type, members of enumerations among them, have no identity but their value.
                let number = |operand: &Operand| {
                    let ty = operand.as_value().map(|value| value.ty.clone());
                    ty.filter(Type::is_number)
                };
                if number(left).is_some() && number(left) == number(right) {
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
                                "{} compares with None or numbers of one type only, in a kernel",
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
        let left = self.settled(left);
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
