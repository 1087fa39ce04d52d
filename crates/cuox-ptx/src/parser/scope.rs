//! What names mean, scope by scope: registers with their types, variables, labels, functions.

use super::{Parser, WordMap};
use crate::ast::{Linkage, Name, ScalarType, StateSpace, Variable};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use std::cell::Cell;

/// What a register holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Register {
    pub(crate) ty: ScalarType,
    /// Elements of a vector register, else 1.
    pub(crate) vector: u8,
}

/// What a variable is to those who name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) space: StateSpace,
    pub(crate) role: Role,
    pub(crate) ty: ScalarType,
    pub(crate) align: u32,
    /// Bytes; 0 of an array without a size.
    pub(crate) bytes: u64,
    pub(crate) external: bool,
}

/// What a variable is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A function's own, or the module's.
    Plain,
    /// A parameter of the function or kernel.
    Input,
    /// A result of the function.
    Result,
}

impl Place {
    pub(super) fn of(v: &Variable, role: Role) -> Self {
        Self {
            space: v.space,
            role,
            ty: v.ty,
            align: v.alignment(),
            bytes: v.size(),
            external: v.linkage == Linkage::Extern,
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Entity {
    Register(Register),
    Variable(Place),
    Label,
    /// `.branchtargets`.
    Branches,
    /// `.calltargets`.
    Targets,
    /// `.callprototype`, by its place in the list of signatures.
    Prototype(u32),
    /// A function or kernel, by its place in the list of signatures.
    Function(u32),
}

impl Entity {
    /// What it is, for messages.
    pub(crate) fn describe(self) -> &'static str {
        match self {
            Self::Register(_) => "a register",
            Self::Variable(_) => "a variable",
            Self::Label => "a label",
            Self::Branches => "a table of branch targets",
            Self::Targets => "a table of call targets",
            Self::Prototype(_) => "a call prototype",
            Self::Function(_) => "a function",
        }
    }
}

/// What a call must agree with.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Signature {
    pub(super) entry: bool,
    pub(super) returns: Vec<Place>,
    pub(super) params: Vec<Place>,
}

impl Signature {
    pub(super) fn of(entry: bool, returns: &[Variable], params: &[Variable]) -> Self {
        let places = |list: &[Variable], role| list.iter().map(|v| Place::of(v, role)).collect();
        Self {
            entry,
            returns: places(returns, Role::Result),
            params: places(params, Role::Input),
        }
    }
}

impl Signature {
    /// Whether both are those of one function.
    fn agrees(&self, other: &Self) -> bool {
        let same = |a: &[Place], b: &[Place]| {
            let mut pairs = a.iter().zip(b);
            a.len() == b.len() && pairs.all(|(a, b)| a.ty == b.ty && a.bytes == b.bytes)
        };
        self.entry == other.entry
            && same(&self.returns, &other.returns)
            && same(&self.params, &other.params)
    }
}

/// The names of the module, of a function's parameters, or of one pair of braces.
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: WordMap<'a, (Entity, Span)>,
    /// How many of `prefix0`, `prefix1` and so on there are of a prefix, and what they are.
    ranges: WordMap<'a, (u32, Entity, Span)>,
    /// Labels that were named before they stood.
    wanted: Vec<(Name, Span)>,
}

impl Scope<'_> {
    fn find(&self, name: &str, digits: usize) -> Option<(Entity, Span)> {
        if let Some(&found) = self.names.get(name) {
            return Some(found);
        }
        if digits == 0 || self.ranges.is_empty() {
            return None;
        }
        // A prefix may end in digits itself; most do not.
        (1..=digits.min(MAX_DIGITS)).rev().find_map(|n| {
            let (prefix, number) = name.split_at(name.len() - n);
            let &(count, entity, span) = self.ranges.get(prefix)?;
            let number = number.parse::<u32>().ok()?;
            (number < count).then_some((entity, span))
        })
    }
}

/// What a name meant when it was last looked up, by where its text lies: names are kept once each.
pub(super) type Seen = Cell<((*const u8, usize, u32), Option<Entity>)>;

/// How many names of a text are remembered.
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
    /// What a name means here.
    pub(super) fn lookup(&self, name: &str) -> Option<Entity> {
        let place = &self.seen[(name.as_ptr() as usize >> 4) & (self.seen.len() - 1)];
        let key = (name.as_ptr(), name.len(), self.meaning);
        let (known, entity) = place.get();
        if known == key {
            return entity;
        }
        let digits = digits(name);
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| Some(scope.find(name, digits)?.0));
        place.set((key, found));
        found
    }

    /// Whether a name stands for a register: one that is declared, or one that looks like nothing else.
    pub(super) fn is_register(&self, name: &str) -> bool {
        name.starts_with('%') || matches!(self.lookup(name), Some(Entity::Register(_)))
    }

    /// Declares `name`, or `name0` to `name<n-1>`.
    pub(super) fn declare(
        &mut self,
        name: &'a str,
        range: Option<u32>,
        entity: Entity,
        span: Span,
    ) {
        self.meaning += 1;
        let before = self.declared(name, range, entity);
        let Some(scope) = self.scopes.last_mut() else {
            return;
        };
        match range {
            Some(n) => {
                scope.ranges.insert(name, (n, entity, span));
            }
            None => {
                scope.names.insert(name, (entity, span));
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
        let entity = Entity::Function(self.signatures.len() as u32);
        let before = self.scopes[0].names.insert(name, (entity, span));
        let message = match before {
            Some((Entity::Function(i), _)) if self.signatures[i as usize].agrees(&signature) => {
                None
            }
            Some((Entity::Function(_), _)) => {
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

    /// Where the same name is declared in the same place; a body and its function's parameters are one.
    fn declared(&self, name: &str, range: Option<u32>, entity: Entity) -> Option<Span> {
        // What is defined elsewhere may be declared any number of times, and be defined here.
        let external = |e: Entity| matches!(e, Entity::Variable(place) if place.external);
        let from = self.scopes.len().checked_sub(1)?;
        let from = if from == BODY { from - 1 } else { from };
        let digits = digits(name);
        self.scopes[from..].iter().find_map(|scope| match range {
            None => {
                let (before, span) = scope.find(name, digits)?;
                (!external(before) && !external(entity)).then_some(span)
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
                Some((Entity::Label, _)) => {}
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
                        format!("there is no label `{name}`"),
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
