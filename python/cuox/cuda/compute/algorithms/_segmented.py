"""Reductions of segments."""

from __future__ import annotations

from typing import Any

from cuox._native import _Elementwise

from .._kernels import Parts, kernel
from ..iterators import output, source
from ._algorithm import Algorithm, checked, count_of, item_of_value, maker, value_of


class _SegmentedReduce(Algorithm):
    def run(
        self, *, d_in: Any, d_out: Any, num_segments: int, start_offsets_in: Any, end_offsets_in: Any, op: Any, h_init: Any, max_segment_size: int | None = None, stream: Any
    ) -> None:
        item = item_of_value(h_init)
        parts = Parts()
        parts.declare("typedef long long cuox_index;\n")
        read, _ = source(d_in, parts, item)
        starts, _ = source(start_offsets_in, parts)
        ends, _ = source(end_offsets_in, parts)
        write = output(d_out, parts, item)
        parts.know(item)
        call, _ = parts.call(op, [item, item], item)
        first = parts.scalar(value_of(h_init), item)
        # By parts of 32 items, so that the rounding errors of floats grow less.
        operation = (
            f"{item.cxx} sum = {first}; const cuox_index end = (cuox_index)({ends('i')}); "
            f"for (cuox_index at = (cuox_index)({starts('i')}); at < end;) {{ "
            f"{item.cxx} part = {read('at')}; ++at; for (int k = 1; k < 32 && at < end; ++k, ++at) part = {call('part', read('at'))}; sum = {call('sum', 'part')}; }} "
            f"{write('i', 'sum')}"
        )
        kernel(_Elementwise, parts, operation, name="segmented_reduce")(*parts.values, n=count_of(num_segments, start_offsets_in, end_offsets_in, d_out), stream=stream)


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
    _SegmentedReduce()(
        d_in=d_in,
        d_out=d_out,
        num_segments=num_segments,
        start_offsets_in=start_offsets_in,
        end_offsets_in=end_offsets_in,
        op=op,
        h_init=h_init,
        stream=stream,
    )
