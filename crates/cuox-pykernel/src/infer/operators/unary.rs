//! Operators with one operand: `-`, `+`, `~` and `not`.

use super::super::convert::widened;
use super::super::frame::Frame;
use crate::ast::UnaryOp;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, Type};

impl Frame<'_, '_> {
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
}
