//! Operands taken apart, into what is known when a kernel is compiled and values at run time, and put together again:
//! arguments of calls, and results that are no values, such as functions.

use std::sync::Arc;

use super::frame::Frame;
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::operand::{Captured, Closure, Expr, Operand};
use crate::types::Type;

/// What an operand consists of besides values at run time: an argument as far as it makes a version of a function, or
/// a result that is no value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A value of this type.
    Value(Type),
    /// Something known now.
    Constant(Value),
    /// A tuple of such.
    Tuple(Vec<Kind>),
    /// A slice of such: the start, the end, the step.
    Slice(Vec<Kind>),
    /// A range of such: the start, the end, the step.
    Range(Vec<Kind>),
    /// `enumerate(…)` and the like of such.
    Iterator(&'static str, Vec<Kind>),
    /// `partial(…)` of such.
    Special(&'static str, Vec<Kind>),
    /// A function defined inside of another, what it has captured, and its defaults.
    Closure(Arc<Closure>, Vec<Kind>, Vec<Kind>),
    /// In a result: a variable that a function among the arguments has captured, by its place in
    /// [`Taken::captured`].
    Given(usize),
}

impl Kind {
    /// The same without the types of values.
    pub(super) fn without_types(&self) -> Self {
        let all = |kinds: &[Self]| kinds.iter().map(Self::without_types).collect();
        match self {
            Self::Value(_) => Self::Value(Type::Never),
            Self::Tuple(kinds) => Self::Tuple(all(kinds)),
            Self::Slice(kinds) => Self::Slice(all(kinds)),
            Self::Range(kinds) => Self::Range(all(kinds)),
            Self::Iterator(name, kinds) => Self::Iterator(name, all(kinds)),
            Self::Special(name, kinds) => Self::Special(name, all(kinds)),
            Self::Closure(closure, captured, defaults) => {
                Self::Closure(closure.clone(), all(captured), all(defaults))
            }
            Self::Constant(_) | Self::Given(_) => self.clone(),
        }
    }
}

/// What was taken out of operands, in order.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    /// The values at run time.
    pub(super) values: Vec<Expr>,
    /// Of arguments: the variables that functions among them have captured. Whoever returns such a function returns its
    /// variables, too, not the values that they had.
    pub(super) captured: Vec<Captured>,
    /// True for a result, which outlives the function's variables.
    is_result: bool,
}

impl Taken {
    /// For a result.
    pub(super) fn for_result() -> Self {
        Self {
            is_result: true,
            ..Self::default()
        }
    }
}

/// Where the values come from when an operand is put together.
pub(super) enum Source<'a> {
    /// They become parameters of CUDA C++, whose declarations are added.
    Parameters(&'a mut Vec<String>),
    /// They are the parts of a call's result; with the captured variables of its arguments.
    Result(std::vec::IntoIter<Expr>, &'a [Captured]),
}

impl Frame<'_, '_> {
    /// The kind of an operand, whose values are added to `taken`.
    pub(super) fn kind(&mut self, operand: Operand, taken: &mut Taken) -> Result<Kind> {
        Ok(match operand {
            Operand::Value(value) => {
                self.need_type(&value.ty);
                let ty = value.ty.clone();
                taken.values.push(value);
                Kind::Value(ty)
            }
            Operand::Constant(
                Value::Array { .. } | Value::State(..) | Value::Struct(..) | Value::Record(..),
            ) => {
                let value = self.value(operand)?;
                return self.kind(value.into(), taken);
            }
            Operand::Constant(value) => Kind::Constant(value),
            Operand::Tuple(items) => {
                if self.runtime_type(&Operand::Tuple(items.clone())).is_some() {
                    let value = self.value(Operand::Tuple(items))?;
                    return self.kind(value.into(), taken);
                }
                Kind::Tuple(self.kinds(items, taken)?)
            }
            Operand::Slice(parts) => {
                let parts = parts.map(|part| part.unwrap_or(Operand::Constant(Value::None)));
                Kind::Slice(self.kinds(parts.into(), taken)?)
            }
            Operand::Range(range) => {
                let [start, mut stop, step] = *range;
                // Loops are made for a start and a step that are known.
                let start = self.known_kind(start.into(), taken)?;
                stop.constant = None;
                let stop = self.kind(stop.into(), taken)?;
                Kind::Range(vec![start, stop, self.known_kind(step.into(), taken)?])
            }
            begun @ Operand::Begun(..) => {
                let rest = self.handed_over(begun);
                return self.kind(rest, taken);
            }
            Operand::Iterator(name, parts) => Kind::Iterator(name, self.kinds(parts, taken)?),
            Operand::Special(name, parts) => Kind::Special(name, self.kinds(parts, taken)?),
            Operand::Closure(closure) => {
                if self
                    .resolving
                    .iter()
                    .any(|one| Arc::ptr_eq(one, &closure.tree))
                {
                    return Err(Failure::new(
                        Code::Unsupported,
                        format!(
                            "{}(), which is defined inside of a function, cannot call itself in a kernel",
                            closure.tree.name
                        ),
                    )
                    .help("define it outside, with @cuda.jit(device=True)"));
                }
                self.resolving.push(closure.tree.clone());
                let done = self.closure_kind(&closure, taken);
                self.resolving.pop();
                done?
            }
            other @ Operand::Method(..) => {
                return Err(Failure::new(
                    Code::Type,
                    format!("{} cannot be passed to a function", other.described()),
                ));
            }
        })
    }

    fn kinds(&mut self, operands: Vec<Operand>, taken: &mut Taken) -> Result<Vec<Kind>> {
        let operands = operands.into_iter();
        operands.map(|one| self.kind(one, taken)).collect()
    }

    /// The same, where a number that is known now stays so.
    fn known_kind(&mut self, operand: Operand, taken: &mut Taken) -> Result<Kind> {
        match operand.constant() {
            Some(value) if Expr::number(&value).is_some() => Ok(Kind::Constant(value)),
            _ => self.kind(operand, taken),
        }
    }

    fn closure_kind(&mut self, closure: &Arc<Closure>, taken: &mut Taken) -> Result<Kind> {
        let mut captured = Vec::with_capacity(closure.captured.len());
        for (name, one) in &closure.captured {
            let number = match one {
                Captured::Live => self.captured_names.iter().position(|own| own == name),
                Captured::Kept(_, number) => *number,
            };
            captured.push(match number.filter(|_| taken.is_result) {
                Some(number) => Kind::Given(number),
                None => {
                    taken.captured.push(one.clone());
                    let operand = self.captured_now(name, one)?;
                    self.kind(operand, taken)?
                }
            });
        }
        let mut defaults = Vec::with_capacity(closure.defaults.len());
        for (_, default) in &closure.defaults {
            defaults.push(self.known_kind(default.clone(), taken)?);
        }
        // The version is the same for other values.
        let apart = Closure {
            captured: closure
                .captured
                .iter()
                .map(|(name, _)| (name.clone(), Captured::Live))
                .collect(),
            defaults: closure
                .defaults
                .iter()
                .map(|(name, _)| (name.clone(), Operand::Constant(Value::None)))
                .collect(),
            ..(**closure).clone()
        };
        Ok(Kind::Closure(Arc::new(apart), captured, defaults))
    }

    /// An operand of a kind with the values of a source, which are named like `name` if they get names.
    pub(super) fn of_kind(&mut self, name: &str, kind: &Kind, source: &mut Source<'_>) -> Operand {
        match kind {
            Kind::Value(ty) => match source {
                Source::Parameters(parameters) => self.parameter(name, ty, false, parameters),
                Source::Result(values, _) => match values.next() {
                    Some(value) if value.ty != Type::None => value.into(),
                    _ => Operand::Constant(Value::None),
                },
            },
            Kind::Constant(value) => Operand::known(value.clone()),
            Kind::Tuple(items) => Operand::Tuple(self.all_of_kind(name, items, source)),
            Kind::Iterator(of, parts) => {
                Operand::Iterator(of, self.all_of_kind(name, parts, source))
            }
            Kind::Special(of, parts) => Operand::Special(of, self.all_of_kind(name, parts, source)),
            Kind::Slice(parts) => {
                let mut given = [None, None, None];
                let words = ["start", "stop", "step"];
                for ((place, part), word) in given.iter_mut().zip(parts).zip(words) {
                    let part = self.of_kind(&format!("{name}_{word}"), part, source);
                    *place = Some(part).filter(|part| *part != Operand::Constant(Value::None));
                }
                Operand::Slice(Box::new(given))
            }
            Kind::Range(parts) => {
                let mut values = Vec::new();
                for (part, word) in parts.iter().zip(["start", "stop", "step"]) {
                    match self.of_kind(&format!("{name}_{word}"), part, source) {
                        Operand::Value(value) => values.push(value),
                        other => return other,
                    }
                }
                match <[Expr; 3]>::try_from(values) {
                    Ok(parts) => Operand::Range(Box::new(parts)),
                    Err(_) => Operand::Tuple(Vec::new()),
                }
            }
            Kind::Closure(closure, captured, defaults) => {
                let mut kept = Vec::new();
                for ((name, _), kind) in closure.captured.iter().zip(captured) {
                    let one = match (kind, &mut *source) {
                        (Kind::Given(number), Source::Result(_, captured)) => {
                            captured.get(*number).cloned().unwrap_or(Captured::Live)
                        }
                        (kind, Source::Result(..)) => {
                            Captured::Kept(self.of_kind(name, kind, source), None)
                        }
                        (kind, Source::Parameters(_)) => {
                            let number = self.given;
                            self.given += 1;
                            Captured::Kept(self.of_kind(name, kind, source), Some(number))
                        }
                    };
                    kept.push((name.clone(), one));
                }
                let mut values = Vec::new();
                for ((name, _), kind) in closure.defaults.iter().zip(defaults) {
                    values.push((name.clone(), self.of_kind(name, kind, source)));
                }
                Operand::Closure(Arc::new(Closure {
                    captured: kept,
                    defaults: values,
                    ..(**closure).clone()
                }))
            }
            // Only results have these, and only what they have captured.
            Kind::Given(_) => Operand::Constant(Value::None),
        }
    }

    fn all_of_kind(&mut self, name: &str, kinds: &[Kind], source: &mut Source<'_>) -> Vec<Operand> {
        let kinds = kinds.iter().enumerate();
        kinds
            .map(|(index, kind)| self.of_kind(&format!("{name}_{index}"), kind, source))
            .collect()
    }
}
