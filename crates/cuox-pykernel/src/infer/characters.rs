//! Texts and bytes that are known, as elements of NumPy's arrays of strings.

use super::frame::Frame;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Expr, Operand};
use crate::types::Type;

impl Frame<'_, '_> {
    /// A known text or bytes as a string of this length; what is longer is cut off, as NumPy does. `None`: the operand
    /// is neither.
    pub(super) fn characters(
        &mut self,
        operand: &Operand,
        unicode: bool,
        length: u32,
    ) -> Option<Result<Expr>> {
        let mut codes: Vec<u32> = match (operand, unicode) {
            (Operand::Constant(Value::Str(text)), true) => text.chars().map(u32::from).collect(),
            (Operand::Constant(Value::Bytes(bytes)), false) => {
                bytes.iter().map(|byte| u32::from(*byte)).collect()
            }
            (Operand::Constant(Value::Str(_) | Value::Bytes(_)), _) => {
                let kind = if unicode {
                    "unicode characters"
                } else {
                    "bytes"
                };
                return Some(Err(Failure::new(
                    Code::Type,
                    format!("expected {kind}, got {}", operand.described()),
                )));
            }
            _ => return None,
        };
        codes.truncate(length as usize);
        let ty = Type::Chars { unicode, length };
        self.need_type(&ty);
        let codes: Vec<_> = codes.iter().map(u32::to_string).collect();
        Some(Ok(Expr::new(
            ty.clone(),
            format!("{}{{{{{}}}}}", ty.cxx(), codes.join(", ")),
        )))
    }

    /// The operands of a comparison: a known text beside a string of an array becomes one too.
    pub(super) fn compared_characters(
        &mut self,
        left: Operand,
        right: Operand,
    ) -> Result<(Operand, Operand)> {
        let string = |operand: &Operand| match operand {
            Operand::Value(Expr {
                ty: Type::Chars { unicode, .. },
                ..
            }) => Some(*unicode),
            _ => None,
        };
        let length = |operand: &Operand| match operand {
            Operand::Constant(Value::Str(text)) => text.chars().count(),
            Operand::Constant(Value::Bytes(bytes)) => bytes.len(),
            _ => 0,
        };
        let length = length(&left).max(length(&right)).max(1);
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        if let Some(unicode) = string(&left)
            && let Some(right) = self.characters(&right, unicode, length)
        {
            return Ok((left, right?.into()));
        }
        if let Some(unicode) = string(&right)
            && let Some(left) = self.characters(&left, unicode, length)
        {
            return Ok((left?.into(), right));
        }
        Ok((left, right))
    }
}
