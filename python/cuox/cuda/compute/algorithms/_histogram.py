"""Histograms."""

from __future__ import annotations

from typing import Any

import numpy as np

from cuox._native import _Elementwise

from .._items import item_of
from .._kernels import Parts, convert, kernel
from ..iterators import array_of, source
from ._algorithm import Algorithm, checked, count_of, value_of


def _check_levels(lower: Any, upper: Any) -> None:
    if np.asarray(lower).dtype != np.asarray(upper).dtype:
        raise TypeError(f"h_lower_level and h_upper_level must have the same dtype, got {np.asarray(lower).dtype} and {np.asarray(upper).dtype}")


class _Histogram(Algorithm):
    def run(
        self, *, d_samples: Any, d_histogram: Any, h_num_output_levels: Any, h_lower_level: Any, h_upper_level: Any, num_samples: int, stream: Any
    ) -> None:
        _check_levels(h_lower_level, h_upper_level)
        bins = int(value_of(h_num_output_levels)) - 1
        histogram = array_of(d_histogram)
        if bins < 1:
            raise ValueError(f"a histogram has at least 2 levels, got {bins + 1}")
        if histogram.size < bins:
            raise ValueError(f"d_histogram has {histogram.size} items, {bins} are needed for {bins + 1} levels")
        if histogram.dtype.kind not in "iu" or histogram.dtype.itemsize not in (4, 8):
            raise TypeError(f"d_histogram must be an array of integers of 32 or 64 bits, got {histogram.dtype}")
        word = "unsigned int" if histogram.dtype.itemsize == 4 else "unsigned long long"
        parts = Parts()
        counts = parts.value(f"{word} *", histogram.ptr)
        kernel(_Elementwise, parts, f"{counts}[i] = 0;", name="histogram_clear")(*parts.values, n=bins, stream=stream)
        parts = Parts()
        parts.declare("typedef long long cuox_index;\n")
        read, sample = source(d_samples, parts)
        lower, upper = value_of(h_lower_level), value_of(h_upper_level)
        # As CUB has it: levels of floats, and of samples that are floats, are compared in floats; others exactly.
        level = item_of(np.result_type(lower.dtype, sample.dtype))
        parts.know(level)
        low, high = parts.scalar(lower, level), parts.scalar(upper, level)
        counts = parts.value(f"{word} *", histogram.ptr)
        number = parts.value("int", np.int32(bins))
        if level.dtype.kind == "f":
            place = f"(cuox_index)(float64(value - {low}) * (float64({number}) / float64({high} - {low})))"
        else:
            # The product of a difference and the number of bins may need more than 64 bits.
            place = f"(cuox_index)((unsigned __int128)((unsigned long long)value - (unsigned long long){low}) * {number} / ((unsigned long long){high} - (unsigned long long){low}))"
        operation = (
            f"const {level.cxx} value = {convert(read('i'), sample, level)}; if (value >= {low} && value < {high}) {{ cuox_index bin = {place}; "
            f"atomicAdd(&{counts}[bin < {number} ? bin : {number} - 1], ({word})1); }}"
        )
        kernel(_Elementwise, parts, operation, name="histogram")(*parts.values, n=count_of(num_samples, d_samples), stream=stream)


def make_histogram_even(
    *, d_samples: Any, d_histogram: Any, h_num_output_levels: Any, h_lower_level: Any, h_upper_level: Any, num_samples: int, compute_capability: Any = None
) -> _Histogram:
    """A `histogram_even` for arguments of these types."""
    checked(d_samples, d_histogram)
    _check_levels(h_lower_level, h_upper_level)
    return _Histogram()


def histogram_even(
    *, d_samples: Any, d_histogram: Any, num_output_levels: int, lower_level: Any, upper_level: Any, num_samples: int, stream: Any = None
) -> None:
    """Count the samples in bins of equal widths.

    d_samples: an array on the device, or an iterator. d_histogram: an array of 32 or 64 bit integers, one for each bin. num_output_levels: the number of
    bounds, one more than that of bins. lower_level: the first bin's lower bound. upper_level: the last one's upper bound, which is not in it.
    num_samples: the number of samples. stream: the order.
    """
    _Histogram()(
        d_samples=d_samples,
        d_histogram=d_histogram,
        h_num_output_levels=np.array([num_output_levels], np.int32),
        h_lower_level=np.asarray(lower_level).reshape(1),
        h_upper_level=np.asarray(upper_level).reshape(1),
        num_samples=num_samples,
        stream=stream,
    )
