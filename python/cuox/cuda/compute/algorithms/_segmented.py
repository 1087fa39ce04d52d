"""Reductions of segments."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

import cuox
from cuox._native import _segmented_reduction

from .._calls import Call, Count, remembered
from .._kernels import Parts
from .._mode import compiles_ahead
from .._overlap import Sharing
from ..iterators import Pointer, output, places, source
from ._algorithm import Algorithm, checked, item_of_value, maker, value_of


def _work(
    call: Call,
    d_in: Any,
    d_out: Any,
    start_offsets_in: Any,
    end_offsets_in: Any,
    spread: int,
    num_segments: Count,
    op: Any,
    h_init: Any,
) -> None:
    item = item_of_value(h_init)
    parts = Parts()
    parts.declare("typedef long long cuox_index;\n")
    read, _ = source(d_in, parts, item)
    starts, ends = places(start_offsets_in, parts, "start_offsets_in"), places(end_offsets_in, parts, "end_offsets_in")
    write = output(d_out, parts, item)
    parts.know(item)
    combine, _ = parts.call(op, [item, item], item, call.slots["op"])
    first = parts.scalar(value_of(h_init), item, call.slots["h_init"])
    count = call.checked_count(num_segments, start_offsets_in, end_offsets_in, d_out)
    # Where the segments lie is not known here: they have an item each, at least.
    call.check_overlap(count, [d_in, start_offsets_in, end_offsets_in], [d_out], sharing=Sharing.NONE)
    shift = parts.value("int", np.int32(abs(spread).bit_length() - 1))
    in_memory = isinstance(d_in, Pointer) and d_in.item == item
    texts = (item.cxx, starts("i"), ends("i"), read("i"), combine("a", "b"), first, shift, write("i", "sum"))
    form = {"item_size": item.dtype.itemsize, "item_align": item.dtype.alignment, "in_memory": in_memory}
    # The software GPU has a text of its own. Both are compiled ahead.
    both = compiles_ahead()
    for serial, is_wanted in ((False, both or spread > 0), (True, both or spread < 0)):
        if is_wanted:
            call.launch(
                _segmented_reduction,
                parts,
                *texts,
                **form,
                serial=serial,
                n=count * abs(spread),
                name="segmented_reduce",
            )


_calls = remembered("aaaaknfv", _work)


class _SegmentedReduce(Algorithm):
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
        return self._run(
            temp_storage,
            _calls,
            stream,
            d_in,
            d_out,
            start_offsets_in,
            end_offsets_in,
            _spread(num_segments, stream),
            num_segments,
            op,
            h_init,
        )


def _spread(num_segments: int, stream: Any) -> int:
    """The threads for each segment: a block for each of few, a warp, or fewer if a warp has several in turn. Negative
    on the software GPU, which fewer warps keep busy.
    """
    device = stream.device if isinstance(stream, cuox.Stream) else cuox.Device()
    is_soft, count = device.is_soft, index(num_segments)
    if count < (128 if is_soft else 2048):
        return -256 if is_soft else 256
    in_turn = max(1, count // (1024 if is_soft else 8192)).bit_length() - 1
    return -(32 >> min(in_turn, 5)) if is_soft else 32 >> min(in_turn, 4)


@maker
def make_segmented_reduce(
    *,
    d_in: Any,
    d_out: Any,
    start_offsets_in: Any,
    end_offsets_in: Any,
    op: Any,
    h_init: Any,
    compute_capability: Any = None,
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
    """Combine `h_init` and the items of each segment by an operator, from left to right, and put the results into
    `d_out`.

    start_offsets_in, end_offsets_in: arrays or iterators with the places of each segment's first item, and behind its
    last. num_segments: their number. max_segment_size: the items of the longest one; taken, without effect. The others
    are as of `reduce_into`.

    Raises KernelTypeError for operators that cannot be translated, with the line; TypeError for places that are no
    integers; ValueError for too few places or results, and for an output in the memory of an input.
    """
    _calls(
        stream, d_in, d_out, start_offsets_in, end_offsets_in, _spread(num_segments, stream), num_segments, op, h_init
    )
