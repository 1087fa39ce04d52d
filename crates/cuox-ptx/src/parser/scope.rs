//! Scopes: declaring names and looking up their symbols.

use super::symbols::{Signature, Symbol};
use super::{Parser, WordMap};
use crate::ast::Name;
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::cell::Cell;

/// The names of the module, of a function's parameters, or of one pair of braces.
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: WordMap<'a, (Symbol, Span)>,
    /// Ranges `prefix0`, `prefix1` and so on: for a prefix their number and their symbol.
    ranges: WordMap<'a, (u32, Symbol, Span)>,
    /// Labels that were named before they stood.
    wanted: Vec<(Name, Span)>,
}

impl Scope<'_> {
    fn find(&self, name: &str, digits: usize) -> Option<(Symbol, Span)> {
        if let Some(&found) = self.names.get(name) {
            return Some(found);
        }
        if digits == 0 || self.ranges.is_empty() {
            return None;
        }
        // A prefix may end in digits itself; most do not.
        (1..=digits.min(MAX_DIGITS)).rev().find_map(|n| {
            let (prefix, number) = name.split_at(name.len() - n);
            let &(count, symbol, span) = self.ranges.get(prefix)?;
            let number = number.parse::<u32>().ok()?;
            (number < count).then_some((symbol, span))
        })
    }
}

/// The symbol that a name had when it was last looked up, by the address of its text: names are kept once each.
pub(super) type Seen = Cell<((*const u8, usize, u32), Option<Symbol>)>;

/// Room for names of a text that are remembered.
pub(super) fn seen(text: &str) -> Vec<Seen> {
    let size = (text.len() / 64).next_power_of_two().clamp(64, 4096);
    vec![Cell::new(((std::ptr::null(), 0, 0), None)); size]
}

/// Digits of the largest `u32`.
const MAX_DIGITS: usize = 10;

fn digits(name: &str) -> usize {
    let bytes = name.bytes().rev();
    bytes.take_while(u8::is_ascii_digit).count()
}

impl<'a> Parser<'a> {
    /// The symbol of a name here.
    pub(super) fn lookup(&self, name: &str) -> Option<Symbol> {
        let place = &self.seen[(name.as_ptr() as usize >> 4) & (self.seen.len() - 1)];
        let key = (name.as_ptr(), name.len(), self.meaning);
        let (known, symbol) = place.get();
        if known == key {
            return symbol;
        }
        let digits = digits(name);
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| Some(scope.find(name, digits)?.0));
        place.set((key, found));
        found
    }

    /// True if a name stands for a register: one that is declared, or one that looks like nothing else.
    pub(super) fn is_register(&self, name: &str) -> bool {
        name.starts_with('%') || matches!(self.lookup(name), Some(Symbol::Register(_)))
    }

    /// Declares `name`, or `name0` to `name<n-1>`.
    pub(super) fn declare(
        &mut self,
        name: &'a str,
        range: Option<u32>,
        symbol: Symbol,
        span: Span,
    ) {
        self.meaning += 1;
        let before = self.declared(name, range, symbol);
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        match range {
            Some(n) => {
                scope.ranges.insert(name, (n, symbol, span));
            }
            None => {
                scope.names.insert(name, (symbol, span));
            }
        }
        if let Some(before) = before {
            let what = match range {
                Some(n) => format!("{name}<{n}>"),
                None => name.to_string(),
            };
            self.report(
                Diagnostic::error("E-duplicate", span, format!("`{what}` is declared twice"))
                    .with_label(before, "it is declared here"),
            );
        }
    }

    /// Declares a function, from within the scope of its parameters. It may be declared more than once; which of them
    /// has a body is not looked at here.
    pub(super) fn declare_function(&mut self, name: &'a str, signature: Signature, span: Span) {
        let symbol = Symbol::Function(self.signatures.len() as u32);
        let before = self.scopes[0].names.insert(name, (symbol, span));
        let message = match before {
            Some((Symbol::Function(i), _)) if self.signatures[i as usize].agrees(&signature) => {
                None
            }
            Some((Symbol::Function(_), _)) => {
                Some(format!("`{name}` is declared with other parameters"))
            }
            Some(_) => Some(format!("`{name}` is declared twice")),
            None => None,
        };
        self.signatures.push(signature);
        self.meaning += 1;
        if let (Some(message), Some((_, at))) = (message, before) {
            self.report(
                Diagnostic::error("E-duplicate", span, message)
                    .with_label(at, "it is declared here"),
            );
        }
    }

    /// The place of an earlier declaration of the name in the same scope; a body and its function's parameters are one.
    fn declared(&self, name: &str, range: Option<u32>, symbol: Symbol) -> Option<Span> {
        // A variable that is defined elsewhere may be declared any number of times, and be defined here.
        let external = |e: Symbol| matches!(e, Symbol::Variable(place) if place.external);
        let from = self.scopes.len().checked_sub(1)?;
        let from = if from == BODY { from - 1 } else { from };
        let digits = digits(name);
        self.scopes[from..].iter().find_map(|scope| match range {
            None => {
                let (before, span) = scope.find(name, digits)?;
                (!external(before) && !external(symbol)).then_some(span)
            }
            Some(_) => Some(scope.ranges.get(name)?.2),
        })
    }

    /// Notes that a label is gone to, which may stand further down.
    pub(super) fn want_label(&mut self, name: &Name, span: Span) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.wanted.push((name.clone(), span));
        }
    }

    /// Enters a scope: a function's parameters, or braces.
    pub(super) fn enter(&mut self) {
        let scope = self.spare.pop().unwrap_or_default();
        self.scopes.push(scope);
    }

    /// Leaves a scope. Labels that it lacks may stand in the one around it.
    pub(super) fn leave(&mut self) {
        let Some(mut scope) = self.scopes.pop() else {
            return;
        };
        self.meaning += 1;
        for (name, span) in std::mem::take(&mut scope.wanted) {
            match scope.names.get(&*name) {
                Some((Symbol::Label, _)) => {}
                Some(&(other, at)) => {
                    let message = format!("`{name}` is {}, not a label", other.describe());
                    self.report(
                        Diagnostic::error("E-label", span, message)
                            .with_label(at, "it is declared here"),
                    );
                }
                None if self.scopes.len() > BODY => self.want_label(&name, span),
                None => {
                    self.report(Diagnostic::error(
                        "E-label",
                        span,
                        format!("unknown label `{name}`"),
                    ));
                }
            }
        }
        // Its tables serve the next one.
        scope.names.clear();
        scope.ranges.clear();
        self.spare.push(scope);
    }
}

/// The place of a function's body among the scopes: behind the module and the parameters.
const BODY: usize = 2;
