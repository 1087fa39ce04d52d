//! `coop.histogram` and `coop.run_length_decode`.

use super::{Single, is_given};
use crate::collective::Operation;
use crate::diagnostic::{Code, Result};
use crate::host::Value;
use crate::infer::{Arguments, Frame};
use crate::operand::Operand;
use crate::types::{INT32, Type, UINT32};

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
    single.offsets(dtype)?;
    let decoded = single.known("decoded_items_per_thread", decoded)?;
    let Some(decoded @ 1..) = decoded else {
        let text = "decoded_items_per_thread must be greater than 0";
        return Err(single.failure(Code::Range, text));
    };
    let Some(items) = single.items("run_values", values)? else {
        return Ok(super::unknown());
    };
    let Some(lengths) = single.items("run_lengths", lengths)? else {
        return Ok(super::unknown());
    };
    let collective = single.made(Operation::RunLengthDecode { decoded }, &items);
    let (values, lengths) = (single.as_array(&items)?, single.as_array(&lengths)?);
    let made = single.new_items(&items.ty, decoded);
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
    single.offsets(dtype)?;
    single.known("decoded_items_per_thread", decoded)?;
    if is_given(&relative) {
        let text = "relative_offsets is not supported: coop.run_length_decode() has it";
        return Err(single.failure(Code::Unsupported, text));
    }
    let Some(items) = single.items("run_values", values)? else {
        return Ok(super::unknown());
    };
    let Some(lengths) = single.items("run_lengths", lengths)? else {
        return Ok(super::unknown());
    };
    let collective = single.made(Operation::RunLengthDecode { decoded: 0 }, &items);
    let (values, lengths) = (single.as_array(&items)?, single.as_array(&lengths)?);
    let to = to.unwrap_or(Operand::Constant(Value::None));
    single.call(
        &collective,
        vec![values, lengths, to],
        vec![("offset", offset)],
        storage,
    )
}

impl Single<'_, '_, '_> {
    /// Offsets are of one type.
    fn offsets(&mut self, dtype: Option<Operand>) -> Result<()> {
        match dtype {
            None | Some(Operand::Constant(Value::None)) => Ok(()),
            Some(dtype) => match self.frame.dtype(dtype)? {
                ty if ty == UINT32 => Ok(()),
                ty => {
                    let text = format!("offsets are uint32, not {}", ty.shown());
                    Err(self.failure(Code::Unsupported, &text))
                }
            },
        }
    }
}
