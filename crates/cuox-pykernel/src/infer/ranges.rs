//! Ranges and slices as values: items, comparisons, truth.

use super::Arguments;
use super::frame::Frame;
use crate::ast::CompareOp;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Binding, Expr, Operand};
use crate::types::{BOOL, INT64};

/// The parts of a range as arguments of the prelude's functions.
fn listed(parts: &[Expr; 3]) -> String {
    let parts = parts.each_ref().map(|part| format!("int64({})", part.text));
    parts.join(", ")
}

impl Frame<'_, '_> {
    /// `range(start, stop, step)`, whose step must not be zero.
    pub(crate) fn checked_range(&mut self, [start, stop, step]: [Expr; 3]) -> Result<Operand> {
        let message = "range() arg 3 must not be zero";
        let step = match step.constant_int() {
            Some(0) => return Err(Failure::new(Code::Range, message)),
            None if self.program.options.debug => {
                let number = self.exception("ValueError", Some(message.to_owned()));
                self.need("division");
                let text = format!("py::not_zero({}, {number})", step.text);
                self.code.effects += 1;
                self.kept(Expr::new(step.ty, text).with_effect())
            }
            _ => step,
        };
        Ok(Operand::Range(Box::new([start, stop, step])))
    }

    /// `range(…)[index]`.
    pub(super) fn range_item(&mut self, range: &[Expr; 3], index: Operand) -> Result<Operand> {
        if let Operand::Slice(_) = index {
            return Err(Failure::new(
                Code::Unsupported,
                "a part of a range is not supported in kernels",
            )
            .help("write its start, stop and step"));
        }
        let index = self.index(index)?;
        self.need("range");
        let parts = listed(range);
        Ok(if self.checks_bounds() {
            let number = self.exception(
                "IndexError",
                Some("range object index out of range".to_owned()),
            );
            self.need("range_checked");
            let text = format!(
                "py::range_item_at({parts}, int64({}), {number})",
                index.text
            );
            self.code.effects += 1;
            self.kept(Expr::new(INT64, text).with_effect()).into()
        } else {
            let text = format!("py::range_item({parts}, int64({}))", index.text);
            Expr::new(INT64, text).into()
        })
    }

    /// `sum(range(…))`.
    pub(crate) fn range_sum(&mut self, range: &[Expr; 3]) -> Expr {
        self.need("range");
        Expr::new(INT64, format!("py::range_sum({})", listed(range)))
    }

    /// `slice(…).indices(length)`.
    pub(crate) fn slice_indices(
        &mut self,
        parts: &[Option<Operand>; 3],
        arguments: Arguments,
    ) -> Result<Operand> {
        let [length] = arguments.exactly()?;
        let length = self.index(length)?;
        self.need("array");
        self.need("slice");
        let mut texts = Vec::new();
        for (part, default) in parts.iter().zip(["py::unset", "py::unset", "1"]) {
            texts.push(match part {
                None | Some(Operand::Constant(Value::None)) => default.to_owned(),
                Some(part) => self.index(part.clone())?.text,
            });
        }
        let step = Expr::new(INT64, format!("int64({})", texts[2]));
        let text = format!("py::slice({})", texts.join(", "));
        let end = |name| {
            let text = format!("py::ends({text}, int64({})).{name}", length.text);
            Operand::from(Expr::new(INT64, text))
        };
        Ok(Operand::Tuple(vec![end("from"), end("to"), step.into()]))
    }

    /// True for a range with items.
    pub(super) fn range_truth(&mut self, range: &Operand) -> Result<Expr> {
        let text = format!("{} != 0", self.length_of(range)?);
        Ok(Expr::bound(BOOL, text, Binding::Equal))
    }

    /// `==` and `!=` of two ranges or two slices. `None` for other operands and operators.
    pub(super) fn compare_parts(
        &mut self,
        operator: CompareOp,
        left: &Operand,
        right: &Operand,
    ) -> Option<Result<Expr>> {
        if !matches!(operator, CompareOp::Eq | CompareOp::NotEq) {
            return None;
        }
        match (left, right) {
            (Operand::Range(left), Operand::Range(right)) => {
                self.need("range");
                let sign = if operator == CompareOp::Eq { "" } else { "!" };
                let text = format!(
                    "{sign}py::ranges_equal({}, {})",
                    listed(left),
                    listed(right)
                );
                Some(Ok(Expr::bound(BOOL, text, Binding::Unary)))
            }
            (Operand::Slice(left), Operand::Slice(right)) => {
                let tuple = |parts: &[Option<Operand>; 3]| {
                    let parts = parts.iter().cloned();
                    let none = || Operand::Constant(Value::None);
                    Operand::Tuple(parts.map(|part| part.unwrap_or_else(none)).collect())
                };
                Some(self.compare(operator, tuple(left), tuple(right)))
            }
            _ => None,
        }
    }
}
