"""The texts and arguments of a kernel, put together from arrays, iterators and operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

import cuox
from cuox._native import _RadixSort

from ._items import Item
from ._mode import active
from ._operators import _FLAGS, Operator, operator_of, user_function, uses_names
from ._recent import Recent
from .op import CppOp, OpKind

Read = Callable[[str], str]
"""The text of an index -> the text of the item there."""
Write = Callable[[str, str], str]
"""The texts of an index and of an item -> a statement that puts it there."""


Origin = tuple[str, Any, str | None]
"""Where a parameter's value comes from: `("array", slot, None)`, `("value", slot, type code)` for an argument of the
algorithm, `("state", slot, None)` for what the operator there captures, `("constant", value, None)`."""


class Parts:
    """The parts of a kernel: its parameters with their values, and declarations. Two calls with the same texts share a
    kernel.
    """

    def __init__(self) -> None:
        self.parameters: list[tuple[str, str, bool]] = []
        self.values: list[Any] = []
        self.origins: list[Origin] = []
        # The operators that are arguments: their slots, and the functions as they are now.
        self.operators: dict[int, tuple[Operator, Any]] = {}
        # False if a value is neither an argument nor a constant.
        self.are_known = True
        # True if an operator is CUDA C++, which may use all that CUDA has.
        self.has_cxx = False
        self._preamble: dict[str, None] = {}
        # The names of operators that are functions.
        self._functions: dict[str, None] = {}
        # Objects that have an address among the values.
        self._held: list[Any] = []

    def value(self, cxx: str, value: Any, origin: Origin | None = None) -> str:
        """Add a parameter by value. Returns its name."""
        return self._add(cxx, value, origin or ("constant", value, None), is_vector=False)

    def _add(self, cxx: str, value: Any, origin: Origin, *, is_vector: bool) -> str:
        name = f"p{len(self.parameters)}"
        self.parameters.append((cxx, name, is_vector))
        self.values.append(value)
        self.origins.append(origin)
        return name

    def elements(self, array: cuox.Array, item: Item, *, read_only: bool, slot: int | None = None) -> str:
        """Add an array of one dimension without gaps: `name[i]`, in kernels that may take several elements at once for
        the kernel's own `i` only.
        """
        return self._add(
            f"const {item.cxx}" if read_only else item.cxx, array, self._array_origin(slot), is_vector=True
        )

    def pointer(
        self, array: cuox.Array, item: Item, *, read_only: bool, offset: int = 0, slot: int | None = None
    ) -> str:
        """Add the address of an array's item; the item may lie beside the array. Returns an expression."""
        cxx = f"{'const ' if read_only else ''}{item.cxx} *"
        # The array itself: its memory is held, and used in order.
        name = self._add(cxx, array, self._array_origin(slot), is_vector=False)
        if slot is not None:
            return name
        return f"({name} + {self.value('long long', np.int64(offset))})"

    def _array_origin(self, slot: int | None) -> Origin:
        if slot is None:
            self.are_known = False
        return ("array", slot, None)

    def scalar(self, value: Any, item: Item, slot: int | None = None) -> str:
        """Add an item by value."""
        array = np.asarray(value, item.dtype)
        plain = array.tobytes() if item.is_struct or item.dtype.kind == "c" or item.dtype.char == "e" else array[()]
        if slot is not None and getattr(value, "dtype", item.dtype) != item.dtype:
            self.are_known = False
        return self.value(item.cxx, plain, None if slot is None else ("value", slot, item.code))

    def operator(self, function: Any, items: Sequence[Item], result: Item | None = None) -> Operator:
        """Add an operator: its `call` is that of the parameter `operator.name`_state."""
        made = operator_of(function, items, result)
        self.has_cxx |= isinstance(function, CppOp)
        if isinstance(function, FunctionType):
            self._functions.setdefault(function.__name__)
        self.declare(made.preamble)
        return made

    def call(
        self, function: Any, items: Sequence[Item], result: Item | None = None, slot: int | None = None
    ) -> tuple[Callable[..., str], Item | None]:
        """Add an operator. Returns what writes a call of it with the texts of its arguments, and the type of its
        result.
        """
        made = self.operator(function, items, result)
        function = user_function(function)
        origin: Origin | None = None
        if (slot is None and uses_names(function)) or made.constants is not None:
            self.are_known = False
        if slot is not None:
            self.operators[slot] = made, function
            origin = ("state", slot, None) if made.is_stateful else None
        state, held = made.state(function)
        self._held.append(held)
        name = self.value(made.name, state, origin)
        return (lambda *texts: f"{name}.call({', '.join(texts)})"), made.result

    def declare(self, text: str) -> None:
        """Add declarations."""
        self._preamble.setdefault(text)

    def know(self, item: Item) -> None:
        """Add the declarations of an item's type."""
        self.operator(OpKind.IDENTITY, [item], item)

    @property
    def shown(self) -> str:
        """The operators, as messages name them."""
        return ", ".join(self._functions) or "cuox.cuda.compute"

    @property
    def preamble(self) -> str:
        """All declarations."""
        return "".join(self._preamble)


_kernels: Recent[Any] = Recent(1024)


def clear() -> None:
    """Forget all kernels."""
    _kernels.clear()


def kernel(kind: Callable[..., Any], parts: Parts, *texts: Any, **keywords: Any) -> Any:
    """The kernel of a kind with these texts, made if it is new. kind: a class of native kernels, or a function that
    makes one.
    """
    key = (kind, tuple(parts.parameters), parts.preamble, texts, tuple(sorted(keywords.items())))
    mode = active.get()
    known = _kernels if mode is None else mode.kernels
    found = known.get(key)
    if found is None:
        before, after = texts[: _BEFORE.get(kind.__name__, 0)], texts[_BEFORE.get(kind.__name__, 0) :]
        if mode is not None:
            more = mode.options
        else:
            # No declarations of the CUDA runtime, of textures and surfaces, for which Python has no names: they take
            # NVRTC a tenth of a first call.
            more = () if parts.has_cxx else ("--minimal",)
        options = [*_FLAGS, *more]
        found = known.put(
            key, kind(*before, parts.parameters, *after, preamble=parts.preamble, options=options, **keywords)
        )
    return found if mode is None else mode.launcher(found)


def radix_sort_kernel(*form: Any) -> Any:
    """The radix sort of keys of a kind and size, and of values of a size and alignment, made if it is new."""
    mode = active.get()
    known = _kernels if mode is None else mode.kernels
    found = known.get(form)
    if found is None:
        options = None if mode is None else [*_FLAGS, *mode.options]
        found = known.put(form, _RadixSort(*form, options=options))
    return found if mode is None else mode.launcher(found)


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
