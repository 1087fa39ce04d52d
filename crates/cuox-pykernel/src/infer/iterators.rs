//! Iterators: `enumerate`, `zip`, `reversed`. In an expression each stands for its items, which are found by their
//! number; in a variable it has a position, too, from which the next loop goes on.

use super::frame::Frame;
use super::loops::Count;
use crate::ast::{self, Stmt};
use crate::code::Variable;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::{ObjectKind, Value};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{INT64, Type};

/// The kind of what is left of an iterator: the iterator and the number of items that it has given.
const REST: &str = "the rest";
/// A position behind the last item of all.
const END: &str = "0x7fffffffffffffffll";

impl Frame<'_, '_> {
    /// An iterator that a variable gets.
    pub(super) fn begun(&mut self, operand: Operand) -> Operand {
        let operand = self.settled(operand);
        // A variable of C++ for each place of the program; Python cannot have its name.
        let name = format!("position.{}.{}", self.span.line, self.span.column);
        let position = self.variable(&name, &INT64);
        self.code.assign(position, "0");
        Operand::Begun(Box::new(operand), position)
    }

    /// What an iterator in a variable is handed over as, to a function or another iterator: what is left of it. The
    /// variable has nothing then.
    pub(crate) fn handed_over(&mut self, operand: Operand) -> Operand {
        let Operand::Begun(inner, position) = operand else {
            return operand;
        };
        let begun = self.kept(Expr::new(INT64, position.token()));
        self.code.assign(position, END);
        self.code.effects += 1;
        Operand::Iterator(REST, vec![*inner, begun.into()])
    }

    /// A loop over an iterator in a variable, from its position.
    pub(super) fn for_begun(
        &mut self,
        target: &ast::Expr,
        iterator: &Operand,
        position: Variable,
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let length = self.length_of(iterator)?;
        let count = Count::From(position, &length);
        self.for_numbered(target, count, changed, body, orelse, |frame, index| {
            frame.nth(iterator.clone(), index)
        })
    }

    pub(super) fn for_iterator(
        &mut self,
        target: &ast::Expr,
        kind: &'static str,
        parts: Vec<Operand>,
        changed: &std::collections::HashSet<String>,
        body: &[Stmt],
        orelse: &[Stmt],
    ) -> Result<()> {
        let iterator = self.settled(Operand::Iterator(kind, parts));
        let length = self.length_of(&iterator)?;
        self.for_counted(target, &length, changed, body, orelse, |frame, index| {
            frame.nth(iterator.clone(), index)
        })
    }

    /// The number of items, as text.
    pub(crate) fn length_of(&mut self, operand: &Operand) -> Result<String> {
        match operand {
            Operand::Range(range) => {
                self.need("range");
                let [start, stop, step] = &**range;
                Ok(format!(
                    "py::range_length(int64({}), int64({}), int64({}))",
                    start.text, stop.text, step.text
                ))
            }
            Operand::Tuple(items) => Ok(items.len().to_string()),
            Operand::Iterator(REST, parts) => {
                let all = self.length_of(&parts[0])?;
                let begun = parts[1].as_value().map(|value| value.text.clone());
                Ok(format!("({all} - {})", begun.unwrap_or_default()))
            }
            Operand::Iterator(kind, parts) => {
                let counted = if *kind == "enumerate" {
                    &parts[..1]
                } else {
                    &parts[..]
                };
                let mut length = String::new();
                for part in counted {
                    let other = self.length_of(part)?;
                    if length.is_empty() {
                        length = other;
                    } else {
                        self.need("range");
                        length = format!("py::least({length}, {other})");
                    }
                }
                Ok(length)
            }
            Operand::Value(value) => match &value.ty {
                Type::Array(_) => Ok(format!("{}.shape[0]", value.inside(Binding::Primary))),
                Type::Tuple(tuple) => Ok(tuple.items.len().to_string()),
                ty => Err(Failure::new(
                    Code::Type,
                    format!("{} has no items", ty.shown()),
                )),
            },
            other => {
                let text = format!("cannot loop over {}", other.described());
                let failure = Failure::new(Code::Type, text);
                Err(self.with_members_hint(failure, other))
            }
        }
    }

    /// A failure about something that has no items in kernels; an enumeration has members, which can be written.
    pub(super) fn with_members_hint(&mut self, failure: Failure, operand: &Operand) -> Failure {
        match operand {
            Operand::Constant(Value::Object(id, _))
                if self.program.host.kind(*id) == ObjectKind::Enumeration =>
            {
                failure.help("write its members as a tuple: (Kind.FIRST, Kind.SECOND)")
            }
            _ => failure,
        }
    }

    /// The item of this number of an iterator, a range, an array or a tuple.
    pub(super) fn nth(&mut self, operand: Operand, index: Operand) -> Result<Operand> {
        match operand {
            Operand::Range(range) => {
                let [start, _, step] = *range;
                let by = self.binary(ast::BinaryOp::Mul, index, step.into())?;
                self.binary(ast::BinaryOp::Add, start.into(), by)
            }
            Operand::Iterator(REST, parts) => {
                let mut parts = parts.into_iter();
                let items = parts.next().unwrap_or(Operand::Tuple(Vec::new()));
                let begun = parts.next().unwrap_or(Operand::known(Value::Int(0)));
                let index = self.binary(ast::BinaryOp::Add, begun, index)?;
                self.nth(items, index)
            }
            Operand::Iterator("enumerate", parts) => {
                let mut parts = parts.into_iter();
                let items = parts.next().unwrap_or(Operand::Tuple(Vec::new()));
                let start = parts.next().unwrap_or(Operand::known(Value::Int(0)));
                let count = self.binary(ast::BinaryOp::Add, index.clone(), start)?;
                Ok(Operand::Tuple(vec![count, self.nth(items, index)?]))
            }
            Operand::Iterator("reversed", parts) => {
                let Some(items) = parts.into_iter().next() else {
                    return Err(Failure::new(Code::Arguments, "reversed() needs items"));
                };
                let last = format!("int64({}) - 1", self.length_of(&items)?);
                let last = Expr::bound(INT64, last, Binding::Sum);
                let at = self.binary(ast::BinaryOp::Sub, last.into(), index)?;
                self.nth(items, at)
            }
            Operand::Iterator(_, parts) => {
                let mut items = Vec::new();
                for part in parts {
                    items.push(self.nth(part, index.clone())?);
                }
                Ok(Operand::Tuple(items))
            }
            other => self.item(other, index),
        }
    }
}
