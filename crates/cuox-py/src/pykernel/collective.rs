//! Operations of all threads of a block or warp, as the environment of a kernel tells them.

use cuox_pykernel::collective::{Arrangement, Collective, Group, Operation, Operator};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};

use super::host::{read_type, value};

fn operation(name: &str) -> PyResult<Operation> {
    Ok(match name {
        "load" => Operation::Load(Arrangement::Blocked),
        "load transposed" => Operation::Load(Arrangement::Transposed),
        "load striped" => Operation::Load(Arrangement::Striped),
        "store" => Operation::Store(Arrangement::Blocked),
        "store transposed" => Operation::Store(Arrangement::Transposed),
        "store striped" => Operation::Store(Arrangement::Striped),
        "striped to blocked" => Operation::StripedToBlocked,
        "reduce" => Operation::Reduce,
        "inclusive scan" => Operation::Scan { inclusive: true },
        "exclusive scan" => Operation::Scan { inclusive: false },
        "merge sort" => Operation::MergeSort,
        "radix sort" => Operation::RadixSort { descending: false },
        "radix sort descending" => Operation::RadixSort { descending: true },
        other => return Err(PyValueError::new_err(format!("no collective {other:?}"))),
    })
}

/// `(name, operation, group, type code, items, operator, prefix, initial)`.
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
        Some((value(&function)?, has_state))
    };
    let initial = item(7)?;
    let initial = if initial.is_none() {
        None
    } else {
        Some(value(&initial)?)
    };
    Ok(Collective {
        name: item(0)?.extract()?,
        operation: operation(&item(1)?.extract::<String>()?)?,
        group,
        item: read_type(&item(3)?)?,
        items: item(4)?.extract()?,
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
