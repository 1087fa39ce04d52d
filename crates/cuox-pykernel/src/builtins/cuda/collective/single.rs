//! Collectives that a kernel calls without having made them: `coop.sum(group, value)`. What is made of the call's
//! arguments is the same operation as a maker outside of kernels makes.

use super::group::{self, known_bool};
use crate::builtins::Builtin;
use crate::collective::{
    Arrangement, Collective, Group, Operation, Operator, Part, named_operator,
};
use crate::diagnostic::{Code, Failure, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{INT64, Layout, Type};

/// The function of a path behind `cuda.coop.`.
pub fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        "load" | "store" => move_items,
        "reduce" | "sum" => reduce,
        "scan" | "exclusive_scan" | "inclusive_scan" | "exclusive_sum" | "inclusive_sum" => scan,
        _ => return group::find(name),
    })
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
        let name = format!("coop.{name}");
        given.name.clone_from(&name);
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
        let group = group::group(frame, &name, threads)?;
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
        let is_bits = name.is_some_and(|name| name.starts_with("bit_"));
        if is_bits && !ty.is_int() || name.is_some() && *ty == Type::Bool {
            let text = format!("its operator does not take {}", ty.shown());
            return Err(self.failure(Code::Type, &text));
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

const MOVES: &[&str] = &[
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
];
const REDUCTIONS: &[&str] = &["raking", "raking_commutative_only", "warp_reductions"];
const SCANS: &[&str] = &["raking", "raking_memoize", "warp_scans"];

/// `load(group, source, output)`, `store(group, destination, value)`.
fn move_items(frame: &mut Frame<'_, '_>, name: &str, mut given: Arguments) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let is_load = name == "load";
    renamed(&mut given, "num_valid_items", "valid_items");
    renamed(&mut given, "num_valid", "valid_items");
    let [memory, own, algorithm, valid, otherwise, offset, storage] = if is_load {
        given.bind(
            [
                "source",
                "output",
                "algorithm",
                "valid_items",
                "oob_default",
                "offset",
                "temp_storage",
            ],
            2,
        )?
    } else {
        let names = [
            "destination",
            "value",
            "algorithm",
            "valid_items",
            "offset",
            "temp_storage",
        ];
        let [memory, own, algorithm, valid, offset, storage] = given.bind(names, 2)?;
        [memory, own, algorithm, valid, None, offset, storage]
    };
    let known = if single.is_block() {
        MOVES
    } else {
        &MOVES[..4]
    };
    let algorithm = single
        .choice("algorithm", algorithm, known)?
        .unwrap_or("direct");
    let arrangement = Arrangement::named(algorithm).unwrap_or(Arrangement::Blocked);
    let memory = memory.unwrap_or(Operand::Constant(Value::None));
    let memory = single.frame.settled_value(memory)?;
    if let (true, Some(Operand::Constant(Value::Part(Part::Items(items))))) = (is_load, &own) {
        let element = memory.as_value().and_then(|value| value.ty.as_array());
        return match element.map(|array| array.element.clone()) {
            Some(element) => Err(single.frame.found_items(items, &element)),
            None => Err(single.failure(Code::Type, "source must be an array")),
        };
    }
    let what = if is_load { "output" } else { "value" };
    let Some(items) = single.items(what, own)? else {
        return Ok(Operand::Constant(Value::None));
    };
    if is_load && !items.is_array {
        let text = "output must be ThreadData, or a local array of a known length";
        return Err(single.failure(Code::Type, text));
    }
    if is_load && valid.is_none() && otherwise.is_some() {
        return Err(single.failure(Code::Arguments, "oob_default needs valid_items"));
    }
    let offset = single.tile_offset(offset, items.count)?;
    let operand = if items.is_array {
        items.operand.clone()
    } else {
        let one = single.new_items(&items.ty, 1);
        let first = Operand::known(Value::Int(0));
        single
            .frame
            .store_item(one.clone(), first, items.operand.clone())?;
        one
    };
    let operation = if is_load {
        Operation::Load(arrangement)
    } else {
        Operation::Store(arrangement)
    };
    let collective = single.made(operation, &items);
    let named = vec![
        ("num_valid_items", valid),
        ("oob_default", otherwise),
        ("offset", offset),
    ];
    single.call(&collective, vec![memory, operand], named, storage)?;
    // An older draft's returns the items.
    Ok(if is_load {
        items.operand
    } else {
        Operand::Constant(Value::None)
    })
}

impl Single<'_, '_, '_> {
    /// Where a group's items begin in an array: those of a warp behind those of the warps before.
    fn tile_offset(&mut self, offset: Option<Operand>, items: u32) -> Result<Option<Operand>> {
        let offset = match offset {
            None | Some(Operand::Constant(Value::None)) => None,
            Some(offset) => Some(self.frame.as_type(offset, &INT64)?),
        };
        if self.is_block() {
            return Ok(offset.map(Operand::from));
        }
        self.frame.need("warp");
        self.frame.need("collective");
        let tile = self.group.threads() * u64::from(items);
        let class = group::class(self.group);
        let mut text = format!("int64({class}::block_number()) * {tile}");
        if let Some(offset) = offset {
            text = format!("{} + {text}", offset.inside(Binding::Sum));
        }
        Ok(Some(Expr::bound(INT64, text, Binding::Sum).into()))
    }
}

/// `reduce(group, value)`, `sum(group, value)`.
fn reduce(frame: &mut Frame<'_, '_>, name: &str, mut given: Arguments) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    renamed(&mut given, "num_valid", "valid_items");
    let (value, operator, valid, algorithm, storage, broadcast) = if name == "sum" {
        let names = [
            "value",
            "valid_items",
            "algorithm",
            "temp_storage",
            "broadcast",
        ];
        let [value, valid, algorithm, storage, broadcast] = given.bind(names, 1)?;
        (value, None, valid, algorithm, storage, broadcast)
    } else {
        let names = [
            "value",
            "binary_op",
            "valid_items",
            "algorithm",
            "temp_storage",
            "broadcast",
        ];
        let [value, operator, valid, algorithm, storage, broadcast] = given.bind(names, 1)?;
        (value, operator, valid, algorithm, storage, broadcast)
    };
    if single.choice("algorithm", algorithm, REDUCTIONS)?.is_some() && !single.is_block() {
        return Err(single.failure(Code::Arguments, "algorithm is for blocks"));
    }
    let broadcast = known_bool(&format!("{}(): broadcast", single.name), broadcast)?;
    let Some(items) = single.items("value", value)? else {
        return Ok(unknown());
    };
    let mut collective = single.made(Operation::Reduce { broadcast }, &items);
    collective.operator = Some(single.operator(operator, &items.ty)?);
    let named = vec![("num_valid", valid)];
    single.call(&collective, vec![items.operand], named, storage)
}

/// `scan(group, value)` and the like.
fn scan(frame: &mut Frame<'_, '_>, name: &str, mut given: Arguments) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "value",
        "prefix_state",
        "mode",
        "scan_op",
        "initial_value",
        "algorithm",
        "temp_storage",
        "valid_items",
        "aggregate_output",
        "prefix_op",
    ];
    let refused: &[&str] = match name {
        "scan" => &[],
        "exclusive_scan" => &["mode"],
        "inclusive_scan" => &["mode", "initial_value"],
        _ => &["mode", "scan_op", "initial_value"],
    };
    if let Some((word, _)) = given
        .keywords
        .iter()
        .find(|(word, _)| refused.contains(&word.as_str()))
    {
        let text = format!("it has no argument '{word}'");
        return Err(single.failure(Code::Arguments, &text));
    }
    let [
        value,
        state,
        mode,
        operator,
        initial,
        algorithm,
        storage,
        valid,
        aggregate,
        prefix,
    ] = given.bind(names, 1)?;
    if single.choice("algorithm", algorithm, SCANS)?.is_some() && !single.is_block() {
        return Err(single.failure(Code::Arguments, "algorithm is for blocks"));
    }
    let mode = match name {
        "scan" => single.choice("mode", mode, &["exclusive", "inclusive"])?,
        _ => None,
    };
    let inclusive = mode.map_or(name.starts_with("inclusive"), |mode| mode == "inclusive");
    let is_given = |one: &Option<Operand>| {
        one.as_ref()
            .is_some_and(|one| !matches!(one, Operand::Constant(Value::None)))
    };
    let has_prefix = is_given(&prefix);
    let Some(items) = single.items("value", value)? else {
        return Ok(unknown());
    };
    let operator = single.operator(operator, &items.ty)?;
    let is_sum = operator == Operator::Named("plus".to_owned());
    if inclusive && is_given(&initial) {
        return Err(single.failure(Code::Arguments, "inclusive scans take no initial_value"));
    }
    if !inclusive && !is_sum && !is_given(&initial) && !has_prefix {
        let text =
            "exclusive scans other than sums need initial_value: what the first item becomes";
        return Err(single.failure(Code::Arguments, text));
    }
    if has_prefix && (is_given(&initial) || is_given(&aggregate) || !single.is_block()) {
        let text = "prefix_op is for scans by blocks, without initial_value and aggregate_output";
        return Err(single.failure(Code::Arguments, text));
    }
    if is_given(&valid) && (single.is_block() || is_given(&aggregate)) {
        let text = "valid_items is for scans by warps, without aggregate_output";
        return Err(single.failure(Code::Arguments, text));
    }
    let mut collective = single.made(Operation::Scan { inclusive }, &items);
    collective.operator = Some(operator);
    if let Some(prefix) = prefix.filter(|_| has_prefix) {
        collective.prefix = Some(match prefix {
            Operand::Constant(Value::Struct(class, fields)) if class == "StatefulFunction" => {
                let function = fields.into_iter().find(|(name, _)| name == "function");
                let function = function.map_or(Value::None, |(_, function)| function);
                (Operator::Function(function), true)
            }
            function => (single.function(function)?, false),
        });
    }
    let has_state = matches!(collective.prefix, Some((_, true)));
    if is_given(&state) && !has_state {
        let text = "a state needs prefix_op=coop.StatefulFunction(function, dtype)";
        return Err(single.failure(Code::Arguments, text));
    }
    let mut positional = vec![items.operand.clone()];
    let output = items
        .is_array
        .then(|| single.new_items(&items.ty, items.count));
    positional.extend(output.clone());
    let named = vec![
        ("initial_value", initial),
        ("prefix_state", state),
        ("block_aggregate", aggregate),
    ];
    let made = single.call(&collective, positional, named, storage)?;
    Ok(output.unwrap_or(made))
}
