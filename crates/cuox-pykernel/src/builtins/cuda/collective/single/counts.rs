//! `coop.histogram` and `coop.run_length_decode`.

use super::{Single, is_given};
use crate::collective::{Collective, Operation};
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::Operand;
use crate::types::{INT32, Type, UINT32, UINT64};

/// `histogram(group, samples, bins=…)`.
pub(super) fn histogram(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "samples",
        "bins",
        "bins_per_thread",
        "counter_dtype",
        "algorithm",
        "temp_storage",
    ];
    let [samples, bins, each, counter, algorithm, storage] = given.bind(names, 2)?;
    single.of_block()?;
    single.choice("algorithm", algorithm, &["atomic", "sort"])?;
    let threads = single.group.threads();
    let bins = single.known("bins", bins)?.unwrap_or(0);
    let each = single.known("bins_per_thread", each)?.unwrap_or(1);
    if bins == 0 || u64::from(each) * threads < u64::from(bins) {
        let text = format!(
            "{bins} bins do not go into {each} of each of {threads} threads: bins_per_thread"
        );
        return Err(single.failure(Code::Range, &text));
    }
    let counter = match counter {
        None | Some(Operand::Constant(Value::None)) => INT32,
        Some(counter) => single.frame.dtype(counter)?,
    };
    if !matches!(counter, Type::Int { bits: 32 | 64, .. }) {
        let text = format!(
            "counter_dtype must be an integer of 32 or 64 bits, got {}",
            counter.shown()
        );
        return Err(single.failure(Code::Type, &text));
    }
    let Some(items) = single.items("samples", samples)? else {
        return Ok(super::unknown());
    };
    if !items.ty.is_int() {
        let text = format!("samples must be integers, got {}", items.ty.shown());
        return Err(single.failure(Code::Type, &text));
    }
    let mut collective = single.made(Operation::Histogram { bins, each }, &items);
    collective.other = Some(counter.clone());
    let samples = single.as_array(&items)?;
    let counts = single.new_items(&counter, each);
    single.call(
        &collective,
        vec![samples, counts.clone()],
        Vec::new(),
        storage,
    )?;
    Ok(counts)
}

/// `run_length_decode(group, run_values, run_lengths, decoded_items_per_thread=…)`.
pub(super) fn run_length_decode(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "run_values",
        "run_lengths",
        "decoded_items_per_thread",
        "decoded_window_offset",
        "total_decoded_size",
        "relative_offsets",
        "decoded_offset_dtype",
        "temp_storage",
    ];
    let [
        values,
        lengths,
        decoded,
        offset,
        total,
        relative,
        dtype,
        storage,
    ] = given.bind(names, 3)?;
    single.of_block()?;
    let decoded = single.known("decoded_items_per_thread", decoded)?;
    let Some(decoded @ 1..) = decoded else {
        let text = "decoded_items_per_thread must be greater than 0";
        return Err(single.failure(Code::Range, text));
    };
    let offsets = single.offsets(dtype, &relative)?;
    single.filled(&relative, &offsets)?;
    single.filled(&total, &offsets)?;
    let Some((collective, items, runs)) = single.runs(decoded, values, lengths, offsets)? else {
        return Ok(super::unknown());
    };
    let made = single.new_items(&items, decoded);
    let [values, lengths] = runs;
    let positional = vec![values, lengths, made.clone()];
    let named = vec![("offset", offset), ("relative_offsets", relative)];
    let all = single.call(&collective, positional, named, storage)?;
    if is_given(&total)
        && let Some(total) = total
    {
        single.frame.store_item(total, super::first(), all)?;
    }
    Ok(made)
}

/// `run_length_decode_into(group, run_values, run_lengths, destination, decoded_items_per_thread=…)`.
pub(super) fn run_length_decode_into(
    frame: &mut Frame<'_, '_>,
    name: &str,
    mut given: Arguments,
) -> Result<Operand> {
    let mut single = Single::new(frame, name, &mut given)?;
    let names = [
        "run_values",
        "run_lengths",
        "destination",
        "decoded_items_per_thread",
        "destination_offset",
        "relative_offsets",
        "decoded_offset_dtype",
        "temp_storage",
    ];
    let [
        values,
        lengths,
        to,
        decoded,
        offset,
        relative,
        dtype,
        storage,
    ] = given.bind(names, 3)?;
    single.of_block()?;
    single.known("decoded_items_per_thread", decoded)?;
    let offsets = single.offsets(dtype, &relative)?;
    let Some((collective, _, [values, lengths])) = single.runs(0, values, lengths, offsets)? else {
        return Ok(super::unknown());
    };
    let to = to.unwrap_or(Operand::Constant(Value::None));
    let named = vec![("offset", offset), ("relative_offsets", relative)];
    single.call(&collective, vec![values, lengths, to], named, storage)
}

impl Single<'_, '_, '_> {
    /// The operation, the type of its items, and the arrays of values and lengths; `None` if a type is found later.
    fn runs(
        &mut self,
        decoded: u32,
        values: Option<Operand>,
        lengths: Option<Operand>,
        offsets: Type,
    ) -> Result<Option<(Collective, Type, [Operand; 2])>> {
        let Some(values) = self.items("run_values", values)? else {
            return Ok(None);
        };
        let Some(lengths) = self.items("run_lengths", lengths)? else {
            return Ok(None);
        };
        if values.count != lengths.count {
            let text = format!(
                "there are {} values and {} lengths of each thread",
                values.count, lengths.count
            );
            return Err(self.failure(Code::Arguments, &text));
        }
        let mut collective = self.made(Operation::RunLengthDecode { decoded }, &values);
        collective.other = Some(offsets);
        let runs = [self.as_array(&values)?, self.as_array(&lengths)?];
        Ok(Some((collective, values.ty, runs)))
    }

    /// The type of offsets: what is given, or that of the array that they are put into.
    fn offsets(&mut self, dtype: Option<Operand>, relative: &Option<Operand>) -> Result<Type> {
        let told = match (dtype, relative) {
            (Some(dtype), _) if !matches!(dtype, Operand::Constant(Value::None)) => {
                Some(self.frame.dtype(dtype)?)
            }
            (_, Some(Operand::Value(relative))) => {
                relative.ty.as_array().map(|array| array.element.clone())
            }
            _ => None,
        };
        match told {
            None => Ok(UINT32),
            Some(ty) if ty == UINT32 || ty == UINT64 => Ok(ty),
            Some(ty) => {
                let text = format!("offsets are uint32 or uint64, not {}", ty.shown());
                Err(self.failure(Code::Type, &text))
            }
        }
    }
}
