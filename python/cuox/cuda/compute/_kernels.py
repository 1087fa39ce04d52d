"""The texts and arguments of a kernel, put together from arrays, iterators and operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import cuox
from cuox._native import _packed

from ._items import Item
from ._operators import _FLAGS, Operator, operator_of

Read = Callable[[str], str]
"""The text of an index -> the text of the item there."""
Write = Callable[[str, str], str]
"""The texts of an index and of an item -> a statement that puts it there."""


class Parts:
    """What a kernel is made of: its parameters with their values, and declarations. Two calls with the same texts share a kernel."""

    def __init__(self) -> None:
        self.parameters: list[tuple[str, str, bool]] = []
        self.values: list[Any] = []
        self._preamble: dict[str, None] = {}

    def value(self, cxx: str, value: Any) -> str:
        """Add a parameter by value. Returns its name."""
        name = f"p{len(self.parameters)}"
        self.parameters.append((cxx, name, False))
        self.values.append(value)
        return name

    def elements(self, array: cuox.Array, item: Item, *, read_only: bool) -> str:
        """Add an array whose elements are taken one by one: `name[i]` for the kernel's own `i` only."""
        name = f"p{len(self.parameters)}"
        self.parameters.append((f"const {item.cxx}" if read_only else item.cxx, name, True))
        self.values.append(array)
        return name

    def pointer(self, address: int, item: Item, *, read_only: bool) -> str:
        """Add an address."""
        return self.value(f"{'const ' if read_only else ''}{item.cxx} *", address)

    def scalar(self, value: Any, item: Item) -> str:
        """Add an item by value."""
        array = np.asarray(value, item.dtype)
        return self.value(item.cxx, array.tobytes() if item.is_struct or item.dtype.kind == "c" or item.dtype.char == "e" else array[()])

    def operator(self, function: Any, items: Sequence[Item], result: Item | None = None) -> Operator:
        """Add an operator: its `call` is that of the parameter `operator.name`_state."""
        made = operator_of(function, items, result)
        self.declare(made.preamble)
        return made

    def call(self, function: Any, items: Sequence[Item], result: Item | None = None) -> tuple[Callable[..., str], Item | None]:
        """Add an operator. Returns what writes a call of it with the texts of its arguments, and the type of its result."""
        made = self.operator(function, items, result)
        name = self.value(made.name, made.state(function))
        return (lambda *texts: f"{name}.call({', '.join(texts)})"), made.result

    def declare(self, text: str) -> None:
        """Add declarations."""
        self._preamble.setdefault(text)

    def know(self, item: Item) -> None:
        """Add the declarations of an item's type."""
        self.operator(_same, [item], item)

    @property
    def preamble(self) -> str:
        """All declarations."""
        return "".join(self._preamble)


def _same(a: Any) -> Any:
    return a


_kernels: dict[Any, Any] = {}


def clear() -> None:
    """Forget all kernels."""
    _kernels.clear()


def kernel(kind: type[Any], parts: Parts, *texts: Any, **keywords: Any) -> Any:
    """The kernel of a kind (`_Elementwise`, `_Reduction`, `_Scan`) with these texts, made if it is new."""
    key = (kind, tuple(parts.parameters), parts.preamble, texts, tuple(sorted(keywords.items())))
    found = _kernels.get(key)
    if found is None:
        before, after = texts[: _BEFORE.get(kind.__name__, 0)], texts[_BEFORE.get(kind.__name__, 0) :]
        found = _kernels[key] = kind(*before, parts.parameters, *after, preamble=parts.preamble, options=list(_FLAGS), **keywords)
    return found


# The texts in front of the parameters.
_BEFORE = {"_Elementwise": 0, "_Scan": 1, "_Reduction": 4, "_Sort": 2}


def convert(text: str, given: Item, wanted: Item) -> str:
    """The text of an item as one of another type. Raises TypeError for what cannot be."""
    if given.cxx == wanted.cxx:
        return text
    if given.is_struct or wanted.is_struct or given.dtype.kind == "c" != wanted.dtype.kind:
        raise TypeError(f"items of {given.dtype} are no items of {wanted.dtype}")
    # float16 is made of float32, which integers and float64 become first.
    return f"{wanted.cxx}(float32({text}))" if wanted.dtype.char == "e" else f"{wanted.cxx}({text})"


def packed(item: Item, value: Any) -> bytes:
    """The bytes of a value."""
    return bytes(_packed(item.code, value))
