//! f-strings: text with values in it, for `print`.

use super::frame::Frame;
use crate::ast::FStringPart;
use crate::diagnostic::Result;
use crate::host::Value;
use crate::operand::Operand;

impl Frame<'_, '_> {
    /// An f-string. If all of it is known it is text, else something that only `print` takes: texts and values in turn,
    /// each value with its format.
    pub(super) fn fstring(&mut self, parts: &[FStringPart]) -> Result<Operand> {
        let mut values = Vec::new();
        for part in parts {
            if let FStringPart::Value { value, .. } = part {
                values.push(value);
            }
        }
        let mut values = self.operands(&values)?.into_iter();
        let mut operands = Vec::new();
        let mut known = Some(String::new());
        for part in parts {
            match part {
                FStringPart::Text(text) => {
                    if let Some(known) = &mut known {
                        known.push_str(text);
                    }
                    operands.push(Operand::Tuple(vec![Operand::Constant(Value::Str(
                        text.clone(),
                    ))]));
                }
                FStringPart::Value { format, .. } => {
                    let operand = values.next().unwrap_or(Operand::Tuple(Vec::new()));
                    match (&mut known, operand.constant()) {
                        (Some(known), Some(Value::Str(text))) if format.is_empty() => {
                            known.push_str(&text)
                        }
                        (Some(known), Some(Value::Int(number))) if format.is_empty() => {
                            known.push_str(&number.to_string());
                        }
                        _ => known = None,
                    }
                    operands.push(Operand::Tuple(vec![
                        operand,
                        Operand::Constant(Value::Str(format.clone())),
                    ]));
                }
            }
        }
        Ok(match known {
            Some(text) => Operand::Constant(Value::Str(text)),
            None => Operand::Special("f-string", operands),
        })
    }
}
