"""Algorithms in short: arrays in, results out. Host arrays are copied to the device, and their results are host
arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from operator import index
from typing import Any, Literal

import numpy as np

import cuox
from cuox._internal.result_slot import fetch

from ._items import item_of
from .algorithms._adjacent import adjacent_difference as adjacent_difference_into
from .algorithms._algorithm import stream_of
from .algorithms._histogram import histogram_even, levels_of
from .algorithms._reduce import reduce_into
from .algorithms._runs import reduce_by_key as reduce_by_key_into
from .algorithms._runs import run_length_encode as run_length_encode_into
from .algorithms._scan import exclusive_scan, inclusive_scan
from .algorithms._select import select as select_into
from .algorithms._select import unique_by_key
from .algorithms._sort import SortOrder, merge_sort, radix_sort
from .algorithms._transform import binary_transform, unary_transform
from .iterators import DiscardIterator, array_of
from .op import OpKind


def _there(array: Any, stream: Any) -> tuple[cuox.Array, Callable[[cuox.Array], Any]]:
    """The array on the device, and what makes a result of one there."""
    if hasattr(array, "__cuda_array_interface__"):
        given = cuox.as_array(array)
        if given.is_f_contiguous and not given.is_c_contiguous:
            raise ValueError(
                "the array's items are in Fortran's order: array.copy('C') has them in the order of its indices"
            )
        return array_of(given), lambda result: result
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError(
            "masked arrays are not supported, as all elements would count: take array.compressed(), or array.filled(value)"
        )
    host = np.asarray(array)
    if host.dtype.kind == "O":
        raise TypeError(
            f"expected an array of numbers, got {type(array).__name__}{' of objects' if array is host else ''}"
        )

    def back(result: cuox.Array) -> Any:
        found = result.to_host(stream=stream)
        stream.sync()
        return found

    return cuox.to_device(np.ascontiguousarray(host).reshape(-1), stream=stream), back


def _host(array: cuox.Array, stream: Any) -> Any:
    found = array.to_host(stream=stream)
    stream.sync()
    return found


def _first(init: Any, dtype: Any) -> Any:
    """An initial value of Python's as one of the array's type, not to be written to. Raises TypeError for what is no
    number, ValueError if the type does not have it.
    """
    # -0.0 is equal to 0.0.
    if type(init) is int or (type(init) is float and (init != 0 or math.copysign(1.0, init) > 0)):
        return _known_first(init, dtype)
    return _new_first(init, dtype)


def _new_first(init: Any, dtype: Any) -> Any:
    if not isinstance(init, (bool, int, float, complex) if dtype.names is None else tuple):
        raise TypeError(
            f"init must be a number{'' if dtype.names is None else ' or a structure'} such as the elements of {dtype}, got {type(init).__name__}"
        )
    if dtype.kind in "iub" and isinstance(init, float) and not init.is_integer():
        raise ValueError(f"init is {init}, which is no {dtype}: np.float64({init}) makes the result one of float64")
    try:
        first = np.array([init], dtype)
        is_there = dtype.kind not in "iub" or first.item(0) == init
    except (OverflowError, TypeError, ValueError):
        if dtype.names is not None:
            raise
        is_there = False
    if not is_there:
        shown = repr(init)
        raise ValueError(
            f"init is {shown if len(shown) < 40 else 'a number'}, which is no {dtype}: a number of NumPy's makes the result one of its own type"
        )
    return first


_known_first = functools.lru_cache(64, typed=True)(_new_first)


def _order(stream: Any) -> cuox.Stream:
    """The stream, whoever's it is."""
    found = stream_of(stream)
    return found if isinstance(found, cuox.Stream) else cuox.Stream.from_handle(found.__cuda_stream__()[1])


def reduce(array: Any, init: Any, op: Any, *, stream: Any = None) -> Any:
    """Combine an initial value and the elements of an array by an operator: `reduce(x, 0.0, lambda a, b: a + b)`.
    Returns
    the number.

    array: on the host or a device. init: a number or a structure; a number of Python's is taken as one of the array's
    type. op: associative and commutative.
    """
    order = _order(stream)
    # Nothing more is asked of an array that is cuox's own: the whole call takes a few microseconds.
    given = array if type(array) is cuox.Array else _there(array, order)[0]
    first = init if hasattr(init, "dtype") else _first(init, given.dtype)
    return fetch(
        first.dtype,
        order,
        lambda out: reduce_into(d_in=given, d_out=out, num_items=given.size, op=op, h_init=first, stream=order),
    )


def scan(array: Any, op: Any, init: Any = None, *, exclusive: bool = False, stream: Any = None) -> Any:
    """Combine the elements up to each place, or with `exclusive` those before it: `scan(x, lambda a, b: a + b)`. op:
    associative.
    """
    order = _order(stream)
    given, back = _there(array, order)
    first = init if init is None or hasattr(init, "dtype") else _first(init, given.dtype)
    out = cuox.empty((given.size,), given.dtype if first is None else first.dtype, stream=order)
    if exclusive:
        exclusive_scan(d_in=given, d_out=out, op=op, init_value=first, num_items=given.size, stream=order)
    else:
        inclusive_scan(d_in=given, d_out=out, op=op, init_value=first, num_items=given.size, stream=order)
    return back(out)


def _one_nan(a: Any) -> Any:
    return a if a == a else math.nan


def sort(array: Any, op: Any = None, *, values: Any = None, descending: bool = False, stream: Any = None) -> Any:
    """Sort an array, and others' places with it: `sort(x)`, `sort(x, lambda a, b: abs(a) < abs(b))`. Elements that are
    equal keep their order.

    op: true if its first argument comes first. values: an array that is moved as the keys are. descending: the greatest
    first. NaN is greater than all numbers.

    Returns the sorted array; with `values` both arrays.
    """
    order = _order(stream)
    keys, back = _there(array, order)
    moved, back_values = (None, None) if values is None else _there(values, order)
    if moved is not None and moved.size != keys.size:
        raise ValueError(f"sort: {keys.size} keys and {moved.size} values")
    out = cuox.empty((keys.size,), keys.dtype, stream=order)
    out_values = None if moved is None else cuox.empty((keys.size,), moved.dtype, stream=order)
    if op is None:
        direction = SortOrder.DESCENDING if descending else SortOrder.ASCENDING
        if keys.dtype.kind == "f":
            # The bits of a NaN with a sign are those of the least key.
            unary_transform(d_in=keys, d_out=out, op=_one_nan, num_items=keys.size, stream=order)
            keys = out
        radix_sort(
            d_in_keys=keys,
            d_out_keys=out,
            d_in_values=moved,
            d_out_values=out_values,
            num_items=keys.size,
            order=direction,
            stream=order,
        )
    else:
        if descending:
            raise ValueError(
                "sort: descending is for sorts without an operator: let the operator say which comes first"
            )
        merge_sort(
            d_in_keys=keys,
            d_out_keys=out,
            d_in_values=moved,
            d_out_values=out_values,
            num_items=keys.size,
            op=op,
            stream=order,
        )
    if out_values is None or back_values is None:
        return back(out)
    return back(out), back_values(out_values)


def transform(op: Any, array: Any, other: Any = None, *, dtype: Any = None, stream: Any = None) -> Any:
    """Put `op(a)`, or `op(a, b)`, for the elements of one or two arrays into a new one: `transform(lambda a: a * a,
    x)`.

    dtype: the type of the results; the operator's, if it is left out.
    """
    from ._operators import operator_of

    order = _order(stream)
    given, back = _there(array, order)
    second = None if other is None else _there(other, order)[0]
    if second is not None and second.size != given.size:
        raise ValueError(f"transform: arrays of {given.size} and {second.size} elements")
    items = [item_of(given.dtype)] if second is None else [item_of(given.dtype), item_of(second.dtype)]
    if dtype is None:
        result = operator_of(op, items).result
        if result is None:
            raise TypeError("transform: the operator returns nothing")
        dtype = result.dtype
    out = cuox.empty((given.size,), np.dtype(dtype), stream=order)
    if second is None:
        unary_transform(d_in=given, d_out=out, op=op, num_items=given.size, stream=order)
    else:
        binary_transform(d_in1=given, d_in2=second, d_out=out, op=op, num_items=given.size, stream=order)
    return back(out)


def _found(out: cuox.Array, number: cuox.Array, order: Any) -> cuox.Array:
    return out[: int(_host(number, order)[0])]


def _check_form(algorithm: str, array: Any, into: dict[str, Any], what: str) -> None:
    """Raise TypeError unless either an array is given, or the names of the form that puts results into arrays."""
    if (array is None) == (not into):
        raise TypeError(
            f"{algorithm}() takes {what}, or arrays to read and to write by name{', not both' if into else ''}"
        )


def select(
    array: Any = None,
    cond: Any = None,
    *,
    d_in: Any = None,
    d_out: Any = None,
    d_num_selected_out: Any = None,
    num_items: Any = None,
    stream: Any = None,
) -> Any:
    """The elements for which a condition is true, in their order: `select(x, lambda a: a > 0)`.

    With `d_in`, `d_out`, `d_num_selected_out`, `cond` and `num_items` by name it is NVIDIA's `select`, which puts them
    into an array.
    """
    # No dict is made of the names: it would take as long as a launch takes cuox.
    if (
        array is None
        and cond is not None
        and d_in is not None
        and d_out is not None
        and d_num_selected_out is not None
        and num_items is not None
    ):
        select_into(
            d_in=d_in, d_out=d_out, d_num_selected_out=d_num_selected_out, cond=cond, num_items=num_items, stream=stream
        )
        return None
    names = {"d_in": d_in, "d_out": d_out, "d_num_selected_out": d_num_selected_out, "num_items": num_items}
    into = {name: value for name, value in names.items() if value is not None}
    if array is not None and into:
        raise TypeError(f"select() takes an array, or {', '.join(names)} and cond by name, not both")
    if cond is None:
        raise TypeError(
            "select() is missing the condition: select(array, lambda a: a > 0), or cond= beside d_in=, d_out=, d_num_selected_out= and num_items="
        )
    if array is None:
        # Python's error names what is missing.
        select_into(cond=cond, stream=stream, **into)
    order = _order(stream)
    given, back = _there(array, order)
    out, number = cuox.empty((given.size,), given.dtype, stream=order), cuox.zeros((1,), np.int64, stream=order)
    select_into(d_in=given, d_out=out, d_num_selected_out=number, cond=cond, num_items=given.size, stream=order)
    return back(_found(out, number, order))


def unique(array: Any, op: Any = OpKind.EQUAL_TO, *, stream: Any = None) -> Any:
    """The first element of each run of equal ones: for a sorted array all that differ. op: true if two elements are
    equal.
    """
    order = _order(stream)
    given, back = _there(array, order)
    out, number = cuox.empty((given.size,), given.dtype, stream=order), cuox.zeros((1,), np.int64, stream=order)
    unique_by_key(
        d_in_keys=given,
        d_in_items=given,
        d_out_keys=out,
        d_out_items=DiscardIterator(given),
        d_out_num_selected=number,
        op=op,
        num_items=given.size,
        stream=order,
    )
    return back(_found(out, number, order))


def histogram(array: Any, bins: int, range: tuple[Any, Any], *, stream: Any = None) -> Any:
    """The numbers of elements in so many bins of equal widths: `histogram(x, 10, (0.0, 1.0))`. The upper bound is in no
    bin.
    """
    order = _order(stream)
    given, back = _there(array, order)
    count = index(bins)
    if given.dtype.kind not in "iufb":
        raise TypeError(f"histogram: samples must be integers or floats, got {given.dtype}")
    if count < 1:
        raise ValueError(f"histogram: bins must be 1 or more, got {count}")
    out = cuox.empty((count,), np.int64, stream=order)
    try:
        low, high = range
        lower, upper = levels_of(low, high, given.dtype)
        dtype = np.result_type(given.dtype, lower.dtype, upper.dtype)
        if dtype.kind not in "iufb":
            raise TypeError
        if not type(low) is type(high) is int:
            lower, upper = lower.astype(dtype), upper.astype(dtype)
    except (TypeError, ValueError):
        raise TypeError(f"histogram: range must be two numbers, the lower and the upper bound, got {range!r}") from None
    histogram_even(
        d_samples=given,
        d_histogram=out,
        num_output_levels=count + 1,
        lower_level=lower,
        upper_level=upper,
        num_samples=given.size,
        stream=order,
    )
    return back(out)


def reduce_by_key(
    keys: Any = None, values: Any = None, op: Any = None, *, dtype: Any = None, stream: Any = None, **into: Any
) -> Any:
    """The keys of all runs of equal ones, and what an operator makes of the values of each: `reduce_by_key(keys,
    values,
    lambda a, b: a + b)`.

    keys, values: arrays of equal sizes. op: associative. dtype: the type of the results; that of the values if it is
    left out.

    With `d_keys_in`, `d_values_in`, `d_unique_out`, `d_aggregates_out`, `d_num_runs_out`, `op` and `num_items` by name
    it puts them into arrays.
    """
    _check_form("reduce_by_key", keys, into, "keys and values")
    if into:
        reduce_by_key_into(op=op, stream=stream, **into)
        return None
    order = _order(stream)
    (given, back), (summed, back_values) = _there(keys, order), _there(values, order)
    if given.size != summed.size:
        raise ValueError(f"reduce_by_key: {given.size} keys and {summed.size} values")
    out, sums = (
        cuox.empty((given.size,), given.dtype, stream=order),
        cuox.empty((given.size,), summed.dtype if dtype is None else np.dtype(dtype), stream=order),
    )
    number = cuox.zeros((1,), np.int64, stream=order)
    reduce_by_key_into(
        d_keys_in=given,
        d_values_in=summed,
        d_unique_out=out,
        d_aggregates_out=sums,
        d_num_runs_out=number,
        op=op,
        num_items=given.size,
        stream=order,
    )
    count = int(_host(number, order)[0])
    return back(out[:count]), back_values(sums[:count])


def run_length_encode(array: Any = None, op: Any = OpKind.EQUAL_TO, *, stream: Any = None, **into: Any) -> Any:
    """The item of each run of equal ones, and their numbers: `run_length_encode(x)`. op: true if two elements are
    equal.

    With `d_in`, `d_unique_out`, `d_counts_out`, `d_num_runs_out` and `num_items` by name it puts them into arrays.
    """
    _check_form("run_length_encode", array, into, "an array")
    if into:
        run_length_encode_into(stream=stream, **into)
        return None
    order = _order(stream)
    given, back = _there(array, order)
    out, counts, number = (
        cuox.empty((given.size,), given.dtype, stream=order),
        cuox.empty((given.size,), np.int64, stream=order),
        cuox.zeros((1,), np.int64, stream=order),
    )
    run_length_encode_into(
        d_in=given,
        d_unique_out=out,
        d_counts_out=counts,
        d_num_runs_out=number,
        num_items=given.size,
        equality_op=op,
        stream=order,
    )
    count = int(_host(number, order)[0])
    return back(out[:count]), back(counts[:count])


def adjacent_difference(
    array: Any = None,
    op: Any = OpKind.MINUS,
    *,
    side: Literal["left", "right"] = "left",
    stream: Any = None,
    **into: Any,
) -> Any:
    """Apply an operator to each element and its neighbour, the one before or with `side="right"` the one behind:
    `adjacent_difference(x)`.

    The element without a neighbour stays as it is. With `d_in`, `d_out` and `num_items` by name the results are put
    into an array.
    """
    _check_form("adjacent_difference", array, into, "an array")
    if into:
        adjacent_difference_into(op=op, side=side, stream=stream, **into)
        return None
    order = _order(stream)
    given, back = _there(array, order)
    out = cuox.empty((given.size,), given.dtype, stream=order)
    adjacent_difference_into(d_in=given, d_out=out, num_items=given.size, op=op, side=side, stream=order)
    return back(out)
