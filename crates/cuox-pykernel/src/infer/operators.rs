//! Operators and comparisons.

use super::convert::{widened, wrap};
use super::frame::Frame;
use crate::ast::{self, BinaryOp, CompareOp, UnaryOp};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, FLOAT32, FLOAT64, INT64, Type, promote};

impl Frame<'_, '_> {
    /// `left operator right`.
    pub(crate) fn binary(
        &mut self,
        operator: BinaryOp,
        left: Operand,
        right: Operand,
    ) -> Result<Operand> {
        let is_literal = |operand: &Operand| {
            operand.as_value().is_some_and(|value| {
                matches!(value.constant, Some(Value::Int(_))) && !value.text.contains('\u{1}')
            })
        };
        if is_literal(&left) && is_literal(&right) && exceeds(operator, &left, &right) {
            return Err(Failure::new(
                Code::Range,
                format!(
                    "the result of {} is an int of more than 64 bits",
                    operator.sign()
                ),
            ));
        }
        if let Some(known) = folded(operator, &left, &right) {
            return Ok(Operand::known(known));
        }
        match (&left, &right, operator) {
            (Operand::Tuple(a), Operand::Tuple(b), BinaryOp::Add) => {
                return Ok(Operand::Tuple(a.iter().chain(b).cloned().collect()));
            }
            (Operand::Tuple(items), count, BinaryOp::Mul) => {
                if let Some(count) = count.as_value().and_then(Expr::constant_int) {
                    let count = usize::try_from(count).unwrap_or(0).min(1024);
                    let all = std::iter::repeat_n(items, count).flatten().cloned();
                    return Ok(Operand::Tuple(all.collect()));
                }
            }
            _ => {}
        }
        let is_tuple = |operand: &Operand| match operand {
            Operand::Tuple(_) => true,
            Operand::Value(value) => matches!(value.ty, Type::Tuple(_)),
            _ => false,
        };
        if operator == BinaryOp::Add && is_tuple(&left) && is_tuple(&right) {
            let mut items = self.items(left)?;
            items.extend(self.items(right)?);
            return Ok(Operand::Tuple(items));
        }
        let (left, right) = (self.value(left)?, self.value(right)?);
        self.arithmetic(operator, left, right).map(Operand::Value)
    }

    fn operands_refused(&self, sign: &str, left: &Type, right: &Type) -> Failure {
        let failure = Failure::new(
            Code::Type,
            format!("{sign} cannot take {} and {}", left.shown(), right.shown()),
        );
        if left.as_array().is_some() || right.as_array().is_some() {
            return failure.help("kernels work on elements: write a loop, or one thread for each");
        }
        failure
    }

    /// Arithmetic on two values.
    pub(crate) fn arithmetic(
        &mut self,
        operator: BinaryOp,
        left: Expr,
        right: Expr,
    ) -> Result<Expr> {
        if left.ty == Type::Never || right.ty == Type::Never {
            return Ok(
                Expr::new(Type::Never, format!("{}, {}", left.text, right.text)).with_effect(),
            );
        }
        if let Some(done) = (self.program.library.operator)(self, operator, &left, &right) {
            return done;
        }
        if !left.ty.is_number() || !right.ty.is_number() {
            return Err(self.operands_refused(operator.sign(), &left.ty, &right.ty));
        }
        let values = self.in_order(vec![left, right]);
        let [left, right]: [Expr; 2] = match values.try_into() {
            Ok(values) => values,
            Err(_) => return Err(Failure::new(Code::Type, "expected two operands")),
        };
        let is_pure = left.is_pure && right.is_pure;
        let mut value = match operator {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => {
                let ty = self.operation_type(operator.sign(), &left.ty, &right.ty)?;
                let (left, right) = (self.convert(left, &ty)?, self.convert(right, &ty)?);
                let binding = match operator {
                    BinaryOp::Mul => Binding::Product,
                    _ => Binding::Sum,
                };
                infix(ty, &left, operator.sign(), &right, binding)
            }
            BinaryOp::Div => {
                let mut ty = self.operation_type("/", &left.ty, &right.ty)?;
                if ty.is_int() {
                    ty = FLOAT64;
                }
                let (left, right) = (self.convert(left, &ty)?, self.convert(right, &ty)?);
                if self.program.options.debug && !ty.is_complex() {
                    self.divided(&ty, "divide", &left, &right)
                } else {
                    infix(ty, &left, "/", &right, Binding::Product)
                }
            }
            BinaryOp::FloorDiv | BinaryOp::Mod => {
                let ty = self.operation_type(operator.sign(), &left.ty, &right.ty)?;
                if ty.is_complex() {
                    return Err(self.operands_refused(operator.sign(), &left.ty, &right.ty));
                }
                let (left, right) = (self.convert(left, &ty)?, self.convert(right, &ty)?);
                // Of powers of two, bits: rounded down for negative numbers too.
                if let Some(by) = right.constant_int()
                    && ty == INT64
                    && by > 0
                    && by & (by - 1) == 0
                {
                    let (sign, with, binding) = if operator == BinaryOp::Mod {
                        ("&", by - 1, Binding::BitAnd)
                    } else {
                        (">>", i128::from(by.trailing_zeros()), Binding::Shift)
                    };
                    let right = Expr::number(&Value::Int(with)).unwrap_or(right);
                    let mut value = infix(ty, &left, sign, &right, binding);
                    value.is_pure = is_pure;
                    return Ok(value);
                }
                let is_plain = ty.is_unsigned()
                    || right.constant_int().is_some_and(|by| by > 0) && is_never_negative(&left);
                if is_plain && !self.program.options.debug {
                    let sign = if operator == BinaryOp::Mod { "%" } else { "/" };
                    infix(ty, &left, sign, &right, Binding::Product)
                } else {
                    let name = if operator == BinaryOp::Mod {
                        "mod"
                    } else {
                        "floordiv"
                    };
                    self.divided(&ty, name, &left, &right)
                }
            }
            BinaryOp::Pow => self.power(left, right)?,
            BinaryOp::LShift | BinaryOp::RShift => {
                if !left.ty.is_integral() || !right.ty.is_integral() {
                    return Err(self.operands_refused(operator.sign(), &left.ty, &right.ty));
                }
                let ty = widened(&left.ty);
                let left = self.convert(left, &ty)?;
                infix(ty, &left, operator.sign(), &right, Binding::Shift)
            }
            BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor => {
                if !left.ty.is_integral() || !right.ty.is_integral() {
                    return Err(self.operands_refused(operator.sign(), &left.ty, &right.ty));
                }
                let ty = if left.ty == BOOL && right.ty == BOOL {
                    BOOL
                } else {
                    promote::integers(&left.ty, &right.ty)
                };
                let (left, right) = (self.convert(left, &ty)?, self.convert(right, &ty)?);
                let binding = match operator {
                    BinaryOp::BitAnd => Binding::BitAnd,
                    BinaryOp::BitOr => Binding::BitOr,
                    _ => Binding::BitXor,
                };
                let text = infix(ty.clone(), &left, operator.sign(), &right, binding);
                if ty == BOOL {
                    // C++ promotes bools to int.
                    Expr::new(BOOL, format!("bool({})", text.text))
                } else {
                    text
                }
            }
            BinaryOp::MatMul => {
                return Err(self.operands_refused("@", &left.ty, &right.ty));
            }
        };
        value.is_pure = value.is_pure && is_pure;
        Ok(value)
    }

    /// The type in which two numbers are added: ints as 64 bits.
    fn operation_type(&mut self, sign: &str, left: &Type, right: &Type) -> Result<Type> {
        if left.is_integral() && right.is_integral() {
            return Ok(promote::integers(left, right));
        }
        match promote::numbers(left, right) {
            Some(ty) => {
                self.need_type(&ty);
                Ok(ty)
            }
            None => Err(self.operands_refused(sign, left, right)),
        }
    }

    /// A division as a function of the prelude, which in debug mode raises ZeroDivisionError.
    fn divided(&mut self, ty: &Type, name: &str, left: &Expr, right: &Expr) -> Expr {
        self.need("division");
        let is_known = match &right.constant {
            Some(Value::Int(value)) => *value != 0,
            Some(Value::Float(value)) => *value != 0.0,
            _ => false,
        };
        // Fast mathematics do without checks of floats.
        let is_fast = self.program.options.fastmath && ty.is_float();
        let checked = if self.program.options.debug && !is_known && !is_fast {
            let message = match name {
                "mod" if ty.is_float() => "float modulo",
                "divide" => "division by zero",
                _ => "integer division or modulo by zero",
            };
            let number = self.exception("ZeroDivisionError", Some(message.to_owned()));
            format!("py::not_zero({}, {number})", right.text)
        } else {
            right.text.clone()
        };
        let mut value = if name == "divide" {
            Expr::bound(
                ty.clone(),
                format!("{} / {checked}", left.inside(Binding::Product)),
                Binding::Product,
            )
        } else {
            Expr::new(ty.clone(), format!("py::{name}({}, {checked})", left.text))
        };
        value.is_pure = checked == right.text;
        value
    }

    fn power(&mut self, base: Expr, exponent: Expr) -> Result<Expr> {
        self.need("power");
        let known = exponent.constant_int();
        if base.ty.is_integral() && exponent.ty.is_integral() {
            let ty = promote::integers(&base.ty, &base.ty);
            let base = self.convert(base, &ty)?;
            let exponent = self.convert(exponent, &INT64)?;
            return Ok(Expr::new(
                ty,
                format!("py::power({}, {})", base.text, exponent.text),
            ));
        }
        let exponent_is_int = exponent.ty.is_integral();
        let ty = if exponent_is_int && (base.ty.is_float() || base.ty.is_complex()) {
            base.ty.clone()
        } else {
            self.operation_type("**", &base.ty, &exponent.ty)?
        };
        if ty.is_complex() {
            self.need("complex_math");
        }
        let base = self.convert(base, &ty)?;
        if known == Some(2) && base.is_pure && !ty.is_half() {
            let base = self.hoist(base);
            return Ok(infix(ty, &base, "*", &base, Binding::Product));
        }
        if ty.is_half() {
            let base = self.convert(base, &FLOAT32)?;
            let exponent = self.cast(exponent, &FLOAT32);
            let value = Expr::new(FLOAT32, format!("::powf({}, {})", base.text, exponent.text));
            return self.convert(value, &ty);
        }
        let exponent = if exponent_is_int {
            self.convert(exponent, &INT64)?
        } else {
            self.convert(exponent, &ty)?
        };
        Ok(Expr::new(
            ty,
            format!("py::power({}, {})", base.text, exponent.text),
        ))
    }

    /// `operator operand`.
    pub(crate) fn unary(&mut self, operator: UnaryOp, operand: Operand) -> Result<Operand> {
        if operator == UnaryOp::Not {
            let truth = self.truth(operand)?;
            if let Some(Value::Bool(known)) = truth.constant {
                return Ok(Operand::known(Value::Bool(!known)));
            }
            let mut value = Expr::bound(
                BOOL,
                format!("!{}", truth.inside(Binding::Unary)),
                Binding::Unary,
            );
            value.is_pure = truth.is_pure;
            return Ok(value.into());
        }
        if let Some(known) = operand
            .constant()
            .as_ref()
            .and_then(|known| match (operator, known) {
                (UnaryOp::Neg, Value::Int(value)) => Some(Value::Int(-value)),
                (UnaryOp::Neg, Value::Float(value)) => Some(Value::Float(-value)),
                (UnaryOp::Neg, Value::Complex(a, b)) => Some(Value::Complex(-a, -b)),
                (UnaryOp::Invert, Value::Int(value)) => Some(Value::Int(!value)),
                (UnaryOp::Pos, Value::Int(_) | Value::Float(_) | Value::Complex(..)) => {
                    Some(known.clone())
                }
                _ => None,
            })
        {
            return Ok(Operand::known(known));
        }
        let value = self.value(operand)?;
        if value.ty == Type::Never {
            return Ok(value.into());
        }
        let is_invert = operator == UnaryOp::Invert;
        let is_taken = match &value.ty {
            Type::Time { date: false, .. } => !is_invert,
            ty => ty.is_integral() || ty.is_number() && !is_invert,
        };
        if !is_taken {
            return Err(Failure::new(
                Code::Type,
                format!(
                    "{} cannot take {}",
                    operator.sign().trim(),
                    value.ty.shown()
                ),
            ));
        }
        let is_pure = value.is_pure;
        if value.ty == BOOL && is_invert {
            let mut value = Expr::bound(
                BOOL,
                format!("!{}", value.inside(Binding::Unary)),
                Binding::Unary,
            );
            value.is_pure = is_pure;
            return Ok(value.into());
        }
        let own = value.ty.clone();
        let ty = if own.is_integral() {
            widened(&own)
        } else {
            own.clone()
        };
        // As Numba does, which widens the result, not the operand.
        let is_narrow = own.is_unsigned() && own != ty && operator != UnaryOp::Pos;
        let value = if is_narrow {
            value
        } else {
            self.convert(value, &ty)?
        };
        if operator == UnaryOp::Pos {
            let mut value = value;
            value.is_place = false;
            return Ok(value.into());
        }
        // A sign before a sign would be another operator.
        let inner = if value.binding <= Binding::Unary {
            format!("({})", value.text)
        } else {
            value.text.clone()
        };
        let text = format!("{}{inner}", operator.sign());
        let mut value = if is_narrow {
            let narrow = Expr::new(own.clone(), format!("{}({text})", own.cxx()));
            self.convert(narrow, &ty)?
        } else {
            Expr::bound(ty, text, Binding::Unary)
        };
        value.is_pure = is_pure;
        Ok(value.into())
    }

    /// `a < b <= c`.
    pub(super) fn comparison(
        &mut self,
        first: &ast::Expr,
        rest: &[(CompareOp, ast::Expr)],
    ) -> Result<Operand> {
        let mut left = self.expr(first)?;
        let mut all: Option<Expr> = None;
        for (index, (operator, right)) in rest.iter().enumerate() {
            if super::expression::has_assignment(right) {
                left = self.settled(left)?;
            }
            let mut right = self.expr(right)?;
            if index + 1 < rest.len()
                && let Operand::Value(value) = right
            {
                right = self.hoist(value).into();
            }
            let one = self.compare(*operator, left, right.clone())?;
            left = right;
            all = Some(match all {
                None => one,
                Some(before) => {
                    if let Some(Value::Bool(known)) = before.constant {
                        if !known {
                            return Ok(before.into());
                        }
                        one
                    } else {
                        let text = format!(
                            "{} && {}",
                            before.inside(Binding::And),
                            one.inside(Binding::And)
                        );
                        let mut value = Expr::bound(BOOL, text, Binding::And);
                        value.is_pure = before.is_pure && one.is_pure;
                        value
                    }
                }
            });
        }
        all.map(Operand::Value)
            .ok_or_else(|| Failure::new(Code::Unsupported, "an empty comparison"))
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
        let is_tuple = |operand: &Operand| match operand {
            Operand::Tuple(_) => true,
            Operand::Value(value) => matches!(value.ty, Type::Tuple(_)),
            _ => false,
        };
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

/// `left sign right` in CUDA C++; operators of one level associate to the left.
pub(crate) fn infix(ty: Type, left: &Expr, sign: &str, right: &Expr, binding: Binding) -> Expr {
    // C++ widens the literal, since the other side is as wide. It shifts in the type of what is left, however.
    let plain = |value: &Expr, other: &Expr| {
        let text = value.inside(binding);
        match text.strip_suffix("ll") {
            Some(short)
                if value.ty == INT64
                    && other.ty == INT64
                    && other.constant.is_none()
                    && short.bytes().all(|c| c.is_ascii_digit())
                    && short.parse::<i32>().is_ok() =>
            {
                short.to_owned()
            }
            _ => text,
        }
    };
    let mut right_text = plain(right, left);
    if right.binding == binding {
        right_text = format!("({})", right.text);
    }
    let left_text = match binding {
        Binding::Shift => left.inside(binding),
        _ => plain(left, right),
    };
    let mut value = Expr::bound(ty, format!("{left_text} {sign} {right_text}"), binding);
    value.is_pure = left.is_pure && right.is_pure;
    value
}

/// True for a number that is known and that an integer type has.
fn fits(value: &Expr, ty: &Type) -> bool {
    match (value.constant_int(), ty) {
        (Some(number), Type::Int { bits, signed }) => wrap(number, *bits, *signed) == number,
        _ => false,
    }
}

/// True for values that are known not to be negative: thread numbers, lengths.
fn is_never_negative(value: &Expr) -> bool {
    value.ty.is_unsigned()
        || value.constant_int().is_some_and(|value| value >= 0)
        || value.text.starts_with("py::grid")
        || value.text.starts_with("int64(threadIdx.")
        || value.text.starts_with("int64(blockIdx.")
}

/// Arithmetic on two constants, as Python does it. `None`: not both known, or an error at run time.
/// True if a result of known ints has more than 64 bits.
fn exceeds(operator: BinaryOp, left: &Operand, right: &Operand) -> bool {
    let (Some(Value::Int(a)), Some(Value::Int(b))) = (left.constant(), right.constant()) else {
        return false;
    };
    let by = u32::try_from(b).ok();
    let value = match operator {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Pow if b >= 0 => by.and_then(|by| a.checked_pow(by)),
        BinaryOp::LShift if b >= 0 => match by {
            Some(by) if by < 64 => a.checked_mul(1 << by),
            _ => None,
        },
        _ => return false,
    };
    value.is_none_or(|value| !(i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value))
}

fn folded(operator: BinaryOp, left: &Operand, right: &Operand) -> Option<Value> {
    match (left.constant()?, right.constant()?) {
        (Value::Str(a), Value::Str(b)) if operator == BinaryOp::Add => Some(Value::Str(a + &b)),
        (Value::Int(a), Value::Int(b)) => {
            let value = match operator {
                BinaryOp::Add => a.checked_add(b)?,
                BinaryOp::Sub => a.checked_sub(b)?,
                BinaryOp::Mul => a.checked_mul(b)?,
                BinaryOp::Div => {
                    return (b != 0).then(|| Value::Float(a as f64 / b as f64));
                }
                BinaryOp::FloorDiv => {
                    let quotient = a.checked_div(b)?;
                    quotient - i128::from(a % b != 0 && (a < 0) != (b < 0))
                }
                BinaryOp::Mod => {
                    let rest = a.checked_rem(b)?;
                    if rest != 0 && (rest < 0) != (b < 0) {
                        rest + b
                    } else {
                        rest
                    }
                }
                BinaryOp::Pow => {
                    if b < 0 {
                        return None;
                    }
                    a.checked_pow(u32::try_from(b).ok()?)?
                }
                BinaryOp::LShift => {
                    let by = u32::try_from(b).ok().filter(|by| *by < 64)?;
                    a.checked_mul(1_i128 << by)?
                }
                BinaryOp::RShift => a >> u32::try_from(b).ok().filter(|by| *by < 64)?,
                BinaryOp::BitAnd => a & b,
                BinaryOp::BitOr => a | b,
                BinaryOp::BitXor => a ^ b,
                BinaryOp::MatMul => return None,
            };
            // As at run time: 64 bits, or what only an unsigned number holds if one is that.
            let wrapped = if a >= 0 && b >= 0 && u64::try_from(value).is_ok() {
                value
            } else {
                wrap(value, 64, true)
            };
            Some(Value::Int(wrapped))
        }
        (a, b) => {
            let number = |value: &Value| match value {
                Value::Float(value) => Some(*value),
                Value::Int(value) => Some(*value as f64),
                _ => None,
            };
            let (a, b) = (number(&a)?, number(&b)?);
            Some(Value::Float(match operator {
                BinaryOp::Add => a + b,
                BinaryOp::Sub => a - b,
                BinaryOp::Mul => a * b,
                BinaryOp::Div if b != 0.0 => a / b,
                _ => return None,
            }))
        }
    }
}

/// A comparison of two constants.
fn compared(operator: CompareOp, left: &Operand, right: &Operand) -> Option<bool> {
    let (left, right) = (left.constant()?, right.constant()?);
    let order = match (&left, &right) {
        (Value::Int(a), Value::Int(b)) => a.partial_cmp(b),
        (Value::Float(a), Value::Float(b)) => a.partial_cmp(b),
        (Value::Bool(a), Value::Bool(b)) => a.partial_cmp(b),
        (Value::Str(a), Value::Str(b)) => a.partial_cmp(b),
        (Value::Type(a), Value::Type(b)) if a == b => Some(std::cmp::Ordering::Equal),
        (Value::Type(_), Value::Type(_)) => {
            return match operator {
                CompareOp::Eq | CompareOp::Is => Some(false),
                CompareOp::NotEq | CompareOp::IsNot => Some(true),
                _ => None,
            };
        }
        _ => return None,
    };
    Some(match operator {
        CompareOp::Eq => order.is_some_and(|order| order.is_eq()),
        CompareOp::NotEq => order.is_none_or(|order| order.is_ne()),
        CompareOp::Lt => order.is_some_and(|order| order.is_lt()),
        CompareOp::LtE => order.is_some_and(|order| order.is_le()),
        CompareOp::Gt => order.is_some_and(|order| order.is_gt()),
        CompareOp::GtE => order.is_some_and(|order| order.is_ge()),
        CompareOp::Is if order.is_some() && matches!(left, Value::Bool(_)) => left == right,
        CompareOp::IsNot if matches!(left, Value::Bool(_)) => left != right,
        _ => return None,
    })
}

/// The single-precision type for functions that have no half-precision form.
pub(crate) fn at_least_single(ty: &Type) -> Type {
    if ty.is_half() { FLOAT32 } else { ty.clone() }
}
