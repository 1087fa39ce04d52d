"""Reductions of segments."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuox
from cuox._native import _Elementwise

from .._calls import Call, Count, remembered
from .._kernels import Parts
from ..iterators import output, places, source
from ._algorithm import Made, checked, item_of_value, maker, stream_of, value_of


def _work(call: Call, d_in: Any, d_out: Any, start_offsets_in: Any, end_offsets_in: Any, lanes: int, num_segments: Count, op: Any, h_init: Any) -> None:
    item = item_of_value(h_init)
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, _ = source(d_in, parts, item)
    starts, ends = places(start_offsets_in, parts, "start_offsets_in"), places(end_offsets_in, parts, "end_offsets_in")
    write = output(d_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    first = parts.scalar(value_of(h_init), item, call.slots["h_init"])
    count = call.room(num_segments, start_offsets_in, end_offsets_in, d_out)
    each = parts.value("int", np.int32(lanes))
    parts.declare(_SHUFFLE)
    operation = f"""
const cuox_index segment = i / {each};
const cuox_index begin = (cuox_index)({starts("segment")}), end = (cuox_index)({ends("segment")});
{item.cxx} sum = {first};
if ({each} == 1) {{
    // By parts of 32 items, so that the rounding errors of floats grow less.
    for (cuox_index at = begin; at < end;) {{
        {item.cxx} part = {read("at")};
        ++at;
#pragma unroll 1
        for (int k = 1; k < 32 && at < end; ++k, ++at)
            part = {combine("part", read("at"))};
        sum = {combine("sum", "part")};
    }}
    {write("segment", "sum")}
}} else {{
    // A warp: each lane combines neighbours, then the lanes combine theirs, all from left to right.
    const int lane = (int)(i % 32);
#pragma unroll 1
    for (cuox_index start = begin; start < end; start += 32 * {_NEIGHBOURS}) {{
        const cuox_index left = end - start, at = start + lane * {_NEIGHBOURS};
        const int active = left < 32 * {_NEIGHBOURS} ? (int)(left + {_NEIGHBOURS - 1}) / {_NEIGHBOURS} : 32;
        {item.cxx} part = sum;
        if (lane < active) {{
            if (end - at >= {_NEIGHBOURS}) {{
                {item.cxx} items[{_NEIGHBOURS}] = {{{", ".join(read(f"(at + {k})") for k in range(_NEIGHBOURS))}}};
                part = items[0];
#pragma unroll
                for (int k = 1; k < {_NEIGHBOURS}; ++k)
                    part = {combine("part", "items[k]")};
            }} else {{
                part = {read("at")};
#pragma unroll 1
                for (cuox_index k = at + 1; k < end; ++k)
                    part = {combine("part", read("k"))};
            }}
        }}
#pragma unroll 1
        for (int distance = 1; distance < 32; distance *= 2) {{
            const {item.cxx} right = cuox_from_right(part, distance);
            if (lane + distance < active)
                part = {combine("part", "right")};
        }}
        if (lane == 0)
            sum = {combine("sum", "part")};
    }}
    if (lane == 0) {{
        {write("segment", "sum")}
    }}
}}
"""
    call.launch(_Elementwise, parts, operation, n=count * lanes, name="segmented_reduce")


_calls = remembered("aaaaknfv", _work)


class _SegmentedReduce(Made):
    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        num_segments: int,
        start_offsets_in: Any,
        end_offsets_in: Any,
        op: Any,
        h_init: Any,
        max_segment_size: int | None = None,
        stream: Any = None,
    ) -> int:
        if temp_storage is not None:
            self._through(_calls)(stream, d_in, d_out, start_offsets_in, end_offsets_in, _lanes(), num_segments, op, h_init)
        else:
            stream_of(stream)
        return 1


def _lanes() -> int:
    """The threads of a segment. On the software GPU neighbours go through segments of their own at once."""
    return 1 if cuox.Device().is_soft else 32


# Neighbours that a lane of a warp combines.
_NEIGHBOURS = 4

# The value of the lane `distance` further on.
_SHUFFLE = """
template <class T> static __device__ __forceinline__ T cuox_from_right(const T &value, int distance) {
    constexpr int count = (int)(sizeof(T) + 3) / 4;
    alignas(alignof(T) > 4 ? alignof(T) : 4) unsigned int words[count] = {};
    *(T *)words = value;
    #pragma unroll
    for (int k = 0; k < count; ++k)
        words[k] = __shfl_down_sync(0xffffffffu, words[k], distance);
    return *(T *)words;
}
"""


@maker
def make_segmented_reduce(
    *, d_in: Any, d_out: Any, start_offsets_in: Any, end_offsets_in: Any, op: Any, h_init: Any, compute_capability: Any = None
) -> _SegmentedReduce:
    """A `segmented_reduce` for arguments of these types."""
    checked(d_in, d_out, start_offsets_in, end_offsets_in)
    return _SegmentedReduce()


def segmented_reduce(
    *,
    d_in: Any,
    d_out: Any,
    num_segments: int,
    start_offsets_in: Any,
    end_offsets_in: Any,
    op: Any,
    h_init: Any,
    max_segment_size: int | None = None,
    stream: Any = None,
) -> None:
    """Combine `h_init` and the items of each segment by an operator, from left to right, and put the results into `d_out`.

    start_offsets_in, end_offsets_in: arrays or iterators with the places of each segment's first item, and behind its last. num_segments: their number.
    max_segment_size: the items of the longest one; taken, without effect. The others are as of `reduce_into`.
    """
    _calls(stream, d_in, d_out, start_offsets_in, end_offsets_in, _lanes(), num_segments, op, h_init)
