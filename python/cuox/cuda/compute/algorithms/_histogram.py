"""Histograms."""

from __future__ import annotations

import math
from operator import index
from typing import Any

import numpy as np

from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._items import item_of
from .._kernels import Parts, convert
from ..iterators import Pointer, array_of, iterator_of, source
from ._algorithm import Made, checked, maker, stream_of, value_of


def _check_dtypes(lower: Any, upper: Any) -> None:
    given = [np.asarray(level).dtype for level in (lower, upper)]
    if given[0] != given[1]:
        raise TypeError(f"the lower and the upper level must have the same dtype, got {given[0]} and {given[1]}")


def _check_levels(lower: Any, upper: Any) -> None:
    _check_dtypes(lower, upper)
    low, high = value_of(lower).item(), value_of(upper).item()
    # Of NaN neither is true.
    if not (low < high and math.isfinite(high - low)):
        raise ValueError(f"the upper level must be greater than the lower one, and their difference finite, got {low} and {high}")


# Samples that a thread loads at once.
_AHEAD = 4

# Bins in shared memory; for few of them each warp has its own, so that fewer threads wait for each other.
_SHARED = [(256, 8), (1024, 4), (4096, 1), (8192, 1)]


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
    call.room(bins, target)
    parts = Parts()
    call.launch(_Elementwise, parts, target.writer(parts)("i", "0"), n=bins, name="histogram_clear")
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, sample = source(d_samples, parts)
    # As CUB has it: levels of floats, and of samples that are floats, are compared in floats; others exactly.
    level = item_of(np.result_type(value_of(lower).dtype, sample.dtype))
    if level.dtype.kind not in "iufb":
        raise TypeError(f"samples and levels must be integers or floats, got {sample.dtype} and {value_of(lower).dtype}")
    parts.know(level)
    low, high = (parts.scalar(value_of(value), level, call.slots[name]) for value, name in ((lower, "lower"), (upper, "upper")))
    counts = f"(({word} *){_address(target, parts)})"
    number = parts.value("int", np.int32(bins))
    prepared = ""
    if level.dtype.kind == "f":
        prepared = f"const float64 scale = float64({number}) / float64({high} - {low}); "
        place = f"(int)(float64(value - {low}) * scale)"
    else:
        # The product of a difference and the number of bins may need more than 64 bits.
        place = f"(int)((unsigned __int128)((unsigned long long)value - (unsigned long long){low}) * {number} / ((unsigned long long){high} - (unsigned long long){low}))"
    room, copies = next(((room, copies) for room, copies in _SHARED if bins <= room), (0, 0))
    add = f"atomicAdd(&{counts}[place], ({word})1)"
    after = ""
    if room:
        prepared += (
            f"__shared__ unsigned int cuox_bins[{room * copies}]; for (unsigned k = tid; k < {room * copies}; k += blockDim.x) cuox_bins[k] = 0; __syncthreads(); "
            f"unsigned int *const own = cuox_bins + tid / 32 % {copies} * {room};"
        )
        add = "atomicAdd(&own[place], 1u)"
        after = (
            f"__syncthreads(); for (unsigned k = tid; k < {number}; k += blockDim.x) {{ {word} sum = 0; "
            f"for (int copy = 0; copy < {copies}; ++copy) sum += cuox_bins[copy * {room} + k]; if (sum != 0) atomicAdd(&{counts}[k], sum); }}"
        )
    # Several samples are loaded before the first is counted: no load passes an atomic operation.
    loop = f"""
auto cuox_count = [&](const {level.cxx} value) {{
    if (value >= {low} && value < {high}) {{
        const int bin = {place};
        const int place = bin < {number} ? bin : {number} - 1;
        {add};
    }}
}};
const cuox_index all = total_threads;
cuox_index first = cta_start + tid;
// No sum is beyond n: it might not be a number of this type.
for (; first < n && n - first > {_AHEAD - 1} * all; first += {_AHEAD} * all) {{
    {level.cxx} values[{_AHEAD}];
#pragma unroll
    for (int k = 0; k < {_AHEAD}; ++k) {{
        const cuox_index at = first + k * all;
        values[k] = {convert(read("at"), sample, level)};
    }}
#pragma unroll
    for (int k = 0; k < {_AHEAD}; ++k)
        cuox_count(values[k]);
    if (n - first <= {_AHEAD} * all) {{
        first = n;
        break;
    }}
}}
#pragma unroll 1
while (first < n) {{
    const cuox_index at = first;
    cuox_count({convert(read("at"), sample, level)});
    if (n - first <= all)
        break;
    first += all;
}}
"""
    count = call.room(num_samples, d_samples)
    call.launch(_Elementwise, parts, "(void)i", n=count, name="histogram", loop_prep=prepared + loop, after_loop=after)


def _address(target: Any, parts: Parts) -> str:
    if not isinstance(target, Pointer):
        raise TypeError("d_histogram must be an array on the device")
    return target.address(parts, read_only=False)


_calls = remembered("aakvvn", _work)


class _Histogram(Made):
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
        if temp_storage is not None:
            _check_levels(h_lower_level, h_upper_level)
            self._through(_calls)(stream, d_samples, d_histogram, index(value_of(h_num_output_levels)) - 1, h_lower_level, h_upper_level, num_samples)
        else:
            stream_of(stream)
        return 1


@maker
def make_histogram_even(
    *, d_samples: Any, d_histogram: Any, h_num_output_levels: Any, h_lower_level: Any, h_upper_level: Any, num_samples: int, compute_capability: Any = None
) -> _Histogram:
    """A `histogram_even` for arguments of these types."""
    checked(d_samples, d_histogram)
    _check_dtypes(h_lower_level, h_upper_level)
    return _Histogram()


def histogram_even(
    *, d_samples: Any, d_histogram: Any, num_output_levels: int, lower_level: Any, upper_level: Any, num_samples: int, stream: Any = None
) -> None:
    """Count the samples in bins of equal widths.

    d_samples: an array on the device, or an iterator. d_histogram: an array of 32 or 64 bit integers, one for each bin. num_output_levels: the number of
    bounds, one more than that of bins. lower_level: the first bin's lower bound. upper_level: the last one's upper bound, which is not in it.
    num_samples: the number of samples. stream: the order.
    """
    lower, upper = (np.asarray(level).reshape(1) for level in (lower_level, upper_level))
    _check_levels(lower, upper)
    _calls(stream, d_samples, d_histogram, index(num_output_levels) - 1, lower, upper, num_samples)
