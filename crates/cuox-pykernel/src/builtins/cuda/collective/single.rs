//! Collectives that a kernel calls without having made them: `coop.sum(group, value)`. What is made of the call's
//! arguments is the same operation as a maker outside of kernels makes.

mod counts;
mod folds;
mod moves;
mod sorts;

use std::sync::Arc;

use super::group::{self, known_int};
use crate::builtins::Builtin;
use crate::collective::{
    Collective, Group, Operation, Operator, Part, Threads, named_operator, operator_symbol,
};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Expr, Operand};
use crate::types::{Layout, Type};

/// The function of a path behind `cuda.coop.`.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "load" | "store" => moves::move_items,
        "exchange" => moves::exchange,
        "shuffle" => moves::shuffle,
        "adjacent_difference" => moves::adjacent_difference,
        "discontinuity" => moves::discontinuity,
        "reduce" | "sum" => folds::reduce,
        "reduce_batched" => folds::reduce_batched,
        "scan" | "exclusive_scan" | "inclusive_scan" | "exclusive_sum" | "inclusive_sum" => {
            folds::scan
        }
        "merge_sort_keys" | "merge_sort_pairs" => sorts::merge_sort,
        "radix_sort_keys" | "radix_sort_pairs" => sorts::radix_sort,
        "radix_rank" => sorts::radix_rank,
        "topk_min_keys" | "topk_max_keys" | "topk_min_pairs" | "topk_max_pairs" => sorts::topk,
        "histogram" => counts::histogram,
        "run_length_decode" => counts::run_length_decode,
        "run_length_decode_into" => counts::run_length_decode_into,
        name if name.starts_with("block.") || name.starts_with("warp.") => made_inside,
        _ => return group::find(name),
    })
}

/// A maker, which is no function of kernels.
fn made_inside(_: &mut Frame<'_, '_>, name: &str, _: Arguments) -> Result<Operand> {
    let text = format!("{name}() makes an operation outside of kernels");
    let help = "make it there, or call coop.sum(coop.this_block(), value) and the like here";
    Err(Failure::new(Code::Unsupported, text).help(help))
}

/// A call, with the arguments that are not looked at yet.
struct Single<'f, 'p, 'h> {
    frame: &'f mut Frame<'p, 'h>,
    name: String,
    group: Group,
}

/// A thread's items: one, or an array.
struct Items {
    operand: Operand,
    ty: Type,
    count: u32,
    is_array: bool,
}

/// A value whose type is found in a later translation of the same statements.
fn unknown() -> Operand {
    Expr::new(Type::Never, "none{}").into()
}

/// The index of the first item.
fn first() -> Operand {
    Operand::known(Value::Int(0))
}

fn is_given(operand: &Option<Operand>) -> bool {
    operand
        .as_ref()
        .is_some_and(|one| !matches!(one, Operand::Constant(Value::None)))
}

fn text_of(operand: Option<Operand>) -> Option<Option<String>> {
    match operand.as_ref().map(Operand::constant) {
        None | Some(Some(Value::None)) => Some(None),
        Some(Some(Value::Str(text))) => Some(Some(text)),
        Some(_) => None,
    }
}

impl<'f, 'p, 'h> Single<'f, 'p, 'h> {
    /// Takes the group off the arguments.
    fn new(frame: &'f mut Frame<'p, 'h>, name: &str, given: &mut Arguments) -> Result<Self> {
        let is_fold = matches!(name, "reduce" | "sum");
        let name = format!("coop.{name}");
        given.name.clone_from(&name);
        let by_name = given.keywords.iter().position(|(name, _)| name == "group");
        if given.positional.is_empty()
            && let Some(at) = by_name
        {
            let (_, group) = given.keywords.remove(at);
            given.positional.push(group);
        }
        if given.positional.is_empty() {
            let text =
                format!("{name}() is missing its group: coop.this_block() or coop.this_warp()");
            return Err(Failure::new(Code::Arguments, text));
        }
        let threads = match given.positional.remove(0) {
            Operand::Constant(Value::Part(Part::Group(threads))) => threads,
            other => {
                let text = format!(
                    "{name}(): its first argument is a group, such as coop.this_block(), got {}",
                    other.described()
                );
                return Err(Failure::new(Code::Type, text));
            }
        };
        let group = match threads {
            // A thread's own items; blocks may have any number of threads.
            Threads::Thread if is_fold => Group::Warp(1),
            Threads::Warps(_) if !is_fold => {
                let text = "groups of warps can reduce and sum: it is for coop.this_block() and groups of a warp's threads";
                return Err(Failure::new(Code::Unsupported, format!("{name}(): {text}")));
            }
            threads => group::group(frame, &name, threads)?,
        };
        Ok(Self { frame, name, group })
    }

    fn failure(&self, code: Code, text: &str) -> Failure {
        Failure::new(code, format!("{}(): {text}", self.name))
    }

    fn is_block(&self) -> bool {
        matches!(self.group, Group::Block(_))
    }

    /// A thread's items; `None` if their type is found later.
    fn items(&mut self, what: &str, operand: Option<Operand>) -> Result<Option<Items>> {
        let operand = operand.unwrap_or(Operand::Constant(Value::None));
        if matches!(&operand, Operand::Constant(Value::Part(Part::Items(_)))) {
            return Err(Frame::untyped_items());
        }
        let value = self.frame.value(operand)?;
        if let Some(array) = value.ty.as_array() {
            let length = match (array.shape.as_deref(), array.layout) {
                (Some([length]), Layout::C) => u32::try_from(*length).ok(),
                _ => None,
            };
            let Some(count) = length.filter(|count| *count > 0) else {
                let text = format!(
                    "{what} must be one value, ThreadData, or a local array of a known length, got {}",
                    value.ty.shown()
                );
                return Err(self.failure(Code::Type, &text));
            };
            let ty = array.element.clone();
            return Ok(Some(Items {
                operand: value.into(),
                ty,
                count,
                is_array: true,
            }));
        }
        if value.ty == Type::Never {
            return Ok(None);
        }
        let value = match &value.ty {
            Type::Tuple(tuple) => match tuple.record() {
                Some(record) => {
                    let ty = Type::Record(Arc::new(record));
                    self.frame.as_record(value.into(), &ty)?
                }
                None => value,
            },
            _ => value,
        };
        if !value.ty.is_number() && !matches!(value.ty, Type::Record(_)) {
            let text = format!(
                "{what} must be numbers or records, got {}",
                value.ty.shown()
            );
            return Err(self.failure(Code::Type, &text));
        }
        let value = self.frame.hoist(value);
        Ok(Some(Items {
            ty: value.ty.clone(),
            operand: value.into(),
            count: 1,
            is_array: false,
        }))
    }

    /// One of these texts.
    fn choice(
        &self,
        what: &str,
        operand: Option<Operand>,
        known: &[&'static str],
    ) -> Result<Option<&'static str>> {
        let given = text_of(operand);
        let found = match &given {
            Some(None) => return Ok(None),
            Some(Some(text)) => known.iter().find(|one| *one == text),
            None => None,
        };
        found.map(|one| Some(*one)).ok_or_else(|| {
            let text = format!("{what} must be one of {}", known.join(", "));
            self.failure(Code::Arguments, &text)
        })
    }

    /// The function that combines two items: a sum where none is given.
    fn operator(&self, operand: Option<Operand>, ty: &Type) -> Result<Operator> {
        let name = match &operand {
            None | Some(Operand::Constant(Value::None)) => Some("plus"),
            Some(Operand::Constant(Value::Str(text))) => {
                let found = named_operator(text);
                Some(found.ok_or_else(|| {
                    let text = format!("it has no operator {text:?}: \"+\", \"*\", \"min\", \"max\", \"&\", \"|\", \"^\", or a function of two items");
                    self.failure(Code::Arguments, &text)
                })?)
            }
            Some(Operand::Constant(Value::Path(path))) => match path.as_str() {
                "builtins.min" => Some("minimum"),
                "builtins.max" => Some("maximum"),
                path => path
                    .strip_prefix("numpy.bitwise_")
                    .or_else(|| path.strip_prefix("numpy."))
                    .or_else(|| path.strip_prefix("operator."))
                    .and_then(|name| named_operator(name.trim_end_matches('_')))
                    .filter(|_| path != "numpy.abs"),
            },
            _ => None,
        };
        if let Some(name @ ("plus" | "multiplies")) = name
            && *ty == Type::Bool
        {
            let text = format!("its operator {} does not take bool", operator_symbol(name));
            return Err(self
                .failure(Code::Type, &text)
                .help("count in integers: coop.sum(block, types.int32(value))"));
        }
        match (name, operand) {
            (Some(name), _) => Ok(Operator::Named(name.to_owned())),
            (None, Some(operand)) => self.function(operand),
            (None, None) => Ok(Operator::Named("plus".to_owned())),
        }
    }

    /// A function of the program.
    fn function(&self, operand: Operand) -> Result<Operator> {
        match operand {
            Operand::Constant(function @ (Value::Function(_) | Value::Path(_))) => {
                Ok(Operator::Function(function))
            }
            Operand::Closure(closure) => Ok(Operator::Inside(closure)),
            other => {
                let text = format!("expected a function, got {}", other.described());
                Err(self.failure(Code::Type, &text))
            }
        }
    }

    /// The operation for these items.
    fn made(&self, operation: Operation, items: &Items) -> Collective {
        Collective {
            name: self.name.clone(),
            operation,
            group: self.group,
            item: items.ty.clone(),
            items: items.count,
            other: None,
            operator: None,
            prefix: None,
            initial: None,
        }
    }

    /// Calls it, with the storage that was given.
    fn call(
        &mut self,
        collective: &Collective,
        positional: Vec<Operand>,
        named: Vec<(&str, Option<Operand>)>,
        storage: Option<Operand>,
    ) -> Result<Operand> {
        let mut given = Arguments::of(&self.name, positional);
        for (name, operand) in named {
            if let Some(operand) = operand {
                given.keywords.push((name.to_owned(), operand));
            }
        }
        // Named even if there is none: an array of bytes among the others is none.
        let storage = storage.unwrap_or(Operand::Constant(Value::None));
        given.keywords.push(("temp_storage".to_owned(), storage));
        super::call(self.frame, collective, given)
    }

    /// The items as an array: the caller's, or a new one of one item.
    fn as_array(&mut self, items: &Items) -> Result<Operand> {
        if items.is_array {
            return Ok(items.operand.clone());
        }
        let one = self.new_items(&items.ty, 1);
        self.frame
            .store_item(one.clone(), first(), items.operand.clone())?;
        Ok(one)
    }

    /// A new array of them.
    fn copied(&mut self, items: &Items) -> Result<Operand> {
        if !items.is_array {
            return self.as_array(items);
        }
        self.frame.need("collective_sort");
        let made = self.new_items(&items.ty, items.count);
        let (from, to) = (
            self.frame.value(items.operand.clone())?,
            self.frame.value(made.clone())?,
        );
        let (from, ty) = (self.frame.hoist(from), items.ty.storage());
        self.frame.code.statement(format!(
            "py::collective::copied<{}, {ty}>(({ty} *){}.data, ({ty} *){}.data);",
            items.count, from.text, to.text
        ));
        Ok(made)
    }

    /// What a call that was given `items` returns of an array of results: one of them for one item.
    fn result_of(&mut self, items: &Items, results: Operand) -> Result<Operand> {
        if items.is_array {
            return Ok(results);
        }
        self.frame.item(results, first())
    }

    /// A number that is known when the kernel is compiled.
    fn known(&mut self, what: &str, operand: Option<Operand>) -> Result<Option<u32>> {
        let what = format!("{}(): {what}", self.name);
        match known_int(self.frame, &what, operand)? {
            None => Ok(None),
            Some(number) => match u32::try_from(number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => {
                    let text = format!("{what} must not be negative or so large, got {number}");
                    Err(Failure::new(Code::Range, text))
                }
            },
        }
    }

    /// An array that a call fills: `ThreadData` without a type gets that of this call.
    fn filled(&mut self, output: &Option<Operand>, ty: &Type) -> Result<()> {
        match output {
            Some(Operand::Constant(Value::Part(Part::Items(items)))) => {
                Err(self.frame.found_items(items, ty))
            }
            _ => Ok(()),
        }
    }

    /// Refuses groups that are no blocks.
    fn of_block(&self) -> Result<()> {
        if self.is_block() {
            return Ok(());
        }
        let text = "it is an operation of blocks: its group is coop.this_block()";
        Err(self.failure(Code::Arguments, text))
    }

    /// New items of this type.
    fn new_items(&mut self, ty: &Type, count: u32) -> Operand {
        self.frame.new_items(ty, u64::from(count), 1)
    }
}

/// The names of arguments that have another one, too.
fn renamed(given: &mut Arguments, other: &str, name: &str) {
    for (known, _) in &mut given.keywords {
        if known == other {
            name.clone_into(known);
        }
    }
}
