//! `coop.load`, `coop.store`, and what moves items between threads or compares neighbours.

use super::super::group::known_bool;
use super::{Single, is_given, renamed};
use crate::collective::{Arrangement, Exchange, Guard, Operation, Operator, Part, Shuffle, WARP};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::{Binding, Expr, Operand};
use crate::types::{INT32, INT64};

const MOVES: &[&str] = &[
    "direct",
    "striped",
    "vectorize",
    "transpose",
    "warp_transpose",
    "warp_transpose_timesliced",
];

/// `load(group, source, output)`, `store(group, destination, value)`.
pub(super) fn move_items(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
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
    let operand = single.as_array(&items)?;
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
        let class = self.group.class();
        let mut text = format!("int64({class}::block_number()) * {tile}");
        if let Some(offset) = offset {
            text = format!("{} + {text}", offset.inside(Binding::Sum));
        }
        Ok(Some(Expr::bound(INT64, text, Binding::Sum).into()))
    }
}

/// `exchange(group, value)`.
pub(super) fn exchange(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "value",
        "mode",
        "ranks",
        "valid_flags",
        "warp_time_slicing",
        "temp_storage",
    ];
    let [value, mode, ranks, flags, slicing, storage] = given.bind(names, 1)?;
    known_bool("coop.exchange(): warp_time_slicing", slicing)?;
    let modes = &[
        "striped_to_blocked",
        "blocked_to_striped",
        "warp_striped_to_blocked",
        "blocked_to_warp_striped",
        "scatter_to_blocked",
        "scatter_to_striped",
        "scatter_to_striped_guarded",
        "scatter_to_striped_flagged",
    ];
    let known = if single.is_block() {
        &modes[..]
    } else {
        &modes[..2]
    };
    let mode = single.choice("mode", mode, known)?.unwrap_or(modes[0]);
    let exchange = Exchange::named(mode).unwrap_or(Exchange::Scatter {
        to: crate::collective::Order::Blocked,
        guard: Guard::None,
    });
    if exchange.is_of_warps() && !single.group.threads().is_multiple_of(WARP) {
        let text = format!("{mode} needs blocks of whole warps");
        return Err(single.failure(Code::Range, &text));
    }
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    let collective = single.made(Operation::Exchange(exchange), &items);
    let input = single.as_array(&items)?;
    let output = single.new_items(&items.ty, items.count);
    let named = vec![("ranks", ranks), ("valid_flags", flags)];
    single.call(&collective, vec![input, output.clone()], named, storage)?;
    single.result_of(&items, output)
}

/// `shuffle(group, value)`.
pub(super) fn shuffle(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let [value, mode, distance, storage] =
        given.bind(["value", "mode", "distance", "temp_storage"], 1)?;
    single.of_block()?;
    let modes = &["up", "down", "offset", "rotate"];
    let mode = single.choice("mode", mode, modes)?.unwrap_or("down");
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    let shuffle = Shuffle::named(mode).unwrap_or(Shuffle::Down);
    let collective = single.made(Operation::Shuffle(shuffle), &items);
    if matches!(shuffle, Shuffle::Offset | Shuffle::Rotate) {
        if items.is_array {
            let text = format!("{mode} takes one value of each thread");
            return Err(single.failure(Code::Arguments, &text));
        }
        let named = vec![("distance", distance)];
        return single.call(&collective, vec![items.operand], named, storage);
    }
    if single
        .known("distance", distance)?
        .is_some_and(|distance| distance != 1)
    {
        let text = format!("{mode} moves by one place; \"offset\" and \"rotate\" by others");
        return Err(single.failure(Code::Arguments, &text));
    }
    let input = single.as_array(&items)?;
    let output = single.new_items(&items.ty, items.count);
    single.call(
        &collective,
        vec![input, output.clone()],
        Vec::new(),
        storage,
    )?;
    single.result_of(&items, output)
}

/// `adjacent_difference(group, value)`.
pub(super) fn adjacent_difference(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "value",
        "direction",
        "valid_items",
        "tile_predecessor_item",
        "tile_successor_item",
        "temp_storage",
        "difference_op",
    ];
    let [value, direction, valid, before, behind, storage, operator] = given.bind(names, 1)?;
    single.of_block()?;
    let direction = single.choice("direction", direction, &["left", "right"])?;
    let right = direction == Some("right");
    let (own, other) = if right {
        (behind, before)
    } else {
        (before, behind)
    };
    if is_given(&other) {
        let text = "differences to the left have a predecessor, those to the right a successor";
        return Err(single.failure(Code::Arguments, text));
    }
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    let mut collective = single.made(Operation::AdjacentDifference { right }, &items);
    collective.operator = Some(single.function_or(operator, "minus")?);
    let neighbour = if right {
        "tile_successor_item"
    } else {
        "tile_predecessor_item"
    };
    let input = single.as_array(&items)?;
    let output = single.new_items(&items.ty, items.count);
    let named = vec![(neighbour, own), ("valid_items", valid)];
    single.call(&collective, vec![input, output.clone()], named, storage)?;
    single.result_of(&items, output)
}

/// `discontinuity(group, value)`.
pub(super) fn discontinuity(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "value",
        "mode",
        "tile_predecessor_item",
        "tile_successor_item",
        "temp_storage",
        "flag_op",
    ];
    let [value, mode, before, behind, storage, operator] = given.bind(names, 1)?;
    single.of_block()?;
    let modes = &["heads", "tails", "heads_and_tails"];
    let mode = single.choice("mode", mode, modes)?.unwrap_or("heads");
    let (heads, tails) = (mode != "tails", mode != "heads");
    if !heads && is_given(&before) || !tails && is_given(&behind) {
        let text = "heads have a predecessor, tails a successor";
        return Err(single.failure(Code::Arguments, text));
    }
    let Some(items) = single.items("value", value)? else {
        return Ok(super::unknown());
    };
    let mut collective = single.made(Operation::Discontinuity { heads, tails }, &items);
    collective.operator = Some(single.function_or(operator, "differs")?);
    let mut positional = vec![single.as_array(&items)?];
    let mut flags = Vec::new();
    for _ in 0..usize::from(heads) + usize::from(tails) {
        flags.push(single.new_items(&INT32, items.count));
    }
    positional.extend(flags.iter().cloned());
    let mut named = Vec::new();
    if heads {
        named.push(("tile_predecessor_item", before));
    }
    if tails {
        named.push(("tile_successor_item", behind));
    }
    single.call(&collective, positional, named, storage)?;
    let mut results = Vec::new();
    for flags in flags {
        results.push(single.result_of(&items, flags)?);
    }
    Ok(match <[Operand; 1]>::try_from(results) {
        Ok([only]) => only,
        Err(both) => Operand::Tuple(both),
    })
}

impl Single<'_, '_, '_> {
    /// A function of the program, or the prelude's of this name.
    pub(super) fn function_or(&self, given: Option<Operand>, otherwise: &str) -> Result<Operator> {
        match given.filter(|one| !matches!(one, Operand::Constant(Value::None))) {
            Some(function) => self.function(function),
            None => Ok(Operator::Named(otherwise.to_owned())),
        }
    }
}
