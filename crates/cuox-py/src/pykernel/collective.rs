//! Operations of all threads of a block or warp, as the environment of a kernel tells them.

use cuox_pykernel::collective::{
    Arrangement, Collective, Exchange, Group, OPERATORS, Operation, Operator, Shuffle,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::host::{read_type, value};

fn operation(name: &str, numbers: &[u32]) -> PyResult<Operation> {
    let number = |index: usize| numbers.get(index).copied().unwrap_or(0);
    Ok(match name {
        "reduce" => Operation::Reduce { broadcast: false },
        "inclusive scan" => Operation::Scan { inclusive: true },
        "exclusive scan" => Operation::Scan { inclusive: false },
        "merge sort" => Operation::MergeSort,
        "radix sort" => Operation::RadixSort { descending: false },
        "radix sort descending" => Operation::RadixSort { descending: true },
        "radix rank" | "radix rank descending" => Operation::RadixRank {
            descending: name.ends_with("descending"),
            begin: number(0),
            end: number(1),
        },
        "adjacent difference left" => Operation::AdjacentDifference { right: false },
        "adjacent difference right" => Operation::AdjacentDifference { right: true },
        "discontinuity heads" | "discontinuity tails" | "discontinuity heads_and_tails" => {
            Operation::Discontinuity {
                heads: name.contains("heads"),
                tails: name.contains("tails"),
            }
        }
        "histogram" => Operation::Histogram {
            bins: number(0),
            each: 0,
        },
        "run length decode" => Operation::RunLengthDecode { decoded: number(0) },
        other => {
            let (what, how) = other.split_once(' ').unwrap_or((other, ""));
            let made = match what {
                "load" => Arrangement::named(how).map(Operation::Load),
                "store" => Arrangement::named(how).map(Operation::Store),
                "exchange" => Exchange::named(how).map(Operation::Exchange),
                "shuffle" => Shuffle::named(how).map(Operation::Shuffle),
                _ => None,
            };
            made.ok_or_else(|| PyValueError::new_err(format!("no collective {other:?}")))?
        }
    })
}

/// `(name, operation, group, type code, items, operator, prefix, initial, second type code, numbers)`: the numbers are
/// those of `operation` that its name does not say.
pub fn read(told: &Bound<'_, PyTuple>) -> PyResult<Collective> {
    let item = |index| told.get_item(index);
    let group = item(2)?;
    let group = match group.extract::<u32>() {
        Ok(threads) => Group::Warp(threads),
        Err(_) => Group::Block(group.extract::<(u32, u32, u32)>()?.into()),
    };
    let operator = item(5)?;
    let operator = if operator.is_none() {
        None
    } else if operator.is_instance_of::<PyString>() {
        Some(Operator::Named(operator.extract()?))
    } else {
        Some(Operator::Function(value(&operator)?))
    };
    let prefix = item(6)?;
    let prefix = if prefix.is_none() {
        None
    } else {
        let (function, has_state): (Bound<'_, PyAny>, bool) = prefix.extract()?;
        Some((Operator::Function(value(&function)?), has_state))
    };
    let initial = item(7)?;
    let initial = if initial.is_none() {
        None
    } else {
        Some(value(&initial)?)
    };
    let other = item(8)?;
    let other = if other.is_none() {
        None
    } else {
        Some(read_type(&other)?)
    };
    let numbers: Vec<u32> = item(9)?.extract()?;
    Ok(Collective {
        name: item(0)?.extract()?,
        operation: operation(&item(1)?.extract::<String>()?, &numbers)?,
        group,
        item: read_type(&item(3)?)?,
        items: item(4)?.extract()?,
        other,
        operator,
        prefix,
        initial,
    })
}

/// Return the bytes of shared memory that a call needs if it brings its storage, and their alignment.
#[pyfunction]
pub fn _collective_storage(told: &Bound<'_, PyTuple>) -> PyResult<(u64, u64)> {
    let storage = read(told)?.storage();
    Ok((storage.asked(), storage.align))
}

/// Return the operators that have a name: what programs write, and how the compiler of kernels calls it.
#[pyfunction]
pub fn _collective_operators() -> Vec<(&'static str, &'static str)> {
    OPERATORS.to_vec()
}
