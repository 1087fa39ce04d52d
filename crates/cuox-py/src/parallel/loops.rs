//! Elementwise kernels whose loops are templates of `cuox-parallel`.

use cuox_parallel::{histogram, search, segmented_reduce};
use pyo3::prelude::*;

use super::elementwise::Elementwise;
use super::parameters;
use crate::error::OrRaise;

/// A kernel that adds the number of values in each bin of equal widths to the counts.
///
/// parameters: `(c_type, name, is_vector)` for each. c_type: the C++ type of values and levels; is_float: true for
/// floats. load_expr: the value at `i`. low_expr, high_expr: the lowest and the highest level. bins_expr: the number of
/// bins; bins: that number. counts_expr: the address of the counts. count_type: their C++ type.
///
/// Raises ValueError for names that are none in C++.
#[pyfunction]
#[pyo3(signature = (parameters, c_type, load_expr, low_expr, high_expr, bins_expr, counts_expr, count_type, *, is_float, bins, name, preamble, options))]
#[allow(clippy::too_many_arguments, reason = "each is a text of the kernel's")]
pub fn _histogram(
    py: Python<'_>,
    parameters: &Bound<'_, PyAny>,
    c_type: String,
    load_expr: String,
    low_expr: String,
    high_expr: String,
    bins_expr: String,
    counts_expr: String,
    count_type: String,
    is_float: bool,
    bins: usize,
    name: String,
    preamble: String,
    options: Vec<String>,
) -> PyResult<Elementwise> {
    let kernel = histogram::new(histogram::Parts {
        parameters: self::parameters(parameters)?,
        c_type,
        is_float,
        load_expr,
        low_expr,
        high_expr,
        bins_expr,
        bins,
        counts_expr,
        count_type,
        name,
        preamble,
        options,
    });
    Ok(kernel.or_raise(py)?.into())
}

/// A kernel that combines the items of each segment, from left to right, with `1 << shift_expr` indices for each.
///
/// parameters: `(c_type, name, is_vector)` for each. c_type, item_size, item_align: the C++ type of items. begin_expr,
/// end_expr: the places of the segment `i`. load_expr: the item at `i`; in_memory: true if that is one in memory.
/// reduce_expr: the operator, in `a` and `b`. first_expr: what is combined with the first item. store: a statement that
/// puts the result `sum` of `i` somewhere. serial: for the software GPU.
///
/// Raises ValueError for names that are none in C++.
#[pyfunction]
#[pyo3(signature = (parameters, c_type, begin_expr, end_expr, load_expr, reduce_expr, first_expr, shift_expr, store, *, item_size, item_align, in_memory,
    serial, name, preamble, options))]
#[allow(clippy::too_many_arguments, reason = "each is a text of the kernel's")]
pub fn _segmented_reduction(
    py: Python<'_>,
    parameters: &Bound<'_, PyAny>,
    c_type: String,
    begin_expr: String,
    end_expr: String,
    load_expr: String,
    reduce_expr: String,
    first_expr: String,
    shift_expr: String,
    store: String,
    item_size: usize,
    item_align: usize,
    in_memory: bool,
    serial: bool,
    name: String,
    preamble: String,
    options: Vec<String>,
) -> PyResult<Elementwise> {
    let kernel = segmented_reduce::new(segmented_reduce::Parts {
        parameters: self::parameters(parameters)?,
        c_type,
        item_size,
        item_align,
        begin_expr,
        end_expr,
        load_expr,
        in_memory,
        reduce_expr,
        first_expr,
        shift_expr,
        store,
        serial,
        name,
        preamble,
        options,
    });
    Ok(kernel.or_raise(py)?.into())
}

/// A kernel that finds a place in sorted items for each value.
///
/// parameters: `(c_type, name, is_vector)` for each. c_type: the C++ type of values. value_expr: that at `i`.
/// count_expr: the number of items. before_expr: true if `value` comes behind the item at `middle`. store: a statement
/// that puts the `place` of `i` somewhere.
///
/// Raises ValueError for names that are none in C++.
#[pyfunction]
#[pyo3(signature = (parameters, c_type, value_expr, count_expr, before_expr, store, *, name, preamble, options))]
#[allow(clippy::too_many_arguments, reason = "each is a text of the kernel's")]
pub fn _search(
    py: Python<'_>,
    parameters: &Bound<'_, PyAny>,
    c_type: String,
    value_expr: String,
    count_expr: String,
    before_expr: String,
    store: String,
    name: String,
    preamble: String,
    options: Vec<String>,
) -> PyResult<Elementwise> {
    let kernel = search::new(search::Parts {
        parameters: self::parameters(parameters)?,
        c_type,
        value_expr,
        count_expr,
        before_expr,
        store,
        name,
        preamble,
        options,
    });
    Ok(kernel.or_raise(py)?.into())
}
