//! Functions of the bits of integers, and the few of floats that `cuda` has itself.

use super::super::Builtin;
use crate::diagnostic::{Code, Failure, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{INT32, INT64, Type};

/// The function of a path.
pub fn find(path: &str) -> Option<Builtin> {
    Some(match path {
        "popc" | "brev" | "clz" | "ffs" => bits,
        "cbrt" => |frame, _, arguments| match super::super::math::find("numpy", "cbrt") {
            Some(cbrt) => cbrt(frame, "cbrt", arguments),
            None => Err(Failure::new(Code::Unsupported, "cuda.cbrt()")),
        },
        "fma" => |frame, _, arguments| super::super::math::fma(frame, arguments),
        _ => return None,
    })
}

fn bits(frame: &mut Frame<'_, '_>, name: &str, arguments: Arguments) -> Result<Operand> {
    let [value] = arguments.exactly()?;
    let value = frame.value(value)?;
    let ty = match &value.ty {
        Type::Bool | Type::Int { bits: 8 | 16, .. } => INT32,
        ty @ Type::Int { .. } => ty.clone(),
        ty => {
            return Err(Failure::new(
                Code::Type,
                format!("cuda.{name}() takes an int, got {}", ty.shown()),
            ));
        }
    };
    let suffix = if matches!(ty, Type::Int { bits: 64, .. }) {
        "ll"
    } else {
        ""
    };
    let is_pure = value.is_pure;
    let value = frame.convert(value, &ty)?;
    let result = match name {
        "brev" => ty,
        _ if suffix == "ll" => INT64,
        _ => INT32,
    };
    let mut result = Expr::new(
        result.clone(),
        format!("{}(__{name}{suffix}({}))", result.cxx(), value.text),
    );
    result.is_pure = is_pure;
    Ok(result.into())
}
