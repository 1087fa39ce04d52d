//! Operators and comparisons, and the functions that they share.

mod binary;
mod comparison;
mod constant_folding;
mod unary;

use crate::operand::{Binding, Expr, Operand};
use crate::types::{FLOAT32, INT64, Type};

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

/// True for tuples, also for those whose items stand apart.
pub(super) fn is_tuple(operand: &Operand) -> bool {
    match operand {
        Operand::Tuple(_) => true,
        Operand::Value(value) => matches!(value.ty, Type::Tuple(_)),
        _ => false,
    }
}

/// The single-precision type for functions that have no half-precision form.
pub(crate) fn at_least_single(ty: &Type) -> Type {
    if ty.is_half() { FLOAT32 } else { ty.clone() }
}
