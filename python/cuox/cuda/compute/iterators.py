"""Iterators: items that are computed when they are read or written, in place of arrays."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Hashable, Iterable, Sequence
from operator import index
from typing import Any, Literal, Self, get_type_hints

import numpy as np

import cuox

from ._items import Item, check_unmasked, item_of, tuple_of
from ._kernels import Parts, Read, Write, convert
from ._mode import call_stream
from ._operators import operator_key


class IteratorBase:
    """The base of iterators.

    `value_type.dtype` is that of their items. `iterator + n` begins n items later.
    """

    item: Item

    @property
    def value_type(self) -> Item:
        """The type of the items."""
        return self.item

    def reader(self, parts: Parts) -> Read:
        """The function that writes the item at an index. Raises ValueError for iterators that cannot be read."""
        raise ValueError(f"{type(self).__name__} does not support input operations")

    def writer(self, parts: Parts) -> Write:
        """The function that puts an item at an index. Raises ValueError for iterators that cannot be written."""
        raise ValueError(f"{type(self).__name__} does not support output operations")

    def __add__(self, offset: int) -> Self:
        moved, distance = copy.copy(self), index(offset)
        if not -(2**63) <= distance < 2**63:
            raise ValueError(f"an iterator moves by less than 2**63 items, got {distance}")
        moved._advance(distance)
        return moved

    def _advance(self, offset: int) -> None:
        raise NotImplementedError

    def items_ahead(self) -> int | None:
        """The number of items from the first one on; None without an end."""
        return None

    def items_back(self) -> int | None:
        """The number of items from the first one backwards."""
        return None

    @property
    def kind(self) -> Hashable:
        """A key that is equal for iterators that share compiled code: not where they begin, nor what is in arrays."""
        return (type(self).__name__, self.item, self._kind())

    def _kind(self) -> Hashable:
        return None


class Pointer(IteratorBase):
    """An array's elements."""

    def __init__(self, array: Any, slot: int | None = None) -> None:
        self.array = array_of(array)
        # The dtype of other libraries' arrays may be no dtype of NumPy's.
        own = getattr(array, "dtype", None)
        self.item = item_of(
            own if isinstance(own, np.dtype) and not isinstance(array, cuox.Array) else self.array.dtype
        )
        self.offset = 0
        # The place among the arguments of a call, if the array is one.
        self.slot = slot
        # The argument's name.
        self.name = "an output"

    def items_ahead(self) -> int | None:
        return max(0, self.array.size - self.offset) if self.offset >= 0 else 0

    def items_back(self) -> int | None:
        return max(0, self.offset + 1) if self.offset < self.array.size else 0

    @property
    def first(self) -> int:
        """The address of the first item."""
        return int(self.array.ptr) + self.offset * self.item.dtype.itemsize

    def address(self, parts: Parts, *, read_only: bool) -> str:
        """Add the address of the first item. Returns an expression. Raises ValueError for an array to write that
        may only be read.
        """
        if not read_only and self.array.is_read_only:
            raise ValueError(f"{self.name} is read-only")
        return parts.pointer(self.array, self.item, read_only=read_only, offset=self.offset, slot=self.slot)

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        if self.offset == 0:
            name = parts.elements(self.array, self.item, read_only=True, slot=self.slot)
            at = self.address(parts, read_only=True)
            return lambda index: f"{name}[i]" if index == "i" else f"{at}[{index}]"
        at = self.address(parts, read_only=True)
        return lambda index: f"{at}[{index}]"

    def writer(self, parts: Parts) -> Write:
        parts.know(self.item)
        at = self.address(parts, read_only=False)
        if self.offset:
            return lambda index, text: f"{at}[{index}] = {text};"
        name = parts.elements(self.array, self.item, read_only=False, slot=self.slot)
        return lambda index, text: f"{name if index == 'i' else at}[{index}] = {text};"

    def _advance(self, offset: int) -> None:
        self.offset += offset
        self.slot = None


def array_of(array: Any) -> cuox.Array:
    """An array on the device as cuox has it. Raises TypeError for other objects, ValueError for arrays with gaps."""
    if isinstance(array, Pointer):
        array = array.array
    if isinstance(array, cuox.Array):
        found: cuox.Array = array
    elif hasattr(array, "__cuda_array_interface__"):
        # In the order of the stream of the call, if it is for one.
        found = cuox.as_array(array, stream=call_stream.get())
    else:
        raise TypeError(f"expected an array on the device or an iterator, got {type(array).__name__}")
    if not found.is_c_contiguous and not found.is_f_contiguous:
        raise ValueError(
            "Non-contiguous arrays are not supported: the items must lie one behind the other; array.copy('C') has them in order"
        )
    # In the order of memory.
    return found if found.ndim == 1 else (found if found.is_c_contiguous else found.T).reshape(-1)


def iterator_of(given: Any) -> IteratorBase:
    """An iterator for an array, or the iterator itself."""
    return given if isinstance(given, IteratorBase) else Pointer(given)


def _scalar(value: Any) -> Any:
    """A value of NumPy's. Raises TypeError for what is no number or structure, ValueError for no item or several."""
    if isinstance(value, np.generic):
        return value
    check_unmasked(value, "a constant")
    items = np.asarray(value).reshape(-1)
    if items.dtype.kind == "O":
        raise TypeError(
            f"expected a number or a structure, got {type(value).__name__}{'' if not isinstance(value, int) else ' of more than 64 bits'}"
        )
    if items.size != 1:
        raise ValueError(f"expected one item, got {items.size}")
    return items[0]


class CountingIterator(IteratorBase):
    """Numbers from `start` on. start: a NumPy scalar, whose type the items have."""

    def __init__(self, start: Any) -> None:
        self._start = _scalar(start)
        self.item = item_of(self._start.dtype)
        if self.item.dtype.kind not in "iuf":
            raise TypeError(f"start must be an integer or a float, got {self.item.dtype}")

    @property
    def start(self) -> Any:
        """The first number."""
        return self._start

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        name = parts.scalar(self._start, self.item)
        cxx = self.item.cxx
        # float16 is made of float32, and added as one.
        wide = "float32" if self.item.dtype.char == "e" else cxx
        return lambda index: f"{cxx}({wide}({name}) + {wide}({index}))"

    def _advance(self, offset: int) -> None:
        dtype = self.item.dtype
        # As the kernel counts: numbers of a few bits begin again.
        self._start = (
            _wrapped(int(self._start) + offset, dtype) if dtype.kind in "iu" else dtype.type(self._start + offset)
        )


def _wrapped(value: int, dtype: np.dtype[Any]) -> Any:
    bits = 8 * dtype.itemsize
    return np.array([value % 2**bits], f"u{dtype.itemsize}").view(dtype)[0]


class ConstantIterator(IteratorBase):
    """The same item everywhere. value: a NumPy scalar, a record or a structure of `gpu_struct`."""

    def __init__(self, value: Any) -> None:
        is_struct = hasattr(value, "_kernel_fields")
        self._constant = value._record if is_struct else _scalar(value)
        self.item = item_of(type(value) if is_struct else self._constant.dtype)

    @property
    def constant(self) -> Any:
        """The item."""
        return self._constant

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        name = parts.scalar(self._constant, self.item)
        return lambda index: name

    def _advance(self, offset: int) -> None:
        pass


class CacheModifiedInputIterator(IteratorBase):
    """An array's elements, read by way of certain caches.

    modifier: `"stream"`, likely read once; `"global"`, cached in L2 only; `"volatile"`, read anew. CUDA programming
    guide, *Load Functions Using Cache Hints*.
    """

    _FUNCTIONS = {"stream": "__ldcs", "global": "__ldcg", "volatile": "__ldcv"}

    def __init__(self, array: Any, modifier: Literal["stream", "global", "volatile"] = "stream") -> None:
        if modifier not in self._FUNCTIONS:
            raise ValueError(f"Unknown modifier: {modifier}. Must be one of {list(self._FUNCTIONS)}")
        self._elements = Pointer(array)
        self.item = self._elements.item
        self._modifier = modifier

    @property
    def modifier(self) -> str:
        """The caches."""
        return self._modifier

    def items_ahead(self) -> int | None:
        return self._elements.items_ahead()

    def items_back(self) -> int | None:
        return self._elements.items_back()

    def _kind(self) -> Hashable:
        return self._modifier

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        at = self._elements.address(parts, read_only=True)
        if self.item.dtype.kind not in "iuf" or self.item.dtype.char == "e":
            return lambda index: f"{at}[{index}]"
        function = self._FUNCTIONS[self._modifier]
        return lambda index: f"{function}({at} + ({index}))"

    def _advance(self, offset: int) -> None:
        self._elements = self._elements + offset


class TransformIterator(IteratorBase):
    """The items of another iterator, changed by an operator.

    underlying: an iterator or array. transform_op: the operator. value_type: the type of the result; the operator's, if
    it is left out.
    """

    def __init__(self, underlying: Any, transform_op: Any, value_type: Any = None, is_input: bool = True) -> None:
        self._underlying = iterator_of(underlying)
        self._op = transform_op
        self._is_input = is_input
        if value_type is not None:
            self.item = value_type if isinstance(value_type, Item) else item_of(value_type)
        elif is_input:
            annotated = _annotation(transform_op, "return")
            self.item = annotated or _result(transform_op, [self._underlying.item])
        else:
            annotated = _annotation(transform_op, None)
            if annotated is None:
                raise ValueError(
                    "TransformOutputIterator transform function must take exactly one argument with type annotation"
                )
            self.item = annotated

    def items_ahead(self) -> int | None:
        return self._underlying.items_ahead()

    def items_back(self) -> int | None:
        return self._underlying.items_back()

    def _kind(self) -> Hashable:
        return (self._underlying.kind, operator_key(self._op), self._is_input)

    def reader(self, parts: Parts) -> Read:
        if not self._is_input:
            return super().reader(parts)
        inner = self._underlying.reader(parts)
        call, _ = parts.call(self._op, [self._underlying.item], self.item)
        return lambda index: call(inner(index))

    def writer(self, parts: Parts) -> Write:
        if self._is_input:
            return super().writer(parts)
        inner = self._underlying.writer(parts)
        call, _ = parts.call(self._op, [self.item], self._underlying.item)
        return lambda index, text: inner(index, call(text))

    def _advance(self, offset: int) -> None:
        self._underlying = self._underlying + offset


def TransformOutputIterator(underlying: Any, transform_op: Any, value_type: Any = None) -> TransformIterator:
    """Put what an operator makes of the items that are written into another iterator.

    underlying: an iterator or array. transform_op: the operator, whose parameter has an annotation with its type.
    value_type: that type instead.
    """
    return TransformIterator(underlying, transform_op, value_type, is_input=False)


def _annotation(function: Any, name: str | None) -> Item | None:
    """The type that an operator's annotation names: of its result, or of its only parameter."""
    given = getattr(function, "py_func", function)
    if not inspect.isfunction(given):
        return None
    try:
        hints = get_type_hints(given)
    except Exception:
        hints = given.__annotations__
    if name is None:
        names = list(inspect.signature(given).parameters)
        if len(names) != 1:
            return None
        name = names[0]
    hint = hints.get(name)
    return None if hint is None else hint if isinstance(hint, Item) else item_of(hint)


def _result(function: Any, items: Sequence[Item]) -> Item:
    _, result = Parts().call(function, items)
    if result is None:
        raise TypeError("the operator returns nothing")
    return result


class PermutationIterator(IteratorBase):
    """The items of `values` at the places that `indices` name. Both are iterators or arrays."""

    def __init__(self, values: Any, indices: Any) -> None:
        self._values, self._indices = iterator_of(values), iterator_of(indices)
        if self._indices.item.dtype.kind not in "iu":
            raise TypeError(f"indices must be integers, got {self._indices.item.dtype}")
        self.item = self._values.item

    def items_ahead(self) -> int | None:
        return self._indices.items_ahead()

    def items_back(self) -> int | None:
        return self._indices.items_back()

    def _kind(self) -> Hashable:
        return (self._values.kind, self._indices.kind)

    def reader(self, parts: Parts) -> Read:
        indices, values = self._indices.reader(parts), self._values.reader(parts)
        return lambda index: values(f"(cuox_index)({indices(index)})")

    def writer(self, parts: Parts) -> Write:
        indices, values = self._indices.reader(parts), self._values.writer(parts)
        return lambda index, text: values(f"(cuox_index)({indices(index)})", text)

    def _advance(self, offset: int) -> None:
        self._indices = self._indices + offset


class ReverseIterator(IteratorBase):
    """The items before one another. sequence: an array, which begins with its last element; or an iterator, which
    begins where that does.
    """

    def __init__(self, sequence: Any) -> None:
        if isinstance(sequence, IteratorBase):
            self._underlying = sequence
        else:
            elements = Pointer(sequence)
            self._underlying = elements + (elements.array.size - 1)
        self.item = self._underlying.item

    def items_ahead(self) -> int | None:
        return self._underlying.items_back()

    def items_back(self) -> int | None:
        return self._underlying.items_ahead()

    def _kind(self) -> Hashable:
        return self._underlying.kind

    def reader(self, parts: Parts) -> Read:
        inner = self._underlying.reader(parts)
        return lambda index: inner(f"-(cuox_index)({index})")

    def writer(self, parts: Parts) -> Write:
        inner = self._underlying.writer(parts)
        return lambda index, text: inner(f"-(cuox_index)({index})", text)

    def _advance(self, offset: int) -> None:
        self._underlying = self._underlying + -offset


class ZipIterator(IteratorBase):
    """Tuples of the items of several iterators or arrays: `ZipIterator(a, b)` or `ZipIterator([a, b])`."""

    def __init__(self, *args: Any) -> None:
        given = args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args
        if not given:
            raise ValueError("ZipIterator requires at least one iterator")
        self._iterators = [iterator_of(one) for one in given]
        self.item = tuple_of(one.item for one in self._iterators)

    def items_ahead(self) -> int | None:
        return _least(one.items_ahead() for one in self._iterators)

    def items_back(self) -> int | None:
        return _least(one.items_back() for one in self._iterators)

    def _kind(self) -> Hashable:
        return tuple(one.kind for one in self._iterators)

    def reader(self, parts: Parts) -> Read:
        readers = [one.reader(parts) for one in self._iterators]
        parts.know(self.item)
        cxx = self.item.cxx
        return lambda index: f"{cxx}{{{', '.join(read(index) for read in readers)}}}"

    def writer(self, parts: Parts) -> Write:
        writers = [one.writer(parts) for one in self._iterators]
        parts.know(self.item)
        cxx = self.item.cxx

        def write(index: str, text: str) -> str:
            each = " ".join(put(index, f"py::get<{place}>(cuox_zipped)") for place, put in enumerate(writers))
            return f"{{ const {cxx} cuox_zipped = {text}; {each} }}"

        return write

    def _advance(self, offset: int) -> None:
        self._iterators = [one + offset for one in self._iterators]


def _least(counts: Iterable[int | None]) -> int | None:
    return min((count for count in counts if count is not None), default=None)


class ShuffleIterator(IteratorBase):
    """The numbers from 0 to `num_items` - 1, each once, in an order that `seed` decides: int64.

    A bijection by four rounds of a Feistel network on the next power of four (Luby and Rackoff, 1988); what lies beyond
    is sent round again.
    """

    def __init__(self, num_items: int, seed: int = 0) -> None:
        if num_items <= 0:
            raise ValueError("num_items must be > 0")
        self._num_items, self._seed, self._offset = index(num_items), index(seed) & (2**64 - 1), 0
        self.item = item_of(np.int64)

    def items_ahead(self) -> int | None:
        return max(0, self._num_items - self._offset) if self._offset >= 0 else 0

    def items_back(self) -> int | None:
        return max(0, self._offset + 1) if self._offset < self._num_items else 0

    @property
    def num_items(self) -> int:
        """The number of numbers."""
        return self._num_items

    @property
    def seed(self) -> int:
        """The number that the order hangs on."""
        return self._seed

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        parts.declare(_SHUFFLE)
        count = parts.value("unsigned long long", np.uint64(self._num_items))
        seed = parts.value("unsigned long long", np.uint64(self._seed))
        offset = parts.value("long long", np.int64(self._offset))
        return lambda index: f"cuox_shuffled({offset} + ({index}), {count}, {seed})"

    def _advance(self, offset: int) -> None:
        self._offset += offset


_SHUFFLE = """
static __device__ inline long long cuox_shuffled(long long i, unsigned long long count, unsigned long long seed)
{
    int half = 1;
    while (half < 32 && (1ull << 2 * half) < count) ++half;
    const unsigned long long mask = (1ull << half) - 1;
    unsigned long long x = (unsigned long long)i;
    do {
        unsigned long long left = x >> half, right = x & mask;
        for (int round = 0; round < 4; ++round) {
            unsigned long long h = right + seed + (round + 1) * 0x9e3779b97f4a7c15ull;
            h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9ull;
            h = (h ^ h >> 27) * 0x94d049bb133111ebull;
            h ^= h >> 31;
            const unsigned long long next = left ^ (h & mask);
            left = right;
            right = next;
        }
        x = left << half | right;
    } while (x >= count);
    return (long long)x;
}
"""


class DiscardIterator(IteratorBase):
    """An output that goes nowhere. reference_iterator: an iterator or array with items of the type that is written."""

    def __init__(self, reference_iterator: Any = None) -> None:
        self.item = item_of(np.uint8) if reference_iterator is None else iterator_of(reference_iterator).item
        self.takes_all = reference_iterator is None

    def reader(self, parts: Parts) -> Read:
        parts.know(self.item)
        cxx = self.item.cxx
        return lambda index: f"{cxx}{{}}"

    def writer(self, parts: Parts) -> Write:
        return lambda index, text: f"(void)({text});"

    def _advance(self, offset: int) -> None:
        pass


def output(given: Any, parts: Parts, item: Item) -> Write:
    """The function that puts items of a type into an array or iterator. Raises TypeError if they do not fit."""
    target = iterator_of(given)
    write = target.writer(parts)
    if isinstance(target, DiscardIterator):
        return write
    return lambda index, text: write(index, convert(text, item, target.item))


def source(given: Any, parts: Parts, item: Item | None = None) -> tuple[Read, Item]:
    """The function that reads the items of an array or iterator, as ones of a type; and the type."""
    found = iterator_of(given)
    read = found.reader(parts)
    if item is None or item == found.item:
        return read, found.item
    own = found.item
    convert("", own, item)
    return (lambda index: convert(read(index), own, item)), item


def places(given: Any, parts: Parts, name: str) -> Read:
    """The function that reads the items of an array or iterator as places. Raises TypeError if they are no integers."""
    read, item = source(given, parts)
    if item.dtype.kind not in "iu":
        raise TypeError(f"{name} must have integers, got {item.dtype}")
    return read
