"""Differences of neighbours."""

from __future__ import annotations

from typing import Any, Literal

from cuox._native import _Elementwise, _Scan

from .._calls import Call, Count, remembered
from .._kernels import Parts
from .._overlap import Sharing
from ..iterators import iterator_of, output, source
from ..op import OpKind
from ._algorithm import Algorithm, checked, maker
from ._scan import MOST_SCANNED


def _work(call: Call, d_in: Any, d_out: Any, op: Any, num_items: Count, is_right: bool) -> None:
    count = call.checked_count(num_items, d_in, d_out)
    size = iterator_of(d_in).item.dtype.itemsize
    for in_place in call.in_place(count, [d_in], [d_out], sharing=Sharing.SAME_START, exists=size <= MOST_SCANNED):
        if in_place and size > MOST_SCANNED:
            raise ValueError(
                f"adjacent_difference: items of {size} bytes cannot be overwritten, only of up to {MOST_SCANNED}: give another array for the output"
            )
        parts = Parts()
        parts.declare("typedef long long cuox_index;\n")
        read, item = source(d_in, parts)
        target = iterator_of(d_out)
        # The item without a neighbour is put out as it is, the others as the operator's results.
        write, put = output(d_out, parts, item), target.writer(parts)
        difference, _ = parts.call(op, [item, item], target.item, call.slots["op"])
        if in_place:
            # A scan hands each item to the next one, before any output of either is written.
            at = "(N - 1 - i)" if is_right else "i"
            parts.know(item)
            statement = f"if (i == 0) {{ {write(at, 'item')} }} else {{ {put(at, difference('item', 'prev_item'))} }}"
            call.launch(
                _Scan,
                parts,
                item.cxx,
                read(at),
                "cuox_b",
                f"{item.cxx}{{}}",
                statement,
                n=count,
                name="adjacent_difference",
            )
        else:
            last, neighbour = ("n - 1", "(i + 1)") if is_right else ("0", "(i - 1)")
            operation = f"if (i == {last}) {{ {write('i', read('i'))} }} else {{ {put('i', difference(read('i'), read(neighbour)))} }}"
            call.launch(_Elementwise, parts, operation, n=count, name="adjacent_difference")


_calls = remembered("aafnk", _work)


class _AdjacentDifference(Algorithm):
    def __init__(self, side: str) -> None:
        self._is_right = _is_right(side)

    def __call__(
        self,
        *,
        temp_storage: Any = ...,
        d_in: Any,
        d_out: Any,
        num_items: int,
        op: Any = OpKind.MINUS,
        stream: Any = None,
    ) -> int:
        return self._run(temp_storage, _calls, stream, d_in, d_out, op, num_items, self._is_right)


def _is_right(side: str) -> bool:
    if side not in ("left", "right"):
        raise ValueError(f'adjacent_difference: side must be "left" or "right", got {side!r}')
    return side == "right"


@maker
def make_adjacent_difference(
    *,
    d_in: Any,
    d_out: Any,
    op: Any = OpKind.MINUS,
    side: Literal["left", "right"] = "left",
    compute_capability: Any = None,
) -> _AdjacentDifference:
    """An `adjacent_difference` for arguments of these types, with the neighbours of one side."""
    checked(d_in, d_out)
    return _AdjacentDifference(side)


def adjacent_difference(
    *,
    d_in: Any,
    d_out: Any,
    num_items: int,
    op: Any = OpKind.MINUS,
    side: Literal["left", "right"] = "left",
    stream: Any = None,
) -> None:
    """Put `op(item, neighbour)` for each item into `d_out`, and the item that has no neighbour as it is:
    `DeviceAdjacentDifference` of CUB.

    d_in, d_out: arrays on the device, or iterators; they may be the same. num_items: the number of items. op: an
    operator of two items; the difference if it is left out. side: where the neighbour is: `"left"` the item before
    (`SubtractLeft`), `"right"` the one behind (`SubtractRight`). stream: the order.

    Raises KernelTypeError for operators that cannot be translated, with the line; ValueError for too few items, another
    `side`, and an output that begins at another item of the input.
    """
    _calls(stream, d_in, d_out, op, num_items, _is_right(side))
