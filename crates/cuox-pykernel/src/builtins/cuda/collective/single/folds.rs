//! `coop.reduce`, `coop.scan` and their like.

use super::super::group::known_bool;
use super::{Single, is_given, renamed};
use crate::collective::{Operation, Operator};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::Operand;

const REDUCTIONS: &[&str] = &["raking", "raking_commutative_only", "warp_reductions"];
const SCANS: &[&str] = &["raking", "raking_memoize", "warp_scans"];

/// `reduce(group, value)`, `sum(group, value)`.
pub(super) fn reduce(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
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
    let broadcast =
        !is_given(&broadcast) || known_bool(&format!("{}(): broadcast", single.name), broadcast)?;
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    let mut collective = single.made(Operation::Reduce { broadcast }, &items);
    collective.operator = Some(single.operator(operator, &items.ty)?);
    let named = vec![("num_valid", valid)];
    single.call(&collective, vec![items.operand], named, storage)
}

/// `reduce_batched(group, values)`.
pub(super) fn reduce_batched(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let [values, operator, layout] = given.bind(["values", "binary_op", "output_layout"], 1)?;
    let layout = single.choice("output_layout", layout, &["striped", "blocked"])?;
    if single.is_block() {
        return Err(single.failure(Code::Arguments, "it is an operation of warps"));
    }
    let Some(items) = single.items("values", values)? else {
        return Ok(super::unknown());
    };
    let blocked = layout == Some("blocked");
    let mut collective = single.made(Operation::ReduceBatched { blocked }, &items);
    collective.operator = Some(single.operator(operator, &items.ty)?);
    let values = single.as_array(&items)?;
    let each = u64::from(items.count).div_ceil(single.group.threads());
    let results = single.new_items(&items.ty, u32::try_from(each).unwrap_or(items.count));
    single.call(&collective, vec![values, results.clone()], Vec::new(), None)?;
    single.result_of(&items, results)
}

/// `scan(group, value)` and the like.
pub(super) fn scan(frame: &mut Frame<'_, '_>, name: &str, mut given: Arguments) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    renamed(&mut given, "block_prefix_callback_op", "prefix_op");
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
    let has_prefix = is_given(&prefix);
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    single.filled(&aggregate, &items.ty)?;
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
    if is_given(&valid) && (single.is_block() || items.is_array) {
        let text = "valid_items is for scans by warps, of one item of each thread";
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
        ("valid_items", valid.filter(|_| !single.is_block())),
    ];
    let made = single.call(&collective, positional, named, storage)?;
    Ok(output.unwrap_or(made))
}
