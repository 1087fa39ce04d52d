"""What all algorithms have in common: streams, temporary storage, and objects that are made once and called often."""

from __future__ import annotations

from typing import Any

import numpy as np

import cuox

from .._items import Item, item_of
from ..iterators import array_of, iterator_of


def stream_of(given: Any) -> Any:
    """A stream as native code takes it: None is the null stream, anything with `__cuda_stream__` is one."""
    if given is None:
        return cuox.Device().default_stream
    if isinstance(given, int):
        return cuox.Stream.from_handle(given)
    if isinstance(given, cuox.Stream):
        return given
    protocol = getattr(given, "__cuda_stream__", None)
    if protocol is None:
        raise TypeError(f"stream argument {given} does not implement the '__cuda_stream__' protocol")
    try:
        version, handle = protocol()
    except (TypeError, ValueError):
        raise TypeError(f"could not obtain __cuda_stream__ protocol version and handle from {given}") from None
    if version == 0 and not isinstance(handle, int):
        raise TypeError(f"invalid stream handle {handle}")
    return given


class Algorithm:
    """An algorithm for arguments of certain types: `make_…` returns one.

    Called with `temp_storage=None`, as it stands in programs for NVIDIA's, it returns the number of bytes that it would need, and does nothing; called with
    storage it runs. Temporary memory is cuox's own: one byte will do.
    """

    def __call__(self, *, temp_storage: Any = ..., stream: Any = None, **given: Any) -> int:
        order = stream_of(stream)
        if temp_storage is not None:
            self.run(stream=order, **given)
        return 1

    # Does the work: a method of each class, with parameters of its own.
    run: Any


def checked(*given: Any) -> None:
    """Raise TypeError for what is neither an array nor an iterator, ValueError for arrays with gaps."""
    for one in given:
        iterator_of(one)


def item_of_value(value: Any) -> Item:
    """The type of an initial value: an array of one item, a NumPy scalar, or a structure of `gpu_struct`. Raises TypeError for others."""
    if hasattr(value, "_kernel_fields"):
        return item_of(type(value))
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        if isinstance(value, (bool, int, float, complex)):
            return item_of(np.asarray(value).dtype)
        raise TypeError(f"Could not determine accumulator dtype from h_init; expected numpy array or object with .dtype, got {type(value).__name__}")
    return item_of(np.dtype(dtype))


def value_of(value: Any) -> Any:
    """An initial value as an array without dimensions."""
    record = getattr(value, "_record", None)
    return record if record is not None else np.asarray(value).reshape(-1)[0]


def count_of(num_items: Any, *given: Any) -> int:
    """The number of items. Raises ValueError for negative ones, and if arrays or iterators are known to have fewer."""
    count = int(num_items)
    if count < 0:
        raise ValueError(f"num_items must be 0 or more, got {count}")
    for one in given:
        if one is not None:
            iterator_of(one).check_room(count)
    return count


def number_array(given: Any, name: str = "d_num_selected_out") -> cuox.Array:
    """An array that gets numbers of selected items. Raises TypeError for one of other types than integers."""
    array = array_of(given)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be an array of integers, got {array.dtype}")
    return array
