//! The order of evaluation: from left to right, as Python has it. C++ leaves it open.
//!
//! An operand is a text that is evaluated where the text ends up. So [`Frame::expr`] gives no text with an effect: what
//! has one is a statement, whose value is in a temporary that nothing else assigns. What is left, reads of variables
//! and of memory, is put into temporaries by [`Frame::together`], at the place where it was evaluated, if an operand
//! behind it has effects.

use super::frame::Frame;
use crate::ast;
use crate::code::Variable;
use crate::diagnostic::Result;
use crate::operand::{Expr, Operand};
use crate::types::Type;

/// A place between the operands of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mark {
    /// The number of statements in the innermost block.
    at: usize,
    /// The number of effects so far.
    effects: u32,
    /// The number of assignments to Python's variables so far.
    assignments: u32,
}

/// What may have changed since an operand was evaluated.
#[derive(Clone, Copy)]
struct Change {
    memory: bool,
    variables: bool,
}

impl Frame<'_, '_> {
    /// This place.
    pub(super) fn mark(&self) -> Mark {
        Mark {
            at: self.code.len(),
            effects: self.code.effects,
            assignments: self.assignments,
        }
    }

    /// Expressions, from left to right.
    pub(super) fn operands(&mut self, exprs: &[&ast::Expr]) -> Result<Vec<Operand>> {
        let mut held = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let operand = self.expr(expr)?;
            held.push((operand, self.mark()));
        }
        Ok(self.together(held))
    }

    /// Two expressions, from left to right.
    pub(super) fn pair(
        &mut self,
        first: &ast::Expr,
        second: &ast::Expr,
    ) -> Result<(Operand, Operand)> {
        let first = self.expr(first)?;
        let mark = self.mark();
        let second = self.expr(second)?;
        Ok((self.since(mark, first), second))
    }

    /// Operands with the places behind them, as they were there.
    pub(super) fn together(&mut self, held: Vec<(Operand, Mark)>) -> Vec<Operand> {
        let mut all = Vec::with_capacity(held.len());
        // The last first: what is added there moves only what is behind.
        for (operand, mark) in held.into_iter().rev() {
            all.push(self.since(mark, operand));
        }
        all.reverse();
        all
    }

    /// An operand that was evaluated at a mark, as it was there.
    pub(super) fn since(&mut self, mark: Mark, operand: Operand) -> Operand {
        let change = Change {
            memory: self.code.effects != mark.effects,
            variables: self.assignments != mark.assignments,
        };
        if !change.memory && !change.variables {
            return operand;
        }
        let behind = self.code.split_off(mark.at);
        let pinned = self.pinned(operand, Some(change));
        self.code.append(behind);
        pinned
    }

    /// The same, for use behind assignments and other statements.
    pub(super) fn apart(&mut self, operand: Operand) -> Operand {
        let change = Change {
            memory: true,
            variables: true,
        };
        self.pinned(operand, Some(change))
    }

    /// The same with values in temporaries, which stay as they are: it can be used later, whatever is assigned.
    pub(super) fn settled(&mut self, operand: Operand) -> Operand {
        self.pinned(operand, None)
    }

    /// The same with the values in temporaries that a change concerns; `None`: any change.
    fn pinned(&mut self, operand: Operand, change: Option<Change>) -> Operand {
        operand.with_values(&mut |value| self.pinned_value(value, change))
    }

    fn pinned_value(&mut self, value: Expr, change: Option<Change>) -> Expr {
        let is_concerned = change.is_none_or(|change| {
            change.memory && reads_memory(&value.text)
                || change.variables && self.reads_variables(&value.text)
        });
        if is_concerned {
            self.kept(value)
        } else {
            value
        }
    }

    /// True if a text has variables of Python in it.
    fn reads_variables(&self, text: &str) -> bool {
        let mut found = false;
        crate::code::variables_in(text, |variable| {
            found |= !self.temporaries.contains(&variable);
        });
        found
    }

    /// What an expression gives, where its effects have been: a value with an effect is put into a temporary.
    pub(super) fn after_effects(&mut self, operand: Operand) -> Operand {
        match operand {
            Operand::Value(value) if !value.is_pure && value.ty != Type::Never => {
                self.code.effects += 1;
                self.kept(value).into()
            }
            Operand::Tuple(items) => {
                let items = items.into_iter().map(|item| self.after_effects(item));
                Operand::Tuple(items.collect())
            }
            other => other,
        }
    }

    /// The temporary that a text is, if it is one.
    pub(super) fn is_temporary(&self, text: &str) -> bool {
        Variable::of(text).is_some_and(|variable| self.temporaries.contains(&variable))
    }
}

/// False for a text that only variables, literals and operators make up, and conversions of them.
fn reads_memory(text: &str) -> bool {
    const PLAIN: [&str; 11] = [
        "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32",
        "float64", "bool",
    ];
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '\u{1}' | '.');
    let mut word = String::new();
    let mut last = ' ';
    for c in text.chars() {
        match c {
            '[' | '"' | '{' => return true,
            '(' if matches!(last, '>' | ')') => return true,
            '(' if !word.is_empty()
                && !word.starts_with("py::grid")
                && !PLAIN.contains(&word.as_str()) =>
            {
                return true;
            }
            c if is_word(c) => word.push(c),
            _ => word.clear(),
        }
        last = c;
    }
    // A pointer that is followed, or a place.
    text.contains("(*") || text.starts_with('*') || text.contains("->") || text.contains('&')
}
