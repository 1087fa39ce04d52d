//! `coop.merge_sort_keys`, `coop.radix_sort_pairs` and their like.

use super::super::group::known_bool;
use super::{Items, Single, is_given};
use crate::collective::{Collective, Exchange, Operation};
use crate::diagnostic::{Code, Result};
use crate::infer::{Arguments, Frame};
use crate::operand::Operand;
use crate::types::{INT32, Type};

/// Ranks are those by so many bits where a call says nothing else, as NVIDIA's.
const DIGIT_BITS: u32 = 4;

/// The keys of a sort, and the values that go with them.
struct Sorted {
    keys: Items,
    values: Option<Items>,
}

impl Single<'_, '_, '_> {
    /// `None` if a type is found later.
    fn sorted(
        &mut self,
        keys: Option<Operand>,
        values: Option<Operand>,
        is_pairs: bool,
    ) -> Result<Option<Sorted>> {
        let Some(keys) = self.items("keys", keys)? else {
            return Ok(None);
        };
        if !is_pairs {
            return Ok(Some(Sorted { keys, values: None }));
        }
        let Some(values) = self.items("values", values)? else {
            return Ok(None);
        };
        if values.count != keys.count || values.is_array != keys.is_array {
            let text = format!(
                "there are {} keys and {} values of each thread",
                keys.count, values.count
            );
            return Err(self.failure(Code::Arguments, &text));
        }
        let values = Some(values);
        Ok(Some(Sorted { keys, values }))
    }

    /// Sorts copies of the keys and values, and returns them.
    fn sort(
        &mut self,
        mut collective: Collective,
        sorted: &Sorted,
        named: Vec<(&str, Option<Operand>)>,
        storage: Option<Operand>,
        to_striped: bool,
    ) -> Result<Operand> {
        let mut made = vec![self.copied(&sorted.keys)?];
        if let Some(values) = &sorted.values {
            collective.other = Some(values.ty.clone());
            made.push(self.copied(values)?);
        }
        self.call(&collective, made.clone(), named, storage.clone())?;
        let kinds = std::iter::once(&sorted.keys).chain(&sorted.values);
        let mut results = Vec::new();
        for (items, result) in kinds.zip(made) {
            if to_striped && let Some(exchange) = Exchange::named("blocked_to_striped") {
                let collective = self.made(Operation::Exchange(exchange), items);
                self.call(
                    &collective,
                    vec![result.clone()],
                    Vec::new(),
                    storage.clone(),
                )?;
            }
            results.push(self.result_of(items, result)?);
        }
        Ok(match <[Operand; 1]>::try_from(results) {
            Ok([only]) => only,
            Err(both) => Operand::Tuple(both),
        })
    }
}

/// Splits off the values of a sort by keys.
fn with_values(given: &mut Arguments, is_pairs: bool) -> Option<Operand> {
    if is_pairs && given.positional.len() > 1 {
        return Some(given.positional.remove(1));
    }
    let named = given.keywords.iter().position(|(name, _)| name == "values");
    named
        .filter(|_| is_pairs)
        .map(|at| given.keywords.remove(at).1)
}

/// `merge_sort_keys(group, keys)`, `merge_sort_pairs(group, keys, values)`.
pub(super) fn merge_sort(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let is_pairs = name.ends_with("pairs");
    let values = with_values(&mut given, is_pairs);
    let names = [
        "keys",
        "descending",
        "valid_items",
        "oob_default",
        "temp_storage",
        "compare_op",
    ];
    let [keys, descending, valid, otherwise, storage, compare] = given.bind(names, 1)?;
    let descending = known_bool(&format!("{}(): descending", single.name), descending)?;
    if descending && is_given(&compare) {
        return Err(single.failure(
            Code::Arguments,
            "it takes descending or compare_op, not both",
        ));
    }
    let Some(sorted) = single.sorted(keys, values, is_pairs)? else {
        return Ok(super::unknown());
    };
    let mut collective = single.made(Operation::MergeSort, &sorted.keys);
    let order = if descending { "greater" } else { "less" };
    collective.operator = Some(single.function_or(compare, order)?);
    let named = vec![("valid_items", valid), ("oob_default", otherwise)];
    single.sort(collective, &sorted, named, storage, false)
}

/// `radix_sort_keys(group, keys)`, `radix_sort_pairs(group, keys, values)`.
pub(super) fn radix_sort(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let is_pairs = name.ends_with("pairs");
    let values = with_values(&mut given, is_pairs);
    let names = [
        "keys",
        "begin_bit",
        "end_bit",
        "descending",
        "temp_storage",
        "blocked_to_striped",
    ];
    let [keys, begin, end, descending, storage, striped] = given.bind(names, 1)?;
    single.of_block()?;
    let descending = known_bool(&format!("{}(): descending", single.name), descending)?;
    let striped = known_bool(&format!("{}(): blocked_to_striped", single.name), striped)?;
    let Some(sorted) = single.sorted(keys, values, is_pairs)? else {
        return Ok(super::unknown());
    };
    let collective = single.made(Operation::RadixSort { descending }, &sorted.keys);
    let named = vec![("begin_bit", begin), ("end_bit", end)];
    single.sort(collective, &sorted, named, storage, striped)
}

/// `topk_max_keys(group, keys, k=8)` and its like: the first items of a sort.
pub(super) fn topk(frame: &mut Frame<'_, '_>, name: &str, mut given: Arguments) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let is_pairs = name.ends_with("pairs");
    let values = with_values(&mut given, is_pairs);
    let names = [
        "keys",
        "k",
        "valid_items",
        "begin_bit",
        "end_bit",
        "temp_storage",
    ];
    let [keys, k, valid, begin, end, storage] = given.bind(names, 1)?;
    single.of_block()?;
    let Some(k) = k.filter(|k| is_given(&Some(k.clone()))) else {
        return Err(single.failure(Code::Arguments, "it is missing k, the number of items"));
    };
    let k = single.frame.value(k)?;
    if !k.ty.is_integral() && k.ty != Type::Never {
        let text = format!("k must be an integer, got {}", k.ty.shown());
        return Err(single.failure(Code::Type, &text));
    }
    let Some(sorted) = single.sorted(keys, values, is_pairs)? else {
        return Ok(super::unknown());
    };
    let descending = name.contains("max");
    let collective = single.made(Operation::RadixSort { descending }, &sorted.keys);
    let named = vec![
        ("valid_items", valid),
        ("begin_bit", begin),
        ("end_bit", end),
    ];
    single.sort(collective, &sorted, named, storage, false)
}

/// `radix_rank(group, keys)`.
pub(super) fn radix_rank(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "keys",
        "begin_bit",
        "end_bit",
        "radix_bits",
        "descending",
        "exclusive_digit_prefix",
        "temp_storage",
    ];
    let [keys, begin, end, bits, descending, prefix, storage] = given.bind(names, 1)?;
    single.of_block()?;
    single.filled(&prefix, &INT32)?;
    let descending = known_bool("coop.radix_rank(): descending", descending)?;
    let Some(items) = single.items("keys", keys)? else {
        return Ok(super::unknown());
    };
    let all = match &items.ty {
        Type::Int { bits, .. } => u32::from(*bits),
        ty => {
            let text = format!("keys must be integers, got {}", ty.shown());
            return Err(single.failure(Code::Type, &text));
        }
    };
    let begin = single.known("begin_bit", begin)?.unwrap_or(0);
    let bits = single.known("radix_bits", bits)?;
    let end = match (single.known("end_bit", end)?, bits) {
        (Some(end), None) => end,
        (None, Some(bits)) => begin.saturating_add(bits),
        (None, None) => begin.saturating_add(DIGIT_BITS).min(all),
        (Some(end), Some(bits)) if end.checked_sub(begin) == Some(bits) => end,
        (Some(_), Some(_)) => {
            let text = "radix_bits is not the number of bits from begin_bit to end_bit";
            return Err(single.failure(Code::Arguments, text));
        }
    };
    if begin >= end || end > all {
        let text = format!("the bits {begin} to {end} are none of {all}");
        return Err(single.failure(Code::Range, &text));
    }
    let operation = Operation::RadixRank {
        descending,
        begin,
        end,
    };
    let collective = single.made(operation, &items);
    let keys = single.as_array(&items)?;
    let ranks = single.new_items(&INT32, items.count);
    let named = vec![("exclusive_digit_prefix", prefix)];
    single.call(&collective, vec![keys, ranks.clone()], named, storage)?;
    single.result_of(&items, ranks)
}
