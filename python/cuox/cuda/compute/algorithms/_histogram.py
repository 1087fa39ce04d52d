"""Histograms."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

import cuox
from cuox._native import _Elementwise, _histogram

from .._calls import Call, Count, remembered
from .._items import item_of
from .._kernels import Parts, convert
from .._overlap import Sharing
from ..iterators import Pointer, array_of, iterator_of, source
from ._algorithm import Algorithm, checked, maker, value_of


def _check_dtypes(lower: Any, upper: Any) -> None:
    given = [np.asarray(level).dtype for level in (lower, upper)]
    for dtype in given:
        if dtype.kind not in "iufb":
            raise TypeError(f"levels must be integers or floats, got {dtype}")
    if given[0] != given[1]:
        raise TypeError(f"the lower and the upper level must have the same dtype, got {given[0]} and {given[1]}")


def levels_of(lower: Any, upper: Any, samples: np.dtype[Any]) -> tuple[Any, Any]:
    """Both levels as arrays of one item. Integers of Python's get the smallest type that has them and all samples, so
    that they are compared as they are.
    """
    if type(lower) is int and type(upper) is int and samples.kind in "iu":
        for dtype in (samples, np.dtype(np.int32), np.dtype(np.int64), np.dtype(np.uint64)):
            info = np.iinfo(dtype)
            if np.can_cast(samples, dtype) and info.min <= min(lower, upper) and max(lower, upper) <= info.max:
                return np.array([lower], dtype), np.array([upper], dtype)
    found = np.asarray(lower), np.asarray(upper)
    for level in found:
        if level.size != 1:
            raise ValueError(f"a level is one number, got {level.size}")
    return found[0].reshape(1), found[1].reshape(1)


def _check_levels(lower: Any, upper: Any) -> None:
    _check_dtypes(lower, upper)
    low, high = value_of(lower).item(), value_of(upper).item()
    # Of NaN neither is true.
    if not (low < high and math.isfinite(high - low)):
        raise ValueError(
            f"the upper level must be greater than the lower one, and their difference finite, got {low} and {high}"
        )


def _work(call: Call, d_samples: Any, d_histogram: Any, bins: int, lower: Any, upper: Any, num_samples: Count) -> None:
    histogram = array_of(d_histogram)
    if bins < 1:
        raise ValueError(f"a histogram has at least 2 levels, got {bins + 1}")
    if histogram.size < bins:
        raise ValueError(f"d_histogram has {histogram.size} items, {bins} are needed for {bins + 1} levels")
    if histogram.dtype.kind not in "iu" or histogram.dtype.itemsize not in (4, 8):
        raise TypeError(f"d_histogram must be an array of integers of 32 or 64 bits, got {histogram.dtype}")
    word = "unsigned int" if histogram.dtype.itemsize == 4 else "unsigned long long"
    target = iterator_of(d_histogram)
    call.checked_count(bins, target)
    count = call.checked_count(num_samples, d_samples)
    call.check_overlap(count, [d_samples], [d_histogram], out_count=bins, sharing=Sharing.NONE)
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, sample = source(d_samples, parts)
    # As CUB has it: levels of floats, and of samples that are floats, are compared in floats; others exactly.
    level = item_of(np.result_type(value_of(lower).dtype, sample.dtype))
    if level.dtype.kind not in "iufb":
        raise TypeError(
            f"samples and levels must be integers or floats, got {sample.dtype} and {value_of(lower).dtype}"
        )
    parts.know(level)
    low, high = (
        parts.scalar(value_of(value), level, call.slots[name]) for value, name in ((lower, "lower"), (upper, "upper"))
    )
    texts = (
        level.cxx,
        convert(read("i"), sample, level),
        low,
        high,
        parts.value("unsigned int", np.uint32(bins)),
        _address(target, parts),
        word,
    )
    clear = Parts()
    call.launch(_Elementwise, clear, target.writer(clear)("i", "0"), n=bins, name="histogram_clear")
    call.launch(_histogram, parts, *texts, is_float=level.dtype.kind == "f", bins=bins, n=count, name="histogram")


def _address(target: Any, parts: Parts) -> str:
    if not isinstance(target, Pointer):
        raise TypeError("d_histogram must be an array on the device")
    return target.address(parts, read_only=False)


_calls = remembered("aakvvn", _work)


class _Histogram(Algorithm):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_samples: Any,
        d_histogram: Any,
        h_num_output_levels: Any,
        h_lower_level: Any,
        h_upper_level: Any,
        num_samples: int,
        stream: Any = None,
    ) -> int:
        _check_levels(h_lower_level, h_upper_level)
        bins = index(value_of(h_num_output_levels)) - 1
        return self._run(
            temp_storage, _calls, stream, d_samples, d_histogram, bins, h_lower_level, h_upper_level, num_samples
        )


@maker
def make_histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    h_num_output_levels: Any,
    h_lower_level: Any,
    h_upper_level: Any,
    num_samples: int,
    compute_capability: Any = None,
) -> _Histogram:
    """A `histogram_even` for arguments of these types."""
    checked(d_samples, d_histogram)
    _check_dtypes(h_lower_level, h_upper_level)
    return _Histogram()


def histogram_even(
    *,
    d_samples: Any,
    d_histogram: Any,
    num_output_levels: int,
    lower_level: Any,
    upper_level: Any,
    num_samples: int,
    stream: Any = None,
) -> None:
    """Count the samples in bins of equal widths.

    d_samples: an array on the device, or an iterator. d_histogram: an array of 32 or 64 bit integers, one for each bin.
    num_output_levels: the number of bounds, one more than that of bins. lower_level: the first bin's lower bound.
    upper_level: the last one's upper bound, which is not in it. num_samples: the number of samples. stream: the order.

    Raises TypeError for samples and levels that are no numbers, levels of different types, and counts that are no
    integers of 32 or 64 bits; ValueError for levels that are not in order, and too few samples or counts.
    """
    samples = d_samples.dtype if type(d_samples) is cuox.Array else iterator_of(d_samples).item.dtype
    lower, upper = levels_of(lower_level, upper_level, samples)
    _check_levels(lower, upper)
    _calls(stream, d_samples, d_histogram, index(num_output_levels) - 1, lower, upper, num_samples)
