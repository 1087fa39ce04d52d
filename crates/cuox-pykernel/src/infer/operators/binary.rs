//! Operators with two operands: `+`, `-`, `*`, `/`, `//`, `%`, `**`, `@`, shifts and bits.

use super::super::convert::widened;
use super::super::frame::Frame;
use super::constant_folding::{exceeds, folded};
use super::{infix, is_tuple};
use crate::ast::BinaryOp;
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
        let bits = result_bits(operator, &left, &right);
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
                if ty.is_half() {
                    let (left, right) = (self.cast(left, &FLOAT32), self.cast(right, &FLOAT32));
                    let value = self.arithmetic(operator, left, right)?;
                    return Ok(self.cast(value, &ty));
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
                    return Ok(value.natural(bits.unwrap_or(0)));
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
        Ok(match bits {
            Some(bits) if value.ty.is_int() => value.natural(bits),
            _ => value,
        })
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
}

/// True for values that are known not to be negative.
fn is_never_negative(value: &Expr) -> bool {
    value.ty.is_unsigned() || value.bits().is_some()
}

/// The bits of the result of two ints, if it cannot be negative.
fn result_bits(operator: BinaryOp, left: &Expr, right: &Expr) -> Option<u8> {
    if !left.ty.is_integral() || !right.ty.is_integral() {
        return None;
    }
    let (a, b) = (left.bits(), right.bits());
    let bits = match operator {
        BinaryOp::Add => a?.max(b?).checked_add(1)?,
        BinaryOp::Mul => a?.checked_add(b?)?,
        BinaryOp::FloorDiv => b.and(a)?,
        // Of the divisor's sign.
        BinaryOp::Mod => b?,
        BinaryOp::BitAnd => match (a, b) {
            (Some(a), Some(b)) => a.min(b),
            (a, b) => a.or(b)?,
        },
        BinaryOp::BitOr | BinaryOp::BitXor => a?.max(b?),
        BinaryOp::RShift => a?,
        BinaryOp::LShift => {
            let by = right.constant_int()?;
            a?.checked_add(u8::try_from(by).ok()?)?
        }
        _ => return None,
    };
    (bits < 64).then_some(bits)
}
