"""Histograms."""

from __future__ import annotations

import math
from operator import index
from typing import Any, NamedTuple

import numpy as np

from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._items import Item, item_of
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


# Samples that a thread loads at once, and blocks of a multiprocessor, each of which clears bins of its own and adds them up. An H200 counted 2^26 floats at 899
# Gitem/s; at 837 with 4 and 8, and with copies of the bins for warps.
_AHEAD = 16
_BLOCKS = 4

# Numbers of bins in shared memory.
_ROOMS = (256, 1024, 4096, 8192)


class _Bin(NamedTuple):
    """How the bin of a `value` is found: the bin is what division in float64 makes of floats, and the exact one of integers."""

    prepared: str
    """Statements in front of all."""
    exact: str
    """Statements that set `bin` to the bin, or to the number of bins for a value that is in none."""
    fast: str | None
    """Statements that set `bin` in less time, perhaps to a larger number than that of bins, and `unsure` to true if it may be another one; None if there are none."""


def _bin_of(level: Item, low: str, high: str, number: str) -> _Bin:
    if level.dtype.kind == "f":
        # The type may not have the difference of two of its numbers.
        prepared = f"const float64 scale = float64({number}) / (float64({high}) - float64({low})); "
        find = f"bin = (unsigned int)((float64(value) - float64({low})) * scale);"
        distance = f"float32(value) - float32({low})"
    else:
        prepared = f"const unsigned long long width = (unsigned long long){high} - (unsigned long long){low}; const float64 scale = float64({number}) / float64(width); "
        find = (
            # Of up to 2^31 bins the product in float64 is at most one beside the right one, which the rest of the division tells, though it be taken modulo 2^64.
            f"const unsigned long long distance = (unsigned long long)value - (unsigned long long){low}; "
            f"if ({'true' if level.dtype.itemsize < 8 else 'width < 1ull << 62'}) {{ "
            "bin = (unsigned int)(float64(distance) * scale); "
            f"const long long rest = (long long)(distance * {number} - bin * width); "
            "bin += rest < 0 ? -1 : rest >= (long long)width; "
            "} else "
            # The product may need more than 64 bits.
            f"bin = (unsigned int)((unsigned __int128)distance * {number} / width);"
        )
        # A value in front of the first bin, or behind the last, is that modulo 2^32.
        distance = f"float32((unsigned int)value - (unsigned int){low})"
    # By rounding, a value may be found behind the last bin.
    last = f"(unsigned int){number} - 1"
    exact = f"bin = {number}; if (value >= {low} && value < {high}) {{ {find} bin = bin < {last} ? bin : {last}; }}"
    if level.dtype.itemsize > 4:
        return _Bin(prepared, exact, None)
    # A difference, a scale and a product are rounded. Some GPUs convert from and to float64 at a 64th of the speed. A value that is in no bin is unsure, or far behind the last.
    prepared += f"const float32 narrow_scale = float32(scale), slack = float32({number}) * 0x1p-22f; "
    fast = (
        f"const float32 found = ({distance}) * narrow_scale; const int whole = (int)found; bin = (unsigned int)whole; "
        "const float32 rest = found - float32(whole); unsure |= !(rest > slack && rest < 1.0f - slack);"
    )
    return _Bin(prepared, exact, fast)


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
    call.apart(num_samples, [d_samples], [d_histogram], out_count=bins, alike=False)
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
    number = parts.value("unsigned int", np.uint32(bins))
    found = _bin_of(level, low, high, number)
    prepared = found.prepared
    room = next((room for room in _ROOMS if bins <= room), None)
    add = f"if (bin < {number}) atomicAdd(&{counts}[bin], ({word})1);"
    after = ""
    if room is not None:
        # One more counts what is in no bin: to leave that out would take a branch for each sample.
        prepared += f"__shared__ unsigned int cuox_bins[{room + 1}]; for (unsigned k = tid; k <= {number}; k += blockDim.x) cuox_bins[k] = 0; __syncthreads();"
        add = f"atomicAdd(&cuox_bins[bin < {number} ? bin : {number}], 1u);"
        after = f"__syncthreads(); for (unsigned k = tid; k < {number}; k += blockDim.x) if (cuox_bins[k] != 0) atomicAdd(&{counts}[k], ({word})cuox_bins[k]);"
    # Several samples are loaded before the first is counted: no load passes an atomic operation. If one bin is unsure, all are found again: one branch for all of them.
    find_all = "#pragma unroll\n    for (int k = 0; k < {0}; ++k) {{ const {1} value = values[k]; unsigned int &bin = bins[k]; {2} }}"
    find = find_all.format(_AHEAD, level.cxx, found.exact)
    if found.fast is not None:
        find = f"bool unsure = false;\n    {find_all.format(_AHEAD, level.cxx, found.fast)}\n    if (unsure) {{\n{find}\n    }}"
    loop = f"""
const cuox_index all = total_threads;
cuox_index first = cta_start + tid;
// No sum is beyond n: it might not be a number of this type.
for (; first < n && n - first > {_AHEAD - 1} * all; first += {_AHEAD} * all) {{
    {level.cxx} values[{_AHEAD}];
    unsigned int bins[{_AHEAD}];
#pragma unroll
    for (int k = 0; k < {_AHEAD}; ++k) {{
        const cuox_index at = first + k * all;
        values[k] = {convert(read("at"), sample, level)};
    }}
{find}
#pragma unroll
    for (int k = 0; k < {_AHEAD}; ++k) {{
        const unsigned int bin = bins[k];
        {add}
    }}
    if (n - first <= {_AHEAD} * all) {{
        first = n;
        break;
    }}
}}
#pragma unroll 1
while (first < n) {{
    const cuox_index at = first;
    const {level.cxx} value = {convert(read("at"), sample, level)};
    unsigned int bin;
    {found.exact}
    {add}
    if (n - first <= all)
        break;
    first += all;
}}
"""
    count = call.room(num_samples, d_samples)
    call.launch(_Elementwise, parts, "(void)i", n=count, name="histogram", loop_prep=prepared + loop, after_loop=after, blocks=_BLOCKS)


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
