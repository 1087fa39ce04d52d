"""Algorithms as they were called before `cuda.compute`: arguments by position, and objects where no number of items is
given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .... import compute


def _bound(
    function: str, names: Sequence[str], optional: Sequence[str], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """Arguments by name. Raises TypeError if there are too many, one is missing, or one has no such name."""
    signature = f"{function}({', '.join(names)})"
    if len(args) > len(names):
        raise TypeError(f"{function}() takes {len(names)} arguments, got {len(args)}: {signature}")
    found = dict(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in names:
            raise TypeError(f"{function}() has no argument {name!r}: {signature}")
        if name in found:
            raise TypeError(f"{function}() got two values for {name!r}: {signature}")
        found[name] = value
    for name in names:
        if name not in found and name not in optional:
            raise TypeError(f"{function}() is missing argument {name!r}: {signature}")
    return found


class Made:
    """An algorithm for arguments of certain types. It is called with them by position: see `call`."""

    def __init__(self, algorithm: Algorithm, arguments: dict[str, Any]) -> None:
        self._algorithm = algorithm
        self._made = getattr(compute, f"make_{algorithm.name}")(**algorithm.renamed(arguments))
        # What the call does not repeat, such as the operator.
        self._kept: dict[str, Any] = {
            name: arguments[name]
            for name in ("op", "select_first_part_op", "select_second_part_op")
            if name in arguments
        }

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do the work, or with None as `temp_storage` return how many bytes it needs."""
        given = _bound(self._algorithm.name, self._algorithm.call, ("begin_bit", "end_bit", "stream"), args, kwargs)
        return self._made(**self._algorithm.renamed({**self._kept, **given}))


class Algorithm:
    """An algorithm. With a number of items it does the work, without it returns a `Made`.

    name: its name in `cuda.compute`. make: the arguments that it is made for. call: those of what is made. once: those
    of a call that does the work. count: the number of items, None if calls always do the work.
    """

    def __init__(
        self,
        name: str,
        make: str,
        call: str,
        once: str,
        renamed: dict[str, str] | None = None,
        count: str | None = "num_items",
    ) -> None:
        self.name, self.make, self.call, self.once = name, make.split(), call.split(), once.split()
        self._renamed, self._count = renamed or {}, count

    def renamed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Arguments by the names of `cuda.compute`."""
        return {self._renamed.get(name, name): value for name, value in arguments.items()}

    def made(self, *args: Any, **kwargs: Any) -> Made:
        """The algorithm for arguments of these types."""
        return Made(self, _bound(f"make_{self.name}", self.make, (), args, kwargs))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Do the work; without a number of items return the algorithm for arguments of these types."""
        if self._count is not None and self._count not in kwargs and len(args) <= len(self.make):
            return Made(self, _bound(self.name, self.make, (), args, kwargs))
        given = _bound(self.name, self.once, ("begin_bit", "end_bit", "stream"), args, kwargs)
        return getattr(compute, self.name)(**self.renamed(given))

    def __repr__(self) -> str:
        return f"<algorithm {self.name}({', '.join(self.make)})>"


_ITEMS = {"d_in_items": "d_in_values", "d_out_items": "d_out_values"}
_INIT = {"h_init": "init_value"}

binary_transform = Algorithm(
    "binary_transform",
    "d_in1 d_in2 d_out op",
    "d_in1 d_in2 d_out num_items stream",
    "d_in1 d_in2 d_out op num_items stream",
)
exclusive_scan = Algorithm(
    "exclusive_scan",
    "d_in d_out op h_init",
    "temp_storage d_in d_out num_items h_init stream",
    "d_in d_out op h_init num_items stream",
    _INIT,
)
histogram_even = Algorithm(
    "histogram_even",
    "d_samples d_histogram h_num_output_levels h_lower_level h_upper_level num_samples",
    "temp_storage d_samples d_histogram h_num_output_levels h_lower_level h_upper_level num_samples stream",
    "d_samples d_histogram num_output_levels lower_level upper_level num_samples stream",
    count=None,
)
inclusive_scan = Algorithm(
    "inclusive_scan",
    "d_in d_out op h_init",
    "temp_storage d_in d_out num_items h_init stream",
    "d_in d_out op h_init num_items stream",
    _INIT,
)
merge_sort = Algorithm(
    "merge_sort",
    "d_in_keys d_in_items d_out_keys d_out_items op",
    "temp_storage d_in_keys d_in_items d_out_keys d_out_items num_items stream",
    "d_in_keys d_in_items d_out_keys d_out_items op num_items stream",
    _ITEMS,
)
radix_sort = Algorithm(
    "radix_sort",
    "d_in_keys d_out_keys d_in_values d_out_values order",
    "temp_storage d_in_keys d_out_keys d_in_values d_out_values num_items begin_bit end_bit stream",
    "d_in_keys d_out_keys d_in_values d_out_values order num_items begin_bit end_bit stream",
)
reduce_into = Algorithm(
    "reduce_into",
    "d_in d_out op h_init",
    "temp_storage d_in d_out num_items h_init stream",
    "d_in d_out op num_items h_init stream",
)
segmented_reduce = Algorithm(
    "segmented_reduce",
    "d_in d_out start_offsets_in end_offsets_in op h_init",
    "temp_storage d_in d_out num_segments start_offsets_in end_offsets_in h_init stream",
    "d_in d_out start_offsets_in end_offsets_in op h_init num_segments stream",
    count="num_segments",
)
three_way_partition = Algorithm(
    "three_way_partition",
    "d_in d_first_part_out d_second_part_out d_unselected_out d_num_selected_out select_first_part_op select_second_part_op",
    "temp_storage d_in d_first_part_out d_second_part_out d_unselected_out d_num_selected_out num_items stream",
    "d_in d_first_part_out d_second_part_out d_unselected_out d_num_selected_out select_first_part_op select_second_part_op num_items stream",
)
unary_transform = Algorithm(
    "unary_transform", "d_in d_out op", "d_in d_out num_items stream", "d_in d_out op num_items stream"
)
unique_by_key = Algorithm(
    "unique_by_key",
    "d_in_keys d_in_items d_out_keys d_out_items d_out_num_selected op",
    "temp_storage d_in_keys d_in_items d_out_keys d_out_items d_out_num_selected num_items stream",
    "d_in_keys d_in_items d_out_keys d_out_items d_out_num_selected op num_items stream",
)
