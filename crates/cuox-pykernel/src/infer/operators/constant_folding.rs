//! Constant folding: operators and comparisons whose operands are known when the kernel is compiled.

use super::super::convert::wrap;
use crate::ast::{BinaryOp, CompareOp};
use crate::host::Value;
use crate::operand::Operand;

/// True if a result of known ints has more than 64 bits.
pub(super) fn exceeds(operator: BinaryOp, left: &Operand, right: &Operand) -> bool {
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

/// Arithmetic on two constants, as Python does it. `None`: not both known, or an error at run time.
pub(super) fn folded(operator: BinaryOp, left: &Operand, right: &Operand) -> Option<Value> {
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
pub(super) fn compared(operator: CompareOp, left: &Operand, right: &Operand) -> Option<bool> {
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
