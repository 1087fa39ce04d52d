"""The base of all algorithms: streams, temporary storage, and objects that are made once and called often."""

from __future__ import annotations

import copy
import functools
import inspect
import weakref
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any, ParamSpec, TypeVar

import numpy as np

import cuox
from cuox._native import _RememberedCalls

from .._items import Item, check_unmasked, item_of
from .._mode import Mode
from .._operators import operator_key_with_numbers
from .._proxy import ProxyArray, ProxyValue
from ..iterators import IteratorBase, Pointer, array_of, iterator_of
from ..op import CppOp, OpKind


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
    """An algorithm for arguments of certain types: `make_…` returns one, and the same one again for arguments of the
    same
    types.

    Called with `temp_storage=None`, as it stands in programs for NVIDIA's, it returns the number of bytes that it would
    need, and does nothing; called with storage it runs. Temporary memory is cuox's own: one byte will do.
    """

    # The arguments of `make_…`, for `serialize`.
    prototype: Prototype | None = None
    # None: as all algorithms run.
    mode: Mode | None = None

    def serialize(self) -> bytes:
        """The bytes of this algorithm, compiled: see `compute.serialize`."""
        from .._compiled import serialize

        return serialize(self)

    def _run(self, temp_storage: Any, calls: _RememberedCalls, stream: Any, *arguments: Any) -> int:
        """Run, unless only the size of temporary storage is asked for. Returns that size."""
        if temp_storage is None:
            stream_of(stream)
        elif self.mode is None:
            calls(stream, *arguments)
        else:
            self.mode.calls(calls)(stream, *arguments)
        return 1


def checked(*given: Any) -> None:
    """Raise TypeError for what is neither an array nor an iterator, ValueError for arrays with gaps."""
    for one in given:
        iterator_of(one)


def item_of_value(value: Any, name: str = "h_init") -> Item:
    """The type of an initial value: an array of one item, a NumPy scalar, or a structure of `gpu_struct`. Raises
    TypeError for others.
    """
    if hasattr(value, "_kernel_fields"):
        return item_of(type(value))
    dtype = getattr(value, "dtype", None)
    if dtype is None:
        if isinstance(value, (bool, int, float, complex)):
            found = np.asarray(value).dtype
            if found.kind == "O":
                raise ValueError(f"{name} is a number of more than 64 bits")
            return item_of(found)
        raise TypeError(
            f"Could not determine accumulator dtype from {name}; expected numpy array or object with .dtype, got {type(value).__name__}"
        )
    return item_of(np.dtype(dtype))


def value_of(value: Any) -> Any:
    """An initial value as an array without dimensions. Raises ValueError for an array of none or several."""
    record = getattr(value, "_record", None)
    if record is not None:
        return record
    check_unmasked(value, "an initial value")
    items = np.asarray(value).reshape(-1)
    if items.size != 1:
        raise ValueError(f"an initial value is an array of one item, got {items.size}")
    return items[0]


def number_array(given: Any, name: str = "d_num_selected_out") -> cuox.Array:
    """An array that gets numbers of selected items. Raises TypeError for one of other types than integers of 32 or 64
    bits.
    """
    array = array_of(given)
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 4:
        raise TypeError(f"{name} must be an array of integers of 32 or 64 bits, got {array.dtype}")
    return array


class _NoArray:
    """In an array's place, so that nobody keeps its memory: the type and number of its items."""

    def __init__(self, item: Item, size: int) -> None:
        self.item, self.size = item, size


class _NoDoubleBuffer:
    def __init__(self, given: Any) -> None:
        self.kind, self.array = type(given), _without_memory(given.current())


def _without_memory(given: Any) -> Any:
    """An argument of `make_…` without the arrays in it."""
    if isinstance(given, IteratorBase):
        found = copy.copy(given)
        for name, value in vars(given).items():
            if isinstance(value, list):
                setattr(found, name, [_without_memory(one) for one in value])
            elif isinstance(value, (IteratorBase, cuox.Array)):
                setattr(found, name, _without_memory(value))
        if isinstance(found, Pointer):
            found.array, found.slot, found.offset = _NoArray(found.item, 0), None, min(1, abs(found.offset))  # type: ignore[assignment]
        return found
    if isinstance(given, ProxyArray):
        return _NoArray(item_of(given.dtype), 0)
    if isinstance(given, ProxyValue):
        return np.zeros(1, given.dtype)
    if hasattr(given, "__cuda_array_interface__"):
        pointer = Pointer(given)
        return _NoArray(pointer.item, pointer.array.size)
    if hasattr(given, "d_buffers"):
        return _NoDoubleBuffer(given)
    return given.copy() if isinstance(given, np.ndarray) else given


# More items of one array are not asked for: of those that a kernel is compiled for, only the number of a histogram's
# bins matters.
_MOST_ITEMS = 1 << 22


def with_memory(given: Any, count: int) -> Any:
    """The same with arrays of so many items, or more where there were more."""
    if isinstance(given, _NoArray):
        return cuox.empty((max(count, min(given.size, _MOST_ITEMS)),), given.item.dtype)
    if isinstance(given, _NoDoubleBuffer):
        return given.kind(with_memory(given.array, count), with_memory(given.array, count))
    if isinstance(given, IteratorBase):
        found = copy.copy(given)
        for name, value in vars(given).items():
            if isinstance(value, list):
                setattr(found, name, [with_memory(one, count) for one in value])
            elif isinstance(value, (IteratorBase, _NoArray)):
                setattr(found, name, with_memory(value, count + 1))
        return found
    return given


class Prototype:
    """The arguments of `make_…`.

    name: the algorithm's. arguments: by name, without memory. capabilities: compute capabilities as `10 * major +
    minor`.
    """

    def __init__(self, name: str, arguments: dict[str, Any], capabilities: tuple[int, ...]) -> None:
        self.name, self.capabilities = name, capabilities
        self.arguments = {argument: _without_memory(value) for argument, value in arguments.items()}


def _capability(given: Any) -> int:
    try:
        if isinstance(given, str):
            major, _, minor = given.rpartition(".") if "." in given else (given[:-1], "", given[-1:])
            found = 10 * int(major) + int(minor)
        elif isinstance(given, Iterable):
            major, minor = given
            found = 10 * int(major) + int(minor)
        else:
            found = int(given)
    except (TypeError, ValueError):
        found = 0
    if not 10 <= found < 1000:
        raise ValueError(f'compute_capability must be such as 90, (9, 0), "9.0" or a list of these, got {given!r}')
    return found


def capabilities_of(given: Any) -> tuple[int, ...]:
    """The compute capabilities that are named, in order, each once; none for None. Raises ValueError for what is
    none."""
    if given is None:
        return ()
    is_pair = isinstance(given, tuple) and len(given) == 2 and all(type(one) is int and one < 20 for one in given)
    several = isinstance(given, Iterable) and not isinstance(given, str) and not is_pair
    found = tuple(sorted({_capability(one) for one in (given if several else [given])}))
    if not found:
        raise ValueError("compute_capability: the list is empty")
    return found


def _kind(name: str, given: Any) -> Any:
    """A key that is equal for arguments of `make_…` for which the same algorithm is returned."""
    if isinstance(given, IteratorBase):
        return given.kind
    if isinstance(given, ProxyArray):
        return "array", item_of(given.dtype)
    if hasattr(given, "d_buffers"):
        return "buffers", _kind(name, given.current())
    if hasattr(given, "__cuda_array_interface__"):
        return "array", iterator_of(given).item
    if isinstance(given, (OpKind, CppOp)):
        return given
    if isinstance(given, FunctionType) or hasattr(given, "py_func"):
        return operator_key_with_numbers(given)
    if name in ("h_init", "init_value", "h_lower_level", "h_upper_level") and given is not None:
        return "value", item_of_value(given)
    if name == "num_samples":
        # Places of more bytes than that have another type.
        return int(given) >= 2**29
    return np.asarray(given).tobytes() if isinstance(given, np.ndarray) else (type(given), given)


_P = ParamSpec("_P")
_T = TypeVar("_T", bound=Algorithm)
_all_made: weakref.WeakValueDictionary[Any, Algorithm] = weakref.WeakValueDictionary()


def maker(make: Callable[_P, _T]) -> Callable[_P, _T]:
    """For `make_…`: the same object for arguments of the same types, as long as there is one."""
    signature, name = inspect.signature(make), make.__name__.removeprefix("make_")

    @functools.wraps(make)
    def made(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = dict(bound.arguments)
        capabilities = capabilities_of(arguments.pop("compute_capability", None))
        key = (name, capabilities, tuple((argument, _kind(argument, given)) for argument, given in arguments.items()))
        found: Any = _all_made.get(key)
        if found is None:
            prototype = Prototype(name, arguments, capabilities)
            if any(isinstance(one, (ProxyArray, ProxyValue)) for one in arguments.values()):
                arguments = {argument: with_memory(_without_memory(one), 1) for argument, one in arguments.items()}
            found = make(**arguments)  # type: ignore[call-arg]
            found.prototype = prototype
            found = _all_made.setdefault(key, found)
        return found  # type: ignore[no-any-return]

    return made


def forget_made() -> None:
    """Make new objects from now on."""
    _all_made.clear()
