"""Outputs of C that a header does not describe: arrays that C fills, values whose type depends on an attribute, texts
as bytes.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from .arguments import option_values
from .types import sizeof

Result = tuple[Any, ...]
Raw = Callable[[str], Callable[..., Any]]
"""A library's functions by name, as the header's plan has them."""


def bytes_of(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def as_bytes(raw: Callable[..., tuple[Any, ...]]) -> Callable[..., tuple[Any, ...]]:
    """A function whose text is returned as bytes, as cuda.bindings does."""

    @functools.wraps(raw)
    def call(*args: Any, **keywords: Any) -> tuple[Any, ...]:
        result = raw(*args, **keywords)
        if len(result) == 2 and type(result[1]) is str:
            return (result[0], result[1].encode("utf-8", "surrogateescape"))
        return tuple(bytes_of(part) if isinstance(part, str) else part for part in result)

    return call


MANY = 1 << 16
"""Where a program asks for more items than this, it is found out first how many there are."""


class Room:
    """Memory for so many values of a kind: a class of the library, or a C type's short name."""

    SIMPLE = {
        "u64": "c_uint64",
        "i32": "c_int",
        "u32": "c_uint",
        "bool": "c_bool",
        "pointer": "c_void_p",
        "u8": "c_ubyte",
    }

    def __init__(self, library: Any, kind: str, count: int = 1) -> None:
        import ctypes

        self._class: Any = None
        self._records: Any = None
        simple = self.SIMPLE.get(kind)
        if simple is None:
            self._class = library[kind]
            if not issubclass(self._class, int) and hasattr(self._class, "array"):
                self._records = self._class.array(count) if count else []
                self.address: int | None = self._records.address if count else None
                return
            simple = "c_int" if issubclass(self._class, int) else "c_uint64"
        self._values = (getattr(ctypes, simple) * count)()
        self.address = ctypes.addressof(self._values) if count else None

    def all(self) -> list[Any]:
        """The values."""
        if self._records is not None:
            return list(self._records)
        values = [0 if value is None else value for value in self._values]
        return values if self._class is None else [member_of(self._class, value) for value in values]

    def one(self) -> Any:
        """The first value."""
        return self.all()[0]

    def put(self, value: Any) -> None:
        """Sets the first value."""
        self._values[0] = value if isinstance(value, bool) else int(value)


def member_of(class_: Any, value: Any) -> Any:
    """A handle, or an enumeration's member; for a number that has none, the number."""
    try:
        return class_(value)
    except ValueError:
        return value


def kind_of(kinds: dict[str, str], attribute: Any, default: str = "u64") -> str:
    """The kind of an attribute's value, by the attribute's name."""
    return kinds.get(getattr(attribute, "name", ""), default)


class Outputs:
    """A library's functions that fill memory, called so that they return what they have put there. The driver's and the
    runtime's are alike but for names.
    """

    def __init__(self, library: Any, raw: Raw) -> None:
        self.library = library
        self.raw = raw

    def filled(self, name: str, kinds: Sequence[str], count: int, of: Any) -> Result:
        """The function takes `of`, an array for each kind, and where the count is."""
        if count > MANY:
            # Without arrays it says how many items there are.
            there = Room(self.library, "u64")
            (status,) = self.raw(name)(of, *(None for _ in kinds), there.address)
            if status != 0:
                return (status, *(None for _ in kinds), None)
            count = min(count, there.one())
        rooms = [Room(self.library, kind, count) for kind in kinds]
        total = Room(self.library, "u64")
        total.put(count)
        (status,) = self.raw(name)(of, *(room.address for room in rooms), total.address)
        if status != 0:
            return (status, *(None for _ in rooms), None)
        return (status, *(room.all() for room in rooms), total.one())

    def enumerated(self, name: str, kind: str, counter: str, count: int, of: Any) -> Result:
        """The function takes an array, the count and `of`; `counter` says how many items there are."""
        if count > MANY:
            status, there = self.raw(counter)(of)
            if status != 0:
                return (status, None)
            count = min(count, there)
        return self.listed(name, kind, count, count, of)

    def listed(self, name: str, kind: str, count: int, *rest: Any) -> Result:
        """The function takes an array first."""
        room = Room(self.library, kind, count)
        (status,) = self.raw(name)(room.address, *rest)
        return (status, room.all() if status == 0 else None)

    def capabilities(self, name: str, operations: Sequence[Any] | None, count: int, *devices: Any) -> Result:
        """One int for each operation."""
        operations = operations or ()
        announced(name, count, operations=operations)
        return self.listed(name, "u32", count, operations, count, *devices)

    def valued(self, name: str, kind: str, *args: Any) -> Result:
        """The function takes, where the argument `...` is, where the value is to be put."""
        room = Room(self.library, kind)
        (status,) = self.raw(name)(*(room.address if arg is ... else arg for arg in args))
        return (status, room.one() if status == 0 else None)

    def setting(self, name: str, kind: str, value: Any, *args: Any) -> Result:
        """The function takes, where the argument `...` is, where the value is."""
        room = Room(self.library, kind)
        room.put(value)
        result: Result = self.raw(name)(*(room.address if arg is ... else arg for arg in args))
        return result

    def range_attribute(self, name: str, size: int, *args: Any) -> Result:
        """An attribute of so many bytes: an int, or a list of ints if it has several."""
        room = Room(self.library, "i32", max(1, size // 4))
        (status,) = self.raw(name)(room.address, size, *args)
        return (status, None if status != 0 else room.one() if size <= 4 else room.all())

    def range_attributes(
        self, name: str, sizes: Sequence[int], attributes: Sequence[Any] | None, number: int, *args: Any
    ) -> Result:
        """Several attributes, each of so many bytes."""
        attributes = list(attributes or ())
        announced(name, number, dataSizes=sizes, attributes=attributes)
        sizes, attributes = sizes[:number], attributes[:number]
        rooms = [Room(self.library, "i32", max(1, size // 4)) for size in sizes]
        places, held = option_values([room.address for room in rooms])
        (status,) = self.raw(name)(places, sizes, attributes, *args)
        del held
        if status != 0:
            return (status, None)
        return (status, [room.one() if size <= 4 else room.all() for room, size in zip(rooms, sizes)])

    def devices(self, name: str, kind: str, count: int, of: Any) -> Result:
        """Return the number of devices, and an array of them."""
        total, devices = Room(self.library, "u32"), Room(self.library, "i32", count)
        (status,) = self.raw(name)(total.address, devices.address, count, of)
        if status != 0:
            return (status, None, None)
        class_ = int if kind == "int" else self.library[kind]
        return (status, total.one(), [class_(one) for one in devices.all()])

    def capture(self, name: str, graph: str, node: str, edge: str, stream: Any) -> Result:
        """A stream's capture: its state, number, graph, the nodes that the next one will depend on with the edges'
        data, and how many these are.
        """
        import ctypes

        rooms = [Room(self.library, "u64") for _ in range(5)]
        status, state = self.raw(name)(stream, *(room.address for room in rooms))
        if status != 0:
            return (status, *(None for _ in range(6)))
        number, graph_at, nodes, edges, count = (room.one() for room in rooms)
        total = count if nodes else 0
        found = [self.library[node](one) for one in (ctypes.c_uint64 * total).from_address(nodes)] if total else []
        edge_class = self.library[edge]
        size = sizeof(edge_class)
        data = [edge_class.from_address(edges + size * i).copy() for i in range(total)] if edges else []
        return (status, state, number, self.library[graph](graph_at), found, data, total)


def shareable(type_: Any, fabric: str) -> str:
    """The kind of a handle of the operating system, by its type."""
    return {1: "i32", 2: "pointer", 4: "u32", 8: fabric}.get(int(type_), "u64")


def announced(name: str, count: int, **lists: Sequence[Any]) -> None:
    """Raises ValueError if a list has fewer items than C is told of."""
    for what, given in lists.items():
        if len(given) < count:
            raise ValueError(f"{name}: {what}: expected {count} items, as the count says, got {len(given)}")


def moving(raw: Callable[..., Any], iterator: Any, *rest: Any) -> Any:
    """A function that moves the iterator it is given, which is among its results. With None it begins at the first
    entry.
    """
    if iterator is not None and not hasattr(iterator, "getPtr"):
        raise TypeError(
            f"{raw.__name__}(): parameter 'iterator' takes a log iterator of this module or None, got {type(iterator).__name__}"
        )
    status, *found = raw(None if iterator is None else iterator.getPtr(), *rest)
    return (status, iterator, *found) if status == 0 else (status, None, *(None for _ in found))
